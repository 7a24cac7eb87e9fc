//! One line on what a document is: kind, organisation, period, title.

pub(super) mod dates;
mod doctitle;
mod front;
mod institutions;
mod kinds;
mod naming;
mod organisation;
mod people;
mod period;
mod prescribed;

use crate::pdf::{Info, Page};

use super::titles::{clean, fold, has_letters, shorten};
use doctitle::readable;
use front::Front;
use kinds::{Kind, Tie};

/// Longest description, in characters.
const LONGEST: usize = 200;

/// What can be told of a document. What is not sure is left out: a wrong name is worse than none.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    pub kind: Option<&'static Kind>,
    pub organisation: Option<String>,
    pub period: Option<String>,
    pub title: Option<String>,
}

/// Reads the first pages for kind, organisation, period and title.
pub(super) fn told(pages: &[Page], info: &Info) -> Told {
    let front = Front::of(pages);
    let title = doctitle::title(&front, info);
    let kind = naming::kind(&front, title.as_deref());
    let organisation = organisation::organisation(&front, info, kind, title.as_deref());
    let period = period::period(&front, title.as_deref(), kind);
    Told { kind, organisation, period, title }
}

/// The description; never empty, at most [`LONGEST`] characters.
pub(super) fn describe(told: &Told, pages: &[Page]) -> String {
    let text = compose(told);
    let text = if text.is_empty() { fallback(pages) } else { text };
    shorten(&text, LONGEST)
}

fn compose(told: &Told) -> String {
    let mut out = String::new();
    match (told.kind, &told.title) {
        (Some(kind), _) => out.push_str(kind.name),
        (None, Some(title)) => out.push_str(title),
        (None, None) => {}
    }
    let periodic = told.kind.is_some_and(|k| k.tie == Tie::Period);
    if let Some(name) = told.organisation.as_deref().filter(|name| !fold(&out).contains(&fold(name))) {
        out.push_str(if out.is_empty() {
            "Document of "
        } else if periodic {
            " of "
        } else {
            " by "
        });
        out.push_str(name);
    }
    if let Some(period) = told.period.as_deref().filter(|p| !fold(&out).contains(&fold(p))) {
        if !out.is_empty() {
            out.push_str(", ");
        }
        out.push_str(period);
    }
    // Of a report, who and when say more than its title.
    let enough = periodic && told.organisation.is_some() && told.period.is_some();
    if told.kind.is_some()
        && !enough
        && let Some(title) = &told.title
    {
        // A title that only repeats what is already said adds nothing.
        let said = fold(&out);
        let words: Vec<String> = title.split_whitespace().map(fold).filter(|w| w.chars().count() >= 2).collect();
        let new = words.iter().filter(|w| !said.contains(w.as_str())).count();
        if new > 0 || words.is_empty() {
            out.push_str(": ");
            out.push_str(title);
        }
    }
    out
}

/// The first line that can be read, or what there is instead.
fn fallback(pages: &[Page]) -> String {
    let lines = || pages.iter().take(20).flat_map(|p| &p.lines);
    let line = lines().find(|l| has_letters(&l.text, 6) && readable(&l.text)).map(|l| clean(&l.text));
    let some = || lines().find(|l| has_letters(&l.text, 1)).is_some();
    match (line, pages.len()) {
        (Some(line), _) => line,
        (None, 1) if some() => "One page with little text".to_owned(),
        (None, 1) => "One page without readable text".to_owned(),
        (None, n) if some() => format!("{n} pages with little text"),
        (None, n) => format!("{n} pages without readable text"),
    }
}
