//! Summaries without a model: the most telling sentences of each section, within a budget for the whole structure.

use crate::pdf::{Line, Page};

use super::budget::{Budget, budget, frame};
use super::layout::Typography;
use super::sentences::{Sentence, sentences, worth};
use super::shape::Section;
use super::titles::{fold, shorten};

/// Text of a section that is looked at, in bytes: what a section says first tells most.
const LOOKED_AT: usize = 6_000;

/// A section's place in pre-order: first page, line and last page.
type Place = (u32, usize, u32);

/// Writes the summaries into the tree.
pub(super) fn summarise(tree: &mut [Section], pages: &[Page], look: &Typography) {
    let mut places = Vec::new();
    collect(tree, &mut places);
    let spans = places.iter().map(|(start, _, end)| end - start).collect();
    let Budget { limit, least_span } = budget(pages.len(), skeleton(tree), spans);
    let mut at = 0;
    write(tree, &places, &mut at, pages, look, (limit, least_span));
}

fn collect(tree: &[Section], out: &mut Vec<Place>) {
    for section in tree {
        out.push((section.node.start_index, section.line.unwrap_or(0), section.node.end_index));
        collect(&section.sections, out);
    }
}

/// Characters that the structure takes without summaries.
fn skeleton(tree: &[Section]) -> usize {
    tree.iter().map(|s| frame(&s.node) + skeleton(&s.sections)).sum()
}

fn write(tree: &mut [Section], places: &[Place], at: &mut usize, pages: &[Page], look: &Typography, bounds: (usize, u32)) {
    for section in tree {
        let here = *at;
        *at += 1;
        if section.node.end_index - section.node.start_index >= bounds.1 {
            let stop = places.get(here + 1).map_or((section.node.end_index, usize::MAX), |(page, line, _)| (*page, *line));
            section.node.summary = summary(section, stop, pages, look, bounds.0);
        }
        write(&mut section.sections, places, at, pages, look, bounds);
    }
}

/// The summary of one section from its own text, which ends where the next section in document order starts.
fn summary(section: &Section, stop: (u32, usize), pages: &[Page], look: &Typography, limit: usize) -> Option<String> {
    let title = fold(&section.node.title);
    let words: Vec<String> = section
        .node
        .title
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| w.chars().count() >= 4)
        .map(str::to_owned)
        .collect();
    let found = sentences(own_lines(section, stop, pages), look.size, LOOKED_AT);
    let mut ranked: Vec<(f32, usize, &Sentence)> = found
        .iter()
        .enumerate()
        .filter(|(_, s)| {
            let folded = fold(&s.text);
            !folded.is_empty() && !title.contains(&folded) && (folded.len() > title.len() + 12 || !folded.starts_with(&title))
        })
        // Of equals the earlier one; a slight pull to the front over all.
        .map(|(at, s)| (worth(s, &words) - 0.02 * at.min(50) as f32, at, s))
        .filter(|(worth, ..)| *worth > -0.5)
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut chosen: Vec<(usize, String)> = Vec::new();
    let mut left = limit;
    for (_, at, sentence) in ranked.iter().take(6) {
        let length = sentence.text.chars().count();
        if chosen.is_empty() {
            let text = shorten(&sentence.text, limit);
            left = left.saturating_sub(text.chars().count() + 1);
            chosen.push((*at, text));
        } else if length < left {
            left -= length + 1;
            chosen.push((*at, sentence.text.clone()));
        }
    }
    chosen.sort_by_key(|(at, _)| *at);
    let text = chosen.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ");
    if text.is_empty() { rows(section, stop, pages, limit) } else { Some(text) }
}

/// The lines of a section's own text, its title left out.
fn own_lines<'a>(section: &Section, stop: (u32, usize), pages: &'a [Page]) -> impl Iterator<Item = &'a Line> {
    let (start, from) = (section.node.start_index, section.line.map_or(0, |l| l + 1));
    let end = stop.0.min(section.node.end_index).max(start);
    pages.iter().skip(start.saturating_sub(1) as usize).take((end - start + 1) as usize).flat_map(move |page| {
        let skip = if page.number == start { from } else { 0 };
        let take = if page.number == stop.0 { stop.1.saturating_sub(skip) } else { usize::MAX };
        page.lines.iter().skip(skip).take(take)
    })
}

/// For sections that hold only tables: the labels of the first rows.
fn rows(section: &Section, stop: (u32, usize), pages: &[Page], limit: usize) -> Option<String> {
    let mut labels: Vec<&str> = Vec::new();
    for line in own_lines(section, stop, pages).filter(|l| !l.furniture).take(60) {
        let label = line.text.trim().split("  ").next().unwrap_or_default().trim();
        if label.chars().filter(|c| c.is_alphabetic()).count() >= 4
            && label.len() <= 60
            && line.text.contains("  ")
            && !labels.contains(&label)
        {
            labels.push(label);
        }
    }
    if labels.len() < 3 {
        return None;
    }
    Some(shorten(&format!("Table: {}", labels.join("; ")), limit))
}
