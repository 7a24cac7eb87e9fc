//! Dates as they are written in several languages.

/// Months by name, in English, German, French, Dutch, Spanish and Italian, with the short forms that stand in dates.
const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
    "januar",
    "jänner",
    "februar",
    "märz",
    "mai",
    "juni",
    "juli",
    "oktober",
    "dezember",
    "janvier",
    "février",
    "fevrier",
    "mars",
    "avril",
    "juin",
    "juillet",
    "août",
    "aout",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
    "januari",
    "februari",
    "maart",
    "mei",
    "augustus",
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
    "gennaio",
    "febbraio",
    "aprile",
    "maggio",
    "giugno",
    "luglio",
    "settembre",
    "ottobre",
    "dicembre",
];

/// A date found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::index) struct Found {
    /// Where it starts, in bytes.
    pub at: usize,
    /// Where it ends, in bytes.
    pub end: usize,
    /// As printed, white space folded; names of months in capitals in ordinary writing.
    pub text: String,
}

/// Whether a word is a year that a document may speak of.
pub(in crate::index) fn is_year(text: &str) -> bool {
    text.len() == 4 && text.parse::<u32>().is_ok_and(|y| (1900..=2099).contains(&y))
}

/// The first year of a text that stands alone, or a range of years ("2016-2018", "2009-10", "2022/23").
pub(in crate::index) fn year(text: &str) -> Option<String> {
    for (at, _) in text.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
        let before = text.get(..at).and_then(|b| b.chars().next_back());
        if before.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '/' | ',' | '$' | '#' | '–' | '’')) {
            continue;
        }
        let Some(year) = text.get(at..at + 4).filter(|y| is_year(y)) else { continue };
        let rest = text.get(at + 4..).unwrap_or_default();
        let mut chars = rest.chars();
        match chars.next() {
            Some(c) if c.is_ascii_alphanumeric() => continue,
            Some(dash @ ('-' | '–' | '/')) => {
                let next: String = chars.clone().take_while(char::is_ascii_digit).collect();
                let follows = chars.as_str().get(next.len()..).and_then(|r| r.chars().next());
                let whole = is_year(&next) && next.as_str() > year;
                let short = next.len() == 2 && year.get(2..).is_some_and(|y| next.as_str() > y || next == "00");
                if (whole || short) && !matches!(follows, Some('-' | '/')) {
                    return Some(format!("{year}{dash}{next}"));
                }
                if !next.is_empty() {
                    continue;
                }
                return Some(year.to_owned());
            }
            Some('.') if chars.next().is_some_and(|c| c.is_ascii_digit()) => continue,
            _ => return Some(year.to_owned()),
        }
    }
    None
}

/// The first date of a text that names at least a month and a year.
pub(in crate::index) fn date(text: &str) -> Option<Found> {
    let tokens: Vec<(usize, &str)> = tokens(text);
    for at in 0..tokens.len() {
        let at_token = |i: usize| tokens.get(at + i).map(|(_, t)| *t);
        let found = |count: usize| {
            let (start, _) = *tokens.get(at)?;
            let (last, word) = *tokens.get(at + count - 1)?;
            let mut end = last + bare(word).len();
            // A day of a date written in Chinese or Korean ends with a sign of its own.
            if text.get(end..).is_some_and(|r| r.starts_with(['日', '일'])) {
                end += 3;
            }
            let text = text.get(start..end)?;
            // "No. 2 (Apr., 1965)": a bracket or a colon parts what stands on either side.
            (!text.contains(['(', ')', '[', ']', ':', ';', '|'])).then(|| Found { at: start, end, text: calm(text) })
        };
        let Some(first) = at_token(0) else { break };
        if let Some(length) = eastern(text.get(tokens.get(at)?.0..)?) {
            let start = tokens.get(at)?.0;
            return Some(Found {
                at: start,
                end: start + length,
                text: text.get(start..start + length)?.split_whitespace().collect::<Vec<_>>().join(" "),
            });
        }
        if numeric(bare(first)) {
            return found(1);
        }
        let found = match (first, at_token(1), at_token(2), at_token(3)) {
            // January 5, 2025; Jan. 5, 2025
            (m, Some(d), Some(y), _) if is_month(m) && is_day(d) && is_year(bare(y)) => found(3),
            // 11. 11. 2011
            (d, Some(m), Some(y), _) if is_day(d) && d.ends_with('.') && is_day(m) && m.ends_with('.') && is_year(bare(y)) => {
                found(3)
            }
            // 5 January 2025; 5. Januar 2025; 5th of January 2025; 5 de enero de 2025
            (d, Some(m), Some(y), _) if is_day(d) && is_month(m) && is_year(bare(y)) => found(3),
            (d, Some("of" | "de"), Some(m), Some(y)) if is_day(d) && is_month(m) && is_year(bare(y)) => found(4),
            (d, Some("de"), Some(m), Some("de" | "del"))
                if is_day(d) && is_month(m) && at_token(4).is_some_and(|y| is_year(bare(y))) =>
            {
                found(5)
            }
            // January 2025; January, 2025; enero de 2025
            (m, Some(y), ..) if is_month(m) && is_year(bare(y)) => found(2),
            (m, Some("de"), Some(y), _) if is_month(m) && is_year(bare(y)) => found(3),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Words of a text with their places.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        let edge =
            c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '—' | '–' | ':' | '：' | '（' | '）' | '"' | '“' | ';' | '|');
        match (edge, start) {
            (true, Some(from)) => {
                out.extend(text.get(from..at).map(|t| (from, t)));
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    if let Some(from) = start {
        out.extend(text.get(from..).map(|t| (from, t)));
    }
    out
}

fn bare(word: &str) -> &str {
    word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != 'º')
}

fn is_month(word: &str) -> bool {
    let word = bare(word);
    word.chars().count() >= 3 && MONTHS.contains(&word.to_lowercase().as_str())
}

fn is_day(word: &str) -> bool {
    let word = bare(word);
    let word = ["st", "nd", "rd", "th", "er", "º"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    word.len() <= 2 && word.parse::<u8>().is_ok_and(|d| (1..=31).contains(&d))
}

/// 2025-02-05, 2025/02/05, 05.02.2025, 5/2/2025, 2004-08.
fn numeric(word: &str) -> bool {
    for sign in ['-', '/', '.'] {
        let parts: Vec<&str> = word.split(sign).collect();
        let small = |p: &str, most: u8| (1..=2).contains(&p.len()) && p.parse::<u8>().is_ok_and(|n| (1..=most).contains(&n));
        match parts.as_slice() {
            [y, m, d] if is_year(y) && small(m, 12) && small(d, 31) => return true,
            [d, m, y] if is_year(y) && small(d, 31) && small(m, 31) && (small(d, 12) || small(m, 12)) => return true,
            [y, m] if is_year(y) && m.len() == 2 && small(m, 12) && sign != '.' && (sign == '-' && m.starts_with('0')) => {
                return true;
            }
            _ => {}
        }
    }
    false
}

/// The length in bytes of a date like 2020年4月2日, 2020년 4월 2일 or 2020年4月 at the head of a text.
fn eastern(text: &str) -> Option<usize> {
    let year = text.get(..4).filter(|y| is_year(y))?;
    let mut at = year.len();
    let mut step = |signs: [char; 2], digits: bool| -> Option<()> {
        let rest = text.get(at..)?;
        let trimmed = rest.trim_start();
        let number = trimmed.chars().take_while(char::is_ascii_digit).count();
        if digits && !(1..=2).contains(&number) || !digits && number > 0 {
            return None;
        }
        let after = trimmed.get(number..)?.trim_start();
        let sign = after.chars().next().filter(|c| signs.contains(c))?;
        at += rest.len() - after.len() + sign.len_utf8();
        Some(())
    };
    step(['年', '년'], false)?;
    step(['月', '월'], true)?;
    let _ = step(['日', '일'], true);
    Some(at)
}

/// White space folded; months in capitals in ordinary writing.
fn calm(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        if word.chars().count() > 3 && word.chars().all(|c| !c.is_lowercase()) && word.chars().all(char::is_alphabetic) {
            let mut chars = word.chars();
            let head: String = chars.next().into_iter().collect();
            format!("{head}{}", chars.as_str().to_lowercase())
        } else {
            word.to_owned()
        }
    });
    words.collect::<Vec<_>>().join(" ")
}
