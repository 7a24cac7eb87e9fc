//! Stopping: at every event, by dropping the future, by time, by errors. The conversation always goes on afterwards.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::scripted::*;
use crate::agent::*;
use crate::model::*;

fn script() -> Vec<Step> {
    vec![
        Step::Calls(
            "Let me look.",
            vec![("z", "browse_documents", json!({})), page("a", "1"), ("r", "remove_document", json!({"doc_names": ["x"]}))],
        ),
        Step::Says("Revenue was $24.7 billion."),
        Step::Calls("", vec![page("b", "2")]),
        Step::Restarts("Rev", CITED),
    ]
}

fn agent() -> Agent {
    Agent::new(ScriptedToolbox::new(), ScriptedModel::new(script())).with_approver(Person::who_says(true))
}

async fn go_on(conversation: &mut Conversation) {
    let model = ScriptedModel::new([Step::Says("Hello again")]);
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model), conversation, "Still there?").await;
    assert_eq!(ran.answer.outcome, Outcome::Answered);
}

#[tokio::test]
async fn stopped_at_any_event_the_history_is_valid_and_goes_on() {
    let whole = ask(&agent(), &mut Conversation::default(), "Revenue?").await;
    let count = whole.events.len();
    assert!(count > 20);
    for at in 0..count - 1 {
        let (mut conversation, cancel, mut events) = (Conversation::default(), CancellationToken::new(), Vec::new());
        let token = cancel.clone();
        let answer = agent()
            .run(
                &mut conversation,
                "Revenue?",
                &mut |e| {
                    events.push(e);
                    if events.len() == at + 1 {
                        token.cancel();
                    }
                },
                &cancel,
            )
            .await;
        super::scripted::check(&conversation, &answer, &events);
        // Stopped while the last words come in, the answer may be complete.
        assert!(matches!(answer.outcome, Outcome::Interrupted | Outcome::Answered), "{at}: {answer:?}");
        assert!(answer.outcome == Outcome::Interrupted || at > count - 24, "{at} of {count}");
        go_on(&mut conversation).await;
    }
}

#[tokio::test]
async fn dropped_at_any_event_the_conversation_can_be_used_again() {
    let count = ask(&agent(), &mut Conversation::default(), "Revenue?").await.events.len();
    for at in 0..count {
        let mut conversation = Conversation::default();
        let (sender, reached) = tokio::sync::oneshot::channel::<()>();
        let (cancel, agent) = (CancellationToken::new(), agent());
        let (mut seen, mut sender) = (0, Some(sender));
        let mut hear = |_| {
            seen += 1;
            if seen == at + 1 {
                let _ = sender.take().map(|s| s.send(()));
            }
        };
        tokio::select! {
            biased;
            _ = reached => {}
            _ = agent.run(&mut conversation, "Revenue?", &mut hear, &cancel) => {}
        }
        go_on(&mut conversation).await;
    }
}

#[tokio::test]
async fn waiting_ends_at_once_when_stopped() {
    let hangs: [fn() -> Vec<Step>; 2] =
        [|| vec![Step::Hangs("Rev")], || vec![Step::Calls("", vec![page("a", "1"), ("s", "slow", json!({}))])]];
    for steps in hangs {
        let agent = Agent::new(ScriptedToolbox::new(), ScriptedModel::new(steps()));
        let cancel = CancellationToken::new();
        let stopper = cancel.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            stopper.cancel();
        });
        let mut conversation = Conversation::default();
        let mut events = Vec::new();
        let answer = agent.run(&mut conversation, "Q", &mut |e| events.push(e), &cancel).await;
        super::scripted::check(&conversation, &answer, &events);
        assert_eq!(answer.outcome, Outcome::Interrupted);
        go_on(&mut conversation).await;
    }
}

#[tokio::test]
async fn an_interrupted_call_has_a_result_and_what_was_read_stays() {
    let steps = vec![Step::Calls("", vec![page("a", "1"), ("s", "slow", json!({}))])];
    let agent = Agent::new(ScriptedToolbox::new(), ScriptedModel::new(steps));
    let cancel = CancellationToken::new();
    let stopper = cancel.clone();
    let mut conversation = Conversation::default();
    let mut events = Vec::new();
    let answer = agent
        .run(
            &mut conversation,
            "Q",
            &mut |e| {
                if matches!(e, AgentEvent::ToolResult { .. }) {
                    stopper.cancel();
                }
                events.push(e);
            },
            &cancel,
        )
        .await;
    assert_eq!(answer.outcome, Outcome::Interrupted);
    assert!(conversation.evidence.has_pages());
    assert!(
        conversation
            .history
            .iter()
            .any(|i| matches!(i, HistoryItem::ToolResult { id, content, .. } if id == "s" && content.contains("interrupted")))
    );
}

#[tokio::test]
async fn the_time_limit_ends_a_run() {
    let limits = Limits { time: Duration::from_millis(30), ..Limits::default() };
    for steps in [vec![Step::Hangs("Rev")], vec![Step::Calls("", vec![("s", "slow", json!({}))]), Step::Hangs("Rev")]] {
        let agent = Agent::new(ScriptedToolbox::new(), ScriptedModel::new(steps)).with_limits(limits);
        let mut conversation = Conversation::default();
        let ran = ask(&agent, &mut conversation, "Q").await;
        assert_eq!(ran.answer.outcome, Outcome::Limit);
        assert!(ran.answer.error.unwrap().contains("time limit"));
        go_on(&mut conversation).await;
    }
}

#[tokio::test]
async fn calls_leave_time_for_an_answer_with_what_was_read() {
    let limits = Limits { time: Duration::from_millis(400), ..Limits::default() };
    let steps = vec![Step::Calls("", vec![page("a", "1"), ("s", "slow", json!({}))]), Step::Says(CITED)];
    let model = ScriptedModel::new(steps);
    let agent = Agent::new(ScriptedToolbox::new(), model.clone()).with_limits(limits);
    let mut conversation = Conversation::default();
    let ran = ask(&agent, &mut conversation, "Q").await;
    assert_eq!((ran.answer.outcome, ran.answer.answer_raw.as_str()), (Outcome::Answered, CITED));
    assert_eq!(model.requests()[1].tool_choice, ToolChoice::None);
    let given_up = conversation.history.iter().any(
        |i| matches!(i, HistoryItem::ToolResult { id, content, is_error: true, .. } if id == "s" && content.contains("time limit")),
    );
    assert!(given_up, "{:?}", conversation.history);
}

#[tokio::test]
async fn errors_leave_what_was_read_unless_the_request_itself_was_refused() {
    for (kind, kept) in [(ModelErrorKind::RateLimited, 4), (ModelErrorKind::Refused, 2)] {
        let model = ScriptedModel::new([Step::Calls("", vec![page("a", "1")]), Step::Fails("Rev", kind)]);
        let mut conversation = Conversation::default();
        let ran = ask(&Agent::new(ScriptedToolbox::new(), model), &mut conversation, "Q").await;
        assert_eq!((ran.answer.outcome, ran.discarded()), (Outcome::Error, vec!["Rev"]));
        assert_eq!(ran.answer.error.as_deref(), Some("the server said no. (Try later.)"));
        assert_eq!(conversation.history.len(), kept);
        assert!(matches!(&conversation.history[0], HistoryItem::User { text } if text == "Q"), "it can be asked to try again");
        assert!(conversation.evidence.has_pages());
        go_on(&mut conversation).await;
    }
    // Nothing was done: the question leaves no trace.
    let mut conversation = Conversation::default();
    ask(&Agent::new(ScriptedToolbox::new(), ScriptedModel::new([Step::Fails("", ModelErrorKind::BadKey)])), &mut conversation, "Q")
        .await;
    assert!(conversation.history.is_empty());
}

#[tokio::test]
async fn instructions_that_fail_end_the_run() {
    let mut conversation = Conversation { documents: vec!["missing".into()], ..Conversation::default() };
    let ran = ask(&Agent::new(ScriptedToolbox::new(), ScriptedModel::new([])), &mut conversation, "Q").await;
    assert_eq!(ran.answer.error.as_deref(), Some("there is no document missing"));
    assert_eq!(ran.kinds(), ["finished"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_conversations_share_one_agent() {
    let agent = Arc::new(Agent::new(ScriptedToolbox::new(), ScriptedModel::new([])));
    let runs = (0..50).map(|_| {
        let agent = agent.clone();
        tokio::spawn(async move { ask(&agent, &mut Conversation::default(), "Q").await.answer.outcome })
    });
    for run in runs.collect::<Vec<_>>() {
        assert_eq!(run.await.unwrap(), Outcome::Answered);
    }
}
