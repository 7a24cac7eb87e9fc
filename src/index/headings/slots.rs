//! Running heads that change from page to page: told by their place, not by their words.

use std::collections::{HashMap, HashSet};

use crate::pdf::{Line, Page, Role};

use super::super::layout::Typography;
use super::super::numbering::{Scheme, numbering};
use super::super::titles::fold;

/// Fewest pages that show a running head.
const LEAST: usize = 4;

/// Heights at which running heads stand, in steps of [`STEP`] points.
#[derive(Debug, Default)]
pub(in crate::index) struct Slots {
    heights: Vec<i32>,
}

/// Heights closer than this are one, in points.
const STEP: f32 = 3.0;

fn step(y: f32) -> i32 {
    (y / STEP).round() as i32
}

/// The topmost line of a page that is no furniture yet, and the free space below it in points.
fn topmost(page: &Page) -> Option<(&Line, f32)> {
    let lines = || page.lines.iter().filter(|l| !l.furniture && !l.text.trim().is_empty());
    let first = lines().min_by(|a, b| a.y0.total_cmp(&b.y0))?;
    let next = lines().filter(|l| l.y0 > first.y1 - first.size * 0.3).map(|l| l.y0).fold(f32::MAX, f32::min);
    Some((first, next - first.y1))
}

/// Finds the heights of running heads: most pages that have a line there leave room below it, and the lines repeat each other's beginnings or
/// ends. The first line of the text stands apart only where it is a heading, and headings differ.
pub(in crate::index) fn slots(pages: &[Page], look: &Typography) -> Slots {
    let mut seen: HashMap<i32, (usize, Vec<Ends>)> = HashMap::new();
    for page in pages {
        let Some((line, room)) = topmost(page) else { continue };
        if line.y0 > page.height * 0.15 || line.size > look.size * 1.12 {
            continue;
        }
        let (all, apart) = seen.entry(step(line.y0)).or_default();
        *all += 1;
        if room > look.size * 0.9 && room < page.height * 0.5 {
            apart.push(if names_heading(page, line) { Ends::default() } else { ends(&line.text) });
        }
    }
    let running = |(all, apart): &(usize, Vec<Ends>)| {
        apart.len() >= LEAST && apart.len() * 10 >= *all * 8 && *all * 5 >= pages.len() && repeated(apart) * 5 >= apart.len() * 2
    };
    let mut heights: Vec<i32> = seen.into_iter().filter(|(_, lines)| running(lines)).map(|(height, _)| height).collect();
    heights.sort_unstable();
    Slots { heights }
}

/// Whether another line of the page has the same words: the heading that the running head names.
fn names_heading(page: &Page, line: &Line) -> bool {
    let words = fold(&line.text);
    page.lines.iter().any(|l| !std::ptr::eq(l, line) && l.text.len() <= line.text.len() + 8 && fold(&l.text) == words)
}

/// The first and the last letters of a running head, numbers left out; those that name a heading of their page are alike.
type Ends = (String, String);

/// Letters compared at either end.
const END: usize = 10;

fn ends(text: &str) -> Ends {
    let letters: Vec<char> = fold(text).chars().filter(|c| c.is_alphabetic()).collect();
    let head = letters.iter().take(END).collect();
    (head, letters.iter().rev().take(END).collect())
}

/// How many lines begin or end as another one does.
fn repeated(lines: &[Ends]) -> usize {
    let mut heads: HashMap<&str, usize> = HashMap::new();
    let mut tails: HashMap<&str, usize> = HashMap::new();
    for (head, tail) in lines {
        *heads.entry(head).or_default() += 1;
        *tails.entry(tail).or_default() += 1;
    }
    let often = |counts: &HashMap<&str, usize>, end: &str| counts.get(end).is_some_and(|n| *n > 1);
    lines.iter().filter(|(head, tail)| often(&heads, head) || often(&tails, tail)).count()
}

/// Headings among the running heads: "Exhibit 4.1", "ANNEX II" at the head of one page, where the next page has another number or none.
/// Page and index of the line.
pub(in crate::index) fn numbered_heads(pages: &[Page]) -> HashSet<(u32, usize)> {
    let mut seen: HashMap<String, Vec<(u32, usize)>> = HashMap::new();
    for page in pages {
        for (at, line) in
            page.lines.iter().enumerate().filter(|(_, l)| l.furniture && l.text.len() <= 40 && l.y0 < page.height * 0.2)
        {
            let text = line.text.trim();
            let lone = numbering(text).is_some_and(|n| n.len >= text.len() && n.scheme == Scheme::Appendix);
            if lone {
                seen.entry(fold(text)).or_default().push((page.number, at));
            }
        }
    }
    // What runs over the pages of a part stands on each of them.
    seen.into_values().filter(|places| places.len() == 1).flatten().collect()
}

impl Slots {
    /// Index of the line of a page that is a running head by its place. What the file tags as a heading is none.
    pub fn running(&self, page: &Page) -> Option<usize> {
        if self.heights.is_empty() {
            return None;
        }
        let (line, _) = topmost(page)?;
        let at = step(line.y0);
        let tagged = line.tag.is_some_and(|tag| matches!(tag.role, Role::Heading(_)));
        let running = !tagged && self.heights.iter().any(|h| (h - at).abs() <= 1);
        page.lines.iter().position(|l| std::ptr::eq(l, line)).filter(|_| running)
    }
}
