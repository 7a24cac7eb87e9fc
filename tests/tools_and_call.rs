//! `pagewise tools` and `pagewise call`: the tools for programs in any language.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop where it fails")]

mod support;

use std::process::Output;

use pagewise::{Client, LocalOptions};
use serde_json::{Value, json};
use support::desk::{Desk, sample};
use support::mcp::Host;

const RELEASE: &str = "quarterly-release.pdf";
const FORMATS: [&str; 4] = ["openai", "responses", "anthropic", "mcp"];

/// A library with one document.
fn with_release() -> Desk {
    Desk::with_samples(&[RELEASE])
}

fn run(desk: &Desk, args: &[&str]) -> Output {
    desk.command(args).output().unwrap()
}

/// What `pagewise tools --format` prints.
fn tools(desk: &Desk, args: &[&str]) -> Vec<Value> {
    let output = run(desk, &[&["tools", "--format"], args].concat());
    assert!(output.status.success() && output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The envelope, which has to be all of stdout, and the exit status that belongs to it.
fn envelope(output: &Output) -> Value {
    let out = std::str::from_utf8(&output.stdout).unwrap();
    let line = out.strip_suffix('\n').unwrap_or_else(|| panic!("no line: {out:?}"));
    assert!(!line.contains('\n'), "more than a line: {out}");
    let reply: Value = serde_json::from_str(line).unwrap();
    let failed = reply.get("errorCode").is_some();
    assert!(failed ^ (reply["success"] == true), "{reply}");
    assert_eq!(output.status.code(), Some(i32::from(failed)), "{reply}");
    assert!(reply["next_steps"]["summary"].is_string(), "{reply}");
    reply
}

#[test]
fn every_format() {
    let desk = Desk::new();
    for format in FORMATS {
        insta::assert_json_snapshot!(format!("tools for {format}"), tools(&desk, &[format, "--include-management"]));
    }
    let text = run(&desk, &["tools"]);
    insta::assert_snapshot!("tools for people", String::from_utf8(text.stdout).unwrap());
}

#[test]
fn every_format_holds_valid_schemas_and_deletes_only_on_demand() {
    let desk = Desk::new();
    for format in FORMATS {
        let reading = tools(&desk, &[format]);
        let all = tools(&desk, &[format, "--include-management"]);
        assert_eq!((reading.len(), &reading[..]), (4, &all[..4]));
        for tool in &all {
            let (name, schema) = match format {
                "openai" => (&tool["function"]["name"], &tool["function"]["parameters"]),
                "responses" => (&tool["name"], &tool["parameters"]),
                "anthropic" => (&tool["name"], &tool["input_schema"]),
                _ => (&tool["name"], &tool["inputSchema"]),
            };
            assert!(name.is_string() && schema["type"] == "object", "{tool}");
            jsonschema::meta::validate(schema).unwrap();
            jsonschema::validator_for(schema).unwrap();
        }
    }
}

#[test]
fn the_mcp_format_is_what_the_server_lists() {
    let desk = Desk::new();
    for more in [&[][..], &["--include-management"]] {
        let (mut host, _) = Host::connected(&desk, more, "2025-06-18");
        let listed = host.request("tools/list", json!({}))["result"]["tools"].clone();
        assert_eq!(listed, json!(tools(&desk, &[&["mcp"], more].concat())));
    }
}

#[tokio::test]
async fn the_entry_for_claude_starts_the_server_it_speaks_of() {
    let desk = Desk::with_samples(&[RELEASE, "technical-manual.pdf"]);
    let program = env!("CARGO_BIN_EXE_pagewise");
    let options = LocalOptions { library: Some(desk.library()), program: Some(program.into()), ..Default::default() };
    let client = Client::local(options).unwrap().limited_to(&[RELEASE.to_owned()]).await.unwrap().with_max_reply_chars(30_000);
    for management in [false, true] {
        let claude = client.as_claude_mcp(management).await.unwrap();
        let entry = &claude.mcp_servers["pagewise"];
        let args: Vec<&str> = entry["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
        assert_eq!((entry["command"].as_str(), args[0]), (Some(program), "mcp"));
        let (mut host, _) = Host::connected(&desk, &args[1..], "2025-06-18");
        let listed = host.request("tools/list", json!({}))["result"]["tools"].clone();
        let names = listed.as_array().unwrap().iter().map(|tool| format!("mcp__pagewise__{}", tool["name"].as_str().unwrap()));
        assert_eq!(names.collect::<Vec<_>>(), claude.allowed_tools);
        let call = json!({"name": "browse_documents", "arguments": {}});
        let reply = host.request("tools/call", call)["result"]["structuredContent"].clone();
        assert_eq!(reply["documents"].as_array().unwrap().len(), 1, "{reply}");
    }
}

#[test]
fn a_document_that_is_not_there_is_a_failure() {
    let desk = Desk::new();
    let output = run(&desk, &["tools", "--format", "openai", "--doc", "nothing.pdf"]);
    assert_eq!(output.status.code(), Some(1));
    let failure: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(failure["error"]["kind"], "no_such_document");
    let output = run(&desk, &["tools", "--doc", "nothing.pdf"]);
    assert!(output.status.code() == Some(1) && output.stdout.is_empty());
}

#[test]
fn arguments_come_from_stdin_too() {
    let desk = with_release();
    let call = |stdin: &[u8]| {
        let program = assert_cmd::Command::from_std(desk.command(&["call", "get_page_content", "-"]));
        { program }.write_stdin(stdin).output().unwrap()
    };
    let reply = envelope(&call(b"{\"doc_name\": \"quarterly-release.pdf\",\n \"pages\": \"2\"}\n"));
    assert_eq!(reply["returned_pages"], "2");
    // Longer than a command line may be.
    let long = json!({"doc_name": "x".repeat(3 << 20), "pages": "1"}).to_string();
    assert_eq!(envelope(&call(long.as_bytes()))["errorCode"], "NOT_FOUND");
    for stdin in [&b"\xff\xfe{}"[..], b"", b"{", b"[]", &vec![b' '; (16 << 20) + 1]] {
        assert_eq!(envelope(&call(stdin))["errorCode"], "INVALID_INPUT");
    }
}

#[test]
fn every_call_prints_one_envelope() {
    let desk = with_release();
    for (args, code) in [
        (&["browse_documents"][..], None),
        (&["browse_documents", "{}", "--doc", RELEASE], None),
        (&["browse_documents", "null", "--max-result-chars", "20000"], None),
        (&["browse_documents", "{\"limit\": 0}"], Some("INVALID_INPUT")),
        (&["browse_documents", "no JSON"], Some("INVALID_INPUT")),
        (&["get_document", "{\"doc_name\": \"a\\u0000b\"}"], Some("NOT_FOUND")),
        (&["search_documents", "{}"], Some("INVALID_INPUT")),
        (&["remove_document", "{\"doc_names\": [\"quarterly-release.pdf\"]}"], Some("INVALID_INPUT")),
        (&["browse_documents", "--doc", "nothing.pdf"], Some("NOT_FOUND")),
        (&["browse_documents", "--library", "/dev/null/library.db"], Some("INTERNAL_ERROR")),
        (&["browse_documents", "--config", "/nonexistent/config.toml"], Some("INVALID_INPUT")),
        (&["remove_document", "{\"doc_names\": [\"quarterly-release.pdf\"]}", "--include-management"], None),
    ] {
        let output = run(&desk, &[&["call"], args].concat());
        assert_eq!(envelope(&output)["errorCode"].as_str(), code, "{args:?}");
        assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let long = "y".repeat(100_000);
    let output = run(&desk, &["call", "browse_documents", "--doc", &long]);
    assert!(envelope(&output)["errorCode"] == "NOT_FOUND" && output.stdout.len() < 2_000);
}

#[test]
fn a_library_that_is_none_is_said_in_an_envelope() {
    let desk = Desk::new();
    let file = desk.path().join("broken.db");
    std::fs::write(&file, "this is no database ".repeat(500)).unwrap();
    let output = run(&desk, &["call", "browse_documents", "--library", file.to_str().unwrap()]);
    assert_eq!(envelope(&output)["errorCode"], "INTERNAL_ERROR");
}

/// The Python of README under the heading of plain calls, where there is a Python to run it.
#[cfg(unix)]
#[test]
fn the_python_of_readme_runs() {
    let readme = include_str!("../README.md");
    let section = readme.split("### Function tools and plain calls").nth(1).unwrap();
    let code = section.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let check =
        "\nassert len(tools) == 4 and tools[0]['function']['strict'], tools\nassert json.loads(reply)['documents'], reply\n";
    let desk = with_release();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_pagewise"), desk.path().join("pagewise")).unwrap();
    let mut path = vec![desk.path().to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let output = std::process::Command::new("python3")
        .args(["-c", &format!("{code}{check}")])
        .env("PATH", std::env::join_paths(path).unwrap())
        .env("PAGEWISE_CONFIG", desk.path().join("config.toml"))
        .env("PAGEWISE_LIBRARY", desk.library())
        .output();
    match output {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound),
    }
}

/// Starts a call, interrupts it once it waits, and gives what it printed.
#[cfg(unix)]
fn interrupted(desk: &Desk, args: &[&str]) -> Value {
    use std::process::{Command, Stdio};
    let mut child = desk.command(&["call"]).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert!(child.try_wait().unwrap().is_none(), "it did not wait");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let stdin = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert_eq!(output.status.code(), Some(130));
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(out.matches('\n').count(), 1, "{out}");
    serde_json::from_str(&out).unwrap()
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_call_prints_its_envelope() {
    use pagewise::ingest::{Submission, submit};
    let desk = Desk::new();
    // It waits for arguments that never come.
    let reply = interrupted(&desk, &["browse_documents", "-"]);
    assert_eq!(reply["error"], "The call was interrupted; nothing was done.");
    // It waits for a document that is never finished.
    let options = LocalOptions { library: Some(desk.library()), ..Default::default() };
    let client = Client::local(options).unwrap();
    let unfinished = submit(client.library().unwrap(), &Submission::of_file(&sample(RELEASE))).await.unwrap();
    let arguments = json!({"doc_name": RELEASE, "pages": "1", "wait_for_completion": true}).to_string();
    let reply = interrupted(&desk, &["get_page_content", &arguments]);
    assert_eq!(reply["errorCode"], "INVALID_INPUT", "{reply}");
    drop(unfinished);
}
