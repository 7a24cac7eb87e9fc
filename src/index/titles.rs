//! Titles: cleaning for people, folding for comparison.

use unicode_normalization::UnicodeNormalization;

use super::numbering::numbering;

/// Longest title kept, in characters. The longest title of the development set's outlines has 240; past this a title is a sentence.
pub(super) const TITLE_MAX: usize = 200;

/// A title with white space folded, control characters dropped and its length bounded by [`TITLE_MAX`].
pub(super) fn clean(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len().min(4 * TITLE_MAX));
    let mut count = 0;
    for word in raw.split(|c: char| c.is_whitespace() || c.is_control() || c == '\u{feff}' || c == '\u{200b}') {
        let word: String = word.chars().filter(|c| *c != '\u{ad}' && *c != '\u{fffd}').collect();
        if word.is_empty() {
            continue;
        }
        let length = word.chars().count();
        if count + usize::from(count > 0) + length > TITLE_MAX - 1 {
            if count == 0 {
                out.extend(word.chars().take(TITLE_MAX - 1));
            }
            out.push('…');
            break;
        }
        if count > 0 {
            out.push(' ');
            count += 1;
        }
        out.push_str(&word);
        count += length;
    }
    out
}

/// Letters and digits of a text in lower case, compatibility forms unified; for comparison only.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.bytes().filter(u8::is_ascii_alphanumeric).map(|b| b.to_ascii_lowercase() as char).collect();
    }
    text.nfkc().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Like [`fold`], without leading numbering ("2.1", "Chapter 4", "IV."); the whole when little would remain.
pub(super) fn fold_bare(title: &str) -> String {
    if let Some(found) = numbering(title) {
        let rest = fold(title.get(found.len..).unwrap_or_default());
        if rest.chars().count() >= 2 {
            return rest;
        }
    }
    fold(title)
}

/// Whether two folded titles are the same for a reader: equal, or a few letters apart.
pub(super) fn alike(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (short, long) = if a.len() < b.len() { (a.len(), b.len()) } else { (b.len(), a.len()) };
    // Below eight letters a letter apart is another word; far apart in length is another title.
    if short < 8 || short * 10 < long * 8 {
        return false;
    }
    strsim::normalized_levenshtein(a, b) >= 0.88
}

/// Shortens to at most `limit` characters at a word border, marked with an ellipsis.
pub(super) fn shorten(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let cut: String = text.chars().take(limit.saturating_sub(1)).collect();
    let kept = match cut.rfind(char::is_whitespace) {
        Some(at) if at * 2 > cut.len() => cut.get(..at).unwrap_or(&cut),
        _ => cut.as_str(),
    };
    format!("{}…", kept.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-')))
}

/// Whether a text has at least `least` letters.
pub(super) fn has_letters(text: &str, least: usize) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).take(least).count() >= least
}

/// Whether a character belongs to a script that is written without spaces between words.
pub(super) fn is_ideographic(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether a text is set in capitals.
pub(super) fn is_caps(text: &str) -> bool {
    let (mut upper, mut lower) = (0usize, 0usize);
    for c in text.chars() {
        upper += usize::from(c.is_uppercase());
        lower += usize::from(c.is_lowercase());
    }
    upper >= 4 && lower * 8 <= upper
}
