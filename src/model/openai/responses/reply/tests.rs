use super::*;

struct Heard {
    text: String,
    thinking: String,
    turn: ChatTurn,
}

fn tools() -> Vec<ToolSpec> {
    vec![ToolSpec { name: "f".into(), description: String::new(), schema: json!({}) }]
}

fn heard(events: impl IntoIterator<Item = Value>) -> Heard {
    let tools = tools();
    let (mut text, mut thinking) = (String::new(), String::new());
    let mut hear = |delta| match delta {
        ModelDelta::Text(more) => text.push_str(&more),
        ModelDelta::Thinking(more) => thinking.push_str(&more),
        other => panic!("{other:?}"),
    };
    let mut assembly = Assembly::new(&tools);
    for event in events {
        assembly.push(event, &mut hear);
    }
    assert!(assembly.is_over() && assembly.error.is_none());
    let turn = assembly.finish("host m", BTreeSet::from(["taken".to_owned()]), &mut hear);
    Heard { text, thinking, turn }
}

fn message(text: &str) -> Value {
    json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}]})
}

fn call(id: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "id": "fc_1", "call_id": id, "name": "f", "arguments": arguments, "status": "completed"})
}

fn reasoning() -> Value {
    json!({"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Hm."}], "encrypted_content": "gAAA"})
}

fn completed(output: Vec<Value>) -> Value {
    json!({"type": "response.completed", "response": {"object": "response", "status": "completed", "output": output,
        "usage": {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 4}, "output_tokens": 5, "output_tokens_details": {"reasoning_tokens": 3}}}})
}

#[test]
fn reasoning_text_and_calls_keep_their_order_and_what_must_be_sent_back() {
    let Heard { text, thinking, turn } = heard([
        json!({"type": "response.created", "response": {"status": "in_progress"}}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": {"type": "reasoning"}}),
        json!({"type": "response.reasoning_summary_text.delta", "delta": "Hm."}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": reasoning()}),
        json!({"type": "response.output_text.delta", "output_index": 1, "delta": "Let me "}),
        json!({"type": "response.output_text.delta", "output_index": 1, "delta": "look."}),
        json!({"type": "response.output_item.done", "output_index": 1, "item": message("Let me look.")}),
        json!({"type": "response.function_call_arguments.delta", "delta": "{"}),
        json!({"type": "response.output_item.done", "output_index": 2, "item": call("c1", "{\"x\":1}")}),
        json!({"type": "response.output_item.done", "output_index": 3, "item": call("taken", "")}),
        json!({"type": "response.something.new", "message": "no failure"}),
        completed(vec![]),
    ]);
    assert_eq!((text.as_str(), thinking.as_str(), turn.finish), ("Let me look.", "Hm.", Finish::ToolCalls));
    assert_eq!(turn.usage, Some(Usage { input_tokens: 10, cached_tokens: 4, output_tokens: 5, requests: 0 }));
    let back = |items: Value| Some(json!({"responses": {"by": "host m", "items": items}}));
    assert_eq!(
        turn.items,
        [
            HistoryItem::Assistant { text: "Let me look.".into(), payload: back(json!([reasoning(), message("Let me look.")])) },
            HistoryItem::ToolCall {
                id: "c1".into(),
                name: "f".into(),
                arguments: json!({"x": 1}),
                payload: back(json!([call("c1", "{\"x\":1}")]))
            },
            HistoryItem::ToolCall {
                id: "call00003".into(),
                name: "f".into(),
                arguments: json!({}),
                payload: back(json!([call("taken", "")]))
            },
        ]
    );
}

#[test]
fn items_may_stand_in_the_last_event_alone_or_in_one_plain_reply() {
    let items = vec![reasoning(), message("Five.")];
    let plain =
        json!({"object": "response", "status": "completed", "error": null, "incomplete_details": null, "output": items.clone()});
    for events in [vec![completed(items)], vec![plain]] {
        let Heard { text, turn, .. } = heard(events);
        assert_eq!(text, "Five.");
        assert!(matches!(&turn.items[..], [HistoryItem::Assistant { text, .. }] if text == "Five."), "{turn:?}");
        assert_eq!(turn.finish, Finish::Stop);
    }
}

#[test]
fn an_incomplete_reply_says_why_and_a_call_that_was_cut_is_none() {
    let incomplete = |reason: &str| json!({"type": "response.incomplete", "response": {"status": "incomplete", "incomplete_details": {"reason": reason}}});
    let cut = json!({"type": "response.output_item.done", "output_index": 0, "item": call("c", "{\"x\": ")});
    let turn = heard([cut, incomplete("max_output_tokens")]).turn;
    assert_eq!((turn.items.len(), turn.finish), (0, Finish::Length));
    let said = json!({"type": "response.output_text.delta", "delta": "So f"});
    let turn = heard([said, incomplete("content_filter")]).turn;
    assert_eq!((turn.items.len(), turn.finish), (1, Finish::Refused));
    let refusal = json!({"type": "response.refusal.delta", "delta": "I cannot."});
    assert_eq!(heard([refusal, completed(vec![])]).turn.finish, Finish::Refused);
}

#[test]
fn a_call_written_as_text_is_a_call() {
    let text = "<tool_call>{\"name\": \"f\", \"arguments\": {\"x\": 1}}</tool_call>";
    let heard = heard([
        json!({"type": "response.output_text.delta", "delta": text}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": message(text)}),
        completed(vec![]),
    ]);
    assert_eq!(heard.text, "");
    assert!(matches!(&heard.turn.items[..], [HistoryItem::ToolCall { payload: None, .. }]), "{:?}", heard.turn.items);
}

#[test]
fn failures_are_read_wherever_they_stand() {
    for (event, code) in [
        (json!({"type": "error", "code": "rate_limit_exceeded", "message": "Slow down.", "param": null}), "rate_limit_exceeded"),
        (
            json!({"type": "response.failed", "response": {"status": "failed", "error": {"code": "server_error", "message": "Slow down."}}}),
            "server_error",
        ),
        (json!({"type": "error", "error": {"code": "x", "message": "Slow down."}}), "x"),
        (json!({"object": "response", "status": "failed", "error": {"code": "y", "message": "Slow down."}}), "y"),
        (json!({"error": {"code": "z", "message": "Slow down."}}), "z"),
    ] {
        let tools = tools();
        let mut assembly = Assembly::new(&tools);
        assembly.push(event.clone(), &mut |_| {});
        let error = assembly.take_error().unwrap();
        assert_eq!((error.message.as_str(), error.code.as_str()), ("Slow down.", code), "{event}");
    }
}

#[test]
fn two_messages_are_two_paragraphs_however_they_come() {
    let two = vec![
        reasoning(),
        message("I look."),
        json!({"type": "message", "id": "msg_2", "content": [{"type": "output_text", "text": "Yes."}]}),
    ];
    let delta = |id: &str, text: &str| json!({"type": "response.output_text.delta", "item_id": id, "delta": text});
    let streamed = [delta("msg_1", "I "), delta("msg_1", "look."), delta("msg_2", "Yes."), completed(two.clone())];
    for heard in [heard(streamed), heard([completed(two)])] {
        assert_eq!(heard.text, "I look.\n\nYes.");
        let texts: String = heard
            .turn
            .items
            .iter()
            .map(|item| match item {
                HistoryItem::Assistant { text, .. } => text.as_str(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(texts, heard.text, "what was shown is what is kept");
    }
}

#[test]
fn what_is_no_item_is_left_out() {
    let done = |item: Value| json!({"type": "response.output_item.done", "item": item});
    let whole = completed(vec![Value::Null, json!("x"), reasoning(), call("a", "{}")]);
    let streamed = [done(Value::Null), done(json!([])), done(reasoning()), done(call("a", "{}")), completed(vec![])];
    for heard in [heard(streamed), heard([whole])] {
        let [HistoryItem::ToolCall { payload: Some(payload), .. }] = heard.turn.items.as_slice() else {
            panic!("{:?}", heard.turn)
        };
        assert_eq!(payload["responses"]["items"], json!([reasoning(), call("a", "{}")]));
    }
}
