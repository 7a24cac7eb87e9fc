//! Two hundred conversations in one process, at the same time: each gets its own answer from its own document.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop where it fails")]

mod support;

use std::sync::Arc;

use futures::future::join_all;
use pagewise::agent::{Agent, AgentEvent, CitationStatus, Conversation, Outcome};
use pagewise::model::openai::OpenAiModel;
use serde_json::json;
use support::ask::settings;
use support::fake_model::{FakeModel, Recorded};
use support::reply::Reply;
use support::shelf::Shelf;
use tokio_util::sync::CancellationToken;

const CONVERSATIONS: usize = 200;

/// Reads page 1 and, for the second question, page 2 of the document that the question names; then says what stands there.
fn reply(request: &Recorded) -> Reply {
    let questions = request.texts("user");
    let doc = questions[0].rsplit(' ').next().unwrap_or_default();
    let page = questions.len();
    if request.tool_results().len() < page {
        return Reply::tool_call("get_page_content", json!({"doc_name": doc, "pages": page.to_string()}));
    }
    let result: serde_json::Value = serde_json::from_str(request.tool_results().last().unwrap()).unwrap();
    let text = result["content"][0]["text"].as_str().unwrap_or("nothing").to_owned();
    Reply::text(format!("{text} <cite doc=\"{doc}\" page=\"{page}\">{text}</cite>")).usage(900, 40)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn none_hears_of_another() {
    let server = FakeModel::answering(reply).strict();
    // One agent for each document here, all over one model; all conversations of a front end share both.
    let model = Arc::new(OpenAiModel::new(settings(&server)).unwrap());
    let runs = (0..CONVERSATIONS).map(|n| {
        let model = Arc::clone(&model);
        tokio::spawn(async move {
            let (doc, pages) =
                (format!("report-{n}.pdf"), [format!("Net sales were {n}.5 million."), format!("Costs were {n}.7 million.")]);
            let shelf = Shelf::with(&doc, &[&pages[0], &pages[1]]);
            let agent = Agent::new(Arc::new(shelf), model);
            let mut conversation = Conversation::default();
            for (at, question) in [format!("What stands first in {doc}"), "And then?".to_owned()].iter().enumerate() {
                let mut events = Vec::new();
                let answer = agent.run(&mut conversation, question, &mut |e| events.push(e), &CancellationToken::new()).await;
                assert_eq!((answer.outcome, answer.answer.as_str()), (Outcome::Answered, format!("{} [1]", pages[at]).as_str()));
                assert_eq!(answer.citations[0].status, CitationStatus::Verified, "{answer:?}");
                assert_eq!((answer.tool_calls.len(), answer.usage.requests), (1, 2));
                let text: String = events
                    .iter()
                    .filter_map(|e| if let AgentEvent::Text { delta } = e { Some(delta.as_str()) } else { None })
                    .collect();
                assert_eq!(text, answer.answer_raw);
            }
            let read: Vec<&String> = conversation.evidence.documents.keys().collect();
            assert_eq!(read, [&doc]);
        })
    });
    for run in join_all(runs).await {
        run.unwrap();
    }
    assert_eq!(server.requests().len(), CONVERSATIONS * 4);
}
