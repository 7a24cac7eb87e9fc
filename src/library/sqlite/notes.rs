//! Notes on a file and its pages, in the short form in which they are stored: `repaired`, `image_only: 3-5`.

use serde::Serialize;

use crate::index::IndexedDocument;

/// Longest list of pages in one note, in characters; what comes after is counted.
const LIST_CHARS: usize = 200;

/// All notes: those on the file first, then those on pages, each kind once with its pages.
pub(super) fn of(document: &IndexedDocument) -> Vec<String> {
    let mut notes: Vec<String> = document.notes.iter().filter_map(name_of).collect();
    notes.dedup();
    let mut kinds: Vec<_> = document.pages.iter().flat_map(|page| page.notes.iter().copied()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let pages: Vec<u32> = document.pages.iter().filter(|page| page.notes.contains(&kind)).map(|page| page.number).collect();
        notes.push(format!("{}: {}", kind.as_str(), ranges(&pages)));
    }
    notes
}

fn name_of(note: &impl Serialize) -> Option<String> {
    serde_json::to_value(note).ok()?.as_str().map(str::to_owned)
}

/// Ascending numbers as ranges: `1-3,7`; a long list ends with how many there are in all.
fn ranges(pages: &[u32]) -> String {
    let mut list = String::new();
    let mut rest = pages;
    while let Some(first) = rest.first() {
        let length = rest.iter().zip(*first..).take_while(|(page, expected)| *page == expected).count();
        if list.len() > LIST_CHARS {
            list += &format!(",... {} pages in all", pages.len());
            break;
        }
        if !list.is_empty() {
            list.push(',');
        }
        match rest.get(length - 1) {
            Some(last) if last > first => list += &format!("{first}-{last}"),
            _ => list += &first.to_string(),
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    list
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn page_lists_are_short() {
        assert_eq!(ranges(&[1, 2, 3, 7]), "1-3,7");
        assert_eq!(ranges(&[5]), "5");
        assert_eq!(ranges(&[]), "");
        let odd: Vec<u32> = (0..5_000).map(|n| n * 2 + 1).collect();
        let list = ranges(&odd);
        assert!(list.len() < 250 && list.ends_with(",... 5000 pages in all"), "{list}");
    }
}
