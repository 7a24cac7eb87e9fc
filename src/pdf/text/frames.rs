//! Writing directions of a page: each gets a frame in which text runs along u and lines follow each other along v.

use std::collections::HashMap;

use super::glyphs::{Glyph, direction};

/// Axes this near to a quarter turn (tenths of a degree) share its frame: skewed scans write every word at its own angle.
const NEAR_QUARTER: i32 = 100;

/// The frames of one page.
#[derive(Debug, Default)]
pub(super) struct Frames {
    by_axis: HashMap<u16, u16>,
    directions: Vec<(f32, f32)>,
}

impl Frames {
    /// Finds the frames of these glyphs. Axes near a quarter turn take the axis that most of their glyphs have.
    pub(super) fn of(glyphs: &[Glyph]) -> Self {
        let mut counts: Vec<(u16, usize)> = Vec::new();
        let mut index: HashMap<u16, usize> = HashMap::new();
        let mut last = None;
        for glyph in glyphs {
            let slot = match last {
                Some((axis, slot)) if axis == glyph.axis => slot,
                _ => *index.entry(glyph.axis).or_insert_with(|| {
                    counts.push((glyph.axis, 0));
                    counts.len() - 1
                }),
            };
            last = Some((glyph.axis, slot));
            if let Some(entry) = counts.get_mut(slot) {
                entry.1 += 1;
            }
        }
        let mut frames = Self::default();
        let mut by_class: HashMap<i32, u16> = HashMap::new();
        counts.sort_by_key(|(axis, count)| (std::cmp::Reverse(*count), *axis));
        for (axis, _) in counts {
            let frame = *by_class.entry(class(axis)).or_insert_with(|| {
                frames.directions.push(direction(axis));
                u16::try_from(frames.directions.len() - 1).unwrap_or(0)
            });
            frames.by_axis.insert(axis, frame);
        }
        frames
    }

    /// The frame of an axis.
    pub(super) fn frame(&self, axis: u16) -> u16 {
        self.by_axis.get(&axis).copied().unwrap_or(0)
    }

    /// Place along and across the lines of a frame.
    pub(super) fn to_frame(&self, frame: u16, x: f32, y: f32) -> (f32, f32) {
        let (dx, dy) = self.direction(frame);
        (x * dx + y * dy, y * dx - x * dy)
    }

    /// Place on the page of a point of a frame.
    pub(super) fn to_page(&self, frame: u16, u: f32, v: f32) -> (f32, f32) {
        let (dx, dy) = self.direction(frame);
        (u * dx - v * dy, u * dy + v * dx)
    }

    fn direction(&self, frame: u16) -> (f32, f32) {
        self.directions.get(usize::from(frame)).copied().unwrap_or((1.0, 0.0))
    }
}

/// Axes of one class share a frame: the quarter turns with what is near them, and every whole degree between.
fn class(axis: u16) -> i32 {
    let axis = i32::from(axis);
    let quarter = (axis + 450).rem_euclid(3600) / 900;
    let off = (axis - quarter * 900 + 1800).rem_euclid(3600) - 1800;
    if off.abs() <= NEAR_QUARTER { quarter } else { 4 + axis / 10 }
}

#[cfg(test)]
mod tests {
    use super::class;

    #[test]
    fn skew_shares_the_frame_of_its_quarter() {
        assert_eq!(class(0), class(3595));
        assert_eq!(class(0), class(12));
        assert_eq!(class(905), class(895));
        assert_ne!(class(450), class(0));
        assert_ne!(class(1800), class(0));
    }
}
