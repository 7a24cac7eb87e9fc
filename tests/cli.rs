//! The whole path through the program, as a user walks it.
#![allow(clippy::unwrap_used, reason = "a test may stop where it fails")]

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/documents").join(name)
}

/// The program with a library and a config file of its own.
struct Desk {
    dir: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("config.toml"), "").unwrap();
        Self { dir }
    }

    fn pagewise(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pagewise"));
        for variable in ["PAGEWISE_MODEL", "OPENAI_API_KEY", "OPENAI_BASE_URL", "PAGEWISE_LOG", "PAGEWISE_PDF_PASSWORD"] {
            command.env_remove(variable);
        }
        command
            .env("PAGEWISE_CONFIG", self.dir.path().join("config.toml"))
            .env("PAGEWISE_LIBRARY", self.dir.path().join("library").join("library.db"))
            .env("COLUMNS", "100");
        command
    }

    fn json(&self, args: &[&str]) -> Value {
        let output = self.pagewise().args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

#[test]
fn readme_question_is_answered_with_verified_citations() {
    let desk = Desk::new();
    let report = document("annual-report.pdf");
    let answer = desk.json(&[
        "ask",
        "What was total revenue in fiscal 2025, and how did it compare with the year before?",
        "--doc",
        report.to_str().unwrap(),
        "--json",
    ]);
    assert_eq!(answer["outcome"], "answered");
    assert_eq!(answer["model"], "builtin");
    let citations = answer["citations"].as_array().unwrap();
    assert!(!citations.is_empty());
    assert!(citations.iter().all(|citation| citation["status"] == "verified"), "{citations:?}");
    let keys: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    for key in [
        "question",
        "outcome",
        "answer",
        "answer_raw",
        "citations",
        "unsupported",
        "pages_read",
        "tool_calls",
        "model",
        "usage",
        "elapsed_ms",
    ] {
        assert!(keys.contains(&key), "{key}");
    }
}

#[test]
fn stdout_holds_the_answer_and_stderr_the_rest() {
    let desk = Desk::new();
    let output = desk
        .pagewise()
        .args(["ask", "What was total revenue in fiscal 2025?", "--doc"])
        .arg(document("annual-report.pdf"))
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success());
    assert!(out.contains("[1] annual-report.pdf, p. "), "{out}");
    assert!(!out.contains("[tool]") && !out.contains('\u{1b}'), "{out}");
    assert!(err.contains("[tool] get_page_content({\"doc_name\": \"annual-report.pdf\""), "{err}");
    assert!(err.contains("built-in reader") && err.contains("--model"), "{err}");
}

#[test]
fn an_empty_library_says_what_to_do() {
    let desk = Desk::new();
    let output = desk.pagewise().args(["ask", "anything?"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("the library is empty") && err.contains("pagewise add"), "{err}");
    assert!(output.stdout.is_empty());
}

#[test]
fn nothing_is_kept_with_no_store() {
    let desk = Desk::new();
    let release = document("quarterly-release.pdf");
    let answer =
        desk.json(&["ask", "What was revenue in the quarter?", "--doc", release.to_str().unwrap(), "--no-store", "--json"]);
    assert_eq!(answer["outcome"], "answered");
    assert!(!desk.dir.path().join("library").exists());
}

#[test]
fn add_list_search_tree_pages_remove() {
    let desk = Desk::new();
    let folder = document("");
    let output = desk.pagewise().args(["add", folder.to_str().unwrap(), "--metadata", "year=2025"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 3);

    let list = desk.json(&["list", "--json"]);
    assert_eq!(list.as_array().unwrap().len(), 3);
    assert!(list.as_array().unwrap().iter().all(|d| d["status"] == "completed" && d["metadata"]["year"] == 2025));

    let again = desk.json(&["add", document("annual-report.pdf").to_str().unwrap(), "--json"]);
    assert_eq!(again["status"], "present");

    let found = desk.json(&["search", "goodwill impairment", "--json"]);
    assert!(!found.as_array().unwrap().is_empty());

    let tree = desk.json(&["tree", "annual-report.pdf", "--json"]);
    assert_eq!(tree["toc_source"], "bookmarks");
    let from_file = desk.json(&["tree", document("annual-report.pdf").to_str().unwrap(), "--json"]);
    assert_eq!(tree, from_file);

    let pages = desk.json(&["pages", "annual-report.pdf", "1-2,5", "--json"]);
    assert_eq!(pages.as_array().unwrap().iter().map(|p| p["page"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 5]);
    assert_eq!(pages[1]["label"], "ii");

    let refused = desk.pagewise().args(["remove", "annual-report.pdf"]).write_stdin("").output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(desk.json(&["list", "--json"]).as_array().unwrap().len(), 3);
    desk.pagewise().args(["remove", "annual-report.pdf", "--yes"]).assert().success();
    assert_eq!(desk.json(&["list", "--json"]).as_array().unwrap().len(), 2);
}

/// A word cut at a line end is put together by the words of the whole document: a page shown alone is no other text.
#[test]
fn a_page_of_a_file_reads_as_it_does_among_the_others() {
    let desk = Desk::new();
    let file = desk.dir.path().join("cut.pdf");
    let contents = ["(they were off-) Tj T* (loaded at the quay) Tj", "(the ship was offloaded and offloaded again) Tj"];
    std::fs::write(&file, two_pages(contents)).unwrap();
    let file = file.to_str().unwrap();
    let all = desk.json(&["pages", file, "--json"]);
    let one = desk.json(&["pages", file, "1", "--json"]);
    assert_eq!(one[0], all[0]);
    assert_eq!(one[0]["text"], "they were offloaded\nat the quay");
}

/// A file of two pages with this text.
fn two_pages(contents: [&str; 2]) -> Vec<u8> {
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[4 0 R 6 0 R]/Count 2/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>>>>>".to_owned(),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    for (at, content) in contents.iter().enumerate() {
        let content = format!("BT /F1 12 Tf 14 TL 72 700 Td {content} ET");
        objects.push(format!("<</Type/Page/Parent 2 0 R/Contents {} 0 R>>", 5 + 2 * at));
        objects.push(format!("<</Length {}>>stream\n{content}\nendstream", content.len()));
    }
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (at, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.extend(format!("{} 0 obj\n{object}\nendobj\n", at + 1).bytes());
    }
    let start = file.len();
    file.extend(format!("{table}trailer<</Size {}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1).bytes());
    file
}

#[test]
fn an_edited_file_replaces_its_document() {
    let desk = Desk::new();
    let path = desk.dir.path().join("doc.pdf");
    std::fs::copy(document("quarterly-release.pdf"), &path).unwrap();
    let first = desk.json(&["add", path.to_str().unwrap(), "--json"]);
    std::fs::copy(document("technical-manual.pdf"), &path).unwrap();
    let second = desk.json(&["add", path.to_str().unwrap(), "--json"]);
    assert_eq!(second["status"], "replaced");
    assert_eq!(first["id"], second["id"]);
    assert_eq!(desk.json(&["list", "--json"]).as_array().unwrap().len(), 1);
}

#[test]
fn failures_are_json_where_json_was_asked_for() {
    let desk = Desk::new();
    let path = desk.dir.path().join("page.pdf");
    std::fs::write(&path, "<!doctype html><title>Login</title>").unwrap();
    for command in ["pages", "tree"] {
        let output = desk.pagewise().args([command, path.to_str().unwrap(), "--json"]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(object["error"]["kind"], "not_a_pdf");
        assert!(object["error"]["message"].as_str().unwrap().contains("HTML"));
    }
}

#[test]
fn call_prints_one_envelope() {
    let desk = Desk::new();
    desk.pagewise().arg("add").arg(document("quarterly-release.pdf")).assert().success();
    let reply = desk.json(&["call", "browse_documents", "{}"]);
    assert_eq!(reply["success"], true);
    assert_eq!(reply["documents"][0]["name"], "quarterly-release.pdf");
    let output = desk.pagewise().args(["call", "get_document", "{\"doc_name\": \"quarterly-relase.pdf\"}"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let reply: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(reply["errorCode"], "NOT_FOUND");
    assert_eq!(reply["similar_files"][0], "quarterly-release.pdf");
    let output =
        desk.pagewise().args(["call", "remove_document", "{\"doc_names\": [\"quarterly-release.pdf\"]}"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(desk.json(&["list", "--json"]).as_array().unwrap().len(), 1);
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    for command in ["pages", "tree"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pagewise"))
            .args([command, document("annual-report.pdf").to_str().unwrap()])
            .env("PAGEWISE_LIBRARY", "unused.db")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{err}");
        assert_eq!(err, "");
    }
}

#[test]
fn a_script_of_lines_drives_the_interactive_session() {
    let desk = Desk::new();
    let script = format!(
        "/docs\n/add {}\n/docs\n/page quarterly-release.pdf 1\nWhat was revenue in the quarter?\nAnd net income?\n/nonsense\n/quit\nnot read",
        document("quarterly-release.pdf").display()
    );
    let output = desk.pagewise().write_stdin(script).output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{err}");
    assert!(out.contains("--- page 1") && out.contains("[1] quarterly-release.pdf, p. "), "{out}");
    assert_eq!(err.matches("[tool] get_page_content").count(), 2, "{err}");
    assert!(err.contains("/nonsense"), "{err}");
    assert!(!out.contains('\u{1b}'));
}

#[test]
fn a_key_alone_sends_nothing_and_a_model_without_key_is_an_error() {
    let desk = Desk::new();
    let release = document("quarterly-release.pdf");
    let output = desk
        .pagewise()
        .env("OPENAI_API_KEY", "sk-test-secret")
        .env("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
        .args(["ask", "What was revenue in the quarter?", "--doc", release.to_str().unwrap(), "--json"])
        .output()
        .unwrap();
    assert!(output.status.success());
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["model"], "builtin");

    let output = desk.pagewise().args(["ask", "x?", "--doc", release.to_str().unwrap(), "--model", "some-model"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("OPENAI_API_KEY") && err.contains("--base-url"), "{err}");

    let output = desk
        .pagewise()
        .env("OPENAI_API_KEY", "sk-test-secret")
        .args(["ask", "x?", "--doc", release.to_str().unwrap(), "--model", "m", "--base-url", "http://127.0.0.1:9/v1"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(6));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("127.0.0.1:9") && !err.contains("sk-test-secret"), "{err}");
}

#[cfg(unix)]
#[test]
fn the_library_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    desk.pagewise().arg("add").arg(document("quarterly-release.pdf")).assert().success();
    let folder = desk.dir.path().join("library");
    assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    for entry in std::fs::read_dir(&folder).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", entry.path());
    }
}

#[test]
fn help_of_every_command() {
    let desk = Desk::new();
    let mut text = String::new();
    for command in ["", "ask", "add", "list", "search", "tree", "pages", "reindex", "remove", "call", "tools", "prompts", "eval"] {
        let mut args: Vec<&str> = vec![command, "--help"];
        args.retain(|arg| !arg.is_empty());
        let output = desk.pagewise().args(&args).output().unwrap();
        assert!(output.status.success());
        text.push_str(&format!("$ pagewise {}\n{}\n", args.join(" "), String::from_utf8(output.stdout).unwrap()));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn an_answer_as_it_is_shown() {
    let desk = Desk::new();
    let output = desk
        .pagewise()
        .args(["ask", "What was total revenue in fiscal 2025, and how did it compare with the year before?", "--doc"])
        .arg(document("annual-report.pdf"))
        .output()
        .unwrap();
    let shown = format!("{}\n--- stderr\n{}", String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    insta::assert_snapshot!(shown);
}
