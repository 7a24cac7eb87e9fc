//! From a file to an indexed document.

use crate::pdf::{Bookmark, FileNote, Info, Page, PageNote, PdfError, PdfErrorKind, PdfFile};

use super::describe::{describe, told};
use super::layout::typography;
use super::reconcile::outline;
use super::shape::{nodes, shape};
use super::summary::summarise;
use super::types::{IndexedDocument, IndexedPage};

/// Version of the tree builder. It rises with every change that makes other trees of the same pages; stored trees of an older version can
/// be rebuilt.
pub const TREE_VERSION: u32 = 2;

/// Name of the node over the pages before the first section, where no title was found on them.
pub(super) const FRONT_MATTER: &str = "Front matter";

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
    if options.require_text && !pages.iter().any(|p| p.text.chars().any(is_readable)) {
        return Err(PdfError::new(PdfErrorKind::NoText, why_without_text(&pages)));
    }
    Ok(index_pages(pages, file.outline(), file.info().clone(), file.notes()))
}

/// Few characters are text as well; only spaces and marks for what could not be decoded are not.
fn is_readable(c: char) -> bool {
    !c.is_whitespace() && c != char::REPLACEMENT_CHARACTER
}

/// What is to be said of a file without text, and done about it.
fn why_without_text(pages: &[Page]) -> &'static str {
    let any = |note: PageNote| pages.iter().any(|page| page.notes.contains(&note));
    if any(PageNote::ImageOnly) {
        "no page of this file has text (it is probably scanned): make its text readable first, for example with `ocrmypdf in.pdf out.pdf`, and add the result"
    } else if any(PageNote::Undecodable) {
        "the text of this file cannot be decoded (its fonts do not say which characters they draw): have it recognised from its image, for example with `ocrmypdf --force-ocr in.pdf out.pdf`, and add the result"
    } else if any(PageNote::Damaged) {
        "no text could be read from this file, for its pages are damaged: repair it, for example with `qpdf in.pdf out.pdf`, or get it again"
    } else if any(PageNote::HiddenText) {
        "no page of this file has text that can be seen; what there is was left out"
    } else {
        "no page of this file has text: all of them are blank; check that it is the right file"
    }
}

/// Builds tree, summaries and description of pages that were already read.
pub fn index_pages(pages: Vec<Page>, bookmarks: &[Bookmark], info: Info, notes: Vec<FileNote>) -> IndexedDocument {
    let look = typography(&pages);
    let told = told(&pages, &info);
    let description = describe(&told, &pages);
    let title = told.title;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str, notes: &[PageNote]) -> Page {
        Page {
            number: 1,
            label: None,
            text: text.to_owned(),
            lines: Vec::new(),
            notes: notes.to_vec(),
            width: 600.0,
            height: 800.0,
        }
    }

    #[test]
    fn files_without_text_say_why() {
        let why = |notes: &[PageNote]| why_without_text(&[page("", &[PageNote::Blank]), page("", notes)]);
        assert!(why(&[PageNote::ImageOnly]).contains("`ocrmypdf in.pdf out.pdf`"));
        assert!(why(&[PageNote::Undecodable]).contains("--force-ocr"));
        assert!(why(&[PageNote::Damaged]).contains("damaged"));
        assert!(why(&[PageNote::HiddenText]).contains("that can be seen"));
        assert!(why(&[PageNote::Blank]).contains("blank"));
    }

    #[test]
    fn a_single_sign_is_text() {
        assert!("\n § ".chars().any(is_readable) && "1".chars().any(is_readable));
        assert!(!" \n\u{fffd}".chars().any(is_readable));
    }
}
