//! From pages and lines to a tree of sections, without a model.

mod types;

pub use types::{IndexedDocument, IndexedPage, Node, TocSource};
