//! Language models behind one trait, with neutral history items. It knows no tool.

mod error;
pub mod openai;
mod types;

pub use error::{ModelError, ModelErrorKind};
pub use types::{ChatRequest, ChatTurn, Finish, HistoryItem, Image, ModelDelta, ReasoningEffort, ToolChoice, ToolSpec, Usage};

use async_trait::async_trait;

/// A model that answers with text and tool calls.
#[async_trait]
pub trait ChatModel: Send + Sync {
    /// What people call it, such as `gpt-5-mini at api.openai.com` or `builtin`.
    fn label(&self) -> String;
    /// Where document text goes when it is used: a host name, or `None` when nothing leaves the machine.
    fn destination(&self) -> Option<String>;
    /// One turn. `deltas` hears text as it comes. Dropping the future cancels the request.
    async fn turn(&self, request: ChatRequest<'_>, deltas: &mut (dyn FnMut(ModelDelta) + Send)) -> Result<ChatTurn, ModelError>;
}
