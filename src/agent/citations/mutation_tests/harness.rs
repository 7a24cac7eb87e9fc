//! Makes cases out of pages: true citations, and mutants of them. It reads pages in a simple way of its own, so that it does not share
//! mistakes with what it measures.

use std::collections::BTreeMap;
use std::fmt;

use super::samples::Document;
use crate::agent::EvidenceLedger;
use crate::agent::citations::check::Checker;
use crate::agent::citations::check_with;
use crate::agent::types::CitationStatus;
use crate::tools::Evidence;

/// One citation to be checked.
pub struct Case {
    /// `true`, or the kind of mutant, and how the claim is written.
    pub kind: String,
    pub answer: String,
    /// The statuses with which it passes.
    passes: CitationStatus,
    /// Whether it should.
    is_true: bool,
}

/// Passed and all, by kind.
pub struct Table {
    rows: BTreeMap<String, (usize, usize)>,
    wrong: Vec<String>,
    truths: (usize, usize),
    mutants: (usize, usize),
}

impl Table {
    pub fn of(documents: &[Document], cases: &[Case]) -> Self {
        let mut ledger = EvidenceLedger::default();
        for d in documents {
            for (text, page) in d.pages.iter().zip(1..) {
                let page_count = u32::try_from(d.pages.len()).unwrap();
                ledger.record_page(&Evidence { doc: d.name.clone(), page, label: None, text: text.clone(), page_count });
            }
        }
        let mut table = Self { rows: BTreeMap::new(), wrong: Vec::new(), truths: (0, 0), mutants: (0, 0) };
        let checker = Checker::new(&ledger);
        for case in cases {
            // A line of a page may hold what looks like a citation; the last one is the one that was made.
            let status = check_with(&case.answer, &checker, "").citations.last().unwrap().status;
            let passed = status == case.passes || status == CitationStatus::Verified;
            let row = table.rows.entry(case.kind.clone()).or_default();
            let right = passed == case.is_true;
            row.0 += usize::from(right);
            row.1 += 1;
            let sum = if case.is_true { &mut table.truths } else { &mut table.mutants };
            sum.0 += usize::from(right);
            sum.1 += 1;
            if !right {
                table.wrong.push(format!("{} {status:?}: {}", case.kind, case.answer));
            }
        }
        table
    }

    pub fn true_share(&self) -> f64 {
        self.truths.0 as f64 / self.truths.1 as f64
    }

    pub fn seen_share(&self) -> f64 {
        self.mutants.0 as f64 / self.mutants.1 as f64
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "true {:.4} of {}, mutants {:.4} of {}", self.true_share(), self.truths.1, self.seen_share(), self.mutants.1)?;
        for (kind, (right, all)) in &self.rows {
            writeln!(f, "{kind:40} {right:6} / {all:6}  {:.4}", *right as f64 / *all as f64)?;
        }
        for wrong in self.wrong.iter().take(60) {
            writeln!(f, "{wrong}")?;
        }
        Ok(())
    }
}

/// A sentence or table row of a page.
struct Statement<'a> {
    doc: usize,
    page: usize,
    text: &'a str,
    numbers: Vec<Number<'a>>,
}

/// A number with its sign, currency and scale, as it is written.
#[derive(Clone)]
struct Number<'a> {
    digits: &'a str,
    /// With what belongs to it.
    phrase: String,
}

pub fn cases(documents: &[Document]) -> Vec<Case> {
    let mut out = Vec::new();
    let statements: Vec<Statement<'_>> = documents
        .iter()
        .enumerate()
        .flat_map(|(doc, d)| d.pages.iter().enumerate().flat_map(move |(page, text)| statements(doc, page, text)))
        .collect();
    for (index, statement) in statements.iter().enumerate() {
        Maker { documents, statements: &statements, statement, index, out: &mut out }.make();
    }
    out
}

/// Lines of at least five words, one number among them.
fn statements(doc: usize, page: usize, text: &str) -> Vec<Statement<'_>> {
    let lines = text.lines().map(str::trim);
    lines
        .filter(|l| l.split_whitespace().filter(|w| w.chars().filter(|c| c.is_alphanumeric()).count() > 1).count() >= 4)
        // One sentence each: with two, the claim is the second.
        .filter(|l| !l.contains(['<', '>', '?', '!']) && !l.contains(". ") && !l.contains("..") && !l.contains(".”"))
        // A line that ends with a number may have its scale in the next line; a percent sign in a column of its own is nobody's.
        .filter(|l| !l.contains("  %") && !ends_in_money(l))
        .map(|l| Statement { doc, page, text: l, numbers: numbers(l) })
        .filter(|s| !s.numbers.is_empty())
        .collect()
}

fn ends_in_money(line: &str) -> bool {
    let prose = !line.contains("   ");
    prose && line.contains(['$', '€', '£']) && line.ends_with(|c: char| c.is_ascii_digit())
}

/// Numbers of two digits or more that are no years, and stand free.
fn numbers(text: &str) -> Vec<Number<'_>> {
    let mut out = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let mut end = at;
        while end < bytes.len()
            && (bytes[end].is_ascii_digit()
                || (matches!(bytes[end], b'.' | b',') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)))
        {
            end += 1;
        }
        let digits = &text[at..end];
        let before = text[..at].chars().last();
        let after = text[end..].chars().next();
        let free = before.is_none_or(|c| c.is_whitespace() || "($€£".contains(c))
            && after.is_none_or(|c| c.is_whitespace() || "%).,;:".contains(c));
        let year = digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
        if free
            && !year
            && digits.chars().filter(char::is_ascii_digit).count() >= 2
            && !is_reference(&text[..at])
            && !is_date(text, at, end)
        {
            out.push(Number { digits, phrase: phrase(text, at, end) });
        }
        at = end;
    }
    out
}

fn is_reference(before: &str) -> bool {
    let word = before.trim_end().rsplit(' ').next().unwrap_or_default().to_lowercase();
    ["page", "pages", "note", "section", "item", "p.", "pp."].contains(&word.as_str())
}

/// A number beside the name of a month is a day.
fn is_date(text: &str, at: usize, end: usize) -> bool {
    const MONTHS: [&str; 13] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mär"];
    let before = text[..at].trim_end().rsplit(' ').next().unwrap_or_default().to_lowercase();
    let after = text[end..].trim_start().split(' ').next().unwrap_or_default().to_lowercase();
    MONTHS.iter().any(|m| before.starts_with(m) || after.starts_with(m))
}

fn phrase(text: &str, at: usize, end: usize) -> String {
    let mut start = at;
    let mut stop = end;
    for (i, c) in text[..at].char_indices().rev() {
        match c {
            '(' if text[..i].ends_with(|c: char| c.is_alphanumeric() || c == ')') => break,
            '$' | '€' | '£' | '(' => start = i,
            ' ' if text[i + 1..].starts_with(['$', '€', '£']) => break,
            _ => break,
        }
    }
    let rest = &text[end..];
    for unit in ["%", " %", " million", " billion", " percent", ")%", ") %", ")", " Mio. €", " Mrd. €", " thousand"] {
        if rest.starts_with(unit) && (unit.starts_with(')') == text[start..at].contains('(') || !unit.starts_with(')')) {
            stop = end + unit.len();
            break;
        }
    }
    let phrase = &text[start..stop];
    // A parenthesis that is not closed is not part of it.
    if phrase.contains('(') && !phrase.contains(')') { phrase.replace('(', "") } else { phrase.to_owned() }
}

struct Maker<'a> {
    documents: &'a [Document],
    statements: &'a [Statement<'a>],
    statement: &'a Statement<'a>,
    index: usize,
    out: &'a mut Vec<Case>,
}

impl Maker<'_> {
    fn make(&mut self) {
        let text = self.statement.text.trim_end_matches(['.', ';', ':']).to_owned();
        let phrases: Vec<String> = self.statement.numbers.iter().map(|n| n.phrase.clone()).collect();
        let german = text.contains(" der ") || text.contains(" auf ") || text.contains(" waren ");
        let reworded = if german {
            format!("Im Dokument wird der Wert mit {} angegeben", phrases.join(" und "))
        } else {
            format!("The document puts it at {}", phrases.join(" and "))
        };
        for (style, claim) in [("verbatim", text.clone()), ("reworded", reworded)] {
            self.variants(style, &claim, &text);
        }
    }

    fn page_text(&self, doc: usize, page: usize) -> &str {
        &self.documents[doc].pages[page]
    }

    fn add(&mut self, kind: &str, claim: &str, at: (usize, usize), quote: Option<&str>, is_true: bool) {
        let name = &self.documents[at.0].name;
        let body = quote.unwrap_or_default();
        let answer = format!("{claim} <cite doc=\"{name}\" page=\"{}\">{body}</cite>.", at.1 + 1);
        let passes = if quote.is_some() { CitationStatus::Verified } else { CitationStatus::NumbersFound };
        self.out.push(Case { kind: kind.to_owned(), answer, passes, is_true });
    }

    fn variants(&mut self, style: &str, claim: &str, quote: &str) {
        let (statement, documents, statements) = (self.statement, self.documents, self.statements);
        let at = (statement.doc, statement.page);
        let here = self.page_text(at.0, at.1).to_owned();
        let name = |kind: &str, quoted: bool| format!("{kind}, {style}{}", if quoted { ", quoted" } else { "" });
        self.add(&name("true", true), claim, at, Some(quote), true);
        self.add(&name("true", false), claim, at, None, true);
        // Another page of the document, and a page of another document.
        let pages = documents[at.0].pages.len();
        let other_page = (1..pages)
            .map(|i| (at.1 + i) % pages)
            .find(|&p| !self.all_on(at.0, p) && !squeezed(self.page_text(at.0, p)).contains(&squeezed(quote)));
        let other_doc = (1..documents.len())
            .map(|i| (at.0 + i) % documents.len())
            .find(|&d| d != at.0 && !self.all_on(d, at.1 % documents[d].pages.len()));
        for (kind, target) in [
            ("wrong page", other_page.map(|p| (at.0, p))),
            ("other document", other_doc.map(|d| (d, at.1 % documents[d].pages.len()))),
        ] {
            if let Some(target) = target {
                self.add(&name(kind, true), claim, target, Some(quote), false);
                self.add(&name(kind, false), claim, target, None, false);
            }
        }
        // One digit, in the claim, and in claim and quote.
        let number = &statement.numbers[self.index % statement.numbers.len()];
        if let Some(wrong) = wrong_digit(number.digits, self.index, &here) {
            let (bad_claim, bad_quote) = (replace(claim, number.digits, &wrong), replace(quote, number.digits, &wrong));
            self.add(&name("wrong digit in the claim", true), &bad_claim, at, Some(quote), false);
            self.add(&name("wrong digit in the claim", false), &bad_claim, at, None, false);
            self.add(&name("wrong digit in both", true), &bad_claim, at, Some(&bad_quote), false);
        }
        self.sign(claim, quote, at, number, &here, &name);
        for (from, to) in [("million", "billion"), ("billion", "million"), ("Mio.", "Mrd."), ("Mrd.", "Mio.")] {
            let claim_scale = format!("{} {from}", number.digits);
            if claim.contains(&claim_scale) && !here.contains(&format!("{} {to}", number.digits)) {
                let bad = claim.replace(&claim_scale, &format!("{} {to}", number.digits));
                self.add(&name("wrong scale", true), &bad, at, Some(quote), false);
                self.add(&name("wrong scale", false), &bad, at, None, false);
            }
        }
        // A word of the quote replaced by one of another statement.
        let donor = &statements[(self.index * 7 + 3) % statements.len()];
        if let Some(swapped) = swap_word(quote, donor.text, self.index).filter(|s| !squeezed(&here).contains(&squeezed(s))) {
            self.add(&name("swapped word in the quote", true), claim, at, Some(&swapped), false);
        }
        let elsewhere = statements.iter().find(|s| s.doc == at.0 && s.page != at.1 && !squeezed(&here).contains(&squeezed(s.text)));
        if let Some(other) = elsewhere {
            self.add(&name("quote of another page", true), claim, at, Some(other.text), false);
        }
        self.add(&name("too short quote", true), claim, at, Some("the"), false);
        if let Some(year) = ["2023", "2024", "2022", "2018"].iter().find(|y| here.contains(**y)) {
            self.add(&name("lone year", true), claim, at, Some(year), false);
        }
    }

    fn sign(
        &mut self,
        claim: &str,
        quote: &str,
        at: (usize, usize),
        number: &Number<'_>,
        here: &str,
        name: &dyn Fn(&str, bool) -> String,
    ) {
        let negative = number.phrase.contains('(');
        let bare = number.phrase.replace(['(', ')'], "");
        let bad = if negative { bare.clone() } else { format!("-{bare}") };
        let other_sign_here =
            if negative { here.contains(&format!(" {}", number.digits)) } else { here.contains(&format!("({}", number.digits)) };
        if other_sign_here || claim.matches(number.digits).count() != 1 || !claim.contains(&number.phrase) {
            return;
        }
        let bad_claim = claim.replacen(&number.phrase, &bad, 1);
        let bad_quote = quote.replacen(&number.phrase, &bad, 1);
        self.add(&name("wrong sign in the claim", true), &bad_claim, at, Some(quote), false);
        self.add(&name("wrong sign in the claim", false), &bad_claim, at, None, false);
        if bad_quote != quote {
            self.add(&name("wrong sign in both", true), &bad_claim, at, Some(&bad_quote), false);
        }
    }

    /// Whether all numbers of the statement stand on a page: then it is no wrong page for them.
    fn all_on(&self, doc: usize, page: usize) -> bool {
        let text = self.page_text(doc, page);
        self.statement.numbers.iter().all(|n| stands(text, n.digits))
    }
}

/// Whether these digits stand free in a text.
fn stands(text: &str, digits: &str) -> bool {
    text.match_indices(digits).any(|(i, _)| {
        let touches = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
        let before = text[..i].chars().next_back().is_some_and(touches);
        let mut after = text[i + digits.len()..].chars();
        let next = after.next();
        let more = next.is_some_and(|c| c.is_ascii_digit())
            || (next.is_some_and(touches) && after.next().is_some_and(|c| c.is_ascii_digit()));
        !before && !more
    })
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn replace(text: &str, digits: &str, with: &str) -> String {
    text.replacen(digits, with, 1)
}

/// The number with one digit changed, to one that does not stand on the page.
fn wrong_digit(digits: &str, index: usize, here: &str) -> Option<String> {
    let places: Vec<usize> = digits.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(i, _)| i).collect();
    (0..9 * places.len()).find_map(|n| {
        let place = places[(index + n) % places.len()];
        let old = digits[place..=place].parse::<usize>().ok()?;
        let new = (old + 1 + (index + n) % 9) % 10;
        let changed = format!("{}{new}{}", &digits[..place], &digits[place + 1..]);
        (new != old && !(place == 0 && new == 0) && !stands(here, &changed)).then_some(changed)
    })
}

fn swap_word(quote: &str, donor: &str, index: usize) -> Option<String> {
    let words: Vec<&str> = quote.split(' ').collect();
    let long = |w: &str| w.chars().filter(|c| c.is_alphabetic()).count() >= 4;
    let at = words.iter().enumerate().filter(|(_, w)| long(w)).map(|(i, _)| i).cycle().nth(index % 5)?;
    let new = donor.split(' ').find(|w| long(w) && !quote.to_lowercase().contains(&squeezed(w)))?;
    Some(words.iter().enumerate().map(|(i, w)| if i == at { new } else { *w }).collect::<Vec<_>>().join(" "))
}
