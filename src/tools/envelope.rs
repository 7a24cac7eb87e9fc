//! The one JSON object that a tool answers.

use serde::Serialize;

use super::json::to_json;
use super::measure::{sent_len, shorten};
use super::{Evidence, ToolReply};

/// Most characters of an envelope as it is sent: the bound of the tool contract.
pub const MAX_REPLY_CHARS: usize = 100_000;

/// Room that replies leave for `next_steps` and punctuation when they fill up with data.
pub(super) const NEXT_STEPS_ROOM: usize = 5_000;

/// Most characters of one summary or option; what comes from outside in it is bounded far lower already.
const STEP_ROOM: usize = 1_200;

/// The error codes of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorCode {
    NotFound,
    InvalidInput,
    InternalError,
}

impl ErrorCode {
    fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "NOT_FOUND",
            Self::InvalidInput => "INVALID_INPUT",
            Self::InternalError => "INTERNAL_ERROR",
        }
    }
}

/// What to do next: one sentence on where things stand, and the calls or words that make sense now.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct NextSteps {
    summary: String,
    options: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    auto_retry: Option<String>,
}

impl NextSteps {
    /// Starts with the summary.
    pub fn new(summary: impl AsRef<str>) -> Self {
        Self { summary: shorten(summary.as_ref(), STEP_ROOM).into_owned(), ..Self::default() }
    }

    /// Adds an option. The first options are the most important: when room is short the last go first.
    #[must_use]
    pub fn option(mut self, option: impl AsRef<str>) -> Self {
        self.options.push(shorten(option.as_ref(), STEP_ROOM).into_owned());
        self
    }

    /// Adds an option where there is one.
    #[must_use]
    pub fn maybe(self, option: Option<String>) -> Self {
        match option {
            Some(option) => self.option(option),
            None => self,
        }
    }

    /// Says when the same call is worth another try.
    #[must_use]
    pub fn retry(mut self, when: impl Into<String>) -> Self {
        self.auto_retry = Some(when.into());
        self
    }
}

/// An envelope under construction: keys stand in the order in which they are added.
#[derive(Debug, Clone)]
pub(super) struct Envelope {
    json: String,
    is_error: bool,
    next: NextSteps,
    evidence: Vec<Evidence>,
    documents: Vec<(String, Option<u32>)>,
}

impl Envelope {
    /// A success.
    pub fn success() -> Self {
        Self::start("{\"success\":true", false)
    }

    /// A failure with a message for the model.
    pub fn failure(code: ErrorCode, message: impl AsRef<str>) -> Self {
        Self::start("{", true).push("error", &shorten(message.as_ref(), STEP_ROOM), false).field("errorCode", code.as_str())
    }

    fn start(json: &str, is_error: bool) -> Self {
        Self { json: json.to_owned(), is_error, next: NextSteps::default(), evidence: Vec::new(), documents: Vec::new() }
    }

    /// Adds a data field.
    #[must_use]
    pub fn field(self, key: &str, value: impl Serialize) -> Self {
        self.push(key, &value, true)
    }

    /// Adds a data field whose JSON is already written.
    #[must_use]
    pub fn raw(mut self, key: &str, json: &str) -> Self {
        self.json.push_str(",\"");
        self.json.push_str(key);
        self.json.push_str("\":");
        self.json.push_str(json);
        self
    }

    fn push(mut self, key: &str, value: &impl Serialize, comma: bool) -> Self {
        if comma {
            self.json.push(',');
        }
        self.json.push('"');
        self.json.push_str(key);
        self.json.push_str("\":");
        self.json.push_str(&to_json(value));
        self
    }

    /// Sets what to do next; it is always the last key.
    #[must_use]
    pub fn next(mut self, next: NextSteps) -> Self {
        self.next = next;
        self
    }

    /// The pages that this reply shows.
    #[must_use]
    pub fn evidence(mut self, evidence: Vec<Evidence>) -> Self {
        self.evidence = evidence;
        self
    }

    /// A document that this reply shows to exist.
    #[must_use]
    pub fn shows(mut self, name: &str, page_count: Option<u32>) -> Self {
        self.documents.push((name.to_owned(), page_count));
        self
    }

    /// Characters so far.
    pub fn len(&self) -> usize {
        sent_len(&self.json)
    }

    /// Closes the envelope. Should it be over `limit` all the same, options are dropped from the end; data is never cut here, so when
    /// that does not help, the reply becomes a short failure (under 300 characters).
    pub fn finish(mut self, limit: usize) -> ToolReply {
        const FRAME: usize = ",\"next_steps\":}".len();
        let data = self.len();
        loop {
            let tail = to_json(&self.next);
            if data + sent_len(&tail) + FRAME <= limit {
                return self.close(&tail);
            }
            if self.next.options.pop().is_none() {
                tracing::error!(chars = data, limit, "a tool reply came out over its bound");
                let short = Envelope::failure(ErrorCode::InternalError, "The reply would have been too long to send.")
                    .next(NextSteps::new("Ask for less at once: fewer documents, pages or parts."));
                let tail = to_json(&short.next);
                return short.close(&tail);
            }
        }
    }

    fn close(self, tail: &str) -> ToolReply {
        ToolReply {
            envelope: format!("{},\"next_steps\":{tail}}}", self.json),
            parts: Vec::new(),
            is_error: self.is_error,
            stop: None,
            evidence: self.evidence,
            documents: self.documents,
        }
    }
}

/// A failure of the store: nothing that the caller could have done otherwise.
pub(super) fn internal(error: &dyn std::fmt::Display) -> Envelope {
    tracing::warn!(%error, "a tool could not read the library");
    Envelope::failure(ErrorCode::InternalError, format!("The document library could not do this: {error}")).next(
        NextSteps::new("This is a fault of the library, not of the call.")
            .option("Try the same call once more; if it fails again, tell the user what the error says."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_in_the_order_of_the_contract() {
        let next = NextSteps::new("Done.").option("Go on.").retry("in 5 seconds");
        let reply = Envelope::success().field("doc_name", "a.pdf").raw("content", "[]").next(next.clone()).finish(MAX_REPLY_CHARS);
        assert_eq!(
            reply.envelope,
            r#"{"success":true,"doc_name":"a.pdf","content":[],"next_steps":{"summary":"Done.","options":["Go on."],"auto_retry":"in 5 seconds"}}"#
        );
        let reply = Envelope::failure(ErrorCode::NotFound, "No.").field("doc_name", "b").next(next).finish(MAX_REPLY_CHARS);
        assert!(reply.is_error);
        assert!(reply.envelope.starts_with(r#"{"error":"No.","errorCode":"NOT_FOUND","doc_name":"b","next_steps":{"#));
    }

    #[test]
    fn options_go_before_the_limit_is_passed() {
        let next = NextSteps::new("Done.").option("first").option("x".repeat(900));
        let reply = Envelope::success().next(next).finish(200);
        assert!(reply.envelope.contains("first") && !reply.envelope.contains("xxx"));
        let reply = Envelope::success().field("text", "x".repeat(500)).finish(300);
        assert!(reply.is_error && reply.envelope.contains("INTERNAL_ERROR"));
    }
}
