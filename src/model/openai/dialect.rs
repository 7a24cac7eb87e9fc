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

/// Words by which servers refuse images; the last two are about the message of the user that holds those of a result.
const NO_IMAGES: [&str; 5] = ["image", "multimodal", "vision", "must be a string", "role 'user' after role 'tool'"];

/// Words of chat templates and servers that have no role for instructions (Gemma, older models of Mistral and OpenAI).
const NO_SYSTEM: [&str; 5] = [
    "system role not supported",
    "system role is not supported",
    "system messages are not supported",
    "developer instruction is not enabled",
    "does not support 'system'",
];

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
    /// There is a role for instructions; without it they stand before the user's first words.
    pub system: bool,
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
            system: true,
        }
    }

    /// What both have learned, of turns that ran side by side.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            stream: self.stream && other.stream,
            stream_options: self.stream_options && other.stream_options,
            output_bound: match (self.output_bound, other.output_bound) {
                (OutputBound::None, _) | (_, OutputBound::None) => OutputBound::None,
                (bound, _) if self.swapped => bound,
                (_, bound) => bound,
            },
            swapped: self.swapped || other.swapped,
            temperature: self.temperature && other.temperature,
            tool_choice: self.tool_choice && other.tool_choice,
            reasoning_effort: self.reasoning_effort && other.reasoning_effort,
            narrow_schemas: self.narrow_schemas && other.narrow_schemas,
            payloads: self.payloads && other.payloads,
            images: self.images && other.images,
            store: self.store && other.store,
            encrypted: self.encrypted && other.encrypted,
            summary: self.summary && other.summary,
            plain_ids: self.plain_ids || other.plain_ids,
            needed: Needed {
                reasoning: self.needed.reasoning || other.needed.reasoning,
                signatures: self.needed.signatures || other.needed.signatures,
            },
            system: self.system && other.system,
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
        if self.images && has_images(body) && NO_IMAGES.iter().any(|word| message.contains(word)) {
            return Some(Self { images: false, ..self });
        }
        // A chat template that raises an error is often told as a failure of the server.
        if self.system && has_system(body) && NO_SYSTEM.iter().any(|words| message.contains(words)) {
            return Some(Self { system: false, ..self });
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

/// Whether a request holds a message of instructions.
fn has_system(body: &serde_json::Value) -> bool {
    body.pointer("/messages/0/role").is_some_and(|role| role == "system")
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
mod tests;
