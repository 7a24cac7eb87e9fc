//! Turns the neutral request into the body of a Responses request.

use serde_json::{Map, Value, json};

use super::super::dialect::{Dialect, OutputBound};
use super::super::ids::CallIds;
use super::super::images;
use super::super::request::{arguments_text, decimal, wire_name, wire_tool};
use super::super::settings::OpenAiSettings;
use crate::model::{ChatRequest, HistoryItem, ToolChoice};

/// The body of a request. `author` is who this model is; items that another made are sent in plain words.
pub(in super::super) fn body(settings: &OpenAiSettings, request: &ChatRequest<'_>, dialect: &Dialect, author: &str) -> Value {
    let mut body = Map::new();
    let mut set = |name: &str, value: Value| {
        body.insert(name.to_owned(), value);
    };
    set("model", settings.model.trim().into());
    if !request.instructions.is_empty() {
        set("instructions", request.instructions.into());
    }
    let images = settings.images && dialect.images;
    set("input", input(request.history, author, dialect, images).into());
    set("stream", dialect.stream.into());
    if dialect.store {
        set("store", false.into());
    }
    if dialect.encrypted {
        set("include", json!(["reasoning.encrypted_content"]));
    }
    if !request.tools.is_empty() {
        let flat = request.tools.iter().map(|tool| {
            let Value::Object(mut tool) = wire_tool(tool, dialect) else { return Value::Null };
            tool.insert("type".into(), "function".into());
            // Without the field servers hold to it strictly, which our schemas are not made for.
            tool.insert("strict".into(), false.into());
            Value::Object(tool)
        });
        set("tools", flat.collect());
        if request.tool_choice == ToolChoice::None && dialect.tool_choice {
            set("tool_choice", "none".into());
        }
    }
    if let Some(bound) = request.max_output_tokens.filter(|_| dialect.output_bound != OutputBound::None) {
        set("max_output_tokens", bound.into());
    }
    if let Some(temperature) = request.temperature.filter(|_| dialect.temperature) {
        set("temperature", decimal(temperature));
    }
    let effort = request.reasoning_effort.filter(|_| dialect.reasoning_effort).map(|effort| ("effort", effort.as_str()));
    // Without it a model reasons unseen.
    let summary = dialect.summary.then_some(("summary", "auto"));
    let reasoning: Map<String, Value> = [effort, summary].into_iter().flatten().map(|(n, v)| (n.to_owned(), v.into())).collect();
    if !reasoning.is_empty() {
        set("reasoning", reasoning.into());
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

fn input(history: &[HistoryItem], author: &str, dialect: &Dialect, images: bool) -> Vec<Value> {
    let payloads = dialect.payloads;
    let mut ids = CallIds::new(dialect.plain_ids);
    let mut input = Vec::new();
    for item in history {
        match item {
            HistoryItem::User { text } => input.push(json!({"role": "user", "content": text})),
            HistoryItem::Assistant { text, payload } => {
                match payload.as_ref().filter(|_| payloads).and_then(|p| echoed(p, author)) {
                    Some(items) => input.extend(items.iter().cloned()),
                    None if text.is_empty() => {}
                    // llama.cpp insists on the type here.
                    None => input.push(json!({"type": "message", "role": "assistant", "content": text.trim_start()})),
                }
            }
            HistoryItem::ToolCall { id, name, arguments, payload } => {
                let echo = payload.as_ref().filter(|_| payloads).and_then(|p| echoed(p, author));
                if let Some((call, before)) = echo.and_then(<[Value]>::split_last) {
                    input.extend(before.iter().cloned());
                    let mut call = call.clone();
                    if let Some(call) = call.as_object_mut() {
                        // The id may have been made unique in the history.
                        call.insert("call_id".into(), ids.of(id).into());
                        // Servers parse the arguments of the history, too.
                        if !call.get("arguments").is_some_and(is_object) {
                            call.insert("arguments".into(), arguments_text(arguments).into());
                        }
                    }
                    input.push(call);
                    continue;
                }
                let arguments = arguments_text(arguments);
                input
                    .push(json!({"type": "function_call", "call_id": ids.of(id), "name": wire_name(name), "arguments": arguments}));
            }
            HistoryItem::ToolResult { id, content, images: given, .. } => {
                let output = if images && !given.is_empty() {
                    let shown = given.iter().map(|image| json!({"type": "input_image", "image_url": images::data_url(image)}));
                    [json!({"type": "input_text", "text": content})].into_iter().chain(shown).collect()
                } else {
                    Value::from(images::noted(content, given).into_owned())
                };
                input.push(json!({"type": "function_call_output", "call_id": ids.of(id), "output": output}));
            }
        }
    }
    input
}

/// Whether these arguments are an object, also one in a text that any reader of JSON can read.
fn is_object(arguments: &Value) -> bool {
    arguments.is_object() || arguments.as_str().is_some_and(|text| serde_json::from_str::<Map<String, Value>>(text).is_ok())
}

/// The items of a reply of this very model, as it sent them.
fn echoed<'p>(payload: &'p Value, author: &str) -> Option<&'p [Value]> {
    let made = payload.get("responses")?;
    if made.get("by")?.as_str()? != author {
        return None;
    }
    made.get("items")?.as_array().map(Vec::as_slice)
}

#[cfg(test)]
mod tests;
