//! The last touch on the text of a line: characters that nobody sees, and letters in parts.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The text without invisible characters, letters and their marks composed (NFC).
pub(crate) fn tidy(text: String) -> String {
    if text.is_ascii() {
        return text;
    }
    let text = if text.contains(is_invisible) { without_invisible(&text) } else { text };
    if is_nfc_quick(text.chars()) == IsNormalized::Yes { text } else { text.nfc().collect() }
}

/// Format characters that say where lines may break or which way text runs, which the text as read has no use for, and joiners.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206F}' | '\u{FEFF}' | '\u{61C}')
}

/// The joiners, which some scripts spell with.
pub(super) fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
}

fn without_invisible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        // Joiners spell words of Indic and Arabic scripts.
        let joins =
            is_joiner(c) && out.chars().next_back().is_some_and(takes_joiner) && chars.peek().copied().is_some_and(takes_joiner);
        if joins || !is_invisible(c) {
            out.push(c);
        }
    }
    out
}

/// Scripts whose spelling tells joined letters from unjoined ones: Arabic, Syriac, Mongolian, and those of India and its neighbours.
fn takes_joiner(c: char) -> bool {
    matches!(c, '\u{0600}'..='\u{08FF}' | '\u{0900}'..='\u{0DFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{18AF}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}')
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn invisible_characters_go_and_letters_are_composed() {
        assert_eq!(tidy("words\u{200B}here and\u{2060}there\u{FEFF}".to_owned()), "wordshere andthere");
        assert_eq!(tidy("cafe\u{301} na\u{308}her".to_owned()), "café näher");
        assert_eq!(tidy("می\u{200C}خواهم a\u{200C}b".to_owned()), "می\u{200C}خواهم ab");
    }
}
