//! From pages and lines to a tree of sections, without a model; [`enrich`] improves a finished tree with one.
//!
//! Sources of structure ([`bookmarks`], [`contents`], [`headings`], [`ranges`]) yield flat outlines; [`reconcile`] decides between them,
//! [`shape`] makes nodes of the outcome, [`summary`] and [`describe`] say what is in it. [`pipeline`] is the way in.

mod arrange;
mod bookmarks;
mod budget;
mod contents;
mod describe;
pub mod enrich;
mod entry;
mod headings;
mod inner;
mod known;
mod labels;
mod layout;
mod levels;
mod locate;
mod numbering;
mod pipeline;
mod ranges;
mod reconcile;
pub(crate) mod sentences;
mod shape;
mod summary;
#[cfg(test)]
mod tests;
mod titles;
mod types;

pub use pipeline::{IndexOptions, TREE_VERSION, index_file, index_pages};
pub use types::{IndexedDocument, IndexedPage, Node, NodeSource, Provenance, TocSource};
