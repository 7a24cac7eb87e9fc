//! The envelope of a call that reached no tool: whoever calls a tool gets an envelope, whatever happens.

use super::envelope::{Envelope, ErrorCode, MAX_REPLY_CHARS, NextSteps};
use super::types::ToolReply;

/// Why a call reached no tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// A document was named that is not there.
    NoSuchDocument,
    /// The call itself cannot work.
    WrongCall,
    /// The library or the program could not do it.
    Unable,
}

impl Refusal {
    /// The reply, with `message` for people and models and what to do about it.
    pub fn reply(self, message: &str, remedy: Option<&str>) -> ToolReply {
        let (code, summary) = match self {
            Self::NoSuchDocument => (ErrorCode::NotFound, "A document that the tools were to be limited to is not in the library."),
            Self::WrongCall => (ErrorCode::InvalidInput, "The call never reached a tool; correct it and call again."),
            Self::Unable => (ErrorCode::InternalError, "The call never reached a tool; this is not the fault of its arguments."),
        };
        let next = NextSteps::new(summary).maybe(remedy.map(str::to_owned));
        Envelope::failure(code, message).next(next).finish(MAX_REPLY_CHARS)
    }
}
