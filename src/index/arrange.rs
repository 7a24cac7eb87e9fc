//! Headings and entries of contents pages in document order, with levels; too fine ones left out.

use super::contents::Contents;
use super::entry::Entry;
use super::headings::{Heading, ranks};
use super::inner::InnerLists;
use super::levels::{Ranked, nest};
use super::numbering::Scheme;
use super::titles::{clean, fold};
use super::types::NodeSource;

/// Pages between two sections that the contents list from which on headings are looked for between them.
const FILL: u32 = 5;

/// Pages of a section that the contents do not list from which on its own sections are shown.
const FILL_DEEPER: u32 = 8;

/// Score of a heading that is clear enough to stand beside those of a contents page; see [`super::headings::candidates`] for the scale.
const CLEAR: f32 = 2.5;

/// Room between two ranks for the members of inner lists.
const STEP: u32 = 1_000;

/// A heading or an entry of the contents page on its way to an entry.
struct Item {
    entry: Entry,
    ranked: Ranked,
    listed: bool,
    inner: Option<usize>,
    /// See [`Heading::score`].
    score: f32,
}

impl Item {
    /// Its number tells its place; a single number may count anything.
    fn numbered(&self) -> bool {
        self.ranked.numbering.as_ref().is_some_and(|n| n.scheme != Scheme::Decimal || n.depth() > 1)
    }
}

/// Puts headings, and entries that only the contents page knows, into document order with levels.
pub(super) fn arrange(
    headings: Vec<Heading>,
    missing: Vec<Entry>,
    inner: &InnerLists,
    printed: &Contents,
    last: u32,
) -> Vec<Entry> {
    let rank = ranks(&headings);
    let mut items: Vec<Item> = headings.into_iter().zip(rank).map(|(heading, rank)| of_heading(heading, rank)).collect();
    items.extend(missing.into_iter().map(|entry| {
        let ranked = Ranked::new(entry.level.saturating_mul(STEP), &entry.title);
        Item { ranked, entry, listed: true, inner: None, score: f32::MAX }
    }));
    items.retain(|i| !i.entry.title.is_empty());
    items.sort_by_key(|i| (i.entry.page, i.entry.line.unwrap_or(0)));
    rank_inner(&mut items, inner);
    set_levels(&mut items);
    if let Some(end) = printed.pages.last() {
        keep_to_contents(&mut items, *end, last);
        // What was dropped no longer pushes others about.
        set_levels(&mut items);
    }
    items.into_iter().map(|i| i.entry).collect()
}

fn of_heading(h: Heading, rank: u32) -> Item {
    let b = &h.candidate.block;
    let entry = Entry {
        level: 1,
        title: clean(&b.text),
        page: b.page,
        line: Some(b.first),
        at_top: b.at_top,
        source: if h.candidate.tagged.is_some() { NodeSource::Tags } else { NodeSource::Headings },
        confidence: h.confidence(),
    };
    let ranked = Ranked { numbering: h.candidate.numbering, ..Ranked::new(rank.saturating_mul(STEP), &entry.title) };
    Item { entry, ranked, listed: h.contents_level.is_some(), inner: h.inner, score: h.score }
}

/// Members of an inner list stand beside each other, right below the heading that the list stands under.
fn rank_inner(items: &mut [Item], inner: &InnerLists) {
    for (number, place) in inner.places.iter().enumerate() {
        let before = items.iter().take_while(|i| (i.entry.page, i.entry.line.unwrap_or(0)) < *place).count();
        let Some(mut at) = before.checked_sub(1) else { continue };
        let names_list = |item: &Item| {
            let folded = fold(&item.entry.title);
            item.entry.page == place.0
                && ["index", "contents", "inhalt", "sommaire", "indice", "目次"].iter().any(|w| folded.contains(w))
        };
        let head = items.get(at).filter(|i| names_list(i) && i.ranked.numbering.is_none()).map(|_| at);
        if head.is_some() {
            let Some(above) = at.checked_sub(1) else { continue };
            at = above;
        }
        // Below the heading above, but no lower than their looks say: that heading may be a line of a cover.
        let looks = items.iter().filter(|i| i.inner == Some(number)).map(|i| i.ranked.rank).min();
        let Some(rank) = items.get(at).map(|i| i.ranked.rank.saturating_add(STEP / 2).min(looks.unwrap_or(u32::MAX))) else {
            continue;
        };
        for (i, item) in items.iter_mut().enumerate() {
            if (item.inner == Some(number) || Some(i) == head) && !item.listed {
                item.ranked.rank = rank;
                item.listed = true;
            }
        }
    }
}

fn set_levels(items: &mut [Item]) {
    let ranked: Vec<Ranked> = items.iter().map(|i| i.ranked.clone()).collect();
    for (item, level) in items.iter_mut().zip(nest(&ranked)) {
        item.entry.level = level;
    }
}

/// Where a contents page lists the sections, unlisted headings stay only where they help a reader: inside long sections, and no deeper
/// than it takes to divide these.
fn keep_to_contents(items: &mut Vec<Item>, contents_end: u32, last: u32) {
    let listed: Vec<u32> = items.iter().filter(|i| i.listed).map(|i| i.entry.page).collect();
    // Where no more are found beside the list than in it, the tree stays small with all that are clear.
    if items.len() <= 2 * listed.len() {
        items.retain(|i| i.listed || i.score >= CLEAR || i.numbered() || i.entry.page <= contents_end);
        return;
    }
    // A list of a few sections, or of those of one part only, says little of the rest.
    let reach = listed.last().copied().unwrap_or(0);
    if listed.len() < 4 || reach * 5 < last * 3 {
        return;
    }
    let spans = spans(items, last);
    let mut seen = 0usize;
    // Kept or not, level and span of the open headings.
    let mut open: Vec<(bool, u32, u32, bool)> = Vec::new();
    let mut keep = Vec::with_capacity(items.len());
    for (item, span) in items.iter().zip(&spans) {
        while open.last().is_some_and(|(_, level, ..)| *level >= item.entry.level) {
            open.pop();
        }
        let kept = if item.listed {
            seen += 1;
            true
        } else if item.entry.page <= contents_end || seen == 0 {
            true
        } else {
            match open.last() {
                Some((false, ..)) => false,
                // Numbers are the author's own structure.
                _ if item.numbered() => true,
                Some((true, _, span, false)) => *span > FILL_DEEPER,
                _ => {
                    let from = listed.get(seen - 1).copied().unwrap_or(1);
                    listed.get(seen).copied().unwrap_or(last + 1).saturating_sub(from) > FILL
                }
            }
        };
        open.push((kept, item.entry.level, *span, item.listed));
        keep.push(kept);
    }
    let mut keep = keep.into_iter();
    items.retain(|_| keep.next().unwrap_or(true));
}

/// Pages from each heading to the next of its level or above.
fn spans(items: &[Item], last: u32) -> Vec<u32> {
    let mut out = vec![0; items.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut close = |at: usize, page: u32| {
        if let (Some(slot), Some(item)) = (out.get_mut(at), items.get(at)) {
            *slot = page.saturating_sub(item.entry.page);
        }
    };
    for (at, item) in items.iter().enumerate() {
        while let Some(&above) = open.last() {
            if items.get(above).is_some_and(|i| i.entry.level < item.entry.level) {
                break;
            }
            close(above, item.entry.page);
            open.pop();
        }
        open.push(at);
    }
    for at in open {
        close(at, last + 1);
    }
    out
}
