//! Titles that stand at the head of a numbered paragraph, on the line on which its text begins: "Section 2.1 Annual Meetings. The annual
//! meeting of the members ...". Contracts, statutes and by-laws mostly have no others.

use std::collections::HashMap;

use crate::pdf::Page;

use super::super::layout::Block;
use super::super::numbering::{Scheme, numbering};
use super::super::titles::{fold, has_letters};
use super::candidates::Candidate;

/// Most words of such a title.
const WORDS: usize = 9;
/// Words of fewer letters may be in lower case in a title: "and", "of the".
const SMALL: usize = 5;
/// Bytes of a paragraph from which on it is one, and no title alone.
const PARAGRAPH: usize = 80;
/// Their score; see [`super::candidates`]. They are headings only where there are several in sequence.
const SCORE: f32 = 0.8;

/// A page with its blocks and the candidates among them.
pub(in crate::index) type Surveyed<'a> = (&'a Page, Vec<Block>, Vec<Candidate>);

/// Adds the titles that head paragraphs to the candidates of the pages. Labels ("Example", "Theorem") are none: they come again and again.
pub(in crate::index) fn add_run_ins(surveyed: &mut [Surveyed]) {
    /// How often a word is a title of its own from which on it is a label.
    const AGAIN: usize = 3;
    let found: Vec<Vec<Candidate>> = surveyed.iter().map(|(page, cut, _)| run_ins(page, cut)).collect();
    let mut alone: HashMap<String, usize> = HashMap::new();
    for c in found.iter().flatten().filter(|c| bare(c).split_whitespace().count() == 1) {
        *alone.entry(fold(bare(c))).or_default() += 1;
    }
    let first_word = |c: &Candidate| fold(bare(c).split_whitespace().next().unwrap_or_default());
    let label = |c: &Candidate| alone.get(&first_word(c)).is_some_and(|n| *n >= AGAIN);
    for ((_, _, here), mut found) in surveyed.iter_mut().zip(found) {
        found.retain(|run| !label(run) && here.iter().all(|c| c.block.first != run.block.first));
        if !found.is_empty() {
            here.append(&mut found);
            here.sort_by_key(|c| c.block.first);
        }
    }
}

/// A title without its number.
fn bare(c: &Candidate) -> &str {
    c.block.text.get(c.numbering.as_ref().map_or(0, |n| n.len)..).unwrap_or_default()
}

/// The titles that head paragraphs among the blocks of a page.
fn run_ins(page: &Page, blocks: &[Block]) -> Vec<Candidate> {
    let mut out = Vec::new();
    for block in blocks.iter().filter(|b| !b.row && b.chars >= PARAGRAPH) {
        let Some(line) = page.lines.get(block.first) else { continue };
        let Some(title) = title(&line.text, block.lines > 1) else { continue };
        let block = Block { text: title.to_owned(), chars: title.len(), lines: 1, short: true, ..block.clone() };
        out.push(Candidate { numbering: numbering(title), caps: false, score: SCORE, leads: true, tagged: None, block });
    }
    out
}

/// The numbered title at the head of a line, where text follows.
fn title(line: &str, goes_on: bool) -> Option<&str> {
    let line = line.trim();
    let number = numbering(line)?;
    let fits = match number.scheme {
        Scheme::Decimal => number.value.len() >= 2,
        Scheme::Section | Scheme::Clause => true,
        _ => false,
    };
    let rest = line.get(number.len..).filter(|_| fits)?;
    let end = rest.find(['.', ':', '—', '–']).filter(|end| *end > 0)?;
    let (title, after) = (rest.get(..end)?, rest.get(end..)?);
    let after = after.trim_start_matches(['.', ':', '—', '–']);
    let begins = after.trim_start().chars().next().map_or(goes_on, |c| c.is_uppercase() || matches!(c, '(' | '“' | '"'));
    let spaced = after.is_empty() || after.starts_with(char::is_whitespace);
    let mut words = title.split_whitespace();
    let capital = |word: &str| word.starts_with(|c: char| c.is_uppercase() || !c.is_alphabetic());
    let named = title.starts_with(char::is_uppercase)
        && words.clone().count() <= WORDS
        && words.all(|w| capital(w) || w.chars().count() < SMALL)
        && has_letters(title, 4);
    (begins && spaced && named).then(|| line.get(..number.len + end)).flatten()
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn titles_end_where_the_text_begins() {
        let read = |line| title(line, true);
        assert_eq!(read("2.1 Annual Meetings. The annual meeting of the members"), Some("2.1 Annual Meetings"));
        assert_eq!(read("Section 3.02 Duties of the Board. (a) The board"), Some("Section 3.02 Duties of the Board"));
        assert_eq!(read("§ 12 Fees: All fees are due"), Some("§ 12 Fees"));
        assert_eq!(read("2.1 The annual meeting is held in June. It is open."), None);
        assert_eq!(read("3. Boats. The boats of the north"), None);
        assert_eq!(read("2.1 Boats of the north are built of oak and"), None);
        assert_eq!(read("4.5 Inc.com and others"), None);
    }
}
