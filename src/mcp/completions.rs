//! What a host may offer while its user types an argument: names of documents, and the citation formats.

use rmcp::ErrorData;
use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::envelope::{Listed, call};
use crate::tools::{BROWSE_DOCUMENTS, Toolbox};

/// Names that are offered at once: as many as `browse_documents` lists at once.
const OFFERED: u64 = 50;

/// The values that go on with what was typed; for an argument that is free text there are none.
///
/// # Errors
/// A library that cannot be read.
pub(super) async fn complete(
    toolbox: &dyn Toolbox,
    request: &CompleteRequestParams,
    cancel: &CancellationToken,
) -> Result<CompleteResult, ErrorData> {
    let typed = request.argument.value.trim();
    let values = match request.argument.name.as_str() {
        "format" => ["cite", "markdown"].into_iter().filter(|format| format.starts_with(typed)).map(str::to_owned).collect(),
        "doc_name" => names(toolbox, typed, cancel).await?,
        _ => Vec::new(),
    };
    let completion = CompletionInfo::with_all_values(values).map_err(|error| ErrorData::internal_error(error, None))?;
    Ok(CompleteResult::new(completion))
}

/// Names that hold what was typed, those that begin with it first.
async fn names(toolbox: &dyn Toolbox, typed: &str, cancel: &CancellationToken) -> Result<Vec<String>, ErrorData> {
    let arguments = match typed {
        "" => json!({"limit": OFFERED}),
        typed => json!({"sort": "relevance", "query": typed, "limit": OFFERED}),
    };
    let (_, envelope) = call(toolbox, BROWSE_DOCUMENTS, &arguments, cancel).await?;
    let typed = typed.to_lowercase();
    let readable = envelope.documents.into_iter().filter(Listed::is_readable).map(|document| document.name);
    let mut names: Vec<String> = readable.filter(|name| name.to_lowercase().contains(&typed)).collect();
    names.sort_by_key(|name| !name.to_lowercase().starts_with(&typed));
    Ok(names)
}
