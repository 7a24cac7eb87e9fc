//! What a page is painted with beside text: areas under text, to tell white text on white paper from white text on a dark bar, and areas
//! over text that was drawn before them.

use hayro_syntax::content::ops::TypedInstruction as Op;
use kurbo::{Affine, Point, Rect, Vec2};

use super::color::Space;
use super::state::{Ink, State};

/// Areas remembered. A page with more is a drawing, on which no text counts as hidden.
const MOST_AREAS: usize = 4096;
/// Painted areas thinner than this (in points) are rules, not a background.
const THINNEST: f64 = 2.0;
/// Every channel of paper white is at least this.
const WHITE: u32 = 0xF8;
/// The farthest that the channels of two colours are apart which the eye takes for one: as far as white from [`WHITE`].
const ALIKE: u32 = 0xFF - WHITE;
/// From this opacity on nothing is seen through.
const OPAQUE: f32 = 0.98;

/// The painted areas of a page. What is not sure counts as an area that shows any text, so that text is rather kept.
#[derive(Debug, Default)]
pub(super) struct Backdrop {
    areas: Vec<Area>,
    /// More areas than are remembered.
    crowded: bool,
    path: Path,
    /// The path is to bound the clip.
    clips: bool,
    covers: Vec<Cover>,
    images: Vec<Rect>,
}

/// A painted area by its bounding box on the page.
#[derive(Debug)]
struct Area {
    at: Rect,
    /// 0xRRGGBB where it is known for the whole box.
    color: Option<u32>,
}

/// An upright area through which nothing is seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cover {
    pub(super) at: Rect,
    /// Glyphs that were drawn before it.
    pub(super) before: usize,
    /// It is an image.
    pub(super) image: bool,
}

/// The path under construction.
#[derive(Debug, Default)]
struct Path {
    /// Its box on the page.
    area: Option<Rect>,
    /// First and last point of its last part, on the page.
    first: Point,
    last: Point,
    parts: usize,
    lines: usize,
    curved: bool,
    /// It has a straight side that is neither level nor plumb, so that its box covers more than the area.
    tilted: bool,
}

impl Path {
    /// Whether the path is one upright rectangle.
    fn is_box(&self) -> bool {
        // Four sides that are level or plumb, of which the last may be left to the closing of the path.
        self.parts == 1 && !self.curved && !self.tilted && matches!(self.lines, 3 | 4) && !is_oblique(self.last - self.first)
    }

    fn reach(&mut self, state: &State, x: f64, y: f64) {
        let point = state.ctm * Point::new(x, y);
        self.area = Some(self.area.map_or(Rect::from_points(point, point), |area| area.union_pt(point)));
        self.last = point;
    }

    fn start(&mut self, state: &State, x: f64, y: f64) {
        self.reach(state, x, y);
        self.first = self.last;
        self.parts += 1;
    }

    fn line(&mut self, state: &State, x: f64, y: f64) {
        let from = self.last;
        self.reach(state, x, y);
        self.tilted |= is_oblique(self.last - from);
        self.lines += 1;
    }

    fn curve(&mut self, state: &State, x: f64, y: f64) {
        self.reach(state, x, y);
        self.curved = true;
    }
}

impl Backdrop {
    /// Takes in a path operator; `false` when it is another one. `drawn` glyphs are on the page, and what is painted shows if `shown`.
    pub(super) fn path_operator(&mut self, op: &Op<'_, '_>, state: &mut State, drawn: usize, shown: bool) -> bool {
        match op {
            Op::MoveTo(p) => self.path.start(state, p.0.as_f64(), p.1.as_f64()),
            Op::LineTo(p) => self.path.line(state, p.0.as_f64(), p.1.as_f64()),
            Op::CubicTo(p) => self.path.curve(state, p.4.as_f64(), p.5.as_f64()),
            Op::CubicStartTo(p) => self.path.curve(state, p.2.as_f64(), p.3.as_f64()),
            Op::CubicEndTo(p) => self.path.curve(state, p.2.as_f64(), p.3.as_f64()),
            Op::RectPath(r) => {
                let (x, y, width, height) = (r.0.as_f64(), r.1.as_f64(), r.2.as_f64(), r.3.as_f64());
                self.path.start(state, x, y);
                self.path.line(state, x + width, y);
                self.path.line(state, x + width, y + height);
                self.path.line(state, x, y + height);
            }
            Op::FillPathNonZero(_)
            | Op::FillPathNonZeroCompatibility(_)
            | Op::FillPathEvenOdd(_)
            | Op::FillAndStrokeNonZero(_)
            | Op::FillAndStrokeEvenOdd(_)
            | Op::CloseFillAndStrokeNonZero(_)
            | Op::CloseFillAndStrokeEvenOdd(_) => {
                let path = self.take_path(state);
                if shown {
                    self.fill(&path, state, drawn);
                }
            }
            Op::StrokePath(_) | Op::CloseAndStrokePath(_) => {
                if let Some(area) = self.take_path(state).area.filter(|_| shown) {
                    let half = state.line_width * scale(state.ctm) / 2.0;
                    self.paint(area.inflate(half, half).intersect(state.clip), None);
                }
            }
            Op::EndPath(_) => _ = self.take_path(state),
            Op::ClipNonZero(_) | Op::ClipEvenOdd(_) => self.clips = true,
            _ => return false,
        }
        true
    }

    fn fill(&mut self, path: &Path, state: &State, drawn: usize) {
        let Some(area) = path.area.map(|area| area.intersect(state.clip)) else { return };
        let opaque = is_opaque(state, state.fill.alpha);
        let exact = path.is_box() && state.clip_is_box && opaque && state.fill.is_known();
        if is_white(state.fill.color) {
            // What is under a tilted or thin white area decides there, so that it hides no text beside it.
            if opaque && !path.tilted {
                self.paint(area, Some(state.fill.color));
            }
        } else {
            self.paint(area, Some(state.fill.color).filter(|_| exact));
        }
        if exact {
            self.cover(Cover { at: area, before: drawn, image: false });
        }
    }

    /// An image over the unit square; `opaque` when it has no mask.
    pub(super) fn image(&mut self, state: &State, opaque: bool, drawn: usize) {
        let at = state.ctm.transform_rect_bbox(Rect::new(0.0, 0.0, 1.0, 1.0));
        let seen = at.intersect(state.clip);
        self.paint(seen, None);
        if self.images.len() < MOST_AREAS {
            self.images.push(seen);
        }
        let [a, b, c, d, ..] = state.ctm.as_coeffs();
        let upright = !is_oblique(Vec2::new(a, b)) && !is_oblique(Vec2::new(c, d));
        if opaque && upright && state.clip_is_box && is_opaque(state, state.fill.alpha) {
            self.cover(Cover { at: seen, before: drawn, image: true });
        }
    }

    /// A shading: it may cover the whole page.
    pub(super) fn shading(&mut self) {
        self.crowded = true;
    }

    /// Whether text of this ink cannot be seen at this point inside the clip on the page as painted so far.
    pub(super) fn hides(&self, ink: Ink, clip: Rect, at: Point) -> bool {
        if self.crowded || !clip.contains(at) {
            return false;
        }
        let white = is_white(ink.color);
        if !white && self.areas.is_empty() {
            return false;
        }
        match self.areas.iter().rev().find(|area| area.at.contains(at)) {
            None => white,
            Some(Area { color: None, .. }) => false,
            Some(Area { color: Some(under), .. }) if white => is_white(*under),
            Some(Area { color: Some(under), .. }) => ink.is_known() && are_alike(ink.color, *under),
        }
    }

    /// The areas that hide what was drawn before them; none on a page that is a drawing.
    pub(super) fn covers(&self) -> &[Cover] {
        if self.crowded { &[] } else { &self.covers }
    }

    /// Whether nothing was painted.
    pub(super) fn is_blank(&self) -> bool {
        !self.crowded && self.areas.is_empty()
    }

    /// The boxes of what was painted and is no image; `None` when there are more than are remembered.
    pub(super) fn painted(&self) -> Option<impl Iterator<Item = Rect>> {
        (!self.crowded).then(|| self.areas.iter().map(|area| area.at))
    }

    /// Where images are.
    pub(super) fn images(&self) -> &[Rect] {
        &self.images
    }

    /// Whether not all images could be remembered.
    pub(super) fn has_more_images(&self) -> bool {
        self.images.len() >= MOST_AREAS
    }

    /// The finished path, which bounds the clip if it is meant to; starts a new one. The clip holds for what comes after the path, but
    /// nothing is painted beyond it either.
    fn take_path(&mut self, state: &mut State) -> Path {
        let path = std::mem::take(&mut self.path);
        if std::mem::take(&mut self.clips)
            && let Some(area) = path.area
        {
            state.clip_to(area, path.is_box());
        }
        path
    }

    fn paint(&mut self, at: Rect, color: Option<u32>) {
        if at.width() < THINNEST || at.height() < THINNEST {
            return;
        }
        if self.areas.len() < MOST_AREAS {
            self.areas.push(Area { at, color });
        } else {
            self.crowded = true;
        }
    }

    fn cover(&mut self, cover: Cover) {
        if cover.before > 0 && cover.at.width() >= THINNEST && cover.at.height() >= THINNEST && self.covers.len() < MOST_AREAS {
            self.covers.push(cover);
        }
    }
}

impl Ink {
    /// Whether its colour is what the page shows: tints of other inks, patterns and the like are not looked up.
    fn is_known(self) -> bool {
        matches!(self.space, Space::Gray | Space::Rgb | Space::Cmyk)
    }

    /// Whether nothing is seen of it inside these transparency groups: black of this opacity looks like paper white.
    pub(super) fn is_clear(self, state: &State) -> bool {
        self.alpha * state.group_alpha * 255.0 <= ALIKE as f32
    }
}

fn is_opaque(state: &State, alpha: f32) -> bool {
    state.plain && state.group_plain && alpha * state.group_alpha >= OPAQUE
}

/// Whether a side is neither level nor plumb, by more than a rule is thick.
fn is_oblique(side: Vec2) -> bool {
    side.x.abs() > THINNEST && side.y.abs() > THINNEST
}

fn channels(color: u32) -> [u32; 3] {
    [color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF]
}

fn is_white(color: u32) -> bool {
    channels(color).iter().all(|channel| *channel >= WHITE)
}

fn are_alike(one: u32, other: u32) -> bool {
    channels(one).iter().zip(channels(other)).all(|(a, b)| a.abs_diff(b) <= ALIKE)
}

fn scale(ctm: Affine) -> f64 {
    ctm.determinant().abs().sqrt()
}
