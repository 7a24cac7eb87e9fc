//! The command line: one file per command, and the only code that writes to the terminal.

mod add;
mod answer;
mod args;
mod ask;
mod call;
mod chat;
mod documents;
mod eval;
mod exit;
mod improve;
mod list;
mod logging;
mod mcp;
mod mcp_config;
mod models;
mod pages;
mod printer;
mod prompts;
mod reindex;
mod remove;
mod repl;
mod search;
mod tools;
mod tree;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;

use crate::client::{Client, LocalOptions};
use crate::config::Settings;
use crate::prompts::Prompts;
use crate::tools::Toolbox;
use args::{Cli, Command, Failures, ReplyArgs, SurfaceArgs};
use exit::{CliError, ExitStatus};
use logging::Logging;
use printer::Printer;

/// What every command gets.
pub(crate) struct Context {
    pub(crate) settings: Settings,
    pub(crate) prompts: Prompts,
    pub(crate) printer: Printer,
}

impl Context {
    /// The library that the settings name.
    pub(crate) fn client(&self) -> crate::Result<Client> {
        Client::local(self.library_options(Some(self.settings.library.value.clone())))
    }

    /// How a library is opened: this file, or none that is kept.
    pub(crate) fn library_options(&self, library: Option<PathBuf>) -> LocalOptions {
        LocalOptions { library, prompts: self.prompts.clone(), ..LocalOptions::default() }
    }

    /// The tools that these flags leave open.
    pub(crate) async fn toolbox(&self, surface: &SurfaceArgs, reply: Option<&ReplyArgs>) -> crate::Result<Arc<dyn Toolbox>> {
        let mut client = self.client()?;
        if !surface.docs.is_empty() {
            client = client.limited_to(&surface.docs).await?;
        }
        if let Some(chars) = reply.and_then(|reply| reply.max_result_chars).and_then(|chars| usize::try_from(chars).ok()) {
            client = client.with_max_reply_chars(chars);
        }
        client.toolbox(surface.include_management).await
    }
}

/// Runs the program with the arguments of this process.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are answers and go to stdout; a closed pipe there is no failure.
            let code = if error.use_stderr() { ExitStatus::Usage } else { ExitStatus::Success };
            let _ = error.print();
            return code.into();
        }
    };
    // Before any async thread runs: the exporter of spans has threads of its own.
    let (settings, _logging) = match prepare(&cli) {
        Ok(prepared) => prepared,
        Err(error) => return report(&Printer::new(&cli.global), failures(&cli), &error).into(),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            Printer::new(&cli.global).error(&format!("the program could not start: {error}"), None);
            return ExitStatus::Failure.into();
        }
    };
    let code = runtime.block_on(run(cli, settings));
    // A blocked reader thread (the prompt) must not hold up the exit.
    runtime.shutdown_background();
    code.into()
}

fn prepare(cli: &Cli) -> Result<(Settings, Logging), CliError> {
    let settings = Settings::resolve(&cli.overrides())?;
    let logging = Logging::start(cli.global.verbose, settings.log_file.as_ref().map(|file| file.value.as_path()))?;
    Ok((settings, logging))
}

fn failures(cli: &Cli) -> Failures {
    cli.command.as_ref().map_or(Failures::Text, Command::failures)
}

async fn run(cli: Cli, settings: Settings) -> ExitStatus {
    let printer = Printer::new(&cli.global);
    let failures = failures(&cli);
    match dispatch(cli, settings, printer.clone()).await {
        Ok(status) => status,
        Err(error) => report(&printer, failures, &error),
    }
}

async fn dispatch(cli: Cli, settings: Settings, printer: Printer) -> Result<ExitStatus, CliError> {
    let prompts = match &settings.prompts {
        Some(folder) => Prompts::from_folder(&folder.value)?,
        None => Prompts::default(),
    };
    let mut context = Context { settings, prompts, printer };
    match cli.command {
        None => chat::run(&mut context, &cli.chat).await,
        Some(Command::Ask(args)) => ask::run(&mut context, args).await,
        Some(Command::Add(args)) => add::run(&mut context, args).await,
        Some(Command::List(args)) => list::run(&mut context, args).await,
        Some(Command::Search(args)) => search::run(&mut context, args).await,
        Some(Command::Tree(args)) => tree::run(&mut context, args).await,
        Some(Command::Pages(args)) => pages::run(&mut context, args).await,
        Some(Command::Reindex(args)) => reindex::run(&mut context, args).await,
        Some(Command::Remove(args)) => remove::run(&mut context, args).await,
        Some(Command::Call(args)) => call::run(&mut context, args).await,
        Some(Command::Tools(args)) => tools::run(&mut context, args).await,
        Some(Command::Mcp(args)) => mcp::run(&mut context, args).await,
        Some(Command::Prompts(args)) => prompts::run(&context, &args),
        Some(Command::Eval(args)) => eval::run(&mut context, args).await,
    }
}

fn report(printer: &Printer, failures: Failures, error: &CliError) -> ExitStatus {
    // Whether the reader is still there does not change the outcome.
    let _ = match (error, failures) {
        (CliError::Interrupted, Failures::Envelope) => call::print(printer, call::interrupted()),
        (CliError::ClosedPipe | CliError::Interrupted, _) => Ok(()),
        (CliError::Failed(failure), Failures::Envelope) => call::print(printer, call::refused(failure)),
        (CliError::Failed(failure), Failures::Json) => {
            printer.json(&serde_json::json!({"error": {"kind": failure.kind, "message": failure.message}}))
        }
        (CliError::Failed(failure), Failures::Text) => {
            printer.error(&failure.message, failure.hint.as_deref());
            Ok(())
        }
    };
    error.status()
}
