//! The period that a document reports on, or its date.

use super::dates::{Found, date, is_year, year};
use super::front::Front;
use super::kinds::{Kind, Tie};

/// Phrases before the date that ends a reporting period, and what the period is called.
const LEADS: &[(&str, &str)] = &[
    ("fiscal quarter ended ", "quarter ended "),
    ("quarterly period ended ", "quarter ended "),
    ("quarter ended ", "quarter ended "),
    ("three months ended ", "quarter ended "),
    ("fiscal year ended ", "fiscal year ended "),
    ("fiscal year ending ", "fiscal year ending "),
    ("financial year ended ", "financial year ended "),
    ("for the year ended ", "year ended "),
    ("year ended ", "year ended "),
    ("years ended ", "years ended "),
    ("six months ended ", "six months ended "),
    ("half year ended ", "half-year ended "),
    ("half-year ended ", "half-year ended "),
    ("nine months ended ", "nine months ended "),
    ("period ended ", "period ended "),
    ("geschäftsjahr zum ", "Geschäftsjahr zum "),
    ("abschluss zum ", "zum "),
    ("exercice clos le ", "exercice clos le "),
    ("semestre clos le ", "semestre clos le "),
    ("ejercicio cerrado el ", "ejercicio cerrado el "),
    ("ejercicio terminado el ", "ejercicio terminado el "),
    ("esercizio chiuso al ", "esercizio chiuso al "),
    ("bilancio al ", "al "),
    ("boekjaar eindigend op ", "boekjaar eindigend op "),
    ("as of ", "as of "),
];

/// Words before a year that name the year of a report.
const YEARS: &[(&str, &str)] = &[
    ("fiscal year ", "fiscal "),
    ("fiscal ", "fiscal "),
    ("financial year ", "financial year "),
    ("geschäftsjahr ", "Geschäftsjahr "),
    ("exercice ", "exercice "),
    ("boekjaar ", "boekjaar "),
    ("ejercicio ", "ejercicio "),
    ("esercizio ", "esercizio "),
];

/// Words before a date that say that the document is of that date.
const DATED: &[&str] = &[
    "date",
    "dated",
    "datum",
    "issued",
    "issue date",
    "published",
    "publication date",
    "date of publication",
    "revised",
    "updated",
    "last updated",
    "effective",
    "version",
    "release",
    "stand",
    "ausgabe",
    "fecha",
    "data",
    "fait le",
    "le",
    "den",
    "as of",
    "rev",
    "revision",
    "edition",
    "作成日",
    "发布日期",
    "日期",
    "発行日",
    "作成",
    "발행일",
    "작성일",
    "data wystawienia",
    "rechnungsdatum",
    "invoice date",
    "decided",
    "filed",
    "submitted",
    "date of submission",
    "latest editorial change",
    "vom",
    "data de emissão",
];

/// The period of a document, or its date; see the rules inside. Nothing rather than a guess.
pub(super) fn period(front: &Front, title: Option<&str>, kind: Option<&Kind>) -> Option<String> {
    let periodic = kind.is_some_and(|k| k.tie == Tie::Period);
    if periodic {
        if let Some(found) = reported(front) {
            return Some(found);
        }
        if let Some(found) =
            title.and_then(quarter).or_else(|| front.head(30).filter(|l| l.is_short()).find_map(|l| quarter(l.text)))
        {
            return Some(found);
        }
    }
    // What is filled into a form has dates of its own.
    let form = kind.is_some_and(|k| {
        matches!(k.name, "Form" | "Application form" | "Transcript" | "Worksheet" | "Questionnaire" | "Certificate")
    });
    if let Some(title) = title {
        if let Some(found) = date(title) {
            return Some(found.text);
        }
        // "Act of 1934", "Regulation No 12/2014" are dates of something else where more follows.
        if let Some(found) = year(title).filter(|y| !title.contains(&format!("of {y}")) || title.ends_with(y.as_str())) {
            // "The TeX Live Guide—2022", with "August 2022" below it.
            let full = dated(front, 0, form).filter(|d| !periodic && d.contains(&found));
            return Some(full.unwrap_or(found));
        }
        // The line of the title may say more than the title that the file states.
        let folded = super::super::titles::fold(title);
        let line = front
            .head(20)
            .filter(|l| l.text.chars().count() <= 120 && folded.chars().count() >= 8)
            .find(|l| super::super::titles::fold(l.text).contains(&folded));
        if let Some(found) = line.and_then(|l| year(l.text.trim_end_matches(|c: char| !c.is_alphanumeric()))) {
            return Some(found);
        }
    }
    if periodic && let Some(found) = prominent_year(front) {
        return Some(found);
    }
    let first = dated(front, 0, form).or_else(|| {
        // A title page may have nothing but the title; the date then stands on the next.
        let sparse = front.lines.iter().filter(|l| l.page == 0).count() <= 12;
        if sparse { dated(front, 1, form) } else { None }
    });
    first.or_else(|| journal_year(front)).or_else(|| {
        // "Form 1065  2014": a year that stands alone at the head of a form.
        let line = front.head(16).find(|l| is_year(l.text) && l.text < "2090" && l.size >= front.usual * 0.9)?;
        Some(line.text.to_owned())
    })
}

/// "quarter ended December 28, 2024", "fiscal 2025", "2010年半年度".
fn reported(front: &Front) -> Option<String> {
    let lower = front.flat.to_lowercase();
    // Lower-casing may move bytes in some scripts; text that moved is read in lower case.
    let source = if lower.len() == front.flat.len() { front.flat.as_str() } else { lower.as_str() };
    let found = LEADS.iter().filter_map(|(lead, name)| {
        let (at, end) = lower.match_indices(lead).next().map(|(at, l)| (at, at + l.len()))?;
        let window = head(source.get(end..)?, 40);
        let Found { at: gap, text, .. } = date(window)?;
        (gap <= 8).then(|| (at, lead.len(), format!("{name}{text}")))
    });
    // The first in the text; of two that end alike the longer phrase says more.
    if let Some((_, _, text)) = found.min_by_key(|(at, length, _)| (at + length) * 100 - length) {
        return Some(text);
    }
    let ideographic = source.char_indices().filter(|(_, c)| c.is_ascii_digit()).find_map(|(at, _)| {
        let rest = source.get(at..)?;
        let year = rest.get(..4).filter(|y| is_year(y))?;
        if source.get(..at).is_some_and(|b| b.ends_with(|c: char| c.is_ascii_digit())) {
            return None;
        }
        [
            "年半年度",
            "年第一季度",
            "年第二季度",
            "年第三季度",
            "年第四季度",
            "年度",
            "年3月期",
            "年12月期",
            "년 1분기",
            "년 2분기",
            "년 3분기",
            "년 4분기",
            "년 반기",
        ]
        .iter()
        .find(|end| rest.get(4..).is_some_and(|r| r.starts_with(**end)))
        .map(|end| format!("{year}{end}"))
    });
    if ideographic.is_some() {
        return ideographic;
    }
    YEARS.iter().find_map(|(lead, name)| {
        lower.match_indices(lead).take(6).find_map(|(at, found)| {
            let rest = lower.get(at + found.len()..)?;
            let year = rest.get(..4).filter(|y| is_year(y))?;
            let short: String = rest.get(4..)?.chars().take(3).collect();
            let range = short.strip_prefix(['/', '-']).filter(|y| y.len() == 2 && y.chars().all(|c| c.is_ascii_digit()));
            Some(format!("{name}{year}{}", range.map(|_| short.as_str()).unwrap_or_default()))
        })
    })
}

/// "Q3 2023", "third quarter of 2023", "3. Quartal 2023", "H1 2023", "1er semestre 2023".
fn quarter(text: &str) -> Option<String> {
    let words = super::front::words(text);
    let tokens: Vec<&str> = words.split_whitespace().collect();
    let at = tokens.iter().position(|w| {
        matches!(
            *w,
            "q1" | "q2"
                | "q3"
                | "q4"
                | "h1"
                | "h2"
                | "1h"
                | "2h"
                | "quarter"
                | "quartal"
                | "trimestre"
                | "semestre"
                | "kwartaal"
                | "halbjahr"
                | "halfjaar"
        )
    })?;
    let word = *tokens.get(at)?;
    let near = tokens.iter().skip(at + 1).take(4).chain(tokens.iter().take(at).rev().take(2));
    let year = near.copied().find(|w| is_year(w) || w.strip_prefix("fy").is_some_and(|y| y.len() == 2 || is_year(y)))?;
    if word.len() == 2 {
        return Some(format!("{} {}", word.to_uppercase(), year.to_uppercase()));
    }
    let rank = tokens.get(at.checked_sub(1)?)?;
    let rank = match *rank {
        "first" | "1" | "1st" | "1er" | "primer" | "premier" | "primo" | "erstes" | "eerste" => 1,
        "second" | "2" | "2nd" | "2e" | "2ème" | "deuxième" | "segundo" | "secondo" | "zweites" | "tweede" => 2,
        "third" | "3" | "3rd" | "3e" | "3ème" | "troisième" | "tercer" | "terzo" | "drittes" | "derde" => 3,
        "fourth" | "4" | "4th" | "4e" | "4ème" | "quatrième" | "cuarto" | "quarto" | "viertes" | "vierde" => 4,
        _ => return None,
    };
    let sign = if matches!(word, "semestre" | "halbjahr" | "halfjaar") { 'H' } else { 'Q' };
    Some(format!("{sign}{rank} {year}"))
}

/// A year in a line of the first pages that is larger than the rest or short.
fn prominent_year(front: &Front) -> Option<String> {
    let mut lines: Vec<_> = front.lines.iter().filter(|l| l.page <= 1 && l.text.chars().count() <= 60).take(60).collect();
    lines.sort_by(|a, b| b.size.total_cmp(&a.size));
    lines
        .into_iter()
        .filter(|l| !super::front::has(&l.words, "act of") && !l.text.contains('©') && !super::front::has(&l.words, "copyright"))
        .find_map(|l| year(l.text))
}

/// A date that stands alone on its line, or after a word that says what date it is.
fn dated(front: &Front, page: usize, form: bool) -> Option<String> {
    let lines: Vec<_> = front.lines.iter().filter(|l| l.page == page).collect();
    for (at, line) in lines.iter().enumerate().take(60) {
        if line.text.chars().count() > 100
            || line.text.contains('©')
            || line.words.contains("copyright")
            || line.words.contains("expires")
            || line.words.contains("expiration")
        {
            continue;
        }
        let Some(found) = date(line.text) else { continue };
        let before = super::front::words(line.text.get(..found.at).unwrap_or_default());
        let after = super::front::words(line.text.get(found.end..).unwrap_or_default());
        let lead = before.trim();
        let label = lines.get(at.wrapping_sub(1)).map(|l| l.words.trim()).unwrap_or_default();
        let alone = lead.is_empty() && after.split_whitespace().count() <= 5;
        // "Cupertino Union School District October 23, 2014", "Edition 1.0, April 2007": it ends a short line.
        let ends = after.trim().is_empty() && line.text.chars().count() <= 70 && lead.split_whitespace().count() <= 7;
        let said = DATED
            .iter()
            .any(|d| lead == *d || lead.starts_with(&format!("{d} ")) || d.chars().all(|c| !c.is_ascii()) && lead.contains(d))
            && line.text.chars().count() <= 80;
        let labelled = alone && DATED.contains(&label);
        // What stands far down a full page is the date of something told there.
        let high = at < 20 || lines.len() <= 30;
        let foreign = |l: Option<&&super::front::FrontLine>| {
            l.is_some_and(|l| {
                ["expiration", "expires", "omb", "birth", "enrollment"].iter().any(|w| super::front::has(&l.words, w))
            })
        };
        if foreign(at.checked_sub(1).and_then(|i| lines.get(i))) && !labelled || foreign(lines.get(at + 1)) || foreign(Some(line)) {
            continue;
        }
        let revised =
            ["rev", "revised", "revision", "version", "edition", "release"].iter().any(|w| lead.split(' ').any(|l| l == *w));
        if form {
            if revised {
                return Some(found.text);
            }
            continue;
        }
        if alone && high || ends && high && !lead.ends_with(" date") || said || labelled {
            return Some(found.text);
        }
    }
    None
}

/// The year of an issue of a journal: "Vol. 99 (2013)", "Volume 29, numéro 1, 2020".
fn journal_year(front: &Front) -> Option<String> {
    front
        .head(12)
        .filter(|l| l.text.chars().count() <= 130)
        .filter(|l| {
            ["vol", "volume", "issue", "journal", "jahrgang", "band", "review", "affairs", "transactions", "proceedings"]
                .iter()
                .any(|w| super::front::has(&l.words, w))
        })
        .find_map(|l| date(l.text).map(|d| d.text).or_else(|| year(&l.text.replace(['(', ')'], " "))))
}

/// At most so many bytes of a text, whole characters.
fn head(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}
