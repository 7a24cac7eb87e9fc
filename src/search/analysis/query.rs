//! A question as concepts: each word or known phrase of it with everything that would do instead.

use std::collections::HashMap;

use super::analyzer::{Analyzer, Term, hash};
use super::language::Language;
use super::scan::Kind;
use super::stops::{is_asking, is_weak};
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
        let mut builder = Builder { text, shouted: !text.chars().any(char::is_lowercase), concepts: Vec::new() };
        for keep_asking in [false, true] {
            for language in languages {
                builder.read(*language, keep_asking);
            }
            // A question of nothing but small words ("who is who") is searched by these.
            if !builder.concepts.is_empty() {
                break;
            }
        }
        builder.concepts.sort_by_key(|concept| (concept.phrase, concept.place));
        builder.concepts.truncate(MAX_CONCEPTS);
        Self { concepts: builder.concepts }
    }

    /// Whether nothing is left to look for.
    pub fn is_empty(&self) -> bool {
        self.concepts.is_empty()
    }

    /// Where each hash counts: concept and alternative, single words only.
    pub fn words(&self) -> HashMap<u32, Vec<(usize, f64)>> {
        let mut words: HashMap<u32, Vec<(usize, f64)>> = HashMap::new();
        for (at, concept) in self.concepts.iter().enumerate() {
            for alternative in &concept.alternatives {
                if let [only] = alternative.hashes.as_slice() {
                    words.entry(*only).or_default().push((at, alternative.weight));
                }
            }
        }
        words
    }
}

struct Builder<'a> {
    text: &'a str,
    /// A question in capitals only: capitals say nothing then.
    shouted: bool,
    concepts: Vec<Concept>,
}

impl Builder<'_> {
    fn read(&mut self, language: Language, keep_asking: bool) {
        let mut analyzer = Analyzer::new(language);
        let terms = analyzer.terms(self.text);
        let mut kept: Vec<(Term, String, f64)> = Vec::new();
        for term in terms {
            let typed = self.text.get(term.start..term.end).unwrap_or_default();
            let folded = super::fold(typed);
            let abbreviation = !self.shouted && typed.chars().count() >= 2 && !typed.chars().any(char::is_lowercase);
            let asks = !keep_asking && !abbreviation && is_asking(language, &folded);
            if asks {
                continue;
            }
            let weak = !abbreviation && is_weak(language, &folded);
            kept.push((term, analyzer.stem(term.index).to_owned(), if weak { WEAK_WEIGHT } else { 1.0 }));
        }
        // A query of weak words only ("annual report") means them.
        let all_weak = kept.iter().all(|(_, _, weight)| *weight < 1.0);
        for (place, (term, stem, weight)) in kept.iter().enumerate() {
            let weight = if all_weak { 1.0 } else { *weight };
            self.word(term, stem, weight, place);
        }
        if language == Language::English {
            self.related(&kept);
        }
    }

    /// A word; said again it counts a little more, in another language it is another way to find the same.
    fn word(&mut self, term: &Term, stem: &str, weight: f64, place: usize) {
        let own = alternative(&[stem.to_owned()], 1.0);
        let known = self.concepts.iter_mut().find(|concept| !concept.phrase && concept.alternatives.first() == Some(&own));
        if let Some(concept) = known {
            if concept.place != place {
                concept.weight = (concept.weight + 0.3 * weight).min(1.6);
            }
            return;
        }
        let number = term.kind == Kind::Number;
        self.concepts.push(Concept { alternatives: vec![own], weight, number, place, phrase: false });
    }

    /// Synonyms of single words, and phrases with their synonyms.
    fn related(&mut self, kept: &[(Term, String, f64)]) {
        let stems: Vec<&str> = kept.iter().map(|(_, stem, _)| stem.as_str()).collect();
        let mut at = 0;
        while let Some(rest) = stems.get(at..).filter(|rest| !rest.is_empty()) {
            let found = Synonyms::english().longest_at(rest);
            let length = found.map_or(1, |(length, _)| length);
            let weak = kept.get(at).is_some_and(|(_, _, weight)| *weight < 1.0);
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
