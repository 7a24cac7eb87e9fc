//! An agent loop of one's own: the tools as OpenAI functions, on any server that speaks Chat Completions.
//!
//! `PAGEWISE_MODEL=qwen3 OPENAI_BASE_URL=http://localhost:11434/v1 cargo run --example custom_agent_loop -- "What was net income?"`
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to a terminal")]

use std::env::{args, var};

use anyhow::{Context, bail};
use pagewise::{Client, LocalOptions, OpenAiOptions};
use serde_json::{Value, json};

/// Turns after which it gives up.
const MOST_TURNS: usize = 20;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let question = args().nth(1).unwrap_or_else(|| "What was total revenue in fiscal 2025?".to_owned());
    let client = Client::local(LocalOptions::default())?;
    let report = client.submit_document("examples/documents/annual-report.pdf", true).await?;

    let functions = client.as_openai_tools(OpenAiOptions::default()).await?;
    let tools = client.agent_tools(false).await?;
    let mut messages = vec![
        json!({"role": "system", "content": client.agent_instructions(&[report.id.0]).await?}),
        json!({"role": "user", "content": question}),
    ];
    for _ in 0..MOST_TURNS {
        let message = turn(&json!({"model": var("PAGEWISE_MODEL")?, "messages": messages, "tools": functions})).await?;
        messages.push(message.clone());
        let calls = message.get("tool_calls").and_then(Value::as_array).cloned().unwrap_or_default();
        if calls.is_empty() {
            println!("{}", message.get("content").and_then(Value::as_str).unwrap_or_default());
            return Ok(());
        }
        for call in calls {
            let text = |path: &str| call.pointer(path).and_then(Value::as_str).unwrap_or_default();
            let (name, arguments) = (text("/function/name"), text("/function/arguments"));
            eprintln!("[tool] {name}({arguments})");
            let reply = match tools.iter().find(|tool| tool.name == name) {
                Some(tool) => tool.call(arguments).await,
                None => json!({"error": format!("there is no tool {name:?}")}).to_string(),
            };
            messages.push(json!({"role": "tool", "tool_call_id": text("/id"), "content": reply}));
        }
    }
    bail!("no answer after {MOST_TURNS} turns")
}

/// One turn of the model: the message of the reply.
async fn turn(request: &Value) -> anyhow::Result<Value> {
    let base = var("OPENAI_BASE_URL").unwrap_or_else(|_| "https://api.openai.com/v1".to_owned());
    let mut post = reqwest::Client::new().post(format!("{base}/chat/completions")).json(request);
    if let Ok(key) = var("OPENAI_API_KEY") {
        post = post.bearer_auth(key);
    }
    let reply: Value = post.send().await?.json().await?;
    reply.pointer("/choices/0/message").cloned().with_context(|| format!("the server says: {reply}"))
}
