//! `pagewise ask`: one question, one answer.

use std::io;

use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::answer::AnswerView;
use super::args::AskArgs;
use super::documents::{self, Skipped};
use super::exit::{CliError, ExitStatus};
use super::{Context, models, reindex};
use crate::agent::{Agent, Answer, Citation, Conversation, Outcome, PageRead, ToolCallRecord, Unsupported};
use crate::config::Price;
use crate::model::{ModelErrorKind, Usage};

/// The object of `--json`.
#[derive(Debug, Serialize)]
struct AskReport<'a> {
    question: &'a str,
    outcome: Outcome,
    answer: &'a str,
    answer_raw: &'a str,
    citations: &'a [Citation],
    unsupported: &'a [Unsupported],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    from_memory: bool,
    pages_read: &'a [PageRead],
    tool_calls: &'a [ToolCallRecord],
    model: &'a str,
    usage: Usage,
    /// In the currency of the price, where one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    elapsed_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_kind: Option<ModelErrorKind>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    skipped: &'a [Skipped],
}

pub(crate) async fn run(context: &mut Context, args: AskArgs) -> Result<ExitStatus, CliError> {
    let question = args.question.trim();
    if question.is_empty() {
        return Err(CliError::usage("the question is empty"));
    }
    let documents = documents::open(context, &args.docs, &args.password.open_options(), args.no_store).await?;
    if !args.json {
        reindex::say_outdated(context, &documents.client, &documents.scope).await?;
    }
    let model = models::choose(context, &documents.client, &documents.scope)?;
    let toolbox = documents.client.within(&documents.scope).toolbox(false).await?;
    let label = model.label();
    let agent = Agent::new(toolbox, model).with_limits(context.settings.limits()).with_prompts(context.prompts.clone());
    let mut conversation = documents.conversation();

    let live = context.printer.out_is_terminal() && !args.json;
    let mut view = AnswerView::new(&context.printer, live);
    let answer = run_interruptibly(&agent, &mut conversation, question, &mut view).await?;
    if args.json {
        let price = context.settings.server.as_ref().and_then(|server| server.price);
        context.printer.json(&report(question, &label, &answer, price, &documents.skipped))?;
    } else {
        view.finish(&answer)?;
    }
    Ok(status_of(answer.outcome))
}

/// Runs one question; Ctrl-C cancels it, and the run then ends by itself with a valid history. A second Ctrl-C ends the program.
pub(crate) async fn run_interruptibly(
    agent: &Agent,
    conversation: &mut Conversation,
    question: &str,
    view: &mut AnswerView,
) -> Result<Answer, CliError> {
    let cancel = CancellationToken::new();
    let watcher = tokio::spawn(watch_for_interrupt(cancel.clone()));
    let mut written: io::Result<()> = Ok(());
    let answer = {
        let written = &mut written;
        let stop = cancel.clone();
        let mut hear = move |event| {
            if written.is_ok() {
                *written = view.on_event(&event);
                if written.is_err() {
                    // Nobody reads any more; going on would only cost money.
                    stop.cancel();
                }
            }
        };
        agent.run(conversation, question, &mut hear, &cancel).await
    };
    watcher.abort();
    written?;
    Ok(answer)
}

async fn watch_for_interrupt(cancel: CancellationToken) {
    if tokio::signal::ctrl_c().await.is_ok() {
        cancel.cancel();
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(ExitStatus::Interrupted as i32);
        }
    }
}

pub(crate) fn status_of(outcome: Outcome) -> ExitStatus {
    match outcome {
        Outcome::Answered | Outcome::NotFound => ExitStatus::Success,
        Outcome::Limit => ExitStatus::Limit,
        Outcome::Interrupted => ExitStatus::Interrupted,
        Outcome::Error => ExitStatus::Model,
    }
}

fn report<'a>(
    question: &'a str,
    model: &'a str,
    answer: &'a Answer,
    price: Option<Price>,
    skipped: &'a [Skipped],
) -> AskReport<'a> {
    AskReport {
        question,
        outcome: answer.outcome,
        answer: &answer.answer,
        answer_raw: &answer.answer_raw,
        citations: &answer.citations,
        unsupported: &answer.unsupported,
        from_memory: answer.from_memory,
        pages_read: &answer.pages_read,
        tool_calls: &answer.tool_calls,
        model,
        usage: answer.usage,
        cost: price.map(|price| price.of(&answer.usage)),
        elapsed_ms: answer.elapsed_ms,
        error: answer.error.as_deref(),
        error_kind: answer.error_kind,
        skipped,
    }
}
