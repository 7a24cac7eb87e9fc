//! A question as concepts: each word or known phrase of it with everything that would do instead.

use super::analyzer::{Analyzer, Term, hash};
use super::fold::fold;
use super::language::Language;
use super::scan::Kind;
use super::stops::{is_asking, is_small, is_weak};
use super::synonyms::Synonyms;

/// Most concepts of one question; a question pasted with a whole page is cut here.
const MAX_CONCEPTS: usize = 48;
/// Longest question that is read, in bytes.
const MAX_BYTES: usize = 8_000;

/// Weight of a word that says how to answer.
const WEAK_WEIGHT: f64 = 0.15;
/// Weight of a phrase of the question as a whole, beside its words.
const PHRASE_WEIGHT: f64 = 0.8;
/// What a synonym is worth beside the word itself.
const SAME_WEIGHT: f64 = 0.5;
/// What a related phrase is worth beside the phrase itself.
const LEAD_WEIGHT: f64 = 0.35;

/// A word or phrase that satisfies a concept.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// Its stems, in order; several for a phrase.
    pub stems: Vec<String>,
    /// Their hashes.
    pub hashes: Vec<u32>,
    /// 1 for the words of the question, less for synonyms.
    pub weight: f64,
}

/// One thing that the question speaks of.
#[derive(Debug, Clone, PartialEq)]
pub struct Concept {
    /// What satisfies it; the first one is the question's own.
    pub alternatives: Vec<Alternative>,
    /// How much it counts beside the others, before rarity.
    pub weight: f64,
    /// Whether it is a number.
    pub number: bool,
    /// Its place among the words of the question; neighbours stand one apart. Phrases have the place of their first word.
    pub place: usize,
    /// Whether it is a phrase made of words that are concepts of their own.
    pub phrase: bool,
}

/// A question, ready to be held against pages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    /// What it speaks of, in order.
    pub concepts: Vec<Concept>,
}

impl Query {
    /// Reads a question against texts of these languages. Empty when nothing is left of it.
    pub fn new(text: &str, languages: &[Language]) -> Self {
        let mut cut = text.len().min(MAX_BYTES);
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        let text = text.get(..cut).unwrap_or_default();
        let mut builder = Builder { text, languages, shouted: !text.chars().any(char::is_lowercase), concepts: Vec::new() };
        builder.read(false);
        if builder.concepts.is_empty() {
            // A question of nothing but small words ("who is who") is searched by those that are stored.
            builder.read(true);
        }
        builder.concepts.sort_by_key(|concept| (concept.phrase, concept.place));
        builder.concepts.truncate(MAX_CONCEPTS);
        Self { concepts: builder.concepts }
    }

    /// Whether nothing is left to look for.
    pub fn is_empty(&self) -> bool {
        self.concepts.is_empty()
    }
}

struct Builder<'a> {
    text: &'a str,
    languages: &'a [Language],
    /// A question in capitals only: capitals say nothing then.
    shouted: bool,
    concepts: Vec<Concept>,
}

/// A word of the question that counts, as one language stems it.
struct Kept {
    term: Term,
    stem: String,
    weight: f64,
}

impl Builder<'_> {
    fn read(&mut self, keep_asking: bool) {
        for language in self.languages {
            let mut kept = self.kept(*language, keep_asking);
            // A query of weak words only ("annual report") means them.
            if kept.iter().all(|word| word.weight < 1.0) {
                kept.iter_mut().for_each(|word| word.weight = 1.0);
            }
            for (place, word) in kept.iter().enumerate() {
                self.word(word, place);
            }
            if *language == Language::English {
                self.related(&kept);
            }
        }
    }

    /// The words that count. What is small in one of the languages counts in none: "the" is rare in German texts and says as little.
    fn kept(&self, language: Language, keep_asking: bool) -> Vec<Kept> {
        let mut analyzer = Analyzer::new(language);
        let terms = analyzer.terms(self.text);
        let any = |test: fn(Language, &str) -> bool, word: &str| self.languages.iter().any(|language| test(*language, word));
        let mut kept = Vec::with_capacity(terms.len());
        for term in terms {
            let typed = self.text.get(term.start..term.end).unwrap_or_default();
            let folded = fold(typed);
            let abbreviation = !self.shouted && typed.chars().count() >= 2 && !typed.chars().any(char::is_lowercase);
            let asks = any(is_asking, &folded) && !abbreviation;
            if any(is_small, &folded) || (asks && !keep_asking) {
                continue;
            }
            let weak = !abbreviation && any(is_weak, &folded);
            kept.push(Kept { stem: analyzer.stem(term.index).to_owned(), term, weight: if weak { WEAK_WEIGHT } else { 1.0 } });
        }
        kept
    }

    /// A word. Said again it counts a little more; stemmed otherwise in another language it is another way to find the same.
    fn word(&mut self, word: &Kept, place: usize) {
        let own = alternative(std::slice::from_ref(&word.stem), 1.0);
        let mut words = self.concepts.iter_mut().filter(|concept| !concept.phrase);
        if let Some(concept) = words.find(|concept| concept.place == place || concept.alternatives.first() == Some(&own)) {
            if concept.place != place {
                concept.weight = (concept.weight + 0.3 * word.weight).min(1.6);
            } else if !concept.alternatives.contains(&own) {
                concept.alternatives.push(own);
            }
            return;
        }
        let number = word.term.kind == Kind::Number;
        self.concepts.push(Concept { alternatives: vec![own], weight: word.weight, number, place, phrase: false });
    }

    /// Synonyms of single words, and phrases with their synonyms.
    fn related(&mut self, kept: &[Kept]) {
        let stems: Vec<&str> = kept.iter().map(|word| word.stem.as_str()).collect();
        let mut at = 0;
        while let Some(rest) = stems.get(at..).filter(|rest| !rest.is_empty()) {
            let found = Synonyms::english().longest_at(rest);
            let length = found.map_or(1, |(length, _)| length);
            let weak = kept.get(at).is_some_and(|word| word.weight < 1.0);
            if let (Some((_, related)), false) = (found, weak && length == 1) {
                let phrase: Vec<String> = rest.iter().take(length).map(|stem| (*stem).to_owned()).collect();
                let alternatives = related.iter().map(|other| {
                    let weight = if other.same { SAME_WEIGHT } else { LEAD_WEIGHT };
                    alternative(&other.stems, weight)
                });
                if length == 1 {
                    let own = alternative(&phrase, 1.0);
                    let concept = self.concepts.iter_mut().find(|concept| concept.alternatives.first() == Some(&own));
                    if let Some(concept) = concept {
                        concept.alternatives.extend(alternatives);
                    }
                } else {
                    let mut all = vec![alternative(&phrase, 1.0)];
                    all.extend(alternatives);
                    if !self.concepts.iter().any(|concept| concept.alternatives.first() == all.first()) {
                        self.concepts.push(Concept {
                            alternatives: all,
                            weight: PHRASE_WEIGHT,
                            number: false,
                            place: at,
                            phrase: true,
                        });
                    }
                }
            }
            at += length;
        }
    }
}

fn alternative(stems: &[String], weight: f64) -> Alternative {
    Alternative { stems: stems.to_vec(), hashes: stems.iter().map(|stem| hash(stem)).collect(), weight }
}
