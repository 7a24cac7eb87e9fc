//! The title of a document: the one that the file states, where it is printed; else the largest text of its first page.

use crate::pdf::Info;

use super::super::contents::is_contents_heading;
use super::super::titles::{clean, fold, has_letters, is_caps, is_ideographic};
use super::dates::date;
use super::front::{Front, FrontLine, has, words};
use super::institutions::is_institution;

/// What programs write where a title should stand.
const MADE: &[&str] = &[
    "microsoft",
    "untitled",
    "powerpoint",
    ".doc",
    ".dvi",
    ".pdf",
    ".indd",
    ".qxd",
    ".xls",
    ".tex",
    ".wpd",
    ".htm",
    ".rtf",
    ".odt",
    ".ppt",
    ".graffle",
    ".book",
    ".fm",
    ".txt",
    ".ps",
    ".cdr",
    ".ai",
    "document1",
    "print version",
    "layout 1",
    "slide 1",
    "http:",
    "https:",
    "www.",
    "odma",
    "(anonymous)",
    "no title",
    "title of",
    "dokument1",
    "documento sin",
    "document sans",
    "notepad",
    "test data",
    "test ",
    "standarddokument",
];

/// Lines of a first page that are no titles however large they are.
const NO_TITLES: &[&str] = &[
    "united states",
    "securities and exchange commission",
    "washington d c 20549",
    "for immediate release",
    "arxiv",
    "omb no",
    "form approved",
    "all rights reserved",
    "table of contents",
    "page intentionally",
    "not reported in",
    "cite as",
    "downloaded from",
    "internal use only",
    "your name",
    "electronic copy available",
    "tel",
    "fax",
    "expires",
    "efiled",
    "filing id",
    "e filed",
];

/// The title, where one can be told.
pub(super) fn title(front: &Front, info: &Info) -> Option<String> {
    let printed = printed(front);
    let stated = info.title.as_deref().map(clean).filter(|t| plausible(t));
    let Some(stated) = stated else { return printed.map(|(t, _)| t) };
    let all = fold(&front.flat);
    match printed {
        _ if all.is_empty() || all.contains(&fold(&stated)) || words_in(&stated, &all) => Some(stated),
        // Text that does not stand out is a worse title than one that somebody wrote down.
        Some((title, true)) => Some(title),
        _ => Some(stated),
    }
}

/// Whether a title from the info dictionary was written by a person for readers.
fn plausible(title: &str) -> bool {
    let lower = title.to_lowercase();
    let digits = title.chars().filter(char::is_ascii_digit).count();
    let letters = title.chars().filter(|c| c.is_alphabetic()).count();
    let name = title.chars().any(is_ideographic) || title.contains(' ');
    // "SF 50 Mutiple Remarks", "New August 2nd, 2012": notes of who made the file have no more than a word beside figures.
    has_letters(title, 4)
        && letters > 2 * digits
        && !MADE.iter().any(|m| lower.contains(m))
        && name
        && !title.contains(['_', '\\'])
        && !title.ends_with(':')
        && (!title.contains('/') || title.contains(' '))
        && readable(title)
}

fn words_in(title: &str, folded: &str) -> bool {
    let words: Vec<String> = title.split_whitespace().map(fold).filter(|w| w.len() >= 3).collect();
    words.len() >= 2 && words.iter().filter(|w| folded.contains(w.as_str())).count() * 4 >= words.len() * 3
}

/// Whether a text can be read: letters rather than signs, words rather than single letters.
pub(super) fn readable(text: &str) -> bool {
    let (mut letters, mut others, mut lost) = (0usize, 0usize, 0usize);
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        if c.is_alphanumeric() {
            letters += 1;
        } else if matches!(c, '\u{fffd}' | '\u{e000}'..='\u{f8ff}') || c.is_control() {
            lost += 1;
        } else {
            others += 1;
        }
    }
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let single = tokens.iter().filter(|t| t.chars().count() == 1 && !t.chars().any(is_ideographic)).count();
    lost == 0 && letters >= 3 && others * 3 <= letters && (single * 2 <= tokens.len() || text.chars().any(is_ideographic))
}

/// The largest text of the first page that has a title, and whether it stands out by its size.
fn printed(front: &Front) -> Option<(String, bool)> {
    (0..=1).find_map(|page| on_page(front, page))
}

fn on_page(front: &Front, page: usize) -> Option<(String, bool)> {
    let lines: Vec<&FrontLine> = front.lines.iter().filter(|l| l.page == page).take(45).collect();
    let fit = |l: &FrontLine| has_letters(l.text, 2) && !is_junk(l);
    let candidate = |l: &&FrontLine| fit(l) && has_letters(l.text, 3) && readable(l.text);
    let size = |issuers: bool| {
        lines.iter().copied().filter(candidate).filter(|l| issuers || !is_institution(l.text)).map(|l| l.size).fold(0.0, f32::max)
    };
    // The name of the issuer is a title only where nothing else is about as large.
    let skip = size(false) > size(true) * 0.6 && size(false) > front.usual * 1.15;
    let largest = size(!skip);
    if largest == 0.0 {
        return None;
    }
    let stands_out = largest > front.usual * 1.15;
    // Later pages have headings of their own: only the first says the title in any other way than by size.
    if !stands_out && page > 0 {
        return None;
    }
    let chosen = |l: &&&FrontLine| {
        fit(l) && if stands_out { l.size > largest * 0.9 } else { (l.bold || is_caps(l.text)) && l.size > largest * 0.8 }
    };
    let reach = if stands_out { lines.len() } else { 14 };
    let first = lines.iter().take(reach).position(|l| chosen(&l) && has_letters(l.text, 3) && !(skip && is_institution(l.text)))?;
    let mut run: Vec<&str> = Vec::new();
    let mut count = 0;
    for line in lines.iter().skip(first).take_while(chosen).take(5) {
        count += line.text.chars().count();
        // Without a larger size a title is a line or two, and what follows it in capitals is another thing.
        if !run.is_empty() && (count > 180 || !stands_out && (run.len() >= 2 || line.text.ends_with(','))) {
            break;
        }
        run.push(line.text);
    }
    // One word is seldom a title; what stands below it in large type completes it.
    if run.len() == 1
        && run.first().is_some_and(|t| t.split_whitespace().count() == 1 && !t.chars().any(is_ideographic))
        && let Some(next) = lines.get(first + 1).filter(|l| {
            fit(l)
                && readable(l.text)
                && l.text.chars().count() <= 80
                && (l.size > front.usual * 1.15 || l.size > largest * 0.6 && l.size >= front.usual && stands_out)
        })
    {
        run.push(next.text);
    }
    let title = clean(&super::super::layout::join(run.into_iter()));
    let title = title.trim_end_matches(['∗', '†', '*', ':', ',']).trim_start_matches(['-', '–', '•', '*']).trim().to_owned();
    (has_letters(&title, 3) && readable(&title)).then_some((title, stands_out))
}

fn is_junk(line: &FrontLine) -> bool {
    let text = line.text;
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let dated = date(text).is_some_and(|d| {
        words(text.get(..d.at).unwrap_or_default()).len() <= 2 && words(text.get(d.end..).unwrap_or_default()).len() <= 2
    });
    text.chars().count() > 190
        || digits > letters
        || text.contains(['@', '\u{fffd}', '©'])
        || text.contains("http")
        || text.contains("www.")
        || text.contains("....")
        || text.contains("____")
        || dated
        || text.ends_with([':', '：']) && text.split_whitespace().count() <= 3
        || text.starts_with("For the ")
        || text.starts_with('[')
        || text.starts_with(char::is_lowercase) && line.words.split(' ').nth(1).is_some_and(|w| super::kinds::JOINTS.contains(&w))
        || matches!(
            line.words.trim(),
            "in the"
                | "to"
                | "from"
                | "by"
                | "of the"
                | "the"
                | "and"
                | "draft"
                | "confidential"
                | "public"
                | "introduction"
                | "preface"
                | "overview"
                | "abstract"
                | "summary"
                | "einleitung"
                | "vorwort"
                | "foreword"
                | "contents page"
        )
        || is_contents_heading(text)
        || NO_TITLES
            .iter()
            .any(|n| has(&line.words, n) && (line.words.len() < 2 * n.len() + 12 || n.ends_with("filed") || *n == "filing id"))
        || text.ends_with('.') && text.split_whitespace().count() > 12
}
