//! Tests of the store and of ranking over it.

mod files;
mod finding;
mod improve;
mod many;
mod quality;
mod ranking;
mod rebuild;
mod store;

use std::path::PathBuf;

use super::SqliteLibrary;
use crate::index::{IndexedDocument, IndexedPage, Node, TocSource};
use crate::library::{Begun, DocumentRecord, Library, Metadata, NewDocument, Origin, Ticket};
use crate::pdf::Info;

/// A file at `/files/NAME` with this content.
fn new(name: &str, content: &str) -> NewDocument {
    at(&format!("/files/{name}"), name, content)
}

fn at(path: &str, name: &str, content: &str) -> NewDocument {
    NewDocument {
        name: name.to_owned(),
        origin: Origin::Path(PathBuf::from(path)),
        moved: false,
        content_hash: content.to_owned(),
        bytes: content.len() as u64,
        description: None,
        metadata: Metadata::new(),
    }
}

fn node(title: &str, start: u32, end: u32) -> Node {
    Node {
        title: title.to_owned(),
        node_id: format!("{start:04}"),
        start_index: start,
        end_index: end,
        summary: None,
        key_items: Vec::new(),
        nodes: Vec::new(),
        provenance: Default::default(),
    }
}

/// A document with one section over all of its pages.
fn indexed(description: &str, texts: &[&str]) -> IndexedDocument {
    let pages: Vec<IndexedPage> = (1..)
        .zip(texts)
        .map(|(number, text)| IndexedPage { number, label: None, text: (*text).to_owned(), notes: Vec::new() })
        .collect();
    IndexedDocument {
        description: description.to_owned(),
        title: None,
        tree: vec![node("Whole", 1, pages.len() as u32)],
        pages,
        toc_source: TocSource::Headings,
        info: Info::default(),
        notes: Vec::new(),
    }
}

async fn started(library: &SqliteLibrary, new: NewDocument) -> Ticket {
    match library.begin(new).await.expect("begin") {
        Begun::Started(ticket) => ticket,
        Begun::Present(document) => panic!("{} is there already", document.name),
    }
}

async fn added(library: &SqliteLibrary, new: NewDocument, document: IndexedDocument) -> DocumentRecord {
    let ticket = started(library, new).await;
    library.finish(ticket, document).await.expect("finish")
}
