//! Limits, and the model's window: what is said, and that there is an answer wherever there can be one.

use std::time::Duration;

use serde_json::json;

use super::scripted::*;
use crate::agent::sizes::rough_sum;
use crate::agent::*;
use crate::model::*;

fn long_pages(words: usize) -> std::sync::Arc<ScriptedToolbox> {
    ScriptedToolbox::answering(move |_, arguments| {
        let page = arguments["pages"].as_str().and_then(|p| p.parse::<u32>().ok()).unwrap_or(1);
        reply(json!({"success": true, "doc_name": "q1.pdf", "returned_pages": page.to_string(),
            "content": [{"page": page, "text": "word ".repeat(words)}]}))
    })
}

#[tokio::test]
async fn tokens_in_all_end_with_an_answer() {
    let calls = |id, n| Step::Calls("", vec![page(id, n)]);
    let model = ScriptedModel::new([calls("a", "1"), calls("b", "2"), calls("c", "3"), Step::Says("Hello")]);
    let toolbox = long_pages(1_000);
    let limits = Limits { total_tokens: Some(5_000), ..Limits::default() };
    let agent = Agent::new(toolbox.clone(), model.clone()).with_limits(limits);
    let ran = ask(&agent, &mut Conversation::default(), "Hi").await;
    assert_eq!((ran.answer.outcome, ran.answer.answer.as_str()), (Outcome::Answered, "Hello"));
    // After two pages a third turn with tools and one to answer would be too much.
    use ToolChoice::{Auto, None};
    assert_eq!(model.requests().iter().map(|r| r.tool_choice).collect::<Vec<_>>(), [Auto, Auto, None, None]);
    assert!(matches!(model.requests()[2].history.last(), Some(HistoryItem::User { text }) if text.contains("last turn")));
    assert_eq!(toolbox.called().len(), 2);
}

#[tokio::test]
async fn a_model_that_calls_on_its_last_turn() {
    // It is asked again without any tool in the request.
    let limits = Limits { tool_calls: 1, ..Limits::default() };
    let steps = [Step::Calls("", vec![page("a", "1")]), Step::Calls("", vec![page("b", "2")]), Step::Says(CITED)];
    let model = ScriptedModel::new(steps);
    let toolbox = ScriptedToolbox::new();
    let ran = ask(&Agent::new(toolbox.clone(), model.clone()).with_limits(limits), &mut Conversation::default(), "Revenue?").await;
    assert_eq!((ran.answer.outcome, ran.answer.answer_raw.as_str()), (Outcome::Answered, CITED));
    assert_eq!(toolbox.called().len(), 1);
    assert!(model.requests()[2].tools.is_empty() && !model.requests()[1].tools.is_empty());

    // It answers and calls all the same: the answer counts, the call does not.
    let limits = Limits { turns: 2, ..Limits::default() };
    let steps = [Step::Calls("", vec![page("a", "1")]), Step::Calls(CITED, vec![page("b", "2")])];
    let mut conversation = Conversation::default();
    let ran = ask(&Agent::new(toolbox, ScriptedModel::new(steps)).with_limits(limits), &mut conversation, "Revenue?").await;
    assert_eq!((ran.answer.outcome, ran.answer.answer_raw.as_str()), (Outcome::Answered, CITED));
    assert_eq!((conversation.history.len(), ran.shown().as_str()), (4, CITED));
}

#[tokio::test]
async fn when_the_time_is_nearly_over_the_next_turn_is_the_last() {
    let slow = ScriptedToolbox::answering(|name, arguments| {
        std::thread::sleep(Duration::from_millis(360));
        default_answer(name, arguments)
    });
    let model = ScriptedModel::new([Step::Calls("", vec![page("a", "1")]), Step::Says("Let me look at page 2.")]);
    let limits = Limits { time: Duration::from_millis(400), ..Limits::default() };
    let ran = ask(&Agent::new(slow, model.clone()).with_limits(limits), &mut Conversation::default(), "Revenue?").await;
    assert_eq!(model.requests().len(), 2, "there is no time to ask again: {:?}", ran.answer);
    assert_eq!(model.requests()[1].tool_choice, ToolChoice::None);
    assert_eq!(ran.answer.outcome, Outcome::Answered);
}

const OVERFLOW: &str = "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens (8500 in the messages, 500 in \
the completion). Please reduce the length.";

#[tokio::test]
async fn the_window_that_the_server_names_is_kept_to() {
    let calls = |id, n| Step::Calls("", vec![page(id, n)]);
    let steps = [calls("a", "1"), calls("b", "2"), Step::TooLong(OVERFLOW), calls("c", "3"), calls("d", "4"), Step::Says("Hello")];
    let model = ScriptedModel::new(steps);
    let agent = Agent::new(long_pages(1_500), model.clone());
    let mut conversation = Conversation::default();
    let ran = ask(&agent, &mut conversation, "Hi").await;
    assert_eq!(ran.answer.answer, "Hello");
    let said: Vec<&str> = ran
        .events
        .iter()
        .filter_map(|e| if let AgentEvent::Retry { reason, .. } = e { Some(reason.as_str()) } else { None })
        .collect();
    assert_eq!(said, ["the model's window is 4096 tokens, as its server says; older results were shortened"]);
    let sizes: Vec<u64> = model.requests().iter().map(|r| rough_sum(&r.history)).collect();
    // One page of 1,500 words has room in 4,096 tokens, two have not: also on the turns and in the runs that follow.
    assert!(sizes[2] > 3_500 && sizes[3..].iter().all(|s| *s < 3_500), "{sizes:?}");
    let model = ScriptedModel::new([calls("e", "5"), Step::Says("Hello")]);
    let again = Agent { model: model.clone(), ..agent };
    ask(&again, &mut conversation, "Hi").await;
    assert!(model.requests().iter().all(|r| rough_sum(&r.history) < 3_500));
}

#[tokio::test]
async fn a_result_larger_than_the_window_is_cut_with_words_on_the_rest() {
    let model =
        ScriptedModel::new([Step::Calls("", vec![page("a", "1")]), Step::Calls("", vec![page("b", "1")]), Step::Says("Hello")]);
    let toolbox = long_pages(10_000);
    let limits = Limits { context_tokens: 4_096, ..Limits::default() };
    let mut conversation = Conversation::default();
    ask(&Agent::new(toolbox.clone(), model.clone()).with_limits(limits), &mut conversation, "Hi").await;
    let HistoryItem::ToolResult { content, .. } = &model.requests()[1].history[2] else { panic!() };
    assert!(content.starts_with("{\"success\":true,\"doc_name\":\"q1.pdf\""));
    assert!(
        content.ends_with(
            "[cut here to fit the model's window: the end of page 1 is missing, it is longer than the window has room for]"
        ),
        "{content}"
    );
    assert!(content.len() > 8_000 && content.len() < 16_000, "{}", content.len());
    // What was cut is not what a repeated call points to.
    assert_eq!(toolbox.called().len(), 2);
}

#[tokio::test]
async fn pages_that_were_cut_off_were_not_read() {
    let toolbox = ScriptedToolbox::answering(|_, _| {
        let text = "word ".repeat(1_500);
        let content: Vec<_> = (1..=9).map(|page| json!({"page": page, "text": text})).collect();
        let mut out = reply(json!({"success": true, "doc_name": "q1.pdf", "returned_pages": "1-9", "content": content}));
        out.evidence = (1..=9)
            .map(|page| crate::tools::Evidence { doc: "q1.pdf".into(), page, label: None, text: text.clone(), page_count: 20 })
            .collect();
        out
    });
    let cites = "It says word <cite doc=\"q1.pdf\" page=\"1\">word word word</cite> and word <cite doc=\"q1.pdf\" page=\"9\"/>.";
    let model = ScriptedModel::new([Step::Calls("", vec![page("a", "1-9")]), Step::Says(cites)]);
    let limits = Limits { context_tokens: 4_096, ..Limits::default() };
    let mut conversation = Conversation::default();
    let ran = ask(&Agent::new(toolbox, model).with_limits(limits), &mut conversation, "Hi").await;
    let read: Vec<u32> = ran.answer.pages_read.iter().map(|p| p.page).collect();
    assert_eq!(read, [1, 2]);
    let statuses: Vec<CitationStatus> = ran.answer.citations.iter().map(|c| c.status).collect();
    assert_eq!(statuses, [CitationStatus::Verified, CitationStatus::Unread]);
}

#[tokio::test]
async fn instructions_larger_than_the_window_are_an_error_at_once() {
    let model = ScriptedModel::new([]);
    let limits = Limits { context_tokens: 150, ..Limits::default() };
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model.clone()).with_limits(limits), &mut Conversation::default(), "Hi").await;
    let error = ran.answer.error.unwrap();
    assert_eq!(ran.answer.outcome, Outcome::Error);
    assert!(error.contains("the model's window is 150") && error.contains("larger window"), "{error}");
    assert!(model.requests().is_empty());

    // Also when only the server knows.
    let small = "request (600 tokens) exceeds the available context size (150 tokens), try increasing it";
    let model = ScriptedModel::new([Step::TooLong("prompt is too long: 700 tokens > 256 maximum"), Step::TooLong(small)]);
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model.clone()), &mut Conversation::default(), "Hi").await;
    assert_eq!(ran.answer.outcome, Outcome::Error);
    assert!(model.requests().len() <= 2, "it is no loop");
}

#[tokio::test]
async fn a_refusal_without_figures_keeps_the_words_of_the_server() {
    let message = "the request is longer than the model can read (413): Payload too large.";
    let model = ScriptedModel::new((0..9).map(|_| Step::TooLong(message)));
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model.clone()), &mut Conversation::default(), "Hi").await;
    assert_eq!(ran.answer.error.as_deref(), Some(message));
    // With something to shorten, it is shortened until all of it is stubs.
    let steps = [Step::Calls("", vec![page("a", "1"), page("b", "2")])];
    let model = ScriptedModel::new(steps.into_iter().chain((0..9).map(|_| Step::TooLong(message))));
    let ran = ask(&Agent::new(long_pages(3_000), model.clone()), &mut Conversation::default(), "Hi").await;
    assert_eq!(ran.answer.error.as_deref(), Some(message));
    let sizes: Vec<u64> = model.requests().iter().skip(1).map(|r| rough_sum(&r.history)).collect();
    assert!(sizes.windows(2).all(|w| w[1] < w[0]) && sizes.len() > 4, "{sizes:?}");
    assert!(*sizes.last().unwrap() < sizes[0] / 8, "{sizes:?}");
}

#[tokio::test]
async fn a_bound_on_the_output_that_fills_the_window_is_lowered() {
    let message = "'max_tokens' is too large: 8000. This model's maximum context length is 8192 tokens and your request has 1000 input tokens";
    let model = ScriptedModel::new([Step::TooLong(message), Step::Says("Hello")]);
    let limits = Limits { output_tokens: Some(8_000), ..Limits::default() };
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model.clone()).with_limits(limits), &mut Conversation::default(), "Hi").await;
    assert_eq!(ran.answer.answer, "Hello");
    assert_eq!(model.requests().iter().map(|r| r.max_output_tokens).collect::<Vec<_>>(), [Some(8_000), Some(4_096)]);
}

#[tokio::test]
async fn what_a_server_counts_corrects_the_estimate() {
    use crate::agent::scale::Measure;
    let agent = Agent::new(ScriptedToolbox::new(), ScriptedModel::new([Step::Says("Hello")]));
    let mut conversation = Conversation::default();
    conversation.history.push(HistoryItem::User { text: "word ".repeat(4_000) });
    conversation.history.push(HistoryItem::Assistant { text: "ok".into(), payload: None });
    ask(&agent, &mut conversation, "Hi").await;
    // Ten tokens for thousands: no correction, but nonsense.
    assert!((agent.learned.factor(Measure::Rough) - 1.0).abs() < 1e-9);
}
