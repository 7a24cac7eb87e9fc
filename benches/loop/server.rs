//! 200 conversations at once over HTTP, round after round: each gets its own answer, and memory does not grow.

#[allow(dead_code, reason = "the tests use the rest of it")]
#[path = "../../tests/support/fake_model.rs"]
mod fake_model;
#[allow(dead_code, reason = "the tests use the rest of it")]
#[path = "../../tests/support/reply.rs"]
mod reply;

use std::sync::Arc;

use futures::future::join_all;
use pagewise::agent::{Agent, CitationStatus, Conversation};
use pagewise::model::openai::{OpenAiModel, OpenAiSettings};
use serde_json::json;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use super::resident_kb;
use super::scripted::Pages;
use fake_model::FakeModel;
use reply::Reply;

const CONVERSATIONS: usize = 200;
const ROUNDS: usize = 10;

pub fn conversations(runtime: &Runtime) {
    let server = FakeModel::answering(|request| {
        // The question names the page, so that an answer to another conversation would be seen.
        let page = request.texts("user").last().and_then(|q| q.rsplit(' ').next()).unwrap_or_default().to_owned();
        match request.tool_results().len() {
            0 => Reply::tool_call("get_page_content", json!({"doc_name": "long.pdf", "pages": page})),
            _ => Reply::text(format!(
                "It is page {page} <cite doc=\"long.pdf\" page=\"{page}\">Net sales of the year 3 rose to 24.7</cite>."
            )),
        }
    })
    .forgetful();
    let settings = OpenAiSettings { base_url: server.base_url(), model: "fake".into(), ..OpenAiSettings::default() };
    let agent = Agent::new(Arc::new(Pages::of(20 * 1024)), Arc::new(OpenAiModel::new(settings).expect("settings")));
    let mut resident = Vec::new();
    for _ in 0..ROUNDS {
        runtime.block_on(join_all((1..=CONVERSATIONS).map(|n| one(&agent, n))));
        resident.push(resident_kb() / 1024);
    }
    println!("\n{CONVERSATIONS} conversations at once, {ROUNDS} rounds, all answers their own; MB in RAM after each: {resident:?}");
}

async fn one(agent: &Agent, n: usize) {
    let mut conversation = Conversation::default();
    let cancel = CancellationToken::new();
    let answer = agent.run(&mut conversation, &format!("What stands on page {n}"), &mut |_| {}, &cancel).await;
    assert_eq!(answer.answer, format!("It is page {n} [1]."), "{answer:?}");
    assert_eq!((answer.citations[0].page as usize, answer.citations[0].status), (n, CitationStatus::Verified));
}
