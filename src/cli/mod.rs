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
mod mcp;
mod mcp_config;
mod models;
mod pages;
mod printer;
mod reindex;
mod remove;
mod repl;
mod search;
mod tools;
mod tree;

use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;

use crate::client::{Client, LocalOptions};
use crate::config::Settings;
use crate::tools::Toolbox;
use args::{Cli, Command, Failures, GlobalArgs, ReplyArgs, SurfaceArgs};
use exit::{CliError, ExitStatus};
use printer::Printer;

/// What every command gets.
pub(crate) struct Context {
    pub(crate) settings: Settings,
    pub(crate) printer: Printer,
}

impl Context {
    /// The library that the settings name.
    pub(crate) fn client(&self) -> crate::Result<Client> {
        Client::local(LocalOptions { library: Some(self.settings.library.value.clone()), ..Default::default() })
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
    start_logging(&cli.global);
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            Printer::new(&cli.global).error(&format!("the program could not start: {error}"), None);
            return ExitStatus::Failure.into();
        }
    };
    let code = runtime.block_on(run(cli));
    // A blocked reader thread (the prompt) must not hold up the exit.
    runtime.shutdown_background();
    code.into()
}

async fn run(cli: Cli) -> ExitStatus {
    let printer = Printer::new(&cli.global);
    let failures = cli.command.as_ref().map_or(Failures::Text, Command::failures);
    match dispatch(cli, printer.clone()).await {
        Ok(status) => status,
        Err(error) => report(&printer, failures, &error),
    }
}

async fn dispatch(cli: Cli, printer: Printer) -> Result<ExitStatus, CliError> {
    let settings = Settings::resolve(&cli.overrides())?;
    let mut context = Context { settings, printer };
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
        Some(Command::Eval(args)) => eval::run(&mut context, args).await,
    }
}

fn report(printer: &Printer, failures: Failures, error: &CliError) -> ExitStatus {
    let failure = match error {
        CliError::ClosedPipe => return ExitStatus::Success,
        CliError::Interrupted => return ExitStatus::Interrupted,
        CliError::Failed(failure) => failure,
    };
    // Whether the reader is still there does not change the outcome.
    let _ = match failures {
        Failures::Text => {
            printer.error(&failure.message, failure.hint.as_deref());
            Ok(())
        }
        Failures::Json => printer.json(&serde_json::json!({"error": {"kind": failure.kind, "message": failure.message}})),
        Failures::Envelope => call::print(printer, &call::refused(failure)),
    };
    error.status()
}

/// Logs go to stderr. `PAGEWISE_LOG` (as `RUST_LOG` elsewhere) says what is logged; `-v` is a short form.
fn start_logging(global: &GlobalArgs) {
    let fallback = match global.verbose {
        0 => "off",
        1 => "pagewise=info",
        2 => "pagewise=debug",
        _ => "pagewise=trace",
    };
    let filter = tracing_subscriber::EnvFilter::try_from_env("PAGEWISE_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(fallback));
    // A second subscriber (a test that runs commands in one process) is not a fault.
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false).try_init();
}
