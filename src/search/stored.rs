//! The stored form of a text's words: the 32-bit hashes of its stems in order, little-endian, 0 for a line end.

use super::analysis::{Analyzer, Token};

/// The words of one text, ready to be stored, and the vocabulary entries that it has (each once).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredWords {
    /// See [`hashes`].
    pub bytes: Vec<u8>,
    /// Indices into the analyzer's vocabulary, each once, in order of appearance.
    pub distinct: Vec<usize>,
}

impl StoredWords {
    /// Reads a text. Line ends are kept (one for several).
    pub fn read(analyzer: &mut Analyzer, text: &str) -> Self {
        let mut words = Self::default();
        let mut seen = std::collections::HashSet::new();
        let mut line_open = false;
        analyzer.read(text, &mut |_, token| match token {
            Token::Term(term) => {
                words.bytes.extend_from_slice(&term.hash.to_le_bytes());
                line_open = true;
                if seen.insert(term.index) {
                    words.distinct.push(term.index);
                }
            }
            Token::LineEnd => {
                if line_open {
                    words.bytes.extend_from_slice(&0_u32.to_le_bytes());
                }
                line_open = false;
            }
        });
        words
    }
}

/// The stored words of one page, as a ranker reads them.
#[derive(Debug, Clone, Copy, Default)]
pub struct StoredPage<'a> {
    /// Its number, 1-based; 0 for what is no page.
    pub number: u32,
    /// Words of its text.
    pub body: &'a [u8],
    /// Words in the titles of the sections that start on it.
    pub starts: &'a [u8],
    /// Words in the titles of the sections that go on over it.
    pub covers: &'a [u8],
}

/// The hashes of stored words in order; 0 is a line end.
pub fn hashes(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.chunks_exact(4).map(|four| four.try_into().map_or(0, u32::from_le_bytes))
}
