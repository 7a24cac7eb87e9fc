//! The period or date that a document speaks of.

/// Months as they begin in dates, lower case.
const MONTHS: &[&str] =
    &["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];

/// Phrases before the date that ends a reporting period, and what the period is called.
const LEADS: &[(&str, &str)] = &[
    ("fiscal quarter ended ", "quarter ended"),
    ("quarterly period ended ", "quarter ended"),
    ("quarter ended ", "quarter ended"),
    ("three months ended ", "quarter ended"),
    ("fiscal year ended ", "fiscal year ended"),
    ("fiscal year ending ", "fiscal year ending"),
    ("for the year ended ", "year ended"),
    ("year ended ", "year ended"),
    ("six months ended ", "six months ended"),
    ("nine months ended ", "nine months ended"),
    ("period ended ", "period ended"),
];

/// The period of a periodic document ("quarter ended December 28, 2024"), else a year in the title, else for periodic documents the
/// first year on the first page.
pub(super) fn period(front: &str, title: Option<&str>, periodic: bool) -> Option<String> {
    let flat = front.split_whitespace().collect::<Vec<_>>().join(" ");
    let lower = flat.to_lowercase();
    // Lower-casing may move bytes in some scripts; dates are ASCII, so text that moved is left alone.
    let source = if lower.len() == flat.len() { flat.as_str() } else { lower.as_str() };
    if periodic {
        let found = LEADS.iter().filter_map(|(lead, name)| {
            let at = lower.find(lead)?;
            let date = date(source.get(at + lead.len()..)?)?;
            Some((at, format!("{name} {date}")))
        });
        if let Some((_, text)) = found.min_by_key(|(at, _)| *at) {
            return Some(text);
        }
        if let Some(text) = fiscal(source) {
            return Some(text);
        }
    }
    if let Some(year) = title.and_then(year) {
        return Some(year.to_owned());
    }
    let first = source.get(..source.char_indices().nth(600).map_or(source.len(), |(at, _)| at))?;
    if let Some(at) = first_month(&first.to_lowercase())
        && let Some(date) = first.get(at..).and_then(date)
    {
        return Some(date);
    }
    if periodic { year(first).map(str::to_owned) } else { None }
}

/// "fiscal 2025", "fiscal year 2025".
fn fiscal(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    for lead in ["fiscal year ", "fiscal "] {
        if let Some(at) = lower.find(lead)
            && let Some(found) = lower.get(at + lead.len()..).and_then(|t| t.get(..4)).filter(|t| is_year(t))
        {
            return Some(format!("fiscal {found}"));
        }
    }
    None
}

fn first_month(lower: &str) -> Option<usize> {
    MONTHS.iter().filter_map(|m| lower.find(&format!("{m} "))).min()
}

/// A date at the head of a text: "December 28, 2024", "31 December 2024", "June 2019".
fn date(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().take(3).collect();
    let bare = |w: &str| w.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_owned();
    let month = |w: &str| MONTHS.contains(&bare(w).to_lowercase().as_str());
    let day = |w: &str| bare(w).parse::<u32>().is_ok_and(|d| (1..=31).contains(&d));
    match words.as_slice() {
        [m, d, y] if month(m) && day(d) && is_year(&bare(y)) => Some(format!("{} {}, {}", capital(&bare(m)), bare(d), bare(y))),
        [d, m, y] if day(d) && month(m) && is_year(&bare(y)) => Some(format!("{} {} {}", bare(d), capital(&bare(m)), bare(y))),
        [m, y, ..] if month(m) && is_year(&bare(y)) => Some(format!("{} {}", capital(&bare(m)), bare(y))),
        _ => None,
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let head: String = chars.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    format!("{head}{}", chars.as_str().to_lowercase())
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.parse::<u32>().is_ok_and(|y| (1900..=2099).contains(&y))
}

/// The first year of a text that stands alone.
fn year(text: &str) -> Option<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).find(|w| is_year(w))
}
