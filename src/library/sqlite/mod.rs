//! The library in one SQLite file.
//!
//! A document is announced (`begin`), indexed elsewhere, and stored whole (`finish`). Full-text tables say where to look; scores are made
//! in `search` from the stored words of the pages that come into question.

mod begin;
mod files;
mod finish;
mod improve;
mod labels;
mod names;
mod notes;
mod pool;
mod rank;
mod read;
mod rebuild;
mod record;
mod schema;
mod tree;
mod words;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::path::Path;

use async_trait::async_trait;

use crate::index::{IndexedDocument, IndexedPage, Node};
use crate::library::{
    Begun, DocId, DocumentRecord, Improvable, Improvement, Library, LibraryError, ListedDocuments, NewDocument, RemoveOutcome,
    Scope, Ticket,
};
use crate::search::{RankedDocument, RankedPage, RankedSection, Ranker};

/// A library in one SQLite file, for many tasks and many processes at once. Cloning gives another handle to the same connections.
#[derive(Clone)]
pub struct SqliteLibrary {
    pool: pool::Pool,
}

impl SqliteLibrary {
    /// Opens the library file, made where it is missing (the folder with mode 0700, the file with mode 0600).
    ///
    /// # Errors
    /// [`LibraryError::Newer`] for a file of a newer version and [`LibraryError::Open`] for one that is no library or cannot be opened;
    /// such a file is not touched.
    pub fn open(path: &Path) -> Result<Self, LibraryError> {
        Ok(Self { pool: pool::Pool::open(path)? })
    }

    /// A library in memory: nothing is ever written to a disk, and it is gone with the last handle.
    ///
    /// # Errors
    /// [`LibraryError::Database`] when there is no memory for it.
    pub fn temporary() -> Result<Self, LibraryError> {
        Ok(Self { pool: pool::Pool::in_memory()? })
    }

    /// The library file, absolute; `:memory:` for a temporary one.
    pub fn path(&self) -> &Path {
        self.pool.path()
    }
}

#[async_trait]
impl Library for SqliteLibrary {
    async fn list(&self, scope: &Scope, offset: u64, limit: u32) -> Result<ListedDocuments, LibraryError> {
        let scope = scope.clone();
        self.pool.read(move |transaction| read::list(transaction, &scope, offset, limit)).await
    }

    async fn find(&self, scope: &Scope, name_or_id: &str) -> Result<Option<DocumentRecord>, LibraryError> {
        let (scope, wanted) = (scope.clone(), name_or_id.to_owned());
        self.pool.read(move |transaction| read::find(transaction, &scope, &wanted)).await
    }

    async fn find_content(&self, content_hash: &str) -> Result<Option<DocumentRecord>, LibraryError> {
        let wanted = content_hash.to_owned();
        self.pool.read(move |transaction| read::find_content(transaction, &wanted)).await
    }

    async fn similar_names(&self, scope: &Scope, name: &str, limit: usize) -> Result<Vec<String>, LibraryError> {
        let (scope, name) = (scope.clone(), name.to_owned());
        self.pool.read(move |transaction| names::similar(transaction, &scope, &name, limit)).await
    }

    async fn tree(&self, id: &DocId) -> Result<Vec<Node>, LibraryError> {
        let id = id.clone();
        self.pool.read(move |transaction| read::tree(transaction, &id)).await
    }

    async fn pages(&self, id: &DocId, ranges: &[RangeInclusive<u32>]) -> Result<Vec<IndexedPage>, LibraryError> {
        let (id, ranges) = (id.clone(), ranges.to_vec());
        self.pool.read(move |transaction| read::pages(transaction, &id, &ranges)).await
    }

    async fn labels(&self, id: &DocId) -> Result<BTreeMap<u32, String>, LibraryError> {
        let id = id.clone();
        self.pool.read(move |transaction| read::labels(transaction, &id)).await
    }

    async fn outdated(&self, scope: &Scope) -> Result<u64, LibraryError> {
        let scope = scope.clone();
        self.pool.read(move |transaction| read::outdated(transaction, &scope)).await
    }

    async fn begin(&self, new: NewDocument) -> Result<Begun, LibraryError> {
        self.pool.write(move |transaction| begin::begin(transaction, &new)).await
    }

    async fn finish(&self, ticket: Ticket, document: IndexedDocument) -> Result<DocumentRecord, LibraryError> {
        let prepared = pool::off_thread(move || finish::prepare(document)).await?;
        self.pool.write(move |transaction| finish::finish(transaction, &ticket, &prepared)).await
    }

    async fn fail(&self, ticket: Ticket, reason: &str) -> Result<(), LibraryError> {
        let reason = reason.to_owned();
        self.pool.write(move |transaction| begin::fail(transaction, &ticket, &reason)).await
    }

    async fn rebuild(&self, document: &DocumentRecord, indexed: IndexedDocument) -> Result<DocumentRecord, LibraryError> {
        let document = document.clone();
        let prepared = pool::off_thread(move || finish::prepare(indexed)).await?;
        self.pool.write(move |transaction| rebuild::rebuild(transaction, &document, &prepared)).await
    }

    async fn rebuild_words(&self, id: &DocId) -> Result<DocumentRecord, LibraryError> {
        let id = id.clone();
        let snapshot = self.pool.read(move |transaction| rebuild::Snapshot::take(transaction, &id)).await?;
        let read = pool::off_thread(move || {
            let words = snapshot.words();
            Ok((snapshot, words))
        });
        let (snapshot, words) = read.await?;
        self.pool.write(move |transaction| rebuild::store_words(transaction, &snapshot, &words)).await
    }

    async fn improvable(&self, id: &DocId) -> Result<Option<Improvable>, LibraryError> {
        let id = id.clone();
        self.pool.read(move |transaction| improve::improvable(transaction, &id)).await
    }

    async fn finished_parts(&self, id: &DocId, basis: &str) -> Result<HashMap<String, String>, LibraryError> {
        let (id, basis) = (id.clone(), basis.to_owned());
        self.pool.read(move |transaction| improve::finished_parts(transaction, &id, &basis)).await
    }

    async fn keep_part(&self, id: &DocId, basis: &str, part: &str, outcome: &str) -> Result<(), LibraryError> {
        let (id, basis, part, outcome) = (id.clone(), basis.to_owned(), part.to_owned(), outcome.to_owned());
        self.pool.write(move |transaction| improve::keep_part(transaction, &id, &basis, &part, &outcome)).await
    }

    async fn improve(&self, id: &DocId, improvement: Improvement) -> Result<DocumentRecord, LibraryError> {
        let stored = self.improvable(id).await?.ok_or_else(|| LibraryError::Stale(id.0.clone()))?;
        let pages = self.pages(id, &[1..=u32::MAX]).await?;
        let prepared = pool::off_thread(move || improve::prepare(improvement, &stored, &pages)).await?;
        let id = id.clone();
        self.pool.write(move |transaction| improve::improve(transaction, &id, &prepared)).await
    }

    async fn remove(&self, id: &DocId) -> Result<RemoveOutcome, LibraryError> {
        let id = id.clone();
        self.pool.write(move |transaction| read::remove(transaction, &id)).await
    }
}

#[async_trait]
impl Ranker for SqliteLibrary {
    async fn rank_documents(
        &self,
        scope: &Scope,
        query: &str,
        offset: u64,
        limit: u32,
    ) -> Result<(Vec<RankedDocument>, u64), LibraryError> {
        let (scope, query) = (scope.clone(), query.to_owned());
        self.pool.read(move |transaction| rank::documents::rank(transaction, &scope, &query, offset, limit)).await
    }

    async fn rank_pages(&self, scope: &Scope, query: &str, limit: u32) -> Result<Vec<RankedPage>, LibraryError> {
        let (scope, query) = (scope.clone(), query.to_owned());
        self.pool.read(move |transaction| rank::pages::rank(transaction, &scope, &query, limit)).await
    }

    async fn rank_sections(&self, scope: &Scope, query: &str, limit: u32) -> Result<Vec<RankedSection>, LibraryError> {
        let (scope, query) = (scope.clone(), query.to_owned());
        self.pool.read(move |transaction| rank::sections::rank(transaction, &scope, &query, limit)).await
    }
}
