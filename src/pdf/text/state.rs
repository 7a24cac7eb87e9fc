//! The part of the graphics state that text depends on.

use hayro_syntax::object::{Dict, Number, Object};
use kurbo::{Affine, Rect};

use super::color::Space;

/// Saved and restored by `q` and `Q`.
#[derive(Debug, Clone, Copy)]
pub(super) struct State {
    /// From user space to the page as shown.
    pub(super) ctm: Affine,
    /// Index into the font book.
    pub(super) face: Option<u32>,
    pub(super) size: f64,
    pub(super) char_spacing: f64,
    pub(super) word_spacing: f64,
    /// Horizontal scaling, 1 is normal.
    pub(super) stretch: f64,
    pub(super) leading: f64,
    pub(super) rise: f64,
    pub(super) fill: Ink,
    pub(super) stroke: Ink,
    /// Opacity of the transparency groups that are being drawn.
    pub(super) group_alpha: f32,
    /// Paint replaces what is under it (blend mode Normal, no soft mask).
    pub(super) plain: bool,
    /// So do the groups.
    pub(super) group_plain: bool,
    /// What the clip leaves of the page, by its bounding box.
    pub(super) clip: Rect,
    /// The clip is an upright rectangle.
    pub(super) clip_is_box: bool,
    pub(super) line_width: f64,
    /// `Tr`: 0 fills, 3 shows nothing.
    pub(super) render_mode: i64,
}

/// What fills or strokes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink {
    /// 0xRRGGBB.
    pub(super) color: u32,
    pub(super) space: Space,
    /// Opacity: 0 shows nothing.
    pub(super) alpha: f32,
}

impl Ink {
    const BLACK: Self = Self { color: 0, space: Space::Gray, alpha: 1.0 };
}

impl State {
    /// The state at the start of a page; larger than any page is its clip.
    pub(super) fn new(ctm: Affine) -> Self {
        Self {
            ctm,
            face: None,
            size: 1.0,
            char_spacing: 0.0,
            word_spacing: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
            fill: Ink::BLACK,
            stroke: Ink::BLACK,
            group_alpha: 1.0,
            plain: true,
            group_plain: true,
            clip: Rect::new(-1e9, -1e9, 1e9, 1e9),
            clip_is_box: true,
            line_width: 1.0,
            render_mode: 0,
        }
    }

    /// Takes in the transparency parameters of a graphics state dictionary.
    pub(super) fn set_transparency(&mut self, dict: &Dict<'_>) {
        if let Some(alpha) = dict.get::<f32>("ca") {
            self.fill.alpha = alpha;
        }
        if let Some(alpha) = dict.get::<f32>("CA") {
            self.stroke.alpha = alpha;
        }
        let is = |object: &Object<'_>, names: [&[u8]; 2]| match object {
            Object::Name(name) => names.contains(&name.as_ref()),
            _ => false,
        };
        let mode = dict.get::<Object<'_>>("BM").map(|mode| is(&mode, [b"Normal", b"Compatible"]));
        let mask = dict.get::<Object<'_>>("SMask").map(|mask| is(&mask, [b"None", b"None"]));
        match (mode, mask) {
            (None, None) => {}
            (mode, mask) => self.plain = mode.unwrap_or(true) && mask.unwrap_or(true),
        }
    }

    /// Starts a transparency group, which is painted as a whole with the opacity that is in force.
    pub(super) fn enter_group(&mut self) {
        self.group_alpha *= self.fill.alpha;
        self.group_plain &= self.plain;
        self.plain = true;
        self.fill.alpha = 1.0;
        self.stroke.alpha = 1.0;
    }

    /// Bounds the clip by a path with this box.
    pub(super) fn clip_to(&mut self, area: Rect, is_box: bool) {
        self.clip = self.clip.intersect(area);
        self.clip_is_box &= is_box;
    }
}

/// The text matrix and the matrix of the line it started from.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextPlace {
    pub(super) glyph: Affine,
    line: Affine,
}

impl TextPlace {
    pub(super) fn origin() -> Self {
        Self { glyph: Affine::IDENTITY, line: Affine::IDENTITY }
    }

    pub(super) fn set(&mut self, matrix: Affine) {
        self.line = matrix;
        self.glyph = matrix;
    }

    /// Starts a new line, moved from the start of the current one.
    pub(super) fn next_line(&mut self, x: f64, y: f64) {
        self.set(self.line * Affine::translate((x, y)));
    }
}

/// A matrix from the operands of `cm` or `Tm`.
pub(super) fn matrix(a: Number, b: Number, c: Number, d: Number, e: Number, f: Number) -> Affine {
    Affine::new([a.as_f64(), b.as_f64(), c.as_f64(), d.as_f64(), e.as_f64(), f.as_f64()])
}
