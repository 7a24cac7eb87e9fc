//! A tool as a plain function.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::tools::{Annotations, ToolDefinition, Toolbox};

/// One tool as a plain function: what a model is told of it, and calling it. Cheap to clone.
#[derive(Clone)]
pub struct AgentTool {
    /// Name, as a model calls it.
    pub name: String,
    /// Title for people.
    pub title: String,
    /// What it does and when to use it, for models.
    pub description: String,
    /// JSON Schema of the arguments, an object schema.
    pub schema: Value,
    /// Hints on what it does to the library.
    pub annotations: Annotations,
    /// Whether a person should say yes to each call; nobody is asked here, so the caller has to.
    pub needs_approval: bool,
    toolbox: Arc<dyn Toolbox>,
}

impl AgentTool {
    pub(super) fn new(definition: ToolDefinition, toolbox: Arc<dyn Toolbox>) -> Self {
        let ToolDefinition { name, title, description, input_schema, annotations, needs_approval } = definition;
        Self { name, title, description, schema: input_schema, annotations, needs_approval, toolbox }
    }

    /// Calls it with the JSON text that a model wrote, and gives the reply: one JSON object of at most
    /// [`MAX_REPLY_CHARS`](crate::tools::MAX_REPLY_CHARS) characters, `{"success": true, ...}` or `{"error": ..., "errorCode": ...}`, either
    /// with `next_steps`. It never fails: broken JSON, too, is answered with what to mend. It needs a Tokio runtime.
    pub async fn call(&self, json: &str) -> String {
        self.call_until(json, &CancellationToken::new()).await
    }

    /// As [`AgentTool::call`]; when `cancel` fires, a wait for a document that is still being processed ends at once, with an envelope that
    /// says so.
    pub async fn call_until(&self, json: &str, cancel: &CancellationToken) -> String {
        self.toolbox.call(&self.name, &read_arguments(json), cancel).await.envelope
    }
}

impl fmt::Debug for AgentTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentTool").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Arguments as a [`Toolbox`] takes them: what was parsed, or the raw text as a JSON string.
pub fn read_arguments(json: &str) -> Value {
    if json.trim().is_empty() {
        return Value::Object(Map::new());
    }
    serde_json::from_str(json).unwrap_or_else(|_| Value::String(json.to_owned()))
}
