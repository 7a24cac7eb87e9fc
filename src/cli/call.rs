//! `pagewise call`: one tool, one envelope; so any language can use the tools by running a program.

use tokio_util::sync::CancellationToken;

use super::Context;
use super::args::CallArgs;
use super::exit::{CliError, ExitStatus};
use crate::client::read_arguments;

pub(crate) async fn run(context: &mut Context, args: CallArgs) -> Result<ExitStatus, CliError> {
    let client = context.client()?;
    let scope = client.scope(&args.surface.docs).await?;
    let toolbox = client.toolbox(scope, args.surface.include_management);
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
    context.printer.raw(&format!("{}\n", super::printer::harmless_json(&reply.envelope)))?;
    Ok(if reply.is_error { ExitStatus::Failure } else { ExitStatus::Success })
}
