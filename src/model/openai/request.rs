//! Turns the neutral request into the body that is sent.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::dialect::{Dialect, Needed, OutputBound};
use super::ids::CallIds;
use super::images;
use super::payload::own;
use super::schema;
use super::settings::OpenAiSettings;
use super::wire::merge;
use crate::model::{ChatRequest, HistoryItem, ToolChoice, ToolSpec};

/// The body of a request. `author` is who this model is; fields that another wants back are not sent.
pub(super) fn body(settings: &OpenAiSettings, request: &ChatRequest<'_>, dialect: &Dialect, author: &str) -> Value {
    let mut body = Map::new();
    let mut set = |name: &str, value: Value| {
        body.insert(name.to_owned(), value);
    };
    set("model", settings.model.trim().into());
    set("messages", messages(request, dialect, author, settings.images && dialect.images).into());
    set("stream", dialect.stream.into());
    if dialect.stream && dialect.stream_options {
        set("stream_options", json!({"include_usage": true}));
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| json!({"type": "function", "function": wire_tool(tool, dialect)}));
        set("tools", tools.collect());
        // `auto` is what servers do anyway, and some refuse the field. The tools stay: a history with calls needs them.
        if request.tool_choice == ToolChoice::None && dialect.tool_choice {
            set("tool_choice", "none".into());
        }
    }
    if let Some(bound) = request.max_output_tokens {
        match dialect.output_bound {
            OutputBound::MaxTokens => set("max_tokens", bound.into()),
            OutputBound::MaxCompletionTokens => set("max_completion_tokens", bound.into()),
            OutputBound::None => {}
        }
    }
    if let Some(temperature) = request.temperature.filter(|_| dialect.temperature) {
        set("temperature", decimal(temperature));
    }
    if let Some(effort) = request.reasoning_effort.filter(|_| dialect.reasoning_effort) {
        set("reasoning_effort", effort.as_str().into());
    }
    for (name, value) in &settings.extra_body {
        if value.is_null() {
            body.remove(name);
        } else {
            body.insert(name.clone(), value.clone());
        }
    }
    Value::Object(body)
}

/// A tool as the Chat Completions API takes it.
pub fn function_tool(tool: &ToolSpec) -> Value {
    json!({"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema}})
}

/// A tool as this server takes it, without what the two interfaces put around it.
pub(super) fn wire_tool(tool: &ToolSpec, dialect: &Dialect) -> Value {
    let schema = if dialect.narrow_schemas { schema::portable(&tool.schema) } else { schema::bare(&tool.schema) };
    json!({"name": tool.name, "description": tool.description, "parameters": schema})
}

/// The arguments of a call of the history. Servers parse them, too; what could not be parsed is handed back in a form that can.
pub(super) fn arguments_text(arguments: &Value) -> String {
    match arguments {
        Value::String(raw) => json!({"unparsed": raw}).to_string(),
        other => other.to_string(),
    }
}

/// The name of a call as every server takes it. A model can call a tool by any name; OpenAI refuses a history with another than these
/// letters.
pub(super) fn wire_name(name: &str) -> String {
    /// Characters that a name may have.
    const LONGEST: usize = 64;
    let fit = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
    let name: String = name.chars().take(LONGEST).map(fit).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}

/// By way of its decimal form: 0.2 as f64 would be 0.20000000298.
pub(super) fn decimal(number: f32) -> Value {
    number.to_string().parse::<f64>().unwrap_or_default().into()
}

/// The names of the provider fields that this history holds for this author, which a server may refuse.
pub(super) fn payload_fields(history: &[HistoryItem], author: &str) -> Vec<String> {
    let payloads = history.iter().filter_map(|item| own(item, author));
    let mut names: Vec<String> = Vec::new();
    for payload in payloads {
        for part in ["message", "call"] {
            let fields = payload.get(part).and_then(Value::as_object);
            names.extend(fields.into_iter().flatten().flat_map(|(name, value)| {
                // The fields of a call's function go by their own names.
                let inner = if name == "function" { value.as_object() } else { None };
                inner.map_or_else(|| vec![name.clone()], |f| f.keys().cloned().collect())
            }));
        }
    }
    names.sort();
    names.dedup();
    names
}

fn messages(request: &ChatRequest<'_>, dialect: &Dialect, author: &str, with_images: bool) -> Vec<Value> {
    let mut messages = Vec::new();
    let mut instructions = request.instructions;
    if dialect.system && !instructions.is_empty() {
        messages.push(json!({"role": "system", "content": std::mem::take(&mut instructions)}));
    }
    let mut ids = CallIds::new(dialect.plain_ids);
    let mut turn = AssistantTurn { needed: dialect.needed, ..AssistantTurn::default() };
    // Images of results, until all results of the turn are there.
    let mut shown: Vec<Value> = Vec::new();
    for item in request.history {
        let payload = own(item, author).filter(|_| dialect.payloads);
        if !matches!(item, HistoryItem::ToolResult { .. } | HistoryItem::User { .. }) {
            messages.extend(with_parts(&mut shown, ""));
        }
        match item {
            HistoryItem::Assistant { text, .. } => turn.text(text, payload),
            HistoryItem::ToolCall { id, name, arguments, .. } => turn.call(&ids.of(id), name, arguments, payload),
            HistoryItem::User { text } => {
                turn.end(&mut messages);
                let text = match std::mem::take(&mut instructions) {
                    "" => Cow::Borrowed(text),
                    instructions => Cow::Owned(format!("{instructions}\n\n{text}")),
                };
                messages.push(with_parts(&mut shown, &text).unwrap_or_else(|| json!({"role": "user", "content": text})));
            }
            HistoryItem::ToolResult { id, content, images: given, .. } => {
                turn.end(&mut messages);
                let content = if with_images {
                    shown.extend(images::parts(given));
                    content.into()
                } else {
                    images::noted(content, given)
                };
                messages.push(json!({"role": "tool", "tool_call_id": ids.of(id), "content": content}));
            }
        }
    }
    turn.end(&mut messages);
    messages.extend(with_parts(&mut shown, ""));
    messages
}

/// The message of the user that shows these images, with what the user says after them; none where there are none.
fn with_parts(shown: &mut Vec<Value>, text: &str) -> Option<Value> {
    if shown.is_empty() {
        return None;
    }
    let mut parts = vec![json!({"type": "text", "text": "The images that came with the results above:"})];
    parts.append(shown);
    if !text.is_empty() {
        parts.push(json!({"type": "text", "text": text}));
    }
    Some(json!({"role": "user", "content": parts}))
}

/// Text and calls of the model that stand together, which are one message.
#[derive(Default)]
struct AssistantTurn {
    text: String,
    calls: Vec<Value>,
    extra: Map<String, Value>,
    /// Fields that the server insists on.
    needed: Needed,
}

impl AssistantTurn {
    fn text(&mut self, text: &str, payload: Option<&Value>) {
        if !self.text.is_empty() && !text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(text);
        self.message_fields(payload);
    }

    fn call(&mut self, id: &str, name: &str, arguments: &Value, payload: Option<&Value>) {
        self.message_fields(payload);
        let mut call = Map::new();
        call.insert("id".into(), id.into());
        call.insert("type".into(), "function".into());
        call.insert("function".into(), json!({"name": wire_name(name), "arguments": arguments_text(arguments)}));
        if let Some(Value::Object(fields)) = payload.and_then(|p| p.get("call")) {
            merge(&mut call, fields.clone());
        } else if self.needed.signatures && self.calls.is_empty() {
            // Google's word for a call that its models did not make.
            call.insert("extra_content".into(), json!({"google": {"thought_signature": "skip_thought_signature_validator"}}));
        }
        self.calls.push(Value::Object(call));
    }

    fn message_fields(&mut self, payload: Option<&Value>) {
        if let Some(Value::Object(fields)) = payload.and_then(|p| p.get("message")) {
            merge(&mut self.extra, fields.clone());
        }
    }

    fn end(&mut self, messages: &mut Vec<Value>) {
        let turn = std::mem::replace(self, Self { needed: self.needed, ..Self::default() });
        if turn.text.is_empty() && turn.calls.is_empty() {
            return;
        }
        let mut message = turn.extra;
        message.insert("role".into(), "assistant".into());
        // Beside calls, no text is `null`: some servers refuse an empty one.
        message.insert("content".into(), if turn.text.is_empty() { Value::Null } else { turn.text.into() });
        if !turn.calls.is_empty() {
            if turn.needed.reasoning {
                message.entry("reasoning_content").or_insert_with(|| "".into());
            }
            message.insert("tool_calls".into(), turn.calls.into());
        }
        messages.push(Value::Object(message));
    }
}

#[cfg(test)]
mod tests;
