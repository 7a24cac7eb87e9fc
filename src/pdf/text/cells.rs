//! The words of a row, and the cells that they form.

use super::frames::Frames;
use super::glyphs::{Glyph, TextId, Texts};
use super::pieces::{Piece, SPACE_GAP};
use super::rows::Row;

/// Pieces nearer to each other than this (in em) are words of one cell.
pub(super) const WORD_GAP: f32 = 0.45;
/// A space that was typed leaves no more than this (in em) of its gap.
const TYPED: f32 = 0.06;
/// A sign of a number is at most this far from it (in em), where it is no cell of its own piece.
const SIGN_GAP: f32 = 1.3;
/// Figures of two columns may be this near to each other (in em), where the digits of each touch.
pub(super) const TOUCHING: f32 = 0.08;
/// A footnote mark is at most this far from it (in em).
const MARK_GAP: f32 = 0.35;
/// So many dots are a leader.
const LEADER: usize = 4;

/// What a word is in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Has digits and nothing but the signs of a number.
    Number,
    /// A year.
    Year,
    /// Stands for no number.
    Dash,
    /// Stands before a number.
    Opening,
    /// Stands after a number.
    Closing,
    Text,
}

/// A stretch of a row without a space.
#[derive(Debug, Clone)]
pub(super) struct Word {
    /// First and last glyph.
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) u0: f32,
    pub(super) u1: f32,
    /// Where its last digit ends, which columns of figures are set by.
    pub(super) edge: f32,
    pub(super) kind: Kind,
    /// From the word before it (in em); infinite for the first one.
    pub(super) gap: f32,
    /// Parted from the word before by a space that was typed.
    pub(super) typed: bool,
    /// First of its piece.
    pub(super) leads: bool,
    pub(super) text: String,
}

/// Glyphs that are written one after the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) first: u32,
    pub(super) last: u32,
    /// Whether nothing stands between it and the part before.
    pub(super) glued: bool,
}

/// One cell of a row: words that belong together.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) parts: Vec<Part>,
    pub(super) u0: f32,
    pub(super) u1: f32,
    /// Whether it is a figure, or a dash in the place of one.
    pub(super) figure: bool,
    /// First and last column that it stands in.
    pub(super) columns: (u16, u16),
}

impl Row {
    /// Its words from left to right, or `None` where they are drawn in another order.
    pub(super) fn words(&self, pieces: &[Piece], glyphs: &[Glyph], frames: &Frames, texts: Texts<'_>) -> Option<Vec<Word>> {
        let mut words: Vec<Word> = Vec::new();
        for piece in self.pieces.iter().filter_map(|i| pieces.get(*i as usize)) {
            let size = piece.size.max(0.1);
            let mut leads = true;
            let mut spaces = 0.0;
            let mut inner_gap = f32::INFINITY;
            for index in piece.first..=piece.last {
                let glyph = glyphs.get(index as usize)?;
                if glyph.text == TextId::SPACE {
                    spaces += glyph.advance.max(0.01);
                    continue;
                }
                if glyph.text.is_empty() {
                    continue;
                }
                let u0 = frames.to_frame(self.frame, glyph.x, glyph.y).0;
                let u1 = u0 + glyph.advance;
                let gap = words.last().map_or(f32::INFINITY, |w| u0 - w.u1);
                if !leads && gap < -0.5 * size {
                    return None;
                }
                let between_digits =
                    is_digit(glyph.text) && words.last().is_some_and(|w| w.text.ends_with(|c: char| c.is_ascii_digit()));
                let apart = between_digits && gap > TOUCHING * size && inner_gap < 0.25 * TOUCHING * size;
                inner_gap = gap;
                let after_leader = words.last().is_some_and(|w| w.text.ends_with('.') && w.ends_with_leader())
                    && texts.first(glyph.text) != Some('.');
                let starts = leads || after_leader || spaces > 0.0 || apart || gap > SPACE_GAP * glyph.size.min(size).max(0.1);
                match words.last_mut() {
                    Some(word) if !starts => {
                        word.last = index;
                        word.u1 = word.u1.max(u1);
                    }
                    _ => words.push(Word {
                        first: index,
                        last: index,
                        u0,
                        u1,
                        edge: u1,
                        kind: Kind::Text,
                        gap: gap / size,
                        typed: spaces > 0.0 && gap - spaces < TYPED * size,
                        leads,
                        text: String::new(),
                    }),
                }
                if let Some(word) = words.last_mut() {
                    let start = word.text.len();
                    texts.push(glyph.text, &mut word.text);
                    if word.text.get(start..).is_some_and(|t| t.ends_with(|c: char| !is_after_digits(c))) {
                        word.edge = u1;
                    }
                }
                leads = false;
                spaces = 0.0;
            }
        }
        for word in &mut words {
            word.kind = kind(&word.text);
        }
        Some(words)
    }
}

fn is_digit(text: TextId) -> bool {
    text.as_char().is_some_and(|c| c.is_ascii_digit())
}

/// What hangs beyond the last digit of a number.
fn is_after_digits(c: char) -> bool {
    matches!(c, ')' | '%' | '*' | '†' | '‡')
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₩' | '₽' | '￥')
}

fn kind(text: &str) -> Kind {
    let has_digit = text.contains(|c: char| c.is_ascii_digit());
    if has_digit {
        let of_number = |c: char| {
            c.is_ascii_digit()
                || is_currency(c)
                || matches!(c, '(' | ')' | '%' | ',' | '.' | '-' | '–' | '—' | '−' | '+' | '\'' | '’' | '*' | '†' | '‡' | '/')
        };
        let ends = text.ends_with(|c: char| c.is_ascii_digit() || matches!(c, ')' | '%' | '*' | '†' | '‡'));
        if !text.chars().all(of_number) || !ends {
            return Kind::Text;
        }
        let year =
            text.len() == 4 && (text.starts_with("19") || text.starts_with("20")) && text.bytes().all(|b| b.is_ascii_digit());
        return if year { Kind::Year } else { Kind::Number };
    }
    match text {
        "-" | "–" | "—" | "−" | "--" | "-%" | "–%" | "—%" | "——" => Kind::Dash,
        "US$" | "C$" | "A$" | "HK$" | "NT$" | "S$" | "R$" | "(" | "+" | "US$(" => Kind::Opening,
        ")" | "%" | ")%" | "%)" | "*" | "**" | "†" | "‡" | ")*" => Kind::Closing,
        _ if text.trim_end_matches('(').chars().all(is_currency) => Kind::Opening,
        _ => Kind::Text,
    }
}

impl Kind {
    /// Whether it is or stands for a figure.
    pub(super) fn is_figure(self) -> bool {
        matches!(self, Self::Number | Self::Year | Self::Dash)
    }
}

impl Word {
    /// Whether it goes on with a number that the word before began: three digits after a thin space ("1 234 567").
    pub(super) fn continues_group(&self, before: &Self) -> bool {
        let head = before.text.trim_start_matches(|c: char| !c.is_ascii_digit());
        let tail = self.text.trim_end_matches(|c: char| !c.is_ascii_digit());
        let whole = tail.split([',', '.']).next().unwrap_or(tail);
        self.gap < WORD_GAP
            && (1..=3).contains(&head.len())
            && head.bytes().all(|b| b.is_ascii_digit())
            && whole.len() == 3
            && whole.bytes().all(|b| b.is_ascii_digit())
            && tail.len() == self.text.trim_start_matches('(').trim_end_matches([')', '%']).len()
    }

    /// Whether it ends with the dots that lead to a figure.
    pub(super) fn ends_with_leader(&self) -> bool {
        self.text.chars().rev().take_while(|c| *c == '.' || *c == '·' || *c == '…').count() >= LEADER
    }

    /// Whether a word is one with that before it by the signs of a number: `None` where it is not, else whether no space is between.
    /// `after` is the word after it.
    pub(super) fn sign_of(&self, before: &Self, after: Option<&Self>) -> Option<bool> {
        let near = self.gap < SIGN_GAP || self.leads;
        match (before.kind, self.kind) {
            (Kind::Opening, kind) if kind.is_figure() => Some(before.text.ends_with(['(', '+'])),
            (Kind::Opening, Kind::Opening) => Some(false),
            (kind, Kind::Closing) if kind.is_figure() && near => {
                let bracket = self.text.starts_with(')');
                let head = before.kind == Kind::Year || after.is_some_and(|w| w.kind == Kind::Text && w.gap < WORD_GAP);
                if self.text.starts_with(['*', '†', '‡']) && self.gap > MARK_GAP || self.text.starts_with('%') && head {
                    return None;
                }
                if bracket && before.text.contains(')') { None } else { Some(bracket || !self.typed) }
            }
            _ => None,
        }
    }
}

/// Forms cells of words; `cut` says before which words a new one starts.
pub(super) fn cells_of(words: &[Word], cut: impl Fn(usize) -> bool) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut before: Option<&Word> = None;
    for (index, word) in words.iter().enumerate() {
        let sign = before.and_then(|b| word.sign_of(b, words.get(index + 1)));
        let figure = word.kind.is_figure();
        match cells.last_mut() {
            Some(cell) if sign.is_some() || !cut(index) => {
                let glued = sign == Some(true);
                match cell.parts.last_mut() {
                    // Words of one piece are written with the spaces that they have.
                    Some(part) if !glued && !word.leads && part.last < word.first => part.last = word.last,
                    _ => cell.parts.push(Part { first: word.first, last: word.last, glued }),
                }
                cell.figure = match word.kind {
                    Kind::Closing => cell.figure,
                    _ => figure && (cell.figure || before.is_some_and(|b| b.kind == Kind::Opening)),
                };
                cell.u0 = cell.u0.min(word.u0);
                cell.u1 = cell.u1.max(word.u1);
            }
            _ => cells.push(Cell {
                parts: vec![Part { first: word.first, last: word.last, glued: false }],
                u0: word.u0,
                u1: word.u1,
                figure,
                columns: (0, 0),
            }),
        }
        before = Some(word);
    }
    cells
}
