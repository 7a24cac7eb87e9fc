//! Names: the free one nearest to the wanted one, and names that someone may have meant.

use rusqlite::Transaction;

use crate::library::{LibraryError, Scope};

/// Names looked at when a close one is wanted.
const NAMES_LOOKED_AT: i64 = 50_000;
/// Names that are compared closely: those that share most pairs of letters with the wanted one.
const NAMES_COMPARED: usize = 200;
/// Characters of a name that are compared.
const CHARS_COMPARED: usize = 120;
/// How close a name must be, from 0 to 1. Names of one company and another year reach 0.8, unrelated names of one shape about 0.55.
const CLOSE: f64 = 0.62;

/// `wanted`, or `wanted` with `_1` to `_99` before its ending.
pub(super) fn free_name(transaction: &Transaction<'_>, wanted: &str) -> Result<String, LibraryError> {
    let mut taken = transaction.prepare_cached("SELECT EXISTS (SELECT 1 FROM documents WHERE name = ?1)")?;
    let mut is_taken = |name: &str| taken.query_row([name], |row| row.get::<_, bool>(0));
    if !is_taken(wanted)? {
        return Ok(wanted.to_owned());
    }
    let (stem, ending) = split_ending(wanted);
    for number in 1..=99 {
        let name = format!("{stem}_{number}{ending}");
        if !is_taken(&name)? {
            return Ok(name);
        }
    }
    Err(LibraryError::NameTaken(wanted.to_owned()))
}

/// Stem and ending with its point; a name that is all ending or whose ending is long has none.
fn split_ending(name: &str) -> (&str, &str) {
    match name.rfind('.').and_then(|at| name.split_at_checked(at)) {
        Some((stem, ending)) if !stem.is_empty() && ending.len() <= 10 => (stem, ending),
        _ => (name, ""),
    }
}

/// Names of the scope that are close to `name`, closest first.
pub(super) fn similar(transaction: &Transaction<'_>, scope: &Scope, name: &str, limit: usize) -> Result<Vec<String>, LibraryError> {
    let wanted = plain(name);
    let mut names: Vec<String> = Vec::new();
    match super::record::scope_keys(transaction, scope)? {
        Some(keys) => {
            let mut by_key = transaction.prepare_cached("SELECT name FROM documents WHERE key = ?1")?;
            for key in keys.iter().take(usize::try_from(NAMES_LOOKED_AT).unwrap_or(usize::MAX)) {
                names.push(by_key.query_row([key], |row| row.get(0))?);
            }
        }
        None => {
            let mut all = transaction.prepare_cached("SELECT name FROM documents LIMIT ?1")?;
            names = all.query_map([NAMES_LOOKED_AT], |row| row.get(0))?.collect::<Result<_, _>>()?;
        }
    }
    let pairs = letter_pairs(&wanted);
    let mut shortlist: Vec<(f64, String, String)> = names
        .into_iter()
        .map(|name| (plain(&name), name))
        .map(|(plain, name)| (shared(&pairs, &letter_pairs(&plain)), plain, name))
        .collect();
    if shortlist.len() > NAMES_COMPARED {
        shortlist.select_nth_unstable_by(NAMES_COMPARED, |a, b| b.0.total_cmp(&a.0));
        shortlist.truncate(NAMES_COMPARED);
    }
    let scored = shortlist.into_iter().map(|(_, plain, name)| (closeness(&wanted, &plain), name));
    let mut scored: Vec<(f64, String)> = scored.filter(|(score, _)| *score >= CLOSE).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    Ok(scored.into_iter().take(limit).map(|(_, name)| name).collect())
}

/// Lower case, words apart by one space, without the ending `pdf`.
fn plain(name: &str) -> String {
    let folded: String = crate::search::analysis::fold(&name.chars().take(CHARS_COMPARED).collect::<String>()).into_owned();
    let words: Vec<&str> = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && *word != "pdf").collect();
    words.join(" ")
}

/// Neighbouring letters, sorted.
fn letter_pairs(plain: &str) -> Vec<(char, char)> {
    let mut pairs: Vec<(char, char)> = plain.chars().zip(plain.chars().skip(1)).collect();
    pairs.sort_unstable();
    pairs
}

/// From 0 to 1: the share of the wanted pairs that the other one has, less a little for what it has beside them.
fn shared(wanted: &[(char, char)], other: &[(char, char)]) -> f64 {
    let mut rest = other.iter().peekable();
    let mut found = 0_u32;
    for pair in wanted {
        while rest.next_if(|other| *other < pair).is_some() {}
        found += u32::from(rest.next_if(|other| *other == pair).is_some());
    }
    f64::from(found) / (wanted.len().max(1) as f64 + 0.1 * other.len() as f64)
}

/// From 0 to 1: how alike the letters are, or, for a few words of a long name, how many of the words are in it.
fn closeness(wanted: &str, name: &str) -> f64 {
    if wanted.is_empty() || name.is_empty() {
        return 0.0;
    }
    let letters = strsim::jaro_winkler(wanted, name).max(strsim::normalized_damerau_levenshtein(wanted, name));
    let of_name: Vec<&str> = name.split(' ').collect();
    let mut words = 0.0;
    let mut found = 0.0;
    for word in wanted.split(' ') {
        let weight = word.chars().count() as f64;
        let best = of_name.iter().map(|other| strsim::jaro_winkler(word, other)).fold(0.0, f64::max);
        words += weight;
        // Two different numbers or short codes are alike in letters and mean different things.
        found += if best >= 0.88 && (best >= 1.0 || weight > 4.0) { weight * best } else { 0.0 };
    }
    let share = found / words;
    (0.55 * letters + 0.45 * share).max(0.9 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_are_told_from_others() {
        let close = |a: &str, b: &str| closeness(&plain(a), &plain(b));
        assert!(close("Q1 FY25 Earnings", "q1-fy25-earnings.pdf") > 0.99);
        assert!(close("annual report", "2023-annual-report.pdf") > CLOSE);
        assert!(close("anual-raport-2023.pdf", "2023-annual-report.pdf") > CLOSE);
        assert!(close("q1-fy25-earnings.pdf", "q1-fy24-earnings.pdf") > CLOSE);
        assert!(close("q1-fy25-earnings.pdf", "watch_d.pdf") < CLOSE);
        assert!(close("invoice.pdf", "earthmover.pdf") < CLOSE);
    }

    #[test]
    fn endings_are_kept() {
        assert_eq!(split_ending("a.b.pdf"), ("a.b", ".pdf"));
        assert_eq!(split_ending(".pdf"), (".pdf", ""));
        assert_eq!(split_ending("report"), ("report", ""));
        assert_eq!(split_ending("v1. the long story"), ("v1. the long story", ""));
    }
}
