//! `pagewise mcp` over stdin and stdout, as a host speaks to it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop where it fails")]

mod support;

use std::time::{Duration, Instant};

use pagewise::library::{Begun, Library, NewDocument, Origin, SqliteLibrary};
use pagewise::{Client, LocalOptions};
use serde_json::{Value, json};

use support::desk::Desk;
use support::mcp::Host;
use support::pdf::TestPage;

const SAMPLES: [&str; 2] = ["annual-report.pdf", "quarterly-release.pdf"];
/// The newest protocol with a handshake.
const SESSION: &str = "2025-11-25";
/// The protocol without one.
const STATELESS: &str = "2026-07-28";

/// What a client without a handshake says with every request.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn names(items: &Value, key: &str) -> Vec<String> {
    items.as_array().unwrap().iter().map(|item| item[key].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn both_generations_of_hosts_are_told_the_same() {
    let desk = Desk::with_samples(&SAMPLES);
    let client = Client::local(LocalOptions { library: Some(desk.library()), ..LocalOptions::default() }).unwrap();
    let instructions = client.agent_instructions(&[]).await.unwrap();
    let mut lists = Vec::new();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", SESSION] {
        let (mut host, about) = Host::connected(&desk, &[], version);
        assert_eq!(about["protocolVersion"], version);
        assert_eq!(about["serverInfo"]["name"], "pagewise");
        assert_eq!(about["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(about["instructions"], instructions);
        assert!(["tools", "prompts", "resources"].iter().all(|part| about["capabilities"][part].is_object()));
        lists.push(host.request("tools/list", json!({}))["result"]["tools"].clone());
        assert!(host.close().status.success());
    }
    let mut host = Host::start(&desk, &[]);
    let about = host.request("server/discover", json!({"_meta": meta()}))["result"].clone();
    assert!(names_of(&about["supportedVersions"]).contains(&STATELESS.to_owned()), "{about}");
    assert_eq!(about["instructions"], instructions);
    let listed = host.request("tools/list", json!({"_meta": meta()}))["result"].clone();
    assert!(listed["ttlMs"].is_u64() && listed["cacheScope"] == "private", "{listed}");
    lists.push(listed["tools"].clone());
    let reply = host.call_with_meta("get_document", json!({"doc_name": "annual-report.pdf"}));
    assert_eq!(reply["structuredContent"]["name"], "annual-report.pdf");
    assert!(host.close().status.success());
    assert!(lists.windows(2).all(|two| two[0] == two[1]));
}

fn names_of(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}

trait Stateless {
    fn call_with_meta(&mut self, tool: &str, arguments: Value) -> Value;
}

impl Stateless for Host {
    fn call_with_meta(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments, "_meta": meta()}))["result"].clone()
    }
}

#[test]
fn tools_are_listed_with_titles_and_hints() {
    let desk = Desk::new();
    let (mut host, _) = Host::connected(&desk, &[], SESSION);
    let tools = host.request("tools/list", json!({}))["result"]["tools"].clone();
    assert_eq!(names(&tools, "name"), ["browse_documents", "get_document", "get_document_structure", "get_page_content"]);
    for tool in tools.as_array().unwrap() {
        assert!(tool["title"].is_string() && tool["annotations"]["title"] == tool["title"]);
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        assert_eq!(tool["annotations"]["openWorldHint"], false);
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert!(tool["inputSchema"]["properties"].get("folder_id").is_none());
    }
    assert!(host.close().status.success());
    let (mut host, _) = Host::connected(&desk, &["--include-management"], SESSION);
    let tools = host.request("tools/list", json!({}))["result"]["tools"].clone();
    let remove = &tools.as_array().unwrap()[4];
    assert_eq!(remove["name"], "remove_document");
    assert_eq!(remove["annotations"]["readOnlyHint"], false);
    assert_eq!(remove["annotations"]["destructiveHint"], true);
    assert_eq!(remove["annotations"]["idempotentHint"], true);
    host.close();
}

/// Calls that succeed and calls that cannot.
fn calls() -> Vec<(&'static str, Value)> {
    let report = json!({"doc_name": "annual-report.pdf"});
    vec![
        ("browse_documents", json!({})),
        ("browse_documents", json!({"sort": "relevance", "query": "quarterly earnings", "limit": 1})),
        ("browse_documents", json!({"limit": 0})),
        ("browse_documents", json!({"folder_id": "f-1"})),
        ("get_document", report.clone()),
        ("get_document", json!({})),
        ("get_document", json!({"doc_name": "anual-report.pdf"})),
        ("get_document", json!({"doc_name": "\u{0}\u{1b}[31m\u{85}\u{2028}\u{202e}", "wait_for_completion": "true"})),
        ("get_document_structure", report.clone()),
        ("get_document_structure", json!({"doc_name": "annual-report.pdf", "part": 99})),
        ("get_document_structure", json!({"doc_name": "annual-report.pdf", "part": "two"})),
        ("get_page_content", json!({"doc_name": "annual-report.pdf", "pages": "1-3"})),
        ("get_page_content", json!({"doc_name": "annual-report.pdf", "pages": 2})),
        ("get_page_content", json!({"doc_name": "annual-report.pdf", "pages": "99-120"})),
        ("get_page_content", json!({"doc_name": "annual-report.pdf", "pages": "all"})),
        ("get_page_content", json!({"doc_name": ["annual-report.pdf"], "pages": {"from": 1}})),
        ("remove_document", json!({"doc_names": ["annual-report.pdf"]})),
        ("search_documents", json!({"query": "x"})),
        ("", json!({"": ""})),
    ]
}

#[test]
fn replies_are_those_of_the_command_line_and_nothing_else_is_on_stdout() {
    let desk = Desk::with_samples(&SAMPLES);
    for options in [&[][..], &["--max-result-chars", "20000"], &["--doc", "annual-report.pdf"]] {
        let (mut host, _) = Host::connected(&desk, options, SESSION);
        for (tool, arguments) in calls() {
            let result = host.call(tool, arguments.clone());
            let text = result["content"][0]["text"].as_str().unwrap();
            assert_eq!(text, desk.call(tool, &arguments, options), "{tool} {arguments}");
            let envelope: Value = serde_json::from_str(text).unwrap();
            assert_eq!(result["structuredContent"], envelope);
            assert_eq!(result["isError"].as_bool().unwrap_or(false), envelope.get("error").is_some(), "{tool} {arguments}");
            assert_eq!(result["content"].as_array().unwrap().len(), 1);
        }
        let ended = host.close();
        assert!(ended.status.success() && ended.rest.is_empty() && ended.stderr.is_empty(), "{}", ended.stderr);
    }
}

#[test]
fn lines_that_are_no_protocol_do_not_end_the_server() {
    let desk = Desk::new();
    let (mut host, _) = Host::connected(&desk, &[], SESSION);
    for line in [
        "",
        "not JSON",
        "{",
        "[]",
        "null",
        "{}",
        "\"text\"",
        "{\"jsonrpc\": \"2.0\"}",
        "{\"jsonrpc\": \"1.0\", \"id\": 7, \"method\": \"ping\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"ping\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1000, \"method\": \"no/such/method\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1001, \"method\": \"tools/call\", \"params\": {\"name\": 5}}",
        "{\"jsonrpc\": \"2.0\", \"id\": 1002, \"method\": \"tools/call\", \"params\": {\"name\": \"get_document\", \"arguments\": \"text\"}}",
        "{\"jsonrpc\": \"2.0\", \"method\": \"no/such/notification\", \"params\": [1]}",
        "\u{feff}",
    ] {
        host.send_line(line);
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    host.send_line(&deep);
    assert!(host.request("ping", json!({}))["result"].is_object());
    let envelope = host.call("browse_documents", json!({}))["structuredContent"].clone();
    assert_eq!(envelope["success"], true);
    assert!(host.close().status.success());
}

#[test]
fn a_host_that_goes_at_once_is_no_failure() {
    let desk = Desk::new();
    let discover = json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta()}});
    for (sent, lines) in [(String::new(), 0), (format!("{discover}\n"), 1)] {
        let path = desk.path().join("sent");
        std::fs::write(&path, sent).unwrap();
        let output = desk.command(&["mcp"]).stdin(std::fs::File::open(&path).unwrap()).output().unwrap();
        assert!(output.status.success());
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), lines);
    }
}

#[test]
fn a_request_that_cannot_be_read_is_answered() {
    let desk = Desk::with_samples(&["annual-report.pdf"]);
    let (mut host, _) = Host::connected(&desk, &[], SESSION);
    let cut_emoji =
        r#"{"jsonrpc":"2.0","id":70,"method":"tools/call","params":{"name":"get_document","arguments":{"doc_name":"\ud83d"}}}"#;
    host.send_line(cut_emoji);
    assert_eq!(host.reply(70)["error"]["code"], -32700);
    host.send_line(r#"{"jsonrpc":"2.0","id":71,"method":"prompts/get","params":{"name":5}}"#);
    assert_eq!(host.reply(71)["error"]["code"], -32602);
    host.send_line(r#"{"jsonrpc":"2.0","id":72,"method":"tools/call","params":{"name":3}}"#);
    assert_eq!(host.reply(72)["error"]["code"], -32602);
    host.send_line(r#"{"jsonrpc":"2.0","id":73,"method":"no/such"}"#);
    assert_eq!(host.reply(73)["error"]["code"], -32601);
    // Arguments as text, as models send them, and arguments that are none.
    let as_text = host.call("get_document", json!("{\"doc_name\": \"annual-report.pdf\"}"));
    assert_eq!(as_text["structuredContent"]["name"], "annual-report.pdf");
    let wrong = host.call("get_document", json!(["annual-report.pdf"]));
    assert_eq!((&wrong["isError"], &wrong["structuredContent"]["errorCode"]), (&json!(true), &json!("INVALID_INPUT")));
    assert!(host.close().status.success());
}

#[test]
fn documents_that_are_gone_do_not_keep_the_others_from_being_served() {
    let desk = Desk::with_samples(&["annual-report.pdf"]);
    let (mut host, _) = Host::connected(&desk, &["--doc", "gone.pdf", "--doc", "annual-report.pdf"], SESSION);
    let documents = host.call("browse_documents", json!({}))["structuredContent"]["documents"].clone();
    assert_eq!(names(&documents, "name"), ["annual-report.pdf"]);
    assert!(desk.command(&["remove", "--yes", "annual-report.pdf"]).output().unwrap().status.success());
    let nothing = host.call("browse_documents", json!({}))["structuredContent"]["next_steps"]["summary"].clone();
    assert!(nothing.as_str().unwrap().contains("limited to"), "{nothing}");
    let ended = host.close();
    assert!(ended.status.success() && ended.stderr.contains("gone.pdf"), "{}", ended.stderr);
}

#[test]
fn prompts_say_how_to_cite_and_put_a_question_to_a_document() {
    let desk = Desk::with_samples(&SAMPLES);
    let (mut host, about) = Host::connected(&desk, &[], SESSION);
    let prompts = host.request("prompts/list", json!({}))["result"]["prompts"].clone();
    assert_eq!(names(&prompts, "name"), ["cited_answer", "ask_document"]);
    let text = |reply: &Value| reply["result"]["messages"][0]["content"]["text"].as_str().unwrap_or_default().to_owned();
    let cite = text(&host.request("prompts/get", json!({"name": "cited_answer"})));
    assert!(cite.contains("<cite doc="));
    assert!(about["instructions"].as_str().unwrap().contains(cite.trim()));
    assert_eq!(text(&host.request("prompts/get", json!({"name": "cited_answer", "arguments": {"format": "cite"}}))), cite);
    let markdown = text(&host.request("prompts/get", json!({"name": "cited_answer", "arguments": {"format": "markdown"}})));
    assert!(markdown.contains("[NAME, p. N]") && !markdown.contains("<cite"));
    let arguments = json!({"doc_name": "annual-report.pdf", "question": "What was total revenue?"});
    let asked = text(&host.request("prompts/get", json!({"name": "ask_document", "arguments": arguments})));
    assert!(asked.contains("\"annual-report.pdf\"") && asked.trim_end().ends_with("What was total revenue?"));
    for (params, part) in [
        (json!({"name": "no_such"}), "cited_answer"),
        (json!({"name": "cited_answer", "arguments": {"format": "html"}}), "markdown"),
        (json!({"name": "ask_document", "arguments": {"doc_name": "annual-report.pdf"}}), "question"),
        (json!({"name": "ask_document", "arguments": {"doc_name": "anual-report.pdf", "question": "?"}}), "annual-report.pdf"),
        (json!({"name": "cited_answer", "arguments": {"style": "cite"}}), "format"),
    ] {
        let error = host.request("prompts/get", params.clone())["error"].clone();
        assert_eq!(error["code"], -32602, "{params}");
        assert!(error["message"].as_str().unwrap().contains(part), "{error}");
    }
    host.close();
}

#[test]
fn outlines_and_pages_are_resources() {
    let desk = Desk::with_samples(&SAMPLES);
    let (mut host, _) = Host::connected(&desk, &[], SESSION);
    let listed = host.request("resources/list", json!({}))["result"].clone();
    assert_eq!(names(&listed["resources"], "uri"), ["pagewise://quarterly-release.pdf/tree", "pagewise://annual-report.pdf/tree"]);
    assert!(listed.get("nextCursor").is_none());
    let templates = host.request("resources/templates/list", json!({}))["result"]["resourceTemplates"].clone();
    assert_eq!(names(&templates, "uriTemplate"), ["pagewise://{doc_name}/tree{?part}", "pagewise://{doc_name}/page/{page}"]);
    let tree = host.request("resources/read", json!({"uri": "pagewise://annual-report.pdf/tree"}))["result"]["contents"][0].clone();
    assert_eq!(tree["mimeType"], "application/json");
    let arguments = json!({"doc_name": "annual-report.pdf"});
    assert_eq!(tree["text"], host.call("get_document_structure", arguments)["content"][0]["text"]);
    let page =
        host.request("resources/read", json!({"uri": "pagewise://annual-report.pdf/page/2"}))["result"]["contents"][0].clone();
    assert_eq!(page["mimeType"], "text/plain");
    let arguments = json!({"doc_name": "annual-report.pdf", "pages": "2"});
    assert_eq!(page["text"], host.call("get_page_content", arguments)["structuredContent"]["content"][0]["text"]);
    for uri in ["pagewise://annual-report.pdf/page/999", "pagewise://no-such.pdf/tree", "file:///etc/passwd", "pagewise://", ""] {
        let error = host.request("resources/read", json!({"uri": uri}))["error"].clone();
        assert_eq!(error["code"], -32002, "{uri}: {error}");
    }
    assert_eq!(host.request("resources/list", json!({"cursor": "x"}))["error"]["code"], -32602);
    host.close();
}

#[test]
fn arguments_are_completed() {
    let desk = Desk::with_samples(&SAMPLES);
    let (mut host, _) = Host::connected(&desk, &[], SESSION);
    let prompt = json!({"type": "ref/prompt", "name": "ask_document"});
    let page = json!({"type": "ref/resource", "uri": "pagewise://{doc_name}/page/{page}"});
    let mut offered = |of: &Value, name: &str, value: &str| {
        let params = json!({"ref": of, "argument": {"name": name, "value": value}});
        names_of(&host.request("completion/complete", params)["result"]["completion"]["values"])
    };
    assert_eq!(offered(&prompt, "doc_name", ""), ["quarterly-release.pdf", "annual-report.pdf"]);
    assert_eq!(offered(&page, "doc_name", "Ann"), ["annual-report.pdf"]);
    assert_eq!(offered(&page, "doc_name", "release"), ["quarterly-release.pdf"]);
    assert_eq!(offered(&json!({"type": "ref/prompt", "name": "cited_answer"}), "format", "m"), ["markdown"]);
    assert!(offered(&prompt, "question", "What").is_empty() && offered(&prompt, "doc_name", "zzz").is_empty());
    host.close();
}

#[test]
fn a_server_of_some_documents_knows_no_others() {
    let desk = Desk::with_samples(&SAMPLES);
    let (mut host, about) = Host::connected(&desk, &["--doc", "annual-report.pdf"], SESSION);
    let instructions = about["instructions"].as_str().unwrap();
    assert!(instructions.contains("annual-report.pdf") && !instructions.contains("quarterly-release.pdf"));
    let documents = host.call("browse_documents", json!({}))["structuredContent"]["documents"].clone();
    assert_eq!(names(&documents, "name"), ["annual-report.pdf"]);
    let hidden = host.call("get_page_content", json!({"doc_name": "quarterly-release.pdf", "pages": "1"}));
    assert_eq!(hidden["structuredContent"]["errorCode"], "NOT_FOUND");
    let hidden = host.request("resources/read", json!({"uri": "pagewise://quarterly-release.pdf/page/1"}));
    assert_eq!(hidden["error"]["code"], -32002);
    let listed = host.request("resources/list", json!({}))["result"]["resources"].clone();
    assert_eq!(names(&listed, "name"), ["annual-report.pdf"]);
    let arguments = json!({"doc_name": "quarterly-release.pdf", "question": "?"});
    assert!(host.request("prompts/get", json!({"name": "ask_document", "arguments": arguments}))["error"].is_object());
    host.close();
    let output = desk.command(&["mcp", "--doc", "anual-report.pdf"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty() && String::from_utf8_lossy(&output.stderr).contains("annual-report.pdf"));
}

#[test]
fn deleting_needs_the_switch() {
    let desk = Desk::with_samples(&["annual-report.pdf"]);
    let remove = || json!({"doc_names": ["annual-report.pdf"]});
    let (mut host, _) = Host::connected(&desk, &[], SESSION);
    assert_eq!(host.call("remove_document", remove())["isError"], true);
    assert_eq!(host.call("get_document", json!({"doc_name": "annual-report.pdf"}))["structuredContent"]["success"], true);
    host.close();
    let (mut host, _) = Host::connected(&desk, &["--include-management"], SESSION);
    let results = host.call("remove_document", remove())["structuredContent"]["results"].clone();
    assert_eq!(results[0]["status"], "deleted");
    host.close();
}

/// Announces a document that is never finished.
async fn unfinished(desk: &Desk) {
    let library = SqliteLibrary::open(&desk.library()).unwrap();
    let new = NewDocument {
        name: "slow.pdf".to_owned(),
        origin: Origin::Bytes,
        content_hash: "0".repeat(64),
        bytes: 1,
        description: None,
        metadata: Default::default(),
        moved: false,
    };
    assert!(matches!(library.begin(new).await.unwrap(), Begun::Started(_)));
}

#[tokio::test]
async fn waiting_ends_when_the_host_cancels_it_or_goes() {
    let desk = Desk::with_samples(&["annual-report.pdf"]);
    unfinished(&desk).await;
    let (mut host, _) = Host::connected(&desk, &[], SESSION);
    let wait = json!({"name": "get_document", "arguments": {"doc_name": "slow.pdf", "wait_for_completion": true}});
    let started = Instant::now();
    let cancelled = host.ask("tools/call", wait.clone());
    // Other calls are answered meanwhile.
    assert_eq!(host.call("get_document", json!({"doc_name": "slow.pdf"}))["structuredContent"]["status"], "processing");
    host.send(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": cancelled, "reason": "test"}}),
    );
    host.ask("tools/call", wait);
    assert!(host.request("ping", json!({}))["result"].is_object());
    let ended = host.close();
    assert!(ended.status.success());
    // A cancelled request gets no reply, and nobody waits three minutes for the other.
    assert!(ended.rest.iter().all(|message| message["id"] != cancelled), "{:?}", ended.rest);
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn resources_come_in_pages() {
    let desk = Desk::with_samples(&["annual-report.pdf"]);
    for n in 0..55 {
        let path = desk.path().join(format!("made-{n}.pdf"));
        std::fs::write(
            &path,
            support::pdf::pdf(&[TestPage { heading: None, lines: vec![format!("Memo number {n} on travel")] }], &[]),
        )
        .unwrap();
    }
    assert!(desk.command(&["add"]).arg(desk.path()).output().unwrap().status.success());
    let (mut host, _) = Host::connected(&desk, &[], SESSION);
    let first = host.request("resources/list", json!({}))["result"].clone();
    let second = host.request("resources/list", json!({"cursor": first["nextCursor"]}))["result"].clone();
    let mut all = names(&first["resources"], "uri");
    all.extend(names(&second["resources"], "uri"));
    assert!(second.get("nextCursor").is_none());
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 56);
    host.close();
}
