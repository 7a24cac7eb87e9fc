//! The attributes of a citation tag: any order, any quotes or none, entities, other names.

use super::pages::{page_label, page_list};
use super::parse::{Tag, references};

/// What a tag says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Attributes {
    doc: Option<String>,
    page: Option<String>,
    quote: Option<String>,
}

impl Attributes {
    /// Whether it says nothing about a document or a page.
    pub(super) fn is_empty(&self) -> bool {
        self.doc.is_none() && self.page.is_none()
    }

    /// The citation, with the words between the tags.
    pub(super) fn tag(self, body: Option<&str>) -> Option<Tag> {
        if self.is_empty() {
            return None;
        }
        let quote = body.map(unescape).or(self.quote).map(|q| q.trim().to_owned()).filter(|q| !q.is_empty());
        let doc = self.doc.unwrap_or_default();
        let pages = self.page.as_deref().and_then(page_list);
        let label = self.page.as_deref().filter(|_| pages.is_none()).and_then(page_label);
        let mut tag = Tag { pages: pages.unwrap_or_default(), label, doc, quote };
        // `doc="name.pdf, p. 3"` and `doc="name.pdf#page=3"`.
        if self.page.is_none()
            && let Some(both) = references(&tag.doc).and_then(|mut found| (found.len() == 1).then(|| found.remove(0)))
        {
            tag.doc = both.doc;
            tag.pages = both.pages;
            tag.label = both.label;
        }
        Some(tag)
    }
}

/// Reads the text between the tag's name and its end.
pub(super) fn read(text: &str) -> Attributes {
    let text = unescape(text);
    let chars: Vec<char> = text.chars().collect();
    let mut out = Attributes::default();
    let mut at = 0;
    while at < chars.len() {
        let Some((key, value_at)) = key_at(&chars, at) else {
            at += 1;
            continue;
        };
        let (value, end) = value_at_end(&chars, value_at);
        let slot = match key.as_str() {
            "doc" | "document" | "docname" | "name" | "file" | "filename" | "source" | "src" | "href" | "title" => {
                Some(&mut out.doc)
            }
            "page" | "pages" | "p" | "pg" | "pagenumber" | "pagenum" | "loc" => Some(&mut out.page),
            "quote" | "text" | "q" => Some(&mut out.quote),
            _ => None,
        };
        if let Some(slot) = slot
            && slot.is_none()
        {
            *slot = Some(value);
        }
        at = end.max(at + 1);
    }
    out
}

/// A key and its equals sign: the key without `-` and `_`, lower case, and where the value begins.
fn key_at(chars: &[char], at: usize) -> Option<(String, usize)> {
    let starts = at == 0 || chars.get(at - 1).is_some_and(|c| !c.is_alphanumeric() && !matches!(c, '-' | '_'));
    if !starts {
        return None;
    }
    let length = chars.iter().skip(at).take_while(|c| c.is_ascii_alphabetic() || matches!(c, '-' | '_')).count();
    let mut next = at + length;
    if length == 0 || length > 16 {
        return None;
    }
    while chars.get(next).is_some_and(|c| c.is_whitespace()) {
        next += 1;
    }
    if chars.get(next) != Some(&'=') {
        return None;
    }
    next += 1;
    while chars.get(next).is_some_and(|c| c.is_whitespace()) {
        next += 1;
    }
    let key = chars.iter().skip(at).take(length).filter(|c| c.is_ascii_alphabetic()).map(char::to_ascii_lowercase).collect();
    Some((key, next))
}

fn quote_class(c: char) -> Option<u8> {
    match c {
        '"' | '\u{201c}'..='\u{201f}' | '«' | '»' => Some(0),
        '\'' | '\u{2018}'..='\u{201b}' | '`' => Some(1),
        _ => None,
    }
}

/// The value that begins at `at`, and where it ends. A closing quote is one after which the tag ends or goes on with another key, so that
/// `'Bob's report.pdf'` keeps its apostrophe.
fn value_at_end(chars: &[char], at: usize) -> (String, usize) {
    let goes_on = |i: usize| -> bool {
        let rest = chars.get(i..).unwrap_or_default();
        let blank = rest.iter().take_while(|c| c.is_whitespace() || **c == ',').count();
        rest.len() == blank || (blank > 0 && key_at(chars, i + blank).is_some())
    };
    let class = chars.get(at).copied().and_then(quote_class);
    let start = if class.is_some() { at + 1 } else { at };
    let mut end = start;
    while end < chars.len() {
        let closes = match class {
            Some(class) => {
                chars.get(end).copied().and_then(quote_class) == Some(class)
                    && (goes_on(end + 1) || key_at(chars, end + 1).is_some())
            }
            None => false,
        };
        if closes {
            break;
        }
        // An opening quote that is never closed, or no quotes at all: the next key ends it.
        let next_key = chars.get(end).is_some_and(|c| c.is_whitespace()) && goes_on(end);
        if next_key && (class.is_none() || !closes_later(chars, end, class)) {
            break;
        }
        end += 1;
    }
    let value: String = chars.iter().skip(start).take(end.saturating_sub(start)).collect();
    let value = value.trim().trim_end_matches(|c| quote_class(c).is_some()).trim().to_owned();
    (value, end + usize::from(class.is_some()))
}

/// Whether the quote that opened the value is closed before the next key's own value opens.
fn closes_later(chars: &[char], from: usize, class: Option<u8>) -> bool {
    let rest = chars.get(from..).unwrap_or_default();
    let equals = rest.iter().position(|&c| c == '=').unwrap_or(rest.len());
    rest.iter().take(equals).any(|&c| quote_class(c) == class)
}

/// Replaces the character entities that models write.
pub(super) fn unescape(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let end = tail.find(';').filter(|&e| e <= 9);
        match end.and_then(|e| tail.get(1..e)).and_then(entity) {
            Some(c) => {
                out.push(c);
                rest = tail.get(end.unwrap_or(0) + 1..).unwrap_or_default();
            }
            None => {
                out.push('&');
                rest = tail.get(1..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "ndash" => '–',
        "mdash" => '—',
        "rsquo" => '’',
        "lsquo" => '‘',
        "ldquo" => '“',
        "rdquo" => '”',
        "hellip" => '…',
        "euro" => '€',
        "pound" => '£',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    })
}
