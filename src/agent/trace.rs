//! What a log and a collector of spans get to know of a run: counts and times, by the names of OpenTelemetry's conventions for generative AI.
//! Texts go to the target `pagewise::content` alone, which front ends leave out unless they are asked for it.

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;
use tracing::field::Empty;
use tracing::{Instrument, Span, debug, debug_span};

use super::calls::Call;
use super::types::{AgentEvent, Answer};
use crate::model::Usage;
use crate::tools::{ToolReply, Toolbox};

/// The target of texts.
const CONTENT: &str = "pagewise::content";
/// Stands for the name of a tool that is not there: a model can write anything in its place.
const UNKNOWN: &str = "(unknown)";

/// The span of a run.
pub(super) fn run(model: &str, question: &str) -> Span {
    tracing::trace!(target: CONTENT, question, "run started");
    debug_span!("invoke_agent", gen_ai.operation.name = "invoke_agent", gen_ai.request.model = model)
}

/// The span of a turn.
pub(super) fn turn(model: &str, number: u32) -> Span {
    debug_span!(
        "chat",
        turn = number,
        gen_ai.operation.name = "chat",
        gen_ai.request.model = model,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
    )
}

/// A turn came through.
pub(super) fn turn_finished(span: &Span, number: u32, spent: &Usage, calls: usize, elapsed: Duration) {
    span.record("gen_ai.usage.input_tokens", spent.input_tokens);
    span.record("gen_ai.usage.output_tokens", spent.output_tokens);
    debug!(
        turn = number,
        input_tokens = spent.input_tokens,
        cached_tokens = spent.cached_tokens,
        output_tokens = spent.output_tokens,
        requests = spent.requests,
        calls,
        elapsed_ms = millis(elapsed),
        "turn finished"
    );
}

/// Calls a tool in a span of its own; gives its reply and how long it took.
pub(super) async fn call(toolbox: &dyn Toolbox, call: &Call, is_known: bool, cancel: &CancellationToken) -> (ToolReply, Duration) {
    let tool = if is_known { call.name.as_str() } else { UNKNOWN };
    let span = debug_span!("execute_tool", gen_ai.operation.name = "execute_tool", gen_ai.tool.name = tool, is_error = Empty);
    async {
        let started = Instant::now();
        let reply = toolbox.call(&call.name, &call.arguments, cancel).await;
        let elapsed = started.elapsed();
        Span::current().record("is_error", reply.is_error);
        debug!(
            tool,
            is_error = reply.is_error,
            chars = reply.envelope.chars().count(),
            pages = reply.evidence.len(),
            elapsed_ms = millis(elapsed),
            "tool finished"
        );
        (reply, elapsed)
    }
    .instrument(span)
    .await
}

/// Everything that front ends hear, for who asks for texts. Pieces of text are left to the answer that they make.
pub(super) fn event(event: &AgentEvent) {
    if tracing::enabled!(target: CONTENT, tracing::Level::TRACE)
        && !matches!(event, AgentEvent::Text { .. } | AgentEvent::Thinking { .. })
    {
        let event = serde_json::to_string(event).unwrap_or_default();
        tracing::trace!(target: CONTENT, event, "event");
    }
}

/// A run is over.
pub(super) fn run_finished(answer: &Answer) {
    debug!(
        outcome = ?answer.outcome,
        input_tokens = answer.usage.input_tokens,
        output_tokens = answer.usage.output_tokens,
        calls = answer.tool_calls.len(),
        citations = answer.citations.len(),
        elapsed_ms = answer.elapsed_ms,
        "run finished"
    );
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
