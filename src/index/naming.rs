//! Which kind a document is: told by forms that law or custom prescribe, by its title, by lines of its first page, by how papers begin.

use super::front::{Front, FrontLine, has, words};
use super::kinds::{JOINTS, KINDS, Kind, Tie};
use super::titles::{is_caps, is_ideographic};

const fn found(name: &'static str, tie: Tie) -> Kind {
    Kind { name, tie, words: &[], titled: false }
}

static FORM_10K: Kind = found("Annual report (Form 10-K)", Tie::Period);
static FORM_10Q: Kind = found("Quarterly report (Form 10-Q)", Tie::Period);
static FORM_8K: Kind = found("Current report (Form 8-K)", Tie::Period);
static FORM_20F: Kind = found("Annual report (Form 20-F)", Tie::Period);
static FORM_40F: Kind = found("Annual report (Form 40-F)", Tie::Period);
static FORM_6K: Kind = found("Report of foreign issuer (Form 6-K)", Tie::Period);
static PROXY: Kind = found("Proxy statement", Tie::Period);
static REGISTRATION: Kind = found("Registration statement (Form S-1)", Tie::Issuer);
static QUARTER: Kind = found("Quarterly earnings release", Tie::Period);
static YEAR: Kind = found("Earnings release", Tie::Period);
static PROPOSED: Kind = found("Proposed rule", Tie::Issuer);
static FINAL: Kind = found("Final rule", Tie::Issuer);
static INTERPRETATION: Kind = found("Interpretation", Tie::Issuer);
static RELEASE: Kind = found("Rule release", Tie::Issuer);
static NIST: Kind = found("NIST special publication", Tie::Issuer);
static RFC: Kind = found("RFC", Tie::Author);
static EU_REGULATION: Kind = found("EU regulation", Tie::Issuer);
static EU_DIRECTIVE: Kind = found("EU directive", Tie::Issuer);
static OPINION: Kind = found("Court opinion", Tie::Issuer);
static DECISION: Kind = found("Court decision", Tie::Issuer);
static COMPLAINT: Kind = found("Complaint", Tie::Issuer);
static PLEADING: Kind = found("Court filing", Tie::Issuer);
static THESIS: Kind = found("Thesis", Tie::Author);
static STANDARD: Kind = found("Standard", Tie::Issuer);
static FORM: Kind = found("Form", Tie::Issuer);
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

/// Forms that law, courts or publishers prescribe.
fn prescribed(front: &Front) -> Option<&'static Kind> {
    let says = |phrase: &str| front.says(phrase);
    let registrant = says("exact name of registrant") || says("commission file number") || says("pursuant to section 13");
    if registrant {
        for (form, kind) in [
            ("10 k", &FORM_10K),
            ("10k", &FORM_10K),
            ("10 q", &FORM_10Q),
            ("8 k", &FORM_8K),
            ("20 f", &FORM_20F),
            ("40 f", &FORM_40F),
            ("6 k", &FORM_6K),
            ("s 1", &REGISTRATION),
        ] {
            if front.lines.iter().take(40).any(|l| l.is_short() && has(&l.words, &format!("form {form}"))) {
                return Some(kind);
            }
        }
    }
    if says("schedule 14a") && says("proxy") || says("notice of annual meeting") && says("proxy statement") {
        return Some(&PROXY);
    }
    if says("agency") && says("cfr part") {
        for (action, kind) in [
            ("action proposed rule", &PROPOSED),
            ("action final rule", &FINAL),
            ("action interpretation", &INTERPRETATION),
            ("action", &RELEASE),
        ] {
            if says(action) {
                return Some(kind);
            }
        }
    }
    let head = |phrase: &str| front.head(25).any(|l| has(&l.words, phrase));
    if head("nist special publication") || head("nist sp 800") {
        return Some(&NIST);
    }
    if head("request for comments") {
        return Some(&RFC);
    }
    if front.head(25).any(|l| {
        ["regulation eu", "verordnung eu", "règlement ue", "verordening eu", "reglamento ue", "regolamento ue"]
            .iter()
            .any(|p| l.words.starts_with(&format!(" {p} ")))
    }) {
        return Some(&EU_REGULATION);
    }
    if front.head(25).any(|l| {
        ["directive eu", "directive 20", "richtlinie eu", "directive ue"].iter().any(|p| l.words.starts_with(&format!(" {p} ")))
    }) {
        return Some(&EU_DIRECTIVE);
    }
    let thesis = [
        "thesis submitted",
        "dissertation submitted",
        "submitted in partial fulfillment",
        "submitted in partial fulfilment",
        "in partial fulfillment of the requirements",
        "zur erlangung des",
        "zur erlangung der doktorwürde",
        "pour obtenir le grade",
        "ter verkrijging van",
        "para optar al",
        "para obtener el título",
    ];
    if thesis.iter().any(|p| says(p)) {
        return Some(&THESIS);
    }
    let standard = front.head(12).any(|l| {
        let mut words = l.words.split_whitespace();
        l.is_short()
            && matches!(words.next(), Some("iso" | "iec" | "din" | "ieee" | "ansi" | "astm" | "etsi" | "bs"))
            && words
                .next()
                .is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit()) || matches!(w, "iec" | "en" | "iso" | "std"))
    });
    if standard {
        return Some(&STANDARD);
    }
    let form = [
        "omb no",
        "omb approval",
        "form approved",
        "omb control no",
        "cerfa",
        "do not write in this space",
        "internal revenue service",
    ];
    let numbered = front.head(30).any(|l| {
        l.is_short() && (l.words.starts_with(" form ") || l.words.starts_with(" formulario ") || l.words.starts_with(" schedule "))
    });
    let marked = form.iter().filter(|f| front.head(80).any(|l| has(&l.words, f))).count();
    (marked >= 2 || marked == 1 && numbered).then_some(&FORM)
}

/// Papers of courts.
fn court(front: &Front) -> Option<&'static Kind> {
    let head = |phrases: &[&str]| front.head(60).any(|l| l.is_short() && phrases.iter().any(|p| has(&l.words, p)));
    if front.head(60).any(|l| l.text.contains("ECLI:")) {
        return Some(&DECISION);
    }
    let named = front.head(40).any(|l| {
        let head_word = l.words.split_whitespace().last().unwrap_or_default();
        l.is_short()
            && (has(&l.words, "court of")
                || has(&l.words, "superior court")
                || has(&l.words, "supreme court")
                || has(&l.words, "district court")
                || has(&l.words, "high court")
                || has(&l.words, "circuit court")
                || head_word == "court")
    });
    let parties = head(&[
        "plaintiff",
        "plaintiffs",
        "defendant",
        "defendants",
        "appellant",
        "appellee",
        "petitioner",
        "respondent",
        "applicant",
    ]) || front.head(60).any(|l| matches!(l.words.as_str(), " v " | " vs "));
    if named && parties {
        let kind = if head(&["complaint", "plaintiff's complaint"]) {
            &COMPLAINT
        } else if head(&[
            "opinion",
            "judgment",
            "judgement",
            "published",
            "publish",
            "decided",
            "before",
            "ruling",
            "submitted",
            "j",
            "c j",
        ]) {
            &OPINION
        } else {
            &PLEADING
        };
        return Some(kind);
    }
    let german = head(&["im namen des volkes"])
        || head(&["urteil", "beschluss"]) && front.head(30).any(|l| l.words.contains("gericht") || l.words.contains("gerichtshof"));
    let french = head(&["arrêt", "jugement", "décision"])
        && head(&["cour de cassation", "conseil d'état", "cour d'appel", "tribunal administratif", "tribunal judiciaire"]);
    let dutch = head(&["uitspraak", "arrest", "vonnis"]) && head(&["rechtbank", "hoge raad", "gerechtshof", "raad van state"]);
    let spanish =
        head(&["sentencia", "auto"]) && head(&["tribunal supremo", "tribunal constitucional", "juzgado", "audiencia nacional"]);
    let italian = head(&["sentenza", "ordinanza"])
        && head(&["tribunale", "corte di cassazione", "corte costituzionale", "corte suprema di cassazione"]);
    let eastern = front.head(12).any(|l| ["判決", "判决书", "裁定书", "판결"].iter().any(|w| l.text.contains(w)))
        && front.head(40).any(|l| ["裁判所", "法院", "법원"].iter().any(|w| l.text.contains(w)));
    (german || french || dutch || spanish || italian || eastern).then_some(&DECISION)
}

/// Companies that report their results to the press.
fn earnings(front: &Front, title: Option<&str>) -> Option<&'static Kind> {
    let title = title.map(words).unwrap_or_default();
    let top: String = front.head(30).map(|l| l.words.trim_start()).collect();
    let top = format!(" {top}");
    let verb = |t: &str| ["reports", "announces", "reported", "announced", "posts", "delivers"].iter().any(|v| has(t, v));
    let quarter = |t: &str| has(t, "quarter") || has(t, "quarterly") || ["q1", "q2", "q3", "q4"].iter().any(|q| has(t, q));
    let figures = |t: &str| has(t, "earnings") || has(t, "results") || has(t, "net sales") || has(t, "revenue");
    let told = |t: &str| verb(t) && figures(t);
    // The title may be a letterhead; then the lines below it say so within the first paragraph.
    if told(&title) && quarter(&title)
        || verb(&top) && quarter(&top) && has(&top, "earnings")
        || has(&top, "today reported") && quarter(&top) && figures(&top)
    {
        return Some(&QUARTER);
    }
    (told(&title) && (has(&title, "year") || has(&title, "half") || has(&title, "fiscal"))).then_some(&YEAR)
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
            l.is_short() && l.text.chars().count() <= 70 && (*at < 8 || l.bold || l.size > front.usual * 1.1 || is_caps(&l.text))
        })
        .map(|(at, l)| ((l.size * 2.0).round() as i32, at, l))
        .collect();
    lines.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    lines.into_iter().find_map(|(_, _, line)| {
        // A line that goes on in words of running text names nothing.
        let ends = line.text.ends_with(['.', ',', ';']) && !is_caps(line.text) && line.text.split_whitespace().count() > 6;
        if ends || super::organisation::is_institution(line.text) || line.text.starts_with(|c: char| c.is_lowercase()) {
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
        return tight.ends_with(&word) || word.chars().count() >= 4 && tight.contains(&word);
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
