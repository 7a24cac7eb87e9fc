//! Dates: `December 28, 2024`, `28 December`, `2024-12-28`, `12/28/2024`, `28.12.2024`.

use super::figures::Date;
use super::lex::{Kind, Lexed};
use super::words;

/// The date that begins at a token, in every way it can be read, and the number tokens that belong to it.
pub(super) fn date_at(lexed: &Lexed, at: usize) -> Option<(Vec<Date>, Vec<usize>)> {
    with_month_name(lexed, at).or_else(|| in_digits(lexed, at)).or_else(|| dotted(lexed, at))
}

fn plain(lexed: &Lexed, at: usize, length: std::ops::RangeInclusive<usize>) -> Option<u16> {
    match &lexed.tokens.get(at)?.kind {
        Kind::Number { digits, negative: false } if digits.plain && length.contains(&digits.length) => {
            u16::try_from(digits.coefficient).ok()
        }
        _ => None,
    }
}

fn gap(lexed: &Lexed, left: usize) -> String {
    match (lexed.tokens.get(left), lexed.tokens.get(left + 1)) {
        (Some(a), Some(b)) => lexed.between(a.end, b.start).iter().collect(),
        _ => String::new(),
    }
}

fn day(value: u16) -> Option<u8> {
    u8::try_from(value).ok().filter(|d| (1..=31).contains(d))
}

fn with_month_name(lexed: &Lexed, at: usize) -> Option<(Vec<Date>, Vec<usize>)> {
    let blank = |left: usize| gap(lexed, left).chars().all(|c| c.is_whitespace() || matches!(c, '.' | ','));
    let year_after = |left: usize| {
        let year = plain(lexed, left + 1, 4..=4).filter(|y| (1800..=2199).contains(y) && blank(left))?;
        Some((year, left + 1))
    };
    if let Some(month) = lexed.word(at).and_then(words::month_of) {
        let d = plain(lexed, at + 1, 1..=2).and_then(day).filter(|_| blank(at))?;
        // "May 5 %" is no day.
        if matches!(lexed.tokens.get(at + 2).map(|t| &t.kind), Some(Kind::Percent)) {
            return None;
        }
        let year = year_after(at + 1);
        let used = std::iter::once(at + 1).chain(year.map(|(_, i)| i)).collect();
        return Some((vec![Date { year: year.map(|(y, _)| y), month, day: d }], used));
    }
    let d = plain(lexed, at, 1..=2).and_then(day)?;
    // "28 December", "28. Dezember", "28 de diciembre".
    let month_at = if matches!(lexed.word(at + 1), Some("de" | "of")) { at + 2 } else { at + 1 };
    let month = lexed.word(month_at).and_then(words::month_of).filter(|_| blank(at))?;
    // "December 28, June 30": the second name opens its own date.
    if plain(lexed, month_at + 1, 1..=2).is_some()
        && plain(lexed, month_at + 1, 4..=4).is_none()
        && at > 0
        && lexed.word(at - 1).is_some_and(|w| words::month_of(w).is_some())
    {
        return None;
    }
    let year = if lexed.word(month_at + 1) == Some("de") {
        plain(lexed, month_at + 2, 4..=4).map(|y| (y, month_at + 2))
    } else {
        year_after(month_at)
    };
    let used = std::iter::once(at).chain(year.map(|(_, i)| i)).collect();
    Some((vec![Date { year: year.map(|(y, _)| y), month, day: d }], used))
}

fn in_digits(lexed: &Lexed, at: usize) -> Option<(Vec<Date>, Vec<usize>)> {
    let separator = gap(lexed, at);
    if !matches!(separator.as_str(), "-" | "/") || gap(lexed, at + 1) != separator {
        return None;
    }
    let used = vec![at, at + 1, at + 2];
    if let (Some(year), Some(m), Some(d)) = (plain(lexed, at, 4..=4), plain(lexed, at + 1, 1..=2), plain(lexed, at + 2, 1..=2)) {
        return readings(year, &[(m, d)]).map(|dates| (dates, used));
    }
    let (a, b, year) = (plain(lexed, at, 1..=2)?, plain(lexed, at + 1, 1..=2)?, plain(lexed, at + 2, 4..=4)?);
    readings(year, &[(a, b), (b, a)]).map(|dates| (dates, used))
}

fn dotted(lexed: &Lexed, at: usize) -> Option<(Vec<Date>, Vec<usize>)> {
    let Kind::Code(code) = &lexed.tokens.get(at)?.kind else { return None };
    let parts: Vec<u16> = code.split('.').filter_map(|p| p.parse().ok()).collect();
    match parts.as_slice() {
        [d, m, year] if code.matches('.').count() == 2 && *year >= 1800 => {
            readings(*year, &[(*m, *d)]).map(|dates| (dates, Vec::new()))
        }
        _ => None,
    }
}

fn readings(year: u16, month_day: &[(u16, u16)]) -> Option<Vec<Date>> {
    let mut dates: Vec<Date> = Vec::new();
    for &(m, d) in month_day {
        if let (Some(month), Some(day)) = (day(m).filter(|m| *m <= 12), day(d)) {
            let date = Date { year: Some(year), month, day };
            if !dates.contains(&date) {
                dates.push(date);
            }
        }
    }
    (!dates.is_empty()).then_some(dates)
}
