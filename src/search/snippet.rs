//! A line or two of a page around the words of a question.

use std::collections::HashMap;

use super::analysis::{Analyzer, Language, Query, Term};

/// Longest snippet, in characters.
const SNIPPET_CHARS: usize = 220;
/// How many words of a page are looked at together.
const WINDOW_WORDS: usize = 24;
/// Bytes of a page that are read for a snippet.
const PAGE_BYTES: usize = 200_000;

/// The place of the text where most of the question stands, on one line, with `…` where it was cut. The beginning of the text where
/// nothing matches.
pub fn snippet(text: &str, query: &Query, language: Language) -> String {
    let mut cut = text.len().min(PAGE_BYTES);
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    let text = text.get(..cut).unwrap_or_default();
    let terms = Analyzer::new(language).terms(text);
    let (start, end) = best_window(&terms, query).unwrap_or((0, 0));
    around(text, start, end)
}

/// Byte range of the words that hold most concepts of the query in little space.
fn best_window(terms: &[Term], query: &Query) -> Option<(usize, usize)> {
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
    let mut best: Option<(f64, usize, usize)> = None;
    let mut held = vec![0.0_f64; query.concepts.len()];
    for (at, first) in terms.iter().enumerate() {
        if !wanted.contains_key(&first.hash) {
            continue;
        }
        held.fill(0.0);
        let mut end = first.end;
        for term in terms.iter().skip(at).take(WINDOW_WORDS) {
            let Some((concept, weight)) = wanted.get(&term.hash).copied() else { continue };
            if let Some(known) = held.get_mut(concept).filter(|known| **known < weight) {
                *known = weight;
                end = term.end;
            }
        }
        let score: f64 = held.iter().sum();
        if best.is_none_or(|(known, ..)| score > known) {
            best = Some((score, first.start, end));
        }
    }
    best.map(|(_, start, end)| (start, end))
}

/// The range widened to about the length of a snippet, at word borders, white space folded.
fn around(text: &str, start: usize, end: usize) -> String {
    let spare = SNIPPET_CHARS.saturating_sub(end.saturating_sub(start));
    let mut from = start.saturating_sub(spare / 3);
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    if from > 0 {
        let before = text.get(from..start).unwrap_or_default();
        from += before.find(char::is_whitespace).unwrap_or(before.len());
    }
    let mut line = String::new();
    let mut chars = 0;
    let mut whole = true;
    for word in text.get(from..).unwrap_or_default().split_whitespace() {
        let length = word.chars().count() + 1;
        if chars + length > SNIPPET_CHARS {
            // One word longer than a snippet is cut inside.
            if line.is_empty() {
                line = word.chars().take(SNIPPET_CHARS).collect();
            }
            whole = false;
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
        chars += length;
    }
    let (head, tail) = (if from > 0 { "… " } else { "" }, if whole { "" } else { " …" });
    format!("{head}{line}{tail}")
}
