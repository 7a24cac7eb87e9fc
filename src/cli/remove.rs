//! `pagewise remove`: out of the library, after a yes.

use std::io::{self, BufRead, IsTerminal};

use super::Context;
use super::args::RemoveArgs;
use super::exit::{CliError, ExitStatus};
use super::printer::harmless_name;
use crate::library::RemoveOutcome;

pub(crate) async fn run(context: &mut Context, args: RemoveArgs) -> Result<ExitStatus, CliError> {
    let client = context.client()?;
    // All names are looked up before anything is removed.
    let mut documents = client.resolve(&args.names).await?;
    documents.dedup_by(|a, b| a.id == b.id);
    if !args.yes {
        for document in &documents {
            let pages = document.page_count.map(|pages| format!(", {pages} pages")).unwrap_or_default();
            context.printer.note(&format!("{}{pages}", harmless_name(&document.name)));
        }
        if !io::stdin().is_terminal() {
            return Err(CliError::usage("nothing was removed: there is no terminal to ask; --yes removes without asking"));
        }
        let what = if documents.len() == 1 { "this document" } else { "these documents" };
        context.printer.prompt(&format!("Remove {what} from the library? The PDF files themselves stay. [y/N] "));
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        if !matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes") {
            context.printer.note("nothing was removed");
            return Ok(ExitStatus::Failure);
        }
    }
    let library = client.library()?;
    for document in documents {
        let name = harmless_name(&document.name);
        match library.remove(&document.id).await? {
            RemoveOutcome::Removed => context.printer.line(&format!("{name}  removed"))?,
            RemoveOutcome::NotFound => context.printer.line(&format!("{name}  was gone already"))?,
        }
    }
    Ok(ExitStatus::Success)
}
