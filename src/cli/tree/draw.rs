//! A tree for people: indented titles with their pages, wrapped to the terminal.

use std::collections::BTreeMap;

use textwrap::core::display_width;

use super::select::Shown;
use super::{Outline, View};
use crate::cli::printer::{Printer, harmless_name};
use crate::index::{Node, NodeSource};

/// Columns of one level.
const STEP: usize = 2;
/// Columns by which the further lines of a wrapped text are indented.
const HANGING: usize = 4;
/// Most key items shown of one section.
const ITEMS: usize = 12;
/// Longest printed label shown, in characters; a file may say anything.
const LABEL: usize = 24;

/// How a piece of text looks.
#[derive(Clone, Copy)]
enum Look {
    Plain,
    Bold,
    Dim,
}

/// What is needed to draw.
pub(super) struct Drawing<'a> {
    pub(super) printer: &'a Printer,
    pub(super) labels: &'a BTreeMap<u32, String>,
    pub(super) view: &'a View,
    /// Columns of the terminal; `None` where lines are not wrapped.
    pub(super) width: Option<usize>,
}

impl Drawing<'_> {
    /// What the tree is of.
    pub(super) fn head(&self, outline: &Outline) -> String {
        let plural = if outline.page_count == 1 { "" } else { "s" };
        let mut tail = vec![format!("{} page{plural}", outline.page_count)];
        tail.extend(outline.toc_source.as_deref().map(origin));
        self.entry(0, &self.printer.bold(&harmless_name(&outline.doc_name)), &tail)
    }

    /// The sections.
    pub(super) fn nodes(&self, shown: &[Shown<'_>]) -> String {
        let mut text = String::new();
        self.level(shown, 0, &mut text);
        text
    }

    fn level(&self, shown: &[Shown<'_>], level: usize, text: &mut String) {
        for section in shown {
            text.push_str(&self.section(section, level));
            self.level(&section.nodes, level + 1, text);
        }
    }

    fn section(&self, shown: &Shown<'_>, level: usize) -> String {
        let node = shown.node;
        let look = match (shown.wanted, level) {
            (false, _) => Look::Dim,
            (true, 0) => Look::Bold,
            (true, _) => Look::Plain,
        };
        let mut tail = vec![self.pages(node)];
        if self.view.sources {
            tail.push(format!("[{}]", provenance(node)));
        }
        if shown.hidden > 0 {
            tail.push(format!("+{} inside", shown.hidden));
        }
        // On a narrow terminal deep levels keep half of the columns for their text.
        let indent = self.width.map_or(level * STEP, |width| (level * STEP).min(width / 2));
        let mut text = self.entry(indent, &self.painted(&node.title, look), &tail);
        if let Some(items) = self.key_items(node) {
            text += &self.below(indent, &items);
        }
        if let Some(summary) = node.summary.as_deref().filter(|_| self.view.summaries && shown.wanted) {
            text += &self.below(indent, &harmless_name(summary));
        }
        text
    }

    /// A head with what is said of it; the pieces of the tail are not broken where a line has room for them.
    fn entry(&self, indent: usize, head: &str, tail: &[String]) -> String {
        let dim = |piece: &String| self.printer.dim(piece);
        let margin = " ".repeat(indent);
        let Some(width) = self.width else {
            let tail: Vec<String> = tail.iter().map(dim).collect();
            return format!("{margin}{head}  {}\n", tail.join("  "));
        };
        let hanging = " ".repeat((indent + HANGING).min(width / 2));
        let options = textwrap::Options::new(width).initial_indent(&margin).subsequent_indent(&hanging);
        let mut lines: Vec<String> = textwrap::wrap(head, options).into_iter().map(String::from).collect();
        for piece in tail {
            match lines.last_mut() {
                Some(line) if display_width(line) + 2 + display_width(piece) <= width => *line += &format!("  {}", dim(piece)),
                _ => {
                    let options = textwrap::Options::new(width).initial_indent(&hanging).subsequent_indent(&hanging);
                    lines.extend(textwrap::wrap(&dim(piece), options).into_iter().map(String::from));
                }
            }
        }
        lines.join("\n") + "\n"
    }

    /// A text under a section.
    fn below(&self, indent: usize, text: &str) -> String {
        let margin = " ".repeat(indent + HANGING);
        match self.width {
            None => format!("{margin}{text}\n"),
            Some(width) => {
                let margin = margin.get(..(indent + HANGING).min(width / 2)).unwrap_or_default();
                textwrap::fill(text, textwrap::Options::new(width).initial_indent(margin).subsequent_indent(margin)) + "\n"
            }
        }
    }

    /// The headings that were folded into a section: all of them, or those that are looked for.
    fn key_items(&self, node: &Node) -> Option<String> {
        let wanted = self.view.wanted.as_ref();
        let items: Vec<&String> = node.key_items.iter().filter(|item| wanted.is_none_or(|wanted| wanted.is_in(item))).collect();
        if items.is_empty() {
            return None;
        }
        let shown: Vec<String> = items.iter().take(ITEMS).map(|item| self.painted(item, Look::Dim)).collect();
        let more = items.len().saturating_sub(ITEMS);
        let more = if more > 0 { self.printer.dim(&format!("; and {more} more")) } else { String::new() };
        Some(format!("{}{}{more}", self.printer.dim("also: "), shown.join(&self.printer.dim("; "))))
    }

    /// The text made harmless, with what is looked for made visible in it.
    fn painted(&self, text: &str, look: Look) -> String {
        let base = |piece: &str| match (harmless_name(piece), look) {
            (piece, _) if piece.is_empty() => piece,
            (piece, Look::Plain) => piece,
            (piece, Look::Bold) => self.printer.bold(&piece),
            (piece, Look::Dim) => self.printer.dim(&piece),
        };
        let mut painted = String::new();
        let mut done = 0;
        for place in self.view.wanted.iter().flat_map(|wanted| wanted.places(text)) {
            painted += &base(text.get(done..place.start).unwrap_or_default());
            painted += &self.printer.found(&harmless_name(text.get(place.clone()).unwrap_or_default()));
            done = place.end;
        }
        painted + &base(text.get(done..).unwrap_or_default())
    }

    /// Physical pages, and the printed labels where they differ.
    fn pages(&self, node: &Node) -> String {
        let (first, last) = (node.start_index, node.end_index);
        let span = if first == last { format!("p. {first}") } else { format!("pp. {first}-{last}") };
        if !self.labels.contains_key(&first) && !self.labels.contains_key(&last) {
            return span;
        }
        let label = |page: u32| match self.labels.get(&page) {
            Some(label) => cut(label),
            None => page.to_string(),
        };
        let (from, to) = (label(first), label(last));
        if from == to {
            format!("{span} (printed {from})")
        } else if from.contains('-') || to.contains('-') {
            format!("{span} (printed {from} to {to})")
        } else {
            format!("{span} (printed {from}-{to})")
        }
    }
}

fn cut(label: &str) -> String {
    let mut short: String = label.chars().take(LABEL).collect();
    if short.len() < label.len() {
        short.push('…');
    }
    harmless_name(&short)
}

/// Where a section came from: "bookmark, 95 %, title not printed there".
fn provenance(node: &Node) -> String {
    let source = match node.provenance.source {
        NodeSource::Bookmarks => "bookmark",
        NodeSource::PrintedContents => "printed contents",
        NodeSource::Tags => "structure tag",
        NodeSource::Headings => "heading",
        NodeSource::FrontMatter => "front matter",
        NodeSource::PageGroup => "page group",
        NodeSource::Model => "model",
    };
    let printed = if node.provenance.printed { "" } else { ", title not printed there" };
    format!("{source}, {} %{printed}", node.provenance.confidence)
}

/// What `toc_source` says, in words.
fn origin(toc_source: &str) -> String {
    let words = match toc_source {
        "bookmarks" => "sections from the file's bookmarks",
        "printed_contents" => "sections from the printed contents",
        "tags" => "sections from the file's structure tags",
        "headings" => "sections from headings in the layout",
        "page_ranges" => "no headings were found: groups of pages",
        other => return format!("sections from {}", harmless_name(&other.replace('_', " "))),
    };
    words.to_owned()
}
