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

/// A line stands where heads stand when so many of them are on pages around it ...
const HEADS: usize = 3;
/// ... at most so many pages away, to either side: heads of chapters differ, and left pages from right ones.
const HEAD_REACH: usize = 2 * REACH;
/// A head is set smaller than the body by so much (in tenths of a point), or stands beside the page number; headings do neither.
const SMALLER: i32 = 5;
/// A running head has at most so many characters.
const HEAD_CHARS: usize = 120;

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
    mark_same_place(pages);
}

/// A place and look at an edge: height, size in tenths of a point, font.
type Slot = (i32, i32, String);

/// Marks lines that stand exactly where running heads of pages around them stand and look the same, though their words come back too
/// seldom: heads of short chapters. Lines that look like the body or larger are left: headings and titles of slides also stand there.
fn mark_same_place(pages: &mut [RawPage]) {
    let body = body_size(pages);
    let mut slots: HashMap<Slot, Vec<(usize, usize, bool)>> = HashMap::new();
    for (number, page) in pages.iter().enumerate() {
        for index in outermost(page) {
            let Some(line) = page.lines.get(index) else { continue };
            let size = tenths(line.size);
            let unlike_body = size <= body - SMALLER || size <= body && has_page_number(&line.text);
            if unlike_body && line.text.chars().count() <= HEAD_CHARS {
                let slot = (height_of(line, page.height), size, line.font.clone());
                slots.entry(slot).or_default().push((number, index, line.furniture));
            }
        }
    }
    for places in slots.into_values() {
        let heads: Vec<usize> = places.iter().filter(|(_, _, marked)| *marked).map(|(number, _, _)| *number).collect();
        for (number, index, _) in places.iter().filter(|(_, _, marked)| !marked) {
            let first = heads.partition_point(|head| head + HEAD_REACH < *number);
            let after = heads.partition_point(|head| *head <= number + HEAD_REACH);
            if after - first < HEADS {
                continue;
            }
            if let Some(line) = pages.get_mut(*number).and_then(|p| p.lines.get_mut(*index)) {
                line.furniture = true;
            }
        }
    }
}

/// The size that most characters are set in, in tenths of a point.
/// Size of most of the text, in tenths of a point; 0 for no text.
pub(super) fn body_size(pages: &[RawPage]) -> i32 {
    let mut sizes: HashMap<i32, usize> = HashMap::new();
    for line in pages.iter().flat_map(|p| &p.lines) {
        *sizes.entry(tenths(line.size)).or_default() += line.text.len();
    }
    sizes.into_iter().max_by_key(|(size, count)| (*count, *size)).map_or(0, |(size, _)| size)
}

fn tenths(size: f32) -> i32 {
    (size * 10.0).round() as i32
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

/// The first and the last line of a page, if they stand at its edges.
fn outermost(page: &RawPage) -> Vec<usize> {
    let edges = edge_lines(page);
    let y = |i: &usize| page.lines.get(*i).map_or(0.0, |l| l.y0);
    let middle = page.height / 2.0;
    let first = edges.iter().filter(|i| y(i) < middle).min_by(|a, b| y(a).total_cmp(&y(b)));
    let last = edges.iter().filter(|i| y(i) > middle).max_by(|a, b| y(a).total_cmp(&y(b)));
    first.into_iter().chain(last).copied().collect()
}

/// Whether the first or the last cell of a line is a page number.
fn has_page_number(text: &str) -> bool {
    let is_number = |cell: Option<&str>| cell.is_some_and(|c| pattern(c) == "#");
    is_number(text.split("  ").next()) || is_number(text.rsplit("  ").next())
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
