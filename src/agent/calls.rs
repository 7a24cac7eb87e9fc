//! Running the tool calls of one turn.

use std::time::Instant;

use futures::StreamExt;
use futures::stream;
use serde_json::Value;

use super::context::is_stub;
use super::envelopes;
use super::runner::{Halt, Run};
use super::types::{AgentEvent, Approval, PageRead, ToolCallRecord};
use crate::model::{HistoryItem, Image};
use crate::tools::{Part, Stop, ToolReply};

/// Calls that run at the same time: enough to hide waiting, few enough not to storm a cloud server.
const CONCURRENT: usize = 8;

/// A call of the model.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    /// Identity, unique in the history.
    pub id: String,
    /// Tool.
    pub name: String,
    /// Arguments.
    pub arguments: Value,
}

/// What one turn's calls gave.
pub(super) struct Batch {
    /// One result for every call, in the order of the calls.
    pub results: Vec<HistoryItem>,
    /// Set when the run must end: the toolbox says so.
    pub stop: Option<Stop>,
    /// Set when the run must end: it was stopped, or its time is over.
    pub halt: Option<Halt>,
}

/// What is to be done with a call.
enum Plan {
    Run,
    /// Needs a yes.
    Ask,
    /// Answered by the runtime.
    Answered {
        envelope: String,
        is_error: bool,
    },
}

struct Done {
    envelope: String,
    images: Vec<Image>,
    is_error: bool,
    elapsed_ms: u64,
}

impl Run<'_> {
    /// Runs the calls of one turn. Whatever happens, every call gets a result.
    pub(super) async fn run_calls(&mut self, calls: &[Call], may_run: bool) -> Batch {
        for call in calls {
            self.emit(AgentEvent::ToolCall { id: call.id.clone(), name: call.name.clone(), arguments: call.arguments.clone() });
        }
        let plans = self.plan(calls, may_run);
        let mut done: Vec<Option<Done>> = calls.iter().map(|_| None).collect();
        let mut batch = Batch { results: Vec::new(), stop: None, halt: None };
        for ((call, plan), slot) in calls.iter().zip(&plans).zip(&mut done) {
            if let Plan::Answered { envelope, is_error } = plan {
                *slot = Some(self.answered(call, envelope.clone(), *is_error, 0));
            }
        }
        self.run_together(calls, &plans, &mut done, &mut batch).await;
        self.run_with_approval(calls, &plans, &mut done, &mut batch).await;
        for (call, slot) in calls.iter().zip(&mut done) {
            let result = match slot.take() {
                Some(result) => result,
                None => {
                    let envelope =
                        if batch.halt == Some(Halt::OutOfTime) { envelopes::out_of_time() } else { envelopes::interrupted() };
                    self.answered(call, envelope, true, 0)
                }
            };
            self.records.push(ToolCallRecord {
                name: call.name.clone(),
                arguments: call.arguments.clone(),
                is_error: result.is_error,
                elapsed_ms: result.elapsed_ms,
            });
            batch.results.push(HistoryItem::ToolResult {
                id: call.id.clone(),
                name: call.name.clone(),
                content: result.envelope,
                is_error: result.is_error,
                images: result.images,
            });
        }
        batch
    }

    fn plan(&mut self, calls: &[Call], may_run: bool) -> Vec<Plan> {
        let mut plans: Vec<Plan> = Vec::with_capacity(calls.len());
        for (index, call) in calls.iter().enumerate() {
            let earlier = calls.get(..index).unwrap_or_default();
            let plan = if !may_run || self.calls_left == 0 {
                Plan::Answered { envelope: envelopes::over_limit(), is_error: true }
            } else if earlier.iter().any(|e| same_call(&e.name, &e.arguments, call)) || self.stands_in_history(call) {
                Plan::Answered { envelope: envelopes::repeated(), is_error: false }
            } else if self.needs_approval(&call.name) {
                Plan::Ask
            } else {
                Plan::Run
            };
            self.calls_left = self.calls_left.saturating_sub(1);
            plans.push(plan);
        }
        plans
    }

    fn needs_approval(&self, name: &str) -> bool {
        self.definitions.iter().any(|d| d.name == name && d.needs_approval)
    }

    fn changes_things(&self, name: &str) -> bool {
        self.definitions.iter().any(|d| d.name == name && !d.annotations.read_only_hint)
    }

    /// Whether the same call was made before and its full result still stands, and still tells the truth: it was no failure, the document was
    /// not being processed, nothing has been changed since, and a list of documents is not from an earlier question.
    fn stands_in_history(&self, call: &Call) -> bool {
        let history = &self.conversation.history;
        let mut changed_later = false;
        for (index, item) in history.iter().enumerate().rev() {
            let HistoryItem::ToolCall { id, name, arguments, .. } = item else { continue };
            if same_call(name, arguments, call) && !changed_later {
                let result = history.iter().skip(index).find_map(|i| match i {
                    HistoryItem::ToolResult { id: of, content, is_error, .. } if of == id => Some((content, *is_error)),
                    _ => None,
                });
                let this_run = index >= self.start;
                if let Some((content, is_error)) = result
                    && !is_pointer(content)
                {
                    return !is_error && !is_stub(content) && still_true(content, this_run);
                }
            }
            changed_later |= self.changes_things(name);
        }
        false
    }

    async fn run_together(&mut self, calls: &[Call], plans: &[Plan], done: &mut [Option<Done>], batch: &mut Batch) {
        let (toolbox, gate) = (self.agent.toolbox.clone(), self.gate.clone());
        // Whatever still waits inside a tool when this is left hears of it.
        let cancel = self.gate.cancel.child_token();
        let _guard = cancel.clone().drop_guard();
        let jobs = calls.iter().zip(plans).enumerate().filter(|(_, (_, plan))| matches!(plan, Plan::Run));
        let jobs: Vec<(usize, Call)> = jobs.map(|(index, (call, _))| (index, call.clone())).collect();
        let mut running = stream::iter(jobs)
            .map(|(index, call)| {
                let (toolbox, cancel) = (toolbox.clone(), cancel.clone());
                async move {
                    let started = Instant::now();
                    let reply = toolbox.call(&call.name, &call.arguments, &cancel).await;
                    (index, reply, started.elapsed().as_millis())
                }
            })
            .buffer_unordered(CONCURRENT);
        loop {
            match gate.wait(running.next()).await {
                Ok(Some((index, reply, elapsed))) => {
                    if let (Some(call), Some(slot)) = (calls.get(index), done.get_mut(index)) {
                        *slot = Some(self.replied(call, reply, elapsed, batch));
                    }
                }
                Ok(None) => break,
                Err(halt) => {
                    batch.halt = Some(halt);
                    break;
                }
            }
        }
    }

    /// Calls that need a yes, one after the other.
    async fn run_with_approval(&mut self, calls: &[Call], plans: &[Plan], done: &mut [Option<Done>], batch: &mut Batch) {
        for ((call, plan), slot) in calls.iter().zip(plans).zip(done) {
            if !matches!(plan, Plan::Ask) || batch.halt.is_some() || batch.stop.is_some() {
                continue;
            }
            match self.ask_and_run(call, batch).await {
                Ok(result) => *slot = Some(result),
                Err(halt) => batch.halt = Some(halt),
            }
        }
    }

    async fn ask_and_run(&mut self, call: &Call, batch: &mut Batch) -> Result<Done, Halt> {
        let Some(approver) = self.agent.approver.clone() else {
            self.emit(AgentEvent::Approval { id: call.id.clone(), name: call.name.clone(), granted: false });
            return Ok(self.answered(call, envelopes::nobody_to_ask(), true, 0));
        };
        let gate = self.gate.clone();
        let question = Approval { name: call.name.clone(), arguments: call.arguments.clone() };
        let granted = gate.wait(approver.approve(&question)).await?;
        self.emit(AgentEvent::Approval { id: call.id.clone(), name: call.name.clone(), granted });
        if !granted {
            return Ok(self.answered(call, envelopes::not_allowed(), true, 0));
        }
        let toolbox = self.agent.toolbox.clone();
        let cancel = self.gate.cancel.child_token();
        let _guard = cancel.clone().drop_guard();
        let started = Instant::now();
        let reply = gate.wait(toolbox.call(&call.name, &call.arguments, &cancel)).await?;
        Ok(self.replied(call, reply, started.elapsed().as_millis(), batch))
    }

    /// Takes a reply over: ledger, record, event.
    fn replied(&mut self, call: &Call, reply: ToolReply, elapsed: u128, batch: &mut Batch) -> Done {
        self.conversation.evidence.record(&reply);
        self.pages_read.extend(reply.evidence.iter().map(|e| PageRead { doc: e.doc.clone(), page: e.page }));
        batch.stop = batch.stop.take().or(reply.stop);
        let done = self.answered(call, reply.envelope, reply.is_error, u64::try_from(elapsed).unwrap_or(u64::MAX));
        Done { images: images(reply.parts), ..done }
    }

    fn answered(&mut self, call: &Call, envelope: String, is_error: bool, elapsed_ms: u64) -> Done {
        self.emit(AgentEvent::ToolResult {
            id: call.id.clone(),
            name: call.name.clone(),
            envelope: envelope.clone(),
            is_error,
            elapsed_ms,
        });
        Done { envelope, images: Vec::new(), is_error, elapsed_ms }
    }
}

/// The same tool with the same arguments, whatever the order of their keys.
fn same_call(name: &str, arguments: &Value, call: &Call) -> bool {
    name == call.name && *arguments == call.arguments
}

/// The images of a reply. A stub stands for what no model can take; the envelope tells of it.
fn images(parts: Vec<Part>) -> Vec<Image> {
    let image = |part| match part {
        Part::Image { mime, data } => Some(Image { mime, data }),
        Part::Stub { .. } => None,
    };
    parts.into_iter().filter_map(image).collect()
}

fn is_pointer(content: &str) -> bool {
    content == envelopes::repeated()
}

/// Whether a result would be the same again, as far as it tells.
fn still_true(content: &str, this_run: bool) -> bool {
    let Ok(envelope) = serde_json::from_str::<Value>(content) else { return true };
    let unfinished =
        |v: &Value| v.get("status").and_then(Value::as_str).is_some_and(|s| matches!(s, "pending" | "queued" | "processing"));
    let listed = envelope.get("documents").and_then(Value::as_array);
    let list_is_stale = listed.is_some_and(|list| !this_run || list.iter().any(unfinished));
    !unfinished(&envelope) && !list_is_stale
}
