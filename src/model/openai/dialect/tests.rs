use serde_json::{Value, json};

use super::*;
use crate::model::ModelError;
use crate::model::openai::failure::{Again, WireError};

fn refused(status: u16, body: &Value) -> Failure {
    let mut failure = Failure::new(ModelError::new(ModelErrorKind::Refused, "refused"), Again::Never);
    failure.error.status = Some(status);
    failure.wire = WireError::from_body(body.to_string().as_bytes());
    failure
}

#[test]
fn each_named_parameter_is_left_out_once() {
    let start = Dialect::new(false);
    let sent = json!({"stream": true, "stream_options": {}, "max_tokens": 1, "temperature": 0.0, "tool_choice": "none"});
    let after = |body: Value| start.after(&refused(400, &body), &sent, &["thought_signature".to_owned()]);
    let say = |text: &str| json!({"error": {"message": text}});

    assert_eq!(
        after(say("Unrecognized request argument supplied: stream_options")),
        Some(Dialect { stream_options: false, ..start })
    );
    assert_eq!(
        after(json!({"detail": [{"loc": ["body", "stream_options"], "msg": "extra fields not permitted"}]})),
        Some(Dialect { stream_options: false, ..start })
    );
    assert_eq!(
        after(say("Unsupported value: 'temperature' does not support 0 with this model.")),
        Some(Dialect { temperature: false, ..start })
    );
    assert_eq!(after(json!({"error": "tool_choice is not supported"})), Some(Dialect { tool_choice: false, ..start }));
    assert_eq!(
        after(say("Streaming is not supported for this model")),
        Some(Dialect { stream: false, stream_options: false, ..start })
    );
    assert_eq!(after(say("Unknown name \"thought_signature\"")), Some(Dialect { payloads: false, ..start }));
    assert_eq!(after(say("The model is out of order")), None);
    for words in [
        "Failed to initialize samplers: failed to parse grammar",
        "Invalid schema for function 'get_page_content': 'pattern' is not permitted",
        "Invalid JSON payload received. Unknown name \"maximum\" at 'tools[0].function_declarations[0].parameters'",
        "Grammar error: Unsupported regex",
    ] {
        let sent = json!({"tools": [{}]});
        let next = start.after(&refused(400, &say(words)), &sent, &[]);
        assert_eq!(next, Some(Dialect { narrow_schemas: false, ..start }), "{words}");
        assert_eq!(next.unwrap().after(&refused(400, &say(words)), &sent, &[]), None);
        assert_eq!(start.after(&refused(400, &say(words)), &json!({}), &[]), None);
    }
    // Servers as they refuse the effort: OpenAI, Groq, Ollama, a Pydantic one.
    let with_effort = json!({"reasoning_effort": "minimal"});
    for body in [
        json!({"error": {"message": "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model.", "param": "reasoning_effort"}}),
        say("reasoning_effort is not supported with this model"),
        json!({"error": {"message": "\"llama3:8b\" does not support thinking"}}),
        json!({"detail": [{"loc": ["body", "reasoning_effort"], "msg": "Extra inputs are not permitted"}]}),
    ] {
        assert_eq!(
            start.after(&refused(400, &body), &with_effort, &[]),
            Some(Dialect { reasoning_effort: false, ..start }),
            "{body}"
        );
    }
    // Of a conversation that another model began.
    let calls = json!({"messages": [{"role": "assistant", "tool_calls": [{}]}]});
    for (words, next) in [
        (
            "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 46 instead.",
            Dialect { plain_ids: true, ..start },
        ),
        ("Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.", Dialect { plain_ids: true, ..start }),
        (
            "Missing `reasoning_content` field in the assistant message at message index 2.",
            Dialect { needed: Needed { reasoning: true, signatures: false }, ..start },
        ),
        (
            "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.",
            Dialect { needed: Needed { reasoning: false, signatures: true }, ..start },
        ),
    ] {
        assert_eq!(start.after(&refused(400, &say(words)), &calls, &[]), Some(next), "{words}");
        assert_eq!(next.after(&refused(400, &say(words)), &calls, &[]), None, "{words}");
    }
    // What only the Responses API has.
    let reasoning = json!({"reasoning": {"effort": "low", "summary": "auto"}});
    let about = |message: &str, param: &str| {
        start.after(&refused(400, &json!({"error": {"message": message, "param": param}})), &reasoning, &[])
    };
    let unverified = "Your organization must be verified to generate reasoning summaries.";
    assert_eq!(about(unverified, "reasoning.summary"), Some(Dialect { summary: false, ..start }));
    assert_eq!(about("Unsupported parameter", "reasoning.effort"), Some(Dialect { reasoning_effort: false, ..start }));
    assert_eq!(about("Unknown field", "reasoning"), Some(Dialect { reasoning_effort: false, summary: false, ..start }));
    // The message may quote the whole request; the parameter is what counts.
    assert_eq!(after(json!({"error": {"message": "bad: {stream: true, temperature: 0}", "param": "messages"}})), None);
}

#[test]
fn the_output_bound_changes_its_name_then_goes() {
    let say = |name: &str| refused(400, &json!({"error": {"message": format!("Unsupported parameter: '{name}'"), "param": name}}));
    let first = Dialect::new(false).after(&say("max_tokens"), &json!({"max_tokens": 5}), &[]).unwrap();
    assert_eq!(first.output_bound, OutputBound::MaxCompletionTokens);
    let second = first.after(&say("max_completion_tokens"), &json!({"max_completion_tokens": 5}), &[]).unwrap();
    assert_eq!(second.output_bound, OutputBound::None);
    assert_eq!(second.after(&say("max_completion_tokens"), &json!({}), &[]), None);
}

#[test]
fn instructions_move_where_there_is_no_role_for_them() {
    let start = Dialect::new(false);
    let sent = json!({"messages": [{"role": "system", "content": "Do."}]});
    for (status, words) in [
        (400, "System role not supported"),
        (500, "Jinja Exception: System role not supported"),
        (400, "Unsupported value: 'messages[0].role' does not support 'system' with this model."),
        (400, "Developer instruction is not enabled for models/gemma-3"),
    ] {
        let failure = refused(status, &json!({"error": {"message": words, "param": "messages[0].role"}}));
        assert_eq!(start.after(&failure, &sent, &[]), Some(Dialect { system: false, ..start }), "{words}");
        assert_eq!(start.after(&failure, &json!({"messages": []}), &[]), None);
    }
}

#[test]
fn images_are_refused_in_many_words() {
    let start = Dialect::new(false);
    let sent = json!({"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:"}}]}]});
    for words in [
        "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
        "At most 0 image(s) may be provided in one request.",
        "messages[3]: unknown variant `image_url`, expected `text`",
        "'messages.3.content' must be a string",
        "Expected last role User or Tool, got: Unexpected role 'user' after role 'tool'",
    ] {
        let failure = refused(400, &json!({"error": {"message": words}}));
        assert_eq!(start.after(&failure, &sent, &[]), Some(Dialect { images: false, ..start }), "{words}");
    }
}

#[test]
fn what_turns_side_by_side_have_learned_is_kept_together() {
    let start = Dialect::new(false);
    let one = Dialect { temperature: false, needed: Needed { reasoning: true, signatures: false }, ..start };
    let other = Dialect { output_bound: OutputBound::MaxCompletionTokens, swapped: true, plain_ids: true, ..start };
    let both = Dialect { temperature: false, needed: one.needed, ..other };
    assert_eq!((one.and(other), other.and(one), start.and(start)), (both, both, start));
    assert_eq!(both.and(Dialect { output_bound: OutputBound::None, ..start }).output_bound, OutputBound::None);
}
