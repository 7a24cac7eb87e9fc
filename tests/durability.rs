//! The library survives being killed at any moment and being used by several processes at once.
#![allow(clippy::unwrap_used, reason = "a test may stop where it fails")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

const DOCUMENTS: [&str; 3] = ["annual-report.pdf", "quarterly-release.pdf", "technical-manual.pdf"];

fn pagewise(library: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pagewise"));
    command
        .env_remove("PAGEWISE_MODEL")
        .env("PAGEWISE_CONFIG", library.with_file_name("config.toml"))
        .arg("--library")
        .arg(library)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A folder with an empty config file, copies of the sample documents, and the path of a library that is not there yet.
fn desk() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("config.toml"), "").unwrap();
    let documents = dir.path().join("documents");
    std::fs::create_dir(&documents).unwrap();
    for name in DOCUMENTS {
        std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/documents").join(name), documents.join(name)).unwrap();
    }
    let library = dir.path().join("library.db");
    (dir, documents, library)
}

fn listed(library: &Path) -> Vec<Value> {
    let output = pagewise(library, &["list", "--json"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn pages_of(library: &Path, name: &str) -> Vec<Value> {
    let output = pagewise(library, &["pages", name, "--json"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn killed_at_any_moment_nothing_finished_is_lost() {
    let (_dir, documents, library) = desk();
    // What a whole run gives, to compare with.
    let whole = documents.with_file_name("whole.db");
    assert!(pagewise(&whole, &["add", documents.to_str().unwrap()]).status().unwrap().success());
    let expected: HashMap<&str, Vec<Value>> = DOCUMENTS.iter().map(|name| (*name, pages_of(&whole, name))).collect();

    let kills: u64 = std::env::var("PAGEWISE_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    // Moments spread over a run without a clock that tests would depend on: a fixed odd step modulo the longest delay.
    for kill in 0..kills {
        let mut child = pagewise(&library, &["add", documents.to_str().unwrap()]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(5 + (kill * 137) % 400));
        child.kill().unwrap();
        child.wait().unwrap();
        for document in listed(&library) {
            if document["status"] == "completed" {
                let name = document["name"].as_str().unwrap();
                assert_eq!(&pages_of(&library, name), &expected[name], "{name} is whole after kill {kill}");
            }
        }
        if kill % 4 == 3 {
            // Start over, so that unfinished states are met again.
            for suffix in ["", "-wal", "-shm"] {
                let _ = std::fs::remove_file(format!("{}{suffix}", library.display()));
            }
        }
    }
    let output = pagewise(&library, &["add", documents.to_str().unwrap()]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let documents = listed(&library);
    assert_eq!(documents.len(), DOCUMENTS.len());
    assert!(documents.iter().all(|document| document["status"] == "completed"), "{documents:?}");
}

#[test]
fn killed_while_it_rebuilds_each_document_is_wholly_old_or_wholly_new() {
    let (_dir, documents, library) = desk();
    assert!(pagewise(&library, &["add", documents.to_str().unwrap()]).status().unwrap().success());
    let expected: HashMap<&str, Vec<Value>> = DOCUMENTS.iter().map(|name| (*name, pages_of(&library, name))).collect();
    // What an older version made, told by its text and its tree.
    let old = "UPDATE documents SET text_version = 1; UPDATE pages SET text = 'old'; UPDATE trees SET nodes = \
        '[[0,{\"title\":\"Old\",\"node_id\":\"0001\",\"start_index\":1,\"end_index\":1}]]'";
    let make_old = || rusqlite::Connection::open(&library).unwrap().execute_batch(old).unwrap();
    make_old();
    let kills: u64 = std::env::var("PAGEWISE_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(8);
    for kill in 0..kills {
        let mut child = pagewise(&library, &["reindex"]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(5 + (kill * 137) % 700));
        child.kill().unwrap();
        child.wait().unwrap();
        let listed = listed(&library);
        assert_eq!(listed.len(), DOCUMENTS.len());
        let mut waiting = 0;
        for document in &listed {
            let name = document["name"].as_str().unwrap();
            assert_eq!(document["status"], "completed");
            let (pages, tree) = (pages_of(&library, name), tree_of(&library, name));
            if document["outdated"] == serde_json::json!([]) {
                assert_eq!(&pages, &expected[name], "{name} is new after kill {kill}");
                assert_ne!(tree["structure"][0]["title"], "Old");
            } else {
                waiting += 1;
                assert_eq!(pages.len(), expected[name].len());
                assert!(pages.iter().all(|page| page["text"] == "old"), "{name} is old after kill {kill}");
                assert_eq!(tree["structure"][0]["title"], "Old");
            }
        }
        if waiting == 0 {
            make_old();
        }
    }
    let output = pagewise(&library, &["reindex"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for name in DOCUMENTS {
        assert_eq!(&pages_of(&library, name), &expected[name]);
    }
}

fn tree_of(library: &Path, name: &str) -> Value {
    let output = pagewise(library, &["tree", name, "--json"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn eight_processes_at_once_lose_nothing() {
    let (_dir, documents, library) = desk();
    let children: Vec<_> = (0..8)
        .map(|i| {
            let file = documents.join(DOCUMENTS[i % 3]);
            let file = file.to_str().unwrap();
            let args: Vec<&str> = if i % 2 == 0 { vec!["add", file] } else { vec!["ask", "What is the total?", "--doc", file] };
            pagewise(&library, &args).spawn().unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let mut names: Vec<String> = listed(&library).iter().map(|d| d["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(names, DOCUMENTS);
}
