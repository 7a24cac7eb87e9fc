//! One turn of the model: the request, what is heard while it runs, and what came of it.

use super::context;
use super::history::{call_ids, unique_id};
use super::runner::{End, Halt, Run};
use super::types::{AgentEvent, Limits, Outcome};
use super::{calls::Call, nudges};
use crate::model::{ChatRequest, ChatTurn, Finish, HistoryItem, ModelDelta, ModelError, ModelErrorKind, ToolChoice, Usage};

/// Output tokens that the window keeps free when no bound on the output is set; a quarter of a small window.
const OUTPUT_RESERVE: u64 = 4_096;
/// How often a request is shortened and sent again after the server found it too long.
const SHRINKS: u32 = 3;
/// What each of these leaves of the history.
const SHRINK: f64 = 0.6;

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

/// A turn that did not.
pub(super) enum Failure {
    /// Stopped, or out of time.
    Halt(Halt),
    /// The model could not.
    Model(ModelError),
}

impl Run<'_> {
    /// One turn. On the last one the model is told to answer with what it has.
    pub(super) async fn turn(&mut self, instructions: &str, last: bool) -> Result<Reply, Failure> {
        let mut shrinks = 0;
        self.make_room(instructions, 1.0);
        loop {
            match self.request(instructions, last).await {
                Err(Failure::Model(error)) if error.kind == ModelErrorKind::ContextTooLong && shrinks < SHRINKS => {
                    shrinks += 1;
                    if !self.make_room(instructions, SHRINK) {
                        return Err(Failure::Model(error));
                    }
                    let reason = "the conversation was too long for the model; older results were shortened".to_owned();
                    self.emit(AgentEvent::Retry { after_ms: 0, reason });
                }
                other => return other,
            }
        }
    }

    /// Shrinks the history to what the window leaves for it; with a share below 1, to that share of what it is now. Gives whether anything
    /// was changed.
    fn make_room(&mut self, instructions: &str, share: f64) -> bool {
        let limits = self.agent.limits;
        let schemas: u64 =
            self.specs.iter().map(|s| context::tokens(&s.description) + context::tokens(&s.schema.to_string()) + 10).sum();
        let fixed = context::tokens(instructions) + schemas + context::history_tokens(&self.tail);
        let window = scaled(limits.context_tokens.saturating_sub(output_reserve(limits)), 1.0 / self.tokens_factor);
        let mut room = window.saturating_sub(fixed);
        if share < 1.0 {
            room = room.min(scaled(context::history_tokens(&self.conversation.history), share));
        }
        context::fit(&mut self.conversation.history, room)
    }

    async fn request(&mut self, instructions: &str, last: bool) -> Result<Reply, Failure> {
        let mut extra = self.tail.clone();
        if last {
            extra.push(HistoryItem::User { text: nudges::LAST_TURN.to_owned() });
        }
        let history = with_extra(&self.conversation.history, extra);
        let estimate = context::history_tokens(&history) + context::tokens(instructions);
        let mut heard = String::new();
        let gate = self.gate.clone();
        let outcome = {
            let events = &mut *self.events;
            let heard = &mut heard;
            let mut deltas = move |delta: ModelDelta| hear(delta, heard, events);
            let request = ChatRequest {
                instructions,
                history: &history,
                tools: &self.specs,
                tool_choice: if last { ToolChoice::None } else { ToolChoice::Auto },
                max_output_tokens: self.agent.limits.output_tokens,
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
        self.count(usage, estimate);
        let mut taken = call_ids(&self.conversation.history);
        let mut reply = Reply { items: Vec::new(), text: String::new(), calls: Vec::new(), finish: turn.finish };
        for item in turn.items {
            match item {
                HistoryItem::Assistant { ref text, .. } => {
                    reply.text.push_str(text);
                    reply.items.push(item);
                }
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
        reply
    }

    fn count(&mut self, usage: Usage, estimate: u64) {
        self.usage += usage;
        if usage.input_tokens > 0 && estimate > 500 {
            #[allow(clippy::cast_precision_loss, reason = "a ratio of token counts")]
            let factor = usage.input_tokens as f64 / estimate as f64;
            // Counts far off are other things (a cache left out, several requests added up), not our estimate.
            if (0.5..=3.0).contains(&factor) {
                self.tokens_factor = factor;
            }
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
                End::without_answer(Outcome::Error, message)
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
fn with_extra(history: &[HistoryItem], extra: Vec<HistoryItem>) -> Vec<HistoryItem> {
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
    out
}

fn output_reserve(limits: Limits) -> u64 {
    limits.output_tokens.map_or_else(|| OUTPUT_RESERVE.min(limits.context_tokens / 4), u64::from)
}

fn scaled(count: u64, by: f64) -> u64 {
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rough token count")]
    let scaled = (count as f64 * by) as u64;
    scaled
}
