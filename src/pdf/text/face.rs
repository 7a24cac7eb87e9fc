//! One font of a file as the text layer needs it: advances and texts by character code, and what the eye sees of its style.

use std::collections::HashMap;

use hayro_font::Font;

use super::glyphs::TextId;
use super::unicode::Decoder;

/// What one character code gives.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coded {
    pub(super) text: TextId,
    /// The text is a guess that says nothing.
    pub(super) unknown: bool,
    /// Advance in thousandths of the em; along the line of a vertical font it is negative.
    pub(super) advance: f32,
}

/// A loaded font with a cache of what its codes give.
pub(super) struct Face<'a> {
    pub(super) font: Font<'a>,
    pub(super) look: Look,
    pub(super) decoder: Decoder<'a>,
    pub(super) vertical: bool,
    /// Codes are two bytes each, as they are (Identity-H and -V); saves the search for the code length.
    pub(super) two_bytes: bool,
    /// Factor on the nominal size. Not 1 for Type 3 fonts, whose nominal size means nothing.
    pub(super) em: f64,
    codes: CodeTable,
}

/// What the eye sees of a font.
#[derive(Debug, Clone, Default)]
pub(super) struct Look {
    /// Name without the subset prefix.
    pub(super) name: String,
    pub(super) bold: bool,
    pub(super) italic: bool,
    /// Its small letters are capitals.
    pub(super) small_caps: bool,
    /// Thickness of the vertical stems in thousandths of the em; 0 when the file does not say.
    pub(super) stem: f32,
}

impl<'a> Face<'a> {
    pub(super) fn new(font: Font<'a>, look: Look, decoder: Decoder<'a>, two_bytes: bool, em: f64) -> Self {
        let vertical = !font.is_horizontal();
        Self { font, look, decoder, vertical, two_bytes, em, codes: CodeTable::default() }
    }

    /// The next code of a string and its length in bytes, at least 1. `at` must be inside `bytes`.
    pub(super) fn read_code(&self, bytes: &[u8], at: usize) -> (u32, usize) {
        if self.two_bytes {
            return match bytes.get(at..at + 2) {
                Some(&[hi, lo]) => (u32::from(hi) << 8 | u32::from(lo), 2),
                _ => (0, bytes.len().saturating_sub(at).max(1)),
            };
        }
        let (code, length) = self.font.read_code(bytes, at);
        (code, length.max(1))
    }

    /// What a code gives, from the cache or worked out once.
    pub(super) fn coded(&mut self, code: u32, length: usize, strings: &mut Vec<Box<str>>) -> Coded {
        if let Some(found) = self.codes.get(code) {
            return found;
        }
        let advance = self.font.code_advance(code);
        let advance = if self.vertical { advance.y } else { advance.x } as f32;
        let (text, unknown) = self.decoder.decode(&self.font, code, length, strings);
        // A soft hyphen that shows may be the only hyphen that the font has; the whole text tells.
        let text = if text.is_soft_hyphen() && advance == 0.0 { TextId::EMPTY } else { text };
        let coded = Coded { text, unknown, advance: if advance.is_finite() { advance } else { 0.0 } };
        self.codes.set(code, coded);
        coded
    }
}

/// Codes of up to two bytes in tables of 256, longer ones in a map.
#[derive(Default)]
struct CodeTable {
    banks: Vec<Option<Box<[Option<Coded>; 256]>>>,
    long: HashMap<u32, Coded>,
}

impl CodeTable {
    fn get(&self, code: u32) -> Option<Coded> {
        if code > 0xFFFF {
            return self.long.get(&code).copied();
        }
        self.banks.get((code >> 8) as usize)?.as_ref()?[(code & 0xFF) as usize]
    }

    fn set(&mut self, code: u32, coded: Coded) {
        if code > 0xFFFF {
            self.long.insert(code, coded);
            return;
        }
        let bank = (code >> 8) as usize;
        if self.banks.len() <= bank {
            self.banks.resize_with(bank + 1, || None);
        }
        if let Some(slot) = self.banks.get_mut(bank) {
            slot.get_or_insert_with(|| Box::new([None; 256]))[(code & 0xFF) as usize] = Some(coded);
        }
    }
}
