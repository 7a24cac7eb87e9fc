//! Text of a page, in the order of the content stream.

use std::collections::HashMap;
use std::sync::Arc;

use hayro_cmap::BfString;
use hayro_font::{Font, FontCache, FontGlyph, FontQuery};
use hayro_syntax::Pdf;
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::Object;

use super::{Limits, Line, PageNote};

/// What was read of one page.
#[derive(Debug, Default)]
pub(super) struct RawPage {
    pub lines: Vec<Line>,
    pub width: f32,
    pub height: f32,
    pub notes: Vec<PageNote>,
}

pub(super) struct TextReader<'a> {
    pdf: &'a Pdf,
    cache: FontCache<'a>,
    limits: Limits,
}

impl<'a> TextReader<'a> {
    pub(super) fn new(pdf: &'a Pdf, limits: &Limits) -> Self {
        Self { pdf, cache: FontCache::new(), limits: *limits }
    }

    pub(super) fn page(&mut self, index: usize) -> RawPage {
        let Some(page) = self.pdf.pages().get(index) else { return RawPage::default() };
        let (width, height) = page.render_dimensions();
        let mut fonts: HashMap<Vec<u8>, Option<Font<'a>>> = HashMap::new();
        let mut font: Option<Font<'a>> = None;
        let mut text = String::new();
        let resolver: hayro_font::FontResolverFn = Arc::new(|q| match q {
            FontQuery::Standard(s) => Some(s.get_font_data()),
            FontQuery::Fallback(f) => Some(f.pick_standard_font().get_font_data()),
        });
        let cmaps: hayro_font::CMapResolverFn = Arc::new(hayro_cmap::load_embedded);
        let mut ops = page.typed_operations();
        let mut left = self.limits.page_operators;
        while let Some(op) = ops.next() {
            left = left.saturating_sub(1);
            if left == 0 {
                break;
            }
            match op {
                Op::TextFont(f) => {
                    let made = || page.resources().get_font(f.0).and_then(|d| self.cache.font(&d, &resolver, &cmaps));
                    font = fonts.entry(f.0.to_vec()).or_insert_with(made).clone();
                }
                Op::NextLine(_) | Op::NextLineAndSetLeading(_) | Op::NextLineUsingLeading(_) | Op::SetTextMatrix(_) => {
                    text.push('\n')
                }
                Op::ShowText(s) => show(font.as_ref(), s.0.as_bytes(), &mut text),
                Op::NextLineAndShowText(s) => {
                    text.push('\n');
                    show(font.as_ref(), s.0.as_bytes(), &mut text);
                }
                Op::ShowTexts(a) => {
                    for item in a.0.iter::<Object<'_>>() {
                        match item {
                            Object::String(s) => show(font.as_ref(), s.as_bytes(), &mut text),
                            Object::Number(n) if n.as_f64() < -180.0 => text.push(' '),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        let lines: Vec<Line> = text.lines().map(str::trim).filter(|l| !l.is_empty()).map(line).collect();
        let notes = if lines.is_empty() { vec![PageNote::Blank] } else { Vec::new() };
        RawPage { lines, width, height, notes }
    }
}

fn show(font: Option<&Font<'_>>, bytes: &[u8], out: &mut String) {
    let Some(font) = font else { return };
    let mut at = 0;
    while at < bytes.len() {
        let (code, len) = font.read_code(bytes, at);
        at += len.max(1);
        let glyph = font.glyph(font.map_code(code), code);
        let text = match &glyph {
            FontGlyph::Outline(g) => g.as_unicode(),
            FontGlyph::Type3(g) => g.as_unicode(),
        };
        match text {
            Some(BfString::Char(c)) => out.push(c),
            Some(BfString::String(s)) => out.push_str(&s),
            None => out.push('\u{fffd}'),
        }
    }
}

fn line(text: &str) -> Line {
    Line {
        text: text.to_owned(),
        x0: 0.0,
        y0: 0.0,
        x1: 0.0,
        y1: 0.0,
        size: 10.0,
        bold: false,
        italic: false,
        color: 0,
        font: String::new(),
        starts_block: false,
        furniture: false,
    }
}

pub(super) fn mark_furniture(_pages: &mut [RawPage]) {}

pub(super) fn page_text(lines: &[Line]) -> String {
    lines.iter().map(|l| l.text.as_str()).collect::<Vec<_>>().join("\n")
}
