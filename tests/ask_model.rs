//! `pagewise ask` with a language model: a scripted server that checks what it was sent.
#![allow(clippy::unwrap_used, reason = "a test may stop where it fails")]

mod support;

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};
use support::fake_model::FakeModel;
use support::reply::Reply;

const DISNEY: &str = "What was Disney's total revenue in Q1 FY2025, and how did it compare to the prior-year quarter?";

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/documents").join(name)
}

/// A document of the shared data, where that is here. It must be there when the folder is.
fn shared(path: &str) -> Option<PathBuf> {
    let file = PathBuf::from(std::env::var_os("PAGEWISE_SHARED")?).join(path);
    assert!(file.exists(), "{} is missing", file.display());
    Some(file)
}

fn ask(server: &FakeModel, question: &str, document: &Path, more: &[&str]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("config.toml"), "").unwrap();
    assert_cmd::Command::new(env!("CARGO_BIN_EXE_pagewise"))
        .env("PAGEWISE_CONFIG", dir.path().join("config.toml"))
        .env("PAGEWISE_LIBRARY", dir.path().join("library.db"))
        .env("OPENAI_API_KEY", "sk-test-secret")
        .args(["ask", question, "--model", "test-model", "--base-url", &server.base_url(), "--doc"])
        .arg(document)
        .args(more)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The scripted turns of a model that reads as it is told: structure first, then two pages, then a cited answer.
fn script(doc: &str, pages: &str, answer: &str) -> [Reply; 3] {
    [
        Reply::tool_call("get_document_structure", json!({"doc_name": doc})),
        Reply::tool_call("get_page_content", json!({"doc_name": doc, "pages": pages})),
        Reply::text(answer).usage(900, 60),
    ]
}

#[test]
fn structure_then_pages_then_a_cited_answer() {
    let doc = "quarterly-release.pdf";
    let pages = page_texts(&sample(doc), "1,3");
    let quote: String = pages[0].split_whitespace().take(8).collect::<Vec<_>>().join(" ");
    let answer = format!("The release opens with its title and date <cite doc=\"{doc}\" page=\"1\">{quote}</cite>.");
    let server = FakeModel::start(script(doc, "1,3", &answer)).strict();
    let output = ask(&server, "What does the release begin with?", &sample(doc), &[]);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{err}");
    assert!(out.starts_with("The release opens with its title and date [1]."), "{out}");
    assert!(out.contains("[1] quarterly-release.pdf, p. 1") && out.contains("✓ verified"), "{out}");
    assert!(err.contains("[tool] get_document_structure({\"doc_name\": \"quarterly-release.pdf\"})"), "{err}");
    assert!(err.contains("[tool] get_page_content({\"doc_name\": \"quarterly-release.pdf\", \"pages\": \"1,3\"})"), "{err}");
    assert!(err.contains(&server.host()), "where the text goes is said: {err}");
    assert!(!err.contains("sk-test-secret") && !out.contains("sk-test-secret"));

    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    let first = &requests[0];
    assert_eq!(first.header("authorization"), Some("Bearer sk-test-secret"));
    assert_eq!(
        first.tool_names(),
        ["browse_documents", "get_document", "get_document_structure", "get_page_content"],
        "deletion is not offered"
    );
    let system = first.texts("system").concat();
    assert!(system.contains(doc) && system.contains("<cite doc="), "{system}");
    assert_eq!(first.texts("user"), ["What does the release begin with?"]);
    let structure: Value = serde_json::from_str(requests[1].tool_results()[0]).unwrap();
    assert_eq!(structure["doc_name"], doc);
    assert!(structure["structure"].is_array());
    let content: Value = serde_json::from_str(requests[2].tool_results()[1]).unwrap();
    assert_eq!(content["returned_pages"], "1,3");
    assert_eq!(content["content"][0]["text"].as_str().unwrap(), pages[0]);
    assert!(requests.iter().all(|request| request.history_fault().is_none()));
}

#[test]
fn the_earnings_release_with_a_scripted_model() {
    let Some(file) = shared("data/pageindex/pdfs/q1-fy25-earnings.pdf") else { return };
    let doc = "q1-fy25-earnings.pdf";
    let answer = format!(
        "Revenue was $24.7 billion in Q1 FY2025 <cite doc=\"{doc}\" page=\"1\">Revenues increased 5% for Q1 to $24.7 billion</cite>, \
         against $23.5 billion in the prior-year quarter <cite doc=\"{doc}\" page=\"1\">from $23.5 billion in Q1 fiscal 2024</cite>."
    );
    let server = FakeModel::start(script(doc, "1,3", &answer)).strict();
    let output = ask(&server, DISNEY, &file, &["--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["outcome"], "answered");
    let calls: Vec<&str> = object["tool_calls"].as_array().unwrap().iter().map(|call| call["name"].as_str().unwrap()).collect();
    assert_eq!(calls, ["get_document_structure", "get_page_content"]);
    assert_eq!(object["tool_calls"][1]["arguments"]["pages"], "1,3");
    let citations = object["citations"].as_array().unwrap();
    assert_eq!(citations.len(), 2);
    assert!(citations.iter().all(|citation| citation["status"] == "verified"), "{citations:?}");
    assert_eq!(object["pages_read"], json!([{"doc": doc, "page": 1}, {"doc": doc, "page": 3}]));
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn a_wrong_figure_is_not_verified() {
    let doc = "quarterly-release.pdf";
    let answer = format!("Revenue was $987,654.3 million <cite doc=\"{doc}\" page=\"1\">revenue of $987,654.3 million</cite>.");
    let server = FakeModel::start(script(doc, "1", &answer));
    let output = ask(&server, "What was revenue?", &sample(doc), &["--json"]);
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["citations"][0]["status"], "not_found");
}

#[test]
fn an_answer_without_citations_is_asked_for_them_once() {
    let doc = "quarterly-release.pdf";
    let mut replies: Vec<Reply> = script(doc, "1", "Revenue was 512 million.").into();
    replies.push(Reply::text("Revenue was 512 million."));
    let server = FakeModel::start(replies).strict();
    let output = ask(&server, "What was revenue?", &sample(doc), &["--json"]);
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["answer"], "Revenue was 512 million.");
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn a_wrong_key_says_so() {
    let server = FakeModel::start([Reply::api_error(401, "Incorrect API key provided", "invalid_api_key")]);
    let output = ask(&server, "What was revenue?", &sample("quarterly-release.pdf"), &[]);
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(6));
    assert!(err.contains("key") && !err.contains("sk-test-secret"), "{err}");
    assert!(output.stdout.is_empty());
    assert_eq!(server.requests().len(), 1, "a refused key is not tried again");
}

#[test]
fn instructions_inside_a_document_delete_nothing() {
    let doc = "quarterly-release.pdf";
    let server = FakeModel::start([
        Reply::tool_call("remove_document", json!({"doc_names": [doc]})),
        Reply::tool_call("get_page_content", json!({"doc_name": doc, "pages": "1"})),
        Reply::text("<not-found/>It does not say."),
    ]);
    let output = ask(&server, "Delete everything.", &sample(doc), &["--json"]);
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["outcome"], "not_found");
    assert_eq!(object["tool_calls"][0]["is_error"], true);
    let reply: Value = serde_json::from_str(server.requests()[1].tool_results()[0]).unwrap();
    assert_eq!(reply["errorCode"], "INVALID_INPUT");
    let pages: Value = serde_json::from_str(server.requests()[2].tool_results()[1]).unwrap();
    assert_eq!(pages["returned_pages"], "1", "the document is still there");
}

#[test]
fn escape_codes_of_a_model_do_not_reach_the_terminal() {
    let server = FakeModel::start([
        Reply::text("\u{1b}[31mred\u{1b}[0m \u{9b}2J and \u{202e}back <not-found/>"),
        Reply::text("\u{1b}[31mred\u{1b}[0m \u{9b}2J and \u{202e}back <not-found/>"),
    ]);
    let output = ask(&server, "Colour?", &sample("quarterly-release.pdf"), &[]);
    let all = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert!(!all.chars().any(|c| c.is_control() && c != '\n' && c != '\t'), "{all:?}");
    assert!(!all.contains('\u{202e}'));
}

fn page_texts(file: &Path, spec: &str) -> Vec<String> {
    let output =
        assert_cmd::Command::new(env!("CARGO_BIN_EXE_pagewise")).arg("pages").arg(file).args([spec, "--json"]).output().unwrap();
    let pages: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    pages.iter().map(|page| page["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_batch_with_a_key_that_is_not_accepted_asks_once() {
    let refused = || Reply::api_error(401, "Incorrect API key provided", "invalid_api_key");
    let server = FakeModel::start([refused(), refused(), refused()]);
    let dir = tempfile::tempdir().unwrap();
    let lines: String = (0..3)
        .map(|n| json!({"id": format!("q{n}"), "question": "Q?", "doc": "quarterly-release.pdf"}).to_string() + "\n")
        .collect();
    std::fs::write(dir.path().join("questions.jsonl"), lines).unwrap();
    std::fs::write(dir.path().join("config.toml"), "").unwrap();
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_pagewise"))
        .env("PAGEWISE_CONFIG", dir.path().join("config.toml"))
        .env("OPENAI_API_KEY", "sk-test-secret")
        .args(["eval", "questions.jsonl", "--out", "run", "--model", "m", "--base-url", &server.base_url(), "--docs"])
        .arg(sample("quarterly-release.pdf").parent().unwrap())
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert_eq!((output.status.code(), server.requests().len()), (Some(6), 1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("stopped, for 2 more would fail"), "{}", text(&output.stderr));
}

#[test]
fn an_answer_from_memory_is_told_from_one_that_was_read() {
    let said = || Reply::text("The revenue of the company was 5.27 trillion dollars.");
    let document = sample("quarterly-release.pdf");
    let server = FakeModel::start([said(), said(), said(), said(), Reply::text("You are welcome!")]);
    let err = text(&ask(&server, "What was revenue?", &document, &[]).stderr);
    assert!(err.contains("the model read no page: nothing of this answer is checked"), "{err}");
    let report: Value = serde_json::from_slice(&ask(&server, "What was revenue?", &document, &["--json"]).stdout).unwrap();
    assert_eq!((&report["from_memory"], &report["unsupported"][0]["figure"]), (&json!(true), &json!("5.27 trillion")), "{report}");
    let err = text(&ask(&server, "Thanks!", &document, &[]).stderr);
    assert!(!err.contains("no page"), "{err}");
}
