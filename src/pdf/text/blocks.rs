//! Blocks: rows drawn one under the other. They tell columns of prose from columns of a table.

use super::pieces::Piece;
use super::rows::Row;

/// A next line of the same block is at most this far down (in em).
const LINE_PITCH: f32 = 2.2;
/// Prose has at least this many rows ...
const PROSE_ROWS: usize = 3;
/// ... with at least this many visible characters each, on average.
const PROSE_CHARS: f32 = 24.0;
/// A table header has at most this many rows ...
const HEADER_ROWS: usize = 4;
/// ... of at most this many characters on average ...
const HEADER_CHARS: u32 = 20;
/// ... and stands at most this far above the first figure of its column (in em).
const HEADER_REACH: f32 = 3.0;
/// Gutters of the same place bridge gaps up to this many em, over headings and formulas.
const BRIDGE: f32 = 14.0;

/// Gutters remembered of one page.
const MOST_GUTTERS: usize = 64;

/// Rows that follow each other in drawing order, one under the other.
#[derive(Debug)]
pub(super) struct Block {
    /// Index of its first row.
    pub(super) first_row: usize,
    /// Baselines of its rows.
    pub(super) rows: Vec<f32>,
    frame: u16,
    u0: f32,
    u1: f32,
    v0: f32,
    v1: f32,
    size: f32,
    chars: u32,
    numeric: u32,
    pieces: usize,
    colons: usize,
}

/// Cuts rows into blocks.
pub(super) fn blocks_of(rows: &[Row]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        match blocks.last_mut() {
            Some(block) if block.continues(row) => block.add(row),
            _ => blocks.push(Block {
                first_row: index,
                rows: vec![row.v],
                frame: row.frame,
                u0: row.u0,
                u1: row.u1,
                v0: row.v,
                v1: row.v,
                size: row.size,
                chars: row.count,
                numeric: row.numeric,
                pieces: row.pieces.len(),
                colons: usize::from(row.colon),
            }),
        }
    }
    blocks
}

impl Block {
    fn continues(&self, row: &Row) -> bool {
        let step = row.v - self.rows.last().copied().unwrap_or(row.v);
        let size = self.size.max(row.size);
        row.frame == self.frame
            && step > 0.0
            && step <= LINE_PITCH * size
            && self.size.min(row.size) > 0.6 * size
            && row.u0 < self.u1
            && self.u0 < row.u1
    }

    fn add(&mut self, row: &Row) {
        self.rows.push(row.v);
        self.u0 = self.u0.min(row.u0);
        self.u1 = self.u1.max(row.u1);
        self.v1 = row.v;
        self.size = row.size;
        self.chars += row.count;
        self.numeric += row.numeric;
        self.pieces += row.pieces.len();
        self.colons += usize::from(row.colon);
    }

    /// Whether it reads like running text: long rows without cells, few numbers.
    pub(super) fn is_prose(&self) -> bool {
        let rows = self.rows.len();
        rows >= PROSE_ROWS
            && self.chars as f32 >= PROSE_CHARS * rows as f32
            && self.pieces as f32 <= 1.3 * rows as f32
            && !self.is_numeric()
    }

    /// Whether it is mostly figures.
    pub(super) fn is_numeric(&self) -> bool {
        self.numeric * 2 >= self.chars
    }

    /// Whether most of its rows end with a colon, as the labels of a form do.
    pub(super) fn names_values(&self) -> bool {
        self.colons * 3 >= self.rows.len() * 2
    }

    /// Where the first figure of its column would stand, from and to across the lines, if this is a table header.
    pub(super) fn as_header(&self) -> Option<(f32, f32)> {
        let rows = u32::try_from(self.rows.len()).ok()?;
        let short = self.rows.len() <= HEADER_ROWS && self.chars <= HEADER_CHARS * rows;
        short.then_some((self.v1 + 0.5 * self.size, self.v1 + HEADER_REACH * self.size))
    }

    /// Whether a piece shares some of its width, half an em to both sides counted in.
    pub(super) fn is_over(&self, piece: &Piece) -> bool {
        let slack = 0.5 * self.size;
        piece.frame == self.frame && piece.u0 < self.u1 + slack && self.u0 - slack < piece.u1
    }

    /// How many of its rows stand within the height of another block.
    pub(super) fn rows_within(&self, other: &Self) -> usize {
        let slack = 0.5 * other.size;
        self.rows.iter().filter(|v| **v >= other.v0 - slack && **v <= other.v1 + slack).count()
    }
}

/// The empty strip between two columns of prose.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gutter {
    frame: u16,
    u: f32,
    width: f32,
    v0: f32,
    v1: f32,
    size: f32,
}

impl Gutter {
    /// Whether two rows stand on different sides of it.
    pub(super) fn parts(&self, a: &Row, b: &Row) -> bool {
        let (left, right) = if a.u0 <= b.u0 { (a, b) } else { (b, a) };
        let slack = 0.5 * self.size;
        a.frame == self.frame
            && left.u1 <= self.u + self.width
            && right.u0 >= self.u - self.width
            && a.v >= self.v0 - slack
            && a.v <= self.v1 + slack
    }
}

/// The gutters of a page, from all pairs of prose blocks that stand side by side.
pub(super) fn gutters(blocks: &[Block]) -> Vec<Gutter> {
    let prose: Vec<&Block> = blocks.iter().filter(|b| b.is_prose()).collect();
    let mut found: Vec<Gutter> = Vec::new();
    for (i, a) in prose.iter().enumerate() {
        // Pages have few blocks of prose; the bound keeps a hostile page from costing the square of thousands.
        for b in prose.iter().skip(i + 1).take(200) {
            let (left, right) = if a.u0 <= b.u0 { (a, b) } else { (b, a) };
            let gap = right.u0 - left.u1;
            let side_by_side = a.frame == b.frame && gap > -0.5 * a.size && a.v0 <= b.v1 && b.v0 <= a.v1;
            if !side_by_side {
                continue;
            }
            let gutter = Gutter {
                frame: a.frame,
                u: (left.u1 + right.u0) / 2.0,
                width: gap.max(0.0) / 2.0 + 0.5 * a.size,
                v0: a.v0.min(b.v0),
                v1: a.v1.max(b.v1),
                size: a.size.max(b.size),
            };
            let room = found.len() < MOST_GUTTERS;
            let near = found.iter_mut().find(|g| {
                g.frame == gutter.frame
                    && (g.u - gutter.u).abs() < g.width.max(gutter.width)
                    && gutter.v0 - g.v1 < BRIDGE * g.size
                    && g.v0 - gutter.v1 < BRIDGE * g.size
            });
            match near {
                Some(g) => {
                    g.v0 = g.v0.min(gutter.v0);
                    g.v1 = g.v1.max(gutter.v1);
                }
                None if room => found.push(gutter),
                None => {}
            }
        }
    }
    found
}
