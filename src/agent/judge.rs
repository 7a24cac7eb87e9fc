//! Whether a text is taken as the answer, asked for again, or no answer at all.

use super::EvidenceLedger;
use super::citations;
use super::outcome::{self, says_not_found};
use super::promise::{is_written_call, only_promises};
use super::runner::{End, Run};
use super::turns::Reply;
use super::types::Outcome;
use crate::model::Finish;
use crate::prompts::Prompt;

/// What becomes of a text that could be the answer.
pub(super) enum Judgement {
    Accept,
    /// Ask once more, with these words. The text may stand as the answer if nothing better comes.
    AskAgain(Prompt),
    /// Ask once more; the text is no answer.
    AskOn(Prompt),
    Fail(End),
}

/// What was asked for again in this run; nothing is asked for twice.
#[derive(Debug, Default)]
pub(super) struct Asked {
    empty: bool,
    citations: bool,
    promise: bool,
}

impl Run<'_> {
    /// Decides about a text without calls. When no turn is left, nothing is asked for again.
    pub(super) fn judge(&self, reply: &Reply, asked: &mut Asked, turns_left: bool) -> Judgement {
        if reply.finish == Finish::Refused {
            return Judgement::Fail(End::without_answer(Outcome::Error, "the model refused to answer (content filter)"));
        }
        let tags = citations::tags(&reply.text);
        let shown = citations::display(&reply.text);
        if shown.is_empty() && tags.not_found.is_none() {
            if reply.finish == Finish::Length {
                let why = match self.agent.limits.output_tokens {
                    Some(_) => "the model used up its output tokens before it answered; raise the limit on output tokens",
                    None => "the model used up its output tokens before it answered: its window is full, or its server limits them",
                };
                return Judgement::Fail(End::without_answer(Outcome::Limit, why));
            }
            if asked.empty {
                let why = "the model gave an empty answer, also when asked again";
                return Judgement::Fail(End::without_answer(Outcome::Error, why));
            }
            if !turns_left {
                return Judgement::Fail(End::without_answer(Outcome::Limit, "the model gave an empty answer on its last turn"));
            }
            asked.empty = true;
            return Judgement::AskOn(Prompt::AskEmpty);
        }
        if !turns_left || reply.finish == Finish::Length {
            return Judgement::Accept;
        }
        let written_call = is_written_call(&reply.text);
        if !asked.promise && (written_call || only_promises(&reply.text)) {
            asked.promise = true;
            return Judgement::AskOn(if written_call { Prompt::AskNoSuchCall } else { Prompt::AskGoOn });
        }
        let uncited = tags.citations == 0 && !says_not_found(&reply.text, tags) && self.wants_citations(&shown);
        if uncited && !asked.citations {
            asked.citations = true;
            return Judgement::AskAgain(Prompt::AskCitations);
        }
        Judgement::Accept
    }

    /// Claims want citations where pages were read, and where nothing was looked at at all but figures are given. An answer about the library
    /// itself (which documents there are) has no page to cite.
    fn wants_citations(&self, shown: &str) -> bool {
        let from_pages = self.conversation.evidence.has_pages();
        let from_memory = self.records.is_empty() && outcome::has_figure(shown);
        outcome::has_claims(shown) && (from_pages || from_memory) && !about_library(shown, &self.conversation.evidence)
    }
}

/// Whether an earlier draft is better than this later text: the draft has citations or claims, and the text has neither. A text that says that
/// the documents do not say it is no worse than claims that could not be cited.
pub(super) fn is_worse(text: &str, draft: &str) -> bool {
    let (tags, drafts_tags) = (citations::tags(text), citations::tags(draft));
    if tags.citations > 0 || says_not_found(text, tags) {
        return false;
    }
    let (shown, drafts) = (citations::display(text), citations::display(draft));
    let lost = |has: fn(&str) -> bool| has(&drafts) && !has(&shown);
    drafts_tags.citations > 0 || lost(outcome::has_figure) || lost(outcome::has_claims)
}

/// Whether a text with claims is worth keeping as an answer.
pub(super) fn is_substantial(text: &str) -> bool {
    let tags = citations::tags(text);
    tags.citations > 0 || tags.not_found.is_some() || (outcome::has_claims(&citations::display(text)) && !only_promises(text))
}

/// Whether a text speaks of the library itself: it names a document, and its figures are those of the list of documents (how many there are,
/// the pages of one, numbers in names and of list items).
fn about_library(shown: &str, ledger: &EvidenceLedger) -> bool {
    let mut rest = shown.to_lowercase();
    let mut named = 0;
    let mut names: Vec<String> = ledger.documents.keys().map(|name| name.to_lowercase()).collect();
    // The longer of two names first, in case one is in the other.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in &names {
        if rest.contains(name.as_str()) {
            named += 1;
            rest = rest.replace(name.as_str(), " ");
        }
    }
    let known = |n: u64| {
        n == names.len() as u64
            || n == named
            || ledger.documents.values().any(|d| d.page_count.is_some_and(|pages| u64::from(pages) == n))
    };
    let is_item = |token: &str, line: &str| line.trim_start().starts_with(token);
    named > 0
        && rest.lines().all(|line| {
            line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | ',' | '%' | '$' | '€' | '£'))
                .map(|token| token.trim_matches(['.', ',']))
                .filter(|token| token.chars().any(|c| c.is_ascii_digit()))
                .all(|token| token.parse().is_ok_and(known) || (token.len() <= 3 && is_item(token, line)))
        })
        && says_little(&rest, named)
}

/// Few words for each document named: a list, not an account of what stands in them.
fn says_little(rest: &str, named: u64) -> bool {
    const WORDS_EACH: u64 = 25;
    rest.split_whitespace().count() as u64 <= (named + 1) * WORDS_EACH
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::SeenDocument;

    #[test]
    fn answers_about_the_library_are_told_from_claims() {
        let mut ledger = EvidenceLedger::default();
        for (name, pages) in [("annual-report-2024.pdf", 120), ("q1.pdf", 20)] {
            ledger.documents.insert(name.into(), SeenDocument { page_count: Some(pages), ..SeenDocument::default() });
        }
        for text in [
            "There are 2 documents:\n1. annual-report-2024.pdf, 120 pages\n2. q1.pdf (20 pages)",
            "Only annual-report-2024.pdf and q1.pdf are there.",
            "Es gibt zwei Dokumente: Annual-Report-2024.pdf (120 Seiten), q1.pdf.",
        ] {
            assert!(about_library(text, &ledger), "{text}");
        }
        for text in [
            "Revenue was $24.7 billion (q1.pdf).",
            "q1.pdf gives revenue of 24 million.",
            "Revenue rose by 20 % to 120.",
            "It rose to 2.",
        ] {
            assert!(!about_library(text, &ledger), "{text}");
        }
    }

    #[test]
    fn a_draft_is_kept_when_the_second_answer_loses_what_it_had() {
        let cited = "Revenue was $5 million [a.pdf, p. 3].";
        let bare = "Revenue was $5 million.";
        for (text, draft, worse) in [
            ("See above, as I said before, please.", cited, true),
            (bare, cited, true),
            ("It was $5 million, I am sure.", bare, false),
            ("I am sorry, I cannot give any citation for that.", bare, true),
            ("<not-found/> It is not there.", bare, false),
            ("<not-found/> It is not there.", cited, false),
            (cited, bare, false),
            ("Sorry.", "The plant in Ohio was closed in spring.", true),
        ] {
            assert_eq!(is_worse(text, draft), worse, "{text} / {draft}");
        }
    }
}
