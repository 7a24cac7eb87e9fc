//! Running headers, running footers and page numbers: what repeats near the edge of neighbouring pages.

use std::collections::HashMap;

use crate::pdf::Line;

use super::RawPage;

/// Lines looked at from each edge of a page.
const EDGE_LINES: usize = 3;
/// Share of the page height at each edge where furniture stands.
const EDGE: f32 = 0.15;
/// How often a line must come back ...
const REPEATS: usize = 3;
/// ... with at most this many pages between; left and right pages differ, chapters change.
const REACH: usize = 4;

/// A line as it would come back on another page: digits and roman numerals do not count, its height does.
type Key = (String, i32);

/// Marks the furniture of all pages. Lines that the file itself calls furniture stay marked.
pub(crate) fn mark_furniture(pages: &mut [RawPage]) {
    let mut seen: HashMap<Key, Vec<(usize, usize)>> = HashMap::new();
    for (number, page) in pages.iter().enumerate() {
        for index in edge_lines(page) {
            if let Some(line) = page.lines.get(index) {
                seen.entry((pattern(&line.text), height_of(line, page.height))).or_default().push((number, index));
            }
        }
    }
    for places in seen.into_values() {
        for (at, (number, index)) in places.iter().enumerate() {
            if !comes_back(&places, at) {
                continue;
            }
            if let Some(line) = pages.get_mut(*number).and_then(|p| p.lines.get_mut(*index)) {
                line.furniture = true;
            }
        }
    }
}

/// Whether enough neighbours are near the place at this position; places are in page order.
fn comes_back(places: &[(usize, usize)], at: usize) -> bool {
    let needed = REPEATS - 1;
    (0..=needed).any(|before| {
        let Some(start) = at.checked_sub(before) else { return false };
        places.get(start..=start + needed).is_some_and(|run| run.windows(2).all(|w| w[1].0 - w[0].0 <= REACH))
    })
}

/// Indices of the outermost lines at the upper and lower edge.
fn edge_lines(page: &RawPage) -> Vec<usize> {
    let mut order: Vec<usize> = (0..page.lines.len()).collect();
    let y = |i: &usize| page.lines.get(*i).map_or(0.0, |l| l.y0);
    order.sort_by(|a, b| y(a).total_cmp(&y(b)));
    let upper = order.iter().take(EDGE_LINES).filter(|i| y(i) < EDGE * page.height);
    let lower = order.iter().rev().take(EDGE_LINES).filter(|i| y(i) > (1.0 - EDGE) * page.height);
    let mut found: Vec<usize> = upper.chain(lower).copied().collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn height_of(line: &Line, page_height: f32) -> i32 {
    // Measured from the nearer edge, so that pages of two sizes agree; six points are less than a line.
    let y = if line.y0 < page_height / 2.0 { line.y0 } else { line.y0 - page_height };
    (y / 6.0).round() as i32
}

/// The text with numbers made equal.
fn pattern(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        let roman = word.len() <= 7 && word.bytes().all(|b| b"ivxlc".contains(&b.to_ascii_lowercase()));
        if roman {
            out.push('#');
            continue;
        }
        for c in word.chars() {
            match c {
                c if c.is_ascii_digit() && out.ends_with('#') => {}
                c if c.is_ascii_digit() => out.push('#'),
                c => out.push(c),
            }
        }
    }
    out
}
