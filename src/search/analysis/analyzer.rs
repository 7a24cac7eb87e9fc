//! Folded words become stems, and stems become numbers.

use std::collections::HashMap;

use rust_stemmers::Stemmer;

use super::fold::without_marks;
use super::language::Language;
use super::periods::{is_quarter, ordinal, periods_in};
use super::scan::{Kind, Piece, scan};
use super::stops::is_small;

/// A word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// Hash of its stem; never 0.
    pub hash: u32,
    /// What it is.
    pub kind: Kind,
    /// First byte in the text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Its place in the analyzer's vocabulary, see [`Analyzer::stem`].
    pub index: usize,
}

/// What reading a text gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token {
    /// A word. Small words are left out.
    Term(Term),
    /// The line ends.
    LineEnd,
}

struct Entry {
    stem: String,
    hash: u32,
    small: bool,
}

/// Reads texts of one language. Every distinct word is stemmed once, so one analyzer should read a whole document.
pub struct Analyzer {
    language: Language,
    stemmer: Stemmer,
    seen: HashMap<String, usize>,
    entries: Vec<Entry>,
}

impl Analyzer {
    /// For this language.
    pub fn new(language: Language) -> Self {
        Self { language, stemmer: language.stemmer(), seen: HashMap::new(), entries: Vec::new() }
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The stem of a vocabulary entry; empty for a number that is none.
    pub fn stem(&self, index: usize) -> &str {
        self.entries.get(index).map_or("", |entry| entry.stem.as_str())
    }

    /// Calls `sink` with the words of the text and its line ends, in order. A period (`FY25`, "third quarter") is followed by its plain
    /// form (`2025`, `q3`) over the same bytes.
    pub fn read(&mut self, text: &str, sink: &mut dyn FnMut(&Self, Token)) {
        let mut before: Option<(u8, usize)> = None;
        scan(text, &mut |piece| {
            let Piece::Word { kind, text, start, end } = piece else {
                sink(self, Token::LineEnd);
                return;
            };
            self.give(kind, text, start, end, sink);
            if kind != Kind::Word {
                before = None;
                return;
            }
            if let (Some((number, from)), true) = (before, is_quarter(text)) {
                self.give(Kind::Word, &format!("q{number}"), from, end, sink);
            }
            before = ordinal(text).map(|number| (number, start));
            if text.bytes().any(|b| b.is_ascii_digit()) {
                periods_in(text, &mut |period| {
                    if period != text {
                        let kind = if period.starts_with('q') { Kind::Word } else { Kind::Number };
                        self.give(kind, period, start, end, sink);
                    }
                });
            }
        });
    }

    /// The words of the text without line ends.
    pub fn terms(&mut self, text: &str) -> Vec<Term> {
        let mut terms = Vec::new();
        self.read(text, &mut |_, token| {
            if let Token::Term(term) = token {
                terms.push(term);
            }
        });
        terms
    }

    fn give(&mut self, kind: Kind, word: &str, start: usize, end: usize, sink: &mut dyn FnMut(&Self, Token)) {
        let index = self.entry(kind, word);
        let Some(entry) = self.entries.get(index) else { return };
        if !entry.small {
            let hash = entry.hash;
            sink(self, Token::Term(Term { hash, kind, start, end, index }));
        }
    }

    fn entry(&mut self, kind: Kind, word: &str) -> usize {
        if let Some(index) = self.seen.get(word) {
            return *index;
        }
        let stem = match kind {
            Kind::Word => stem_word(&self.stemmer, self.language, word),
            Kind::Number | Kind::Bigram => word.to_owned(),
        };
        let small = stem.is_empty() || (kind == Kind::Word && is_small(self.language, word));
        let index = self.entries.len();
        self.entries.push(Entry { hash: hash(kind, &stem), stem, small });
        self.seen.insert(word.to_owned(), index);
        index
    }
}

/// The stem of a folded word, without accents. English drops accents first (`résumé` is `resume`), the others need them for stemming.
fn stem_word(stemmer: &Stemmer, language: Language, word: &str) -> String {
    // Short mixed words are codes (`q3`, `10k`, `fy25`), not inflected forms.
    if word.bytes().any(|b| b.is_ascii_digit() || b == b'&') {
        return without_marks(word).into_owned();
    }
    if language == Language::English {
        let plain = without_marks(word);
        return stemmer.stem(&plain).into_owned();
    }
    let stem = stemmer.stem(word);
    without_marks(&stem).into_owned()
}

/// Marks the hash of a number.
const NUMBER_BIT: u32 = 1 << 31;

/// The 32-bit hash by which a stem is known: FNV-1a of 64 bits, folded to 31, and a bit that is set for numbers. 0 stands for a line end
/// and is never given.
///
/// The chance that a word of a question meets another word of the same hash on a page of 500 is about one in four million.
pub fn hash(kind: Kind, stem: &str) -> u32 {
    let mut state: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in stem.bytes() {
        state ^= u64::from(byte);
        state = state.wrapping_mul(0x0000_0100_0000_01b3);
    }
    let folded = (state ^ (state >> 31)) & u64::from(!NUMBER_BIT);
    let word = u32::try_from(folded).unwrap_or(1).max(1);
    if kind == Kind::Number { word | NUMBER_BIT } else { word }
}

/// Whether a hash is that of a number.
pub fn is_number(hash: u32) -> bool {
    hash & NUMBER_BIT != 0
}
