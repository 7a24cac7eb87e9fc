//! Puts pieces on pages and keeps the page numbers.

use std::collections::BTreeMap;

use anyhow::bail;

use super::lines::break_lines;
use super::markup::{Numbering, Source};
use super::pieces::{Draw, Mark, Piece};
use super::style::{GREY, Style};

/// A page with everything on it.
#[derive(Clone, Debug)]
pub struct Page {
    pub numbering: Numbering,
    pub number: usize,
    /// A cover has no running lines.
    pub cover: bool,
    pub draws: Vec<Draw>,
    /// Level, text and distance from the upper edge in points.
    pub headings: Vec<(usize, String, f32)>,
    pub anchors: Vec<String>,
    /// The heading of level 1 that this page belongs to.
    pub section: String,
}

impl Page {
    /// The number as printed.
    pub fn label(&self) -> String {
        match self.numbering {
            Numbering::Arabic => self.number.to_string(),
            Numbering::Roman => roman(self.number),
        }
    }

    /// The words in reading order, one space between words.
    pub fn text(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        for draw in &self.draws {
            if let Draw::Text { runs, .. } = draw {
                let text: String = runs.iter().map(|run| run.text.as_str()).collect();
                words.extend(text.split_whitespace().map(str::to_string));
            }
        }
        words.join(" ")
    }

    fn is_empty(&self) -> bool {
        self.draws.is_empty() && self.headings.is_empty()
    }
}

fn roman(mut number: usize) -> String {
    const DIGITS: [(usize, &str); 5] = [(10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")];
    let mut text = String::new();
    for (value, digits) in DIGITS {
        while number >= value {
            text.push_str(digits);
            number -= value;
        }
    }
    text
}

/// Printed page numbers of headings and anchors, as found in one pass and used in the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageNumbers {
    /// Level, text and printed page number.
    pub headings: Vec<(usize, String, String)>,
    anchors: BTreeMap<String, String>,
}

/// Stands where a reference leads nowhere (yet).
const UNKNOWN: &str = "??";

impl PageNumbers {
    pub fn of(pages: &[Page]) -> PageNumbers {
        let mut numbers = PageNumbers::default();
        for page in pages {
            numbers.headings.extend(page.headings.iter().map(|(level, text, _)| (*level, text.clone(), page.label())));
            numbers.anchors.extend(page.anchors.iter().map(|anchor| (anchor.clone(), page.label())));
        }
        numbers
    }

    /// Puts the printed page number in the place of each `{page:anchor}`.
    pub fn resolve(&self, text: &str) -> String {
        let mut resolved = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{page:") {
            let (anchor, tail) = after.split_once('}').unwrap_or((after, ""));
            resolved.push_str(before);
            resolved.push_str(self.anchors.get(anchor).map_or(UNKNOWN, String::as_str));
            rest = tail;
        }
        resolved.push_str(rest);
        resolved
    }
}

/// Fails when a page shows a reference that leads nowhere.
pub fn check_references(pages: &[Page]) -> anyhow::Result<()> {
    match pages.iter().find(|page| page.text().contains(UNKNOWN)) {
        Some(page) => bail!("page {} has a reference to an unknown anchor", page.label()),
        None => Ok(()),
    }
}

/// Fills pages from the top.
pub fn fill(pieces: Vec<Piece>, source: &Source, style: &Style) -> anyhow::Result<Vec<Page>> {
    let mut filler = Filler { pages: Vec::new(), y: 0.0, after: 0.0, style };
    filler.start_page();
    let mut rest = pieces.as_slice();
    while !rest.is_empty() {
        let chain = rest.iter().position(|piece| !piece.keep).map_or(rest.len(), |end| end + 1);
        let (together, others) = rest.split_at(chain);
        let height: f32 = together.iter().map(|piece| piece.height + piece.before.max(piece.after)).sum();
        // A chain that no page can hold is divided where the page ends.
        if !filler.holds(height) && height <= style.depth() {
            filler.start_page();
        }
        for piece in together {
            filler.place(piece)?;
        }
        rest = others;
    }
    let mut pages = filler.pages;
    pages.retain(|page| !page.is_empty());
    for page in pages.iter_mut().filter(|page| !page.cover) {
        let mut running = running_lines(page, source, style)?;
        running.append(&mut page.draws);
        page.draws = running;
    }
    // Readers take the order of drawing for the order of reading: head, body, foot.
    for page in &mut pages {
        page.draws.sort_by_key(|draw| zone(draw, style));
    }
    Ok(pages)
}

/// Head, body or foot.
fn zone(draw: &Draw, style: &Style) -> u8 {
    match draw {
        Draw::Text { y, .. } | Draw::Fill { y, .. } if *y < style.top - 20.0 => 0,
        Draw::Text { y, .. } | Draw::Fill { y, .. } if *y > style.page_height - style.bottom + 12.0 => 2,
        _ => 1,
    }
}

struct Filler<'a> {
    pages: Vec<Page>,
    /// Where the next piece begins, from the upper edge of the page.
    y: f32,
    /// Space that the last piece wants below it.
    after: f32,
    style: &'a Style,
}

impl Filler<'_> {
    fn start_page(&mut self) {
        if self.pages.last().is_some_and(Page::is_empty) {
            return;
        }
        let (numbering, number, section) = match self.pages.last() {
            Some(page) => (page.numbering, page.number + 1, page.section.clone()),
            None => (Numbering::Arabic, 1, String::new()),
        };
        self.pages.push(Page { numbering, number, cover: false, draws: vec![], headings: vec![], anchors: vec![], section });
        self.y = self.style.top;
        self.after = 0.0;
    }

    fn holds(&self, height: f32) -> bool {
        self.y + height <= self.style.page_height - self.style.bottom
    }

    fn place(&mut self, piece: &Piece) -> anyhow::Result<()> {
        let gap = |filler: &Filler<'_>| {
            let at_top = filler.pages.last().is_none_or(Page::is_empty);
            if at_top { 0.0 } else { piece.before.max(filler.after) }
        };
        if piece.new_page || !self.holds(gap(self) + piece.height) {
            self.start_page();
            for head in piece.repeat.iter().flat_map(|head| head.iter()) {
                self.place(head)?;
            }
        }
        self.y += gap(self);
        if !self.holds(piece.height) {
            bail!("a piece of {} points is higher than a page", piece.height);
        }
        let y = self.y;
        if let Some(page) = self.pages.last_mut() {
            for mark in &piece.marks {
                match mark {
                    Mark::Anchor(anchor) => page.anchors.push(anchor.clone()),
                    Mark::Cover => page.cover = true,
                    Mark::Number(numbering) => (page.numbering, page.number) = (*numbering, 1),
                    Mark::Heading { level, text } => {
                        if *level == 1 {
                            page.section = text.clone();
                        }
                        page.headings.push((*level, text.clone(), y));
                    }
                }
            }
            page.draws.extend(piece.draws.iter().cloned().map(|draw| draw.moved_down(y)));
        }
        self.y += piece.height;
        self.after = piece.after;
        Ok(())
    }
}

/// Running head and foot with their rules.
fn running_lines(page: &Page, source: &Source, style: &Style) -> anyhow::Result<Vec<Draw>> {
    const SIZE: f32 = 8.5;
    let mut draws = Vec::new();
    let label = page.label();
    let head = style.top - 38.0;
    let foot = style.page_height - style.bottom + 38.0;
    for ((left, right), y) in [(&source.header, head), (&source.footer, foot)] {
        for (text, at_right) in [(left, false), (right, true)] {
            let text = text.replace("{section}", &page.section).replace("{page}", &label);
            if text.is_empty() {
                continue;
            }
            for line in break_lines(&text, style.table_family, SIZE, style.measure())? {
                let x = if at_right { style.side + style.measure() - line.width } else { style.side };
                draws.push(Draw::line(line, x, y, SIZE, GREY));
            }
        }
    }
    if !(source.header.0.is_empty() && source.header.1.is_empty()) {
        draws.push(Draw::rule(style.side, head + 5.0, style.measure(), 0.5, GREY));
    }
    Ok(draws)
}
