//! What a server says, read leniently: a field of the wrong type counts as missing, an unknown one is kept where it may have to be sent
//! back. One reader serves streamed chunks (`delta`) and whole replies (`message`).

use serde_json::{Map, Value};

use super::failure::WireError;
use crate::model::Usage;

/// One server-sent event or one whole reply.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Chunk {
    /// It has a list of choices, if only an empty one.
    pub is_reply: bool,
    /// The server reports a failure in the middle of a stream, or with status 200.
    pub error: Option<WireError>,
    /// More text.
    pub text: String,
    /// More reasoning.
    pub thinking: String,
    /// Why the model does not answer, in its own words.
    pub refusal: String,
    /// Calls or pieces of calls.
    pub calls: Vec<CallPart>,
    /// Why it ended; an empty reason counts as none.
    pub finish: Option<String>,
    /// Counts, without the number of requests.
    pub usage: Option<Usage>,
    /// Fields of the message that belong to the provider.
    pub extra: Map<String, Value>,
}

/// A call or a piece of one.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CallPart {
    pub index: Option<u64>,
    pub id: String,
    pub name: String,
    pub arguments: Option<Arguments>,
    /// Fields of the call that belong to the provider; those of its function stand under `function`.
    pub extra: Map<String, Value>,
}

/// Arguments in pieces of text, or whole as JSON.
#[derive(Debug, PartialEq)]
pub(super) enum Arguments {
    Piece(String),
    Whole(Value),
}

/// Fields of a message that are read here or mean nothing to the server when they come back.
const MESSAGE_FIELDS: [&str; 10] =
    ["role", "content", "tool_calls", "function_call", "reasoning", "reasoning_content", "refusal", "annotations", "audio", "name"];

impl Chunk {
    pub(super) fn read(value: Value) -> Self {
        let Value::Object(mut top) = value else {
            // Gemini wraps a failure in a list.
            return match value {
                Value::Array(mut list) if list.len() == 1 => list.pop().map(Self::read).unwrap_or_default(),
                other => Self { error: WireError::read(&other), ..Self::default() },
            };
        };
        let mut chunk = Self { usage: usage(&top), ..Self::default() };
        let choices = match top.remove("choices") {
            Some(Value::Array(choices)) => Some(choices),
            _ => None,
        };
        chunk.is_reply = choices.is_some();
        if !chunk.is_reply || top.get("error").is_some_and(has_content) {
            chunk.error = WireError::read(&Value::Object(top));
        }
        let first = |c: &Value| c.get("index").and_then(Value::as_u64).unwrap_or(0) == 0;
        let Some(Value::Object(mut choice)) = choices.into_iter().flatten().find(first) else { return chunk };
        if choice.get("error").is_some_and(has_content) {
            chunk.error = chunk.error.or_else(|| WireError::read(&Value::Object(choice.clone())));
        }
        chunk.usage = chunk.usage.or_else(|| usage(&choice));
        chunk.finish = text_of(choice.get("finish_reason")).filter(|f| !f.is_empty());
        // A whole reply has a `message`; some servers send both, one of them null or empty.
        let message = ["delta", "message"].into_iter().find_map(|field| match choice.remove(field) {
            Some(Value::Object(message)) if !message.is_empty() => Some(message),
            _ => None,
        });
        if let Some(message) = message {
            chunk.read_message(message);
        }
        chunk
    }

    /// Whether there is anything in it that the model said; keep-alives and counts are not.
    pub(super) fn says_something(&self) -> bool {
        let words = [&self.text, &self.thinking, &self.refusal];
        words.iter().any(|w| !w.is_empty()) || !self.calls.is_empty() || self.finish.is_some()
    }

    fn read_message(&mut self, mut message: Map<String, Value>) {
        self.content(message.get("content"));
        self.thinking.push_str(
            &text_of(message.get("reasoning_content"))
                .filter(|t| !t.is_empty())
                .or_else(|| text_of(message.get("reasoning")))
                .unwrap_or_default(),
        );
        self.refusal = text_of(message.get("refusal")).unwrap_or_default();
        match message.remove("tool_calls") {
            Some(Value::Array(calls)) => self.calls.extend(calls.into_iter().filter_map(CallPart::read)),
            // One call that is not in a list.
            Some(call @ Value::Object(_)) => self.calls.extend(CallPart::read(call)),
            _ => {}
        }
        if let Some(function @ Value::Object(_)) = message.remove("function_call") {
            let mut call = Map::new();
            call.insert("function".into(), function);
            self.calls.extend(CallPart::read(Value::Object(call)));
        }
        // Some servers want the reasoning of a turn with calls back under this name; see `Turn::finish`.
        let reasoning = message.remove("reasoning_content").filter(|r| r.as_str().is_some_and(|r| !r.is_empty()));
        self.extra =
            message.into_iter().filter(|(name, value)| !MESSAGE_FIELDS.contains(&name.as_str()) && has_content(value)).collect();
        if let Some(reasoning) = reasoning {
            self.extra.insert("reasoning_content".into(), reasoning);
        }
    }

    /// Text, or a list of parts with text and reasoning (Mistral).
    fn content(&mut self, content: Option<&Value>) {
        match content {
            Some(Value::String(text)) => self.text.push_str(text),
            Some(Value::Array(parts)) => {
                for part in parts {
                    if let Some(text) = text_of(part.get("text")) {
                        self.text.push_str(&text);
                    }
                    match part.get("thinking") {
                        Some(Value::String(text)) => self.thinking.push_str(text),
                        Some(Value::Array(inner)) => {
                            self.thinking.extend(inner.iter().filter_map(|p| text_of(p.get("text"))));
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

impl CallPart {
    fn read(call: Value) -> Option<Self> {
        let Value::Object(mut call) = call else { return None };
        let mut function = match call.remove("function") {
            Some(Value::Object(function)) => function,
            // The call itself is the function.
            _ if call.contains_key("name") || call.contains_key("arguments") => {
                let fields = ["name", "arguments"];
                fields.iter().filter_map(|f| call.remove(*f).map(|v| ((*f).to_owned(), v))).collect()
            }
            _ => Map::new(),
        };
        let arguments = match function.remove("arguments") {
            None | Some(Value::Null) => None,
            Some(Value::String(piece)) => Some(Arguments::Piece(piece)),
            Some(whole) => Some(Arguments::Whole(whole)),
        };
        let mut part = Self {
            index: call.remove("index").and_then(|i| i.as_u64()),
            // Ids come as numbers, too.
            id: match call.remove("id") {
                Some(Value::String(id)) => id,
                Some(Value::Number(id)) => id.to_string(),
                _ => String::new(),
            },
            name: text_of(function.remove("name").as_ref()).unwrap_or_default(),
            arguments,
            extra: Map::new(),
        };
        call.remove("type");
        function.retain(|_, value| has_content(value));
        if !function.is_empty() {
            call.insert("function".into(), Value::Object(function));
        }
        part.extra = call.into_iter().filter(|(_, value)| has_content(value)).collect();
        Some(part)
    }
}

/// Adds the fields of a later piece to those of earlier ones: text and lists go on, objects are merged, all else is replaced.
pub(super) fn merge(into: &mut Map<String, Value>, from: Map<String, Value>) {
    for (name, value) in from {
        match (into.get_mut(&name), value) {
            // The server says it again with each piece.
            (Some(old), new) if *old == new => {}
            (Some(Value::String(old)), Value::String(new)) => old.push_str(&new),
            (Some(Value::Array(old)), Value::Array(new)) => old.extend(new),
            (Some(Value::Object(old)), Value::Object(new)) => merge(old, new),
            (_, value) => {
                into.insert(name, value);
            }
        }
    }
}

fn has_content(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(object) => !object.is_empty(),
        _ => true,
    }
}

fn text_of(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).map(str::to_owned)
}

/// Counts under any of their names; `None` when none of them is there or all are zero.
pub(super) fn usage(holder: &Map<String, Value>) -> Option<Usage> {
    let usage = holder.get("usage").filter(|u| has_content(u)).or_else(|| holder.get("x_groq").and_then(|x| x.get("usage")))?;
    let count = |names: &[&str]| {
        let found = names.iter().find_map(|name| usage.pointer(name).filter(|v| v.is_number()));
        // Counts as floats are seen as well; a float to integer cast saturates.
        found.and_then(|v| v.as_u64().or_else(|| v.as_f64().map(|f| f as u64))).unwrap_or(0)
    };
    let input_tokens = count(&["/prompt_tokens", "/input_tokens"]);
    let written = count(&["/completion_tokens", "/output_tokens"]);
    let thought = count(&["/completion_tokens_details/reasoning_tokens", "/output_tokens_details/reasoning_tokens"]);
    // Some servers (xAI) do not count reasoning as written; the total tells.
    let apart = count(&["/total_tokens"]) == input_tokens.saturating_add(written).saturating_add(thought);
    let counts = Usage {
        input_tokens,
        cached_tokens: count(&[
            "/prompt_tokens_details/cached_tokens",
            "/input_tokens_details/cached_tokens",
            "/prompt_cache_hit_tokens",
            "/cached_tokens",
        ]),
        output_tokens: if apart { written.saturating_add(thought) } else { written },
        requests: 0,
    };
    (counts != Usage::default()).then_some(counts)
}

#[cfg(test)]
mod tests;
