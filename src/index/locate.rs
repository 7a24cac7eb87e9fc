//! Where a title is printed: titles of bookmarks and contents pages matched to lines of the pages.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::pdf::Page;

use super::contents::Contents;
use super::headings::candidates::Candidate;
use super::labels::Labels;
use super::numbering::{Scheme, numbering};
use super::titles::{alike, fold_bare};

/// An index of the lines of a document by how their text begins.
pub(super) struct Titles<'a> {
    pages: &'a [Page],
    /// Made when the first title is looked up: most documents need none.
    lines: OnceCell<HashMap<String, Vec<(usize, usize)>>>,
    /// Judged when the first list is placed; a document may hold many.
    labels: OnceCell<Labels>,
}

/// A printed title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    /// Physical page, 1-based.
    pub page: u32,
    /// Index of the line in `Page::lines`.
    pub line: usize,
    /// The line (with the lines after it that continue it) is the title and nothing else.
    pub exact: bool,
}

/// Where an entry of a contents page belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The candidate with this index.
    Candidate(usize),
    /// A line that does not look like a heading.
    Line { page: u32, line: usize, at_top: bool },
    /// Not found printed; counted from the page number.
    Page(u32),
}

/// Letters of a folded title by which lines are looked up.
const KEY: usize = 5;
/// Lines compared letter by letter for one title; beyond it only equal ones are found.
const COMPARED: usize = 300;
/// Least letters of a line that is only the head of a title.
const HEAD: usize = 14;
/// Lines longer than this (in bytes) are not indexed: they are text, not titles.
const LINE_MAX: usize = 260;

fn key(folded: &str) -> String {
    folded.chars().take(KEY).collect()
}

impl<'a> Titles<'a> {
    /// Over the lines of these pages.
    pub fn new(pages: &'a [Page]) -> Self {
        Self { pages, lines: OnceCell::new(), labels: OnceCell::new() }
    }

    /// Lines by the head of their text, page furniture left out.
    fn lines(&self) -> &HashMap<String, Vec<(usize, usize)>> {
        self.lines.get_or_init(|| {
            let mut lines: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
            for (p, page) in self.pages.iter().enumerate() {
                for (l, line) in page.lines.iter().enumerate().filter(|(_, l)| !l.furniture && l.text.len() <= LINE_MAX) {
                    let folded = fold_bare(&line.text);
                    if !folded.is_empty() {
                        lines.entry(key(&folded)).or_default().push((p, l));
                    }
                }
            }
            lines
        })
    }

    /// All places where a title is printed, in document order.
    pub fn find(&self, title: &str) -> Vec<Hit> {
        let target = fold_bare(title);
        let mut out = Vec::new();
        if target.is_empty() {
            return out;
        }
        let mut compared = 0;
        for &(p, l) in self.lines().get(&key(&target)).map(Vec::as_slice).unwrap_or_default() {
            let Some(page) = self.pages.get(p) else { continue };
            let Some(line) = page.lines.get(l) else { continue };
            let mut got = fold_bare(&line.text);
            let head = got.clone();
            for next in page.lines.iter().skip(l + 1).take(4) {
                if got.len() >= target.len() || !target.starts_with(&got) {
                    break;
                }
                got.push_str(&super::titles::fold(&next.text));
            }
            compared += 1;
            if got == target || compared <= COMPARED && alike(&got, &target) {
                out.push(Hit { page: page.number, line: l, exact: true });
            } else if target.len() >= 8 && got.starts_with(&target) || head.len() >= HEAD && target.starts_with(&head) {
                // The line goes on after the title, or the title was set short ("... for the years ended" left out).
                out.push(Hit { page: page.number, line: l, exact: false });
            }
        }
        out
    }

    /// Whether nothing of the running text stands above a line on its page.
    pub fn at_top(&self, page: u32, line: usize) -> bool {
        let Some(found) = self.pages.get(page.saturating_sub(1) as usize) else { return false };
        !found.lines.iter().take(line).any(|l| !l.furniture && l.text.trim().len() > 30)
    }

    /// A place for each entry of the contents pages: where its title is printed near the page that its number says.
    pub fn place_all(&self, contents: &Contents, found: &[Candidate]) -> Vec<Option<Place>> {
        let hits: Vec<Vec<(Hit, Option<usize>)>> = contents
            .entries
            .iter()
            .map(|entry| {
                let target = fold_bare(&entry.title);
                let found_here = self.find(&entry.title).into_iter().filter(|h| !contents.covers(h.page, h.line));
                found_here
                    .map(|h| {
                        let candidate = heading_at(found, h.page, h.line);
                        let same = candidate.filter(|at| {
                            found
                                .get(*at)
                                .is_some_and(|c| is_title(&fold_bare(&c.block.text), &target) || is_number_of(c, &entry.title))
                        });
                        (h, same)
                    })
                    .collect()
            })
            .collect();
        let labels = self.labels.get_or_init(|| Labels::new(self.pages));
        let offset = offsets(contents, &hits, labels);
        let last = self.pages.len() as i32;
        let mut before = 1u32;
        let mut out = Vec::with_capacity(hits.len());
        for (entry, hits) in contents.entries.iter().zip(&hits) {
            let expected = entry
                .printed
                .and_then(|n| offset.apply(n).or_else(|| labels.page_of(n).map(|p| p as i32)))
                .filter(|p| (1..=last).contains(p));
            let place = self.choose(&entry.title, hits, expected, before, found);
            if let Some(page) = place.and_then(|p| self.page_of(p, found)) {
                before = page.max(before);
            }
            out.push(place);
        }
        out
    }

    /// The place of one title among the places where it is printed: near the page that its number says, in order, as a heading.
    fn choose(
        &self,
        title: &str,
        hits: &[(Hit, Option<usize>)],
        expected: Option<i32>,
        before: u32,
        found: &[Candidate],
    ) -> Option<Place> {
        let worth = |(hit, candidate): &(Hit, Option<usize>)| {
            let near = expected.map_or(0, |e| match (hit.page as i32 - e).abs() {
                0 => 12,
                1 => 6,
                _ => -6,
            });
            near + if candidate.is_some() { 5 } else { 0 } + if hit.exact { 2 } else { 0 } + if hit.page >= before { 3 } else { -3 }
        };
        // The first of equals: a title is printed before it is spoken of.
        let mut best: Option<(i32, &(Hit, Option<usize>))> = None;
        for hit in hits {
            let worth = worth(hit);
            if best.is_none_or(|(w, _)| worth > w) {
                best = Some((worth, hit));
            }
        }
        // Numbers may be wrong or of an older edition: a title that is printed once only as a heading, in its place, is that section.
        let headings = hits.iter().filter(|(hit, candidate)| hit.exact && candidate.is_some()).count();
        let sure = |worth: i32, hit: &Hit, heading: bool| {
            worth >= 6 || expected.is_none() && hit.exact || headings == 1 && hit.exact && heading && hit.page >= before
        };
        if let Some((worth, (hit, candidate))) = best
            && sure(worth, hit, candidate.is_some())
        {
            let heading = candidate.or_else(|| same_number(title, hit.page, found));
            let line = || Place::Line { page: hit.page, line: hit.line, at_top: self.at_top(hit.page, hit.line) };
            return Some(heading.map_or_else(line, Place::Candidate));
        }
        let page = u32::try_from(expected?).ok()?;
        let numbered = same_number(title, page, found).map(Place::Candidate);
        Some(numbered.or_else(|| self.in_furniture(title, page)).unwrap_or(Place::Page(page)))
    }

    /// A title that is printed on its page only among the running heads.
    fn in_furniture(&self, title: &str, page: u32) -> Option<Place> {
        let target = fold_bare(title);
        let found = self.pages.get(page.checked_sub(1)? as usize)?;
        let line =
            found.lines.iter().position(|l| l.furniture && l.text.len() <= LINE_MAX && alike(&fold_bare(&l.text), &target))?;
        Some(Place::Line { page, line, at_top: true })
    }

    fn page_of(&self, place: Place, found: &[Candidate]) -> Option<u32> {
        match place {
            Place::Candidate(at) => found.get(at).map(|c| c.block.page),
            Place::Line { page, .. } | Place::Page(page) => Some(page),
        }
    }
}

/// The heading of the page, or else of the next one, that has the number of a title which is worded otherwise there. Single numbers and letters
/// count too many things to tell.
fn same_number(title: &str, page: u32, found: &[Candidate]) -> Option<usize> {
    let number = numbering(title).filter(|n| n.scheme <= Scheme::Clause || n.depth() > 1)?;
    let has = |c: &Candidate| c.numbering.as_ref().is_some_and(|n| n.scheme == number.scheme && n.value == number.value);
    let on = |page: u32| found.iter().position(|c| c.block.page == page && has(c));
    on(page).or_else(|| on(page + 1))
}

/// Index of the heading that a line belongs to; headings are in the order of their pages.
fn heading_at(found: &[Candidate], page: u32, line: usize) -> Option<usize> {
    let from = found.partition_point(|c| c.block.page < page);
    let here = found.iter().skip(from).take_while(|c| c.block.page == page);
    here.enumerate().find(|(_, c)| (c.block.first..=c.block.last).contains(&line)).map(|(at, _)| from + at)
}

/// Whether a title is a number alone ("Part II") and the heading begins with it.
fn is_number_of(heading: &Candidate, title: &str) -> bool {
    let Some(number) = numbering(title).filter(|n| n.len >= title.trim_end().len()) else { return false };
    heading.numbering.as_ref().is_some_and(|n| n.scheme == number.scheme && n.value == number.value)
}

/// Whether a folded heading is the folded title, or the head of it that makes a title.
fn is_title(heading: &str, title: &str) -> bool {
    alike(heading, title)
        || heading.len() >= HEAD && title.starts_with(heading)
        || title.len() >= HEAD && heading.starts_with(title) && heading.len() < title.len() * 2
}

/// What to add to a printed number to get the physical page, for arabic and for roman numbers.
#[derive(Debug, Clone, Copy, Default)]
struct Offsets {
    arabic: Option<i32>,
    roman: Option<i32>,
}

impl Offsets {
    fn apply(self, printed: i32) -> Option<i32> {
        if printed < 0 { self.roman.map(|o| o - printed) } else { self.arabic.map(|o| o + printed) }
    }
}

/// The offsets that most entries agree on: at least two entries and a quarter of those that were found at all.
fn offsets(contents: &Contents, hits: &[Vec<(Hit, Option<usize>)>], labels: &Labels) -> Offsets {
    let vote = |roman: bool| {
        let mut votes: HashMap<i32, i32> = HashMap::new();
        let (mut entries, mut found) = (0, 0);
        for (entry, hits) in contents.entries.iter().zip(hits) {
            let Some(printed) = entry.printed.filter(|n| (*n < 0) == roman) else { continue };
            entries += 1;
            found += i32::from(!hits.is_empty());
            if labels.confirmed()
                && let Some(page) = labels.page_of(printed)
            {
                *votes.entry(page as i32 - printed.abs()).or_default() += 3;
            }
            let mut seen: Vec<i32> = Vec::new();
            for (hit, candidate) in hits {
                let offset = hit.page as i32 - printed.abs();
                if !seen.contains(&offset) {
                    *votes.entry(offset).or_default() += if candidate.is_some() { 3 } else { 1 };
                    seen.push(offset);
                }
            }
        }
        let best = votes.into_iter().max_by_key(|(offset, n)| (*n, -offset.abs()))?;
        (best.1 >= found.min(6) && (best.1 >= 4 || entries <= 2)).then_some(best.0)
    };
    Offsets { arabic: vote(false), roman: vote(true) }
}
