//! Page numbers as models write them in citations: `3`, `p. 3`, `pp. 3-5`, `3, 5 and 7`.

/// Pages of one citation that are looked at. A citation of many pages says nothing about where something stands.
pub(super) const MAX_PAGES: usize = 6;

/// Reads a list of pages: nothing but page words, numbers and what joins them. `None` for anything else.
pub(super) fn page_list(text: &str) -> Option<Vec<u32>> {
    let mut pages: Vec<u32> = Vec::new();
    let mut range_from: Option<u32> = None;
    let mut rest = text.trim();
    if !is_whole(rest) {
        return None;
    }
    while let Some(c) = rest.chars().next() {
        if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            // A number too large for a page is no page that exists.
            let page: u32 = rest.get(..end)?.parse().unwrap_or(u32::MAX);
            add(&mut pages, range_from.take(), page);
            rest = rest.get(end..)?;
        } else if matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}') {
            range_from = pages.last().copied();
            rest = rest.get(c.len_utf8()..)?;
        } else if c.is_whitespace() || matches!(c, ',' | '.' | '&' | '#' | ':' | '=') {
            rest = rest.get(c.len_utf8()..)?;
        } else if c.is_alphabetic() {
            let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
            let word = rest.get(..end)?.to_lowercase();
            match word.as_str() {
                "to" | "bis" | "à" | "through" if !pages.is_empty() => range_from = pages.last().copied(),
                "and" | "und" | "et" | "y" | "e" if !pages.is_empty() => {}
                "of" | "von" | "sur" | "de" if !pages.is_empty() => break,
                "s" | "no" | "number" if pages.is_empty() => {}
                w if super::words::is_page_word(w) => {}
                _ => return None,
            }
            rest = rest.get(end..)?;
        } else {
            return None;
        }
    }
    pages.truncate(MAX_PAGES);
    (!pages.is_empty()).then_some(pages)
}

/// Whether all numbers are whole ones: "26.5", "-26" and "26e1" name no page, and must not be taken for page 26.
fn is_whole(text: &str) -> bool {
    let is_sign = |c: char| matches!(c, '-' | '+' | '\u{2212}');
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    if text.starts_with(is_sign) && digit(text.chars().nth(1)) {
        return false;
    }
    text.char_indices().all(|(at, c)| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + c.len_utf8()..).and_then(|t| t.chars().next());
        !(digit(before) && (c.is_alphabetic() || c == '.') && digit(after))
    })
}

/// Characters of the longest printed label.
const LONGEST_LABEL: usize = 10;

/// Reads a printed label: a Roman number, or letters and a number such as `F-12`. `None` for anything else.
pub(super) fn page_label(text: &str) -> Option<String> {
    let mut words = text.split([' ', ',', ':', '=']).filter(|w| !w.is_empty());
    let first = words.next()?;
    let is_lead = super::words::is_page_word(first.trim_end_matches('.').to_lowercase().as_str());
    let label = if is_lead { words.next()? } else { first };
    let roman = label.chars().all(|c| matches!(c.to_ascii_lowercase(), 'i' | 'v' | 'x' | 'l' | 'c' | 'd' | 'm'));
    let lettered = label.starts_with(|c: char| c.is_ascii_alphabetic())
        && label.ends_with(|c: char| c.is_ascii_digit())
        && label.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.'));
    let short = label.len() <= LONGEST_LABEL && words.next().is_none();
    (short && (roman || lettered)).then(|| label.to_owned())
}

fn add(pages: &mut Vec<u32>, from: Option<u32>, page: u32) {
    let first = from.map_or(page, |f| f.saturating_add(1).min(page));
    for p in (first..=page).take(MAX_PAGES) {
        if !pages.contains(&p) {
            pages.push(p);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_lists_in_many_forms() {
        for (text, want) in [
            ("3", Some(vec![3])),
            ("p. 3", Some(vec![3])),
            ("pp. 3–5", Some(vec![3, 4, 5])),
            ("pages 3, 5 and 7", Some(vec![3, 5, 7])),
            ("S. 12", Some(vec![12])),
            ("page=4", Some(vec![4])),
            ("12 of 40", Some(vec![12])),
            ("1-1000000000", Some(vec![1, 2, 3, 4, 5, 6])),
            ("99999999999", Some(vec![u32::MAX])),
            ("5-3", Some(vec![5, 3])),
            ("-26", None),
            ("26.5", None),
            ("26e1", None),
            ("p.26", Some(vec![26])),
            ("iv", None),
            ("", None),
            ("section 4", None),
        ] {
            assert_eq!(page_list(text), want, "{text}");
        }
    }
}
