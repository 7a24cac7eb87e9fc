//! Puts the pieces of a reply together: text, reasoning, and calls in whatever pieces a server sends them.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::arguments;
use super::ids::unique_id;
use super::speech::Speech;
use super::wire::{Arguments, CallPart, Chunk, merge};
use crate::model::{ChatTurn, Finish, HistoryItem, ModelDelta, ToolSpec, Usage};

/// A reply in the making.
pub(super) struct Assembly<'a> {
    is_reply: bool,
    tools: &'a [ToolSpec],
    speech: Speech<'a>,
    thinking_seen: bool,
    refused: bool,
    calls: Vec<Call>,
    finish: Option<String>,
    usage: Option<Usage>,
    extra: Map<String, Value>,
}

#[derive(Debug, Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    text: String,
    whole: Option<Value>,
    extra: Map<String, Value>,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(tools: &'a [ToolSpec]) -> Self {
        Self {
            is_reply: false,
            tools,
            speech: Speech::new(tools),
            thinking_seen: false,
            refused: false,
            calls: Vec::new(),
            finish: None,
            usage: None,
            extra: Map::new(),
        }
    }

    /// Takes one event; `deltas` hears what is new for people.
    pub(super) fn push(&mut self, chunk: Chunk, deltas: &mut (dyn FnMut(ModelDelta) + Send)) {
        self.is_reply |= chunk.is_reply;
        if !chunk.thinking.is_empty() {
            self.thinking_seen = true;
            deltas(ModelDelta::Thinking(chunk.thinking));
        }
        self.speech.hear(&chunk.text, deltas);
        if !chunk.refusal.is_empty() {
            self.refused = true;
            self.speech.say(chunk.refusal, deltas);
        }
        for part in chunk.calls {
            self.call(part);
        }
        self.finish = chunk.finish.or(self.finish.take());
        // Counts are running totals where they come more than once.
        self.usage = chunk.usage.or(self.usage);
        merge(&mut self.extra, chunk.extra);
    }

    /// Whether what came was a model's reply at all.
    pub(super) fn is_reply(&self) -> bool {
        self.is_reply
    }

    /// Whether anything has come yet that the model said.
    pub(super) fn has_begun(&self) -> bool {
        !self.speech.text.is_empty() || self.speech.filtered || self.thinking_seen || !self.calls.is_empty()
    }

    /// Whether the text has no end.
    pub(super) fn is_endless(&self) -> bool {
        self.speech.is_endless()
    }

    /// Whether people have seen text of this reply.
    pub(super) fn has_spoken(&self) -> bool {
        !self.speech.text.is_empty()
    }

    /// Whether the reply is whole though it had no end: a finish reason came, or calls that can be read.
    pub(super) fn is_whole(&self) -> bool {
        let whole = |call: &Call| call.arguments_seen() && call.arguments().is_object();
        self.finish.is_some() || (!self.calls.is_empty() && self.calls.iter().all(whole))
    }

    /// Whether the server gave a reason for the end.
    pub(super) fn has_finish(&self) -> bool {
        self.finish.is_some()
    }

    /// A server's own word that the reply failed.
    pub(super) fn failed(&self) -> bool {
        // DeepSeek's, Zhipu's and Gemini's words; the last is about a call that the server's own reader could not read.
        let words = ["insufficient_system_resource", "network_error", "malformed_function_call"];
        let failed = |f: &str| f == "error" || words.iter().any(|word| f.contains(word));
        self.finish.as_deref().is_some_and(|f| failed(&f.to_lowercase()))
    }

    /// Whether the server says that the model called a tool.
    pub(super) fn announces_calls(&self) -> bool {
        self.finish.as_deref().is_some_and(|f| f == "tool_calls" || f == "function_call")
    }

    /// The turn. `taken` are the call ids of the history; a call without an id, or with one that is taken, gets a new one.
    pub(super) fn finish(mut self, mut taken: BTreeSet<String>, deltas: &mut (dyn FnMut(ModelDelta) + Send)) -> ChatTurn {
        let cut = self.finish.as_deref().is_some_and(is_length);
        self.speech.end(cut, deltas);
        let mut calls = std::mem::take(&mut self.calls);
        calls.retain(|call| !call.name.is_empty());
        if cut {
            // The bound fell into the last call: it is no call.
            calls.retain(|call| call.arguments().is_object());
        }
        if calls.is_empty() {
            calls =
                self.speech.calls.drain(..).map(|c| Call { name: c.name, whole: Some(c.arguments), ..Call::default() }).collect();
        }
        let finish = match self.finish.as_deref() {
            _ if self.refused => Finish::Refused,
            _ if !calls.is_empty() => Finish::ToolCalls,
            Some(reason) if is_length(reason) => Finish::Length,
            Some(reason) if is_refusal(reason) => Finish::Refused,
            _ => Finish::Stop,
        };
        // Reasoning goes back with calls only: there some servers insist on it, elsewhere some refuse it.
        if calls.is_empty() {
            self.extra.remove("reasoning_content");
        }
        let mut message = (!self.extra.is_empty()).then_some(self.extra);
        let mut items = Vec::new();
        if !self.speech.text.trim().is_empty() {
            let payload = message.take().map(|m| json!({"message": m}));
            items.push(HistoryItem::Assistant { text: self.speech.text, payload });
        }
        for call in calls {
            let arguments = call.arguments();
            let mut payload = Map::new();
            if let Some(message) = message.take() {
                payload.insert("message".into(), message.into());
            }
            if !call.extra.is_empty() {
                payload.insert("call".into(), call.extra.into());
            }
            let id = unique_id(call.id, &mut taken);
            let payload = (!payload.is_empty()).then_some(Value::Object(payload));
            items.push(HistoryItem::ToolCall { id, name: call.name, arguments, payload });
        }
        ChatTurn { items, finish, usage: self.usage }
    }

    /// Finds the call that a part belongs to. Servers leave out the index, the id, or both, and some give every call the index 0.
    fn call(&mut self, part: CallPart) {
        let tools = self.tools;
        // A name in pieces: together they are, or begin, the name of a tool.
        let continues = |call: &Call| {
            let joined = format!("{}{}", call.name, part.name);
            let known = |name: &str| tools.iter().any(|tool| tool.name == name);
            !call.arguments_seen() && !known(&call.name) && tools.iter().any(|tool| tool.name.starts_with(&joined))
        };
        let starts_other = |call: &Call| {
            let other_id = !part.id.is_empty() && !call.id.is_empty() && part.id != call.id;
            let other_name = !part.name.is_empty() && !call.name.is_empty() && part.name != call.name && !continues(call);
            let again = part.id.is_empty()
                && !part.name.is_empty()
                && !call.name.is_empty()
                && call.arguments_seen()
                && call.arguments().is_object();
            // Gemini gives all calls the index 0 and no id, also two of the same tool; a last empty piece is no call.
            let whole = match &part.arguments {
                Some(Arguments::Piece(piece)) => !piece.trim().is_empty() && arguments::read(piece).is_object(),
                Some(Arguments::Whole(_)) => true,
                None => false,
            };
            other_id && !part.name.is_empty() || other_name || again && (part.index.is_none() || whole)
        };
        let found = match part.index {
            Some(index) => self.calls.iter().rposition(|c| c.index == Some(index)),
            None if !part.id.is_empty() => self.calls.iter().rposition(|c| c.id == part.id),
            None => self.calls.len().checked_sub(1),
        };
        let found = found.filter(|at| self.calls.get(*at).is_some_and(|call| !starts_other(call)));
        let at = found.unwrap_or_else(|| {
            self.calls.push(Call { index: part.index, ..Call::default() });
            self.calls.len() - 1
        });
        let Some(call) = self.calls.get_mut(at) else { return };
        if call.name.is_empty() || continues(call) {
            call.name.push_str(&part.name);
        }
        if call.id.is_empty() {
            call.id = part.id;
        }
        match part.arguments {
            Some(Arguments::Piece(piece)) => call.text.push_str(&piece),
            Some(Arguments::Whole(value)) => call.whole = Some(value),
            None => {}
        }
        merge(&mut call.extra, part.extra);
    }
}

impl Call {
    fn arguments_seen(&self) -> bool {
        self.whole.is_some() || !self.text.trim().is_empty()
    }

    fn arguments(&self) -> Value {
        match &self.whole {
            Some(value) => arguments::read_value(value.clone()),
            None => arguments::read(&self.text),
        }
    }
}

fn is_length(reason: &str) -> bool {
    ["length", "max_tokens", "model_length", "max_output_tokens"].contains(&reason.to_lowercase().as_str())
}

fn is_refusal(reason: &str) -> bool {
    ["content_filter", "safety", "recitation", "blocklist", "prohibited_content", "refusal", "sensitive"]
        .contains(&reason.to_lowercase().as_str())
}

#[cfg(test)]
mod tests;
