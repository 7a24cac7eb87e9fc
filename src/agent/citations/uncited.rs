//! Figures of sentences that cite nothing: each must stand on some page that was read, in the question, or follow from figures that do.

use std::ops::Range;

use super::agree::ClaimContext;
use super::check::{Answer, Checker, LONGEST_SENTENCE, PreparedPage};
use super::claims::{Passage, sentence_starts};
use super::computed;
use super::figures::{Date, Figure, Unit};
use super::fold::fold;
use super::lex::{Kind, Lexed};
use super::needs::{Need, needs};
use super::words;
use crate::agent::types::Unsupported;

/// A bare number up to this one is most often a count of the answer's own ("3 reasons", "2 of the 5 segments").
const OWN_COUNT: u128 = 9;
/// Figures before a computed one that it may come from, the nearest first; with more, something always equals something.
const INPUTS: usize = 6;
/// Figures that are looked for. An answer with more of them is no answer that anybody reads.
const MOST: usize = 2_000;
/// Characters of a sentence that are kept.
const SENTENCE: usize = 200;

/// The figures that stand nowhere. `asked` is what the user said, whose figures an answer may repeat.
pub(super) fn unsupported(passage: &Passage, checker: &Checker<'_>, asked: &str) -> Vec<Unsupported> {
    let answer = Answer::of(passage);
    let style = answer.style;
    let given = PreparedPage::of_answer(asked, style);
    let mut out: Vec<Unsupported> = Vec::new();
    let mut inputs = Inputs { checker, all: Vec::new() };
    let starts = sentence_starts(&passage.plain);
    let ends = starts.iter().skip(1).copied().chain([passage.plain.len()]);
    let claims = claims_in_order(passage);
    let mut left = MOST;
    for sentence in starts.iter().copied().zip(ends).map(|(from, to)| from..to) {
        let text = passage.plain.get(sentence.clone()).unwrap_or_default();
        let whole = Lexed::new(&fold(text), style);
        let open = uncited_parts(&claims, &sentence);
        for part in claimed_parts(&sentence, &open) {
            let lexed = Lexed::new(&fold(passage.plain.get(part).unwrap_or_default()), style);
            let context = Checker::context(&answer, &lexed);
            inputs.all.extend(needs(&lexed).into_iter().map(|n| (n, Some(context.clone()))));
        }
        if text.trim_end().trim_end_matches(['*', '_', ')', '"']).ends_with(['?', '？']) {
            continue;
        }
        for part in open {
            let lexed = Lexed::new(&fold(passage.plain.get(part).unwrap_or_default()), style);
            let context = Checker::context(&answer, &lexed);
            for need in needs(&lexed).into_iter().filter(|n| counts(n, &lexed)).take(left) {
                left -= 1;
                let stands = checker.stands_anywhere(&need, &context)
                    || given.holds(&need, &context)
                    || (text.len() <= LONGEST_SENTENCE
                        && computed::speaks_of_it(&whole)
                        && computed::all_follow(&[&need], &inputs.nearest(), &whole));
                if stands {
                    inputs.all.push((need, None));
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

/// The figures so far that a computed one may come from, with what their claims say until it is known that they stand.
struct Inputs<'c> {
    checker: &'c Checker<'c>,
    all: Vec<(Need, Option<ClaimContext>)>,
}

impl Inputs<'_> {
    /// The last few of them that stand on a page.
    fn nearest(&mut self) -> Vec<&Need> {
        let mut kept = 0;
        let mut at = self.all.len();
        while at > 0 && kept < INPUTS {
            at -= 1;
            let Some((need, context)) = self.all.get_mut(at) else { break };
            let stands = matches!(need, Need::Figure(_)) && context.as_ref().is_none_or(|c| self.checker.stands_anywhere(need, c));
            if stands {
                *context = None;
                kept += 1;
            } else {
                self.all.remove(at);
            }
        }
        self.all.iter().skip(at).map(|(need, _)| need).collect()
    }
}

/// What citations stand for, by place.
fn claims_in_order(passage: &Passage) -> Vec<Range<usize>> {
    let mut claims: Vec<Range<usize>> = passage.groups.iter().flat_map(|g| [g.claim.clone(), g.after.clone()]).collect();
    claims.retain(|c| !c.is_empty());
    claims.sort_by_key(|c| c.start);
    claims
}

/// The parts of a sentence that no citation stands for. Claims do not overlap, so that the order of their ends is that of their starts.
fn uncited_parts(claims: &[Range<usize>], sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = sentence.start;
    let first = claims.partition_point(|c| c.end <= sentence.start);
    for claim in claims.iter().skip(first).take_while(|c| c.start < sentence.end) {
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
    let near =
        |a: usize, b: usize| matches!((tokens.get(a), tokens.get(b)), (Some(a), Some(b)) if b.start.saturating_sub(a.end) <= 1);
    while near(last, last + 1) {
        match tokens.get(last + 1).map(|t| &t.kind) {
            Some(Kind::Percent | Kind::Currency('€')) => last += 1,
            Some(Kind::Word(w)) if words::scale_of(w).is_some() => last += 1,
            _ => break,
        }
    }
    let money =
        first.checked_sub(1).filter(|&b| near(b, first) && matches!(tokens.get(b).map(|t| &t.kind), Some(Kind::Currency(_))));
    let start = tokens.get(money.unwrap_or(first)).map_or(0, |t| t.start);
    let end = tokens.get(last).map_or(start, |t| t.end);
    let text: String = lexed.between(start, end).iter().collect();
    if figure.negative { format!("-{text}") } else { text }
}

fn shortened(sentence: &str) -> String {
    let head: String = sentence.trim_start().chars().take(2 * SENTENCE).collect();
    let line = head.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SENTENCE) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}
