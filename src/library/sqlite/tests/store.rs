use std::path::PathBuf;

use super::*;
use crate::library::{DocId, LibraryError, RemoveOutcome, Scope, Status};
use crate::pdf::{FileNote, PageNote};

fn library() -> SqliteLibrary {
    SqliteLibrary::temporary().expect("a library")
}

#[tokio::test]
async fn a_finished_document_is_whole() {
    let library = library();
    let mut document = indexed("A report", &["one", "two", "three"]);
    document.pages[1].label = Some("ii".to_owned());
    document.pages[1].notes = vec![PageNote::ImageOnly];
    document.pages[2].notes = vec![PageNote::ImageOnly];
    document.notes = vec![FileNote::Repaired];
    let mut new = new("a.pdf", "hash-a");
    new.metadata.insert("year".to_owned(), 2024.into());
    new.metadata.insert("list".to_owned(), vec![1, 2].into());
    let record = added(&library, new, document.clone()).await;
    assert_eq!((record.name.as_str(), record.status, record.page_count), ("a.pdf", Status::Completed, Some(3)));
    assert!(record.id.0.len() == 35 && record.id.0.starts_with("pi-"), "{}", record.id);
    assert_eq!(record.notes, ["repaired", "image_only: 2-3"]);
    assert_eq!(record.toc_source.as_deref(), Some("headings"));
    assert_eq!(record.origin, Origin::Path(PathBuf::from("/files/a.pdf")));
    assert_eq!(serde_json::to_string(&record.metadata).expect("JSON"), r#"{"year":2024}"#);
    assert_eq!(library.tree(&record.id).await.expect("tree"), document.tree);
    assert_eq!(library.pages(&record.id, &[1..=100]).await.expect("pages"), document.pages);
    for wanted in ["a.pdf", &record.id.0] {
        assert_eq!(library.find(&Scope::All, wanted).await.expect("find").as_ref(), Some(&record));
    }
    assert_eq!(library.find(&Scope::All, "A.pdf").await.expect("find"), None);
    assert_eq!(library.find(&Scope::Documents(Vec::new()), "a.pdf").await.expect("find"), None);
}

#[tokio::test]
async fn page_ranges_may_overlap_and_lie_outside() {
    let library = library();
    let record = added(&library, new("a.pdf", "h"), indexed("", &["one", "two", "three", "four"])).await;
    let numbers = |ranges: Vec<std::ops::RangeInclusive<u32>>| {
        let (library, id) = (library.clone(), record.id.clone());
        async move { library.pages(&id, &ranges).await.expect("pages").iter().map(|page| page.number).collect::<Vec<_>>() }
    };
    assert_eq!(numbers(vec![3..=9, 1..=1, 2..=3]).await, [1, 2, 3, 4]);
    assert_eq!(numbers(vec![0..=0, 5..=u32::MAX]).await, [] as [u32; 0]);
    #[allow(clippy::reversed_empty_ranges, reason = "a caller's mistake is what is tested")]
    let reversed = vec![3..=2, 0..=u32::MAX];
    assert_eq!(numbers(reversed).await, [1, 2, 3, 4]);
    assert_eq!(library.pages(&DocId("pi-none".to_owned()), &[1..=2]).await.expect("pages"), []);
}

#[tokio::test]
async fn an_announced_document_is_listed_and_a_failed_one_says_why() {
    let library = library();
    let ticket = started(&library, new("a.pdf", "h")).await;
    let listed = library.list(&Scope::All, 0, 10).await.expect("list");
    assert_eq!((listed.total, listed.documents[0].status), (1, Status::Processing));
    assert_eq!(library.tree(&ticket.id).await.expect("tree"), []);
    library.fail(ticket.clone(), "it is encrypted").await.expect("fail");
    let failed = library.find(&Scope::All, "a.pdf").await.expect("find").expect("a document");
    assert_eq!((failed.status, failed.failure.as_deref()), (Status::Failed, Some("it is encrypted")));
    assert!(matches!(library.finish(ticket, indexed("", &["x"])).await, Err(LibraryError::Stale(_))));
    // Another try takes the same document.
    let again = added(&library, new("a.pdf", "h"), indexed("", &["x"])).await;
    assert_eq!((again.id, again.failure), (failed.id, None));
}

#[tokio::test]
async fn the_same_content_is_stored_once() {
    let library = library();
    let record = added(&library, new("a.pdf", "h"), indexed("", &["x"])).await;
    let mut copy = at("/elsewhere/b.pdf", "b.pdf", "h");
    copy.metadata.insert("year".to_owned(), 2025.into());
    copy.description = Some("The user's words".to_owned());
    let Begun::Present(present) = library.begin(copy).await.expect("begin") else { panic!("stored again") };
    assert_eq!((&present.id, present.name.as_str(), present.description.as_str()), (&record.id, "a.pdf", "The user's words"));
    assert_eq!(present.metadata["year"], 2025);
    assert_eq!(library.list(&Scope::All, 0, 10).await.expect("list").total, 1);
}

#[tokio::test]
async fn new_content_of_a_path_replaces_the_old() {
    let library = library();
    let mut first = new("a.pdf", "h1");
    first.description = Some("The user's words".to_owned());
    first.metadata.insert("kept".to_owned(), true.into());
    let old = added(&library, first, indexed("Old", &["old one", "old two"])).await;
    let ticket = started(&library, new("a.pdf", "h2")).await;
    assert!(ticket.replaces && ticket.id == old.id);
    // The old version stays readable until the new one is whole.
    let meanwhile = library.find(&Scope::All, "a.pdf").await.expect("find").expect("a document");
    assert_eq!((meanwhile.status, meanwhile.content_hash.as_str()), (Status::Completed, "h1"));
    assert_eq!(library.pages(&old.id, &[1..=9]).await.expect("pages").len(), 2);
    let record = library.finish(ticket, indexed("New", &["new"])).await.expect("finish");
    assert_eq!((record.id, record.content_hash.as_str(), record.page_count), (old.id.clone(), "h2", Some(1)));
    assert_eq!((record.description.as_str(), &record.metadata["kept"]), ("The user's words", &true.into()));
    assert_eq!(library.pages(&old.id, &[1..=9]).await.expect("pages")[0].text, "new");
}

#[tokio::test]
async fn a_replacement_that_fails_leaves_the_old_content() {
    let library = library();
    let old = added(&library, new("a.pdf", "h1"), indexed("", &["old"])).await;
    let ticket = started(&library, new("a.pdf", "h2")).await;
    library.fail(ticket, "damaged").await.expect("fail");
    let record = library.find(&Scope::All, "a.pdf").await.expect("find").expect("a document");
    assert_eq!((record.status, record.failure.as_deref()), (Status::Completed, Some("damaged")));
    assert_eq!(library.pages(&old.id, &[1..=9]).await.expect("pages")[0].text, "old");
}

#[tokio::test]
async fn a_file_that_goes_back_to_what_is_stored_voids_what_was_on_its_way() {
    let library = library();
    added(&library, new("a.pdf", "h1"), indexed("", &["old"])).await;
    let ticket = started(&library, new("a.pdf", "h2")).await;
    assert!(matches!(library.begin(new("a.pdf", "h1")).await, Ok(Begun::Present(_))));
    assert!(matches!(library.finish(ticket, indexed("", &["new"])).await, Err(LibraryError::Stale(_))));
}

#[tokio::test]
async fn a_taken_name_gains_a_number_up_to_99() {
    let library = library();
    for number in 0..100 {
        let ticket = started(&library, at(&format!("/dir{number}/a.b.pdf"), "a.b.pdf", &format!("h{number}"))).await;
        let expected = if number == 0 { "a.b.pdf".to_owned() } else { format!("a.b_{number}.pdf") };
        assert_eq!(ticket.name, expected);
    }
    let refused = library.begin(at("/dir100/a.b.pdf", "a.b.pdf", "h100")).await;
    assert!(matches!(refused, Err(LibraryError::NameTaken(name)) if name == "a.b.pdf"));
    // A changed file keeps the name that it got.
    let again = started(&library, at("/dir7/a.b.pdf", "a.b.pdf", "changed")).await;
    assert_eq!(again.name, "a.b_7.pdf");
    // Bytes have no place to be recognised by.
    let bytes = NewDocument { origin: Origin::Bytes, ..new("c.pdf", "x1") };
    let other = NewDocument { origin: Origin::Bytes, ..new("c.pdf", "x2") };
    assert_eq!((started(&library, bytes).await.name, started(&library, other).await.name), ("c.pdf".into(), "c_1.pdf".into()));
}

#[tokio::test]
async fn an_abandoned_attempt_is_taken_over() {
    let library = library();
    let abandoned = started(&library, new("a.pdf", "h")).await;
    drop(abandoned.clone());
    let ticket = started(&library, new("a.pdf", "h")).await;
    assert_eq!((&ticket.id, &ticket.name), (&abandoned.id, &abandoned.name));
    assert!(ticket.attempt > abandoned.attempt);
    // Failing under a void ticket changes nothing.
    library.fail(abandoned.clone(), "killed").await.expect("fail");
    let record = library.finish(ticket, indexed("", &["x"])).await.expect("finish");
    assert_eq!((record.status, &record.failure), (Status::Completed, &None));
    // Whoever was at the same content finds it there.
    assert_eq!(library.finish(abandoned, indexed("", &["y"])).await.expect("the same content"), record);
    assert_eq!(library.pages(&record.id, &[1..=1]).await.expect("pages")[0].text, "x");
}

#[tokio::test]
async fn a_later_attempt_with_other_content_makes_a_ticket_void() {
    let library = library();
    let first = started(&library, new("a.pdf", "h1")).await;
    let second = started(&library, new("a.pdf", "h2")).await;
    assert_eq!(first.id, second.id);
    assert!(matches!(library.finish(first, indexed("", &["one"])).await, Err(LibraryError::Stale(_))));
    assert_eq!(library.finish(second, indexed("", &["two"])).await.expect("finish").content_hash, "h2");
}

#[tokio::test]
async fn removal_leaves_nothing_and_voids_tickets() {
    let library = library();
    let record = added(&library, new("a.pdf", "h"), indexed("Zebra", &["zebra"])).await;
    library.keep_part(&record.id, "basis", "part", "outcome").await.expect("keep");
    let ticket = started(&library, new("a.pdf", "h2")).await;
    assert_eq!(library.remove(&record.id).await.expect("remove"), RemoveOutcome::Removed);
    assert_eq!(library.remove(&record.id).await.expect("remove"), RemoveOutcome::NotFound);
    assert!(matches!(library.finish(ticket.clone(), indexed("", &["x"])).await, Err(LibraryError::Stale(_))));
    library.fail(ticket, "late").await.expect("fail");
    let left = library
        .pool
        .read(|transaction| {
            let mut left = Vec::new();
            let tables = [
                "documents",
                "submissions",
                "trees",
                "pages",
                "page_words",
                "sections",
                "page_index",
                "document_index",
                "improved",
                "finished_parts",
            ];
            for table in tables {
                let rows: i64 = transaction.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?;
                left.push((table, rows));
            }
            Ok(left)
        })
        .await
        .expect("counts");
    assert!(left.iter().all(|(_, rows)| *rows == 0), "{left:?}");
}

#[tokio::test]
async fn listing_is_newest_first_and_pages_through() {
    let library = library();
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(started(&library, new(&format!("{number}.pdf"), &format!("h{number}"))).await.id);
    }
    let page = library.list(&Scope::All, 1, 2).await.expect("list");
    let names: Vec<&str> = page.documents.iter().map(|document| document.name.as_str()).collect();
    assert_eq!((names, page.total), (vec!["3.pdf", "2.pdf"], 5));
    let scope = Scope::Documents(vec![ids[0].clone(), ids[4].clone(), ids[0].clone(), DocId("pi-gone".to_owned())]);
    let scoped = library.list(&scope, 0, 10).await.expect("list");
    let names: Vec<&str> = scoped.documents.iter().map(|document| document.name.as_str()).collect();
    assert_eq!((names, scoped.total), (vec!["4.pdf", "0.pdf"], 2));
    assert_eq!(library.list(&Scope::All, u64::MAX, 5).await.expect("list").documents, []);
}

#[tokio::test]
async fn close_names_are_found_in_the_scope_only() {
    let library = library();
    let earnings = started(&library, new("Q1-FY25-Earnings.pdf", "1")).await;
    let manual = started(&library, new("pump-manual.pdf", "2")).await;
    let close = library.similar_names(&Scope::All, "q1 fy25 earning.pdf", 3).await.expect("names");
    assert_eq!(close, ["Q1-FY25-Earnings.pdf"]);
    let scope = Scope::Documents(vec![manual.id]);
    assert!(library.similar_names(&scope, "q1 fy25 earning.pdf", 3).await.expect("names").is_empty());
    let scope = Scope::Documents(vec![earnings.id]);
    assert_eq!(library.similar_names(&scope, &"x".repeat(10_000_000), 3).await.expect("names"), [] as [&str; 0]);
}

#[tokio::test]
async fn trees_of_any_depth_come_back_as_they_were() {
    let library = library();
    let mut deep = node("deepest", 1, 1);
    for level in 0..400 {
        let side = node(&format!("side {level}"), 1, 1);
        deep = Node { nodes: vec![side.clone(), deep, side], ..node(&format!("level {level}"), 1, 1) };
    }
    let mut document = indexed("", &["x"]);
    document.tree = vec![node("first", 1, 1), deep, node("last", 1, 1)];
    let record = added(&library, new("a.pdf", "h"), document.clone()).await;
    assert_eq!(library.tree(&record.id).await.expect("tree"), document.tree);
}

#[cfg(unix)]
#[tokio::test]
async fn paths_that_are_not_unicode_are_kept() {
    use std::os::unix::ffi::OsStringExt;
    let library = library();
    let path = PathBuf::from(std::ffi::OsString::from_vec(b"/files/\xff\xfe.pdf".to_vec()));
    let odd = || NewDocument { origin: Origin::Path(path.clone()), ..new("odd.pdf", "h") };
    let record = added(&library, odd(), indexed("", &["x"])).await;
    assert_eq!(record.origin, Origin::Path(path.clone()));
    let changed = started(&library, NewDocument { content_hash: "h2".to_owned(), ..odd() }).await;
    assert_eq!(changed.id, record.id);
}
