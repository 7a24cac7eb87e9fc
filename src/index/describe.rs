//! One line on what a document is: kind, organisation, period, title.

use crate::pdf::{Info, Page};

use super::contents::is_contents_heading;
use super::kinds::{Kind, kind};
use super::period::period;
use super::titles::{clean, fold, has_letters, is_caps, is_ideographic, shorten};

/// Longest description, in characters.
const LONGEST: usize = 200;
/// Pages at the front that say what a document is.
const FRONT: usize = 4;

/// The title of a document: from the file's info where that is printed in the document, else the largest text of its first page.
pub(super) fn title(pages: &[Page], info: &Info) -> Option<String> {
    let printed = printed_title(pages);
    let stated = info.title.as_deref().map(clean).filter(|t| plausible(t));
    let front: String = pages.iter().take(3).map(|p| fold(&p.text)).collect();
    match stated {
        Some(title) if front.is_empty() || front.contains(&fold(&title)) || printed.is_none() => Some(title),
        Some(title) if words_in(&title, &front) => Some(title),
        _ => printed,
    }
}

/// Whether a title from the info dictionary was written by a person.
fn plausible(title: &str) -> bool {
    let lower = title.to_lowercase();
    let made = [
        "microsoft word",
        "untitled",
        "powerpoint",
        ".doc",
        ".dvi",
        ".pdf",
        ".indd",
        ".qxd",
        ".xls",
        ".tex",
        "document1",
        "print",
        "layout 1",
        "slide 1",
    ];
    has_letters(title, 4)
        && !made.iter().any(|m| lower.contains(m))
        && (title.contains(' ') || title.chars().any(is_ideographic))
        && !title.contains(['_', '\\', '/'])
}

fn words_in(title: &str, folded: &str) -> bool {
    let words: Vec<String> = title.split_whitespace().map(fold).filter(|w| w.len() >= 3).collect();
    words.len() >= 2 && words.iter().filter(|w| folded.contains(w.as_str())).count() * 4 >= words.len() * 3
}

/// The largest text of the first page that has text, at most three lines.
fn printed_title(pages: &[Page]) -> Option<String> {
    let page = pages.iter().take(3).find(|p| p.lines.iter().any(|l| has_letters(&l.text, 4)))?;
    let lines: Vec<_> = page
        .lines
        .iter()
        .filter(|l| has_letters(&l.text, 2) && l.text.len() < 200 && !is_contents_heading(&l.text))
        .take(40)
        .collect();
    let largest = lines.iter().filter(|l| has_letters(&l.text, 4)).map(|l| l.size).fold(0.0, f32::max);
    let usual = pages.iter().take(6).flat_map(|p| &p.lines).map(|l| l.size).fold((0.0, 0), |(sum, n), s| (sum + s, n + 1));
    // Large text is a title; where nothing is larger than the rest, bold or capital lines at the head are.
    let stands_out = largest > usual.0 / (usual.1.max(1) as f32) * 1.15;
    let chosen = |l: &&&crate::pdf::Line| if stands_out { l.size > largest * 0.93 } else { l.bold || is_caps(&l.text) };
    let first = lines.iter().position(|l| chosen(&l))?;
    let run = lines.iter().skip(first).take_while(chosen).take(3).map(|l| l.text.as_str());
    Some(clean(&super::layout::join(run))).filter(|t| has_letters(t, 3))
}

/// The description; never empty, at most [`LONGEST`] characters.
pub(super) fn describe(pages: &[Page], info: &Info, title: Option<&str>) -> String {
    let mut front = String::new();
    for page in pages.iter().take(FRONT) {
        front.extend(page.text.chars().take(4_000));
        front.push('\n');
    }
    let title = title.map(str::to_owned);
    let kind = kind(&front, title.as_deref(), pages);
    let organisation = super::organisation::organisation(&front, info, kind);
    let period = period(&front, title.as_deref(), kind.is_some_and(|k| k.periodic));
    let text = compose(kind, organisation.as_deref(), period.as_deref(), title.as_deref());
    let text = if text.is_empty() { fallback(pages) } else { text };
    shorten(&text, LONGEST)
}

fn compose(kind: Option<&Kind>, organisation: Option<&str>, period: Option<&str>, title: Option<&str>) -> String {
    let mut out = String::new();
    match (kind, title) {
        (Some(kind), _) => out.push_str(kind.name),
        (None, Some(title)) => out.push_str(title),
        (None, None) => {}
    }
    if let Some(name) = organisation.filter(|name| !fold(&out).contains(&fold(name))) {
        out.push_str(if out.is_empty() {
            "Document of "
        } else if kind.is_some_and(|k| k.periodic) {
            " of "
        } else {
            " by "
        });
        out.push_str(name);
    }
    if let Some(period) = period.filter(|p| !fold(&out).contains(&fold(p))) {
        if !out.is_empty() {
            out.push_str(", ");
        }
        out.push_str(period);
    }
    // Of a report, who and when say more than its title.
    let told = kind.is_some_and(|k| k.periodic) && organisation.is_some() && period.is_some();
    if kind.is_some()
        && !told
        && let Some(title) = title
    {
        // A title that only repeats what is already said adds nothing.
        let said = fold(&out);
        let words: Vec<String> = title.split_whitespace().map(fold).filter(|w| w.chars().count() >= 3).collect();
        let new = words.iter().filter(|w| !said.contains(w.as_str())).count();
        if new * 3 > words.len() || words.is_empty() {
            out.push_str(": ");
            out.push_str(title);
        }
    }
    out
}

/// The first line with words, or what there is instead.
fn fallback(pages: &[Page]) -> String {
    let line = pages.iter().take(20).flat_map(|p| &p.lines).find(|l| has_letters(&l.text, 6)).map(|l| clean(&l.text));
    match (line, pages.len()) {
        (Some(line), _) => line,
        (None, 1) => "One page without readable text".to_owned(),
        (None, n) => format!("{n} pages without readable text"),
    }
}
