//! What stands behind a client.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::library::{DocumentRecord, Library, Scope};
use crate::search::Ranker;
use crate::tools::{Toolbox, ToolboxOptions};

/// Where the documents of a [`Client`](super::Client) are and who reads them. The local one is in this crate; another stands behind the
/// same client with [`Client::over`](super::Client::over).
///
/// The toolbox is where scope and the gate before deletion are kept, so whatever else a backend hands out (`hosted_tool`, `mcp_server`) has
/// to keep them as well or refuse.
#[async_trait]
pub trait Backend: Send + Sync {
    /// Adds a PDF: with `wait` until it is whole, otherwise until it is announced.
    async fn submit_document(&self, path: &Path, wait: bool) -> Result<DocumentRecord>;

    /// The documents of the scope with these names or ids, in the given order; [`Error::NoSuchDocument`] for the first that is not there.
    async fn resolve(&self, scope: &Scope, names: &[String]) -> Result<Vec<DocumentRecord>>;

    /// The tools.
    async fn toolbox(&self, options: ToolboxOptions) -> Result<Arc<dyn Toolbox>>;

    /// The entry of a host's `mcp_servers` that leads to the same tools.
    async fn mcp_server(&self, options: &ToolboxOptions) -> Result<Value>;

    /// The tool that OpenAI's servers run themselves.
    ///
    /// # Errors
    /// [`Error::Unsupported`] unless the documents can be reached from there.
    fn hosted_tool(&self, _: &ToolboxOptions) -> Result<Value> {
        Err(Error::Unsupported(
            "a hosted tool is run by OpenAI's servers, and they cannot reach a library on this machine; it takes PageIndex cloud. Leave \
             `hosted` out: the functions do the same from here"
                .to_owned(),
        ))
    }

    /// The store.
    ///
    /// # Errors
    /// [`Error::Unsupported`] when the documents are not on this machine.
    fn library(&self) -> Result<Arc<dyn Library>> {
        Err(elsewhere())
    }

    /// The ranking over the store.
    ///
    /// # Errors
    /// As [`Backend::library`].
    fn ranker(&self) -> Result<Arc<dyn Ranker>> {
        Err(elsewhere())
    }
}

fn elsewhere() -> Error {
    Error::Unsupported("the documents of this client are not on this machine; its tools are the way to them".to_owned())
}
