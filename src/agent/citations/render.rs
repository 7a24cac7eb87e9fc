//! From the model's text to the text for people: each tag becomes `[n]`.

use std::collections::HashMap;

use super::fold::fold;
use super::names::loose_name;
use super::parse::{Found, Scan, Tag, is_opener, scan};

/// A stretch of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Ordinary text.
    Text(&'a str),
    /// A tag.
    Found(Found),
}

/// Splits off the first piece of a text: the piece and its length in bytes, or `None` when more text is needed to tell.
pub(super) fn next_piece(text: &str, last: bool) -> Option<(Piece<'_>, usize)> {
    let end = match text.find(is_opener) {
        None => text.len(),
        Some(0) => match scan(text, last) {
            Scan::Found(found, length) => return Some((Piece::Found(found), length)),
            Scan::More => return None,
            Scan::Text => text.chars().next().map_or(0, char::len_utf8),
        },
        Some(at) => at,
    };
    (end > 0).then(|| (Piece::Text(text.get(..end).unwrap_or_default()), end))
}

/// All pieces of a whole text.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((piece, length)) = next_piece(rest, true) {
        out.push(piece);
        rest = rest.get(length..).unwrap_or_default();
    }
    out
}

/// What makes two tags the same citation: the document without folder, ending and case, the pages, the folded quote.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    doc: String,
    pages: Vec<u32>,
    label: Option<String>,
    quote: String,
}

impl Key {
    fn of(tag: &Tag) -> Self {
        let quote = tag.quote.as_deref().map(fold).unwrap_or_default();
        Self { doc: loose_name(&tag.doc), pages: tag.pages.clone(), label: tag.label.clone(), quote: one_line(&quote) }
    }
}

/// Gives every citation its number, in order of appearance; the same citation gets the same number again.
#[derive(Debug, Clone, Default)]
pub(super) struct Numbering {
    keys: HashMap<Key, u32>,
}

impl Numbering {
    /// The number of a tag, from 1.
    pub(super) fn number(&mut self, tag: &Tag) -> u32 {
        let key = Key::of(tag);
        let next = u32::try_from(self.keys.len() + 1).unwrap_or(u32::MAX);
        *self.keys.entry(key).or_insert(next)
    }
}

/// Text before a tag that is looked at, in bytes: enough for the end of a sentence.
const TAIL: usize = 400;

/// Turns pieces into text for people, one after the other. How the text is cut into pieces makes no difference.
#[derive(Debug, Clone, Default)]
pub(super) struct Renderer {
    numbering: Numbering,
    /// The end of the text since the last citation.
    tail: String,
    /// Blanks that are shown once more text comes.
    blanks: String,
    started: bool,
    cited: bool,
}

impl Renderer {
    /// Adds a piece and gives the text to show. Blanks at the beginning and the end of the whole are left out.
    pub(super) fn push(&mut self, piece: &Piece<'_>) -> String {
        let mut out = String::new();
        match piece {
            Piece::Text(text) => self.text(text, &mut out),
            Piece::Found(Found::Cite(tags)) => {
                if let [tag] = tags.as_slice()
                    && let Some(quote) = tag.quote.as_deref().filter(|q| self.needs(q))
                {
                    self.text(&one_line(quote), &mut out);
                    self.text(" ", &mut out);
                }
                for tag in tags {
                    let mark = format!("[{}]", self.numbering.number(tag));
                    self.text(&mark, &mut out);
                }
                self.tail.clear();
                self.cited = true;
            }
            Piece::Found(Found::Absence | Found::Junk) => {}
        }
        out
    }

    fn text(&mut self, text: &str, out: &mut String) {
        for c in text.chars() {
            if c.is_whitespace() {
                if self.started {
                    self.blanks.push(c);
                }
            } else {
                self.started = true;
                out.push_str(&self.blanks);
                self.tail.push_str(&self.blanks);
                self.blanks.clear();
                out.push(c);
                self.tail.push(c);
            }
        }
        if self.tail.len() > 4 * TAIL {
            let cut = (self.tail.len() - 2 * TAIL..).find(|&i| self.tail.is_char_boundary(i)).unwrap_or(0);
            self.tail.drain(..cut);
        }
    }

    /// Whether the sentence needs the quoted words to be whole, so that people must see them: the quote has a line of its own, or an open
    /// quotation mark, a colon or a word that asks for more ("revenue was <cite>...") stands before it, or it is the sentence's only figure.
    fn needs(&self, quote: &str) -> bool {
        if !self.started || self.blanks.contains('\n') {
            return true;
        }
        let from = (self.tail.len().saturating_sub(TAIL)..).find(|&i| self.tail.is_char_boundary(i)).unwrap_or(0);
        let before = self.tail.get(from..).unwrap_or_default();
        let starts = super::claims::sentence_starts(before);
        let sentence = starts.last().and_then(|&s| before.get(s..)).unwrap_or(before);
        let spoken: Vec<&str> = sentence.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
        let marker_only = spoken.len() <= 1 && spoken.iter().all(|w| w.chars().all(|c| c.is_ascii_digit()));
        if marker_only {
            // A second quote beside the first proves the same sentence; one in a new list item stands alone.
            return !self.cited || before.contains('\n');
        }
        if sentence.ends_with([':', '“', '„', '«', '=', '$', '€', '£']) || opens_quotation(sentence) {
            return true;
        }
        if sentence.ends_with(['.', '!', '?', '"', '”', '。']) {
            return false;
        }
        let asks = spoken.last().is_some_and(|w| sentence.ends_with(w) && asks_for_more(&w.to_lowercase()));
        let has_digit = |t: &str| t.chars().any(|c| c.is_ascii_digit());
        let only_figure = has_digit(quote) && !has_digit(sentence) && quote.split_whitespace().count() <= 3;
        asks || only_figure
    }
}

fn opens_quotation(sentence: &str) -> bool {
    sentence.ends_with('"') && sentence.matches('"').count() % 2 == 1
}

fn asks_for_more(word: &str) -> bool {
    matches!(
        word,
        "is" | "was"
            | "are"
            | "were"
            | "be"
            | "been"
            | "of"
            | "to"
            | "by"
            | "at"
            | "the"
            | "a"
            | "an"
            | "as"
            | "that"
            | "from"
            | "for"
            | "with"
            | "than"
            | "says"
            | "states"
            | "reads"
            | "totaled"
            | "totalled"
            | "reached"
            | "and"
            | "or"
            | "ist"
            | "war"
            | "sind"
            | "waren"
            | "von"
            | "auf"
            | "um"
            | "der"
            | "die"
            | "das"
            | "dass"
            | "beträgt"
            | "betrug"
            | "est"
            | "était"
            | "sont"
            | "étaient"
            | "de"
            | "à"
            | "le"
            | "la"
            | "les"
            | "que"
            | "es"
            | "fue"
            | "era"
            | "son"
            | "fueron"
            | "el"
            | "los"
            | "las"
            | "è"
            | "di"
            | "il"
            | "usd"
            | "eur"
            | "gbp"
            | "chf"
            | "jpy"
    )
}

/// A whole text for people.
pub(super) fn display(pieces: &[Piece<'_>]) -> String {
    let mut renderer = Renderer::default();
    pieces.iter().map(|p| renderer.push(p)).collect()
}

/// A quote on one line.
pub(super) fn one_line(quote: &str) -> String {
    quote.split_whitespace().collect::<Vec<_>>().join(" ")
}
