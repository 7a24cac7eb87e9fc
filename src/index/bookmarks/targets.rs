//! Whether bookmarks lead to the pages on which their titles are printed, and what is to be done where they do not.

use std::collections::HashMap;

use crate::pdf::Page;

use super::super::entry::Entry;
use super::super::locate::Titles;
use super::super::titles::{alike, fold, fold_bare};

/// A page with less text (in bytes) says nothing of what is on it.
const TEXT: usize = 20;
/// Entries that must agree before all are moved.
const AGREE: usize = 4;

/// Entries whose titles are searched in the whole document, each by itself.
const SEARCHED: usize = 2_000;
/// Lines compared with titles letter by letter, for all entries together; beyond it only equal ones are found.
const COMPARED: usize = 400_000;
/// Characters of a page in which words of titles are looked for.
const PAGE_CHARS: usize = 50_000;

/// An entry with its place on the page as the bookmark gives it.
#[derive(Debug, Clone)]
pub(in crate::index) struct Marked {
    pub entry: Entry,
    /// Distance from the top of the page, points.
    pub top: Option<i32>,
}

/// Finds the titles on their pages and moves entries that lead elsewhere: all of them where all are wrong by as many pages, single ones
/// where the title is printed between those of the entries around it.
pub(in crate::index) fn settle(marks: &mut [Marked], pages: &[Page], titles: &Titles) {
    place(marks, pages, titles);
    if let Some(shift) = shift(marks, pages, titles) {
        let last = pages.len() as i64;
        for mark in marks.iter_mut() {
            mark.entry.page = (i64::from(mark.entry.page) + shift).clamp(1, last) as u32;
            mark.top = None;
        }
        place(marks, pages, titles);
    }
    move_single(marks, pages, titles);
    raise_parents(marks);
}

/// Sets the line of each entry.
fn place(marks: &mut [Marked], pages: &[Page], titles: &Titles) {
    let mut folded = Folded::default();
    for Marked { entry, top } in marks {
        entry.line = folded.line_of(pages, entry.page, &fold(&entry.title));
        entry.at_top = match (entry.line, *top) {
            (Some(line), _) => titles.at_top(entry.page, line),
            (None, Some(top)) => top < 100,
            (None, None) => true,
        };
    }
}

/// By how many pages all entries lead too far forward or back: outlines are made before a cover is added, or count from 0.
fn shift(marks: &[Marked], pages: &[Page], titles: &Titles) -> Option<i64> {
    let checked: Vec<&Marked> = marks.iter().filter(|m| has_text(pages, m.entry.page)).collect();
    let right = checked.iter().filter(|m| m.entry.line.is_some()).count();
    if checked.len() < AGREE || right * 3 > checked.len() {
        return None;
    }
    let mut votes: HashMap<i64, usize> = HashMap::new();
    let step = (checked.len() / 200).max(1);
    let mut asked = 0;
    for mark in checked.iter().step_by(step) {
        asked += 1;
        let mut seen: Vec<i64> = Vec::new();
        for hit in titles.find(&mark.entry.title) {
            let off = i64::from(hit.page) - i64::from(mark.entry.page);
            if !seen.contains(&off) {
                seen.push(off);
                *votes.entry(off).or_default() += 1;
            }
        }
    }
    let (off, agree) = votes.into_iter().max_by_key(|(off, n)| (*n, std::cmp::Reverse(off.abs())))?;
    (off != 0 && agree >= AGREE && agree * 2 > asked).then_some(off)
}

/// Moves entries whose title is not on their page but printed once between their neighbours, and takes those to their parent's page that
/// stand out of order.
fn move_single(marks: &mut [Marked], pages: &[Page], titles: &Titles) {
    let sure = marks.iter().filter(|m| m.entry.line.is_some()).count();
    if sure * 2 < marks.len() || sure < AGREE {
        return;
    }
    // The page of the next entry that is sure, from each entry on.
    let mut next = vec![pages.len() as u32; marks.len()];
    let mut after = pages.len() as u32;
    for (slot, mark) in next.iter_mut().zip(marks.iter()).rev() {
        *slot = after;
        if mark.entry.line.is_some() {
            after = mark.entry.page;
        }
    }
    let mut before = 1;
    let mut searched = 0;
    let mut texts = Texts::default();
    for (Marked { entry, top }, next) in marks.iter_mut().zip(next) {
        if entry.line.is_some() {
            before = entry.page;
            continue;
        }
        if before > next {
            continue;
        }
        let in_order = (before..=next).contains(&entry.page);
        let target = fold(&entry.title);
        let spoken_of = texts.of(pages, entry.page, fold).contains(&target);
        if !spoken_of && (has_text(pages, entry.page) || !in_order) && searched < SEARCHED {
            searched += 1;
            let hits: Vec<_> =
                titles.find(&entry.title).into_iter().filter(|h| h.exact && (before..=next).contains(&h.page)).collect();
            // Farther off, the title stands in a list of contents or begins a section of the same name.
            let near = |page: u32| !in_order || page.abs_diff(entry.page) <= 1;
            if let [hit] = hits.as_slice()
                && near(hit.page)
            {
                (entry.page, entry.line, *top) = (hit.page, Some(hit.line), None);
                entry.at_top = titles.at_top(hit.page, hit.line);
                before = entry.page;
                continue;
            }
        }
        if !in_order {
            // Where it leads cannot be: it stays with the entries that it is listed among.
            (entry.page, *top, entry.at_top) = (before, None, false);
        }
    }
}

/// A section starts no later than the first one inside it.
fn raise_parents(marks: &mut [Marked]) {
    for at in (0..marks.len().saturating_sub(1)).rev() {
        let Some(Marked { entry: child, .. }) = marks.get(at + 1) else { continue };
        let (page, level, sure) = (child.page, child.level, child.line.is_some());
        let Some(Marked { entry: parent, .. }) = marks.get_mut(at) else { continue };
        if level > parent.level && page < parent.page && sure && parent.line.is_none() {
            (parent.page, parent.at_top) = (page, true);
        }
    }
}

/// Whether a page has enough text to tell what is printed on it.
pub(in crate::index) fn has_text(pages: &[Page], page: u32) -> bool {
    pages.get(page.saturating_sub(1) as usize).is_some_and(|p| p.text.trim().len() >= TEXT)
}

/// The text of the page looked at last, made comparable.
#[derive(Default)]
pub(in crate::index) struct Texts {
    page: Option<u32>,
    text: String,
}

impl Texts {
    /// The text of a page, made comparable by `made`, which must be the same in each call; its beginning, of a huge one.
    fn of(&mut self, pages: &[Page], page: u32, made: impl Fn(&str) -> String) -> &str {
        if self.page != Some(page) {
            let text = pages.get(page.saturating_sub(1) as usize).map_or("", |p| p.text.as_str());
            let end = text.char_indices().nth(PAGE_CHARS).map_or(text.len(), |(at, _)| at);
            (self.page, self.text) = (Some(page), made(text.get(..end).unwrap_or_default()));
        }
        &self.text
    }

    /// Whether nearly all longer words of a title stand on a page: titles of outlines are often edited.
    pub(in crate::index) fn have_words(&mut self, pages: &[Page], page: u32, title: &str) -> bool {
        let text = self.of(pages, page, str::to_lowercase);
        let title = title.to_lowercase();
        let words: Vec<&str> = title.split(|c: char| !c.is_alphanumeric()).filter(|w| w.chars().count() >= 4).collect();
        words.len() >= 2 && words.iter().filter(|w| text.contains(**w)).count() * 5 >= words.len() * 4
    }
}

/// The folded lines of the page looked at last: entries of an outline go from page to page.
#[derive(Default)]
pub(in crate::index) struct Folded {
    page: Option<u32>,
    lines: Vec<String>,
    /// Lines that are page furniture.
    furniture: Vec<bool>,
    /// Lines compared so far.
    compared: usize,
}

impl Folded {
    /// Whether a line of running text of a page begins with this folded title.
    pub(in crate::index) fn has_line(&mut self, pages: &[Page], page: u32, target: &str) -> bool {
        self.line_of(pages, page, target).is_some()
            && self.lines.iter().zip(&self.furniture).any(|(text, running)| !running && text.starts_with(target))
    }

    /// The line of a page on which a folded title is printed; one of the running text before a running head.
    pub(in crate::index) fn line_of(&mut self, pages: &[Page], page: u32, target: &str) -> Option<usize> {
        if target.is_empty() {
            return None;
        }
        if self.page != Some(page) {
            let found = pages.get(page.checked_sub(1)? as usize)?;
            self.lines = found.lines.iter().map(|l| fold(&l.text)).collect();
            self.furniture = found.lines.iter().map(|l| l.furniture).collect();
            self.page = Some(page);
        }
        let bare = fold_bare(target);
        self.compared = self.compared.saturating_add(self.lines.len());
        let mut hits = self.lines.iter().enumerate().filter(|(at, text)| self.is_title(*at, text, target, &bare)).map(|(at, _)| at);
        let first = hits.next()?;
        let running = |at: usize| self.furniture.get(at).copied().unwrap_or(false);
        if running(first) { hits.find(|at| !running(*at)).or(Some(first)) } else { Some(first) }
    }

    /// Whether a line, with the lines after it where it is only the head, is the title, begins with it or ends with it.
    fn is_title(&self, at: usize, text: &str, target: &str, bare: &str) -> bool {
        if text.is_empty() {
            return false;
        }
        let within =
            target.len() >= 6 && text.starts_with(target) || text.len() >= 6 && (text.ends_with(bare) || text.ends_with(target));
        let same = |text: &str| text == target || self.compared < COMPARED && alike(text, target);
        if within || same(text) {
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
        got.starts_with(target) || same(&got)
    }
}
