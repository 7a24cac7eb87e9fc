//! The tools for the Claude Agent SDK.

use std::path::PathBuf;

use serde_json::json;

use super::*;

fn stored(folder: &tempfile::TempDir, program: Option<PathBuf>) -> (Client, String) {
    let path = folder.path().join("library.db");
    let text = path.to_str().unwrap().to_owned();
    (Client::local(LocalOptions { library: Some(path), program, ..Default::default() }).unwrap(), text)
}

#[tokio::test]
async fn the_server_serves_this_library_and_every_tool_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (client, library) = stored(&folder, Some("/opt/bin/pagewise".into()));
    let claude = client.as_claude_mcp(false).await.unwrap();
    let args = ["mcp", "--library", &library, "--max-result-chars", "40000"];
    let entry = json!({"type": "stdio", "command": "/opt/bin/pagewise", "args": args});
    assert_eq!(claude.mcp_servers, json!({"pagewise": entry}));
    let reading = ["browse_documents", "get_document", "get_document_structure", "get_page_content"];
    assert_eq!(claude.allowed_tools, reading.map(|tool| format!("mcp__pagewise__{tool}")));
    assert!(!json!(claude).to_string().contains('*'));

    let managing = client.as_claude_mcp(true).await.unwrap();
    assert_eq!(managing.mcp_servers["pagewise"]["args"][3], "--include-management");
    assert_eq!(managing.allowed_tools.last().unwrap(), "mcp__pagewise__remove_document");
}

#[tokio::test]
async fn the_server_has_the_limits_of_the_client() {
    let folder = tempfile::tempdir().unwrap();
    let (client, library) = stored(&folder, Some("/opt/bin/pagewise".into()));
    let release = client.submit_document(RELEASE, true).await.unwrap();
    let limited = client.limited_to(std::slice::from_ref(&release.id.0)).await.unwrap().with_max_reply_chars(50_000);
    let claude = limited.as_claude_mcp(false).await.unwrap();
    assert_eq!(
        claude.mcp_servers["pagewise"]["args"],
        json!(["mcp", "--library", library, "--doc", "quarterly-release.pdf", "--max-result-chars", "50000"])
    );
    // The program refuses less than the least.
    let least = client.with_max_reply_chars(1).as_claude_mcp(false).await.unwrap();
    assert_eq!(least.mcp_servers["pagewise"]["args"][4], "20000");
    client.library().unwrap().remove(&release.id).await.unwrap();
    assert!(matches!(limited.as_claude_mcp(false).await, Err(Error::NoSuchDocument(_))));
    let none = client.limited_to(&[]).await.unwrap();
    assert!(matches!(none.as_claude_mcp(false).await, Err(Error::Settings(_))), "without names the whole library would be served");
}

#[tokio::test]
async fn what_is_in_memory_cannot_be_served() {
    let error = client().await.as_claude_mcp(false).await.unwrap_err();
    assert!(matches!(error, Error::Unsupported(_)) && error.to_string().contains("in memory"), "{error}");
}
