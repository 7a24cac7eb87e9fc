//! Words cut at the end of a line are put together where it is safe. What the hyphen is, the document itself tells: a word that stands
//! whole elsewhere ("development") was cut, one that has its hyphen elsewhere ("well-known") keeps it. Where it tells nothing, a word is
//! put together when neither part is a word of its own; "long-" before "standing" is left as it stands.

use std::collections::HashMap;

use crate::pdf::Line;

use super::RawPage;

/// A hyphen that stands only where a line ends. Some fonts have no other.
const SOFT_HYPHEN: char = '\u{AD}';
/// Lines of one paragraph differ in size by less than this factor.
const SAME_SIZE: f32 = 1.15;
/// Words from which on a text says most of its words more than once.
const LONG_TEXT: usize = 5_000;
/// Letters of a first part that is rather a syllable than a word.
const SYLLABLE: usize = 3;

/// Puts cut words together on the line where they begin, on all pages. The words of all these pages tell which.
pub(crate) fn join_cut_words(pages: &mut [RawPage]) {
    let cuts: Vec<(usize, usize)> = pages
        .iter()
        .enumerate()
        .flat_map(|(number, page)| cut_lines(&page.lines).into_iter().map(move |index| (number, index)))
        .collect();
    if !cuts.is_empty() {
        let mut words = Words::default();
        for (number, index) in &cuts {
            let lines = pages.get(*number).map(|p| p.lines.as_slice()).unwrap_or_default();
            if let Some(cut) = Cut::at(lines, *index) {
                cut.forms().into_iter().for_each(|form| words.ask(form));
            }
        }
        pages.iter().for_each(|page| words.read(&page.lines));
        // From the last line back, so that a line that was used up moves none that is still to come.
        for (number, index) in cuts.into_iter().rev() {
            if let Some(page) = pages.get_mut(number) {
                join(&mut page.lines, index, &words);
            }
        }
    }
    // A soft hyphen that is drawn inside a line is a hyphen to the eye.
    for line in pages.iter_mut().flat_map(|page| &mut page.lines).filter(|line| line.text.contains(SOFT_HYPHEN)) {
        line.text = line.text.replace(SOFT_HYPHEN, "-");
    }
}

/// A word of two parts, the first at the end of a line, the second at the start of the next one.
struct Cut<'l> {
    first: &'l str,
    second: &'l str,
    soft: bool,
}

/// Indices of lines that end with a cut word.
fn cut_lines(lines: &[Line]) -> Vec<usize> {
    (0..lines.len()).filter(|index| Cut::at(lines, *index).is_some()).collect()
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | SOFT_HYPHEN)
}

impl<'l> Cut<'l> {
    /// The word that the line at this index and the next one share.
    fn at(lines: &'l [Line], index: usize) -> Option<Self> {
        let (line, next) = (lines.get(index)?, lines.get(index + 1)?);
        let hyphen = line.text.chars().next_back().filter(|c| is_hyphen(*c))?;
        let same_text = !next.starts_block
            && line.furniture == next.furniture
            && line.size.max(next.size) < SAME_SIZE * line.size.min(next.size)
            && line.x0 < next.x1
            && next.x0 < line.x1;
        // Cells of a table are no running text.
        if !same_text || line.text.contains("  ") || next.text.contains("  ") {
            return None;
        }
        let head = line.text.strip_suffix(hyphen)?;
        let token = head.rsplit(' ').next().unwrap_or(head);
        let first = token.trim_start_matches(|c: char| !c.is_alphanumeric() && !is_hyphen(c));
        let second_end = next.text.find(|c: char| !c.is_alphabetic()).unwrap_or(next.text.len());
        let second = next.text.get(..second_end)?;
        // Addresses, numbers and words that have a hyphen already are left alone.
        let sound =
            !first.is_empty() && first.chars().all(char::is_alphabetic) && second.chars().next().is_some_and(char::is_lowercase);
        sound.then_some(Self { first, second, soft: hyphen == SOFT_HYPHEN })
    }

    /// The forms whose use elsewhere tells what the hyphen is: whole, with the hyphen, and each part alone.
    fn forms(&self) -> [u64; 4] {
        let Self { first, second, .. } = self;
        let with = form(first.chars().chain(['-']).chain(second.chars()));
        [form(first.chars().chain(second.chars())), with, form(first.chars()), form(second.chars())]
    }

    /// Whether the hyphen is to be dropped or kept; `None` where it is not known.
    fn drops_hyphen(&self, words: &Words) -> Option<bool> {
        let [whole, with, first, second] = self.forms().map(|form| words.seen(form));
        // In a long text the second part of a compound is seen again; "as-" before "sertion" is a syllable.
        let syllable = || words.total >= LONG_TEXT && self.first.chars().count() <= SYLLABLE;
        match (whole, with) {
            (0, 0) if self.soft || second == 0 && (first == 0 || syllable()) => Some(true),
            (0, 0) => None,
            (whole, with) => Some(whole >= with),
        }
    }
}

fn join(lines: &mut Vec<Line>, index: usize, words: &Words) {
    let Some(drop) = Cut::at(lines, index).and_then(|cut| cut.drops_hyphen(words)) else { return };
    let Some([line, next]) = lines.get_mut(index..index + 2) else { return };
    let end = next.text.find(' ').unwrap_or(next.text.len());
    if drop {
        line.text.pop();
    }
    line.text.push_str(next.text.get(..end).unwrap_or_default());
    let rest = next.text.get(end..).unwrap_or_default().trim_start().to_owned();
    if rest.is_empty() {
        // The line is used up: what it covered belongs to the one that took its word.
        (line.x0, line.x1, line.y1) = (line.x0.min(next.x0), line.x1.max(next.x1), line.y1.max(next.y1));
        lines.remove(index + 1);
    } else {
        next.text = rest;
    }
}

/// How often the words in question stand in the text.
#[derive(Default)]
struct Words {
    seen: HashMap<u64, u32>,
    total: usize,
}

impl Words {
    fn ask(&mut self, form: u64) {
        self.seen.entry(form).or_default();
    }

    fn seen(&self, form: u64) -> u32 {
        self.seen.get(&form).copied().unwrap_or(0)
    }

    fn count(&mut self, form: u64) {
        if let Some(seen) = self.seen.get_mut(&form) {
            *seen += 1;
        }
    }

    /// Counts the words of these lines, whole and with their hyphens. Parts of cut words are none.
    fn read(&mut self, lines: &[Line]) {
        let mut after_cut = false;
        for line in lines {
            let ends_cut = line.text.ends_with(is_hyphen);
            let mut tokens = line.text.split(|c: char| !c.is_alphabetic() && !is_hyphen(c)).filter(|t| !t.is_empty()).peekable();
            if after_cut {
                tokens.next();
            }
            while let Some(token) = tokens.next() {
                if tokens.peek().is_none() && ends_cut {
                    break;
                }
                let hyphens = token.chars().filter(|c| is_hyphen(*c)).count();
                if hyphens > 0 {
                    token.split(is_hyphen).filter(|part| !part.is_empty()).for_each(|part| self.count(form(part.chars())));
                }
                self.count(form(token.chars()));
                self.total += 1;
            }
            after_cut = ends_cut;
        }
    }
}

/// A word without regard to case, as a number (FNV-1a): whether two of the few words asked for share one does not matter. Each word of the
/// document comes by here, so the common letters have a short way.
fn form(word: impl Iterator<Item = char>) -> u64 {
    let step = |hash: u64, c: char| (hash ^ u64::from(u32::from(c))).wrapping_mul(0x0100_0000_01b3);
    word.fold(0xcbf2_9ce4_8422_2325, |hash, c| {
        if c.is_ascii() {
            step(hash, c.to_ascii_lowercase())
        } else {
            c.to_lowercase().fold(hash, |hash, c| step(hash, if is_hyphen(c) { '-' } else { c }))
        }
    })
}
