//! Trees as people see them, and stored documents that are made anew.
#![allow(clippy::unwrap_used, reason = "a test may stop where it fails")]

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

const DOCUMENTS: [&str; 3] = ["annual-report.pdf", "quarterly-release.pdf", "technical-manual.pdf"];

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/documents").join(name)
}

/// The program with a library, a config file and a folder of documents of its own.
struct Desk {
    dir: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("config.toml"), "").unwrap();
        std::fs::create_dir(dir.path().join("files")).unwrap();
        Self { dir }
    }

    /// All samples, added from the folder, and said to be made by an older version.
    fn outdated() -> Self {
        let desk = Self::new();
        for name in DOCUMENTS {
            std::fs::copy(document(name), desk.file(name)).unwrap();
        }
        let folder = desk.dir.path().join("files");
        assert_eq!(desk.run(&["add", folder.to_str().unwrap(), "--metadata", "year=2025"]).status.code(), Some(0));
        desk.sql("UPDATE documents SET tree_version = 1");
        desk
    }

    fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join("files").join(name)
    }

    fn sql(&self, statements: &str) {
        rusqlite::Connection::open(self.dir.path().join("library.db")).unwrap().execute_batch(statements).unwrap();
    }

    fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_pagewise"))
            .env_remove("PAGEWISE_MODEL")
            .env("PAGEWISE_CONFIG", self.dir.path().join("config.toml"))
            .env("PAGEWISE_LIBRARY", self.dir.path().join("library.db"))
            .args(args)
            .output()
            .unwrap()
    }

    /// The objects of a run, whatever its status.
    fn objects(&self, args: &[&str]) -> Vec<Value> {
        out(&self.run(args)).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn trees_of_the_samples() {
    let desk = Desk::new();
    for name in DOCUMENTS {
        let path = document(name);
        let path = path.to_str().unwrap();
        insta::assert_snapshot!(format!("tree of {name}"), out(&desk.run(&["tree", path])));
        insta::assert_snapshot!(format!("sources of {name}"), out(&desk.run(&["tree", path, "--sources"])));
    }
}

#[test]
fn a_stored_tree_is_shown_as_that_of_its_file() {
    let desk = Desk::outdated();
    for name in DOCUMENTS {
        let file = desk.file(name);
        for options in [vec![], vec!["--sources", "--summaries"], vec!["--json"], vec!["--json", "--sources"]] {
            let of_file = desk.run(&[&["tree", file.to_str().unwrap()], &options[..]].concat());
            assert_eq!(out(&desk.run(&[&["tree", name], &options[..]].concat())), out(&of_file), "{name} {options:?}");
        }
    }
}

#[test]
fn the_tree_of_a_file_that_is_stored_is_the_stored_one() {
    let desk = Desk::outdated();
    let file = desk.file("annual-report.pdf");
    let show = ["tree", file.to_str().unwrap()];
    desk.sql("UPDATE trees SET nodes = replace(nodes, 'Glossary', 'Words')");
    assert!(out(&desk.run(&show)).contains("\nGlossary"), "what is stored is older");
    assert_eq!(desk.run(&["reindex"]).status.code(), Some(0));
    desk.sql("UPDATE trees SET nodes = replace(nodes, 'Glossary', 'Words')");
    assert!(out(&desk.run(&show)).contains("\nWords"));
    std::fs::write(desk.dir.path().join("library.db"), "no library").unwrap();
    assert!(out(&desk.run(&show)).contains("\nGlossary"), "a broken library is in nobody's way");
}

#[cfg(target_os = "linux")]
#[test]
fn file_names_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let desk = Desk::new();
    let file = desk.dir.path().join("files").join(OsStr::from_bytes(b"latin\xe9.pdf"));
    std::fs::copy(document("quarterly-release.pdf"), &file).unwrap();
    for command in ["tree", "pages"] {
        let folder = desk.run(&[command, file.parent().unwrap().to_str().unwrap()]);
        assert!(folder.status.code() == Some(2) && err(&folder).contains("is a folder"), "{}", err(&folder));
        let run = Command::new(env!("CARGO_BIN_EXE_pagewise"))
            .env("PAGEWISE_CONFIG", desk.dir.path().join("config.toml"))
            .env("PAGEWISE_LIBRARY", desk.dir.path().join("library.db"))
            .arg(command)
            .arg(&file)
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(0), "{}", err(&run));
    }
}

#[test]
fn a_document_whose_file_was_moved_is_rebuilt_once_it_is_told_where_it_is() {
    let desk = Desk::outdated();
    let (old, new) = (desk.file("annual-report.pdf"), desk.file("moved\nhere.pdf"));
    std::fs::rename(&old, &new).unwrap();
    assert_eq!(desk.objects(&["reindex", "annual-report.pdf", "--json"])[0]["error"]["kind"], "file_missing");
    let added = desk.objects(&["add", new.to_str().unwrap(), "--json"]);
    assert_eq!((&added[0]["status"], &added[0]["name"]), (&"present".into(), &"annual-report.pdf".into()));
    assert_eq!(desk.objects(&["reindex", "annual-report.pdf", "--json"])[0]["status"], "rebuilt");
    // A copy elsewhere changes nothing as long as the file is there.
    std::fs::copy(&new, &old).unwrap();
    assert_eq!(desk.run(&["add", old.to_str().unwrap()]).status.code(), Some(0));
    std::fs::remove_file(&new).unwrap();
    let gone = err(&desk.run(&["reindex", "annual-report.pdf", "--force"]));
    assert!(gone.contains("moved\\nhere.pdf is gone") && gone.lines().count() == 1, "{gone}");
}

#[test]
fn levels_and_text_are_picked() {
    let desk = Desk::new();
    let report = document("annual-report.pdf");
    let tree = |options: &[&str]| desk.run(&[&["tree", report.to_str().unwrap()], options].concat());
    insta::assert_snapshot!(format!(
        "{}\n{}\n{}",
        out(&tree(&["--depth", "1"])),
        out(&tree(&["--grep", "GOODWILL"])),
        out(&tree(&["--grep", "debt", "--summaries"]))
    ));
    let nothing = tree(&["--grep", "no such words"]);
    assert_eq!((nothing.status.code(), out(&nothing).lines().count()), (Some(0), 1));
    assert!(err(&nothing).contains("no title"), "{}", err(&nothing));
    let json: Value = serde_json::from_str(&out(&tree(&["--grep", "goodwill", "--depth", "2", "--json"]))).unwrap();
    assert!(json["structure"].as_array().unwrap().iter().all(|node| node["nodes"][0]["nodes"].is_null()), "{json}");
    assert_eq!(tree(&["--grep", " "]).status.code(), Some(2));
    assert_eq!(tree(&["--depth", "0"]).status.code(), Some(2));
    let colours = out(&tree(&["--grep", "goodwill", "--color", "always"]));
    assert!(colours.contains("\u{1b}[1;31mGoodwill\u{1b}[0m"), "{colours}");
}

#[test]
fn the_interactive_session_shows_the_same_tree() {
    let desk = Desk::outdated();
    let output = Command::new(env!("CARGO_BIN_EXE_pagewise"))
        .env_remove("PAGEWISE_MODEL")
        .env("PAGEWISE_CONFIG", desk.dir.path().join("config.toml"))
        .env("PAGEWISE_LIBRARY", desk.dir.path().join("library.db"))
        .write_stdin("/tree annual-report.pdf\n/tree technical-manual.pdf\n")
        .output()
        .unwrap();
    let expected = out(&desk.run(&["tree", "annual-report.pdf"])) + &out(&desk.run(&["tree", "technical-manual.pdf"]));
    assert_eq!(out(&output), expected);
    assert_eq!(err(&output).matches("older version").count(), 1, "{}", err(&output));
}

#[test]
fn outdated_documents_are_said_once_and_rebuilt() {
    let desk = Desk::outdated();
    let before = desk.objects(&["list", "--json"]);
    assert!(before[0].as_array().unwrap().iter().all(|document| document["outdated"] == serde_json::json!(["tree"])));
    let line = "3 documents were indexed by an older version; `pagewise reindex` rebuilds them\n";
    assert_eq!(err(&desk.run(&["list"])), line);
    assert_eq!(err(&desk.run(&["list", "--json"])), "");
    assert_eq!(err(&desk.run(&["list", "--quiet"])), "");
    let folder = desk.dir.path().join("files");
    assert_eq!(err(&desk.run(&["add", folder.to_str().unwrap()])), line);
    let question = ["ask", "What was revenue in the quarter?", "--doc", "quarterly-release.pdf"];
    let said = err(&desk.run(&question));
    assert_eq!(said.matches("1 document was indexed by an older version; `pagewise reindex` rebuilds it").count(), 1, "{said}");
    assert!(!err(&desk.run(&[&question[..], &["--json"]].concat())).contains("older version"));

    let named = desk.run(&["reindex", "quarterly-release.pdf"]);
    assert_eq!((named.status.code(), out(&named).as_str()), (Some(0), "quarterly-release.pdf  10 pages  rebuilt\n"));
    assert_eq!(out(&desk.run(&["reindex", "quarterly-release.pdf"])), "quarterly-release.pdf  up to date\n");
    let rest = desk.objects(&["reindex", "--json"]);
    assert_eq!(rest.len(), 2);
    assert!(rest.iter().all(|report| report["status"] == "rebuilt"), "{rest:?}");
    let nothing = desk.run(&["reindex"]);
    assert_eq!((nothing.status.code(), out(&nothing).as_str()), (Some(0), ""));
    assert!(err(&nothing).starts_with("nothing to do"), "{}", err(&nothing));
    let after = desk.objects(&["list", "--json"]);
    for (before, after) in before[0].as_array().unwrap().iter().zip(after[0].as_array().unwrap()) {
        for kept in ["id", "name", "description", "metadata", "created_ms", "origin", "content_hash", "pages", "toc_source"] {
            assert_eq!(before[kept], after[kept], "{kept}");
        }
        assert_eq!(after["outdated"], serde_json::json!([]));
    }
    assert_eq!(desk.run(&["reindex", "--force"]).status.code(), Some(2));
    assert_eq!(desk.objects(&["reindex", "--all", "--force", "--json"]).len(), 3);
    assert!(desk.objects(&["reindex", "--all", "--json"]).iter().all(|report| report["status"] == "up_to_date"));
    assert_eq!(desk.run(&["reindex", "no-such.pdf"]).status.code(), Some(1));
}

#[test]
fn what_cannot_be_rebuilt_stays_and_is_said() {
    let desk = Desk::outdated();
    let pages = out(&desk.run(&["pages", "annual-report.pdf", "--json"]));
    std::fs::remove_file(desk.file("annual-report.pdf")).unwrap();
    std::fs::copy(document("annual-report.pdf"), desk.file("technical-manual.pdf")).unwrap();
    let run = desk.run(&["reindex", "--json"]);
    assert_eq!(run.status.code(), Some(7));
    let mut reports: Vec<Value> = out(&run).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    reports.sort_by_key(|report| report["name"].as_str().unwrap().to_owned());
    assert_eq!(reports[0]["error"]["kind"], "file_missing");
    assert_eq!(reports[1]["status"], "rebuilt");
    assert_eq!(reports[2]["error"]["kind"], "file_changed");
    assert_eq!(out(&desk.run(&["pages", "annual-report.pdf", "--json"])), pages);
    assert!(out(&desk.run(&["pages", "technical-manual.pdf", "1"])).contains("--- page 1"));
    let alone = desk.run(&["reindex", "annual-report.pdf"]);
    assert_eq!((alone.status.code(), out(&alone).as_str()), (Some(1), ""));
    assert!(err(&alone).contains("annual-report.pdf is gone"), "{}", err(&alone));

    // Words need no file.
    desk.sql("UPDATE documents SET tree_version = 1000, words_version = 0; DELETE FROM page_index; DELETE FROM page_words");
    assert_eq!(desk.objects(&["search", "goodwill", "--json"]), [serde_json::json!([])]);
    assert_eq!(desk.run(&["reindex"]).status.code(), Some(0));
    assert_ne!(desk.objects(&["search", "goodwill", "--json"]), [serde_json::json!([])]);
}

#[test]
fn an_empty_folder_is_a_failure() {
    let desk = Desk::new();
    let folder = desk.dir.path().join("files");
    let run = desk.run(&["add", folder.to_str().unwrap()]);
    assert_eq!((run.status.code(), out(&run).as_str()), (Some(1), ""));
    assert!(err(&run).contains("there is no PDF in the folder"), "{}", err(&run));
    let reports = desk.objects(&["add", folder.to_str().unwrap(), "--json"]);
    assert_eq!((reports.len(), &reports[0]["status"]), (1, &Value::from("failed")));
    let release = document("quarterly-release.pdf");
    assert_eq!(desk.run(&["add", folder.to_str().unwrap(), release.to_str().unwrap()]).status.code(), Some(7));
}

#[test]
fn files_that_are_left_out_of_a_question_are_told() {
    let desk = Desk::new();
    std::fs::copy(document("quarterly-release.pdf"), desk.file("release.pdf")).unwrap();
    let folder = desk.dir.path().join("files");
    let question = ["ask", "What was revenue in the quarter?", "--json", "--doc", folder.to_str().unwrap()];
    assert!(desk.objects(&question)[0].get("skipped").is_none());
    std::fs::write(desk.file("page.pdf"), "<!doctype html><title>Login</title>").unwrap();
    let answer = desk.objects(&question).remove(0);
    assert_eq!(answer["outcome"], "answered");
    assert_eq!(answer["skipped"][0]["error"]["kind"], "not_a_pdf");
    assert!(answer["skipped"][0]["file"].as_str().unwrap().ends_with("page.pdf"));
}

#[test]
fn an_encrypted_file_needs_its_password_again() {
    let desk = Desk::new();
    let mut file = lopdf::Document::load(document("quarterly-release.pdf")).unwrap();
    let id = || lopdf::Object::string_literal("0123456789abcdef");
    file.trailer.set("ID", lopdf::Object::Array(vec![id(), id()]));
    let state = lopdf::EncryptionState::try_from(lopdf::EncryptionVersion::V2 {
        document: &file,
        owner_password: "owner",
        user_password: "user",
        key_length: 128,
        permissions: lopdf::Permissions::all(),
    });
    file.encrypt(&state.unwrap()).unwrap();
    file.save(desk.file("locked.pdf")).unwrap();
    let path = desk.file("locked.pdf");
    assert_eq!(desk.run(&["add", path.to_str().unwrap(), "--password", "user"]).status.code(), Some(0));
    desk.sql("UPDATE documents SET tree_version = 1");
    assert_eq!(desk.objects(&["reindex", "--json"])[0]["error"]["kind"], "password_required");
    assert_eq!(desk.objects(&["reindex", "--json", "--password", "user"])[0]["status"], "rebuilt");
}
