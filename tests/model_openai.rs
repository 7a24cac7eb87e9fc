//! The OpenAI-compatible model against replies as real servers send them.

mod support;

use pagewise::model::openai::OpenAiModel;
use pagewise::model::{ChatModel, Finish, HistoryItem, ModelDelta, ToolChoice, Usage};
use serde_json::{Value, json};
use support::ask::{ask, settings, tools, turn};
use support::fake_model::{FakeModel, Reply};

#[tokio::test]
async fn text_streams_with_reasoning_and_usage() {
    let server = FakeModel::start([Reply::text("Revenue was 24.7 billion.").with_thinking("Page 1 says so.").usage(120, 8)]);
    let heard = ask(settings(&server)).await;
    assert_eq!(heard.turn().items, [HistoryItem::Assistant { text: "Revenue was 24.7 billion.".into(), payload: None }]);
    assert_eq!(heard.turn().finish, Finish::Stop);
    assert_eq!(heard.turn().usage, Some(Usage { input_tokens: 120, cached_tokens: 0, output_tokens: 8, requests: 1 }));
    assert_eq!((heard.text().as_str(), heard.thinking().as_str()), ("Revenue was 24.7 billion.", "Page 1 says so."));
    assert!(heard.deltas.len() > 4, "it came in pieces: {:?}", heard.deltas);

    let request = &server.requests()[0];
    assert_eq!(request.path, "/v1/chat/completions");
    assert_eq!(request.header("authorization"), Some("Bearer sk-topsecret"));
    assert!(request.header("user-agent").is_some_and(|a| a.starts_with("pagewise/")));
    assert_eq!((&request.body["stream"], &request.body["stream_options"]), (&json!(true), &json!({"include_usage": true})));
    assert_eq!((request.texts("system"), request.texts("user")), (vec!["Do."], vec!["Q"]));
    assert_eq!(request.tool_names(), ["get_page_content", "browse_documents"]);
    assert_eq!(request.body.get("tool_choice"), None);
}

#[tokio::test]
async fn calls_are_assembled_and_their_results_go_back_in_order() {
    let calls = [("get_page_content", json!({"pages": "1,3"})), ("browse_documents", json!({}))];
    let server = FakeModel::start([Reply::tool_calls(calls.clone()).with_text("Let me look."), Reply::text("Done.")]).strict();
    let model = OpenAiModel::new(settings(&server)).unwrap();
    let mut history = vec![HistoryItem::User { text: "Q".into() }];
    let first = turn(&model, &history, ToolChoice::Auto).await;
    assert_eq!(first.turn().finish, Finish::ToolCalls);
    assert_eq!(first.calls(), calls.iter().map(|(n, a)| (*n, a)).collect::<Vec<_>>());
    history.extend(first.turn().items.clone());
    for item in first.turn().items.clone() {
        if let HistoryItem::ToolCall { id, name, .. } = item {
            history.push(HistoryItem::ToolResult {
                content: format!("result of {name}"),
                id,
                name,
                is_error: false,
                images: vec![],
            });
        }
    }
    let second = turn(&model, &history, ToolChoice::None).await;
    assert_eq!(second.text(), "Done.");

    let sent = &server.requests()[1];
    assert_eq!(sent.tool_results(), ["result of get_page_content", "result of browse_documents"]);
    assert_eq!(sent.messages()[2]["content"], "Let me look.");
    assert_eq!(sent.messages()[2]["tool_calls"][0]["function"]["arguments"], "{\"pages\":\"1,3\"}");
    assert_eq!(sent.body["tool_choice"], "none");
    assert_eq!(sent.tool_names().len(), 2);
}

#[tokio::test]
async fn bytes_may_be_split_anywhere() {
    for size in [1, 2, 3, 5, 64] {
        let server = FakeModel::start([Reply::text("Größe: 3 µm – „fein“ 文").in_pieces(size)]);
        assert_eq!(ask(settings(&server)).await.text(), "Größe: 3 µm – „fein“ 文", "{size}");
    }
}

#[tokio::test]
async fn one_event_may_hold_megabytes() {
    let text = "word ".repeat(600_000);
    let event = json!({"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]});
    let server = FakeModel::start([Reply::raw_sse(format!("data: {event}\n\ndata: [DONE]\n\n")).in_pieces(4_096)]);
    assert!(ask(settings(&server)).await.text() == text);
}

#[tokio::test]
async fn events_come_with_crlf_comments_fields_and_several_data_lines() {
    let body = ": keep-alive\r\n\r\nevent: chunk\r\nid: 1\r\ndata: {\"choices\": [\r\ndata: {\"delta\": {\"content\": \"Yes\"}}]}\r\n\r\n\
        :\r\nretry: 5\r\ndata:{\"choices\":[{\"delta\":{\"content\":\".\"},\"finish_reason\":\"stop\"}]}\r\n\r\ndata:[DONE]\r\n\r\n";
    for size in [1, 7, 10_000] {
        let server = FakeModel::start([Reply::raw_sse(body).in_pieces(size)]);
        assert_eq!(ask(settings(&server)).await.text(), "Yes.", "{size}");
    }
    // A byte-order mark first, and no empty line after the last event.
    let server = FakeModel::start([Reply::raw_sse(
        "\u{feff}data: {\"choices\":[{\"delta\":{\"content\":\"Yes.\"},\"finish_reason\":\"stop\"}]}",
    )]);
    assert_eq!(ask(settings(&server)).await.text(), "Yes.");
}

fn delta(delta: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta}]})
}

/// The streams of lenient and broken servers, each with the answer that it gives.
#[tokio::test]
async fn odd_streams_give_their_answer() {
    let end = |reason: Value| json!({"choices": [{"delta": {}, "finish_reason": reason}], "usage": {}});
    for (chunks, text) in [
        (vec![delta(json!({"content": "A"})), end(json!(""))], "A"),
        (vec![delta(json!({"content": "A"})), end(json!("eos_token"))], "A"),
        (vec![delta(json!({"content": "A"}))], "A"),
        (vec![json!({"choices": [], "prompt_filter_results": [{}]}), delta(json!({"content": "A"})), end(json!("stop"))], "A"),
        (
            vec![
                delta(json!({"content": null})),
                delta(json!({"content": "", "role": "assistant"})),
                delta(json!({"content": "A"})),
            ],
            "A",
        ),
        (
            vec![json!({"id": 5, "created": 1.5, "model": null, "service_tier": "odd", "choices": [{"delta": {"content": "A"}}]})],
            "A",
        ),
        (vec![json!({"choices": [{"message": {"content": "A"}, "finish_reason": "stop"}]})], "A"),
    ] {
        let server = FakeModel::start([Reply::chunks(chunks.clone())]);
        let heard = ask(settings(&server)).await;
        assert_eq!(heard.text(), text, "{chunks:?}");
        assert_eq!((heard.turn().finish, heard.retries().len(), heard.turn().usage), (Finish::Stop, 0, None));
    }
}

#[tokio::test]
async fn odd_calls_are_understood() {
    let wanted = json!({"pages": "1,3"});
    for call in [
        json!({"index": 0, "id": "a", "type": "", "function": {"name": "get_page_content", "arguments": {"pages": "1,3"}}}),
        json!({"function": {"name": "get_page_content", "arguments": "{\"pages\": \"1,3\",}"}}),
        json!({"id": "", "index": null, "function": {"name": "get_page_content", "arguments": "[{\"pages\": \"1,3\"}]"}}),
        json!({"id": 3, "name": "get_page_content", "arguments": "{'pages': '1,3'}"}),
    ] {
        // A whole call in one chunk, without any finish chunk, with and without the end mark.
        let chunk = delta(json!({"content": null, "tool_calls": [call]}));
        for reply in [Reply::chunks([chunk.clone()]), Reply::raw_sse(format!("data: {chunk}\n\n"))] {
            let server = FakeModel::start([reply]);
            let heard = ask(settings(&server)).await;
            assert_eq!(heard.calls(), [("get_page_content", &wanted)], "{call}");
            assert_eq!((heard.turn().finish, heard.retries().len()), (Finish::ToolCalls, 0));
            let HistoryItem::ToolCall { id, .. } = &heard.turn().items[0] else { panic!("{:?}", heard.turn().items) };
            assert!(!id.is_empty());
        }
    }
}

#[tokio::test]
async fn broken_arguments_reach_the_caller_as_text() {
    let server = FakeModel::start([Reply::chunks([delta(
        json!({"tool_calls": [{"id": "a", "function": {"name": "get_page_content", "arguments": "pages 1 to 3"}}]}),
    )])]);
    assert_eq!(ask(settings(&server)).await.calls(), [("get_page_content", &json!("pages 1 to 3"))]);
}

#[tokio::test]
async fn calls_written_as_text_are_calls_and_are_not_shown() {
    let tag = "I look.\n<tool_call>\n{\"name\": \"get_page_content\", \"arguments\": {\"pages\": \"1,3\"}}\n</tool_call>";
    let fence = "I look.\n```json\n{\"name\": \"get_page_content\", \"arguments\": {\"pages\": \"1,3\"}}\n```";
    for text in [tag, fence] {
        let server = FakeModel::start([Reply::text(text)]);
        let heard = ask(settings(&server)).await;
        assert_eq!(heard.calls(), [("get_page_content", &json!({"pages": "1,3"}))]);
        assert_eq!((heard.text().trim(), heard.turn().finish), ("I look.", Finish::ToolCalls));
    }
    let server = FakeModel::start([Reply::text("Write ```rust\nfn main() {}\n``` so.")]);
    assert_eq!(ask(settings(&server)).await.text(), "Write ```rust\nfn main() {}\n``` so.");
}

#[tokio::test]
async fn reasoning_has_several_forms() {
    for (thought, text) in [
        (vec![delta(json!({"reasoning": "Hm."}))], "Yes."),
        (
            vec![delta(json!({"content": "<think>H"})), delta(json!({"content": "m.</thi"})), delta(json!({"content": "nk>"}))],
            "Yes.",
        ),
    ] {
        let chunks = thought.into_iter().chain([delta(json!({"content": "Yes."}))]);
        let server = FakeModel::start([Reply::chunks(chunks)]);
        let heard = ask(settings(&server)).await;
        assert_eq!((heard.thinking().as_str(), heard.text().as_str()), ("Hm.", text));
    }
}

#[tokio::test]
async fn fields_of_the_provider_come_back_unchanged() {
    let signature = json!({"google": {"thought_signature": "c2ln"}});
    let call = json!({"index": 0, "id": "function-call-1", "type": "function", "extra_content": signature,
        "function": {"name": "get_page_content", "arguments": "{\"pages\":\"1\"}"}});
    let first = Reply::chunks([
        delta(json!({"role": "assistant", "reasoning_content": "Hm", "tool_calls": [call]})),
        json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}),
    ]);
    let server = FakeModel::start([first, Reply::text("Done.")]).strict();
    let model = OpenAiModel::new(settings(&server)).unwrap();
    let mut history = vec![HistoryItem::User { text: "Q".into() }];
    history.extend(turn(&model, &history, ToolChoice::Auto).await.turn().items.clone());
    history.push(HistoryItem::ToolResult {
        id: "function-call-1".into(),
        name: "get_page_content".into(),
        content: "{}".into(),
        is_error: false,
        images: vec![],
    });
    // It survives being stored.
    let history: Vec<HistoryItem> = serde_json::from_value(serde_json::to_value(&history).unwrap()).unwrap();
    turn(&model, &history, ToolChoice::Auto).await.turn();
    let sent = server.requests()[1].messages()[2].clone();
    assert_eq!(sent["tool_calls"][0]["extra_content"], signature);
    assert_eq!(sent["reasoning_content"], "Hm");
}

#[tokio::test]
async fn a_server_may_answer_with_one_json_body() {
    let body = json!({"id": "x", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Yes\n\nno."}}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 1}});
    for reply in
        [Reply::json(&body), Reply::json(&body).in_pieces(3), Reply::json(&body).header("content-type", "text/event-stream")]
    {
        let server = FakeModel::start([reply]);
        let heard = ask(settings(&server)).await;
        assert_eq!(heard.text(), "Yes\n\nno.");
        assert_eq!(heard.turn().usage.map(|u| u.input_tokens), Some(5));
        assert_eq!(server.requests().len(), 1);
    }
}

/// Each refusal, with the field that must be gone or changed in the next request, which succeeds.
#[tokio::test]
async fn what_a_server_refuses_is_left_out_and_not_sent_again() {
    for (status, body, field, then) in [
        (
            400,
            json!({"error": {"message": "Unrecognized request argument supplied: stream_options"}}),
            "stream_options",
            Value::Null,
        ),
        (
            422,
            json!({"detail": [{"loc": ["body", "temperature"], "msg": "Extra inputs are not permitted"}]}),
            "temperature",
            Value::Null,
        ),
        (
            400,
            json!({"error": {"message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "param": "max_tokens"}}),
            "max_completion_tokens",
            json!(100),
        ),
        (400, json!({"error": "tool_choice is not supported"}), "tool_choice", Value::Null),
        (400, json!({"error": {"message": "This server does not support streaming"}}), "stream", json!(false)),
        (
            400,
            json!({"error": {"message": "\"fake\" does not support thinking", "type": "api_error"}}),
            "reasoning_effort",
            Value::Null,
        ),
        (
            500,
            json!({"error": {"code": 500, "message": "Cannot use tools with stream", "type": "server_error"}}),
            "stream",
            json!(false),
        ),
    ] {
        let server = FakeModel::start([Reply::error(status, body.clone()), Reply::text("One."), Reply::text("Two.")]);
        let model = OpenAiModel::new(settings(&server)).unwrap();
        for text in ["One.", "Two."] {
            let heard = turn(&model, &[HistoryItem::User { text: "Q".into() }], ToolChoice::None).await;
            assert_eq!((heard.text().as_str(), heard.retries().len()), (text, 0), "{body}");
        }
        let requests = server.requests();
        assert_eq!(requests.len(), 3, "{body}");
        for request in &requests[1..] {
            assert_eq!(request.body.get(field).unwrap_or(&Value::Null), &then, "{body}");
        }
    }
}

/// llama.cpp makes a grammar of the schemas, and its reader knows no escaped classes.
#[tokio::test]
async fn llama_cpp_gets_schemas_that_it_can_read() {
    let grammar = Reply::error(
        400,
        json!({"error": {"code": 400, "message": "Failed to initialize samplers: failed to parse grammar", "type": "invalid_request_error"}}),
    );
    let server = FakeModel::start([grammar, Reply::text("One."), Reply::text("Two.")]);
    let model = OpenAiModel::new(settings(&server)).unwrap();
    for text in ["One.", "Two."] {
        assert_eq!(turn(&model, &[HistoryItem::User { text: "Q".into() }], ToolChoice::Auto).await.text(), text);
    }
    let schemas: Vec<Value> =
        server.requests().iter().map(|r| r.body["tools"][0]["function"]["parameters"]["properties"]["pages"].clone()).collect();
    let narrow = json!({"type": "string", "minLength": 1, "pattern": "^[0-9]+(, *[0-9]+)*$"});
    assert_eq!(schemas, [narrow, json!({"type": "string"}), json!({"type": "string"})]);
}

#[tokio::test]
async fn a_length_stop_and_a_refusal_are_told() {
    let server = FakeModel::start([Reply::text("Half an").finish("length"), Reply::text("").finish("content_filter")]);
    assert_eq!(ask(settings(&server)).await.turn().finish, Finish::Length);
    let refused = ask(settings(&server)).await;
    assert_eq!((refused.turn().finish, refused.turn().items.len()), (Finish::Refused, 0));
}

#[tokio::test]
async fn settings_reach_the_request() {
    let server = FakeModel::start([Reply::text("Yes.")]);
    let mut with = settings(&server);
    with.api_key = None;
    with.base_url.push('/');
    with.organization = Some("org-1".into());
    with.extra_headers.insert("x-title".into(), "pagewise".into());
    with.extra_body.insert("reasoning_effort".into(), "low".into());
    let model = OpenAiModel::new(with).unwrap();
    assert_eq!(model.label(), format!("fake at {}", server.host()));
    assert_eq!(model.destination(), Some(server.host()));
    turn(&model, &[HistoryItem::User { text: "Q".into() }], ToolChoice::Auto).await.turn();
    let request = &server.requests()[0];
    assert_eq!(request.path, "/v1/chat/completions");
    assert_eq!(request.header("authorization"), None);
    assert_eq!((request.header("openai-organization"), request.header("x-title")), (Some("org-1"), Some("pagewise")));
    assert_eq!(request.body["reasoning_effort"], "low");
    assert_eq!(tools().len(), 2);
}

#[tokio::test]
async fn many_turns_at_once_do_not_mix() {
    let server = FakeModel::answering(|request| Reply::text(format!("Answer to {}", request.texts("user")[0])).in_pieces(11));
    let model = OpenAiModel::new(settings(&server)).unwrap();
    let asks = (0..40).map(|n| {
        let model = &model;
        async move {
            let heard = turn(model, &[HistoryItem::User { text: format!("question {n}") }], ToolChoice::Auto).await;
            assert_eq!(heard.text(), format!("Answer to question {n}"));
        }
    });
    futures::future::join_all(asks).await;
    assert_eq!(server.requests().len(), 40);
}

#[tokio::test]
async fn deltas_come_while_the_server_still_writes() {
    let server = FakeModel::start([Reply::text("One two").stall_after(400, std::time::Duration::from_secs(20))]);
    let model = OpenAiModel::new(settings(&server)).unwrap();
    let (send, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let running = async {
        let history = [HistoryItem::User { text: "Q".into() }];
        let request = pagewise::model::ChatRequest {
            instructions: "",
            history: &history,
            tools: &[],
            tool_choice: ToolChoice::Auto,
            max_output_tokens: None,
            temperature: None,
            reasoning_effort: None,
        };
        model.turn(request, &mut |delta| drop(send.send(delta))).await
    };
    // Dropping the future in the middle is how a turn is cancelled.
    tokio::select! {
        _ = running => panic!("the server was still writing"),
        delta = heard.recv() => assert_eq!(delta, Some(ModelDelta::Text("One ".into()))),
    }
}
