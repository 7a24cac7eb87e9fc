//! What can be said on the command line. Parsed flags only; what they lead to is [`crate::config::Settings`].

mod doors;
mod model;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use secrecy::SecretString;

use crate::config::Overrides;
pub(crate) use doors::{CallArgs, McpArgs, McpCommand, McpConfigArgs, ReplyArgs, SurfaceArgs, ToolsArgs, ToolsFormat};
pub(crate) use model::ModelArgs;

/// Ask long PDFs; get answers whose page citations have been checked.
///
/// Without a command it starts an interactive session.
#[derive(Debug, Parser)]
#[command(
    name = "pagewise",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  pagewise ask \"What was total revenue?\" --doc report.pdf
  pagewise add reports/ && pagewise ask \"Which report mentions a goodwill impairment?\"
  pagewise ask \"Summarise note 12\" --doc report.pdf --model gpt-5-mini
  pagewise                                   (interactive; /help shows what it can do)"
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(flatten)]
    pub(crate) chat: ChatArgs,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Args)]
pub(crate) struct GlobalArgs {
    /// Library file [default: library.db in the user's data folder]
    #[arg(long, global = true, value_name = "PATH", help_heading = "Global options")]
    pub(crate) library: Option<PathBuf>,
    /// Config file [default: pagewise/config.toml in the user's config folder]
    #[arg(long, global = true, value_name = "PATH", help_heading = "Global options")]
    pub(crate) config: Option<PathBuf>,
    /// Folder with texts of yours in place of built-in prompts [env: PAGEWISE_PROMPTS]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Global options")]
    pub(crate) prompts: Option<PathBuf>,
    /// Write a log to this file, one JSON object a line [env: PAGEWISE_LOG_FILE]
    #[arg(long, global = true, value_name = "PATH", help_heading = "Global options")]
    pub(crate) log_file: Option<PathBuf>,
    /// Colours on the terminal
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto, value_name = "WHEN", help_heading = "Global options")]
    pub(crate) color: ColorChoice,
    /// Say nothing on stderr but errors
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub(crate) quiet: bool,
    /// Log more on stderr (-v, -vv, -vvv)
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = "Global options")]
    pub(crate) verbose: u8,
}

/// When colours are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

/// How encrypted files are opened.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PasswordArgs {
    /// Password of encrypted PDFs
    #[arg(long, env = "PAGEWISE_PDF_PASSWORD", hide_env_values = true, value_name = "TEXT", help_heading = None::<&str>)]
    pub(crate) password: Option<SecretString>,
}

impl PasswordArgs {
    pub(crate) fn open_options(&self) -> crate::pdf::OpenOptions {
        crate::pdf::OpenOptions { password: self.password.clone(), ..Default::default() }
    }
}

/// What the interactive session takes.
#[derive(Debug, Default, Args)]
pub(crate) struct ChatArgs {
    /// Talk only about these (files, folders, globs or stored names); repeatable
    #[arg(long = "doc", value_name = "DOC")]
    pub(crate) docs: Vec<String>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) password: PasswordArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Answer one question
    Ask(AskArgs),
    /// Add PDFs to the library
    Add(AddArgs),
    /// List the documents of the library
    List(ListArgs),
    /// Find pages by words
    Search(SearchArgs),
    /// Show the sections of a document
    Tree(TreeArgs),
    /// Show the text of pages
    Pages(PagesArgs),
    /// Rebuild stored trees with the present version
    Reindex(ReindexArgs),
    /// Remove documents from the library
    Remove(RemoveArgs),
    /// Call one tool with JSON arguments and print its reply
    Call(CallArgs),
    /// Show the tools that an agent gets
    Tools(ToolsArgs),
    /// Serve the tools to an MCP host
    Mcp(McpArgs),
    /// Show what models are told, or write it to files to be changed
    Prompts(PromptsArgs),
    /// Answer a file of questions
    Eval(EvalArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pagewise ask \"What was net income?\" --doc report.pdf
  pagewise ask \"Compare the two years\" --doc 2024.pdf --doc 2025.pdf --json
  pagewise ask \"Who audits the accounts?\" --doc 'reports/*.pdf' --no-store")]
pub(crate) struct AskArgs {
    /// The question
    pub(crate) question: String,
    /// Ask only these (files, folders, globs or stored names); repeatable
    #[arg(long = "doc", value_name = "DOC")]
    pub(crate) docs: Vec<String>,
    /// Keep nothing: read the files of --doc for this question only
    #[arg(long)]
    pub(crate) no_store: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) password: PasswordArgs,
}

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// Files and folders (folders are searched for *.pdf)
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Name in the library (one file only)
    #[arg(long, value_name = "TEXT")]
    pub(crate) name: Option<String>,
    /// Description, in place of the one found in the document (one file only)
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// Metadata; repeatable; numbers, true and false are kept as such
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) metadata: Vec<String>,
    /// Print one JSON object a document
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) improve: ImproveArgs,
    #[command(flatten)]
    pub(crate) password: PasswordArgs,
}

/// Improving what was found without a model.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ImproveArgs {
    /// Have the model write summaries and description and split long sections; the text of the documents is sent to it
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", help_heading = "With a model")]
    pub(crate) with_model: Option<bool>,
    /// Model for --with-model [env: PAGEWISE_MODEL]
    #[arg(long, value_name = "NAME", help_heading = "With a model")]
    pub(crate) model: Option<String>,
    /// Base URL of an OpenAI-compatible server [env: OPENAI_BASE_URL]
    #[arg(long, value_name = "URL", help_heading = "With a model")]
    pub(crate) base_url: Option<String>,
    /// Requests to the model at once [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64), help_heading = "With a model")]
    pub(crate) jobs: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pagewise search \"goodwill impairment\"
  pagewise search '\"cold chain\" 1,577' --doc report.pdf      (quoted words stand together)
  pagewise search 売上高 --json

The best pages come first. Finding nothing is no failure: the exit status is 0.")]
pub(crate) struct SearchArgs {
    /// Words to look for, or a whole question
    pub(crate) query: String,
    /// Look only in these stored documents (names, or files that were added); repeatable
    #[arg(long = "doc", value_name = "NAME")]
    pub(crate) docs: Vec<String>,
    /// Most pages shown
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) limit: u32,
    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TreeArgs {
    /// A PDF file, or the name of a stored document
    pub(crate) document: PathBuf,
    /// Only the first N levels
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) depth: Option<u8>,
    /// Only sections with this text in their title or key items, and the sections around them
    #[arg(long, value_name = "TEXT")]
    pub(crate) grep: Option<String>,
    /// Say where each section came from, how sure that is, and whether its title is printed there
    #[arg(long)]
    pub(crate) sources: bool,
    /// Show the summaries
    #[arg(long)]
    pub(crate) summaries: bool,
    /// Print one JSON object (always with summaries)
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) password: PasswordArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PagesArgs {
    /// A PDF file, or the name of a stored document
    pub(crate) document: PathBuf,
    /// Which pages: 5, 3,7,10, 5-10 or 1-3,7 [default: all]
    pub(crate) pages: Option<String>,
    /// Show the lines with what the eye sees of them: place, size, weight, colour
    #[arg(long)]
    pub(crate) lines: bool,
    /// Show the page as it is placed
    #[arg(long, conflicts_with_all = ["lines", "json"])]
    pub(crate) layout: bool,
    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) password: PasswordArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Without names it rebuilds the documents that an older version indexed. It reads their files again; where a file is \
gone or has changed, the stored document stays as it is.")]
pub(crate) struct ReindexArgs {
    /// Names of stored documents
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// All documents of the library
    #[arg(long, conflicts_with = "names")]
    pub(crate) all: bool,
    /// Rebuild also what is up to date
    #[arg(long)]
    pub(crate) force: bool,
    /// Print one JSON object a document
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) password: PasswordArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RemoveArgs {
    /// Names of stored documents
    #[arg(required = true, value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
QUESTIONS holds one JSON object a line with at least \"id\", \"question\" and \"doc\" (a file name in DIR).
The same --out folder again goes on where the last run stopped.")]
pub(crate) struct EvalArgs {
    /// File of questions, JSON lines
    pub(crate) questions: PathBuf,
    /// Folder with the PDFs
    #[arg(long, value_name = "DIR")]
    pub(crate) docs: PathBuf,
    /// Folder for the results
    #[arg(long, value_name = "RUN")]
    pub(crate) out: PathBuf,
    /// Questions answered at the same time
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) jobs: u16,
    /// Only the first N questions
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) password: PasswordArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pagewise prompts                          (the names)
  pagewise prompts read_and_answer          (one text)
  pagewise prompts --write my-prompts       (all of them as files; change or delete what you like)
  pagewise ask \"Who audits?\" --prompts my-prompts

A text without a file is the built-in one. An empty file leaves its text out, but for what is said in the middle of a
run (last_turn, ask_*), which is built-in then.")]
pub(crate) struct PromptsArgs {
    /// Name of one text
    pub(crate) name: Option<String>,
    /// Write all texts into this folder; files that are there stay
    #[arg(long, value_name = "DIR", conflicts_with = "name")]
    pub(crate) write: Option<PathBuf>,
}

/// How failures are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failures {
    /// For people, on stderr.
    Text,
    /// `{"error": {"kind", "message"}}` on stdout.
    Json,
    /// As a tool reports a failure, on stdout.
    Envelope,
}

impl Command {
    /// For whom failures are printed.
    pub(crate) fn failures(&self) -> Failures {
        let json = match self {
            Self::Ask(args) => args.json,
            Self::Add(args) => args.json,
            Self::List(args) => args.json,
            Self::Search(args) => args.json,
            Self::Tree(args) => args.json,
            Self::Pages(args) => args.json,
            Self::Reindex(args) => args.json,
            Self::Tools(args) => args.format != ToolsFormat::Text,
            Self::Call(_) => return Failures::Envelope,
            Self::Remove(_) | Self::Mcp(_) | Self::Prompts(_) | Self::Eval(_) => false,
        };
        if json { Failures::Json } else { Failures::Text }
    }
}

impl Cli {
    /// The settings that these flags override.
    pub(crate) fn overrides(&self) -> Overrides {
        let improve = match &self.command {
            Some(Command::Add(args)) => args.improve.clone(),
            _ => ImproveArgs::default(),
        };
        let model = match &self.command {
            None => self.chat.model.overrides(),
            Some(Command::Ask(args)) => args.model.overrides(),
            Some(Command::Eval(args)) => args.model.overrides(),
            Some(_) => Overrides { model: improve.model, base_url: improve.base_url, ..Overrides::default() },
        };
        Overrides {
            library: self.global.library.clone(),
            config: self.global.config.clone(),
            prompts: self.global.prompts.clone(),
            log_file: self.global.log_file.clone(),
            with_model: improve.with_model,
            model_jobs: improve.jobs,
            ..model
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
