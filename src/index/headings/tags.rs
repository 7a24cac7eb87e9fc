//! The structure tags of a file, judged: programs tag everything as paragraphs, bold lines as first headings, whole texts as titles.

use std::collections::{HashMap, HashSet};

use crate::pdf::{Line, Page, Role};

use super::super::layout::{Block, join};
use super::super::numbering::numbering;
use super::super::titles::{fold, is_caps};
use super::candidates::Candidate;

/// How far the tags of a file can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::index) enum TagTrust {
    /// Its headings are the headings, and all of them.
    Whole,
    /// What it calls a heading is more likely one, and what it calls something else is less likely one.
    Evidence,
    /// It says nothing of use.
    None,
}

/// What the tags say of a line, as far as they are believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::index) enum TagSays {
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

/// What a tag adds to the score of a candidate; see [`super::candidates`] for the scale.
const TAGGED: f32 = 1.2;
/// The score from which on a candidate is a heading by its looks alone.
const STRONG: f32 = 2.5;
/// The score of a tagged heading that the layout alone does not show.
const UNSEEN: f32 = 0.3;

/// The judged tags of a document.
#[derive(Debug)]
pub(in crate::index) struct Tags {
    trust: TagTrust,
    /// Level without gaps of each level in the file.
    levels: HashMap<u8, u32>,
    /// Tables are believed: in files that are laid out with tables, all the text is in cells.
    cells: bool,
    /// Elements that are called headings but are none: too long, or a running head.
    broken: HashSet<u32>,
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
pub(in crate::index) fn judge(pages: &[Page]) -> Tags {
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
    let mut broken = broken(&found);
    broken.extend(title(&found));
    let good: Vec<&Tagged> = found.iter().filter(|h| !broken.contains(&h.element)).collect();
    let mut used: Vec<u8> = good.iter().map(|h| h.level).collect();
    used.sort_unstable();
    used.dedup();
    let levels: HashMap<u8, u32> = used.into_iter().zip(1..).collect();
    let trust = trust(&found, &good, &levels, (lines, tagged, plain_chars), pages.len());
    Tags { trust, levels, cells: cells * 10 < tagged.max(1) * 6, broken, paragraphs: paragraphs * 5 > tagged }
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
fn broken(found: &[Tagged]) -> HashSet<u32> {
    let mut pages: HashMap<&str, Vec<u32>> = HashMap::new();
    for heading in found {
        pages.entry(heading.text.as_str()).or_default().push(heading.page);
    }
    // A running head comes back on page after page.
    let runs = |text: &str| {
        pages
            .get(text)
            .is_some_and(|p| p.len() >= 4 && p.windows(2).filter(|w| matches!(w, [a, b] if b - a <= 2)).count() * 3 >= p.len() * 2)
    };
    found
        .iter()
        .filter(|h| {
            h.lines > LINES || h.chars > LONG || h.text.len() < 2 || h.text.bytes().all(|b| b.is_ascii_digit()) || runs(&h.text)
        })
        .map(|h| h.element)
        .collect()
}

/// The heading that is the title of the document: the first one, on the first page, and the only one of its level over others.
fn title(found: &[Tagged]) -> Option<u32> {
    let first = found.first().filter(|h| h.page == 1)?;
    let (_, rest) = found.split_first()?;
    (rest.len() >= 3 && rest.iter().all(|h| h.level > first.level)).then_some(first.element)
}

fn trust(
    found: &[Tagged],
    good: &[&Tagged],
    levels: &HashMap<u8, u32>,
    (lines, tagged, plain_chars): (usize, usize, usize),
    pages: usize,
) -> TagTrust {
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
    let level = |h: &Tagged| levels.get(&h.level).copied().unwrap_or(1);
    let jumps = good.windows(2).filter(|w| matches!(w, [a, b] if level(b) > level(a) + 1)).count();
    let ordered = jumps * 4 <= good.len();
    if covered && spread && !dense && ordered && good.len() >= 4 && (levels.len() > 1 || good.len() <= 2 * pages) {
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

    /// Compares the tags with the headings that the layout shows. Where many of these are tagged as paragraphs, the file tags only some of
    /// its headings, and what it does not tag may be one as well.
    pub fn compare<'a>(&mut self, candidates: impl Iterator<Item = (&'a Page, &'a Candidate)>) {
        let (mut tagged, mut plain) = (0usize, 0usize);
        for (page, candidate) in candidates.filter(|(_, c)| c.score >= STRONG) {
            match page.lines.get(candidate.block.first).map_or(TagSays::Nothing, |line| self.of(line)) {
                TagSays::Heading(_) => tagged += 1,
                TagSays::Paragraph => plain += 1,
                _ => {}
            }
        }
        if plain * 5 > (tagged + plain) * 2 {
            self.paragraphs = false;
            if self.trust == TagTrust::Whole {
                self.trust = TagTrust::Evidence;
            }
        }
    }

    /// Raises and lowers the candidates of a page by what the tags say, and adds the headings that they know beside them. What the file
    /// tags as one heading is one, however it is broken into lines and blocks.
    pub fn weigh(&self, found: &mut Vec<Candidate>, blocks: &[Block], page: &Page) {
        if self.trust == TagTrust::None {
            return;
        }
        let strength = if self.trust == TagTrust::Whole { 2.0 } else { 1.0 };
        let says = |at: usize| page.lines.get(at).map_or(TagSays::Nothing, |line| self.of(line));
        for candidate in found.iter_mut() {
            candidate.score += strength
                * match says(candidate.block.first) {
                    TagSays::Heading(_) | TagSays::Nothing => 0.0,
                    TagSays::Other => -2.0,
                    TagSays::Item => -0.4,
                    TagSays::Paragraph => -0.8,
                };
        }
        for (lines, level) in self.headings(page) {
            let (Some(first), Some(last)) = (lines.first().copied(), lines.last().copied()) else { continue };
            let same =
                found.iter_mut().find(|c| c.block.first <= first && c.block.last >= last && c.block.lines <= lines.len() + 1);
            if let Some(same) = same {
                same.tagged = Some(level);
                same.score += TAGGED * strength;
                continue;
            }
            let Some(block) = blocks.iter().find(|b| (b.first..=b.last).contains(&first)).filter(|b| !b.row) else { continue };
            found.retain(|c| c.block.last < first || c.block.first > last);
            let Some(block) = of_lines(block, &lines, page) else { continue };
            let (numbering, caps) = (numbering(&block.text), is_caps(&block.text));
            found.push(Candidate { block, numbering, caps, score: UNSEEN + TAGGED * strength, leads: false, tagged: Some(level) });
        }
        found.sort_by_key(|c| c.block.first);
    }

    /// The lines of each tagged heading of a page, by their indices, and its level.
    fn headings(&self, page: &Page) -> Vec<(Vec<usize>, u32)> {
        let mut out: Vec<(Vec<usize>, u32)> = Vec::new();
        let mut open = None;
        for (at, line) in page.lines.iter().enumerate().filter(|(_, l)| !l.furniture && !l.text.trim().is_empty()) {
            let TagSays::Heading(level) = self.of(line) else {
                open = None;
                continue;
            };
            let element = line.tag.map(|t| t.element);
            match out.last_mut().filter(|_| open == element) {
                Some((lines, _)) => lines.push(at),
                None => out.push((vec![at], level)),
            }
            open = element;
        }
        out
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

/// The block made of these lines, with the look and the surroundings of the one that the first of them stands in.
fn of_lines(block: &Block, lines: &[usize], page: &Page) -> Option<Block> {
    let members: Vec<&Line> = lines.iter().filter_map(|at| page.lines.get(*at)).collect();
    let (head, foot) = (members.first()?, members.last()?);
    let mut out = block.clone();
    (out.first, out.last) = (*lines.first()?, *lines.last()?);
    out.text = join(members.iter().map(|l| l.text.as_str()));
    out.chars = members.iter().map(|l| l.text.len()).sum();
    out.lines = members.len();
    (out.size, out.bold, out.italic, out.color) = (head.size, head.bold, head.italic, head.color);
    out.x0 = members.iter().map(|l| l.x0).fold(f32::MAX, f32::min);
    out.x1 = members.iter().map(|l| l.x1).fold(f32::MIN, f32::max);
    (out.y0, out.y1) = (head.y0, foot.y1);
    if out.first != block.first {
        (out.above, out.at_top) = (0.0, false);
    }
    Some(out)
}
