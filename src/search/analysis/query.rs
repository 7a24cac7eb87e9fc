//! A question as concepts: each word or known phrase of it with everything that would do instead.

use super::analyzer::{Analyzer, Term, hash};
use super::fold::fold;
use super::language::Language;
use super::request::{Request, sentence_weights};
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
const PHRASE_WEIGHT: f64 = 1.0;
/// What a synonym is worth beside the word itself.
const SAME_WEIGHT: f64 = 0.5;
/// What a related phrase is worth beside the phrase itself.
const LEAD_WEIGHT: f64 = 0.4;

/// Weight of quoted words as a whole.
const QUOTED_WEIGHT: f64 = 2.0;
/// Weight of a label with its number.
const LABEL_WEIGHT: f64 = 1.2;
/// Weight of a name of several words as a whole.
const NAME_WEIGHT: f64 = 0.5;
/// Most words of such a phrase.
const LONGEST_PHRASE: usize = 5;

/// What is numbered in documents.
const LABELS: [&str; 22] = [
    "table",
    "figure",
    "fig",
    "chart",
    "note",
    "section",
    "item",
    "chapter",
    "part",
    "panel",
    "appendix",
    "annex",
    "exhibit",
    "step",
    "article",
    "unit",
    "schedule",
    "rule",
    "question",
    "tabelle",
    "abbildung",
    "kapitel",
];

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
    /// Whether it is a phrase in quotation marks, whose words stand side by side in this order.
    pub quoted: bool,
    /// Whether nothing is known of the word itself and it was widened to words that are like it: how rare it is, they tell.
    pub widened: bool,
}

/// A question, ready to be held against pages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    /// What it speaks of, in order.
    pub concepts: Vec<Concept>,
    /// What it says beside that.
    pub request: Request,
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
        Self { concepts: builder.concepts, request: Request::new(text) }
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
    weak: bool,
}

impl Builder<'_> {
    fn read(&mut self, keep_asking: bool) {
        for language in self.languages {
            let mut kept = self.kept(*language, keep_asking);
            // A query of weak words only ("annual report") means them.
            if kept.iter().all(|word| word.weak) {
                kept.iter_mut().for_each(|word| (word.weight, word.weak) = (1.0, false));
            }
            let mut place = 0;
            let mut read_to = 0;
            for word in &kept {
                // Two forms of the same bytes (`FY25` and `2025`) are one thing that is asked for.
                if word.term.start >= read_to {
                    place += 1;
                }
                read_to = read_to.max(word.term.end);
                self.word(word, place);
            }
            if *language == Language::English {
                self.related(&kept);
            }
            self.set_phrases(&kept);
        }
    }

    /// The words that count. What is small in one of the languages counts in none: "the" is rare in German texts and says as little.
    fn kept(&self, language: Language, keep_asking: bool) -> Vec<Kept> {
        let mut analyzer = Analyzer::new(language);
        let terms = analyzer.terms(self.text);
        let any = |test: fn(Language, &str) -> bool, word: &str| self.languages.iter().any(|language| test(*language, word));
        let sentences = sentence_weights(self.text);
        let quotes = quoted(self.text);
        let mut kept: Vec<Kept> = Vec::with_capacity(terms.len());
        for term in terms {
            // The last character of a run is asked for with the one before it.
            let inside = |word: &Kept| word.term.kind == Kind::Bigram && word.term.start < term.start && term.end <= word.term.end;
            if term.kind == Kind::Bigram && kept.last().is_some_and(inside) {
                continue;
            }
            let typed = self.text.get(term.start..term.end).unwrap_or_default();
            let folded = fold(typed);
            let abbreviation = !self.shouted && typed.chars().count() >= 2 && !typed.chars().any(char::is_lowercase);
            let asks = any(is_asking, &folded) && !abbreviation && !quotes.iter().any(|range| range.contains(&term.start));
            let possessive = folded == "s" && self.text.get(..term.start).is_some_and(|before| before.ends_with(['\'', '’']));
            if any(is_small, &folded) || (asks && !keep_asking) || possessive {
                continue;
            }
            let weak = !abbreviation && any(is_weak, &folded);
            let sentence = sentences.iter().find(|(range, _)| range.contains(&term.start)).map_or(1.0, |(_, weight)| *weight);
            let weight = if weak { WEAK_WEIGHT } else { sentence };
            kept.push(Kept { stem: analyzer.stem(term.index).to_owned(), term, weight, weak });
        }
        kept
    }

    /// A word. Said again it counts a little more; stemmed otherwise in another language it is another way to find the same.
    fn word(&mut self, word: &Kept, place: usize) {
        let own = Alternative { stems: vec![word.stem.clone()], hashes: vec![word.term.hash], weight: 1.0 };
        let mut words = self.concepts.iter_mut().filter(|concept| !concept.phrase);
        if let Some(concept) = words.find(|concept| concept.place == place || concept.alternatives.first() == Some(&own)) {
            if concept.place != place {
                concept.weight = (concept.weight.max(word.weight) + 0.3 * concept.weight.min(word.weight)).min(1.6);
            } else if !concept.alternatives.contains(&own) {
                concept.alternatives.push(own);
            }
            return;
        }
        let number = word.term.kind == Kind::Number;
        self.concepts.push(Concept {
            alternatives: vec![own],
            weight: word.weight,
            number,
            place,
            phrase: false,
            quoted: false,
            widened: false,
        });
    }

    /// Words that belong together in the question itself: quoted ones, names of several words, and what has a label and a number
    /// ("table 3", "note 12").
    fn set_phrases(&mut self, kept: &[Kept]) {
        let ranges = quoted(self.text);
        let mut at = 0;
        while at < kept.len() {
            let run = |belongs: &dyn Fn(&Kept, &Kept) -> bool| {
                let pairs = kept.iter().zip(kept.iter().skip(1)).skip(at);
                1 + pairs.take_while(|(word, next)| belongs(word, next)).take(LONGEST_PHRASE - 1).count()
            };
            let inside = |word: &Kept| ranges.iter().position(|range| range.contains(&word.term.start));
            let in_quotes = run(&|word, next| inside(word).is_some() && inside(word) == inside(next));
            let named = run(&|word, next| self.is_name(word) && self.is_name(next) && self.touch(word, next));
            let labelled =
                run(&|word, next| self.is_label(word) && next.term.end - next.term.start <= 6 && self.touch(word, next)).min(2);
            let (length, weight) = [(in_quotes, QUOTED_WEIGHT), (labelled, LABEL_WEIGHT), (named, NAME_WEIGHT)]
                .into_iter()
                .find(|(length, _)| *length > 1)
                .unwrap_or((1, 0.0));
            let quoted = in_quotes > 1;
            if length > 1 {
                let words = || kept.iter().skip(at).take(length);
                let own = Alternative {
                    stems: words().map(|word| word.stem.clone()).collect(),
                    hashes: words().map(|word| word.term.hash).collect(),
                    weight: 1.0,
                };
                match self.concepts.iter_mut().find(|concept| concept.alternatives.first() == Some(&own)) {
                    Some(known) if quoted => (known.weight, known.quoted) = (weight, true),
                    Some(_) => {}
                    None => self.concepts.push(Concept {
                        alternatives: vec![own],
                        weight,
                        number: false,
                        place: at,
                        phrase: true,
                        quoted,
                        widened: false,
                    }),
                }
            }
            at += length;
        }
    }

    fn typed(&self, word: &Kept) -> &str {
        self.text.get(word.term.start..word.term.end).unwrap_or_default()
    }

    /// A capital letter in a text that is not all capitals.
    fn is_name(&self, word: &Kept) -> bool {
        !self.shouted && !word.weak && self.typed(word).starts_with(char::is_uppercase)
    }

    fn is_label(&self, word: &Kept) -> bool {
        LABELS.contains(&fold(self.typed(word)).as_ref())
    }

    /// Nothing but a little white space or punctuation between two words.
    fn touch(&self, word: &Kept, next: &Kept) -> bool {
        let between = self.text.get(word.term.end..next.term.start);
        between.is_some_and(|between| between.len() <= 2 && !between.contains(['.', ',', ';', '?', '!', '(']))
    }

    /// Synonyms of single words, and phrases with their synonyms.
    fn related(&mut self, kept: &[Kept]) {
        let stems: Vec<&str> = kept.iter().map(|word| word.stem.as_str()).collect();
        let mut at = 0;
        while let Some(rest) = stems.get(at..).filter(|rest| !rest.is_empty()) {
            let found = Synonyms::english().longest_at(rest);
            let length = found.map_or(1, |(length, _)| length);
            let sentence = kept.get(at).map_or(1.0, |word| word.weight);
            let weak = kept.get(at).is_some_and(|word| word.weak);
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
                            weight: PHRASE_WEIGHT * sentence,
                            number: false,
                            place: at,
                            phrase: true,
                            quoted: false,
                            widened: false,
                        });
                    }
                }
            }
            // A phrase that only leads somewhere leaves its words their synonyms; one with synonyms of its own speaks for them.
            let whole = found.is_some_and(|(_, related)| related.iter().any(|other| other.same));
            at += if whole { length } else { 1 };
        }
    }
}

/// What stands between quotation marks, as byte ranges; marks that do not close are none.
fn quoted(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let mut open: Option<usize> = None;
    for (at, c) in text.char_indices().filter(|(_, c)| matches!(c, '"' | '“' | '”' | '„' | '«' | '»')) {
        match open.take() {
            Some(start) => ranges.push(start..at),
            None => open = Some(at + c.len_utf8()),
        }
    }
    ranges
}

/// Words only: a number has no synonyms, and as a word of its own it is made in [`Builder::word`].
fn alternative(stems: &[String], weight: f64) -> Alternative {
    Alternative { stems: stems.to_vec(), hashes: stems.iter().map(|stem| hash(Kind::Word, stem)).collect(), weight }
}
