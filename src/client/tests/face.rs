//! Documents, limits, plain functions, instructions, and a backend that is not local.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::*;

#[tokio::test]
async fn deleting_is_there_only_on_demand() {
    let client = client().await;
    let names = |tools: Vec<AgentTool>| tools.into_iter().map(|tool| tool.name).collect::<Vec<_>>();
    let reading = ["browse_documents", "get_document", "get_document_structure", "get_page_content"];
    assert_eq!(names(client.agent_tools(false).await.unwrap()), reading);
    let all = client.agent_tools(true).await.unwrap();
    let remove = all.last().unwrap().clone();
    assert_eq!(names(all), [&reading[..], &["remove_document"]].concat());
    assert!(remove.needs_approval && remove.annotations.destructive_hint && !remove.title.is_empty());
}

#[tokio::test]
async fn whatever_a_model_writes_is_answered_with_an_envelope() {
    let client = client().await;
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    let long = format!("{{\"doc_name\": \"{}\"", "x".repeat(300_000));
    for tool in client.agent_tools(true).await.unwrap() {
        for json in ["", "  ", "null", "{", "[]", "7", "\"{}\"", "{\"doc_name\": 3}", "nonsense \u{0} \u{202e}", &deep, &long] {
            let envelope = tool.call(json).await;
            let reply = read(&envelope);
            assert!(reply.get("success").is_some() ^ reply.get("errorCode").is_some(), "{}: {envelope}", tool.name);
            assert!(reply["next_steps"]["summary"].is_string() && envelope.len() <= crate::tools::MAX_REPLY_CHARS);
        }
    }
    assert_eq!(client.library().unwrap().list(&Scope::All, 0, 9).await.unwrap().total, 2);
}

#[tokio::test]
async fn cancelling_ends_a_wait() {
    let client = Client::local(LocalOptions::default()).unwrap();
    let library = client.library().unwrap();
    // Announced by somebody who never finishes it.
    let submission = crate::ingest::submit(library, &crate::ingest::Submission::of_file(RELEASE.as_ref())).await.unwrap();
    let tools = client.agent_tools(false).await.unwrap();
    let cancel = CancellationToken::new();
    let arguments = json!({"doc_name": "quarterly-release.pdf", "pages": "1", "wait_for_completion": true}).to_string();
    let call = tools[3].call_until(&arguments, &cancel);
    let stop = async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        cancel.cancel();
    };
    let (envelope, ()) = tokio::join!(call, stop);
    assert_eq!(read(&envelope)["errorCode"], "INVALID_INPUT");
    drop(submission);
}

#[tokio::test]
async fn outside_its_limits_nothing_exists() {
    let client = client().await;
    let limited = client.limited_to(&[name("technical-manual.pdf")]).await.unwrap();
    let listed = call(&limited, "browse_documents", "{}").await;
    assert_eq!(listed["documents"].as_array().unwrap().len(), 1);
    assert_eq!(call(&limited, "get_document", r#"{"doc_name": "quarterly-release.pdf"}"#).await["errorCode"], "NOT_FOUND");
    let removed = call(&limited, "remove_document", r#"{"doc_names": ["quarterly-release.pdf"]}"#).await;
    assert_eq!(removed["results"][0]["status"], "not_found");
    for narrower in [limited.limited_to(&[name("quarterly-release.pdf")]).await, limited.limited_to(&[name("x")]).await] {
        assert!(matches!(narrower, Err(Error::NoSuchDocument(_))));
    }
    // A scope that was made elsewhere does not widen it either.
    let other = client.scope(&[name("quarterly-release.pdf")]).await.unwrap();
    assert_eq!(limited.within(&other).scope, Scope::Documents(Vec::new()));
    assert_eq!(limited.within(&Scope::All).scope, limited.scope);
    let none = client.limited_to(&[]).await.unwrap();
    assert_eq!(call(&none, "browse_documents", "{}").await["documents"], json!([]));
}

#[tokio::test]
async fn instructions_take_ids_and_names() {
    let client = client().await;
    let release = client.resolve(&[name("quarterly-release.pdf")]).await.unwrap().remove(0);
    let by_name = client.agent_instructions(std::slice::from_ref(&release.name)).await.unwrap();
    assert_eq!(by_name, client.agent_instructions(std::slice::from_ref(&release.id.0)).await.unwrap());
    assert!(by_name.contains("quarterly-release.pdf") && !by_name.contains("technical-manual.pdf"));
    let general = client.agent_instructions(&[]).await.unwrap();
    assert!(by_name.starts_with(general.trim_end()) && !general.contains("quarterly-release.pdf"));
    let wrong = client.agent_instructions(&[name("quarterly-relase.pdf")]).await.unwrap_err();
    assert!(
        matches!(wrong, Error::NoSuchDocument(_)) && wrong.to_string().contains("did you mean quarterly-release.pdf"),
        "{wrong}"
    );
    let limited = client.limited_to(&[release.id.0]).await.unwrap();
    assert!(limited.agent_instructions(&[]).await.unwrap().contains("quarterly-release.pdf"));
    assert!(limited.agent_instructions(&[name("technical-manual.pdf")]).await.is_err());
}

/// Words of a text that look like the name of a tool of this program or of the cloud.
fn tools_named(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let verbs = ["browse_", "get_", "remove_", "search_", "find_", "list_", "process_", "create_"];
    words.filter(|word| verbs.iter().any(|verb| word.starts_with(verb))).collect()
}

#[tokio::test]
async fn instructions_name_only_tools_that_are_there() {
    let client = client().await;
    let limited = client.limited_to(&[name("quarterly-release.pdf")]).await.unwrap();
    for client in [&client, &limited] {
        for management in [false, true] {
            let toolbox = client.toolbox(management).await.unwrap();
            let there: Vec<String> = toolbox.definitions().into_iter().map(|tool| tool.name).collect();
            let texts = [toolbox.instructions(&[]).await.unwrap(), client.agent_instructions(&[]).await.unwrap()];
            for text in &texts {
                let named = tools_named(text);
                assert!(named.len() > 3 && named.iter().all(|name| there.iter().any(|tool| tool == name)), "{named:?}");
            }
        }
    }
}

#[tokio::test]
async fn replies_keep_to_the_size_of_the_client() {
    let client = Client::local(LocalOptions::default()).unwrap();
    client.submit_document("examples/documents/annual-report.pdf", true).await.unwrap();
    let tools = client.with_max_reply_chars(20_000).agent_tools(false).await.unwrap();
    let reply = tools[3].call(r#"{"doc_name": "annual-report.pdf", "pages": "1-45"}"#).await;
    assert!(reply.chars().count() <= 20_000 && read(&reply)["success"] == true);
}

#[tokio::test]
async fn without_waiting_a_document_is_announced() {
    let client = Client::local(LocalOptions::default()).unwrap();
    let record = client.submit_document(RELEASE, false).await.unwrap();
    assert!(record.status != crate::library::Status::Failed);
    let waited = r#"{"doc_name": "quarterly-release.pdf", "wait_for_completion": true}"#;
    assert_eq!(call(&client, "get_document", waited).await["status"], "completed");
}

/// A backend somewhere else, with one tool.
struct Elsewhere;

struct OneTool;

#[async_trait]
impl Toolbox for OneTool {
    fn definitions(&self) -> Vec<crate::tools::ToolDefinition> {
        let open = json!({"type": "object", "additionalProperties": true});
        vec![crate::tools::ToolDefinition {
            name: "search".into(),
            title: "Search".into(),
            description: "Searches.".into(),
            input_schema: open,
            annotations: crate::tools::Annotations {
                read_only_hint: true,
                destructive_hint: false,
                idempotent_hint: false,
                open_world_hint: true,
            },
            needs_approval: false,
        }]
    }

    async fn instructions(&self, _: &[String]) -> Result<String> {
        Ok("The server's own words.".into())
    }

    async fn call(&self, name: &str, arguments: &Value, _: &CancellationToken) -> crate::tools::ToolReply {
        crate::tools::Refusal::Unable.reply(&format!("{name} {arguments}"), None)
    }
}

#[async_trait]
impl Backend for Elsewhere {
    async fn submit_document(&self, _: &Path, _: bool) -> Result<DocumentRecord> {
        Err(Error::Settings("no".into()))
    }

    async fn resolve(&self, _: &Scope, _: &[String]) -> Result<Vec<DocumentRecord>> {
        Ok(Vec::new())
    }

    async fn toolbox(&self, _: ToolboxOptions) -> Result<Arc<dyn Toolbox>> {
        Ok(Arc::new(OneTool))
    }

    async fn mcp_server(&self, _: &ToolboxOptions) -> Result<Value> {
        Ok(json!({"type": "http", "url": "https://example.com/mcp?tools=read"}))
    }

    fn hosted_tool(&self, options: &ToolboxOptions) -> Result<Value> {
        Ok(json!({"type": "mcp", "management": options.include_management}))
    }
}

#[tokio::test]
async fn another_backend_stands_behind_the_same_methods() {
    let client = Client::over(Arc::new(Elsewhere));
    assert_eq!(client.agent_instructions(&[]).await.unwrap(), "The server's own words.");
    assert!(client.agent_tools(false).await.unwrap()[0].call("{}").await.contains("search {}"));
    assert_eq!(client.as_claude_mcp(false).await.unwrap().allowed_tools, ["mcp__pagewise__search"]);
    for missing in [client.library().err(), client.ranker().err()] {
        assert!(matches!(missing, Some(Error::Unsupported(_))));
    }
    // A schema that leaves its properties open has no strict form.
    let tools = client.as_openai_tools(OpenAiOptions::default()).await.unwrap();
    assert_eq!(tools[0]["function"]["strict"], false);
    assert_eq!(tools[0]["function"]["parameters"], json!({"type": "object", "additionalProperties": true}));
    let hosted = |shape| client.as_openai_tools(OpenAiOptions { shape, include_management: true, hosted: true });
    assert_eq!(hosted(OpenAiShape::Responses).await.unwrap(), [json!({"type": "mcp", "management": true})]);
    assert!(matches!(hosted(OpenAiShape::Chat).await, Err(Error::Settings(_))));
}
