//! `pagewise search`, as a user sees it.
#![allow(clippy::unwrap_used, reason = "a test may stop where it fails")]

mod support;

use std::process::Output;

use serde_json::Value;
use support::desk::{Desk, sample};

const SAMPLES: [&str; 3] = ["annual-report.pdf", "quarterly-release.pdf", "technical-manual.pdf"];

fn run(desk: &Desk, args: &[&str]) -> Output {
    desk.command(args).output().unwrap()
}

/// Both streams and the exit status.
fn shown(desk: &Desk, args: &[&str]) -> String {
    let output = run(desk, args);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let folder = sample("");
    let folder = folder.to_str().unwrap().trim_end_matches('/');
    let all = format!("{}-- stderr, status {} --\n{}", text(&output.stdout), output.status.code().unwrap(), text(&output.stderr));
    all.replace(folder, "SAMPLES").replace('\u{1b}', "ESC")
}

#[test]
fn pages_with_snippets_are_shown_by_document() {
    let desk = Desk::with_samples(&SAMPLES);
    insta::assert_snapshot!(shown(&desk, &["search", "goodwill impairment", "--limit", "4"]));
    insta::assert_snapshot!(shown(
        &desk,
        &["search", "net sales", "--doc", "quarterly-release.pdf", "--limit", "1", "--color", "always"]
    ));
}

#[test]
fn names_and_misspelt_words_are_said_and_found() {
    let desk = Desk::with_samples(&SAMPLES);
    insta::assert_snapshot!(shown(&desk, &["search", "anual report", "--limit", "1"]));
    insta::assert_snapshot!(shown(&desk, &["search", "xylophone"]));
    insta::assert_snapshot!(shown(&desk, &["search", "\"impairment goodwill\"", "--limit", "1"]));
    insta::assert_snapshot!(shown(&desk, &["search", "goodwill", "--doc", "anual-report.pdf"]));
}

#[test]
fn a_file_stands_for_its_document_once_it_is_added() {
    let desk = Desk::new();
    let file = sample("annual-report.pdf");
    let file = file.to_str().unwrap();
    insta::assert_snapshot!(shown(&desk, &["search", "goodwill", "--doc", file]));
    insta::assert_snapshot!(shown(&desk, &["search", "goodwill"]));
    assert!(run(&desk, &["add", file, "--name", "report.pdf"]).status.success());
    let output = run(&desk, &["search", "goodwill", "--doc", file, "--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found[0]["doc"], "report.pdf");
    insta::assert_snapshot!(shown(&desk, &["search", "goodwill", "--doc", sample("").to_str().unwrap()]));
}

#[test]
fn json_has_one_object_a_page() {
    let desk = Desk::with_samples(&SAMPLES);
    let output = run(&desk, &["search", "goodwill", "--json", "--limit", "3"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let pages = found.as_array().unwrap();
    assert_eq!(pages.len(), 3);
    for page in pages {
        let keys: Vec<&str> = page.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["doc", "page", "label", "section", "score", "snippet"]);
        assert!(page["snippet"].as_str().unwrap().to_lowercase().contains("goodwill"), "{page}");
    }
    let nothing = run(&desk, &["search", "xylophone", "--json"]);
    assert_eq!((nothing.status.code(), nothing.stdout.as_slice()), (Some(0), b"[]\n".as_slice()));
}
