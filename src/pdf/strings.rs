//! Text strings of PDF dictionaries: titles, labels, info entries (ISO 32000-2, 7.9.2.2).

/// PDFDocEncoding where it differs from Latin-1 (ISO 32000-2, annex D.2): codes 0x18 to 0x1F, then 0x80 to 0xA0.
const ACCENTS: [char; 8] = ['\u{2d8}', '\u{2c7}', '\u{2c6}', '\u{2d9}', '\u{2dd}', '\u{2db}', '\u{2da}', '\u{2dc}'];
const MARKS: [char; 33] = [
    '\u{2022}', '\u{2020}', '\u{2021}', '\u{2026}', '\u{2014}', '\u{2013}', '\u{192}', '\u{2044}', '\u{2039}', '\u{203a}',
    '\u{2212}', '\u{2030}', '\u{201e}', '\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}', '\u{201a}', '\u{2122}', '\u{fb01}',
    '\u{fb02}', '\u{141}', '\u{152}', '\u{160}', '\u{178}', '\u{17d}', '\u{131}', '\u{142}', '\u{153}', '\u{161}', '\u{17e}',
    '\u{fffd}', '\u{20ac}',
];

/// Decodes a text string: UTF-16 or UTF-8 where it says so, PDFDocEncoding else. What cannot be decoded becomes U+FFFD.
pub(super) fn decode(bytes: &[u8]) -> String {
    match bytes {
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        // Little endian is not in the standard, but some programs write it.
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        // So is UTF-16 without its mark, which shows by its zeros.
        _ if has_zeros(bytes, 0) && !has_zeros(bytes, 1) => utf16(bytes, u16::from_be_bytes),
        _ if has_zeros(bytes, 1) && !has_zeros(bytes, 0) => utf16(bytes, u16::from_le_bytes),
        // UTF-8 without its mark is against the standard and common; bytes that are both are read as what was meant.
        _ if bytes.iter().any(|b| *b >= 0x80) => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|b| pdf_doc(*b)).collect(),
        },
        _ => bytes.iter().map(|b| pdf_doc(*b)).collect(),
    }
}

/// Whether most bytes of one half of the pairs are zero: the upper bytes of text in Latin letters.
fn has_zeros(bytes: &[u8], half: usize) -> bool {
    let pairs = bytes.len() / 2;
    pairs >= 2 && bytes.chunks_exact(2).filter(|pair| pair.get(half) == Some(&0)).count() * 3 > pairs * 2
}

/// Like [`decode`], with control characters gone, white space folded to single spaces and the ends trimmed.
pub(super) fn decode_folded(bytes: &[u8]) -> String {
    fold(&decode(bytes))
}

/// Folds white space and control characters to single spaces and trims the ends.
pub(super) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

fn pdf_doc(byte: u8) -> char {
    match byte {
        0x18..=0x1f => ACCENTS.get(usize::from(byte - 0x18)).copied().unwrap_or('\u{fffd}'),
        0x80..=0xa0 => MARKS.get(usize::from(byte - 0x80)).copied().unwrap_or('\u{fffd}'),
        _ => char::from(byte),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let mut out = String::new();
    let mut in_language_tag = false;
    for c in char::decode_utf16(units) {
        match c.unwrap_or('\u{fffd}') {
            // An escape opens and closes a language code inside the text (ISO 32000-2, 7.9.2.2.1).
            '\u{1b}' => in_language_tag = !in_language_tag,
            c if !in_language_tag => out.push(c),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_is_read() {
        assert_eq!(decode(b"Plain"), "Plain");
        assert_eq!(decode(b"caf\xe9 \x84 \xa0 5 \x1a"), "café — € 5 ˆ");
        assert_eq!(decode(b"\xfe\xff\x04\x22\x04\x35"), "Те");
        assert_eq!(decode(b"\xff\xfe\x22\x04\x35\x04"), "Те");
        assert_eq!(decode("\u{feff}naïve".as_bytes()), "naïve");
        assert_eq!(decode("naïve".as_bytes()), "naïve");
        assert_eq!(decode(b"\x00C\x00a\x00f\x00\xe9"), "Café");
        assert_eq!(decode(b"C\x00a\x00f\x00\xe9\x00"), "Café");
        assert_eq!(decode(b"\x00\x00\x00\x00"), "\0\0\0\0");
        assert_eq!(decode(b"\xfe\xff\x00\x1b\x00e\x00n\x00\x1b\x00A\xd8\x00"), "A\u{fffd}");
    }

    #[test]
    fn white_space_is_folded() {
        assert_eq!(decode_folded(b"  1.\t Risk\r\n factors \x00"), "1. Risk factors");
        assert_eq!(decode_folded(b"\xfe\xff\x00 \x00A\xe0"), "A");
    }
}
