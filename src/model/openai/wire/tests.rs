use serde_json::json;

use super::*;

#[test]
fn chunks_of_all_servers_are_read() {
    let text = |value: Value| Chunk::read(value).text;
    assert_eq!(text(json!({"choices": [{"index": 0, "delta": {"content": "a"}}]})), "a");
    // Missing, null or odd fields around it.
    assert_eq!(
        text(
            json!({"id": null, "created": 1.5, "service_tier": "odd", "choices": [{"delta": {"content": "a"}, "finish_reason": 7}]})
        ),
        "a"
    );
    assert_eq!(text(json!({"choices": [{"index": 0, "message": {"content": "a"}, "delta": {}}]})), "a");
    assert_eq!(
        text(json!({"choices": [{"delta": {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}}]})),
        "ab"
    );
    assert_eq!(
        text(json!({"choices": [{"index": 1, "delta": {"content": "other"}}, {"index": 0, "delta": {"content": "a"}}]})),
        "a"
    );
    for empty in [
        json!({"choices": []}),
        json!({"choices": [{}]}),
        json!({"choices": [{"delta": null}]}),
        json!({"choices": [{"delta": {"content": null}}]}),
    ] {
        assert_eq!(Chunk::read(empty), Chunk { is_reply: true, ..Chunk::default() });
    }
    assert_eq!(Chunk::read(json!({"type": "ping"})), Chunk::default());
}

#[test]
fn reasoning_has_three_names() {
    for message in [
        json!({"reasoning_content": "hm"}),
        json!({"reasoning": "hm"}),
        json!({"reasoning_content": "hm", "reasoning": "hm"}),
        json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]}),
    ] {
        assert_eq!(Chunk::read(json!({"choices": [{"delta": message}]})).thinking, "hm");
    }
}

#[test]
fn calls_are_read_in_every_shape() {
    let calls = |value: Value| Chunk::read(json!({"choices": [{"delta": value}]})).calls;
    let whole = calls(json!({"tool_calls": [{"id": 7, "function": {"name": "f", "arguments": {"a": 1}}}]}));
    assert_eq!(
        whole[0],
        CallPart { id: "7".into(), name: "f".into(), arguments: Some(Arguments::Whole(json!({"a": 1}))), ..CallPart::default() }
    );
    let flat = calls(json!({"tool_calls": {"index": 2, "type": "", "name": "f", "arguments": "{}"}}));
    assert_eq!(
        flat[0],
        CallPart { index: Some(2), name: "f".into(), arguments: Some(Arguments::Piece("{}".into())), ..CallPart::default() }
    );
    assert_eq!(calls(json!({"function_call": {"name": "f"}}))[0].name, "f");
    let signed = calls(json!({"tool_calls": [{"id": "a", "extra_content": {"google": {"thought_signature": "s"}},
        "function": {"name": "f", "arguments": "{}", "thought_signature": "t"}}]}));
    assert_eq!(
        Value::Object(signed[0].extra.clone()),
        json!({"extra_content": {"google": {"thought_signature": "s"}}, "function": {"thought_signature": "t"}})
    );
}

#[test]
fn usage_is_found_under_its_names_and_an_empty_one_is_none() {
    let usage = |value: Value| Chunk::read(value).usage.map(|u| (u.input_tokens, u.cached_tokens, u.output_tokens));
    assert_eq!(
        usage(json!({"usage": {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}})),
        Some((9, 4, 2))
    );
    assert_eq!(
        usage(json!({"choices": [{"usage": {"input_tokens": 9.0, "output_tokens": 2, "cached_tokens": 1}}]})),
        Some((9, 1, 2))
    );
    assert_eq!(usage(json!({"choices": [], "x_groq": {"usage": {"prompt_tokens": 3}}})), Some((3, 0, 0)));
    for (total, written) in [(21, 12), (14, 5)] {
        let counts = json!({"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": total, "completion_tokens_details": {"reasoning_tokens": 7}});
        assert_eq!(usage(json!({"usage": counts})), Some((9, 0, written)));
    }
    for none in
        [json!({}), json!({"usage": null}), json!({"usage": {}}), json!({"usage": {"prompt_tokens": 0}}), json!({"usage": "x"})]
    {
        assert_eq!(usage(none), None);
    }
}

#[test]
fn errors_of_all_shapes_are_read() {
    for (body, message) in [
        (json!({"error": {"message": "no", "code": 502}}), "no"),
        (json!({"error": "no"}), "no"),
        (json!({"object": "error", "message": "no", "code": 400}), "no"),
        (json!({"detail": "no"}), "no"),
        (json!({"detail": [{"loc": ["body", "temperature"], "msg": "no"}, {"msg": "never"}]}), "no; never"),
        (json!([{"error": {"message": "no", "status": "INVALID_ARGUMENT"}}]), "no"),
        (json!({"choices": [{"error": {"message": "no"}, "finish_reason": "error"}]}), "no"),
        (json!({"error": {"message": "Provider returned error", "metadata": {"raw": "no"}}}), "Provider returned error: no"),
    ] {
        assert_eq!(Chunk::read(body.clone()).error.map(|e| e.message).as_deref(), Some(message), "{body}");
    }
    assert_eq!(Chunk::read(json!({"error": null, "choices": []})).error, None);
    assert_eq!(WireError::from_body(b"<html><h1>502</h1>Bad Gateway</html>").message, "502 Bad Gateway");
    assert_eq!(WireError::from_body(b"").message, "");
}

#[test]
fn later_pieces_of_provider_fields_are_merged() {
    let mut fields = Map::new();
    for piece in [
        json!({"a": "x", "l": [1], "o": {"p": "1"}, "n": 1, "again": "same"}),
        json!({"a": "y", "l": [2], "o": {"p": "2", "q": true}, "n": 2, "again": "same"}),
    ] {
        merge(&mut fields, piece.as_object().unwrap().clone());
    }
    assert_eq!(Value::Object(fields), json!({"a": "xy", "l": [1, 2], "o": {"p": "12", "q": true}, "n": 2, "again": "same"}));
}
