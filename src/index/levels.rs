//! From ranks to levels: which heading stands inside which.

use super::numbering::{Numbering, Scheme};

/// A heading as far as nesting goes.
#[derive(Debug, Clone)]
pub(super) struct Ranked {
    /// Weight of its look; a smaller rank stands higher.
    pub rank: u32,
    /// Its numbering.
    pub numbering: Option<Numbering>,
}

/// Deepest level given; what lies deeper is laid on it.
pub(super) const DEEPEST: u32 = 8;

/// Levels, 1-based, each at most one deeper than the one before. Decimal numbering goes before rank: "2.1" belongs to "2".
pub(super) fn nest(items: &[Ranked]) -> Vec<u32> {
    let mut stack: Vec<&Ranked> = Vec::new();
    let mut out = Vec::with_capacity(items.len());
    for item in items {
        let numbered = item.numbering.as_ref().and_then(|n| by_number(&stack, n).or_else(|| by_sequence(&stack, item.rank, n)));
        let keep = numbered.unwrap_or_else(|| stack.iter().rposition(|above| above.rank < item.rank).map_or(0, |at| at + 1));
        stack.truncate(keep.min(DEEPEST as usize - 1));
        stack.push(item);
        out.push(stack.len() as u32);
    }
    out
}

/// How much of the stack stays above a numbered heading, where its numbering tells.
fn by_number(stack: &[&Ranked], number: &Numbering) -> Option<usize> {
    if number.scheme != Scheme::Decimal || number.value.len() < 2 {
        return None;
    }
    for (at, above) in stack.iter().enumerate().rev() {
        let Some(other) = &above.numbering else { continue };
        let comparable = other.scheme == Scheme::Decimal
            || matches!(other.scheme, Scheme::Chapter | Scheme::Appendix | Scheme::Clause | Scheme::UpperLetter)
                && other.value.len() == 1;
        if !comparable {
            continue;
        }
        if other.value.len() < number.value.len() && number.value.starts_with(&other.value) {
            return Some(at + 1);
        }
        let parent = number.value.split_last().map(|(_, head)| head);
        if other.scheme == Scheme::Decimal
            && other.value.len() == number.value.len()
            && other.value.split_last().map(|(_, head)| head) == parent
        {
            return Some(at);
        }
    }
    None
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
