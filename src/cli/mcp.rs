//! `pagewise mcp`: the tools for any MCP host. stdout belongs to the protocol; everything for people goes to stderr.

use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use super::Context;
use super::args::{McpArgs, McpCommand, SurfaceArgs};
use super::exit::{CliError, ExitStatus};
use crate::error::Error;
use crate::mcp::{HttpAccess, HttpServer, Server, serve_stdio};

/// Where the token of the HTTP server may stand.
const TOKEN_VARIABLE: &str = "PAGEWISE_MCP_TOKEN";
/// How long calls that are running may take to end once the server was told to stop.
const GRACE: Duration = Duration::from_secs(3);

pub(crate) async fn run(context: &mut Context, args: McpArgs) -> Result<ExitStatus, CliError> {
    if let Some(McpCommand::Config(config)) = args.command {
        return super::mcp_config::run(context, config).await;
    }
    let surface = present(context, args.surface).await?;
    let toolbox = context.toolbox(&surface, Some(&args.reply)).await?;
    let server = Server::new(toolbox, &surface.docs).await?;
    let cancel = CancellationToken::new();
    let Some(address) = &args.http else {
        if std::io::stdin().is_terminal() {
            context
                .printer
                .note("waiting for an MCP host on stdin; `pagewise mcp config` tells hosts how to start this (Ctrl-C ends it)");
        }
        let service = serve_stdio(server, cancel.clone());
        return until_stopped(service, &cancel).await;
    };
    let access = HttpAccess { token: token(args.token_file.as_deref())?, origins: args.allow_origin, hosts: args.allow_host };
    let listening = HttpServer::bind(address, access).await?;
    context.printer.note(&format!("serving MCP at {} (Ctrl-C ends it)", listening.url()));
    until_stopped(listening.serve(server, cancel.clone()), &cancel).await
}

/// The surface without the documents that are gone: a host cannot mend its own configuration, and the others can still be read. When all
/// of them are gone it is left as it is, and fails where it is used.
async fn present(context: &Context, surface: SurfaceArgs) -> Result<SurfaceArgs, CliError> {
    let client = context.client()?;
    let mut docs = Vec::new();
    let mut missing = Vec::new();
    for name in &surface.docs {
        match client.resolve(std::slice::from_ref(name)).await {
            Ok(_) => docs.push(name.clone()),
            Err(error @ Error::NoSuchDocument(_)) => missing.push(error),
            Err(error) => return Err(error.into()),
        }
    }
    if docs.is_empty() {
        return Ok(surface);
    }
    for error in &missing {
        context.printer.note(&error.to_string());
    }
    Ok(SurfaceArgs { docs, ..surface })
}

/// Runs the service until it ends by itself, or until a signal ends it.
async fn until_stopped(
    service: impl Future<Output = crate::Result<()>>,
    cancel: &CancellationToken,
) -> Result<ExitStatus, CliError> {
    tokio::pin!(service);
    let status = tokio::select! {
        ended = &mut service => return ended.map(|()| ExitStatus::Success).map_err(Into::into),
        _ = tokio::signal::ctrl_c() => ExitStatus::Interrupted,
        () = told_to_end() => ExitStatus::Success,
    };
    cancel.cancel();
    // What does not end in time (a host that holds its stream open) is left behind.
    match tokio::time::timeout(GRACE, service).await {
        Ok(Err(error)) => Err(error.into()),
        Ok(Ok(())) | Err(_) => Ok(status),
    }
}

/// Waits for the signal by which a service manager ends a program.
#[cfg(unix)]
async fn told_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            terminate.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn told_to_end() {
    std::future::pending().await
}

/// The token of the file, else of the environment. It is never an argument: other users of the machine see those.
fn token(file: Option<&Path>) -> Result<Option<SecretString>, CliError> {
    if let Some(path) = file {
        let text = std::fs::read_to_string(path)
            .map_err(|source| crate::Error::Io { what: format!("cannot read the token in {}", path.display()), source })?;
        return Ok(Some(text.trim().into()));
    }
    match std::env::var(TOKEN_VARIABLE) {
        Ok(token) => Ok(Some(token.trim().into())),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => Err(CliError::usage(format!("{TOKEN_VARIABLE} is not text"))),
    }
}
