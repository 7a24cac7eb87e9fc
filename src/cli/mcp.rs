//! `pagewise mcp`: the tools for any MCP host.

use tokio_util::sync::CancellationToken;

use super::Context;
use super::args::{McpArgs, McpCommand};
use super::exit::{CliError, ExitStatus};
use crate::mcp::{Server, serve_stdio};

pub(crate) async fn run(context: &mut Context, args: McpArgs) -> Result<ExitStatus, CliError> {
    if let Some(McpCommand::Config(config)) = args.command {
        return super::mcp_config::run(context, config).await;
    }
    let toolbox = context.toolbox(&args.surface, Some(&args.reply)).await?;
    let server = Server::new(toolbox, &args.surface.docs).await?;
    let cancel = CancellationToken::new();
    serve_stdio(server, cancel).await?;
    Ok(ExitStatus::Success)
}
