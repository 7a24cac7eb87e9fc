//! Which source of structure wins where: bookmarks, printed contents, headings in the layout, page groups.

use std::collections::HashMap;

use crate::pdf::{Bookmark, Page};

use super::bookmarks::{self, Trust};
use super::candidates::{Candidate, candidates};
use super::contents::{Contents, contents, is_contents_heading, levels};
use super::entry::Entry;
use super::headings::{Heading, Usage, ranks, select};
use super::layout::{Block, Typography, blocks};
use super::levels::{Ranked, nest};
use super::locate::{Place, Titles};
use super::numbering::numbering;
use super::ranges;
use super::titles::clean;
use super::types::TocSource;

/// Pages of a section without sections of its own from which on headings are looked for inside.
const LONG: u32 = 10;

/// The outline of a document and where it came from. The entries are in document order and never empty unless there are no pages.
pub(super) fn outline(pages: &[Page], marks: &[Bookmark], look: &Typography) -> (Vec<Entry>, TocSource) {
    let titles = Titles::new(pages);
    let trust = bookmarks::judge(marks, pages, &titles);
    let last = pages.len() as u32;
    if let Trust::Whole(frame) = &trust
        && !has_long_leaf(frame, last)
    {
        return (frame.clone(), TocSource::Bookmarks);
    }
    let printed = contents(pages);
    let (found, usage) = survey(pages, look, &printed);
    let Placed { listed, missing } = place_contents(&printed, &titles, &found);
    let headings = select(found, &listed, &usage, look);
    let entries = arrange(headings, missing);
    match trust {
        Trust::Whole(frame) => return (bookmarks::fill(frame, &entries, last, LONG), TocSource::Bookmarks),
        Trust::Frame(frame) => return (bookmarks::fill(frame, &entries, last, LONG / 3), TocSource::Bookmarks),
        Trust::None => {}
    }
    if entries.len() < 2 && pages.len() > 3 || entries.is_empty() {
        return (ranges::groups(pages), TocSource::PageRanges);
    }
    let by_contents = listed.len() * 2 >= entries.len() && !listed.is_empty();
    (entries, if by_contents { TocSource::PrintedContents } else { TocSource::Headings })
}

/// Whether a section without sections of its own is longer than [`LONG`].
fn has_long_leaf(entries: &[Entry], page_count: u32) -> bool {
    entries.iter().enumerate().any(|(at, e)| {
        let next = entries.get(at + 1);
        next.is_none_or(|n| n.level <= e.level) && next.map_or(page_count + 1, |n| n.page).saturating_sub(e.page) > LONG
    })
}

/// All candidates of a document, contents pages left out (but for their heading), and how its looks are used.
fn survey(pages: &[Page], look: &Typography, printed: &Contents) -> (Vec<Candidate>, Usage) {
    let mut usage = Usage::default();
    let mut found = Vec::new();
    for page in pages {
        let cut: Vec<Block> = blocks(page, look);
        usage.count(&cut);
        let mut here = candidates(&cut, look);
        if printed.pages.contains(&page.number) {
            here.retain(|c| is_contents_heading(&c.block.text));
        }
        found.extend(here);
    }
    (found, usage)
}

/// The entries of the contents pages on their pages.
struct Placed {
    /// Level by index of the candidate.
    listed: HashMap<usize, u32>,
    /// Entries that no candidate stands for: level, title, page.
    missing: Vec<Entry>,
}

/// Finds the titles of the contents pages among the candidates, else on the pages, else counts from the printed page numbers.
fn place_contents(printed: &Contents, titles: &Titles, found: &[Candidate]) -> Placed {
    let mut placed = Placed { listed: HashMap::new(), missing: Vec::new() };
    let depth = levels(&printed.entries);
    let places = titles.place_all(printed, found);
    for ((entry, level), place) in printed.entries.iter().zip(depth).zip(places) {
        match place {
            Some(Place::Candidate(at)) => {
                placed.listed.insert(at, level);
            }
            Some(Place::Line { page, line, at_top }) => {
                placed.missing.push(Entry { level, title: clean(&entry.title), page, line: Some(line), at_top });
            }
            Some(Place::Page(page)) => {
                placed.missing.push(Entry { level, title: clean(&entry.title), page, line: None, at_top: true })
            }
            None => {}
        }
    }
    placed
}

/// Headings and contents entries that only the contents page knows, in document order with levels.
fn arrange(headings: Vec<Heading>, missing: Vec<Entry>) -> Vec<Entry> {
    let rank = ranks(&headings);
    let mut items: Vec<(Entry, Ranked)> = headings
        .into_iter()
        .zip(rank)
        .map(|(h, rank)| {
            let b = &h.candidate.block;
            let entry = Entry { level: 1, title: clean(&b.text), page: b.page, line: Some(b.first), at_top: b.at_top };
            (entry, Ranked { rank, numbering: h.candidate.numbering })
        })
        .collect();
    items.extend(missing.into_iter().map(|e| {
        let numbering = numbering(&e.title);
        let rank = e.level;
        (e, Ranked { rank, numbering })
    }));
    items.retain(|(e, _)| !e.title.is_empty());
    items.sort_by_key(|(e, _)| (e.page, e.line.unwrap_or(0)));
    let ranked: Vec<Ranked> = items.iter().map(|(_, r)| r.clone()).collect();
    let depth = nest(&ranked);
    items.into_iter().zip(depth).map(|((e, _), level)| Entry { level, ..e }).collect()
}
