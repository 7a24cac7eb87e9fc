//! From a file to an indexed document.

use crate::pdf::{Bookmark, FileNote, Info, Page, PdfError, PdfErrorKind, PdfFile};

use super::describe::{describe, title};
use super::layout::typography;
use super::reconcile::outline;
use super::shape::{nodes, shape};
use super::summary::summarise;
use super::types::{IndexedDocument, IndexedPage};

/// Version of the tree builder. It rises with every change that makes other trees of the same pages; stored trees of an older version can
/// be rebuilt.
pub const TREE_VERSION: u32 = 1;

/// Name of the node over the pages before the first section, where no title was found on them.
const FRONT_MATTER: &str = "Front matter";

/// How to index a file.
#[derive(Debug, Clone, Copy, Default)]
pub struct IndexOptions {
    /// Threads for reading pages; 0 uses all cores.
    pub threads: usize,
    /// Fail with [`PdfErrorKind::NoText`] when no page has text.
    pub require_text: bool,
}

/// Reads all pages of a file and builds its tree, summaries and description. `progress` hears how many pages of how many are done.
///
/// # Errors
/// [`PdfErrorKind::NoText`] with `require_text` when no page has text. Damaged pages are no errors; their notes say what is wrong.
pub fn index_file(
    file: &PdfFile,
    options: &IndexOptions,
    progress: &(dyn Fn(u32, u32) + Sync),
) -> Result<IndexedDocument, PdfError> {
    let total = file.page_count();
    let pages = file.pages(options.threads, &|done| progress(done, total));
    if options.require_text && !pages.iter().any(|p| p.text.chars().any(char::is_alphanumeric)) {
        return Err(PdfError::new(
            PdfErrorKind::NoText,
            "no page of this file has text (it is probably scanned): make its text readable first, for example with `ocrmypdf in.pdf out.pdf`, and add the result",
        ));
    }
    Ok(index_pages(pages, file.outline(), file.info().clone(), file.notes()))
}

/// Builds tree, summaries and description of pages that were already read.
pub fn index_pages(pages: Vec<Page>, bookmarks: &[Bookmark], info: Info, notes: Vec<FileNote>) -> IndexedDocument {
    let look = typography(&pages);
    let title = title(&pages, &info);
    let description = describe(&pages, &info, title.as_deref());
    let (entries, toc_source) = outline(&pages, bookmarks, &look);
    let count = u32::try_from(pages.len()).unwrap_or(u32::MAX);
    let mut sections = shape(entries, count, title.as_deref().unwrap_or(FRONT_MATTER));
    summarise(&mut sections, &pages, &look);
    let tree = nodes(sections);
    let pages = pages
        .into_iter()
        .map(|p| IndexedPage {
            number: p.number,
            label: p.label.filter(|l| *l != p.number.to_string()),
            text: p.text,
            notes: p.notes,
        })
        .collect();
    IndexedDocument { description, title, pages, tree, toc_source, info, notes }
}
