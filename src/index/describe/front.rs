//! The first pages of a document, as far as they say what it is: their lines with what the eye sees of them.

use crate::pdf::Page;

use super::super::titles::has_letters;

/// Pages with text that are looked at.
const PAGES: usize = 4;
/// Bytes of a page that are looked at.
const BYTES: usize = 4_000;
/// Longest line by which a document says what it is, in characters; longer ones are running text.
const SHORT: usize = 90;

/// A line, or a cell of a line in which cells stand side by side.
#[derive(Debug, Clone)]
pub(super) struct FrontLine<'a> {
    /// As printed, trimmed.
    pub text: &'a str,
    /// Its words in lower case between single spaces (see [`words`]).
    pub words: String,
    /// Font size, points.
    pub size: f32,
    /// It is one of several cells of a line.
    pub cell: bool,
    /// Bold.
    pub bold: bool,
    /// Which of the pages with text it stands on, from 0.
    pub page: usize,
}

impl FrontLine<'_> {
    /// Whether it is short enough to name something: no running text.
    pub fn is_short(&self) -> bool {
        self.text.chars().count() <= SHORT && self.words.split(' ').count() <= 14
    }
}

/// The first pages with text.
#[derive(Debug, Clone, Default)]
pub(super) struct Front<'a> {
    /// Their lines in reading order.
    pub lines: Vec<FrontLine<'a>>,
    /// All words of the lines, in lower case, between single spaces.
    pub words: String,
    /// Their text in one line, as printed.
    pub flat: String,
    /// Mean font size, points.
    pub usual: f32,
    /// Pages of the document.
    pub pages: usize,
    /// Most pages are wider than high, as slides are.
    pub wide: bool,
}

impl<'a> Front<'a> {
    /// Reads the first pages.
    pub fn of(pages: &'a [Page]) -> Self {
        let mut front = Self { pages: pages.len(), words: " ".to_owned(), ..Self::default() };
        for (at, page) in pages.iter().take(40).filter(|p| p.lines.iter().any(|l| has_letters(&l.text, 3))).take(PAGES).enumerate()
        {
            let mut left = BYTES;
            let upright = |l: &crate::pdf::Line| l.y1 - l.y0 > 3.0 * (l.x1 - l.x0) && l.text.chars().count() > 3;
            // A page that was scanned or set sideways stands up as a whole.
            let sideways = page.lines.iter().filter(|l| upright(l)).count() * 2 > page.lines.len();
            for line in &page.lines {
                // Text that runs up the margin ("arXiv:2407.10671v4 ...") and running heads of later pages say little.
                if at > 0 && line.furniture || upright(line) && !sideways {
                    continue;
                }
                let cells = line.text.trim().contains("  ");
                for cell in line.text.split("  ").map(str::trim).filter(|c| !c.is_empty()) {
                    let words = words(cell);
                    front.words.push_str(words.trim_start());
                    front.flat.push_str(cell);
                    front.flat.push(' ');
                    front.lines.push(FrontLine { text: cell, words, size: line.size, cell: cells, bold: line.bold, page: at });
                }
                left = left.saturating_sub(line.text.len());
                if left == 0 {
                    break;
                }
            }
        }
        let (sum, count) = front.lines.iter().fold((0.0, 0usize), |(sum, n), l| (sum + l.size, n + 1));
        front.usual = sum / count.max(1) as f32;
        front.wide = pages.len() >= 5 && pages.iter().filter(|p| p.width > p.height * 1.15).count() * 4 > pages.len() * 3;
        front
    }

    /// The first lines of the first page.
    pub fn head(&self, most: usize) -> impl Iterator<Item = &FrontLine<'a>> {
        self.lines.iter().take(most).filter(|l| l.page == 0)
    }

    /// Whether these words stand in the text one after the other, as whole words.
    pub fn says(&self, phrase: &str) -> bool {
        has(&self.words, phrase)
    }
}

/// The words of a text in lower case, each between single spaces: " annual report 2022 ". Apostrophes stay, other signs part words.
pub(super) fn words(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for c in text.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if matches!(c, '\'' | '’') && !out.ends_with(' ') {
            out.push('\'');
        } else if !out.ends_with(' ') && c != '\u{ad}' {
            out.push(' ');
        }
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out
}

/// Whether a phrase stands in a text made by [`words`]: as whole words, or anywhere in scripts without spaces between words.
pub(super) fn has(words: &str, phrase: &str) -> bool {
    if !phrase.is_ascii() && phrase.chars().any(super::super::titles::is_ideographic) {
        return words.contains(phrase);
    }
    words.match_indices(phrase).any(|(at, found)| {
        let before = words.get(..at).is_none_or(|b| b.ends_with(' '));
        before && words.get(at + found.len()..).is_none_or(|a| a.starts_with(' '))
    })
}
