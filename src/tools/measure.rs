//! Sizes of text as it is sent: inside a JSON string, after escaping.
//!
//! The unit is the UTF-16 code unit. It equals the character for everything but rare scripts and emoji, where it counts two, so a bound
//! kept in it holds for hosts that count either way.

use std::borrow::Cow;

use super::json::is_escaped;

/// What one character costs inside a JSON string.
fn cost(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        c if u32::from(c) < 0x20 || is_escaped(c) => 6,
        c => c.len_utf16(),
    }
}

/// What each byte of UTF-8 costs inside a JSON string: the whole character is paid with its first byte. Replies are measured byte by byte,
/// several times; a table is many times faster than decoding characters.
const BYTE_COST: [u8; 256] = {
    let mut costs = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        costs[byte] = match byte as u8 {
            b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x8 | 0xc => 2,
            0..0x20 | 0x7f => 6,
            // Continuation bytes.
            0x80..0xc0 => 0,
            // The first of four bytes: a pair of surrogates.
            0xf0.. => 2,
            _ => 1,
        };
        byte += 1;
    }
    costs
};

/// Length of `text` inside a JSON string, without the quotes.
pub(super) fn escaped_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let plain: usize = bytes.iter().map(|byte| usize::from(BYTE_COST[usize::from(*byte)])).sum();
    // The table knows no characters of several bytes; those of them that are escaped start with one of two.
    let escaped = memchr::memchr2_iter(0xc2, 0xe2, bytes)
        .filter(|at| text.get(*at..).and_then(|rest| rest.chars().next()).is_some_and(is_escaped))
        .count();
    plain + escaped * ("\\u2028".len() - 1)
}

/// Length of JSON that is already escaped.
pub(super) fn sent_len(json: &str) -> usize {
    json.bytes().map(|byte| usize::from(byte & 0xc0 != 0x80) + usize::from(byte >= 0xf0)).sum()
}

/// The longest start of `text` that takes at most `room` inside a JSON string.
pub(super) fn prefix(text: &str, room: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += cost(c);
        if used > room {
            return text.get(..at).unwrap_or_default();
        }
    }
    text
}

/// `text` as it is when it takes at most `room`, otherwise its start and a mark that says how many characters are missing. `room` should
/// be at least 60, which the mark alone can take.
pub(super) fn shorten(text: &str, room: usize) -> Cow<'_, str> {
    // A character costs at most 6, so a short text needs no counting.
    if text.len() * 6 <= room || escaped_len(text) <= room {
        return Cow::Borrowed(text);
    }
    const MARK_ROOM: usize = 50;
    let kept = prefix(text, room.saturating_sub(MARK_ROOM));
    let missing = text.get(kept.len()..).unwrap_or_default().chars().count();
    Cow::Owned(format!("{} [... {} more characters cut]", kept.trim_end(), thousands(missing as u64)))
}

/// A value that somebody sent, for a message: one line, at most about 80 characters.
pub(super) fn excerpt(text: &str) -> String {
    const ROOM: usize = 80;
    let kept = prefix(text, ROOM);
    let line: String = kept.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if kept.len() < text.len() { format!("{line}...") } else { line }
}

/// A whole number with commas between thousands.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// "1 page", "22 pages".
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{} {many}", thousands(number)) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::json::to_json;
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(4_812), "4,812");
        assert_eq!(thousands(1_000_000), "1,000,000");
        assert_eq!(counted(1, "page", "pages"), "1 page");
        assert_eq!(counted(2, "page", "pages"), "2 pages");
    }

    #[test]
    fn shortened_text_says_what_is_missing() {
        assert_eq!(shorten("short", 60), "short");
        let long = "a".repeat(1_000);
        let cut = shorten(&long, 100);
        assert!(cut.starts_with("aaa") && cut.ends_with("[... 950 more characters cut]"), "{cut}");
        assert_eq!(excerpt("two\nlines"), "two lines");
        assert!(excerpt(&long).len() < 100);
    }

    proptest! {
        #[test]
        fn the_measure_is_what_is_written(text in "[\\PC\u{0}-\u{1f}\u{7f}-\u{9f}\u{2026}-\u{2029}\"\\\\]{0,40}", room in 0usize..80) {
            let json = to_json(&text);
            prop_assert_eq!(escaped_len(&text) + 2, json.encode_utf16().count());
            prop_assert_eq!(sent_len(&json), json.encode_utf16().count());
            prop_assert!(escaped_len(prefix(&text, room)) <= room);
            prop_assert!(escaped_len(&shorten(&text, room + 60)) <= room + 60);
        }
    }
}
