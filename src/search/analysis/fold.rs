//! Folding: one spelling for what people take for the same letters.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Compatibility forms resolved (ligatures, full-width letters), lower case. Accents stay.
pub fn fold(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        if word.bytes().any(|b| b.is_ascii_uppercase()) {
            return Cow::Owned(word.to_ascii_lowercase());
        }
        return Cow::Borrowed(word);
    }
    Cow::Owned(word.nfkc().flat_map(char::to_lowercase).nfc().collect())
}

/// The word without accents and other marks; `ß` and `æ` are written out.
pub fn without_marks(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let mut plain = String::with_capacity(word.len());
    for c in word.nfd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'ø' => plain.push('o'),
            'đ' => plain.push('d'),
            'ł' => plain.push('l'),
            'ı' => plain.push('i'),
            _ => plain.push(c),
        }
    }
    // Hangul syllables fall apart under decomposition; put them together again.
    Cow::Owned(plain.nfc().collect())
}
