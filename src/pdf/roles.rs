//! What the types of structure elements mean: the standard types of PDF 1.7 and 2.0, and those that a file maps to them.

use std::collections::HashMap;

use super::Role;

/// A type may be mapped to one that is mapped again; more steps than this are a loop.
const STEPS: usize = 8;

/// Most entries read of the map of types; programs write a few dozen.
const TYPES: usize = 10_000;

/// What an element of a type is to those inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A part of the document that may have a heading.
    Section,
    /// A heading; without a level, it has that of the section that it stands in.
    Heading(Option<u8>),
    /// Something that is no heading.
    Plain(Role),
    /// It says nothing: what is inside is what the element around it is.
    Neutral,
}

/// The map of types of a file.
#[derive(Debug, Default)]
pub(super) struct Roles {
    mapped: HashMap<Vec<u8>, Vec<u8>>,
    known: HashMap<Vec<u8>, Kind>,
}

impl Roles {
    /// From pairs of a type and what it is mapped to.
    pub(super) fn new(pairs: impl Iterator<Item = (Vec<u8>, Vec<u8>)>) -> Self {
        Self { mapped: pairs.take(TYPES).collect(), known: HashMap::new() }
    }

    /// What a type means.
    pub(super) fn kind(&mut self, name: &[u8]) -> Kind {
        if let Some(kind) = self.known.get(name) {
            return *kind;
        }
        let kind = self.find(name);
        if self.known.len() < TYPES {
            self.known.insert(name.to_vec(), kind);
        }
        kind
    }

    fn find(&self, name: &[u8]) -> Kind {
        if let Some(kind) = standard(name) {
            return kind;
        }
        let mut at = name;
        let mut found = Kind::Neutral;
        for _ in 0..STEPS {
            let Some(next) = self.mapped.get(at) else { break };
            if let Some(kind) = standard(next) {
                found = kind;
                break;
            }
            at = next;
        }
        // Programs for layout map all styles of paragraphs to P and keep their names.
        match found {
            Kind::Neutral | Kind::Section | Kind::Plain(Role::Paragraph) => by_name(name).unwrap_or(found),
            found => found,
        }
    }
}

/// What a standard type means (ISO 32000-1, 14.8.4, and ISO 32000-2, 14.8.4).
fn standard(name: &[u8]) -> Option<Kind> {
    Some(match name {
        b"Part" | b"Art" | b"Sect" => Kind::Section,
        b"H" => Kind::Heading(None),
        b"Title" => Kind::Plain(Role::Title),
        b"P" | b"BlockQuote" | b"Code" | b"Formula" => Kind::Plain(Role::Paragraph),
        b"Caption" => Kind::Plain(Role::Caption),
        b"Table" | b"TR" | b"TH" | b"TD" | b"THead" | b"TBody" | b"TFoot" => Kind::Plain(Role::Cell),
        b"L" | b"LI" | b"LBody" => Kind::Plain(Role::ListItem),
        b"TOC" | b"TOCI" => Kind::Plain(Role::Contents),
        b"Note" | b"FENote" => Kind::Plain(Role::Note),
        b"Figure" => Kind::Plain(Role::Figure),
        b"Artifact" => Kind::Plain(Role::Artifact),
        b"Document" | b"DocumentFragment" | b"Div" | b"Aside" | b"Index" | b"NonStruct" | b"Private" | b"Span" | b"Quote"
        | b"Em" | b"Strong" | b"Sub" | b"Lbl" | b"Reference" | b"BibEntry" | b"Link" | b"Annot" | b"Form" | b"Ruby" | b"RB"
        | b"RT" | b"RP" | b"Warichu" | b"WT" | b"WP" => Kind::Neutral,
        [b'H', digits @ ..] if !digits.is_empty() && digits.len() <= 2 => {
            let level = std::str::from_utf8(digits).ok()?.parse::<u8>().ok().filter(|n| *n > 0)?;
            Kind::Heading(Some(level))
        }
        _ => return None,
    })
}

/// What the name of a style says, in the languages that programs name them in.
fn by_name(name: &[u8]) -> Option<Kind> {
    const HEADINGS: &[&str] = &[
        "heading",
        "head",
        "h",
        "überschrift",
        "ueberschrift",
        "titre",
        "titolo",
        "título",
        "titulo",
        "kop",
        "rubrik",
        "overskrift",
        "otsikko",
        "nagłówek",
        "заголовок",
        "見出し",
        "标题",
        "標題",
        "제목",
    ];
    let folded: String =
        String::from_utf8_lossy(name).chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let word = folded.trim_end_matches(|c: char| c.is_ascii_digit());
    let level = folded.get(word.len()..).and_then(|digits| digits.parse::<u8>().ok()).filter(|n| (1..=9).contains(n));
    let begins = |heads: &[&str]| heads.iter().any(|head| word.starts_with(head));
    Some(match (word, level) {
        (word, Some(level)) if HEADINGS.contains(&word) => Kind::Heading(Some(level)),
        ("heading" | "überschrift", None) => Kind::Heading(None),
        ("title" | "titel" | "doctitle" | "documenttitle" | "booktitle", _) => Kind::Plain(Role::Title),
        ("header" | "footer" | "runninghead", _) => Kind::Plain(Role::Artifact),
        _ if begins(&["toc", "tableofcontents", "inhaltsverz"]) => Kind::Plain(Role::Contents),
        _ if begins(&["caption", "bildunterschrift", "beschriftung", "légende"]) => Kind::Plain(Role::Caption),
        _ if begins(&["footnote", "endnote", "fußnote", "fussnote"]) => Kind::Plain(Role::Note),
        _ if begins(&["tabletext", "tablehead", "tablebody", "tablecell"]) => Kind::Plain(Role::Cell),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(pairs: &[(&str, &str)], names: &[&str]) -> Vec<Kind> {
        let mut roles = Roles::new(pairs.iter().map(|(a, b)| (a.as_bytes().to_vec(), b.as_bytes().to_vec())));
        names.iter().map(|name| roles.kind(name.as_bytes())).collect()
    }

    #[test]
    fn standard_types_of_both_versions() {
        let got = kinds(&[], &["H", "H1", "H12", "H0", "Hx", "Title", "FENote", "TOCI", "TH", "Em", "Sect"]);
        let plain = Kind::Plain;
        let want = [
            Kind::Heading(None),
            Kind::Heading(Some(1)),
            Kind::Heading(Some(12)),
            Kind::Neutral,
            Kind::Neutral,
            plain(Role::Title),
            plain(Role::Note),
            plain(Role::Contents),
            plain(Role::Cell),
            Kind::Neutral,
            Kind::Section,
        ];
        assert_eq!(got, want);
    }

    #[test]
    fn own_types_mean_what_they_are_mapped_to() {
        let map = [("Chap", "Big"), ("Big", "H1"), ("A", "B"), ("B", "A"), ("H2", "P")];
        let got = kinds(&map, &["Chap", "A", "H2", "Nobody"]);
        assert_eq!(got, [Kind::Heading(Some(1)), Kind::Neutral, Kind::Heading(Some(2)), Kind::Neutral]);
    }

    #[test]
    fn names_of_styles_tell_where_all_are_paragraphs() {
        let names = ["Heading_1", "Überschrift 2", "Caption", "TOC 3", "Header", "Headline", "Body"];
        let map: Vec<(&str, &str)> = names.iter().map(|name| (*name, "P")).collect();
        let plain = Kind::Plain;
        let want = [
            Kind::Heading(Some(1)),
            Kind::Heading(Some(2)),
            plain(Role::Caption),
            plain(Role::Contents),
            plain(Role::Artifact),
            plain(Role::Paragraph),
            plain(Role::Paragraph),
        ];
        assert_eq!(kinds(&map, &names), want);
        assert_eq!(kinds(&[("Heading 1", "Figure")], &["Heading 1"]), [plain(Role::Figure)]);
    }
}
