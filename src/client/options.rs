//! What a caller says when a client is made, and how the tools are to look.

use std::path::PathBuf;

use secrecy::SecretString;

use crate::prompts::Prompts;

/// How to open a library on this machine.
#[derive(Debug, Clone, Default)]
pub struct LocalOptions {
    /// The library file, made where there is none; `None` keeps everything in memory and leaves nothing on disk.
    pub library: Option<PathBuf>,
    /// The `pagewise` program that another program starts to serve this library ([`Client::as_claude_mcp`](super::Client::as_claude_mcp)): a
    /// path, or a name that is looked for on the PATH; `None` is `pagewise` there.
    pub program: Option<PathBuf>,
    /// What agents are told.
    pub prompts: Prompts,
}

/// How to reach PageIndex cloud.
#[derive(Debug, Clone, Default)]
pub struct CloudOptions {
    /// The key; `None` takes it from `PAGEINDEX_API_KEY`, which is read for no other reason.
    pub api_key: Option<SecretString>,
}

/// Which of OpenAI's two APIs the tools are for. They differ in how a function is written down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OpenAiShape {
    /// Chat Completions, which most other servers speak as well: `{"type": "function", "function": {"name", ...}}`.
    #[default]
    Chat,
    /// Responses: `{"type": "function", "name", ...}`.
    Responses,
}

/// What [`Client::as_openai_tools`](super::Client::as_openai_tools) gives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OpenAiOptions {
    /// For which API.
    pub shape: OpenAiShape,
    /// Whether the tool that deletes documents is among them. Only a person may switch it on.
    pub include_management: bool,
    /// One tool that OpenAI's servers run themselves, in place of functions that you run. It needs the documents in PageIndex cloud and the
    /// Responses API.
    pub hosted: bool,
}
