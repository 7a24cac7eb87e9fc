//! The tools on the real store.

use super::fake::{FakeDocument, node};
use super::*;
use crate::index::{IndexedDocument, TocSource};
use crate::library::{Begun, Library, NewDocument, SqliteLibrary};
use crate::pdf::Info;

async fn store(library: &SqliteLibrary, document: FakeDocument) {
    let new = NewDocument {
        name: document.record.name.clone(),
        origin: document.record.origin,
        moved: false,
        content_hash: format!("{:0>64}", document.pages.len()),
        bytes: document.record.bytes,
        description: None,
        metadata: document.record.metadata,
    };
    let Begun::Started(ticket) = library.begin(new).await.unwrap() else { panic!("it is new") };
    let indexed = IndexedDocument {
        description: document.record.description,
        title: None,
        pages: document.pages,
        tree: document.tree,
        toc_source: TocSource::Headings,
        info: Info::default(),
        notes: Vec::new(),
    };
    library.finish(ticket, indexed).await.unwrap();
}

#[tokio::test]
async fn the_tools_work_on_the_store() {
    let library = Arc::new(SqliteLibrary::temporary().unwrap());
    let mut parent = node("Notes", "0001", 1, 42);
    parent.nodes = vec![node("Note 1", "0002", 2, 3), node("Note 2", "0003", 3, 9)];
    let annual =
        document("annual-report.pdf", 42).described("Annual report of Northwind for fiscal 2023").tree(vec![parent]).label(1, "i");
    let origin = |name: &str| crate::library::Origin::Path(std::env::temp_dir().join(name));
    for mut document in [
        annual,
        document("Q3-financials.pdf", 8).described("Revenue and profit for the third quarter"),
        document("travel.pdf", 3).described("Rules on travel expenses").meta("year", json!(2024)),
    ] {
        document.record.origin = origin(&document.record.name);
        store(&library, document).await;
    }
    let toolbox =
        LocalToolbox::new(library.clone(), library.clone(), ToolboxOptions { include_management: true, ..Default::default() });

    let (_, envelope) = call(&toolbox, "browse_documents", json!({})).await;
    assert_eq!(envelope["documents"].as_array().unwrap().len(), 3);
    assert_eq!(envelope["documents"][0]["name"], json!("travel.pdf"));
    let (_, envelope) = call(&toolbox, "browse_documents", json!({"sort": "relevance", "query": "quarterly earnings"})).await;
    assert_eq!(envelope["documents"].as_array().unwrap().len(), 3);
    assert_eq!(envelope["documents"][0]["name"], json!("Q3-financials.pdf"));

    let (reply, envelope) = call(&toolbox, "get_document", json!({"doc_name": "annual-report.pdf"})).await;
    assert_eq!(
        (envelope["page_count"].as_u64(), reply.documents.as_slice()),
        (Some(42), &[("annual-report.pdf".to_owned(), Some(42))][..])
    );
    let (_, envelope) = call(&toolbox, "get_document", json!({"doc_name": "anual-report.pdf"})).await;
    assert_eq!(envelope["similar_files"][0], json!("annual-report.pdf"));
    let (_, envelope) = call(&toolbox, "get_document_structure", json!({"doc_name": "annual-report.pdf"})).await;
    assert_eq!(envelope["structure"][0]["nodes"][1]["title"], json!("Note 2"));
    let (reply, envelope) = call(&toolbox, "get_page_content", json!({"doc_name": "annual-report.pdf", "pages": "1,40-44"})).await;
    assert_eq!(envelope["returned_pages"], json!("1,40-42"));
    assert_eq!(reply.evidence[0].label.as_deref(), Some("i"));
    assert_eq!(reply.evidence[3].text, "This is the text of page 42.");

    let (_, envelope) = call(&toolbox, "remove_document", json!({"doc_names": ["travel.pdf", "none.pdf"]})).await;
    assert_eq!(
        envelope["results"],
        json!([{"doc_name": "travel.pdf", "status": "deleted"}, {"doc_name": "none.pdf", "status": "not_found"}])
    );
    let (_, envelope) = call(&toolbox, "browse_documents", json!({"limit": 1})).await;
    assert_eq!((envelope["has_more"].as_bool(), envelope["next_offset"].as_u64()), (Some(true), Some(1)));
}
