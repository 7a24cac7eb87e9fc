//! Text that is looked for in titles, whatever its case and form.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

/// What `--grep` asks for. Capitals, wide letters, ligatures and the number of spaces make no difference; accents do.
#[derive(Debug)]
pub(super) struct Wanted {
    folded: String,
}

impl Wanted {
    /// `None` where there is nothing to look for.
    pub(super) fn new(text: &str) -> Option<Self> {
        let (folded, _) = fold(text.trim());
        (!folded.is_empty()).then_some(Self { folded })
    }

    /// Whether the text holds it.
    pub(super) fn is_in(&self, text: &str) -> bool {
        fold(text).0.contains(&self.folded)
    }

    /// The places in the text that hold it, in bytes, in order and apart.
    pub(super) fn places(&self, text: &str) -> Vec<Range<usize>> {
        let (folded, origins) = fold(text);
        let mut places: Vec<Range<usize>> = Vec::new();
        for (at, found) in folded.match_indices(&self.folded) {
            let (Some(start), Some(last)) = (origins.get(at), origins.get(at + found.len() - 1)) else { continue };
            let length = text.get(*last..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            // Two letters that are one sign in the text can both be found in it.
            if places.last().is_none_or(|before| before.end <= *start) {
                places.push(*start..*last + length);
            }
        }
        places
    }
}

/// The text as it is compared, and for each of its bytes where the character that it comes from begins.
fn fold(text: &str) -> (String, Vec<usize>) {
    let (mut folded, mut origins) = (String::with_capacity(text.len()), Vec::with_capacity(text.len()));
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            if !folded.ends_with(' ') {
                folded.push(' ');
                origins.push(at);
            }
            continue;
        }
        // Character by character, so that each byte has one origin; letter and accent fall apart on both sides.
        for part in c.nfkd().flat_map(char::to_lowercase) {
            folded.push(part);
            origins.extend(std::iter::repeat_n(at, part.len_utf8()));
        }
    }
    (folded, origins)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(wanted: &str, text: &str) -> Vec<String> {
        let wanted = Wanted::new(wanted).unwrap();
        let places = wanted.places(text);
        assert_eq!(wanted.is_in(text), !places.is_empty());
        places.into_iter().map(|place| text[place].to_owned()).collect()
    }

    #[test]
    fn case_form_and_spaces_make_no_difference() {
        assert_eq!(found("risk", "Risk factors and RISKS"), ["Risk", "RISK"]);
        assert_eq!(found("net  income", "Net\u{a0}income"), ["Net\u{a0}income"]);
        assert_eq!(found("ÜBER", "über u\u{308}ber"), ["über", "u\u{308}ber"]);
        assert_eq!(found("fi", "ﬁnal ﬁﬁ"), ["ﬁ", "ﬁ", "ﬁ"]);
        assert_eq!(found("f", "ﬀ"), ["ﬀ"]);
        assert_eq!(found("第一章", "第一章 总则"), ["第一章"]);
        assert_eq!(found("i", "İ"), ["İ"]);
        assert!(found("uber", "über").is_empty());
    }

    #[test]
    fn spaces_are_nothing_to_look_for() {
        assert!(Wanted::new(" \t").is_none());
    }
}
