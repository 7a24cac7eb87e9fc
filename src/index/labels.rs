//! Printed page labels of the file: which physical page is the one that is printed "xii", "7" or "A-3".

use std::collections::HashMap;

use crate::pdf::Page;

/// Pages by their label, where the labels of the file can be believed.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// `None` for a label that several pages have.
    pages: HashMap<String, Option<u32>>,
    /// Page numbers that are printed agree with them.
    confirmed: bool,
}

/// Roman numerals above this are no page numbers.
const ROMAN_MAX: i32 = 399;

impl Labels {
    /// Judges the labels of a file. Nothing is believed where most pages have none, where they only repeat the physical numbers (many
    /// programs write such without knowing what is printed), or where the page numbers that are printed say otherwise.
    pub fn new(pages: &[Page]) -> Self {
        let labelled = pages.iter().filter(|p| p.label.is_some()).count();
        let telling = pages.iter().any(|p| p.label.as_deref().is_some_and(|label| label != p.number.to_string()));
        if labelled * 2 < pages.len() || !telling {
            return Self::default();
        }
        let (mut right, mut wrong) = (0, 0);
        let mut found: HashMap<String, Option<u32>> = HashMap::new();
        for page in pages {
            let Some(label) = page.label.as_deref() else { continue };
            let label = label.trim().to_lowercase();
            match folio(page) {
                // The number may be printed without the prefix.
                Some(folio) if label.strip_suffix(&folio).is_some_and(|prefix| !prefix.ends_with(char::is_alphanumeric)) => {
                    right += 1
                }
                Some(_) => wrong += 1,
                None => {}
            }
            found.entry(label).and_modify(|p| *p = None).or_insert(Some(page.number));
        }
        if wrong > right { Self::default() } else { Self { pages: found, confirmed: right >= 3 } }
    }

    /// The physical page of a label as it is printed ("xii", "7", "A-3").
    pub fn page(&self, label: &str) -> Option<u32> {
        self.pages.get(&label.trim().to_lowercase()).copied().flatten()
    }

    /// Whether the page numbers that are printed agree with the labels; otherwise they are only better than nothing.
    pub fn confirmed(&self) -> bool {
        self.confirmed
    }

    /// The physical page of a printed number; a negative one is roman.
    pub fn page_of(&self, printed: i32) -> Option<u32> {
        if self.pages.is_empty() {
            return None;
        }
        if printed < 0 {
            self.page(&roman(printed.checked_neg().filter(|n| *n <= ROMAN_MAX)?))
        } else {
            self.page(&printed.to_string())
        }
    }
}

/// The page number in the head or the foot of a page, folded to lower case, where there is one on its own.
fn folio(page: &Page) -> Option<String> {
    let numbers =
        page.lines.iter().filter(|l| l.furniture).map(|l| l.text.trim().trim_matches(['-', '–', '—', '|', ' ']).to_lowercase());
    let is_number = |text: &String| {
        !text.is_empty()
            && text.len() <= 8
            && (text.bytes().all(|b| b.is_ascii_digit()) || text.chars().all(|c| matches!(c, 'i' | 'v' | 'x' | 'l' | 'c')))
    };
    let found: Vec<String> = numbers.filter(is_number).collect();
    match found.as_slice() {
        [one] => Some(one.clone()),
        _ => None,
    }
}

fn roman(mut number: i32) -> String {
    const STEPS: [(i32, &str); 9] =
        [(100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")];
    let mut out = String::new();
    for (value, digits) in STEPS {
        while number >= value {
            number -= value;
            out.push_str(digits);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample::{page, text};
    use super::*;

    /// Pages with these labels and printed numbers.
    fn labelled(pages: &[(&str, &str)]) -> Labels {
        let pages: Vec<Page> = (1..)
            .zip(pages)
            .map(|(n, (label, folio))| {
                let mut made = page(n, vec![crate::pdf::Line { furniture: true, ..text(folio, 780.0) }]);
                made.label = (!label.is_empty()).then(|| (*label).to_owned());
                made
            })
            .collect();
        Labels::new(&pages)
    }

    #[test]
    fn roman_prefixed_and_restarted_numbers_are_found() {
        let labels = labelled(&[("Cover", ""), ("i", "i"), ("ii", "ii"), ("1", "1"), ("2", "2"), ("A-1", "A-1"), ("A-2", "A-2")]);
        let found = [labels.page_of(-2), labels.page_of(1), labels.page("A-2"), labels.page(" cover "), labels.page_of(9)];
        assert_eq!(found, [Some(3), Some(4), Some(7), Some(1), None]);
        assert_eq!(labelled(&[("1", ""), ("2", ""), ("1", "")]).page_of(1), None);
    }

    #[test]
    fn labels_that_say_nothing_or_are_wrong_are_not_believed() {
        assert_eq!(labelled(&[("1", "1"), ("2", "2"), ("3", "3")]).page_of(2), None);
        assert_eq!(labelled(&[("5", "1"), ("6", "2"), ("7", "3")]).page_of(6), None);
        assert_eq!(labelled(&[("", ""), ("", ""), ("", ""), ("1", "")]).page_of(1), None);
    }
}
