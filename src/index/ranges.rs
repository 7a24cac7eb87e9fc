//! Page groups with telling titles, for documents without any structure.

use crate::pdf::Page;

use super::entry::Entry;
use super::titles::{clean, has_letters, shorten};
use super::types::NodeSource;

/// Longest quoted part of a group's title, in characters.
const QUOTE: usize = 70;

/// Groups of pages: single pages up to 8, then fives, then tens; long documents get hundreds above the tens.
pub(super) fn groups(pages: &[Page]) -> Vec<Entry> {
    let count = pages.len();
    if count == 1 {
        return pages
            .iter()
            .map(|p| Entry {
                level: 1,
                title: telling(std::slice::from_ref(p)).unwrap_or_else(|| "Page 1".into()),
                page: 1,
                line: None,
                at_top: true,
                source: NodeSource::PageGroup,
                confidence: 0,
            })
            .collect();
    }
    let size = match count {
        0..=8 => 1,
        9..=60 => 5,
        _ => 10,
    };
    let mut out = Vec::new();
    for (at, group) in pages.chunks(size).enumerate() {
        if count > 300 && (at * size) % 100 == 0 {
            let outer = pages.get(at * size..(at * size + 100).min(count)).unwrap_or_default();
            out.extend(group_entry(1, outer));
        }
        out.extend(group_entry(if count > 300 { 2 } else { 1 }, group));
    }
    out
}

fn group_entry(level: u32, group: &[Page]) -> Option<Entry> {
    let (first, last) = (group.first()?.number, group.last()?.number);
    let range = if first == last { format!("Page {first}") } else { format!("Pages {first}-{last}") };
    let title = match telling(group) {
        Some(text) => format!("{range}: {text}"),
        None => range,
    };
    Some(Entry { level, title, page: first, line: None, at_top: true, source: NodeSource::PageGroup, confidence: 0 })
}

/// The line that tells most of a group: the largest of its first page with text.
fn telling(group: &[Page]) -> Option<String> {
    let page = group.iter().find(|p| p.lines.iter().any(|l| !l.furniture && has_letters(&l.text, 4)))?;
    let mut best: Option<(i32, &str)> = None;
    for line in page.lines.iter().filter(|l| !l.furniture && has_letters(&l.text, 4)).take(40) {
        let worth = (line.size * 2.0).round() as i32 + i32::from(line.bold);
        if best.is_none_or(|(w, _)| worth > w) {
            best = Some((worth, &line.text));
        }
    }
    best.map(|(_, text)| shorten(&clean(text), QUOTE)).filter(|t| !t.is_empty())
}
