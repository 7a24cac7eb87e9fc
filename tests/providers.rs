//! Models by the names of providers, replaced prompts and the log: the program against a scripted server.
#![allow(clippy::unwrap_used, reason = "a test may stop where it fails")]

mod support;

use std::process::Output;

use serde_json::{Value, json};
use support::desk::{Desk, sample};
use support::fake_model::FakeModel;
use support::reply::Reply;

const DOC: &str = "quarterly-release.pdf";
const KEY: &str = "wk-very-secret-1";

/// A desk whose config file names this server as the provider `work`.
fn desk(server: &FakeModel, more: &str) -> Desk {
    let desk = Desk::new();
    let config = format!(
        "model = \"work/clever\"\n[providers.work]\nbase_url = {:?}\napi_key_env = \"WORK_KEY\"\n{more}\n",
        server.base_url()
    );
    std::fs::write(desk.path().join("config.toml"), config).unwrap();
    desk
}

fn ask(desk: &Desk, options: &[&str]) -> Output {
    let mut command = desk.command(&["ask", "What does it begin with?", "--doc"]);
    command.arg(sample(DOC)).args(options).env("WORK_KEY", KEY).env("OPENAI_API_KEY", "sk-of-another").output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn script() -> [Reply; 2] {
    let answer = format!("It begins with its title <cite doc=\"{DOC}\" page=\"1\"/>.");
    [
        Reply::tool_call("get_page_content", json!({"doc_name": DOC, "pages": "1"})).usage(700, 20),
        Reply::text(answer).usage(1_500, 30),
    ]
}

#[test]
fn a_provider_of_the_config_file_is_asked_with_its_key_headers_and_fields() {
    let server = FakeModel::start(script()).strict();
    let more = "headers = { \"X-Team\" = \"finance\" }\nbody = { seed = 7 }\nprice = { input = 10.0, output = 100.0 }";
    let output = ask(&desk(&server, more), &["--json", "--temperature", "0.5", "--max-output-tokens", "900"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let request = &server.requests()[0];
    assert_eq!(request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(request.header("x-team"), Some("finance"));
    let body = &request.body;
    assert_eq!((&body["model"], &body["seed"], &body["temperature"]), (&json!("clever"), &json!(7), &json!(0.5)));
    assert_eq!(body["max_tokens"], 900);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    // 2,200 tokens read at 10 and 50 written at 100 a million.
    assert!((report["cost"].as_f64().unwrap() - 0.027).abs() < 1e-9, "{report}");
    assert!(!text(&output.stderr).contains(KEY));
}

#[test]
fn a_provider_without_its_key_is_told_by_the_name_of_the_variable() {
    let server = FakeModel::start([]);
    let desk = desk(&server, "");
    let output = desk.command(&["ask", "Q?", "--doc"]).arg(sample(DOC)).env("OPENAI_API_KEY", "sk-of-another").output().unwrap();
    let err = text(&output.stderr);
    assert!(!output.status.success() && err.contains("WORK_KEY is not set"), "{err}");
    let output = desk.command(&["ask", "Q?", "--model", "wrok/clever", "--doc"]).arg(sample(DOC)).output().unwrap();
    assert!(text(&output.stderr).contains("there is no provider \"wrok\""), "{}", text(&output.stderr));
    assert!(server.requests().is_empty());
}

#[test]
fn prompts_are_written_out_changed_and_used() {
    let server = FakeModel::start(script());
    let desk = desk(&server, "");
    let folder = desk.path().join("prompts");
    let folder = folder.to_str().unwrap();
    let written = desk.command(&["prompts", "--write", folder]).output().unwrap();
    assert!(written.status.success(), "{}", text(&written.stderr));
    std::fs::write(format!("{folder}/role.md"), "You are Ada.\n").unwrap();
    std::fs::write(format!("{folder}/read_and_answer.md"), "").unwrap();
    // What is there is never written over.
    assert!(desk.command(&["prompts", "--write", folder]).output().unwrap().status.success());

    assert!(ask(&desk, &["--prompts", folder]).status.success());
    let system = server.requests()[0].texts("system").concat();
    assert!(system.starts_with("You are Ada.\n\n# The documents"), "{system}");
    assert!(!system.contains("# Read") && system.contains("# Cite"), "{system}");
    let listed = desk.command(&["prompts", "--prompts", folder]).output().unwrap();
    assert!(text(&listed.stdout).starts_with("role  (yours)\nfind_in_library\n"), "{}", text(&listed.stdout));
    let shown = desk.command(&["prompts", "role"]).env("PAGEWISE_PROMPTS", folder).output().unwrap();
    assert_eq!(text(&shown.stdout), "You are Ada.\n");
    // What the loop says is replaced, too, and cannot be left out.
    std::fs::write(format!("{folder}/last_turn.md"), "Now or never.").unwrap();
    let server = FakeModel::start([Reply::text("It has a title.")]);
    let options = ["--model", "m", "--base-url", &server.base_url(), "--max-turns", "1", "--prompts", folder];
    assert!(ask(&desk, &options).status.success());
    assert!(server.requests()[0].texts("user").concat().ends_with("Now or never."));

    std::fs::rename(format!("{folder}/role.md"), format!("{folder}/rolle.md")).unwrap();
    let wrong = desk.command(&["prompts", "--prompts", folder]).output().unwrap();
    assert!(text(&wrong.stderr).contains("did you mean role.md?"), "{}", text(&wrong.stderr));
}

#[test]
fn the_log_tells_of_turns_and_calls_but_holds_no_text_and_no_key() {
    let server = FakeModel::start(script());
    let desk = desk(&server, "");
    let log = desk.path().join("log.jsonl");
    let output = ask(&desk, &["--log-file", log.to_str().unwrap()]);
    assert!(output.status.success() && !text(&output.stderr).contains("DEBUG"), "{}", text(&output.stderr));
    let logged = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<Value> = logged.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let with = |message: &str| lines.iter().filter(|line| line["message"] == message).collect::<Vec<_>>();
    let turns = with("turn finished");
    assert_eq!(turns.len(), 2, "{logged}");
    assert_eq!(turns.iter().map(|t| t["input_tokens"].as_u64().unwrap()).collect::<Vec<_>>(), [700, 1_500]);
    let calls = with("tool finished");
    assert_eq!(calls.len(), 1, "{logged}");
    assert_eq!((&calls[0]["tool"], &calls[0]["is_error"]), (&json!("get_page_content"), &json!(false)));
    assert!(calls[0]["elapsed_ms"].is_u64() && calls[0]["chars"].as_u64().unwrap() > 100);
    assert_eq!(with("run finished").len(), 1);
    for secret in [KEY, "begin with", "It begins", "title"] {
        assert!(!logged.contains(secret), "{secret} in {logged}");
    }
    #[cfg(unix)]
    assert_eq!(std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&log).unwrap()) & 0o777, 0o600);
}

#[test]
fn text_is_logged_when_it_is_asked_for_and_the_key_never() {
    let server = FakeModel::start(script());
    let desk = desk(&server, "");
    let mut command = desk.command(&["ask", "What does it begin with?", "--doc"]);
    let output =
        command.arg(sample(DOC)).env("WORK_KEY", KEY).env("PAGEWISE_LOG", "trace,pagewise::content=trace").output().unwrap();
    let err = text(&output.stderr);
    assert!(err.contains("What does it begin with?") && err.contains("It begins with its title"), "{err}");
    assert!(!err.contains(KEY), "{err}");
}

#[test]
fn a_log_that_cannot_be_written_is_said() {
    let server = FakeModel::start([]);
    let output = ask(&desk(&server, ""), &["--log-file", "/nonexistent/folder/log"]);
    assert!(!output.status.success() && text(&output.stderr).contains("/nonexistent/folder/log"), "{}", text(&output.stderr));
    assert!(server.requests().is_empty());
}
