use std::fs;

use super::*;
use crate::library::{LibraryError, Scope};
use crate::search::Ranker;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[cfg(unix)]
#[tokio::test]
async fn the_file_and_a_new_folder_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let path = folder.path().join("one/two/library.db");
    let library = SqliteLibrary::open(&path).expect("a library");
    added(&library, new("a.pdf", "h"), indexed("", &["x"])).await;
    let mode = |path: &std::path::Path| fs::metadata(path).expect("metadata").permissions().mode() & 0o777;
    assert_eq!((mode(&folder.path().join("one")), mode(&folder.path().join("one/two"))), (0o700, 0o700));
    for entry in fs::read_dir(folder.path().join("one/two")).expect("entries") {
        let entry = entry.expect("an entry").path();
        assert_eq!(mode(&entry), 0o600, "{}", entry.display());
    }
    assert!(path.with_file_name("library.db-wal").exists());
}

#[cfg(unix)]
#[tokio::test]
async fn a_library_that_others_could_read_is_narrowed_and_a_folder_that_was_there_is_left() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("mode");
    let path = folder.path().join("library.db");
    drop(SqliteLibrary::open(&path).expect("a library"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("mode");
    drop(SqliteLibrary::open(&path).expect("a library"));
    let mode = |path: &std::path::Path| fs::metadata(path).expect("metadata").permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(folder.path())), (0o600, 0o755));
}

#[tokio::test]
async fn what_was_stored_is_there_after_opening_again() {
    let folder = folder();
    let path = folder.path().join("library.db");
    let record = {
        let library = SqliteLibrary::open(&path).expect("a library");
        assert_eq!(library.path(), path);
        let record = added(&library, new("a.pdf", "h"), indexed("Zebras", &["x"])).await;
        started(&library, new("b.pdf", "killed meanwhile")).await;
        record
    };
    let library = SqliteLibrary::open(&path).expect("a library");
    assert_eq!(library.find(&Scope::All, "a.pdf").await.expect("find"), Some(record));
    // What a killed process left behind can be added again.
    added(&library, new("b.pdf", "killed meanwhile"), indexed("", &["y"])).await;
}

#[tokio::test]
async fn a_file_of_the_first_version_gains_the_tables_for_improvements() {
    let folder = folder();
    let path = folder.path().join("library.db");
    let record = added(&SqliteLibrary::open(&path).expect("a library"), new("a.pdf", "h"), indexed("", &["x"])).await;
    let connection = rusqlite::Connection::open(&path).expect("the file");
    connection.execute_batch("DROP TABLE improved; DROP TABLE finished_parts").expect("no tables for improvements");
    connection.execute_batch(&format!("{WITHOUT_NAME_WORDS}; PRAGMA user_version = 1")).expect("the first version");
    drop(connection);
    let library = SqliteLibrary::open(&path).expect("a library");
    library.keep_part(&record.id, "basis", "part", "outcome").await.expect("keep");
    assert_eq!(library.finished_parts(&record.id, "basis").await.expect("parts").len(), 1);
}

/// Takes away what the third version brought.
const WITHOUT_NAME_WORDS: &str = "DROP TABLE name_terms; DROP TABLE document_terms; DROP TABLE name_index";

#[tokio::test]
async fn a_file_of_the_second_version_gains_the_words_of_names() {
    let folder = folder();
    let path = folder.path().join("library.db");
    let library = SqliteLibrary::open(&path).expect("a library");
    added(&library, new("zebra.pdf", "z"), indexed("", &["x"])).await;
    added(&library, new("northwind.pdf", "h"), indexed("", &["x"])).await;
    started(&library, new("harbour.pdf", "p")).await;
    drop(library);
    let connection = rusqlite::Connection::open(&path).expect("the file");
    connection.execute_batch(&format!("{WITHOUT_NAME_WORDS}; PRAGMA user_version = 2")).expect("the second version");
    drop(connection);
    let library = SqliteLibrary::open(&path).expect("a library");
    for (query, name) in [("nothwind", "northwind.pdf"), ("harbor", "harbour.pdf")] {
        let (ranked, _) = library.rank_documents(&Scope::All, query, 0, 1).await.expect("documents");
        assert_eq!(ranked[0].document.name, name);
    }
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_not_touched() {
    let folder = folder();
    let path = folder.path().join("library.db");
    drop(SqliteLibrary::open(&path).expect("a library"));
    let connection = rusqlite::Connection::open(&path).expect("the file");
    connection.pragma_update(None, "user_version", 999).expect("version");
    drop(connection);
    let before = fs::read(&path).expect("bytes");
    let error = SqliteLibrary::open(&path).err().expect("refused");
    assert!(matches!(error, LibraryError::Newer { found: 999, .. }), "{error}");
    assert_eq!(fs::read(&path).expect("bytes"), before);
    assert_eq!(fs::read_dir(folder.path()).expect("entries").count(), 1);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused_and_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let path = folder.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).unwrap();
    let error = SqliteLibrary::open(&path).err().unwrap().to_string();
    assert!(error.contains("no regular file"), "{error}");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o666);
}

#[test]
fn files_that_are_no_library_are_refused_and_not_touched() {
    let folder = folder();
    let text = folder.path().join("notes.txt");
    fs::write(&text, "these are my notes").expect("a file");
    let other = folder.path().join("other.db");
    rusqlite::Connection::open(&other).expect("a file").execute_batch("CREATE TABLE mine (x)").expect("a table");
    for path in [&text, &other] {
        let before = fs::read(path).expect("bytes");
        let error = SqliteLibrary::open(path).err().expect("refused");
        assert!(matches!(error, LibraryError::Open { .. }), "{error}");
        assert_eq!(fs::read(path).expect("bytes"), before);
    }
    assert!(matches!(SqliteLibrary::open(folder.path()).err(), Some(LibraryError::Open { .. })));
}

#[tokio::test]
async fn a_temporary_library_is_shared_by_its_handles_and_writes_no_file() {
    let library = SqliteLibrary::temporary().expect("a library");
    let other = library.clone();
    added(&library, new("a.pdf", "h"), indexed("", &["x"])).await;
    assert_eq!(other.list(&Scope::All, 0, 10).await.expect("list").total, 1);
    assert!(!library.path().exists());
    let apart = SqliteLibrary::temporary().expect("a library");
    assert_eq!(apart.list(&Scope::All, 0, 10).await.expect("list").total, 0);
}
