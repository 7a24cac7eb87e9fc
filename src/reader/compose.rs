//! The answer: the best passages, quoted and cited.

use super::history::Progress;
use super::passages::{Form, Passage, passages};
use super::question::Question;
use super::score::{Scored, score};
use crate::search::RankedPage;
use crate::tools::pages::compress;

/// Most passages of an answer.
const MOST: usize = 3;
/// A further passage must score at least this share of the best.
const NEAR_BEST: f64 = 0.7;
/// Below this share of the question's weight nothing on the pages is an answer: for a question of up to four concepts, and for one of
/// twelve or more, of which no passage holds as many.
const ENOUGH: (f64, f64) = (0.48, 0.26);
/// Most characters of an answer, quotes included once.
const LONGEST: usize = 1_100;

/// The answer from the pages that were read, or `None` when nothing on them answers.
pub(super) fn answer(question: &Question, progress: &Progress, ranked: &[RankedPage]) -> Option<String> {
    let all: Vec<Passage> = progress.pages.iter().flat_map(passages).collect();
    let (scored, concepts) = score(question, all, ranked);
    let best = scored.first().filter(|best| best.coverage >= enough(concepts))?.score;
    let mut chosen: Vec<&Scored> = Vec::new();
    let mut length = 0;
    for one in scored.iter().filter(|one| one.score >= best * NEAR_BEST) {
        let repeats = chosen.iter().any(|other| repeats(&other.passage, &one.passage));
        let long = length + one.passage.text.chars().count() > LONGEST && !chosen.is_empty();
        if chosen.len() < MOST && !repeats && !long {
            length += one.passage.text.chars().count();
            chosen.push(one);
        }
    }
    let lines: Vec<String> = chosen.iter().map(|one| line(&one.passage)).collect();
    Some(lines.join("\n\n"))
}

fn enough(concepts: usize) -> f64 {
    let place = (concepts.clamp(4, 12) - 4) as f64 / 8.0;
    ENOUGH.0 + (ENOUGH.1 - ENOUGH.0) * place
}

fn repeats(a: &Passage, b: &Passage) -> bool {
    let key = |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let (a, b) = (key(&a.text), key(&b.text));
    a == b || a.contains(&b) || b.contains(&a)
}

/// What is said of one passage, with its citation.
fn line(passage: &Passage) -> String {
    let said = match passage.form {
        Form::Sentence => passage.text.clone(),
        Form::Row => row(passage),
    };
    format!(
        "{said} <cite doc=\"{}\" page=\"{}\">{}</cite>",
        escape(&passage.doc).replace('"', "&quot;"),
        passage.page,
        escape(&passage.text)
    )
}

/// A row with its cells apart and the heads of its columns.
fn row(passage: &Passage) -> String {
    let (label, figures) = passage.cells.split_first().map_or(("", &[][..]), |(label, figures)| (label.as_str(), figures));
    let heads: Vec<&str> =
        passage.heads.iter().map(String::as_str).filter(|head| *head != passage.heading || passage.heads.len() == 1).collect();
    let about = if heads.is_empty() { String::new() } else { format!(" ({})", heads.join("; ")) };
    format!("{label}: {}{about}", figures.join(" | "))
}

/// A quote must not end its own tag.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What is said when nothing was found.
pub(super) fn not_found(progress: &Progress) -> String {
    let mut looked: Vec<(&str, Vec<u32>)> = Vec::new();
    for page in &progress.pages {
        match looked.iter_mut().find(|(doc, _)| *doc == page.doc) {
            Some((_, pages)) => pages.push(page.page),
            None => looked.push((&page.doc, vec![page.page])),
        }
    }
    for (_, pages) in &mut looked {
        pages.sort_unstable();
        pages.dedup();
    }
    let places: Vec<String> = looked.iter().map(|(doc, pages)| format!("{doc}, pages {}", compress(pages))).collect();
    let mut text = "<not-found/>The built-in reader found nothing in the documents that answers this.".to_owned();
    if !places.is_empty() {
        text.push_str(&format!(" It looked at {}.", places.join("; ")));
    }
    for failure in &progress.failures {
        text.push_str(&format!(" {failure}"));
    }
    text.push_str(" Other words, or a language model (--model), may find it.");
    text
}
