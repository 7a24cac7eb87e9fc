//! Reads pages one at a time.

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, MaybeRef, Object, Stream};
use hayro_syntax::page::Page;
use kurbo::Affine;

use crate::pdf::{Limits, Line, PageNote};

use super::accents::compose;
use super::backdrop::Backdrop;
use super::budget::Budget;
use super::fonts::FontBook;
use super::frames::Frames;
use super::glyphs::{Glyph, LARGEST, Sheet, TextId, Texts, direction};
use super::interpreter::Interpreter;
use super::layers::Layers;
use super::level::set_level;
use super::lines::LineMaker;
use super::marked::Marking;
use super::marks::Marks;
use super::pieces::{self, CELL_GAP, NARROW_GUTTER, Piece};
use super::state::State;
use super::tracking::close_up;
use super::upright::turn_stacks;
use super::visible::drop_unseen;
use super::{initials, line_numbers, order, rows, small_caps, styled, tables};

/// A page with more unknown than known glyphs in this share is undecodable.
const UNDECODABLE: f32 = 0.3;

/// One page as the text layer gives it, before labels are known and furniture is marked.
#[derive(Debug, Clone, Default)]
pub(crate) struct RawPage {
    /// Lines in reading order.
    pub(crate) lines: Vec<Line>,
    /// The marked content that each line belongs to, until it is known what that is; empty on pages without any.
    pub(crate) markings: Vec<Marking>,
    /// Width in points, as shown.
    pub(crate) width: f32,
    /// Height in points, as shown.
    pub(crate) height: f32,
    /// What is to be said of the page; each note once.
    pub(crate) notes: Vec<PageNote>,
}

/// Reads the pages of one file. Holds the fonts; one per thread.
pub(crate) struct TextReader<'a> {
    pdf: &'a Pdf,
    limits: Limits,
    fonts: FontBook<'a>,
    layers: Layers,
    sheet: Sheet,
}

impl<'a> TextReader<'a> {
    /// A reader with no fonts loaded yet.
    pub(crate) fn new(pdf: &'a Pdf, limits: &Limits) -> Self {
        Self { pdf, limits: *limits, fonts: FontBook::new(), layers: Layers::read(pdf), sheet: Sheet::default() }
    }

    /// Reads a page by its 0-based index. A page that does not exist is blank and damaged.
    pub(crate) fn page(&mut self, index: usize) -> RawPage {
        self.sheet.clear();
        self.fonts.trim();
        let Some(page) = self.pdf.pages().get(index) else {
            return RawPage { notes: vec![PageNote::Damaged], ..RawPage::default() };
        };
        let (width, height) = page.render_dimensions();
        let (width, height) = (sound(width), sound(height));
        self.interpret(page, width, height);
        let words_lost = self.sheet.unread || has_unknown_words(&self.sheet.glyphs);
        let Sheet { glyphs, strings, .. } = &mut self.sheet;
        turn_stacks(glyphs, Texts { fonts: self.fonts.strings(), page: strings });
        let frames = Frames::of(&self.sheet.glyphs);
        let mut pieces = self.pieces(&frames);
        let texts = Texts { fonts: self.fonts.strings(), page: &self.sheet.strings };
        line_numbers::set_aside(&mut pieces, &self.sheet.glyphs, texts);
        let page = tables::Page { pieces: &pieces, glyphs: &self.sheet.glyphs, frames: &frames, texts };
        let rows = tables::shape(rows::assemble(&pieces), page);
        let maker = LineMaker { sheet: &self.sheet, fonts: &self.fonts, frames: &frames, pieces: &pieces };
        let (mut lines, markings) = maker.lines(&rows);
        styled::place(&mut lines);
        let notes = self.notes(&lines, words_lost);
        RawPage { lines, markings, width, height, notes }
    }

    /// The pieces of the page, its glyphs put into reading order before where they are drawn in none.
    fn pieces(&mut self, frames: &Frames) -> Vec<Piece> {
        let Self { sheet: Sheet { glyphs, styles, strings, content_end, .. }, fonts, .. } = self;
        let texts = Texts { fonts: fonts.strings(), page: strings };
        *content_end += initials::settle(glyphs, *content_end, texts);
        close_up(glyphs, texts);
        let drawn = pieces::cut(glyphs, styles, *content_end, frames, texts, CELL_GAP);
        let placed = order::by_place(glyphs, *content_end, &drawn).or_else(|| {
            order::may_span_columns(&drawn)
                .then(|| pieces::cut(glyphs, styles, *content_end, frames, texts, NARROW_GUTTER))
                .and_then(|fine| order::by_place(glyphs, *content_end, &fine))
        });
        let Some(placed) = placed else { return drawn };
        let added = glyphs.len() - *content_end;
        *content_end = placed.len().saturating_sub(added);
        *glyphs = placed;
        pieces::cut(glyphs, styles, *content_end, frames, texts, CELL_GAP)
    }

    fn interpret(&mut self, page: &Page<'a>, width: f32, height: f32) {
        let mut budget = Budget::for_page(&self.limits);
        let content = self.content(page, &mut budget);
        let mut interpreter = Interpreter {
            fonts: &mut self.fonts,
            sheet: &mut self.sheet,
            layers: &self.layers,
            page_resources: page.resources(),
            budget,
            marks: Marks::default(),
            backdrop: Backdrop::default(),
            page_id: page.raw().obj_id(),
            running: Vec::new(),
        };
        let start = State::new(Affine::new(page.initial_transform(true).as_coeffs()));
        interpreter.run(&content, page.resources(), start, 0);
        set_level(interpreter.sheet);
        interpreter.sheet.content_end = interpreter.sheet.glyphs.len();
        interpreter.annotations(page, &start);
        drop_unseen(interpreter.sheet, &interpreter.backdrop, width, height);
        compose(interpreter.sheet);
        small_caps::mark(interpreter.sheet);
        let spent = interpreter.budget.is_spent();
        self.sheet.incomplete |= spent;
    }

    /// The content streams of a page, decoded and put together. The page's own cache is not used, since it is never emptied.
    fn content(&mut self, page: &Page<'a>, budget: &mut Budget) -> Vec<u8> {
        if let Some(stream) = page.raw().get::<Stream<'_>>("Contents") {
            return self.decode(&stream, budget);
        }
        let parts = page.raw().get::<Array<'_>>("Contents");
        // A page without content is blank; one whose content cannot be found is not whole.
        if parts.is_none() && page.raw().contains_key("Contents") {
            self.sheet.incomplete |= !matches!(page.raw().get::<Object<'_>>("Contents"), Some(Object::Null(_)));
        }
        let mut all = Vec::new();
        for item in parts.iter().flat_map(Array::raw_iter) {
            let stream = match item {
                MaybeRef::Ref(r) => self.pdf.xref().get::<Stream<'_>>(r.into()),
                MaybeRef::NotRef(object) => object.into_stream(),
            };
            match stream {
                Some(stream) => all.extend(self.decode(&stream, budget)),
                None => self.sheet.incomplete = true,
            }
            // A token never goes on into the next stream.
            all.push(b'\n');
            if budget.is_spent() {
                break;
            }
        }
        all
    }

    fn decode(&mut self, stream: &Stream<'_>, budget: &mut Budget) -> Vec<u8> {
        match budget.unpack(stream) {
            Some(data) => data.into_owned(),
            None => {
                self.sheet.incomplete = true;
                Vec::new()
            }
        }
    }

    fn notes(&self, lines: &[Line], words_lost: bool) -> Vec<PageNote> {
        let mut notes = Vec::new();
        let undecodable = words_lost || self.sheet.unknown as f32 > UNDECODABLE * self.sheet.glyphs.len() as f32;
        if lines.is_empty() && !undecodable {
            match (self.sheet.images, self.sheet.incomplete) {
                (true, _) => notes.push(PageNote::ImageOnly),
                (false, false) => notes.push(PageNote::Blank),
                // What is missing may be text.
                (false, true) => {}
            }
        }
        if undecodable {
            notes.push(PageNote::Undecodable);
        }
        if self.sheet.hidden > 0 {
            notes.push(PageNote::HiddenText);
        }
        if self.sheet.incomplete {
            notes.push(PageNote::Damaged);
        }
        notes
    }
}

/// A side of a page; broken files give sides without end.
fn sound(side: f32) -> f32 {
    if side.is_finite() { side.clamp(0.0, LARGEST) } else { 0.0 }
}

/// Whether a page has words in letters that could not be decoded: unknown glyphs that stand next to another letter, as bullets and
/// ornaments do not. To be asked while glyphs are in the order of drawing.
fn has_unknown_words(glyphs: &[Glyph]) -> bool {
    /// One letter of a word is seen by its mark in the text.
    const FEWEST: usize = 2;
    /// Farthest from the end of a glyph to the next one of its word, in ems.
    const NEAR: f32 = 0.15;
    let joined = |a: &Glyph, b: &Glyph| {
        let (dx, dy) = direction(a.axis);
        let (x, y) = (b.x - a.x, b.y - a.y);
        let (along, across) = (x * dx + y * dy - a.advance, y * dx - x * dy);
        let letters = a.text != TextId::SPACE && b.text != TextId::SPACE && a.axis == b.axis;
        letters && along.abs() < NEAR * a.size && across.abs() < NEAR * a.size
    };
    let mut found = 0;
    for (i, glyph) in glyphs.iter().enumerate().filter(|(_, g)| g.text == TextId::UNKNOWN) {
        let before = i.checked_sub(1).and_then(|j| glyphs.get(j)).is_some_and(|g| joined(g, glyph));
        found += usize::from(before || glyphs.get(i + 1).is_some_and(|g| joined(glyph, g)));
        if found >= FEWEST {
            return true;
        }
    }
    false
}
