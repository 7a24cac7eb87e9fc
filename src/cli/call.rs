//! `pagewise call`: one tool, one envelope; so any language can use the tools by running a program.

use tokio_util::sync::CancellationToken;

use super::Context;
use super::args::CallArgs;
use super::exit::{CliError, ExitStatus};
use crate::client::read_arguments;
use crate::error::Error;
use crate::tools::harmless_json;

pub(crate) async fn run(context: &mut Context, args: CallArgs) -> Result<ExitStatus, CliError> {
    let toolbox = match context.toolbox(&args.surface, Some(&args.reply)).await {
        Ok(toolbox) => toolbox,
        // Whoever calls a tool gets an envelope, whatever happens.
        Err(error) => {
            context.printer.json(&failure(&error))?;
            return Ok(ExitStatus::Failure);
        }
    };
    let cancel = CancellationToken::new();
    let reply = {
        let arguments = read_arguments(&args.arguments);
        let call = toolbox.call(&args.tool, &arguments, &cancel);
        tokio::pin!(call);
        tokio::select! {
            reply = &mut call => reply,
            _ = tokio::signal::ctrl_c() => {
                cancel.cancel();
                return Err(CliError::Interrupted);
            }
        }
    };
    let is_error = reply.is_error;
    context.printer.raw(&format!("{}\n", harmless_json(reply.envelope)))?;
    Ok(if is_error { ExitStatus::Failure } else { ExitStatus::Success })
}

/// The envelope of a call that no toolbox could be opened for.
fn failure(error: &Error) -> impl serde::Serialize {
    #[derive(serde::Serialize)]
    struct Steps {
        summary: &'static str,
        options: [&'static str; 1],
    }
    #[derive(serde::Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Failure {
        error: String,
        error_code: &'static str,
        #[serde(rename = "next_steps")]
        next_steps: Steps,
    }
    let missing = matches!(error, Error::NoSuchDocument(_));
    Failure {
        error: error.to_string(),
        error_code: if missing { "NOT_FOUND" } else { "INTERNAL_ERROR" },
        next_steps: Steps {
            summary: if missing { "A document of --doc is not in the library." } else { "The library could not be opened." },
            options: [if missing {
                "Run `pagewise list` to see what is there."
            } else {
                "Check --library and the file that it names."
            }],
        },
    }
}
