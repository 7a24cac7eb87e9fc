use super::*;
use crate::model::ToolSpec;

fn settings() -> OpenAiSettings {
    OpenAiSettings { model: "m".into(), ..OpenAiSettings::default() }
}

fn call(id: &str, payload: Option<Value>) -> HistoryItem {
    HistoryItem::ToolCall { id: id.into(), name: "f".into(), arguments: json!({"x": 1}), payload }
}

fn result(id: &str) -> HistoryItem {
    HistoryItem::ToolResult { id: id.into(), name: "f".into(), content: format!("result {id}"), is_error: false, images: vec![] }
}

fn request(history: &[HistoryItem]) -> ChatRequest<'_> {
    ChatRequest {
        instructions: "",
        history,
        tools: &[],
        tool_choice: ToolChoice::Auto,
        max_output_tokens: None,
        temperature: None,
        reasoning_effort: None,
    }
}

#[test]
fn a_history_becomes_messages() {
    let history = [
        HistoryItem::User { text: "Q".into() },
        HistoryItem::Assistant {
            text: "Looking.".into(),
            payload: Some(json!({"by": "m", "message": {"reasoning_details": [1]}})),
        },
        call("a", Some(json!({"by": "m", "call": {"extra_content": {"s": 1}, "function": {"thought_signature": "t"}}}))),
        call("b", None),
        result("a"),
        result("b"),
        HistoryItem::ToolCall { id: "c".into(), name: "f".into(), arguments: json!("x: 1"), payload: None },
        result("c"),
        HistoryItem::Assistant { text: "A".into(), payload: None },
    ];
    let sent = messages(&ChatRequest { instructions: "Do.", ..request(&history) }, &Dialect::new(false), "m", false);
    assert_eq!(
        Value::from(sent),
        json!([
            {"role": "system", "content": "Do."},
            {"role": "user", "content": "Q"},
            {"role": "assistant", "content": "Looking.", "reasoning_details": [1], "tool_calls": [
                {"id": "a", "type": "function", "extra_content": {"s": 1}, "function": {"name": "f", "arguments": "{\"x\":1}", "thought_signature": "t"}},
                {"id": "b", "type": "function", "function": {"name": "f", "arguments": "{\"x\":1}"}},
            ]},
            {"role": "tool", "tool_call_id": "a", "content": "result a"},
            {"role": "tool", "tool_call_id": "b", "content": "result b"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{\"unparsed\":\"x: 1\"}"}},
            ]},
            {"role": "tool", "tool_call_id": "c", "content": "result c"},
            {"role": "assistant", "content": "A"},
        ])
    );
    assert_eq!(payload_fields(&history, "m"), ["extra_content", "reasoning_details", "thought_signature"]);
    assert!(payload_fields(&history, "another").is_empty());
    // Neither to a server that refused them nor to another model.
    let refused = Dialect { payloads: false, ..Dialect::new(false) };
    for (dialect, author) in [(refused, "m"), (Dialect::new(false), "another")] {
        let plain = Value::from(messages(&request(&history), &dialect, author, false)).to_string();
        assert!(!plain.contains("extra_content") && !plain.contains("reasoning_details") && !plain.contains("thought_signature"));
    }
}

#[test]
fn parameters_follow_request_settings_and_dialect() {
    let tools = [ToolSpec { name: "f".into(), description: "d".into(), schema: json!({"type": "object"}) }];
    let request = ChatRequest {
        instructions: "",
        history: &[],
        tools: &tools,
        tool_choice: ToolChoice::None,
        max_output_tokens: Some(9),
        temperature: Some(0.2),
        reasoning_effort: None,
    };
    let mut settings = settings();
    settings.extra_body = json!({"seed": 1, "stream_options": null}).as_object().unwrap().clone();
    assert_eq!(
        body(&settings, &request, &Dialect::new(false), "m"),
        json!({"model": "m", "messages": [], "stream": true, "tool_choice": "none", "max_tokens": 9, "temperature": 0.2, "seed": 1,
            "tools": [{"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object"}}}]})
    );
    let openai = body(&settings, &request, &Dialect::new(true), "m");
    assert_eq!((openai["max_completion_tokens"].clone(), openai.get("max_tokens")), (json!(9), None));
    let none = body(&settings, &ChatRequest { tools: &[], ..request }, &Dialect::new(false), "m");
    assert!(none.get("tools").is_none() && none.get("tool_choice").is_none());
    let auto = body(&settings, &ChatRequest { tool_choice: ToolChoice::Auto, ..request }, &Dialect::new(false), "m");
    assert!(auto.get("tool_choice").is_none() && auto["tools"].is_array());
}

#[test]
fn schemas_and_effort_follow_the_dialect() {
    let schema = json!({"type": "object", "properties": {"pages": {"type": "string", "minLength": 1, "pattern": "^\\d+$"}}});
    let tools = [ToolSpec { name: "f".into(), description: "d".into(), schema }];
    let request = ChatRequest {
        instructions: "",
        history: &[],
        tools: &tools,
        tool_choice: ToolChoice::Auto,
        max_output_tokens: None,
        temperature: None,
        reasoning_effort: Some(crate::model::ReasoningEffort::Low),
    };
    let pages = |body: &Value| body["tools"][0]["function"]["parameters"]["properties"]["pages"].clone();
    let first = body(&settings(), &request, &Dialect::new(false), "m");
    assert_eq!(pages(&first), json!({"type": "string", "minLength": 1, "pattern": "^[0-9]+$"}));
    assert_eq!(first["reasoning_effort"], "low");
    let mut learned = Dialect::new(false);
    (learned.narrow_schemas, learned.reasoning_effort) = (false, false);
    let second = body(&settings(), &request, &learned, "m");
    assert_eq!((pages(&second), second.get("reasoning_effort")), (json!({"type": "string"}), None));
}

/// A conversation that another model began.
#[test]
fn calls_get_what_a_server_insists_on() {
    let long = "chatcmpl-tool-0a1b2c3d4e5f60718293a4b5c6d7e8f9";
    let own = call("b", Some(json!({"by": "m", "message": {"reasoning_content": "hm"}, "call": {"extra_content": {"s": 1}}})));
    let history = [call(long, None), result(long), own, result("b"), HistoryItem::Assistant { text: "A".into(), payload: None }];
    let needed = Needed { reasoning: true, signatures: true };
    let dialect = Dialect { plain_ids: true, needed, ..Dialect::new(false) };
    let sent = messages(&request(&history), &dialect, "m", false);
    let ids =
        [&sent[0]["tool_calls"][0]["id"], &sent[1]["tool_call_id"], &sent[2]["tool_calls"][0]["id"], &sent[3]["tool_call_id"]];
    assert_eq!(ids, ["call00001", "call00001", "call00002", "call00002"]);
    assert_eq!((&sent[0]["reasoning_content"], &sent[2]["reasoning_content"]), (&json!(""), &json!("hm")));
    let skip = json!({"google": {"thought_signature": "skip_thought_signature_validator"}});
    assert_eq!(sent[0]["tool_calls"][0]["extra_content"], skip);
    assert_eq!(sent[2]["tool_calls"][0]["extra_content"], json!({"s": 1}));
    assert_eq!(sent[4], json!({"role": "assistant", "content": "A"}));
}

#[test]
fn instructions_stand_before_the_first_words_where_they_have_no_role() {
    let history = [
        HistoryItem::User { text: "Q".into() },
        HistoryItem::Assistant { text: "A".into(), payload: None },
        HistoryItem::User { text: "And now?".into() },
    ];
    let asked = ChatRequest { instructions: "Do.", ..request(&history) };
    let sent = messages(&asked, &Dialect { system: false, ..Dialect::new(false) }, "m", false);
    let contents: Vec<&Value> = sent.iter().map(|message| &message["content"]).collect();
    assert_eq!(contents, ["Do.\n\nQ", "A", "And now?"]);
}

#[test]
fn names_of_calls_are_such_as_every_server_takes() {
    for (name, sent) in [
        ("get_page_content", "get_page_content"),
        ("\u{1b}[2Jevil name", "__2Jevil_name"),
        ("seitenübersicht", "seiten_bersicht"),
        ("", "unnamed"),
    ] {
        assert_eq!(wire_name(name), sent);
    }
    assert_eq!(wire_name(&"n".repeat(500)).len(), 64);
}
