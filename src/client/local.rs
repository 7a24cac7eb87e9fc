//! The client over a library on this machine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};

use super::backend::Backend;
use super::options::LocalOptions;
use super::program;
use crate::error::{Error, Result};
use crate::ingest::{self, Submission};
use crate::library::{DocumentRecord, Library, Scope, SqliteLibrary};
use crate::mcp::hosts::Host;
use crate::mcp::{ServedBy, ServerEntry};
use crate::prompts::Prompts;
use crate::search::Ranker;
use crate::tools::{LocalToolbox, Toolbox, ToolboxOptions};

/// Most characters of a name that a message repeats.
const NAME_ROOM: usize = 200;

/// A library on this machine.
pub(super) struct LocalBackend {
    library: Arc<SqliteLibrary>,
    file: Option<PathBuf>,
    program: Option<PathBuf>,
    prompts: Prompts,
}

impl LocalBackend {
    pub fn open(options: LocalOptions) -> Result<Self> {
        let library = match &options.library {
            Some(path) => SqliteLibrary::open(path)?,
            None => SqliteLibrary::temporary()?,
        };
        Ok(Self { library: Arc::new(library), file: options.library, program: options.program, prompts: options.prompts })
    }

    /// The names of the documents of a scope; none for the whole library.
    async fn names(&self, scope: &Scope) -> Result<Vec<String>> {
        let Scope::Documents(ids) = scope else { return Ok(Vec::new()) };
        let ids: Vec<String> = ids.iter().map(|id| id.0.clone()).collect();
        Ok(self.resolve(scope, &ids).await?.into_iter().map(|document| document.name).collect())
    }
}

#[async_trait]
impl Backend for LocalBackend {
    async fn submit_document(&self, path: &Path, wait: bool) -> Result<DocumentRecord> {
        let submission = ingest::submit(self.library.clone(), &Submission::of_file(path)).await?;
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

    async fn resolve(&self, scope: &Scope, names: &[String]) -> Result<Vec<DocumentRecord>> {
        let mut documents = Vec::with_capacity(names.len());
        for name in names {
            match self.library.find(scope, name).await? {
                Some(document) => documents.push(document),
                None => {
                    let similar = self.library.similar_names(scope, name, 3).await?;
                    return Err(no_such_document(name, &similar));
                }
            }
        }
        Ok(documents)
    }

    async fn toolbox(&self, options: ToolboxOptions) -> Result<Arc<dyn Toolbox>> {
        let toolbox = LocalToolbox::new(self.library.clone(), self.library.clone(), options);
        Ok(Arc::new(toolbox.with_prompts(self.prompts.clone())))
    }

    async fn mcp_server(&self, options: &ToolboxOptions) -> Result<Value> {
        let library = self.file.clone().ok_or_else(|| {
            Error::Unsupported(
                "this library is in memory, where no other program can read it; name a file in `LocalOptions::library`".to_owned(),
            )
        })?;
        let docs = self.names(&options.scope).await?;
        if docs.is_empty() && options.scope != Scope::All {
            // Without a name the server would serve the whole library.
            return Err(Error::Settings("this client is limited to no document at all; there is nothing to serve".to_owned()));
        }
        let served = ServedBy {
            library: Some(library),
            docs,
            include_management: options.include_management,
            // The SDK runs Claude Code, which cuts longer replies.
            max_result_chars: match options.max_reply_chars {
                Some(chars) => u32::try_from(chars).ok(),
                None => Host::ClaudeCode.max_result_chars(),
            },
        };
        let program = program::find(self.program.as_deref().unwrap_or(Path::new(program::PROGRAM)))?;
        let ServerEntry { command, args } = ServerEntry::new(&program, &served)?;
        Ok(json!({"type": "stdio", "command": command, "args": args}))
    }

    fn library(&self) -> Result<Arc<dyn Library>> {
        Ok(self.library.clone())
    }

    fn ranker(&self) -> Result<Arc<dyn Ranker>> {
        Ok(self.library.clone())
    }
}

fn no_such_document(name: &str, similar: &[String]) -> Error {
    let hint = match similar {
        [] => "`pagewise list` shows what is there".to_owned(),
        names => format!("did you mean {}?", names.iter().map(|name| short(name)).collect::<Vec<_>>().join(", ")),
    };
    Error::NoSuchDocument(format!("there is no document named {} in the library; {hint}", short(name)))
}

/// A name for a message.
fn short(name: &str) -> String {
    match name.char_indices().nth(NAME_ROOM) {
        Some((end, _)) => format!("{}...", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}
