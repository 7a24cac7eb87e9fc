//! A page as it is placed: its lines on a grid of characters, for people who doubt a text.

use unicode_width::UnicodeWidthStr;

use super::types::{Line, Page};

/// Widest grid, in columns; a poster is drawn no wider.
const MOST_COLUMNS: usize = 240;
/// Empty rows kept between two lines, at most.
const MOST_EMPTY: usize = 2;

/// The page with every line where it stands, side by side where they stand side by side. For reading only: the text of the page is
/// [`Page::text`].
pub fn placed(page: &Page) -> String {
    let Some(unit) = column_width(&page.lines) else { return String::new() };
    let mut order: Vec<&Line> = page.lines.iter().collect();
    order.sort_by(|a, b| middle(a).total_cmp(&middle(b)).then(a.x0.total_cmp(&b.x0)));
    let mut out = String::new();
    let mut row: Vec<&Line> = Vec::new();
    let mut last_bottom: Option<f32> = None;
    for line in order {
        let same = row.first().is_some_and(|first| (middle(line) - middle(first)).abs() < 0.5 * first.size.min(line.size).max(1.0));
        if !same && !row.is_empty() {
            flush(&mut row, unit, &mut last_bottom, &mut out);
        }
        row.push(line);
    }
    flush(&mut row, unit, &mut last_bottom, &mut out);
    out
}

fn middle(line: &Line) -> f32 {
    (line.y0 + line.y1) / 2.0
}

/// The width of a column: the median width of a character over all lines, in points.
fn column_width(lines: &[Line]) -> Option<f32> {
    let mut widths: Vec<f32> = lines
        .iter()
        .filter(|line| line.text.width() > 2)
        .map(|line| (line.x1 - line.x0) / line.text.width() as f32)
        .filter(|width| width.is_finite() && *width > 0.1)
        .collect();
    if widths.is_empty() {
        return lines.first().map(|_| 5.0);
    }
    widths.sort_by(f32::total_cmp);
    widths.get(widths.len() / 2).copied()
}

fn flush(row: &mut Vec<&Line>, unit: f32, last_bottom: &mut Option<f32>, out: &mut String) {
    row.sort_by(|a, b| a.x0.total_cmp(&b.x0));
    let Some(first) = row.first() else { return };
    let top = row.iter().map(|line| line.y0).fold(f32::INFINITY, f32::min);
    let bottom = row.iter().map(|line| line.y1).fold(f32::NEG_INFINITY, f32::max);
    if let Some(before) = *last_bottom {
        let empty = ((top - before) / (1.6 * first.size.max(1.0))).max(0.0) as usize;
        (0..empty.min(MOST_EMPTY)).for_each(|_| out.push('\n'));
    }
    *last_bottom = Some(bottom);
    let mut column = 0;
    for line in row.iter() {
        let at = ((line.x0.max(0.0) / unit) as usize).min(MOST_COLUMNS);
        // Lines that stand side by side never touch.
        let gap = at.saturating_sub(column).max(usize::from(column > 0) * 2);
        (0..gap).for_each(|_| out.push(' '));
        out.push_str(&line.text);
        column += gap + line.text.width();
    }
    out.push('\n');
    row.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, x0: f32, y0: f32) -> Line {
        let width = text.width() as f32 * 5.0;
        Line {
            text: text.into(),
            x0,
            y0,
            x1: x0 + width,
            y1: y0 + 10.0,
            size: 10.0,
            relative_size: 1.0,
            bold: false,
            italic: false,
            small_caps: false,
            color: 0,
            font: "F".into(),
            starts_block: false,
            furniture: false,
            column: 1,
            space_above: None,
            tag: None,
        }
    }

    #[test]
    fn columns_stand_side_by_side() {
        let lines = vec![line("left one", 50.0, 100.0), line("left two", 50.0, 112.0), line("right one", 300.0, 100.0)];
        let page = Page { number: 1, label: None, text: String::new(), lines, notes: vec![], width: 600.0, height: 800.0 };
        let shown = placed(&page);
        let rows: Vec<&str> = shown.lines().collect();
        assert_eq!(rows.len(), 2, "{shown}");
        assert!(rows[0].trim_start().starts_with("left one") && rows[0].ends_with("right one"), "{shown}");
        assert_eq!(rows[0].find("right one"), Some(60));
        assert_eq!(rows[1].trim(), "left two");
    }

    #[test]
    fn an_empty_page_is_empty() {
        let page = Page { number: 1, label: None, text: String::new(), lines: vec![], notes: vec![], width: 1.0, height: 1.0 };
        assert_eq!(placed(&page), "");
    }
}
