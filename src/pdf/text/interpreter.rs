//! Runs content streams and leaves glyphs on the sheet.

use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier, Stream};
use hayro_syntax::page::Resources;
use kurbo::{Affine, Point, Rect, Vec2};

use super::backdrop::Backdrop;
use super::budget::Budget;
use super::color::{self, Space};
use super::fonts::FontBook;
use super::glyphs::{Glyph, Sheet, Style, TextId, axis_of};
use super::layers::Layers;
use super::level::Lone;
use super::marks::Marks;
use super::state::{State, TextPlace, matrix};
use super::unicode::is_private;

/// Forms within forms; files made to trap readers nest without end.
const DEEPEST_FORM: u32 = 12;
/// Saved graphics states; `q` beyond this is ignored together with its `Q`.
const DEEPEST_STATE: usize = 512;

/// Reads one page.
pub(super) struct Interpreter<'r, 'a> {
    pub(super) fonts: &'r mut FontBook<'a>,
    pub(super) sheet: &'r mut Sheet,
    pub(super) layers: &'r Layers,
    /// Asked for fonts that the resources of a form do not have.
    pub(super) page_resources: &'r Resources<'a>,
    pub(super) budget: Budget,
    pub(super) marks: Marks,
    pub(super) backdrop: Backdrop,
    /// The page, which marked content outside of forms belongs to.
    pub(super) page_id: Option<ObjectIdentifier>,
    /// Forms being run, so that none draws itself.
    pub(super) running: Vec<ObjectIdentifier>,
}

impl<'a> Interpreter<'_, 'a> {
    /// Runs a content stream that starts with this state.
    pub(super) fn run(&mut self, content: &[u8], resources: &Resources<'a>, start: State, depth: u32) {
        let mut operators = TypedIter::new(content);
        let mut state = start;
        let mut saved: Vec<State> = Vec::new();
        let mut beyond = 0usize;
        let mut place = TextPlace::origin();
        let floor = self.marks.depth();
        while let Some(op) = operators.next() {
            if !self.budget.operator() {
                break;
            }
            match op {
                Op::SaveState(_) if saved.len() < DEEPEST_STATE => saved.push(state),
                Op::SaveState(_) => beyond += 1,
                Op::RestoreState(_) if beyond > 0 => beyond -= 1,
                Op::RestoreState(_) => state = saved.pop().unwrap_or(state),
                Op::Transform(t) => state.ctm *= matrix(t.0, t.1, t.2, t.3, t.4, t.5),
                Op::XObject(x) => {
                    if let Some(object) = resources.get_x_object(x.0) {
                        self.x_object(&object, resources, &state, depth);
                    }
                }
                Op::InlineImage(image) => self.image(image.0, &state),
                Op::Shading(_) if !self.marks.hidden() => self.backdrop.shading(),
                Op::LineWidth(w) => state.line_width = w.0.as_f64(),
                Op::BeginMarkedContent(mark) => self.marks.begin(mark.0),
                Op::BeginMarkedContentWithProperties(mark) => {
                    let owner = self.running.last().copied().or(self.page_id);
                    self.marks.begin_with(mark.0, mark.1, resources, self.layers, owner, self.sheet);
                }
                Op::EndMarkedContent(_) => self.marks.end(floor),
                other => {
                    let drawn = self.sheet.glyphs.len();
                    let shown = !self.marks.hidden();
                    if !self.backdrop.path_operator(&other, &mut state, drawn, shown) && !set_color(&other, resources, &mut state) {
                        self.text_operator(&other, resources, &mut state, &mut place);
                    }
                }
            }
        }
        self.marks.close_to(floor);
    }

    fn text_operator(&mut self, op: &Op<'_, '_>, resources: &Resources<'a>, state: &mut State, place: &mut TextPlace) {
        match op {
            Op::BeginText(_) => *place = TextPlace::origin(),
            Op::CharacterSpacing(v) => state.char_spacing = v.0.as_f64(),
            Op::WordSpacing(v) => state.word_spacing = v.0.as_f64(),
            Op::HorizontalScaling(v) => state.stretch = v.0.as_f64() / 100.0,
            Op::TextLeading(v) => state.leading = v.0.as_f64(),
            Op::TextRenderingMode(v) => {
                state.render_mode = v.0.as_i64();
                // What is painted next is seen only through the letters.
                state.clip_is_box &= state.render_mode < 4;
            }
            Op::TextRise(v) => state.rise = v.0.as_f64(),
            Op::TextFont(f) => {
                state.size = f.1.as_f64();
                state.face = self.fonts.find([resources, self.page_resources], f.0);
            }
            Op::SetGraphicsState(g) => {
                let Some(dict) = resources.get_ext_g_state(g.0) else { return };
                state.set_transparency(&dict);
                // The font of a graphics state dictionary is so rare that only its size and reference are looked at.
                if let Some(font) = dict.get::<Array<'a>>("Font") {
                    let mut items = font.flex_iter();
                    state.face = items.next::<Dict<'a>>().and_then(|d| self.fonts.of_dict(&d));
                    state.size = items.next::<f64>().unwrap_or(state.size);
                }
            }
            Op::NextLine(n) => place.next_line(n.0.as_f64(), n.1.as_f64()),
            Op::NextLineAndSetLeading(n) => {
                state.leading = -n.1.as_f64();
                place.next_line(n.0.as_f64(), n.1.as_f64());
            }
            Op::NextLineUsingLeading(_) => place.next_line(0.0, -state.leading),
            Op::SetTextMatrix(t) => place.set(matrix(t.0, t.1, t.2, t.3, t.4, t.5)),
            Op::ShowText(s) => self.show(state, place, s.0.as_bytes()),
            Op::NextLineAndShowText(s) => {
                place.next_line(0.0, -state.leading);
                self.show(state, place, s.0.as_bytes());
            }
            Op::ShowTextWithParameters(s) => {
                state.word_spacing = s.0.as_f64();
                state.char_spacing = s.1.as_f64();
                place.next_line(0.0, -state.leading);
                self.show(state, place, s.2.as_bytes());
            }
            Op::ShowTexts(items) => {
                for item in items.0.iter::<Object<'_>>() {
                    match item {
                        Object::String(s) => self.show(state, place, s.as_bytes()),
                        Object::Number(n) => {
                            let shift = -n.as_f64() / 1000.0 * state.size;
                            let shift = if self.is_vertical(state) { (0.0, shift) } else { (shift * state.stretch, 0.0) };
                            place.glyph *= Affine::translate(shift);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn is_vertical(&mut self, state: &State) -> bool {
        state.face.and_then(|id| self.fonts.face_mut(id)).is_some_and(|(face, _)| face.vertical)
    }

    /// Shows a string: one glyph for each code, and the text matrix moved past it.
    fn show(&mut self, state: &State, place: &mut TextPlace, bytes: &[u8]) {
        let Some(face_id) = state.face else {
            self.sheet.unread |= !bytes.is_empty() && !self.marks.hidden();
            return;
        };
        let clear = is_clear(state);
        let off = self.marks.hidden();
        let artifact = self.marks.artifact();
        let mark = self.marks.content();
        let Some((face, strings)) = self.fonts.face_mut(face_id) else { return };
        let style = Style {
            face: face_id,
            color: state.fill.color,
            artifact,
            small_caps: face.look.small_caps,
            clear,
            invisible: state.render_mode == 3,
        };
        let style = self.sheet.style(style);
        // Everything but the translation stays the same within one string.
        let base = state.ctm * place.glyph;
        let [a, b, c, d, _, _] = base.as_coeffs();
        let (right, up) = ((a * state.size * state.stretch, b * state.size * state.stretch), (c * state.size, d * state.size));
        let (width, height) = (right.0.hypot(right.1), up.0.hypot(up.1));
        let (dx, dy) = if face.vertical { (-up.0 / height, -up.1 / height) } else { (right.0 / width, right.1 / width) };
        let axis = axis_of(dx, dy);
        let em = if face.vertical { height } else { width };
        let size = (height * face.em) as f32;
        let origin = base * Point::new(0.0, state.rise);
        // A degenerate matrix draws nothing; some writers hide spaces that way.
        let visible = !off && size.is_finite() && size > 0.0 && em > 0.0 && origin.is_finite();
        let hidden = visible && !clear && is_hidden(&self.backdrop, state, origin + 0.3 * Vec2::new(up.0, up.1));
        let (mut along, mut at) = (0.0, 0);
        while at < bytes.len() {
            if !self.budget.glyph() {
                break;
            }
            let (code, length) = face.read_code(bytes, at);
            at += length;
            let coded = face.coded(code, length, strings);
            let advance = f64::from(coded.advance) / 1000.0;
            if hidden {
                self.sheet.hidden += usize::from(!coded.unknown && coded.text != TextId::SPACE);
            } else if visible {
                let text = match self.marks.replace() {
                    // What else is drawn for a soft hyphen is a space.
                    Some(soft) if soft.is_soft_hyphen() && coded.text != TextId::of_char('-') => TextId::EMPTY,
                    Some(replaced) => match replaced.as_char().filter(|c| is_private(*c)) {
                        Some(c) => face.decoder.private(c, coded.text, coded.unknown),
                        None => replaced,
                    },
                    None => coded.text,
                };
                self.sheet.unknown += usize::from(coded.unknown && text == coded.text);
                if face.vertical && length == bytes.len() {
                    let origin = face.font.origin_displacement(code);
                    let points = |thousandths: f64| (thousandths.abs() / 1000.0 * em) as f32;
                    let shift = (points(origin.x), points(origin.y));
                    // The vertical origin is over the middle of the glyph.
                    self.sheet.lone.push(Lone { glyph: self.sheet.glyphs.len(), width: 2.0 * shift.0, shift });
                }
                let (x, y) = if face.vertical { (c * along, d * along) } else { (a * along, b * along) };
                self.sheet.glyphs.push(Glyph {
                    x: (origin.x + x) as f32,
                    y: (origin.y + y) as f32,
                    advance: (advance.abs() * em) as f32,
                    size,
                    text,
                    style,
                    mark,
                    axis,
                });
            }
            let spacing = state.char_spacing + if code == 32 && length == 1 { state.word_spacing } else { 0.0 };
            along += (advance * state.size + spacing) * if face.vertical { 1.0 } else { state.stretch };
        }
        let shift = if face.vertical { (0.0, along) } else { (along, 0.0) };
        place.glyph *= Affine::translate(shift);
    }

    fn x_object(&mut self, object: &Stream<'a>, resources: &Resources<'a>, state: &State, depth: u32) {
        let dict = object.dict();
        if dict.get::<Dict<'_>>("OC").is_some_and(|oc| self.layers.hides(&oc)) || self.marks.hidden() {
            return;
        }
        match dict.get::<Name<'_>>("Subtype").as_deref() {
            Some(b"Form") => self.form(object, resources, state, depth),
            Some(b"Image") => self.image(object, state),
            _ => {}
        }
    }

    fn image(&mut self, image: &Stream<'_>, state: &State) {
        if self.marks.hidden() {
            return;
        }
        self.sheet.images = true;
        let dict = image.dict();
        let masked = ["SMask", "Mask"].iter().any(|key| dict.contains_key(*key))
            || ["ImageMask", "IM"].iter().any(|key| dict.get::<bool>(*key) == Some(true))
            || dict.get::<i32>("SMaskInData").is_some_and(|kind| kind != 0);
        self.backdrop.image(state, !masked, self.sheet.glyphs.len());
    }

    /// Runs a form. Its own resources come first, those of the caller where it has none.
    pub(super) fn form(&mut self, form: &Stream<'a>, resources: &Resources<'a>, state: &State, depth: u32) {
        if depth >= DEEPEST_FORM {
            self.sheet.incomplete = true;
            return;
        }
        let id = form.obj_id();
        if self.running.contains(&id) {
            return;
        }
        let Some(content) = self.budget.unpack(form) else {
            self.sheet.incomplete = true;
            return;
        };
        let mut inner = *state;
        inner.ctm *= form.dict().get::<[f64; 6]>("Matrix").map_or(Affine::IDENTITY, Affine::new);
        if let Some(bounds) = form.dict().get::<hayro_syntax::object::Rect>("BBox") {
            let [_, b, c, ..] = inner.ctm.as_coeffs();
            let upright = b == 0.0 && c == 0.0;
            inner.clip_to(inner.ctm.transform_rect_bbox(Rect::new(bounds.x0, bounds.y0, bounds.x1, bounds.y1)), upright);
        }
        if form
            .dict()
            .get::<Dict<'_>>("Group")
            .is_some_and(|g| g.get::<Name<'_>>("S").is_some_and(|s| s.as_ref() == b"Transparency"))
        {
            inner.enter_group();
        }
        self.running.push(id);
        match form.dict().get::<Dict<'a>>("Resources") {
            Some(own) => self.run(&content, &Resources::new(own), inner, depth + 1),
            None => self.run(&content, resources, inner, depth + 1),
        }
        self.running.pop();
    }
}

/// Whether text that is to be painted is wholly transparent.
fn is_clear(state: &State) -> bool {
    match state.render_mode {
        0 => state.fill.is_clear(state),
        1 => state.stroke.is_clear(state),
        2 => state.fill.is_clear(state) && state.stroke.is_clear(state),
        _ => false,
    }
}

/// Whether text that is painted at this point has the colour of what is under it.
fn is_hidden(backdrop: &Backdrop, state: &State, at: Point) -> bool {
    let fill = || backdrop.hides(state.fill, state.clip, at);
    let stroke = || backdrop.hides(state.stroke, state.clip, at);
    match state.render_mode {
        0 | 4 => fill(),
        1 | 5 => stroke(),
        2 | 6 => fill() && stroke(),
        _ => false,
    }
}

/// Takes in an operator that sets a colour; `false` when it is another one.
fn set_color(op: &Op<'_, '_>, resources: &Resources<'_>, state: &mut State) -> bool {
    let (fill, stroke) = (state.fill.space, state.stroke.space);
    let (is_fill, (space, color)) = match op {
        Op::NonStrokeColorDeviceGray(g) => (true, (Space::Gray, color::gray(g.0.as_f32()))),
        Op::NonStrokeColorDeviceRgb(c) => (true, (Space::Rgb, color::rgb(c.0.as_f32(), c.1.as_f32(), c.2.as_f32()))),
        Op::NonStrokeColorCmyk(c) => (true, (Space::Cmyk, color::cmyk(c.0.as_f32(), c.1.as_f32(), c.2.as_f32(), c.3.as_f32()))),
        // A new space starts with its black or full ink.
        Op::ColorSpaceNonStroke(name) => (true, (Space::named(name.0, resources), 0)),
        Op::NonStrokeColor(c) => (true, (fill, fill.color(&c.0))),
        Op::NonStrokeColorNamed(c) => (true, (fill, fill.color(&c.0))),
        Op::StrokeColorDeviceGray(g) => (false, (Space::Gray, color::gray(g.0.as_f32()))),
        Op::StrokeColorDeviceRgb(c) => (false, (Space::Rgb, color::rgb(c.0.as_f32(), c.1.as_f32(), c.2.as_f32()))),
        Op::StrokeColorCmyk(c) => (false, (Space::Cmyk, color::cmyk(c.0.as_f32(), c.1.as_f32(), c.2.as_f32(), c.3.as_f32()))),
        Op::ColorSpaceStroke(name) => (false, (Space::named(name.0, resources), 0)),
        Op::StrokeColor(c) => (false, (stroke, stroke.color(&c.0))),
        Op::StrokeColorNamed(c) => (false, (stroke, stroke.color(&c.0))),
        _ => return false,
    };
    let ink = if is_fill { &mut state.fill } else { &mut state.stroke };
    (ink.space, ink.color) = (space, color);
    true
}
