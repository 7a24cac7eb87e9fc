//! Who a document is from.

use crate::pdf::Info;

use super::kinds::Kind;
use super::titles::{clean, has_letters};

/// Longest name taken, in characters.
const LONGEST: usize = 70;

/// Endings and words that mark a line as the name of a company or an institution.
const LEGAL: &[&str] = &[
    " inc.",
    " inc",
    " incorporated",
    " corporation",
    " corp.",
    " corp",
    " company",
    " co., ltd.",
    " limited",
    " ltd.",
    " ltd",
    " plc",
    " llc",
    " l.p.",
    " n.v.",
    " ag",
    " gmbh",
    " s.a.",
    " se",
    " holdings",
    " group",
    " bank",
    " & co.",
];
const PUBLIC: &[&str] = &[
    "university",
    "universität",
    "université",
    "universiteit",
    "institute of",
    "institut",
    "department of",
    "ministry of",
    "commission",
    "federal reserve",
    "european central bank",
    "agency",
    "council",
    "academy",
    "foundation",
    "association",
    "authority",
    "bureau",
    "laboratory",
    "committee",
];

/// The organisation that a document is from: the registrant of a filing, who reports, who is named as agency, a line that is a name.
pub(super) fn organisation(front: &str, info: &Info, kind: Option<&Kind>) -> Option<String> {
    let lines: Vec<&str> = front.lines().map(str::trim).filter(|l| !l.is_empty()).take(160).collect();
    let found = registrant(&lines).or_else(|| reporter(&lines)).or_else(|| agency(front));
    let found = found.or_else(|| {
        let names: Vec<String> = lines.iter().take(60).filter_map(|l| named(l)).collect();
        let first = names.first()?;
        // A name that was broken over two lines often stands whole on another.
        let lower = first.to_lowercase();
        names.iter().find(|n| n.len() > first.len() && n.to_lowercase().ends_with(&lower)).or(Some(first)).cloned()
    });
    let found = found.or_else(|| info.author.as_deref().map(clean).filter(|a| author(a)));
    let known = kind.is_some_and(|k| k.periodic || k.name != "Research paper");
    let from_author = || info.author.as_deref().map(clean).filter(|a| author(a));
    // A paper is by its authors, not by the first institute on its first page.
    let name = if known { found } else { from_author().or(found) }?;
    let name = name.trim_matches(|c: char| matches!(c, ',' | ';' | ':' | '(' | ')') || c.is_whitespace()).to_owned();
    (has_letters(&name, 3) && name.chars().count() <= LONGEST).then(|| calm(&name))
}

/// The line above "(Exact name of registrant ...".
fn registrant(lines: &[&str]) -> Option<String> {
    let at = lines.iter().position(|l| l.to_lowercase().contains("exact name of registrant"))?;
    let name = lines.get(..at)?.iter().rev().find(|l| has_letters(l, 3))?;
    Some(clean(name))
}

/// "THE X COMPANY REPORTS", "X Inc. announces".
fn reporter(lines: &[&str]) -> Option<String> {
    for line in lines.iter().take(30) {
        let lower = line.to_lowercase();
        for verb in [" reports", " announces", " today reported", " reported "] {
            if let Some(at) = lower.find(verb) {
                let head = line.get(..at).unwrap_or_default();
                // After a dateline ("BURBANK, Calif. – The Walt Disney Company today reported").
                let head = head.rsplit(['–', '—']).next().unwrap_or(head).trim();
                if (3..=LONGEST).contains(&head.chars().count())
                    && head.chars().next().is_some_and(char::is_uppercase)
                    && head.split_whitespace().count() <= 8
                {
                    return Some(clean(head));
                }
            }
        }
    }
    None
}

/// "AGENCY: Securities and Exchange Commission."
fn agency(front: &str) -> Option<String> {
    let at = front.find("AGENCY:")?;
    let line = front.get(at + 7..)?.lines().next()?;
    Some(clean(line.trim().trim_end_matches('.')))
}

/// A short line that is the name of a company or an institution.
fn named(line: &str) -> Option<String> {
    let length = line.chars().count();
    if !(5..=LONGEST).contains(&length)
        || line.contains("  ")
        || line.ends_with(['.', ',', ':']) && !line.to_lowercase().ends_with("inc.") && !line.to_lowercase().ends_with("ltd.")
    {
        return None;
    }
    let upper = line.split_whitespace().filter(|w| w.chars().next().is_some_and(char::is_uppercase)).count();
    if upper * 2 < line.split_whitespace().count() || line.contains(['@', '=', ';']) {
        return None;
    }
    // Marks of footnotes set several names apart.
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric()).split(['†', '‡', '∗', '§']).next().unwrap_or(line).trim();
    let lower = line.to_lowercase();
    let legal = LEGAL.iter().any(|l| lower.ends_with(l));
    let public = PUBLIC.iter().any(|p| lower.contains(p));
    (legal || public).then(|| clean(line))
}

/// Whether an info author is a name and not an account or a program.
fn author(name: &str) -> bool {
    name.contains(' ') && has_letters(name, 4) && !name.contains(['@', '\\', '_', '/']) && name.chars().count() <= LONGEST
}

/// A name in capitals in ordinary writing; short words of one to three capitals stay when they have no vowel ("IBM").
fn calm(name: &str) -> String {
    if name.chars().any(char::is_lowercase) {
        return name.to_owned();
    }
    let small = ["OF", "AND", "THE", "FOR", "IN", "ON", "DE", "LA", "DER", "UND"];
    let mut out = Vec::new();
    for (at, word) in name.split_whitespace().enumerate() {
        let short = word.chars().filter(|c| c.is_alphabetic()).count() <= 3;
        let vowel = word.chars().any(|c| "AEIOUY".contains(c));
        if at > 0 && small.contains(&word) {
            out.push(word.to_lowercase());
        } else if short && !vowel
            || word.contains('.') && word.len() <= 5 && !word.eq_ignore_ascii_case("inc.") && !word.eq_ignore_ascii_case("co.")
        {
            out.push(word.to_owned());
        } else {
            let mut chars = word.chars();
            let head: String = chars.next().into_iter().collect();
            out.push(format!("{head}{}", chars.as_str().to_lowercase()));
        }
    }
    out.join(" ")
}
