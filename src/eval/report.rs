//! The table at the end of a run.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use super::dataset::Question;
use super::run::Sample;
use crate::agent::{CitationStatus, Outcome};

/// More distinct cited pages than this make no hit, so that citing everything does not pay.
const MOST_CITED_PAGES: usize = 3;

/// Counts and means over the samples of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// Questions in the file (or up to the limit).
    pub questions: usize,
    /// Samples by outcome.
    pub outcomes: BTreeMap<&'static str, usize>,
    /// Citations in all, and verified ones.
    pub citations: (usize, usize),
    /// Questions with evidence pages, and those of them where a cited page is one (of at most three cited).
    pub cited_hits: (usize, usize),
    /// Pages read a question, mean.
    pub pages_read: f64,
    /// Tool calls a question, mean.
    pub tool_calls: f64,
    /// Wall time of a question in milliseconds, median.
    pub median_ms: u64,
    /// Tokens read and written, in all.
    pub tokens: (u64, u64),
}

impl Summary {
    /// Sums up samples; `questions` are those that were to be answered.
    pub fn of(samples: &[Sample], questions: &[Question]) -> Self {
        let mut summary = Self { questions: questions.len(), ..Self::default() };
        let by_id: HashMap<&str, &Question> = questions.iter().map(|question| (question.id.as_str(), question)).collect();
        let mut times: Vec<u64> = Vec::with_capacity(samples.len());
        let (mut pages, mut calls) = (0, 0);
        for sample in samples {
            *summary.outcomes.entry(outcome_name(sample.outcome)).or_default() += 1;
            summary.citations.0 += sample.citations.len();
            summary.citations.1 += sample.citations.iter().filter(|citation| citation.status == CitationStatus::Verified).count();
            if let Some(question) = by_id.get(sample.id.as_str()).filter(|question| !question.evidence_pages.is_empty()) {
                summary.cited_hits.0 += 1;
                summary.cited_hits.1 += usize::from(is_hit(sample, question));
            }
            pages += sample.pages_read.len();
            calls += sample.tool_calls.len();
            summary.tokens.0 += sample.usage.input_tokens;
            summary.tokens.1 += sample.usage.output_tokens;
            times.push(sample.elapsed_ms);
        }
        times.sort_unstable();
        summary.median_ms = times.get(times.len() / 2).copied().unwrap_or(0);
        summary.pages_read = mean(pages, samples.len());
        summary.tool_calls = mean(calls, samples.len());
        summary
    }

    /// Whether every question has a finished sample.
    pub fn is_complete(&self) -> bool {
        let finished = ["answered", "not_found"].iter().filter_map(|name| self.outcomes.get(name)).sum::<usize>();
        finished == self.questions
    }
}

fn is_hit(sample: &Sample, question: &Question) -> bool {
    let mut pages: Vec<u32> =
        sample.citations.iter().filter(|citation| citation.doc == question.doc).map(|citation| citation.page).collect();
    pages.sort_unstable();
    pages.dedup();
    pages.len() <= MOST_CITED_PAGES
        && pages.iter().any(|page| question.evidence_pages.contains(page) || question.also_acceptable_pages.contains(page))
}

fn mean(sum: usize, n: usize) -> f64 {
    if n == 0 { 0.0 } else { sum as f64 / n as f64 }
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Answered => "answered",
        Outcome::NotFound => "not_found",
        Outcome::Limit => "limit",
        Outcome::Interrupted => "interrupted",
        Outcome::Error => "error",
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:22} {}", "questions", self.questions)?;
        for (name, count) in &self.outcomes {
            writeln!(f, "{name:22} {count}")?;
        }
        writeln!(f, "{:22} {} of {}", "citations verified", self.citations.1, self.citations.0)?;
        if self.cited_hits.0 > 0 {
            writeln!(f, "{:22} {} of {}", "evidence page cited", self.cited_hits.1, self.cited_hits.0)?;
        }
        writeln!(f, "{:22} {:.1}", "pages read (mean)", self.pages_read)?;
        writeln!(f, "{:22} {:.1}", "tool calls (mean)", self.tool_calls)?;
        writeln!(f, "{:22} {} ms", "time (median)", self.median_ms)?;
        write!(f, "{:22} {} in, {} out", "tokens", self.tokens.0, self.tokens.1)
    }
}
