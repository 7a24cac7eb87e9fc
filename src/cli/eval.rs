//! `pagewise eval`: a file of questions, answered in a batch.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio_util::sync::CancellationToken;

use super::args::EvalArgs;
use super::exit::{CliError, ExitStatus};
use super::{Context, models};
use crate::client::Client;
use crate::config::ValueOrigin;
use crate::eval::{self, EvalOptions, Sample, Summary};
use crate::library::Scope;

pub(crate) async fn run(context: &mut Context, args: EvalArgs) -> Result<ExitStatus, CliError> {
    let mut questions = eval::read_questions(&args.questions)?;
    questions.truncate(args.limit.unwrap_or(usize::MAX));
    if !args.docs.is_dir() {
        return Err(CliError::usage(format!("--docs {} is not a folder", args.docs.display())));
    }
    // A batch does not mix its documents into the user's library, unless told to.
    let named = context.settings.library.origin != ValueOrigin::Default;
    let library = if named { context.settings.library.value.clone() } else { args.out.join("library.db") };
    if args.out.is_file() {
        return Err(CliError::usage(format!("--out {} is a file, not a folder", args.out.display())));
    }
    let client = Client::local(context.library_options(Some(library)))?;
    let model = models::factory(context, &client)?;
    eval::claim(&args.out, &model(&Scope::All)?.label())?;
    let options = EvalOptions {
        docs: args.docs,
        out: args.out,
        jobs: usize::from(args.jobs),
        limits: context.settings.limits(),
        prompts: context.prompts.clone(),
        open: args.password.open_options(),
    };
    let bar = progress_bar(context, questions.len());
    let done = eval::read_samples(&options.out)?;
    bar.set_position(done.iter().filter(|sample| questions.iter().any(|question| question.id == sample.id)).count() as u64);
    let cancel = CancellationToken::new();
    let watcher = tokio::spawn({
        let cancel = cancel.clone();
        async move {
            if tokio::signal::ctrl_c().await.is_ok() {
                cancel.cancel();
            }
        }
    });
    let printer = context.printer.clone();
    let on_sample = |sample: &Sample| {
        bar.inc(1);
        if let Some(error) = &sample.error {
            bar.suspend(|| printer.error(&format!("{}: {error}", sample.id), None));
        }
    };
    let samples = eval::run(&client, &*model, &questions, &options, &cancel, on_sample).await?;
    watcher.abort();
    bar.finish_and_clear();
    let summary = Summary::of(&samples, &questions);
    context.printer.line(&summary.to_string())?;
    if cancel.is_cancelled() {
        context.printer.note("interrupted; the same command goes on from here");
    }
    let unasked = questions.len().saturating_sub(samples.len());
    let stopped = !cancel.is_cancelled() && unasked > 0;
    if stopped {
        context
            .printer
            .note(&format!("stopped, for {unasked} more would fail in the same way; the same command goes on from here"));
    }
    Ok(if cancel.is_cancelled() {
        ExitStatus::Interrupted
    } else if stopped {
        ExitStatus::Model
    } else if summary.is_complete() {
        ExitStatus::Success
    } else {
        ExitStatus::Partial
    })
}

fn progress_bar(context: &Context, questions: usize) -> ProgressBar {
    let target = if context.printer.quiet() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(questions as u64), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} questions, {eta} left") {
        bar.set_style(style);
    }
    bar
}
