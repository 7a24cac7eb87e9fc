//! `pagewise pages`: the text of pages, of a file or of a stored document.

use std::path::Path;

use serde::Serialize;

use super::args::PagesArgs;
use super::exit::{CliError, ExitStatus};
use super::printer::{Printer, harmless};
use super::{Context, tree};
use crate::pdf::{OpenOptions, PageNote, PdfError, PdfFile};
use crate::tools::pages::{PageSpec, compress};

/// The objects of `--json`.
#[derive(Debug, Serialize)]
pub(crate) struct PageReport {
    pub(crate) page: u32,
    pub(crate) label: Option<String>,
    pub(crate) text: String,
    pub(crate) notes: Vec<PageNote>,
}

pub(crate) async fn run(context: &mut Context, args: PagesArgs) -> Result<ExitStatus, CliError> {
    let spec = match &args.pages {
        Some(spec) => Some(PageSpec::parse(spec).map_err(|error| CliError::usage(error.to_string()))?),
        None => None,
    };
    let path = Path::new(&args.document);
    let pages = if path.is_file() {
        of_file(path, spec, args.password.open_options()).await?
    } else {
        of_stored(context, &args.document, spec).await?
    };
    if args.json {
        context.printer.json(&pages)?;
    } else {
        show(&context.printer, &pages)?;
    }
    Ok(ExitStatus::Success)
}

async fn of_file(path: &Path, spec: Option<PageSpec>, options: OpenOptions) -> Result<Vec<PageReport>, CliError> {
    let path = path.to_owned();
    let read = tokio::task::spawn_blocking(move || -> Result<_, PdfError> {
        let file = PdfFile::open(&path, &options)?;
        let count = file.page_count();
        let pages = match spec {
            // One page alone is read alone; what repeats through the document (running heads) plays no part in the text.
            Some(spec) => {
                let (numbers, _) = spec.within(count);
                if numbers.is_empty() { None } else { Some(numbers.into_iter().map(|number| file.page(number)).collect()) }
            }
            None => Some(file.pages(0, &|_| {})),
        };
        Ok((pages, count))
    });
    let (pages, count) = tree::finish(read).await?;
    let pages = pages.ok_or_else(|| out_of_range(count))?;
    Ok(pages
        .into_iter()
        .map(|page| PageReport { page: page.number, label: page.label, text: page.text, notes: page.notes })
        .collect())
}

async fn of_stored(context: &Context, name: &str, spec: Option<PageSpec>) -> Result<Vec<PageReport>, CliError> {
    let client = context.client()?;
    let document = client.resolve(&[name.to_owned()]).await?.remove(0);
    let count = document.page_count.unwrap_or(0);
    let ranges = match spec {
        Some(spec) => {
            let (numbers, _) = spec.within(count);
            if numbers.is_empty() {
                return Err(out_of_range(count));
            }
            numbers.into_iter().map(|number| number..=number).collect()
        }
        None => vec![1..=count],
    };
    let pages = client.library().pages(&document.id, &ranges).await?;
    Ok(pages.into_iter().map(|page| PageReport { page: page.number, label: page.label, text: page.text, notes: page.notes }).collect())
}

fn out_of_range(count: u32) -> CliError {
    CliError::usage(format!("the document has pages {}", compress(&(1..=count).collect::<Vec<_>>())))
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
