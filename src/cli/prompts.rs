//! `pagewise prompts`: what models are told, to be read and to be replaced.

use std::io::Write;
use std::path::Path;

use super::Context;
use super::args::PromptsArgs;
use super::exit::{CliError, ExitStatus};
use crate::error::Error;
use crate::prompts::Prompt;

pub(crate) fn run(context: &Context, args: &PromptsArgs) -> Result<ExitStatus, CliError> {
    if let Some(folder) = &args.write {
        return write(context, folder);
    }
    let Some(name) = &args.name else {
        for prompt in Prompt::ALL {
            let mark = if context.prompts.is_replaced(*prompt) { "  (yours)" } else { "" };
            context.printer.line(&format!("{}{mark}", prompt.name()))?;
        }
        return Ok(ExitStatus::Success);
    };
    let Some(prompt) = Prompt::ALL.iter().find(|prompt| prompt.name() == name) else {
        return Err(CliError::usage("there is no prompt of this name").with_hint("`pagewise prompts` lists the names"));
    };
    context.printer.line(&super::printer::harmless(context.prompts.text(*prompt).trim_end()))?;
    Ok(ExitStatus::Success)
}

/// Writes the texts in use into a folder. Files that are there stay: they may be the work of hours.
fn write(context: &Context, folder: &Path) -> Result<ExitStatus, CliError> {
    let io = |source| Error::Io { what: format!("the prompts cannot be written to {}", folder.display()), source };
    std::fs::create_dir_all(folder).map_err(io)?;
    let mut kept = 0;
    for prompt in Prompt::ALL {
        let path = folder.join(format!("{}.md", prompt.name()));
        match std::fs::OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => file.write_all(context.prompts.text(*prompt).as_bytes()).map_err(io)?,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => kept += 1,
            Err(error) => return Err(io(error).into()),
        }
    }
    let written = Prompt::ALL.len() - kept;
    let left = if kept > 0 { format!("; {kept} that were there stay as they are") } else { String::new() };
    context.printer.note(&format!("{written} texts written{left}; --prompts DIR or PAGEWISE_PROMPTS uses a folder"));
    Ok(ExitStatus::Success)
}
