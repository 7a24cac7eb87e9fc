//! `pagewise tree`: the sections of a document, stored or not.

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;

use super::args::TreeArgs;
use super::exit::{CliError, ExitStatus};
use super::printer::{Printer, harmless_name};
use super::{Context, documents};
use crate::index::{self, IndexOptions, Node};
use crate::pdf::{OpenOptions, PdfError, PdfErrorKind, PdfFile};

/// The object of `--json`.
#[derive(Debug, Serialize)]
struct TreeReport {
    doc_name: String,
    page_count: u32,
    toc_source: Option<String>,
    structure: Vec<Node>,
}

pub(crate) async fn run(context: &mut Context, args: TreeArgs) -> Result<ExitStatus, CliError> {
    let path = Path::new(&args.document);
    let report = if path.is_file() {
        of_file(path, args.password.open_options()).await?
    } else {
        of_stored(context, &args.document).await?
    };
    if args.json {
        context.printer.json(&report)?;
    } else {
        show(&context.printer, &report.structure, 0)?;
    }
    Ok(ExitStatus::Success)
}

async fn of_file(path: &Path, options: OpenOptions) -> Result<TreeReport, CliError> {
    let path = path.to_owned();
    let doc_name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let read = tokio::task::spawn_blocking(move || {
        let file = Arc::new(PdfFile::open(&path, &options)?);
        index::index_file(&file, &IndexOptions::default(), &|_, _| {})
    });
    let indexed = finish(read).await?;
    Ok(TreeReport {
        doc_name,
        page_count: u32::try_from(indexed.pages.len()).unwrap_or(u32::MAX),
        toc_source: Some(indexed.toc_source.as_str().to_owned()),
        structure: indexed.tree,
    })
}

/// Waits for blocking work on a file.
pub(crate) async fn finish<T>(work: tokio::task::JoinHandle<Result<T, PdfError>>) -> Result<T, CliError> {
    match work.await {
        Ok(result) => Ok(result?),
        Err(error) => Err(PdfError::new(PdfErrorKind::Damaged, format!("reading the file was broken off: {error}")).into()),
    }
}

async fn of_stored(context: &Context, name: &str) -> Result<TreeReport, CliError> {
    let client = context.client()?;
    let document = documents::readable(&client, name).await?;
    let structure = client.library().tree(&document.id).await?;
    Ok(TreeReport {
        doc_name: document.name,
        page_count: document.page_count.unwrap_or(0),
        toc_source: document.toc_source,
        structure,
    })
}

/// Sections with their pages, indented.
pub(crate) fn show(printer: &Printer, nodes: &[Node], depth: usize) -> std::io::Result<()> {
    for node in nodes {
        let pages = if node.start_index == node.end_index {
            format!("p. {}", node.start_index)
        } else {
            format!("pp. {}-{}", node.start_index, node.end_index)
        };
        printer.raw(&format!("{}{}  {}\n", "  ".repeat(depth), harmless_name(&node.title), printer.dim(&pages)))?;
        show(printer, &node.nodes, depth + 1)?;
    }
    Ok(())
}
