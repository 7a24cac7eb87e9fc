//! The OpenAI-compatible model against the scripted server.

mod support;

use serde_json::json;
use support::fake_model::{FakeModel, Reply};

#[tokio::test]
async fn the_fake_server_streams_and_records() {
    let server = FakeModel::start([Reply::text("Hello wörld").in_pieces(3), Reply::tool_call("f", json!({"a": 1}))]);
    let url = format!("{}/chat/completions", server.base_url());
    let client = reqwest::Client::new();
    let sse = client.post(&url).json(&json!({"stream": true})).send().await.unwrap().text().await.unwrap();
    assert!(sse.contains("\"wörld\"") && sse.ends_with("data: [DONE]\n\n"), "{sse}");
    let whole: serde_json::Value = client.post(&url).json(&json!({})).send().await.unwrap().json().await.unwrap();
    assert_eq!(whole["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"], "{\"a\":1}");
    assert_eq!(client.post(&url).json(&json!({})).send().await.unwrap().status(), 400);
    assert_eq!(server.requests().len(), 3);
    assert_eq!(server.requests()[0].path, "/v1/chat/completions");
}
