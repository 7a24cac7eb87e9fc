//! The public face: a library of documents, the tools over it, and adding to it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::error::{Error, Result};
use crate::ingest::{self, Submission};
use crate::library::{DocId, DocumentRecord, Library, Scope, SqliteLibrary};
use crate::search::Ranker;
use crate::tools::{Annotations, LocalToolbox, Toolbox, ToolboxOptions};

/// How to open a local client.
#[derive(Debug, Clone, Default)]
pub struct ClientOptions {
    /// The library file; `None` keeps everything in memory and leaves nothing on disk.
    pub library: Option<PathBuf>,
}

/// A library of documents on this machine. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    library: Arc<SqliteLibrary>,
}

impl Client {
    /// Opens a library, creating it (private to the user) where there is none.
    ///
    /// # Errors
    /// [`Error::Library`] when the file cannot be opened or was made by a newer version.
    pub fn local(options: ClientOptions) -> Result<Self> {
        let library = match options.library {
            Some(path) => SqliteLibrary::open(&path)?,
            None => SqliteLibrary::temporary()?,
        };
        Ok(Self { library: Arc::new(library) })
    }

    /// The store.
    pub fn library(&self) -> Arc<dyn Library> {
        self.library.clone()
    }

    /// The ranking over the store.
    pub fn ranker(&self) -> Arc<dyn Ranker> {
        self.library.clone()
    }

    /// The tools over these documents. Deleting is among them only with `include_management`.
    pub fn toolbox(&self, options: ToolboxOptions) -> Arc<dyn Toolbox> {
        Arc::new(LocalToolbox::new(self.library(), self.ranker(), options))
    }

    /// Adds a PDF. With `wait` it returns when the document is whole; otherwise as soon as the file was opened and announced, and the
    /// indexing goes on in the background (its state is what `get_document` reports).
    ///
    /// # Errors
    /// [`Error::Pdf`] when the file cannot be read, [`Error::Library`] when it cannot be stored.
    pub async fn submit_document(&self, path: &Path, wait: bool) -> Result<DocumentRecord> {
        let submission = ingest::submit(self.library(), &Submission::of_file(path)).await?;
        if wait {
            return submission.finish(|_, _| {}).await.map(|added| added.document);
        }
        let id = submission.id();
        if submission.is_work() {
            tokio::spawn(async move {
                if let Err(error) = submission.finish(|_, _| {}).await {
                    tracing::warn!(%error, "a document could not be indexed");
                }
            });
        }
        self.library
            .find(&Scope::All, &id.0)
            .await?
            .ok_or_else(|| Error::NoSuchDocument(format!("{id} was removed while it was being added")))
    }

    /// The documents with these names or ids, in the given order.
    ///
    /// # Errors
    /// [`Error::NoSuchDocument`] names the first that is not there, with close names.
    pub async fn resolve(&self, names: &[String]) -> Result<Vec<DocumentRecord>> {
        let mut documents = Vec::with_capacity(names.len());
        for name in names {
            match self.library.find(&Scope::All, name).await? {
                Some(document) => documents.push(document),
                None => {
                    let similar = self.library.similar_names(&Scope::All, name, 3).await?;
                    return Err(no_such_document(name, &similar));
                }
            }
        }
        Ok(documents)
    }

    /// The scope that holds exactly these documents (names or ids), or the whole library when none is given.
    ///
    /// # Errors
    /// As [`Client::resolve`].
    pub async fn scope(&self, names: &[String]) -> Result<Scope> {
        if names.is_empty() {
            return Ok(Scope::All);
        }
        let ids: Vec<DocId> = self.resolve(names).await?.into_iter().map(|document| document.id).collect();
        Ok(Scope::Documents(ids))
    }

    /// The agent instructions, with the target documents appended when ids or names are given.
    ///
    /// # Errors
    /// [`Error::NoSuchDocument`] when one of them is not there.
    pub async fn agent_instructions(&self, doc_ids: &[String]) -> Result<String> {
        self.toolbox(ToolboxOptions::over(self.scope(doc_ids).await?)).instructions(doc_ids).await
    }

    /// The tools as plain functions, for an agent of any kind.
    pub fn agent_tools(&self, include_management: bool) -> Vec<AgentTool> {
        let toolbox = self.toolbox(ToolboxOptions { include_management, ..Default::default() });
        toolbox
            .definitions()
            .into_iter()
            .map(|definition| AgentTool {
                name: definition.name,
                description: definition.description,
                schema: definition.input_schema,
                annotations: definition.annotations,
                toolbox: toolbox.clone(),
            })
            .collect()
    }
}

/// One tool as a plain function.
#[derive(Clone)]
pub struct AgentTool {
    /// Name.
    pub name: String,
    /// What it does, for models.
    pub description: String,
    /// JSON Schema of the arguments.
    pub schema: Value,
    /// Hints for hosts.
    pub annotations: Annotations,
    toolbox: Arc<dyn Toolbox>,
}

impl AgentTool {
    /// Calls it with the JSON text that a model wrote. It never fails: every outcome is one envelope.
    pub async fn call(&self, json: &str) -> String {
        let arguments = read_arguments(json);
        self.toolbox.call(&self.name, &arguments, &CancellationToken::new()).await.envelope
    }
}

/// Arguments as a [`Toolbox`] takes them: what was parsed, or the raw text as a JSON string.
pub fn read_arguments(json: &str) -> Value {
    if json.trim().is_empty() {
        return Value::Object(serde_json::Map::new());
    }
    serde_json::from_str(json).unwrap_or_else(|_| Value::String(json.to_owned()))
}

fn no_such_document(name: &str, similar: &[String]) -> Error {
    let hint = match similar {
        [] => "`pagewise list` shows what is there".to_owned(),
        names => format!("did you mean {}?", names.join(", ")),
    };
    Error::NoSuchDocument(format!("there is no document named {name} in the library; {hint}"))
}
