//! `pagewise tree`: the sections of a document, stored or not.

mod draw;
mod find;
mod select;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;

use super::args::TreeArgs;
use super::exit::{CliError, ExitStatus};
use super::printer::Printer;
use super::{Context, documents};
use crate::client::Client;
use crate::index::{self, IndexOptions, Node};
use crate::library::{DocumentRecord, Status};
use crate::pdf::{OpenOptions, PdfError, PdfErrorKind, PdfFile, content_hash_of};
use draw::Drawing;
use find::Wanted;
use select::{JsonNode, Shown};

/// A document as far as its tree goes.
struct Outline {
    doc_name: String,
    page_count: u32,
    toc_source: Option<String>,
    tree: Vec<Node>,
    /// Printed labels that differ from the number of their page.
    labels: BTreeMap<u32, String>,
}

/// What is shown, and how much is said of it.
#[derive(Default)]
struct View {
    /// Levels shown.
    depth: Option<usize>,
    wanted: Option<Wanted>,
    sources: bool,
    summaries: bool,
}

/// The object of `--json`.
#[derive(Debug, Serialize)]
struct TreeReport<'a> {
    doc_name: &'a str,
    page_count: u32,
    toc_source: Option<&'a str>,
    structure: Vec<JsonNode<'a>>,
}

pub(crate) async fn run(context: &mut Context, args: TreeArgs) -> Result<ExitStatus, CliError> {
    let wanted = match &args.grep {
        Some(text) => Some(Wanted::new(text).ok_or_else(|| CliError::usage("--grep needs some text to look for"))?),
        None => None,
    };
    let view = View { depth: args.depth.map(usize::from), wanted, sources: args.sources, summaries: args.summaries };
    let path = args.document.as_path();
    let outline = if !path.is_file() {
        let client = context.client()?;
        let document = documents::readable(&client, &path.to_string_lossy()).await?;
        of_stored(&client, document).await?
    } else if let Some((client, document)) = stored_content(context, path).await {
        of_stored(&client, document).await?
    } else {
        of_file(path, args.password.open_options()).await?
    };
    if args.json {
        let shown = select::select(&outline.tree, view.depth, view.wanted.as_ref());
        context.printer.json(&TreeReport {
            doc_name: &outline.doc_name,
            page_count: outline.page_count,
            toc_source: outline.toc_source.as_deref(),
            structure: shown.iter().map(|node| JsonNode::of(node, view.sources)).collect(),
        })?;
    } else {
        show(&context.printer, &outline, &view)?;
    }
    Ok(ExitStatus::Success)
}

/// Shows all of a stored tree to people.
pub(crate) async fn show_stored(printer: &Printer, client: &Client, document: DocumentRecord) -> Result<(), CliError> {
    let outline = of_stored(client, document).await?;
    Ok(show(printer, &outline, &View::default())?)
}

fn show(printer: &Printer, outline: &Outline, view: &View) -> std::io::Result<()> {
    let shown: Vec<Shown<'_>> = select::select(&outline.tree, view.depth, view.wanted.as_ref());
    let width = printer.out_is_terminal().then(|| printer.width());
    let drawing = Drawing { printer, labels: &outline.labels, view, width };
    printer.raw(&(drawing.head(outline) + &drawing.nodes(&shown)))?;
    if shown.is_empty() {
        printer.note("no title and no key item holds this text");
    }
    Ok(())
}

/// The stored document with the content of a file, if it is up to date: its tree is the one that questions are answered by, and a model may
/// have improved it. A library that cannot be read is no reason not to show the tree of a file.
async fn stored_content(context: &Context, path: &Path) -> Option<(Client, DocumentRecord)> {
    if !context.settings.library.value.is_file() {
        return None;
    }
    let client = context.client().ok()?;
    let path = path.to_owned();
    let (hash, _) = tokio::task::spawn_blocking(move || content_hash_of(&path)).await.ok()?.ok()?;
    let document = client.library().ok()?.find_content(&hash).await.ok()??;
    (document.status == Status::Completed && !document.outdated.any()).then_some((client, document))
}

async fn of_file(path: &Path, options: OpenOptions) -> Result<Outline, CliError> {
    let path = path.to_owned();
    let doc_name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let read = tokio::task::spawn_blocking(move || {
        let file = Arc::new(PdfFile::open(&path, &options)?);
        index::index_file(&file, &IndexOptions::default(), &|_, _| {})
    });
    let indexed = finish(read).await?;
    Ok(Outline {
        doc_name,
        page_count: u32::try_from(indexed.pages.len()).unwrap_or(u32::MAX),
        toc_source: Some(indexed.toc_source.as_str().to_owned()),
        tree: indexed.tree,
        labels: indexed.pages.into_iter().filter_map(|page| Some((page.number, page.label?))).collect(),
    })
}

/// Waits for blocking work on a file.
pub(crate) async fn finish<T>(work: tokio::task::JoinHandle<Result<T, PdfError>>) -> Result<T, CliError> {
    match work.await {
        Ok(result) => Ok(result?),
        Err(error) => Err(PdfError::new(PdfErrorKind::Damaged, format!("reading the file was broken off: {error}")).into()),
    }
}

async fn of_stored(client: &Client, document: DocumentRecord) -> Result<Outline, CliError> {
    let library = client.library()?;
    Ok(Outline {
        tree: library.tree(&document.id).await?,
        labels: library.labels(&document.id).await?,
        doc_name: document.name,
        page_count: document.page_count.unwrap_or(0),
        toc_source: document.toc_source,
    })
}

#[cfg(test)]
mod tests;
