//! The only thing that writes to stdout and stderr.
//!
//! stdout carries the answer (or JSON), stderr all else. Text that comes from documents, models or file names is made harmless first:
//! control characters never reach a terminal.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;

use super::args::{ColorChoice, GlobalArgs};
use crate::tools::harmless_json;

/// Columns of a terminal whose width cannot be found out.
const DEFAULT_WIDTH: usize = 80;

/// Writes for people and for programs. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Printer {
    quiet: bool,
    color_out: bool,
    color_err: bool,
}

impl Printer {
    pub(crate) fn new(global: &GlobalArgs) -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let wanted = |terminal: bool| match global.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => terminal && !plain,
        };
        Self { quiet: global.quiet, color_out: wanted(io::stdout().is_terminal()), color_err: wanted(io::stderr().is_terminal()) }
    }

    /// Whether stdout is a terminal.
    pub(crate) fn out_is_terminal(&self) -> bool {
        io::stdout().is_terminal()
    }

    /// Whether stdout gets colours.
    pub(crate) fn color(&self) -> bool {
        self.color_out
    }

    /// Whether only the answer is wanted.
    pub(crate) fn quiet(&self) -> bool {
        self.quiet
    }

    /// Columns of the terminal, at least 20.
    pub(crate) fn width(&self) -> usize {
        if !self.out_is_terminal() {
            return DEFAULT_WIDTH;
        }
        match termimad::terminal_size().0 {
            // A terminal that was told no size.
            0 | 1 => DEFAULT_WIDTH,
            columns => usize::from(columns).max(20),
        }
    }

    /// Text that is ours or was made harmless, without a line end.
    pub(crate) fn raw(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// A line of text of any origin.
    pub(crate) fn line(&self, text: &str) -> io::Result<()> {
        self.raw(&format!("{}\n", harmless(text)))
    }

    /// A line of harmless text, wrapped at words on a terminal; further lines are indented by this many columns.
    pub(crate) fn wrapped(&self, text: &str, indent: usize) -> io::Result<()> {
        if !self.out_is_terminal() {
            return self.raw(&format!("{text}\n"));
        }
        let further = " ".repeat(indent);
        let options = textwrap::Options::new(self.width()).subsequent_indent(&further);
        self.raw(&format!("{}\n", textwrap::fill(text, options)))
    }

    /// One JSON document and a line end.
    pub(crate) fn json(&self, value: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_string(value).map_err(io::Error::other)?;
        self.raw(&format!("{}\n", harmless_json(text)))
    }

    /// A word on stderr that the user may switch off with `--quiet`.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.err_line(&self.dim_err(&harmless(text)));
        }
    }

    /// A failure on stderr, with what to do about it.
    pub(crate) fn error(&self, message: &str, hint: Option<&str>) {
        let label = if self.color_err { "\u{1b}[1;31merror:\u{1b}[0m" } else { "error:" };
        self.err_line(&format!("{label} {}", harmless(message)));
        if let Some(hint) = hint {
            self.err_line(&format!("hint: {}", harmless(hint)));
        }
    }

    /// A question on stderr, without a line end.
    pub(crate) fn prompt(&self, text: &str) {
        let mut err = io::stderr().lock();
        // If stderr is gone there is nobody to ask, and the answer will be no.
        let _ = write!(err, "{}", harmless(text)).and_then(|()| err.flush());
    }

    fn err_line(&self, text: &str) {
        // stderr is for people; when it is closed there is nobody to tell.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    fn dim_err(&self, text: &str) -> String {
        if self.color_err { format!("\u{1b}[2m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// Bold on stdout where colours are on.
    pub(crate) fn bold(&self, text: &str) -> String {
        if self.color_out { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// What was looked for, on stdout where colours are on.
    pub(crate) fn found(&self, text: &str) -> String {
        if self.color_out { format!("\u{1b}[1;31m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// Dim on stdout where colours are on.
    pub(crate) fn dim(&self, text: &str) -> String {
        if self.color_out { format!("\u{1b}[2m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// The text without anything that a terminal could take as a command: control characters other than line ends and tabs, and the
/// invisible characters that reverse the direction of text, become visible escapes.
pub(crate) fn harmless(text: &str) -> String {
    if !text.chars().any(is_harmful) {
        return text.to_owned();
    }
    text.chars().fold(String::with_capacity(text.len() + 16), |mut out, c| {
        if is_harmful(c) {
            out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
        } else {
            out.push(c);
        }
        out
    })
}

/// As [`harmless`], for a name that must stay on one line.
pub(crate) fn harmless_name(text: &str) -> String {
    harmless(text).replace('\n', "\\n").replace('\t', "\\t")
}

fn is_harmful(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_become_visible() {
        assert_eq!(harmless("a\u{1b}[31mb\u{9b}c\r\n\td"), "a\\u{1b}[31mb\\u{9b}c\\u{d}\n\td");
        assert_eq!(harmless("plain – text"), "plain – text");
        assert_eq!(harmless("\u{202e}fdp.exe"), "\\u{202e}fdp.exe");
        assert_eq!(harmless_name("a\nb"), "a\\nb");
    }
}
