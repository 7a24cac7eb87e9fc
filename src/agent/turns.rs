//! One turn of the model: the request, what is heard while it runs, and what came of it.

use std::borrow::Cow;

use super::history::{call_ids, unique_id};
use super::runner::{End, Halt, Run};
use super::types::{AgentEvent, Outcome};
use super::{calls::Call, tokens};
use crate::model::{ChatRequest, ChatTurn, Finish, HistoryItem, ModelDelta, ModelError, ModelErrorKind, ToolChoice, Usage};
use crate::prompts::Prompt;

/// How often a request is shortened and sent again after the server found it too long. Each time something goes that was there before.
const SHRINKS: u32 = 6;
/// Calls of one turn that are looked at; a model that makes more has lost its way.
const MOST_CALLS: usize = 100;

/// What the model may do in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Call tools or answer.
    Open,
    /// Answer: no tool may be called.
    Last,
    /// The same, without any tool in the request, for a model that calls them all the same.
    Bare,
}

/// A turn that came through.
pub(super) struct Reply {
    /// What goes into the history: assistant text and calls.
    pub items: Vec<HistoryItem>,
    /// All its text.
    pub text: String,
    /// Its calls, with unique ids.
    pub calls: Vec<Call>,
    /// Why it ended.
    pub finish: Finish,
}

impl Reply {
    /// A text that is in the history already, with what belongs to it, or that needs nothing else to be there.
    pub(super) fn of_words(text: String) -> Self {
        let items = vec![HistoryItem::Assistant { text: text.clone(), payload: None }];
        Self { items, text, calls: Vec::new(), finish: Finish::Stop }
    }

    /// Drops what the provider wants back with it: no server takes the same thing twice.
    pub(super) fn words_alone(&mut self) {
        self.items = vec![HistoryItem::Assistant { text: self.text.clone(), payload: None }];
    }

    /// Leaves the text alone.
    pub(super) fn without_calls(&mut self) {
        self.calls.clear();
        self.items.retain(|item| matches!(item, HistoryItem::Assistant { .. }));
    }
}

/// A turn that did not.
pub(super) enum Failure {
    /// Stopped, or out of time.
    Halt(Halt),
    /// The model could not.
    Model(ModelError),
}

impl Run<'_> {
    /// One turn. On the last one the model is told to answer with what it has.
    pub(super) async fn turn(&mut self, kind: Turn) -> Result<Reply, Failure> {
        let mut shrinks = 0;
        self.make_room().await.map_err(Failure::Halt)?;
        loop {
            if let Some(error) = self.cannot_fit() {
                return Err(Failure::Model(error));
            }
            match self.request(kind).await {
                Err(Failure::Model(error)) if error.kind == ModelErrorKind::ContextTooLong && shrinks < SHRINKS => {
                    shrinks += 1;
                    if !self.shorten(&error) {
                        return Err(Failure::Model(self.cannot_fit().unwrap_or(error)));
                    }
                }
                other => return other,
            }
        }
    }

    async fn request(&mut self, kind: Turn) -> Result<Reply, Failure> {
        let last = kind != Turn::Open;
        let mut extra = self.tail.clone();
        if last {
            extra.push(HistoryItem::User { text: self.agent.prompts.needed(Prompt::LastTurn).to_owned() });
        }
        self.sizes.follow(&self.conversation.history);
        let estimate = self.estimate();
        let max_output_tokens = self.output_bound();
        let mut heard = String::new();
        let gate = self.gate.clone();
        let outcome = {
            let history = with_extra(&self.conversation.history, extra);
            let events = &mut *self.events;
            let heard = &mut heard;
            let mut deltas = move |delta: ModelDelta| hear(delta, heard, events);
            let request = ChatRequest {
                instructions: &self.instructions,
                history: &history,
                tools: if kind == Turn::Bare { &[] } else { &self.specs },
                tool_choice: if last { ToolChoice::None } else { ToolChoice::Auto },
                max_output_tokens,
                temperature: self.agent.limits.temperature,
                reasoning_effort: self.agent.limits.reasoning_effort,
            };
            gate.wait(self.agent.model.turn(request, &mut deltas)).await
        };
        match outcome {
            Ok(Ok(turn)) => Ok(self.take(turn, heard, estimate)),
            Ok(Err(error)) => {
                self.discard(heard);
                Err(Failure::Model(error))
            }
            Err(halt) => {
                self.discard(heard);
                Err(Failure::Halt(halt))
            }
        }
    }

    /// Says that a text that was shown is void.
    pub(super) fn discard(&mut self, text: String) {
        if !text.is_empty() {
            self.emit(AgentEvent::Discarded { text });
        }
    }

    fn take(&mut self, turn: ChatTurn, heard: String, estimate: u64) -> Reply {
        let mut usage = turn.usage.unwrap_or_default();
        usage.requests = usage.requests.max(1);
        self.unseen.clear();
        let mut taken = call_ids(&self.conversation.history);
        let mut reply = Reply { items: Vec::new(), text: String::new(), calls: Vec::new(), finish: turn.finish };
        for item in turn.items {
            match item {
                HistoryItem::Assistant { ref text, .. } => {
                    reply.text.push_str(text);
                    reply.items.push(item);
                }
                HistoryItem::ToolCall { .. } if reply.calls.len() >= MOST_CALLS => {}
                HistoryItem::ToolCall { id, name, arguments, payload } => {
                    let id = unique_id(&id, &taken);
                    taken.insert(id.clone());
                    reply.calls.push(Call { id: id.clone(), name: name.clone(), arguments: arguments.clone() });
                    reply.items.push(HistoryItem::ToolCall { id, name, arguments, payload });
                }
                // No model speaks for the user or for a tool.
                HistoryItem::User { .. } | HistoryItem::ToolResult { .. } => {}
            }
        }
        self.show_rest(heard, &reply.text);
        self.count(usage, estimate, &reply.text);
        reply
    }

    fn count(&mut self, usage: Usage, estimate: u64, written: &str) {
        self.usage += usage;
        // Some servers leave the cached tokens out of the others.
        let input =
            if usage.cached_tokens > usage.input_tokens { usage.input_tokens + usage.cached_tokens } else { usage.input_tokens };
        self.spent += if input > 0 { input } else { self.expected() };
        self.spent += if usage.output_tokens > 0 { usage.output_tokens } else { tokens::rough(written) };
        self.agent.learned.told(self.measure, estimate, input, false);
        if let Some(window) = self.window {
            // It was named, and a request within it came through.
            self.agent.learned.set_window(window);
        }
        self.emit(AgentEvent::Usage { usage });
    }

    /// What was streamed and what the turn holds can differ: a server without streaming, a call written as text that was cut out.
    fn show_rest(&mut self, heard: String, text: &str) {
        if heard == text {
            return;
        }
        let rest = match text.strip_prefix(heard.as_str()) {
            Some(rest) => rest.to_owned(),
            None => {
                self.discard(heard);
                text.to_owned()
            }
        };
        if !rest.is_empty() {
            self.emit(AgentEvent::Text { delta: rest });
        }
    }

    /// How a failed turn ends the run.
    pub(super) fn failed(&self, failure: Failure) -> End {
        match failure {
            Failure::Halt(halt) => self.halted(halt),
            Failure::Model(error) => {
                let message = match &error.hint {
                    Some(hint) => format!("{} ({hint})", error.message),
                    None => error.message.clone(),
                };
                End { kind: Some(error.kind), ..End::without_answer(Outcome::Error, message) }
            }
        }
    }
}

fn hear(delta: ModelDelta, heard: &mut String, events: &mut (dyn FnMut(AgentEvent) + Send)) {
    match delta {
        ModelDelta::Text(delta) => {
            heard.push_str(&delta);
            events(AgentEvent::Text { delta });
        }
        ModelDelta::Thinking(delta) => events(AgentEvent::Thinking { delta }),
        ModelDelta::Retry { after, reason } => events(AgentEvent::Retry { after_ms: millis(after), reason }),
        ModelDelta::Waiting { what, waited, bound } => {
            events(AgentEvent::Waiting { what, waited_ms: millis(waited), bound_ms: millis(bound) });
        }
        ModelDelta::Discarded => {
            let text = std::mem::take(heard);
            if !text.is_empty() {
                events(AgentEvent::Discarded { text });
            }
        }
    }
}

fn millis(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The history with items for this request alone. Two texts of the user in a row become one: many servers want turns that alternate.
fn with_extra(history: &[HistoryItem], extra: Vec<HistoryItem>) -> Cow<'_, [HistoryItem]> {
    if extra.is_empty() {
        return Cow::Borrowed(history);
    }
    let mut out = history.to_vec();
    for item in extra {
        match (out.last_mut(), item) {
            (Some(HistoryItem::User { text }), HistoryItem::User { text: more }) => {
                text.push_str("\n\n");
                text.push_str(&more);
            }
            (_, item) => out.push(item),
        }
    }
    Cow::Owned(out)
}
