//! What the conversation holds: the question, and the pages that were read for it.

use serde::Deserialize;

use crate::model::HistoryItem;

/// A page as a tool returned it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReadPage {
    pub(super) doc: String,
    pub(super) page: u32,
    pub(super) text: String,
}

/// How far the present question has come.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// Rounds of tool calls so far.
    pub(super) rounds: usize,
    /// Pages that the tools returned, in the order of the calls.
    pub(super) pages: Vec<ReadPage>,
    /// Why calls failed.
    pub(super) failures: Vec<String>,
}

#[derive(Deserialize)]
struct Envelope {
    doc_name: Option<String>,
    content: Option<Vec<Content>>,
    error: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    page: u32,
    text: String,
}

impl Progress {
    /// Reads what came after the last thing the user said.
    pub(super) fn of(history: &[HistoryItem]) -> Self {
        let start = history.iter().rposition(|item| matches!(item, HistoryItem::User { .. })).map_or(0, |at| at + 1);
        let mut progress = Self::default();
        let mut in_calls = false;
        for item in history.get(start..).unwrap_or_default() {
            match item {
                HistoryItem::ToolCall { .. } => {
                    progress.rounds += usize::from(!in_calls);
                    in_calls = true;
                }
                HistoryItem::ToolResult { content, .. } => {
                    in_calls = false;
                    progress.take(content);
                }
                HistoryItem::User { .. } | HistoryItem::Assistant { .. } => {}
            }
        }
        progress
    }

    fn take(&mut self, content: &str) {
        let Ok(envelope) = serde_json::from_str::<Envelope>(content) else { return };
        if let Some(error) = envelope.error {
            self.failures.push(error);
        }
        let Some(doc) = envelope.doc_name else { return };
        for Content { page, text } in envelope.content.unwrap_or_default() {
            self.pages.push(ReadPage { doc: doc.clone(), page, text });
        }
    }
}
