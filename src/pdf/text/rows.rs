//! From pieces to rows: what stands on one baseline is read as one line, unless it belongs to two columns of prose.

use std::collections::HashMap;

use super::blocks::{Block, Gutter, blocks_of, gutters};
use super::cells::Cell;
use super::pieces::Piece;
use super::sequence::sequence;

/// Baselines within this (in em of the smaller row) are the same.
const SAME_BASELINE: f32 = 0.3;
/// A page with more rows than this is a drawing or a trap; it is left in drawing order. Dense pages have some hundreds.
const MOST_ROWS: usize = 10_000;
/// Pieces of a row that are compared one by one.
const MOST_CELLS: usize = 256;
/// A hanging number has at most so many characters ("Part VIII.").
const HANGING_CHARS: u32 = 10;
/// Lines of a title that its number, or its page number, is drawn after.
const TITLE_LINES: usize = 4;
/// Lines of one title are at most this far apart (in em).
const TITLE_PITCH: f32 = 1.6;
/// Share of the rows that must stand on common baselines before two blocks are read as one table.
const ALIGNED: f32 = 0.6;

/// One line to be: pieces on one baseline, from the start of the line to its end.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// Indices of pieces.
    pub(super) pieces: Vec<u32>,
    pub(super) frame: u16,
    pub(super) u0: f32,
    pub(super) u1: f32,
    pub(super) v: f32,
    /// Em of its largest piece.
    pub(super) size: f32,
    /// Visible glyphs.
    pub(super) count: u32,
    pub(super) numeric: u32,
    /// Of a form field or an annotation.
    pub(super) added: bool,
    /// Its last piece ends with a colon.
    pub(super) colon: bool,
    /// Numbers of lines, from the margin.
    pub(super) aside: bool,
    /// How far below its baseline its last line is, where several lines were put together.
    pub(super) depth: f32,
    /// Its cells where it is a row of a table; else its pieces tell.
    pub(super) cells: Vec<Cell>,
    /// The table whose columns it keeps to, or 0.
    pub(super) table: u32,
}

impl Row {
    fn of(index: u32, piece: &Piece) -> Self {
        let Piece { frame, u0, u1, v, size, count, numeric, colon, added, aside, .. } = *piece;
        let (depth, cells, table) = (0.0, Vec::new(), 0);
        Self { pieces: vec![index], frame, u0, u1, v, size, count, numeric, colon, added, aside, depth, cells, table }
    }

    /// Whether a row drawn next is a part of this one, on the same baseline and clear of its pieces.
    fn takes(&self, next: &Self, pieces: &[Piece]) -> bool {
        (self.v - next.v).abs() <= SAME_BASELINE * self.size.min(next.size) && !overlap(self, next, pieces)
    }

    pub(super) fn absorb(&mut self, other: &Self) {
        self.pieces.extend_from_slice(&other.pieces);
        self.u0 = self.u0.min(other.u0);
        self.u1 = self.u1.max(other.u1);
        if other.size > self.size {
            self.v = other.v;
            self.size = other.size;
        }
        self.count += other.count;
        self.numeric += other.numeric;
        self.colon = other.colon;
        self.added &= other.added;
    }
}

/// The rows of a page in reading order.
pub(super) fn assemble(pieces: &[Piece]) -> Vec<Row> {
    let drawn = as_drawn(pieces);
    if drawn.len() > MOST_ROWS {
        return drawn.into_iter().chain(set_aside(pieces)).collect();
    }
    let blocks = blocks_of(&drawn);
    let gutters = gutters(&blocks);
    let mut joined = at_their_height(join(&drawn, &blocks, &gutters, pieces));
    for row in &mut joined {
        row.pieces.sort_by(|a, b| u_of(pieces, *a).total_cmp(&u_of(pieces, *b)));
    }
    joined.extend(set_aside(pieces));
    joined
}

/// The numbers of lines as one row.
fn set_aside(pieces: &[Piece]) -> Option<Row> {
    let mut numbers = (0u32..).zip(pieces).filter(|(_, p)| p.aside).map(|(index, piece)| Row::of(index, piece));
    let mut row = numbers.next()?;
    numbers.for_each(|number| row.absorb(&number));
    Some(row)
}

fn u_of(pieces: &[Piece], index: u32) -> f32 {
    pieces.get(index as usize).map_or(0.0, |p| p.u0)
}

/// Moves rows that are form fields or annotations, which are drawn last, to before the first row of the content that is lower.
fn at_their_height(rows: Vec<Row>) -> Vec<Row> {
    if !rows.iter().any(|r| r.added) {
        return rows;
    }
    let (mut added, mut content): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|r| r.added);
    added.sort_by(|a, b| a.v.total_cmp(&b.v));
    for row in added.into_iter().rev() {
        let lower = |r: &Row| r.frame == row.frame && r.v > row.v;
        // Rows put in before come later in the page, so that they end up behind this one.
        let at = content.iter().position(lower).unwrap_or(content.len());
        content.insert(at, row);
    }
    content
}

/// Rows as the content stream draws them: pieces that follow each other on one baseline. A piece may also stand before those drawn
/// already, like a section number that is drawn after its title.
fn as_drawn(pieces: &[Piece]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    // The row of the piece before.
    let mut current = 0;
    let mut after_aside = false;
    for (index, piece) in (0u32..).zip(pieces) {
        if piece.aside {
            after_aside = true;
            continue;
        }
        let starts_row = std::mem::take(&mut after_aside) || piece.starts_row;
        let row = Row::of(index, piece);
        let goes_on =
            |at: &usize| rows.get(*at).is_some_and(|r| r.frame == row.frame && r.added == row.added && r.takes(&row, pieces));
        let last = rows.len().saturating_sub(1);
        let alone = pieces.get(index as usize + 1).is_none_or(|next| next.starts_row);
        let at = if rows.get(current).is_some_and(|r| r.frame == row.frame && !starts_row) {
            Some(current)
        } else {
            Some(last).filter(goes_on).or_else(|| hung_on(&rows, &row, piece, alone, pieces))
        };
        current = at.unwrap_or(rows.len());
        match rows.get_mut(current) {
            Some(known) => known.absorb(&row),
            None => rows.push(row),
        }
    }
    rows
}

/// The row of a title of several lines that a piece drawn after all of them belongs to: a number hanging before its first line, a page
/// number after its last one. Without this a contents entry of two lines loses both.
fn hung_on(rows: &[Row], next: &Row, piece: &Piece, alone: bool, pieces: &[Piece]) -> Option<usize> {
    let number = piece.stop && piece.count <= HANGING_CHARS;
    // Several figures on one baseline are a row of a table, whose cells are put together later.
    let figure = alone && piece.numeric == piece.count;
    if piece.added || !number && !figure {
        return None;
    }
    let mut below = rows.last()?;
    for at in (0..rows.len()).rev().take(TITLE_LINES) {
        let row = rows.get(at)?;
        let step = below.v - row.v;
        if row.frame != next.frame || row.added || step < 0.0 || step > TITLE_PITCH * row.size {
            return None;
        }
        if row.takes(next, pieces) {
            return (number && next.u1 <= row.u0 || figure && next.u0 >= row.u1).then_some(at);
        }
        below = row;
    }
    None
}

/// Joins rows on common baselines where their blocks are parts of one table.
fn join(rows: &[Row], blocks: &[Block], gutters: &[Gutter], pieces: &[Piece]) -> Vec<Row> {
    let pairs = level_pairs(rows);
    let figures = Figures::of(pieces);
    let heads: Vec<bool> = blocks.iter().map(|b| figures.headed_by(b)).collect();
    let block_of = block_index(rows.len(), blocks);
    let mut common: HashMap<(u32, u32), u32> = HashMap::new();
    for (a, b) in &pairs {
        *common.entry(ordered(block_of[*a as usize], block_of[*b as usize])).or_default() += 1;
    }
    let mut row_leader = Leaders::new(rows.len());
    let mut block_leader = Leaders::new(blocks.len());
    let mut merged: Vec<Option<Row>> = rows.iter().cloned().map(Some).collect();
    for (a, b) in pairs {
        let (first, second) = ordered(row_leader.of(a), row_leader.of(b));
        if first == second {
            continue;
        }
        let key = ordered(block_of[a as usize], block_of[b as usize]);
        let shared = common.get(&key).copied().unwrap_or(0);
        let (Some(left), Some(right)) = (&merged[first as usize], &merged[second as usize]) else { continue };
        let one_line = key.0 == key.1 || left.added != right.added;
        let headers = heads[key.0 as usize] && heads[key.1 as usize];
        if !one_line && !forms_table(&blocks[key.0 as usize], &blocks[key.1 as usize], shared, headers) {
            continue;
        }
        if gutters.iter().any(|g| g.parts(left, right)) || overlap(left, right, pieces) {
            continue;
        }
        if let Some(taken) = merged[second as usize].take() {
            row_leader.follow(second, first);
            block_leader.follow(key.1, key.0);
            if let Some(row) = merged[first as usize].as_mut() {
                row.absorb(&taken);
            }
        }
    }
    // The rows of one table follow each other down the page, wherever its columns were drawn.
    let mut tables: HashMap<u32, Vec<Row>> = HashMap::new();
    let mut order: Vec<u32> = Vec::new();
    for (row, block) in merged.into_iter().zip(&block_of) {
        let table = block_leader.of(*block);
        let members = tables.entry(table).or_insert_with(|| {
            order.push(table);
            Vec::new()
        });
        members.extend(row);
    }
    let mut groups: Vec<Vec<Row>> = order.into_iter().filter_map(|table| tables.remove(&table)).collect();
    groups.iter_mut().for_each(|members| members.sort_by(|a, b| a.v.total_cmp(&b.v)));
    sequence(groups).into_iter().flatten().collect()
}

/// Whether two blocks side by side are columns of one table: rows on common baselines, and figures in at least one. Two blocks of words
/// are rather lists in columns, or cells with wrapped text, which read better one after the other; unless one names what the other says,
/// or both are headers over figures.
fn forms_table(p: &Block, q: &Block, shared: u32, headers: bool) -> bool {
    let fewer = p.rows_within(q).min(q.rows_within(p)).max(1);
    let aligned = shared as f32 >= ALIGNED * fewer as f32;
    aligned
        && (headers || p.is_numeric() || q.is_numeric() || p.names_values() && !q.is_prose() || q.names_values() && !p.is_prose())
}

/// Which entry leads each group of a growing partition; always the lowest.
struct Leaders(Vec<u32>);

impl Leaders {
    fn new(count: usize) -> Self {
        Self((0u32..).take(count).collect())
    }

    fn of(&mut self, entry: u32) -> u32 {
        let mut at = entry;
        while self.0[at as usize] != at {
            self.0[at as usize] = self.0[self.0[at as usize] as usize];
            at = self.0[at as usize];
        }
        at
    }

    fn follow(&mut self, one: u32, other: u32) {
        let (first, second) = ordered(self.of(one), self.of(other));
        self.0[second as usize] = first;
    }
}

/// The figures of a page, from top to bottom.
struct Figures<'p>(Vec<&'p Piece>);

impl<'p> Figures<'p> {
    fn of(pieces: &'p [Piece]) -> Self {
        let mut figures: Vec<&Piece> = pieces.iter().filter(|p| p.numeric * 2 > p.count).collect();
        figures.sort_by(|a, b| a.v.total_cmp(&b.v));
        Self(figures)
    }

    /// Whether a block is the header of a column: a few short lines, and a figure right under them.
    fn headed_by(&self, block: &Block) -> bool {
        /// Figures looked at; more so near each other are no table.
        const MOST_LOOKED_AT: usize = 256;
        let Some((top, bottom)) = block.as_header() else { return false };
        let start = self.0.partition_point(|p| p.v <= top);
        let under = self.0.iter().skip(start).take_while(|p| p.v <= bottom).take(MOST_LOOKED_AT);
        under.into_iter().any(|p| block.is_over(p))
    }
}

/// Pairs of rows with the same baseline in the same frame.
fn level_pairs(rows: &[Row]) -> Vec<(u32, u32)> {
    /// Rows compared with each row at most; more on one baseline is no page for reading.
    const MOST_NEIGHBOURS: usize = 64;
    let mut order: Vec<u32> = (0u32..).take(rows.len()).collect();
    order.sort_by(|a, b| {
        let (a, b) = (&rows[*a as usize], &rows[*b as usize]);
        a.frame.cmp(&b.frame).then(a.v.total_cmp(&b.v))
    });
    let mut pairs = Vec::new();
    for (at, a) in order.iter().enumerate() {
        let row = &rows[*a as usize];
        for b in order.iter().skip(at + 1).take(MOST_NEIGHBOURS) {
            let other = &rows[*b as usize];
            if other.frame != row.frame || other.v - row.v > SAME_BASELINE * row.size.max(other.size) {
                break;
            }
            if (other.v - row.v).abs() <= SAME_BASELINE * row.size.min(other.size) {
                pairs.push(ordered(*a, *b));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

fn block_index(rows: usize, blocks: &[Block]) -> Vec<u32> {
    let mut index = vec![0; rows];
    for (number, block) in (0u32..).zip(blocks) {
        if let Some(part) = index.get_mut(block.first_row..block.first_row + block.rows.len()) {
            part.fill(number);
        }
    }
    index
}

fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

/// Whether a piece of one row stands over a piece of the other, as in diagrams and stamps.
fn overlap(a: &Row, b: &Row, pieces: &[Piece]) -> bool {
    if a.u1 <= b.u0 || b.u1 <= a.u0 {
        return false;
    }
    // No row for reading has so many cells; two such are not worth comparing piece by piece.
    if a.pieces.len().max(b.pieces.len()) > MOST_CELLS {
        return true;
    }
    a.pieces.iter().filter_map(|i| pieces.get(*i as usize)).any(|p| {
        b.pieces
            .iter()
            .filter_map(|i| pieces.get(*i as usize))
            .any(|q| p.u1.min(q.u1) - p.u0.max(q.u0) > SAME_BASELINE * p.size.min(q.size))
    })
}
