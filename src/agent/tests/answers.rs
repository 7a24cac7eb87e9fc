//! From question to answer: events, history, outcomes, asking again, limits, the model's window.

use serde_json::json;

use super::scripted::*;
use crate::agent::*;
use crate::model::*;

#[tokio::test]
async fn the_whole_path_with_events_and_a_checked_citation() {
    let model = ScriptedModel::new([Step::Calls("Let me look.", vec![page("a", "1")]), Step::Says(CITED)]);
    let agent = Agent::new(ScriptedToolbox::new(), model.clone());
    let mut conversation = Conversation { documents: vec!["q1.pdf".into()], ..Conversation::default() };
    let ran = ask(&agent, &mut conversation, "What was revenue?").await;
    assert_eq!(
        ran.kinds(),
        ["turn_started", "text", "usage", "tool_call", "tool_result", "turn_started", "text", "usage", "finished"]
    );
    let answer = &ran.answer;
    assert_eq!((answer.outcome, answer.answer.as_str()), (Outcome::Answered, "Revenue was $24.7 billion [1]."));
    assert_eq!(answer.answer_raw, CITED);
    assert_eq!(answer.citations.len(), 1);
    assert_eq!(answer.citations[0].status, CitationStatus::Verified);
    assert_eq!(answer.pages_read, [PageRead { doc: "q1.pdf".into(), page: 1 }]);
    assert_eq!(answer.tool_calls.len(), 1);
    assert_eq!((answer.usage.requests, answer.usage.input_tokens), (2, 20));
    assert_eq!(ran.shown(), CITED);
    let requests = model.requests();
    assert_eq!(requests[0].instructions, "Answer from [\"q1.pdf\"].");
    assert_eq!(requests[0].tools[0], "browse_documents");
    // The provider's own data goes back unchanged.
    assert!(
        requests[1]
            .history
            .iter()
            .any(|i| matches!(i, HistoryItem::ToolCall { payload: Some(p), .. } if *p == json!({"signature": "a"})))
    );
    assert_eq!(conversation.history.len(), 5);
}

#[tokio::test]
async fn a_follow_up_question_rests_on_pages_read_before() {
    let model = ScriptedModel::new([Step::Calls("", vec![page("a", "1")]), Step::Says(CITED), Step::Says(CITED)]);
    let agent = Agent::new(ScriptedToolbox::new(), model.clone());
    let mut conversation = Conversation::default();
    ask(&agent, &mut conversation, "What was revenue?").await;
    let saved = serde_json::to_string(&conversation).unwrap();
    let mut resumed: Conversation = serde_json::from_str(&saved).unwrap();
    let ran = ask(&agent, &mut resumed, "Are you sure?").await;
    assert_eq!(ran.answer.citations[0].status, CitationStatus::Verified);
    assert!(ran.answer.pages_read.is_empty());
    assert_eq!(model.requests()[2].history.len(), 5);
}

#[tokio::test]
async fn not_found_is_an_outcome_and_the_tag_is_not_shown() {
    let text = "<not-found/> The report gives no dividend; I read page 1.";
    let model = ScriptedModel::new([Step::Calls("", vec![page("a", "1")]), Step::Says(text)]);
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model.clone()), &mut Conversation::default(), "Dividend?").await;
    assert_eq!(ran.answer.outcome, Outcome::NotFound);
    assert_eq!(ran.answer.answer, "The report gives no dividend; I read page 1.");
    assert_eq!(model.requests().len(), 2, "an honest not-found is left alone");
}

#[tokio::test]
async fn an_empty_answer_is_asked_for_again_once() {
    let model = ScriptedModel::new([Step::Says(""), Step::Calls("", vec![page("a", "1")]), Step::Says(CITED)]);
    let mut conversation = Conversation::default();
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model.clone()), &mut conversation, "Revenue?").await;
    assert_eq!(ran.answer.outcome, Outcome::Answered);
    assert_eq!(ran.discarded(), [""]);
    let HistoryItem::User { text } = &model.requests()[1].history[0] else { panic!() };
    assert!(text.starts_with("Revenue?\n\n") && text.contains("empty"));
    assert!(matches!(&conversation.history[0], HistoryItem::User { text } if text == "Revenue?"));

    let model = ScriptedModel::new([Step::Says(" "), Step::Says("")]);
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model.clone()), &mut conversation, "And?").await;
    assert_eq!(ran.answer.outcome, Outcome::Error);
    assert!(ran.answer.error.unwrap().contains("empty"));
    assert_eq!(model.requests().len(), 2);
}

#[tokio::test]
async fn claims_without_citations_are_asked_for_them_once() {
    let bare = "Revenue was $24.7 billion.";
    let model = ScriptedModel::new([Step::Calls("", vec![page("a", "1")]), Step::Says(bare), Step::Says(CITED)]);
    let mut conversation = Conversation::default();
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model.clone()), &mut conversation, "Revenue?").await;
    assert_eq!(ran.answer.answer_raw, CITED);
    assert_eq!(ran.discarded(), [bare]);
    assert_eq!(ran.shown(), CITED);
    let asked = &model.requests()[2].history;
    assert!(matches!(&asked[asked.len() - 2], HistoryItem::Assistant { text, .. } if text == bare));
    assert_eq!(conversation.history.len(), 4, "the draft does not stay");

    // A second answer without citations is taken as it is.
    let model = ScriptedModel::new([Step::Says(bare), Step::Says("It was $24.7 billion, I am sure.")]);
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model.clone()), &mut conversation, "Revenue?").await;
    assert_eq!((ran.answer.outcome, model.requests().len()), (Outcome::Answered, 2));

    // When asking again fails, the draft is better than nothing, and a reader of the stream gets it again.
    for second in [Step::Says(""), Step::Fails("Rev", ModelErrorKind::RateLimited)] {
        let model = ScriptedModel::new([Step::Says(bare), second, Step::Says("")]);
        let ran = ask(&Agent::new(ScriptedToolbox::new(), model.clone()), &mut conversation, "Revenue?").await;
        assert_eq!((ran.answer.outcome, ran.answer.answer_raw.as_str()), (Outcome::Answered, bare));
        assert_eq!(ran.shown(), bare);
    }
}

#[tokio::test]
async fn what_has_no_claims_is_not_asked_for_citations() {
    for text in ["Hello!", "Which of the two reports of 2024 do you mean?"] {
        let model = ScriptedModel::new([Step::Says(text)]);
        let ran = ask(&Agent::new(ScriptedToolbox::new(), model.clone()), &mut Conversation::default(), "Hi").await;
        assert_eq!((ran.answer.answer.as_str(), model.requests().len()), (text, 1));
    }
    let list = ("a", "browse_documents", json!({}));
    let model = ScriptedModel::new([Step::Calls("", vec![list]), Step::Says("There is one document: q1.pdf with 20 pages.")]);
    ask(&Agent::new(ScriptedToolbox::new(), model.clone()), &mut Conversation::default(), "What is there?").await;
    assert_eq!(model.requests().len(), 2);
}

#[tokio::test]
async fn citing_may_lead_to_more_reading_and_the_draft_then_stays_in_the_history() {
    let model = ScriptedModel::new([Step::Says("It was $24.7 billion."), Step::Calls("", vec![page("a", "1")]), Step::Says(CITED)]);
    let mut conversation = Conversation::default();
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model.clone()), &mut conversation, "Revenue?").await;
    assert_eq!(ran.answer.citations[0].status, CitationStatus::Verified);
    assert_eq!(conversation.history.len(), 6);
}

#[tokio::test]
async fn on_the_last_turn_the_model_is_told_to_answer() {
    let model = ScriptedModel::new([Step::Calls("", vec![page("a", "1")]), Step::Says(CITED)]);
    let agent = Agent::new(ScriptedToolbox::new(), model.clone()).with_limits(Limits { turns: 2, ..Limits::default() });
    let mut conversation = Conversation::default();
    let ran = ask(&agent, &mut conversation, "Revenue?").await;
    assert_eq!(ran.answer.outcome, Outcome::Answered);
    let requests = model.requests();
    assert_eq!((requests[0].tool_choice, requests[1].tool_choice), (ToolChoice::Auto, ToolChoice::None));
    assert!(matches!(requests[1].history.last(), Some(HistoryItem::User { text }) if text.contains("last turn")));
    assert_eq!(conversation.history.len(), 4, "the words of the last turn do not stay");
}

#[tokio::test]
async fn a_model_that_only_calls_ends_at_the_limit_of_turns() {
    let calls = |id| Step::Calls("", vec![page(id, "1")]);
    let model = ScriptedModel::new([calls("a"), calls("b"), calls("c")]);
    let toolbox = ScriptedToolbox::new();
    let agent = Agent::new(toolbox.clone(), model.clone()).with_limits(Limits { turns: 3, ..Limits::default() });
    let mut conversation = Conversation::default();
    let ran = ask(&agent, &mut conversation, "Revenue?").await;
    assert_eq!(ran.answer.outcome, Outcome::Limit);
    assert!(ran.answer.error.unwrap().contains("3 turns"));
    assert_eq!((model.requests().len(), toolbox.called().len()), (3, 1));
    // The conversation can go on.
    let ran = ask(&agent, &mut conversation, "Hello?").await;
    assert_eq!(ran.answer.answer, "script is over");
}

#[tokio::test]
async fn the_limit_of_calls_leads_to_a_last_turn() {
    let model = ScriptedModel::new([Step::Calls("", vec![page("a", "1"), page("b", "2"), page("c", "3")]), Step::Says(CITED)]);
    let toolbox = ScriptedToolbox::new();
    let agent = Agent::new(toolbox.clone(), model.clone()).with_limits(Limits { tool_calls: 2, ..Limits::default() });
    let ran = ask(&agent, &mut Conversation::default(), "Revenue?").await;
    assert_eq!((ran.answer.outcome, toolbox.called().len()), (Outcome::Answered, 2));
    assert_eq!(model.requests()[1].tool_choice, ToolChoice::None);
    assert!(ran.answer.tool_calls[2].is_error);
}

#[tokio::test]
async fn what_was_streamed_is_what_the_answer_says() {
    let model = ScriptedModel::new([Step::Restarts("Reve", "Hello there")]);
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model), &mut Conversation::default(), "Hi").await;
    assert_eq!((ran.discarded(), ran.shown()), (vec!["Reve"], "Hello there".into()));
    assert!(ran.kinds().contains(&"retry".to_owned()));
    let model = ScriptedModel::new([Step::Silent("Hello there")]);
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model), &mut Conversation::default(), "Hi").await;
    assert_eq!(ran.shown(), "Hello there");
}

#[tokio::test]
async fn cut_and_refused_answers() {
    let model = ScriptedModel::new([Step::Ends("Hello the", Finish::Length)]);
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model), &mut Conversation::default(), "Hi").await;
    assert_eq!((ran.answer.outcome, ran.answer.answer.as_str()), (Outcome::Limit, "Hello the"));
    let model = ScriptedModel::new([Step::Ends("", Finish::Length)]);
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model), &mut Conversation::default(), "Hi").await;
    assert!(ran.answer.error.unwrap().contains("output tokens"));
    let model = ScriptedModel::new([Step::Ends("I can", Finish::Refused)]);
    let mut conversation = Conversation::default();
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model), &mut conversation, "Hi").await;
    assert_eq!((ran.answer.outcome, ran.discarded()), (Outcome::Error, vec!["I can"]));
    assert!(conversation.history.is_empty());
}

#[tokio::test]
async fn old_results_become_stubs_before_the_window_overflows() {
    let long = |page: u64| json!({"success": true, "doc_name": "q1.pdf", "returned_pages": page.to_string(), "content": [{"page": page, "text": "word ".repeat(2_000)}]});
    let toolbox =
        ScriptedToolbox::answering(move |_, arguments| reply(long(arguments["pages"].as_str().unwrap().parse().unwrap())));
    let calls = ["a", "b", "c", "d"].iter().zip(1..).map(|(id, n)| Step::Calls("", vec![page(id, &n.to_string())]));
    let model = ScriptedModel::new(calls.chain([Step::Calls("", vec![page("e", "1")]), Step::Says("Hello")]));
    let agent = Agent::new(toolbox.clone(), model.clone()).with_limits(Limits { context_tokens: 10_000, ..Limits::default() });
    let mut conversation = Conversation::default();
    ask(&agent, &mut conversation, "Hi").await;
    let tokens = |r: &Seen| tiktoken_rs::o200k_base_singleton().count_ordinary(&serde_json::to_string(&r.history).unwrap());
    let sizes: Vec<usize> = model.requests().iter().map(tokens).collect();
    assert!(sizes.iter().all(|s| *s < 7_500) && sizes[3] > 5_000, "{sizes:?}");
    let fourth = &model.requests()[4].history;
    let stubs = fourth.iter().filter(|i| matches!(i, HistoryItem::ToolResult { content, .. } if content == "[page 1 of q1.pdf was read here; ask again if needed]")).count();
    assert_eq!(stubs, 1, "{fourth:?}");
    // Page 1 was asked for again and answered in full, because its result had become a stub.
    assert_eq!(toolbox.called().len(), 5);
}

#[tokio::test]
async fn a_request_that_is_too_long_is_shortened_and_sent_again() {
    let toolbox = ScriptedToolbox::answering(|_, _| reply(json!({"success": true, "text": "word ".repeat(3_000)})));
    let too_long = || Step::Fails("", ModelErrorKind::ContextTooLong);
    let calls = |id, n| Step::Calls("", vec![page(id, n)]);
    let model = ScriptedModel::new([calls("a", "1"), calls("b", "2"), too_long(), too_long(), Step::Says("Hello")]);
    let ran = ask(&Agent::new(toolbox, model.clone()), &mut Conversation::default(), "Hi").await;
    assert_eq!(ran.answer.answer, "Hello");
    let sizes: Vec<u64> = model.requests().iter().map(|r| crate::agent::sizes::rough_sum(&r.history)).collect();
    assert!(sizes[2] > sizes[3] && sizes[3] > sizes[4], "{sizes:?}");
    assert!(ran.kinds().contains(&"retry".to_owned()));
}

#[tokio::test]
async fn ids_that_come_again_are_made_unique() {
    let model = ScriptedModel::new([
        Step::Calls("", vec![page("0", "1"), page("", "2")]),
        Step::Calls("", vec![page("0", "3")]),
        Step::Says("Hello"),
    ]);
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model), &mut Conversation::default(), "Hi").await;
    assert_eq!(ran.answer.tool_calls.len(), 3);
}
