//! What a toolbox hands out.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Hints for hosts, as in MCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    /// The tool changes nothing.
    pub read_only_hint: bool,
    /// The tool may delete.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub destructive_hint: bool,
    /// A second equal call changes nothing more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub idempotent_hint: bool,
    /// The tool reaches beyond its library.
    pub open_world_hint: bool,
}

/// One tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDefinition {
    /// Name, as a model calls it.
    pub name: String,
    /// Title for people.
    pub title: String,
    /// What it does and when to use it, for models.
    pub description: String,
    /// JSON Schema of the arguments, an object schema.
    pub input_schema: Value,
    /// Hints for hosts.
    pub annotations: Annotations,
    /// Whether a person must say yes to each call.
    pub needs_approval: bool,
}

/// Content beside the envelope.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    /// An image for models that take images.
    Image {
        /// Media type, such as `image/png`.
        mime: String,
        /// Base64 data.
        data: String,
    },
    /// Binary content that a model cannot take, as a stub.
    Stub {
        /// Media type.
        mime: String,
        /// Size in bytes.
        bytes: u64,
    },
}

/// Why a run must end here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// Machine-readable: `unauthorized`, `rate_limited`, `usage_limit`.
    pub code: String,
    /// For people, with what to do.
    pub message: String,
}

/// A page that a tool has shown: what citations are checked against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Document name as the model knows it.
    pub doc: String,
    /// Physical page, 1-based.
    pub page: u32,
    /// Printed label where it differs.
    pub label: Option<String>,
    /// The text as it was returned.
    pub text: String,
    /// Pages of the document.
    pub page_count: u32,
}

/// What a call gave.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolReply {
    /// One JSON object, at most 100,000 characters, exactly as it is sent.
    pub envelope: String,
    /// Content beside it.
    pub parts: Vec<Part>,
    /// Whether the envelope is a failure.
    pub is_error: bool,
    /// Set when the run must end.
    pub stop: Option<Stop>,
    /// Pages that were shown.
    pub evidence: Vec<Evidence>,
    /// Documents (name, page count) that the reply has shown to exist; citations of pages never read are judged with it.
    pub documents: Vec<(String, Option<u32>)>,
}
