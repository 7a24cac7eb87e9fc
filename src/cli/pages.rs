//! `pagewise pages`: the text of pages, of a file or of a stored document.

use std::ops::RangeInclusive;
use std::path::Path;

use serde::Serialize;

use super::args::PagesArgs;
use super::exit::{CliError, ExitStatus};
use super::printer::{Printer, harmless};
use super::{Context, tree};
use crate::client::Client;
use crate::library::DocumentRecord;
use crate::pdf::{OpenOptions, Page, PageNote, PdfError, PdfFile};
use crate::tools::pages;

/// The objects of `--json`.
#[derive(Debug, Serialize)]
pub(crate) struct PageReport {
    pub(crate) page: u32,
    pub(crate) label: Option<String>,
    pub(crate) text: String,
    pub(crate) notes: Vec<PageNote>,
}

pub(crate) async fn run(context: &mut Context, args: PagesArgs) -> Result<ExitStatus, CliError> {
    let path = Path::new(&args.document);
    let pages = if path.is_file() {
        of_file(path, args.pages, args.password.open_options()).await?
    } else {
        of_stored(context, &args.document, args.pages).await?
    };
    if args.json {
        context.printer.json(&pages)?;
    } else {
        show(&context.printer, &pages)?;
    }
    Ok(ExitStatus::Success)
}

async fn of_file(path: &Path, spec: Option<String>, options: OpenOptions) -> Result<Vec<PageReport>, CliError> {
    let path = path.to_owned();
    let read = tokio::task::spawn_blocking(move || -> Result<_, PdfError> {
        let file = PdfFile::open(&path, &options)?;
        let Some(spec) = spec else { return Ok(Ok(file.pages(0, &|_| {}))) };
        // Pages that are asked for are read alone; what repeats through the document (running heads) plays no part in their text.
        Ok(select(&spec, file.page_count()).map(|ranges| ranges.into_iter().flatten().map(|number| file.page(number)).collect()))
    });
    let pages: Vec<Page> = tree::finish(read).await??;
    Ok(pages
        .into_iter()
        .map(|page| PageReport { page: page.number, label: page.label, text: page.text, notes: page.notes })
        .collect())
}

async fn of_stored(context: &Context, name: &str, spec: Option<String>) -> Result<Vec<PageReport>, CliError> {
    let client = context.client()?;
    let document = client.resolve(&[name.to_owned()]).await?.remove(0);
    let count = document.page_count.unwrap_or(0);
    let ranges = match spec {
        Some(spec) => select(&spec, count)?,
        None => vec![1..=count],
    };
    of_library(&client, &document, &ranges).await
}

/// Pages of a stored document.
pub(crate) async fn of_library(
    client: &Client,
    document: &DocumentRecord,
    ranges: &[RangeInclusive<u32>],
) -> Result<Vec<PageReport>, CliError> {
    let pages = client.library().pages(&document.id, ranges).await?;
    Ok(pages
        .into_iter()
        .map(|page| PageReport { page: page.number, label: page.label, text: page.text, notes: page.notes })
        .collect())
}

/// The pages that a spec asks for, of a document of `count` pages; none of them inside is a wrong use.
pub(crate) fn select(spec: &str, count: u32) -> Result<Vec<RangeInclusive<u32>>, CliError> {
    let selection = pages::parse(spec, count).map_err(|error| CliError::usage(error.to_string()))?;
    if selection.inside.is_empty() {
        return Err(CliError::usage(format!("the document has {count} pages")));
    }
    Ok(selection.inside)
}

pub(crate) fn show(printer: &Printer, pages: &[PageReport]) -> std::io::Result<()> {
    for page in pages {
        let label = match &page.label {
            Some(label) if *label != page.page.to_string() => format!(" (printed {})", harmless(label)),
            _ => String::new(),
        };
        let notes: Vec<&str> = page.notes.iter().map(|note| note.as_str()).collect();
        let notes = if notes.is_empty() { String::new() } else { format!(" [{}]", notes.join(", ")) };
        printer.raw(&format!("{}\n", printer.bold(&format!("--- page {}{label}{notes} ---", page.page))))?;
        printer.line(&page.text)?;
    }
    Ok(())
}
