//! Which kind a document is: told by forms that law or custom prescribe, by its title, by lines of its first page, by how papers begin.

use super::super::titles::{is_caps, is_ideographic};
use super::front::{Front, FrontLine, has, words};
use super::kinds::{JOINTS, KINDS, Kind, Tie, found};
use super::prescribed::{court, earnings, prescribed};

pub(super) static THESIS: Kind = found("Thesis", Tie::Author);
static PAPER: Kind = found("Research paper", Tie::Author);
static LETTER: Kind = found("Letter", Tie::Issuer);
static CV: Kind = found("Curriculum vitae", Tie::Author);
static BOOK: Kind = found("Book", Tie::Author);
static MANUAL: Kind = found("Manual", Tie::Issuer);
static DOCUMENTATION: Kind = found("Documentation", Tie::Issuer);
static TABLE: Kind = found("Statistical table", Tie::Issuer);
static LEAFLET: Kind = found("Leaflet", Tie::Issuer);
static GUIDE: Kind = found("Guide", Tie::Issuer);
static HANDBOOK: Kind = found("Handbook", Tie::Issuer);
static AGREEMENT: Kind = found("Agreement", Tie::Issuer);
static SPEECH: Kind = found("Speech", Tie::Author);
static SLIDES: Kind = found("Presentation", Tie::Author);
static PRESS: Kind = found("Press release", Tie::Issuer);

/// The kind of a document, where it can be told.
pub(super) fn kind(front: &Front, title: Option<&str>) -> Option<&'static Kind> {
    prescribed(front)
        .or_else(|| court(front))
        .or_else(|| earnings(front, title))
        .or_else(|| by_words(front, title))
        .or_else(|| by_habit(front))
}

/// The title, then other lines of the first page by which a document names itself.
fn by_words(front: &Front, title: Option<&str>) -> Option<&'static Kind> {
    let paper = is_paper(front);
    if let Some(kind) = title.and_then(named)
        && !(paper
            && matches!(
                kind.name,
                "Agreement"
                    | "Policy"
                    | "Study"
                    | "Act"
                    | "Report"
                    | "Standard"
                    | "Tutorial"
                    | "Guidelines"
                    | "Regulation"
                    | "Form"
                    | "Statistics"
                    | "Specification"
                    | "Advice"
                    | "Bill"
                    | "Patent"
                    | "Examination"
                    | "Tender"
                    | "Proposal"
                    | "Certificate"
                    | "Agenda"
            ))
    {
        return Some(kind);
    }
    if paper {
        return Some(&PAPER);
    }
    let mut lines: Vec<(i32, usize, &FrontLine)> = front
        .lines
        .iter()
        .enumerate()
        .filter(|(at, l)| l.page == 0 && *at < 40 || l.page == 1 && l.size > front.usual * 1.3)
        .filter(|(at, l)| {
            l.is_short() && l.text.chars().count() <= 70 && (*at < 8 || l.bold || l.size > front.usual * 1.1 || is_caps(l.text))
        })
        .map(|(at, l)| ((l.size * 2.0).round() as i32, at, l))
        .collect();
    lines.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    lines.into_iter().find_map(|(_, _, line)| {
        // A line that goes on in words of running text names nothing.
        let ends = line.text.ends_with(['.', ',', ';']) && !is_caps(line.text) && line.text.split_whitespace().count() > 6;
        if ends || super::institutions::is_institution(line.text) || line.text.starts_with(|c: char| c.is_lowercase()) {
            return None;
        }
        named(line.text).filter(|kind| !kind.titled)
    })
}

/// The kind that a title names.
pub(super) fn named(title: &str) -> Option<&'static Kind> {
    let parts: Vec<String> = title
        .split([':', '–', '—', '|', ',', ';', '•', '(', ')', '[', ']', '/'])
        .flat_map(|p| p.split("- "))
        .map(words)
        .filter(|w| w.len() > 2)
        .collect();
    KINDS.iter().find(|kind| kind.words.iter().any(|word| parts.iter().any(|part| names(part, word))))
}

/// Whether a part of a title names a kind by this word.
fn names(part: &str, word: &str) -> bool {
    if let Some(end) = word.strip_prefix('*') {
        let head = head(part);
        let last = head.rsplit(' ').next().unwrap_or_default();
        let first = head.split(' ').next().unwrap_or_default();
        return [last, first].iter().any(|w| w.len() > end.len() + 2 && w.ends_with(end));
    }
    if word.chars().any(is_ideographic) {
        // In these scripts the head of a title stands at its end, before a number or a bracket at most.
        let tight: String = part.chars().filter(|c| !c.is_whitespace()).collect();
        let tight = tight.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '年' || c == '版');
        let word: String = word.chars().filter(|c| !c.is_whitespace()).collect();
        return tight.ends_with(&word) || word.chars().count() >= 5 && tight.contains(&word);
    }
    if word.contains(' ') {
        return has(part, word);
    }
    let head = head(part);
    if head == word || head.strip_suffix(word).is_some_and(|rest| rest.ends_with(' ')) {
        return true;
    }
    let mut rest = part.split_whitespace();
    let first = rest.next();
    let first = if matches!(first, Some("the" | "a" | "an" | "der" | "die" | "das" | "le" | "la" | "el" | "il" | "het" | "de")) {
        rest.next()
    } else {
        first
    };
    first == Some(word)
        && rest.next().is_some_and(|next| {
            JOINTS.contains(&next)
                || next.starts_with(|c: char| c.is_ascii_digit())
                || next.chars().count() <= 2 && matches!(word, "form" | "formulario" | "schedule")
        })
}

/// A part of a title without years, numbers of editions and the like at its end.
fn head(part: &str) -> &str {
    let mut head = part.trim();
    while let Some((before, last)) = head.rsplit_once(' ') {
        let number = last.chars().any(|c| c.is_ascii_digit()) && last.chars().count() <= 8;
        if !number
            && !matches!(
                last,
                "version"
                    | "edition"
                    | "draft"
                    | "final"
                    | "rev"
                    | "revision"
                    | "issue"
                    | "release"
                    | "no"
                    | "vol"
                    | "volume"
                    | "part"
                    | "v"
                    | "ii"
                    | "iii"
                    | "iv"
                    | "fy"
                    | "summary"
            )
        {
            break;
        }
        head = before;
    }
    head
}

/// Whether a document begins as papers do.
fn is_paper(front: &Front) -> bool {
    if front.pages > 80 {
        return false;
    }
    let heads = ["abstract", "abstrakt", "zusammenfassung", "résumé", "resumen", "samenvatting", "riassunto", "summary"];
    let abstracts = front.lines.iter().filter(|l| l.page <= 1).any(|l| {
        let mut words = l.words.split_whitespace();
        let first = words.next().unwrap_or_default();
        let alone = words.next().is_none();
        let run_in = l.text.get(first.len()..).is_some_and(|r| r.trim_start().starts_with(['.', ':', '—', '–', '-']));
        // "A B S T R A C T", and 摘要 with what follows it.
        let spaced = l.words.trim() == "a b s t r a c t";
        first == "abstract" && (alone || run_in || front.pages <= 40)
            || heads.contains(&first) && (alone || run_in)
            || spaced
            || ["摘要", "要旨", "概要", "초록", "요약"].iter().any(|h| l.text.starts_with(h))
    });
    let marks = [
        "keywords",
        "key words",
        "index terms",
        "arxiv",
        "doi",
        "issn",
        "corresponding author",
        "mots clés",
        "schlüsselwörter",
        "palabras clave",
        "关键词",
        "关 键 词",
        "キーワード",
        "references",
        "university",
        "universität",
        "université",
        "department of",
        "introduction",
        "et al",
        "institute",
        "1 introduction",
        "department",
        "received",
        "preprint",
    ];
    let count = marks.iter().filter(|m| front.says(m)).count();
    let journal = front
        .head(14)
        .any(|l| l.is_short() && (has(&l.words, "vol") || has(&l.words, "volume")) && l.words.chars().any(|c| c.is_ascii_digit()))
        || front.head(14).any(|l| has(&l.words, "doi"))
        || front.head(6).any(|l| l.is_short() && has(&l.words, "journal of"));
    abstracts && count >= 1 || journal && count >= 3 || front.words.contains(" doi ") && journal || cited(front) && count >= 2
}

/// Whether a line at the head is a reference to an issue of a journal: "PHYSICAL REVIEW E 111, 035406 (2025)".
fn cited(front: &Front) -> bool {
    front.head(6).any(|l| {
        let numbers = l.words.split_whitespace().filter(|w| w.chars().all(|c| c.is_ascii_digit())).count();
        l.is_short() && numbers >= 3 && l.text.contains('(') && super::dates::year(&l.text.replace(['(', ')'], " ")).is_some()
    })
}

/// How documents of a kind that name themselves nowhere begin.
fn by_habit(front: &Front) -> Option<&'static Kind> {
    let line = |phrases: &[&str]| {
        front.lines.iter().any(|l| l.is_short() && phrases.iter().any(|p| l.words.starts_with(&format!(" {p} "))))
    };
    if front.says("for immediate release") {
        return Some(&PRESS);
    }
    let greeting = [
        "dear",
        "sehr geehrte",
        "sehr geehrter",
        "liebe",
        "madame",
        "monsieur",
        "chère",
        "cher",
        "geachte",
        "beste",
        "estimado",
        "estimada",
        "gentile",
        "egregio",
    ];
    let greets = front.head(60).any(|l| {
        l.text.chars().count() < 60
            && l.text.ends_with([',', ':', '!'])
            && greeting.iter().any(|g| l.words.starts_with(&format!(" {g} ")))
    });
    if greets && front.pages <= 6
        || front.pages <= 3 && front.head(40).any(|l| ["拝啓", "尊敬的"].iter().any(|g| l.text.starts_with(g)))
    {
        return Some(&LETTER);
    }
    let parts = [
        &["experience", "work experience", "employment", "berufserfahrung", "expérience professionnelle", "experiencia"][..],
        &["education", "ausbildung", "formation", "educación", "opleiding"][..],
        &["skills", "kenntnisse", "compétences", "about me", "languages", "sprachen", "profile"][..],
    ];
    if front.pages <= 6 && parts.iter().filter(|p| line(p)).count() >= 2 && (front.flat.contains('@') || front.pages <= 3) {
        return Some(&CV);
    }
    if front.pages <= 60
        && (front.says("good morning") || front.says("good afternoon") || front.says("thank you for inviting me"))
        && front.says("thank you")
    {
        return Some(&SPEECH);
    }
    if front.wide {
        return Some(&SLIDES);
    }
    if front.pages >= 60
        && (front.says("isbn") || front.says("library of congress cataloging") || front.says("no part of this book"))
    {
        return Some(&BOOK);
    }
    if front.head(1).any(|l| {
        l.text.starts_with("Table ") && l.words.split(' ').nth(2).is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit()))
    }) {
        return Some(&TABLE);
    }
    if front.head(60).any(|l| has(&l.words, "this agreement")) {
        return Some(&AGREEMENT);
    }
    // A document that speaks of itself says what it is.
    for (phrase, kind) in [
        ("this manual", &MANUAL),
        ("this leaflet", &LEAFLET),
        ("this user guide", &GUIDE),
        ("this guide", &GUIDE),
        ("this handbook", &HANDBOOK),
        ("in this paper", &PAPER),
        ("this paper", &PAPER),
        ("in this article", &PAPER),
        ("this thesis", &THESIS),
        ("dieses handbuch", &MANUAL),
        ("ce manuel", &MANUAL),
        ("este manual", &MANUAL),
    ] {
        if front.says(phrase) {
            return Some(kind);
        }
    }
    (front.says("this file documents") || front.says("this document describes") && front.says("version")).then_some(&DOCUMENTATION)
}
