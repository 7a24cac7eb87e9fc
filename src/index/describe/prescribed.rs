//! Kinds of documents whose form law, courts or custom prescribe.

use super::front::{Front, has, words};
use super::kinds::{Kind, Tie, found};
use super::naming::THESIS;

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
static STANDARD: Kind = found("Standard", Tie::Issuer);
static FORM: Kind = found("Form", Tie::Issuer);

/// Forms that law, courts or publishers prescribe.
pub(super) fn prescribed(front: &Front) -> Option<&'static Kind> {
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
pub(super) fn court(front: &Front) -> Option<&'static Kind> {
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
pub(super) fn earnings(front: &Front, title: Option<&str>) -> Option<&'static Kind> {
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
