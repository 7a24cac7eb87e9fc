//! What the library speaks of.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::index::{Node, TocSource};

/// Identity of a document: `pi-` and 32 hexadecimal digits. It stays the same when the content at its path changes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DocId(pub String);

impl fmt::Display for DocId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// User metadata of a document: string, number and boolean values only.
pub type Metadata = serde_json::Map<String, serde_json::Value>;

/// How far a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Announced.
    Pending,
    /// Waiting for its turn.
    Queued,
    /// Being indexed.
    Processing,
    /// Whole and readable.
    Completed,
    /// Could not be indexed; see the reason.
    Failed,
}

impl Status {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Queued => "queued",
            Self::Processing => "processing",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }
}

/// Where a document came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A file; the path is absolute.
    Path(PathBuf),
    /// Bytes handed over by a program.
    Bytes,
    /// A cloud document with this id.
    Cloud(String),
}

/// What is known of a document without reading it.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentRecord {
    /// Identity.
    pub id: DocId,
    /// Unique name in the library.
    pub name: String,
    /// One line on what it is; empty until completed.
    pub description: String,
    /// How far it is.
    pub status: Status,
    /// Why it failed, for people.
    pub failure: Option<String>,
    /// Added, in milliseconds since 1970 UTC.
    pub created_ms: i64,
    /// Last change, in milliseconds since 1970 UTC.
    pub updated_ms: i64,
    /// Pages, once known.
    pub page_count: Option<u32>,
    /// The user's metadata.
    pub metadata: Metadata,
    /// Where it came from.
    pub origin: Origin,
    /// SHA-256 of the content, lower-case hexadecimal.
    pub content_hash: String,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Notes on the file and its pages, as `note` or `note: pages` ("image_only: 3-5").
    pub notes: Vec<String>,
    /// Where its tree came from (`bookmarks`, `headings`, ...), once completed.
    pub toc_source: Option<String>,
    /// What of it an older version of the program made; nothing until completed.
    pub outdated: Outdated,
}

/// Parts of a stored document, where those are meant that an older version of the program made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outdated {
    /// The text of its pages.
    pub text: bool,
    /// Its tree, summaries and description.
    pub tree: bool,
    /// The words by which it is found; they are made of the stored text, without the file.
    pub words: bool,
}

impl Outdated {
    /// Whether anything is.
    pub fn any(self) -> bool {
        self.text || self.tree || self.words
    }

    /// Whether the file is needed to make it anew: trees are built from lines, which are not stored.
    pub fn needs_file(self) -> bool {
        self.text || self.tree
    }

    /// The parts by name: `text`, `tree`, `words`.
    pub fn names(self) -> Vec<&'static str> {
        let all = [(self.text, "text"), (self.tree, "tree"), (self.words, "words")];
        all.into_iter().filter_map(|(old, name)| old.then_some(name)).collect()
    }
}

/// A page of a listing.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedDocuments {
    /// The documents, newest first.
    pub documents: Vec<DocumentRecord>,
    /// How many the scope holds in all.
    pub total: u64,
}

/// Which documents exist for a conversation or a caller.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Scope {
    /// The whole library.
    #[default]
    All,
    /// Only these.
    Documents(Vec<DocId>),
}

impl Scope {
    /// Whether the document is inside.
    pub fn holds(&self, id: &DocId) -> bool {
        match self {
            Self::All => true,
            Self::Documents(ids) => ids.contains(id),
        }
    }
}

/// A document that is about to be indexed.
#[derive(Debug, Clone)]
pub struct NewDocument {
    /// Wanted name, usually the file name; a taken name gains a suffix (`name_1.pdf`).
    pub name: String,
    /// Where it comes from. The same path with new content replaces the document of that path.
    pub origin: Origin,
    /// The file of the stored document with this content is gone: where there is one, it is at home here from now on.
    pub moved: bool,
    /// SHA-256 of the content, lower-case hexadecimal.
    pub content_hash: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Description chosen by the user; otherwise the indexed one is used.
    pub description: Option<String>,
    /// The user's metadata.
    pub metadata: Metadata,
}

/// The right to finish one announced document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// The announced document.
    pub id: DocId,
    /// The name it will have.
    pub name: String,
    /// This attempt; a later attempt at the same document makes it void.
    pub attempt: u64,
    /// Whether it replaces older content of the same path.
    pub replaces: bool,
}

/// What `begin` found.
#[derive(Debug, Clone, PartialEq)]
pub enum Begun {
    /// The same content is already there, whole; nothing is to be done.
    Present(Box<DocumentRecord>),
    /// Go on and index.
    Started(Ticket),
}

/// What an improvement of a document starts from, beside its tree and pages.
#[derive(Debug, Clone, PartialEq)]
pub struct Improvable {
    /// Its name in the library.
    pub name: String,
    /// Its title, if one was found.
    pub title: Option<String>,
    /// SHA-256 of the content, lower-case hexadecimal.
    pub content_hash: String,
    /// Version of the builder of the tree.
    pub tree_version: u32,
    /// The user gave a description of their own.
    pub described_by_user: bool,
    /// Basis of the complete improvement that it has; `None` where it has none.
    pub improved: Option<String>,
    /// Where its tree came from.
    pub toc_source: Option<String>,
}

/// An improved tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Improvement {
    /// The content that it is of.
    pub content_hash: String,
    /// Version of the builder of the tree that was improved.
    pub tree_version: u32,
    /// Content, versions and model that it was made on.
    pub basis: String,
    /// The tree.
    pub tree: Vec<Node>,
    /// The description, where one was written.
    pub description: Option<String>,
    /// Where the tree comes from now, where that has changed.
    pub toc_source: Option<TocSource>,
    /// Nothing is missing. Of an incomplete one the finished parts are kept, so that it can be completed.
    pub complete: bool,
}

/// What `remove` did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemoveOutcome {
    /// It is gone.
    Removed,
    /// There was none.
    NotFound,
}

/// Why the store could not do it.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// The library file or its folder cannot be opened or created.
    #[error("the library {path} cannot be opened: {reason}")]
    Open {
        /// The library file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Made by a newer pagewise; it is left untouched.
    #[error("the library {path} was made by a newer pagewise (format {found}, this one knows {known}); it was not touched")]
    Newer {
        /// The library file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format known here.
        known: i64,
    },
    /// More than 99 documents of one name.
    #[error("there are already 100 documents named like {0}; give this one another name")]
    NameTaken(String),
    /// The ticket is void: another process finished, replaced or removed the document.
    #[error("{0} was changed by another process in the meantime; add it again")]
    Stale(String),
    /// The database reported an error.
    #[error("the library reported an error: {0}")]
    Database(String),
}
