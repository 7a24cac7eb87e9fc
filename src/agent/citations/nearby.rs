//! What stands around a number of a page: words of its line and of the one before, and words of loss or fall directly before it.

use std::collections::HashSet;

use super::lex::{Kind, Lexed};
use super::words;

/// The words of a page by line.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    /// Line and beginning of each telling word, in order.
    stems: Vec<(usize, String)>,
    /// Line of each token.
    lines: Vec<usize>,
}

impl Lines {
    /// Reads a page.
    pub(super) fn new(lexed: &Lexed) -> Self {
        let mut lines = Vec::with_capacity(lexed.tokens.len());
        let (mut line, mut at) = (0, 0);
        for token in &lexed.tokens {
            line += lexed.between(at, token.start).iter().filter(|c| **c == '\n').count();
            at = token.start;
            lines.push(line);
        }
        let stems = (0..lexed.tokens.len()).filter_map(|i| Some((*lines.get(i)?, stem(lexed.word(i)?)?))).collect();
        Self { stems, lines }
    }

    /// Whether one of these words stands in the line of a token or the line before.
    pub(super) fn near(&self, token: usize, wanted: &HashSet<String>) -> bool {
        let Some(&line) = self.lines.get(token) else { return false };
        let from = self.stems.partition_point(|(l, _)| l + 1 < line);
        let mut around = self.stems.iter().skip(from).take_while(|(l, _)| *l <= line);
        around.any(|(_, stem)| wanted.contains(stem))
    }

    /// Whether one of these words stands anywhere.
    pub(super) fn anywhere(&self, wanted: &HashSet<String>) -> bool {
        self.stems.iter().any(|(_, stem)| wanted.contains(stem))
    }
}

/// The beginnings of the telling words of a claim.
pub(super) fn stems(lexed: &Lexed) -> HashSet<String> {
    (0..lexed.tokens.len()).filter_map(|i| stem(lexed.word(i)?)).collect()
}

/// The first five letters of a word that tells something: enough to bring "revenue" to "revenues".
pub(super) fn stem(word: &str) -> Option<String> {
    let single = word.chars().next().is_some_and(super::lex::is_single);
    let long = word.chars().count() >= 4 && word.chars().all(char::is_alphabetic);
    let tells = !words::is_small_word(word)
        && words::scale_of(word).is_none()
        && words::currency_of(word).is_none()
        && words::percent_of(word).is_none()
        && words::month_of(word).is_none()
        && words::number_word(word).is_none()
        && !words::is_page_word(word)
        && !words::is_about(word);
    ((long && tells) || single).then(|| word.chars().take(5).collect())
}

/// Tokens before a figure in which a word of loss or fall counts.
const FALL_REACH: usize = 6;

/// Whether a word of loss or fall leads up to a number: "decreased by 5 %", "a loss of $53 million", "Net loss  53  46". Between the two
/// stand only numbers, currency signs and small words.
pub(super) fn falls(lexed: &Lexed, token: usize) -> bool {
    for index in (token.saturating_sub(FALL_REACH)..token).rev() {
        let Some(before) = lexed.tokens.get(index) else { return false };
        match &before.kind {
            Kind::Word(word) if words::is_fall_word(word) => {
                // The label "income (loss)" says how losses are printed, not that this is one.
                return before.start.checked_sub(1).and_then(|b| lexed.char_at(b)) != Some('(');
            }
            Kind::Word(word) if !is_link(word) => return false,
            _ => {}
        }
    }
    false
}

fn is_link(word: &str) -> bool {
    words::is_about(word)
        || words::scale_of(word).is_some()
        || matches!(
            word,
            "by" | "of"
                | "was"
                | "were"
                | "is"
                | "the"
                | "a"
                | "an"
                | "total"
                | "totaling"
                | "us"
                | "um"
                | "von"
                | "de"
                | "del"
                | "di"
        )
        || matches!(word, "in" | "per" | "share")
}
