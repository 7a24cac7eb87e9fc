//! Cutting text into words. Ranges are byte offsets into the text as given.

use unicode_normalization::char::is_combining_mark;

use super::fold::fold;
use super::numbers::normal_number;

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Letters, or letters and digits.
    Word,
    /// A number in its plain form.
    Number,
    /// One or two neighbouring characters of a script that sets no spaces between words.
    Bigram,
}

/// A piece of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// A word, folded; not yet stemmed.
    Word {
        /// What it is.
        kind: Kind,
        /// The folded word.
        text: &'a str,
        /// First byte.
        start: usize,
        /// One past the last byte.
        end: usize,
    },
    /// The line ends.
    LineEnd,
}

/// Longest word that is told apart by all of its characters, in bytes; what comes after is left out of the word (not of the text).
const WORD_BYTES: usize = 64;

/// Calls `sink` with every word and line end of the text, in order.
///
/// A word broken by a hyphen at the end of a line is given three times: its parts, and joined. `U.S.` gives `us`; `SG&A` stays whole;
/// an apostrophe ends a word.
pub fn scan(text: &str, sink: &mut dyn FnMut(Piece<'_>)) {
    let mut at = 0;
    while let Some(c) = char_at(text, at) {
        if c == '\n' {
            sink(Piece::LineEnd);
            at += 1;
        } else if is_unsegmented(c) {
            at = bigrams(text, at, sink);
        } else if c.is_alphanumeric() {
            at = word(text, at, sink);
        } else {
            at += c.len_utf8();
        }
    }
}

fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// Scripts without spaces between words, and Hangul, whose particles stick to the words.
pub fn is_unsegmented(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3041..=0x30FF | 0x31F0..=0x31FF | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0x20000..=0x323AF)
        && (c.is_alphabetic() || is_combining_mark(c))
}

/// Neighbouring pairs of one run and its last character, so that each character begins a piece; a line break inside the run does not end
/// it, as these scripts wrap anywhere.
fn bigrams(text: &str, from: usize, sink: &mut dyn FnMut(Piece<'_>)) -> usize {
    let mut at = from;
    let mut first: Option<(usize, usize)> = None;
    let mut give = |start: usize, end: usize| {
        if let Some(typed) = text.get(start..end) {
            let joined: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
            sink(Piece::Word { kind: Kind::Bigram, text: &fold(&joined), start, end });
        }
    };
    while let Some(c) = char_at(text, at) {
        let end = at + c.len_utf8();
        if c == '\n' && char_at(text, end).is_some_and(is_unsegmented) {
            at = end;
            continue;
        }
        if !is_unsegmented(c) {
            break;
        }
        if let Some((start, _)) = first {
            give(start, end);
        }
        first = Some((at, end));
        at = end;
    }
    if let Some((start, end)) = first {
        give(start, end);
    }
    at.max(from + 1)
}

/// One word or number from `from` on; returns where to go on.
fn word(text: &str, from: usize, sink: &mut dyn FnMut(Piece<'_>)) -> usize {
    if let Some((end, letters)) = abbreviation(text, from) {
        sink(Piece::Word { kind: Kind::Word, text: &letters, start: from, end });
        return end;
    }
    let (end, number) = extent(text, from);
    let typed = text.get(from..end).unwrap_or_default();
    if number {
        give_number(typed, from, sink);
        return end;
    }
    give_word(typed, from, end, sink);
    let Some((next_from, next_end)) = after_hyphen(text, end) else {
        return end;
    };
    let rest = text.get(next_from..next_end).unwrap_or_default();
    give_word(&format!("{typed}{rest}"), from, next_end, sink);
    give_word(rest, next_from, next_end, sink);
    sink(Piece::LineEnd);
    next_end
}

/// The end of the word or number, and whether it is a number.
fn extent(text: &str, from: usize) -> (usize, bool) {
    let mut end = from;
    let mut previous = '\0';
    let mut all_digits = true;
    let mut marked = false;
    let mut part = 0;
    while let Some(c) = char_at(text, end) {
        let next = char_at(text, end + c.len_utf8()).unwrap_or('\0');
        let letter = (c.is_alphanumeric() && !is_unsegmented(c)) || is_combining_mark(c);
        let digit = c.is_ascii_digit();
        if letter && all_digits && marked && !digit {
            // "24.7m": the number ends where the letters begin.
            break;
        }
        if letter {
            all_digits &= digit;
            part += 1;
        } else if matches!(c, '.' | ',') && previous.is_ascii_digit() && next.is_ascii_digit() {
            marked = true;
        } else if c == '&' && previous.is_alphabetic() && next.is_alphabetic() && part <= 3 {
            part = 0;
        } else if !matches!(c, '\u{AD}' | '\u{200C}' | '\u{200D}') {
            break;
        }
        previous = c;
        end += c.len_utf8();
    }
    (end, all_digits)
}

fn give_number(typed: &str, from: usize, sink: &mut dyn FnMut(Piece<'_>)) {
    if let Some(number) = normal_number(typed) {
        sink(Piece::Word { kind: Kind::Number, text: &number, start: from, end: from + typed.len() });
        return;
    }
    let mut start = from;
    for item in typed.split(',') {
        let end = start + item.len();
        sink(Piece::Word { kind: Kind::Number, text: item, start, end });
        start = end + 1;
    }
}

fn give_word(typed: &str, start: usize, end: usize, sink: &mut dyn FnMut(Piece<'_>)) {
    let folded = fold(typed);
    let mut cut = folded.len().min(WORD_BYTES);
    while !folded.is_char_boundary(cut) {
        cut -= 1;
    }
    let kept = folded.get(..cut).unwrap_or_default();
    let ignorable = |c: char| matches!(c, '\u{AD}' | '\u{200C}' | '\u{200D}');
    if kept.contains(ignorable) {
        let clean: String = kept.chars().filter(|c| !ignorable(*c)).collect();
        sink(Piece::Word { kind: Kind::Word, text: &clean, start, end });
    } else {
        sink(Piece::Word { kind: Kind::Word, text: kept, start, end });
    }
}

/// The rest of a word that a hyphen breaks at the end of a line: where it starts and ends.
fn after_hyphen(text: &str, end: usize) -> Option<(usize, usize)> {
    let mut chars = text.get(end..)?.char_indices();
    let (_, hyphen) = chars.next()?;
    if !matches!(hyphen, '-' | '\u{2010}' | '\u{AD}') {
        return None;
    }
    let mut broken = false;
    for (offset, c) in chars {
        match c {
            '\n' if !broken => broken = true,
            ' ' | '\r' | '\t' => {}
            _ if broken && c.is_lowercase() => {
                let from = end + offset;
                return Some((from, extent(text, from).0));
            }
            _ => return None,
        }
    }
    None
}

/// Single letters, each with a point (`U.S.`, `e.g.`), as one word.
fn abbreviation(text: &str, from: usize) -> Option<(usize, String)> {
    let mut letters = String::new();
    let mut end = from;
    while let Some(letter) = char_at(text, end).filter(|c| c.is_alphabetic() && !is_unsegmented(*c)) {
        let after = end + letter.len_utf8();
        match char_at(text, after) {
            Some('.') => {
                letters.extend(letter.to_lowercase());
                end = after + 1;
            }
            next if letters.chars().count() >= 1 && !next.is_some_and(char::is_alphanumeric) => {
                letters.extend(letter.to_lowercase());
                end = after;
                break;
            }
            _ => break,
        }
    }
    (letters.chars().count() >= 2).then_some((end, letters))
}
