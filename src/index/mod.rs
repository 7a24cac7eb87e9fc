//! From pages and lines to a tree of sections, without a model; [`enrich`] improves a finished tree with one.
//!
//! Signals of structure: the file's own outline ([`bookmarks`]), printed contents pages ([`contents`], and [`inner`] for lists inside the
//! document), headings in the layout and in structure tags ([`headings`]), page labels ([`labels`]); [`ranges`] where there is none.
//! [`locate`] finds titles on pages, [`reconcile`] decides which signal wins where, [`arrange`] puts the outcome in order and [`levels`] nests
//! it, [`shape`] makes nodes of it; [`summary`] and [`describe`] say what is in them. [`pipeline`] is the way in.

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
pub(crate) use types::NodeHead;
pub use types::{IndexedDocument, IndexedPage, Node, NodeSource, Provenance, TocSource};
