//! `pagewise list`: what the library holds.

use serde_json::{Value, json};

use super::args::ListArgs;
use super::exit::{CliError, ExitStatus};
use super::printer::{Printer, harmless_name};
use super::{Context, reindex};
use crate::library::{DocumentRecord, Origin, Scope, Status};

/// Documents fetched at a time; nothing loads a whole library.
const PAGE: u32 = 200;

pub(crate) async fn run(context: &mut Context, args: ListArgs) -> Result<ExitStatus, CliError> {
    let client = context.client()?;
    let library = client.library()?;
    let mut offset = 0;
    let mut all: Vec<Value> = Vec::new();
    loop {
        let page = library.list(&Scope::All, offset, PAGE).await?;
        if page.total == 0 && !args.json {
            context.printer.note("the library is empty; `pagewise add FILE.pdf` adds to it");
        }
        for document in &page.documents {
            if args.json {
                all.push(object(document));
            } else {
                show(&context.printer, document)?;
            }
        }
        offset += page.documents.len() as u64;
        if page.documents.is_empty() || offset >= page.total {
            break;
        }
    }
    if args.json {
        context.printer.json(&all)?;
    } else {
        reindex::say_outdated(context, &client, &Scope::All).await?;
    }
    Ok(ExitStatus::Success)
}

/// One document on a line or two.
pub(crate) fn show(printer: &Printer, document: &DocumentRecord) -> std::io::Result<()> {
    let pages = match (document.status, document.page_count) {
        (Status::Completed, Some(1)) => "1 page".to_owned(),
        (Status::Completed, Some(pages)) => format!("{pages} pages"),
        (status, _) => status.as_str().to_owned(),
    };
    let mut head = format!("{}  {pages}", printer.bold(&harmless_name(&document.name)));
    if !document.notes.is_empty() {
        head.push_str(&format!("  [{}]", harmless_name(&document.notes_in_words().join("; "))));
    }
    printer.wrapped(&head, 4)?;
    let detail = document.failure.as_deref().unwrap_or(&document.description);
    if detail.is_empty() { Ok(()) } else { printer.wrapped(&format!("    {}", harmless_name(detail)), 4) }
}

/// Where it came from; a path that is not Unicode is shown as well as it goes.
fn origin(origin: &Origin) -> Value {
    match origin {
        Origin::Path(path) => json!({"path": path.to_string_lossy()}),
        Origin::Bytes => json!("bytes"),
        Origin::Cloud(id) => json!({"cloud": id}),
    }
}

fn object(document: &DocumentRecord) -> Value {
    json!({
        "id": document.id,
        "name": document.name,
        "description": document.description,
        "status": document.status,
        "failure": document.failure,
        "pages": document.page_count,
        "bytes": document.bytes,
        "created_ms": document.created_ms,
        "metadata": document.metadata,
        "origin": origin(&document.origin),
        "content_hash": document.content_hash,
        "toc_source": document.toc_source,
        "notes": document.notes,
        "outdated": document.outdated.names(),
    })
}
