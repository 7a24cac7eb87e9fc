//! How much a sentence tells of its section.

use super::super::numbering::numbering;
use super::super::sentences::{Sentence, ends_sentence};
use super::super::titles::is_ideographic;

/// Worth from which on a sentence may stand in a summary.
pub(super) const LEAST: f32 = -0.2;

/// How scripts without spaces define.
const DEFINITIONS: &[&str] = &["とは", "である", "です。", "是指", "是一", "이란", "이다."];
/// Large numbers in scripts without spaces.
const AMOUNTS: &[&str] = &["亿", "億", "万元", "조원", "억원", "百万円"];

/// What the words of a sentence say of it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Wording {
    /// It says what something is.
    defines: bool,
    /// It speaks of large numbers or shares.
    amount: bool,
    /// It stands in many documents alike, or says nothing by itself.
    formula: bool,
    /// It leans on the one before it or announces another.
    leans: bool,
}

/// Reads the words of a sentence in lower case: all phrases in one pass, for this is asked of every sentence.
fn wording(words: &[&str]) -> Wording {
    let mut out = Wording::default();
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        match (*word, next) {
            ("means" | "describes" | "provides" | "specifies" | "bezeichnet" | "beschreibt" | "désigne", _)
            | ("is" | "are", "a" | "an" | "the" | "defined" | "een")
            | ("refers", "to")
            | ("consists", "of")
            | ("ist", "ein" | "eine" | "die" | "der" | "das")
            | ("besteht", "aus")
            | ("est", "un" | "une" | "le" | "la")
            | ("es", "un" | "una" | "el" | "la")
            | ("è", "un" | "una" | "il" | "la") => out.defines = true,
            (
                "million" | "millions" | "billion" | "billions" | "percent" | "milliard" | "milliards" | "millionen" | "milliarden"
                | "prozent" | "miljoen" | "millones" | "milioni",
                _,
            ) => out.amount = true,
            (
                "copyright" | "isbn" | "issn" | "trademark" | "trademarks" | "phone" | "tel" | "fax" | "email" | "e-mail"
                | "forward-looking" | "/s/",
                _,
            )
            | ("safe", "harbor")
            | ("undue", "reliance")
            | ("herein", "by")
            | ("all", "rights")
            | ("see", "note" | "notes" | "separate")
            | ("without" | "no", "warranty")
            | ("registered", "office")
            | ("free", "software")
            | ("permission", "is")
            | ("creative", "commons")
            | ("accompanying", "notes")
            | ("integral", "part")
            | ("edited", "by")
            | ("rechte", "vorbehalten")
            | ("droits", "réservés")
            | ("table", "of")
            | ("intentionally", "left")
            | ("for", "details" | "more" | "further")
            | ("click", "here")
            | ("p.o", "box")
            | ("witness", "whereof")
            | ("your", "records")
            | ("risks", "and")
            | ("responsibility", "of") => out.formula = true,
            ("page", number) if number.starts_with(|c: char| c.is_ascii_digit()) => out.formula = true,
            _ if word.starts_with("http") || word.starts_with("www.") => out.formula = true,
            _ => {}
        }
    }
    out.leans = matches!(
        (words.first().copied().unwrap_or_default(), words.get(1).copied().unwrap_or_default()),
        (
            "this"
                | "these"
                | "it"
                | "they"
                | "he"
                | "she"
                | "such"
                | "that"
                | "those"
                | "however"
                | "but"
                | "and"
                | "or"
                | "also"
                | "therefore"
                | "thus"
                | "hence"
                | "then"
                | "see"
                | "moreover"
                | "furthermore"
                | "note"
                | "again"
                | "so",
            _
        ) | ("because" | "otherwise" | "similarly" | "likewise" | "another" | "finally" | "first" | "second" | "third" | "here", _)
            | ("dies" | "diese" | "dieser" | "dieses" | "er" | "sie" | "es" | "aber" | "auch" | "jedoch" | "daher" | "siehe", _)
            | ("cela" | "ces" | "ce" | "il" | "elle" | "mais" | "donc" | "voir" | "deze" | "dit" | "daarom" | "zie", _)
            | ("for", "example" | "instance")
            | ("in", "addition" | "other")
            | ("as", "noted" | "discussed" | "mentioned" | "shown" | "a")
    );
    out
}

/// How much a sentence tells of a section with these words in its title; below [`LEAST`] it is better left out.
pub(super) fn worth(sentence: &Sentence, title_words: &[String]) -> f32 {
    let text = &sentence.text;
    let length = text.chars().count();
    let (mut letters, mut digits, mut ideographs, mut signs, mut dots) = (0usize, 0usize, 0usize, 0usize, 0usize);
    for c in text.chars() {
        letters += usize::from(c.is_alphabetic());
        digits += usize::from(c.is_ascii_digit());
        ideographs += usize::from(is_ideographic(c));
        dots += usize::from(c == '.');
        signs += usize::from(matches!(
            c,
            '\\' | '{' | '}' | '<' | '>' | '=' | '#' | '_' | '|' | '~' | '^' | '\u{fffd}' | '*' | '⟨' | '⟩' | '\u{e000}'
                ..='\u{f8ff}'
        ));
    }
    let eastern = ideographs * 3 > letters;
    if letters * 100 < length * 45 && !eastern
        || length < if eastern { 10 } else { 25 }
        || signs * 25 > length
        || text.contains('\u{fffd}')
    {
        return -5.0;
    }
    let tokens = text.split_whitespace().count();
    // Single letters and short scraps come from formulas, forms and pictures; in running text words have about five letters.
    let short = text.split_whitespace().filter(|w| w.chars().filter(|c| c.is_alphabetic()).count() <= 1).count();
    if !eastern && (tokens < 5 || short * 3 > tokens) {
        return -5.0;
    }
    let mut worth = 0.0;
    if sentence.opens_section {
        worth += 1.4;
    } else if sentence.opens_paragraph {
        worth += 0.6;
    }
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().map(|w| w.trim_matches(|c: char| !c.is_alphanumeric() && c != '/')).collect();
    let said = wording(&words);
    if said.amount || text.contains(['%', '$', '€', '£', '¥']) || eastern && AMOUNTS.iter().any(|w| text.contains(w)) {
        worth += if digits > 0 { 1.2 } else { 0.2 };
    } else if digits > 0 && digits * 6 < length {
        worth += 0.3;
    }
    if said.defines || eastern && DEFINITIONS.iter().any(|w| text.contains(w)) {
        worth += 0.8;
    }
    let hits = title_words
        .iter()
        .filter(|title| words.iter().any(|w| w.starts_with(title.as_str())) || eastern && lower.contains(title.as_str()))
        .count();
    worth += (hits as f32 * 0.5).min(1.4);
    if length > 320 {
        worth -= 0.8;
    }
    if said.leans {
        worth -= 0.9;
    }
    if said.formula || dots >= 6 && text.contains("....") || text.contains(". . .") || text.contains('©') {
        worth -= 2.0;
    }
    // Half a sentence: what it begins with stands before the section.
    let first = text.chars().find(|c| c.is_alphanumeric());
    let numbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let cut_number = numbered.len() < text.len()
        && numbered.starts_with([',', '.'])
        && text.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_lowercase);
    if first.is_some_and(char::is_lowercase) || cut_number {
        worth -= 2.5;
    }
    if text.starts_with(['(', '[', '<', '+', '=', '/', '"', '“', '‘']) {
        worth -= if text.ends_with([')', ']']) || text.starts_with('[') { 2.5 } else { 0.4 };
    }
    if text.contains(" •") || text.contains("· ") {
        worth -= 2.0;
    }
    if length < 70 && numbering(text).is_some() {
        worth -= 1.5;
    }
    // Sentences run on in small letters; names, addresses and headings do not.
    let (mut upper, mut lower_case) = (0usize, 0usize);
    for word in text.split_whitespace() {
        match word.chars().find(|c| c.is_alphabetic()) {
            Some(c) if c.is_uppercase() => upper += 1,
            Some(c) if c.is_lowercase() => lower_case += 1,
            _ => {}
        }
    }
    if !eastern && upper > lower_case {
        worth -= if upper > 2 * lower_case { 2.2 } else { 1.2 };
    }
    if lower.starts_with("figure ")
        || lower.starts_with("fig.")
        || lower.starts_with("table ")
        || lower.starts_with("abbildung ")
        || lower.starts_with("tabelle ")
        || lower.starts_with("source:")
        || lower.starts_with("quelle:")
    {
        worth -= 1.2;
    }
    if text.ends_with(['?', '？']) {
        worth -= 0.7;
    } else if text.ends_with([':', '：']) || lower.ends_with("as follows.") || lower.ends_with("below.") {
        worth -= 4.0;
    } else if !ends_sentence(text) {
        worth -= if sentence.item { 0.6 } else { 2.0 };
    }
    worth
}
