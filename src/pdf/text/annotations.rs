//! What stands on a page beside its content: values of form fields and the appearance of annotations.

use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, Rect, Stream, String as PdfString};
use hayro_syntax::page::Page;
use kurbo::{Affine, Point};

use super::glyphs::{Glyph, Style, axis_of};
use super::interpreter::Interpreter;
use super::state::State;
use super::unicode::{push_clean, text_string};

/// Bits of an annotation's `F` entry (ISO 32000, table 167): hidden, and not shown on screen.
const INVISIBLE: i32 = 1 << 1 | 1 << 5;
/// Ancestors of a field that are asked for its type and value.
const FIELD_DEPTH: usize = 16;
/// Em of a value that has no appearance, at most; forms are filled in at this size.
const VALUE_SIZE: f64 = 12.0;

impl<'a> Interpreter<'_, 'a> {
    /// Draws the annotations of a page over its content.
    pub(super) fn annotations(&mut self, page: &Page<'a>, start: &State) {
        let list = page.raw().get::<Array<'a>>("Annots");
        for item in list.iter().flat_map(Array::raw_iter) {
            if !self.budget.operator() {
                break;
            }
            let dict = match item {
                MaybeRef::Ref(r) => page.xref().get::<Dict<'a>>(r.into()),
                MaybeRef::NotRef(object) => object.into_dict(),
            };
            if let Some(dict) = dict.filter(|d| self.is_shown(d)) {
                self.annotation(&dict, page, start);
            }
        }
    }

    fn is_shown(&self, dict: &Dict<'a>) -> bool {
        dict.get::<i32>("F").unwrap_or(0) & INVISIBLE == 0
            && dict.get::<Name<'_>>("Subtype").is_none_or(|n| n.as_ref() != b"Popup")
            && dict.get::<Dict<'_>>("OC").is_none_or(|oc| !self.layers.hides(&oc))
    }

    fn annotation(&mut self, dict: &Dict<'a>, page: &Page<'a>, start: &State) {
        let Some(rect) = dict.get::<Rect>("Rect") else { return };
        let before = self.sheet.glyphs.len();
        if let Some(form) = appearance(dict) {
            let mut state = *start;
            state.ctm *= placement(form.dict(), rect);
            self.form(&form, page.resources(), &state, 1);
        }
        if self.sheet.glyphs.len() == before {
            self.value(dict, rect, start);
        }
    }

    /// The value of a text or choice field that has no appearance, put where the appearance would be.
    fn value(&mut self, dict: &Dict<'a>, rect: Rect, start: &State) {
        let is_text = inherited(dict, "FT").and_then(Object::into_name).is_some_and(|n| matches!(n.as_ref(), b"Tx" | b"Ch"));
        if !is_text {
            return;
        }
        let raw = match inherited(dict, "V") {
            Some(Object::String(s)) => text_string(s.as_bytes()),
            Some(Object::Array(choices)) => {
                choices.iter::<PdfString<'_>>().map(|s| text_string(s.as_bytes())).collect::<Vec<_>>().join(", ")
            }
            _ => return,
        };
        let mut text = String::with_capacity(raw.len());
        raw.chars().for_each(|c| push_clean(c, &mut text));
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let size = (rect.height() * 0.8).clamp(1.0, VALUE_SIZE);
        let from = start.ctm * Point::new(rect.x0, rect.y0 + (rect.height() - size) / 2.0 + 0.2 * size);
        let to = start.ctm * Point::new(rect.x1, rect.y0 + (rect.height() - size) / 2.0 + 0.2 * size);
        let across = to - from;
        // Half an em a character, as in most text fonts.
        let advance = (size * 0.5 * text.chars().count() as f64).min(rect.width());
        let style = self.sheet.style(Style { face: u32::MAX, color: 0, artifact: false, clear: false });
        let text = self.sheet.keep(text.to_string());
        let place = (from.x as f32, from.y as f32);
        let axis = axis_of(across.x, across.y);
        self.sheet.glyphs.push(Glyph { x: place.0, y: place.1, advance: advance as f32, size: size as f32, text, style, axis });
    }
}

/// The normal appearance of an annotation in its current state.
fn appearance<'a>(dict: &Dict<'a>) -> Option<Stream<'a>> {
    let appearances = dict.get::<Dict<'a>>("AP")?;
    if let Some(stream) = appearances.get::<Stream<'a>>("N") {
        return Some(stream);
    }
    let states = appearances.get::<Dict<'a>>("N")?;
    states.get::<Stream<'a>>(dict.get::<Name<'_>>("AS")?)
}

/// The transform that puts a form's box, turned by its own matrix, onto the rectangle of the annotation (ISO 32000, 12.5.5).
fn placement(form: &Dict<'_>, rect: Rect) -> Affine {
    let bbox = form.get::<Rect>("BBox").unwrap_or(rect);
    let matrix = form.get::<[f64; 6]>("Matrix").map_or(Affine::IDENTITY, Affine::new);
    let turned = matrix.transform_rect_bbox(kurbo::Rect::new(bbox.x0, bbox.y0, bbox.x1, bbox.y1));
    let scale = |to: f64, from: f64| if from > 0.0 { to / from } else { 1.0 };
    let (sx, sy) = (scale(rect.width(), turned.width()), scale(rect.height(), turned.height()));
    Affine::new([sx, 0.0, 0.0, sy, rect.x0 - turned.x0 * sx, rect.y0 - turned.y0 * sy])
}

/// An entry of a field, or of the nearest ancestor that has it.
fn inherited<'a>(dict: &Dict<'a>, key: &str) -> Option<Object<'a>> {
    let mut field = dict.clone();
    for _ in 0..FIELD_DEPTH {
        if let Some(found) = field.get::<Object<'a>>(key) {
            return Some(found);
        }
        field = field.get::<Dict<'a>>("Parent")?;
    }
    None
}
