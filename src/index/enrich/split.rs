//! Long sections split by headings that a model proposes: only those that are printed where it says are kept.

use std::collections::HashMap;

use super::Halt;
use super::asking::{Asking, Kind};
use super::lines::{Lines, Printed};
use super::material::{About, window, windows};
use super::places::{Place, Run, is_leaf, own_text};
use super::replies::{Proposal, headings};
use crate::index::titles::{fold, fold_bare};
use crate::index::{Node, NodeSource, Provenance};
use crate::prompts::Prompt;

/// Sections of more pages than this are split where headings are found in them.
pub(super) const LONG: u32 = 10;
/// Headings that begin on one page and become sections; titles of further ones are kept with the last of them.
const PER_PAGE: usize = 3;
/// Tokens of the lines about a section in a window of it.
const ABOUT_SECTION: u64 = 200;
/// Sureness of a heading that was proposed and found printed as a line of its own, in percent. A model may take a bold line for a heading.
const CONFIDENCE: u8 = 75;

const KIND: Kind = Kind { name: "headings", prompt: Prompt::ProposeHeadings, max_output_tokens: 4_096 };

/// A proposal that is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kept {
    page: u32,
    at: Printed,
    title: String,
}

/// Splits the long leaves of a list.
pub(super) async fn split(
    places: Vec<Place>,
    about: &About<'_>,
    lines: &Lines<'_>,
    asking: &Asking<'_>,
) -> Result<Vec<Place>, Halt> {
    let long = (0..places.len()).filter(|at| is_long_leaf(&places, *at));
    let searched: Vec<(usize, Vec<Run>)> = long.map(|at| (at, own_text(&places, at, lines))).collect();
    let mut proposed = proposals(&searched, &places, about, lines, asking).await?;
    let mut out = Vec::with_capacity(places.len());
    for (at, place) in places.into_iter().enumerate() {
        let kept = proposed.remove(&at).map(|proposals| printed(&place, &proposals, lines)).unwrap_or_default();
        let parts = parts(&place, kept, lines);
        out.push(place);
        out.extend(parts);
    }
    Ok(out)
}

/// The headings that are proposed for these places and their pages, in the order of the pages.
pub(super) async fn proposals(
    searched: &[(usize, Vec<Run>)],
    places: &[Place],
    about: &About<'_>,
    lines: &Lines<'_>,
    asking: &Asking<'_>,
) -> Result<HashMap<usize, Vec<Proposal>>, Halt> {
    // The room of a window includes the lines about the section.
    let room = asking.room(&KIND).saturating_sub(ABOUT_SECTION);
    let requests: Vec<(usize, Vec<Run>)> =
        searched.iter().flat_map(|(at, runs)| windows(runs, lines, room).into_iter().map(|window| (*at, window))).collect();
    asking.expect(requests.len());
    let title_of = |at: usize| places.get(at).map(|place| place.node.title.as_str()).unwrap_or_default();
    let ask = |(number, (at, runs)): (usize, (usize, Vec<Run>))| async move {
        let write = |room| window(about, title_of(at), &runs, lines, room);
        let read = |reply: &str| headings(reply).and_then(|found| serde_json::to_string(&found).ok());
        let outcome = asking.part(&KIND, write, read).await?;
        let found: Vec<Proposal> = outcome.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        Ok((number, at, found))
    };
    let mut replies = asking.all(requests.into_iter().enumerate().map(ask)).await?;
    replies.sort_by_key(|(number, ..)| *number);
    let mut out: HashMap<usize, Vec<Proposal>> = HashMap::new();
    for (_, at, found) in replies {
        out.entry(at).or_default().extend(found);
    }
    Ok(out)
}

/// Whether a section is to be looked through. One that came of a look at the same pages is not looked through again.
fn is_long_leaf(places: &[Place], at: usize) -> bool {
    let Some(node) = places.get(at).map(|place| &place.node) else { return false };
    is_leaf(places, at) && node.provenance.source != NodeSource::Model && node.end_index - node.start_index + 1 > LONG
}

/// The proposals that are printed on the page named or on one next to it, inside the section and below its title, in order.
pub(super) fn printed(place: &Place, proposals: &[Proposal], lines: &Lines<'_>) -> Vec<Kept> {
    let (first, last) = (place.node.start_index, place.node.end_index);
    let own = fold_bare(&place.node.title);
    // A running head stands on every page, on every other one at least.
    let running = ((last - first + 1) as usize / 3).max(3);
    let begin = (first, place.line.map_or(0, |line| line + 1));
    let mut found: Vec<Kept> = Vec::new();
    for proposal in proposals {
        let near = [Some(proposal.page), proposal.page.checked_add(1), proposal.page.checked_sub(1)];
        let hit = near.into_iter().flatten().filter(|page| (first..=last).contains(page)).find_map(|page| {
            // A title that is repeated on a page (proposed twice) is looked for below the one before.
            let from = found.last().filter(|kept| kept.page == page && fold(&kept.title) == fold(&proposal.title));
            let from = from.map_or(0, |kept| kept.at.line + 1).max(if page == begin.0 { begin.1 } else { 0 });
            lines.find(page, from, &proposal.title).filter(|at| at.whole).map(|at| (page, at))
        });
        let Some((page, at)) = hit else {
            tracing::debug!(target: "pagewise::content", title = proposal.title, page = proposal.page, "a proposed heading is not printed there");
            continue;
        };
        let title = lines.title(page, at);
        if fold_bare(&title) != own && lines.repeats(first, last, &title) < running {
            found.push(Kept { page, at, title });
        }
    }
    in_order(found)
}

/// The longest run of headings whose places rise, so that one in the wrong place does not take the others with it.
fn in_order(found: Vec<Kept>) -> Vec<Kept> {
    let place = |at: usize| found.get(at).map(|kept| (kept.page, kept.at.line));
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(found.len());
    for at in 0..found.len() {
        let before =
            (0..at).filter(|b| place(*b) < place(at)).max_by_key(|b| (best.get(*b).map_or(0, |(n, _)| *n), std::cmp::Reverse(*b)));
        let length = before.and_then(|b| best.get(b)).map_or(0, |(n, _)| *n);
        best.push((length + 1, before));
    }
    let mut at = (0..best.len()).max_by_key(|at| (best.get(*at).map_or(0, |(n, _)| *n), std::cmp::Reverse(*at)));
    let mut keep = vec![false; found.len()];
    while let Some(here) = at {
        if let Some(slot) = keep.get_mut(here) {
            *slot = true;
        }
        at = best.get(here).and_then(|(_, before)| *before);
    }
    found.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(kept, _)| kept).collect()
}

/// Sections of the headings, inside the one that is split.
pub(super) fn parts(place: &Place, kept: Vec<Kept>, lines: &Lines<'_>) -> Vec<Place> {
    let mut out: Vec<Place> = Vec::with_capacity(kept.len());
    for heading in kept {
        let here = out.iter().filter(|part| part.node.start_index == heading.page).count();
        if here >= PER_PAGE {
            if let Some(last) = out.last_mut() {
                last.node.key_items.push(heading.title);
            }
            continue;
        }
        if let Some(before) = out.last_mut() {
            let shared = !lines.is_at_top(heading.page, heading.at.line);
            let end = if shared { heading.page } else { heading.page.saturating_sub(1) };
            before.node.end_index = end.max(before.node.start_index);
        }
        out.push(Place {
            node: Node {
                title: heading.title,
                node_id: String::new(),
                start_index: heading.page,
                end_index: place.node.end_index,
                summary: None,
                key_items: Vec::new(),
                nodes: Vec::new(),
                provenance: Provenance { source: NodeSource::Model, confidence: CONFIDENCE, printed: true },
            },
            depth: place.depth + 1,
            line: Some(heading.at.line),
        });
    }
    out
}
