//! Printed page labels (ISO 32000-2, 12.4.2): a number tree from page index to a style, a prefix and a first number.

use std::collections::{BTreeMap, HashSet};

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, String as PdfString};

use super::strings;

/// Most nodes of the number tree that are read.
const NODES: usize = 10_000;

/// Longest prefix kept, in characters.
const PREFIX_CHARS: usize = 64;

/// Above this, roman numerals and letters would need ever more characters, and no book is numbered so.
const ROMAN_MAX: u64 = 4_999;
const LETTERS_MAX: u64 = 26 * 8;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Range {
    style: Style,
    prefix: String,
    first: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    None,
    Decimal,
    Roman { upper: bool },
    Letters { upper: bool },
}

/// The label of each page; empty where the file defines none. Pages before the first range have none.
pub(super) fn labels(pdf: &Pdf, page_count: u32) -> Vec<Option<String>> {
    let ranges = ranges(pdf);
    if ranges.is_empty() {
        return Vec::new();
    }
    let mut current: Option<(u32, &Range)> = None;
    (0..page_count)
        .map(|index| {
            if let Some(range) = ranges.get(&index) {
                current = Some((index, range));
            }
            let (start, range) = current?;
            let label = range.label(u64::from(index - start));
            (!label.is_empty()).then_some(label)
        })
        .collect()
}

fn ranges(pdf: &Pdf) -> BTreeMap<u32, Range> {
    let xref = pdf.xref();
    let mut found = BTreeMap::new();
    let Some(tree) = xref.get::<Dict<'_>>(xref.root_id()).and_then(|catalog| catalog.get::<Dict<'_>>("PageLabels")) else {
        return found;
    };
    let mut open = vec![tree];
    let mut seen: HashSet<ObjectIdentifier> = HashSet::new();
    let mut nodes = 0;
    while let Some(node) = open.pop() {
        nodes += 1;
        if nodes > NODES {
            break;
        }
        read_numbers(pdf, &node, &mut found);
        for kid in node.get::<Array<'_>>("Kids").into_iter().flat_map(|kids| kids.raw_iter()) {
            let kid = match kid {
                MaybeRef::Ref(r) if seen.insert(r.into()) => xref.get::<Dict<'_>>(r.into()),
                MaybeRef::Ref(_) => None,
                MaybeRef::NotRef(object) => object.into_dict(),
            };
            open.extend(kid);
        }
    }
    found
}

/// Reads the pairs of one node. Broken pairs are passed over; where an index comes twice, the first wins.
fn read_numbers(pdf: &Pdf, node: &Dict<'_>, found: &mut BTreeMap<u32, Range>) {
    let Some(pairs) = node.get::<Array<'_>>("Nums") else { return };
    let mut index: Option<u32> = None;
    let mut is_index = true;
    for item in pairs.raw_iter() {
        let object = match item {
            MaybeRef::Ref(r) => pdf.xref().get::<Object<'_>>(r.into()),
            MaybeRef::NotRef(object) => Some(object),
        };
        if is_index {
            index = object.and_then(Object::into_number).and_then(|n| u32::try_from(n.as_i64()).ok());
        } else if let (Some(index), Some(dict)) = (index, object.and_then(Object::into_dict)) {
            found.entry(index).or_insert_with(|| Range::read(&dict));
        }
        is_index = !is_index;
    }
}

impl Range {
    fn read(dict: &Dict<'_>) -> Self {
        let style = match dict.get::<Name<'_>>("S").as_ref().map(Name::as_str) {
            Some("D") => Style::Decimal,
            Some("R") => Style::Roman { upper: true },
            Some("r") => Style::Roman { upper: false },
            Some("A") => Style::Letters { upper: true },
            Some("a") => Style::Letters { upper: false },
            _ => Style::None,
        };
        let prefix = dict.get::<PdfString<'_>>("P").map(|p| strings::decode(p.as_bytes())).unwrap_or_default();
        let prefix = prefix.chars().filter(|c| !c.is_control()).take(PREFIX_CHARS).collect();
        let first = dict.get::<i64>("St").and_then(|n| u64::try_from(n).ok()).filter(|n| *n > 0).unwrap_or(1);
        Self { style, prefix, first }
    }

    fn label(&self, offset: u64) -> String {
        let number = self.first.saturating_add(offset);
        let printed = match self.style {
            Style::None => String::new(),
            Style::Roman { upper } if number <= ROMAN_MAX => cased(roman(number), upper),
            Style::Letters { upper } if number <= LETTERS_MAX => cased(letters(number), upper),
            Style::Decimal | Style::Roman { .. } | Style::Letters { .. } => number.to_string(),
        };
        // A trailing space in a prefix is only there to set the number apart.
        format!("{}{printed}", self.prefix).trim().to_owned()
    }
}

fn cased(lower: String, upper: bool) -> String {
    if upper { lower.to_ascii_uppercase() } else { lower }
}

fn roman(mut number: u64) -> String {
    const STEPS: [(u64, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut out = String::new();
    for (value, digits) in STEPS {
        while number >= value {
            out.push_str(digits);
            number -= value;
        }
    }
    out
}

/// a to z, then aa to zz, then aaa: the letter is repeated (ISO 32000-2, table 161).
fn letters(number: u64) -> String {
    let index = number.saturating_sub(1);
    let letter = u8::try_from(index % 26).map_or('a', |i| char::from(b'a' + i));
    std::iter::repeat_n(letter, usize::try_from(index / 26).unwrap_or(0) + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals() {
        let said: Vec<String> = [1, 4, 9, 14, 40, 90, 400, 1994, 4999].map(roman).into();
        assert_eq!(said, ["i", "iv", "ix", "xiv", "xl", "xc", "cd", "mcmxciv", "mmmmcmxcix"]);
        let said: Vec<String> = [1, 26, 27, 52, 53].map(letters).into();
        assert_eq!(said, ["a", "z", "aa", "zz", "aaa"]);
    }

    #[test]
    fn enormous_numbers_stay_short() {
        for style in [Style::Decimal, Style::Roman { upper: true }, Style::Letters { upper: false }] {
            let range = Range { style, prefix: String::new(), first: u64::MAX - 1 };
            assert!(range.label(7).len() <= 20);
        }
    }
}
