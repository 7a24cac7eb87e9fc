//! Generated calls: always one envelope within its bound, never a panic.
//!
//! Each tool gets this many calls; `PAGEWISE_GENERATED_CALLS` asks for another number.

use super::super::definition::{Tool, tools};
use super::adversarial;
use super::generated::{self, Random, SHAPES, Shape, arguments};
use super::*;
use crate::library::Status;

const CALLS: u64 = 2_000;

/// Every so many calls are about a document that grows past every size.
const BAD: u64 = 100;

fn calls() -> u64 {
    std::env::var("PAGEWISE_GENERATED_CALLS").map_or(CALLS, |calls| calls.parse().expect("a number of calls"))
}

/// Toolboxes over documents in every state, with replies of the full size and of the least.
struct Rooms {
    fake: Arc<Fake>,
    toolboxes: Vec<(usize, LocalToolbox)>,
    runtime: tokio::runtime::Runtime,
}

impl Rooms {
    fn over(documents: Vec<fake::FakeDocument>) -> Self {
        let fake = Fake::with(documents);
        // A wait ends at once.
        let now = Patience { limit: Duration::ZERO, ..SHORT };
        let toolboxes = adversarial::LIMITS.map(|limit| (limit, capped(&fake, limit).with_patience(now))).into();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        Self { fake, toolboxes, runtime }
    }

    fn call(&self, random: &mut Random, name: &str, arguments: &Value) -> (ToolReply, Value) {
        let (limit, toolbox) = &self.toolboxes[random.below(2) as usize];
        let reply = self.runtime.block_on(toolbox.call(name, arguments, &CancellationToken::new()));
        let envelope = check(&reply, *limit);
        assert_ne!(envelope["errorCode"], json!("INTERNAL_ERROR"), "{name}({arguments})");
        (reply, envelope)
    }
}

fn ordinary_and_odd() -> Vec<fake::FakeDocument> {
    vec![
        document("annual-report.pdf", 42).described("Annual report"),
        document("memo.pdf", 3),
        document("a \"name\"\u{85}\n.pdf", 12),
        document("new.pdf", 3).status(Status::Processing),
        document("bad.pdf", 3).failed("no text"),
    ]
}

fn generated_calls_of(name: &str) {
    let tool = Tool::named(name).unwrap();
    let (mut rooms, bad) = (Rooms::over(ordinary_and_odd()), Rooms::over(adversarial::documents()));
    let (names, bad_names) = (rooms.fake.names(), bad.fake.names());
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let bad_names: Vec<&str> = bad_names.iter().map(String::as_str).collect();
    let mut random = Random(7);
    let mut good = [0_u64; SHAPES.len()];
    let each = calls() / SHAPES.len() as u64;
    for (shape, good) in SHAPES.into_iter().zip(&mut good) {
        for at in 0..each {
            if at % BAD == 0 && !tool.management {
                let arguments = arguments(&mut random, tool, &bad_names, shape);
                bad.call(&mut random, name, &arguments);
                continue;
            }
            let arguments = arguments(&mut random, tool, &names, shape);
            let (reply, _) = rooms.call(&mut random, name, &arguments);
            *good += u64::from(!reply.is_error);
            if tool.management && !reply.is_error {
                rooms = Rooms::over(ordinary_and_odd());
            }
        }
    }
    let [valid, nearly, _] = good;
    assert!(valid > each / 5 && nearly > each / 40, "{name}: of {each} calls of each shape {good:?} succeed");
}

#[test]
fn browse_documents() {
    generated_calls_of("browse_documents");
}

#[test]
fn get_document() {
    generated_calls_of("get_document");
}

#[test]
fn get_document_structure() {
    generated_calls_of("get_document_structure");
}

#[test]
fn get_page_content() {
    generated_calls_of("get_page_content");
}

#[test]
fn remove_document() {
    generated_calls_of("remove_document");
}

#[test]
fn tools_that_are_not_there() {
    let rooms = Rooms::over(ordinary_and_odd());
    let mut random = Random(11);
    let known: Vec<&Tool> = tools(true).collect();
    let near = ["Browse_Documents", "get_page_contents", "search_documents", "get_pages", "", "remove_documents", "folder"];
    for _ in 0..calls() {
        let name = if random.one_in(2) { random.pick(&near).to_owned() } else { generated::text(&mut random) };
        let shape = [Shape::Valid, Shape::Garbage][random.below(2) as usize];
        let tool = random.pick(&known);
        let arguments = arguments(&mut random, tool, &["memo.pdf"], shape);
        let (reply, envelope) = rooms.call(&mut random, &name, &arguments);
        assert!(reply.is_error && envelope["available_tools"].as_array().is_some_and(|tools| tools.len() == known.len()));
    }
}
