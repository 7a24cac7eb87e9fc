//! Running the tool calls of one turn.

use std::time::Duration;

use futures::StreamExt;
use futures::stream;
use serde_json::Value;

use super::envelopes;
use super::runner::{Halt, Run};
use super::stubs::is_stub;
use super::trace;
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

/// The calls of one turn that are not in the history yet.
pub(super) struct Pending {
    /// A draft and the words that asked again, if they led to these calls; then remark and calls.
    items: Vec<HistoryItem>,
    calls: Vec<Call>,
    /// What each call gave, in their order.
    done: Vec<Option<Done>>,
}

/// Why a turn's calls ended the run, or ended early.
#[derive(Default)]
pub(super) struct Broken {
    /// The toolbox says that the run must end.
    pub stop: Option<Stop>,
    /// The run was stopped, or the time for calls is over.
    pub halt: Option<Halt>,
}

/// What is to be done with a call.
enum Plan {
    Run,
    /// Needs a yes.
    Ask,
    /// As an earlier call of the same turn.
    Same(usize),
    /// Answered by the runtime.
    Answered {
        envelope: String,
        is_error: bool,
    },
}

#[derive(Clone)]
struct Done {
    envelope: String,
    images: Vec<Image>,
    is_error: bool,
    elapsed_ms: u64,
}

impl Run<'_> {
    /// Runs the calls of one turn and puts them with their results into the history. Whatever happens, every call gets a result, also when
    /// this future is dropped.
    pub(super) async fn run_calls(&mut self, items: Vec<HistoryItem>, calls: &[Call], may_run: bool) -> Broken {
        self.pending = Some(Pending { items, calls: calls.to_vec(), done: calls.iter().map(|_| None).collect() });
        for call in calls {
            self.emit(AgentEvent::ToolCall { id: call.id.clone(), name: call.name.clone(), arguments: call.arguments.clone() });
        }
        let plans = self.plan(calls, may_run);
        let mut broken = Broken::default();
        for (index, (call, plan)) in calls.iter().zip(&plans).enumerate() {
            if let Plan::Answered { envelope, is_error } = plan {
                let done = self.answered(call, envelope.clone(), *is_error, 0);
                self.put(index, done);
            }
        }
        self.run_together(calls, &plans, &mut broken).await;
        self.run_with_approval(calls, &plans, &mut broken).await;
        for (index, (call, plan)) in calls.iter().zip(&plans).enumerate() {
            let done = match (plan, self.done(index)) {
                (_, Some(_)) => continue,
                (Plan::Same(earlier), None) => match self.done(*earlier) {
                    Some(done) if done.is_error => self.answered(call, done.envelope, true, 0),
                    Some(_) => self.answered(call, envelopes::repeated(), false, 0),
                    None => self.answered(call, unfinished(broken.halt), true, 0),
                },
                _ => self.answered(call, unfinished(broken.halt), true, 0),
            };
            self.put(index, done);
        }
        for (index, call) in calls.iter().enumerate() {
            let (is_error, elapsed_ms) = self.done(index).map_or((true, 0), |done| (done.is_error, done.elapsed_ms));
            self.records.push(ToolCallRecord { name: call.name.clone(), arguments: call.arguments.clone(), is_error, elapsed_ms });
        }
        self.settle(broken.halt);
        broken
    }

    /// Puts the calls of the turn into the history, with what they gave so far.
    pub(super) fn settle(&mut self, halt: Option<Halt>) {
        let Some(pending) = self.pending.take() else { return };
        let history = &mut self.conversation.history;
        history.extend(pending.items);
        history.extend(pending.calls.into_iter().zip(pending.done).map(|(call, done)| {
            let (content, is_error, images) = match done {
                Some(done) => (done.envelope, done.is_error, done.images),
                None => (unfinished(halt), true, Vec::new()),
            };
            HistoryItem::ToolResult { id: call.id, name: call.name, content, is_error, images }
        }));
    }

    fn put(&mut self, index: usize, result: Done) {
        if let Some(slot) = self.pending.as_mut().and_then(|p| p.done.get_mut(index)) {
            *slot = Some(result);
        }
    }

    fn done(&self, index: usize) -> Option<Done> {
        self.pending.as_ref()?.done.get(index)?.clone()
    }

    fn plan(&mut self, calls: &[Call], may_run: bool) -> Vec<Plan> {
        let mut plans: Vec<Plan> = Vec::with_capacity(calls.len());
        for (index, call) in calls.iter().enumerate() {
            let earlier = calls.iter().take(index).position(|e| same_call(&e.name, &e.arguments, call));
            let plan = if !may_run || self.calls_left == 0 {
                Plan::Answered { envelope: envelopes::over_limit(), is_error: true }
            } else if let Some(earlier) = earlier {
                Plan::Same(earlier)
            } else if self.refused.iter().any(|r| same_call(&r.name, &r.arguments, call)) {
                // Asked once is enough: a model that goes on about it must not wear a person down.
                Plan::Answered { envelope: envelopes::not_allowed(), is_error: true }
            } else if self.stands_in_history(call) {
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

    /// A toolbox knows its tools by their exact names; should one be lenient, a name that only looks like one that needs a yes needs it too.
    fn is_known(&self, call: &Call) -> bool {
        self.definitions.iter().any(|d| d.name == call.name)
    }

    fn needs_approval(&self, name: &str) -> bool {
        self.definitions.iter().any(|d| d.needs_approval && (d.name == name || looks(name).ends_with(&looks(&d.name))))
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
                    // What was changed in an earlier run may have been changed back since.
                    let lasts = this_run || !self.changes_things(name);
                    return !is_error && lasts && !is_stub(content) && still_true(content, this_run);
                }
            }
            changed_later |= self.changes_things(name);
        }
        false
    }

    async fn run_together(&mut self, calls: &[Call], plans: &[Plan], broken: &mut Broken) {
        let (toolbox, gate) = (self.agent.toolbox.clone(), self.gate.for_calls());
        // Whatever still waits inside a tool when this is left hears of it.
        let cancel = self.gate.cancel.child_token();
        let _guard = cancel.clone().drop_guard();
        let jobs = calls.iter().zip(plans).enumerate().filter(|(_, (_, plan))| matches!(plan, Plan::Run));
        let jobs: Vec<(usize, Call, bool)> = jobs.map(|(index, (call, _))| (index, call.clone(), self.is_known(call))).collect();
        let mut running = stream::iter(jobs)
            .map(|(index, call, is_known)| {
                let (toolbox, cancel) = (toolbox.clone(), cancel.clone());
                async move {
                    let (reply, elapsed) = trace::call(&*toolbox, &call, is_known, &cancel).await;
                    (index, reply, elapsed)
                }
            })
            .buffer_unordered(CONCURRENT);
        loop {
            match gate.wait(running.next()).await {
                Ok(Some((index, reply, elapsed))) => {
                    if let Some(call) = calls.get(index) {
                        let done = self.replied(call, reply, elapsed, broken);
                        self.put(index, done);
                    }
                }
                Ok(None) => break,
                Err(halt) => {
                    broken.halt = Some(halt);
                    break;
                }
            }
        }
    }

    /// Calls that need a yes, one after the other.
    async fn run_with_approval(&mut self, calls: &[Call], plans: &[Plan], broken: &mut Broken) {
        for (index, (call, plan)) in calls.iter().zip(plans).enumerate() {
            if !matches!(plan, Plan::Ask) || broken.halt.is_some() || broken.stop.is_some() {
                continue;
            }
            match self.ask_and_run(call, broken).await {
                Ok(done) => self.put(index, done),
                Err(halt) => broken.halt = Some(halt),
            }
        }
    }

    async fn ask_and_run(&mut self, call: &Call, broken: &mut Broken) -> Result<Done, Halt> {
        let Some(approver) = self.agent.approver.clone() else {
            self.emit(AgentEvent::Approval { id: call.id.clone(), name: call.name.clone(), granted: false });
            return Ok(self.answered(call, envelopes::nobody_to_ask(), true, 0));
        };
        let question = Approval { name: call.name.clone(), arguments: call.arguments.clone() };
        let granted = self.gate.for_calls().wait(approver.approve(&question)).await?;
        self.emit(AgentEvent::Approval { id: call.id.clone(), name: call.name.clone(), granted });
        if !granted {
            self.refused.push(call.clone());
            return Ok(self.answered(call, envelopes::not_allowed(), true, 0));
        }
        let toolbox = self.agent.toolbox.clone();
        let cancel = self.gate.cancel.child_token();
        let _guard = cancel.clone().drop_guard();
        let (reply, elapsed) = self.gate.for_calls().wait(trace::call(&*toolbox, call, self.is_known(call), &cancel)).await?;
        Ok(self.replied(call, reply, elapsed, broken))
    }

    /// Takes a reply over: ledger, record, event.
    fn replied(&mut self, call: &Call, reply: ToolReply, elapsed: Duration, broken: &mut Broken) -> Done {
        let ledger = &self.conversation.evidence.documents;
        let new = reply.evidence.iter().filter(|e| ledger.get(&e.doc).is_none_or(|d| !d.pages.contains_key(&e.page)));
        self.unseen.extend(new.map(|e| PageRead { doc: e.doc.clone(), page: e.page }));
        self.conversation.evidence.record(&reply);
        self.pages_read.extend(reply.evidence.iter().map(|e| PageRead { doc: e.doc.clone(), page: e.page }));
        broken.stop = broken.stop.take().or(reply.stop);
        let done = self.answered(call, reply.envelope, reply.is_error, u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX));
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

/// What a call that did not come to its end is answered with.
fn unfinished(halt: Option<Halt>) -> String {
    if halt == Some(Halt::OutOfTime) { envelopes::out_of_time() } else { envelopes::interrupted() }
}

/// A tool name as it looks at a glance.
fn looks(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
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
