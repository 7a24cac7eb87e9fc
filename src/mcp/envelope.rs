//! Replies of the tools, read for what this server makes of them beside handing them on.

use rmcp::ErrorData;
use serde::Deserialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::tools::Toolbox;

/// What is read of a reply.
#[derive(Deserialize)]
pub(super) struct Envelope {
    #[serde(default)]
    pub(super) documents: Vec<Listed>,
    pub(super) next_offset: Option<u64>,
    #[serde(default)]
    pub(super) content: Vec<Page>,
    error: Option<String>,
    #[serde(rename = "errorCode")]
    error_code: Option<String>,
}

/// A document in a list.
#[derive(Deserialize)]
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) description: String,
    status: String,
}

/// A page that was read.
#[derive(Deserialize)]
pub(super) struct Page {
    pub(super) text: String,
}

impl Listed {
    /// Whether it is whole.
    pub(super) fn is_readable(&self) -> bool {
        self.status == "completed"
    }
}

/// A tool's reply, raw and read.
///
/// # Errors
/// A failure of the tool; the envelope is its data.
pub(super) async fn call(
    toolbox: &dyn Toolbox,
    tool: &str,
    arguments: &Value,
    cancel: &CancellationToken,
) -> Result<(String, Envelope), ErrorData> {
    let reply = toolbox.call(tool, arguments, cancel).await;
    let envelope: Envelope =
        serde_json::from_str(&reply.envelope).map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    match &envelope.error {
        None => Ok((reply.envelope, envelope)),
        Some(error) => {
            let data = serde_json::from_str(&reply.envelope).ok();
            Err(match envelope.error_code.as_deref() {
                Some("INTERNAL_ERROR") => ErrorData::internal_error(error.clone(), data),
                _ => ErrorData::resource_not_found(error.clone(), data),
            })
        }
    }
}
