//! Sets blocks into pieces: stretches of fixed height that go on a page as a whole.

use std::rc::Rc;

use super::fonts::{Face, Family};
use super::lines::{Line, Run, break_lines};
use super::markup::{Block, Numbering};
use super::pages::PageNumbers;
use super::style::{BLACK, Color, GREY, HeadingStyle, Style};
use super::table::set_table;

/// Something to draw. Lengths are points; `x` counts from the page's left edge, `y` downward from the top of the piece, or of the
/// page once the piece is placed.
#[derive(Clone, Debug)]
pub enum Draw {
    /// Runs one after the other from `x` on the baseline `y`, with every space stretched by `word_space`.
    Text {
        x: f32,
        y: f32,
        runs: Vec<Run>,
        size: f32,
        word_space: f32,
        color: Color,
    },
    Fill {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        color: Color,
    },
}

impl Draw {
    pub fn line(line: Line, x: f32, y: f32, size: f32, color: Color) -> Draw {
        Draw::Text { x, y, runs: line.runs, size, word_space: 0.0, color }
    }

    /// A thin rule.
    pub fn rule(x: f32, y: f32, width: f32, thickness: f32, color: Color) -> Draw {
        Draw::Fill { x, y, width, height: thickness, color }
    }

    pub fn moved_down(mut self, by: f32) -> Draw {
        match &mut self {
            Draw::Text { y, .. } | Draw::Fill { y, .. } => *y += by,
        }
        self
    }
}

/// What a page is told by a piece that lands on it.
#[derive(Clone, Debug)]
pub enum Mark {
    Anchor(String),
    Heading { level: usize, text: String },
    Cover,
    Number(Numbering),
}

/// A stretch that is never divided.
#[derive(Clone, Debug, Default)]
pub struct Piece {
    /// Space above and below; the larger of two that meet counts, and none at the top of a page.
    pub before: f32,
    pub after: f32,
    pub height: f32,
    /// Stays on the page of the piece that follows.
    pub keep: bool,
    pub new_page: bool,
    pub draws: Vec<Draw>,
    pub marks: Vec<Mark>,
    /// Set again above this piece when it begins a page: the head of a long table.
    pub repeat: Option<Rc<Vec<Piece>>>,
}

/// Part of a line's height that stands above its baseline.
pub const ASCENT: f32 = 0.74;

const ITEM_INDENT: f32 = 17.0;
const NOTICE_TINT: Color = (0.93, 0.93, 0.93);

/// Sets all blocks, with page references as `numbers` has them.
pub fn set_blocks(blocks: &[Block], style: &Style, numbers: &PageNumbers) -> anyhow::Result<Vec<Piece>> {
    let mut pieces = Vec::new();
    for block in blocks {
        match block {
            Block::Heading { level, text, anchor } => pieces.push(heading(*level, text, anchor.as_ref(), style)?),
            Block::Text(text) => pieces.extend(paragraph(&numbers.resolve(text), style, 0.0, None)?),
            Block::Item { mark, text } => pieces.extend(paragraph(&numbers.resolve(text), style, ITEM_INDENT, Some(mark))?),
            Block::Notice { label, text } => pieces.push(notice(label, &numbers.resolve(text), style)?),
            Block::Display { look, text } => pieces.extend(display(look, &numbers.resolve(text), style)?),
            Block::Table(table) => pieces.extend(set_table(table, style, numbers)?),
            Block::Bars { caption, values } => pieces.push(bars(caption, values, style)?),
            Block::Contents(depth) => {
                for (level, text, label) in numbers.headings.iter().filter(|(level, ..)| level <= depth) {
                    pieces.push(contents_entry(*level, text, label, style)?);
                }
            }
            Block::Gap(height) => pieces.push(Piece { height: *height, ..Piece::default() }),
            Block::NewPage => pieces.push(Piece { new_page: true, ..Piece::default() }),
            Block::Cover => {
                let band = Draw::Fill {
                    x: 0.0,
                    y: -style.top,
                    width: style.page_width,
                    height: style.page_height * 0.3,
                    color: style.accent,
                };
                let marks = vec![Mark::Cover];
                pieces.push(Piece {
                    new_page: true,
                    height: style.page_height * 0.3,
                    draws: vec![band],
                    marks,
                    ..Piece::default()
                });
            }
            Block::Number(numbering) => {
                pieces.push(Piece { new_page: true, marks: vec![Mark::Number(*numbering)], ..Piece::default() });
            }
        }
    }
    Ok(pieces)
}

fn single_face(face: Face) -> Family {
    Family { regular: face, bold: face, italic: face }
}

fn heading(level: usize, text: &str, anchor: Option<&String>, style: &Style) -> anyhow::Result<Piece> {
    let index = level.clamp(1, style.headings.len()) - 1;
    let HeadingStyle { size, face, before, after } = style.headings[index];
    let leading = size * 1.2;
    let lines = break_lines(text, single_face(face), size, style.measure())?;
    let mut piece = Piece { before, after, keep: true, height: leading * lines.len() as f32, ..Piece::default() };
    piece.new_page = level == 1 && style.chapter_pages;
    for (index, line) in lines.into_iter().enumerate() {
        piece.draws.push(Draw::line(line, style.side, leading * index as f32 + leading * ASCENT, size, style.accent));
    }
    if level <= 3 {
        piece.marks.push(Mark::Heading { level, text: text.to_string() });
    }
    piece.marks.extend(anchor.map(|anchor| Mark::Anchor(anchor.clone())));
    Ok(piece)
}

/// A paragraph, with its mark hanging at the left when it is an item. Never fewer than two lines stand alone on a page.
fn paragraph(text: &str, style: &Style, indent: f32, mark: Option<&str>) -> anyhow::Result<Vec<Piece>> {
    let width = style.measure() - indent;
    let lines = break_lines(text, style.family, style.size, width)?;
    let count = lines.len();
    let mut pieces = Vec::with_capacity(count);
    for (index, line) in lines.into_iter().enumerate() {
        let mut piece = Piece { height: style.leading, ..Piece::default() };
        let baseline = style.leading * ASCENT;
        if index == 0 {
            piece.before = if mark.is_some() { 4.0 } else { 7.0 };
            if let Some(mark) = mark {
                let runs = vec![Run { face: style.family.regular, text: mark.to_string() }];
                piece.draws.push(Draw::Text { x: style.side, y: baseline, runs, size: style.size, word_space: 0.0, color: BLACK });
            }
        }
        piece.keep = count > 1 && (index == 0 || index + 2 == count);
        let word_space =
            if style.justify && !line.last && line.spaces > 0 { (width - line.width) / line.spaces as f32 } else { 0.0 };
        let x = style.side + indent;
        piece.draws.push(Draw::Text { x, y: baseline, runs: line.runs, size: style.size, word_space, color: BLACK });
        pieces.push(piece);
    }
    Ok(pieces)
}

/// A tinted box with a dark edge, its name in bold on a line of its own.
fn notice(label: &str, text: &str, style: &Style) -> anyhow::Result<Piece> {
    const PADDING: f32 = 7.0;
    const EDGE: f32 = 4.0;
    let inset = EDGE + 8.0;
    let mut lines = break_lines(label, style.family.all_bold(), style.size, style.measure())?;
    lines.extend(break_lines(text, style.family, style.size, style.measure() - inset - PADDING)?);
    let height = style.leading * lines.len() as f32 + 2.0 * PADDING;
    let mut draws = vec![
        Draw::Fill { x: style.side, y: 0.0, width: style.measure(), height, color: NOTICE_TINT },
        Draw::Fill { x: style.side, y: 0.0, width: EDGE, height, color: GREY },
    ];
    for (index, line) in lines.into_iter().enumerate() {
        let y = PADDING + style.leading * (index as f32 + ASCENT);
        draws.push(Draw::line(line, style.side + inset, y, style.size, BLACK));
    }
    Ok(Piece { before: 9.0, after: 9.0, height, draws, ..Piece::default() })
}

fn display(look: &str, text: &str, style: &Style) -> anyhow::Result<Vec<Piece>> {
    let (size, family, color) = match look {
        "title" => (30.0, single_face(style.headings[0].face), style.accent),
        "subtitle" => (15.0, style.table_family, GREY),
        "small" => (8.5, style.family, BLACK),
        _ => (style.size, style.family, BLACK),
    };
    let leading = size * 1.25;
    let mut pieces = Vec::new();
    for (index, line) in break_lines(text, family, size, style.measure())?.into_iter().enumerate() {
        let x = if look == "center" { style.side + (style.measure() - line.width) / 2.0 } else { style.side };
        let before = if index == 0 && look != "sign" { 5.0 } else { 0.0 };
        let draws = vec![Draw::line(line, x, leading * ASCENT, size, color)];
        pieces.push(Piece { before, height: leading, draws, ..Piece::default() });
    }
    Ok(pieces)
}

/// A bar for each value, from zero, with the value at its end.
fn bars(caption: &str, values: &[(String, f32)], style: &Style) -> anyhow::Result<Piece> {
    const ROW: f32 = 21.0;
    const LABELS: f32 = 120.0;
    const FIGURES: f32 = 60.0;
    let size = style.table_size;
    let family = style.table_family;
    let largest = values.iter().map(|(_, value)| *value).fold(0.0, f32::max);
    let mut draws = Vec::new();
    let mut y = 0.0;
    for line in break_lines(caption, family.all_bold(), size, style.measure())? {
        draws.push(Draw::line(line, style.side, y + 10.0, size, BLACK));
        y += 13.0;
    }
    y += 5.0;
    for (label, value) in values {
        let length = (style.measure() - LABELS - FIGURES) * value / largest;
        let x = style.side + LABELS;
        for line in break_lines(label, family, size, LABELS - 6.0)? {
            draws.push(Draw::line(line, style.side, y + 11.0, size, BLACK));
        }
        draws.push(Draw::Fill { x, y: y + 2.0, width: length, height: ROW - 8.0, color: style.accent });
        for line in break_lines(&thousands(*value), family, size, FIGURES)? {
            draws.push(Draw::line(line, x + length + 5.0, y + 11.0, size, BLACK));
        }
        y += ROW;
    }
    Ok(Piece { before: 12.0, after: 12.0, height: y, draws, ..Piece::default() })
}

/// `2647.2` as `2,647.2`.
fn thousands(value: f32) -> String {
    let plain = format!("{value:.1}");
    let point = plain.find('.').unwrap_or(plain.len());
    match point.checked_sub(3) {
        Some(at) if at > 0 => format!("{},{}", &plain[..at], &plain[at..]),
        _ => plain,
    }
}

/// A line of the contents page: entry, leader, page number.
fn contents_entry(level: usize, text: &str, label: &str, style: &Style) -> anyhow::Result<Piece> {
    const NUMBER_WIDTH: f32 = 26.0;
    let family = if level == 1 { style.family.all_bold() } else { style.family };
    let size = style.size;
    let indent = 16.0 * (level.saturating_sub(1)) as f32;
    let right = style.side + style.measure();
    let mut piece = Piece { before: if level == 1 { 6.0 } else { 1.0 }, height: size * 1.27, ..Piece::default() };
    let baseline = piece.height * ASCENT;
    let mut end = style.side + indent;
    for line in break_lines(text, family, size, style.measure() - indent - NUMBER_WIDTH)? {
        end += line.width;
        piece.draws.push(Draw::line(line, style.side + indent, baseline, size, BLACK));
    }
    let face = style.family.regular;
    let dot = face.width(style.leader, size)?;
    let dots = ((right - NUMBER_WIDTH - end - 4.0) / dot).floor().max(0.0);
    if dots >= 1.0 {
        let runs = vec![Run { face, text: style.leader.repeat(dots as usize).trim_end().to_string() }];
        let x = right - NUMBER_WIDTH - dots * dot;
        piece.draws.push(Draw::Text { x, y: baseline, runs, size, word_space: 0.0, color: BLACK });
    }
    let runs = vec![Run { face, text: label.to_string() }];
    let x = right - face.width(label, size)?;
    piece.draws.push(Draw::Text { x, y: baseline, runs, size, word_space: 0.0, color: BLACK });
    Ok(piece)
}
