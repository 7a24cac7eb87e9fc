//! Vertical text that is set glyph by glyph with a level font: ideographs under each other, as print programs write vertical lines.
//! They become glyphs that run downward, so that a line is a line.

use super::glyphs::{Glyph, TextId, Texts};
use super::spacing::is_cjk;

/// Fewest ideographs under each other that are a line.
const FEWEST: usize = 4;
/// From one to the next (in em), down and to the side.
const PITCH: std::ops::Range<f32> = 0.9..1.15;
const ASIDE: f32 = 0.3;
/// Figures set side by side in the room of one ideograph, and the room that they take (in em).
const MOST_ABREAST: usize = 4;
const ABREAST: f32 = 1.3;
/// The top of an ideograph above its baseline (in em).
const ASCENT: f32 = 0.88;
/// Downward, in tenths of a degree.
const DOWN: u16 = 900;

/// Turns stacks of ideographs among the glyphs into vertical lines. Glyphs are in the order of drawing.
pub(super) fn turn_stacks(glyphs: &mut [Glyph], texts: Texts<'_>) {
    let mut cells: Vec<std::ops::Range<usize>> = Vec::new();
    let mut at = 0;
    while at <= glyphs.len() {
        let cell = cell_at(glyphs, at, texts);
        let follows = match (&cell, cells.last()) {
            (Some(cell), Some(last)) => is_under(glyphs, last, cell),
            _ => false,
        };
        if !follows {
            turn(glyphs, &cells, texts);
            cells.clear();
        }
        at = cell.as_ref().map_or(at, |cell| cell.end.saturating_sub(1)) + 1;
        cells.extend(cell);
    }
}

/// What may be one place of a vertical line: an ideograph, or a few figures beside each other.
fn cell_at(glyphs: &[Glyph], at: usize, texts: Texts<'_>) -> Option<std::ops::Range<usize>> {
    let first = glyphs.get(at).filter(|g| g.axis == 0)?;
    let is_ideograph = |g: &Glyph| texts.first(g.text).is_some_and(is_cjk);
    if is_ideograph(first) {
        return Some(at..at + 1);
    }
    let is_figure = |g: &&Glyph| {
        g.axis == 0 && g.y == first.y && texts.first(g.text).is_some_and(|c| c.is_ascii_alphanumeric()) && g.text != TextId::SPACE
    };
    let count = glyphs.get(at..)?.iter().take(MOST_ABREAST).take_while(is_figure).count();
    let last = glyphs.get((at + count).checked_sub(1)?)?;
    (count > 0 && last.x + last.advance - first.x <= ABREAST * first.size).then_some(at..at + count)
}

fn is_under(glyphs: &[Glyph], above: &std::ops::Range<usize>, cell: &std::ops::Range<usize>) -> bool {
    let (Some(a), Some(b)) = (glyphs.get(above.start), glyphs.get(cell.start)) else { return false };
    let size = a.size.max(b.size);
    PITCH.contains(&((b.y - a.y) / size))
        && middle(glyphs, above).zip(middle(glyphs, cell)).is_some_and(|(p, q)| (p - q).abs() < ASIDE * size)
}

/// The middle of a cell from left to right.
fn middle(glyphs: &[Glyph], cell: &std::ops::Range<usize>) -> Option<f32> {
    let last = glyphs.get(cell.end.checked_sub(1)?)?;
    Some((glyphs.get(cell.start)?.x + last.x + last.advance) / 2.0)
}

fn turn(glyphs: &mut [Glyph], cells: &[std::ops::Range<usize>], texts: Texts<'_>) {
    let ideographs = cells.iter().filter(|c| glyphs.get(c.start).is_some_and(|g| texts.first(g.text).is_some_and(is_cjk))).count();
    let Some(left) = cells.first().filter(|_| ideographs >= FEWEST).and_then(|c| glyphs.get(c.start)).map(|g| g.x) else { return };
    for cell in cells {
        let count = cell.len() as f32;
        let Some(group) = glyphs.get_mut(cell.clone()) else { continue };
        for (place, glyph) in group.iter_mut().enumerate() {
            glyph.y += glyph.size * (place as f32 / count - ASCENT);
            glyph.x = left;
            glyph.advance = glyph.size / count;
            glyph.axis = DOWN;
        }
    }
}
