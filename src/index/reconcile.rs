//! Which source of structure wins where: bookmarks, printed contents, headings in the layout, page groups.

use std::collections::{HashMap, HashSet};

use crate::pdf::{Bookmark, Page};

use super::arrange::arrange;
use super::bookmarks::{self, Trust};
use super::contents::{Contents, contents, is_contents_heading, levels};
use super::entry::Entry;
use super::headings::candidates::{Candidate, candidates};
use super::headings::runin::add_run_ins;
use super::headings::slots::{numbered_heads, slots};
use super::headings::tags::{self, TagTrust};
use super::headings::{Class, Usage, class, select};
use super::inner::inner_lists;
use super::known::is_opening;
use super::layout::{Block, Typography, blocks, of_page};
use super::locate::{Place, Titles};
use super::numbering::Scheme;
use super::ranges;
use super::titles::{clean, fold};
use super::types::{NodeSource, TocSource};

/// Pages of a section without sections of its own from which on headings are looked for inside.
const LONG: u32 = 10;

/// Other pages that show the look of a line on the first page, from which on it is the look of headings.
const RECURS: usize = 3;

/// Candidates without a number on one page from which on they may be pieces of a design.
const CROWD: usize = 6;

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
    let inner = inner_lists(pages, &printed, &titles, &found);
    let headings = select(found, &listed, &inner.members, &usage, look);
    let entries = arrange(headings, missing, &inner, &printed, last);
    match trust {
        Trust::Whole(frame) => return (bookmarks::fill(frame, &entries, last, LONG), TocSource::Bookmarks),
        Trust::Frame(frame) => return (bookmarks::fill(frame, &entries, last, LONG / 3), TocSource::Bookmarks),
        Trust::None => {}
    }
    if entries.len() < 2 && pages.len() > 3 || entries.is_empty() {
        return (ranges::groups(pages), TocSource::PageRanges);
    }
    let by_contents = listed.len() * 2 >= entries.len() && !listed.is_empty();
    let tagged = entries.iter().filter(|e| e.source == NodeSource::Tags).count();
    let toc_source = match (by_contents, tagged * 2 > entries.len()) {
        (true, _) => TocSource::PrintedContents,
        (false, true) => TocSource::Tags,
        (false, false) => TocSource::Headings,
    };
    (entries, toc_source)
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
    let mut tags = tags::judge(pages);
    let mut usage = Usage::default();
    let heads = slots(pages, look);
    let numbered = numbered_heads(pages);
    let mut surveyed = Vec::with_capacity(pages.len());
    for page in pages {
        let small = of_page(look, page);
        let own = small.as_ref().unwrap_or(look);
        let running = heads.running(page);
        let cut: Vec<Block> = blocks(page, own, &|at| match page.lines.get(at) {
            Some(line) if line.furniture => !numbered.contains(&(page.number, at)),
            _ => running == Some(at),
        });
        usage.count(&cut);
        let mut here = uncrowded(candidates(&cut, own), &cut);
        for c in here.iter_mut().filter(|c| c.block.size > own.size * 1.1) {
            // Over small print a title is set small as well; it stands where it would over the usual text.
            c.block.size = c.block.size.max((c.block.size * look.size / own.size).min(look.size));
        }
        surveyed.push((page, cut, here));
    }
    add_run_ins(&mut surveyed);
    tags.compare(surveyed.iter().flat_map(|(page, _, here)| here.iter().map(|c| (*page, c))));
    let recurring = recurring(surveyed.iter().flat_map(|(_, _, here)| here), look);
    let mut found = Vec::new();
    for (page, cut, mut here) in surveyed {
        tags.weigh(&mut here, &cut, page);
        here.retain(|c| !printed.covers(page.number, c.block.first) || is_contents_heading(&c.block.text));
        // The cover of a document with contents further on tells its makers and dates, not its sections.
        if page.number == 1 && printed.pages.first().is_some_and(|first| *first > 1) {
            here.retain(|c| {
                c.numbering.as_ref().is_some_and(|n| n.scheme != Scheme::Decimal || n.depth() > 1)
                    || is_opening(&fold(&c.block.text))
            });
        }
        if page.number == 1 || printed.pages.first().is_some_and(|first| page.number < *first) {
            let recurs = |c: &Candidate| {
                recurring.get(&class(c, look)).is_some_and(|pages| pages.iter().filter(|p| **p != page.number).count() >= RECURS)
            };
            here = after_cover(here, &cut, look, tags.trust() == TagTrust::Whole, recurs);
        }
        found.extend(here);
    }
    (found, usage)
}

/// On pages of short pieces (covers of parts, charts, maps) with hardly a paragraph, hardly more than the largest line is a heading.
fn uncrowded(mut found: Vec<Candidate>, cut: &[Block]) -> Vec<Candidate> {
    let plain = found.iter().filter(|c| c.numbering.is_none()).count();
    let paragraphs = cut.iter().filter(|b| !b.row && (b.lines > 2 && b.chars > 120 || b.chars > 200)).count();
    if plain >= CROWD && plain >= 2 * paragraphs + 2 {
        let top = largest(cut);
        for c in found.iter_mut().filter(|c| c.numbering.is_none() && c.block.size <= top * 0.95) {
            c.score -= if is_contents_heading(&c.block.text) { 0.0 } else { 0.5 };
        }
    }
    found
}

/// What stands on a title page before its first paragraph names the document, its makers and its date; only what is numbered, opens
/// the contents or is a known name of a section is a heading there.
/// What looks like the headings of later pages is a heading too, where nothing is set larger: such a document has no title page.
fn after_cover(
    found: Vec<Candidate>,
    cut: &[Block],
    look: &Typography,
    by_tags: bool,
    recurs: impl Fn(&Candidate) -> bool,
) -> Vec<Candidate> {
    let paragraph = cut.iter().find(|b| b.lines > 2 && b.chars > 150 || b.chars > 320).map_or(usize::MAX, |b| b.first);
    // The heading right above the first paragraph belongs to it.
    let top = largest(cut);
    // Looks that titles further down have as well.
    let again: HashSet<Class> =
        found.iter().filter(|c| c.block.page == 1 && c.block.first > paragraph).map(|c| class(c, look)).collect();
    let opening =
        found.iter().filter(|c| c.block.first < paragraph).map(|c| c.block.first).max().filter(|_| paragraph != usize::MAX);
    found
        .into_iter()
        .filter(|c| {
            let section = c.numbering.is_some() || is_contents_heading(&c.block.text) || is_opening(&fold(&c.block.text));
            c.block.first > paragraph
                || section
                || by_tags && c.tagged.is_some()
                || Some(c.block.first) == opening && (c.block.size < top || again.contains(&class(c, look)))
                || paragraph != usize::MAX && c.block.size > top * 0.98 && recurs(c)
        })
        .collect()
}

/// The pages on which each class of candidates is seen.
fn recurring<'a>(found: impl Iterator<Item = &'a Candidate>, look: &Typography) -> HashMap<Class, HashSet<u32>> {
    let mut pages: HashMap<Class, HashSet<u32>> = HashMap::new();
    for c in found {
        pages.entry(class(c, look)).or_default().insert(c.block.page);
    }
    pages
}

/// The largest font size among blocks that can be titles.
fn largest(cut: &[Block]) -> f32 {
    cut.iter().filter(|b| !b.text.is_empty()).map(|b| b.size).fold(0.0, f32::max)
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
                placed.missing.push(Entry {
                    level,
                    title: clean(&entry.title),
                    page,
                    line: Some(line),
                    at_top,
                    source: NodeSource::PrintedContents,
                    confidence: 85,
                });
            }
            Some(Place::Page(page)) => placed.missing.push(Entry {
                level,
                title: clean(&entry.title),
                page,
                line: None,
                at_top: true,
                source: NodeSource::PrintedContents,
                confidence: 50,
            }),
            None => {}
        }
    }
    placed
}
