//! Tables with empty cells, written so that each cell stands under the head of its column.

use unicode_width::UnicodeWidthStr;

/// Characters that a row may take with its padding; a wider table is written without.
const WIDEST: usize = 200;
/// Characters between two columns at least.
const GAP: usize = 2;

/// A cell ready to be written.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) text: String,
    /// First and last column.
    pub(super) columns: (u16, u16),
    pub(super) figure: bool,
}

/// The rows of one table with its columns under each other; `None` where they would be too wide.
pub(super) fn padded(rows: &[Vec<Written>]) -> Option<Vec<String>> {
    let count = rows.iter().flatten().map(|c| usize::from(c.columns.1) + 1).max()?;
    let mut widths = vec![0; count];
    // Figures less words; the head is one of these.
    let mut figures = vec![0_isize; count];
    for cell in rows.iter().flatten().filter(|c| c.columns.0 == c.columns.1) {
        let at = usize::from(cell.columns.0);
        if let (Some(width), Some(figures)) = (widths.get_mut(at), figures.get_mut(at)) {
            *width = cell.text.width().max(*width);
            *figures += if cell.figure { 1 } else { -1 };
        }
    }
    let mut ends = Vec::with_capacity(count);
    let mut end = 0;
    for (at, width) in widths.iter().enumerate() {
        end += width + if at > 0 { GAP } else { 0 };
        ends.push(end);
    }
    if end > WIDEST {
        return None;
    }
    let write = |row: &Vec<Written>| {
        let mut line = String::new();
        let mut filled = 0;
        for cell in row {
            let (first, last) = (usize::from(cell.columns.0), usize::from(cell.columns.1));
            let width = cell.text.width();
            let start = ends.get(first).copied().unwrap_or(end) - widths.get(first).copied().unwrap_or(0);
            let right = figures.get(first).is_some_and(|n| *n >= 0) && first > 0;
            let place = match ends.get(last) {
                Some(end) if right && first == last => end.saturating_sub(width),
                _ => start,
            };
            let place = if filled > 0 { place.max(filled + GAP) } else { place };
            line.extend(std::iter::repeat_n(' ', place - filled));
            line.push_str(&cell.text);
            filled = place + width;
        }
        line
    };
    Some(rows.iter().map(write).collect())
}
