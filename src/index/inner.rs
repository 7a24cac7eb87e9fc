//! Lists inside a document that announce the sections of a part with their pages, such as the index to the statements in an annual report.

use std::collections::HashMap;

use crate::pdf::Page;

use super::contents::{Contents, ContentsEntry, read};
use super::headings::candidates::Candidate;
use super::locate::{Place, Titles};
use super::titles::has_letters;

/// Fewest entries of such a list.
const LEAST: usize = 3;
/// Most entries; longer lists are indexes of words.
const MOST: usize = 60;

/// The lists found inside a document.
#[derive(Debug, Default)]
pub(super) struct InnerLists {
    /// Page and first line of each list.
    pub places: Vec<(u32, usize)>,
    /// The list that a candidate stands in, by the candidate's index.
    pub members: HashMap<usize, usize>,
}

/// Finds the lists whose entries are mostly printed, as headings, where their numbers say. Figures in tables do not climb, and their labels
/// are no headings further on.
pub(super) fn inner_lists(pages: &[Page], outer: &Contents, titles: &Titles, found: &[Candidate]) -> InnerLists {
    let mut lists = InnerLists::default();
    for page in pages.iter().filter(|p| !outer.pages.contains(&p.number)) {
        if page.lines.iter().filter(|l| !l.furniture && ends_in_number(&l.text)).count() < LEAST {
            continue;
        }
        for run in runs(read(page, 0)) {
            let Some(first) = run.first().map(|e| e.line) else { continue };
            let last = run.last().map_or(first, |e| e.last);
            let list = Contents { entries: run, pages: vec![page.number], last_line: last };
            let mut placed = Vec::new();
            for place in titles.place_all(&list, found).into_iter().flatten() {
                if let Place::Candidate(at) = place
                    && found.get(at).is_some_and(|c| c.block.page >= page.number)
                {
                    placed.push(at);
                }
            }
            placed.dedup();
            let ordered = placed.is_sorted();
            if ordered && placed.len() >= LEAST && placed.len() * 3 >= list.entries.len() * 2 {
                let number = lists.places.len();
                lists.places.push((page.number, first));
                for at in placed {
                    lists.members.entry(at).or_insert(number);
                }
            }
        }
    }
    lists
}

/// A quick look, before a page is read as a list.
fn ends_in_number(text: &str) -> bool {
    let text = text.trim_end();
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    (1..=4).contains(&digits) && text.len() > digits && has_letters(text, 4)
}

/// Runs of entries whose numbers climb, without long titles (which are sentences) between them.
fn runs(entries: Vec<ContentsEntry>) -> Vec<Vec<ContentsEntry>> {
    let mut out: Vec<Vec<ContentsEntry>> = Vec::new();
    let mut run: Vec<ContentsEntry> = Vec::new();
    let mut highest = 0;
    for entry in entries {
        let goes_on =
            entry.printed.is_some_and(|n| n >= highest && n > 0) && has_letters(&entry.title, 4) && entry.title.len() <= 180;
        if !goes_on {
            out.push(std::mem::take(&mut run));
            highest = 0;
        }
        if let Some(number) = entry.printed.filter(|n| *n > 0) {
            highest = number;
            run.push(entry);
        }
    }
    out.push(run);
    out.retain(|run| (LEAST..=MOST).contains(&run.len()));
    out
}
