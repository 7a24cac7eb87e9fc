//! From rows to lines: text, style and place of each, and where a new block starts.

use std::collections::HashMap;

use crate::pdf::Line;

use super::bidi;
use super::cells::{Cell, WORD_GAP};
use super::compounds::{Guess, guess};
use super::fonts::FontBook;
use super::frames::Frames;
use super::glyphs::{Glyph, Sheet, TextId, Texts};
use super::grid::{self, Written};
use super::marked::{Marked, Marking};
use super::pieces::{Piece, Placed, SPACE_GAP};
use super::rows::Row;
use super::spacing::{is_cjk, write_text};
use super::tidy::tidy;

/// Above and below the baseline, in em.
const ASCENT: f32 = 0.8;
const DESCENT: f32 = 0.2;
/// A step down of more than this (in em) starts a new block whatever the step before was.
const WIDE_STEP: f32 = 1.9;
/// Unless the page itself is set wider: then a step must be this much wider than its usual one ...
const WIDER_THAN_USUAL: f32 = 1.2;
/// ... which at most is this wide (in em); double spacing is 2.3 to 2.8.
const WIDEST_USUAL: f32 = 3.0;
/// Steps from which on a page is known to have a usual one.
const FEWEST_STEPS: usize = 8;
/// So does a step this much wider than the one before.
const WIDER_STEP: f32 = 1.25;
/// So does a change of the size by more than this factor.
const SIZE_CHANGE: f32 = 1.15;
/// A font whose stems are this much thicker than those of the page's main font looks bold (140 to 85 and 135 to 88 are bold).
const BOLD_STEM: f32 = 1.4;

/// Makes the lines of a page.
pub(super) struct LineMaker<'p, 'a> {
    pub(super) sheet: &'p Sheet,
    pub(super) fonts: &'p FontBook<'a>,
    pub(super) frames: &'p Frames,
    pub(super) pieces: &'p [Piece],
}

impl LineMaker<'_, '_> {
    /// All lines, in the order of the rows, and the marked content of each where the page has any.
    pub(super) fn lines(&self, rows: &[Row]) -> (Vec<Line>, Vec<Marking>) {
        let body_stem = self.body_stem();
        let wide = wide_step(rows);
        let mut lines: Vec<Line> = Vec::with_capacity(rows.len());
        let mut markings = Vec::new();
        let mut grids: Vec<(u32, Vec<usize>, Vec<Vec<Written>>)> = Vec::new();
        let mut before: Option<(&Row, f32)> = None;
        for row in rows {
            let Some(mut line) = self.line(row, body_stem) else { continue };
            let step = before.map_or(f32::NAN, |(last, _)| row.v - last.v - last.depth);
            line.starts_block = before.is_none_or(|(last, last_step)| starts_block(last, row, step, last_step, wide));
            before = Some((row, if line.starts_block { f32::NAN } else { step }));
            if row.table > 0 {
                let cells = row.cells.iter().map(|c| self.written(c)).collect();
                match grids.iter_mut().rev().find(|(table, ..)| *table == row.table) {
                    Some((_, places, written)) => {
                        places.push(lines.len());
                        written.push(cells);
                    }
                    None => grids.push((row.table, vec![lines.len()], vec![cells])),
                }
            }
            lines.push(line);
            if !self.sheet.marked.is_empty() {
                markings.push(self.marking(row));
            }
        }
        for (_, places, written) in grids {
            for (at, text) in places.into_iter().zip(grid::padded(&written).unwrap_or_default()) {
                if let Some(line) = lines.get_mut(at) {
                    line.text = text;
                }
            }
        }
        (lines, markings)
    }

    /// The marked content of most glyphs of a row.
    fn marking(&self, row: &Row) -> Marking {
        let mut votes: Vec<(u16, u32)> = Vec::new();
        for glyph in row.pieces.iter().filter_map(|i| self.pieces.get(*i as usize)).flat_map(|p| self.glyphs(p)) {
            if glyph.text.is_empty() || glyph.text == TextId::SPACE {
                continue;
            }
            match votes.iter_mut().rev().take(16).find(|(mark, _)| *mark == glyph.mark) {
                Some(vote) => vote.1 += 1,
                None => votes.push((glyph.mark, 1)),
            }
        }
        let most = votes.into_iter().max_by_key(|(_, count)| *count);
        self.sheet.marked.marking(most.map_or(Marked::NONE, |(mark, _)| mark))
    }

    fn written(&self, cell: &Cell) -> Written {
        Written { text: tidy(self.cell_text(cell)), columns: cell.columns, figure: cell.figure }
    }

    fn cell_text(&self, cell: &Cell) -> String {
        let texts = Texts { fonts: self.fonts.strings(), page: &self.sheet.strings };
        let mut text = String::new();
        let mut part_text = String::new();
        for part in &cell.parts {
            part_text.clear();
            let glyphs = self.sheet.glyphs.get(part.first as usize..=part.last as usize).unwrap_or(&[]);
            write_text(glyphs, texts, &mut part_text);
            if part.glued || text.is_empty() || part_text.is_empty() {
                text.push_str(&part_text);
            } else {
                push_line(&mut text, &part_text);
            }
        }
        text
    }

    fn line(&self, row: &Row, body_stem: f32) -> Option<Line> {
        let text = tidy(self.text(row));
        // Text that could not be decoded is told by the page's note, not by rows of replacement characters.
        if text.chars().all(|c| matches!(c, '\u{FFFD}' | ' ')) {
            return None;
        }
        let look = self.main_look(row);
        let ((ax, ay), (bx, by)) = (
            self.frames.to_page(row.frame, row.u0, row.v - ASCENT * look.size),
            self.frames.to_page(row.frame, row.u1, row.v + row.depth + DESCENT * look.size),
        );
        let font = self.fonts.look(look.face);
        let stem = font.map_or(0.0, |f| f.stem);
        Some(Line {
            text,
            x0: ax.min(bx),
            y0: ay.min(by),
            x1: ax.max(bx),
            y1: ay.max(by),
            size: look.size,
            relative_size: 1.0,
            bold: font.is_some_and(|f| f.bold) || body_stem > 0.0 && stem >= BOLD_STEM * body_stem,
            italic: font.is_some_and(|f| f.italic),
            small_caps: look.small_caps,
            color: look.color,
            font: font.map(|f| f.name.clone()).unwrap_or_default(),
            starts_block: false,
            furniture: look.artifact || row.aside,
            column: 1,
            space_above: None,
            tag: None,
        })
    }

    fn text(&self, row: &Row) -> String {
        let texts = Texts { fonts: self.fonts.strings(), page: &self.sheet.strings };
        let pieces = || row.pieces.iter().filter_map(|i| self.pieces.get(*i as usize));
        if pieces().any(|p| p.rtl) {
            let placed = |glyph: &Glyph| Placed { u: self.frames.to_frame(row.frame, glyph.x, glyph.y).0, glyph: *glyph };
            return bidi::row_text(pieces().flat_map(|p| self.glyphs(p)).map(placed), texts);
        }
        if !row.cells.is_empty() {
            let cells: Vec<String> = row.cells.iter().map(|c| self.cell_text(c)).filter(|t| !t.is_empty()).collect();
            return cells.join("  ");
        }
        let mut text = String::new();
        let mut cell = String::new();
        let mut end = f32::NEG_INFINITY;
        for piece in pieces() {
            cell.clear();
            write_text(self.glyphs(piece), texts, &mut cell);
            if !text.is_empty() && !cell.is_empty() {
                let gap = (piece.u0 - end) / piece.size.max(0.1);
                text.push_str(if gap < WORD_GAP { word_separator(&text, &cell, gap) } else { separator(&text, &cell) });
            }
            text.push_str(&cell);
            end = end.max(piece.u1);
        }
        text
    }

    fn glyphs(&self, piece: &Piece) -> &[Glyph] {
        self.sheet.glyphs.get(piece.first as usize..=piece.last as usize).unwrap_or(&[])
    }

    /// Style of most glyphs of a row.
    fn main_look(&self, row: &Row) -> MainLook {
        let mut votes: Vec<(u16, u32, u32)> = Vec::new();
        for glyph in row.pieces.iter().filter_map(|i| self.pieces.get(*i as usize)).flat_map(|p| self.glyphs(p)) {
            if glyph.text.is_empty() {
                continue;
            }
            // Hundredths of a point tell sizes apart well enough.
            let size = (glyph.size * 100.0).round() as u32;
            match votes.iter_mut().rev().take(16).find(|(style, s, _)| *style == glyph.style && *s == size) {
                Some(vote) => vote.2 += 1,
                None => votes.push((glyph.style, size, 1)),
            }
        }
        let (style, size, _) = votes.into_iter().max_by_key(|(_, _, count)| *count).unwrap_or_default();
        let style = self.sheet.styles.get(usize::from(style)).copied();
        MainLook {
            size: size as f32 / 100.0,
            face: style.map_or(u32::MAX, |s| s.face),
            color: style.map_or(0, |s| s.color),
            small_caps: style.is_some_and(|s| s.small_caps),
            artifact: style.is_some_and(|s| s.artifact),
        }
    }

    /// Stem thickness of the font that most of the page is set in; 0 when unknown.
    fn body_stem(&self) -> f32 {
        let mut counts: HashMap<u16, u32> = HashMap::new();
        for piece in self.pieces {
            if let Some(glyph) = self.sheet.glyphs.get(piece.first as usize) {
                *counts.entry(glyph.style).or_default() += piece.count;
            }
        }
        let most = counts.into_iter().max_by_key(|(style, count)| (*count, *style)).map(|(style, _)| style);
        let face = most.and_then(|s| self.sheet.styles.get(usize::from(s))).map(|s| s.face);
        face.and_then(|f| self.fonts.look(f)).map_or(0.0, |l| l.stem)
    }
}

struct MainLook {
    size: f32,
    face: u32,
    color: u32,
    small_caps: bool,
    artifact: bool,
}

/// The step (in em) from which on a line starts a block whatever the step before was, judged by the usual step of the page, so that not
/// every line of a double-spaced page is a block of its own.
fn wide_step(rows: &[Row]) -> f32 {
    let mut steps: Vec<f32> = rows
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] if a.frame == b.frame && a.u0 < b.u1 && b.u0 < a.u1 => Some((b.v - a.v) / a.size.max(b.size).max(0.1)),
            _ => None,
        })
        .filter(|step| (0.5..=2.0 * WIDEST_USUAL).contains(step))
        .collect();
    if steps.len() < FEWEST_STEPS {
        return WIDE_STEP;
    }
    let middle = steps.len() / 2;
    let usual = *steps.select_nth_unstable_by(middle, f32::total_cmp).1;
    if usual <= WIDEST_USUAL { WIDE_STEP.max(WIDER_THAN_USUAL * usual) } else { WIDE_STEP }
}

fn starts_block(last: &Row, row: &Row, step: f32, last_step: f32, wide: f32) -> bool {
    let size = last.size.max(row.size);
    last.frame != row.frame
        || step < -0.3 * size
        || step > wide * size
        || last_step > 0.0 && step > WIDER_STEP * last_step && step > size
        || size > SIZE_CHANGE * last.size.min(row.size) && step > 0.5 * size
        || row.u0 > last.u1
        || row.u1 < last.u0
}

/// What stands between two pieces so near to each other that they are no cells, but drawn out of order. Figures are kept apart.
fn word_separator(before: &str, piece: &str, gap: f32) -> &'static str {
    let figures = before.ends_with(|c: char| c.is_ascii_digit()) && piece.starts_with(|c: char| c.is_ascii_digit());
    match (figures, gap > SPACE_GAP) {
        (true, true) => "  ",
        // They stand over one another: numbers of lines that were set aside.
        (true, false) if gap < -SPACE_GAP => "  ",
        (false, true) => " ",
        (_, false) => "",
    }
}

/// Appends the next line of a cell: ideographs without a space, a cut word without its hyphen where what follows is no
/// word but an ending.
fn push_line(text: &mut String, next: &str) {
    let (last, first) = (text.chars().next_back().unwrap_or(' '), next.chars().next().unwrap_or(' '));
    let head = text.strip_suffix(['-', '\u{2010}', '\u{AD}']).and_then(|head| head.rsplit(|c: char| !c.is_alphabetic()).next());
    match head.filter(|head| !head.is_empty() && first.is_lowercase()) {
        Some(head) => {
            let tail = next.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
            if last == '\u{AD}' || guess(head, tail) == Guess::Ending {
                text.pop();
            }
        }
        None if is_cjk(last) && is_cjk(first) => {}
        None => text.push(' '),
    }
    text.push_str(next);
}

/// What stands between two cells: a currency sign or an opening bracket keeps to the figure after it, a closing one to that before.
fn separator(before: &str, cell: &str) -> &'static str {
    let sign = before.rsplit("  ").next().unwrap_or(before);
    if matches!(cell, ")" | "%" | ")%" | "%)") {
        ""
    } else if matches!(sign, "$" | "€" | "£" | "¥" | "US$" | "$ (" | "(") {
        " "
    } else {
        "  "
    }
}

/// The text of a page: one visual line a line, blocks set apart by an empty line.
pub(crate) fn page_text(lines: &[Line]) -> String {
    let mut text = String::with_capacity(lines.iter().map(|l| l.text.len() + 2).sum());
    for line in lines {
        if !text.is_empty() {
            text.push_str(if line.starts_block { "\n\n" } else { "\n" });
        }
        text.push_str(&line.text);
    }
    text
}
