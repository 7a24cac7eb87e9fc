use super::*;
use crate::model::{Image, ReasoningEffort, ToolSpec};

fn settings() -> OpenAiSettings {
    OpenAiSettings { model: "m".into(), images: true, ..OpenAiSettings::default() }
}

fn result(id: &str, images: Vec<Image>) -> HistoryItem {
    HistoryItem::ToolResult { id: id.into(), name: "f".into(), content: format!("result {id}"), is_error: false, images }
}

fn image() -> Image {
    Image { mime: "image/png".into(), data: "AAAA".into() }
}

#[test]
fn a_history_becomes_items_and_reasoning_comes_back_before_its_call() {
    let reasoning = json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"});
    let call = json!({"type": "function_call", "id": "fc_1", "call_id": "old", "name": "f", "arguments": "{\"x\": 1}", "status": "completed"});
    let payload = json!({"responses": {"by": "host m", "items": [reasoning, call]}});
    let history = [
        HistoryItem::User { text: "Q".into() },
        HistoryItem::Assistant { text: "Looking.".into(), payload: Some(json!({"message": {"of_the_other": 1}})) },
        HistoryItem::ToolCall { id: "a".into(), name: "f".into(), arguments: json!({"x": 1}), payload: Some(payload) },
        HistoryItem::ToolCall { id: "b".into(), name: "f".into(), arguments: json!("x: 1"), payload: None },
        result("a", vec![]),
        result("b", vec![image()]),
        HistoryItem::Assistant { text: "A".into(), payload: None },
    ];
    let start = Dialect::new(true);
    let plain_call = json!({"type": "function_call", "call_id": "a", "name": "f", "arguments": "{\"x\":1}"});
    let mut expected = json!([
        {"role": "user", "content": "Q"},
        {"type": "message", "role": "assistant", "content": "Looking."},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"},
        {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "f", "arguments": "{\"x\": 1}", "status": "completed"},
        {"type": "function_call", "call_id": "b", "name": "f", "arguments": "{\"unparsed\":\"x: 1\"}"},
        {"type": "function_call_output", "call_id": "a", "output": "result a"},
        {"type": "function_call_output", "call_id": "b", "output": [
            {"type": "input_text", "text": "result b"},
            {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
        ]},
        {"type": "message", "role": "assistant", "content": "A"},
    ]);
    assert_eq!(Value::from(input(&history, "host m", &start, true)), expected);
    // Another model, or a server that refuses it, gets the call in plain words.
    let items = expected.as_array_mut().unwrap();
    items.remove(2);
    items[2] = plain_call;
    items[5]["output"] = "result b\n[An image came with this; it cannot be shown to you.]".into();
    assert_eq!(Value::from(input(&history, "host other", &start, false)), expected);
    assert_eq!(Value::from(input(&history, "host m", &Dialect { payloads: false, ..start }, false)), expected);
}

#[test]
fn parameters_follow_request_settings_and_dialect() {
    let tools = [ToolSpec { name: "f".into(), description: "d".into(), schema: json!({"type": "object"}) }];
    let request = ChatRequest {
        instructions: "Do.",
        history: &[],
        tools: &tools,
        tool_choice: ToolChoice::None,
        max_output_tokens: Some(9),
        temperature: Some(0.2),
        reasoning_effort: Some(ReasoningEffort::Low),
    };
    let start = Dialect::new(true);
    let tool = json!([{"type": "function", "name": "f", "description": "d", "parameters": {"type": "object"}, "strict": false}]);
    assert_eq!(
        body(&settings(), &request, &start, "host m"),
        json!({"model": "m", "instructions": "Do.", "input": [], "stream": true, "store": false,
            "include": ["reasoning.encrypted_content"], "tools": tool, "tool_choice": "none", "max_output_tokens": 9,
            "temperature": 0.2, "reasoning": {"effort": "low", "summary": "auto"}})
    );
    let mut least = start;
    (least.store, least.encrypted, least.reasoning_effort, least.temperature, least.tool_choice) =
        (false, false, false, false, false);
    (least.output_bound, least.summary) = (OutputBound::None, false);
    let with = OpenAiSettings { extra_body: serde_json::from_value(json!({"seed": 1})).unwrap(), ..settings() };
    assert_eq!(
        body(&with, &request, &least, "host m"),
        json!({"model": "m", "instructions": "Do.", "input": [], "stream": true, "tools": tool, "seed": 1})
    );
}

#[test]
fn broken_arguments_go_back_in_a_form_that_can_be_read() {
    let call = |arguments: Value, raw: Value| {
        let item = json!({"type": "function_call", "id": "fc_1", "call_id": "a", "name": "f", "arguments": raw});
        let payload = Some(json!({"responses": {"by": "host m", "items": [item]}}));
        let history = [HistoryItem::ToolCall { id: "a".into(), name: "f".into(), arguments, payload }];
        input(&history, "host m", &Dialect::new(true), false)[0]["arguments"].clone()
    };
    // As it came, to the last blank.
    assert_eq!(call(json!({"x": 1}), json!("{ \"x\":1 }")), "{ \"x\":1 }");
    // Repaired, and beyond repair.
    assert_eq!(call(json!({"x": 1}), json!("{\"x\": 1,}")), "{\"x\":1}");
    assert_eq!(call(json!("{\"x\": \"1"), json!("{\"x\": \"1")), json!({"unparsed": "{\"x\": \"1"}).to_string());
    assert_eq!(call(json!({}), Value::Null), "{}");
}

#[test]
fn calls_of_another_server_may_get_plain_ids() {
    let long = "chatcmpl-tool-0a1b2c3d4e5f60718293a4b5c6d7e8f9";
    let history =
        [HistoryItem::ToolCall { id: long.into(), name: "f".into(), arguments: json!({}), payload: None }, result(long, vec![])];
    let sent = input(&history, "host m", &Dialect { plain_ids: true, ..Dialect::new(true) }, false);
    assert_eq!((&sent[0]["call_id"], &sent[1]["call_id"]), (&json!("call00001"), &json!("call00001")));
}
