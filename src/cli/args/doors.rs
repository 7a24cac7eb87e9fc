//! The flags of the commands through which other agents get at the tools: `call`, `tools`, `mcp`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::mcp::hosts::Host;

#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// Name of the tool
    pub(crate) tool: String,
    /// Arguments, a JSON object; - reads them from stdin
    #[arg(default_value = "{}", value_name = "JSON")]
    pub(crate) arguments: String,
    #[command(flatten)]
    pub(crate) surface: SurfaceArgs,
    #[command(flatten)]
    pub(crate) reply: ReplyArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
openai     the tools of a Chat Completions request, with strict schemas
responses  the tools of a Responses request, with strict schemas
anthropic  the tools of a Messages request
mcp        the tools as an MCP server lists them")]
pub(crate) struct ToolsArgs {
    /// For whom: text is for people, all others are JSON arrays as an API takes them
    #[arg(long, value_enum, default_value_t = ToolsFormat::Text, value_name = "FORMAT")]
    pub(crate) format: ToolsFormat,
    #[command(flatten)]
    pub(crate) surface: SurfaceArgs,
}

/// How the tools are written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolsFormat {
    Text,
    Openai,
    Responses,
    Anthropic,
    Mcp,
}

/// What of the tool surface is open.
#[derive(Debug, Args)]
pub(crate) struct SurfaceArgs {
    /// Only these stored documents exist; repeatable
    #[arg(long = "doc", value_name = "NAME")]
    pub(crate) docs: Vec<String>,
    /// Include the tool that deletes documents
    #[arg(long)]
    pub(crate) include_management: bool,
}

/// How large a reply may be.
#[derive(Debug, Args)]
pub(crate) struct ReplyArgs {
    /// Most characters of a reply, for hosts that cap them (20000 to 100000)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(20_000..=100_000))]
    pub(crate) max_result_chars: Option<u32>,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct McpArgs {
    #[command(subcommand)]
    pub(crate) command: Option<McpCommand>,
    /// Serve Streamable HTTP at this address (such as 127.0.0.1:8787) instead of stdin and stdout
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) http: Option<String>,
    /// File with the token that every HTTP request must bring [env: PAGEWISE_MCP_TOKEN]
    #[arg(long, value_name = "PATH", requires = "http")]
    pub(crate) token_file: Option<PathBuf>,
    /// Let web pages of this origin call over HTTP, such as https://app.example.com; repeatable
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub(crate) allow_origin: Vec<String>,
    /// Answer over HTTP to this host name, too; repeatable
    #[arg(long, value_name = "HOST", requires = "http")]
    pub(crate) allow_host: Vec<String>,
    #[command(flatten)]
    pub(crate) surface: SurfaceArgs,
    #[command(flatten)]
    pub(crate) reply: ReplyArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Print the configuration of a host that starts this server, or write it there
    Config(McpConfigArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Without --write the block goes to stdout and where it belongs to stderr.

Examples:
  pagewise mcp config --host claude-code --write
  pagewise mcp config --host zed --doc report.pdf")]
pub(crate) struct McpConfigArgs {
    /// Which host
    #[arg(long, value_enum)]
    pub(crate) host: Host,
    /// Write it into the host's file, keeping what is there, with a backup beside it
    #[arg(long)]
    pub(crate) write: bool,
    /// The file of the project in this folder instead of the user's
    #[arg(long)]
    pub(crate) project: bool,
    /// Another file than the host's own
    #[arg(long, value_name = "FILE", conflicts_with = "project")]
    pub(crate) path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) surface: SurfaceArgs,
    #[command(flatten)]
    pub(crate) reply: ReplyArgs,
}

impl ValueEnum for Host {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.id()))
    }
}
