//! Headings found in the layout: candidates judged by their style class over the whole document, and ranked.

pub(super) mod candidates;
pub(super) mod runin;
pub(super) mod slots;
pub(super) mod tags;

use std::collections::{HashMap, HashSet};

use super::layout::{Block, Typography};
use super::numbering::Scheme;
use super::titles::{fold, is_caps};
use candidates::Candidate;

/// What lines of one class have in common: lines of a class are headings together or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Style {
    /// Half points, negative so that larger sorts first.
    size: i32,
    /// Smaller stands out more: bold capitals, bold or capitals, bold italics, italics, plain.
    weight: u8,
    body_color: bool,
    body_family: bool,
}

/// A class: a style and the numbering in it.
pub(super) type Class = (Style, Option<(Scheme, usize)>);

/// A heading before nesting.
#[derive(Debug, Clone)]
pub(super) struct Heading {
    pub candidate: Candidate,
    pub class: Class,
    /// Level on the printed contents page, where it stands there.
    pub contents_level: Option<u32>,
    /// The list inside the document that it stands in, where it stands in one.
    pub inner: Option<usize>,
    /// Adjusted score; see [`THRESHOLD`].
    pub score: f32,
}

impl Heading {
    /// How sure the heading is, in percent: nearly so where a contents page lists it, else by how far its score passes the bar.
    pub fn confidence(&self) -> u8 {
        // Set on the share of such headings that authors have in their outlines: a fifth just above the bar, nine of ten far above it.
        let by_score = 25.0 + 22.0 * (self.score - THRESHOLD);
        if self.contents_level.is_some() || self.inner.is_some() { 95 } else { by_score.clamp(25.0, 90.0) as u8 }
    }
}

/// Least adjusted score of a heading; see [`candidates`] for the scale.
const THRESHOLD: f32 = 2.0;

/// Distance of lines in sizes from which on text is set with double spacing, without room to spare above headings.
const DOUBLE: f32 = 1.8;

/// Members and pages from which on a class is used steadily.
const STEADY: usize = 5;

/// Ranks of classes that no contents page lists start here, below all levels of contents pages.
const BELOW_CONTENTS: u32 = 100;

fn style(c: &Candidate, look: &Typography) -> Style {
    Style {
        size: -(c.block.size * 2.0).round() as i32,
        weight: match (c.block.bold, c.caps, c.block.italic) {
            (true, true, _) => 0,
            (true, false, false) | (false, true, _) => 1,
            (true, false, true) => 2,
            (false, false, true) => 3,
            (false, false, false) => 4,
        },
        body_color: c.block.color == look.color,
        body_family: !c.block.other_family,
    }
}

/// The class of a candidate.
pub(super) fn class(c: &Candidate, look: &Typography) -> Class {
    (style(c, look), c.numbering.as_ref().map(|n| (n.scheme, n.depth())))
}

/// How much of the text in each look stands in paragraphs, by size, weight, slant, capitals, colour and family.
#[derive(Debug, Default)]
pub(super) struct Usage {
    chars: HashMap<Look, (usize, usize)>,
}

/// Size in half points, bold, italic, capitals, colour, and whether the font is of another family than usual.
type Look = (i32, bool, bool, bool, u32, bool);

fn look_of(b: &Block) -> Look {
    ((b.size * 2.0).round() as i32, b.bold, b.italic, is_caps(&b.text), b.color, b.other_family)
}

impl Usage {
    /// Counts the blocks of a page.
    pub fn count(&mut self, blocks: &[Block]) {
        for b in blocks {
            let (long, all) = self.chars.entry(look_of(b)).or_default();
            *all += b.chars;
            if b.lines > 3 || b.chars > 200 || b.row {
                *long += b.chars;
            }
        }
    }

    /// Share of the text in this block's look that stands in paragraphs or tables, 0 to 1.
    fn paragraphs(&self, b: &Block) -> f32 {
        self.chars.get(&look_of(b)).map_or(0.0, |(long, all)| *long as f32 / (*all).max(1) as f32)
    }
}

#[derive(Debug, Default)]
struct ClassFacts {
    count: usize,
    pages: HashSet<u32>,
    in_contents: usize,
    /// Members that end like titles.
    clean: usize,
    /// Members with free space above.
    apart: usize,
    /// Members that running text follows.
    leading: usize,
    /// What the members say.
    texts: HashSet<String>,
    /// Numbered members that follow the one before or start with 1.
    in_sequence: usize,
    last: Option<u32>,
}

/// Keeps the candidates that are headings. `contents` tells the level of those that stand on a contents page, by index.
pub(super) fn select(
    found: Vec<Candidate>,
    contents: &HashMap<usize, u32>,
    inner: &HashMap<usize, usize>,
    usage: &Usage,
    look: &Typography,
) -> Vec<Heading> {
    let mut facts: HashMap<Class, ClassFacts> = HashMap::new();
    let mut texts: HashMap<String, usize> = HashMap::new();
    for (at, c) in found.iter().enumerate() {
        let fact = facts.entry(class(c, look)).or_default();
        fact.count += 1;
        fact.pages.insert(c.block.page);
        fact.in_contents += usize::from(contents.contains_key(&at));
        fact.see(c, look);
        *texts.entry(fold(&c.block.text)).or_default() += 1;
    }
    let running = running_heads(&found);
    let brief = found.iter().all(|c| c.block.page <= 2);
    let mut out: Vec<Heading> = Vec::new();
    for (at, c) in found.into_iter().enumerate() {
        let class = class(&c, look);
        let contents_level = contents.get(&at).copied();
        let inner = inner.get(&at).copied();
        let Some(fact) = facts.get(&class) else { continue };
        let mut score = c.score + fact.worth(usage.paragraphs(&c.block), &c, look, brief);
        if contents_level.is_none() && inner.is_none() {
            let folded = fold(&c.block.text);
            let repeated = texts.get(&folded).copied().unwrap_or(0);
            if repeated >= 4 && c.numbering.is_none() {
                score -= 0.4;
            }
            if score < THRESHOLD || running.contains(&(folded, position(&c.block))) {
                continue;
            }
        }
        out.push(Heading { candidate: c, class, contents_level, inner, score });
    }
    drop_continued(out)
}

impl ClassFacts {
    /// Takes a member into account.
    fn see(&mut self, c: &Candidate, look: &Typography) {
        let ends_clean = ends_clean(&c.block.text);
        let short = c.block.lines > 1 || c.block.short || c.block.x1 < look.right - 2.0 * look.size;
        self.apart += usize::from(c.block.above >= 0.3);
        self.leading += usize::from(c.leads);
        self.texts.insert(fold(&c.block.text));
        self.clean += usize::from(ends_clean && short);
        if let Some(value) = c.numbering.as_ref().and_then(|n| n.value.last()).copied() {
            // A sequence goes on, or starts anew under the next heading.
            self.in_sequence += usize::from(value == 1 || self.last == Some(value.saturating_sub(1)));
            self.last = Some(value);
        }
    }

    /// What short lines are worth that are set apart and lead running text page after page: headings, even if they stand out little. More
    /// is asked of those in the look of the running text.
    fn steadiness(&self, paragraphs: f32, c: &Candidate, look: &Typography) -> f32 {
        let share = |n: usize| n as f32 / self.count.max(1) as f32;
        let most = (self.clean.min(self.texts.len()), self.leading);
        let apart = share(self.apart) >= 0.85 || look.pitch >= look.size * DOUBLE && paragraphs < 0.2;
        if c.numbering.is_some()
            || self.count < STEADY
            || self.pages.len() < STEADY
            || self.count > 3 * self.pages.len()
            || c.block.size < look.size * 0.98
            || !ends_clean(&c.block.text)
            || !apart
        {
            return 0.0;
        }
        let very = self.count >= 8 && share(self.leading) >= 0.8 && share(self.clean) >= 0.95;
        match paragraphs < 0.2 {
            true if share(self.clean) < 0.85 || share(self.texts.len()) < 0.8 || share(self.leading) < 0.6 => 0.0,
            true if very => 1.0,
            true => 0.7,
            false if very && share(most.0) >= 0.95 && share(most.1) >= 0.9 && c.leads => 1.3,
            false => 0.0,
        }
    }

    /// What membership of the class adds to a candidate's own score.
    fn worth(&self, paragraphs: f32, c: &Candidate, look: &Typography, brief: bool) -> f32 {
        let mut worth = 0.0;
        // Of a letter or a memo all that can be asked is that titles are several.
        if self.count >= 3 && (self.pages.len() >= 3 || brief && self.clean == self.count) {
            worth += 0.3;
        }
        let density = self.count as f32 / self.pages.len().max(1) as f32;
        if density > 5.0 {
            worth -= 1.5;
        } else if density > 3.0 {
            worth -= 0.5;
        }
        if c.block.size < look.size * 1.2 && paragraphs > 0.6 {
            worth -= if c.block.bold && !look.bold { 0.6 } else { 0.2 };
        }
        worth += self.steadiness(paragraphs, c, look);
        let share = |n: usize| n as f32 / self.count.max(1) as f32;
        if self.in_contents * 2 >= self.count && self.in_contents >= 2 {
            worth += 0.7;
        }
        if c.numbering.is_some() && self.count >= 3 {
            // Numbered lines that follow each other and end like titles are headings even in plain type; list items end like sentences.
            if share(self.in_sequence) >= 0.75 && share(self.clean) >= 0.75 {
                worth += 1.0;
                if self.count >= 6 && share(self.in_sequence) >= 0.85 && share(self.clean) >= 0.85 {
                    worth += 0.7;
                }
            } else if share(self.in_sequence) >= 0.75
                && share(self.leading) >= 0.8
                && c.block.bold
                && !look.bold
                && paragraphs < 0.2
            {
                // Titles that are sentences, as the points of an argument are.
                worth += 1.3;
            } else if share(self.clean) < 0.4 || share(self.in_sequence) < 0.3 {
                worth -= 0.7;
            }
        }
        worth
    }
}

/// Whether a text ends as titles do.
fn ends_clean(text: &str) -> bool {
    !text.ends_with(['.', ';', ',', '。', ':'])
}

/// Height on the page in steps that do not notice small shifts.
fn position(b: &Block) -> i32 {
    (b.y0 / 8.0).round() as i32
}

/// Lines at the head of three or more pages at one height with one text.
fn running_heads(found: &[Candidate]) -> HashSet<(String, i32)> {
    let mut seen: HashMap<(String, i32), usize> = HashMap::new();
    for c in found.iter().filter(|c| c.block.at_top) {
        *seen.entry((fold(&c.block.text), position(&c.block))).or_default() += 1;
    }
    seen.into_iter().filter(|(_, n)| *n >= 3).map(|(k, _)| k).collect()
}

/// Drops a heading that repeats the one before it on the next page ("continued").
fn drop_continued(headings: Vec<Heading>) -> Vec<Heading> {
    let mut out: Vec<Heading> = Vec::new();
    let mut recent: HashMap<String, u32> = HashMap::new();
    for h in headings {
        let mut key = fold(&h.candidate.block.text);
        for mark in ["continued", "contd", "cont", "fortsetzung", "suite"] {
            if let Some(head) = key.strip_suffix(mark) {
                key = head.to_owned();
            }
        }
        let page = h.candidate.block.page;
        let repeated = recent.insert(key, page).is_some_and(|p| page - p <= 1) && h.candidate.block.at_top;
        if !repeated {
            out.push(h);
        }
    }
    out
}

/// Ranks for nesting: by the contents page where a class stands there, below it by size, weight, capitals and first appearance.
pub(super) fn ranks(headings: &[Heading]) -> Vec<u32> {
    let by_tags = tag_ranks(headings);
    let mut classes: HashMap<Class, (usize, usize, HashMap<u32, usize>)> = HashMap::new();
    for (at, h) in headings.iter().enumerate() {
        let entry = classes.entry(h.class).or_insert((at, 0, HashMap::new()));
        entry.1 += 1;
        if let Some(level) = h.contents_level.or_else(|| by_tags.get(&at).copied()) {
            *entry.2.entry(level).or_default() += 1;
        }
    }
    let sizes = size_steps(headings);
    let step = |s: &Style| sizes.iter().position(|(from, to)| (*from..=*to).contains(&s.size)).unwrap_or(0);
    let mut order: Vec<_> = classes
        .iter()
        .map(|(class, (first, ..))| {
            let scheme = class.1.map_or(5, |(s, _)| match s {
                Scheme::Part => 0,
                Scheme::Chapter => 1,
                Scheme::Item => 2,
                _ => 5,
            });
            // Numbered and unnumbered chapters of one look stand side by side; deeper numbers below.
            let depth = class.1.map_or(1, |(_, d)| d);
            let s = class.0;
            let chapter = matches!(class.1, None | Some((Scheme::Decimal, 1)));
            let first = if chapter { &0 } else { first };
            ((scheme.min(3), step(&s), s.weight, (s.body_color, s.body_family), depth, *first), *class)
        })
        .collect();
    order.sort_unstable();
    let mut place: HashMap<Class, u32> = HashMap::new();
    let mut next = BELOW_CONTENTS;
    for (at, (key, class)) in order.iter().enumerate() {
        next += u32::from(at.checked_sub(1).and_then(|i| order.get(i)).is_some_and(|(before, _)| before != key));
        place.insert(*class, next);
    }
    headings
        .iter()
        .enumerate()
        .map(|(at, h)| {
            if let Some(level) = h.contents_level.or_else(|| by_tags.get(&at).copied()) {
                return level;
            }
            let usual = classes.get(&h.class).and_then(|(_, count, levels)| {
                let listed: usize = levels.values().sum();
                let level = levels.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0))).map(|(l, _)| *l);
                level.filter(|_| listed * 2 >= *count && listed >= 2)
            });
            usual.unwrap_or_else(|| place.get(&h.class).copied().unwrap_or(u32::MAX))
        })
        .collect()
}

/// Ranks of tagged headings by index, where most headings are tagged: by the level that the file gives, and in it by size, for programs
/// tag chapters and their sections alike. None where a contents page tells levels, which are not counted from the same one.
fn tag_ranks(headings: &[Heading]) -> HashMap<usize, u32> {
    /// A heading is smaller than another of its level from this share of the size on; as many of a size are no slip.
    const SMALLER: f32 = 0.88;
    const FEWEST: usize = 2;
    /// Sizes told apart in a level.
    const SIZES: u32 = 8;
    let tagged = || headings.iter().enumerate().filter_map(|(at, h)| Some((at, h.candidate.tagged?, h.candidate.block.size)));
    if headings.iter().any(|h| h.contents_level.is_some()) || tagged().count() * 2 <= headings.len() {
        return HashMap::new();
    }
    let mut sizes: HashMap<u32, Vec<f32>> = HashMap::new();
    for (_, level, size) in tagged() {
        sizes.entry(level).or_default().push(size);
    }
    for of_level in sizes.values_mut() {
        of_level.sort_by(|a, b| b.total_cmp(a));
    }
    let step = |level: u32, size: f32| {
        let mut rest = sizes.get(&level).map(Vec::as_slice).unwrap_or_default();
        let mut steps = 0;
        while let Some(largest) = rest.first() {
            let same = rest.iter().take_while(|s| **s > SMALLER * largest).count();
            if size > SMALLER * largest {
                break;
            }
            steps += u32::from(same >= FEWEST);
            rest = rest.get(same..).unwrap_or_default();
        }
        steps.min(SIZES - 1)
    };
    tagged().map(|(at, level, size)| (at, level * SIZES + step(level, size))).collect()
}

/// Sizes that differ by less than a twentieth are one step. Half points, negative, larger first.
fn size_steps(headings: &[Heading]) -> Vec<(i32, i32)> {
    let mut sizes: Vec<i32> = headings.iter().map(|h| h.class.0.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut steps: Vec<(i32, i32)> = Vec::new();
    for size in sizes {
        match steps.last_mut() {
            Some((from, to)) if (size - *from) * 20 <= -*from => *to = size,
            _ => steps.push((size, size)),
        }
    }
    steps
}
