//! The local [`Toolbox`]: the five tools over a library, with the scope and the management gate.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use async_trait::async_trait;
use futures::FutureExt;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::library::{Library, Scope};
use crate::prompts::Prompts;
use crate::search::Ranker;

use super::arguments::Arguments;
use super::definition::{BROWSE_DOCUMENTS, GET_DOCUMENT, GET_DOCUMENT_STRUCTURE, GET_PAGE_CONTENT, REMOVE_DOCUMENT, Tool, tools};
use super::envelope::{Envelope, ErrorCode, MAX_REPLY_CHARS, NextSteps};
use super::kind::quote;
use super::measure::excerpt;
use super::wait::Patience;
use super::{
    CitationFormat, ToolDefinition, ToolReply, Toolbox, arguments, browse, document, instructions, page_content, remove, structure,
};

/// The least bound on a reply; below it a long name would leave no room for what was asked.
pub const MIN_REPLY_CHARS: usize = 20_000;

/// What a toolbox may reach.
#[derive(Debug, Clone, Default)]
pub struct ToolboxOptions {
    /// Which documents exist for it. Enforced in every tool.
    pub scope: Scope,
    /// Whether `remove_document` exists. Only a person may switch it on.
    pub include_management: bool,
    /// Bounds replies further, for hosts that cap them: held between [`MIN_REPLY_CHARS`] and [`MAX_REPLY_CHARS`], which also stands for
    /// `None`.
    pub max_reply_chars: Option<usize>,
}

impl ToolboxOptions {
    /// The reading tools over these documents, with replies of the full size.
    pub fn over(scope: Scope) -> Self {
        Self { scope, ..Self::default() }
    }
}

/// The tools over a local library.
pub struct LocalToolbox {
    context: Context,
    include_management: bool,
}

/// What one call works with.
#[derive(Clone)]
pub(super) struct Context {
    pub library: Arc<dyn Library>,
    pub ranker: Arc<dyn Ranker>,
    pub scope: Scope,
    /// Most characters of the reply as it is sent.
    pub limit: usize,
    pub patience: Patience,
    pub prompts: Prompts,
    pub cancel: CancellationToken,
}

impl Context {
    /// Room for a document name in a reply. Names are given whole wherever they can be; 10,000 characters that all need escaping fit.
    pub fn name_room(&self) -> usize {
        self.limit / 8 * 5
    }
}

impl LocalToolbox {
    /// The tools over this library.
    pub fn new(library: Arc<dyn Library>, ranker: Arc<dyn Ranker>, options: ToolboxOptions) -> Self {
        let context = Context {
            library,
            ranker,
            scope: options.scope,
            limit: options.max_reply_chars.map_or(MAX_REPLY_CHARS, |chars| chars.clamp(MIN_REPLY_CHARS, MAX_REPLY_CHARS)),
            patience: Patience::CONTRACT,
            prompts: Prompts::default(),
            cancel: CancellationToken::new(),
        };
        Self { context, include_management: options.include_management }
    }

    /// Sets what agents are told.
    #[must_use]
    pub fn with_prompts(mut self, prompts: Prompts) -> Self {
        self.context.prompts = prompts;
        self
    }

    /// Shortens waits, for tests.
    #[cfg(test)]
    pub(super) fn with_patience(mut self, patience: Patience) -> Self {
        self.context.patience = patience;
        self
    }

    async fn answer(&self, context: &Context, name: &str, arguments: &Value) -> Result<Envelope, Box<Envelope>> {
        let tool = Tool::named(name)
            .filter(|tool| self.include_management || !tool.management)
            .ok_or_else(|| Box::new(self.unknown_tool(name)))?;
        let object = arguments::object(tool, arguments)?;
        let arguments = Arguments::read(tool, &object)?;
        match tool.name {
            BROWSE_DOCUMENTS => browse::browse(context, &arguments).await,
            GET_DOCUMENT => document::document(context, &arguments).await,
            GET_DOCUMENT_STRUCTURE => structure::structure(context, &arguments).await,
            GET_PAGE_CONTENT => page_content::page_content(context, &arguments).await,
            REMOVE_DOCUMENT => remove::remove(context, &arguments).await,
            _ => Err(Box::new(self.unknown_tool(name))),
        }
    }

    fn unknown_tool(&self, name: &str) -> Envelope {
        let available: Vec<&str> = tools(self.include_management).map(|tool| tool.name).collect();
        let asked = excerpt(name);
        let (message, option) = if name == REMOVE_DOCUMENT {
            (
                format!("{REMOVE_DOCUMENT} is switched off here; nothing was deleted."),
                "Tell the user that deleting is switched off: they can run `pagewise remove NAME` themselves, or start this program with \
                 --include-management."
                    .to_owned(),
            )
        } else {
            (format!("There is no tool {} here.", quote(name)), instead_of(name, &available))
        };
        Envelope::failure(ErrorCode::InvalidInput, message)
            .field("tool_name", asked)
            .field("available_tools", &available)
            .next(NextSteps::new("Use one of the available tools.").option(option))
    }
}

/// What does the work of a tool that is not here. The words are those in the names of tools that exist on the cloud or in other servers.
fn instead_of(name: &str, available: &[&str]) -> String {
    // Below 0.9 two names are two things.
    const SAME_WORD: f64 = 0.9;
    let lower: String = name.chars().take(64).flat_map(char::to_lowercase).collect();
    let close = available.iter().map(|tool| (strsim::jaro_winkler(tool, &lower), tool)).max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((score, tool)) = close
        && score >= SAME_WORD
    {
        return format!("Did you mean {tool}?");
    }
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if has(&["folder"]) {
        format!("This library has no folders; they exist on PageIndex cloud. {BROWSE_DOCUMENTS} lists all documents.")
    } else if has(&["image", "picture", "figure"]) {
        format!("Images can be read on PageIndex cloud only; {GET_PAGE_CONTENT} returns the text of a page.")
    } else if has(&["process", "upload", "submit", "add_", "create"]) {
        "Documents are added by the user: `pagewise add FILE.pdf`.".to_owned()
    } else if has(&["search", "find", "query", "recent", "list", "relevant"]) {
        format!(
            "{BROWSE_DOCUMENTS} with sort \"relevance\" and a query ranks all documents by the words of the query; without a query it lists the newest first."
        )
    } else if has(&["structure", "outline", "toc", "tree"]) {
        format!("{GET_DOCUMENT_STRUCTURE} returns the outline of a document.")
    } else if has(&["page", "content", "read", "text"]) {
        format!("{GET_PAGE_CONTENT} returns the text of pages.")
    } else {
        format!("{BROWSE_DOCUMENTS} is where to start: it lists the documents.")
    }
}

#[async_trait]
impl Toolbox for LocalToolbox {
    fn definitions(&self) -> Vec<ToolDefinition> {
        tools(self.include_management).map(Tool::definition).collect()
    }

    async fn instructions(&self, doc_ids: &[String]) -> Result<String, crate::Error> {
        instructions::instructions(&self.context, self.include_management, doc_ids).await
    }

    fn citation_rules(&self, format: CitationFormat) -> String {
        instructions::citation_rules(&self.context.prompts, format).to_owned()
    }

    async fn call(&self, name: &str, arguments: &Value, cancel: &CancellationToken) -> ToolReply {
        let context = Context { cancel: cancel.clone(), ..self.context.clone() };
        // A tool never panics: should there be a fault below, the conversation goes on all the same.
        let answer = AssertUnwindSafe(self.answer(&context, name, arguments)).catch_unwind().await;
        let envelope = match answer {
            Ok(Ok(envelope)) => envelope,
            Ok(Err(failure)) => *failure,
            Err(_) => {
                tracing::error!(tool = %excerpt(name), "a tool panicked");
                Envelope::failure(ErrorCode::InternalError, "The tool failed for a reason of its own.")
                    .next(NextSteps::new("This is a fault of the program, not of the call; tell the user."))
            }
        };
        envelope.finish(context.limit)
    }
}
