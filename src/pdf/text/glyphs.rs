//! What the interpreter leaves of a page: glyphs with their place, text and style, compact enough that a page of two million fits.

use super::level::Lone;
use super::marked::Marked;
use super::unicode::SOFT_HYPHEN;

/// No glyph and no page is larger than this, in points; viewers stop at pages of 14,400. Beyond it stand the numbers of broken files.
pub(super) const LARGEST: f32 = 100_000.0;

/// The text of a glyph in one word: a character, an entry of one of two string pools, or nothing at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextId(u32);

/// First value that is no Unicode character; the font pool starts here.
const FONT_POOL: u32 = 0x11_0000;
/// The pool of the page (replacement texts) starts here.
const PAGE_POOL: u32 = 0x8000_0000;

impl TextId {
    /// A glyph that takes room but adds no text: the rest of a replaced sequence, a zero-width mark.
    pub(super) const EMPTY: Self = Self(u32::MAX);
    /// A glyph painted a second time in the same place.
    pub(super) const REPEATED: Self = Self(u32::MAX - 1);
    /// A glyph whose text could not be found.
    pub(super) const UNKNOWN: Self = Self(0xFFFD);
    /// A space.
    pub(super) const SPACE: Self = Self(0x20);

    /// A single character.
    pub(super) fn of_char(c: char) -> Self {
        Self(u32::from(c))
    }

    /// Entry `index` of the pool that lives as long as the fonts.
    pub(super) fn in_fonts(index: usize) -> Self {
        Self(u32::try_from(index).ok().and_then(|i| i.checked_add(FONT_POOL)).filter(|i| *i < PAGE_POOL).unwrap_or(0xFFFD))
    }

    /// Entry `index` of the pool of one page.
    fn in_page(index: usize) -> Self {
        Self(u32::try_from(index).ok().and_then(|i| i.checked_add(PAGE_POOL)).unwrap_or(u32::MAX))
    }

    /// The character, if the glyph stands for exactly one.
    pub(super) fn as_char(self) -> Option<char> {
        char::from_u32(self.0)
    }

    /// Whether it is a hyphen that shows only where a word is broken.
    pub(super) fn is_soft_hyphen(self) -> bool {
        self.0 == u32::from(SOFT_HYPHEN)
    }

    /// Whether nothing is written for the glyph.
    pub(super) fn is_empty(self) -> bool {
        self == Self::EMPTY || self == Self::REPEATED
    }
}

/// The texts that glyph ids stand for.
#[derive(Clone, Copy)]
pub(super) struct Texts<'t> {
    pub(super) fonts: &'t [Box<str>],
    pub(super) page: &'t [Box<str>],
}

impl Texts<'_> {
    /// The text behind a pool id; empty for single characters.
    pub(super) fn pooled(&self, id: TextId) -> &str {
        let found = match id.0 {
            _ if id.is_empty() => None,
            i @ PAGE_POOL.. => self.page.get((i - PAGE_POOL) as usize),
            i @ FONT_POOL.. => self.fonts.get((i - FONT_POOL) as usize),
            _ => None,
        };
        found.map_or("", |s| s.as_ref())
    }

    /// Appends the text of a glyph.
    pub(super) fn push(&self, id: TextId, out: &mut String) {
        match id.as_char() {
            Some(c) => out.push(c),
            None => out.push_str(self.pooled(id)),
        }
    }

    /// First character of the text of a glyph.
    pub(super) fn first(&self, id: TextId) -> Option<char> {
        id.as_char().or_else(|| self.pooled(id).chars().next())
    }
}

/// One glyph on the page as shown: points, origin in the upper left corner, y downward.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyph {
    /// Start of the advance on the baseline.
    pub(super) x: f32,
    pub(super) y: f32,
    /// Length of the advance.
    pub(super) advance: f32,
    /// Height of the em square.
    pub(super) size: f32,
    pub(super) text: TextId,
    /// Index into [`Sheet::styles`].
    pub(super) style: u16,
    /// Which marked content it belongs to; see [`Marked`](super::marked::Marked).
    pub(super) mark: u16,
    /// Writing direction in tenths of a degree, 0..3600, clockwise on the page.
    pub(super) axis: u16,
}

/// What a run of glyphs has in common for the eye.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    /// Index into the font book's faces.
    pub(super) face: u32,
    /// 0xRRGGBB.
    pub(super) color: u32,
    /// Marked as page furniture by the file itself (a pagination artifact).
    pub(super) artifact: bool,
    /// In small capitals, by the font's name or by the sizes of the capitals.
    pub(super) small_caps: bool,
    /// Wholly transparent.
    pub(super) clear: bool,
    /// Neither filled nor stroked, as the text of a scan is: meant to be found, not to be seen.
    pub(super) invisible: bool,
}

/// All that one page left behind. The buffers are reused from page to page.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    pub(super) glyphs: Vec<Glyph>,
    pub(super) styles: Vec<Style>,
    pub(super) strings: Vec<Box<str>>,
    /// The marked content of tagged pages.
    pub(super) marked: Marked,
    /// Glyphs from here on are those of form fields and annotations.
    pub(super) content_end: usize,
    /// Glyphs of vertical fonts that were shown one at a time.
    pub(super) lone: Vec<Lone>,
    /// Whether an image was drawn.
    pub(super) images: bool,
    /// Glyphs without a Unicode value.
    pub(super) unknown: usize,
    /// Whether text was left out because its font cannot be used.
    pub(super) unread: bool,
    /// Glyphs that were left out because nobody can see them on their background.
    pub(super) hidden: usize,
    /// Whether a bound or an unreadable stream cost a part of the page.
    pub(super) incomplete: bool,
}

impl Sheet {
    /// Empties the sheet for the next page and keeps its memory, unless a huge page made it large.
    pub(super) fn clear(&mut self) {
        /// About 5 MB of glyphs.
        const KEEP: usize = 200_000;
        let mut glyphs = std::mem::take(&mut self.glyphs);
        glyphs.clear();
        glyphs.shrink_to(KEEP);
        *self = Self { glyphs, ..Self::default() };
    }

    /// Index of a style, added when new. Beyond 65,535 styles on a page the last one stands for all.
    pub(super) fn style(&mut self, style: Style) -> u16 {
        // Styles come back soon after they were used, so the search goes backward and stops early.
        let near = self.styles.iter().enumerate().rev().take(64).find(|(_, s)| **s == style).map(|(i, _)| i);
        let index = near.unwrap_or_else(|| {
            if self.styles.len() < usize::from(u16::MAX) {
                self.styles.push(style);
            }
            self.styles.len() - 1
        });
        u16::try_from(index).unwrap_or(u16::MAX)
    }

    /// Takes the glyphs off that are marked, one mark for each glyph.
    pub(super) fn drop_marked(&mut self, marked: &[bool]) {
        self.content_end = marked.iter().take(self.content_end).filter(|gone| !**gone).count();
        let mut marks = marked.iter();
        self.glyphs.retain(|_| marks.next() != Some(&true));
    }

    /// Keeps a text of this page and returns its id.
    pub(super) fn keep(&mut self, text: String) -> TextId {
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (None, _) => TextId::EMPTY,
            (Some(c), None) => TextId::of_char(c),
            _ => {
                self.strings.push(text.into_boxed_str());
                TextId::in_page(self.strings.len() - 1)
            }
        }
    }
}

/// Direction vector of an axis in tenths of a degree.
pub(super) fn direction(axis: u16) -> (f32, f32) {
    match axis {
        0 => (1.0, 0.0),
        900 => (0.0, 1.0),
        1800 => (-1.0, 0.0),
        2700 => (0.0, -1.0),
        a => {
            let (sin, cos) = (f32::from(a) / 10.0).to_radians().sin_cos();
            (cos, sin)
        }
    }
}

/// The axis of a direction vector.
pub(super) fn axis_of(dx: f64, dy: f64) -> u16 {
    if dy == 0.0 && dx > 0.0 {
        return 0;
    }
    let tenths = (dy.atan2(dx).to_degrees() * 10.0).round().rem_euclid(3600.0);
    // `rem_euclid` keeps the value in 0..3600, so the cast cannot lose anything; NaN becomes 0.
    tenths as u16 % 3600
}
