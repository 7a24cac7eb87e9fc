//! Found pages for people: by document, the best first, with the place where the words stand.

use textwrap::Options;

use crate::cli::printer::{Printer, harmless_name};
use crate::search::{RankedPage, Snippet};

/// Longest title of a section and printed label shown, in characters; a file may say anything.
const TITLE: usize = 120;
const LABEL: usize = 24;
/// Columns by which pages and their snippets are indented.
const PAGE: &str = "  ";
const SNIPPET: &str = "    ";

/// What is needed to draw.
pub(super) struct Drawing<'a> {
    pub(super) printer: &'a Printer,
    /// Columns of the terminal; `None` where lines are not wrapped.
    pub(super) width: Option<usize>,
}

impl Drawing<'_> {
    /// All pages. A document stands where its best page does, with its other pages below it.
    pub(super) fn pages(&self, pages: &[RankedPage]) -> String {
        let mut text = String::new();
        let mut drawn = Vec::new();
        for page in pages {
            if drawn.contains(&&page.doc) {
                continue;
            }
            drawn.push(&page.doc);
            if !text.is_empty() {
                text.push('\n');
            }
            text += &self.wrapped(&self.printer.bold(&harmless_name(&page.name)), "", PAGE);
            for page in pages.iter().filter(|other| other.doc == page.doc) {
                text += &self.page(page);
            }
        }
        text
    }

    fn page(&self, page: &RankedPage) -> String {
        let mut head = format!("p. {}", page.page);
        if let Some(label) = &page.label {
            head += &format!(" (printed {})", bounded(&harmless_name(label), LABEL));
        }
        if let Some(section) = &page.section {
            let one_line = section.split_whitespace().collect::<Vec<_>>().join(" ");
            head += &self.printer.dim(&format!(" · {}", bounded(&harmless_name(&one_line), TITLE)));
        }
        self.wrapped(&head, PAGE, SNIPPET) + &self.wrapped(&self.marked(&page.snippet), SNIPPET, SNIPPET)
    }

    /// The snippet with its found words marked.
    fn marked(&self, snippet: &Snippet) -> String {
        let piece = |from: usize, to: usize| harmless_name(snippet.text.get(from..to).unwrap_or_default());
        let mut text = String::new();
        let mut at = 0;
        for found in &snippet.found {
            text += &piece(at, found.start);
            text += &self.printer.found(&piece(found.start, found.end));
            at = found.end;
        }
        text + &piece(at, snippet.text.len())
    }

    fn wrapped(&self, text: &str, first: &str, further: &str) -> String {
        match self.width {
            Some(width) => {
                let options = Options::new(width).initial_indent(first).subsequent_indent(further);
                format!("{}\n", textwrap::fill(text, options))
            }
            None => format!("{first}{text}\n"),
        }
    }
}

fn bounded(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::args::Cli;
    use crate::library::DocId;

    fn page(name: &str, page: u32, text: &str, words: &[&str]) -> RankedPage {
        let found = words.iter().filter_map(|word| text.find(word).map(|at| at..at + word.len())).collect();
        RankedPage {
            doc: DocId(format!("pi-{name}")),
            name: name.to_owned(),
            page,
            score: 1.0,
            quoted: true,
            label: None,
            section: Some("Results of operations and other things that were long in coming".to_owned()),
            snippet: Snippet { text: text.to_owned(), found, at: 0 },
        }
    }

    fn pages() -> Vec<RankedPage> {
        let text = "… Revenue grew in the third quarter, as the company sold more of everything. …";
        let hostile = "a \u{1b}]0;owned\u{7} title\u{202e} and revenue";
        vec![
            page("report.pdf", 12, text, &["Revenue", "quarter"]),
            RankedPage { label: Some("x\u{1b}[2J".to_owned()), ..page("evil\u{1b}[31m.pdf", 3, hostile, &["revenue"]) },
            RankedPage { label: Some("iv".to_owned()), section: None, ..page("report.pdf", 4, "Revenue", &["Revenue"]) },
        ]
    }

    fn printer(color: &str) -> Printer {
        Printer::new(&Cli::try_parse_from(["pagewise", "--color", color, "list"]).expect("arguments").global)
    }

    #[test]
    fn a_document_has_its_pages_together() {
        let printer = printer("never");
        insta::assert_snapshot!(Drawing { printer: &printer, width: None }.pages(&pages()));
    }

    #[test]
    fn narrow_terminals_are_not_left() {
        let printer = printer("always");
        let text = Drawing { printer: &printer, width: Some(40) }.pages(&pages());
        assert!(text.lines().all(|line| textwrap::core::display_width(line) <= 40), "{text}");
        insta::assert_snapshot!(text.replace('\u{1b}', "ESC"));
    }
}
