//! Events, answers, citations.

use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::{HistoryItem, ModelErrorKind, ReasoningEffort, Usage};

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// With an answer.
    Answered,
    /// The documents do not say it.
    NotFound,
    /// A limit on turns, calls, time or tokens was reached without an answer.
    Limit,
    /// The user stopped it.
    Interrupted,
    /// Something failed.
    Error,
}

/// What the check of a citation against the evidence gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CitationStatus {
    /// The page was read, the quoted words stand on it, and every number of the claim stands on a page cited for it.
    Verified,
    /// The page was read; nothing (or too little) was quoted, but every number of the claim stands on it.
    NumbersFound,
    /// The page was read; nothing was quoted and the claim has no number.
    PageRead,
    /// The page was read, but the quoted words or a number of the claim are not on it.
    NotFound,
    /// The page was never read in this conversation.
    Unread,
    /// The document has no such page.
    NoSuchPage,
    /// There is no such document.
    NoSuchDocument,
}

/// One numbered citation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// The number that stands in the answer as `[n]`.
    pub n: u32,
    /// Document name.
    pub doc: String,
    /// Physical page, 1-based.
    pub page: u32,
    /// Printed label where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The quoted words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// What the check gave.
    pub status: CitationStatus,
    /// For `not_found`: another page that was read and holds the quoted words or numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_on: Option<u32>,
}

/// A figure of a sentence without citation that stands on no page that was read in the conversation, nor in what the user said, and does
/// not follow from figures that do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsupported {
    /// The figure with its sign, currency, scale and percent sign, in lower case; a date as `2024-12-28`.
    pub figure: String,
    /// The sentence, at most 200 characters of it.
    pub sentence: String,
}

/// A page that was read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PageRead {
    /// Document name.
    pub doc: String,
    /// Physical page.
    pub page: u32,
}

/// A call that was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCallRecord {
    /// Tool name.
    pub name: String,
    /// Arguments.
    pub arguments: Value,
    /// Whether it answered with a failure.
    pub is_error: bool,
    /// How long it took.
    pub elapsed_ms: u64,
}

/// What a run gave. This is also the `finished` event and, with the question and the model, the object of `ask --json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// How it ended.
    pub outcome: Outcome,
    /// The answer with `[n]` marks.
    pub answer: String,
    /// The model's own text.
    pub answer_raw: String,
    /// The citations, by number.
    pub citations: Vec<Citation>,
    /// Figures without citation that stand on no page that was read.
    #[serde(default)]
    pub unsupported: Vec<Unsupported>,
    /// The answer makes claims, but the model called no tool and no page was read in the conversation: nothing of it is checked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_memory: bool,
    /// Pages read in this run, sorted.
    pub pages_read: Vec<PageRead>,
    /// Calls made in this run, in order.
    pub tool_calls: Vec<ToolCallRecord>,
    /// What it cost.
    pub usage: Usage,
    /// Wall time.
    pub elapsed_ms: u64,
    /// Why, for `error` and `limit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What kind of failure it was, where the model or its server failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_kind: Option<ModelErrorKind>,
}

/// What a front end hears while a run goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum AgentEvent {
    /// A model turn begins (1-based).
    TurnStarted {
        /// Its number.
        turn: u32,
    },
    /// Reasoning, where the server shows it.
    Thinking {
        /// The words.
        delta: String,
    },
    /// Text: of the answer, or a remark before a tool call.
    Text {
        /// The words.
        delta: String,
    },
    /// A tool is called.
    ToolCall {
        /// Identity.
        id: String,
        /// Tool.
        name: String,
        /// Arguments.
        arguments: Value,
    },
    /// It answered.
    ToolResult {
        /// Identity.
        id: String,
        /// Tool.
        name: String,
        /// What it said.
        envelope: String,
        /// Whether it is a failure.
        is_error: bool,
        /// How long it took.
        elapsed_ms: u64,
    },
    /// A person was asked.
    Approval {
        /// Identity of the call.
        id: String,
        /// Tool.
        name: String,
        /// The answer.
        granted: bool,
    },
    /// The model server is asked again later.
    Retry {
        /// Wait in milliseconds.
        after_ms: u64,
        /// Why.
        reason: String,
    },
    /// Nothing has come from the model server for some time; heard again and again while it stays so.
    Waiting {
        /// What is waited for, in words that follow "waiting for".
        what: String,
        /// How long it has been, in milliseconds.
        waited_ms: u64,
        /// When it is given up, in milliseconds.
        bound_ms: u64,
    },
    /// This draft is void.
    Discarded {
        /// The text that was shown.
        text: String,
    },
    /// Tokens of the turn that just ended.
    Usage {
        /// The counts.
        usage: Usage,
    },
    /// The run is over; the last event.
    Finished {
        /// What it gave.
        #[serde(flatten)]
        answer: Box<Answer>,
    },
}

/// A call that needs a yes.
#[derive(Debug, Clone, PartialEq)]
pub struct Approval {
    /// Tool.
    pub name: String,
    /// Arguments.
    pub arguments: Value,
}

/// The front end's answer to "may this be done?". Without an approver the answer is no.
#[async_trait]
pub trait Approver: Send + Sync {
    /// Asks a person about one call.
    async fn approve(&self, call: &Approval) -> bool;
}

/// Bounds of one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Model turns.
    pub turns: u32,
    /// Tool calls.
    pub tool_calls: u32,
    /// Wall time. When 85 % of it are over, the next turn is the last.
    pub time: Duration,
    /// Output tokens of one turn; at most half of the window is asked for.
    pub output_tokens: Option<u32>,
    /// Tokens that all turns together may read and write, cached ones included. Before they would be exceeded comes the last turn.
    pub total_tokens: Option<u64>,
    /// The model's context window in tokens; older tool results become stubs before it overflows. A server that names a smaller one is
    /// believed.
    pub context_tokens: u64,
    /// Sampling temperature.
    pub temperature: Option<f32>,
    /// How much a reasoning model thinks; `None` leaves it to the server.
    pub reasoning_effort: Option<ReasoningEffort>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            turns: 20,
            tool_calls: 60,
            time: Duration::from_secs(600),
            output_tokens: None,
            total_tokens: None,
            context_tokens: 128_000,
            temperature: None,
            reasoning_effort: None,
        }
    }
}

/// A conversation: history, target documents, and what was read. It is what a saved session holds: fields that an older version did not
/// write get their defaults, unknown ones are passed over.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Conversation {
    /// The history, valid between runs.
    pub history: Vec<HistoryItem>,
    /// Ids or names of the documents it is about; empty for the whole library.
    pub documents: Vec<String>,
    /// Which pages were read and what stood on them.
    pub evidence: super::EvidenceLedger,
}

impl Conversation {
    /// A conversation about these documents (id, name, pages where known): the agent goes straight to them, and a citation of one of them
    /// is judged by what is known of it even before a page was read.
    pub fn about(documents: impl IntoIterator<Item = (String, String, Option<u32>)>) -> Self {
        let mut conversation = Self::default();
        for (id, name, page_count) in documents {
            conversation.evidence.ids.insert(id.clone(), name.clone());
            conversation.documents.push(id);
            conversation.evidence.documents.entry(name).or_default().page_count = page_count;
        }
        conversation
    }
}
