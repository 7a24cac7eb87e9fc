//! Who a document is from.

use crate::pdf::Info;

use super::super::titles::{clean, fold, has_letters, is_ideographic};
use super::front::{Front, FrontLine, has, words};
use super::institutions::{LABELS, LONGEST, calm, capitals, ends_legal, institution, is_institution, is_other};
use super::kinds::{Kind, Tie};
use super::people::{authors, is_name};

/// The organisation or the people that a document is from; nothing rather than a guess.
pub(super) fn organisation(front: &Front, info: &Info, kind: Option<&Kind>, title: Option<&str>) -> Option<String> {
    let tie = kind.map(|k| k.tie);
    let name = kind.map_or("", |k| k.name);
    let stated = info.author.as_deref().map(clean).filter(|a| author(a));
    let found = if tie == Some(Tie::Author) {
        // A paper is by its authors, not by the first institute on its first page.
        let stated = stated.filter(|a| printed(a, front, 3));
        let paper = name == "Research paper";
        let institution = info.author.as_deref().map(clean).filter(|a| !paper && is_institution(a) && !is_other(a));
        authors(front, title)
            .or_else(|| stated.map(|a| several(&a)))
            .or_else(|| careful_author(info, title))
            .or(institution)
            .or_else(|| if paper { None } else { letterhead(front, 0, 7).filter(|n| !has(&words(n), "department")) })
    } else if name == "Court opinion" || name == "Court filing" || name == "Complaint" || name == "Court decision" {
        court(front)
    } else if name.contains("Form 10")
        || name.contains("Form 8")
        || name.contains("Form 20")
        || name.contains("Form 40")
        || name.contains("Form 6")
    {
        registrant(front).or_else(|| in_title(title)).or_else(|| letterhead(front, 0, 40))
    } else {
        let institution = stated.as_deref().filter(|a| is_institution(a) && !is_other(a)).map(str::to_owned);
        let people = if kind.is_none() { authors(front, title).or_else(|| careful_author(info, title)) } else { None };
        reporter(front, title)
            .or_else(|| agency(front))
            .or_else(|| in_title(title))
            .or(people)
            .or_else(|| letterhead(front, 0, 30))
            .or_else(|| labelled(front))
            .or_else(|| institution.filter(|a| tie != Some(Tie::Period) || printed(a, front, 4)))
            .or_else(|| authors(front, title).filter(|_| by_people(name)))
            .or_else(|| copyright(front))
            .or_else(|| sparse(front).then(|| letterhead(front, 1, 25)).flatten())
            .or_else(|| alone(front, info))
            .or_else(|| stated.filter(|a| !is_other(a) && printed(a, front, 2)).map(|a| several(&a)))
    }?;
    let found = found.trim_end_matches(", editor").trim_end_matches(", Editor");
    let balanced = found.matches('(').count() == found.matches(')').count();
    let found = if balanced { found } else { found.split('(').next().unwrap_or(found) };
    let found = found.trim_matches(|c: char| matches!(c, ',' | ';' | ':' | '|' | '*' | '∗' | '™') || c.is_whitespace()).to_owned();
    (has_letters(&found, 2)
        && found.chars().count() <= LONGEST
        && !found.contains(['@', '[', '{', '<', '_', '='])
        && !is_other_for(&found, name))
    .then(|| calm(&found))
}

/// Kinds that people sign as often as organisations do.
fn by_people(kind: &str) -> bool {
    matches!(
        kind,
        "Manual"
            | "Guide"
            | "Documentation"
            | "Reference manual"
            | "Quick reference"
            | "Specification"
            | "Book"
            | "User guide"
            | "Handbook"
            | "Report"
            | "Study"
    )
}

/// A regulator may be the issuer of its own rules.
fn is_other_for(name: &str, kind: &str) -> bool {
    is_other(name) && !matches!(kind, "Proposed rule" | "Final rule" | "Interpretation" | "Rule release")
}

/// Whether the words of a name stand on the first pages.
fn printed(name: &str, front: &Front, least: usize) -> bool {
    let words = words(name);
    let words: Vec<&str> = words.split_whitespace().filter(|w| w.chars().count() >= least).collect();
    !words.is_empty() && words.iter().all(|w| front.says(w))
}

/// The author of the info dictionary where its title is the one of the document too: then somebody filled it in with care.
fn careful_author(info: &Info, title: Option<&str>) -> Option<String> {
    let stated = clean(info.title.as_deref()?);
    let name = clean(info.author.as_deref()?);
    (title == Some(stated.as_str()) && author(&name) && is_name(name.split([',', ';']).next()?)).then(|| several(&name))
}

/// Several names of a list, shortened.
fn several(names: &str) -> String {
    let parts: Vec<&str> = names.split([';', ',']).map(str::trim).filter(|p| !p.is_empty()).collect();
    match parts.as_slice() {
        [first, _, _, ..] if is_name(first) => format!("{first} et al."),
        _ => names.to_owned(),
    }
}

/// The line above "(Exact name of registrant ...", or below the file number.
fn registrant(front: &Front) -> Option<String> {
    let lines: Vec<&FrontLine> = front.lines.iter().take(120).collect();
    if let Some(at) = lines.iter().position(|l| has(&l.words, "exact name of registrant")) {
        let above = lines.get(..at)?.iter().rev().take(4).find(|l| names_company(l));
        if let Some(line) = above {
            return Some(clean(line.text));
        }
    }
    let at = lines.iter().position(|l| has(&l.words, "commission file number") || has(&l.words, "commission file no"))?;
    lines.iter().skip(at + 1).take(6).find(|l| names_company(l) && ends_legal(&l.words)).map(|l| clean(l.text))
}

fn names_company(line: &FrontLine) -> bool {
    let no = ["commission file", "washington", "form 10", "or", "mark one", "transition period", "fiscal year", "delaware"];
    has_letters(line.text, 2) && line.is_short() && !no.iter().any(|n| has(&line.words, n)) && !is_other(line.text)
}

/// "THE X COMPANY REPORTS", "X Inc. announces".
fn reporter(front: &Front, title: Option<&str>) -> Option<String> {
    let lines = front.head(30).map(|l| l.text);
    for line in title.into_iter().chain(lines) {
        let lower = line.to_lowercase();
        for verb in [" reports ", " announces ", " today reported ", " today announced ", " reported ", " announced ", " posts "] {
            let padded = format!("{lower} ");
            let Some(at) = padded.find(verb) else { continue };
            let head = line.get(..at).unwrap_or_default();
            // After a dateline ("BURBANK, Calif. – The Walt Disney Company today reported") and before a ticker.
            let head = head.rsplit(['–', '—']).next().unwrap_or(head).rsplit("--").next().unwrap_or(head);
            let head = head.split(['(', ',']).next().unwrap_or(head).trim();
            let count = head.split_whitespace().count();
            let starts = head.chars().next().is_some_and(char::is_uppercase);
            let rest = words(head);
            let pronoun = matches!(
                rest.split_whitespace().next(),
                Some("this" | "these" | "we" | "it" | "for" | "when" | "as" | "in" | "if" | "all" | "number")
            );
            if (2..=LONGEST).contains(&head.chars().count())
                && starts
                && count <= 7
                && !pronoun
                && capitals(head)
                && !line.trim_end().ends_with("reports.")
            {
                return Some(clean(head));
            }
        }
    }
    None
}

/// "AGENCY: Securities and Exchange Commission."
fn agency(front: &Front) -> Option<String> {
    let line = front.lines.iter().find_map(|l| l.text.strip_prefix("AGENCY:"))?;
    Some(clean(line.trim().trim_end_matches('.')))
}

/// "Annual Report of the Board of Governors", "2022 Amazon Sustainability Report", "X plc Report and Financial Statements".
fn in_title(title: Option<&str>) -> Option<String> {
    let title = title?;
    let lower = title.to_lowercase();
    for lead in [
        " report of the ",
        " report of ",
        " reports of ",
        "bericht der ",
        "bericht des ",
        "rapport annuel de la ",
        "rapport annuel de ",
        "rapport annuel du ",
    ] {
        if let Some(at) = lower.find(lead) {
            let name = title.get(at + lead.len()..)?;
            let name = name
                .split([',', ':', '–', '—', '('])
                .next()
                .unwrap_or(name)
                .trim()
                .trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace());
            if capitals(name) && (is_institution(name) || name.split_whitespace().count() <= 6) && has_letters(name, 3) {
                return Some(clean(name));
            }
        }
    }
    for tail in [
        " annual report",
        " sustainability report",
        " esg report",
        " report and accounts",
        " report and financial statements",
        " geschäftsbericht",
        " half-year report",
        " interim report",
        " quarterly report",
        " impact report",
        " corporate responsibility report",
    ] {
        if let Some(at) = lower.find(tail) {
            let head = title.get(..at)?;
            let name = head.rsplit([':', '–', '—', '|']).next().unwrap_or(head);
            // What stands after a year, of a title set in lines: "Building a Better Future Together 2022 Amazon".
            let after_year = name.split_whitespace().collect::<Vec<_>>();
            let after_year = after_year
                .iter()
                .rposition(|w| super::dates::is_year(w))
                .and_then(|at| after_year.get(at + 1..))
                .map(|w| w.join(" "));
            let name = after_year.filter(|n| !n.is_empty()).unwrap_or_else(|| {
                name.trim().trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || c == '-' || c == '/').to_owned()
            });
            let first = words(&name);
            let first = first.split_whitespace().next();
            let common = matches!(
                first,
                None | Some(
                    "the" | "our" | "integrated" | "consolidated" | "annual" | "first" | "group" | "letter" | "combined" | "full"
                )
            );
            let ranked = first.is_some_and(|f| f.starts_with(|c: char| c.is_ascii_digit()));
            if !common
                && !ranked
                && capitals(&name)
                && name.split_whitespace().count() <= 6
                && has_letters(&name, 2)
                && name.chars().count() <= LONGEST
            {
                return Some(clean(&name));
            }
        }
    }
    None
}

/// Whether the first page has little more than a title.
fn sparse(front: &Front) -> bool {
    front.lines.iter().filter(|l| l.page == 0).count() <= 12
}

/// An author of one word ("Artifex") that stands on a line of its own.
fn alone(front: &Front, info: &Info) -> Option<String> {
    let name = clean(info.author.as_deref()?);
    let folded = fold(&name);
    (folded.chars().count() >= 4 && front.lines.iter().filter(|l| l.page <= 1).any(|l| fold(l.text) == folded)).then_some(name)
}

/// A line of a page that is the name of a company or an institution.
fn letterhead(front: &Front, page: usize, most: usize) -> Option<String> {
    let lines: Vec<&FrontLine> = front.lines.iter().filter(|l| l.page == page).take(most).collect();
    let mut names: Vec<(bool, String)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        // Cells of a table are names of what the table lists, but for letterheads of two columns.
        if line.text.chars().count() > LONGEST || line.cell && at >= 3 {
            continue;
        }
        let Some((company, name)) = institution(line.text) else { continue };
        // Far down the page institutions are affiliations and addressees.
        if is_other(&name) || !company && at >= 16 {
            continue;
        }
        // Who a letter or a form is sent to stands after "To:", "c/o" or below another name with "Attn".
        let before = at.checked_sub(1).and_then(|i| lines.get(i)).map(|l| l.words.trim().to_owned()).unwrap_or_default();
        if matches!(before.as_str(), "to" | "an" | "à" | "attn" | "nabywca" | "bill to" | "ship to" | "buyer" | "customer")
            || before.starts_with("attn")
        {
            continue;
        }
        names.push((company, name));
    }
    let first = names.first()?;
    // A name that was broken over two lines often stands whole on another.
    let lower = first.1.to_lowercase();
    let whole =
        names.iter().find(|(_, n)| n.len() > first.1.len() && n.to_lowercase().ends_with(&lower) && n.len() < first.1.len() + 40);
    Some(whole.unwrap_or(first).1.clone())
}

/// "Published by: X", "发行：X".
fn labelled(front: &Front) -> Option<String> {
    let lines: Vec<&FrontLine> = front.lines.iter().take(90).collect();
    for (at, line) in lines.iter().enumerate() {
        let split =
            line.text.find([':', '：']).map(|i| (i, line.text.get(i..).and_then(|r| r.chars().next()).map_or(1, char::len_utf8)));
        let (label, value) = match split {
            Some((i, length)) => (line.text.get(..i).unwrap_or_default(), line.text.get(i + length..).unwrap_or_default().trim()),
            // In Korean and Japanese imprints the label stands before the name without a colon.
            None => match line.text.split_once(' ') {
                Some((label, value)) if label.chars().all(is_ideographic) => (label, value.trim()),
                _ => continue,
            },
        };
        let label = words(label);
        let label = label.trim();
        if !LABELS.iter().any(|l| label == *l || label.ends_with(&format!(" {l}"))) {
            continue;
        }
        let value = if value.is_empty() { lines.get(at + 1).map_or("", |l| l.text) } else { value };
        let value = value.split(" on behalf").next().unwrap_or(value).trim_end_matches('.');
        let plain = value.chars().any(is_ideographic) && value.chars().count() <= 30
            || institution(value).is_some()
            || ["agency", "company", "impresa"].contains(&label) && capitals(value) && value.split_whitespace().count() <= 6;
        if plain && has_letters(value, 2) && !is_other(value) && !value.contains(['_', '@']) {
            return Some(clean(value));
        }
    }
    None
}

/// "© 2012 X Inc. All rights reserved."
fn copyright(front: &Front) -> Option<String> {
    for line in front.lines.iter().filter(|l| l.text.contains('©') || l.words.starts_with(" copyright ")) {
        let text = line.text.rsplit('©').next().unwrap_or(line.text);
        let lower = text.to_lowercase();
        let text = text.get(..lower.find("all rights").unwrap_or(text.len())).unwrap_or(text);
        let text = text.trim_start_matches(|c: char| !c.is_alphabetic());
        let text = text
            .strip_prefix("Copyright")
            .unwrap_or(text)
            .trim_start_matches(|c: char| !c.is_alphabetic())
            .trim_start_matches("by ");
        // The name may be followed by a year or a full stop.
        let end = text.char_indices().find(|(at, c)| c.is_ascii_digit() && *at > 3 || *c == '–').map_or(text.len(), |(at, _)| at);
        let name = text.get(..end).unwrap_or(text).split(". ").next().unwrap_or(text).trim().trim_end_matches([',', '-', '.', ' ']);
        let name = if name.ends_with("Inc") || name.ends_with("Ltd") || name.ends_with("Corp") || name.ends_with("Co") {
            format!("{name}.")
        } else {
            name.to_owned()
        };
        if institution(&name).is_some() && !is_other(&name) {
            return Some(clean(&name));
        }
    }
    None
}

/// The court at the head of its paper.
fn court(front: &Front) -> Option<String> {
    let lines: Vec<&FrontLine> = front.head(40).collect();
    for line in &lines {
        let text = line.text.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace()).trim_end_matches([',', '.']);
        let padded = words(text);
        let court = [
            "court",
            "tribunal",
            "bundesgerichtshof",
            "landgericht",
            "oberlandesgericht",
            "amtsgericht",
            "verwaltungsgericht",
            "bundesverwaltungsgericht",
            "rechtbank",
            "gerechtshof",
            "hoge raad",
            "cour de cassation",
            "conseil d'état",
            "cour d'appel",
            "tribunale",
        ]
        .iter()
        .any(|c| has(&padded, c))
            || ["裁判所", "法院", "법원"].iter().any(|c| text.ends_with(c));
        let text = ["In the ", "IN THE ", "in the "].iter().find_map(|p| text.strip_prefix(p)).unwrap_or(text);
        let text = text.strip_prefix("THE ").unwrap_or(text);
        let no = ["court rules", "check court", "clerk", "before", "courtroom", "judge of"].iter().any(|n| has(&padded, n));
        if court && !no && text.chars().count() <= LONGEST && capitals(text) && !text.contains([':', ';', '@']) {
            return Some(clean(text));
        }
    }
    None
}

/// Whether an info author is a name and not an account or a program.
fn author(name: &str) -> bool {
    name.contains(' ')
        && has_letters(name, 4)
        && !name.contains(['@', '\\', '_', '/'])
        && name.chars().count() <= 200
        && !["anonymous", "unknown", "user", "none", "admin"].iter().any(|w| has(&words(name), w))
}
