//! Tables: rows whose cells stand one under the other over several rows. Their cells are told apart where they are set close, the lines of
//! wrapped labels and heads are put together, and what stands in each column is known.

use std::ops::Range;

use super::cells::{Cell, Kind, TOUCHING, WORD_GAP, Word, cells_of};
use super::columns::{Column, columns_of};
use super::frames::Frames;
use super::glyphs::{Glyph, Texts};
use super::pieces::{CELL_GAP, Piece, SPACE_GAP};
use super::rows::Row;
use super::{justified, records};

/// A next row of the same table is at most this far down (in em).
const ROW_PITCH: f32 = 4.5;
/// Rows without cells between those that have some: lines of a label, a heading between rows.
const BARE_ROWS: usize = 4;
/// A line of text between two tables has at least this many characters.
const TEXT_CHARS: u32 = 30;
/// It is so much further from the rows above it than these are from each other.
const SET_APART: f32 = 1.5;
/// Rows of one table differ in size by less than this factor.
const SAME_SIZE: f32 = 1.6;
/// Rows looked at together.
const MOST_ROWS: usize = 300;
/// Pieces of one row; more are a drawing.
const MOST_PIECES: usize = 100;
/// Figures of a column end, and its words start, within this of each other (in em).
const ALIGNED: f32 = 0.15;
/// Other rows that must have a figure at the same place before two words close to each other are two cells.
const WITNESSES: usize = 2;
/// The dash of a range is at most this far from its numbers (in em).
const RANGE_GAP: f32 = 0.6;
/// Gaps between typed words are all the same; those between cells differ by this (in em).
const VARIED: f32 = 0.15;

/// One row of what may be a table.
#[derive(Debug)]
pub(super) struct TableLine {
    /// Its place among the rows of the page.
    pub(super) row: usize,
    pub(super) words: Vec<Word>,
    pub(super) cells: Vec<Cell>,
    /// Whether each cell has a column of its own.
    pub(super) regular: bool,
    pub(super) v: f32,
    pub(super) size: f32,
    /// Style of its first glyph.
    pub(super) style: u16,
}

impl TableLine {
    /// Whether a word and the one before it are parts of a range ("12 – 15").
    fn in_range(&self, index: usize) -> bool {
        let at = |i: Option<usize>| i.and_then(|i| self.words.get(i));
        let is_number = |w: Option<&Word>| w.is_some_and(|w| matches!(w.kind, Kind::Number | Kind::Year));
        let Some(word) = at(Some(index)) else { return false };
        let dash = if word.kind == Kind::Dash { Some(index) } else { index.checked_sub(1) };
        let (before, sign, after) = (at(dash.and_then(|i| i.checked_sub(1))), at(dash), at(dash.map(|i| i + 1)));
        sign.is_some_and(|s| s.kind == Kind::Dash && s.gap < RANGE_GAP)
            && after.is_some_and(|w| w.gap < RANGE_GAP)
            && is_number(before)
            && is_number(after)
    }
}

/// What the table stage looks at.
#[derive(Clone, Copy)]
pub(super) struct Page<'p> {
    pub(super) pieces: &'p [Piece],
    pub(super) glyphs: &'p [Glyph],
    pub(super) frames: &'p Frames,
    pub(super) texts: Texts<'p>,
}

/// Shapes the rows of all tables of a page; the order of the rows stays.
pub(super) fn shape(mut rows: Vec<Row>, page: Page<'_>) -> Vec<Row> {
    let mut gone = vec![false; rows.len()];
    let mut table = 0;
    for run in runs(&rows, page.pieces) {
        table += 1;
        shape_run(&mut rows, run, page, table, &mut gone);
    }
    justified::close_gaps(&mut rows, page);
    let mut gone = gone.into_iter();
    rows.retain(|_| !gone.next().unwrap_or(false));
    rows
}

/// Stretches of rows, one under the other, that may be tables.
fn runs(rows: &[Row], pieces: &[Piece]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    let mut first: Option<usize> = None;
    let mut last = 0;
    let mut celled = 0;
    // Whether a row with more than one cell was seen.
    let mut tabular = false;
    // Where the last cell of the last row with cells starts.
    let mut last_cell = f32::INFINITY;
    // Least step to a row with cells.
    let mut pitch = f32::INFINITY;
    let mut close = |start: usize, first: Option<usize>, end: usize, celled: usize| {
        if let Some(first) = first.filter(|_| celled > 1) {
            found.push(start.max(first.saturating_sub(BARE_ROWS))..end);
        }
    };
    for (at, row) in rows.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|b| rows.get(b));
        let follows = before.is_some_and(|before| may_follow(before, row) || !tabular && is_beside(before, row));
        let shaped = is_shaped(row, pieces);
        // A line of text under all columns, or set apart from the rows above, parts two tables.
        let step = before.map_or(0.0, |b| row.v - b.v);
        let parts = !shaped && row.count >= TEXT_CHARS && (row.u1 > last_cell || step > SET_APART * pitch);
        if !follows || parts || at - start >= MOST_ROWS || first.is_some() && at - last > BARE_ROWS + 1 {
            close(start, first, at.min(last + BARE_ROWS + 1), celled);
            (start, first, celled, tabular) = (if follows { start.max(last + 1) } else { at }, None, 0, false);
            if parts || at - start >= MOST_ROWS {
                start = at;
            }
            (last_cell, pitch) = (f32::INFINITY, f32::INFINITY);
        }
        if shaped {
            first = first.or(Some(at));
            last = at;
            celled += 1;
            if first < Some(at) {
                pitch = pitch.min(step);
            }
            tabular |= row.pieces.len() > 1;
            if let Some(piece) = row.pieces.last().and_then(|i| pieces.get(*i as usize)).filter(|_| row.pieces.len() > 1) {
                last_cell = piece.u0;
            }
        }
    }
    close(start, first, rows.len().min(last + BARE_ROWS + 1), celled);
    found
}

fn may_follow(before: &Row, row: &Row) -> bool {
    let size = before.size.max(row.size);
    let step = row.v - before.v;
    before.frame == row.frame
        && before.added == row.added
        && !before.aside
        && !row.aside
        && step > 0.3 * size
        && step < ROW_PITCH * size
        && size < SAME_SIZE * before.size.min(row.size)
}

/// Whether a row is the head of a next column, drawn after a head of several lines.
fn is_beside(before: &Row, row: &Row) -> bool {
    let size = before.size.max(row.size);
    before.frame == row.frame
        && before.added == row.added
        && !before.aside
        && !row.aside
        && (row.v - before.v).abs() < ROW_PITCH * size
        && size < SAME_SIZE * before.size.min(row.size)
        && (before.u1 < row.u0 || row.u1 < before.u0)
}

/// Whether a row has cells, or figures enough that it may have some.
fn is_shaped(row: &Row, pieces: &[Piece]) -> bool {
    if row.pieces.len() > MOST_PIECES {
        return false;
    }
    let mut end = f32::INFINITY;
    row.pieces.iter().filter_map(|i| pieces.get(*i as usize)).any(|p| {
        let wide = p.u0 - end > WORD_GAP * p.size;
        end = if end.is_finite() { end.max(p.u1) } else { p.u1 };
        wide
    }) || row.numeric * 4 >= row.count
}

fn shape_run(rows: &mut [Row], run: Range<usize>, page: Page<'_>, table: u32, gone: &mut [bool]) {
    let mut lines: Vec<TableLine> = Vec::with_capacity(run.len());
    for at in run {
        let Some(row) = rows.get(at) else { continue };
        let rtl = row.pieces.iter().filter_map(|i| page.pieces.get(*i as usize)).any(|p| p.rtl);
        let Some(words) = row.words(page.pieces, page.glyphs, page.frames, page.texts).filter(|w| !rtl && !w.is_empty()) else {
            continue;
        };
        let style = words.first().and_then(|w| page.glyphs.get(w.first as usize)).map_or(0, |g| g.style);
        lines.push(TableLine { row: at, words, cells: Vec::new(), regular: false, v: row.v, size: row.size, style });
    }
    lines.sort_by(|a, b| a.v.total_cmp(&b.v));
    let Some(size) = usual_size(&lines) else { return };
    let anchors = Anchors::of(&lines);
    for at in 0..lines.len() {
        let cells = lines.get(at).map(|line| cells_of(&line.words, |index| anchors.cuts(line, at, index)));
        if let (Some(line), Some(cells)) = (lines.get_mut(at), cells) {
            line.cells = cells;
        }
    }
    let columns = columns_of(&mut lines, size);
    if let Some(columns) = &columns {
        split_heads(&mut lines, columns, size);
    }
    for line in &lines {
        let Some(row) = rows.get_mut(line.row) else { continue };
        if line.cells.len() > 1 || line.cells.iter().flat_map(|c| &c.parts).any(|p| p.glued) {
            row.cells.clone_from(&line.cells);
            row.table = if line.regular { table } else { 0 };
        }
    }
    let Some(columns) = &columns else {
        return without_grid(rows, &lines);
    };
    records::join(rows, &lines, columns, gone);
    let kept = |line: &&TableLine| !gone.get(line.row).copied().unwrap_or(true);
    let regular: Vec<&Row> =
        lines.iter().filter(kept).filter_map(|l| rows.get(l.row)).filter(|r| r.table == table && r.cells.len() > 1).collect();
    if records::is_list(&lines, columns) || !misses_cells(&regular, columns) {
        without_grid(rows, &lines);
    }
}

fn without_grid(rows: &mut [Row], lines: &[TableLine]) {
    for line in lines {
        if let Some(row) = rows.get_mut(line.row) {
            row.table = 0;
        }
    }
}

fn usual_size(lines: &[TableLine]) -> Option<f32> {
    let mut sizes: Vec<f32> = lines.iter().map(|l| l.size).collect();
    let middle = sizes.len() / 2;
    if sizes.is_empty() {
        return None;
    }
    Some(sizes.select_nth_unstable_by(middle, f32::total_cmp).1.max(0.1))
}

/// Words of a run that stand where a cell may start or end.
struct Anchors {
    /// Right edges of figures, with the line and the gap before each.
    figures: Vec<Anchor>,
    /// Left edges of words after a wide gap.
    words: Vec<Anchor>,
    /// Left edges of all words but the first of a line.
    starts: Vec<Anchor>,
    /// Lines with figures.
    lines: usize,
}

#[derive(Clone, Copy)]
struct Anchor {
    u: f32,
    line: usize,
    gap: f32,
}

/// What stands at one place in other lines.
#[derive(Clone, Copy)]
struct Seen {
    lines: usize,
    narrowest: f32,
    widest: f32,
}

impl Seen {
    fn varied(&self, own: f32) -> bool {
        self.widest.max(own) - self.narrowest.min(own) > VARIED
    }
}

impl Anchors {
    fn of(lines: &[TableLine]) -> Self {
        let mut found = Self { figures: Vec::new(), words: Vec::new(), starts: Vec::new(), lines: 0 };
        for (at, line) in lines.iter().enumerate() {
            let before = found.figures.len();
            for word in &line.words {
                if word.gap.is_finite() {
                    found.starts.push(Anchor { u: word.u0, line: at, gap: word.gap });
                }
                if word.kind.is_figure() {
                    found.figures.push(Anchor { u: word.edge, line: at, gap: word.gap });
                    if word.u1 - word.edge > ALIGNED * line.size {
                        found.figures.push(Anchor { u: word.u1, line: at, gap: word.gap });
                    }
                } else if word.leads && word.gap > WORD_GAP {
                    found.words.push(Anchor { u: word.u0, line: at, gap: word.gap });
                }
            }
            found.lines += usize::from(found.figures.len() > before);
        }
        found.figures.sort_by(|a, b| a.u.total_cmp(&b.u));
        found.words.sort_by(|a, b| a.u.total_cmp(&b.u));
        found.starts.sort_by(|a, b| a.u.total_cmp(&b.u));
        found
    }

    fn seen(anchors: &[Anchor], u: f32, slack: f32, line: usize) -> Seen {
        let from = anchors.partition_point(|a| a.u < u - slack);
        let mut seen = Seen { lines: 0, narrowest: f32::INFINITY, widest: f32::NEG_INFINITY };
        let mut last = usize::MAX;
        for anchor in anchors.iter().skip(from).take_while(|a| a.u <= u + slack).filter(|a| a.line != line) {
            seen.lines += usize::from(anchor.line != last);
            last = anchor.line;
            seen.narrowest = seen.narrowest.min(anchor.gap);
            seen.widest = seen.widest.max(anchor.gap);
        }
        seen
    }

    fn figures_at(&self, word: &Word, line: &TableLine, at: usize) -> Seen {
        let slack = ALIGNED * line.size;
        let by_edge = Self::seen(&self.figures, word.edge, slack, at);
        let by_end = Self::seen(&self.figures, word.u1, slack, at);
        if by_end.lines > by_edge.lines { by_end } else { by_edge }
    }

    /// Whether a cell starts before a word of a line.
    fn cuts(&self, line: &TableLine, at: usize, index: usize) -> bool {
        let (Some(before), Some(word)) = (index.checked_sub(1).and_then(|i| line.words.get(i)), line.words.get(index)) else {
            return false;
        };
        if before.ends_with_leader() && word.kind.is_figure() {
            return word.leads && word.gap > WORD_GAP || line.words.iter().filter(|w| w.kind.is_figure()).count() > 1;
        }
        if line.in_range(index) {
            return false;
        }
        let after_figure = before.kind.is_figure() || before.kind == Kind::Closing;
        let both_figures = word.kind.is_figure() && after_figure;
        // A currency sign begins a cell where another has ended, or where the figures after such signs stand in a column.
        if word.kind == Kind::Opening {
            let Some(figure) = line.words.get(index + 1).filter(|w| w.kind.is_figure() && word.gap > SPACE_GAP) else {
                return false;
            };
            return after_figure || word.leads && (word.gap > WORD_GAP || self.figures_at(figure, line, at).lines >= WITNESSES);
        }
        if word.leads
            && (word.gap > CELL_GAP || word.gap > WORD_GAP && !word.continues_group(before) || both_figures && word.gap > SPACE_GAP)
        {
            return true;
        }
        // The number or bullet of an item is a part of it.
        let item = index == 1 && (before.kind.is_figure() || before.text.chars().count() == 1);
        let only_figures = || line.words.iter().all(|w| w.kind != Kind::Text);
        if word.gap < TOUCHING || word.gap < SPACE_GAP && !both_figures || word.typed && !both_figures || item && !only_figures() {
            return false;
        }
        if word.kind.is_figure() {
            let seen = self.figures_at(word, line, at);
            if both_figures {
                let known = before.kind == Kind::Closing || self.figures_at(before, line, at).lines >= WITNESSES;
                let aligned = seen.lines >= WITNESSES && known;
                return aligned
                    && !word.continues_group(before)
                    && (!word.typed || seen.widest > CELL_GAP && seen.varied(word.gap));
            }
            let most = |seen: Seen| seen.lines >= WITNESSES && seen.varied(word.gap) && (seen.lines + 1) * 5 >= self.lines * 3;
            return before.kind == Kind::Text && (most(seen) || most(Self::seen(&self.starts, word.u0, ALIGNED * line.size, at)));
        }
        if word.kind != Kind::Text || word.text.starts_with(':') || before.text == ":" {
            return false;
        }
        let starts = Self::seen(&self.words, word.u0, ALIGNED * line.size, at).lines >= WITNESSES;
        if before.kind.is_figure() {
            let seen = self.figures_at(before, line, at);
            return starts && seen.lines >= WITNESSES;
        }
        starts && word.gap > 0.35 && word.gap > 1.25 * usual_gap(line, index)
    }
}

/// The gap between words of the piece that a word belongs to.
fn usual_gap(line: &TableLine, index: usize) -> f32 {
    let mut gaps: Vec<f32> =
        line.words.iter().enumerate().filter(|(at, w)| *at != index && !w.leads && w.gap.is_finite()).map(|(_, w)| w.gap).collect();
    if gaps.is_empty() {
        return 0.25;
    }
    let middle = gaps.len() / 2;
    *gaps.select_nth_unstable_by(middle, f32::total_cmp).1
}

/// Cuts lines over the columns whose heads are set so close that they look like one cell.
fn split_heads(lines: &mut [TableLine], columns: &[Column], size: f32) {
    let first_figures = lines.iter().position(|l| l.cells.len() > 1).unwrap_or(0);
    for line in lines.iter_mut().take(first_figures + 1) {
        if line.words.len() < 2 || line.words.len() > 2 * columns.len() || line.cells.len() >= columns.len() {
            continue;
        }
        let cuts: Vec<bool> = (0..line.words.len()).map(|i| i > 0 && parts_heads(line, i, columns, size)).collect();
        let cells = cells_of(&line.words, |i| {
            cuts.get(i).copied().unwrap_or(false) || line.cells.iter().any(|c| line.words.get(i).is_some_and(|w| w.u0 == c.u0))
        });
        // Every column has its head then, or the gap was one between words.
        if cells.len() == columns.len() {
            line.cells = cells;
            line.regular = true;
            for (at, cell) in (0u16..).zip(&mut line.cells) {
                cell.columns = (at, at);
            }
        }
    }
}

fn parts_heads(line: &TableLine, index: usize, columns: &[Column], size: f32) -> bool {
    let (Some(before), Some(word)) = (index.checked_sub(1).and_then(|i| line.words.get(i)), line.words.get(index)) else {
        return false;
    };
    let slack = 2.0 * ALIGNED * size;
    !word.typed
        && columns.windows(2).any(|pair| match pair {
            [left, right] => {
                let starts = (word.u0 - right.u0).abs() < slack || (word.u1 - right.u1).abs() < slack;
                let middle = |u0: f32, u1: f32| (u0 + u1) / 2.0;
                let centred = (middle(word.u0, word.u1) - middle(right.u0, right.u1)).abs() < slack;
                (starts || centred) && before.u1 < right.u0.max(word.u0) && word.u0 > left.u0
            }
            _ => false,
        })
}

/// Whether a row leaves a column empty so that one cannot tell which.
fn misses_cells(rows: &[&Row], columns: &[Column]) -> bool {
    if columns.len() < 3 || columns.iter().any(|c| c.support() < 2) || rows.iter().filter(|r| r.cells.len() > 2).count() < 2 {
        return false;
    }
    let covers = |row: &Row, column: usize| {
        row.cells.iter().any(|c| usize::from(c.columns.0) <= column && column <= usize::from(c.columns.1))
    };
    rows.iter().any(|row| (1..columns.len()).any(|column| !covers(row, column)))
}
