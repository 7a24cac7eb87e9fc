//! What a server turned out not to take. It is learned from its refusals, once for each parameter, and kept for the later turns.

use super::failure::Failure;
use crate::model::ModelErrorKind;

/// The name under which the bound on output goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputBound {
    /// `max_tokens`, which nearly every server knows.
    MaxTokens,
    /// `max_completion_tokens`, which newer models of OpenAI insist on.
    MaxCompletionTokens,
    /// Left out.
    None,
}

/// Words by which a server says that it does not stream; "stream" alone stands in many an error that passes.
const NEGATIONS: [&str; 7] =
    ["not support", "unsupported", "cannot use", "disabled", "must be false", "not allowed", "not implemented"];

/// How requests are written for this server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    pub stream: bool,
    pub stream_options: bool,
    pub output_bound: OutputBound,
    /// The other name of the output bound was refused before.
    pub swapped: bool,
    pub temperature: bool,
    pub tool_choice: bool,
    /// `reasoning_effort`, and `reasoning` of the Responses API.
    pub reasoning_effort: bool,
    /// Tool schemas hold patterns, bounds and defaults.
    pub narrow_schemas: bool,
    /// Provider fields are sent back.
    pub payloads: bool,
    /// Images are sent.
    pub images: bool,
    /// `store` of the Responses API.
    pub store: bool,
    /// `include` of the Responses API, by which reasoning comes back encrypted.
    pub encrypted: bool,
    /// A summary of the reasoning is asked for, in the Responses API.
    pub summary: bool,
    /// Calls get ids of our own.
    pub plain_ids: bool,
    /// What calls of the history must have, whoever made them.
    pub needed: Needed,
}

/// Fields that a server insists on in the calls of a history, also in those that another model made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Needed {
    /// `reasoning_content`, if only an empty one (DeepSeek, Moonshot).
    pub reasoning: bool,
    /// `thought_signature` (Gemini).
    pub signatures: bool,
}

impl Dialect {
    pub(super) fn new(is_openai: bool) -> Self {
        let output_bound = if is_openai { OutputBound::MaxCompletionTokens } else { OutputBound::MaxTokens };
        Self {
            stream: true,
            stream_options: true,
            output_bound,
            swapped: false,
            temperature: true,
            tool_choice: true,
            reasoning_effort: true,
            narrow_schemas: true,
            payloads: true,
            images: true,
            store: true,
            encrypted: true,
            summary: true,
            plain_ids: false,
            needed: Needed::default(),
        }
    }

    /// How to write the request instead, if the refusal names something in it that can be left out. `body` is what was sent,
    /// `echoed` the names of provider fields in it.
    pub(super) fn after(self, failure: &Failure, body: &serde_json::Value, echoed: &[String]) -> Option<Self> {
        let message = failure.wire.message.to_lowercase();
        let no_stream = has_word(&message, "stream") || has_word(&message, "streaming");
        // llama.cpp's server once refused with a 500.
        if self.stream
            && no_stream
            && failure.error.status.is_none_or(|s| s >= 400)
            && NEGATIONS.iter().any(|n| message.contains(n))
        {
            return Some(Self { stream: false, stream_options: false, ..self });
        }
        // Servers refuse images with 400, 404 and 500.
        if self.images && has_images(body) && ["image", "multimodal", "vision"].iter().any(|word| message.contains(word)) {
            return Some(Self { images: false, ..self });
        }
        let refused = failure.error.kind == ModelErrorKind::Refused;
        // A schema that cannot be made into a grammar was a server's own failure with some versions.
        let at_schemas = refused || failure.error.status == Some(500) && message.contains("grammar");
        if self.narrow_schemas && at_schemas && body.get("tools").is_some() && failure.mentions_schema() {
            return Some(Self { narrow_schemas: false, ..self });
        }
        if !refused {
            return None;
        }
        let sent = |name: &str| body.get(name).is_some_and(|v| !v.is_null());
        // The parameter that the error points at decides; only without one is its text searched.
        let names = |name: &str| match failure.wire.param.as_str() {
            "" | "body" | "__root__" => has_word(&message, name),
            param => has_word(&param.to_lowercase(), name),
        };
        let mut next = self;
        let missing = message.contains("missing") || message.contains("must be passed");
        if missing && has_calls(body) && message.contains("reasoning_content") {
            next.needed.reasoning = true;
        } else if missing && has_calls(body) && message.contains("thought_signature") {
            next.needed.signatures = true;
        } else if !self.plain_ids && has_calls(body) && is_about_ids(&message) {
            next.plain_ids = true;
        } else if sent("stream_options") && names("stream_options") {
            next.stream_options = false;
        } else if sent("max_tokens") && names("max_tokens") || sent("max_completion_tokens") && names("max_completion_tokens") {
            next.output_bound = match self.output_bound {
                _ if self.swapped => OutputBound::None,
                OutputBound::MaxTokens => OutputBound::MaxCompletionTokens,
                _ => OutputBound::MaxTokens,
            };
            next.swapped = true;
        } else if sent("temperature") && names("temperature") {
            next.temperature = false;
        } else if body.pointer("/reasoning/summary").is_some() && (names("summary") || names("summaries")) {
            next.summary = false;
        } else if (sent("reasoning_effort") || sent("reasoning"))
            && (names("reasoning_effort") || names("reasoning") || message.contains("does not support thinking"))
            // Items of reasoning that were sent back are another matter.
            && !failure.wire.param.starts_with("input")
            && !["encrypted", "rs_", "'reasoning'", "item"].iter().any(|word| message.contains(word))
        {
            next.reasoning_effort = false;
            next.summary &= !sent("reasoning") || failure.wire.param == "reasoning.effort";
        } else if sent("tool_choice") && names("tool_choice") {
            next.tool_choice = false;
        } else if self.payloads
            && has_reasoning(body)
            && (failure.wire.param.starts_with("input")
                || ["encrypted", "rs_", "'reasoning'", "item["].iter().any(|word| message.contains(word)))
            && failure.wire.param != "include"
        {
            next.payloads = false;
        } else if sent("include") && (names("include") || message.contains("encrypted")) {
            next.encrypted = false;
        } else if sent("store") && names("store") {
            next.store = false;
        } else if sent("max_output_tokens") && names("max_output_tokens") {
            next.output_bound = OutputBound::None;
        } else if self.payloads && echoed.iter().any(|name| names(name)) {
            next.payloads = false;
        } else if self.stream && failure.wire.param == "stream" {
            next.stream = false;
            next.stream_options = false;
        }
        (next != self).then_some(next)
    }
}

/// Whether a request holds calls.
fn has_calls(body: &serde_json::Value) -> bool {
    let of = |field: &str| body.get(field).and_then(serde_json::Value::as_array).into_iter().flatten();
    of("messages").any(|message| message.get("tool_calls").is_some())
        || of("input").any(|item| item.get("type").is_some_and(|kind| kind == "function_call"))
}

/// Whether a refusal is about the ids of another server: too long, or of a form that is not taken.
fn is_about_ids(message: &str) -> bool {
    let names = ["tool_calls[", "tool_call_id", "call_id", "tool call id"].iter().any(|word| message.contains(word));
    names && ["too long", "maximum length", "length of", "must be"].iter().any(|word| message.contains(word))
}

/// Whether a request holds an image.
fn has_images(body: &serde_json::Value) -> bool {
    let of = |field: &str, parts: &str, kind: &str| {
        let items = body.get(field).and_then(serde_json::Value::as_array).into_iter().flatten();
        let mut parts = items.filter_map(|item| item.get(parts)?.as_array()).flatten();
        parts.any(|part| part.get("type").is_some_and(|t| t == kind))
    };
    of("messages", "content", "image_url") || of("input", "output", "input_image")
}

/// Whether a request carries back what a model has reasoned.
fn has_reasoning(body: &serde_json::Value) -> bool {
    let items = body.get("input").and_then(serde_json::Value::as_array).into_iter().flatten();
    items.into_iter().any(|item| item.get("type").is_some_and(|kind| kind == "reasoning"))
}

/// Whether the name stands in the text as a word of its own: `stream` is not in `stream_options`.
fn has_word(text: &str, name: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + name.len()..).and_then(|t| t.chars().next());
        !part(before) && !part(after)
    })
}

#[cfg(test)]
mod tests {
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
        let say =
            |name: &str| refused(400, &json!({"error": {"message": format!("Unsupported parameter: '{name}'"), "param": name}}));
        let first = Dialect::new(false).after(&say("max_tokens"), &json!({"max_tokens": 5}), &[]).unwrap();
        assert_eq!(first.output_bound, OutputBound::MaxCompletionTokens);
        let second = first.after(&say("max_completion_tokens"), &json!({"max_completion_tokens": 5}), &[]).unwrap();
        assert_eq!(second.output_bound, OutputBound::None);
        assert_eq!(second.after(&say("max_completion_tokens"), &json!({}), &[]), None);
    }
}
