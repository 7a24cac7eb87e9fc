//! Vertical fonts that are set along level lines, glyph by glyph: only where the writer moves says which way such text runs.

use super::glyphs::{Sheet, direction};

/// A glyph of a vertical font that was shown alone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lone {
    /// Index into the glyphs of the sheet.
    pub(super) glyph: usize,
    /// Advance of the glyph in a level line, in points.
    pub(super) width: f32,
    /// From the origin of a level line to that of a vertical one, in points along the line and up.
    pub(super) shift: (f32, f32),
}

/// Farthest from one glyph to the next one of a line, in ems.
const REACH: f32 = 2.0;
/// Farthest off the line, in ems.
const OFF: f32 = 0.1;

/// Turns the glyphs that were shown alone into level ones where most moves between them are level.
pub(super) fn set_level(sheet: &mut Sheet) {
    let lone = std::mem::take(&mut sheet.lone);
    let (mut level, mut down) = (0_usize, 0_usize);
    for pair in lone.windows(2) {
        let [first, second] = pair else { continue };
        let (Some(a), Some(b)) = (sheet.glyphs.get(first.glyph), sheet.glyphs.get(second.glyph)) else { continue };
        if a.axis != b.axis {
            continue;
        }
        let (dx, dy) = direction(a.axis);
        let (x, y) = ((b.x - a.x) / a.size, (b.y - a.y) / a.size);
        // A vertical line runs a quarter turn clockwise from a level one.
        let (along, across) = (x * dx + y * dy, x * dy - y * dx);
        level += usize::from(along.abs() < OFF && across > OFF && across < REACH);
        down += usize::from(across.abs() < OFF && along > OFF && along < REACH);
    }
    if level <= 2 * down {
        return;
    }
    for Lone { glyph, width, shift } in lone {
        if let Some(glyph) = sheet.glyphs.get_mut(glyph) {
            let (dx, dy) = direction(glyph.axis);
            // Level is (dy, -dx), up is (-dx, -dy).
            glyph.x -= dy * shift.0 - dx * shift.1;
            glyph.y -= -dx * shift.0 - dy * shift.1;
            glyph.axis = (glyph.axis + 2700) % 3600;
            glyph.advance = width;
        }
    }
}
