//! The part of the graphics state that text depends on.

use hayro_syntax::object::Number;
use kurbo::Affine;

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
    /// 0xRRGGBB.
    pub(super) fill: u32,
    pub(super) fill_space: Space,
    pub(super) line_width: f64,
    /// `Tr`: 0 fills, 3 shows nothing.
    pub(super) render_mode: i64,
}

impl State {
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
            fill: 0,
            fill_space: Space::Gray,
            line_width: 1.0,
            render_mode: 0,
        }
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
