//! `pagewise pages`: the text of pages, of a file or of a stored document.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::args::PagesArgs;
use super::exit::{CliError, ExitStatus};
use super::printer::{Printer, harmless};
use super::{Context, documents, tree};
use crate::client::Client;
use crate::index::IndexedPage;
use crate::library::{DocumentRecord, Origin};
use crate::pdf::{Line, OpenOptions, Page, PageNote, PdfError, PdfFile, content_hash_of, placed};
use crate::tools::pages;

/// The objects of `--json`.
#[derive(Debug, Serialize)]
pub(crate) struct PageReport {
    pub(crate) page: u32,
    pub(crate) label: Option<String>,
    pub(crate) text: String,
    pub(crate) notes: Vec<PageNote>,
    /// With `--lines`: what the text is made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lines: Option<Vec<Line>>,
}

impl From<IndexedPage> for PageReport {
    fn from(page: IndexedPage) -> Self {
        Self { page: page.number, label: page.label, text: page.text, notes: page.notes, lines: None }
    }
}

pub(crate) async fn run(context: &mut Context, args: PagesArgs) -> Result<ExitStatus, CliError> {
    // A name in the library is text; what a file name holds besides was replaced when it was added.
    let (path, name) = (args.document.as_path(), args.document.to_string_lossy());
    let options = args.password.open_options();
    if args.lines || args.layout {
        let path = if path.is_file() { path.to_owned() } else { file_of_stored(context, &name).await? };
        let pages = read(&context.printer, &path, args.pages, options).await?;
        return show_drawn(context, pages, args.layout, args.json);
    }
    let pages: Vec<PageReport> = if path.is_file() {
        read(&context.printer, path, args.pages, options).await?.into_iter().map(|page| report(page, false)).collect()
    } else {
        of_stored(context, &name, args.pages).await?
    };
    if args.json {
        context.printer.json(&pages)?;
    } else {
        show(&context.printer, &pages)?;
    }
    Ok(ExitStatus::Success)
}

fn report(page: Page, lines: bool) -> PageReport {
    PageReport { page: page.number, label: page.label, text: page.text, notes: page.notes, lines: lines.then_some(page.lines) }
}

/// `--lines` and `--layout`.
fn show_drawn(context: &Context, pages: Vec<Page>, layout: bool, json: bool) -> Result<ExitStatus, CliError> {
    let printer = &context.printer;
    if json {
        let reports: Vec<PageReport> = pages.into_iter().map(|page| report(page, true)).collect();
        printer.json(&reports)?;
        return Ok(ExitStatus::Success);
    }
    for page in pages {
        let text = if layout { placed(&page) } else { page.lines.iter().map(line_for_people).collect() };
        show(printer, &[PageReport { page: page.number, label: page.label, text, notes: page.notes, lines: None }])?;
    }
    Ok(ExitStatus::Success)
}

/// Place, size (and against the body), column, marks (b bold, i italic, s small capitals, f running head or foot, | begins a block), colour
/// and text.
fn line_for_people(line: &Line) -> String {
    let mark = |on: bool, mark: char| if on { mark } else { '-' };
    format!(
        "{:5.0},{:4.0}  {:4.1} {:4.2}x  c{}  {}{}{}{}{}  #{:06x}  {}\n",
        line.x0,
        line.y0,
        line.size,
        line.relative_size,
        line.column,
        mark(line.bold, 'b'),
        mark(line.italic, 'i'),
        mark(line.small_caps, 's'),
        mark(line.furniture, 'f'),
        mark(line.starts_block, '|'),
        line.color,
        line.text
    )
}

/// Pages of a file. All of it is read, whichever are wanted: what repeats through the document and the words of all pages are a part of
/// how a page is read, and the text shown is to be the one that the agent reads.
async fn read(printer: &Printer, path: &Path, spec: Option<String>, options: OpenOptions) -> Result<Vec<Page>, CliError> {
    let (path, printer) = (path.to_owned(), printer.clone());
    let read = tokio::task::spawn_blocking(move || -> Result<_, PdfError> {
        let file = PdfFile::open(&path, &options)?;
        let Some(spec) = spec else { return Ok(Ok(file.pages(0, &|_| {}))) };
        Ok(select(&printer, &spec, file.page_count()).map(|ranges| {
            let mut pages = file.pages(0, &|_| {});
            pages.retain(|page| ranges.iter().any(|range| range.contains(&page.number)));
            pages
        }))
    });
    tree::finish(read).await?
}

/// The file of a stored document, if it is still what was stored: lines are not kept in the library.
async fn file_of_stored(context: &Context, name: &str) -> Result<PathBuf, CliError> {
    let document = documents::readable(&context.client()?, name).await?;
    match document.origin {
        Origin::Path(path) if content_hash_of(&path).is_ok_and(|(hash, _)| hash == document.content_hash) => Ok(path),
        _ => Err(CliError::usage(format!("{name} is stored, but its file has gone or changed; name the file itself"))),
    }
}

async fn of_stored(context: &Context, name: &str, spec: Option<String>) -> Result<Vec<PageReport>, CliError> {
    let client = context.client()?;
    let document = documents::readable(&client, name).await?;
    let count = document.page_count.unwrap_or(0);
    let ranges = match spec {
        Some(spec) => select(&context.printer, &spec, count)?,
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
    let pages = client.library()?.pages(&document.id, ranges).await?;
    Ok(pages.into_iter().map(PageReport::from).collect())
}

/// The pages that a spec asks for, of a document of `count` pages; none of them inside is a wrong use.
pub(crate) fn select(printer: &Printer, spec: &str, count: u32) -> Result<Vec<RangeInclusive<u32>>, CliError> {
    let selection = pages::parse(spec, count).map_err(|error| CliError::usage(error.to_string()))?;
    if selection.inside.is_empty() {
        return Err(CliError::usage(format!("the document has {count} pages")));
    }
    if !selection.outside.is_empty() {
        printer.note(&format!("the document has {count} pages; the others that were asked for do not exist"));
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
