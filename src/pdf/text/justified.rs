//! Justified lines of narrow columns, whose words are set as far apart as cells are.

use super::cells::{Word, cells_of};
use super::pieces::CELL_GAP;
use super::rows::Row;
use super::tables::Page;

/// Lines of one paragraph are at most this far apart (in em).
const PITCH: f32 = 1.8;
/// Justified lines start and end at the same place within this (in em).
const FLUSH: f32 = 0.2;
/// All gaps of a justified line are alike: the narrowest is at least this part of the widest.
const ALIKE: f32 = 0.6;
/// Words of two lines that start within this of each other (in em) may be cells of one column.
const ALIGNED: f32 = 0.25;
/// More words than this are set close enough.
const MOST_WORDS: usize = 12;

/// Makes one cell of each row that is a line of justified text.
pub(super) fn close_gaps(rows: &mut [Row], page: Page<'_>) {
    for at in 0..rows.len() {
        let Some(row) = rows.get(at).filter(|r| r.pieces.len() > 1 && r.numeric * 4 < r.count && r.cells.len() != 1) else {
            continue;
        };
        let Some(words) = row.words(page.pieces, page.glyphs, page.frames, page.texts).filter(|w| w.len() <= MOST_WORDS) else {
            continue;
        };
        let beside = [at.checked_sub(2), at.checked_sub(1), Some(at + 1), Some(at + 2)];
        let neighbours: Vec<&Row> =
            beside.into_iter().flatten().filter_map(|i| rows.get(i)).filter(|other| is_near(row, other)).collect();
        if is_justified(row, &words, &neighbours, page) {
            let cells = cells_of(&words, |_| false);
            if let Some(row) = rows.get_mut(at) {
                row.cells = cells;
                row.table = 0;
            }
        }
    }
}

fn is_near(row: &Row, other: &Row) -> bool {
    let size = row.size.max(other.size);
    let step = (row.v - other.v).abs();
    row.frame == other.frame && step > 0.5 * size && step < 2.0 * PITCH * size && row.added == other.added
}

fn is_justified(row: &Row, words: &[Word], neighbours: &[&Row], page: Page<'_>) -> bool {
    let gaps = || words.iter().skip(1).map(|w| w.gap);
    let (narrowest, widest) = (gaps().fold(f32::INFINITY, f32::min), gaps().fold(0.0, f32::max));
    let slack = FLUSH * row.size;
    let flush = neighbours.iter().filter(|r| (r.u0 - row.u0).abs() < slack && (r.u1 - row.u1).abs() < slack).count();
    if widest <= CELL_GAP || narrowest < ALIKE * widest || flush == 0 {
        return false;
    }
    // A word that starts right below another after a wide gap is in a column of cells.
    let starts = |r: &Row| r.pieces.iter().skip(1).filter_map(|i| page.pieces.get(*i as usize)).map(|p| p.u0).collect::<Vec<_>>();
    let own = starts(row);
    !neighbours.iter().flat_map(|r| starts(r)).any(|u| own.iter().any(|o| (o - u).abs() < ALIGNED * row.size))
}
