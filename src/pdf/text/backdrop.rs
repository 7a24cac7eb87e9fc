//! What text stands on: areas painted before it, to tell white text on white paper from white text on a dark bar.

use hayro_syntax::content::ops::TypedInstruction as Op;
use kurbo::{Affine, Point, Rect, Vec2};

use super::state::State;

/// Areas remembered. A page with more is a drawing, on which no text counts as hidden.
const MOST_AREAS: usize = 4096;
/// Painted areas thinner than this (in points) are rules, not a background.
const THINNEST: f64 = 2.0;
/// Every channel of paper white is at least this.
const WHITE: u32 = 0xF8;

/// The painted areas of a page, by their bounding boxes. What is not sure to be white counts as dark, so that text is rather kept.
#[derive(Debug, Default)]
pub(super) struct Backdrop {
    /// Box on the page, and whether it is white.
    areas: Vec<(Rect, bool)>,
    /// More areas than are remembered.
    crowded: bool,
    path: Option<Rect>,
    /// The last point of the path, on the page.
    last: Point,
    /// The path has a straight side that is neither level nor plumb, so that its box covers more than the area.
    tilted: bool,
}

impl Backdrop {
    /// Takes in a path operator; `false` when it is another one.
    pub(super) fn path_operator(&mut self, op: &Op<'_, '_>, state: &State) -> bool {
        match op {
            Op::MoveTo(p) => self.reach(state, p.0.as_f64(), p.1.as_f64()),
            Op::LineTo(p) => {
                let from = self.last;
                self.reach(state, p.0.as_f64(), p.1.as_f64());
                self.tilted |= is_oblique(self.last - from);
            }
            Op::CubicTo(p) => self.reach(state, p.4.as_f64(), p.5.as_f64()),
            Op::CubicStartTo(p) => self.reach(state, p.2.as_f64(), p.3.as_f64()),
            Op::CubicEndTo(p) => self.reach(state, p.2.as_f64(), p.3.as_f64()),
            Op::RectPath(r) => {
                let (x, y, width, height) = (r.0.as_f64(), r.1.as_f64(), r.2.as_f64(), r.3.as_f64());
                self.reach(state, x, y);
                let from = self.last;
                self.reach(state, x + width, y + height);
                self.reach(state, x, y + height);
                self.reach(state, x + width, y);
                self.tilted |= is_oblique(self.last - from);
            }
            Op::FillPathNonZero(_)
            | Op::FillPathNonZeroCompatibility(_)
            | Op::FillPathEvenOdd(_)
            | Op::FillAndStrokeNonZero(_)
            | Op::FillAndStrokeEvenOdd(_)
            | Op::CloseFillAndStrokeNonZero(_)
            | Op::CloseFillAndStrokeEvenOdd(_) => {
                if let (Some(area), tilted) = self.take_path() {
                    // What is under a tilted white area decides there, so that it hides no text beside it.
                    let white = is_white(state.fill);
                    if !(white && tilted) {
                        self.paint(area, white);
                    }
                }
            }
            Op::StrokePath(_) | Op::CloseAndStrokePath(_) => {
                if let (Some(area), _) = self.take_path() {
                    let half = state.line_width * scale(state.ctm) / 2.0;
                    self.paint(area.inflate(half, half), false);
                }
            }
            Op::EndPath(_) => _ = self.take_path(),
            _ => return false,
        }
        true
    }

    /// An image or a form of unknown colour over the unit square.
    pub(super) fn image(&mut self, ctm: Affine) {
        self.paint(ctm.transform_rect_bbox(Rect::new(0.0, 0.0, 1.0, 1.0)), false);
    }

    /// A shading: it may cover the whole page.
    pub(super) fn shading(&mut self) {
        self.crowded = true;
    }

    /// Whether text of this colour cannot be seen at this point.
    pub(super) fn hides(&self, color: u32, at: Point) -> bool {
        if self.crowded || !is_white(color) {
            return false;
        }
        self.areas.iter().rev().find(|(area, _)| area.contains(at)).is_none_or(|(_, white)| *white)
    }

    fn reach(&mut self, state: &State, x: f64, y: f64) {
        let point = state.ctm * Point::new(x, y);
        self.path = Some(self.path.map_or(Rect::from_points(point, point), |path| path.union_pt(point)));
        self.last = point;
    }

    /// The box of the path, and whether it is tilted; starts a new path.
    fn take_path(&mut self) -> (Option<Rect>, bool) {
        (self.path.take(), std::mem::take(&mut self.tilted))
    }

    fn paint(&mut self, area: Rect, white: bool) {
        if area.width() < THINNEST || area.height() < THINNEST {
            return;
        }
        if self.areas.len() < MOST_AREAS {
            self.areas.push((area, white));
        } else {
            self.crowded = true;
        }
    }
}

/// Whether a side is neither level nor plumb, by more than a rule is thick.
fn is_oblique(side: Vec2) -> bool {
    side.x.abs() > THINNEST && side.y.abs() > THINNEST
}

fn is_white(color: u32) -> bool {
    [color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF].iter().all(|channel| *channel >= WHITE)
}

fn scale(ctm: Affine) -> f64 {
    ctm.determinant().abs().sqrt()
}
