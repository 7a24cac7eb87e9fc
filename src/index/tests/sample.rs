//! Pages made for tests.

use crate::pdf::{Bookmark, Line, Page};

/// A line of running text at a height.
pub fn text(text: &str, y: f32) -> Line {
    Line {
        text: text.to_owned(),
        x0: 72.0,
        y0: y,
        x1: 72.0 + 5.0 * text.len().min(92) as f32,
        y1: y + 10.0,
        size: 10.0,
        relative_size: 1.0,
        bold: false,
        italic: false,
        small_caps: false,
        color: 0,
        font: "Serif-Roman".to_owned(),
        starts_block: true,
        furniture: false,
        column: 1,
        space_above: None,
        tag: None,
    }
}

/// A bold line of a size.
pub fn heading(title: &str, y: f32, size: f32) -> Line {
    Line { size, y1: y + size, bold: true, font: "Serif-Bold".to_owned(), ..text(title, y) }
}

/// A paragraph of full lines from a height on.
pub fn paragraph(y: f32, lines: usize) -> Vec<Line> {
    (0..lines)
        .map(|at| {
            let words = "the sections of this document speak of plain things in long and even lines of running text, and so on and";
            Line { starts_block: at == 0, x1: 530.0, ..text(words, y + 12.0 * at as f32) }
        })
        .collect()
}

/// A page of these lines.
pub fn page(number: u32, lines: Vec<Line>) -> Page {
    let text = lines.iter().map(|l| l.text.as_str()).collect::<Vec<_>>().join("\n");
    Page { number, label: None, text, lines, notes: Vec::new(), width: 612.0, height: 792.0 }
}

/// A bookmark.
pub fn mark(level: u32, title: &str, page: u32) -> Bookmark {
    Bookmark { level, title: title.to_owned(), page: Some(page), top: None, leads_out: false }
}

/// A page with a heading in the middle, between two paragraphs.
pub fn section(number: u32, title: &str, size: f32) -> Page {
    let mut lines = paragraph(80.0, 8);
    lines.push(heading(title, 300.0, size));
    lines.extend(paragraph(340.0, 8));
    page(number, lines)
}
