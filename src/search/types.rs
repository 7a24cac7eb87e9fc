//! What ranking returns. Scores are comparable only within one answer; higher is better.

use super::snippet::Snippet;
use crate::library::{DocId, DocumentRecord};

/// A document with its score; 0 when nothing matched.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedDocument {
    /// The document.
    pub document: DocumentRecord,
    /// Higher is better.
    pub score: f64,
}

/// A page that matches.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedPage {
    /// Its document.
    pub doc: DocId,
    /// Name of the document.
    pub name: String,
    /// Physical page, 1-based.
    pub page: u32,
    /// Higher is better, among pages that are equal in `quoted`.
    pub score: f64,
    /// Whether every quoted phrase of the question stands on it; true where the question quotes nothing.
    pub quoted: bool,
    /// Its printed label where it differs from the number.
    pub label: Option<String>,
    /// Title of the section that it belongs to; `None` where the document has no sections of its own.
    pub section: Option<String>,
    /// A line or two around the best words, for people.
    pub snippet: Snippet,
}

/// A section that matches.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedSection {
    /// Its document.
    pub doc: DocId,
    /// Name of the document.
    pub name: String,
    /// The node.
    pub node_id: String,
    /// Its title.
    pub title: String,
    /// First physical page.
    pub start_index: u32,
    /// Last physical page.
    pub end_index: u32,
    /// Higher is better.
    pub score: f64,
}
