//! The file's own outline, checked: order, targets, titles really printed there, generic entries.

use crate::pdf::{Bookmark, Page};

use super::entry::Entry;
use super::levels::DEEPEST;
use super::locate::Titles;
use super::titles::{alike, clean, fold, fold_bare};
use super::types::NodeSource;

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

/// Judges an outline against the pages.
pub(super) fn judge(marks: &[Bookmark], pages: &[Page], titles: &Titles) -> Trust {
    let entries = resolve(marks, pages, titles);
    if entries.is_empty() || generic(&entries) {
        return Trust::None;
    }
    let falls = entries.windows(2).filter(|w| matches!(w, [a, b] if b.page < a.page)).count();
    if falls * 4 > entries.len() {
        return Trust::None;
    }
    let mut entries = entries;
    entries.sort_by_key(|e| e.page);
    let (checked, printed) = printed_share(&entries, pages);
    // Fewer than four titles prove nothing either way.
    if checked >= 4 && printed * 5 < checked {
        return Trust::None;
    }
    if checked >= 4 && printed * 2 < checked {
        return Trust::Frame(entries);
    }
    Trust::Whole(entries)
}

/// Entries with titles and pages inside the file. A target that is missing is searched by title, else taken from the first entry below.
fn resolve(marks: &[Bookmark], pages: &[Page], titles: &Titles) -> Vec<Entry> {
    let last = pages.len() as u32;
    let in_range = |p: Option<u32>| p.filter(|p| (1..=last).contains(p));
    let marks = marks.get(..marks.len().min(MOST)).unwrap_or(marks);
    let mut out: Vec<Entry> = Vec::new();
    let mut folded = Folded::default();
    for (at, mark) in marks.iter().enumerate() {
        let title = clean(&mark.title);
        if title.is_empty() {
            continue;
        }
        let searched = || titles.find(&title).into_iter().find(|h| h.exact).map(|h| h.page);
        let below = || marks.iter().skip(at + 1).take_while(|m| m.level > mark.level).find_map(|m| in_range(m.page));
        let Some(page) = in_range(mark.page).or_else(searched).or_else(below) else { continue };
        // A loop in the outline shows as the same entry again right away.
        let repeated = out.last().is_some_and(|e| e.title == title && e.page == page && mark.level > e.level);
        if repeated {
            continue;
        }
        let target = fold(&title);
        let line = folded.line_of(pages, page, &target);
        let at_top = match (line, mark.top) {
            (Some(line), _) => titles.at_top(page, line),
            (None, Some(top)) => top < 100,
            (None, None) => true,
        };
        out.push(Entry {
            level: mark.level.clamp(1, DEEPEST),
            title,
            page,
            line,
            at_top,
            source: NodeSource::Bookmarks,
            confidence: if line.is_some() { 95 } else { 70 },
        });
    }
    out
}

/// The folded lines of the page looked at last: entries of an outline go from page to page.
#[derive(Default)]
struct Folded {
    page: Option<u32>,
    lines: Vec<String>,
}

impl Folded {
    /// The line of a page on which a folded title is printed.
    fn line_of(&mut self, pages: &[Page], page: u32, target: &str) -> Option<usize> {
        if target.is_empty() {
            return None;
        }
        if self.page != Some(page) {
            let found = pages.get(page.checked_sub(1)? as usize)?;
            self.lines = found.lines.iter().map(|l| fold(&l.text)).collect();
            self.page = Some(page);
        }
        let bare = fold_bare(target);
        self.lines.iter().enumerate().find(|(at, text)| self.is_title(*at, text, target, &bare)).map(|(at, _)| at)
    }

    /// Whether a line, with the lines after it where it is only the head, is the title, begins with it or ends with it.
    fn is_title(&self, at: usize, text: &str, target: &str, bare: &str) -> bool {
        if text.is_empty() {
            return false;
        }
        let within =
            target.len() >= 6 && text.starts_with(target) || text.len() >= 6 && (text.ends_with(bare) || text.ends_with(target));
        if within || alike(text, target) {
            return true;
        }
        if !target.starts_with(text) {
            return false;
        }
        let mut got = text.to_owned();
        for next in self.lines.iter().skip(at + 1).take(4) {
            got.push_str(next);
            if got.len() >= target.len() {
                break;
            }
        }
        got.starts_with(target) || alike(&got, target)
    }
}

/// Whether most titles only count pages ("Page 1", "Slide 7", "12").
fn generic(entries: &[Entry]) -> bool {
    let plain = entries
        .iter()
        .filter(|e| {
            let folded = fold(&e.title);
            let word = folded.trim_end_matches(|c: char| c.is_ascii_digit());
            word.len() < folded.len()
                && matches!(word, "" | "page" | "p" | "pg" | "slide" | "seite" | "folie" | "pagina" | "página" | "sheet" | "blank")
        })
        .count();
    plain * 10 >= entries.len() * 6
}

/// How many entries point to pages with text, and how many of their titles are printed there or on the page after.
fn printed_share(entries: &[Entry], pages: &[Page]) -> (usize, usize) {
    let step = (entries.len() / 200).max(1);
    let (mut checked, mut printed) = (0, 0);
    let mut folded = Folded::default();
    for entry in entries.iter().step_by(step) {
        let Some(page) = pages.get(entry.page.saturating_sub(1) as usize) else { continue };
        if page.text.trim().len() < 20 {
            continue;
        }
        checked += 1;
        let target = fold(&entry.title);
        let near = entry.line.is_some() || words_on(page, &entry.title) || folded.line_of(pages, entry.page + 1, &target).is_some();
        printed += usize::from(near);
    }
    (checked, printed)
}

/// Whether nearly all longer words of a title stand on a page: titles of outlines are often edited.
fn words_on(page: &Page, title: &str) -> bool {
    let text = page.text.to_lowercase();
    let title = title.to_lowercase();
    let words: Vec<&str> = title.split(|c: char| !c.is_alphanumeric()).filter(|w| w.chars().count() >= 4).collect();
    words.len() >= 2 && words.iter().filter(|w| text.contains(**w)).count() * 5 >= words.len() * 4
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
        for heading in inside.into_iter().filter(|h| !alike(&fold(&h.title), &own)) {
            out.push(Entry { level: (entry.level + 1 + heading.level - top).min(DEEPEST), ..heading.clone() });
        }
    }
    out
}
