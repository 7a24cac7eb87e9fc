//! The built-in reader: it answers without a language model, behind the same interface as one.
//!
//! It is deterministic. It ranks pages by the question's words, reads the best through the tools like any model, and answers with the
//! sentences and table rows that answer the question, each quoted and cited, or says that it found nothing. It is the default of the
//! first run, of the tests, and the baseline that every model is compared with.

mod compose;
mod history;
mod passages;
mod question;
mod score;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;

use crate::config::BUILTIN_MODEL;
use crate::library::Scope;
use crate::model::{
    ChatModel, ChatRequest, ChatTurn, Finish, HistoryItem, ModelDelta, ModelError, ModelErrorKind, ToolChoice, Usage,
};
use crate::search::{RankedPage, Ranker};
use crate::tools::pages::compress;
use history::Progress;
use question::Question;

/// Pages read at first. Reference for whole-page BM25: the evidence is among the first five pages for 97 % of simple questions.
const FIRST_PAGES: usize = 5;
/// Pages ranked; those behind the first are read only when the first do not answer.
const RANKED_PAGES: u32 = 10;
/// Of all pages ranked in a library of many documents, those that score less than this share of the best are not worth reading.
const WORTH_READING: f64 = 0.35;
/// The tool that it reads with.
const PAGE_TOOL: &str = "get_page_content";

/// A [`ChatModel`] that is no language model.
pub struct BuiltinReader {
    ranker: Arc<dyn Ranker>,
    scope: Scope,
}

impl BuiltinReader {
    /// A reader over the documents of this scope.
    pub fn new(ranker: Arc<dyn Ranker>, scope: Scope) -> Self {
        Self { ranker, scope }
    }

    /// The best pages for the question as it stands and without its frame of comparison and time, the two lists merged.
    async fn rank(&self, question: &Question) -> Result<Vec<RankedPage>, ModelError> {
        let mut merged: Vec<RankedPage> = Vec::new();
        for text in [&question.core, &question.search] {
            if text.is_empty() {
                continue;
            }
            let mut ranked = self
                .ranker
                .rank_pages(&self.scope, text, RANKED_PAGES)
                .await
                .map_err(|error| ModelError::new(ModelErrorKind::Server, error.to_string()))?;
            let best = ranked.first().map_or(0.0, |page| page.score);
            ranked.retain(|page| page.score >= best * WORTH_READING);
            for mut page in ranked {
                page.score /= best.max(f64::MIN_POSITIVE);
                match merged.iter_mut().find(|known| known.doc == page.doc && known.page == page.page) {
                    Some(known) => known.score += page.score,
                    None => merged.push(page),
                }
            }
        }
        merged.sort_by(|a, b| b.score.total_cmp(&a.score));
        merged.truncate(RANKED_PAGES as usize);
        Ok(merged)
    }
}

#[async_trait]
impl ChatModel for BuiltinReader {
    fn label(&self) -> String {
        BUILTIN_MODEL.to_owned()
    }

    fn destination(&self) -> Option<String> {
        None
    }

    async fn turn(&self, request: ChatRequest<'_>, deltas: &mut (dyn FnMut(ModelDelta) + Send)) -> Result<ChatTurn, ModelError> {
        let question = Question::of(request.history);
        let progress = Progress::of(request.history);
        let may_read = request.tool_choice == ToolChoice::Auto && request.tools.iter().any(|tool| tool.name == PAGE_TOOL);
        let ranked = self.rank(&question).await?;
        let answer = compose::answer(&question, &progress, &ranked);
        if may_read {
            let next = match (progress.rounds, &answer) {
                (0, _) => ranked.get(..FIRST_PAGES.min(ranked.len())),
                // The first pages did not answer: the next ones are the last try.
                (1, None) => ranked.get(FIRST_PAGES..),
                _ => None,
            };
            let calls = calls_for(next.unwrap_or_default(), request.history.len());
            if !calls.is_empty() {
                return Ok(turn(calls, Finish::ToolCalls));
            }
        }
        if !may_read && progress.rounds == 0 {
            // Nothing could be read: silence is no finding.
            return Ok(turn(Vec::new(), Finish::Stop));
        }
        let text = answer.unwrap_or_else(|| compose::not_found(&progress));
        deltas(ModelDelta::Text(text.clone()));
        Ok(turn(vec![HistoryItem::Assistant { text, payload: None }], Finish::Stop))
    }
}

/// One call a document, best document first, its pages in order.
fn calls_for(pages: &[RankedPage], place: usize) -> Vec<HistoryItem> {
    let mut order: Vec<&str> = Vec::new();
    let mut by_document: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for page in pages {
        if !order.contains(&page.name.as_str()) {
            order.push(&page.name);
        }
        by_document.entry(&page.name).or_default().push(page.page);
    }
    order
        .into_iter()
        .enumerate()
        .filter_map(|(at, name)| {
            let mut numbers = by_document.remove(name)?;
            numbers.sort_unstable();
            Some(HistoryItem::ToolCall {
                // The place in the history makes it unique in a conversation.
                id: format!("read_{place}_{at}"),
                name: PAGE_TOOL.to_owned(),
                arguments: json!({"doc_name": name, "pages": compress(&numbers)}),
                payload: None,
            })
        })
        .collect()
}

fn turn(items: Vec<HistoryItem>, finish: Finish) -> ChatTurn {
    ChatTurn { items, finish, usage: Some(Usage { requests: 1, ..Usage::default() }) }
}
