//! History, requests and turns, without any server's dialect.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One item of a conversation. A valid history has, for every tool call, exactly one result with the same id after it and before the next
/// user item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HistoryItem {
    /// What the user said, or what the runtime says in the user's place.
    User {
        /// The text.
        text: String,
    },
    /// What the model said.
    Assistant {
        /// The text.
        text: String,
        /// What the provider wants back unchanged with it (reasoning items, signatures).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        payload: Option<Value>,
    },
    /// A tool call of the model.
    ToolCall {
        /// Identity of the call, unique in the history.
        id: String,
        /// Tool name.
        name: String,
        /// The arguments: an object, or the raw text as a JSON string where it could not be parsed.
        arguments: Value,
        /// What the provider wants back unchanged with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        payload: Option<Value>,
    },
    /// The result of a call.
    ToolResult {
        /// Identity of the call.
        id: String,
        /// Tool name.
        name: String,
        /// The envelope, or a stub that replaced it.
        content: String,
        /// Whether it is a failure.
        is_error: bool,
        /// Images that came with it. A model that takes none is told how many there were.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
    },
}

/// An image that a tool gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Media type, such as `image/png`.
    pub mime: String,
    /// Base64 data.
    pub data: String,
}

/// A tool as a model sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// Name.
    pub name: String,
    /// Description.
    pub description: String,
    /// JSON Schema of the arguments.
    pub schema: Value,
}

/// Whether the model may call tools in this turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolChoice {
    /// It decides.
    Auto,
    /// It must answer with text (last turn).
    None,
}

/// How much a reasoning model is to think before it answers, by the names that servers use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReasoningEffort {
    /// Not at all.
    None,
    /// As little as it can.
    Minimal,
    /// Little.
    Low,
    /// The usual amount.
    Medium,
    /// Much.
    High,
    /// As much as it can.
    XHigh,
}

impl ReasoningEffort {
    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::XHigh => "xhigh",
        }
    }
}

/// One request.
#[derive(Debug, Clone, Copy)]
pub struct ChatRequest<'a> {
    /// System instructions.
    pub instructions: &'a str,
    /// The conversation so far; valid.
    pub history: &'a [HistoryItem],
    /// The tools at hand.
    pub tools: &'a [ToolSpec],
    /// Whether tools may be called.
    pub tool_choice: ToolChoice,
    /// Bound on the output in tokens.
    pub max_output_tokens: Option<u32>,
    /// Sampling temperature.
    pub temperature: Option<f32>,
    /// How much it thinks; `None` leaves it to the server.
    pub reasoning_effort: Option<ReasoningEffort>,
}

/// What a turn costs, as the server counts; a missing count is 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Of these, from a cache.
    pub cached_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Requests made.
    pub requests: u64,
}

impl Usage {
    /// What was spent after an earlier count.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_sub(earlier.input_tokens),
            cached_tokens: self.cached_tokens.saturating_sub(earlier.cached_tokens),
            output_tokens: self.output_tokens.saturating_sub(earlier.output_tokens),
            requests: self.requests.saturating_sub(earlier.requests),
        }
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens += other.input_tokens;
        self.cached_tokens += other.cached_tokens;
        self.output_tokens += other.output_tokens;
        self.requests += other.requests;
    }
}

/// What happens while a turn runs.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelDelta {
    /// More of the answer.
    Text(String),
    /// More of the reasoning, where a server shows it.
    Thinking(String),
    /// The request is tried again after this time.
    Retry {
        /// How long it waits.
        after: Duration,
        /// Why.
        reason: String,
    },
    /// The text so far is void; it comes again or never.
    Discarded,
    /// Nothing has come for some time; heard again and again while it stays so.
    Waiting {
        /// What is waited for, in words that follow "waiting for".
        what: String,
        /// How long it has been.
        waited: Duration,
        /// When it is given up.
        bound: Duration,
    },
}

/// Why a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// The model is done.
    Stop,
    /// It wants tools called.
    ToolCalls,
    /// The output bound was reached.
    Length,
    /// A content filter refused.
    Refused,
}

/// A finished turn.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatTurn {
    /// Assistant text and tool calls, in order, ready to be appended to the history.
    pub items: Vec<HistoryItem>,
    /// Why it ended.
    pub finish: Finish,
    /// What it cost, where the server says so.
    pub usage: Option<Usage>,
}
