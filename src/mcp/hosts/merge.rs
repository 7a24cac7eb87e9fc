//! Putting an entry into the text of a host's file.

use std::ops::Range;

/// What merging came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Merged {
    /// The very entry is there already.
    Same,
    /// There was none; this is the new text.
    Added(String),
    /// Another entry of this name was there; this is the new text.
    Replaced(String),
}

/// Why an entry cannot be put into a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum MergeError {
    /// The text does not parse.
    #[error("line {line}, column {column}: {problem}")]
    Syntax {
        /// 1-based.
        line: usize,
        /// 1-based.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// It parses but is not what the host expects.
    #[error("{0}")]
    Shape(String),
}

impl MergeError {
    /// For a problem at this byte of the text.
    pub(super) fn at(text: &str, offset: usize, problem: impl Into<String>) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.matches('\n').count() + 1;
        let column = before.get(line_start..).unwrap_or_default().chars().count() + 1;
        Self::Syntax { line, column, problem: problem.into() }
    }
}

/// The one value under `key`, for a file that names it at most once.
pub(super) fn not_twice(path: &str, count: usize) -> Result<(), MergeError> {
    match count {
        0 | 1 => Ok(()),
        _ => Err(MergeError::Shape(format!("`{path}` stands in it {count} times; keep one"))),
    }
}

/// `original` with the change between two texts that have `\n` for every line end: what both share at the start and at the end keeps the
/// bytes that it has in `original`, and the rest gets the line ends that `original` mostly has.
pub(super) fn apply_change(original: &str, before: &str, after: &str) -> String {
    let shared_start = common_start(before, after);
    let rest_before = before.get(shared_start..).unwrap_or_default();
    let rest_after = after.get(shared_start..).unwrap_or_default();
    let shared_end = common_end(rest_before, rest_after);
    let replaced: Range<usize> = shared_start..before.len() - shared_end;
    let inserted = rest_after.get(..rest_after.len() - shared_end).unwrap_or_default();

    let crlf = original.matches("\r\n").count();
    let windows = crlf * 2 > original.matches('\n').count();
    let inserted = if windows { inserted.replace('\n', "\r\n") } else { inserted.to_owned() };
    let start = in_original(original, replaced.start);
    let end = in_original(original, replaced.end);
    let mut text = String::with_capacity(original.len() + inserted.len());
    text.push_str(original.get(..start).unwrap_or_default());
    text.push_str(&inserted);
    text.push_str(original.get(end..).unwrap_or_default());
    text
}

/// The place in `original` of a place in the same text with `\n` for every `\r\n`.
fn in_original(original: &str, place: usize) -> usize {
    let mut plain = 0;
    let bytes = original.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let dropped = *byte == b'\r' && bytes.get(at + 1) == Some(&b'\n');
        if plain == place {
            return at;
        }
        plain += usize::from(!dropped);
    }
    original.len()
}

/// Bytes that both texts start with, whole characters only.
fn common_start(a: &str, b: &str) -> usize {
    a.char_indices().zip(b.chars()).find(|((_, x), y)| x != y).map_or(a.len().min(b.len()), |((at, _), _)| at)
}

/// Bytes that both texts end with, whole characters only.
fn common_end(a: &str, b: &str) -> usize {
    a.chars().rev().zip(b.chars().rev()).take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum()
}

/// The JSON text with every character escaped that a terminal could obey or that turns the direction of text. They stand only inside
/// strings, where an escape is the same.
pub(super) fn shown(json: &str) -> String {
    json.chars().fold(String::with_capacity(json.len()), |mut out, c| {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            _ => out.push(c),
        }
        out
    })
}
