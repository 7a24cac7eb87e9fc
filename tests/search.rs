//! `pagewise search`, as a user sees it.
#![allow(clippy::unwrap_used, reason = "a test may stop where it fails")]

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/documents")
}

/// The program with a library of its own that holds the sample documents.
struct Desk {
    dir: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let desk = Self::empty();
        assert!(desk.run(&["add", samples().to_str().unwrap()]).status.success());
        desk
    }

    fn empty() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("config.toml"), "").unwrap();
        Self { dir }
    }

    fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_pagewise"))
            .args(args)
            .env_remove("PAGEWISE_LOG")
            .env("PAGEWISE_CONFIG", self.dir.path().join("config.toml"))
            .env("PAGEWISE_LIBRARY", self.dir.path().join("library.db"))
            .output()
            .unwrap()
    }

    /// Both streams and the exit status.
    fn shown(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let place = self.dir.path().to_str().unwrap();
        let all =
            format!("{}-- stderr, status {} --\n{}", text(&output.stdout), output.status.code().unwrap(), text(&output.stderr));
        all.replace(place, "DIR").replace(samples().to_str().unwrap(), "SAMPLES").replace('\u{1b}', "ESC")
    }
}

#[test]
fn pages_with_snippets_are_shown_by_document() {
    let desk = Desk::new();
    insta::assert_snapshot!(desk.shown(&["search", "goodwill impairment", "--limit", "4"]));
    insta::assert_snapshot!(desk.shown(&[
        "search",
        "net sales",
        "--doc",
        "quarterly-release.pdf",
        "--limit",
        "1",
        "--color",
        "always"
    ]));
}

#[test]
fn names_and_misspelt_words_are_said_and_found() {
    let desk = Desk::new();
    insta::assert_snapshot!(desk.shown(&["search", "anual report", "--limit", "1"]));
    insta::assert_snapshot!(desk.shown(&["search", "xylophone"]));
    insta::assert_snapshot!(desk.shown(&["search", "goodwill", "--doc", "anual-report.pdf"]));
}

#[test]
fn a_file_stands_for_its_document_once_it_is_added() {
    let desk = Desk::empty();
    let file = samples().join("annual-report.pdf");
    let file = file.to_str().unwrap();
    insta::assert_snapshot!(desk.shown(&["search", "goodwill", "--doc", file]));
    insta::assert_snapshot!(desk.shown(&["search", "goodwill"]));
    assert!(desk.run(&["add", file, "--name", "report.pdf"]).status.success());
    let output = desk.run(&["search", "goodwill", "--doc", file, "--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found[0]["doc"], "report.pdf");
    insta::assert_snapshot!(desk.shown(&["search", "goodwill", "--doc", samples().to_str().unwrap()]));
}

#[test]
fn json_has_one_object_a_page() {
    let desk = Desk::new();
    let output = desk.run(&["search", "goodwill", "--json", "--limit", "3"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let pages = found.as_array().unwrap();
    assert_eq!(pages.len(), 3);
    for page in pages {
        let keys: Vec<&str> = page.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["doc", "page", "label", "section", "score", "snippet"]);
        assert!(page["snippet"].as_str().unwrap().to_lowercase().contains("goodwill"), "{page}");
    }
    let nothing = desk.run(&["search", "xylophone", "--json"]);
    assert_eq!((nothing.status.code(), nothing.stdout.as_slice()), (Some(0), b"[]\n".as_slice()));
}
