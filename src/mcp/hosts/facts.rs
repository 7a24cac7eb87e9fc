//! What is known of each host. Sources: the configuration pages of the hosts' own documentation, as of 2026.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::places::{Os, Places};
use crate::mcp::entry::{SERVER_NAME, ServerEntry};

/// Longest that a tool call may take, in seconds: the 180 that `wait_for_completion` waits at most, and room for the reply.
const LONGEST_CALL_SECONDS: u32 = 240;

/// A program that starts MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// Claude Code, on the command line and in editors.
    ClaudeCode,
    /// The Claude desktop app.
    ClaudeDesktop,
    /// Cursor.
    Cursor,
    /// VS Code (Copilot).
    VsCode,
    /// Codex: command line, editors and app read the same file.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Zed.
    Zed,
}

/// How a host's file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// JSON; the host takes nothing else.
    Json,
    /// JSON with comments and trailing commas.
    Jsonc,
    /// TOML.
    Toml,
}

impl Host {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::ClaudeCode, Self::ClaudeDesktop, Self::Cursor, Self::VsCode, Self::Codex, Self::Gemini, Self::Zed];

    /// The name on the command line.
    pub fn id(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::ClaudeDesktop => "claude-desktop",
            Self::Cursor => "cursor",
            Self::VsCode => "vscode",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Zed => "zed",
        }
    }

    /// The name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Cursor => "Cursor",
            Self::VsCode => "VS Code",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
            Self::Zed => "Zed",
        }
    }

    /// The file that holds for all projects of the user.
    pub fn user_file(self, places: &Places) -> PathBuf {
        match self {
            Self::ClaudeCode => places.claude_config.as_ref().unwrap_or(&places.home).join(".claude.json"),
            Self::ClaudeDesktop => places.claude_desktop().join("claude_desktop_config.json"),
            Self::Cursor => places.home.join(".cursor").join("mcp.json"),
            // The default profile; other profiles have folders of their own beside it.
            Self::VsCode => places.config.join("Code").join("User").join("mcp.json"),
            Self::Codex => places.codex_home.clone().unwrap_or_else(|| places.home.join(".codex")).join("config.toml"),
            Self::Gemini => places.home.join(".gemini").join("settings.json"),
            Self::Zed => match places.os {
                Os::Windows => places.config.join("Zed"),
                Os::Linux => places.config.join("zed"),
                // Zed keeps to ~/.config here, unlike other apps.
                Os::MacOs => places.home.join(".config").join("zed"),
            }
            .join("settings.json"),
        }
    }

    /// The file that holds for the project in `folder`, where the host has one.
    pub fn project_file(self, folder: &Path) -> Option<PathBuf> {
        match self {
            Self::ClaudeCode => Some(folder.join(".mcp.json")),
            Self::Cursor => Some(folder.join(".cursor").join("mcp.json")),
            Self::VsCode => Some(folder.join(".vscode").join("mcp.json")),
            Self::Codex => Some(folder.join(".codex").join("config.toml")),
            Self::Gemini => Some(folder.join(".gemini").join("settings.json")),
            Self::ClaudeDesktop | Self::Zed => None,
        }
    }

    /// What a person still has to do once the entry is in the file.
    pub fn next_step(self, project: bool) -> &'static str {
        match (self, project) {
            (Self::ClaudeCode, true) => "start Claude Code in this folder; it asks once whether to trust the server",
            (Self::ClaudeCode, false) => "start a new session of Claude Code; /mcp shows the server",
            (Self::ClaudeDesktop, _) => "quit Claude Desktop wholly and start it again",
            (Self::Cursor, _) => "switch the server on in the settings of Cursor, under MCP",
            (Self::VsCode, _) => "start the server: `MCP: List Servers` in the command palette of VS Code",
            (Self::Codex, true) => "start Codex in this folder; it reads this file only in projects that it trusts",
            (Self::Codex, false) => "start Codex again; /mcp shows the server",
            (Self::Gemini, _) => "start Gemini CLI again; /mcp shows the server",
            (Self::Zed, _) => "Zed starts the server by itself; its agent settings show it",
        }
    }

    /// Most characters of a reply that this host hands to its model whole, where it is known to cut or put aside longer ones; `None` where
    /// it is not.
    ///
    /// - Claude Code: replies over 25,000 tokens (`MAX_MCP_OUTPUT_TOKENS`) or about 50,000 characters go to a file. Pages of annual accounts,
    ///   as they stand in a reply, have 2.7 characters a token at the least (110 pages, two published tokenizers; the median is 4.3); newer
    ///   tokenizers make up to half as many tokens again: 2.7 / 1.5 = 1.8, and 25,000 x 1.8 = 45,000. With some room: 40,000. Chinese and
    ///   Japanese text has about one character a token and needs less (`--max-result-chars 20000`).
    /// - Codex: 10,000 tokens (`tool_output_token_limit`), counted as 4 bytes each: 40,000 bytes, of which the middle is dropped. Characters
    ///   of one or two bytes: 40,000 / 2 = 20,000, the least that the tools take.
    /// - Gemini CLI: 40,000 characters (`truncateToolOutputThreshold`), of which the middle is dropped. It counts characters beyond U+FFFF
    ///   twice; one in ten of them: 40,000 / 1.1 = 36,000.
    /// - VS Code and Cursor write long replies (VS Code from 8 KB on) to a file, which their agents read on from: nothing is lost, and no size
    ///   that the tools can work with avoids it.
    /// - Claude Desktop takes up to 1 MB, ten times what a reply can be; Zed has no cap.
    pub fn max_result_chars(self) -> Option<u32> {
        match self {
            Self::ClaudeCode => Some(40_000),
            Self::Codex => Some(20_000),
            Self::Gemini => Some(36_000),
            Self::ClaudeDesktop | Self::Cursor | Self::VsCode | Self::Zed => None,
        }
    }

    pub(super) fn format(self) -> Format {
        match self {
            Self::ClaudeCode | Self::ClaudeDesktop => Format::Json,
            Self::Cursor | Self::VsCode | Self::Gemini | Self::Zed => Format::Jsonc,
            Self::Codex => Format::Toml,
        }
    }

    /// The key that all servers stand under.
    pub(super) fn servers_key(self) -> &'static str {
        match self {
            Self::ClaudeCode | Self::ClaudeDesktop | Self::Cursor | Self::Gemini => "mcpServers",
            Self::VsCode => "servers",
            Self::Codex => "mcp_servers",
            Self::Zed => "context_servers",
        }
    }

    /// The value that stands under the server's name.
    pub(super) fn value(self, entry: &ServerEntry) -> Value {
        let mut fields = Map::new();
        if matches!(self, Self::ClaudeCode | Self::Cursor | Self::VsCode) {
            fields.insert("type".to_owned(), json!("stdio"));
        }
        fields.insert("command".to_owned(), json!(entry.command));
        fields.insert("args".to_owned(), json!(entry.args));
        match self {
            // Without it Codex gives up on a call after 60 seconds.
            Self::Codex => {
                fields.insert("tool_timeout_sec".to_owned(), json!(LONGEST_CALL_SECONDS));
            }
            Self::Zed => {
                fields.insert("env".to_owned(), json!({}));
            }
            _ => {}
        }
        Value::Object(fields)
    }

    /// The block for a file that holds nothing else, with a line end. Control characters and those that turn the direction of text are
    /// escaped, so that it can be shown on a terminal.
    pub fn block(self, entry: &ServerEntry) -> String {
        let value = self.value(entry);
        match self.format() {
            Format::Toml => super::toml::block(self.servers_key(), SERVER_NAME, &value),
            Format::Json | Format::Jsonc => super::json::block(self.servers_key(), SERVER_NAME, value),
        }
    }
}
