//! From pages and lines to a tree of sections, without a model.

mod bookmarks;
mod candidates;
mod contents;
mod entry;
mod headings;
mod layout;
mod levels;
mod locate;
mod numbering;
mod ranges;
mod reconcile;
mod shape;
mod titles;
mod types;

pub use types::{IndexedDocument, IndexedPage, Node, TocSource};

pub fn tree_of(pages: &[crate::pdf::Page], marks: &[crate::pdf::Bookmark]) -> (Vec<Node>, TocSource) {
    let look = layout::typography(pages);
    let (entries, source) = reconcile::outline(pages, marks, &look);
    (shape::nodes(shape::shape(entries, pages.len() as u32, "Front matter")), source)
}
