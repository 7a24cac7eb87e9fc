//! Summaries from the bottom up: a section's from those of the sections inside it and its own text.

use std::cmp::Reverse;

use super::Halt;
use super::asking::{Asking, Kind};
use super::lines::Lines;
use super::material::{About, document, section, text as text_of};
use super::places::{Place, children, is_leaf, own_text};
use super::replies::text;
use crate::index::budget::{Budget, LONGEST, budget, frame};
use crate::index::sentences::split;
use crate::index::titles::{fold, shorten};
use crate::prompts::Prompt;

/// A section with less text of its own than this, in characters, and none inside it, says all of it in its title and first sentence.
const SHORT: usize = 300;
/// The length that is asked for goes in steps of so many characters, so that a few sections more or less do not make other requests of all.
const LENGTH_STEP: usize = 25;

const SECTION: Kind = Kind { name: "summary", prompt: Prompt::SummariseSection, max_output_tokens: 2_048 };
const DOCUMENT: Kind = Kind { name: "description", prompt: Prompt::DescribeDocument, max_output_tokens: 2_048 };

/// Writes the summaries into the list.
pub(super) async fn summarise(
    mut places: Vec<Place>,
    about: &About<'_>,
    lines: &Lines<'_>,
    asking: &Asking<'_>,
) -> Result<Vec<Place>, Halt> {
    let bounds = bounds(&places, lines.count() as usize);
    let asked = (bounds.limit / LENGTH_STEP * LENGTH_STEP).max(LENGTH_STEP);
    let Chosen { wanted, has_room } = choose(&places, bounds.most, lines);
    asking.expect(wanted.len());
    let heights = heights(&places);
    let highest = heights.iter().copied().max().unwrap_or(0);
    for height in 0..=highest {
        let level: Vec<usize> = wanted.iter().copied().filter(|at| heights.get(*at) == Some(&height)).collect();
        let view = &places;
        let ask = |at: usize| async move {
            let title = view.get(at).map(|place| place.node.title.as_str()).unwrap_or_default();
            let write = |room| section(about, view, at, lines, asked, room);
            Ok((at, asking.part(&SECTION, write, |reply| text(reply, &["summary"], title)).await?))
        };
        let written = asking.all(level.into_iter().map(ask)).await?;
        for (at, summary) in written {
            if let (Some(place), Some(summary)) = (places.get_mut(at), summary) {
                place.node.summary = Some(fitted(&summary, bounds.limit));
            }
        }
    }
    for (at, has_room) in has_room.into_iter().enumerate() {
        let fallback =
            places.get(at).is_some_and(|place| place.node.summary.is_none()).then(|| opening(&places, at, lines)).flatten();
        let Some(node) = places.get_mut(at).map(|place| &mut place.node) else { continue };
        let summary = node.summary.take().or(fallback).map(|summary| shorten(&summary, bounds.limit));
        node.summary = summary.filter(|summary| has_room && !summary.trim().is_empty() && fold(summary) != fold(&node.title));
    }
    Ok(places)
}

/// The description of a document whose summaries are written.
pub(super) async fn describe(
    places: &[Place],
    about: &About<'_>,
    lines: &Lines<'_>,
    asking: &Asking<'_>,
) -> Result<Option<String>, Halt> {
    asking.expect(1);
    let write = |room| document(about, places, lines, room);
    let read = |reply: &str| text(reply, &["description", "summary"], about.title.unwrap_or(about.name));
    Ok(asking.part(&DOCUMENT, write, read).await?.map(|text| fitted(&text, LONGEST)))
}

/// A text of at most `limit` characters: its first sentences where they take at least half of that, otherwise its beginning.
fn fitted(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let mut out = String::new();
    for sentence in split(text) {
        if out.chars().count() + 1 + sentence.chars().count() > limit {
            break;
        }
        out.push_str(if out.is_empty() { "" } else { " " });
        out.push_str(sentence);
    }
    if out.chars().count() * 2 >= limit { out } else { shorten(text, limit) }
}

fn bounds(places: &[Place], pages: usize) -> Budget {
    let skeleton = places.iter().map(|place| frame(&place.node)).sum();
    budget(pages, skeleton, places.len())
}

/// The sections that get summaries.
struct Chosen {
    /// Those that are worth a request, in document order.
    wanted: Vec<usize>,
    /// For each section whether it may have a summary.
    has_room: Vec<bool>,
}

/// As many as there is room for: first those with text to summarise, the longest first, of equals the higher ones.
fn choose(places: &[Place], most: usize, lines: &Lines<'_>) -> Chosen {
    let worth: Vec<bool> = (0..places.len()).map(|at| !is_leaf(places, at) || has_text(places, at, lines)).collect();
    let is_worth = |at: usize| worth.get(at).copied().unwrap_or(false);
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|at| {
        let place = places.get(*at).map(|place| (Reverse(place.node.end_index - place.node.start_index), place.depth));
        (!is_worth(*at), place, *at)
    });
    let mut has_room = vec![false; places.len()];
    for at in order.into_iter().take(most) {
        if let Some(slot) = has_room.get_mut(at) {
            *slot = true;
        }
    }
    let wanted = has_room.iter().enumerate().filter(|(at, room)| **room && is_worth(*at)).map(|(at, _)| at).collect();
    Chosen { wanted, has_room }
}

/// Whether a section has enough text of its own to be summarised.
fn has_text(places: &[Place], at: usize, lines: &Lines<'_>) -> bool {
    let mut left = SHORT;
    for (page, from, to) in own_text(places, at, lines) {
        for line in lines.page(page).get(from..to).unwrap_or_default() {
            left = left.saturating_sub(line.trim().chars().count());
            if left == 0 {
                return true;
            }
        }
    }
    false
}

/// For each node how many levels are below it.
fn heights(places: &[Place]) -> Vec<usize> {
    let mut heights = vec![0; places.len()];
    for at in (0..places.len()).rev() {
        let below = children(places, at).into_iter().filter_map(|child| heights.get(child)).max().map_or(0, |h| h + 1);
        if let Some(slot) = heights.get_mut(at) {
            *slot = below;
        }
    }
    heights
}

/// The first sentence of a section that has no summary.
fn opening(places: &[Place], at: usize, lines: &Lines<'_>) -> Option<String> {
    let title = fold(&places.get(at)?.node.title);
    let run = *own_text(places, at, lines).first()?;
    let text = text_of((run.0, run.1 + 1, run.2.max(run.1 + 1)), lines);
    let line = text.split_whitespace().take(200).collect::<Vec<_>>().join(" ");
    split(&line).into_iter().find(|sentence| sentence.chars().count() >= 30 && fold(sentence) != title).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::fitted;

    #[test]
    fn long_texts_end_with_a_sentence_where_they_can() {
        assert_eq!(fitted("One thing is said. Another is not.", 40), "One thing is said. Another is not.");
        assert_eq!(fitted("One thing is said. Another is not.", 30), "One thing is said.");
        assert_eq!(fitted("Short. But this goes on for much longer than there is room.", 30), "Short. But this goes on for…");
    }
}
