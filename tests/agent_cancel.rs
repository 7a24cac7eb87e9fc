//! Stopping a run at whatever it waits for: it ends at once, every call is answered, and the conversation goes on.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop where it fails")]

mod support;

use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pagewise::agent::{Agent, AgentEvent, Conversation, Limits, Outcome};
use pagewise::model::HistoryItem;
use pagewise::model::openai::{OpenAiModel, OpenAiSettings};
use serde_json::json;
use support::ask::settings;
use support::fake_model::FakeModel;
use support::reply::Reply;
use support::shelf::{Person, Shelf};
use tokio_util::sync::CancellationToken;

/// The promise is 100 ms; a machine that does other things at the same time gets more.
const AT_ONCE: Duration = Duration::from_millis(500);
/// Longer than any of these tests.
const LONG: Duration = Duration::from_secs(25);

/// What a run waits for.
struct Wait {
    name: &'static str,
    settings: OpenAiSettings,
    shelf: Shelf,
    person: Person,
    /// Stopped when this comes, or a moment after the beginning.
    until: fn(&AgentEvent) -> bool,
}

fn never(_: &AgentEvent) -> bool {
    false
}

fn shelf() -> Shelf {
    Shelf::with("q1.pdf", &["Revenue was $5 million."])
}

fn call(name: &str) -> Reply {
    Reply::tool_calls([("get_page_content", json!({"doc_name": "q1.pdf", "pages": "1"})), (name, json!({}))])
}

#[tokio::test]
async fn whatever_is_waited_for() {
    // Takes connections and says nothing: the handshake never comes to its end.
    let silent = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let servers = [
        FakeModel::start([Reply::text("Hello").delay(LONG)]),
        FakeModel::start([Reply::text("Hello there, this is long").stall_after(400, LONG)]),
        FakeModel::start((0..9).map(|_| Reply::api_error(429, "slow down", "rate").header("retry-after", "20"))),
        FakeModel::start([call("slow")]),
        FakeModel::start([call("remove_document")]),
        FakeModel::start([]),
    ];
    let waits = |name, server: usize, until| Wait {
        name,
        settings: settings(&servers[server]),
        shelf: shelf(),
        person: Person::who_says(None),
        until,
    };
    let results = |e: &AgentEvent| matches!(e, AgentEvent::ToolResult { .. });
    let all = [
        Wait {
            settings: OpenAiSettings { base_url: format!("https://{}/v1", silent.local_addr().unwrap()), ..settings(&servers[5]) },
            ..waits("a connection", 5, never)
        },
        waits("the first byte", 0, never),
        waits("the rest of the text", 1, |e| matches!(e, AgentEvent::Text { .. })),
        waits("the next try", 2, |e| matches!(e, AgentEvent::Retry { .. })),
        waits("a tool", 3, results),
        waits("a person", 4, results),
        Wait { shelf: shelf().mute(), ..waits("the instructions", 5, never) },
    ];
    for wait in all {
        let name = wait.name;
        let took = stop(wait).await;
        assert!(took < AT_ONCE, "{name}: {took:?}");
    }
}

/// Stops it, and gives how long that took.
async fn stop(wait: Wait) -> Duration {
    let Wait { name, settings, shelf, person, until } = wait;
    let agent = Agent::new(Arc::new(shelf), Arc::new(OpenAiModel::new(settings).unwrap())).with_approver(Arc::new(person));
    let cancel = CancellationToken::new();
    let (stopper, reached) = (cancel.clone(), Arc::new(tokio::sync::Notify::new()));
    let (notify, mut events) = (Arc::clone(&reached), Vec::new());
    let stopped = tokio::spawn(async move {
        let _ = tokio::time::timeout(Duration::from_millis(700), reached.notified()).await;
        // What is waited for next has begun by then.
        tokio::time::sleep(Duration::from_millis(50)).await;
        stopper.cancel();
        Instant::now()
    });
    let mut conversation = Conversation::default();
    let mut hear = |event: AgentEvent| {
        if until(&event) {
            notify.notify_one();
        }
        events.push(event);
    };
    let answer = agent.run(&mut conversation, "What was revenue?", &mut hear, &cancel).await;
    let took = stopped.await.unwrap().elapsed();
    assert_eq!(answer.outcome, Outcome::Interrupted, "{name}: {answer:?}");
    let count = |wanted: fn(&AgentEvent) -> bool| events.iter().filter(|e| wanted(e)).count();
    let calls = count(|e| matches!(e, AgentEvent::ToolCall { .. }));
    assert_eq!(calls, count(|e| matches!(e, AgentEvent::ToolResult { .. })), "{name}");
    let interrupted =
        |i: &HistoryItem| matches!(i, HistoryItem::ToolResult { content, is_error: true, .. } if content.contains("interrupted"));
    assert_eq!(calls > 0, conversation.history.iter().any(interrupted), "{name}: {:?}", conversation.history);

    let server = FakeModel::start([Reply::text("Hello again")]).strict();
    let agent = Agent::new(Arc::new(self::shelf()), Arc::new(OpenAiModel::new(support::ask::settings(&server)).unwrap()));
    let answer = agent.run(&mut conversation, "Still there?", &mut |_| {}, &CancellationToken::new()).await;
    assert_eq!((answer.outcome, answer.answer.as_str()), (Outcome::Answered, "Hello again"), "{name}");
    took
}

#[tokio::test]
async fn the_time_of_a_run_bounds_every_wait() {
    let servers = [
        FakeModel::start([Reply::text("Hello").delay(LONG)]),
        FakeModel::start((0..9).map(|_| Reply::api_error(429, "slow down", "rate").header("retry-after", "20"))),
        FakeModel::start([call("slow"), Reply::text("Hello").delay(LONG)]),
        FakeModel::start([call("remove_document"), Reply::text("Hello").delay(LONG)]),
    ];
    for server in servers {
        let model = OpenAiModel::new(settings(&server)).unwrap();
        let agent = Agent::new(Arc::new(shelf()), Arc::new(model))
            .with_approver(Arc::new(Person::who_says(None)))
            .with_limits(Limits { time: Duration::from_millis(800), ..Limits::default() });
        let started = Instant::now();
        let answer = agent.run(&mut Conversation::default(), "Q", &mut |_| {}, &CancellationToken::new()).await;
        assert_eq!(answer.outcome, Outcome::Limit, "{answer:?}");
        assert!(answer.error.unwrap().contains("time limit of 0.8 s"));
        assert!(started.elapsed() < Duration::from_secs(5));
    }
}
