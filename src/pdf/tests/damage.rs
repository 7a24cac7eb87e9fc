//! Files that are no PDF, or broken.

use proptest::prelude::*;

use super::forge::{document, patched, pdf};
use super::open;
use crate::pdf::{FileNote, Limits, OpenOptions, PageNote, PdfErrorKind, PdfFile};

fn kind_of(bytes: &[u8]) -> PdfErrorKind {
    open(bytes).unwrap_err().kind
}

#[test]
fn messages_say_what_it_is_and_what_to_do() {
    let say = |bytes: &[u8]| open(bytes).unwrap_err().to_string();
    let truncated = document(&["One"], "", &[]);
    let said = [
        say(b""),
        say(b"<html><body>Please log in</body></html>"),
        say(b"just some words"),
        say(b"PK\x03\x04 word/document.xml"),
        say(b"%PDF-1.7\nnothing else"),
        say(&document(&[], "", &[])),
        say(&truncated[..100]),
    ];
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn names_of_files_stand_in_messages() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("notes.pdf");
    std::fs::write(&path, "not a PDF").unwrap();
    let error = PdfFile::open(&path, &OpenOptions::default()).unwrap_err();
    assert!(error.message.starts_with("notes.pdf is not a PDF"), "{error}");
    let missing = PdfFile::open(&dir.path().join("none.pdf"), &OpenOptions::default()).unwrap_err();
    assert_eq!(missing.kind, PdfErrorKind::Unreadable);
}

#[test]
fn page_trees_without_pages() {
    assert_eq!(kind_of(&document(&[], "", &[])), PdfErrorKind::NoPages);
    let null = pdf(&["<</Type/Catalog/Pages 2 0 R>>".into(), "null".into()]);
    assert_eq!(kind_of(&null), PdfErrorKind::Damaged);
    // The tree is gone, but a page is left: its number is unknown.
    let lost = patched(&document(&["One"], "", &[]), "/Pages 2 0 R", "/Pages 8 0 R");
    let error = open(&lost).unwrap_err();
    assert_eq!(error.kind, PdfErrorKind::Damaged);
    assert!(error.message.contains("loose pages are left in no known order: 1"), "{error}");
}

#[test]
fn page_trees_in_circles() {
    let bytes = patched(&document(&["One", "Two"], "", &[]), "[4 0 R 6 0 R]", "[4 0 R 2 0 R]");
    let file = open(&bytes).unwrap();
    assert_eq!(file.page(1).text, "One");
    let alone = pdf(&["<</Type/Catalog/Pages 2 0 R>>".into(), "<</Type/Pages/Kids[2 0 R]/Count 1>>".into()]);
    assert_eq!(kind_of(&alone), PdfErrorKind::Damaged);
}

#[test]
fn a_page_that_is_missing_keeps_its_number() {
    let bytes = patched(&document(&["One", "Two", "Three"], "", &[]), "6 0 obj\n<</Ty", "6 0 obj\nnull%");
    let file = open(&bytes).unwrap();
    assert_eq!(file.page_count(), 3);
    assert_eq!(file.notes(), [FileNote::Repaired]);
    let pages = file.pages(2, &|_| {});
    assert_eq!(pages[1].notes, [PageNote::Damaged]);
    assert_eq!((pages[0].text.as_str(), pages[1].text.as_str(), pages[2].text.as_str()), ("One", "", "Three"));
}

#[test]
fn broken_cross_references_are_rebuilt() {
    let good = document(&["One", "Two"], "", &[]);
    let bytes = patched(&good, "\nxref\n", "\nxxxx\n");
    let file = open(&bytes).unwrap();
    assert_eq!(file.notes(), [FileNote::Repaired]);
    assert_eq!(file.page(2).text, "Two");
    assert!(open(&good).unwrap().notes().is_empty());
}

#[test]
fn foreign_bytes_before_the_header() {
    let bytes = [b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n".as_slice(), &document(&["One"], "", &[])].concat();
    let file = open(&bytes).unwrap();
    assert_eq!(file.page(1).text, "One");
    assert_eq!(file.byte_len(), bytes.len() as u64);
}

#[test]
fn bounds_on_bytes_and_pages() {
    let bytes = document(&["One", "Two", "Three"], "", &[]);
    let small = Limits { file_bytes: 100, ..Limits::default() };
    let error = PdfFile::from_bytes(bytes.clone(), &OpenOptions { limits: small, ..OpenOptions::default() }).unwrap_err();
    assert_eq!(error.kind, PdfErrorKind::Damaged);
    let few = Limits { pages: 2, ..Limits::default() };
    let file = PdfFile::from_bytes(bytes, &OpenOptions { limits: few, ..OpenOptions::default() }).unwrap();
    assert_eq!((file.page_count(), file.notes()), (2, vec![FileNote::CutShort]));
    assert_eq!(file.pages(1, &|_| {}).len(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_damage_gets_out(places in prop::collection::vec((0.0..1.0_f64, any::<u8>()), 1..12), keep in 0.3..1.0_f64) {
        let outline = "/Outlines 8 0 R/PageLabels<</Nums[0<</S/r>>]>>";
        let entries = ["<</First 9 0 R>>", "<</Title(One)/Dest[4 0 R/XYZ 0 700 0]>>"];
        let mut bytes = document(&["One", "Two"], outline, &entries);
        let len = bytes.len() as f64;
        for (place, byte) in places {
            bytes[(place * len) as usize] = byte;
        }
        bytes.truncate((keep * len) as usize);
        if let Ok(file) = open(&bytes) {
            prop_assert_eq!(file.pages(1, &|_| {}).len(), file.page_count() as usize);
        }
    }
}
