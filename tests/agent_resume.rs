//! Killed or stopped at any event, saved, loaded, asked on: a server that refuses unanswered calls and changed payloads takes every history.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop where it fails")]

mod support;

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::task::Poll;

use pagewise::agent::{Agent, AgentEvent, Answer, Conversation, Outcome};
use pagewise::model::HistoryItem;
use pagewise::model::openai::OpenAiModel;
use serde_json::{Value, json};
use support::ask::settings;
use support::fake_model::{FakeModel, Recorded};
use support::reply::Reply;
use support::shelf::{Person, Shelf};
use tokio_util::sync::CancellationToken;

const DOC: &str = "q1.pdf";
const PAGES: [&str; 2] = ["Revenues increased 5% for Q1 to $24.7 billion.", "Costs were $20.1 billion in the same quarter."];
const CITED: &str =
    "Revenue was $24.7 billion <cite doc=\"q1.pdf\" page=\"1\">Revenues increased 5% for Q1 to $24.7 billion</cite>.";

/// A remark and calls, each with a signature that must come back with it.
fn calls(remark: &str, calls: &[(&str, &str, Value)]) -> Reply {
    let delta = |delta: Value, finish: Value| json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    let mut chunks = vec![delta(json!({"role": "assistant", "reasoning_content": "I should look."}), Value::Null)];
    chunks.extend(remark.split_inclusive(' ').map(|word| delta(json!({"content": word}), Value::Null)));
    for (index, (id, name, arguments)) in calls.iter().enumerate() {
        let call = json!({"index": index, "id": id, "type": "function", "extra_content": {"google": {"thought_signature": signature(id)}},
            "function": {"name": name, "arguments": arguments.to_string()}});
        chunks.push(delta(json!({"tool_calls": [call]}), Value::Null));
    }
    chunks.push(delta(json!({}), json!("tool_calls")));
    Reply::chunks(chunks)
}

fn signature(id: &str) -> String {
    format!("signature-of-{id}")
}

/// What is wrong with the payloads of a request: a call without its signature.
fn payload_fault(request: &Recorded) -> Option<String> {
    let calls = request.messages().iter().flat_map(|m| m["tool_calls"].as_array().into_iter().flatten());
    calls.into_iter().find_map(|call| {
        let id = call["id"].as_str().unwrap_or_default();
        (call["extra_content"]["google"]["thought_signature"] != signature(id)).then(|| format!("{id} came back changed: {call}"))
    })
}

fn page(id: &'static str, page: &str) -> (&'static str, &'static str, Value) {
    (id, "get_page_content", json!({"doc_name": DOC, "pages": page}))
}

/// Several turns with calls side by side, one that needs a yes, a wait, a draft that is asked again, a stream that is cut.
fn script() -> Vec<Reply> {
    vec![
        calls(
            "Let me look. ",
            &[
                ("z", "browse_documents", json!({})),
                page("a", "1"),
                ("r", "remove_document", json!({"doc_names": ["x"]})),
                page("n", "9"),
            ],
        ),
        Reply::api_error(429, "slow down", "rate_limited").header("retry-after-ms", "1"),
        Reply::text("Revenue was $24.7 billion."),
        calls("", &[page("b", "2"), page("c", "1")]),
        Reply::text("Revenue was").unfinished(),
        Reply::text(CITED),
    ]
}

fn shelf() -> Arc<Shelf> {
    Arc::new(Shelf::with(DOC, &PAGES))
}

fn agent(server: &FakeModel) -> Agent {
    let model = OpenAiModel::new(settings(server)).unwrap();
    Agent::new(shelf(), Arc::new(model)).with_approver(Arc::new(Person::who_says(true)))
}

/// The whole run, undisturbed.
async fn whole() -> Vec<AgentEvent> {
    let server = FakeModel::start(script()).strict();
    let mut events = Vec::new();
    let cancel = CancellationToken::new();
    let answer = agent(&server).run(&mut Conversation::default(), "What was revenue?", &mut |e| events.push(e), &cancel).await;
    assert_eq!(answer.answer_raw, CITED, "{answer:?}");
    let has = |wanted: fn(&AgentEvent) -> bool| assert!(events.iter().any(wanted), "{events:?}");
    has(|e| matches!(e, AgentEvent::Thinking { .. }));
    has(|e| matches!(e, AgentEvent::Approval { granted: true, .. }));
    has(|e| matches!(e, AgentEvent::Retry { .. }));
    has(|e| matches!(e, AgentEvent::Discarded { .. }));
    has(|e| matches!(e, AgentEvent::Usage { .. }));
    assert!(server.requests().iter().all(|r| payload_fault(r).is_none()));
    events
}

/// As a session is kept: written as JSON and read again.
fn saved(conversation: &Conversation) -> Conversation {
    serde_json::from_str(&serde_json::to_string(conversation).unwrap()).unwrap()
}

/// Goes on with the next question. The server takes the history; what was read in sight of `events` is in the ledger.
async fn go_on(mut conversation: Conversation, events: &[AgentEvent], at: usize) {
    for event in events {
        if let AgentEvent::ToolResult { envelope, is_error: false, .. } = event
            && let Some(read) = serde_json::from_str::<Value>(envelope).unwrap()["content"][0]["page"].as_u64()
        {
            let seen = &conversation.evidence.documents[DOC].pages[&u32::try_from(read).unwrap()];
            assert_eq!(seen.text, PAGES[usize::try_from(read).unwrap() - 1]);
        }
    }
    let server = FakeModel::start([calls("", &[page("again", "1")]), Reply::text(CITED)]).strict();
    let cancel = CancellationToken::new();
    let answer = agent(&server).run(&mut conversation, "Are you sure?", &mut |_| {}, &cancel).await;
    assert_eq!((answer.outcome, answer.answer_raw.as_str()), (Outcome::Answered, CITED), "after event {at}: {answer:?}");
    for request in server.requests() {
        assert_eq!(request.history_fault(), None, "after event {at}");
        assert_eq!(payload_fault(&request), None, "after event {at}");
    }
}

#[tokio::test]
async fn dropped_after_any_event() {
    let count = whole().await.len();
    assert!(count > 40, "{count}");
    for at in 1..=count {
        let server = FakeModel::start(script()).strict();
        let (mut conversation, mut events) = (Conversation::default(), Vec::new());
        let cancel = CancellationToken::new();
        let seen = std::sync::atomic::AtomicUsize::new(0);
        let agent = agent(&server);
        {
            let mut hear = |event| {
                events.push(event);
                seen.store(events.len(), SeqCst);
            };
            let mut run = pin!(agent.run(&mut conversation, "What was revenue?", &mut hear, &cancel));
            std::future::poll_fn(|context| {
                let done = run.as_mut().poll(context).is_ready();
                if done || seen.load(SeqCst) >= at { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
        }
        go_on(saved(&conversation), &events, at).await;
    }
}

#[tokio::test]
async fn dropped_after_any_step_of_the_runtime() {
    for at in 1..=60 {
        let server = FakeModel::start(script()).strict();
        let (mut conversation, mut events) = (Conversation::default(), Vec::new());
        let cancel = CancellationToken::new();
        let agent = agent(&server);
        {
            let mut hear = |event| events.push(event);
            let mut run = pin!(agent.run(&mut conversation, "What was revenue?", &mut hear, &cancel));
            let mut steps = 0;
            std::future::poll_fn(|context| {
                steps += 1;
                if run.as_mut().poll(context).is_ready() || steps >= at { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
        }
        go_on(saved(&conversation), &events, at).await;
    }
}

#[tokio::test]
async fn stopped_after_any_event() {
    let count = whole().await.len();
    for at in 1..count {
        let server = FakeModel::start(script()).strict();
        let (mut conversation, mut events) = (Conversation::default(), Vec::new());
        let cancel = CancellationToken::new();
        let answer: Answer = {
            let mut hear = |event| {
                events.push(event);
                if events.len() == at {
                    cancel.cancel();
                }
            };
            agent(&server).run(&mut conversation, "What was revenue?", &mut hear, &cancel).await
        };
        assert!(matches!(answer.outcome, Outcome::Interrupted | Outcome::Answered), "{at}: {answer:?}");
        let calls = events.iter().filter(|e| matches!(e, AgentEvent::ToolCall { .. })).count();
        let results = events.iter().filter(|e| matches!(e, AgentEvent::ToolResult { .. })).count();
        assert_eq!(calls, results, "every call is answered, also after event {at}");
        go_on(saved(&conversation), &events, at).await;
    }
}

#[tokio::test]
async fn calls_that_were_done_when_a_run_was_dropped_are_known_afterwards() {
    let server = FakeModel::start([calls("", &[("s", "slow", json!({})), page("a", "1")])]).strict();
    let (mut conversation, cancel) = (Conversation::default(), CancellationToken::new());
    let read = tokio::sync::Notify::new();
    let agent = agent(&server);
    let mut hear = |event| {
        if matches!(event, AgentEvent::ToolResult { .. }) {
            read.notify_one();
        }
    };
    tokio::select! {
        () = read.notified() => {}
        _ = agent.run(&mut conversation, "What was revenue?", &mut hear, &cancel) => panic!("it cannot end"),
    }
    let results: Vec<(&str, bool)> = conversation
        .history
        .iter()
        .filter_map(|i| if let HistoryItem::ToolResult { id, is_error, .. } = i { Some((id.as_str(), *is_error)) } else { None })
        .collect();
    assert_eq!(results, [("s", true), ("a", false)]);
    go_on(saved(&conversation), &[], 0).await;
}

#[test]
fn sessions_of_other_versions_can_be_read() {
    let old: Conversation = serde_json::from_value(json!({"history": [{"type": "user", "text": "Q"}], "later": 1})).unwrap();
    assert_eq!(old.history.len(), 1);
    let empty: Conversation = serde_json::from_value(json!({})).unwrap();
    assert_eq!(empty, Conversation::default());
    let sparse = json!({"evidence": {"documents": {"a.pdf": {"pages": {"3": {"text": "x"}}}}}});
    let read: Conversation = serde_json::from_value(sparse).unwrap();
    assert_eq!(read.evidence.documents["a.pdf"].pages[&3].text, "x");
}
