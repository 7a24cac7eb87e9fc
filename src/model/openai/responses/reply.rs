//! Puts the events of a Responses reply together.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::super::arguments;
use super::super::content::TextCall;
use super::super::failure::WireError;
use super::super::ids::unique_id;
use super::super::speech::Speech;
use super::super::wire::usage;
use super::drafts::Drafts;
use crate::model::{ChatTurn, Finish, HistoryItem, ModelDelta, ToolSpec, Usage};

/// What stands between two messages of one reply.
const BETWEEN: &str = "\n\n";

/// A reply in the making.
pub(super) struct Assembly<'a> {
    speech: Speech<'a>,
    begun: bool,
    /// Text came in pieces.
    heard: bool,
    /// The message whose text comes: its index or id.
    speaking: Option<Value>,
    is_reply: bool,
    refused: bool,
    /// Finished items by their place.
    items: BTreeMap<u64, Value>,
    /// Calls that are not finished.
    drafts: Drafts,
    error: Option<WireError>,
    end: Option<End>,
}

/// How the server ended the reply.
struct End {
    /// Why it is not complete, if it is not.
    incomplete: Option<String>,
    output: Vec<Value>,
    usage: Option<Usage>,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(tools: &'a [ToolSpec]) -> Self {
        Self {
            speech: Speech::new(tools),
            begun: false,
            heard: false,
            speaking: None,
            is_reply: false,
            refused: false,
            items: BTreeMap::new(),
            drafts: Drafts::default(),
            error: None,
            end: None,
        }
    }

    /// Takes one event, or a whole reply of a server that does not stream.
    pub(super) fn push(&mut self, event: Value, deltas: &mut (dyn FnMut(ModelDelta) + Send)) {
        let Value::Object(mut event) = event else {
            self.error = WireError::read(&event);
            return;
        };
        let kind = event.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        self.is_reply |= kind.starts_with("response.");
        let delta = event.get("delta").and_then(Value::as_str);
        match kind.as_str() {
            "response.output_text.delta" => {
                self.part_from_last(&event, deltas);
                self.hear(delta.unwrap_or_default(), deltas);
            }
            "response.refusal.delta" => {
                self.part_from_last(&event, deltas);
                (self.refused, self.heard, self.begun) = (true, true, true);
                self.speech.say(delta.unwrap_or_default().to_owned(), deltas);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.begun = true;
                deltas(ModelDelta::Thinking(delta.unwrap_or_default().to_owned()));
            }
            // A blank line between the parts of a summary.
            "response.reasoning_summary_part.done" => deltas(ModelDelta::Thinking("\n\n".to_owned())),
            "response.output_item.added" => {
                self.begun = true;
                self.drafts.begin(event);
            }
            "response.function_call_arguments.delta" | "response.function_call_arguments.done" => {
                self.begun = true;
                self.drafts.arguments(&event);
            }
            "response.output_item.done" => {
                self.begun = true;
                let next = self.items.keys().next_back().map_or(0, |last| last + 1);
                let place = event.get("output_index").and_then(Value::as_u64).unwrap_or(next);
                let item = event.remove("item").filter(Value::is_object);
                if let Some(item) = item.map(|item| self.drafts.end(&event, item)) {
                    self.items.insert(place, item);
                }
            }
            "response.completed" | "response.incomplete" | "response.done" => match event.remove("response") {
                Some(Value::Object(response)) => self.whole(response),
                _ => self.end = Some(End { incomplete: None, output: Vec::new(), usage: None }),
            },
            "response.failed" | "error" => self.error = Some(failure(event)),
            _ if event.get("object").is_some_and(|o| o == "response") || event.get("output").is_some_and(Value::is_array) => {
                self.plain(event);
            }
            // An event that is new to us, or one that only tells of progress.
            _ if kind.starts_with("response.") => {}
            _ => self.error = WireError::read(&Value::Object(event)).or(self.error.take()),
        }
    }

    /// The whole reply in one object.
    fn plain(&mut self, response: Map<String, Value>) {
        self.is_reply = true;
        if response.get("status").is_some_and(|s| s == "failed") || response.get("error").is_some_and(|e| !e.is_null()) {
            self.error = Some(failure(response));
            return;
        }
        self.whole(response);
    }

    fn whole(&mut self, mut response: Map<String, Value>) {
        let usage = usage(&response);
        let output = match response.remove("output") {
            // What is no item would be refused when it comes back.
            Some(Value::Array(output)) => output.into_iter().filter(Value::is_object).collect(),
            _ => Vec::new(),
        };
        let reason = response.get("incomplete_details").and_then(|d| d.get("reason")).and_then(Value::as_str);
        let is_incomplete = response.get("status").is_some_and(|s| s == "incomplete");
        let incomplete = reason.map(str::to_owned).or_else(|| is_incomplete.then(String::new));
        self.end = Some(End { incomplete, output, usage });
    }

    /// A blank line between two messages.
    fn part_from_last(&mut self, event: &Map<String, Value>, deltas: &mut (dyn FnMut(ModelDelta) + Send)) {
        let message = ["output_index", "item_id"].iter().find_map(|field| event.get(*field).filter(|v| !v.is_null())).cloned();
        if self.speaking != message {
            self.begin_message(deltas);
            self.speaking = message;
        }
    }

    fn begin_message(&mut self, deltas: &mut (dyn FnMut(ModelDelta) + Send)) {
        self.speech.end(false, deltas);
        if !self.speech.text.is_empty() {
            self.speech.say(BETWEEN.to_owned(), deltas);
        }
    }

    fn hear(&mut self, text: &str, deltas: &mut (dyn FnMut(ModelDelta) + Send)) {
        (self.heard, self.begun) = (true, true);
        self.speech.hear(text, deltas);
    }

    /// Whether the text has no end.
    pub(super) fn is_endless(&self) -> bool {
        self.speech.is_endless()
    }

    pub(super) fn has_spoken(&self) -> bool {
        !self.speech.text.is_empty()
    }

    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    /// Whether what came was a model's reply at all.
    pub(super) fn is_reply(&self) -> bool {
        self.is_reply
    }

    /// Whether the server has ended the reply, well or badly.
    pub(super) fn is_over(&self) -> bool {
        self.end.is_some() || self.error.is_some()
    }

    pub(super) fn take_error(&mut self) -> Option<WireError> {
        self.error.take()
    }

    /// The turn. `author` is noted with what has to be sent back; `taken` are the call ids of the history.
    pub(super) fn finish(
        mut self,
        author: &str,
        mut taken: BTreeSet<String>,
        deltas: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> ChatTurn {
        let End { incomplete, output, usage } =
            self.end.take().unwrap_or(End { incomplete: None, output: Vec::new(), usage: None });
        // Some servers leave the items out of the last event, others out of those before it.
        let mut output = if self.items.is_empty() { output } else { std::mem::take(&mut self.items).into_values().collect() };
        if output.is_empty() {
            output = self.drafts.whole();
        }
        if !self.heard {
            // No stream, or one that has the text in its items alone.
            for (text, refused) in output.iter().filter_map(message_text) {
                self.refused |= refused;
                self.begin_message(deltas);
                self.hear(&text, deltas);
            }
        }
        self.speech.end(incomplete.is_some(), deltas);
        let mut items = Vec::new();
        let mut waiting: Vec<Value> = Vec::new();
        let mut told = false;
        for item in output {
            match item.get("type").and_then(Value::as_str) {
                Some("message") => {
                    let (text, _) = message_text(&item).unwrap_or_default();
                    waiting.push(item);
                    // What was filtered out of the text must not come back with the item.
                    let same = !self.speech.filtered;
                    let kept = if same { payload(author, std::mem::take(&mut waiting)) } else { None };
                    waiting.clear();
                    let parted = items.iter().any(|item| matches!(item, HistoryItem::Assistant { .. }));
                    let text = match same {
                        true if parted && !text.is_empty() => format!("{BETWEEN}{text}"),
                        true => text,
                        false => std::mem::take(&mut self.speech.text),
                    };
                    if !text.trim().is_empty() {
                        items.push(HistoryItem::Assistant { text, payload: kept });
                    }
                    told = true;
                }
                Some("function_call") if !is_cut(&item, incomplete.is_some()) => {
                    let call = Call::read(&item);
                    waiting.push(item);
                    let kept = payload(author, std::mem::take(&mut waiting));
                    if let Some(call) = call {
                        let id = unique_id(call.id, &mut taken);
                        items.push(HistoryItem::ToolCall { id, name: call.name, arguments: call.arguments, payload: kept });
                    }
                }
                Some("function_call") => {}
                _ => waiting.push(item),
            }
        }
        if !told && !self.speech.text.trim().is_empty() {
            items.insert(0, HistoryItem::Assistant { text: self.speech.text, payload: None });
        }
        let is_call = |item: &HistoryItem| matches!(item, HistoryItem::ToolCall { .. });
        if !items.iter().any(is_call) {
            for TextCall { name, arguments } in self.speech.calls {
                let id = unique_id(String::new(), &mut taken);
                items.push(HistoryItem::ToolCall { id, name, arguments, payload: None });
            }
        }
        let finish = match incomplete.as_deref() {
            _ if self.refused => Finish::Refused,
            _ if items.iter().any(is_call) => Finish::ToolCalls,
            Some("content_filter") => Finish::Refused,
            Some(_) => Finish::Length,
            None => Finish::Stop,
        };
        ChatTurn { items, finish, usage }
    }
}

/// A function call, read leniently.
struct Call {
    id: String,
    name: String,
    arguments: Value,
}

impl Call {
    fn read(item: &Value) -> Option<Self> {
        let text = |field: &str| item.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        let name = text("name");
        let id = Some(text("call_id")).filter(|id| !id.is_empty()).unwrap_or_else(|| text("id"));
        let arguments = arguments::read_value(item.get("arguments").cloned().unwrap_or(Value::Null));
        (!name.is_empty()).then_some(Self { id, name, arguments })
    }
}

/// Whether the bound on the output fell into this call.
fn is_cut(item: &Value, reply_is_cut: bool) -> bool {
    reply_is_cut && Call::read(item).is_none_or(|call| !call.arguments.is_object())
}

/// The words of a message, and whether it is a refusal.
fn message_text(item: &Value) -> Option<(String, bool)> {
    if item.get("type")?.as_str()? != "message" {
        return None;
    }
    let (mut text, mut refused) = (String::new(), false);
    match item.get("content") {
        Some(Value::Array(parts)) => {
            for part in parts {
                if let Some(words) = part.get("text").and_then(Value::as_str) {
                    text.push_str(words);
                } else if let Some(words) = part.get("refusal").and_then(Value::as_str) {
                    text.push_str(words);
                    refused = true;
                }
            }
        }
        Some(Value::String(words)) => text.push_str(words),
        _ => {}
    }
    Some((text, refused))
}

fn payload(author: &str, items: Vec<Value>) -> Option<Value> {
    // A lone message without reasoning says no more than its text.
    let says_more = items.iter().any(|item| item.get("type").is_none_or(|kind| kind != "message"));
    says_more.then(|| json!({"responses": {"by": author, "items": items}}))
}

/// What the server says of its failure, in the event or in the response within it.
fn failure(mut event: Map<String, Value>) -> WireError {
    if let Some(Value::Object(response)) = event.remove("response") {
        return failure(response);
    }
    let error = event.get("error").filter(|error| !error.is_null()).and_then(WireError::read);
    error.or_else(|| WireError::read(&Value::Object(event))).unwrap_or_default()
}

#[cfg(test)]
mod tests;
