//! Page specs: "5", "3,7,10", "5-10", "1-3,7,9-12". Pages are physical and 1-based.
//!
//! Ranges are never expanded, so a spec costs no more memory than its own text.

use std::ops::RangeInclusive;

use super::measure::thousands;

/// The largest page number that is understood. Files are read up to 50,000 pages, so anything above is a slip, not a page.
pub const MAX_PAGE_NUMBER: u32 = 1_000_000;

/// The longest spec that is read, in bytes: ten thousand numbers fit.
pub const MAX_SPEC_BYTES: usize = 100_000;

/// What a spec may look like, for messages.
pub const FORMS: &str = "\"5\", \"3,7,10\", \"5-10\" or \"1-3,7,9-12\"";

/// Most characters of a list of pages in a reply or a message.
const LIST_CHARS: usize = 300;

/// Ascending ranges that neither touch nor overlap.
pub type Ranges = Vec<RangeInclusive<u32>>;

/// Why a spec cannot be read. The message names the valid forms.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SpecError(String);

/// What a spec asks for of one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// Everything that was asked for.
    pub requested: Ranges,
    /// Of it, the pages that exist.
    pub inside: Ranges,
    /// Of it, the pages that do not.
    pub outside: Ranges,
}

/// Reads a spec for a document of `max_page` pages. Pages out of range are no error here; they are told apart.
///
/// # Errors
/// Anything but the valid forms, page 0, a range that runs backwards, numbers above [`MAX_PAGE_NUMBER`], text above [`MAX_SPEC_BYTES`].
pub fn parse(spec: &str, max_page: u32) -> Result<Selection, SpecError> {
    Ok(select(read(spec)?, max_page))
}

/// Reads a spec without knowing the document.
pub(super) fn read(spec: &str) -> Result<Ranges, SpecError> {
    if spec.len() > MAX_SPEC_BYTES {
        let problem =
            format!("it is {} bytes long, and at most {} are read", thousands(spec.len() as u64), thousands(MAX_SPEC_BYTES as u64));
        return Err(wrong(&problem));
    }
    if spec.trim().is_empty() {
        return Err(wrong("it is empty"));
    }
    let mut ranges = spec.split(',').map(|item| read_item(item.trim_matches(is_space))).collect::<Result<Ranges, _>>()?;
    ranges.sort_unstable_by_key(|range| (*range.start(), *range.end()));
    Ok(merged(ranges))
}

/// Tells apart the pages that exist.
pub(super) fn select(requested: Ranges, max_page: u32) -> Selection {
    let inside = requested
        .iter()
        .filter(|range| *range.start() <= max_page)
        .map(|range| *range.start()..=max_page.min(*range.end()))
        .collect();
    let outside = requested
        .iter()
        .filter(|range| *range.end() > max_page)
        .map(|range| max_page.saturating_add(1).max(*range.start())..=*range.end())
        .collect();
    Selection { requested, inside, outside }
}

/// What the pattern in the schema takes for white space: here also the mark that some programs put in front of text.
fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

fn read_item(item: &str) -> Result<RangeInclusive<u32>, SpecError> {
    // Models write the dash of a range in several ways.
    let mut ends = item.splitn(2, ['-', '\u{2013}', '\u{2212}']);
    let first = read_number(ends.next().unwrap_or_default().trim_end(), item)?;
    let last = match ends.next() {
        Some(last) => read_number(last.trim_start(), item)?,
        None => first,
    };
    if last < first {
        return Err(wrong(&format!("the range {first}-{last} runs backwards")));
    }
    Ok(first..=last)
}

fn read_number(digits: &str, item: &str) -> Result<u32, SpecError> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        let shown = super::measure::excerpt(item);
        return Err(wrong(&if item.is_empty() {
            "an item is empty".to_owned()
        } else {
            format!("{shown:?} is not a page or a range")
        }));
    }
    match digits.parse::<u32>() {
        Ok(0) => Err(wrong("pages are counted from 1")),
        Ok(number) if number <= MAX_PAGE_NUMBER => Ok(number),
        _ => {
            let shown = super::measure::excerpt(digits);
            Err(wrong(&format!("{shown} is larger than any page number (at most {})", thousands(MAX_PAGE_NUMBER.into()))))
        }
    }
}

fn wrong(problem: &str) -> SpecError {
    SpecError(format!("these pages cannot be read: {problem}. Valid forms are {FORMS}."))
}

/// Joins sorted ranges that touch or overlap.
fn merged(sorted: Ranges) -> Ranges {
    let mut out: Ranges = Vec::with_capacity(sorted.len());
    for range in sorted {
        match out.last_mut() {
            Some(last) if *range.start() <= last.end().saturating_add(1) => *last = *last.start()..=*last.end().max(range.end()),
            _ => out.push(range),
        }
    }
    out
}

/// The ranges that hold exactly these pages, whatever their order.
pub fn ranges_of(pages: &[u32]) -> Ranges {
    let mut sorted: Ranges = pages.iter().map(|page| *page..=*page).collect();
    sorted.sort_unstable_by_key(|range| *range.start());
    merged(sorted)
}

/// Pages as a spec, in full: `[1, 2, 3, 7]` is "1-3,7". Order and repeats do not matter.
pub fn compress(pages: &[u32]) -> String {
    ranges_of(pages).iter().map(spell).collect::<Vec<_>>().join(",")
}

/// Ranges as a spec, for people and models: a list that is still long is cut, with a count.
pub(super) fn list(ranges: &[RangeInclusive<u32>]) -> String {
    let (head, rest) = exact_head(ranges, LIST_CHARS);
    if rest == 0 { head } else { format!("{head},... {} pages in all", thousands(count(ranges))) }
}

/// The longest start of the ranges that takes at most `room` characters as an exact spec, and how many pages it leaves out.
pub(super) fn exact_head(ranges: &[RangeInclusive<u32>], room: usize) -> (String, u64) {
    let mut head = String::new();
    for (at, range) in ranges.iter().enumerate() {
        let item = spell(range);
        if !head.is_empty() {
            if head.len() + 1 + item.len() > room {
                return (head, count(ranges.get(at..).unwrap_or_default()));
            }
            head.push(',');
        }
        head.push_str(&item);
    }
    (head, 0)
}

/// How many pages the ranges hold.
pub(super) fn count(ranges: &[RangeInclusive<u32>]) -> u64 {
    ranges.iter().map(|range| u64::from(range.end() - range.start()) + 1).sum()
}

/// The ranges cut after their first `pages` pages: what stands before, and what is left.
pub(super) fn split_after(ranges: &[RangeInclusive<u32>], pages: u32) -> (Ranges, Ranges) {
    let (mut before, mut after) = (Ranges::new(), Ranges::new());
    let mut room = pages;
    for range in ranges {
        let (start, end) = (*range.start(), *range.end());
        let size = end - start + 1;
        if room >= size {
            before.push(range.clone());
            room -= size;
        } else {
            if room > 0 {
                before.push(start..=start + room - 1);
            }
            after.push(start + room..=end);
            room = 0;
        }
    }
    (before, after)
}

/// The ranges from this page on.
pub(super) fn from(ranges: &[RangeInclusive<u32>], page: u32) -> Ranges {
    ranges.iter().filter(|range| *range.end() >= page).map(|range| page.max(*range.start())..=*range.end()).collect()
}

fn spell(range: &RangeInclusive<u32>) -> String {
    if range.start() == range.end() { range.start().to_string() } else { format!("{}-{}", range.start(), range.end()) }
}

#[cfg(test)]
mod tests;
