//! Finding citation tags in a model's text, however sloppily they are written.
//!
//! The scanner looks at one place at a time and says what stands there, or that it needs more text to tell. The whole text and a stream
//! of pieces go through the same scanner, so both see the same tags.

use super::pages::{page_label, page_list};

/// A citation as the model wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag {
    /// Document as written; empty when missing.
    pub doc: String,
    /// Pages as written, at most [`super::pages::MAX_PAGES`]; empty when missing or no number.
    pub pages: Vec<u32>,
    /// A printed label in place of a page number: `iv`, `F-12`.
    pub label: Option<String>,
    /// The quoted words.
    pub quote: Option<String>,
}

/// What stands at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// One citation, or several in one bracket.
    Cite(Vec<Tag>),
    /// The tag that says "the documents do not say it".
    Absence,
    /// A tag without meaning, not to be shown.
    Junk,
}

/// The scanner's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Scan {
    /// This, of so many bytes.
    Found(Found, usize),
    /// Ordinary text.
    Text,
    /// Cannot be told before more text has come.
    More,
}

/// Bytes within which a tag must end.
const TAG_REACH: usize = 600;
/// Bytes within which a quote must end; a longer one is taken for a tag that was never closed.
const QUOTE_REACH: usize = 2_400;
/// Bytes within which a bracket must close to be a citation.
const BRACKET_REACH: usize = 260;

/// Whether a tag or bracket can begin with this character.
pub(super) fn is_opener(c: char) -> bool {
    matches!(c, '<' | '[' | '(' | '【')
}

/// Looks at the beginning of `text`, which must be an opener. `last` says that no more text will come.
pub(super) fn scan(text: &str, last: bool) -> Scan {
    if text.starts_with('<') { scan_tag(text, last) } else { scan_bracket(text, last) }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    Cite,
    CiteEnd,
    NotFound,
}

const NAMES: [(&str, Name); 12] = [
    ("<citation", Name::Cite),
    ("<cite", Name::Cite),
    ("</citation", Name::CiteEnd),
    ("</cite", Name::CiteEnd),
    ("<not-found", Name::NotFound),
    ("<not_found", Name::NotFound),
    ("<not found", Name::NotFound),
    ("<notfound", Name::NotFound),
    ("</not-found", Name::NotFound),
    ("</not_found", Name::NotFound),
    ("</not found", Name::NotFound),
    ("</notfound", Name::NotFound),
];

fn starts_with_ignoring_case(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}

/// Looks for a tag within `reach` bytes.
fn find_tag(text: &str, from: usize, reach: usize, needle: &str) -> Option<usize> {
    let rest = text.get(from..)?;
    let begins = rest.bytes().take(reach).enumerate().filter(|(_, b)| *b == b'<').map(|(i, _)| from + i);
    let mut begins = begins.filter(|&i| text.get(i..).is_some_and(|t| starts_with_ignoring_case(t, needle)));
    begins.next()
}

fn scan_tag(text: &str, last: bool) -> Scan {
    let could_grow = !last && NAMES.iter().any(|(name, _)| name.len() >= text.len() && starts_with_ignoring_case(name, text));
    if could_grow {
        return Scan::More;
    }
    let named = NAMES.iter().find(|(name, _)| {
        let ends = |rest: &str| rest.chars().next().is_none_or(|c| c.is_whitespace() || matches!(c, '/' | '>' | '<'));
        starts_with_ignoring_case(text, name) && text.get(name.len()..).is_some_and(ends)
    });
    let Some(&(written, name)) = named else {
        // The text ends in the middle of a tag's name: that is no text for people. A lone "<" may be.
        let cut = last && text.len() >= 3 && NAMES.iter().any(|(name, _)| starts_with_ignoring_case(name, text));
        return if cut { Scan::Found(Found::Junk, text.len()) } else { Scan::Text };
    };
    if text.get(written.len()..).is_some_and(|rest| rest.starts_with('<')) {
        // Another tag begins before this one has ended: the name alone is dropped, the other tag is read.
        return Scan::Found(Found::Junk, written.len());
    }
    let Some(close) = text.bytes().take(TAG_REACH).position(|b| b == b'>') else {
        return match (last, text.len() > TAG_REACH) {
            (false, false) => Scan::More,
            (true, false) => Scan::Found(Found::Junk, text.len()),
            (_, true) => Scan::Text,
        };
    };
    let inner = text.get(written.len()..close).unwrap_or_default();
    let end = close + 1;
    match name {
        Name::NotFound => Scan::Found(Found::Absence, end),
        Name::CiteEnd => Scan::Found(Found::Junk, end),
        Name::Cite => scan_cite(text, inner, end, last),
    }
}

fn scan_cite(text: &str, inner: &str, end: usize, last: bool) -> Scan {
    let trimmed = inner.trim_end();
    let (attributes, empty) = match trimmed.strip_suffix('/') {
        Some(rest) => (rest, true),
        None => (trimmed, false),
    };
    let attributes = super::attributes::read(attributes);
    if empty {
        return tag_found(attributes.tag(None), end);
    }
    let (body, after) = match quote_end(text, end, last) {
        QuoteEnd::More => return Scan::More,
        QuoteEnd::Unclosed => (None, end),
        QuoteEnd::At(start, after) => (text.get(end..start), after),
    };
    if attributes.is_empty() {
        // `<cite>name.pdf, p. 3</cite>`; anything else is somebody's markup.
        let inside = body.and_then(references);
        return inside.map_or(Scan::Found(Found::Junk, end), |tags| Scan::Found(Found::Cite(tags), after));
    }
    tag_found(attributes.tag(body.map(without_tags).as_deref()), after)
}

/// Quoted words without the tags that may have strayed into them.
fn without_tags(body: &str) -> String {
    let mut out = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        let length = match scan_tag(tag, true) {
            Scan::Found(_, length) => length,
            Scan::Text | Scan::More => styling(tag).unwrap_or_else(|| {
                out.push('<');
                1
            }),
        };
        rest = tag.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// Elements that only style the words in them.
const STYLING: [&str; 12] = ["b", "i", "u", "q", "p", "em", "br", "sub", "sup", "mark", "span", "strong"];

/// The length of a bare tag of a styling element, such as `<b>`, `</em>` or `<br/>`.
fn styling(tag: &str) -> Option<usize> {
    let end = tag.bytes().take(10).position(|b| b == b'>')?;
    let name = tag.get(1..end)?.trim_matches(['/', ' ']);
    STYLING.iter().any(|s| s.eq_ignore_ascii_case(name)).then_some(end + 1)
}

fn tag_found(tag: Option<Tag>, end: usize) -> Scan {
    Scan::Found(tag.map_or(Found::Junk, |t| Found::Cite(vec![t])), end)
}

enum QuoteEnd {
    More,
    Unclosed,
    /// Where the closing tag begins and ends.
    At(usize, usize),
}

fn quote_end(text: &str, from: usize, last: bool) -> QuoteEnd {
    let close = find_tag(text, from, QUOTE_REACH, "</cit");
    let open = find_tag(text, from, QUOTE_REACH, "<cit");
    match (close, open) {
        (Some(close), open) if open.is_none_or(|o| close < o) => {
            match text.bytes().skip(close).take(TAG_REACH).position(|b| b == b'>') {
                Some(gt) if gt <= 12 => QuoteEnd::At(close, close + gt + 1),
                None if !last && text.len() <= close + 12 => QuoteEnd::More,
                None if last && text.len() <= close + 12 => QuoteEnd::At(close, text.len()),
                _ => QuoteEnd::Unclosed,
            }
        }
        (_, Some(_)) => QuoteEnd::Unclosed,
        _ if !last && text.len() < from + QUOTE_REACH + 8 => QuoteEnd::More,
        _ => QuoteEnd::Unclosed,
    }
}

fn scan_bracket(text: &str, last: bool) -> Scan {
    let mut chars = text.char_indices();
    let Some((_, open)) = chars.next() else { return Scan::Text };
    let closer = match open {
        '[' => ']',
        '(' => ')',
        _ => '】',
    };
    for (i, c) in chars {
        if i > BRACKET_REACH || matches!(c, '\n' | '<' | '[' | '【') || c == open {
            return Scan::Text;
        }
        if c == closer {
            let inner = text.get(open.len_utf8()..i).unwrap_or_default();
            return references(inner).map_or(Scan::Text, |tags| Scan::Found(Found::Cite(tags), i + c.len_utf8()));
        }
    }
    if last { Scan::Text } else { Scan::More }
}

/// Endings of document names: what makes a bracket a citation.
const ENDINGS: &[&str] = &[".pdf", ".docx", ".doc", ".md", ".txt", ".html", ".htm", ".pptx", ".xlsx"];

/// Reads `name.pdf, p. 3` or `a.pdf, p. 3; b.pdf, pp. 4-5`.
pub(super) fn references(inner: &str) -> Option<Vec<Tag>> {
    let mut tags: Vec<Tag> = Vec::new();
    for part in inner.split(';') {
        let tag = match reference(part) {
            Some(tag) => tag,
            None => Tag { doc: tags.last()?.doc.clone(), pages: page_list(part)?, label: None, quote: None },
        };
        tags.push(tag);
    }
    (!tags.is_empty()).then_some(tags)
}

/// Words that lead up to a name in running text.
const LEADS: &[&str] = &[
    "source:",
    "sources:",
    "quelle:",
    "document:",
    "doc:",
    "file:",
    "see",
    "siehe",
    "voir",
    "véase",
    "cf.",
    "also",
    "as",
    "shown",
    "stated",
    "in",
    "from",
    "per",
    "according",
    "to",
];

fn without_lead<'a>(name: &'a str, lead: &str) -> Option<&'a str> {
    let rest = name.get(lead.len()..).filter(|_| starts_with_ignoring_case(name, lead))?;
    (rest.starts_with(' ') || lead.ends_with(':')).then(|| rest.trim_start())
}

fn reference(part: &str) -> Option<Tag> {
    let lower = part.to_ascii_lowercase();
    let ends_word = |end: usize| part.get(end..).is_some_and(|rest| !rest.chars().next().is_some_and(char::is_alphanumeric));
    let end = ENDINGS.iter().filter_map(|e| lower.rfind(e).map(|at| at + e.len())).filter(|&end| ends_word(end)).max()?;
    let mut name = part.get(..end)?.trim();
    while let Some(rest) = LEADS.iter().find_map(|lead| without_lead(name, lead)) {
        name = rest;
    }
    let name = name.trim_matches(|c: char| matches!(c, '"' | '\'' | '*' | '_' | '`' | '“' | '”' | '‘' | '’' | '«' | '»' | ' '));
    if name.len() <= 4 {
        return None;
    }
    let rest =
        part.get(end..)?.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '*' | '_' | '`' | '”' | '’' | '»'));
    let place = rest.trim_start_matches([',', ':', '#', '-', '–', '—', '|', '@', '(']).trim_end_matches(')');
    let (pages, label) = match page_list(place) {
        Some(pages) => (pages, None),
        None => (Vec::new(), Some(page_label(place)?)),
    };
    Some(Tag { doc: name.to_owned(), pages, label, quote: None })
}
