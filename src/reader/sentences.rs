//! Cutting prose into sentences.

/// Words that end with a full stop without ending a sentence, in lower case and without the stop.
const ABBREVIATIONS: [&str; 38] = [
    "mr", "mrs", "ms", "dr", "prof", "inc", "corp", "co", "ltd", "no", "nos", "vs", "etc", "fig", "figs", "sec", "eq", "al", "dec",
    "jan", "feb", "mar", "apr", "aug", "sept", "oct", "nov", "approx", "art", "vol", "pp", "cf", "bzw", "nr", "abs", "st", "jr",
    "ed",
];

/// The sentences of a paragraph, trimmed, in order. Nothing but white space at the cuts is lost.
pub(super) fn sentences(paragraph: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = paragraph.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let ends = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => {
                // Closing quotes and brackets, and footnote marks, belong to the sentence.
                while chars.peek().is_some_and(|(_, next)| matches!(next, '"' | '\u{201d}' | '\u{2019}' | ')' | ']')) {
                    chars.next();
                }
                let after = paragraph.get(chars.peek().map_or(paragraph.len(), |(at, _)| *at)..).unwrap_or_default();
                is_break(paragraph.get(start..at).unwrap_or_default(), c, after)
            }
            _ => false,
        };
        if ends {
            let cut = chars.peek().map_or(paragraph.len(), |(at, _)| *at).max(end);
            push(&mut found, paragraph.get(start..cut));
            start = cut;
        }
    }
    push(&mut found, paragraph.get(start..));
    found
}

fn push<'a>(found: &mut Vec<&'a str>, text: Option<&'a str>) {
    let text = text.unwrap_or_default().trim();
    if !text.is_empty() {
        found.push(text);
    }
}

/// Whether a stop between these two texts ends a sentence.
fn is_break(before: &str, stop: char, after: &str) -> bool {
    if after.is_empty() {
        return true;
    }
    let mut rest = after.chars();
    if !rest.next().is_some_and(char::is_whitespace) {
        return false;
    }
    let next = rest.find(|c| !c.is_whitespace());
    if next.is_some_and(char::is_lowercase) {
        return false;
    }
    if stop != '.' {
        return true;
    }
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let lone_letter = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    // "U.S." and the like; a sentence seldom ends with one.
    let dotted = word.contains('.') && word.chars().all(|c| c.is_alphabetic() || c == '.');
    !(lone_letter || dotted || ABBREVIATIONS.contains(&word.to_lowercase().as_str()))
}
