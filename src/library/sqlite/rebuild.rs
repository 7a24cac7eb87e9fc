//! What is derived from the content of a document, made anew by a newer version of the program.

use rusqlite::{Transaction, params};

use super::finish::{self, Prepared, clear_words, write_words};
use super::record::{by_key, key_of, now_ms, versions};
use super::words::DocumentWords;
use super::{labels, read};
use crate::index::{IndexedPage, Node, TocSource};
use crate::library::{DocId, DocumentRecord, LibraryError, Status};

/// See [`crate::library::Library::rebuild`].
///
/// Two processes may rebuild one document at the same time: both make the same of it, and the later one stays.
pub(super) fn rebuild(
    transaction: &Transaction<'_>,
    document: &DocumentRecord,
    prepared: &Prepared,
) -> Result<DocumentRecord, LibraryError> {
    let stale = || LibraryError::Stale(document.name.clone());
    let key = key_of(transaction, &document.id)?.ok_or_else(stale)?;
    let stored = by_key(transaction, key)?.ok_or_else(stale)?;
    if stored.status != Status::Completed || stored.content_hash != document.content_hash {
        return Err(stale());
    }
    finish::store(transaction, key, prepared)?;
    by_key(transaction, key)?.ok_or_else(stale)
}

/// A document as it is stored, to read its words from.
pub(super) struct Snapshot {
    record: DocumentRecord,
    pages: Vec<IndexedPage>,
    tree: Vec<Node>,
}

impl Snapshot {
    /// A completed document.
    pub(super) fn take(transaction: &Transaction<'_>, id: &DocId) -> Result<Self, LibraryError> {
        let stale = || LibraryError::Stale(id.to_string());
        let key = key_of(transaction, id)?.ok_or_else(stale)?;
        let record = by_key(transaction, key)?.filter(|record| record.status == Status::Completed).ok_or_else(stale)?;
        let pages = read::pages(transaction, id, &[1..=u32::MAX])?;
        Ok(Self { record, pages, tree: read::tree(transaction, id)? })
    }

    /// Its words. Takes most of the time; holds no lock.
    pub(super) fn words(&self) -> DocumentWords {
        let titled = self.record.toc_source.as_deref() != Some(TocSource::PageRanges.as_str());
        super::words::read(&self.pages, &self.tree, titled)
    }
}

/// Stores the words of a snapshot, if it is still what is stored.
pub(super) fn store_words(
    transaction: &Transaction<'_>,
    snapshot: &Snapshot,
    words: &DocumentWords,
) -> Result<DocumentRecord, LibraryError> {
    let stale = || LibraryError::Stale(snapshot.record.name.clone());
    let key = key_of(transaction, &snapshot.record.id)?.ok_or_else(stale)?;
    let stored = by_key(transaction, key)?.ok_or_else(stale)?;
    let made_of = |record: &DocumentRecord| (record.status, record.content_hash.clone(), record.updated_ms);
    if made_of(&stored) != made_of(&snapshot.record) {
        return Err(stale());
    }
    clear_words(transaction, key)?;
    write_words(transaction, key, words)?;
    let [.., version] = versions();
    let mut update =
        transaction.prepare_cached("UPDATE documents SET language = ?2, words_version = ?3, updated_ms = ?4 WHERE key = ?1")?;
    update.execute(params![key, words.language.code(), version, now_ms()])?;
    labels::write(transaction, key)?;
    by_key(transaction, key)?.ok_or_else(stale)
}
