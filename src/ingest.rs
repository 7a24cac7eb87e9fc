//! The way of a file into the library: hash, announce, read, index, store.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::index::{self, IndexOptions};
use crate::library::{Begun, DocId, DocumentRecord, Library, Metadata, NewDocument, Origin, Ticket};
use crate::pdf::{self, OpenOptions, PdfError, PdfErrorKind, PdfFile};

/// A file to be added.
#[derive(Debug, Clone)]
pub struct Submission {
    /// The file.
    pub path: PathBuf,
    /// Name in the library; the file name where it is `None`.
    pub name: Option<String>,
    /// Description that replaces the one found in the document.
    pub description: Option<String>,
    /// The user's metadata.
    pub metadata: Metadata,
    /// Password and bounds.
    pub open: OpenOptions,
    /// Worker threads; 0 for one a core.
    pub threads: usize,
}

impl Submission {
    /// A file with nothing else said of it.
    pub fn of_file(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            name: None,
            description: None,
            metadata: Metadata::new(),
            open: OpenOptions::default(),
            threads: 0,
        }
    }
}

/// A file that was added or was there already.
#[derive(Debug, Clone, PartialEq)]
pub struct Added {
    /// The document.
    pub document: DocumentRecord,
    /// Whether the same content was there before.
    pub present: bool,
    /// Whether it took the place of older content of the same path.
    pub replaced: bool,
}

/// An announced file.
pub struct Submitted {
    library: Arc<dyn Library>,
    state: State,
    threads: usize,
}

enum State {
    Present(Box<DocumentRecord>),
    Work(Ticket, Arc<PdfFile>),
}

/// Gives up an announced file.
pub struct Withdrawal {
    library: Arc<dyn Library>,
    ticket: Ticket,
}

impl Withdrawal {
    /// Marks the document as interrupted; what may still come of the work under way is not stored.
    ///
    /// # Errors
    /// [`Error::Library`].
    pub async fn give_up(self) -> Result<()> {
        Ok(self.library.fail(self.ticket, "reading it was interrupted; add it again").await?)
    }
}

/// Opens a file and announces it. A file that cannot be opened leaves no trace in the library.
///
/// # Errors
/// [`Error::Pdf`] when it cannot be opened, [`Error::Library`] when it cannot be announced.
pub async fn submit(library: Arc<dyn Library>, submission: &Submission) -> Result<Submitted> {
    let path = std::path::absolute(&submission.path)
        .map_err(|source| Error::Io { what: format!("{} cannot be resolved", submission.path.display()), source })?;
    refuse_special(&submission.path)?;
    let (hash, bytes) = off_thread({
        let path = path.clone();
        move || pdf::content_hash_of(&path)
    })
    .await?;
    let name = match &submission.name {
        Some(name) => name.clone(),
        None => path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_else(|| "document.pdf".to_owned()),
    };
    let mut new = NewDocument {
        name,
        origin: Origin::Path(path.clone()),
        moved: false,
        content_hash: hash,
        bytes,
        description: submission.description.clone(),
        metadata: submission.metadata.clone(),
    };
    let known = library.find_content(&new.content_hash).await?;
    new.moved = match &known {
        Some(DocumentRecord { origin: Origin::Path(old), .. }) => *old != path && is_missing(old).await,
        _ => false,
    };
    if let (Some(document), true) = (&known, new.metadata.is_empty() && new.description.is_none() && !new.moved) {
        // The common case, asking again: nothing is opened and nothing is written.
        return Ok(Submitted { library, state: State::Present(Box::new(document.clone())), threads: submission.threads });
    }
    let open = || {
        let (path, options) = (path.clone(), submission.open.clone());
        off_thread(move || PdfFile::open(&path, &options))
    };
    let mut file = None;
    if known.is_none() {
        let opened = open().await?;
        // The file may have changed between the two readings; what was opened counts.
        opened.content_hash().clone_into(&mut new.content_hash);
        new.bytes = opened.byte_len();
        file = Some(opened);
    }
    let state = match library.begin(new).await? {
        Begun::Present(document) => State::Present(document),
        Begun::Started(ticket) => {
            let file = match file {
                Some(file) => file,
                // The known document was removed in the meantime.
                None => match open().await {
                    Ok(file) => file,
                    Err(error) => {
                        library.fail(ticket, &error.to_string()).await?;
                        return Err(error.into());
                    }
                },
            };
            State::Work(ticket, Arc::new(file))
        }
    };
    Ok(Submitted { library, state, threads: submission.threads })
}

impl Submitted {
    /// Identity of the document.
    pub fn id(&self) -> DocId {
        match &self.state {
            State::Present(document) => document.id.clone(),
            State::Work(ticket, _) => ticket.id.clone(),
        }
    }

    /// The means to give up from outside, while `finish` runs.
    pub fn withdrawal(&self) -> Option<Withdrawal> {
        match &self.state {
            State::Present(_) => None,
            State::Work(ticket, _) => Some(Withdrawal { library: self.library.clone(), ticket: ticket.clone() }),
        }
    }

    /// Whether anything is left to be done.
    pub fn is_work(&self) -> bool {
        matches!(self.state, State::Work(..))
    }

    /// Reads, indexes and stores the document. `progress` hears pages done and pages in all.
    ///
    /// # Errors
    /// [`Error::Pdf`] (also `no_text`), which the library then reports as the reason of a failed document, and [`Error::Library`].
    pub async fn finish(self, progress: impl Fn(u32, u32) + Send + Sync + 'static) -> Result<Added> {
        let (ticket, file) = match self.state {
            State::Present(document) => return Ok(Added { document: *document, present: true, replaced: false }),
            State::Work(ticket, file) => (ticket, file),
        };
        let options = IndexOptions { threads: self.threads, require_text: true };
        let indexed = off_thread(move || index::index_file(&file, &options, &progress)).await;
        match indexed {
            Ok(indexed) => {
                let replaced = ticket.replaces;
                let document = self.library.finish(ticket, indexed).await?;
                Ok(Added { document, present: false, replaced })
            }
            Err(error) => {
                self.library.fail(ticket, &error.to_string()).await?;
                Err(error.into())
            }
        }
    }
}

/// Whether there is nothing at this place.
pub(crate) async fn is_missing(path: &Path) -> bool {
    tokio::fs::metadata(path).await.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

/// Refuses what is there but no regular file: reading a pipe or a device might never end.
pub(crate) fn refuse_special(path: &Path) -> Result<(), PdfError> {
    if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(PdfError::new(PdfErrorKind::Unreadable, format!("{} is not a regular file", path.display())));
    }
    Ok(())
}

/// Runs work that would block, off the async threads.
pub(crate) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, PdfError> + Send + 'static,
) -> Result<T, PdfError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => Err(PdfError::new(PdfErrorKind::Damaged, format!("reading the file was broken off: {error}"))),
    }
}
