//! The examples run, so that they cannot rot.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop where it fails")]

mod support;

use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::{Value, json};
use support::fake_model::{FakeModel, Recorded};
use support::reply::Reply;

const REPORT: &str = "annual-report.pdf";

/// The program of an example. `cargo test` builds all of them; `cargo test --test examples` by itself does not.
fn program(name: &str) -> PathBuf {
    // target/PROFILE/deps/examples-HASH stands beside target/PROFILE/examples/NAME.
    let profile = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().to_owned();
    let file = profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !file.is_file() {
        let name_of_profile = profile.file_name().unwrap().to_str().unwrap().replace("debug", "dev");
        let build = ["build", "--quiet", "--example", name, "--profile", &name_of_profile, "--target-dir"];
        Command::new(env!("CARGO"))
            .args(build)
            .arg(profile.parent().unwrap())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .assert()
            .success();
    }
    file
}

/// An example, without the settings of whoever runs the tests.
fn example(name: &str) -> Command {
    let file = program(name);
    let mut command = Command::new(file);
    for variable in ["PAGEWISE_MODEL", "OPENAI_API_KEY", "OPENAI_BASE_URL", "PAGEWISE_CONFIG"] {
        command.env_remove(variable);
    }
    let empty = tempfile::tempdir().unwrap().keep();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("XDG_CONFIG_HOME", empty).env("NO_PROXY", "127.0.0.1");
    command
}

fn run(mut command: Command) -> (String, String) {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    (out, err)
}

/// What a model says that reads one page and then quotes its first words.
fn reads_a_page(request: &Recorded) -> Reply {
    let Some(page) = request.tool_results().last().map(|reply| serde_json::from_str::<Value>(reply).unwrap()) else {
        // A strict model names every argument.
        return Reply::tool_call("get_page_content", json!({"doc_name": REPORT, "pages": "1", "wait_for_completion": null}));
    };
    let text = page["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{page}"));
    let quote: Vec<&str> = text.split_whitespace().take(6).collect();
    Reply::text(format!("It is a report <cite doc=\"{REPORT}\" page=\"1\">{}</cite>.", quote.join(" ")))
}

#[test]
fn the_demo_answers_without_a_model() {
    let (out, err) = run(example("agentic_vectorless_rag_demo"));
    assert!(out.contains("2,647.2"), "{out}");
    assert!(out.contains("[1] annual-report.pdf, p. ") && out.contains("Verified"), "{out}");
    assert!(err.contains("[tool] get_page_content({"), "{err}");
}

#[test]
fn the_demo_asks_the_model_that_is_named() {
    let server = FakeModel::answering(reads_a_page).strict();
    let mut demo = example("agentic_vectorless_rag_demo");
    demo.arg("What is it?")
        .env("PAGEWISE_MODEL", "fake")
        .env("OPENAI_BASE_URL", server.base_url())
        .env("OPENAI_API_KEY", "sk-test");
    let (out, err) = run(demo);
    assert!(out.starts_with("It is a report [1].") && out.contains("[1] annual-report.pdf, p. 1: Verified"), "{out}");
    assert!(err.starts_with("[tool] get_page_content({"), "{err}");
    assert_eq!(server.requests()[0].header("authorization"), Some("Bearer sk-test"));
}

#[test]
fn the_demo_is_short() {
    let lines = include_str!("../examples/agentic_vectorless_rag_demo.rs").lines().count();
    assert!(lines < 40, "{lines} lines");
}

#[test]
fn a_loop_of_ones_own_runs_the_tools() {
    let server = FakeModel::answering(reads_a_page).strict();
    let mut own = example("custom_agent_loop");
    own.arg("What is it?").env("PAGEWISE_MODEL", "fake").env("OPENAI_BASE_URL", server.base_url());
    let (out, err) = run(own);
    assert!(out.starts_with("It is a report <cite doc=\"annual-report.pdf\" page=\"1\">"), "{out}");
    assert!(err.starts_with("[tool] get_page_content({"), "{err}");
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0].tool_names(), ["browse_documents", "get_document", "get_document_structure", "get_page_content"]);
    assert!(requests[0].body["tools"].as_array().unwrap().iter().all(|tool| tool["function"]["strict"] == true));
    assert!(requests[0].texts("system")[0].contains(REPORT) && requests[0].header("authorization").is_none());
    let reply: Value = serde_json::from_str(requests[1].tool_results()[0]).unwrap();
    assert_eq!(reply["returned_pages"], "1");
}

#[test]
fn a_loop_of_ones_own_says_what_the_server_says() {
    let server = FakeModel::start([Reply::api_error(401, "Incorrect API key provided", "invalid_api_key")]);
    let mut own = example("custom_agent_loop");
    own.env("PAGEWISE_MODEL", "fake").env("OPENAI_BASE_URL", server.base_url());
    let output = own.output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("Incorrect API key provided"));
}
