//! What can be quoted from a page: sentences of its prose and rows of its tables, each with what stands around it.

use super::history::ReadPage;
use super::sentences::sentences;

/// Longest sentence that is quoted whole, in characters; a longer one is cut at a word.
const LONGEST_QUOTE: usize = 420;
/// Lines above a row that may hold its column heads.
const HEAD_LINES: usize = 4;
/// What items of lists begin with.
const BULLETS: [char; 12] = ['•', '◦', '▪', '■', '●', '‣', '►', '→', '○', '□', '✓', '·'];
/// Longest line that can be a heading or a column head, in characters.
const LONGEST_HEAD: usize = 140;

/// What a passage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Sentence,
    Row,
}

/// Something to quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Passage {
    pub(super) doc: String,
    pub(super) page: u32,
    pub(super) form: Form,
    /// The words as they stand on the page, white space folded.
    pub(super) text: String,
    /// For a row: its cells, the label first.
    pub(super) cells: Vec<String>,
    /// Column heads above a row, nearest last.
    pub(super) heads: Vec<String>,
    /// The nearest heading above.
    pub(super) heading: String,
}

/// All passages of a page, in reading order.
pub(super) fn passages(page: &ReadPage) -> Vec<Passage> {
    let mut reader =
        PageReader { page, found: Vec::new(), prose: Vec::new(), heads: Vec::new(), heading: String::new(), in_table: false };
    for line in page.text.lines() {
        reader.line(line);
    }
    reader.end_prose();
    reader.found
}

struct PageReader<'a> {
    page: &'a ReadPage,
    found: Vec<Passage>,
    /// Lines of the paragraph that is being read.
    prose: Vec<&'a str>,
    heads: Vec<String>,
    heading: String,
    in_table: bool,
}

impl<'a> PageReader<'a> {
    fn line(&mut self, line: &'a str) {
        if line.trim().is_empty() {
            self.end_prose();
            return;
        }
        let cells = cells(line);
        if is_row(&cells) {
            self.end_prose();
            self.row(line, cells);
        } else if cells.len() > 1 {
            self.end_prose();
            self.head(line);
        } else {
            if starts_item(line) {
                self.end_prose();
            }
            self.prose.push(line.trim());
        }
    }

    fn row(&mut self, line: &str, cells: Vec<String>) {
        self.in_table = true;
        self.push(Form::Row, fold(line), cells);
    }

    /// A line of column heads, or a short line of its own.
    fn head(&mut self, line: &str) {
        if self.in_table {
            self.in_table = false;
            self.heads.clear();
        }
        if line.chars().count() <= LONGEST_HEAD {
            self.heads.push(fold(line));
            if self.heads.len() > HEAD_LINES {
                self.heads.remove(0);
            }
        }
    }

    fn end_prose(&mut self) {
        if self.prose.is_empty() {
            return;
        }
        let lines = std::mem::take(&mut self.prose);
        let paragraph = fold(&lines.join(" "));
        let short = paragraph.chars().count() <= LONGEST_HEAD;
        if short && !paragraph.ends_with(['.', '?', '!', ';', '。']) {
            // A heading, a column head, or a label without figures.
            self.heading.clone_from(&paragraph);
            self.head(&paragraph);
        } else {
            self.heads.clear();
            self.in_table = false;
        }
        for sentence in sentences(without_mark(&paragraph)) {
            let text = cut(sentence);
            self.push(Form::Sentence, text, Vec::new());
        }
    }

    fn push(&mut self, form: Form, text: String, cells: Vec<String>) {
        let heads = if form == Form::Row { self.heads.clone() } else { Vec::new() };
        let heading = if self.heading == text { String::new() } else { self.heading.clone() };
        self.found.push(Passage { doc: self.page.doc.clone(), page: self.page.page, form, text, cells, heads, heading });
    }
}

/// Whether a line begins an item of a list or a footnote.
fn starts_item(line: &str) -> bool {
    let line = line.trim_start();
    let Some((mark, rest)) = line.split_once(char::is_whitespace) else { return false };
    if rest.trim().is_empty() {
        return false;
    }
    let inner = mark.trim_matches(|c| matches!(c, '(' | ')' | '[' | ']' | '.'));
    let bracketed =
        mark.len() > inner.len() && (1..=3).contains(&inner.chars().count()) && inner.chars().all(char::is_alphanumeric);
    mark.chars().all(|c| BULLETS.contains(&c) || matches!(c, '-' | '–' | '—' | '*')) || mark == "o" || bracketed
}

/// The text without the mark of a list item at its start.
fn without_mark(text: &str) -> &str {
    text.trim_start_matches(|c: char| BULLETS.contains(&c) || c.is_whitespace())
}

/// The cells of a line: parts set apart by two or more spaces or a tab.
fn cells(line: &str) -> Vec<String> {
    let mut cells: Vec<String> = Vec::new();
    let mut currency = String::new();
    for cell in line.replace('\t', "  ").split("  ").map(fold).filter(|cell| !cell.is_empty()) {
        let cell = if currency.is_empty() { cell } else { format!("{} {cell}", std::mem::take(&mut currency)) };
        // A currency sign at the end of a cell belongs to the figure of the next one.
        match cell.rsplit_once(' ') {
            Some((rest, sign @ ("$" | "€" | "£" | "¥"))) => {
                currency = sign.to_owned();
                cells.push(rest.to_owned());
            }
            _ if matches!(cell.as_str(), "$" | "€" | "£" | "¥") => currency = cell,
            _ => cells.push(cell),
        }
    }
    if let (Some(last), false) = (cells.last_mut(), currency.is_empty()) {
        *last = format!("{last} {currency}");
    }
    cells
}

/// A row has a label and at least one figure behind it that is not just a year.
fn is_row(cells: &[String]) -> bool {
    let Some((label, figures)) = cells.split_first() else { return false };
    label.chars().any(char::is_alphabetic) && figures.iter().any(|cell| is_figure(cell))
}

fn is_figure(cell: &str) -> bool {
    let digits = cell.chars().filter(char::is_ascii_digit).count();
    let letters = cell.chars().filter(|c| c.is_alphabetic()).count();
    digits > 0 && letters <= 2 && !is_year(cell)
}

fn is_year(cell: &str) -> bool {
    cell.len() == 4 && cell.parse::<u32>().is_ok_and(|year| (1900..2100).contains(&year))
}

/// How many figures stand in the text: numbers that are no years, no days of a date and no footnote marks.
pub(super) fn count_figures(text: &str) -> usize {
    let mut before = "";
    let figures = text.split_whitespace().filter(|word| {
        let core = word.trim_matches(|c: char| !c.is_alphanumeric());
        let mark = core.len() == 1 && (word.starts_with('(') || word.starts_with('['));
        let figure = core.chars().next().is_some_and(|c| c.is_ascii_digit()) && !is_year(core) && !mark && !is_month(before);
        before = core;
        figure
    });
    figures.count()
}

fn is_month(word: &str) -> bool {
    const MONTHS: [&str; 12] =
        ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
    MONTHS.iter().any(|month| *month == word || (word.len() >= 3 && month.starts_with(word)))
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn cut(sentence: &str) -> String {
    match sentence.char_indices().nth(LONGEST_QUOTE) {
        None => sentence.to_owned(),
        Some((at, _)) => {
            let head = sentence.get(..at).unwrap_or_default();
            head.rsplit_once(' ').map_or(head, |(head, _)| head).to_owned()
        }
    }
}
