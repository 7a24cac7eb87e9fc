//! Making stored documents anew, after the program has learned to read them better.
//!
//! A tree is built from styled lines, which are not stored, so the way goes back to the file, and only to the very file: content that has
//! changed is a new version of the document, which adding takes in. What is stored stays readable until the new is whole, and stays for
//! good where nothing new can be made.

mod written;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::Error;
use crate::index::{self, IndexOptions, IndexedDocument};
use crate::ingest::{is_missing, off_thread, refuse_special};
use crate::library::{DocumentRecord, Library, LibraryError, Origin, Outdated, Status};
use crate::pdf::{OpenOptions, PdfError, PdfFile, content_hash_of};

pub use written::Written;

/// How to make a document anew.
#[derive(Debug, Clone, Default)]
pub struct ReindexOptions {
    /// Password and bounds.
    pub open: OpenOptions,
    /// Worker threads; 0 for one a core.
    pub threads: usize,
    /// Also what is not outdated.
    pub force: bool,
}

/// A document that is up to date by now.
#[derive(Debug, Clone, PartialEq)]
pub struct Reindexed {
    /// The document as it is stored.
    pub document: DocumentRecord,
    /// What was made anew; nothing where it was up to date before.
    pub rebuilt: Outdated,
    /// What of a model's work was kept; `None` where no model had worked on it, or nothing of it was touched.
    pub written: Option<Written>,
}

/// Why a document stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum ReindexError {
    /// It did not come from a file.
    #[error("it was not added from a file; what is stored stays as it is")]
    NoFile,
    /// Its file is not there any more.
    #[error("its file {} is gone; what is stored stays as it is. Adding the file at its new place tells where it is", shown(.0))]
    Missing(PathBuf),
    /// Its file has other content by now.
    #[error("its file {} has changed since it was added; what is stored stays as it is. Adding the file again takes in the new version", shown(.0))]
    Changed(PathBuf),
    /// There is nothing to make anew yet.
    #[error("it is not ready: it is being read, or could not be read. Add its file again")]
    NotReady,
    /// The file cannot be read, or the outcome cannot be stored.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl ReindexError {
    /// The kind as JSON faces show it, such as `file_missing` or `password_required`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NoFile => "no_file",
            Self::Missing(_) => "file_missing",
            Self::Changed(_) => "file_changed",
            Self::NotReady => "not_ready",
            Self::Failed(error) => error.kind(),
        }
    }
}

impl From<PdfError> for ReindexError {
    fn from(error: PdfError) -> Self {
        Self::Failed(error.into())
    }
}

impl From<LibraryError> for ReindexError {
    fn from(error: LibraryError) -> Self {
        Self::Failed(error.into())
    }
}

/// Makes anew what is outdated of a document. `progress` hears pages done and pages in all.
///
/// # Errors
/// See [`ReindexError`]. The stored pages and tree are whole and readable in each case. Words by which the document is found are made anew
/// even then, as they need no file.
pub async fn reindex(
    library: &Arc<dyn Library>,
    document: &DocumentRecord,
    options: &ReindexOptions,
    progress: impl Fn(u32, u32) + Send + Sync + 'static,
) -> Result<Reindexed, ReindexError> {
    if document.status != Status::Completed {
        return Err(ReindexError::NotReady);
    }
    let due = document.outdated;
    if !options.force && !due.needs_file() {
        if !due.words {
            return Ok(Reindexed { document: document.clone(), rebuilt: due, written: None });
        }
        return Ok(Reindexed { document: library.rebuild_words(&document.id).await?, rebuilt: due, written: None });
    }
    match read_again(document, options, progress).await {
        Ok(mut indexed) => {
            let stored = library.improvable(&document.id).await?.filter(|stored| stored.improved.is_some());
            let written = match stored {
                Some(stored) => Some(written::keep(&stored, &library.tree(&document.id).await?, document, &mut indexed)),
                None => None,
            };
            let document = library.rebuild(document, indexed).await?;
            Ok(Reindexed { document, rebuilt: Outdated { text: true, tree: true, words: true }, written })
        }
        Err(error) => {
            if due.words {
                library.rebuild_words(&document.id).await?;
            }
            Err(error)
        }
    }
}

/// Indexes the file of a document, if its content is what is stored.
async fn read_again(
    document: &DocumentRecord,
    options: &ReindexOptions,
    progress: impl Fn(u32, u32) + Send + Sync + 'static,
) -> Result<IndexedDocument, ReindexError> {
    let Origin::Path(path) = &document.origin else { return Err(ReindexError::NoFile) };
    if is_missing(path).await {
        return Err(ReindexError::Missing(path.clone()));
    }
    refuse_special(path)?;
    // The hash first: what has changed might need another password.
    let (hash, _) = off_thread({
        let path = path.clone();
        move || content_hash_of(&path)
    })
    .await?;
    if hash != document.content_hash {
        return Err(ReindexError::Changed(path.clone()));
    }
    let (wanted, open) = (path.clone(), options.open.clone());
    let file = off_thread(move || PdfFile::open(&wanted, &open)).await?;
    // It may have changed between the two readings; what was opened counts.
    if file.content_hash() != document.content_hash {
        return Err(ReindexError::Changed(path.clone()));
    }
    let index = IndexOptions { threads: options.threads, require_text: true };
    Ok(off_thread(move || index::index_file(&file, &index, &progress)).await?)
}

/// A path on one line, whatever it holds.
fn shown(path: &Path) -> String {
    path.to_string_lossy().chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}

#[cfg(test)]
mod tests;
