//! The tool surface: contract, argument reading, envelopes, and the local [`Toolbox`] over a library.
//!
//! A tool never fails, panics, hangs or calls a model: whatever the arguments, it answers one envelope of bounded size.

mod arguments;
mod browse;
mod definition;
mod document;
mod envelope;
mod instructions;
mod json;
mod kind;
mod local;
mod lookup;
mod measure;
mod page_content;
mod page_notes;
pub mod pages;
mod parts;
mod refusal;
mod remove;
mod structure;
mod types;
mod wait;

#[cfg(test)]
mod tests;

pub use definition::{BROWSE_DOCUMENTS, GET_DOCUMENT, GET_DOCUMENT_STRUCTURE, GET_PAGE_CONTENT, REMOVE_DOCUMENT};
pub use envelope::MAX_REPLY_CHARS;
pub use instructions::CitationFormat;
use instructions::citation_rules;
pub(crate) use json::harmless_json;
pub use local::{LocalToolbox, MIN_REPLY_CHARS, ToolboxOptions};
pub use refusal::Refusal;
pub use types::{Annotations, Evidence, Part, Stop, ToolDefinition, ToolReply};

use async_trait::async_trait;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// The tools of one conversation: which exist, how an agent is told to use them, and calling them. Scope and the management gate live
/// in the implementations, so no front end can go around them.
#[async_trait]
pub trait Toolbox: Send + Sync {
    /// The tools that this caller may use, in a fixed order.
    fn definitions(&self) -> Vec<ToolDefinition>;
    /// The agent instructions, with the target documents appended when ids (or names) are given.
    async fn instructions(&self, doc_ids: &[String]) -> Result<String, crate::Error>;
    /// How to cite in this format, for hosts that ask for it by itself.
    fn citation_rules(&self, format: CitationFormat) -> String {
        citation_rules(&crate::prompts::Prompts::default(), format).to_owned()
    }
    /// Calls a tool. `arguments` is what the model sent: an object, or, where that could not be parsed, the raw text as a JSON string.
    /// Cancellation ends a wait at once.
    async fn call(&self, name: &str, arguments: &Value, cancel: &CancellationToken) -> ToolReply;
}
