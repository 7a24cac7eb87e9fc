//! Page groups with telling titles, for documents without any structure.

use crate::pdf::{Line, Page};

use super::entry::Entry;
use super::layout::join;
use super::sentences::{ends_sentence, split};
use super::titles::{clean, has_letters, shorten};
use super::types::NodeSource;

/// Longest quoted part of a group's title, in characters.
const QUOTE: usize = 70;
/// Lines of a page that are looked at.
const LINES: usize = 40;
/// Most lines of a title.
const TITLE_LINES: usize = 4;

/// Groups of pages: single pages up to 8, then fives, then tens; long documents get hundreds above the tens.
pub(super) fn groups(pages: &[Page]) -> Vec<Entry> {
    let count = pages.len();
    if count == 1 {
        return pages
            .iter()
            .map(|p| Entry {
                level: 1,
                title: telling(None, std::slice::from_ref(p)).unwrap_or_else(|| "Page 1".into()),
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
        let before = (at * size).checked_sub(1).and_then(|i| pages.get(i));
        if count > 300 && (at * size) % 100 == 0 {
            let outer = pages.get(at * size..(at * size + 100).min(count)).unwrap_or_default();
            out.extend(group_entry(1, before, outer));
        }
        out.extend(group_entry(if count > 300 { 2 } else { 1 }, before, group));
    }
    out
}

fn group_entry(level: u32, before: Option<&Page>, group: &[Page]) -> Option<Entry> {
    let (first, last) = (group.first()?.number, group.last()?.number);
    let range = if first == last { format!("Page {first}") } else { format!("Pages {first}-{last}") };
    let title = match telling(before, group) {
        Some(text) => format!("{range}: {text}"),
        None => range,
    };
    Some(Entry { level, title, page: first, line: None, at_top: true, source: NodeSource::PageGroup, confidence: 0 })
}

/// What tells most of a group: the largest lines of its first page with text, else the first sentence that begins there. `before` is the
/// page before the group.
fn telling(before: Option<&Page>, group: &[Page]) -> Option<String> {
    let at = group.iter().position(|p| lines(p).next().is_some())?;
    let page = group.get(at)?;
    let worth = |line: &Line| (line.size * 2.0).round() as i32 + i32::from(line.bold);
    let all: Vec<&Line> = lines(page).take(LINES).collect();
    let top = all.iter().map(|l| worth(l)).max()?;
    let largest = all.iter().filter(|l| worth(l) == top).count();
    let text = if largest * 4 <= all.len().max(4) && largest <= TITLE_LINES {
        let first = all.iter().position(|l| worth(l) == top)?;
        join(all.iter().skip(first).take_while(|l| worth(l) == top).map(|l| l.text.as_str()))
    } else {
        let before = at.checked_sub(1).and_then(|i| group.get(i)).or(before);
        sentence(before, &all)
    };
    Some(shorten(&clean(&text), QUOTE)).filter(|t| !t.is_empty())
}

/// The lines of a page that can tell something.
fn lines(page: &Page) -> impl Iterator<Item = &Line> {
    page.lines.iter().filter(|l| !l.furniture && has_letters(&l.text, 4))
}

/// The first sentence that begins in these lines: the end of one that began on the page before is left out.
fn sentence(before: Option<&Page>, all: &[&Line]) -> String {
    let mut paragraphs: Vec<Vec<&str>> = Vec::new();
    for line in all {
        match paragraphs.last_mut().filter(|_| !line.starts_block) {
            Some(open) => open.push(&line.text),
            None => paragraphs.push(vec![&line.text]),
        }
    }
    let paragraphs: Vec<String> = paragraphs.into_iter().map(|p| join(p.into_iter())).collect();
    let ended = before.and_then(|p| lines(p).last()).is_none_or(|l| ends_sentence(&l.text));
    let goes_on = paragraphs.first().is_some_and(|p| !ended || p.starts_with(char::is_lowercase));
    let mut begun = paragraphs.iter().flat_map(|p| split(p)).skip(usize::from(goes_on));
    begun.next().or(paragraphs.first().map(String::as_str)).unwrap_or_default().to_owned()
}
