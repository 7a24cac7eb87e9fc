//! Summaries without a model: the most telling sentences of each section, within a budget for the whole structure.

mod table_rows;
mod worth;

use std::collections::HashSet;

use crate::pdf::{Line, Page};

use super::budget::{KEY, LONGEST, frame, room};
use super::layout::{Typography, is_row};
use super::sentences::{Sentence, sentences};
use super::shape::Section;
use super::titles::{fold, is_ideographic, shorten};
use table_rows::table_rows;
use worth::{LEAST, worth};

/// Shortest room that a summary is given: most single sentences fit into it.
const SHORTEST: usize = 110;
/// Room for a single sentence: nine of ten have less than so many characters.
const SINGLE: usize = 180;
/// Text of a section that is looked at, in bytes: what a section says first tells most. Of a parent with little text of its own as much
/// again is looked at below it.
const LOOKED_AT: usize = 4_000;

/// Sentences of a section that are weighed against each other.
const BEST: usize = 14;

/// A section as it is read for its summary.
struct Place {
    start: u32,
    /// First line of its text on that page.
    from: usize,
    /// Where its own text ends: page and line of the next section in document order.
    stop: (u32, usize),
    /// Its last page.
    end: u32,
    title: String,
    parent: bool,
    /// Summaries of sections near the root and of many pages are the ones that a reader chooses by.
    depth: u32,
}

/// Writes the summaries into the tree.
pub(super) fn summarise(tree: &mut [Section], pages: &[Page], look: &Typography) {
    let mut places = Vec::new();
    collect(tree, 0, &mut places);
    for at in 1..places.len() {
        if let Some((before, [here, ..])) = places.split_at_mut_checked(at)
            && let Some(above) = before.last_mut()
        {
            above.stop =
                (here.start.min(above.end), if here.start <= above.end { here.from.saturating_sub(1) } else { usize::MAX });
        }
    }
    let mut budget = room(pages.len(), skeleton(tree));
    let each = (budget / places.len().max(1)).saturating_sub(KEY).clamp(SHORTEST, LONGEST);
    // With too little for all, the longest sections get theirs, of equals the higher ones.
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|at| places.get(*at).map(|p| (std::cmp::Reverse(p.end - p.start), p.depth, *at)));
    let mut texts: Vec<Option<String>> = vec![None; places.len()];
    let mut used = HashSet::new();
    for at in order {
        if budget < SINGLE + KEY {
            break;
        }
        let Some(place) = places.get(at) else { continue };
        let text = summary(place, pages, look, each, &mut used);
        budget = budget.saturating_sub(text.as_ref().map_or(0, |t| t.chars().count() + KEY));
        if let Some(slot) = texts.get_mut(at) {
            *slot = text;
        }
    }
    write(tree, &mut texts.into_iter());
}

fn collect(tree: &[Section], depth: u32, out: &mut Vec<Place>) {
    for section in tree {
        out.push(Place {
            start: section.node.start_index,
            from: section.line.map_or(0, |l| l + 1),
            stop: (section.node.end_index, usize::MAX),
            end: section.node.end_index,
            title: section.node.title.clone(),
            parent: !section.sections.is_empty(),
            depth,
        });
        collect(&section.sections, depth + 1, out);
    }
}

/// Characters that the structure takes without summaries.
fn skeleton(tree: &[Section]) -> usize {
    tree.iter().map(|s| frame(&s.node) + skeleton(&s.sections)).sum()
}

fn write(tree: &mut [Section], texts: &mut impl Iterator<Item = Option<String>>) {
    for section in tree {
        section.node.summary = texts.next().flatten();
        write(&mut section.sections, texts);
    }
}

/// A sentence that may be chosen.
struct Candidate {
    worth: f32,
    /// Its place in the text.
    at: usize,
    text: String,
    folded: String,
}

/// The summary of one section. Sentences chosen for another section before are chosen again only where there is nothing else.
fn summary(place: &Place, pages: &[Page], look: &Typography, room: usize, used: &mut HashSet<String>) -> Option<String> {
    // Lists of references and tables of contents have no sentences of their own.
    let title = fold(&place.title);
    if [
        "references",
        "bibliography",
        "contents",
        "tableofcontents",
        "index",
        "literatur",
        "literaturverzeichnis",
        "inhaltsverzeichnis",
        "bibliographie",
        "参考文献",
        "目次",
        "目录",
        "참고문헌",
    ]
    .contains(&super::titles::fold_bare(&place.title).as_str())
    {
        return None;
    }
    let mut found = candidates(own_lines(place, place.stop, pages), &title, place, look, used);
    // A parent whose own text says little tells what is inside.
    let mut stop = place.stop;
    if place.parent && found.iter().all(|c| c.worth < 0.6) {
        stop = (place.end, usize::MAX);
        found = candidates(own_lines(place, stop, pages), &title, place, look, used);
    }
    let best = found.iter().map(|c| c.worth).fold(f32::MIN, f32::max);
    if best < 0.9
        && mostly_rows(own_lines(place, stop, pages))
        && let Some(text) = table_rows(own_lines(place, stop, pages), &place.title, room)
    {
        return Some(text);
    }
    let text = choose(&mut found, room, used);
    if text.is_none() { table_rows(own_lines(place, stop, pages), &place.title, room) } else { text }
}

/// The sentences worth telling, best first.
fn candidates<'a>(
    lines: impl Iterator<Item = &'a Line>,
    title: &str,
    place: &Place,
    look: &Typography,
    used: &HashSet<String>,
) -> Vec<Candidate> {
    let words: Vec<String> = place
        .title
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| w.chars().count() >= 4)
        .map(str::to_owned)
        .collect();
    // Groups of pages are named by their first words: "Page 4: In this year ...".
    let bare = place
        .title
        .split_once(": ")
        .filter(|(lead, _)| lead.starts_with("Page"))
        .map_or_else(|| title.to_owned(), |(_, rest)| fold(rest));
    let head: String = bare.chars().take(40).collect();
    let mut ranked: Vec<(f32, usize, Sentence)> = sentences(lines, look.size, LOOKED_AT)
        .into_iter()
        .enumerate()
        // Of equals the earlier one; a slight pull to the front over all.
        .map(|(at, sentence)| (worth(&sentence, &words) - 0.02 * at.min(50) as f32, at, sentence))
        .filter(|(worth, ..)| *worth >= LEAST)
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    ranked.truncate(BEST);
    let mut found: Vec<Candidate> = ranked
        .into_iter()
        .filter_map(|(mut worth, at, sentence)| {
            let folded = fold(&sentence.text);
            let repeats = title.contains(&folded)
                || head.chars().count() >= 4
                    && folded.starts_with(&head)
                    && (folded.len() < bare.len() + 25 || head.chars().count() >= 30);
            if used.contains(&folded) {
                worth -= 1.0;
            }
            (!folded.is_empty() && !repeats).then_some(Candidate { worth, at, text: sentence.text, folded })
        })
        .collect();
    found.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.at.cmp(&b.at)));
    found
}

/// As many of the best sentences as there is room for, in the order of the text. Whole sentences are better than the beginnings of others.
fn choose(found: &mut [Candidate], room: usize, used: &mut HashSet<String>) -> Option<String> {
    let limit = |text: &str| {
        let (mut eastern, mut all) = (0usize, 0usize);
        for c in text.chars() {
            eastern += usize::from(is_ideographic(c));
            all += 1;
        }
        if eastern * 2 > all { room / 2 } else { room }
    };
    let best = found.first()?.worth;
    // One sentence may take more room than several.
    let single = |text: &str| limit(text) * SINGLE.max(room) / room;
    let whole = found.iter().take(10).find(|c| c.text.chars().count() <= single(&c.text) && c.worth > best - 1.3);
    let first = whole.or(found.first())?;
    let most = single(&first.text);
    let mut chosen: Vec<(usize, String)> = vec![(first.at, bounded(&first.text, most))];
    let mut left = limit(&first.text).saturating_sub(chosen.iter().map(|(_, t)| t.chars().count() + 1).sum());
    for next in found.iter().take(8).filter(|c| c.at != first.at && c.worth > 0.5) {
        let length = next.text.chars().count();
        if length < left {
            left -= length + 1;
            chosen.push((next.at, next.text.clone()));
        }
    }
    used.extend(found.iter().filter(|c| chosen.iter().any(|(at, _)| *at == c.at)).map(|c| c.folded.clone()));
    chosen.sort_by_key(|(at, _)| *at);
    Some(chosen.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" "))
}

/// A sentence within a limit: cut after a clause where one ends late enough, else at a word.
fn bounded(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let cut: String = text.chars().take(limit.saturating_sub(1)).collect();
    let clause = cut
        .char_indices()
        .filter(|(_, c)| matches!(c, ',' | ';' | '、' | '，' | '；' | '–' | '—'))
        .map(|(at, _)| at)
        .rfind(|at| at * 10 > cut.len() * 6 && cut.get(at + 1..).is_some_and(|r| r.starts_with(' ') || !cut.is_ascii()));
    match clause.and_then(|at| cut.get(..at)) {
        Some(kept) => format!("{}…", kept.trim_end()),
        None => shorten(text, limit),
    }
}

/// The lines of a section up to a place, its title left out.
fn own_lines<'a>(place: &Place, stop: (u32, usize), pages: &'a [Page]) -> impl Iterator<Item = &'a Line> {
    let (start, from) = (place.start, place.from);
    let end = stop.0.min(place.end).max(start);
    let title = fold(&place.title);
    let mut heading = from > 0;
    pages
        .iter()
        .skip(start.saturating_sub(1) as usize)
        .take((end - start + 1) as usize)
        .flat_map(move |page| {
            let skip = if page.number == start { from } else { 0 };
            let take = if page.number == stop.0 { stop.1.saturating_sub(skip) } else { usize::MAX };
            page.lines.iter().skip(skip).take(take)
        })
        .skip_while(move |line| {
            // A title of several lines goes on below its first.
            heading = heading && {
                let folded = fold(&line.text);
                folded.chars().count() >= 3 && title.ends_with(&folded) || folded.chars().count() >= 8 && title.contains(&folded)
            };
            heading
        })
}

/// Whether at least half of the lines are rows of a table.
fn mostly_rows<'a>(lines: impl Iterator<Item = &'a Line>) -> bool {
    let (mut rows, mut all) = (0usize, 0usize);
    for line in lines.filter(|l| !l.furniture && !l.text.trim().is_empty()).take(80) {
        rows += usize::from(line.text.contains("  ") && is_row(&line.text));
        all += 1;
    }
    rows >= 3 && rows * 2 >= all
}
