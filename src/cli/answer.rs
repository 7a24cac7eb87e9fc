//! What a person sees of a run: tool calls on stderr, the answer and its numbered citations on stdout.

use std::io;

use serde::Serialize;
use serde_json::Value;
use termimad::MadSkin;

use super::printer::{Printer, harmless, harmless_name};
use crate::agent::{AgentEvent, Answer, Citation, CitationStatus, CiteStream, Outcome, Unsupported};

/// Characters of a tool call's arguments that are shown.
const ARGUMENTS_SHOWN: usize = 400;
/// Characters of a quote that are shown.
const QUOTE_SHOWN: usize = 160;

/// Follows the events of one run.
pub(crate) struct AnswerView {
    printer: Printer,
    /// Whether text is shown as it comes. On a pipe or in a file only the accepted answer is ever written.
    live: bool,
    cites: CiteStream,
    /// Text for people that does not make a whole block yet.
    pending: String,
    /// Whether any text of the present draft was shown.
    shown: bool,
}

impl AnswerView {
    pub(crate) fn new(printer: &Printer, live: bool) -> Self {
        Self { printer: printer.clone(), live, cites: CiteStream::new(), pending: String::new(), shown: false }
    }

    /// Shows what an event has to show. A failure to write ends the run at its end, not here.
    pub(crate) fn on_event(&mut self, event: &AgentEvent) -> io::Result<()> {
        match event {
            AgentEvent::ToolCall { name, arguments, .. } => {
                self.end_draft()?;
                self.printer.note(&format!("[tool] {}({})", harmless_name(name), harmless_name(&arguments_line(arguments))));
            }
            AgentEvent::Retry { after_ms: 0, reason } => self.printer.note(&format!("{reason}; trying again")),
            AgentEvent::Retry { after_ms, reason } => {
                self.printer.note(&format!("{reason}; trying again in {:.1} s", *after_ms as f64 / 1000.0));
            }
            AgentEvent::Waiting { what, waited_ms, bound_ms } => {
                let (waited, bound) = (waited_ms / 1000, bound_ms / 1000);
                self.printer.note(&format!("waiting for {what} ({waited} s; given up after {bound} s)"));
            }
            AgentEvent::Approval { name, granted, .. } => {
                self.printer.note(&format!("{} was {}", harmless_name(name), if *granted { "allowed" } else { "refused" }));
            }
            AgentEvent::Text { delta } if self.live => {
                let text = self.cites.push(delta);
                self.pending.push_str(&text);
                self.show_blocks()?;
            }
            AgentEvent::Discarded { .. } => {
                let shown = self.shown;
                self.pending.clear();
                self.cites = CiteStream::new();
                self.shown = false;
                if shown {
                    self.printer.note("(the text above is withdrawn; it is asked for again)");
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Shows the rest of the answer and its citations.
    pub(crate) fn finish(&mut self, answer: &Answer) -> io::Result<()> {
        if self.live {
            self.end_draft()?;
        }
        let by_hand = !self.shown;
        if by_hand && !answer.answer.trim().is_empty() {
            self.print_markdown(&answer.answer)?;
        }
        if !answer.citations.is_empty() {
            self.printer.raw("\n")?;
            for citation in &answer.citations {
                self.printer.wrapped(&citation_line(citation, &self.printer), 4)?;
            }
        }
        if let Some(line) = unsupported_line(&answer.unsupported) {
            self.printer.raw("\n")?;
            self.printer.wrapped(&line, 4)?;
        }
        match answer.outcome {
            Outcome::Answered if answer.from_memory => self
                .printer
                .note("the model read no page: nothing of this answer is checked (do the model and its server support tools?)"),
            Outcome::Answered => {}
            Outcome::NotFound => self.printer.note("the documents do not say it"),
            Outcome::Interrupted => self.printer.note("stopped"),
            Outcome::Limit | Outcome::Error => {
                self.printer.error(answer.error.as_deref().unwrap_or("the run ended without an answer"), None);
            }
        }
        Ok(())
    }

    /// What came before a tool call was a remark: it is shown, and the next text starts afresh.
    fn end_draft(&mut self) -> io::Result<()> {
        if !self.live {
            return Ok(());
        }
        let rest = self.cites.finish();
        self.pending.push_str(&rest);
        let pending = std::mem::take(&mut self.pending);
        if !pending.trim().is_empty() {
            self.print_markdown(&pending)?;
            self.shown = true;
        }
        self.cites = CiteStream::new();
        Ok(())
    }

    /// Shows every finished block: text up to an empty line outside a fenced part.
    fn show_blocks(&mut self) -> io::Result<()> {
        while let Some(end) = block_end(&self.pending) {
            let rest = self.pending.split_off(end);
            let block = std::mem::replace(&mut self.pending, rest);
            if !block.trim().is_empty() {
                self.print_markdown(&block)?;
                self.printer.raw("\n")?;
                self.shown = true;
            }
        }
        Ok(())
    }

    fn print_markdown(&self, text: &str) -> io::Result<()> {
        self.printer.raw(&markdown(text, &self.printer))
    }
}

/// Markdown as it is shown: styled and wrapped on a terminal, as it is elsewhere. Ends with a line end.
pub(crate) fn markdown(text: &str, printer: &Printer) -> String {
    let text = harmless(text.trim_end());
    if !printer.out_is_terminal() {
        return format!("{text}\n");
    }
    let skin = if printer.color() { MadSkin::default() } else { MadSkin::no_style() };
    let shown = skin.text(&text, Some(printer.width())).to_string();
    format!("{}\n", shown.trim_end_matches('\n'))
}

/// The end of the first finished block: behind the first empty line outside a fenced part.
fn block_end(text: &str) -> Option<usize> {
    let mut fenced = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if !fenced && line.ends_with('\n') && line.trim().is_empty() {
            return Some(at);
        }
    }
    None
}

/// One line of the numbered list under an answer.
pub(crate) fn citation_line(citation: &Citation, printer: &Printer) -> String {
    let label = citation.label.as_ref().map(|label| format!(" (printed {})", harmless_name(label))).unwrap_or_default();
    let quote = citation
        .quote
        .as_ref()
        .map(|quote| {
            format!(": \"{}\"", harmless_name(&shorten(&quote.split_whitespace().collect::<Vec<_>>().join(" "), QUOTE_SHOWN)))
        })
        .unwrap_or_default();
    let head = format!("[{}] {}, p. {}{label}", citation.n, harmless_name(&citation.doc), citation.page);
    format!("{}{quote} {}", printer.bold(&head), printer.dim(&status_mark(citation)))
}

/// Figures of an answer that are named under it when they stand on no page; with more, how many follow.
const FIGURES_SHOWN: usize = 12;

/// The line about figures that have no citation and stand on no page that was read.
fn unsupported_line(unsupported: &[Unsupported]) -> Option<String> {
    let mut figures: Vec<String> = Vec::new();
    for found in unsupported {
        let figure = harmless_name(&found.figure);
        if !figures.contains(&figure) {
            figures.push(figure);
        }
    }
    let rest = figures.len().saturating_sub(FIGURES_SHOWN);
    figures.truncate(FIGURES_SHOWN);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    (!figures.is_empty()).then(|| format!("✗ without citation, and on no page that was read: {}{more}", figures.join(" · ")))
}

fn status_mark(citation: &Citation) -> String {
    let elsewhere = citation.found_on.map(|page| format!("; it stands on p. {page}")).unwrap_or_default();
    match citation.status {
        CitationStatus::Verified => "✓ verified".to_owned(),
        CitationStatus::NumbersFound => "✓ numbers found on the page".to_owned(),
        CitationStatus::PageRead => "· page read, nothing quoted".to_owned(),
        CitationStatus::NotFound => format!("✗ not found on this page{elsewhere}"),
        CitationStatus::Unread => "✗ this page was never read".to_owned(),
        CitationStatus::NoSuchPage => "✗ there is no such page".to_owned(),
        CitationStatus::NoSuchDocument => "✗ there is no such document".to_owned(),
    }
}

/// The arguments on one line, JSON with a space behind `:` and `,`.
fn arguments_line(arguments: &Value) -> String {
    struct Spaced;
    impl serde_json::ser::Formatter for Spaced {
        fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
            if first { Ok(()) } else { writer.write_all(b", ") }
        }
        fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
            writer.write_all(b": ")
        }
        fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
            if first { Ok(()) } else { writer.write_all(b", ") }
        }
    }
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Spaced);
    let line = match arguments.serialize(&mut serializer) {
        Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => arguments.to_string(),
    };
    shorten(&line, ARGUMENTS_SHOWN)
}

fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_arguments_are_spaced_json() {
        let value = serde_json::json!({"doc_name": "a.pdf", "pages": "1,3"});
        assert_eq!(arguments_line(&value), r#"{"doc_name": "a.pdf", "pages": "1,3"}"#);
        assert_eq!(arguments_line(&serde_json::json!({})), "{}");
    }

    #[test]
    fn figures_on_no_page_are_named_once_in_a_short_line() {
        let found = |n: u32| Unsupported { figure: format!("{n} %"), sentence: "It grew.".into() };
        assert_eq!(unsupported_line(&[]), None);
        let line = unsupported_line(&[found(5), found(7), found(5)]);
        assert_eq!(line.as_deref(), Some("✗ without citation, and on no page that was read: 5 % · 7 %"));
        let many: Vec<Unsupported> = (0..15).map(found).collect();
        assert!(unsupported_line(&many).is_some_and(|line| line.ends_with("11 % and 3 more")));
    }

    #[test]
    fn blocks_end_at_empty_lines_outside_fences() {
        assert_eq!(block_end("one\ntwo\n\nthree"), Some(9));
        assert_eq!(block_end("```\na\n\nb"), None);
        assert_eq!(block_end("one\ntwo"), None);
    }
}
