//! Running heads that change from page to page: told by their place, not by their words.

use std::collections::{HashMap, HashSet};

use crate::pdf::{Line, Page};

use super::layout::Typography;
use super::titles::fold;

/// Fewest pages that show a running head.
const LEAST: usize = 4;

/// Heights at which running heads stand, in steps of [`STEP`] points.
#[derive(Debug, Default)]
pub(super) struct Slots {
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

/// Finds the heights at which most pages that have a line there leave room below it: a running head stands apart from the text on every
/// page, the first line of the text does so only where it is a heading.
pub(super) fn slots(pages: &[Page], look: &Typography) -> Slots {
    let mut seen: HashMap<i32, (usize, usize)> = HashMap::new();
    // What the lines at a height say, and how many of them stand out from the text.
    let mut told: HashMap<i32, (HashSet<String>, usize)> = HashMap::new();
    for page in pages {
        let Some((line, room)) = topmost(page) else { continue };
        if line.y0 > page.height * 0.15 || line.size > look.size * 1.3 {
            continue;
        }
        let (all, apart) = seen.entry(step(line.y0)).or_default();
        *all += 1;
        let (texts, bold) = told.entry(step(line.y0)).or_default();
        texts.insert(fold(&line.text).chars().filter(|c| !c.is_numeric()).collect());
        *bold += usize::from(line.bold && !look.bold || line.size > look.size * 1.1);
        *apart += usize::from(room > look.size * 0.9 && room < page.height * 0.5);
    }
    let mut heights: Vec<i32> = seen
        .into_iter()
        .filter(|(_, (all, apart))| *apart >= LEAST && *apart * 10 >= *all * 8 && *all * 5 >= pages.len())
        // Lines that stand out, and each say something else, head pages that are sections.
        .filter(|(h, (all, _))| told.get(h).is_none_or(|(texts, bold)| texts.len() < *all || *bold < *all))
        .map(|(h, _)| h)
        .collect();
    heights.sort_unstable();
    Slots { heights }
}

impl Slots {
    /// Whether a line that starts at this height is a running head.
    pub fn holds(&self, y0: f32) -> bool {
        let at = step(y0);
        self.heights.iter().any(|h| (h - at).abs() <= 1)
    }
}
