//! The file's own outline, checked: order, targets, titles really printed there, generic entries.

mod names;
mod targets;

use std::collections::HashSet;

use crate::pdf::{Bookmark, Page};

use super::entry::Entry;
use super::levels::DEEPEST;
use super::locate::Titles;
use super::numbering::numbering;
use super::titles::{alike, clean, fold};
use super::types::NodeSource;
use names::{counts, counts_page, is_caption, says_nothing};
use targets::{Folded, Marked, Texts, has_text, settle};

/// How far the outline of a file can be believed.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Trust {
    /// It is the tree.
    Whole(Vec<Entry>),
    /// It stands, and headings from the layout are filled in.
    Frame(Vec<Entry>),
    /// It says nothing of use.
    None,
}

/// Most entries taken; the longest honest outline seen has under 4,000.
const MOST: usize = 20_000;
/// Titles that prove something.
const TELLING: usize = 4;

/// Judges an outline against the pages.
pub(super) fn judge(marks: &[Bookmark], pages: &[Page], titles: &Titles) -> Trust {
    let marks = marks.get(..marks.len().min(MOST)).unwrap_or(marks);
    if counts_pages(marks) {
        return Trust::None;
    }
    let mut found = resolve(marks, pages, titles);
    drop_lists(&mut found);
    settle(&mut found, pages, titles);
    let mut entries: Vec<Entry> = found.into_iter().map(|m| m.entry).collect();
    if entries.is_empty() {
        return Trust::None;
    }
    let (checked, printed) = weigh(&mut entries, pages);
    let falls = entries.windows(2).filter(|w| matches!(w, [a, b] if b.page < a.page)).count();
    // An outline by topic or by alphabet leads to and fro; only titles that are all there vouch for it.
    if falls * 4 > entries.len() && (checked < TELLING || printed * 5 < checked * 4) {
        return Trust::None;
    }
    let one_page =
        entries.len() >= TELLING && pages.len() >= TELLING && entries.windows(2).all(|w| matches!(w, [a, b] if a.page == b.page));
    if one_page && printed * 2 < entries.len() {
        return Trust::None;
    }
    entries.sort_by_key(|e| e.page);
    // Fewer than four titles prove nothing either way.
    if checked >= TELLING && printed * 5 < checked {
        return Trust::None;
    }
    if checked >= TELLING && printed * 2 < checked {
        return Trust::Frame(entries);
    }
    // One or two entries over several pages are marks somebody set, not an outline.
    if entries.len() < 3 && pages.len() > TELLING {
        return Trust::Frame(entries);
    }
    Trust::Whole(entries)
}

/// Whether most titles only count pages ("Page 1", "Slide 7", "12").
fn counts_pages(marks: &[Bookmark]) -> bool {
    let plain = marks.iter().filter(|m| counts(&m.title)).count();
    plain > 0 && plain * 10 >= marks.len() * 6
}

/// Entries with titles and pages inside the file. A target that is missing is searched by title, else taken from the first entry below.
/// Entries that name nothing are left out, what is below them moves up.
fn resolve(marks: &[Bookmark], pages: &[Page], titles: &Titles) -> Vec<Marked> {
    let last = pages.len() as u32;
    let in_range = |p: Option<u32>| p.filter(|p| (1..=last).contains(p));
    let mut out: Vec<Marked> = Vec::new();
    let mut seen: HashSet<(String, u32, Option<i32>)> = HashSet::new();
    let mut folded = Folded::default();
    // Levels in the file of the entries that are open, outermost first.
    let mut open: Vec<u32> = Vec::new();
    for (at, mark) in marks.iter().enumerate() {
        let title = clean(&mark.title);
        // What is printed as a title is one, unless it is the page that it counts.
        let named = !says_nothing(&title)
            || in_range(mark.page).is_some_and(|p| !counts_page(&title, p) && folded.has_line(pages, p, &fold(&title)));
        if title.is_empty() || !named {
            continue;
        }
        // A link out of the file names no section, wherever its words stand.
        let searched = || titles.find(&title).into_iter().find(|h| h.exact && !mark.leads_out).map(|h| h.page);
        let below = || marks.iter().skip(at + 1).take_while(|m| m.level > mark.level).find_map(|m| in_range(m.page));
        let Some(page) = in_range(mark.page).or_else(searched).or_else(below) else { continue };
        // Loops and outlines that were put together show as the same entry again.
        if !seen.insert((fold(&title), page, mark.top)) {
            continue;
        }
        while open.last().is_some_and(|level| *level >= mark.level) {
            open.pop();
        }
        let level = (open.len() as u32 + 1).min(DEEPEST);
        open.push(mark.level);
        let entry = Entry { level, title, page, line: None, at_top: true, source: NodeSource::Bookmarks, confidence: 0 };
        out.push(Marked { entry, top: mark.top });
    }
    out
}

/// Leaves out lists of figures and tables that follow the outline and lead back into the document.
fn drop_lists(found: &mut Vec<Marked>) {
    const FEWEST: usize = 3;
    let captions: Vec<bool> = found.iter().map(|m| is_caption(&m.entry.title)).collect();
    let mut gone = vec![false; found.len()];
    let (mut at, mut reached) = (0, 0);
    while let Some(mark) = found.get(at) {
        let length = captions.iter().skip(at).take_while(|c| **c).count();
        if length >= FEWEST && mark.entry.page < reached && length < found.len() {
            gone.iter_mut().skip(at).take(length).for_each(|g| *g = true);
        } else {
            reached = reached.max(mark.entry.page);
        }
        at += length.max(1);
    }
    let mut gone = gone.into_iter();
    found.retain(|_| gone.next() != Some(true));
}

/// Says how sure each entry is; returns how many entries lead to pages with text, and how many of their titles are printed there or on
/// the page after.
fn weigh(entries: &mut [Entry], pages: &[Page]) -> (usize, usize) {
    let (mut checked, mut printed) = (0, 0);
    let mut texts = Texts::default();
    let mut folded = Folded::default();
    for entry in entries.iter_mut() {
        if !has_text(pages, entry.page) {
            entry.confidence = 75;
            continue;
        }
        checked += 1;
        let (sure, there) = if entry.line.is_some() {
            (95, true)
        } else if texts.have_words(pages, entry.page, &entry.title) {
            (85, true)
        } else {
            let near = folded.line_of(pages, entry.page + 1, &fold(&entry.title)).is_some();
            (if near { 65 } else { 60 }, near)
        };
        entry.confidence = sure;
        printed += usize::from(there);
    }
    // Company tells: among titles that are printed, one that is not has been edited; among others it is nobody's word.
    if printed * 2 < checked {
        for entry in entries.iter_mut().filter(|e| e.confidence < 80) {
            entry.confidence = 40;
        }
    }
    (checked, printed)
}

/// Fills headings into those sections of a frame that have no sections of their own and are longer than `longest` pages.
pub(super) fn fill(frame: Vec<Entry>, found: &[Entry], page_count: u32, longest: u32) -> Vec<Entry> {
    let mut out: Vec<Entry> = Vec::with_capacity(frame.len());
    for (at, entry) in frame.iter().enumerate() {
        out.push(entry.clone());
        let next = frame.get(at + 1);
        let end = next.map_or(page_count + 1, |n| n.page);
        let leaf = next.is_none_or(|n| n.level <= entry.level);
        if !leaf || end.saturating_sub(entry.page) <= longest {
            continue;
        }
        let start = (entry.page, entry.line.unwrap_or(0));
        let stop = (end, next.and_then(|n| n.line).unwrap_or(0));
        let inside: Vec<&Entry> =
            found.iter().filter(|f| (f.page, f.line.unwrap_or(0)) > start && (f.page, f.line.unwrap_or(0)) < stop).collect();
        let Some(top) = inside.iter().map(|f| f.level).min() else { continue };
        let own = fold(&entry.title);
        let mut base = entry.level + 1;
        for heading in inside.into_iter().filter(|h| !alike(&fold(&h.title), &own) || goes_on(&entry.title, &h.title)) {
            // An outline may end before the document does: what goes on with its numbers stands beside its last entry.
            if heading.level == top && goes_on(&entry.title, &heading.title) {
                base = entry.level;
            }
            out.push(Entry { level: (base + heading.level - top).min(DEEPEST), ..heading.clone() });
        }
    }
    out
}

/// Whether a heading is numbered in the way of an entry, with a larger number.
fn goes_on(entry: &str, heading: &str) -> bool {
    let (Some(a), Some(b)) = (numbering(entry), numbering(heading)) else { return false };
    a.scheme == b.scheme && a.value.len() == b.value.len() && b.value > a.value
}
