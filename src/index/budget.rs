//! How long summaries may be, so that the structure of a whole document costs an agent few tokens.

use super::types::Node;

/// Longest summary, in characters.
pub(super) const LONGEST: usize = 200;
/// Shortest summary worth its place.
const SHORTEST: usize = 70;
/// Characters of a structure per page of its document, and the least for a short one: with both, the structures of the six
/// documents (745 pages) by which the size is judged stay under 110,000 characters.
const PER_PAGE: usize = 135;
const LEAST: usize = 8_000;
/// Characters of JSON that a node costs beside its title and summary.
const FRAME: usize = 78;

/// What summaries may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Budget {
    /// Longest summary of this document, in characters.
    pub limit: usize,
    /// Only sections that span at least this many pages beyond their first get a summary: with too little for all, the longest have theirs.
    pub least_span: u32,
}

/// The budget of a document with this many pages whose structure takes `skeleton` characters without summaries. `spans` are the pages of each
/// section beyond its first.
pub(super) fn budget(pages: usize, skeleton: usize, mut spans: Vec<u32>) -> Budget {
    let all = (pages * PER_PAGE).max(LEAST).saturating_sub(skeleton);
    let limit = (all / spans.len().max(1)).min(LONGEST);
    if limit >= SHORTEST {
        return Budget { limit, least_span: 0 };
    }
    spans.sort_unstable_by(|a, b| b.cmp(a));
    Budget { limit: SHORTEST, least_span: spans.get(all / SHORTEST).map_or(0, |span| span + 1) }
}

/// Characters that a node takes without its summary and the nodes inside it.
pub(super) fn frame(node: &Node) -> usize {
    let items: usize = node.key_items.iter().map(|item| item.chars().count() + 3).sum();
    FRAME + node.title.chars().count() + items
}
