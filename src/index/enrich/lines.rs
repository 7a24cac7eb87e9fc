//! The printed lines of a document's pages, as the text of the pages has them, and titles found among them.

use crate::index::IndexedPage;
use crate::index::numbering::numbering;
use crate::index::titles::{alike, clean, fold, fold_bare};

/// Lines that a title may be set in.
const TITLE_LINES: usize = 4;
/// Longer lines, in bytes, are no titles.
const LINE_MAX: usize = 260;
/// Letters from which on a title may be followed by text in its line.
const LONG_TITLE: usize = 8;

/// The lines of all pages.
pub(super) struct Lines<'a> {
    pages: Vec<Vec<&'a str>>,
}

/// A place where a title is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Printed {
    /// Index of the first line on the page.
    pub line: usize,
    /// Lines that it takes.
    pub lines: usize,
    /// The lines are the title and nothing else.
    pub whole: bool,
}

impl<'a> Lines<'a> {
    /// Pages are in order and without gaps, the first one is page 1.
    pub fn of(pages: &'a [IndexedPage]) -> Self {
        Self { pages: pages.iter().map(|page| page.text.lines().collect()).collect() }
    }

    /// The lines of a page (1-based); none beyond the last.
    pub fn page(&self, number: u32) -> &[&'a str] {
        let at = number.checked_sub(1).and_then(|at| self.pages.get(at as usize));
        at.map(Vec::as_slice).unwrap_or_default()
    }

    /// Pages in all.
    pub fn count(&self) -> u32 {
        u32::try_from(self.pages.len()).unwrap_or(u32::MAX)
    }

    /// Where a title is printed on a page, from this line on: as lines of its own rather than at the head of one.
    pub fn find(&self, page: u32, from: usize, title: &str) -> Option<Printed> {
        let target = fold_bare(title);
        if target.is_empty() {
            return None;
        }
        let number = numbering(title).map(|number| number.value);
        let lines = self.page(page);
        let mut head = None;
        for (at, first) in lines.iter().enumerate().skip(from).filter(|(_, line)| line.len() <= LINE_MAX) {
            let mut got = fold_bare(first);
            if got.is_empty() {
                continue;
            }
            // "2 Scope" is not "3 Scope"; a number that only one of them has may have been left out.
            let other = numbering(first).map(|number| number.value);
            if number.is_some() && other.is_some() && number != other {
                continue;
            }
            let mut taken = 1;
            for next in lines.iter().skip(at + 1).take(TITLE_LINES - 1) {
                if got.len() >= target.len() || !target.starts_with(&got) {
                    break;
                }
                got.push_str(&fold(next));
                taken += 1;
            }
            if alike(&got, &target) {
                return Some(Printed { line: at, lines: taken, whole: true });
            }
            if head.is_none() && target.len() >= LONG_TITLE && got.starts_with(&target) {
                head = Some(Printed { line: at, lines: 1, whole: false });
            }
        }
        head
    }

    /// The title as it is printed there.
    pub fn title(&self, page: u32, at: Printed) -> String {
        let lines = self.page(page).get(at.line..at.line + at.lines).unwrap_or_default();
        clean(&lines.join(" "))
    }

    /// Whether nothing but short lines, such as running heads, stands above a line on its page.
    pub fn is_at_top(&self, page: u32, line: usize) -> bool {
        !self.page(page).iter().take(line).any(|line| line.trim().chars().count() > 30)
    }

    /// On how many of these pages the title stands as a line of its own: a running head stands on many.
    pub fn repeats(&self, first: u32, last: u32, title: &str) -> usize {
        let target = fold(title);
        (first..=last).filter(|page| self.page(*page).iter().any(|line| line.len() <= LINE_MAX && fold(line) == target)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> IndexedPage {
        IndexedPage { number: 1, label: None, text: text.to_owned(), notes: Vec::new() }
    }

    #[test]
    fn titles_are_found_as_lines_of_their_own() {
        let pages = [page(
            "Running head\n\n2.1  Liquidity and capital\nresources\nThe liquidity of the group was good.\nRisks. They are many.",
        )];
        let lines = Lines::of(&pages);
        let found = lines.find(1, 0, "Liquidity and Capital Resources").unwrap();
        assert_eq!(found, Printed { line: 2, lines: 2, whole: true });
        assert_eq!(lines.title(1, found), "2.1 Liquidity and capital resources");
        assert_eq!(lines.find(1, 0, "The liquidity of the group").map(|p| p.whole), Some(false));
        assert_eq!(lines.find(1, 0, "Risks"), None, "a short word at the head of a line proves nothing");
        assert_eq!(lines.find(1, 3, "Liquidity and capital resources"), None);
        assert_eq!(lines.find(2, 0, "Liquidity"), None);
        assert!(lines.is_at_top(1, 2) && !lines.is_at_top(1, 5));
    }
}
