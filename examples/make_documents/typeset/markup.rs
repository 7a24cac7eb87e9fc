//! The markup of the texts.
//!
//! Blocks are set apart by empty lines. A line that begins with
//! - `#` to `####` is a heading (`####` has no bookmark), with an optional `{#anchor}` at its end;
//! - `- ` is an item with a bullet, `1. ` an item with its number, both going on over indented lines;
//! - `! ` is a notice in a box, whose first word names it;
//! - `:name rest` is a directive (see [`Source::directive`]); `:table` and `:bars` go on to `:end`.
//!
//! Inside text `**bold**`, `*italic*`, `~` (a space that does not break) and `{page:anchor}` (the printed page number) are known.
//! Rows of a table begin with `^` (head), `|` (figures), `+` (subtotal), `=` (total) or `~` (a line that names a group).

use anyhow::{Context, bail};

/// How a table row looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    Head,
    Plain,
    Subtotal,
    Total,
    Group,
}

#[derive(Clone, Debug)]
pub struct Row {
    pub kind: RowKind,
    pub cells: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// Share of the text width, in percent.
    pub share: f32,
    pub right: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Table {
    pub caption: String,
    pub anchor: Option<String>,
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
    /// Every row gets a thin line below it, as in tables of text.
    pub ruled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    Roman,
    Arabic,
}

#[derive(Clone, Debug)]
pub enum Block {
    Heading {
        level: usize,
        text: String,
        anchor: Option<String>,
    },
    Text(String),
    Item {
        mark: String,
        text: String,
    },
    Notice {
        label: String,
        text: String,
    },
    /// A line of its own look: `title`, `subtitle`, `center`, `small`, `sign`.
    Display {
        look: String,
        text: String,
    },
    Table(Table),
    Bars {
        caption: String,
        values: Vec<(String, f32)>,
    },
    /// The contents, with headings down to this level.
    Contents(usize),
    Gap(f32),
    NewPage,
    /// A filled band over the page's upper part, with no running lines on the page.
    Cover,
    Number(Numbering),
}

/// A whole document as read.
#[derive(Clone, Debug, Default)]
pub struct Source {
    pub style: String,
    pub title: String,
    pub author: String,
    pub subject: String,
    /// Creation date as a PDF date string; fixed, so that the file never changes by itself.
    pub date: String,
    /// Left and right part of the running head; `{section}` stands for the current heading of level 1.
    pub header: (String, String),
    /// Left and right part of the foot; `{page}` stands for the printed number.
    pub footer: (String, String),
    pub blocks: Vec<Block>,
}

impl Source {
    /// Reads one part of the text and adds it to what was read before.
    pub fn read(&mut self, text: &str) -> anyhow::Result<()> {
        let mut lines = text.lines().enumerate().peekable();
        while let Some((index, line)) = lines.next() {
            let at = || format!("line {}: {line:?}", index + 1);
            if line.trim().is_empty() {
                continue;
            }
            if line.starts_with(":table") || line.starts_with(":bars") {
                let mut body = Vec::new();
                loop {
                    match lines.next() {
                        Some((_, ":end")) => break,
                        Some((_, row)) => body.push(row),
                        None => bail!("{}: no :end", at()),
                    }
                }
                let block = match line.strip_prefix(":bars") {
                    Some(caption) => bars(caption, &body),
                    None => table(line.trim_start_matches(":table"), &body),
                };
                self.blocks.push(block.with_context(at)?);
                continue;
            }
            if let Some(directive) = line.strip_prefix(':') {
                self.directive(directive).with_context(at)?;
                continue;
            }
            let mut paragraph = line.trim().to_string();
            while let Some((_, next)) = lines.next_if(|(_, next)| continues(line, next)) {
                paragraph.push(' ');
                paragraph.push_str(next.trim());
            }
            self.blocks.push(block_of(paragraph));
        }
        Ok(())
    }

    fn directive(&mut self, text: &str) -> anyhow::Result<()> {
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        let pair = || rest.split_once('|').map(|(left, right)| (left.trim().to_string(), right.trim().to_string()));
        match name {
            "style" => self.style = rest.to_string(),
            "document-title" => self.title = rest.to_string(),
            "author" => self.author = rest.to_string(),
            "subject" => self.subject = rest.to_string(),
            "date" => self.date = rest.to_string(),
            "header" => self.header = pair().context("needs a |")?,
            "footer" => self.footer = pair().context("needs a |")?,
            "contents" => self.blocks.push(Block::Contents(rest.parse()?)),
            "gap" => self.blocks.push(Block::Gap(rest.parse()?)),
            "page" => self.blocks.push(Block::NewPage),
            "cover" => self.blocks.push(Block::Cover),
            "roman" => self.blocks.push(Block::Number(Numbering::Roman)),
            "arabic" => self.blocks.push(Block::Number(Numbering::Arabic)),
            "title" | "subtitle" | "center" | "small" | "sign" => {
                self.blocks.push(Block::Display { look: name.to_string(), text: rest.to_string() });
            }
            _ => bail!("unknown directive"),
        }
        Ok(())
    }
}

/// Whether `next` goes on with the block that `first` began.
fn continues(first: &str, next: &str) -> bool {
    if next.trim().is_empty() || first.starts_with('#') {
        return false;
    }
    if next.starts_with(' ') {
        return true;
    }
    !next.starts_with(['#', ':', '-', '!'])
        && item_mark(next).is_none()
        && item_mark(first).is_none()
        && !first.starts_with(['-', '!'])
}

/// The number of a numbered item, with its point.
fn item_mark(line: &str) -> Option<(&str, &str)> {
    let (mark, text) = line.split_once(". ")?;
    (!mark.is_empty() && mark.len() <= 2 && mark.bytes().all(|b| b.is_ascii_digit())).then_some((mark, text))
}

fn block_of(paragraph: String) -> Block {
    let level = paragraph.bytes().take_while(|b| *b == b'#').count();
    if level > 0 {
        let (text, anchor) = anchor_of(paragraph.trim_start_matches('#'));
        return Block::Heading { level, text, anchor };
    }
    if let Some(text) = paragraph.strip_prefix("- ") {
        return Block::Item { mark: "•".to_string(), text: text.to_string() };
    }
    if let Some((label, text)) = paragraph.strip_prefix("! ").and_then(|notice| notice.split_once(' ')) {
        return Block::Notice { label: label.to_string(), text: text.to_string() };
    }
    match item_mark(&paragraph) {
        Some((mark, text)) => Block::Item { mark: format!("{mark}."), text: text.to_string() },
        None => Block::Text(paragraph),
    }
}

/// Splits `text {#anchor}`.
fn anchor_of(text: &str) -> (String, Option<String>) {
    match text.trim().strip_suffix('}').and_then(|text| text.rsplit_once("{#")) {
        Some((text, anchor)) => (text.trim().to_string(), Some(anchor.to_string())),
        None => (text.trim().to_string(), None),
    }
}

fn table(caption: &str, body: &[&str]) -> anyhow::Result<Block> {
    let (caption, anchor) = anchor_of(caption);
    let mut table = Table { caption, anchor, ..Table::default() };
    for line in body {
        if let Some(columns) = line.strip_prefix("columns ") {
            for word in columns.split_whitespace() {
                let right = word.ends_with('r');
                let share = word.trim_end_matches(['l', 'r']).parse().with_context(|| format!("column {word:?}"))?;
                table.columns.push(Column { share, right });
            }
            continue;
        }
        if *line == "ruled" {
            table.ruled = true;
            continue;
        }
        let (kind, rest) = match (line.get(..1), line.get(1..)) {
            (Some("^"), Some(rest)) => (RowKind::Head, rest),
            (Some("|"), Some(rest)) => (RowKind::Plain, rest),
            (Some("+"), Some(rest)) => (RowKind::Subtotal, rest),
            (Some("="), Some(rest)) => (RowKind::Total, rest),
            (Some("~"), Some(rest)) => (RowKind::Group, rest),
            _ => bail!("row {line:?}"),
        };
        let cells: Vec<String> = rest.split('|').map(|cell| cell.trim().to_string()).collect();
        if kind != RowKind::Group && cells.len() != table.columns.len() {
            bail!("row {line:?} has {} cells, not {}", cells.len(), table.columns.len());
        }
        table.rows.push(Row { kind, cells });
    }
    Ok(Block::Table(table))
}

fn bars(caption: &str, body: &[&str]) -> anyhow::Result<Block> {
    let mut values = Vec::new();
    for line in body {
        let (label, value) = line.split_once('|').with_context(|| format!("row {line:?}"))?;
        values.push((label.trim().to_string(), value.trim().parse()?));
    }
    Ok(Block::Bars { caption: caption.trim().to_string(), values })
}
