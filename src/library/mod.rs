//! The store: documents, their trees and pages, behind one trait. It knows neither tools nor agents.

mod note_words;
mod sqlite;
mod types;

pub use sqlite::SqliteLibrary;
pub use types::{
    Begun, DocId, DocumentRecord, Improvable, Improvement, LibraryError, ListedDocuments, Metadata, NewDocument, Origin, Outdated,
    RemoveOutcome, Scope, Status, Ticket,
};

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use async_trait::async_trait;

use crate::index::{IndexedDocument, IndexedPage, Node};

/// A store of documents. All methods are safe to call from many tasks and many processes at once.
#[async_trait]
pub trait Library: Send + Sync {
    /// Documents of the scope, newest first, `limit` of them from `offset` on, in every status.
    async fn list(&self, scope: &Scope, offset: u64, limit: u32) -> Result<ListedDocuments, LibraryError>;
    /// The document with exactly this name, or this id; `None` outside the scope.
    async fn find(&self, scope: &Scope, name_or_id: &str) -> Result<Option<DocumentRecord>, LibraryError>;
    /// A completed document with this content (SHA-256, lower-case hexadecimal).
    async fn find_content(&self, content_hash: &str) -> Result<Option<DocumentRecord>, LibraryError>;
    /// Up to `limit` names of the scope that are close to `name`, closest first.
    async fn similar_names(&self, scope: &Scope, name: &str, limit: usize) -> Result<Vec<String>, LibraryError>;
    /// The tree of a completed document (empty for any other).
    async fn tree(&self, id: &DocId) -> Result<Vec<Node>, LibraryError>;
    /// The pages in these ranges that exist, in ascending order.
    async fn pages(&self, id: &DocId, ranges: &[RangeInclusive<u32>]) -> Result<Vec<IndexedPage>, LibraryError>;
    /// The printed labels that differ from the number of their page, by page.
    async fn labels(&self, id: &DocId) -> Result<BTreeMap<u32, String>, LibraryError>;
    /// How many documents of the scope have parts that an older version of the program made.
    async fn outdated(&self, scope: &Scope) -> Result<u64, LibraryError>;
    /// Announces a document that is about to be indexed, or says that the same content is already there.
    async fn begin(&self, new: NewDocument) -> Result<Begun, LibraryError>;
    /// Stores a finished document whole, in one transaction, under the ticket of `begin`.
    async fn finish(&self, ticket: Ticket, document: IndexedDocument) -> Result<DocumentRecord, LibraryError>;
    /// Marks the ticket's document as failed, with the reason for people.
    async fn fail(&self, ticket: Ticket, reason: &str) -> Result<(), LibraryError>;
    /// Puts what was made anew of a document's content in the place of what is stored of it, in one transaction. Id, name, origin, the
    /// user's description and metadata and the time of adding stay. [`LibraryError::Stale`] when it has other content by now.
    async fn rebuild(&self, document: &DocumentRecord, indexed: IndexedDocument) -> Result<DocumentRecord, LibraryError>;
    /// Makes the words by which a document is found anew, from its stored pages and tree. [`LibraryError::Stale`] when it was changed
    /// meanwhile.
    async fn rebuild_words(&self, id: &DocId) -> Result<DocumentRecord, LibraryError>;
    /// What an improvement of a completed document starts from, beside its tree and pages; `None` for any other document.
    async fn improvable(&self, id: &DocId) -> Result<Option<Improvable>, LibraryError>;
    /// The parts of an improvement on this basis that are finished, by their keys.
    async fn finished_parts(&self, id: &DocId, basis: &str) -> Result<HashMap<String, String>, LibraryError>;
    /// Keeps the outcome of a finished part for good.
    async fn keep_part(&self, id: &DocId, basis: &str, part: &str, outcome: &str) -> Result<(), LibraryError>;
    /// Puts an improved tree, and its description where there is one, in the place of the stored ones, if content and tree are still those
    /// that it started from. The finished parts of a complete improvement are taken away; a description of the user stays.
    async fn improve(&self, id: &DocId, improvement: Improvement) -> Result<DocumentRecord, LibraryError>;
    /// Removes a document and everything that belongs to it.
    async fn remove(&self, id: &DocId) -> Result<RemoveOutcome, LibraryError>;
}
