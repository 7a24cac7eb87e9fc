//! Which language a text is in, cheaply: by script, then by its most frequent small words.

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

use super::scan::{Kind, Piece, scan};
use super::stops::small_words;

/// Languages with a Snowball stemmer here. Anything else is treated as English, whose stemmer leaves foreign words mostly alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// English, and whatever is not known.
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
    /// Italian.
    Italian,
    /// Portuguese.
    Portuguese,
    /// Dutch.
    Dutch,
    /// Swedish.
    Swedish,
    /// Danish.
    Danish,
    /// Norwegian.
    Norwegian,
    /// Russian.
    Russian,
    /// Greek.
    Greek,
    /// Arabic.
    Arabic,
}

/// Words looked at for a guess; more changes nothing.
const GUESS_WORDS: usize = 4_000;

/// Smallest share of small words, in percent, for a text to be taken for running text of that language; German and French reach 30,
/// a table of figures in any language hardly 2.
const GUESS_PERCENT: usize = 6;

impl Language {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::English,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Italian,
        Self::Portuguese,
        Self::Dutch,
        Self::Swedish,
        Self::Danish,
        Self::Norwegian,
        Self::Russian,
        Self::Greek,
        Self::Arabic,
    ];

    /// Its two-letter code.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Italian => "it",
            Self::Portuguese => "pt",
            Self::Dutch => "nl",
            Self::Swedish => "sv",
            Self::Danish => "da",
            Self::Norwegian => "no",
            Self::Russian => "ru",
            Self::Greek => "el",
            Self::Arabic => "ar",
        }
    }

    /// The language of a code; English for any other.
    pub fn of_code(code: &str) -> Self {
        Self::ALL.into_iter().find(|language| language.code() == code).unwrap_or(Self::English)
    }

    /// The language of these texts; only the first few thousand words are looked at.
    pub fn guess<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut words = 0_usize;
        let mut counts: HashMap<Self, usize> = HashMap::new();
        let small = small_words();
        for text in texts {
            if words >= GUESS_WORDS {
                break;
            }
            scan(text, &mut |piece| {
                let Piece::Word { kind: Kind::Word | Kind::Bigram, text, .. } = piece else { return };
                words += 1;
                if let Some(script) = script(text) {
                    *counts.entry(script).or_default() += 1;
                }
                for language in small.get(text).into_iter().flatten() {
                    *counts.entry(*language).or_default() += 1;
                }
            });
        }
        let best = counts.iter().max_by_key(|(language, count)| (**count, std::cmp::Reverse(**language)));
        match best {
            Some((language, count)) if count * 100 >= words * GUESS_PERCENT => *language,
            _ => Self::English,
        }
    }

    /// A stemmer for it.
    pub(super) fn stemmer(self) -> Stemmer {
        Stemmer::create(match self {
            Self::English => Algorithm::English,
            Self::German => Algorithm::German,
            Self::French => Algorithm::French,
            Self::Spanish => Algorithm::Spanish,
            Self::Italian => Algorithm::Italian,
            Self::Portuguese => Algorithm::Portuguese,
            Self::Dutch => Algorithm::Dutch,
            Self::Swedish => Algorithm::Swedish,
            Self::Danish => Algorithm::Danish,
            Self::Norwegian => Algorithm::Norwegian,
            Self::Russian => Algorithm::Russian,
            Self::Greek => Algorithm::Greek,
            Self::Arabic => Algorithm::Arabic,
        })
    }
}

/// The language that the script of the word's first letter stands for. A letter by itself is a sign in a formula.
fn script(word: &str) -> Option<Language> {
    let mut letters = word.chars();
    let first = letters.next()?;
    letters.next()?;
    match u32::from(first) {
        0x0400..=0x04FF => Some(Language::Russian),
        0x0370..=0x03FF => Some(Language::Greek),
        0x0600..=0x06FF => Some(Language::Arabic),
        _ => None,
    }
}
