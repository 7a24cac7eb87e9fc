//! JSON as it is sent: the same bytes through every door, whatever prints them.

use std::fmt::Write;

use serde::Serialize;

/// JSON of a value that cannot fail to serialise: strings, numbers, lists and maps with text keys.
pub(super) fn to_json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).map_or_else(|_| "null".to_owned(), harmless_json)
}

/// Whether a character is escaped beyond what JSON asks for: U+007F to U+009F, which some terminals obey, and the two that some readers
/// take for the end of a line.
pub(super) fn is_escaped(c: char) -> bool {
    matches!(c, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}')
}

/// The same JSON without characters that a terminal or a reader of lines could trip over. They can stand only inside strings, where an
/// escape means the same.
pub(crate) fn harmless_json(text: String) -> String {
    let mut out = String::new();
    let mut kept = 0;
    // The first bytes of all of them in UTF-8; most text holds none.
    for at in memchr::memchr3_iter(0x7f, 0xc2, 0xe2, text.as_bytes()) {
        let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()).filter(|c| is_escaped(*c)) else { continue };
        out.push_str(text.get(kept..at).unwrap_or_default());
        // Writing to a string cannot fail.
        let _ = write!(out, "\\u{:04x}", u32::from(c));
        kept = at + c.len_utf8();
    }
    if kept == 0 {
        return text;
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_stays_the_same_value() {
        let value = serde_json::json!({"a": "x\u{9b}31m\u{1b}\u{7f}y\u{2028}\u{e9}\u{2014}"});
        let text = harmless_json(value.to_string());
        assert_eq!(text, "{\"a\":\"x\\u009b31m\\u001b\\u007fy\\u2028\u{e9}\u{2014}\"}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
        assert_eq!(harmless_json(text.clone()), text);
    }
}
