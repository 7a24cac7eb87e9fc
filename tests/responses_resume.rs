//! Killed or stopped at any event, saved, loaded, asked on through the Responses API: a server that refuses unanswered calls, and reasoning
//! that is missing, changed or parted from what followed it, takes every history.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop where it fails")]

mod support;

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::task::Poll;

use pagewise::agent::{Agent, AgentEvent, Conversation, Outcome};
use pagewise::model::openai::{Api, OpenAiModel, OpenAiSettings};
use serde_json::{Value, json};
use support::ask::settings;
use support::fake_model::{FakeModel, Recorded, Reply};
use support::shelf::{Person, Shelf};
use tokio_util::sync::CancellationToken;

const DOC: &str = "q1.pdf";
const PAGES: [&str; 2] = ["Revenues increased 5% for Q1 to $24.7 billion.", "Costs were $20.1 billion in the same quarter."];
const CITED: &str =
    "Revenue was $24.7 billion <cite doc=\"q1.pdf\" page=\"1\">Revenues increased 5% for Q1 to $24.7 billion</cite>.";

/// The reasoning before the item of this name.
fn reasoning(name: &str) -> Value {
    json!({"type": "reasoning", "id": format!("rs_{name}"), "summary": [], "encrypted_content": format!("sealed-{name}")})
}

fn message(name: &str, text: &str) -> Value {
    json!({"type": "message", "id": format!("msg_{name}"), "status": "completed", "role": "assistant",
        "content": [{"type": "output_text", "text": text, "annotations": []}]})
}

fn call(id: &str, name: &str, arguments: &Value) -> Value {
    json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name, "arguments": arguments.to_string(), "status": "completed"})
}

/// These items, each after its reasoning; text word by word. `cut`: without the last event.
fn reply(items: &[Value], cut: bool) -> Reply {
    let mut output = Vec::new();
    let mut events = vec![json!({"type": "response.created", "response": {"status": "in_progress", "output": []}})];
    for item in items {
        let (_, name) = item["id"].as_str().unwrap().split_once('_').unwrap();
        for item in [reasoning(name), item.clone()] {
            let at = output.len();
            events.push(
                json!({"type": "response.output_item.added", "output_index": at, "item": {"type": item["type"], "id": item["id"]}}),
            );
            let text = item.pointer("/content/0/text").and_then(Value::as_str).unwrap_or_default();
            let words = text.split_inclusive(' ');
            events.extend(words.map(|word| json!({"type": "response.output_text.delta", "output_index": at, "delta": word})));
            events.push(json!({"type": "response.output_item.done", "output_index": at, "item": item}));
            output.push(item);
        }
    }
    if !cut {
        events.push(json!({"type": "response.completed", "response": {"status": "completed", "output": output}}));
    }
    Reply::raw_sse(
        events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())).collect::<String>(),
    )
}

/// What is wrong with the input of a request.
fn fault(request: &Recorded) -> Option<String> {
    let items = request.body["input"].as_array().unwrap();
    let mut open: Vec<&str> = Vec::new();
    for (n, item) in items.iter().enumerate() {
        let before = n.checked_sub(1).map_or(&Value::Null, |last| &items[last]);
        let name = item["id"].as_str().and_then(|id| id.split_once('_')).map(|(_, name)| name);
        match (item["type"].as_str(), name) {
            (Some("reasoning"), Some(name)) => {
                let next = items.get(n + 1).and_then(|next| next["id"].as_str()).unwrap_or_default();
                if *item != reasoning(name) || !next.ends_with(&format!("_{name}")) {
                    return Some(format!("item {n}: reasoning that is changed, or parted from its item"));
                }
            }
            (Some("message" | "function_call"), Some(name)) if *before != reasoning(name) => {
                return Some(format!("item {n}: without the reasoning before it"));
            }
            (Some("function_call"), None) => return Some(format!("item {n}: a call that came back changed")),
            (Some("function_call_output"), _) => match open.iter().position(|id| item["call_id"] == **id) {
                Some(at) => drop(open.remove(at)),
                None => return Some(format!("item {n}: output for no call")),
            },
            _ if !open.is_empty() && item["role"] == "user" => return Some(format!("item {n}: calls {open:?} have no output")),
            _ => {}
        }
        if item["type"] == "function_call" {
            open.push(item["call_id"].as_str().unwrap());
        }
    }
    (!open.is_empty()).then(|| format!("calls {open:?} have no output"))
}

/// Plays the script, and refuses every history with a fault.
fn strict(script: Vec<Reply>) -> FakeModel {
    let mut script = script.into_iter();
    FakeModel::answering(move |request| match fault(request) {
        Some(fault) => Reply::api_error(401, &fault, "invalid_history"),
        None => script.next().unwrap_or_else(|| Reply::api_error(401, "the script is at its end", "script_end")),
    })
}

fn page(id: &str, page: &str) -> Value {
    call(id, "get_page_content", &json!({"doc_name": DOC, "pages": page}))
}

/// Turns with a remark and calls side by side, a rate limit, a draft that is asked again, a stream that is cut.
fn script() -> Vec<Reply> {
    vec![
        reply(&[message("look", "Let me look."), call("z", "browse_documents", &json!({})), page("a", "1"), page("n", "9")], false),
        Reply::api_error(429, "slow down", "rate_limited").header("retry-after-ms", "1"),
        reply(&[message("draft", "Revenue was $24.7 billion.")], false),
        reply(&[page("b", "2"), page("c", "1")], false),
        reply(&[message("cut", "Revenue was")], true),
        reply(&[message("answer", CITED)], false),
    ]
}

fn agent(server: &FakeModel) -> Agent {
    let model = OpenAiModel::new(OpenAiSettings { api: Api::Responses, ..settings(server) }).unwrap();
    Agent::new(Arc::new(Shelf::with(DOC, &PAGES)), Arc::new(model)).with_approver(Arc::new(Person::who_says(true)))
}

async fn whole() -> usize {
    let server = strict(script());
    let mut events = Vec::new();
    let cancel = CancellationToken::new();
    let answer = agent(&server).run(&mut Conversation::default(), "What was revenue?", &mut |e| events.push(e), &cancel).await;
    assert_eq!(answer.answer_raw, CITED, "{answer:?}");
    assert!(events.iter().any(|e| matches!(e, AgentEvent::Discarded { .. })), "{events:?}");
    events.len()
}

/// Saved, read again, and asked on: by a server that may have come back at another port.
async fn go_on(conversation: &Conversation, at: usize) {
    let mut conversation: Conversation = serde_json::from_str(&serde_json::to_string(conversation).unwrap()).unwrap();
    let server = strict(vec![reply(&[page("again", "1")], false), reply(&[message("last", CITED)], false)]);
    let cancel = CancellationToken::new();
    let answer = agent(&server).run(&mut conversation, "Are you sure?", &mut |_| {}, &cancel).await;
    assert_eq!((answer.outcome, answer.answer_raw.as_str()), (Outcome::Answered, CITED), "after event {at}: {answer:?}");
}

#[tokio::test]
async fn dropped_after_any_event() {
    let count = whole().await;
    assert!(count > 30, "{count}");
    for at in 1..=count {
        let server = strict(script());
        let (mut conversation, cancel, seen) = (Conversation::default(), CancellationToken::new(), AtomicUsize::new(0));
        let agent = agent(&server);
        {
            let mut hear = |_| {
                seen.fetch_add(1, SeqCst);
            };
            let mut run = pin!(agent.run(&mut conversation, "What was revenue?", &mut hear, &cancel));
            std::future::poll_fn(|context| {
                let done = run.as_mut().poll(context).is_ready();
                if done || seen.load(SeqCst) >= at { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
        }
        go_on(&conversation, at).await;
    }
}

#[tokio::test]
async fn stopped_after_any_event() {
    let count = whole().await;
    for at in 1..count {
        let server = strict(script());
        let (mut conversation, cancel, mut seen) = (Conversation::default(), CancellationToken::new(), 0);
        let mut hear = |_| {
            seen += 1;
            if seen == at {
                cancel.cancel();
            }
        };
        let answer = agent(&server).run(&mut conversation, "What was revenue?", &mut hear, &cancel).await;
        assert!(matches!(answer.outcome, Outcome::Interrupted | Outcome::Answered), "{at}: {answer:?}");
        go_on(&conversation, at).await;
    }
}
