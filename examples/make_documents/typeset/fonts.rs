//! The six faces that the documents use, their names in the file and the widths of text set in them.

use anyhow::{Context, bail};

use super::widths::{EXTRAS, SANS, SANS_BOLD, SERIF, SERIF_BOLD, SERIF_ITALIC};

/// A face of the standard PDF fonts, which every reader has: nothing is embedded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Face {
    Sans,
    SansBold,
    SansItalic,
    Serif,
    SerifBold,
    SerifItalic,
}

/// Space that does not break a line; written `~` in the texts.
pub const FIXED_SPACE: char = '\u{a0}';

impl Face {
    pub const ALL: [Face; 6] = [Face::Sans, Face::SansBold, Face::SansItalic, Face::Serif, Face::SerifBold, Face::SerifItalic];

    /// Name of the font resource on every page.
    pub fn resource(self) -> &'static str {
        match self {
            Face::Sans => "F1",
            Face::SansBold => "F2",
            Face::SansItalic => "F3",
            Face::Serif => "F4",
            Face::SerifBold => "F5",
            Face::SerifItalic => "F6",
        }
    }

    pub fn base_font(self) -> &'static str {
        match self {
            Face::Sans => "Helvetica",
            Face::SansBold => "Helvetica-Bold",
            Face::SansItalic => "Helvetica-Oblique",
            Face::Serif => "Times-Roman",
            Face::SerifBold => "Times-Bold",
            Face::SerifItalic => "Times-Italic",
        }
    }

    /// The widths of characters 32 to 126, and the column of this face in [`EXTRAS`].
    fn widths(self) -> (&'static [u16; 95], usize) {
        match self {
            Face::Sans | Face::SansItalic => (&SANS, 0),
            Face::SansBold => (&SANS_BOLD, 1),
            Face::Serif => (&SERIF, 2),
            Face::SerifBold => (&SERIF_BOLD, 3),
            Face::SerifItalic => (&SERIF_ITALIC, 4),
        }
    }

    /// Widths of codes 32 to 255 as a font dictionary lists them; 0 for codes that no document uses.
    pub fn width_list(self) -> Vec<u16> {
        let (ascii, column) = self.widths();
        let mut list = vec![0; 224];
        list[..ascii.len()].copy_from_slice(ascii);
        for (_, code, widths) in &EXTRAS {
            list[usize::from(*code) - 32] = widths[column];
        }
        list
    }

    /// Width of `text` in points at `size` points.
    pub fn width(self, text: &str, size: f32) -> anyhow::Result<f32> {
        let (ascii, column) = self.widths();
        let mut total = 0u32;
        for c in text.chars() {
            let c = if c == FIXED_SPACE { ' ' } else { c };
            let width = match u32::from(c) {
                code @ 32..=126 => ascii[code as usize - 32],
                _ => {
                    EXTRAS.iter().find(|extra| extra.0 == c).map(|extra| extra.2[column]).context(format!("no width for {c:?}"))?
                }
            };
            total += u32::from(width);
        }
        Ok(total as f32 * size / 1000.0)
    }
}

/// The text in WinAnsiEncoding.
pub fn encode(text: &str) -> anyhow::Result<Vec<u8>> {
    text.chars()
        .map(|c| match c {
            FIXED_SPACE => Ok(b' '),
            ' '..='~' => Ok(c as u8),
            _ => match EXTRAS.iter().find(|extra| extra.0 == c) {
                Some(extra) => Ok(extra.1),
                None => bail!("no code for {c:?} in {text:?}"),
            },
        })
        .collect()
}

/// The faces of a text: upright, `**bold**` and `*italic*`.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    pub regular: Face,
    pub bold: Face,
    pub italic: Face,
}

pub const SANS_FAMILY: Family = Family { regular: Face::Sans, bold: Face::SansBold, italic: Face::SansItalic };
pub const SERIF_FAMILY: Family = Family { regular: Face::Serif, bold: Face::SerifBold, italic: Face::SerifItalic };

impl Family {
    /// The family for text that is bold as a whole.
    pub fn all_bold(self) -> Family {
        Family { regular: self.bold, ..self }
    }
}
