use super::*;
use crate::library::{LibraryError, Outdated, Scope};
use crate::search::Ranker;

/// A library with a document of the user's own words, made by an older version of these parts.
async fn outdated(parts: &'static str) -> (SqliteLibrary, DocumentRecord) {
    let library = SqliteLibrary::temporary().expect("a library");
    let mut file = new("a.pdf", "h1");
    file.description = Some("The user's words".to_owned());
    file.metadata.insert("year".to_owned(), 2025.into());
    added(&library, file, indexed("Old", &["the old harbour", "two"])).await;
    added(&library, new("b.pdf", "h2"), indexed("Other", &["x"])).await;
    let sql = format!("UPDATE documents SET {parts} WHERE name = 'a.pdf'");
    library.pool.write(move |transaction| Ok(transaction.execute_batch(&sql)?)).await.expect("an update");
    let document = library.find(&Scope::All, "a.pdf").await.expect("find").expect("the document");
    (library, document)
}

#[tokio::test]
async fn parts_of_an_older_version_are_told() {
    let (library, document) = outdated("text_version = 1, tree_version = NULL, words_version = 1000").await;
    assert_eq!(document.outdated, Outdated { text: true, tree: true, words: false });
    let other = library.find(&Scope::All, "b.pdf").await.expect("find").expect("the document");
    assert!(!other.outdated.any());
    let count = |scope: Scope| {
        let library = library.clone();
        async move { library.outdated(&scope).await.expect("a number") }
    };
    assert_eq!(count(Scope::All).await, 1);
    assert_eq!(count(Scope::Documents(vec![document.id.clone(), other.id.clone()])).await, 1);
    assert_eq!(count(Scope::Documents(vec![other.id])).await, 0);
    // A document that is only announced has nothing that could be old.
    let ticket = started(&library, new("c.pdf", "h3")).await;
    let announced = library.find(&Scope::All, &ticket.name).await.expect("find").expect("the document");
    assert!(!announced.outdated.any());
    assert_eq!(count(Scope::All).await, 1);
}

#[tokio::test]
async fn a_rebuilt_document_is_the_same_document() {
    let (library, old) = outdated("text_version = 1, tree_version = 1").await;
    let mut anew = indexed("New", &["the new harbour", "two", "three"]);
    anew.pages[1].label = Some("ii".to_owned());
    let record = library.rebuild(&old, anew.clone()).await.expect("rebuild");
    assert!(!record.outdated.any());
    assert_eq!(library.outdated(&Scope::All).await.expect("a number"), 0);
    let kept = |record: &DocumentRecord| {
        let record = record.clone();
        (record.id, record.name, record.description, record.metadata, record.created_ms, record.origin, record.content_hash)
    };
    assert_eq!(kept(&record), kept(&old));
    assert_eq!(record.page_count, Some(3));
    assert_eq!(library.pages(&record.id, &[1..=9]).await.expect("pages"), anew.pages);
    assert_eq!(library.tree(&record.id).await.expect("tree"), anew.tree);
    assert_eq!(library.labels(&record.id).await.expect("labels").into_iter().collect::<Vec<_>>(), [(2, "ii".to_owned())]);
    let found = library.rank_pages(&Scope::All, "new harbour", 5).await.expect("pages");
    assert_eq!((found.len(), found[0].page), (1, 1));
}

#[tokio::test]
async fn other_content_is_not_overwritten() {
    let (library, old) = outdated("tree_version = 1").await;
    added(&library, new("a.pdf", "h9"), indexed("", &["newer content"])).await;
    let late = library.rebuild(&old, indexed("", &["old content"])).await;
    assert!(matches!(late, Err(LibraryError::Stale(_))), "{late:?}");
    assert_eq!(library.pages(&old.id, &[1..=9]).await.expect("pages")[0].text, "newer content");
    library.remove(&old.id).await.expect("remove");
    assert!(matches!(library.rebuild(&old, indexed("", &["x"])).await, Err(LibraryError::Stale(_))));
    assert!(matches!(library.rebuild_words(&old.id).await, Err(LibraryError::Stale(_))));
}

#[tokio::test]
async fn a_reason_that_is_kept_beside_a_document_stays() {
    let (library, old) = outdated("tree_version = 1").await;
    let ticket = started(&library, new("a.pdf", "h9")).await;
    library.fail(ticket, "damaged").await.expect("fail");
    let record = library.rebuild(&old, indexed("", &["x"])).await.expect("rebuild");
    assert_eq!(record.failure.as_deref(), Some("damaged"));
}

#[tokio::test]
async fn words_are_made_of_what_is_stored() {
    let (library, old) = outdated("words_version = 0, language = 'de'").await;
    let wipe = "DELETE FROM page_index; DELETE FROM page_words; DELETE FROM sections; DELETE FROM document_index";
    library.pool.write(move |transaction| Ok(transaction.execute_batch(wipe)?)).await.expect("an update");
    assert!(library.rank_pages(&Scope::All, "harbour", 5).await.expect("pages").is_empty());
    let record = library.rebuild_words(&old.id).await.expect("rebuild");
    assert_eq!(
        DocumentRecord { updated_ms: 0, ..record },
        DocumentRecord { updated_ms: 0, outdated: Outdated::default(), ..old.clone() }
    );
    let found = library.rank_pages(&Scope::All, "harbour", 5).await.expect("pages");
    assert_eq!((found.len(), found[0].page), (1, 1));
    assert!(!library.rank_sections(&Scope::All, "whole", 5).await.expect("sections").is_empty());
    assert!(!library.rank_documents(&Scope::All, "user words", 0, 5).await.expect("documents").0.is_empty());
}
