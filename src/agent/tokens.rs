//! How many tokens texts take: a rough count by characters, and a closer one with a real tokeniser.
//!
//! Every model has a tokeniser of its own; o200k stands for all of them, and what the server counts corrects it ([`super::scale`]). Its
//! tables take 0.2 s to load and 46 MB to hold, so they are loaded once a process, off the async threads, and only for conversations that
//! come near their window: until then the rough count is good enough.

use tiktoken_rs::o200k_base_singleton;

/// Characters of English text in a token, roughly; tokenisers of current models give 3.5 to 4.5.
pub(super) const CHARS_PER_TOKEN: u64 = 4;
/// Tokens of an image. Servers take 250 to 1,600 for a page picture, by its size and the model.
pub(super) const IMAGE: u64 = 1_100;
/// Texts up to this many bytes are counted whole. At 20 to 35 MB/s that is half a millisecond.
const WHOLE: usize = 12 * 1024;
/// Longer ones are counted in this many places,
const PLACES: usize = 6;
/// each of this many bytes. On pages of reports, papers and manuals the result is within 8 % of the whole count.
const PLACE: usize = 2 * 1024;

/// A rough count, within 25 % on most texts.
pub(super) fn rough(text: &str) -> u64 {
    let (mut plain, mut digits, mut other) = (0u64, 0u64, 0u64);
    for c in text.chars() {
        match c {
            // Figures in tables: at most three digits make a token, and the signs between them take their own.
            '0'..='9' => digits += 1,
            _ if c.is_ascii() => plain += 1,
            // A CJK character is about one token, an accented letter about half of one.
            '\u{2e80}'.. => other += 2,
            _ => other += 1,
        }
    }
    plain.div_ceil(CHARS_PER_TOKEN) + (digits + other).div_ceil(2)
}

/// The last place up to `at` where a text can be divided.
pub(super) fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|place| text.is_char_boundary(*place)).unwrap_or(0)
}

/// What is counted of a text: all of it, or pieces of it that stand for it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sample {
    pieces: Vec<String>,
    bytes: usize,
}

impl Sample {
    /// Takes what is needed to count this text.
    pub(super) fn of(text: &str) -> Self {
        if text.len() <= WHOLE {
            return Self { pieces: vec![text.to_owned()], bytes: text.len() };
        }
        let pieces = (0..PLACES).map(|place| {
            let start = text.len() * (2 * place + 1) / (2 * PLACES) - PLACE / 2;
            let (start, end) = (boundary(text, start), boundary(text, start + PLACE));
            text.get(start..end).unwrap_or_default().to_owned()
        });
        Self { pieces: pieces.collect(), bytes: text.len() }
    }

    /// Counts with the tokeniser. Blocks for up to a millisecond, the first time for as long as the tables take to load.
    fn count(&self) -> u64 {
        let tokeniser = o200k_base_singleton();
        let (mut bytes, mut tokens) = (0u64, 0u64);
        for piece in &self.pieces {
            bytes += piece.len() as u64;
            tokens += tokeniser.count_ordinary(piece) as u64;
        }
        (tokens * self.bytes as u64).checked_div(bytes).unwrap_or(0)
    }
}

/// Counts samples off the async threads, one count for each. `None` when the tokeniser fails on a text.
pub(super) async fn count(samples: Vec<Sample>) -> Option<Vec<u64>> {
    tokio::task::spawn_blocking(move || samples.iter().map(Sample::count).collect()).await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn samples_of_long_texts_stand_for_the_whole() {
        let line = |n: usize| {
            format!("{{\"page\":{n},\"text\":\"Net sales of the year  {}  {} and a remark on them.\"}}", n * 7919, n * 104_729)
        };
        let text: String = (0..2_000).map(line).collect();
        let whole = o200k_base_singleton().count_ordinary(&text) as f64;
        let sampled = count(vec![Sample::of(&text)]).await.unwrap()[0] as f64;
        assert!((0.92..1.08).contains(&(sampled / whole)), "{sampled} of {whole}");
        assert!((0.75..1.25).contains(&(rough(&text) as f64 / whole)), "{} of {whole}", rough(&text));
    }

    #[tokio::test]
    async fn any_text_can_be_counted() {
        let long = "\u{1F600}é漢 ".repeat(9_000);
        let texts = ["", " ", "<|endoftext|>", &"a".repeat(100_000), &" ".repeat(100_000), &long];
        let counts = count(texts.iter().map(|t| Sample::of(t)).collect()).await.unwrap();
        assert_eq!(counts[0], 0);
        assert!(counts[1..].iter().all(|n| *n > 0), "{counts:?}");
        assert_eq!(rough(""), 0);
        assert_eq!((rough("abcd"), rough("漢字"), rough("é1")), (1, 2, 1));
    }
}
