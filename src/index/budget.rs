//! How much summaries may take, so that the structure of a whole document costs an agent few tokens.

use std::cmp::Reverse;

use super::types::Node;

/// Longest summary, in characters; half as many where a character is a word or a syllable.
pub(super) const LONGEST: usize = 200;
/// Shortest room that a summary is given: most single sentences fit into it.
const SHORTEST: usize = 110;
/// Room for a single sentence: nine of ten have less than so many characters.
pub(super) const SINGLE: usize = 180;
/// Characters of a structure per page of its document, and the least for a short one: with both, the structures of the six
/// documents (745 pages) by which the size is judged stay under 110,000 characters.
const PER_PAGE: usize = 135;
const LEAST_ALL: usize = 8_000;
/// Characters of JSON that a node costs beside its title and summary, and the key of a summary.
const FRAME: usize = 78;
const KEY: usize = 14;
/// Characters of a page's share that are for summaries whatever the titles take.
const FLOOR: usize = 40;

/// What summaries may take, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Budget {
    left: usize,
    /// Longest summary of this document.
    pub room: usize,
}

impl Budget {
    /// For a document of so many pages and sections whose structure takes `skeleton` characters without summaries.
    pub fn new(pages: usize, sections: usize, skeleton: usize) -> Self {
        let left = (pages * PER_PAGE).max(LEAST_ALL).saturating_sub(skeleton).max(pages * FLOOR);
        Self { left, room: (left / sections.max(1)).saturating_sub(KEY).clamp(SHORTEST, LONGEST) }
    }

    /// Whether there is room for a summary of so many characters.
    pub fn holds(&self, characters: usize) -> bool {
        self.left >= characters + KEY
    }

    /// Takes out a summary of so many characters.
    pub fn take(&mut self, characters: usize) {
        self.left = self.left.saturating_sub(characters + KEY);
    }
}

/// The order in which sections get theirs: with too little for all, the longest first, of equals the higher ones. Sections are given as the
/// pages that they span beyond their first and their depth.
pub(super) fn order(sections: impl Iterator<Item = (u32, u32)>) -> Vec<usize> {
    let mut keyed: Vec<_> = sections.enumerate().map(|(at, (span, depth))| (Reverse(span), depth, at)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(.., at)| at).collect()
}

/// Characters that a node takes without its summary and the nodes inside it.
pub(super) fn frame(node: &Node) -> usize {
    let items: usize = node.key_items.iter().map(|item| item.chars().count() + 3).sum();
    FRAME + node.title.chars().count() + items
}
