//! How long summaries may be, so that the structure of a whole document costs an agent few tokens.

use super::types::Node;

/// Longest summary, in characters.
pub(super) const LONGEST: usize = 200;
/// Shortest summary of a model worth its place.
const SHORTEST: usize = 70;
/// Characters of a structure per page of its document, and the least for a short one: with both, the structures of the six
/// documents (745 pages) by which the size is judged stay under 110,000 characters.
const PER_PAGE: usize = 135;
const LEAST: usize = 8_000;
/// Characters of a page's share that are for summaries whatever the titles take.
const FLOOR: usize = 40;
/// Characters of JSON that a node costs beside its title and summary.
const FRAME: usize = 78;
/// Characters of JSON that a summary costs beside its text.
pub(super) const KEY: usize = 14;

/// Characters that all summaries of a document may take whose structure takes `skeleton` characters without them.
pub(super) fn room(pages: usize, skeleton: usize) -> usize {
    (pages * PER_PAGE).max(LEAST).saturating_sub(skeleton).max(pages * FLOOR)
}

/// What summaries may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Budget {
    /// Longest summary of this document, in characters.
    pub limit: usize,
    /// Summaries that there is room for: with too little for all sections, the longest have theirs.
    pub most: usize,
}

/// The budget of a document with this many pages and sections, whose structure takes `skeleton` characters without summaries.
pub(super) fn budget(pages: usize, skeleton: usize, sections: usize) -> Budget {
    let all = room(pages, skeleton);
    let limit = (all / sections.max(1)).saturating_sub(KEY).min(LONGEST);
    if limit >= SHORTEST {
        return Budget { limit, most: sections };
    }
    Budget { limit: SHORTEST, most: all / (SHORTEST + KEY) }
}

/// Characters that a node takes without its summary and the nodes inside it.
pub(super) fn frame(node: &Node) -> usize {
    let items: usize = node.key_items.iter().map(|item| item.chars().count() + 3).sum();
    FRAME + node.title.chars().count() + items
}
