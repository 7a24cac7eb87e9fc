//! What stands on a page beside its content: values of form fields and the appearance of annotations.

use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, Rect, Stream, String as PdfString};
use hayro_syntax::page::Page;
use kurbo::{Affine, Point};

use super::glyphs::{Glyph, Style, axis_of};
use super::interpreter::Interpreter;
use super::marked::Marked;
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
            // A marker pen hides nothing, even where a viewer is left to blend it.
            state.group_plain = !is(dict, "Subtype", &[b"Highlight", b"Underline", b"StrikeOut", b"Squiggly"]);
            state.ctm *= placement(form.dict(), rect);
            self.form(&form, page.resources(), &state, 1);
        }
        if self.sheet.glyphs.len() == before {
            self.value(dict, rect, start);
        }
    }

    /// The text of an annotation that has no appearance, put where the appearance would be.
    fn value(&mut self, dict: &Dict<'a>, rect: Rect, start: &State) {
        let raw = if is(dict, "Subtype", &[b"FreeText"]) {
            dict.get::<PdfString<'_>>("Contents").map(|s| text_string(s.as_bytes()))
        } else {
            field_text(dict)
        };
        let lines: Vec<String> = raw.iter().flat_map(|raw| raw.split(['\r', '\n'])).filter_map(clean).collect();
        let size = (rect.height() * 0.8 / lines.len().max(1) as f64).clamp(1.0, VALUE_SIZE);
        let leading = 1.2 * size;
        // One line stands in the middle, more start at the top.
        let top = if lines.len() > 1 { rect.y1 - size } else { rect.y0 + (rect.height() - size) / 2.0 + 0.2 * size };
        for (number, text) in lines.into_iter().enumerate() {
            let y = top - leading * number as f64;
            let (from, to) = (start.ctm * Point::new(rect.x0, y), start.ctm * Point::new(rect.x1, y));
            let across = to - from;
            // Half an em a character, as in most text fonts.
            let advance = (size * 0.5 * text.chars().count() as f64).min(rect.width());
            let style = self.sheet.style(Style {
                face: u32::MAX,
                color: 0,
                artifact: false,
                small_caps: false,
                clear: false,
                invisible: false,
            });
            let text = self.sheet.keep(text);
            let (x, y) = (from.x as f32, from.y as f32);
            let axis = axis_of(across.x, across.y);
            self.sheet.glyphs.push(Glyph {
                x,
                y,
                advance: advance as f32,
                size: size as f32,
                text,
                style,
                mark: Marked::NONE,
                axis,
            });
        }
    }
}

/// What a form field shows: its text, the names of its choices, or a mark where it is checked.
fn field_text(dict: &Dict<'_>) -> Option<String> {
    /// Bits of a field's `Ff` entry (ISO 32000, tables 227 to 229): a password, a radio button, a push button.
    const PASSWORD: i32 = 1 << 13;
    const RADIO: i32 = 1 << 15;
    const PUSH: i32 = 1 << 16;
    let flags = match inherited(dict, "Ff") {
        Some(Object::Number(flags)) => flags.as_i64() as i32,
        _ => 0,
    };
    let string = |object: Object<'_>| object.into_string().map(|s| text_string(s.as_bytes()));
    match inherited(dict, "FT").and_then(Object::into_name)?.as_ref() {
        b"Tx" if flags & PASSWORD == 0 => string(inherited(dict, "V")?),
        b"Ch" => {
            let shown = |value: String| shown_choice(dict, &value).unwrap_or(value);
            match inherited(dict, "V")? {
                Object::Array(choices) => {
                    let choices = choices.iter::<PdfString<'_>>().map(|s| shown(text_string(s.as_bytes())));
                    Some(choices.collect::<Vec<_>>().join(", "))
                }
                value => string(value).map(shown),
            }
        }
        b"Btn" if flags & PUSH == 0 => {
            let state = dict.get::<Name<'_>>("AS").or_else(|| inherited(dict, "V").and_then(Object::into_name))?;
            let mark = if flags & RADIO == 0 { "✔" } else { "●" };
            (state.as_ref() != b"Off").then(|| mark.to_string())
        }
        _ => None,
    }
}

/// The words that stand for the value of a choice field.
fn shown_choice(dict: &Dict<'_>, value: &str) -> Option<String> {
    let options = inherited(dict, "Opt").and_then(Object::into_array)?;
    options.iter::<Object<'_>>().find_map(|option| {
        let mut pair =
            option.into_array()?.iter::<PdfString<'_>>().map(|s| text_string(s.as_bytes())).collect::<Vec<_>>().into_iter();
        let (export, shown) = (pair.next()?, pair.next()?);
        (export == value).then_some(shown)
    })
}

/// A line as it should be read; `None` when nothing is left.
fn clean(raw: &str) -> Option<String> {
    let mut text = String::with_capacity(raw.len());
    raw.chars().for_each(|c| push_clean(c, &mut text));
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_string())
}

/// Whether an entry is one of these names.
fn is(dict: &Dict<'_>, key: &str, names: &[&[u8]]) -> bool {
    dict.get::<Name<'_>>(key).is_some_and(|name| names.contains(&name.as_ref()))
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
