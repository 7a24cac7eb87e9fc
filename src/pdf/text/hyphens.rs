//! Words cut at the end of a line are put together where it is safe. What the hyphen is, the document itself tells: a word that stands
//! whole elsewhere ("development") was cut, one that has its hyphen elsewhere ("well-known") keeps it. Where it tells nothing, the parts
//! themselves do as far as [`guess`] knows them; what is left unclear then is left as it stands.

use std::collections::HashMap;

use crate::pdf::Line;

use super::RawPage;
use super::compounds::{Guess, guess};
use super::unicode::SOFT_HYPHEN;

/// Lines of one paragraph differ in size by less than this factor; those of two columns do not differ.
const SAME_SIZE: f32 = 1.15;
const EQUAL_SIZE: f32 = 1.02;
/// Edges of justified lines are this near to each other (in em).
const SAME_EDGE: f32 = 0.6;
/// Lines between the end of a column and the start of the next one at most: footnotes and page furniture.
const BETWEEN_COLUMNS: usize = 16;
/// Words from which on a text says most of its words more than once.
const LONG_TEXT: usize = 5_000;
/// Letters of a first part that is rather a syllable than a word.
const SYLLABLE: usize = 3;

/// Puts cut words together on the line where they begin, on all pages. The words of all these pages tell which.
pub(crate) fn join_cut_words(pages: &mut [RawPage]) {
    let soft = SoftHyphens::of(pages);
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
                join(&mut page.lines, index, &words, soft);
            }
        }
    }
    for line in pages.iter_mut().flat_map(|page| &mut page.lines).filter(|line| line.text.contains(SOFT_HYPHEN)) {
        line.text = soft.resolved(&line.text);
    }
}

/// What U+00AD is in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SoftHyphens {
    /// Where a word may be cut.
    Soft,
    /// A hyphen like any other, in fonts that have no other.
    Hard,
}

impl SoftHyphens {
    /// Judges by those inside lines: where words may be cut, nearly none is the hyphen of a compound.
    fn of(pages: &[RawPage]) -> Self {
        let (mut cuts, mut hyphens) = (0usize, 0usize);
        for line in pages.iter().flat_map(|page| &page.lines).filter(|line| line.text.contains(SOFT_HYPHEN)) {
            let mut parts = line.text.trim_end_matches(is_hyphen).split(SOFT_HYPHEN).peekable();
            while let (Some(before), Some(after)) = (parts.next(), parts.peek()) {
                let is_cut = matches!(guess(last_letters(before), first_letters(after)), Guess::Ending | Guess::Syllables);
                if is_cut && between_letters(before, after) { cuts += 1 } else { hyphens += 1 }
            }
        }
        if hyphens * 4 > cuts { Self::Hard } else { Self::Soft }
    }

    /// The text of a line without soft hyphens.
    fn resolved(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut parts = text.split(SOFT_HYPHEN).peekable();
        while let Some(part) = parts.next() {
            out.push_str(part);
            let Some(after) = parts.peek() else { break };
            let doubled = out.ends_with(is_hyphen) || after.starts_with(is_hyphen);
            if !doubled && (self == Self::Hard || !between_letters(part, after)) {
                out.push('-');
            }
        }
        out
    }
}

fn is_upper(text: &str) -> bool {
    text.chars().all(char::is_uppercase)
}

fn last_letters(text: &str) -> &str {
    text.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default()
}

fn first_letters(text: &str) -> &str {
    text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default()
}

fn between_letters(before: &str, after: &str) -> bool {
    before.ends_with(char::is_alphabetic) && after.starts_with(char::is_alphabetic)
}

/// A word of two parts, the first at the end of a line, the second at the start of the next one of its text.
struct Cut<'l> {
    /// Letters before the hyphen, after any hyphen that the word has already.
    first: &'l str,
    second: &'l str,
    /// What the first part hangs on: "state-of-" before "the".
    hung: &'l str,
    /// The second part has a hyphen of its own: "to-day" after "day-".
    goes_on: bool,
    soft: bool,
    /// Index of the line that the second part starts.
    next: usize,
}

/// Indices of lines that end with a cut word.
fn cut_lines(lines: &[Line]) -> Vec<usize> {
    (0..lines.len()).filter(|index| Cut::at(lines, *index).is_some()).collect()
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | SOFT_HYPHEN)
}

/// The line that goes on where the one at this index ends: the next one, or the first of the next column.
fn next_of_text(lines: &[Line], index: usize) -> Option<usize> {
    let line = lines.get(index)?;
    let ratio = |other: &Line| line.size.max(other.size) / line.size.min(other.size).max(0.1);
    let next = lines.get(index + 1)?;
    if !next.starts_block {
        let same_text = line.furniture == next.furniture && ratio(next) < SAME_SIZE && line.x0 < next.x1 && next.x0 < line.x1;
        return (same_text && is_running(lines, index, next)).then_some(index + 1);
    }
    // Lines in between are smaller or furniture.
    let between = |other: &Line| other.furniture || other.size * EQUAL_SIZE < line.size;
    let at = (index + 1..lines.len()).take(BETWEEN_COLUMNS).find(|at| lines.get(*at).is_some_and(|l| !between(l)))?;
    let next = lines.get(at)?;
    let column = next.starts_block
        && !line.furniture
        && ratio(next) < EQUAL_SIZE
        && next.font == line.font
        && next.y1 < line.y0
        && (next.x0 > line.x1 || next.x1 < line.x0);
    (column && !line.text.contains("  ") && !next.text.contains("  ")).then_some(at)
}

/// Whether two lines are running text although there may be gaps in them as wide as those between cells: these are those of words in a
/// narrow justified column, or the one after the number of a paragraph.
fn is_running(lines: &[Line], index: usize, next: &Line) -> bool {
    let Some(line) = lines.get(index) else { return false };
    let wide = |line: &Line| line.text.matches("  ").count();
    if wide(line) + wide(next) == 0 {
        return true;
    }
    if wide(line) == 1 && wide(next) == 0 && next.x0 > line.x0 + line.size {
        return true;
    }
    let near = |a: f32, b: f32| (a - b).abs() < SAME_EDGE * line.size;
    let before = index.checked_sub(1).and_then(|i| lines.get(i)).filter(|_| !line.starts_block);
    let right = near(line.x1, next.x1) || before.is_some_and(|b| near(line.x1, b.x1));
    let words = |line: &Line| line.text.split("  ").all(|cell| !cell.contains(|c: char| c.is_ascii_digit()));
    near(line.x0, next.x0) && right && words(line) && words(next)
}

impl<'l> Cut<'l> {
    /// The word that the line at this index shares with the next one of its text.
    fn at(lines: &'l [Line], index: usize) -> Option<Self> {
        let line = lines.get(index)?;
        if !line.text.ends_with(is_hyphen) {
            return None;
        }
        let next_index = next_of_text(lines, index)?;
        let next = lines.get(next_index)?;
        let head = line.text.trim_end_matches(is_hyphen);
        let hyphens = line.text.get(head.len()..)?;
        // A program may write a hyphen to be seen next to the soft one.
        let soft = hyphens.contains(SOFT_HYPHEN);
        if !soft && hyphens.chars().count() > 1 {
            return None;
        }
        let token = head.rsplit(' ').next().unwrap_or(head);
        let token = token.trim_start_matches(|c: char| !c.is_alphanumeric() && !is_hyphen(c));
        let second = first_letters(&next.text);
        let rest = next.text.get(second.len()..)?;
        let goes_on = rest.starts_with(is_hyphen);
        // Addresses and numbers are left alone.
        let parts_sound = token.split(is_hyphen).all(|part| !part.is_empty() && part.chars().all(char::is_alphabetic));
        if !parts_sound || second.is_empty() {
            return None;
        }
        let first = last_letters(token);
        let hung = token.get(..token.len() - first.len())?;
        Some(Self { first, second, hung, goes_on, soft, next: next_index })
    }

    /// The forms whose use elsewhere tells what the hyphen is: whole, with the hyphen, and each part alone.
    fn forms(&self) -> [u64; 4] {
        let Self { first, second, .. } = self;
        let with = form(first.chars().chain(['-']).chain(second.chars()));
        [form(first.chars().chain(second.chars())), with, form(first.chars()), form(second.chars())]
    }

    /// Whether the hyphen is to be dropped or kept; `None` where it is not known.
    fn drops_hyphen(&self, words: &Words, soft: SoftHyphens) -> Option<bool> {
        let [whole, with, first, second] = self.forms().map(|form| words.seen(form));
        if self.soft && soft == SoftHyphens::Soft {
            return Some(whole >= with);
        }
        if self.second.starts_with(char::is_uppercase) {
            // A capital starts a word, unless all are capitals.
            let all = is_upper(self.first) && is_upper(self.second);
            let compound = with > 0 || !all && self.guess() == Guess::Compound;
            return if all && whole > with { Some(true) } else { compound.then_some(false) };
        }
        if (whole, with) != (0, 0) {
            return Some(whole >= with);
        }
        if !self.hung.is_empty() && matches!(self.first, "of" | "the" | "to" | "and" | "in" | "on" | "by" | "for" | "a") {
            return Some(false);
        }
        let unseen = match self.guess() {
            Guess::Compound => return Some(false),
            Guess::Ending => return Some(true),
            _ if !self.hung.is_empty() => return None,
            _ if self.goes_on => return Some(false),
            // In a long text the second part of a compound is seen again; "as-" before "sertion" is a syllable.
            _ if words.total >= LONG_TEXT => second == 0 && (first == 0 || self.first.chars().count() <= SYLLABLE),
            Guess::Syllables => first == 0 || second == 0,
            Guess::Unclear => false,
        };
        unseen.then_some(true)
    }

    fn guess(&self) -> Guess {
        guess(self.first, self.second)
    }
}

fn join(lines: &mut Vec<Line>, index: usize, words: &Words, soft: SoftHyphens) {
    let Some(cut) = Cut::at(lines, index) else { return };
    let Some(drop) = cut.drops_hyphen(words, soft) else { return };
    let at = cut.next;
    let Some(next) = lines.get_mut(at) else { return };
    let end = next.text.find(' ').unwrap_or(next.text.len());
    let second = next.text.get(..end).unwrap_or_default().to_owned();
    next.text = next.text.get(end..).unwrap_or_default().trim_start().to_owned();
    let used_up = next.text.is_empty().then_some((next.x0, next.x1, next.y1));
    let starts_block = next.starts_block;
    if let Some(line) = lines.get_mut(index) {
        if drop {
            line.text.truncate(line.text.trim_end_matches(is_hyphen).len());
        }
        line.text.push_str(&second);
        if let Some((x0, x1, y1)) = used_up.filter(|_| at == index + 1) {
            // The line is used up: what it covered belongs to the one that took its word.
            (line.x0, line.x1, line.y1) = (line.x0.min(x0), line.x1.max(x1), line.y1.max(y1));
        }
    }
    if used_up.is_some() {
        lines.remove(at);
        if let Some(after) = lines.get_mut(at) {
            after.starts_block |= starts_block;
        }
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
