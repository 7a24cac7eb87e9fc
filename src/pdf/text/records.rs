//! Rows of several lines: wrapped labels and cells, and heads above their columns.

use super::cells::{Cell, Kind, Part, Word};
use super::columns::Column;
use super::rows::Row;
use super::spacing::is_cjk;
use super::tables::TableLine;

/// Lines of one cell are at most this far apart (in em).
const CELL_PITCH: f32 = 1.6;
/// Lines of one cell are closer to each other than rows by this factor, where rows are set apart.
const TIGHTER: f32 = 0.87;
/// More lines than this are no cell of a table.
const MOST_LINES: usize = 12;
/// Lines of one cell differ in size by less than this factor.
const SAME_SIZE: f32 = 1.1;
/// A label that goes on in the next line has at least this share of its column's width.
const LONG: f32 = 0.5;
/// What a line might have had room for (in em) without taking the next word.
const ROOM: f32 = 0.6;

/// Puts the lines of each row together, in its first one; the others are marked as gone.
pub(super) fn join(rows: &mut [Row], lines: &[TableLine], columns: &[Column], gone: &mut [bool]) {
    let Some(body) = lines.iter().position(is_body) else {
        return join_texts(rows, lines, columns, gone);
    };
    if let Some((from, to)) = head_lines(lines, columns, body) {
        merge(rows, lines.get(from..to).unwrap_or_default(), gone);
    }
    // Prose beside a few figures is no table.
    let with_figures = lines.iter().filter(|l| has_figure_cells(l)).count();
    if is_list(lines, columns) || with_figures * 4 < lines.len() {
        return;
    }
    let records = Records::of(lines, columns, body);
    let mut from = 0;
    while from < lines.len() {
        // Lines of the head were told before; only a label right above the body may go on in it.
        let to = if from + MOST_LINES < body { from + 1 } else { records.end(from) };
        if to > from + 1 {
            merge(rows, lines.get(from..to).unwrap_or_default(), gone);
        }
        from = to.max(from + 1);
    }
}

/// Whether a line has figures under the heads of a table; years may be heads themselves.
fn is_body(line: &TableLine) -> bool {
    let has_figures = line.words.iter().any(|w| matches!(w.kind, Kind::Number | Kind::Dash));
    line.regular && has_figures && has_figure_cells(line)
}

fn has_figure_cells(line: &TableLine) -> bool {
    line.cells.iter().any(|c| c.figure && c.columns.0 > 0)
}

fn ends_with_figures(line: &TableLine) -> bool {
    let is_figure = |w: &Word| {
        let core = w.text.trim_matches(|c: char| !c.is_alphanumeric());
        !core.is_empty() && core.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '/' | '-'))
    };
    let mut back = line.words.iter().rev();
    back.next().is_some_and(|last| is_figure(last) && (last.text.contains('/') || back.next().is_some_and(is_figure)))
}

/// Whether the rows are entries of a list: a number or bullet before each, or a page number after it.
pub(super) fn is_list(lines: &[TableLine], columns: &[Column]) -> bool {
    let figures: Vec<&Column> = columns.iter().skip(1).filter(|c| c.figures).collect();
    if figures.len() > 1 || columns.len() > 2 && !figures.is_empty() && columns.last().is_none_or(|c| !c.figures) {
        return false;
    }
    let last = u16::try_from(columns.len() - 1).unwrap_or(u16::MAX);
    let in_last = lines.iter().flat_map(|l| l.cells.iter().filter(move |c| c.columns == (last, last)).map(move |c| (l, c)));
    in_last.into_iter().all(|(line, cell)| {
        let mut words = words_of(line, cell);
        let page = words.next().is_some_and(|w| w.text.len() <= 4 && w.text.bytes().all(|b| b.is_ascii_digit()));
        !cell.figure || page && words.next().is_none()
    })
}

fn words_of<'l>(line: &'l TableLine, cell: &'l Cell) -> impl Iterator<Item = &'l Word> {
    line.words.iter().filter(|w| w.u0 >= cell.u0 && w.u1 <= cell.u1)
}

/// The lines that are the heads of single columns, each of several lines.
fn head_lines(lines: &[TableLine], columns: &[Column], body: usize) -> Option<(usize, usize)> {
    let numbers = |l: &&TableLine| l.words.iter().any(|w| w.kind == Kind::Number) && is_body(l);
    if lines.iter().filter(numbers).count() < 2 {
        return None;
    }
    let over_figures = |c: &Cell| columns.get(usize::from(c.columns.0)).is_some_and(|c| c.figures);
    let only_label = |line: &TableLine| line.cells.iter().all(|c| c.columns.1 == 0);
    let mut to = body;
    while to > 0 && lines.get(to - 1).is_some_and(only_label) {
        to -= 1;
    }
    // A line that says the same of all columns ("$m  $m") stays a line of its own.
    if lines.get(to.checked_sub(1)?).is_some_and(says_the_same) {
        to -= 1;
    }
    let mut from = to;
    let mut labels = 0;
    while let Some(line) = from.checked_sub(1).and_then(|i| lines.get(i)) {
        let single = line.regular && line.cells.iter().all(|c| c.columns.0 == c.columns.1);
        let near =
            lines.get(from).filter(|_| from < to).is_none_or(|below| below.v - line.v < CELL_PITCH * line.size.max(below.size));
        labels += usize::from(line.cells.iter().any(|c| c.columns.0 == 0));
        if !single
            || !near
            || labels > 1
            || !line.cells.iter().any(over_figures) && !is_between(lines, from)
            || to - from >= MOST_LINES
        {
            break;
        }
        from -= 1;
    }
    // Years that share a head above them ("Years ended June 30,") are under as many lines each.
    let lines_over = |column: u16, from: usize| {
        lines.get(from..to).unwrap_or_default().iter().filter(|l| l.cells.iter().any(|c| c.columns.0 == column)).count()
    };
    let years: Vec<u16> = lines.get(to - 1)?.cells.iter().filter(|c| c.figure && c.columns.0 > 0).map(|c| c.columns.0).collect();
    while from < to
        && years.iter().any(|year| years.first().is_some_and(|first| lines_over(*year, from) != lines_over(*first, from)))
    {
        from += 1;
    }
    (to > from + 1).then_some((from, to))
}

/// Puts the lines of wrapped cells together in a table of words, where its rows are set apart and more than one cell is wrapped.
fn join_texts(rows: &mut [Row], lines: &[TableLine], columns: &[Column], gone: &mut [bool]) {
    let step = |at: usize| match (at.checked_sub(1).and_then(|b| lines.get(b)), lines.get(at)) {
        (Some(a), Some(b)) => b.v - a.v,
        _ => f32::INFINITY,
    };
    let closest = (1..lines.len()).map(step).filter(|s| *s > 0.0).fold(f32::INFINITY, f32::min);
    let is_item = |line: &TableLine| {
        line.words.first().is_some_and(|w| w.text.chars().count() <= 2 || w.text.ends_with(['.', ')']) && w.text.len() <= 5)
    };
    if columns.iter().any(|c| c.figures) || lines.iter().filter(|l| is_item(l)).count() * 3 > lines.len() {
        return;
    }
    let records = Records::of(lines, columns, 0);
    let mut from = 0;
    while from < lines.len() {
        let mut to = from + 1;
        while to < lines.len() && step(to) < closest / TIGHTER {
            to += 1;
        }
        let group = lines.get(from..to).unwrap_or_default();
        let apart = from == 0 || step(from) > closest / TIGHTER;
        let size = group.iter().map(|l| l.size).fold(0.0, f32::max);
        let sound =
            group.iter().all(|l| l.regular && l.cells.iter().all(|c| c.columns.0 == c.columns.1)) && closest < CELL_PITCH * size;
        let wrapped = |column: &u16| group.iter().filter(|l| l.cells.iter().any(|c| c.columns.0 == *column)).count() > 1;
        let first_has_all = group
            .first()
            .is_some_and(|first| group.iter().flat_map(|l| &l.cells).all(|c| first.cells.iter().any(|f| f.columns == c.columns)));
        let whole = group.len() > 1 && group.len() <= MOST_LINES && group.len() < lines.len();
        if whole
            && apart
            && sound
            && first_has_all
            && records.are_texts(from, to)
            && (0u16..).take(columns.len()).filter(wrapped).count() > 1
        {
            merge(rows, group, gone);
        }
        from = to;
    }
}

/// Whether the line before this one stands at the height of a head of more than one line, as one that is set to its middle.
fn is_between(lines: &[TableLine], at: usize) -> bool {
    let near = |a: usize, b: usize| match (lines.get(a), lines.get(b)) {
        (Some(a), Some(b)) => b.v - a.v < 0.9 * a.size.min(b.size),
        _ => false,
    };
    at >= 1 && near(at - 1, at) || at >= 2 && near(at - 2, at - 1)
}

fn says_the_same(line: &TableLine) -> bool {
    let mut texts = line.cells.iter().map(|c| words_of(line, c).map(|w| w.text.as_str()).collect::<Vec<_>>());
    let Some(first) = texts.next() else { return false };
    line.cells.len() > 1 && texts.all(|t| t == first)
}

/// What tells which lines belong to one row.
struct Records<'l> {
    lines: &'l [TableLine],
    body: usize,
    /// How far to the right each column goes.
    bounds: Vec<f32>,
    starts: Vec<f32>,
    /// Usual step between two rows with figures.
    row_step: Option<f32>,
    /// Whether the table has figures at all.
    figures: bool,
}

impl<'l> Records<'l> {
    fn of(lines: &'l [TableLine], columns: &[Column], body: usize) -> Self {
        let mut bounds: Vec<f32> = vec![f32::NEG_INFINITY; columns.len()];
        for line in lines.iter().filter(|l| l.regular) {
            for cell in line.cells.iter().filter(|c| c.columns.0 == c.columns.1) {
                if let Some(bound) = bounds.get_mut(usize::from(cell.columns.0)) {
                    *bound = bound.max(cell.u1);
                }
            }
        }
        // A heading that runs under the figures is no measure of the labels.
        for at in 0..bounds.len() {
            let limit = columns.get(at + 1).map_or(f32::INFINITY, |next| next.u0);
            if let Some(bound) = bounds.get_mut(at) {
                *bound = bound.min(limit);
            }
        }
        let mut steps: Vec<f32> = lines
            .windows(2)
            .filter_map(|pair| match pair {
                [a, b] if has_figure_cells(a) && has_figure_cells(b) => Some(b.v - a.v),
                _ => None,
            })
            .collect();
        let middle = steps.len() / 2;
        let row_step = (!steps.is_empty()).then(|| *steps.select_nth_unstable_by(middle, f32::total_cmp).1);
        let figures = columns.iter().skip(1).any(|c| c.figures);
        Self { lines, body, bounds, starts: columns.iter().map(|c| c.u0).collect(), row_step, figures }
    }

    /// The line after the last one of the row that starts here.
    fn end(&self, from: usize) -> usize {
        let mut to = from + 1;
        while to < self.lines.len() && to - from < MOST_LINES && self.goes_on(from, to) {
            to += 1;
        }
        let group = self.lines.get(from..to).unwrap_or_default();
        // Lines without figures are a row only together with those that have some.
        let whole = group.iter().any(has_figure_cells) && (from >= self.body || to > self.body);
        if whole { to } else { from + 1 }
    }

    /// Whether the line at `to` belongs to the row of those from `from` on.
    fn goes_on(&self, from: usize, to: usize) -> bool {
        let (Some(group), Some(line)) = (self.lines.get(from..to), self.lines.get(to)) else { return false };
        let Some(above) = group.last() else { return false };
        let step = line.v - above.v;
        let sound = |l: &TableLine| l.regular && l.cells.iter().all(|c| c.columns.0 == c.columns.1);
        if !self.figures || !sound(line) || !group.iter().all(sound) || step > CELL_PITCH * line.size.max(above.size) {
            return false;
        }
        // A line of words that ends with figures, such as a date, may be a row of its own.
        if group.iter().chain([line]).any(|l| !has_figure_cells(l) && ends_with_figures(l)) {
            return false;
        }
        let own_figures = has_figure_cells(line);
        if own_figures && group.iter().any(has_figure_cells) {
            return false;
        }
        let mut shared = false;
        for cell in &line.cells {
            let over = group.iter().rev().find_map(|l| l.cells.iter().find(|c| c.columns == cell.columns).map(|c| (l, c)));
            match over {
                Some((upper, known)) if !cell.figure && !known.figure => {
                    if !self.continues(upper, known, line, cell, self.is_tight(from, to)) {
                        return false;
                    }
                    shared = true;
                }
                Some(_) => return false,
                // New columns come with the figures, under a label that goes on.
                None if own_figures || cell.columns.0 > 0 && group.iter().all(|l| l.cells.iter().all(|c| c.columns.0 == 0)) => {}
                None => return false,
            }
        }
        shared
    }

    /// Whether each cell of these lines goes on in those under it, and most of these do not start like a new text.
    fn are_texts(&self, from: usize, to: usize) -> bool {
        let (mut lower, mut all) = (0, 0);
        for at in from + 1..to {
            let (Some(group), Some(line)) = (self.lines.get(from..at), self.lines.get(at)) else { return false };
            for cell in &line.cells {
                let over = group.iter().rev().find_map(|l| l.cells.iter().find(|c| c.columns == cell.columns).map(|c| (l, c)));
                if !over.is_some_and(|(upper, known)| self.continues(upper, known, line, cell, true)) {
                    return false;
                }
                all += 1;
                lower += usize::from(
                    words_of(line, cell).next().is_some_and(|w| w.text.starts_with(|c: char| c.is_lowercase() || is_cjk(c))),
                );
            }
        }
        // Where every line has all cells, they may as well be rows.
        let ends_early = self.lines.get(from).zip(self.lines.get(to - 1)).is_some_and(|(a, b)| b.cells.len() < a.cells.len());
        lower == all || ends_early && lower * 2 >= all
    }

    /// Whether a line is nearer to the one above than rows are to each other.
    fn is_tight(&self, from: usize, to: usize) -> bool {
        let step = |at: usize| match (at.checked_sub(1).and_then(|b| self.lines.get(b)), self.lines.get(at)) {
            (Some(a), Some(b)) => b.v - a.v,
            _ => 0.0,
        };
        let apart = self.row_step.unwrap_or_else(|| step(from).max((to + 1..to + MOST_LINES).map(step).fold(0.0, f32::max)));
        step(to) < TIGHTER * apart
    }

    /// Whether a cell goes on in a cell below.
    fn continues(&self, upper: &TableLine, known: &Cell, line: &TableLine, cell: &Cell, tight: bool) -> bool {
        let (Some(last), Some(first)) = (words_of(upper, known).last(), words_of(line, cell).next()) else { return false };
        let column = usize::from(cell.columns.0);
        let (Some(bound), Some(start)) = (self.bounds.get(column), self.starts.get(column)) else { return false };
        let ends = last.text.ends_with([':', '：']) || last.text.ends_with('.') && !tight;
        if ends || words_of(upper, known).any(Word::ends_with_leader) {
            return false;
        }
        let alike = upper.size.max(line.size) < SAME_SIZE * upper.size.min(line.size) && (column > 0 || upper.style == line.style);
        if !alike {
            return false;
        }
        // A line that starts further out is a new entry.
        if column == 0 && cell.u0 < known.u0 - 0.3 * line.size {
            return false;
        }
        let c = first.text.chars().next().unwrap_or(' ');
        let ideographs = is_cjk(c) && last.text.chars().next_back().is_some_and(is_cjk);
        let need = if ideographs { line.size } else { first.u1 - first.u0 + 0.25 * line.size };
        let full = known.u1 + need > bound - ROOM * line.size;
        let runs_on = c.is_lowercase()
            || last.text.ends_with([',', '-', '\u{2010}', '\u{AD}'])
            || matches!(last.text.as_str(), "and" | "of" | "the" | "to" | "for" | "in" | "or");
        let pitch = self.row_step.is_none_or(|row| line.v - upper.v < 1.2 * row);
        if runs_on && pitch {
            return full || known.u1 - start > LONG * (bound - start);
        }
        full && (tight || ideographs && pitch)
    }
}

/// Puts lines into the first of them, cell by cell.
fn merge(rows: &mut [Row], lines: &[TableLine], gone: &mut [bool]) {
    let Some((first, more)) = lines.split_first() else { return };
    let mut cells: Vec<Cell> = first.cells.clone();
    for line in more {
        for cell in &line.cells {
            match cells.iter_mut().find(|c| c.columns == cell.columns) {
                Some(known) => {
                    known.parts.extend(cell.parts.iter().map(|part| Part { glued: false, ..*part }));
                    known.u0 = known.u0.min(cell.u0);
                    known.u1 = known.u1.max(cell.u1);
                    known.figure &= cell.figure;
                }
                None => cells.push(cell.clone()),
            }
        }
    }
    cells.sort_by_key(|c| c.columns);
    let taken: Vec<Row> = more.iter().filter_map(|line| rows.get(line.row).cloned()).collect();
    for line in more {
        if let Some(gone) = gone.get_mut(line.row) {
            *gone = true;
        }
    }
    let Some(row) = rows.get_mut(first.row) else { return };
    let top = row.v;
    let mut table = row.table;
    for other in taken {
        row.absorb(&other);
        table = table.max(other.table);
        row.depth = row.depth.max(other.v - top);
    }
    row.v = top;
    row.cells = cells;
    row.table = table;
}
