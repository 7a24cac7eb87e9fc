//! The sequence of the blocks of a page: as drawn, but what stands above comes before what it stands over, and no running head
//! or foot comes in between. Many programs draw heads, page numbers, captions and boxes before or after everything else.

use super::rows::Row;

/// More blocks on a page are a drawing; they stay as drawn.
const MOST_BLOCKS: usize = 600;
/// A block stands over another when they share this part of the width of the narrower one ...
const SHARED_WIDTH: f32 = 0.3;
/// ... and at least so many em lie between their baselines; less is a fraction or a limit of a sum.
const CLEAR: f32 = 0.9;
/// Heads and feet at each edge.
const EDGE_ROWS: usize = 3;
/// A title is larger than most of the page by this factor.
const LARGER: f32 = 1.15;
/// They are at least this far from the rest of the page (in em, from baseline to baseline).
const EDGE_GAP: f32 = 1.5;

/// Where a block is.
#[derive(Debug, Clone, Copy)]
struct Extent {
    frame: u16,
    u0: f32,
    u1: f32,
    /// First and last baseline.
    top: f32,
    bottom: f32,
    size: f32,
    rows: usize,
}

impl Extent {
    fn of(rows: &[Row]) -> Option<Self> {
        let first = rows.first()?;
        let start = Self {
            frame: first.frame,
            u0: first.u0,
            u1: first.u1,
            top: first.v,
            bottom: first.v,
            size: first.size,
            rows: rows.len(),
        };
        Some(rows.iter().fold(start, |e, row| Self {
            u0: e.u0.min(row.u0),
            u1: e.u1.max(row.u1),
            top: e.top.min(row.v),
            bottom: e.bottom.max(row.v),
            size: e.size.max(row.size),
            ..e
        }))
    }

    /// Whether it is wholly above the other one and over some of its width.
    fn is_over(&self, other: &Self) -> bool {
        let shared = self.u1.min(other.u1) - self.u0.max(other.u0);
        self.frame == other.frame
            && other.top - self.bottom >= CLEAR * self.size.min(other.size)
            && shared > SHARED_WIDTH * (self.u1 - self.u0).min(other.u1 - other.u0)
    }
}

/// Puts blocks of rows, given as they are drawn, into the order of reading. Each block goes down the page.
pub(super) fn sequence(blocks: Vec<Vec<Row>>) -> Vec<Vec<Row>> {
    let extents: Option<Vec<Extent>> = blocks.iter().map(|b| Extent::of(b)).collect();
    let Some(extents) = extents.filter(|e| e.len() > 1 && e.len() <= MOST_BLOCKS) else { return blocks };
    let order = order_of(&extents);
    let mut blocks: Vec<Option<Vec<Row>>> = blocks.into_iter().map(Some).collect();
    order.into_iter().filter_map(|index| blocks.get_mut(index).and_then(Option::take)).collect()
}

fn order_of(extents: &[Extent]) -> Vec<usize> {
    let mut by_height: Vec<usize> = (0..extents.len()).filter(|i| extents.get(*i).is_some_and(|e| e.frame == 0)).collect();
    by_height.sort_by(|a, b| top_of(extents, *a).total_cmp(&top_of(extents, *b)));
    let heads = edge(extents, by_height.iter().copied());
    by_height.sort_by(|a, b| bottom_of(extents, *b).total_cmp(&bottom_of(extents, *a)));
    let mut feet = edge(extents, by_height.into_iter().filter(|i| !heads.contains(i)));
    feet.reverse();

    // Furniture that is drawn before or after everything else is out of the way where it is; a title has to go first.
    let body = body_size(extents);
    let aside = |i: &usize| (heads.contains(i) || feet.contains(i)) && extents.get(*i).is_some_and(|e| e.size < LARGER * body);
    let before: Vec<usize> = (0..extents.len()).take_while(aside).collect();
    let after: Vec<usize> = (before.len()..extents.len()).rev().take_while(aside).collect();
    let moved = |i: &&usize| !before.contains(i) && !after.contains(i);
    let (heads, feet): (Vec<&usize>, Vec<&usize>) = (heads.iter().filter(moved).collect(), feet.iter().filter(moved).collect());

    let mut order = Order { extents, waiting: vec![true; extents.len()], done: Vec::with_capacity(extents.len()) };
    for index in before.iter().chain(heads) {
        order.take(*index);
        order.done.push(*index);
    }
    for index in feet.iter().copied().chain(&after) {
        order.take(*index);
    }
    (0..extents.len()).for_each(|index| order.visit(index));
    let mut all = order.done;
    all.extend(feet);
    all.extend(after.iter().rev());
    all
}

/// Size of most rows.
fn body_size(extents: &[Extent]) -> f32 {
    let mut sizes: Vec<f32> = extents.iter().flat_map(|e| std::iter::repeat_n(e.size, e.rows.min(100))).collect();
    sizes.sort_by(f32::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)
}

/// Blocks taken in the order of drawing, each after those that stand over it.
struct Order<'e> {
    extents: &'e [Extent],
    waiting: Vec<bool>,
    done: Vec<usize>,
}

impl Order<'_> {
    /// Whether this block was still waiting; it is no longer.
    fn take(&mut self, index: usize) -> bool {
        self.waiting.get_mut(index).is_some_and(std::mem::take)
    }

    /// Goes no deeper than there are blocks, of which there are few.
    fn visit(&mut self, index: usize) {
        if !self.take(index) {
            return;
        }
        if let Some(own) = self.extents.get(index) {
            let over = |i: &usize| self.waiting.get(*i) == Some(&true) && self.extents.get(*i).is_some_and(|e| e.is_over(own));
            let mut above: Vec<usize> = (0..self.extents.len()).filter(over).collect();
            above.sort_by(|a, b| top_of(self.extents, *a).total_cmp(&top_of(self.extents, *b)));
            above.into_iter().for_each(|i| self.visit(i));
        }
        self.done.push(index);
    }
}

fn top_of(extents: &[Extent], index: usize) -> f32 {
    extents.get(index).map_or(0.0, |e| e.top)
}

fn bottom_of(extents: &[Extent], index: usize) -> f32 {
    extents.get(index).map_or(0.0, |e| e.bottom)
}

/// The single rows at one edge of the page that stand apart from everything else, from the edge inward. `inward` gives the blocks by
/// their distance from the edge. What stands on one baseline goes together, as it is drawn.
fn edge(extents: &[Extent], inward: impl Iterator<Item = usize>) -> Vec<usize> {
    let blocks: Vec<(usize, &Extent)> = inward.filter_map(|i| extents.get(i).map(|e| (i, e))).collect();
    let mut found: Vec<usize> = Vec::new();
    let mut at = 0;
    for _ in 0..EDGE_ROWS {
        let Some((_, first)) = blocks.get(at) else { break };
        let level = |e: &Extent| e.rows == 1 && (e.top - first.top).abs() < 0.3 * first.size;
        let end = at + blocks.iter().skip(at).take_while(|(_, e)| level(e)).count();
        let apart = blocks.get(end).is_some_and(|(_, next)| {
            let gap = (next.top - first.top).abs().min((next.bottom - first.top).abs());
            gap >= EDGE_GAP * next.size.max(first.size)
        });
        if end == at || !apart {
            break;
        }
        let mut row: Vec<usize> = blocks.get(at..end).unwrap_or_default().iter().map(|(i, _)| *i).collect();
        row.sort_unstable();
        found.extend(row);
        at = end;
    }
    found
}
