//! What is to be said of pages beside their text: why one has none, what its quality is, what is printed on it.

use crate::index::IndexedPage;
use crate::pdf::PageNote;

use super::measure::prefix;
use super::pages;

/// Room for one printed label.
const LABEL_ROOM: usize = 20;
/// Most runs of labels in one message.
const RUNS: usize = 12;

/// The text of a page as it is returned: a page without text says so and why.
pub(super) fn shown_text(page: &IndexedPage) -> String {
    if !page.text.trim().is_empty() {
        return page.text.clone();
    }
    let why = if page.notes.contains(&PageNote::ImageOnly) {
        "has no text: it holds images only, such as a scan. It would need text recognition (OCR) to be read"
    } else if page.notes.contains(&PageNote::Blank) {
        "is blank: there is neither text nor an image on it"
    } else if page.notes.contains(&PageNote::Undecodable) {
        "has text that could not be decoded: its fonts do not say which characters they draw"
    } else if page.notes.contains(&PageNote::XfaForm) {
        "belongs to a dynamic form whose content only Adobe Acrobat shows"
    } else if page.notes.contains(&PageNote::Damaged) {
        "is damaged, and no text could be read from it"
    } else if page.notes.contains(&PageNote::HiddenText) {
        "shows no text: what there is cannot be seen and was left out"
    } else {
        "has no text"
    };
    format!("[Page {} {why}.]", page.number)
}

/// Notes on the quality of pages that do have text, one sentence each.
pub(super) fn quality(shown: &[&IndexedPage]) -> Vec<String> {
    let with = |note: PageNote, says: &str| {
        let numbers: Vec<u32> = shown
            .iter()
            .filter(|page| page.notes.contains(&note) && !page.text.trim().is_empty())
            .map(|page| page.number)
            .collect();
        let noun = if numbers.len() == 1 { "page" } else { "pages" };
        (!numbers.is_empty()).then(|| format!("On {noun} {} {says}.", pages::list(&pages::ranges_of(&numbers))))
    };
    let empty: Vec<u32> = shown.iter().filter(|page| page.text.trim().is_empty()).map(|page| page.number).collect();
    let without = (!empty.is_empty()).then(|| {
        let noun = if empty.len() == 1 { "Page" } else { "Pages" };
        let verb = if empty.len() == 1 { "has" } else { "have" };
        format!(
            "{noun} {} {verb} no text; content says why. What may stand there cannot be known from here.",
            pages::list(&pages::ranges_of(&empty))
        )
    });
    [
        without,
        with(PageNote::Undecodable, "some characters could not be decoded; take care with words and figures"),
        with(PageNote::HiddenText, "there is text that cannot be seen; it was left out"),
        with(PageNote::Damaged, "only a part could be read; the rest is damaged"),
        with(PageNote::XfaForm, "there is a placeholder of a dynamic form, not the document itself"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Consecutive pages and what is printed on them.
struct Run {
    first: u32,
    last: u32,
    first_label: String,
    last_label: String,
}

/// The printed labels of pages where they differ from the page numbers: "page 5 is printed as 1".
pub(super) fn labels(shown: &[&IndexedPage]) -> Option<String> {
    let mut runs: Vec<Run> = Vec::new();
    for page in shown {
        let Some(label) = page.label.as_deref().and_then(clean) else { continue };
        match runs.last_mut() {
            Some(run) if run.last.checked_add(1) == Some(page.number) && follows(&run.last_label, &label) => {
                run.last = page.number;
                run.last_label = label;
            }
            _ => runs.push(Run { first: page.number, last: page.number, first_label: label.clone(), last_label: label }),
        }
    }
    if runs.is_empty() {
        return None;
    }
    let named: Vec<String> = runs
        .iter()
        .take(RUNS)
        .map(|run| {
            if run.first == run.last {
                format!("page {} is printed as {}", run.first, run.first_label)
            } else {
                format!("pages {}-{} are printed as {}-{}", run.first, run.last, run.first_label, run.last_label)
            }
        })
        .collect();
    let more = if runs.len() > RUNS { ", and so on" } else { "" };
    Some(format!("Printed page numbers differ: {}{more}. Ask for and cite the physical numbers.", named.join(", ")))
}

/// A label without control characters, bounded; `None` when nothing is left.
fn clean(label: &str) -> Option<String> {
    let label: String = prefix(label.trim(), LABEL_ROOM).chars().filter(|c| !c.is_control()).collect();
    (!label.is_empty()).then_some(label)
}

/// Whether `next` is the label that comes after `last`: both count up from the same text in front, or both are small letters alone
/// (roman numerals).
fn follows(last: &str, next: &str) -> bool {
    let split = |label: &str| -> Option<(String, u64)> {
        let digits = label.chars().rev().take_while(char::is_ascii_digit).count();
        let (front, number) = label.split_at_checked(label.len() - digits)?;
        Some((front.to_owned(), number.parse().ok()?))
    };
    match (split(last), split(next)) {
        (Some((front, a)), Some((other, b))) => front == other && a.checked_add(1) == Some(b),
        (None, None) => is_roman(last) && is_roman(next),
        _ => false,
    }
}

fn is_roman(label: &str) -> bool {
    label.chars().all(|c| matches!(c, 'i' | 'v' | 'x' | 'l' | 'c' | 'I' | 'V' | 'X' | 'L' | 'C'))
}
