use std::collections::HashMap;

use super::*;
use crate::library::{DocId, Improvement, LibraryError, Scope};
use crate::search::Ranker;

fn library() -> SqliteLibrary {
    SqliteLibrary::temporary().expect("a library")
}

fn summarised(title: &str, summary: &str) -> Node {
    Node { summary: Some(summary.to_owned()), ..node(title, 1, 2) }
}

fn improvement(content: &str, complete: bool) -> Improvement {
    Improvement {
        content_hash: content.to_owned(),
        tree_version: crate::index::TREE_VERSION,
        basis: "h one".to_owned(),
        tree: vec![summarised("Whole", "About xylophones.")],
        description: Some("The model's words".to_owned()),
        toc_source: None,
        complete,
    }
}

async fn kept(library: &SqliteLibrary, id: &DocId, basis: &str) -> HashMap<String, String> {
    library.finished_parts(id, basis).await.expect("parts")
}

#[tokio::test]
async fn an_improved_tree_takes_the_place_of_the_stored_one_and_is_searched() {
    let library = library();
    let record = added(&library, new("a.pdf", "h"), indexed("As found", &["one", "two"])).await;
    let before = library.improvable(&record.id).await.expect("improvable").expect("a document");
    assert_eq!((before.improved, before.described_by_user, before.toc_source.as_deref()), (None, false, Some("headings")));
    assert_eq!((before.content_hash.as_str(), before.tree_version), ("h", crate::index::TREE_VERSION));
    library.keep_part(&record.id, "h one", "p1", "first").await.expect("keep");
    library.keep_part(&record.id, "h one", "p1", "second").await.expect("keep");
    library.keep_part(&record.id, "h two", "p2", "other").await.expect("keep");
    assert_eq!(kept(&library, &record.id, "h one").await, HashMap::from([("p1".to_owned(), "second".to_owned())]));
    let improved = library.improve(&record.id, improvement("h", true)).await.expect("improve");
    assert_eq!((improved.id.clone(), improved.description.as_str()), (record.id.clone(), "The model's words"));
    assert_eq!(library.tree(&record.id).await.expect("tree")[0].summary.as_deref(), Some("About xylophones."));
    assert_eq!(library.pages(&record.id, &[1..=9]).await.expect("pages").len(), 2);
    assert_eq!(library.improvable(&record.id).await.expect("improvable").and_then(|d| d.improved), Some("h one".to_owned()));
    assert!(kept(&library, &record.id, "h one").await.is_empty() && kept(&library, &record.id, "h two").await.is_empty());
    for query in ["xylophones", "two"] {
        let (found, _) = library.rank_documents(&Scope::All, query, 0, 5).await.expect("rank");
        assert_eq!(found.len(), 1, "{query}");
        assert!(!library.rank_sections(&Scope::All, "xylophones", 5).await.expect("rank").is_empty());
    }
    assert!(!library.rank_pages(&Scope::All, "two", 5).await.expect("rank").is_empty());
}

#[tokio::test]
async fn an_incomplete_improvement_keeps_its_parts_and_is_not_marked() {
    let library = library();
    let record = added(&library, new("a.pdf", "h"), indexed("", &["one", "two"])).await;
    library.keep_part(&record.id, "h one", "p1", "x").await.expect("keep");
    library.improve(&record.id, improvement("h", false)).await.expect("improve");
    assert_eq!(library.improvable(&record.id).await.expect("improvable").and_then(|d| d.improved), None);
    assert_eq!(kept(&library, &record.id, "h one").await.len(), 1);
}

#[tokio::test]
async fn the_users_description_stays() {
    let library = library();
    let with = NewDocument { description: Some("The user's words".to_owned()), ..new("a.pdf", "h") };
    let record = added(&library, with, indexed("As found", &["one", "two"])).await;
    assert!(library.improvable(&record.id).await.expect("improvable").is_some_and(|d| d.described_by_user));
    let improved = library.improve(&record.id, improvement("h", true)).await.expect("improve");
    assert_eq!(improved.description, "The user's words");
}

#[tokio::test]
async fn other_content_or_another_tree_makes_an_improvement_void() {
    let library = library();
    let record = added(&library, new("a.pdf", "h"), indexed("", &["one", "two"])).await;
    library.keep_part(&record.id, "h one", "p1", "x").await.expect("keep");
    let older = Improvement { tree_version: 0, ..improvement("h", true) };
    assert!(matches!(library.improve(&record.id, older).await, Err(LibraryError::Stale(_))));
    library.improve(&record.id, improvement("h", true)).await.expect("improve");
    library.keep_part(&record.id, "h one", "p1", "x").await.expect("keep");
    // New content of the same path: the improvement and its parts go with the old content.
    let now = added(&library, new("a.pdf", "h2"), indexed("New", &["three"])).await;
    assert_eq!(now.id, record.id);
    assert!(kept(&library, &record.id, "h one").await.is_empty());
    assert_eq!(library.improvable(&record.id).await.expect("improvable").and_then(|d| d.improved), None);
    assert!(matches!(library.improve(&record.id, improvement("h", true)).await, Err(LibraryError::Stale(_))));
    assert_eq!(library.find(&Scope::All, "a.pdf").await.expect("find").map(|d| d.description), Some("New".to_owned()));
}

#[tokio::test]
async fn only_completed_documents_can_be_improved() {
    let library = library();
    let ticket = started(&library, new("a.pdf", "h")).await;
    assert_eq!(library.improvable(&ticket.id).await.expect("improvable"), None);
    let gone = DocId("pi-none".to_owned());
    assert_eq!(library.improvable(&gone).await.expect("improvable"), None);
    assert!(matches!(library.keep_part(&gone, "b", "p", "x").await, Err(LibraryError::Stale(_))));
    assert!(matches!(library.improve(&gone, improvement("h", true)).await, Err(LibraryError::Stale(_))));
}
