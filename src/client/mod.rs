//! The public face: documents, and the tools over them for an agent of any kind.

mod agent_tool;
mod backend;
mod cloud;
mod local;
mod options;
mod program;
pub(crate) mod shapes;
mod strict;

#[cfg(test)]
mod tests;

pub use agent_tool::{AgentTool, read_arguments};
pub use backend::Backend;
pub use options::{CloudOptions, LocalOptions, OpenAiOptions, OpenAiShape};

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use self::local::LocalBackend;
use crate::error::{Error, Result};
use crate::library::{DocId, DocumentRecord, Library, Scope};
use crate::mcp::SERVER_NAME;
use crate::search::Ranker;
use crate::tools::{MAX_REPLY_CHARS, MIN_REPLY_CHARS, Toolbox, ToolboxOptions};

/// Documents and the tools over them, wherever the documents are. Cheap to clone; all clones share one library.
///
/// Every tool that a client hands out keeps to the documents that the client is limited to ([`Client::limited_to`]), and the one that
/// deletes is handed out only with `include_management`.
///
/// ```
/// use pagewise::{Client, LocalOptions};
///
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let client = Client::local(LocalOptions::default())?; // in memory; `library` names a file
/// let report = client.submit_document("examples/documents/quarterly-release.pdf", true).await?;
/// assert_eq!(report.page_count, Some(10));
///
/// for tool in client.agent_tools(false).await? {
///     println!("{}: {}\n{}", tool.name, tool.description, tool.schema);
///     if tool.name == "get_page_content" {
///         let reply = tool.call(r#"{"doc_name": "quarterly-release.pdf", "pages": "1"}"#).await;
///         assert!(reply.starts_with(r#"{"success":true,"#));
///     }
/// }
/// # Ok::<(), pagewise::Error>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct Client {
    backend: Arc<dyn Backend>,
    scope: Scope,
    max_reply_chars: Option<usize>,
}

/// What the Claude Agent SDK takes to start the tools: its options `mcp_servers` and `allowed_tools`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClaudeMcp {
    /// The servers by name, one: `{"pagewise": {"type": "stdio", "command": ..., "args": [...]}}`.
    pub mcp_servers: Value,
    /// The tools that may be used without asking, each by its full name (`mcp__pagewise__browse_documents`), never by a wildcard.
    pub allowed_tools: Vec<String>,
}

impl Client {
    /// Opens a library on this machine, creating it (private to the user) where there is none.
    ///
    /// # Errors
    /// [`Error::Library`] when the file cannot be opened or was made by a newer version.
    pub fn local(options: LocalOptions) -> Result<Self> {
        Ok(Self::over(Arc::new(LocalBackend::open(options)?)))
    }

    /// A client of PageIndex cloud. **It is not built yet**: with a key, too, this is an error that says so. The rest of this type is made
    /// so that a cloud client will stand behind the same methods.
    ///
    /// ```
    /// use pagewise::{Client, CloudOptions, Error};
    ///
    /// let empty = CloudOptions { api_key: Some("".into()) };
    /// assert!(matches!(Client::cloud(empty), Err(Error::Settings(_))));
    /// let key = CloudOptions { api_key: Some("a key".into()) };
    /// assert!(matches!(Client::cloud(key), Err(Error::Unsupported(_))));
    /// ```
    ///
    /// # Errors
    /// [`Error::Settings`] when there is no key or an empty one, [`Error::Unsupported`] otherwise.
    pub fn cloud(options: CloudOptions) -> Result<Self> {
        cloud::key(options, std::env::var(cloud::KEY_VARIABLE).ok())?;
        Err(cloud::not_built())
    }

    /// A client over a backend of your own.
    pub fn over(backend: Arc<dyn Backend>) -> Self {
        Self { backend, scope: Scope::All, max_reply_chars: None }
    }

    /// The store, for what goes beyond the tools: listing, trees, pages, removing.
    ///
    /// ```
    /// # use pagewise::{Client, LocalOptions};
    /// use pagewise::library::Scope;
    ///
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let client = Client::local(LocalOptions::default())?;
    /// let listed = client.library()?.list(&Scope::All, 0, 50).await?;
    /// assert_eq!(listed.total, 0);
    /// # Ok::<(), pagewise::Error>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] when the documents are not on this machine.
    pub fn library(&self) -> Result<Arc<dyn Library>> {
        self.backend.library()
    }

    /// The ranking over the store.
    ///
    /// # Errors
    /// As [`Client::library`].
    pub fn ranker(&self) -> Result<Arc<dyn Ranker>> {
        self.backend.ranker()
    }

    /// Adds a PDF. With `wait` it returns when the document is whole; otherwise as soon as the file was opened and announced, and the
    /// indexing goes on in the background (its state is what `get_document` reports). A file that is there already is not read again. A new
    /// document is outside the limits of a limited client.
    ///
    /// ```
    /// # use pagewise::{Client, LocalOptions};
    /// use pagewise::library::Status;
    ///
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let client = Client::local(LocalOptions::default())?;
    /// let release = client.submit_document("examples/documents/quarterly-release.pdf", true).await?;
    /// assert_eq!((release.name.as_str(), release.status), ("quarterly-release.pdf", Status::Completed));
    /// # Ok::<(), pagewise::Error>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    /// [`Error::Pdf`] when the file cannot be read, [`Error::Library`] when it cannot be stored.
    pub async fn submit_document(&self, path: impl AsRef<Path> + Send, wait: bool) -> Result<DocumentRecord> {
        self.backend.submit_document(path.as_ref(), wait).await
    }

    /// The documents with these names or ids, in the given order.
    ///
    /// # Errors
    /// [`Error::NoSuchDocument`] names the first that is not there, with close names.
    pub async fn resolve(&self, names: &[String]) -> Result<Vec<DocumentRecord>> {
        self.backend.resolve(&self.scope, names).await
    }

    /// The scope that holds exactly these documents (names or ids), or all that this client reaches when none is given.
    ///
    /// # Errors
    /// As [`Client::resolve`].
    pub async fn scope(&self, names: &[String]) -> Result<Scope> {
        if names.is_empty() {
            return Ok(self.scope.clone());
        }
        let ids: Vec<DocId> = self.resolve(names).await?.into_iter().map(|document| document.id).collect();
        Ok(Scope::Documents(ids))
    }

    /// This client, limited to these documents (names or ids): for its tools, instructions and servers no others exist. With no name at all
    /// nothing exists.
    ///
    /// ```
    /// # use pagewise::{Client, LocalOptions};
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let client = Client::local(LocalOptions::default())?;
    /// client.submit_document("examples/documents/quarterly-release.pdf", true).await?;
    /// let one = client.limited_to(&["quarterly-release.pdf".to_owned()]).await?;
    /// assert!(one.agent_instructions(&[]).await?.contains("quarterly-release.pdf"));
    ///
    /// let wrong = client.limited_to(&["quartely-release.pdf".to_owned()]).await;
    /// assert!(wrong.unwrap_err().to_string().contains("did you mean quarterly-release.pdf?"));
    /// # Ok::<(), pagewise::Error>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    /// As [`Client::resolve`].
    pub async fn limited_to(&self, names: &[String]) -> Result<Self> {
        let ids = self.resolve(names).await?.into_iter().map(|document| document.id).collect();
        Ok(self.within(&Scope::Documents(ids)))
    }

    /// This client, limited to what is in this scope as well.
    #[must_use]
    pub fn within(&self, scope: &Scope) -> Self {
        let scope = match (&self.scope, scope) {
            (Scope::All, scope) | (scope, Scope::All) => scope.clone(),
            (Scope::Documents(ids), inner) => Scope::Documents(ids.iter().filter(|id| inner.holds(id)).cloned().collect()),
        };
        Self { scope, ..self.clone() }
    }

    /// This client, with replies of at most so many characters, for hosts that cap them; held between [`MIN_REPLY_CHARS`] and
    /// [`MAX_REPLY_CHARS`], which is also the default.
    #[must_use]
    pub fn with_max_reply_chars(&self, chars: usize) -> Self {
        Self { max_reply_chars: Some(chars.clamp(MIN_REPLY_CHARS, MAX_REPLY_CHARS)), ..self.clone() }
    }

    /// The tools as an [`Agent`](crate::Agent) takes them, with everything that a reply proves. Deleting is among them only with
    /// `include_management`.
    ///
    /// # Errors
    /// None for a local client; another may have to reach a server first.
    pub async fn toolbox(&self, include_management: bool) -> Result<Arc<dyn Toolbox>> {
        self.backend.toolbox(self.toolbox_options(include_management)).await
    }

    /// The tools as plain functions, for an agent of any kind. Deleting is among them only with `include_management`, and then it is done
    /// without asking anybody.
    ///
    /// ```
    /// # use pagewise::{Client, LocalOptions};
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let client = Client::local(LocalOptions::default())?;
    /// let tools = client.agent_tools(false).await?;
    /// assert!(tools.iter().all(|tool| tool.annotations.read_only_hint));
    /// let reply = tools[0].call("what a model wrote in place of JSON").await;
    /// assert!(reply.contains(r#""errorCode":"INVALID_INPUT""#));
    /// # Ok::<(), pagewise::Error>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    /// As [`Client::toolbox`].
    pub async fn agent_tools(&self, include_management: bool) -> Result<Vec<AgentTool>> {
        let toolbox = self.toolbox(include_management).await?;
        Ok(toolbox.definitions().into_iter().map(|definition| AgentTool::new(definition, toolbox.clone())).collect())
    }

    /// The tools as the `tools` of a request to OpenAI or to a server that speaks one of its APIs. Their calls are answered by
    /// [`AgentTool::call`] of the tool with that name.
    ///
    /// Schemas are strict: a model has to name every argument, but may give null for each that it would leave out. A tool whose schema has
    /// no strict form is offered with `"strict": false`; no local one is such a tool.
    ///
    /// ```
    /// # use pagewise::{Client, LocalOptions};
    /// use pagewise::{OpenAiOptions, OpenAiShape};
    ///
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let client = Client::local(LocalOptions::default())?;
    /// let tools = client.as_openai_tools(OpenAiOptions { shape: OpenAiShape::Responses, ..Default::default() }).await?;
    /// assert_eq!(tools[0]["name"], "browse_documents");
    /// assert_eq!(tools[0]["parameters"]["additionalProperties"], false);
    /// # Ok::<(), pagewise::Error>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] for `hosted` where the documents are on this machine; [`Error::Settings`] for `hosted` in the shape of Chat
    /// Completions, which has no such tools; else as [`Client::toolbox`].
    pub async fn as_openai_tools(&self, options: OpenAiOptions) -> Result<Vec<Value>> {
        if options.hosted {
            let tool = self.backend.hosted_tool(&self.toolbox_options(options.include_management))?;
            if options.shape == OpenAiShape::Chat {
                return Err(Error::Settings("hosted tools exist in the Responses API only; set `shape` to it".to_owned()));
            }
            return Ok(vec![tool]);
        }
        let toolbox = self.toolbox(options.include_management).await?;
        Ok(shapes::openai(options.shape, &toolbox.definitions()))
    }

    /// The tools for the Claude Agent SDK: a server that it starts (`pagewise mcp`, with this library and these limits), and the names of the
    /// tools that it may use without asking. Deleting is among them only with `include_management`.
    ///
    /// ```
    /// # use pagewise::{Client, LocalOptions};
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("library.db");
    /// let options = LocalOptions { library: Some(path), program: Some("/usr/bin/pagewise".into()), ..Default::default() };
    /// let claude = Client::local(options)?.as_claude_mcp(false).await?;
    /// assert_eq!(claude.mcp_servers["pagewise"]["type"], "stdio");
    /// assert_eq!(claude.allowed_tools[0], "mcp__pagewise__browse_documents");
    /// println!("{}", serde_json::to_string(&claude).unwrap());
    /// # Ok::<(), pagewise::Error>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a library in memory, which no other program can serve; [`Error::Settings`] when the program `pagewise` is
    /// not found, a path is not Unicode, or the client is limited to no document; [`Error::Io`] when the working folder is unknown;
    /// [`Error::NoSuchDocument`] when a document that it is limited to was removed; else as [`Client::toolbox`].
    pub async fn as_claude_mcp(&self, include_management: bool) -> Result<ClaudeMcp> {
        let server = self.backend.mcp_server(&self.toolbox_options(include_management)).await?;
        let tools = self.toolbox(include_management).await?.definitions();
        Ok(ClaudeMcp {
            mcp_servers: Value::Object(Map::from_iter([(SERVER_NAME.to_owned(), server)])),
            allowed_tools: tools.iter().map(|tool| format!("mcp__{SERVER_NAME}__{}", tool.name)).collect(),
        })
    }

    /// What a model has to be told to use the tools well and to cite: the system text for an agent with the tools of this client. With ids or
    /// names the target documents are appended, and the agent goes straight to them.
    ///
    /// The text is that of the reading tools. [`Toolbox::instructions`] of a toolbox with management adds when to delete.
    ///
    /// ```
    /// # use pagewise::{Client, LocalOptions};
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// let client = Client::local(LocalOptions::default())?;
    /// let release = client.submit_document("examples/documents/quarterly-release.pdf", true).await?;
    /// let system = client.agent_instructions(&[release.id.0]).await?;
    /// assert!(system.contains("quarterly-release.pdf"));
    /// # Ok::<(), pagewise::Error>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuchDocument`] when one of them is not there, with close names.
    pub async fn agent_instructions(&self, doc_ids: &[String]) -> Result<String> {
        self.resolve(doc_ids).await?;
        self.toolbox(false).await?.instructions(doc_ids).await
    }

    fn toolbox_options(&self, include_management: bool) -> ToolboxOptions {
        ToolboxOptions { scope: self.scope.clone(), include_management, max_reply_chars: self.max_reply_chars }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("scope", &self.scope).finish_non_exhaustive()
    }
}
