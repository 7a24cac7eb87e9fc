//! What a line is among the others: the column that it stands in, the space above it, and its size against the body of the document.

use crate::pdf::Line;

use super::RawPage;
use super::furniture::body_size;

/// More lines on a page are a drawing; it has no columns worth telling.
const MOST_LINES: usize = 1_500;

/// Sets the column and the space above of each line of a page.
pub(super) fn place(lines: &mut [Line]) {
    if lines.len() > MOST_LINES {
        return;
    }
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let left_edge = |i: &usize| lines.get(*i).map_or(0.0, |line| line.x0);
    order.sort_by(|a, b| left_edge(a).total_cmp(&left_edge(b)));
    let mut columns = vec![1_u16; lines.len()];
    let mut above: Vec<Option<f32>> = vec![None; lines.len()];
    for (at, index) in order.iter().enumerate() {
        let Some(line) = lines.get(*index) else { continue };
        let to_the_left = order.iter().take(at).filter(|other| {
            lines.get(**other).is_some_and(|other| other.x1 <= line.x0 && other.y0 < line.y1 && line.y0 < other.y1)
        });
        let column = to_the_left.filter_map(|other| columns.get(*other)).max().map_or(1, |left| left.saturating_add(1));
        if let Some(slot) = columns.get_mut(*index) {
            *slot = column;
        }
        let over = lines.iter().enumerate().filter(|(i, other)| i != index && other.y0 < line.y0 && other.y1 <= line.y1);
        let nearest =
            over.filter(|(_, other)| other.x0 < line.x1 && line.x0 < other.x1).map(|(_, other)| (line.y0 - other.y1).max(0.0));
        if let Some(slot) = above.get_mut(*index) {
            *slot = nearest.min_by(f32::total_cmp);
        }
    }
    for ((line, column), above) in lines.iter_mut().zip(columns).zip(above) {
        (line.column, line.space_above) = (column, above);
    }
}

/// Sets the size of each line against that of most of the text of these pages.
pub(crate) fn compare_sizes(pages: &mut [RawPage]) {
    let body = body_size(pages);
    if body <= 0 {
        return;
    }
    for line in pages.iter_mut().flat_map(|page| &mut page.lines) {
        line.relative_size = (line.size * 1_000.0 / body as f32).round() / 100.0;
    }
}
