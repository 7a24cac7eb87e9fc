//! The structure tags of a file, judged: programs tag everything as paragraphs, bold lines as first headings, whole texts as titles.

use std::collections::HashMap;

use crate::pdf::{Line, Page, Role};

use super::titles::fold;

/// How far the tags of a file can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TagTrust {
    /// Its headings are the headings, and all of them.
    Whole,
    /// What it calls a heading is more likely one, and what it calls something else is less likely one.
    Evidence,
    /// It says nothing of use.
    None,
}

/// What the tags say of a line, as far as they are believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TagSays {
    /// A heading of this level, from 1 without gaps.
    Heading(u32),
    /// Part of a table, a list of contents, a caption, a note, a figure, a running head: no heading.
    Other,
    /// Part of a list: a heading only where much else says so.
    Item,
    /// A paragraph, in a file that tags its headings.
    Paragraph,
    /// Nothing.
    Nothing,
}

/// Characters and lines up to which a heading is one.
const LONG: usize = 200;
const LINES: usize = 4;

/// The judged tags of a document.
#[derive(Debug)]
pub(super) struct Tags {
    trust: TagTrust,
    /// Level without gaps of each level in the file.
    levels: HashMap<u8, u32>,
    /// Tables are believed: in files that are laid out with tables, all the text is in cells.
    cells: bool,
    /// Elements that are called headings but are none: too long, or a running head.
    broken: std::collections::HashSet<u32>,
    /// Bodies of text are tagged as paragraphs.
    paragraphs: bool,
}

/// One element that the file calls a heading.
struct Tagged {
    level: u8,
    element: u32,
    page: u32,
    lines: usize,
    chars: usize,
    text: String,
}

/// Judges the tags of these pages.
pub(super) fn judge(pages: &[Page]) -> Tags {
    let mut found: Vec<Tagged> = Vec::new();
    let (mut lines, mut tagged, mut cells, mut paragraphs, mut plain_chars) = (0usize, 0usize, 0usize, 0usize, 0usize);
    for page in pages {
        for line in page.lines.iter().filter(|l| !l.furniture && !l.text.trim().is_empty()) {
            lines += 1;
            let Some(tag) = line.tag else { continue };
            tagged += 1;
            match tag.role {
                Role::Heading(level) => add(&mut found, line, level, tag.element, page.number),
                Role::Cell => cells += 1,
                Role::Paragraph => paragraphs += 1,
                _ => {}
            }
            plain_chars += if matches!(tag.role, Role::Heading(_)) { 0 } else { line.text.len() };
        }
    }
    let broken = broken(&found);
    let good: Vec<&Tagged> = found.iter().filter(|h| !broken.contains(&h.element)).collect();
    let trust = trust(&found, &good, (lines, tagged, plain_chars), pages.len());
    let mut used: Vec<u8> = good.iter().map(|h| h.level).collect();
    used.sort_unstable();
    used.dedup();
    Tags {
        trust,
        levels: used.into_iter().zip(1..).collect(),
        cells: cells * 10 < tagged.max(1) * 6,
        broken,
        paragraphs: paragraphs * 5 > tagged,
    }
}

/// Adds a line to the heading that it belongs to.
fn add(found: &mut Vec<Tagged>, line: &Line, level: u8, element: u32, page: u32) {
    match found.last_mut().filter(|h| h.element == element) {
        Some(heading) => {
            heading.lines += 1;
            heading.chars += line.text.len();
        }
        None => found.push(Tagged { level, element, page, lines: 1, chars: line.text.len(), text: fold(&line.text) }),
    }
}

/// Elements that are no headings, whatever the file calls them.
fn broken(found: &[Tagged]) -> std::collections::HashSet<u32> {
    let mut pages: HashMap<&str, Vec<u32>> = HashMap::new();
    for heading in found {
        pages.entry(heading.text.as_str()).or_default().push(heading.page);
    }
    // A running head comes back on page after page.
    let runs = |text: &str| {
        pages.get(text).is_some_and(|p| p.len() >= 4 && p.windows(2).filter(|w| matches!(w, [a, b] if b - a <= 2)).count() * 3 >= p.len() * 2)
    };
    found
        .iter()
        .filter(|h| h.lines > LINES || h.chars > LONG || h.text.len() < 2 || h.text.bytes().all(|b| b.is_ascii_digit()) || runs(&h.text))
        .map(|h| h.element)
        .collect()
}

fn trust(found: &[Tagged], good: &[&Tagged], (lines, tagged, plain_chars): (usize, usize, usize), pages: usize) -> TagTrust {
    // A few tagged pages of many say nothing of the rest.
    if lines == 0 || tagged * 2 < lines {
        return TagTrust::None;
    }
    if good.len() < 2 || good.len() * 3 < found.len() * 2 {
        return TagTrust::None;
    }
    let chars: usize = good.iter().map(|h| h.chars).sum();
    // Headings are a small part of a text; more of them than text are emphasis.
    if chars * 4 > plain_chars {
        return TagTrust::None;
    }
    let covered = tagged * 10 >= lines * 8;
    let last = good.last().map_or(0, |h| h.page) as usize;
    // Long stretches without any heading are more likely untagged than without headings.
    let mut at = 1;
    let mut gap = 0;
    for heading in good {
        gap = gap.max(heading.page.saturating_sub(at));
        at = heading.page;
    }
    let spread = gap.max((pages as u32).saturating_sub(at)) as usize <= (pages / 4).max(12) && last * 2 > pages;
    let dense = good.len() > 4 * pages;
    let jumps = good.windows(2).filter(|w| matches!(w, [a, b] if b.level > a.level + 1)).count();
    let ordered = jumps * 4 <= good.len();
    let levels = good.iter().map(|h| h.level).max() != good.iter().map(|h| h.level).min();
    if covered && spread && !dense && ordered && good.len() >= 4 && (levels || good.len() <= 2 * pages) {
        TagTrust::Whole
    } else {
        TagTrust::Evidence
    }
}

impl Tags {
    /// How far they are believed.
    pub fn trust(&self) -> TagTrust {
        self.trust
    }

    /// What they say of a line.
    pub fn of(&self, line: &Line) -> TagSays {
        let Some(tag) = line.tag.filter(|_| self.trust != TagTrust::None) else { return TagSays::Nothing };
        match tag.role {
            Role::Heading(_) if self.broken.contains(&tag.element) => TagSays::Nothing,
            Role::Heading(level) => self.levels.get(&level).map_or(TagSays::Nothing, |level| TagSays::Heading(*level)),
            Role::Cell if !self.cells => TagSays::Nothing,
            Role::Caption | Role::Contents | Role::Note | Role::Figure | Role::Artifact | Role::Cell => TagSays::Other,
            Role::ListItem => TagSays::Item,
            Role::Paragraph if self.paragraphs => TagSays::Paragraph,
            Role::Paragraph | Role::Title => TagSays::Nothing,
        }
    }
}
