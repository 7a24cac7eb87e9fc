//! The public face over a small library.

mod claude;
mod face;
mod openai;
mod strict;

use super::*;

const RELEASE: &str = "examples/documents/quarterly-release.pdf";
const MANUAL: &str = "examples/documents/technical-manual.pdf";

/// A client in memory with two documents.
async fn client() -> Client {
    let client = Client::local(LocalOptions::default()).unwrap();
    for file in [RELEASE, MANUAL] {
        client.submit_document(file, true).await.unwrap();
    }
    client
}

fn name(text: &str) -> String {
    text.to_owned()
}

fn read(envelope: &str) -> Value {
    serde_json::from_str(envelope).unwrap_or_else(|error| panic!("{error}: {envelope}"))
}

/// Whatever reads the tools of one reply.
async fn call(client: &Client, tool: &str, json: &str) -> Value {
    let tools = client.agent_tools(true).await.unwrap();
    let tool = tools.iter().find(|known| known.name == tool).unwrap();
    read(&tool.call(json).await)
}
