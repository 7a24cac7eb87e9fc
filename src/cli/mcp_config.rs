//! `pagewise mcp config`: what a host needs to start the server, to paste or written in place.

use std::path::{Path, PathBuf};

use super::Context;
use super::args::McpConfigArgs;
use super::exit::{CliError, ExitStatus};
use super::printer::harmless_name;
use crate::config::ValueOrigin;
use crate::mcp::hosts::{Host, Outcome, Places, write};
use crate::mcp::{ServedBy, ServerEntry};

pub(crate) async fn run(context: &mut Context, args: McpConfigArgs) -> Result<ExitStatus, CliError> {
    let host = args.host;
    if !args.surface.docs.is_empty() {
        // The server leaves out a name that is not there, and says so where nobody looks.
        context.client()?.resolve(&args.surface.docs).await?;
    }
    let library = &context.settings.library;
    let entry = ServerEntry::of_this_program(&ServedBy {
        // A library that the environment or the config file names is written down too: the host may see neither.
        library: (library.origin != ValueOrigin::Default).then(|| library.value.clone()),
        docs: args.surface.docs,
        include_management: args.surface.include_management,
        max_result_chars: args.reply.max_result_chars.or(host.max_result_chars()),
    })?;
    let path = file(host, args.project, args.path)?;
    let shown = harmless_name(&path.to_string_lossy());
    if !args.write {
        context.printer.raw(&host.block(&entry))?;
        context.printer.note(&format!("belongs in {shown}; --write puts it there"));
        return Ok(ExitStatus::Success);
    }
    let done = match write(host, &path, &entry)? {
        Outcome::Same => {
            context.printer.line(&format!("pagewise is already there: {shown}"))?;
            return Ok(ExitStatus::Success);
        }
        Outcome::Created => format!("created {shown}"),
        Outcome::Added { backup } => format!("added pagewise to {shown}; what it held before: {}", name(&backup)),
        Outcome::Replaced { backup } => format!("replaced pagewise in {shown}; what it held before: {}", name(&backup)),
    };
    context.printer.line(&done)?;
    context.printer.note(host.next_step(args.project));
    Ok(ExitStatus::Success)
}

/// The file that is meant.
fn file(host: Host, project: bool, path: Option<PathBuf>) -> Result<PathBuf, CliError> {
    if let Some(path) = path {
        return Ok(path);
    }
    if !project {
        return Ok(host.user_file(&Places::of_this_user()?));
    }
    host.project_file(&std::env::current_dir()?).ok_or_else(|| {
        CliError::usage(format!("{} has no file for a project", host.title()))
            .with_hint("leave out --project, or name the file with --path")
    })
}

fn name(path: &Path) -> String {
    harmless_name(&path.file_name().unwrap_or_default().to_string_lossy())
}
