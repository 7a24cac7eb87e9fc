//! What a server says when it refuses, in whatever shape, and what follows from it.

use std::time::Duration;

use serde_json::Value;

use crate::model::ModelError;

/// Whether the same request may be made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    /// It would fail the same way.
    Never,
    /// After a wait that grows.
    Soon,
    /// Once more only, as each try takes long (time-outs).
    Once,
    /// The server is loading the model: until it has, within a bound of its own.
    Loading,
}

/// A failed try.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    /// What the caller gets when it is not made good.
    pub error: ModelError,
    /// Whether to try again.
    pub again: Again,
    /// What the server said.
    pub wire: WireError,
}

impl Failure {
    pub(super) fn new(error: ModelError, again: Again) -> Self {
        Self { error, again, wire: WireError::default() }
    }

    /// The failure with this to do about it.
    pub(super) fn hinted(mut self, hint: &str) -> Self {
        self.error.hint = Some(hint.to_owned());
        self
    }

    /// Whether it is about a schema of a tool: its grammar, or a keyword of it.
    pub(super) fn mentions_schema(&self) -> bool {
        let param = self.wire.param.to_lowercase();
        self.wire.mentions(&["grammar", "pattern", "schema", "regex", "function_declarations"]) || param.starts_with("tools")
    }

    /// How long the server asked to wait.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        self.error.retry_after
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for Failure {}

/// The body of an error, whatever its shape.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct WireError {
    /// What it says.
    pub message: String,
    /// Its code, such as `context_length_exceeded`; a number as text.
    pub code: String,
    /// Its type, such as `insufficient_quota`.
    pub kind: String,
    /// The parameter it is about.
    pub param: String,
    /// Further details as JSON text (Google's quotas and reasons).
    pub details: String,
    /// How long Google asks to wait, such as `32s`.
    pub retry_delay: Option<String>,
    /// What the model wrote, where the server could not read a call in it (Groq).
    pub generation: String,
    /// The body was a web page, whose words say nothing about models.
    pub is_page: bool,
}

impl WireError {
    /// Reads `{"error": {..}}`, `{"error": ".."}`, `{"detail": ..}`, `{"message": ..}`, `{"errors": [..]}`, a list of one of these, or a text.
    /// `None` when there is nothing that looks like an error.
    pub(super) fn read(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self { message: text.clone(), ..Self::default() }),
            Value::Array(list) => {
                let mut all = list.iter().filter_map(Self::read);
                let mut first = all.next()?;
                for other in all {
                    first.message = format!("{}; {}", first.message, other.message);
                }
                Some(first)
            }
            Value::Object(object) => {
                let inner = ["error", "detail", "errors"].iter().find_map(|f| object.get(*f).filter(|v| !v.is_null()));
                // Hugging Face says beside the error how long a model will load.
                let estimate = object.get("estimated_time").and_then(Value::as_f64).map(|seconds| seconds.to_string());
                if let Some(inner) = inner {
                    let mut error = Self::read(inner).unwrap_or_else(|| Self { message: inner.to_string(), ..Self::default() });
                    error.retry_delay = error.retry_delay.or(estimate);
                    return Some(error);
                }
                let text = |names: &[&str]| {
                    let found = names.iter().find_map(|f| object.get(*f).filter(|v| !v.is_null()));
                    match found {
                        Some(Value::String(text)) => text.clone(),
                        Some(Value::Number(number)) => number.to_string(),
                        _ => String::new(),
                    }
                };
                let message = text(&["message", "msg", "error_msg", "detail"]);
                // OpenRouter carries the words of the server behind it.
                let raw = object.get("metadata").and_then(|m| m.get("raw")).and_then(Value::as_str).unwrap_or_default();
                let is_error =
                    !message.is_empty() || object.contains_key("code") || object.get("object").is_some_and(|o| o == "error");
                // Pydantic names the parameter by its place: ["body", "stream_options"].
                let place = object.get("loc").and_then(Value::as_array).and_then(|l| l.iter().rev().find_map(Value::as_str));
                let param = place.map_or_else(|| text(&["param"]), str::to_owned);
                let details = object.get("details").filter(|d| !d.is_null());
                let delay = details.and_then(Value::as_array).and_then(|l| l.iter().find_map(|d| d.get("retryDelay")?.as_str()));
                // OpenRouter hands on the headers of the server behind it.
                let reset = ["/metadata/headers/Retry-After", "/metadata/headers/X-RateLimit-Reset"]
                    .iter()
                    .find_map(|path| value.pointer(path).and_then(Value::as_str));
                is_error.then(|| Self {
                    message: [message.as_str(), raw].into_iter().filter(|m| !m.is_empty()).collect::<Vec<_>>().join(": "),
                    code: text(&["code"]),
                    kind: text(&["type", "status"]),
                    param,
                    details: details.map(Value::to_string).unwrap_or_default(),
                    retry_delay: delay.or(reset).map(str::to_owned),
                    generation: text(&["failed_generation"]),
                    is_page: false,
                })
            }
            _ => None,
        }
    }

    /// Reads a body: JSON, or else text with its markup taken out.
    pub(super) fn from_body(body: &[u8]) -> Self {
        if let Some(error) = serde_json::from_slice::<Value>(body).ok().as_ref().and_then(Self::read) {
            return error;
        }
        let text = String::from_utf8_lossy(body);
        let is_page = text.trim_start().starts_with('<');
        let lower = text.to_ascii_lowercase();
        // The title of a page says it best; styles and scripts say nothing.
        let title = lower.find("<title").and_then(|at| Some((at, at + lower.get(at..)?.find("</title")?)));
        let text = title.filter(|_| is_page).and_then(|(from, to)| text.get(from..to)).unwrap_or(&text);
        let mut message = String::new();
        let mut in_tag = false;
        for c in text.chars() {
            match c {
                '<' => in_tag = true,
                '>' if in_tag => {
                    in_tag = false;
                    message.push(' ');
                }
                c if !in_tag => message.push(c),
                _ => {}
            }
        }
        Self { message: message.trim().to_owned(), is_page, ..Self::default() }
    }

    /// A status that the code names (OpenRouter, vLLM and others send it as a number).
    pub(super) fn status(&self) -> Option<u16> {
        self.code.parse().ok().filter(|status| (400..600).contains(status))
    }

    /// Whether message, code, type or details hold one of these, in lower case.
    pub(super) fn mentions(&self, words: &[&str]) -> bool {
        let all = format!("{} {} {} {}", self.message, self.code, self.kind, self.details).to_lowercase();
        words.iter().any(|word| all.contains(word))
    }
}
