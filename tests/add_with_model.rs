//! `pagewise add --with-model`: a scripted server that counts what it is asked, and a program that is killed, stopped and refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop where it fails")]

mod support;

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use support::fake_model::{FakeModel, Recorded};
use support::pdf::{TestPage, pdf};
use support::reply::Reply;

/// A folder with an empty config file, a book and a place for a library.
struct Desk {
    dir: tempfile::TempDir,
}

impl Desk {
    /// With a book of this many chapters of two pages each.
    fn with_chapters(chapters: usize) -> Self {
        let mut pages = Vec::new();
        for chapter in 1..=chapters {
            let line =
                |n: usize| format!("Sentence {n} of chapter {chapter} says what there is to know about its matter and no more.");
            pages.push(TestPage { heading: Some(format!("Chapter {chapter}")), lines: (1..=6).map(line).collect() });
            pages.push(TestPage { heading: None, lines: (7..=9).map(line).collect() });
        }
        let marks: Vec<(String, usize)> = (1..=chapters).map(|chapter| (format!("Chapter {chapter}"), 2 * chapter - 1)).collect();
        Self::with_file(&pdf(&pages, &marks))
    }

    fn with_file(bytes: &[u8]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("config.toml"), "").unwrap();
        std::fs::write(dir.path().join("book.pdf"), bytes).unwrap();
        Self { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn configure(&self, text: &str) {
        std::fs::write(self.path("config.toml"), text).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pagewise"));
        command
            .env_remove("PAGEWISE_MODEL")
            .env_remove("OPENAI_BASE_URL")
            .env("PAGEWISE_CONFIG", self.path("config.toml"))
            .env("PAGEWISE_LIBRARY", self.path("library.db"))
            .env("OPENAI_API_KEY", "sk-test-secret")
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn add_command(&self, base_url: &str, more: &[&str]) -> Command {
        let book = self.path("book.pdf");
        let mut args = vec!["add", book.to_str().unwrap(), "--with-model", "--model", "test-model", "--base-url", base_url];
        args.extend(more);
        self.command(&args)
    }

    fn add(&self, server: &FakeModel, more: &[&str]) -> Output {
        self.add_command(&server.base_url(), more).output().unwrap()
    }

    /// All sections of the stored book, in document order.
    fn sections(&self) -> Vec<Value> {
        let output = self.run(&["tree", "book.pdf", "--json"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut out = Vec::new();
        flatten(&report["structure"], &mut out);
        out
    }

    fn record(&self) -> Value {
        let output = self.run(&["list", "--json"]);
        let list: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(list.len(), 1);
        list[0].clone()
    }

    /// Parts that are finished and kept.
    fn kept(&self) -> usize {
        let library = rusqlite::Connection::open(self.path("library.db")).unwrap();
        library.query_row("SELECT count(*) FROM finished_parts", [], |row| row.get::<_, u32>(0)).unwrap() as usize
    }
}

fn flatten(nodes: &Value, out: &mut Vec<Value>) {
    for node in nodes.as_array().into_iter().flatten() {
        out.push(node.clone());
        flatten(&node["nodes"], out);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What a request was about: `headings`, `description` or the title of the section to be summarised.
fn subject(request: &Recorded) -> String {
    let system = request.texts("system").concat();
    let user = request.texts("user").concat();
    if system.contains("{\"headings\"") {
        return "headings".to_owned();
    }
    if system.contains("{\"description\"") {
        return "description".to_owned();
    }
    user.lines().find_map(|line| line.strip_prefix("Section: ")).unwrap_or_default().to_owned()
}

/// A model that does what is asked.
fn sane(request: &Recorded) -> Reply {
    let reply = match subject(request).as_str() {
        "headings" => json!({"headings": []}),
        "description" => json!({"description": "A book of many chapters, written by a model."}),
        section => json!({"summary": format!("Everything about {section} that a reader wants.")}),
    };
    Reply::text(reply.to_string()).usage(500, 20)
}

fn inputs(requests: &[Recorded]) -> Vec<String> {
    requests.iter().map(|request| request.texts("user").concat()).collect()
}

fn wait_until(what: impl Fn() -> bool, child: &mut Child) {
    for _ in 0..6_000 {
        if what() {
            return;
        }
        if let Some(status) = child.try_wait().unwrap() {
            panic!("it ended too early: {status}");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it did not come so far in a minute");
}

#[test]
fn killed_in_the_middle_of_200_calls_it_repeats_none_that_was_finished() {
    let desk = Desk::with_chapters(200);
    let server = FakeModel::answering(|request| sane(request).delay(Duration::from_millis(15)));
    let mut child = desk.add_command(&server.base_url(), &[]).spawn().unwrap();
    wait_until(|| server.requests().len() >= 90, &mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    let first = inputs(&server.requests());
    let kept = desk.kept();
    assert!(first.len() < 200 && kept + 4 >= first.len() - 1 && kept <= first.len(), "{kept} of {} are kept", first.len());
    // What was found without the model is whole and in use.
    assert_eq!(desk.record()["status"], "completed");
    assert!(!desk.sections().iter().any(|node| node["summary"].as_str().unwrap_or_default().contains("a reader wants")));

    let output = desk.add(&server, &["--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let all = inputs(&server.requests());
    assert_eq!(all.len() - first.len(), 201 - kept, "only what was not finished is asked for");
    let twice = all.len() - all.iter().collect::<HashSet<_>>().len();
    assert_eq!(twice, first.len() - kept, "only what was under way is asked for twice");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["improvement"]["status"], "improved");
    assert_eq!(report["improvement"]["reused"], kept);
    assert_eq!(report["improvement"]["usage"]["input_tokens"], 500 * (201 - kept));
    let sections = desk.sections();
    assert_eq!(sections.len(), 200);
    for (node, chapter) in sections.iter().zip(1..) {
        assert_eq!(node["summary"], format!("Everything about Chapter {chapter} that a reader wants."));
    }
    assert_eq!(desk.record()["description"], "A book of many chapters, written by a model.");
    assert_eq!(desk.kept(), 0, "finished parts go when the tree is stored");

    // Once more: nothing is asked at all.
    let before = server.requests().len();
    let output = desk.add(&server, &[]);
    assert!(output.status.success() && text(&output.stdout).contains("improved before"), "{}", text(&output.stdout));
    assert_eq!(server.requests().len(), before);
}

#[test]
fn a_document_that_is_there_is_improved_later_and_the_users_description_stays() {
    let desk = Desk::with_chapters(4);
    let book = desk.path("book.pdf");
    let plain = desk.run(&["add", book.to_str().unwrap(), "--description", "My own words"]);
    assert!(plain.status.success());
    let server = FakeModel::answering(sane);
    let output = desk.add(&server, &[]);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{err}");
    assert!(out.contains("already there, improved with the model") && out.contains("My own words"), "{out}");
    assert!(err.contains(&format!("the text of the documents is sent to {}", server.host())), "{err}");
    assert!(err.contains("test-model: 4 requests, 2000 tokens read, 80 written."), "{err}");
    assert!(!err.contains("sk-test-secret") && !out.contains("sk-test-secret"));
    assert_eq!(desk.record()["description"], "My own words");
    let requests = server.requests();
    assert!(requests.iter().all(|request| subject(request) != "description"), "none is asked for that would not be used");
    let first = &requests[0];
    assert_eq!(first.header("authorization"), Some("Bearer sk-test-secret"));
    assert_eq!(first.tool_names(), [] as [&str; 0]);
    assert!(first.body["max_tokens"].is_number() || first.body["max_completion_tokens"].is_number());
    // The words of the new summaries are found.
    let found = desk.run(&["call", "browse_documents", r#"{"sort": "relevance", "query": "reader wants"}"#]);
    assert!(text(&found.stdout).contains("book.pdf"));
}

#[test]
fn a_dead_key_is_said_at_once_and_leaves_the_document_as_found() {
    let desk = Desk::with_chapters(6);
    let server = FakeModel::answering(|_| Reply::api_error(401, "Incorrect API key provided", "invalid_api_key"));
    let output = desk.add(&server, &["--json"]);
    assert_eq!(output.status.code(), Some(7), "{}", text(&output.stderr));
    assert_eq!(server.requests().len(), 1);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["status"], &report["improvement"]["status"]), (&json!("added"), &json!("stopped")));
    let err = text(&output.stderr);
    assert!(err.contains("the server does not accept the key") && err.contains("can be used"), "{err}");
    assert_eq!((desk.record()["status"].as_str(), desk.kept(), desk.sections().len()), (Some("completed"), 0, 6));
}

#[test]
fn an_unreachable_server_is_said_and_further_documents_are_added_without_it() {
    let desk = Desk::with_chapters(3);
    let other = desk.path("other.pdf");
    let page = TestPage { heading: Some("A letter".into()), lines: vec!["It says a few words.".into()] };
    std::fs::write(&other, pdf(&[page], &[])).unwrap();
    // A port that nobody listens on.
    let address = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap();
    let output = desk.add_command(&format!("http://{address}/v1"), &[other.to_str().unwrap(), "--json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(7));
    let reports: Vec<Value> = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let status = |at: usize| (reports[at]["status"].as_str().unwrap(), reports[at]["improvement"]["status"].as_str().unwrap());
    assert_eq!([status(0), status(1)], [("added", "stopped"), ("added", "not_tried")]);
    assert!(text(&output.stderr).contains("no connection"), "{}", text(&output.stderr));
}

#[test]
fn a_server_that_is_no_model_is_said_soon() {
    let desk = Desk::with_chapters(3);
    let server = FakeModel::answering(|_| Reply::error(200, "<html><body>Welcome to the printer</body></html>"));
    let output = desk.add(&server, &[]);
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(server.requests().len(), 2);
    let err = text(&output.stderr);
    assert!(err.contains("test-model could not go on") && err.contains("Check the base URL"), "{err}");
}

#[test]
fn a_rate_limit_is_waited_for_as_the_server_asks() {
    let desk = Desk::with_chapters(5);
    let mut limited = 0;
    let mut last_refusal: Option<std::time::Instant> = None;
    let (early, seen) = (std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0)), 3);
    let count = early.clone();
    let server = FakeModel::answering(move |request| {
        if let Some(at) = last_refusal
            && at.elapsed() < Duration::from_millis(950)
        {
            count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        }
        if subject(request) == "Chapter 2" && limited < seen {
            limited += 1;
            last_refusal = Some(std::time::Instant::now());
            return Reply::api_error(429, "Rate limit reached", "rate_limit_exceeded").header("retry-after", "1");
        }
        sane(request)
    });
    let output = desk.add(&server, &["--jobs", "1"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(server.requests().len(), 6 + seen);
    assert_eq!(early.load(std::sync::atomic::Ordering::SeqCst), 0, "nothing was asked within the second");
}

#[test]
fn a_rate_limit_of_an_hour_ends_the_run_and_the_next_one_goes_on() {
    let desk = Desk::with_chapters(8);
    let mut number = 0;
    let server = FakeModel::answering(move |request| {
        number += 1;
        if number == 4 {
            return Reply::api_error(429, "Rate limit reached", "rate_limit_exceeded").header("retry-after", "3600");
        }
        sane(request)
    });
    let output = desk.add(&server, &["--jobs", "1"]);
    assert_eq!(output.status.code(), Some(7));
    let err = text(&output.stderr);
    assert!(err.contains("3 of ") && err.contains("the same command goes on from there"), "{err}");
    assert!(err.contains("it asks to wait 3600 s"), "{err}");
    assert_eq!(desk.kept(), 3);
    let before = server.requests().len();
    assert!(desk.add(&server, &[]).status.success());
    assert_eq!(server.requests().len() - before, 9 - 3);
}

#[test]
fn garbage_leaves_sections_as_found_and_is_asked_for_again() {
    let desk = Desk::with_chapters(6);
    let plain = desk.run(&["add", desk.path("book.pdf").to_str().unwrap()]);
    assert!(plain.status.success());
    let found = desk.sections()[2]["summary"].clone();
    let good = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let now_good = good.clone();
    let server = FakeModel::answering(move |request| match subject(request).as_str() {
        "Chapter 3" if !now_good.load(std::sync::atomic::Ordering::SeqCst) => Reply::text("{\"summary: <<<]] I am not sure"),
        // Well meant, badly written.
        "Chapter 4" => {
            Reply::text("Sure! Here is it:\n```json\n{'summary': 'The **fourth** chapter,\nin short.',}\n```\nAnything else?")
        }
        _ => sane(request),
    });
    let output = desk.add(&server, &["--json"]);
    assert_eq!(output.status.code(), Some(7));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["improvement"]["status"], &report["improvement"]["missed"]), (&json!("partly"), &json!(1)));
    let sections = desk.sections();
    assert_eq!(sections[2]["summary"], found);
    assert_eq!(sections[3]["summary"], "The fourth chapter, in short.");
    assert_eq!(sections[4]["summary"], "Everything about Chapter 5 that a reader wants.");
    let before = server.requests().len();
    good.store(true, std::sync::atomic::Ordering::SeqCst);
    let output = desk.add(&server, &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let asked: Vec<String> = server.requests()[before..].iter().map(subject).collect();
    assert_eq!(asked, ["Chapter 3", "description"], "what was missed, and what is made of it");
    assert_eq!(desk.sections()[2]["summary"], "Everything about Chapter 3 that a reader wants.");
}

#[test]
fn long_sections_are_split_by_headings_that_are_printed() {
    let line = |n: usize| format!("Sentence {n} says what there is to know about the matter of this page and no more.");
    let mut pages: Vec<TestPage> = (1..=24).map(|_| TestPage { heading: None, lines: (1..=20).map(line).collect() }).collect();
    pages[0].heading = Some("The only chapter".into());
    // Set like the text around them, so that only a reader sees that they are headings.
    pages[6].lines.insert(0, "Of the first matter".into());
    pages[14].lines.insert(4, "Of the second matter".into());
    let desk = Desk::with_file(&pdf(&pages, &[("The only chapter".into(), 1)]));
    let server = FakeModel::answering(|request| match subject(request).as_str() {
        "headings" => Reply::text(
            json!({"headings": [
                {"title": "Of the first matter", "page": 6},
                {"title": "Of nothing that is printed", "page": 9},
                {"title": "Of the second matter", "page": "15"},
            ]})
            .to_string(),
        ),
        _ => sane(request),
    });
    let output = desk.add(&server, &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let sections: Vec<_> =
        desk.sections().iter().map(|n| (n["title"].clone(), n["start_index"].clone(), n["end_index"].clone())).collect();
    assert_eq!(
        sections,
        [
            (json!("The only chapter"), json!(1), json!(24)),
            (json!("Of the first matter"), json!(7), json!(15)),
            (json!("Of the second matter"), json!(15), json!(24))
        ]
    );
    let request = server.requests().into_iter().find(|request| subject(request) == "headings").unwrap();
    assert!(request.texts("user").concat().contains("[page 24]"));
}

#[test]
fn a_node_with_300_kb_of_text_stays_under_the_cap() {
    let line = |n: usize| format!("Row {n}   1,234.56   7,890.12   of the accounts of the year, in thousands of euros, as audited");
    let pages: Vec<TestPage> = (0..60)
        .map(|page| TestPage {
            heading: (page == 0).then(|| "Accounts".to_owned()),
            lines: (0..54).map(|row| line(page * 54 + row)).collect(),
        })
        .collect();
    let desk = Desk::with_file(&pdf(&pages, &[("Accounts".into(), 1)]));
    desk.configure("call_tokens = 5000\n");
    let server = FakeModel::answering(sane);
    let output = desk.add(&server, &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for request in server.requests() {
        let characters: usize = request.messages().iter().filter_map(|m| m["content"].as_str()).map(|t| t.chars().count()).sum();
        // Figures take a token for every two characters at least.
        assert!(characters < 5_000 * 3, "{characters} characters for {}", subject(&request));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_finished_and_says_how_to_go_on() {
    let desk = Desk::with_chapters(30);
    let server = FakeModel::answering(|request| sane(request).delay(Duration::from_millis(30)));
    let mut child = desk.add_command(&server.base_url(), &["--json"]).spawn().unwrap();
    wait_until(|| server.requests().len() >= 12, &mut child);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(err.contains("book.pdf is stored") && err.contains("the same command goes on from there"), "{err}");
    assert!(err.contains("tokens read"), "what it cost is said: {err}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["status"], &report["improvement"]["status"]), (&json!("added"), &json!("interrupted")));
    let (kept, before) = (desk.kept(), server.requests().len());
    assert!(kept >= 8, "{kept}");
    assert!(desk.add(&server, &[]).status.success());
    assert_eq!(server.requests().len() - before, 31 - kept);
}

#[test]
fn a_document_that_is_removed_meanwhile_is_not_said_to_be_stored() {
    let desk = Desk::with_chapters(30);
    let server = FakeModel::answering(|request| sane(request).delay(Duration::from_millis(30)));
    let mut child = desk.add_command(&server.base_url(), &["--json"]).spawn().unwrap();
    wait_until(|| server.requests().len() >= 8, &mut child);
    assert!(desk.run(&["remove", "book.pdf", "--yes"]).status.success());
    let output = child.wait_with_output().unwrap();
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(7), "{err}");
    assert!(err.contains("book.pdf was removed while it was improved") && !err.contains("is stored"), "{err}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["improvement"]["status"], "failed");
}

#[test]
fn without_a_language_model_it_says_what_to_set_and_adds_nothing() {
    let desk = Desk::with_chapters(2);
    let book = desk.path("book.pdf");
    let book = book.to_str().unwrap();
    for args in [vec!["add", book, "--with-model"], vec!["add", book, "--with-model", "--model", "builtin"]] {
        let output = desk.run(&args);
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains("--model NAME") && err.contains("built-in reader"), "{err}");
    }
    assert_eq!(desk.run(&["add", book, "--model", "test-model"]).status.code(), Some(2), "a model without --with-model");
    assert_eq!(text(&desk.run(&["list", "--json"]).stdout).trim(), "[]");
    // A model in the settings alone sends nothing.
    let server = FakeModel::answering(sane);
    desk.configure(&format!("model = 'test-model'\nbase_url = '{}'\n", server.base_url()));
    assert!(desk.run(&["add", book]).status.success());
    assert!(server.requests().is_empty());
    desk.configure(&format!("model = 'test-model'\nbase_url = '{}'\nwith_model = true\nmodel_jobs = 2\n", server.base_url()));
    assert!(desk.run(&["add", book, "--with-model=false"]).status.success());
    assert!(server.requests().is_empty());
    assert!(desk.run(&["add", book]).status.success());
    assert_eq!(server.requests().len(), 3);
}
