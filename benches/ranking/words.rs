//! A vocabulary with the shape of a real one: English words from the texts of this repository in front, made-up names behind.

use std::collections::HashSet;

/// English texts at hand, for their words.
const TEXTS: [&str; 6] = [
    include_str!("../../README.md"),
    include_str!("../../ARCHITECTURE.md"),
    include_str!("../../CHANGELOG.md"),
    include_str!("../../src/search/analysis/synonyms.rs"),
    include_str!("../../src/search/analysis/stops.rs"),
    include_str!("../../examples/questions.jsonl"),
];

/// Distinct words in all.
pub const VOCABULARY: usize = 120_000;

const ONSETS: [&str; 24] =
    ["b", "br", "c", "cl", "d", "dr", "f", "g", "gr", "h", "k", "l", "m", "n", "p", "pr", "r", "s", "st", "t", "tr", "v", "w", "z"];
const ENDS: [&str; 20] =
    ["al", "an", "ar", "ed", "el", "en", "er", "ia", "il", "in", "ir", "ol", "on", "or", "os", "um", "un", "ur", "eck", "ast"];

/// A generator of numbers that gives the same ones in every run (splitmix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// From 0 to 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A rank below `n` whose chance falls with the rank, as of words in texts (Zipf's law with an exponent near 1).
    pub fn rank(&mut self, n: usize) -> usize {
        let rank = ((n as f64).ln() * self.share()).exp();
        (rank as usize).saturating_sub(1).min(n - 1)
    }
}

/// The words, most frequent first.
pub fn vocabulary() -> Vec<String> {
    let mut counts: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
    for text in TEXTS {
        for word in text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 1) {
            *counts.entry(word.to_ascii_lowercase()).or_default() += 1;
        }
    }
    let mut real: Vec<(usize, String)> = counts.into_iter().map(|(word, count)| (count, word)).collect();
    real.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut words: Vec<String> = real.into_iter().map(|(_, word)| word).collect();
    let mut known: HashSet<String> = words.iter().cloned().collect();
    let mut dice = Dice::new(7);
    while words.len() < VOCABULARY {
        let syllables = 2 + dice.below(2);
        let word: String = (0..syllables).map(|_| [ONSETS[dice.below(24)], ENDS[dice.below(20)]].concat()).collect();
        if known.insert(word.clone()) {
            words.push(word);
        }
    }
    words
}
