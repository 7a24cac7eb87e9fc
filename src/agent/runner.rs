//! The agent and one run of it.

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::calls::{Call, Pending};
use super::scale::{Learned, Measure};
use super::sizes::{Size, Sizes};
use super::types::{AgentEvent, Answer, Approver, Conversation, Limits, Outcome, PageRead, ToolCallRecord};
use super::{citations, history, outcome, trace};
use crate::model::{ChatModel, HistoryItem, ModelErrorKind, ToolSpec, Usage};
use crate::prompts::Prompts;
use crate::tools::{ToolDefinition, Toolbox};

/// The share of the time after which the next turn is the last and calls are no longer waited for.
const NEARLY: f64 = 0.85;
/// The share of the time that calls get even if they begin later than that.
const LEAST_FOR_CALLS: f64 = 0.05;

/// A model with tools. It holds no state of a conversation: one agent can serve many at once.
#[derive(Clone)]
pub struct Agent {
    pub(super) toolbox: Arc<dyn Toolbox>,
    pub(super) model: Arc<dyn ChatModel>,
    pub(super) limits: Limits,
    pub(super) approver: Option<Arc<dyn Approver>>,
    pub(super) prompts: Prompts,
    /// What the model's server has said of its counting and its window.
    pub(super) learned: Arc<Learned>,
}

impl Agent {
    /// An agent with the default limits and nobody to ask: calls that need a yes are refused.
    pub fn new(toolbox: Arc<dyn Toolbox>, model: Arc<dyn ChatModel>) -> Self {
        Self { toolbox, model, limits: Limits::default(), approver: None, prompts: Prompts::default(), learned: Arc::default() }
    }

    /// Sets the bounds of each run.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets what the model is told beside the instructions, which are the toolbox's.
    #[must_use]
    pub fn with_prompts(mut self, prompts: Prompts) -> Self {
        self.prompts = prompts;
        self
    }

    /// Sets who is asked before a call that needs a yes.
    #[must_use]
    pub fn with_approver(mut self, approver: Arc<dyn Approver>) -> Self {
        self.approver = Some(approver);
        self
    }

    /// Answers one question. `events` hears everything as it happens, last of all `finished` with the answer that is also returned.
    ///
    /// The conversation is valid afterwards whatever the outcome, also when this future is dropped in the middle and the conversation is
    /// used again: a question for which nothing was done leaves no trace, one for which pages were read leaves them. Cancelling `cancel`
    /// ends the run at the next await, with outcome `interrupted`.
    pub async fn run(
        &self,
        conversation: &mut Conversation,
        question: &str,
        events: &mut (dyn FnMut(AgentEvent) + Send),
        cancel: &CancellationToken,
    ) -> Answer {
        history::repair(&mut conversation.history);
        let started = Instant::now();
        let start = conversation.history.len();
        let mut run = Run {
            agent: self,
            conversation,
            events,
            gate: Gate { cancel: cancel.clone(), started, time: self.limits.time },
            definitions: self.toolbox.definitions(),
            specs: Vec::new(),
            start,
            usage: Usage::default(),
            records: Vec::new(),
            pages_read: BTreeSet::new(),
            unseen: BTreeSet::new(),
            calls_left: self.limits.tool_calls,
            refused: Vec::new(),
            pending: None,
            tail: Vec::new(),
            instructions: String::new(),
            fixed: Size::of_text(""),
            sizes: Sizes::default(),
            measure: Measure::Rough,
            window: self.learned.window(),
            guessed_window: None,
            spent: 0,
        };
        run.specs = run.definitions.iter().map(spec).collect();
        let span = trace::run(&self.model.label(), question);
        let end = run.go(question).instrument(span.clone()).await;
        span.in_scope(|| run.finish(end))
    }
}

fn spec(definition: &ToolDefinition) -> ToolSpec {
    ToolSpec { name: definition.name.clone(), description: definition.description.clone(), schema: definition.input_schema.clone() }
}

/// Why waiting ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halt {
    /// The user stopped it.
    Interrupted,
    /// The wall time of the run is over.
    OutOfTime,
}

/// What every wait of a run goes through.
#[derive(Clone)]
pub(super) struct Gate {
    pub cancel: CancellationToken,
    pub started: Instant,
    pub time: Duration,
}

impl Gate {
    /// Waits for something, but not beyond cancellation or the end of the run's time.
    pub(super) async fn wait<T>(&self, future: impl Future<Output = T>) -> Result<T, Halt> {
        let rest = self.time.saturating_sub(self.started.elapsed());
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Halt::Interrupted),
            value = future => Ok(value),
            () = tokio::time::sleep(rest) => Err(Halt::OutOfTime),
        }
    }

    /// The same for tool calls: they leave time for an answer with what was read.
    pub(super) fn for_calls(&self) -> Self {
        let (nearly, least) = (self.time.mul_f64(NEARLY), self.time.mul_f64(LEAST_FOR_CALLS));
        let time = nearly.max(self.started.elapsed().saturating_add(least)).min(self.time);
        Self { cancel: self.cancel.clone(), started: self.started, time }
    }

    /// Whether so little time is left that the next turn must be the last.
    pub(super) fn nearly_over(&self) -> bool {
        self.started.elapsed() >= self.time.mul_f64(NEARLY)
    }

    /// Whether the run must end now.
    pub(super) fn check(&self) -> Result<(), Halt> {
        if self.cancel.is_cancelled() {
            return Err(Halt::Interrupted);
        }
        if self.started.elapsed() >= self.time { Err(Halt::OutOfTime) } else { Ok(()) }
    }
}

/// How a run ends.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct End {
    /// The outcome.
    pub outcome: Outcome,
    /// The accepted text, empty without an answer.
    pub raw: String,
    /// Why, where there is something to say.
    pub error: Option<String>,
    /// What kind of failure it was, where the model failed.
    pub kind: Option<ModelErrorKind>,
}

impl End {
    /// An end without an answer.
    pub(super) fn without_answer(outcome: Outcome, error: impl Into<String>) -> Self {
        Self { outcome, raw: String::new(), error: Some(error.into()), kind: None }
    }
}

/// One run, as it goes on.
pub(super) struct Run<'r> {
    pub agent: &'r Agent,
    pub conversation: &'r mut Conversation,
    pub events: &'r mut (dyn FnMut(AgentEvent) + Send),
    pub gate: Gate,
    pub definitions: Vec<ToolDefinition>,
    pub specs: Vec<ToolSpec>,
    /// Items of the history before this run.
    pub start: usize,
    pub usage: Usage,
    /// Calls in order.
    pub records: Vec<ToolCallRecord>,
    pub pages_read: BTreeSet<PageRead>,
    /// Pages that no request has held yet, and that were not read before.
    pub unseen: BTreeSet<PageRead>,
    pub calls_left: u32,
    /// Calls that a person has refused.
    pub refused: Vec<Call>,
    /// The calls of the present turn; they go into the history together with their results, also when the run is dropped.
    pub pending: Option<Pending>,
    /// A draft that is asked again, and the words that ask; part of requests, not (yet) of the history.
    pub tail: Vec<HistoryItem>,
    pub instructions: String,
    /// Of the instructions and the tools.
    pub fixed: Size,
    /// Of the history.
    pub sizes: Sizes,
    /// By which sizes are taken.
    pub measure: Measure,
    /// The window that the server named.
    pub window: Option<u64>,
    /// What the server found too long without naming one.
    pub guessed_window: Option<u64>,
    /// Tokens read and written so far.
    pub spent: u64,
}

/// A future that is dropped in the middle of a turn's calls leaves them with what they gave, the others as interrupted.
impl Drop for Run<'_> {
    fn drop(&mut self) {
        self.settle(None);
    }
}

impl Run<'_> {
    /// Tells the front end.
    pub(super) fn emit(&mut self, event: AgentEvent) {
        trace::event(&event);
        (self.events)(event);
    }

    /// How a halt ends the run.
    pub(super) fn halted(&self, halt: Halt) -> End {
        match halt {
            Halt::Interrupted => End { outcome: Outcome::Interrupted, raw: String::new(), error: None, kind: None },
            Halt::OutOfTime => {
                let seconds = self.agent.limits.time.as_secs_f64();
                End::without_answer(Outcome::Limit, format!("the time limit of {seconds} s was reached without an answer"))
            }
        }
    }

    /// What an answer may repeat without reading a page: the user's own words and, where the library was asked about and no page was read,
    /// what its tools told.
    fn said(&self) -> String {
        let without_pages = !self.conversation.evidence.has_pages();
        let texts = self.conversation.history.iter().filter_map(|item| match item {
            HistoryItem::User { text } => Some(text.as_str()),
            HistoryItem::ToolResult { content, .. } if without_pages => Some(content.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n\n")
    }

    fn finish(mut self, end: End) -> Answer {
        let answered = matches!(end.outcome, Outcome::Answered | Outcome::NotFound) || !end.raw.is_empty();
        if !answered {
            history::close_run(&mut self.conversation.history, self.start);
        }
        let checked = citations::check(&end.raw, &self.conversation.evidence, &self.said());
        let from_memory = end.outcome == Outcome::Answered
            && self.records.is_empty()
            && !self.conversation.evidence.has_pages()
            && outcome::has_claims(&checked.answer);
        let answer = Answer {
            outcome: end.outcome,
            answer: checked.answer,
            answer_raw: end.raw,
            citations: checked.citations,
            unsupported: checked.unsupported,
            from_memory,
            pages_read: std::mem::take(&mut self.pages_read).into_iter().collect(),
            tool_calls: std::mem::take(&mut self.records),
            usage: self.usage,
            elapsed_ms: u64::try_from(self.gate.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            error: end.error,
            error_kind: end.kind,
        };
        trace::run_finished(&answer);
        self.emit(AgentEvent::Finished { answer: Box::new(answer.clone()) });
        answer
    }
}
