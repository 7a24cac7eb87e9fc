//! The Responses API, against a scripted server.
#![allow(clippy::unwrap_used, reason = "a test may stop where it fails")]

mod support;

use pagewise::model::openai::{Api, OpenAiModel, OpenAiSettings};
use pagewise::model::{Finish, HistoryItem, Image, ModelErrorKind, ToolChoice};
use serde_json::{Value, json};
use support::ask::{settings, turn};
use support::fake_model::{FakeModel, Recorded};
use support::reply::Reply;

fn responses(server: &FakeModel) -> OpenAiSettings {
    OpenAiSettings { api: Api::Responses, ..settings(server) }
}

/// The bytes of a stream of events, as OpenAI sends them.
fn events(events: &[Value]) -> Reply {
    let lines = events.iter().enumerate().map(|(n, event)| {
        let mut event = event.clone();
        event["sequence_number"] = n.into();
        format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())
    });
    Reply::raw_sse(lines.collect::<String>())
}

fn reasoning(id: &str) -> Value {
    json!({"type": "reasoning", "id": id, "summary": [], "encrypted_content": format!("sealed-{id}")})
}

fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name, "arguments": arguments, "status": "completed"})
}

fn message(text: &str) -> Value {
    json!({"type": "message", "id": "msg_1", "role": "assistant", "content": [{"type": "output_text", "text": text, "annotations": []}]})
}

fn reply(items: &[Value]) -> Reply {
    let mut all = vec![json!({"type": "response.created", "response": {"status": "in_progress"}})];
    for (n, item) in items.iter().enumerate() {
        if let Some(text) = item.pointer("/content/0/text") {
            all.push(json!({"type": "response.output_text.delta", "output_index": n, "delta": text}));
        }
        all.push(json!({"type": "response.output_item.done", "output_index": n, "item": item}));
    }
    all.push(json!({"type": "response.completed", "response": {"status": "completed", "output": items, "usage": {"input_tokens": 10, "output_tokens": 2}}}));
    events(&all)
}

/// What a strict server would say: a call without output, an output without call, reasoning that is not what was sent or that lacks what
/// followed it.
fn fault(request: &Recorded, sent: &[Value]) -> Option<String> {
    let items = request.body["input"].as_array()?;
    let mut open: Vec<&str> = Vec::new();
    for (n, item) in items.iter().enumerate() {
        match item["type"].as_str() {
            Some("reasoning") if !sent.contains(item) => return Some(format!("item {n}: changed reasoning")),
            Some("reasoning") if items.get(n + 1).is_none_or(|next| next["id"].is_null()) => {
                return Some(format!("item {n}: reasoning without the item that followed it"));
            }
            Some("function_call") => open.push(item["call_id"].as_str()?),
            Some("function_call_output") => {
                let id = item["call_id"].as_str()?;
                let before = open.len();
                open.retain(|call| *call != id);
                if open.len() == before {
                    return Some(format!("item {n}: output for no call"));
                }
            }
            _ if !open.is_empty() => return Some(format!("item {n}: a call has no output")),
            _ => {}
        }
    }
    if open.is_empty() { None } else { Some("a call has no output".to_owned()) }
}

/// A user's question, and the results of all calls of a turn.
fn answered(history: &mut Vec<HistoryItem>, items: Vec<HistoryItem>, images: &[Image]) {
    for item in items {
        history.push(item.clone());
        if let HistoryItem::ToolCall { id, name, .. } = item {
            let content = format!("result of {name}");
            history.push(HistoryItem::ToolResult { content, id, name, is_error: false, images: images.to_vec() });
        }
    }
}

/// Calls come first and their results after them.
fn in_order(history: Vec<HistoryItem>) -> Vec<HistoryItem> {
    let (results, others): (Vec<_>, Vec<_>) = history.into_iter().partition(|i| matches!(i, HistoryItem::ToolResult { .. }));
    others.into_iter().chain(results).collect()
}

#[tokio::test]
async fn reasoning_goes_back_unchanged_and_survives_being_saved() {
    let first = [reasoning("rs_1"), call("c1", "get_page_content", "{\"pages\":\"1\"}"), call("c2", "browse_documents", "{}")];
    let server = FakeModel::start([reply(&first), reply(&[reasoning("rs_2"), message("Five.")]), reply(&[message("Six.")])]);
    let model = OpenAiModel::new(responses(&server)).unwrap();
    let mut history = vec![HistoryItem::User { text: "Q".into() }];
    let heard = turn(&model, &history, ToolChoice::Auto).await;
    assert_eq!(heard.turn().finish, Finish::ToolCalls);
    answered(&mut history, heard.turn().items.clone(), &[]);
    let mut history = in_order(history);
    // It survives being stored.
    history = serde_json::from_str(&serde_json::to_string(&history).unwrap()).unwrap();
    let heard = turn(&model, &history, ToolChoice::Auto).await;
    assert_eq!((heard.text().as_str(), heard.turn().finish), ("Five.", Finish::Stop));
    history.extend(heard.turn().items.clone());
    history.push(HistoryItem::User { text: "And now?".into() });
    assert_eq!(turn(&model, &history, ToolChoice::None).await.text(), "Six.");

    let requests = server.requests();
    let sent = [reasoning("rs_1"), reasoning("rs_2")];
    for request in &requests {
        assert_eq!(request.path, "/v1/responses");
        assert_eq!(fault(request, &sent), None, "{}", request.body);
        assert_eq!((&request.body["store"], &request.body["stream"]), (&json!(false), &json!(true)));
    }
    let carried = |n: usize| requests[n].body["input"].as_array().unwrap().iter().filter(|i| i["type"] == "reasoning").count();
    assert_eq!([carried(0), carried(1), carried(2)], [0, 1, 2]);
    assert_eq!(requests[2].body["tool_choice"], "none");
}

#[tokio::test]
async fn a_conversation_goes_on_with_the_other_interface_and_with_another_model() {
    let script = [
        reply(&[reasoning("rs_1"), call("c1", "get_page_content", "{\"pages\":\"1\"}")]),
        Reply::text("By chat."),
        reply(&[message("By another.")]),
    ];
    let server = FakeModel::start(script);
    let mut history = vec![HistoryItem::User { text: "Q".into() }];
    let heard = turn(&OpenAiModel::new(responses(&server)).unwrap(), &history, ToolChoice::Auto).await;
    answered(&mut history, heard.turn().items.clone(), &[]);
    let heard = turn(&OpenAiModel::new(settings(&server)).unwrap(), &history, ToolChoice::Auto).await;
    assert_eq!(heard.text(), "By chat.");
    history.extend(heard.turn().items.clone());
    history.push(HistoryItem::User { text: "And now?".into() });
    let other = OpenAiSettings { model: "another".into(), ..responses(&server) };
    assert_eq!(turn(&OpenAiModel::new(other).unwrap(), &history, ToolChoice::Auto).await.text(), "By another.");
    let requests = server.requests();
    assert!(!requests[1].body.to_string().contains("sealed") && requests[1].history_fault().is_none());
    assert!(!requests[2].body.to_string().contains("sealed"), "{}", requests[2].body);
    assert_eq!(fault(&requests[2], &[]), None);
}

#[tokio::test]
async fn what_a_server_refuses_is_left_out_from_then_on() {
    let refuse = |message: &str, param: &str| {
        Reply::error(400, json!({"error": {"message": message, "type": "invalid_request_error", "param": param, "code": null}}))
    };
    let server = FakeModel::start([
        refuse("Encrypted content is not supported with this model.", "include"),
        refuse("Unknown parameter: 'store'.", "store"),
        refuse("Unsupported parameter: 'temperature' is not supported with this model.", "temperature"),
        reply(&[message("Yes.")]),
        reply(&[message("Still.")]),
    ]);
    let model = OpenAiModel::new(responses(&server)).unwrap();
    let history = [HistoryItem::User { text: "Q".into() }];
    assert_eq!(turn(&model, &history, ToolChoice::Auto).await.text(), "Yes.");
    assert_eq!(turn(&model, &history, ToolChoice::Auto).await.text(), "Still.");
    let last = &server.requests()[4].body;
    for gone in ["include", "store", "temperature"] {
        assert!(last.get(gone).is_none(), "{gone}: {last}");
    }
}

#[tokio::test]
async fn reasoning_that_a_server_cannot_read_is_sent_no_more() {
    let refusal = json!({"error": {"message": "The encrypted content for item rs_1 could not be verified.", "code": "invalid_encrypted_content", "param": null}});
    let server = FakeModel::start([
        reply(&[reasoning("rs_1"), call("c1", "get_page_content", "{\"pages\":\"1\"}")]),
        Reply::error(400, refusal),
        reply(&[message("Yes.")]),
    ]);
    let model = OpenAiModel::new(responses(&server)).unwrap();
    let mut history = vec![HistoryItem::User { text: "Q".into() }];
    let heard = turn(&model, &history, ToolChoice::Auto).await;
    answered(&mut history, heard.turn().items.clone(), &[]);
    assert_eq!(turn(&model, &history, ToolChoice::Auto).await.text(), "Yes.");
    assert!(!server.requests()[2].body.to_string().contains("sealed"));
}

#[tokio::test]
async fn images_go_to_models_that_take_them_until_one_refuses() {
    let image = Image { mime: "image/png".into(), data: "iVBORw0KGgo=".into() };
    let refusal = |text: &str| Reply::error(404, json!({"error": {"message": text, "code": 404}}));
    for api in [Api::Chat, Api::Responses] {
        let done = || if api == Api::Chat { Reply::text("Seen.") } else { reply(&[message("Seen.")]) };
        let server = FakeModel::start([done(), refusal("No endpoints found that support image input"), done(), done()]);
        let mut history = vec![HistoryItem::User { text: "Q".into() }];
        let call = HistoryItem::ToolCall { id: "c1".into(), name: "get_page_content".into(), arguments: json!({}), payload: None };
        answered(&mut history, vec![call], std::slice::from_ref(&image));
        let with = |images| OpenAiModel::new(OpenAiSettings { api, images, ..settings(&server) }).unwrap();
        turn(&with(false), &history, ToolChoice::Auto).await.turn();
        let model = with(true);
        turn(&model, &history, ToolChoice::Auto).await.turn();
        turn(&model, &history, ToolChoice::Auto).await.turn();
        let bodies: Vec<String> = server.requests().iter().map(|r| r.body.to_string()).collect();
        let shown: Vec<bool> = bodies.iter().map(|b| b.contains("data:image/png;base64,iVBORw0KGgo=")).collect();
        assert_eq!(shown, [false, true, false, false], "{api:?}");
        assert!(bodies[0].contains("An image came with this") && bodies[3].contains("An image came with this"));
        assert!(server.requests().iter().all(|r| r.history_fault().is_none()));
    }
}

#[tokio::test]
async fn failures_are_told_apart() {
    let mut quick = responses(&FakeModel::start([]));
    quick.retry.tries = 1;
    let created = json!({"type": "response.created", "response": {}});
    let said = json!({"type": "response.output_text.delta", "delta": "So "});
    let failed = |code: &str, message: &str| json!({"type": "response.failed", "response": {"status": "failed", "error": {"code": code, "message": message}}});
    for (script, kind) in [
        (events(&[created.clone(), said.clone()]), ModelErrorKind::CutOff),
        (events(&[created.clone(), failed("rate_limit_exceeded", "Rate limit reached")]), ModelErrorKind::RateLimited),
        (events(&[said.clone(), failed("server_error", "The server had an error")]), ModelErrorKind::Server),
        (
            events(&[failed("context_length_exceeded", "Your input exceeds the context window of this model.")]),
            ModelErrorKind::ContextTooLong,
        ),
        (Reply::json(&json!({"choices": [{"message": {"content": "chat"}}]})), ModelErrorKind::BadReply),
        (Reply::error(404, json!({"detail": "Not Found"})), ModelErrorKind::WrongPath),
        (Reply::api_error(401, "Incorrect API key provided", "invalid_api_key"), ModelErrorKind::BadKey),
    ] {
        let server = FakeModel::start([script]);
        let with = OpenAiSettings { base_url: server.base_url(), ..quick.clone() };
        let heard = turn(&OpenAiModel::new(with).unwrap(), &[HistoryItem::User { text: "Q".into() }], ToolChoice::Auto).await;
        let error = heard.error();
        assert_eq!(error.kind, kind, "{error}");
        assert!(error.message.contains("/v1/responses"), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_does_not_stream_answers_whole() {
    let whole = json!({"object": "response", "status": "completed", "error": null, "output": [reasoning("rs_1"), message("Five.")],
        "usage": {"input_tokens": 7, "output_tokens": 1}});
    let server = FakeModel::start([Reply::json(&whole)]);
    let heard =
        turn(&OpenAiModel::new(responses(&server)).unwrap(), &[HistoryItem::User { text: "Q".into() }], ToolChoice::Auto).await;
    assert_eq!(heard.text(), "Five.");
    assert_eq!(heard.turn().usage.unwrap().input_tokens, 7);
}
