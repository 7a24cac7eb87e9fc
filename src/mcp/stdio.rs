//! MCP over stdin and stdout: one JSON-RPC message a line, nothing else.

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tokio_util::sync::CancellationToken;

use super::Server;
use super::lines::Lines;
use crate::error::{Error, Result};

/// Serves until the host closes our stdin or `cancel` fires. Calls that are running then get five seconds.
///
/// # Errors
/// [`Error::Io`] when the host and this server cannot agree on how to speak.
pub async fn serve_stdio(server: Server, cancel: CancellationToken) -> Result<()> {
    let lines = Lines::new(tokio::io::stdin(), tokio::io::stdout());
    match server.serve_with_ct(lines, cancel).await {
        Ok(running) => {
            if let Err(error) = running.waiting().await {
                tracing::warn!(%error, "the MCP service ended badly");
            }
            Ok(())
        }
        // A host that goes, or is told to go, before it has said anything.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
        Err(error) => Err(Error::Io { what: "the MCP host could not be served".to_owned(), source: std::io::Error::other(error) }),
    }
}
