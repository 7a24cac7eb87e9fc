//! Questions about a PDF, answered with checked page citations: no vectors, no chunks, and without a model the built-in reader answers.
//!
//! `cargo run --example agentic_vectorless_rag_demo -- "What was net income in fiscal 2025?"`, with a model if `PAGEWISE_MODEL` names one.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to a terminal")]

use std::sync::Arc;

use pagewise::agent::{Agent, AgentEvent, Conversation};
use pagewise::config::{Overrides, Settings};
use pagewise::model::{ChatModel, openai::OpenAiModel};
use pagewise::{CancellationToken, Client, LocalOptions, library::Scope, reader::BuiltinReader};

#[tokio::main]
async fn main() -> pagewise::Result<()> {
    let question = std::env::args().nth(1).unwrap_or_else(|| "What was total revenue in fiscal 2025?".to_owned());
    let client = Client::local(LocalOptions::default())?;
    let report = client.submit_document("examples/documents/annual-report.pdf", true).await?;
    let settings = Settings::resolve(&Overrides::default())?;
    let model: Arc<dyn ChatModel> = match settings.server {
        Some(server) => Arc::new(OpenAiModel::new(server.openai_settings(Default::default()))?),
        None => Arc::new(BuiltinReader::new(client.ranker()?, Scope::All)),
    };
    let agent = Agent::new(client.toolbox(false).await?, model);
    let mut conversation = Conversation::about([(report.id.0, report.name, report.page_count)]);
    let mut show = |event| {
        if let AgentEvent::ToolCall { name, arguments, .. } = event {
            eprintln!("[tool] {name}({arguments})");
        }
    };
    let answer = agent.run(&mut conversation, &question, &mut show, &CancellationToken::new()).await;
    println!("{}", answer.answer);
    for citation in &answer.citations {
        println!("[{}] {}, p. {}: {:?}", citation.n, citation.doc, citation.page, citation.status);
    }
    Ok(())
}
