//! From glyphs to pieces: stretches of one baseline without a gap as wide as between two cells of a table.

use super::bidi::is_rtl;
use super::frames::Frames;
use super::glyphs::{Glyph, TextId, Texts, direction};

/// Measured on six long documents: a baseline that moves more than this (in em) is a new line; less is a super- or subscript.
const NEW_LINE_SHIFT: f32 = 0.55;
/// A jump back of more than this (in em) is a new line.
const NEW_LINE_BACK: f32 = 1.2;
/// A gap of more than this (in em) is a space. 0.10 broke words of tightly set pages, 0.16 lost spaces elsewhere.
pub(super) const SPACE_GAP: f32 = 0.13;
/// A gap of more than this (in em) parts cells of a row. Two spaces of a typewriter font are 1.2 em.
pub(super) const CELL_GAP: f32 = 1.3;
/// A gap of more than this (in em) may part two columns set close to each other; justified lines have such gaps between words, too.
pub(super) const NARROW_GUTTER: f32 = 0.8;
/// Cells of one row keep their baseline within this (in em).
const CELL_SHIFT: f32 = 0.3;

/// A stretch of glyphs on one baseline.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// First and last glyph (both visible), in drawing order.
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) frame: u16,
    /// Extent along the line, baseline across it, in the frame's coordinates.
    pub(super) u0: f32,
    pub(super) u1: f32,
    pub(super) v: f32,
    /// Em of its largest glyph.
    pub(super) size: f32,
    /// Visible glyphs in it.
    pub(super) count: u32,
    /// Digits and signs of numbers among them.
    pub(super) numeric: u32,
    /// Ends with a colon.
    pub(super) colon: bool,
    /// Ends with a full stop or a closing bracket.
    pub(super) stop: bool,
    /// Words in it, about.
    pub(super) words: u32,
    /// Starts with a letter that is no capital, as a line does that goes on with a sentence.
    pub(super) goes_on: bool,
    /// Holds right-to-left characters.
    pub(super) rtl: bool,
    /// Of a form field or an annotation.
    pub(super) added: bool,
    /// Numbers a line of the page and is no part of its text.
    pub(super) aside: bool,
    /// Has a gap inside as wide as a narrow gutter.
    pub(super) loose: bool,
    /// Not drawn right after the piece before it on the same baseline.
    pub(super) starts_row: bool,
}

/// A glyph with its place along the line.
pub(super) struct Placed {
    pub(super) u: f32,
    pub(super) glyph: Glyph,
}

/// Where two neighbouring glyphs stand to each other.
pub(super) struct Step {
    /// From the end of the last one to the start of the next one along the line, and the em of the larger one, both in points.
    pub(super) along: f32,
    /// Across the line, positive towards the next one.
    pub(super) down: f32,
    pub(super) size: f32,
    same_direction: bool,
}

impl Step {
    pub(super) fn between(last: &Glyph, next: &Glyph) -> Self {
        let (dx, dy) = direction(last.axis);
        let (vx, vy) = (next.x - last.x - dx * last.advance, next.y - last.y - dy * last.advance);
        let same_direction = last.axis == next.axis || {
            let (nx, ny) = direction(next.axis);
            dx * nx + dy * ny > 0.7
        };
        Self { along: vx * dx + vy * dy, down: vy * dx - vx * dy, size: last.size.max(next.size).max(0.1), same_direction }
    }

    /// The same for text that is drawn from right to left, where the next glyph ends before the last one starts.
    fn leftward(&self, last: &Glyph, next: &Glyph) -> Self {
        Self { along: -self.along - last.advance - next.advance, ..*self }
    }

    pub(super) fn is_new_line(&self) -> bool {
        !self.same_direction || self.down.abs() > NEW_LINE_SHIFT * self.size || self.along < -NEW_LINE_BACK * self.size
    }
}

/// Cuts the glyphs into pieces, also at gaps of more than `cell_gap` (in em). Glyphs painted a second time over themselves (false bold,
/// shadows) become empty.
pub(super) fn cut(glyphs: &mut [Glyph], content_end: usize, frames: &Frames, texts: Texts<'_>, cell_gap: f32) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut last: Option<usize> = None;
    let mut twin: Option<usize> = None;
    let mut space = false;
    for i in 0..glyphs.len() {
        let glyph = glyphs[i];
        if i == content_end {
            last = None;
        }
        if glyph.text == TextId::EMPTY {
            if let (Some(piece), Some(l)) = (pieces.last_mut(), last) {
                let step = Step::between(&glyphs[l], &glyph);
                if !step.is_new_line() && step.along < CELL_GAP * step.size {
                    piece.u1 = piece.u1.max(frames.to_frame(piece.frame, glyph.x, glyph.y).0 + glyph.advance);
                    // What stands for no text of its own may be a mark drawn back over its letter.
                    if step.along + glyph.advance > 0.0 {
                        last = Some(i);
                    }
                }
            }
            continue;
        }
        if glyph.text == TextId::SPACE {
            space = true;
            continue;
        }
        if glyph.text == TextId::REPEATED {
            continue;
        }
        let first = texts.first(glyph.text);
        let rtl = first.is_some_and(is_rtl);
        let step = last.map(|l| {
            let step = Step::between(&glyphs[l], &glyph);
            let both_rtl = rtl && texts.first(glyphs[l].text).is_some_and(is_rtl);
            if both_rtl && step.along < -0.3 * step.size { step.leftward(&glyphs[l], &glyph) } else { step }
        });
        if step.as_ref().is_some_and(|s| twin.is_some() || s.along < -0.3 * s.size) {
            twin = find_twin(glyphs, i, twin);
            if twin.is_some() {
                glyphs[i].text = TextId::REPEATED;
                continue;
            }
        }
        let new_line = step.as_ref().is_none_or(Step::is_new_line);
        // What stands wholly before the last glyph was drawn out of order.
        let before = last.is_some_and(|l| step.as_ref().is_some_and(|s| s.along < -0.9 * (glyphs[l].advance + glyph.advance)));
        let new_cell = before || step.as_ref().is_some_and(|s| s.along > cell_gap * s.size);
        let index = u32::try_from(i).unwrap_or(u32::MAX);
        let numeric = u32::from(first.is_some_and(is_numeric));
        let colon = matches!(first, Some(':' | '：'));
        let stop = matches!(first, Some('.' | ')'));
        match pieces.last_mut() {
            Some(piece) if !new_line && !new_cell => {
                let (u, v) = frames.to_frame(piece.frame, glyph.x, glyph.y);
                piece.last = index;
                piece.u0 = piece.u0.min(u);
                piece.u1 = piece.u1.max(u + glyph.advance);
                // A drop of the size means that what came before was the superscript.
                if glyph.size > piece.size {
                    piece.size = glyph.size;
                    piece.v = v;
                }
                piece.count += 1;
                piece.numeric += numeric;
                piece.colon = colon;
                piece.stop = stop;
                piece.words += u32::from(space || step.as_ref().is_some_and(|s| s.along > SPACE_GAP * s.size));
                piece.rtl |= rtl;
                piece.loose |= step.as_ref().is_some_and(|s| s.along > NARROW_GUTTER * s.size);
            }
            _ => {
                let frame = frames.frame(glyph.axis);
                let (u, v) = frames.to_frame(frame, glyph.x, glyph.y);
                // Measured from the baseline of the piece before, whose last glyph may be a superscript.
                let same_row = !new_line
                    && pieces.last().is_some_and(|p| p.frame == frame && (v - p.v).abs() <= CELL_SHIFT * p.size.max(glyph.size));
                pieces.push(Piece {
                    first: index,
                    last: index,
                    frame,
                    u0: u,
                    u1: u + glyph.advance,
                    v,
                    size: glyph.size,
                    count: 1,
                    numeric,
                    colon,
                    stop,
                    words: 1,
                    goes_on: first.is_some_and(|c| c.is_alphabetic() && !c.is_uppercase()),
                    rtl,
                    loose: false,
                    aside: false,
                    added: i >= content_end,
                    starts_row: !same_row,
                });
            }
        }
        last = Some(i);
        space = false;
    }
    pieces
}

/// An earlier glyph with the same text in the same place. `after` is the twin of the glyph before this one.
fn find_twin(glyphs: &[Glyph], i: usize, after: Option<usize>) -> Option<usize> {
    /// How far back a repeated word or line may have begun.
    const REACH: usize = 256;
    let glyph = glyphs[i];
    let near = 0.1 * glyph.size;
    let same = |other: &Glyph| {
        other.text == glyph.text && (other.x - glyph.x).abs() < near && (other.y - glyph.y).abs() < near && other.axis == glyph.axis
    };
    if let Some(t) = after
        && let Some(found) = (t + 1..(t + 4).min(i)).find(|j| same(&glyphs[*j]))
    {
        return Some(found);
    }
    (i.saturating_sub(REACH)..i).rev().find(|j| same(&glyphs[*j]))
}

fn is_numeric(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '$' | '€' | '£' | '¥' | '%' | '(' | ')' | ',' | '.' | '-' | '–' | '—' | '−' | '+')
}
