//! Citations: found in the model's text, numbered, and checked against the pages that were read.
//!
//! The way of a text: `parse` finds the tags, `render` makes `[n]` of them, `claims` finds what each stands for, `check` compares claim and
//! quote with the ledger. Comparison rests on `fold` (one spelling), `lex` (words and numbers), `quotes` and `agree`.

mod agree;
mod attributes;
mod check;
mod claims;
mod computed;
mod dates;
mod figures;
mod fold;
mod grouped;
mod lex;
mod names;
mod nearby;
mod needs;
mod numbers;
mod pages;
mod parse;
mod quotes;
mod render;
mod rows;
mod spelled;
mod stream;
mod uncited;
mod words;

#[cfg(test)]
mod bounds_tests;
#[cfg(test)]
mod mutation_tests;
#[cfg(test)]
mod odd_tags_tests;
#[cfg(test)]
mod table_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod uncited_tests;

pub use stream::CiteStream;

use self::parse::Found;
use self::render::{Numbering, Piece};
use super::evidence::EvidenceLedger;
use super::types::{Citation, CitationStatus, Unsupported};

/// A text with its citations resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Checked {
    /// The text for people, with `[n]` marks.
    pub answer: String,
    /// The citations by number.
    pub citations: Vec<Citation>,
    /// Figures of uncited sentences that stand on no page that was read.
    pub unsupported: Vec<Unsupported>,
}

/// What tags a text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tags {
    /// How many citations.
    pub citations: usize,
    /// The tag that says "the documents do not say it", at the beginning or anywhere.
    pub not_found: Option<Place>,
}

/// Where a tag stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Before all words.
    Beginning,
    /// After some.
    Later,
}

/// Looks for tags.
pub(super) fn tags(raw: &str) -> Tags {
    let mut out = Tags { citations: 0, not_found: None };
    let mut begun = false;
    for piece in render::pieces(raw) {
        match piece {
            Piece::Text(text) => begun |= text.chars().any(char::is_alphanumeric),
            Piece::Found(Found::Cite(tags)) => out.citations += tags.len(),
            Piece::Found(Found::Absence) => {
                out.not_found = out.not_found.or(Some(if begun { Place::Later } else { Place::Beginning }));
            }
            Piece::Found(Found::Junk) => {}
        }
    }
    out
}

/// The text for people.
pub(super) fn display(raw: &str) -> String {
    render::display(&render::pieces(raw))
}

/// A text folded for comparing phrases.
pub(super) fn folded(raw: &str) -> String {
    fold::fold(raw)
}

/// Resolves and checks the citations of an answer, and the figures that it gives without any. `asked` is what the user said.
pub(super) fn check(raw: &str, ledger: &EvidenceLedger, asked: &str) -> Checked {
    check_with(raw, &check::Checker::new(ledger), asked)
}

fn check_with(raw: &str, checker: &check::Checker<'_>, asked: &str) -> Checked {
    let pieces = render::pieces(raw);
    let passage = claims::passage(&pieces);
    let verdicts = checker.check(&passage);
    let mut numbering = Numbering::default();
    let mut citations: Vec<Citation> = Vec::new();
    let tags = passage.groups.iter().flat_map(|g| &g.tags);
    for (tag, verdict) in tags.zip(verdicts) {
        let n = numbering.number(tag);
        let quote = tag.quote.as_deref().map(render::one_line);
        let citation = Citation {
            n,
            doc: verdict.doc,
            page: verdict.page,
            label: verdict.label,
            quote,
            status: verdict.status,
            found_on: verdict.found_on,
        };
        // Numbers are given in order of appearance.
        match citations.get_mut(usize::try_from(n).unwrap_or(usize::MAX).saturating_sub(1)) {
            // The same citation for two claims is as good as it is for the weaker one.
            Some(known) if rank(citation.status) > rank(known.status) => *known = citation,
            Some(_) => {}
            None => citations.push(citation),
        }
    }
    let unsupported = uncited::unsupported(&passage, checker, asked);
    Checked { answer: render::display(&pieces), citations, unsupported }
}

/// From good to bad.
fn rank(status: CitationStatus) -> u8 {
    match status {
        CitationStatus::Verified => 0,
        CitationStatus::NumbersFound => 1,
        CitationStatus::PageRead => 2,
        CitationStatus::NotFound => 3,
        CitationStatus::Unread => 4,
        CitationStatus::NoSuchPage => 5,
        CitationStatus::NoSuchDocument => 6,
    }
}
