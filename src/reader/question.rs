//! What is asked.

use std::collections::HashSet;

use crate::model::HistoryItem;
use crate::search::analysis::{Analyzer, Language, Query};

/// Up to this many words a question can lean on the one before it ("And net income?").
const SHORT_QUESTION: usize = 6;
/// What a question that leans on the one before begins with, or holds, in lower case.
const LEANS: [&str; 16] = [
    "and ",
    "what about ",
    "how about ",
    "also ",
    "why",
    "then ",
    "or ",
    "und ",
    "et ",
    "y ",
    " it",
    " that",
    " this",
    " they",
    " those",
    " same",
];
/// What the words of the question before count for, beside the question's own.
const BEFORE_WEIGHT: f64 = 0.4;

/// What words of comparison and time count for, beside those that name what is asked about: they stand on nearly every page of a report.
const FRAME_WEIGHT: f64 = 0.35;
/// Words of comparison and time.
const FRAME_WORDS: &str = "compare compared comparison versus prior previous preceding earlier before after year years quarter quarters fiscal period annual \
    change changed growth increase increased decrease decreased decline respectively current last same during report reported document according";

/// The present question.
#[derive(Debug, Default)]
pub(super) struct Question {
    /// The words to rank pages by.
    pub(super) search: String,
    /// The same without words of comparison and time; empty when nothing would be left out, or nothing left.
    pub(super) core: String,
    /// The question's own words.
    pub(super) own: String,
    /// The question before, where this one leans on it.
    before: Option<String>,
    /// Whether a figure is asked for.
    pub(super) wants_figure: bool,
    /// Whether a definition is asked for.
    pub(super) wants_definition: bool,
    /// Whether two things are compared.
    pub(super) wants_comparison: bool,
}

/// Words that ask for a figure, as they stand in a question in lower case.
const FIGURE_WORDS: [&str; 30] = [
    "how much",
    "how many",
    "amount",
    "revenue",
    "revenues",
    "sales",
    "income",
    "profit",
    "loss",
    "percentage",
    "percent",
    "rate",
    "ratio",
    "margin",
    "total",
    "cost",
    "costs",
    "price",
    "number of",
    "value",
    "eps",
    "earnings",
    "cash",
    "assets",
    "debt",
    "wie viel",
    "wie viele",
    "combien",
    "cuánto",
    "cuántos",
];
/// Beginnings of questions that ask what something is.
const DEFINITION_WORDS: [&str; 6] = ["what is a ", "what is an ", "what does ", "define ", "how is ", "what is meant by "];

impl Question {
    /// The last thing the user said that is a question. What the runtime says in the user's place (asking again) has the same place in
    /// the history; a question that is repeated below tool results is still the same question.
    pub(super) fn of(history: &[HistoryItem]) -> Self {
        let mut asked = history.iter().rev().filter_map(|item| match item {
            HistoryItem::User { text } => Some(text.trim()),
            _ => None,
        });
        let own = asked.next().unwrap_or_default().to_owned();
        let short = own.split_whitespace().count() <= SHORT_QUESTION;
        let spoken = own.to_lowercase();
        let leans = LEANS
            .iter()
            .any(|words| if words.starts_with(' ') { has_words(&spoken, words.trim()) } else { spoken.starts_with(words) });
        let before = asked.next().filter(|_| short && leans).map(str::to_owned);
        let search = match &before {
            Some(before) => format!("{own} {before}"),
            None => own.clone(),
        };
        let core = core_of(&search);
        let lower = format!("{} ", own.to_lowercase());
        let wants_definition = DEFINITION_WORDS.iter().any(|words| lower.starts_with(words));
        let wants_figure = !wants_definition && FIGURE_WORDS.iter().any(|words| has_words(&lower, words));
        let wants_comparison = ["compar", "versus", " vs", "year before", "prior", "change", "differ", "from "]
            .iter()
            .any(|words| lower.contains(words));
        Self { search, core, own, before, wants_figure, wants_definition, wants_comparison }
    }

    /// The question as concepts for texts of this language.
    pub(super) fn query(&self, language: Language) -> Query {
        let languages = if language == Language::English { vec![language] } else { vec![language, Language::English] };
        let mut query = Query::new(&self.own, &languages);
        if let Some(before) = &self.before {
            add(&mut query, Query::new(before, &languages), BEFORE_WEIGHT);
        }
        let frame: HashSet<u32> = Analyzer::new(language).terms(FRAME_WORDS).into_iter().map(|term| term.hash).collect();
        for concept in &mut query.concepts {
            let own = concept.alternatives.first().map(|own| own.hashes.as_slice()).unwrap_or_default();
            if !own.is_empty() && own.iter().all(|hash| frame.contains(hash)) {
                concept.weight *= FRAME_WEIGHT;
            }
        }
        query
    }
}

/// The question without its words of comparison and time.
fn core_of(text: &str) -> String {
    let frame: HashSet<&str> = FRAME_WORDS.split_whitespace().collect();
    let kept: Vec<&str> = text
        .split_whitespace()
        .filter(|word| {
            let plain = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            !plain.split('-').any(|part| frame.contains(part))
        })
        .collect();
    if kept.len() < 2 || kept.len() == text.split_whitespace().count() { String::new() } else { kept.join(" ") }
}

/// Adds the concepts that the query does not have yet.
fn add(query: &mut Query, more: Query, weight: f64) {
    for mut concept in more.concepts {
        concept.weight *= weight;
        if !query.concepts.iter().any(|own| own.alternatives.first() == concept.alternatives.first()) {
            query.concepts.push(concept);
        }
    }
}

fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, found)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}
