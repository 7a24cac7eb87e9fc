//! Figures of sentences that cite nothing: each must stand on some page that was read, in the question, or follow from figures that do.

use std::ops::Range;

use super::check::{Answer, Checker, PreparedPage};
use super::claims::{Passage, sentence_starts};
use super::computed;
use super::figures::{Date, Figure, Unit};
use super::fold::fold;
use super::lex::{Kind, Lexed};
use super::needs::{Need, needs};
use super::words;
use crate::agent::types::Unsupported;

/// A bare number up to this one is most often a count of the answer's own ("3 reasons", "2 of the 5 segments").
const OWN_COUNT: u128 = 12;
/// Figures before a computed one that it may come from, the nearest first; with more, something always equals something.
const INPUTS: usize = 6;
/// Characters of a sentence that are kept.
const SENTENCE: usize = 200;

/// The figures that stand nowhere. `asked` is what the user said, whose figures an answer may repeat.
pub(super) fn unsupported(passage: &Passage, checker: &Checker<'_>, asked: &str) -> Vec<Unsupported> {
    let answer = Answer::of(passage);
    let style = answer.style;
    let given = PreparedPage::of_answer(asked, style);
    let mut out: Vec<Unsupported> = Vec::new();
    let mut good: Vec<Need> = Vec::new();
    let starts = sentence_starts(&passage.plain);
    let ends = starts.iter().skip(1).copied().chain([passage.plain.len()]);
    for sentence in starts.iter().copied().zip(ends).map(|(from, to)| from..to) {
        let text = passage.plain.get(sentence.clone()).unwrap_or_default();
        let whole = Lexed::new(&fold(text), style);
        let open = uncited_parts(passage, &sentence);
        for part in claimed_parts(&sentence, &open) {
            let lexed = Lexed::new(&fold(passage.plain.get(part).unwrap_or_default()), style);
            let context = Checker::context(&answer, &lexed);
            let figures = needs(&lexed).into_iter().filter(|n| matches!(n, Need::Figure(_)));
            good.extend(figures.filter(|n| checker.stands_anywhere(n, &context)));
        }
        if text.trim_end().trim_end_matches(['*', '_', ')', '"']).ends_with(['?', '？']) {
            continue;
        }
        for part in open {
            let lexed = Lexed::new(&fold(passage.plain.get(part).unwrap_or_default()), style);
            let context = Checker::context(&answer, &lexed);
            for need in needs(&lexed).into_iter().filter(|n| counts(n, &lexed)) {
                let from: Vec<&Need> = good.iter().rev().take(INPUTS).collect();
                let stands = checker.stands_anywhere(&need, &context)
                    || given.holds(&need, &context)
                    || computed::all_follow(&[&need], &from, &whole);
                if stands {
                    good.push(need);
                } else if let Some(figure) = written(&need, &lexed) {
                    let found = Unsupported { figure, sentence: shortened(text) };
                    if !out.contains(&found) {
                        out.push(found);
                    }
                }
            }
        }
    }
    out
}

/// The parts of a sentence that no citation stands for.
fn uncited_parts(passage: &Passage, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = sentence.start;
    let claims = passage.groups.iter().flat_map(|g| [&g.claim, &g.after]);
    let mut covered: Vec<&Range<usize>> = claims.filter(|c| !c.is_empty() && c.end > sentence.start && c.start < sentence.end).collect();
    covered.sort_by_key(|c| c.start);
    for claim in covered {
        if claim.start > at {
            out.push(at..claim.start);
        }
        at = at.max(claim.end);
    }
    if at < sentence.end {
        out.push(at..sentence.end);
    }
    out
}

fn claimed_parts(sentence: &Range<usize>, open: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = sentence.start;
    for part in open {
        if part.start > at {
            out.push(at..part.start);
        }
        at = part.end;
    }
    if at < sentence.end {
        out.push(at..sentence.end);
    }
    out
}

/// Whether a need is a figure of the document: no small count, no number of pages, no name.
fn counts(need: &Need, lexed: &Lexed) -> bool {
    match need {
        Need::Figure(figure) => {
            let bare = figure.unit == Unit::Plain && figure.scale.is_none() && figure.inherited.is_none() && !figure.negative;
            let small = bare && figure.value.exponent == 0 && figure.value.coefficient <= OWN_COUNT;
            let of_pages = lexed.word(figure.token + 1).is_some_and(words::is_page_word);
            !small && !of_pages
        }
        Need::Date(_) => true,
        Need::Code(_) | Need::Reference(..) => false,
    }
}

/// How the answer writes it, folded; a date by its digits.
fn written(need: &Need, lexed: &Lexed) -> Option<String> {
    match need {
        Need::Figure(figure) => Some(phrase(figure, lexed)),
        Need::Date(readings) => readings.first().map(|Date { year, month, day }| match year {
            Some(year) => format!("{year}-{month:02}-{day:02}"),
            None => format!("{month:02}-{day:02}"),
        }),
        Need::Code(_) | Need::Reference(..) => None,
    }
}

/// The number with its sign, currency, scale and percent sign.
fn phrase(figure: &Figure, lexed: &Lexed) -> String {
    let tokens = &lexed.tokens;
    let first = figure.token;
    let mut last = first + figure.parts.len().saturating_sub(1);
    let near = |a: usize, b: usize| matches!((tokens.get(a), tokens.get(b)), (Some(a), Some(b)) if b.start.saturating_sub(a.end) <= 1);
    while near(last, last + 1) {
        match tokens.get(last + 1).map(|t| &t.kind) {
            Some(Kind::Percent | Kind::Currency('€')) => last += 1,
            Some(Kind::Word(w)) if words::scale_of(w).is_some() => last += 1,
            _ => break,
        }
    }
    let money = first.checked_sub(1).filter(|&b| near(b, first) && matches!(tokens.get(b).map(|t| &t.kind), Some(Kind::Currency(_))));
    let start = tokens.get(money.unwrap_or(first)).map_or(0, |t| t.start);
    let end = tokens.get(last).map_or(start, |t| t.end);
    let text: String = lexed.between(start, end).iter().collect();
    if figure.negative { format!("-{text}") } else { text }
}

fn shortened(sentence: &str) -> String {
    let line = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SENTENCE) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}
