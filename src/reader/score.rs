//! How well a passage answers.

use std::collections::{HashMap, HashSet};

use super::passages::{Form, Passage, count_figures};
use super::question::Question;
use crate::search::RankedPage;
use crate::search::analysis::{Alternative, Analyzer, Language, Query};

/// What a word of the heading or the column heads counts for, beside one of the passage itself.
const AROUND: f64 = 0.5;
/// Bonus for all neighbouring words of the question standing side by side.
const SIDE_BY_SIDE: f64 = 0.25;
/// Factor for a passage without the figure that was asked for, and for one with it.
const FIGURE: (f64, f64) = (0.6, 1.15);
/// Share of a passage's score that does not depend on how its page was ranked.
const OWN_SHARE: f64 = 0.6;
/// Factor for a row none of whose label was asked for, and what is added when all of it was.
const LABEL: (f64, f64) = (0.7, 0.7);
/// Factor for a sentence that begins with what is asked.
const LEADS: f64 = 1.15;
/// Factor for a passage with two figures, where a comparison is asked for.
const TWO_FIGURES: f64 = 1.15;
/// Factor for lines of a contents page.
const CONTENTS: f64 = 0.3;
/// Words a sentence may have before its length counts against it.
const LONG: usize = 45;

/// A passage with what it got.
#[derive(Debug)]
pub(super) struct Scored {
    pub(super) passage: Passage,
    /// Only comparable within one question.
    pub(super) score: f64,
    /// Share of the question, by weight, that stands in the passage or around it; 0 to 1.
    pub(super) coverage: f64,
}

struct Words {
    order: Vec<u32>,
    set: HashSet<u32>,
}

/// Scores all passages, best first; and how many concepts the question has.
pub(super) fn score(question: &Question, passages: Vec<Passage>, ranked: &[RankedPage]) -> (Vec<Scored>, usize) {
    let language = Language::guess(passages.iter().take(200).map(|passage| passage.text.as_str()));
    let query = question.query(language);
    let mut analyzer = Analyzer::new(language);
    let mut words = |text: &str| {
        let order: Vec<u32> = analyzer.terms(text).into_iter().map(|term| term.hash).collect();
        let set = order.iter().copied().collect();
        Words { order, set }
    };
    let read: Vec<(Words, Words)> = passages
        .iter()
        .map(|passage| (words(&passage.text), words(&format!("{} {}", passage.heading, passage.heads.join(" ")))))
        .collect();
    let weights = weights(&query, &read);
    let mut analyzer_of_labels = Analyzer::new(language);
    let total: f64 = weights.iter().sum();
    for (concept, weight) in query.concepts.iter().zip(&weights) {
        tracing::trace!(target: "pagewise::content", stems = ?concept.alternatives.iter().map(|other| other.stems.join(" ")).collect::<Vec<_>>(), weight, "a concept of the question");
    }
    let best_page = ranked.first().map_or(1.0, |page| page.score).max(f64::MIN_POSITIVE);
    let page_scores: HashMap<(&str, u32), f64> =
        ranked.iter().map(|page| ((page.name.as_str(), page.page), page.score / best_page)).collect();

    let mut scored: Vec<Scored> = passages
        .into_iter()
        .zip(&read)
        .map(|(passage, (own, around))| {
            let page = page_scores.get(&(passage.doc.as_str(), passage.page)).copied().unwrap_or(0.0);
            let matched: f64 = query.concepts.iter().zip(&weights).map(|(c, w)| w * matched(&c.alternatives, own, around)).sum();
            let coverage = if total > 0.0 { matched / total } else { 0.0 };
            let shape =
                shape_factor(question, &passage, own.order.len()) * subject_factor(&query, &passage, own, &mut analyzer_of_labels);
            let score = (coverage + SIDE_BY_SIDE * side_by_side(&query, own)) * shape * (OWN_SHARE + (1.0 - OWN_SHARE) * page);
            tracing::trace!(target: "pagewise::content", page = passage.page, score, coverage, text = passage.text, "a passage");
            Scored { passage, score, coverage }
        })
        .collect();
    scored.sort_by(|a, b| b.score.total_cmp(&a.score));
    (scored, query.concepts.iter().filter(|concept| !concept.phrase).count())
}

/// Weight of each concept: its own, times how rare it is among the passages.
fn weights(query: &Query, read: &[(Words, Words)]) -> Vec<f64> {
    let n = read.len() as f64;
    query
        .concepts
        .iter()
        .map(|concept| {
            let with = read.iter().filter(|(own, around)| matched(&concept.alternatives, own, around) > 0.0).count() as f64;
            let rarity = (1.0 + (n - with + 0.5) / (with + 0.5)).ln();
            // Rarity is damped: the pages were chosen by these very words, so none is as common here as in the document.
            concept.weight * rarity.sqrt()
        })
        .collect()
}

fn matched(alternatives: &[Alternative], own: &Words, around: &Words) -> f64 {
    let best = |words: &Words| {
        alternatives.iter().filter(|other| stands(&other.hashes, words)).map(|other| other.weight).fold(0.0, f64::max)
    };
    let here = best(own);
    if here >= 1.0 { here } else { here.max(AROUND * best(around)) }
}

/// Whether the words stand there, several of them side by side.
fn stands(hashes: &[u32], words: &Words) -> bool {
    match hashes {
        [] => false,
        [only] => words.set.contains(only),
        phrase => words.order.windows(phrase.len()).any(|window| window == phrase),
    }
}

/// Share of the neighbouring words of the question that are neighbours here too.
fn side_by_side(query: &Query, own: &Words) -> f64 {
    let singles: Vec<_> = query.concepts.iter().filter(|concept| !concept.phrase).collect();
    let (mut pairs, mut kept) = (0, 0);
    for pair in singles.windows(2) {
        let [first, second] = pair else { continue };
        if second.place != first.place + 1 {
            continue;
        }
        pairs += 1;
        let heads = |alternatives: &[Alternative]| -> HashSet<u32> {
            alternatives.iter().filter_map(|other| other.hashes.first().copied()).collect()
        };
        let (a, b) = (heads(&first.alternatives), heads(&second.alternatives));
        kept += usize::from(own.order.windows(2).any(|two| matches!(two, [x, y] if a.contains(x) && b.contains(y))));
    }
    if pairs == 0 { 0.0 } else { f64::from(kept as u32) / f64::from(pairs) }
}

/// What speaks for a passage that is about what is asked, and not only mentions it: a row whose whole label stands in the question, a
/// sentence that begins with it.
fn subject_factor(query: &Query, passage: &Passage, own: &Words, analyzer: &mut Analyzer) -> f64 {
    let asked =
        |hash: &u32| query.concepts.iter().any(|concept| concept.alternatives.iter().any(|other| other.hashes.contains(hash)));
    match passage.form {
        Form::Row => {
            let label = analyzer.terms(passage.cells.first().map_or("", String::as_str));
            let kept = label.iter().filter(|term| asked(&term.hash)).count();
            LABEL.0 + LABEL.1 * kept as f64 / label.len().max(1) as f64
        }
        Form::Sentence if own.order.iter().take(2).any(asked) => LEADS,
        Form::Sentence => 1.0,
    }
}

/// What speaks for or against a passage apart from its words.
fn shape_factor(question: &Question, passage: &Passage, words: usize) -> f64 {
    let mut factor = 1.0;
    let figure = passage.form == Form::Row || count_figures(&passage.text) > 0;
    if question.wants_figure {
        factor *= if figure { FIGURE.1 } else { FIGURE.0 };
    }
    if question.wants_comparison && (passage.cells.len() > 2 || count_figures(&passage.text) >= 2) {
        factor *= TWO_FIGURES;
    }
    if question.wants_definition {
        let defines = [" is ", " are ", " means ", " refers to ", " defined as "].iter().any(|verb| passage.text.contains(verb));
        factor *= if defines { 1.2 } else { 0.85 };
    }
    if passage.text.contains("....") || passage.text.contains(". . .") {
        factor *= CONTENTS;
    }
    // A heading by itself says where something stands, not what it is.
    if passage.form == Form::Sentence && words <= 3 {
        factor *= 0.5;
    }
    // Titles of tables and figures say what stands below them.
    if ["Table ", "Figure ", "Exhibit ", "Panel "].iter().any(|word| passage.text.starts_with(word)) && words <= 20 {
        factor *= 0.6;
    }
    if passage.text.ends_with('?') {
        factor *= 0.5;
    }
    if words > LONG { factor * (LONG as f64 / words as f64).sqrt() } else { factor }
}
