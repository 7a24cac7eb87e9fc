//! From ranks to levels: which heading stands inside which.

use std::collections::{HashMap, HashSet};

use super::contents::is_contents_heading;
use super::known::is_closing;
use super::numbering::{Numbering, Scheme, numbering};
use super::titles::fold;

/// A heading as far as nesting goes.
#[derive(Debug, Clone)]
pub(super) struct Ranked {
    /// Weight of its look; a smaller rank stands higher.
    pub rank: u32,
    /// Its numbering.
    pub numbering: Option<Numbering>,
    /// It opens the matter after the last chapter: a bibliography, an annex, an index.
    pub back_matter: bool,
    /// Nothing stands inside it: the heading of a contents page.
    pub leaf: bool,
}

impl Ranked {
    /// A heading of this title.
    pub fn new(rank: u32, title: &str) -> Self {
        let numbering = numbering(title);
        let annex = numbering.as_ref().is_some_and(|n| n.scheme == Scheme::Appendix);
        Self { rank, back_matter: annex || is_closing(&fold(title)), leaf: is_contents_heading(title), numbering }
    }
}

/// Deepest level given; what lies deeper is laid on it.
pub(super) const DEEPEST: u32 = 8;

/// Levels, 1-based, each at most one deeper than the one before. Numbering goes before rank: "2.1" belongs to "2", "b)" stands beside
/// "a)", and the first of a series stands where the series of its kind stand in this document.
pub(super) fn nest(items: &[Ranked]) -> Vec<u32> {
    let parents = series(items);
    let back = back_matter(items);
    let mut stack: Vec<&Ranked> = Vec::new();
    let mut seen: HashSet<&[u32]> = HashSet::new();
    let mut out = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        if stack.last().is_some_and(|above| above.leaf) {
            stack.pop();
        }
        let numbered = item.numbering.as_ref().and_then(|n| {
            by_number(&stack, n, &seen)
                .or_else(|| by_sequence(&stack, item.rank, n))
                .or_else(|| by_series(&stack, item.rank, n, &parents))
        });
        let keep = match numbered {
            Some(keep) => keep,
            None if back.is_some_and(|from| at >= from) && item.back_matter => 0,
            None => stack.iter().rposition(|above| above.rank < item.rank).map_or(0, |at| at + 1),
        };
        stack.truncate(keep.min(DEEPEST as usize - 1));
        stack.push(item);
        seen.extend(item.numbering.as_ref().filter(|n| n.scheme == Scheme::Decimal).map(|n| n.value.as_slice()));
        out.push(stack.len() as u32);
    }
    out
}

/// How much of the stack stays above a heading that is numbered in several parts ("2.1.3"), where its numbering tells.
fn by_number(stack: &[&Ranked], number: &Numbering, seen: &HashSet<&[u32]>) -> Option<usize> {
    if number.scheme != Scheme::Decimal || number.value.len() < 2 {
        return None;
    }
    let parent = number.value.split_last().map(|(_, head)| head);
    let mut nearest = None;
    for (at, above) in stack.iter().enumerate().rev() {
        let Some(other) = above.numbering.as_ref().filter(|n| holds_parts(n) && n.lettered == number.lettered) else { continue };
        if other.value.len() < number.value.len() && number.value.starts_with(&other.value) {
            // With the parent behind it the heading is misnumbered, and belongs where it stands.
            let behind = other.value.len() + 1 < number.value.len() && parent.is_some_and(|p| seen.contains(p));
            return nearest.filter(|_| behind).or(Some(at + 1));
        }
        let same_kind = other.scheme == Scheme::Decimal;
        if same_kind && other.value.len() == number.value.len() && other.value.split_last().map(|(_, head)| head) == parent {
            return Some(at);
        }
        // The nearest with fewer parts of the same chapter.
        let chapter = other.value.first() == number.value.first();
        if nearest.is_none() && chapter && other.value.len() < number.value.len() {
            nearest = Some(at + 1);
        }
    }
    nearest.or_else(|| {
        let foreign = |above: &&Ranked| {
            above.numbering.as_ref().is_some_and(|n| n.scheme == Scheme::Decimal && n.value.first() != number.value.first())
        };
        stack.iter().position(foreign)
    })
}

/// Whether numbers in several parts can go on from a numbering: "3.1" from "3", "Chapter 3" and "C".
fn holds_parts(number: &Numbering) -> bool {
    number.scheme == Scheme::Decimal
        || matches!(number.scheme, Scheme::Chapter | Scheme::Appendix | Scheme::Section | Scheme::Clause | Scheme::UpperLetter)
            && number.value.len() == 1
}

/// The place of a heading that follows an open one in its sequence ("III." after "II."): beside it. One of the same look goes before
/// others; of others the innermost. Numbers of several parts are left to [`by_number`].
fn by_sequence(stack: &[&Ranked], rank: u32, number: &Numbering) -> Option<usize> {
    let [value] = number.value.as_slice() else { return None };
    let before = value.checked_sub(1).filter(|n| *n > 0)?;
    let precedes = |above: &Ranked| above.numbering.as_ref().is_some_and(|n| n.scheme == number.scheme && n.value == [before]);
    let alike = stack.iter().rposition(|above| above.rank == rank && precedes(above));
    alike.or_else(|| stack.iter().rposition(|above| precedes(above)))
}

/// Where the first of a series stands: right below the innermost open heading of the kind that such series stand under.
fn by_series(stack: &[&Ranked], rank: u32, number: &Numbering, parents: &HashMap<Scheme, Scheme>) -> Option<usize> {
    let ([1], Some(parent)) = (number.value.as_slice(), parents.get(&number.scheme)) else { return None };
    let at = stack.iter().rposition(|above| above.numbering.as_ref().is_some_and(|n| n.scheme == *parent))?;
    // Headings without a number between the two stay open where they outrank the series.
    let between = stack.get(at + 1..).unwrap_or_default().iter().rposition(|above| above.rank < rank && above.numbering.is_none());
    Some(between.map_or(at + 1, |more| at + 2 + more))
}

/// For each kind of numbering of one part the kind that its series stand under: the numbered heading right before most of their firsts.
fn series(items: &[Ranked]) -> HashMap<Scheme, Scheme> {
    let mut starts: HashMap<Scheme, HashMap<Option<Scheme>, usize>> = HashMap::new();
    let mut before: Option<Scheme> = None;
    for number in items.iter().filter_map(|i| i.numbering.as_ref()) {
        if number.value == [1] {
            *starts.entry(number.scheme).or_default().entry(before.filter(|b| *b != number.scheme)).or_default() += 1;
        }
        before = Some(number.scheme);
    }
    let mut parents = HashMap::new();
    for (scheme, seen) in starts {
        let all: usize = seen.values().sum();
        let most = seen.into_iter().max_by_key(|(parent, count)| (*count, *parent));
        if let Some((Some(parent), count)) = most
            && count * 2 > all
            && count >= 2
        {
            parents.insert(scheme, parent);
        }
    }
    // Two kinds that each stand under the other say nothing.
    let mutual: Vec<Scheme> = parents.iter().filter(|(s, p)| parents.get(p) == Some(s)).map(|(s, _)| *s).collect();
    parents.retain(|scheme, _| !mutual.contains(scheme));
    parents
}

/// Where the matter after the last numbered chapter begins: after the last heading of the kind of numbering that stands outermost.
fn back_matter(items: &[Ranked]) -> Option<usize> {
    let outermost = items.iter().filter_map(|i| i.numbering.as_ref()).map(kind).min_by_key(|(depth, scheme)| (*depth, *scheme))?;
    let last = items.iter().rposition(|i| i.numbering.as_ref().map(kind) == Some(outermost))?;
    Some(last + 1)
}

/// A kind of numbering: parts, then scheme. Annexes are no chapters.
fn kind(number: &Numbering) -> (usize, Scheme) {
    (number.depth() + usize::from(number.scheme == Scheme::Appendix) * 9, number.scheme)
}
