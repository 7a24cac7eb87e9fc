//! What notes on a file say to people and to agents.

use super::DocumentRecord;

impl DocumentRecord {
    /// The notes on the file and its pages in words, each one a clause: "pages 3-5 hold images only". A note of an unknown kind stays as it
    /// is.
    pub fn notes_in_words(&self) -> Vec<String> {
        self.notes.iter().map(|note| in_words(note)).collect()
    }
}

fn in_words(note: &str) -> String {
    let Some((kind, pages)) = note.split_once(": ") else {
        return match note {
            "repaired" => "the file was damaged and was repaired while it was read",
            "copy_forbidden" => "the file forbids copying its text",
            "xfa_form" => "the file is a dynamic form; only Adobe Acrobat shows all of it",
            "cut_short" => "the file is larger than the bounds on time, pages or memory, so that not all of it was read",
            other => other,
        }
        .to_owned();
    };
    let one = pages.bytes().all(|b| b.is_ascii_digit());
    let (noun, pages) = (if one { "page" } else { "pages" }, pages.replace(',', ", "));
    let verb = |singular: &str, plural: &str| format!("{noun} {pages} {}", if one { singular } else { plural });
    match kind {
        "image_only" => verb("holds images only, such as a scan", "hold images only, such as scans"),
        "blank" => verb("is blank", "are blank"),
        "undecodable" => format!("{noun} {pages}: some characters could not be decoded"),
        "hidden_text" => verb("has text that cannot be seen; it was left out", "have text that cannot be seen; it was left out"),
        "xfa_form" => verb("is a placeholder of a dynamic form", "are placeholders of a dynamic form"),
        "damaged" => verb("is damaged and was read only in part", "are damaged and were read only in part"),
        _ => note.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn notes_are_said_in_words() {
        assert_eq!(in_words("hidden_text: 7"), "page 7 has text that cannot be seen; it was left out");
        assert_eq!(in_words("hidden_text: 2,7"), "pages 2, 7 have text that cannot be seen; it was left out");
        assert_eq!(in_words("image_only: 3-5"), "pages 3-5 hold images only, such as scans");
        assert_eq!(in_words("undecodable: 4"), "page 4: some characters could not be decoded");
        assert_eq!(in_words("repaired"), "the file was damaged and was repaired while it was read");
        assert_eq!(in_words("new_kind: 4"), "new_kind: 4");
    }

    /// Every note that the PDF room knows has words.
    #[test]
    fn no_kind_is_left_without_words() {
        use crate::pdf::{FileNote, PageNote};
        use PageNote::{Blank, Damaged, HiddenText, ImageOnly, Undecodable, XfaForm};
        for note in [ImageOnly, Blank, Undecodable, HiddenText, XfaForm, Damaged] {
            let said = in_words(&format!("{}: 1-2", note.as_str()));
            assert!(said.starts_with("pages 1-2"), "{said}");
            assert!(!said.contains('_'), "{said}");
        }
        for note in [FileNote::Repaired, FileNote::CopyForbidden, FileNote::XfaForm, FileNote::CutShort] {
            let name = serde_json::to_value(note).unwrap();
            assert!(in_words(name.as_str().unwrap()).starts_with("the file "), "{name}");
        }
    }
}
