//! Running text cut into sentences, with a worth for each: how much it tells of its section.

use crate::pdf::Line;

use super::layout::{is_row, join};
use super::titles::is_ideographic;

/// A sentence of a section.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sentence {
    /// The text, white space folded.
    pub text: String,
    /// It opens the section.
    pub opens_section: bool,
    /// It opens a paragraph.
    pub opens_paragraph: bool,
}

/// Words that end with a point and do not end a sentence, folded to lower case, the point left out.
const ABBREVIATIONS: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "st", "no", "nos", "vs", "etc", "fig", "figs", "eq", "sec", "ch", "vol", "inc", "corp", "co",
    "ltd", "jr", "sr", "u.s", "e.g", "i.e", "cf", "al", "approx", "art", "p", "pp", "ed", "z.b", "d.h", "bzw", "ca", "nr", "abs",
    "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sept", "oct", "nov", "dec", "calif", "llc", "u.k", "n.v", "s.a", "rev",
    "dept", "est", "incl", "resp",
];

/// The sentences of a run of lines: page furniture, table rows and lines in small print left out. At most `most` bytes are looked at.
pub(super) fn sentences<'a>(lines: impl Iterator<Item = &'a Line>, body: f32, most: usize) -> Vec<Sentence> {
    let mut out = Vec::new();
    let mut paragraph: Vec<&str> = Vec::new();
    let mut style: Option<(f32, bool)> = None;
    let mut seen = 0;
    let mut first = true;
    let mut flush = |paragraph: &mut Vec<&str>, first: &mut bool| {
        if !paragraph.is_empty() {
            let text = join(paragraph.drain(..));
            cut(&text, *first, &mut out);
            *first = false;
        }
    };
    for line in lines {
        let text = line.text.trim();
        if line.furniture || text.is_empty() || is_row(text) || line.size < body * 0.9 {
            continue;
        }
        let look = (line.size, line.bold);
        let other = style.is_some_and(|(size, bold)| (size - look.0).abs() > 0.8 || bold != look.1);
        let ended = paragraph.last().is_some_and(|l| ends_sentence(l));
        let item = text.starts_with(['•', '●', '◦', '▪', '■', '–', '*', '\u{f0b7}']);
        if other || item || (line.starts_block && ended) {
            flush(&mut paragraph, &mut first);
        }
        style = Some(look);
        paragraph.push(text);
        seen += text.len();
        if seen > most {
            break;
        }
    }
    flush(&mut paragraph, &mut first);
    out
}

fn ends_sentence(line: &str) -> bool {
    line.trim_end_matches(['"', '”', '’', ')', ']']).ends_with(['.', '!', '?', '。', '！', '？', ':', '：'])
}

/// The sentences of a paragraph with what they open.
fn cut(text: &str, first: bool, out: &mut Vec<Sentence>) {
    let mut opening = true;
    for piece in split(text) {
        let piece = piece.trim_start_matches(['•', '●', '◦', '▪', '■', '–', '*', '\u{f0b7}']).trim_start();
        if !piece.is_empty() {
            out.push(Sentence {
                text: piece.split_whitespace().collect::<Vec<_>>().join(" "),
                opens_section: first && opening,
                opens_paragraph: opening,
            });
            opening = false;
        }
    }
}

/// Cuts a paragraph at sentence ends: trimmed pieces, in order, none empty; nothing but white space is lost.
pub(crate) fn split(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut push = |from: usize, to: usize| {
        let piece = text.get(from..to).unwrap_or_default().trim();
        if !piece.is_empty() {
            out.push(piece);
        }
    };
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let stop = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => {
                let rest = text.get(end..).unwrap_or_default().trim_start_matches(['"', '”', '’', ')', ']']);
                // A footnote mark may stand between the point and the next sentence.
                let decimal = text.get(..at).is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()));
                let rest = if decimal { rest } else { rest.trim_start_matches(|c: char| c.is_ascii_digit()) };
                let spaced = rest.starts_with(char::is_whitespace) || rest.is_empty();
                let next = rest.trim_start().chars().next();
                spaced
                    && next.is_none_or(|n| !n.is_lowercase())
                    && !(c == '.' && abbreviated(text.get(start..at).unwrap_or_default()))
            }
            _ => false,
        };
        if stop {
            let mut end = end;
            while let Some((_, q)) = chars.next_if(|(_, q)| matches!(q, '"' | '”' | '’' | ')' | ']' | '」')) {
                end += q.len_utf8();
            }
            push(start, end);
            start = end;
        }
    }
    push(start, text.len());
    out
}

fn abbreviated(before: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default().trim_start_matches(['(', '"', '“', '[']);
    let lower = word.to_lowercase();
    ABBREVIATIONS.contains(&lower.as_str()) || (word.chars().count() == 1 && word.chars().all(char::is_uppercase))
}

/// How much a sentence tells of a section with this title; below 0 it is better left out.
pub(super) fn worth(sentence: &Sentence, title_words: &[String]) -> f32 {
    let text = &sentence.text;
    let length = text.chars().count();
    let (mut letters, mut digits, mut ideographs) = (0usize, 0usize, 0usize);
    for c in text.chars() {
        letters += usize::from(c.is_alphabetic());
        digits += usize::from(c.is_ascii_digit());
        ideographs += usize::from(is_ideographic(c));
    }
    if letters * 100 < length * 45 && ideographs == 0 || length < if ideographs > 4 { 12 } else { 30 } {
        return -5.0;
    }
    let mut worth = 0.0;
    if sentence.opens_section {
        worth += 1.6;
    } else if sentence.opens_paragraph {
        worth += 0.6;
    }
    let lower = text.to_lowercase();
    if text.contains(['%', '$', '€', '£', '¥'])
        || ["million", "billion", "percent", "milliard", "millionen", "亿"].iter().any(|w| lower.contains(w))
    {
        worth += if digits > 0 { 1.2 } else { 0.3 };
    } else if digits > 0 && digits * 6 < length {
        worth += 0.4;
    }
    if [
        " means ",
        " refers to ",
        " is defined as ",
        " is a ",
        " is an ",
        " is the ",
        " are the ",
        " consists of ",
        " ist ein",
        " est un",
        "とは",
    ]
    .iter()
    .any(|w| lower.contains(w))
    {
        worth += 0.9;
    }
    let hits = title_words.iter().filter(|w| lower.contains(w.as_str())).count();
    worth += (hits as f32 * 0.5).min(1.5);
    if length > 320 {
        worth -= 0.8;
    }
    const LEANING: &[&str] = &[
        "this ",
        "these ",
        "it ",
        "they ",
        "such ",
        "however",
        "but ",
        "and ",
        "also ",
        "therefore",
        "thus ",
        "for example",
        "see ",
        "in addition",
        "moreover",
        "note ",
    ];
    if LEANING.iter().any(|w| lower.starts_with(w)) {
        worth -= 0.7;
    }
    if lower.contains("http")
        || lower.contains("www.")
        || lower.contains("....")
        || lower.contains("all rights reserved")
        || lower.contains("see note")
    {
        worth -= 1.5;
    }
    if text.ends_with([':', '：']) {
        worth -= 1.2;
    } else if !ends_sentence(text) {
        worth -= 0.8;
    }
    worth
}
