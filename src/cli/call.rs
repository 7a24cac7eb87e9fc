//! `pagewise call`: one tool, one envelope; so any language can use the tools by running a program.

use std::io::{self, Read};

use tokio_util::sync::CancellationToken;

use super::Context;
use super::args::CallArgs;
use super::exit::{CliError, ExitStatus, Failure};
use super::printer::Printer;
use crate::client::read_arguments;
use crate::tools::{Refusal, ToolReply, harmless_json};

/// Most bytes of arguments that are read from stdin. The largest that a tool takes are far below; more is a mistake, such as a file.
const MAX_STDIN: u64 = 16 << 20;

pub(crate) async fn run(context: &mut Context, args: CallArgs) -> Result<ExitStatus, CliError> {
    let json = if args.arguments == "-" { from_stdin().await? } else { args.arguments };
    let toolbox = context.toolbox(&args.surface, Some(&args.reply)).await?;
    let cancel = CancellationToken::new();
    let arguments = read_arguments(&json);
    let call = toolbox.call(&args.tool, &arguments, &cancel);
    tokio::pin!(call);
    let mut interrupted = false;
    let reply = tokio::select! {
        reply = &mut call => reply,
        _ = tokio::signal::ctrl_c() => {
            interrupted = true;
            cancel.cancel();
            // A cancelled tool answers at once, and whoever reads our output gets its envelope.
            call.await
        }
    };
    print(&context.printer, &reply)?;
    if interrupted {
        return Err(CliError::Interrupted);
    }
    Ok(if reply.is_error { ExitStatus::Failure } else { ExitStatus::Success })
}

/// The envelope on a line of its own.
pub(crate) fn print(printer: &Printer, reply: &ToolReply) -> io::Result<()> {
    printer.raw(&format!("{}\n", harmless_json(reply.envelope.clone())))
}

/// The envelope of a call that failed before a tool was reached.
pub(crate) fn refused(failure: &Failure) -> ToolReply {
    let (refusal, remedy) = match failure.kind {
        "no_such_document" => (Refusal::NoSuchDocument, "Run `pagewise list` to see what is there."),
        "library" => (Refusal::Unable, "Check --library and the file that it names."),
        "settings" => (Refusal::WrongCall, "Check the config file and the flags of the call."),
        "usage" => (Refusal::WrongCall, "`pagewise call --help` shows how it is called."),
        _ => (Refusal::Unable, "Tell the user what the error says."),
    };
    refusal.reply(&failure.message, Some(failure.hint.as_deref().unwrap_or(remedy)))
}

/// All of stdin as text.
async fn from_stdin() -> Result<String, CliError> {
    let reading = tokio::task::spawn_blocking(|| {
        let mut bytes = Vec::new();
        io::stdin().lock().take(MAX_STDIN + 1).read_to_end(&mut bytes).map(|_| bytes)
    });
    let bytes = tokio::select! {
        read = reading => read.map_err(io::Error::other)?,
        _ = tokio::signal::ctrl_c() => return Err(CliError::Interrupted),
    }
    .map_err(|error| CliError::stdin(format!("the arguments cannot be read from stdin: {error}")))?;
    if bytes.len() as u64 > MAX_STDIN {
        return Err(CliError::stdin(format!("the arguments on stdin are over {} MiB", MAX_STDIN >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| CliError::stdin("the arguments on stdin are not UTF-8 text".to_owned()))
}
