//! `--with-model`: added documents improved by a language model.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde::Serialize;

use super::args::ImproveArgs;
use super::exit::CliError;
use super::printer::harmless_name;
use super::{Context, models};
use crate::client::Client;
use crate::improve::{Improved, ModelAdvisor, improve};
use crate::index::enrich::{EnrichOptions, Progress, Spent};
use crate::library::{DocumentRecord, Scope};
use crate::model::openai::RetryPolicy;

/// A wait that is worth a line.
const LONG_WAIT: Duration = Duration::from_secs(10);

/// How an improvement went; part of the object of `--json`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ImprovementReport {
    /// `improved`, `partly` (some sections keep what they had), `already`, `stopped` (by the model; the tree is the one found without it),
    /// `failed` (the library could not store it, or it was removed), `interrupted`, or `not_tried` (after the model stopped).
    status: &'static str,
    /// Parts asked for and settled in this run.
    asked: usize,
    /// Parts that an earlier run had finished.
    reused: usize,
    /// Parts of this run without an outcome.
    missed: usize,
    usage: Spent,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl ImprovementReport {
    fn new(status: &'static str, progress: Progress) -> Self {
        let Progress { asked, missed, reused, spent, .. } = progress;
        Self { status, asked, reused, missed, usage: spent, error: None }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.status == "interrupted"
    }

    fn is_good(&self) -> bool {
        matches!(self.status, "improved" | "already")
    }

    /// For the line of the document.
    pub(crate) fn in_words(&self) -> &'static str {
        match self.status {
            "improved" => "improved with the model",
            "already" => "improved before",
            "partly" => "improved in part",
            _ => "not improved",
        }
    }
}

/// Improves documents one after the other, as long as the model can.
pub(crate) struct Improver {
    advisor: ModelAdvisor,
    options: EnrichOptions,
    /// The model as the user calls it.
    model: String,
    spent: Spent,
    asked: bool,
    stopped: bool,
    all_good: bool,
}

impl Improver {
    /// The improver that flags and settings ask for, if they do. One line on stderr says where document text goes.
    pub(crate) fn of(context: &Context, args: &ImproveArgs) -> Result<Option<Self>, CliError> {
        let settings = &context.settings;
        if !settings.with_model.value {
            if args.model.is_some() || args.base_url.is_some() || args.jobs.is_some() {
                return Err(CliError::usage(
                    "--model, --base-url and --jobs are for --with-model; without it, documents are added without a model",
                ));
            }
            return Ok(None);
        }
        let name = settings.language_model().filter(|name| !name.is_empty());
        let (Some(name), Some(server)) = (name, &settings.server) else {
            return Err(CliError::usage("--with-model needs a language model, and the built-in reader is none").with_hint(
                "name one with --model NAME, PAGEWISE_MODEL or `model` in the config file (and its server with --base-url); \
                 --with-model=false adds without one",
            ));
        };
        // Who asks decides on further tries, for all requests at once.
        let model = models::language_model(server, RetryPolicy { tries: 1, ..RetryPolicy::default() })?;
        if let Some(destination) = model.destination() {
            context.printer.note(&format!("{name} improves what is added: the text of the documents is sent to {destination}."));
        }
        Ok(Some(Self {
            advisor: ModelAdvisor::new(model),
            options: EnrichOptions { prompts: context.prompts.clone(), ..settings.enrich_options() },
            model: name.to_owned(),
            spent: Spent::default(),
            asked: false,
            stopped: false,
            all_good: true,
        }))
    }

    /// Improves a document that is stored. `document` becomes what it is then.
    pub(crate) async fn improve(
        &mut self,
        context: &Context,
        client: &Client,
        document: &mut DocumentRecord,
    ) -> Result<ImprovementReport, CliError> {
        if self.stopped {
            self.all_good = false;
            return Ok(ImprovementReport::new("not_tried", Progress::default()));
        }
        let report = self.try_it(context, client, document).await?;
        self.spent += report.usage;
        self.asked |= report.usage.requests > 0;
        self.all_good &= report.is_good();
        Ok(report)
    }

    async fn try_it(
        &mut self,
        context: &Context,
        client: &Client,
        document: &mut DocumentRecord,
    ) -> Result<ImprovementReport, CliError> {
        let name = harmless_name(&document.name);
        let bar = progress_bar(context, &name);
        let last = std::sync::Mutex::new(Progress::default());
        let hear = |progress: Progress| {
            bar.set_length((progress.total - progress.reused.min(progress.total)) as u64);
            bar.set_position(progress.asked as u64);
            match progress.waiting {
                Some(pause) => bar.set_message(format!("{name} (waiting {} s for the server)", pause.as_secs_f32().ceil())),
                None => bar.set_message(name.clone()),
            }
            if let Ok(mut last) = last.lock() {
                let long = progress.waiting.filter(|pause| *pause >= LONG_WAIT && last.waiting != progress.waiting);
                if let Some(pause) = long {
                    bar.suspend(|| context.printer.note(&format!("the server asks to wait {} s", pause.as_secs())));
                }
                *last = progress;
            }
        };
        let id = document.id.clone();
        let outcome = tokio::select! {
            outcome = improve(client.library()?, &id, &self.advisor, &self.options, &hear) => Some(outcome),
            _ = tokio::signal::ctrl_c() => None,
        };
        bar.finish_and_clear();
        let Some(outcome) = outcome else {
            let progress = last.into_inner().unwrap_or_default();
            context.printer.note(&format!("stopped: {name} is stored; {}", kept(&progress)));
            return Ok(ImprovementReport::new("interrupted", progress));
        };
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                context.printer.error(&format!("{name}: {error}"), None);
                let progress = last.into_inner().unwrap_or_default();
                return Ok(ImprovementReport { error: Some(error.to_string()), ..ImprovementReport::new("failed", progress) });
            }
        };
        Ok(match outcome {
            Improved::Already => ImprovementReport::new("already", Progress::default()),
            Improved::Done { document: now, progress, why_missed } => {
                *document = *now;
                match why_missed {
                    None => ImprovementReport::new("improved", progress),
                    Some(why) => {
                        let Progress { missed, total, .. } = progress;
                        let message = format!("{missed} of {total} parts of {name} stay as they were without the model: {why}");
                        context.printer.note(&format!("{message}. The same command asks for them again."));
                        ImprovementReport { error: Some(why), ..ImprovementReport::new("partly", progress) }
                    }
                }
            }
            Improved::Stopped(halt) if client.library()?.find(&Scope::All, &id.0).await.is_ok_and(|found| found.is_none()) => {
                let error = format!("{name} was removed while it was improved");
                context.printer.error(&error, None);
                ImprovementReport { error: Some(error), ..ImprovementReport::new("failed", halt.progress) }
            }
            Improved::Stopped(halt) => {
                self.stopped = true;
                context.printer.error(&format!("{} could not go on: {}", self.model, halt.message), halt.hint.as_deref());
                context.printer.note(&format!("{name} is stored and can be used as it is; {}", kept(&halt.progress)));
                ImprovementReport { error: Some(halt.message), ..ImprovementReport::new("stopped", halt.progress) }
            }
        })
    }

    /// Says what was spent. Whether all documents are improved.
    pub(crate) fn finish(self, context: &Context) -> bool {
        if self.asked {
            let Spent { input_tokens, output_tokens, requests } = self.spent;
            let tokens = match input_tokens + output_tokens {
                0 => "the server does not count tokens".to_owned(),
                _ => format!("{input_tokens} tokens read, {output_tokens} written"),
            };
            let plural = if requests == 1 { "" } else { "s" };
            context.printer.note(&format!("{}: {requests} request{plural}, {tokens}.", self.model));
        }
        self.all_good
    }
}

/// How much is finished and how to go on.
fn kept(progress: &Progress) -> String {
    match progress.asked.saturating_sub(progress.missed) + progress.reused {
        0 => "nothing is lost: the same command improves it".to_owned(),
        done => format!("{done} of {} parts are finished and kept: the same command goes on from there", progress.total),
    }
}

fn progress_bar(context: &Context, name: &str) -> ProgressBar {
    let target = if context.printer.quiet() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(0), target);
    if let Ok(style) = ProgressStyle::with_template("improving {msg} {bar:24} {pos}/{len} parts, {rate}, {eta} left") {
        let rate = |state: &ProgressState, out: &mut dyn Write| {
            // A terminal that is gone needs no rate.
            let _ = write!(out, "{:.1}/s", state.per_sec());
        };
        bar.set_style(style.with_key("rate", rate));
    }
    bar.set_message(name.to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
