//! Running text cut into sentences, as they stand in a section.

use crate::pdf::Line;

use super::layout::{is_row, join};

/// A sentence of a section.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sentence {
    /// The text, white space folded.
    pub text: String,
    /// It opens the section.
    pub opens_section: bool,
    /// It opens a paragraph.
    pub opens_paragraph: bool,
    /// It is an item of a list, which need not end with a point.
    pub item: bool,
}

/// Words that end with a point and do not end a sentence, folded to lower case, the point left out.
const ABBREVIATIONS: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "st", "no", "nos", "vs", "etc", "fig", "figs", "eq", "sec", "ch", "vol", "inc", "corp", "co",
    "ltd", "jr", "sr", "u.s", "e.g", "i.e", "cf", "al", "approx", "art", "p", "pp", "ed", "z.b", "d.h", "bzw", "ca", "nr", "abs",
    "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sept", "oct", "nov", "dec", "calif", "llc", "u.k", "n.v", "s.a", "rev",
    "dept", "est", "incl", "resp", "blvd", "ave", "rd", "ste", "ul", "tel", "u.s.c", "c.f.r", "fed", "reg", "thm", "def", "prop",
    "usw", "vgl", "inkl", "evtl", "ggf", "sog", "str", "núm", "pág", "dott", "tj", "np", "tzv", "bl", "st", "gen", "gov", "sen",
    "rep", "messrs", "ref", "refs", "eqs", "eqn", "ph.d", "m.d", "b.v", "l.p", "u.a", "u.ä", "o.ä", "s.o", "i.d.r", "cit", "op",
    "ex", "par", "app", "ann", "pt", "chap",
];

/// The sentences of a run of lines: page furniture, table rows, lines in small print and in the type of programs left out. At most `most`
/// bytes are looked at.
pub(super) fn sentences<'a>(lines: impl Iterator<Item = &'a Line>, body: f32, most: usize) -> Vec<Sentence> {
    let mut seen = 0;
    let mut last_font: (&str, bool) = ("", false);
    let kept: Vec<&Line> = lines
        .filter(|line| {
            let text = line.text.trim();
            if last_font.0 != line.font {
                last_font = (&line.font, is_code(&line.font));
            }
            let row = || text.contains("  ") && is_row(text);
            !(line.furniture || text.is_empty() || line.size < body * 0.9 || last_font.1 || row())
        })
        .take_while(|line| {
            let go = seen <= most;
            seen += line.text.len();
            go
        })
        .collect();
    // A full line of this text: as wide as most of the longer lines are.
    let mut widths: Vec<f32> = kept.iter().map(|l| l.x1 - l.x0).collect();
    widths.sort_unstable_by(f32::total_cmp);
    let full = widths.get(widths.len() * 3 / 4).copied().unwrap_or(0.0);
    let mut out = Vec::new();
    let mut paragraph: Vec<&str> = Vec::new();
    let mut before: Option<&Line> = None;
    let mut first = true;
    let mut item = false;
    for line in kept {
        let text = line.text.trim();
        let starts_item = text.starts_with(MARKS);
        let parted = before.is_some_and(|b| {
            let other = (b.size - line.size).abs() > 0.8 || b.bold != line.bold;
            let ended = ends_sentence(b.text.trim());
            // A short line before a new beginning stands alone: a heading, a name, a line of an address.
            let short = b.x1 - b.x0 < full * 0.7 || full < 10.0 * body;
            let begins = text.chars().next().is_some_and(|c| !c.is_lowercase());
            // In scripts without capitals the first sign says nothing.
            let cased = text.chars().next().is_some_and(|c| c.is_uppercase() || c.is_ascii_digit());
            other
                || starts_item
                || ended && (line.starts_block || short)
                || cased && line.starts_block && !b.text.trim().ends_with([',', '-'])
                || begins && short && (b.starts_block || !b.text.trim().ends_with(','))
        });
        if parted && !paragraph.is_empty() {
            cut(&join(paragraph.drain(..)), first, item, &mut out);
            first = false;
        }
        if paragraph.is_empty() {
            item = starts_item;
        }
        before = Some(line);
        paragraph.push(text);
    }
    if !paragraph.is_empty() {
        cut(&join(paragraph.drain(..)), first, item, &mut out);
    }
    out
}

/// Marks before the items of a list.
const MARKS: [char; 9] = ['•', '●', '◦', '▪', '■', '–', '*', '◆', '\u{f0b7}'];

/// Whether a font is one in which programs are set.
fn is_code(font: &str) -> bool {
    let lower = font.to_ascii_lowercase();
    ["mono", "courier", "typewriter", "cmtt", "lmtt", "consolas", "menlo"].iter().any(|name| lower.contains(name))
}

pub(super) fn ends_sentence(line: &str) -> bool {
    line.trim_end_matches(['"', '”', '’', ')', ']']).ends_with(['.', '!', '?', '。', '！', '？', ':', '：'])
}

/// The sentences of a paragraph with what they open.
fn cut(text: &str, first: bool, item: bool, out: &mut Vec<Sentence>) {
    let mut opening = true;
    for piece in split(text) {
        let piece = piece.trim_start_matches(MARKS).trim_start();
        if !piece.is_empty() {
            out.push(Sentence {
                text: piece.split_whitespace().collect::<Vec<_>>().join(" "),
                opens_section: first && opening,
                opens_paragraph: opening,
                item,
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
                    && !(c == '.' && abbreviated(text.get(start..at).unwrap_or_default(), text.get(end..).unwrap_or_default()))
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

/// Words before a day or an ordinal number written with a point.
const DAYS: &[&str] = &[" am", " vom", " zum", " den", " der", " dem", " bis", " im", " die", " das", " und", " des", "."];

fn abbreviated(before: &str, after: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default().trim_start_matches(['(', '"', '“', '[']);
    let lower = word.to_lowercase();
    // "am 11. November": a day or an ordinal number, unless the text begins with it.
    let ordinal = word.len() <= 2
        && word.chars().all(|c| c.is_ascii_digit())
        && after.trim_start().starts_with(|c: char| c.is_ascii_digit() || c.is_uppercase())
        && DAYS.iter().any(|d| before.trim_end().trim_end_matches(word).trim_end().to_lowercase().ends_with(d));
    ordinal
        || ABBREVIATIONS.contains(&lower.as_str())
        || word == "v"
        || word.chars().count() <= 5
            && word.starts_with(char::is_uppercase)
            && word.chars().all(|c| c.is_uppercase() || c == '.')
            && (word.contains('.') || word.chars().count() == 1)
}
