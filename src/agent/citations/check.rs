//! Checking citations against the pages that were read.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::agree::{ClaimContext, PageNumbers};
use super::claims::{Group, Passage};
use super::computed;
use super::figures::Figures;
use super::fold::fold;
use super::lex::{Kind, Lexed};
use super::names;
use super::nearby;
use super::needs::{Need, needs};
use super::numbers::Style;
use super::parse::Tag;
use super::quotes::{Haystack, Quote};
use super::rows::Said;
use super::words;
use crate::agent::evidence::{EvidenceLedger, SeenDocument, SeenPage};
use crate::agent::types::CitationStatus;

/// What the check of one tag gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict {
    /// Document name, as the ledger knows it or else as written.
    pub doc: String,
    /// The page; of several the one that fits best.
    pub page: u32,
    /// Printed label.
    pub label: Option<String>,
    /// The status.
    pub status: CitationStatus,
    /// Where it stands instead.
    pub found_on: Option<u32>,
}

/// A page, prepared once for all questions about it.
pub(super) struct PreparedPage {
    lexed: Lexed,
    style: Style,
    numbers: PageNumbers,
    /// Made when the first quote is looked for: most pages are only asked for figures.
    haystack: OnceCell<Haystack>,
}

impl PreparedPage {
    fn new(text: &str) -> Self {
        let folded = fold(text);
        let style = Style::of(&folded);
        let lexed = Lexed::new(&folded, style);
        Self::of_tokens(lexed, style)
    }

    fn of_tokens(lexed: Lexed, style: Style) -> Self {
        let numbers = PageNumbers::new(&lexed, style);
        Self { lexed, style, numbers, haystack: OnceCell::new() }
    }

    fn holds_quote(&self, quote: &Quote) -> bool {
        self.haystack.get_or_init(|| Haystack::new(&self.lexed, self.style)).holds(quote)
    }

    /// What a user said, in the style of the answer: both are one conversation.
    pub(super) fn of_answer(text: &str, style: Style) -> Self {
        let lexed = Lexed::new(&fold(text), style);
        Self::of_tokens(lexed, style)
    }

    /// Whether something stands here, with the scales that are named here.
    pub(super) fn holds(&self, need: &Need, context: &ClaimContext) -> bool {
        let hints = self.numbers.hints();
        hold_need(&self.numbers, need, hints, context)
    }
}

/// Pages on each side that lend their scale ("in millions") to a page that names none: a table that goes on over a page break.
const SCALE_REACH: u32 = 2;

/// Bytes of a sentence in which inputs of a computed figure are looked for.
pub(super) const LONGEST_SENTENCE: usize = 2_000;

/// One document with its prepared pages.
struct Document<'a> {
    name: &'a str,
    seen: &'a SeenDocument,
    prepared: BTreeMap<u32, OnceCell<PreparedPage>>,
}

impl<'a> Document<'a> {
    fn page(&self, number: u32) -> Option<&PreparedPage> {
        let text = &self.seen.pages.get(&number)?.text;
        Some(self.prepared.get(&number)?.get_or_init(|| PreparedPage::new(text)))
    }

    /// The only page read that bears a printed label.
    fn labelled(&self, label: &str) -> Option<u32> {
        let same = |seen: &SeenPage| seen.label.as_deref().is_some_and(|l| l.eq_ignore_ascii_case(label));
        let mut pages = self.seen.pages.iter().filter(|(_, seen)| same(seen)).map(|(&page, _)| page);
        pages.next().filter(|_| pages.next().is_none())
    }

    /// The scales of a page, or of its neighbours where it names none.
    fn hints(&self, number: u32) -> Vec<i32> {
        let own = self.page(number).map(|p| p.numbers.hints().to_vec()).unwrap_or_default();
        if !own.is_empty() {
            return own;
        }
        let near = number.saturating_sub(SCALE_REACH)..=number.saturating_add(SCALE_REACH);
        near.filter_map(|n| self.page(n)).flat_map(|p| p.numbers.hints().to_vec()).collect()
    }

    fn holds_quote(&self, number: u32, quote: &Quote) -> bool {
        self.page(number).is_some_and(|page| page.holds_quote(quote))
    }

    /// A quote that runs over the end of a page, cited with both.
    fn holds_across(&self, pages: &[u32], quote: &Quote) -> bool {
        let joined: Vec<&str> = pages.iter().filter_map(|n| self.seen.pages.get(n)).map(|p| p.text.as_str()).collect();
        let in_order = pages.windows(2).all(|w| matches!(w, [a, b] if a.checked_add(1) == Some(*b)));
        joined.len() > 1 && joined.len() == pages.len() && in_order && PreparedPage::new(&joined.join("\n")).holds_quote(quote)
    }

    /// Whether something stands on a page. "As Note 12 says": the note's number stands where the note begins, which may be another page that
    /// was read.
    fn holds(&self, number: u32, need: &Need, context: &ClaimContext) -> bool {
        let elsewhere = match need {
            Need::Code(code) => self.read().any(|p| p.numbers.hold_code(code)),
            Need::Reference(name, figure) => self.read().any(|p| p.numbers.refer(name, figure.value)),
            Need::Figure(_) | Need::Date(_) => false,
        };
        elsewhere || self.holds_itself(number, need, context)
    }

    /// Whether something stands on this page and not just on another.
    fn holds_itself(&self, number: u32, need: &Need, context: &ClaimContext) -> bool {
        self.page(number).is_some_and(|page| hold_need(&page.numbers, need, &self.hints(number), context))
    }

    fn read(&self) -> impl Iterator<Item = &PreparedPage> {
        self.seen.pages.keys().filter_map(|&n| self.page(n))
    }
}

fn hold_need(page: &PageNumbers, need: &Need, hints: &[i32], context: &ClaimContext) -> bool {
    match need {
        Need::Figure(figure) | Need::Reference(_, figure) => page.hold(figure, hints, context),
        Need::Date(readings) => page.hold_date(readings),
        Need::Code(code) => page.hold_code(code),
    }
}

/// Checks tags against a ledger.
pub(super) struct Checker<'a> {
    documents: Vec<Document<'a>>,
    ids: &'a BTreeMap<String, String>,
}

/// What is known of the whole answer.
pub(super) struct Answer {
    /// How it writes its numbers.
    pub style: Style,
    figures: Figures,
    stems: Arc<HashSet<String>>,
}

impl Answer {
    /// Of a passage.
    pub(super) fn of(passage: &Passage) -> Self {
        let folded = fold(&passage.plain);
        let style = Style::of(&folded);
        let lexed = Lexed::new(&folded, style);
        Self { style, figures: Figures::new(&lexed), stems: Arc::new(nearby::stems(&lexed)) }
    }
}

/// A tag, resolved.
struct Resolved<'d> {
    document: Result<&'d Document<'d>, CitationStatus>,
    /// The cited pages that were read.
    read: Vec<u32>,
}

impl<'a> Checker<'a> {
    /// Over what was read.
    pub(super) fn new(ledger: &'a EvidenceLedger) -> Self {
        let documents = ledger.documents.iter().map(|(name, seen)| Document {
            name,
            seen,
            prepared: seen.pages.keys().map(|&n| (n, OnceCell::new())).collect(),
        });
        Self { documents: documents.collect(), ids: &ledger.ids }
    }

    /// The verdict on every tag of a passage, in order.
    pub(super) fn check(&self, passage: &Passage) -> Vec<Verdict> {
        let answer = Answer::of(passage);
        passage.groups.iter().flat_map(|group| self.check_group(passage, group, &answer)).collect()
    }

    /// What the sentence of an answer says beside its figures.
    pub(super) fn context(answer: &Answer, sentence: &Lexed) -> ClaimContext {
        claim_context(sentence, answer)
    }

    /// Whether something stands on any page that was read.
    pub(super) fn stands_anywhere(&self, need: &Need, context: &ClaimContext) -> bool {
        // Pages that were looked at before come first: what an answer says stands mostly where it cites.
        [true, false].into_iter().any(|looked_at| {
            self.documents.iter().any(|document| {
                let pages = document.prepared.iter().filter(|(_, prepared)| prepared.get().is_some() == looked_at);
                let pages: Vec<u32> = pages.map(|(&page, _)| page).collect();
                pages.into_iter().any(|page| document.holds_itself(page, need, context))
            })
        })
    }

    fn document(&self, written: &str) -> Option<&Document<'a>> {
        if written.trim().is_empty() {
            // A tag without a name can only mean the one document that was read.
            let mut read = self.documents.iter().filter(|d| !d.seen.pages.is_empty());
            return read.next().filter(|_| read.next().is_none());
        }
        let by_id = || self.ids.iter().find(|(id, _)| id.eq_ignore_ascii_case(written.trim())).map(|(_, name)| name.as_str());
        let name = names::resolve(written, self.documents.iter().map(|d| d.name)).or_else(by_id)?;
        self.documents.iter().find(|d| d.name == name)
    }

    fn resolve<'s>(&'s self, tag: &Tag) -> Resolved<'s> {
        let Some(document) = self.document(&tag.doc) else {
            return Resolved { document: Err(CitationStatus::NoSuchDocument), read: Vec::new() };
        };
        let exists = |page: &u32| *page > 0 && document.seen.page_count.is_none_or(|count| *page <= count);
        let labelled = tag.label.as_deref().and_then(|label| document.labelled(label));
        let cited = tag.pages.iter().copied().chain(labelled);
        let read: Vec<u32> = cited.filter(|p| document.seen.pages.contains_key(p)).collect();
        if read.is_empty() && !tag.pages.iter().any(exists) {
            return Resolved { document: Ok(document), read }.or_status(CitationStatus::NoSuchPage);
        }
        if read.is_empty() {
            return Resolved { document: Ok(document), read }.or_status(CitationStatus::Unread);
        }
        Resolved { document: Ok(document), read }
    }

    fn check_group(&self, passage: &Passage, group: &Group, answer: &Answer) -> Vec<Verdict> {
        let style = answer.style;
        let claim = passage.claim(group);
        let lexed = Lexed::new(&fold(&claim), style);
        let context = claim_context(&lexed, answer);
        let resolved: Vec<Resolved<'_>> = group.tags.iter().map(|t| self.resolve(t)).collect();
        let claimed = needs(&lexed);
        let stands = |need: &Need| resolved.iter().any(|r| r.holds(need, &context));
        let missing: Vec<&Need> = claimed.iter().filter(|n| !stands(n)).collect();
        let computed = !missing.is_empty() && passage.sentence(group).len() <= LONGEST_SENTENCE && {
            let sentence = Lexed::new(&fold(passage.sentence(group)), style);
            computed::speaks_of_it(&sentence) && {
                let pages = self.sentence_pages(passage, group);
                let given = needs(&sentence);
                let inputs: Vec<&Need> = given.iter().filter(|n| pages.iter().any(|r| r.holds(n, &context))).collect();
                computed::all_follow(&missing, &inputs, &sentence)
            }
        };
        let facts = Facts { claimed: &claimed, missing: &missing, computed, context: &context, style };
        group.tags.iter().zip(&resolved).map(|(tag, r)| facts.verdict(tag, r)).collect()
    }

    /// The citations of the sentence that a group belongs to: inputs of a computed figure may stand on any of their pages.
    fn sentence_pages(&self, passage: &Passage, group: &Group) -> Vec<Resolved<'_>> {
        let same = passage.groups.iter().filter(|g| g.sentence.start == group.sentence.start);
        same.flat_map(|g| g.tags.iter().map(|t| self.resolve(t))).collect()
    }
}

/// What a claim says beside its figures. A claim that writes some figures below zero means the others as they stand; one without a telling
/// word of its own ("It was 5 million") borrows those of the answer.
fn claim_context(claim: &Lexed, answer: &Answer) -> ClaimContext {
    let signed = claim.tokens.iter().any(|t| matches!(t.kind, Kind::Number { negative: true, .. }));
    let spoken = |index: usize| {
        let in_parens = claim.tokens.get(index).and_then(|t| t.start.checked_sub(1)).and_then(|b| claim.char_at(b)) == Some('(');
        claim.word(index).filter(|_| !in_parens && !signed)
    };
    let count = claim.tokens.len();
    let costs = (0..count).any(|i| {
        let before_tax =
            i.checked_sub(1).and_then(spoken).is_some_and(|w| matches!(w, "before" | "after" | "vor" | "nach" | "avant"));
        !before_tax && spoken(i).is_some_and(words::is_cost_word)
    });
    let own = nearby::stems(claim);
    let stems = if own.is_empty() { Arc::clone(&answer.stems) } else { Arc::new(own) };
    ClaimContext {
        hints: answer.figures.hints.clone(),
        has_percent: answer.figures.has_percent,
        falls: (0..count).filter_map(spoken).any(words::is_fall_word),
        costs,
        stems,
        style: answer.style,
        said: Arc::new(Said::of(claim)),
    }
}

impl Resolved<'_> {
    fn or_status(self, status: CitationStatus) -> Self {
        Self { document: self.document.and(Err(status)), ..self }
    }

    fn holds(&self, need: &Need, context: &ClaimContext) -> bool {
        self.document.as_ref().is_ok_and(|d| self.read.iter().any(|&p| d.holds(p, need, context)))
    }
}

/// What is known of a claim.
struct Facts<'f> {
    claimed: &'f [Need],
    missing: &'f [&'f Need],
    computed: bool,
    context: &'f ClaimContext,
    style: Style,
}

impl Facts<'_> {
    fn verdict(&self, tag: &Tag, resolved: &Resolved<'_>) -> Verdict {
        let first = tag.pages.first().copied().unwrap_or(0);
        let document = match resolved.document {
            Ok(document) => document,
            Err(status) => return Verdict { doc: tag.doc.clone(), page: first, label: None, status, found_on: None },
        };
        let quote = tag.quote.as_deref().and_then(|text| Some((text, Quote::new(text)?)));
        let (status, page, found_on) = match quote {
            Some((text, quote)) => self.quoted(text, &quote, document, &resolved.read),
            None => self.unquoted(self.claimed, document, &resolved.read),
        };
        let label = document.seen.pages.get(&page).and_then(|p| p.label.clone());
        Verdict { doc: document.name.to_owned(), page, label, status, found_on }
    }

    fn quoted(&self, text: &str, quote: &Quote, document: &Document<'_>, read: &[u32]) -> (CitationStatus, u32, Option<u32>) {
        let first = read.first().copied().unwrap_or(0);
        let on = read.iter().copied().find(|&p| document.holds_quote(p, quote));
        let on = on.or_else(|| document.holds_across(read, quote).then_some(first));
        let Some(page) = on else {
            let elsewhere = document.seen.pages.keys().copied().find(|&p| !read.contains(&p) && document.holds_quote(p, quote));
            return (CitationStatus::NotFound, first, elsewhere);
        };
        if !self.missing.is_empty() && !self.computed {
            return (CitationStatus::NotFound, page, self.elsewhere(self.missing, document, read));
        }
        if quote.is_strong() {
            let status = if self.computed { CitationStatus::NumbersFound } else { CitationStatus::Verified };
            return (status, page, None);
        }
        // Too little was quoted to prove anything; its numbers count as numbers of the claim.
        let mut all = needs(&Lexed::new(&fold(text), self.style));
        all.extend_from_slice(self.claimed);
        self.unquoted(&all, document, &[page])
    }

    fn unquoted(&self, claimed: &[Need], document: &Document<'_>, read: &[u32]) -> (CitationStatus, u32, Option<u32>) {
        let first = read.first().copied().unwrap_or(0);
        if claimed.is_empty() {
            return (CitationStatus::PageRead, first, None);
        }
        if !self.missing.is_empty() && !self.computed {
            return (CitationStatus::NotFound, first, self.elsewhere(self.missing, document, read));
        }
        // Of citations side by side each must hold at least a part of the claim.
        let held = |page: u32| claimed.iter().filter(|n| document.holds_itself(page, n, self.context)).count();
        let best = read.iter().copied().map(|p| (held(p), std::cmp::Reverse(p))).max();
        let only_names = claimed.iter().all(|n| matches!(n, Need::Reference(..) | Need::Code(_)));
        match best {
            Some((count, page)) if count > 0 => (CitationStatus::NumbersFound, page.0, None),
            _ if only_names => (CitationStatus::PageRead, first, None),
            _ => {
                let all: Vec<&Need> = claimed.iter().collect();
                (CitationStatus::NotFound, first, self.elsewhere(&all, document, read))
            }
        }
    }

    fn elsewhere(&self, wanted: &[&Need], document: &Document<'_>, read: &[u32]) -> Option<u32> {
        let mut others = document.seen.pages.keys().copied().filter(|p| !read.contains(p));
        others.find(|&p| wanted.iter().all(|n| document.holds(p, n, self.context)))
    }
}
