//! A line or two of a page around the words of a question.

use std::collections::HashMap;
use std::ops::Range;

use super::analysis::{Analyzer, Language, Query, Term};

/// Longest snippet, in characters.
const SNIPPET_CHARS: usize = 220;
/// How many of them may stand before the first word that was found.
const BEFORE_CHARS: usize = 70;
/// A word at the edge is left out whole if it begins within so many characters of it; longer ones are cut.
const EDGE_CHARS: usize = 24;
/// How many words of a page are looked at together.
const WINDOW_WORDS: usize = 24;
/// Bytes of a page that are read for a snippet.
const PAGE_BYTES: usize = 200_000;

/// A place of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snippet {
    /// On one line, white space folded, with `…` where the text goes on.
    pub text: String,
    /// The words that were found, as byte ranges of `text`, in order, apart from each other.
    pub found: Vec<Range<usize>>,
    /// Where the first of them stands in the page, in bytes; 0 where none is.
    pub at: usize,
}

/// The place of the text where most of the question stands. The beginning of the text where nothing matches.
pub fn snippet(text: &str, query: &Query, language: Language) -> Snippet {
    let mut cut = text.len().min(PAGE_BYTES);
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    let text = text.get(..cut).unwrap_or_default();
    let terms = Analyzer::new(language).terms(text);
    let wanted = wanted(query);
    let at = best_place(&terms, query, &wanted).unwrap_or(0);
    let found: Vec<Range<usize>> =
        terms.iter().filter(|term| wanted.contains_key(&term.hash)).map(|term| term.start..term.end).collect();
    around(text, at, &found)
}

/// Each hash that is looked for, with its concept and what it counts.
fn wanted(query: &Query) -> HashMap<u32, (usize, f64)> {
    let mut wanted: HashMap<u32, (usize, f64)> = HashMap::new();
    for (at, concept) in query.concepts.iter().enumerate() {
        for alternative in &concept.alternatives {
            for hash in &alternative.hashes {
                let weight = concept.weight * alternative.weight / alternative.hashes.len() as f64;
                let known = wanted.entry(*hash).or_insert((at, 0.0));
                if weight > known.1 {
                    *known = (at, weight);
                }
            }
        }
    }
    wanted
}

/// The first byte of the words that hold most concepts of the query in little space.
fn best_place(terms: &[Term], query: &Query, wanted: &HashMap<u32, (usize, f64)>) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    let mut held = vec![0.0_f64; query.concepts.len()];
    for (at, first) in terms.iter().enumerate() {
        if !wanted.contains_key(&first.hash) {
            continue;
        }
        held.fill(0.0);
        for term in terms.iter().skip(at).take(WINDOW_WORDS) {
            let Some((concept, weight)) = wanted.get(&term.hash).copied() else { continue };
            if let Some(known) = held.get_mut(concept) {
                *known = known.max(weight);
            }
        }
        let score: f64 = held.iter().sum();
        if best.is_none_or(|(known, _)| score > known) {
            best = Some((score, first.start));
        }
    }
    best.map(|(_, start)| start)
}

/// The text from a little before `at` on, to the length of a snippet, at word borders where there are some.
fn around(text: &str, at: usize, found: &[Range<usize>]) -> Snippet {
    let from = beginning(text, at);
    let mut snippet = Snippet { at, ..Snippet::default() };
    if from > 0 {
        snippet.text.push_str("… ");
    }
    let mut chars = 0;
    let mut space = true;
    // Where the last word ended, in characters and in bytes of the snippet.
    let mut border = (0, snippet.text.len());
    let mut rest = found.iter().skip_while(|range| range.start < from).peekable();
    let mut open: Option<(usize, usize)> = None;
    let mut whole = true;
    for (offset, c) in text.get(from..).unwrap_or_default().char_indices() {
        let source = from + offset;
        if open.is_some_and(|(_, until)| source >= until) {
            close(&mut snippet, &mut open);
        }
        if chars >= SNIPPET_CHARS {
            whole = false;
            break;
        }
        while let Some(range) = rest.next_if(|range| range.start <= source) {
            let began = open.map_or(snippet.text.len(), |(began, _)| began);
            open = Some((began, open.map_or(range.end, |(_, until)| until.max(range.end))));
        }
        if c.is_whitespace() {
            if !space {
                border = (chars, snippet.text.len());
                snippet.text.push(' ');
                chars += 1;
            }
            space = true;
        } else {
            snippet.text.push(c);
            chars += 1;
            space = false;
        }
    }
    close(&mut snippet, &mut open);
    if whole {
        snippet.text.truncate(snippet.text.trim_end().len());
    } else {
        let cut = if SNIPPET_CHARS - border.0 <= EDGE_CHARS { border.1 } else { snippet.text.len() };
        snippet.text.truncate(cut);
        snippet.text.push_str(" …");
        snippet.found.iter_mut().for_each(|range| range.end = range.end.min(cut));
        snippet.found.retain(|range| range.start < range.end);
    }
    snippet
}

/// Ends the range of found words that is open, without white space behind it.
fn close(snippet: &mut Snippet, open: &mut Option<(usize, usize)>) {
    if let Some((began, _)) = open.take() {
        let end = snippet.text.trim_end().len();
        if began < end {
            snippet.found.push(began..end);
        }
    }
}

/// Where the snippet begins: some characters before `at`, behind a space where there is one.
fn beginning(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let Some((start, _)) = before.char_indices().rev().take(BEFORE_CHARS).last() else { return at };
    if start == 0 {
        return 0;
    }
    let passed = text.get(start..at).unwrap_or_default();
    let edge = passed.char_indices().take(EDGE_CHARS).find(|(_, c)| c.is_whitespace());
    edge.map_or(start, |(offset, c)| start + offset + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, query: &str) -> (String, Vec<String>) {
        let found = snippet(text, &Query::new(query, &[Language::English]), Language::English);
        let marked = found.found.iter().map(|range| found.text[range.clone()].to_owned()).collect();
        (found.text, marked)
    }

    #[test]
    fn it_shows_the_place_where_the_words_stand() {
        let text = format!(
            "{}The goodwill\nimpairment of the segment was large. {}",
            "Words before. ".repeat(60),
            "And after. ".repeat(60)
        );
        let (line, marked) = shown(&text, "goodwill impairments");
        assert!(line.starts_with("… ") && line.ends_with(" …") && line.contains("The goodwill impairment of"), "{line}");
        assert_eq!(marked, ["goodwill", "impairment"]);
        assert!(line.chars().count() <= SNIPPET_CHARS + 4);
        assert_eq!(shown("  short  text ", "text"), ("short text".to_owned(), vec!["text".to_owned()]));
        assert_eq!(shown("nothing here", "zebra"), ("nothing here".to_owned(), Vec::new()));
    }

    #[test]
    fn it_needs_no_spaces() {
        let text = format!("第一章 {}東京都の報告書{}", "あ".repeat(400), "い".repeat(400));
        let (line, marked) = shown(&text, "東京都");
        assert!(line.contains("東京都の報告書"), "{line}");
        assert_eq!(marked, ["東京都"]);
        let long = "x".repeat(5_000);
        assert!(shown(&format!("{long} needle {long}"), "needle").0.contains("needle"));
    }

    proptest::proptest! {
        #[test]
        fn marks_are_words_of_the_snippet(text in "[a-c東京\\n é.-]{0,600}", query in "[a-c東京 ]{1,8}") {
            let found = snippet(&text, &Query::new(&query, &[Language::English]), Language::English);
            let mut last = 0;
            for range in &found.found {
                assert!(range.start >= last && !found.text[range.clone()].trim().is_empty(), "{found:?}");
                last = range.end;
            }
            assert!(found.text.chars().count() <= SNIPPET_CHARS + 4);
        }
    }
}
