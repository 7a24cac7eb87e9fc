//! Columns of a table: where the cells of its rows stand one under the other.

use super::cells::Cell;
use super::tables::TableLine;

/// Figures of one column end within this (in em) of each other, or share most of their width.
const SAME_EDGE: f32 = 0.6;
/// A cell stands in a column when it shares at least this much with it (in em) ...
const SHARED: f32 = 0.25;
/// ... or this part of its own width.
const SHARED_PART: f32 = 0.3;
/// A cell that shares nothing with any column belongs to one that is at most this far away (in em).
const NEAR: f32 = 1.5;
/// More columns than this are a drawing.
const MOST_COLUMNS: usize = 64;

/// One column.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) u0: f32,
    pub(super) u1: f32,
    /// Whether most of its cells are figures, which stand at its right edge.
    pub(super) figures: bool,
    /// Lines that have a cell in it, each once.
    lines: Vec<usize>,
}

impl Column {
    fn of(line: usize, cell: &Cell) -> Self {
        Self { u0: cell.u0, u1: cell.u1, figures: cell.figure, lines: vec![line] }
    }

    /// Lines that have a cell in it.
    pub(super) fn support(&self) -> usize {
        self.lines.len()
    }

    fn shares_line(&self, other: &Self) -> bool {
        self.lines.iter().any(|line| other.lines.contains(line))
    }

    fn overlap(&self, u0: f32, u1: f32) -> f32 {
        self.u1.min(u1) - self.u0.max(u0)
    }

    fn absorb(&mut self, other: &Self) {
        self.u0 = self.u0.min(other.u0);
        self.u1 = self.u1.max(other.u1);
        for line in &other.lines {
            if !self.lines.contains(line) {
                self.lines.push(*line);
            }
        }
    }
}

/// The columns of these lines, from left to right, and the cells put into them. `None` where the cells form none.
pub(super) fn columns_of(lines: &mut [TableLine], size: f32) -> Option<Vec<Column>> {
    // What comes after the last row with figures are notes.
    let has_figures = |line: &TableLine| line.cells.iter().skip(1).any(|c| c.figure);
    let end = match lines.iter().filter(|l| has_figures(l)).count() {
        0 | 1 => lines.len(),
        _ => lines.iter().rposition(has_figures).map_or(lines.len(), |last| last + 1),
    };
    let celled = || lines.iter().take(end).enumerate().filter(|(_, line)| line.cells.len() > 1);
    let mut columns = figure_columns(celled().flat_map(|(at, line)| line.cells.iter().map(move |c| (at, c))), size)?;
    add_text(&mut columns, celled().flat_map(|(at, line)| line.cells.iter().map(move |c| (at, c))), size);
    // A word with nothing above or below it is the head of a column whose cells stand elsewhere.
    columns.retain(|c| c.figures || c.support() > 1);
    columns.sort_by(|a, b| a.u0.total_cmp(&b.u0));
    if columns.len() < 2 || columns.len() > MOST_COLUMNS {
        return None;
    }
    let mut fitting = 0;
    let mut all = 0;
    for (at, line) in lines.iter_mut().enumerate() {
        line.regular = place(&mut line.cells, &columns, size) && (at < end || line.cells.len() == 1);
        if line.cells.len() > 1 && at < end {
            all += 1;
            fitting += usize::from(line.regular);
        }
    }
    (fitting >= 2 && fitting * 4 >= all * 3).then_some(columns)
}

/// Columns of figures: those that end at the same place, then those that share their width.
fn figure_columns<'c>(cells: impl Iterator<Item = (usize, &'c Cell)>, size: f32) -> Option<Vec<Column>> {
    let mut figures: Vec<Column> = cells.filter(|(_, c)| c.figure).map(|(line, cell)| Column::of(line, cell)).collect();
    figures.sort_by(|a, b| a.u1.total_cmp(&b.u1));
    let mut edges: Vec<Column> = Vec::new();
    for figure in figures {
        match edges.last_mut() {
            Some(last) if figure.u1 - last.u1 < SAME_EDGE * size && !last.shares_line(&figure) => last.absorb(&figure),
            _ => edges.push(figure),
        }
        if edges.len() > 4 * MOST_COLUMNS {
            return None;
        }
    }
    Some(merged(edges, size))
}

/// Merges what shares its width and no line, the best supported first.
fn merged(mut parts: Vec<Column>, size: f32) -> Vec<Column> {
    parts.sort_by(|a, b| b.support().cmp(&a.support()).then((a.u1 - a.u0).total_cmp(&(b.u1 - b.u0))).then(a.u0.total_cmp(&b.u0)));
    let mut columns: Vec<Column> = Vec::new();
    for part in parts {
        let mut over = columns.iter_mut().filter(|c| c.overlap(part.u0, part.u1) > 0.1 * size);
        match (over.next(), over.next()) {
            (None, _) => columns.push(part),
            (Some(column), None) if !column.shares_line(&part) => column.absorb(&part),
            // It spans several columns, or two cells of its line would be one.
            _ => {}
        }
    }
    columns
}

/// Adds columns of words; words over figures belong to these.
fn add_text<'c>(columns: &mut Vec<Column>, cells: impl Iterator<Item = (usize, &'c Cell)>, size: f32) {
    let mut free: Vec<Column> = Vec::new();
    for (line, cell) in cells.filter(|(_, c)| !c.figure) {
        let mut over = columns.iter_mut().filter(|c| shares(c, cell, size));
        match (over.next(), over.next()) {
            (None, _) if free.len() < 16 * MOST_COLUMNS => free.push(Column::of(line, cell)),
            (Some(column), None) if !column.lines.contains(&line) => column.lines.push(line),
            _ => {}
        }
    }
    free.sort_by(|a, b| (a.u1 - a.u0).total_cmp(&(b.u1 - b.u0)).then(a.u0.total_cmp(&b.u0)));
    // Cells that start at one place are one column, whatever their width.
    let mut starts: Vec<Column> = Vec::new();
    for part in free {
        match starts.iter_mut().find(|s| (s.u0 - part.u0).abs() < 0.15 * size && !s.shares_line(&part)) {
            Some(start) => start.absorb(&part),
            None => starts.push(part),
        }
    }
    let taken = columns.clone();
    let mut words = merged(starts, size);
    // A long cell that starts in a free column and runs into the next one does not widen it so far.
    for column in &mut words {
        for other in &taken {
            if other.u0 > column.u0 && other.u0 < column.u1 {
                column.u1 = other.u0;
            }
        }
    }
    columns.extend(words);
}

fn shares(column: &Column, cell: &Cell, size: f32) -> bool {
    let shared = column.overlap(cell.u0, cell.u1);
    shared > SHARED * size || shared > SHARED_PART * (cell.u1 - cell.u0).min(column.u1 - column.u0)
}

/// Puts the cells of a line into columns; whether each has its own.
fn place(cells: &mut [Cell], columns: &[Column], size: f32) -> bool {
    let over = |cell: &Cell| {
        let first = columns.iter().position(|c| shares(c, cell, size))?;
        let last = columns.iter().rposition(|c| shares(c, cell, size))?;
        Some((first, last))
    };
    let mut places: Vec<Option<(usize, usize)>> = cells.iter().map(over).collect();
    let mut next = 0;
    for at in 0..cells.len() {
        let Some(cell) = cells.get_mut(at) else { return false };
        let place = places.get(at).copied().flatten().or_else(|| {
            // Over no column: those that are left between its neighbours in their order, or a very near one.
            let end = places.iter().skip(at + 1).flatten().map(|(first, _)| *first).next().unwrap_or(columns.len());
            let open = 1 + places.iter().skip(at + 1).take_while(|p| p.is_none()).count();
            if next + open == end {
                Some((next, next))
            } else {
                nearest(columns, cell, size).filter(|c| (next..end).contains(c)).map(|c| (c, c))
            }
        });
        match place {
            Some((first, last)) if first >= next => {
                next = last + 1;
                cell.columns = (u16::try_from(first).unwrap_or(u16::MAX), u16::try_from(last).unwrap_or(u16::MAX));
            }
            _ => return false,
        }
        if let Some(known) = places.get_mut(at) {
            *known = place;
        }
    }
    true
}

fn nearest(columns: &[Column], cell: &Cell, size: f32) -> Option<usize> {
    let away = |c: &Column| -c.overlap(cell.u0, cell.u1);
    let (at, column) = columns.iter().enumerate().min_by(|(_, a), (_, b)| away(a).total_cmp(&away(b)))?;
    (away(column) < NEAR * size).then_some(at)
}
