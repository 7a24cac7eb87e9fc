//! `pagewise mcp config` as a user runs it, in a home folder of its own.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may stop where it fails")]

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

struct Home {
    dir: tempfile::TempDir,
}

struct Said {
    out: String,
    err: String,
    status: i32,
}

impl Home {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("project")).unwrap();
        Self { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn run(&self, args: &[&str]) -> Said {
        let output = Command::new(env!("CARGO_BIN_EXE_pagewise"))
            .env_clear()
            .env("HOME", self.dir.path())
            .current_dir(self.path("project"))
            .args(args)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace(self.dir.path().to_str().unwrap(), "~");
        Said { out: text(output.stdout), err: text(output.stderr), status: output.status.code().unwrap() }
    }

    fn config(&self, args: &[&str]) -> Said {
        self.run(&[&["mcp", "config"], args].concat())
    }
}

fn program() -> String {
    Path::new(env!("CARGO_BIN_EXE_pagewise")).canonicalize().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn the_block_alone_is_on_stdout() {
    let home = Home::new();
    let said = home.config(&["--host", "claude-code"]);
    let block: Value = serde_json::from_str(&said.out).unwrap();
    let entry = &block["mcpServers"]["pagewise"];
    assert_eq!(entry["command"], program());
    assert_eq!(entry["args"], serde_json::json!(["mcp", "--max-result-chars", "40000"]));
    assert_eq!(said.err, "belongs in ~/.claude.json; --write puts it there\n");
    assert_eq!(home.config(&["--host", "codex", "--quiet"]).err, "");
    assert!(!home.path(".claude.json").exists() && !home.path(".local").exists(), "nothing is written");
}

#[test]
fn a_library_that_was_named_is_written_with_its_whole_path() {
    let home = Home::new();
    for args in [
        &["--library", "mine.db", "mcp", "config", "--host", "cursor"][..],
        &["mcp", "config", "--host", "cursor", "--library", "mine.db"],
    ] {
        let block: Value = serde_json::from_str(&home.run(args).out).unwrap();
        assert_eq!(block["mcpServers"]["pagewise"]["args"], serde_json::json!(["mcp", "--library", "~/project/mine.db"]));
    }
    let block = home.config(&["--host", "cursor", "--include-management", "--max-result-chars", "30000"]).out;
    let block: Value = serde_json::from_str(&block).unwrap();
    let args = serde_json::json!(["mcp", "--include-management", "--max-result-chars", "30000"]);
    assert_eq!(block["mcpServers"]["pagewise"]["args"], args);
}

#[test]
fn it_is_written_once_and_replaced_when_it_changes() {
    let home = Home::new();
    std::fs::write(home.path(".claude.json"), "{\n  \"numStartups\": 3\n}\n").unwrap();
    let mut said = Vec::new();
    for args in [&[][..], &[], &["--include-management"]] {
        said.push(home.config(&[&["--host", "claude-code", "--write"], args].concat()));
    }
    said.push(home.config(&["--host", "gemini", "--write", "--project"]));
    said.push(home.config(&["--host", "zed", "--write", "--path", "deep/zed.json"]));
    let all: String = said.iter().map(|said| format!("{}{}", said.out, said.err)).collect();
    insta::assert_snapshot!(all);
    assert!(said.iter().all(|said| said.status == 0));
    assert!(home.text(".claude.json").starts_with("{\n  \"numStartups\": 3,\n  \"mcpServers\""));
    assert!(home.path("project/deep/zed.json").is_file());
}

#[test]
fn what_cannot_be_done_is_said() {
    let home = Home::new();
    std::fs::write(home.path(".claude.json"), "{\n  \"a\": 1,\n}\n").unwrap();
    let report = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/documents/quarterly-release.pdf");
    assert_eq!(home.run(&["add", report.to_str().unwrap()]).status, 0);
    let mut all = String::new();
    for args in [
        &["--host", "claude-code", "--write"][..],
        &["--host", "zed", "--project"],
        &["--host", "cursor", "--doc", "quartely-release.pdf", "--write"],
        &["--host", "emacs"],
    ] {
        let said = home.config(args);
        assert_eq!(said.out, "");
        all += &format!("{}: {}", said.status, said.err);
    }
    insta::assert_snapshot!(all);
    assert!(!home.path(".cursor").exists());
    let known = home.config(&["--host", "cursor", "--doc", "quarterly-release.pdf"]);
    assert!(known.out.contains("\"quarterly-release.pdf\""), "{}", known.err);
}
