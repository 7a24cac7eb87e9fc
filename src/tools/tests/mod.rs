//! Tests of the tools together, over a library in memory that can hold what no file should.

mod adversarial;
mod behaviour;
mod contract;
mod fake;
mod garbage;
mod generated;
mod prompts;
mod schema;
mod store;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::wait::Patience;
use super::{LocalToolbox, MAX_REPLY_CHARS, ToolReply, Toolbox, ToolboxOptions};
use crate::library::{DocId, Scope};

use fake::{Fake, document};

/// Short enough for tests, long enough to be cancelled.
const SHORT: Patience =
    Patience { limit: Duration::from_millis(60), first: Duration::from_millis(2), longest: Duration::from_millis(5) };

fn toolbox(fake: &Arc<Fake>, scope: Scope, include_management: bool) -> LocalToolbox {
    LocalToolbox::new(fake.clone(), fake.clone(), ToolboxOptions { scope, include_management, max_reply_chars: None })
        .with_patience(SHORT)
}

/// A toolbox over the whole library, management included.
fn whole(fake: &Arc<Fake>) -> LocalToolbox {
    toolbox(fake, Scope::All, true)
}

/// As [`whole`], for a host that caps replies.
fn capped(fake: &Arc<Fake>, chars: usize) -> LocalToolbox {
    let options = ToolboxOptions { include_management: true, max_reply_chars: Some(chars), ..Default::default() };
    LocalToolbox::new(fake.clone(), fake.clone(), options).with_patience(SHORT)
}

/// Calls a tool and checks what holds for every reply.
async fn call(toolbox: &LocalToolbox, name: &str, arguments: Value) -> (ToolReply, Value) {
    let reply = toolbox.call(name, &arguments, &CancellationToken::new()).await;
    let envelope = check(&reply, MAX_REPLY_CHARS);
    (reply, envelope)
}

/// One JSON object of the contract's form and size.
fn check(reply: &ToolReply, limit: usize) -> Value {
    assert!(reply.envelope.encode_utf16().count() <= limit, "{} characters", reply.envelope.len());
    let line_ends = ['\u{2028}', '\u{2029}'];
    assert!(!reply.envelope.contains(|c: char| c.is_control() || line_ends.contains(&c)), "sent as it is printed");
    let envelope: Value = serde_json::from_str(&reply.envelope).expect("an envelope is JSON");
    let next = &envelope["next_steps"];
    assert!(next["summary"].is_string() && next["options"].is_array(), "{envelope}");
    assert!(next["options"].as_array().unwrap().iter().all(Value::is_string));
    if reply.is_error {
        assert!(envelope["error"].as_str().is_some_and(|error| !error.is_empty()), "{envelope}");
        assert!(["NOT_FOUND", "INVALID_INPUT", "INTERNAL_ERROR"].contains(&envelope["errorCode"].as_str().unwrap()), "{envelope}");
        assert!(envelope.get("success").is_none());
    } else {
        assert_eq!(envelope["success"], json!(true));
    }
    envelope
}

/// A library of a few ordinary documents.
fn ordinary() -> Arc<Fake> {
    Fake::with(vec![
        document("annual-report.pdf", 42).described("Annual report of Northwind for fiscal 2023"),
        document("Q3-financials.pdf", 8).described("Revenue and profit for the third quarter"),
        document("memo.pdf", 3).described("Memo on travel expenses").meta("year", json!(2024)).meta("tags", json!(["a", "b"])),
    ])
}

/// The scope of the documents with these names.
fn only(fake: &Fake, names: &[&str]) -> Scope {
    Scope::Documents(names.iter().map(|name| DocId(fake.id_of(name))).collect())
}
