//! Several handles on one file, as several processes have them.

use std::sync::Arc;

use super::*;
use crate::library::{Begun, LibraryError, Scope, Status};
use crate::search::Ranker;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn eight_handles_add_and_ask_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("library.db");
    let mut tasks = tokio::task::JoinSet::new();
    for handle in 0..8 {
        let path = path.clone();
        tasks.spawn(async move {
            // All of them make the file at once.
            let library = SqliteLibrary::open(&path).expect("a library");
            for number in 0..6 {
                let name = format!("{handle}-{number}.pdf");
                let text = format!("report {number} of handle {handle}");
                added(&library, new(&name, &name), indexed(&text, &[&text, "second page"])).await;
                library.rank_pages(&Scope::All, "report", 5).await.expect("pages");
                library.list(&Scope::All, 0, 10).await.expect("list");
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.expect("a task");
    }
    let library = SqliteLibrary::open(&path).expect("a library");
    let listed = library.list(&Scope::All, 0, 100).await.expect("list");
    assert_eq!(listed.total, 48);
    for document in listed.documents {
        assert_eq!(document.status, Status::Completed);
        assert_eq!(library.pages(&document.id, &[1..=9]).await.expect("pages").len(), 2);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_same_file_added_by_many_becomes_one_document() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("library.db");
    let gate = Arc::new(tokio::sync::Barrier::new(6));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..6 {
        let (path, gate) = (path.clone(), Arc::clone(&gate));
        tasks.spawn(async move {
            let library = SqliteLibrary::open(&path).expect("a library");
            gate.wait().await;
            match library.begin(new("a.pdf", "h")).await.expect("begin") {
                Begun::Present(record) => *record,
                Begun::Started(ticket) => library.finish(ticket, indexed("", &["one", "two"])).await.expect("finish"),
            }
        });
    }
    let mut records = Vec::new();
    while let Some(done) = tasks.join_next().await {
        records.push(done.expect("a task"));
    }
    assert!(records.iter().all(|record| record.id == records[0].id && record.status == Status::Completed));
    let library = SqliteLibrary::open(&path).expect("a library");
    assert_eq!(library.list(&Scope::All, 0, 10).await.expect("list").total, 1);
    assert_eq!(library.pages(&records[0].id, &[1..=9]).await.expect("pages").len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn readers_see_a_replaced_document_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("library.db");
    let library = SqliteLibrary::open(&path).expect("a library");
    let record = added(&library, new("a.pdf", "v0"), indexed("", &["v0"; 30])).await;
    let reader = SqliteLibrary::open(&path).expect("a library");
    let reading = tokio::spawn(async move {
        for _ in 0..60 {
            let pages = reader.pages(&record.id, &[1..=100]).await.expect("pages");
            assert_eq!(pages.len(), 30);
            assert!(pages.iter().all(|page| page.text == pages[0].text), "two versions at once");
        }
    });
    for version in 1..12 {
        let text = format!("v{version}");
        added(&library, new("a.pdf", &text), indexed("", &[text.as_str(); 30])).await;
    }
    reading.await.expect("reader");
}

#[tokio::test]
async fn a_write_that_fails_in_the_middle_leaves_no_trace() {
    let library = SqliteLibrary::temporary().expect("a library");
    let record = added(&library, new("a.pdf", "h"), indexed("", &["x"])).await;
    let ticket = started(&library, new("a.pdf", "h2")).await;
    let prepared = super::super::finish::prepare(indexed("", &["y", "z"])).expect("prepared");
    let cut: Result<(), LibraryError> = library
        .pool
        .write(move |transaction| {
            super::super::finish::finish(transaction, &ticket, &prepared)?;
            Err(LibraryError::Database("the power went".to_owned()))
        })
        .await;
    assert!(cut.is_err());
    assert_eq!(library.pages(&record.id, &[1..=9]).await.expect("pages")[0].text, "x");
    assert_eq!(library.rank_pages(&Scope::All, "y", 5).await.expect("pages"), []);
}

#[tokio::test]
async fn a_panic_in_the_work_is_an_error_and_the_library_goes_on() {
    let library = SqliteLibrary::temporary().expect("a library");
    let broken: Result<(), LibraryError> = library.pool.write(|_| panic!("a defect")).await;
    assert!(matches!(broken, Err(LibraryError::Database(_))));
    added(&library, new("a.pdf", "h"), indexed("", &["x"])).await;
}
