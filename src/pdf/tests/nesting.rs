//! Things within things without end, and pages with more on them than is read.

use super::forge::{document, pdf};
use super::open;
use crate::pdf::{FileNote, Limits, OpenOptions, PageNote, PdfFile};

/// Deeper than a stack could follow one call for each.
const DEEP: usize = 200_000;

fn stream(dictionary: &str, content: &str) -> String {
    format!("<<{dictionary}/Length {}>>stream\n{content}\nendstream", content.len())
}

/// A page with this content, a font F1, a form X (object 6) with this content, and objects from 7 on.
fn page(content: &str, form: &str, more: &[String]) -> Vec<u8> {
    let form_resources = "/Resources<</XObject<</X 6 0 R/Y 7 0 R>>/Font<</F1 5 0 R>>>>";
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]{form_resources}/Contents 4 0 R>>"),
        stream("", content),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
        stream(&format!("/Type/XObject/Subtype/Form/BBox[0 0 600 800]{form_resources}"), form),
    ];
    objects.extend_from_slice(more);
    pdf(&objects)
}

fn text_of(bytes: &[u8]) -> String {
    open(bytes).unwrap().page(1).text
}

const WORDS: &str = "BT /F1 12 Tf 72 700 Td (Words) Tj ET";

#[test]
fn deep_operands_cost_themselves_only() {
    for opening in ["[", "<</A", "<</A[", "/P<</A"] {
        let content = format!("{WORDS} {}", opening.repeat(DEEP));
        assert_eq!(text_of(&page(&content, "", &[])), "Words", "{opening}");
    }
}

#[test]
fn deep_states_and_marks_are_counted() {
    let states = format!("{}{WORDS}{}", "q ".repeat(DEEP), " Q".repeat(DEEP));
    assert_eq!(text_of(&page(&states, "", &[])), "Words");
    let marks = format!("{}{WORDS}{}", "/P BMC ".repeat(DEEP), " EMC".repeat(DEEP));
    assert_eq!(text_of(&page(&marks, "", &[])), "Words");
}

#[test]
fn deep_objects_do_not_stop_the_file() {
    for (opening, closing) in [("[", "]"), ("<</A", ">>")] {
        let deep = format!("{}1{}", opening.repeat(DEEP), closing.repeat(DEEP));
        let bytes = document(&["One"], "/Outlines 6 0 R/PageLabels 6 0 R/Names 6 0 R/AcroForm 6 0 R/OCProperties 6 0 R", &[&deep]);
        assert_eq!(text_of(&bytes), "One", "{opening}");
    }
}

#[test]
fn forms_that_call_forms_end() {
    // Each form draws the next one ten times: a billion runs.
    let content = format!("{WORDS} /X Do");
    let next = |n: usize| {
        let resources = format!("/Resources<</XObject<</X {n} 0 R>>>>");
        stream(&format!("/Type/XObject/Subtype/Form/BBox[0 0 600 800]{resources}"), &"/X Do ".repeat(10))
    };
    let chain: Vec<String> = (7..17).map(|n| next(n + 1)).collect();
    let limits = Limits { page_operators: 20_000, ..Limits::default() };
    let bytes = page(&content, &"/Y Do ".repeat(10), &chain);
    let file = PdfFile::from_bytes(bytes, &OpenOptions { limits, ..OpenOptions::default() }).unwrap();
    let read = file.page(1);
    assert_eq!(read.text, "Words");
    assert!(read.notes.contains(&PageNote::Damaged));
    // One that draws itself does so once.
    assert_eq!(text_of(&page("/X Do", &format!("{WORDS} /X Do"), &[])), "Words");
}

#[test]
fn page_trees_deeper_than_any_are_cut() {
    let mut objects = vec!["<</Type/Catalog/Pages 2 0 R>>".to_owned()];
    for n in 2..3_000 {
        objects.push(format!("<</Type/Pages/Kids[{} 0 R]/Count 1>>", n + 1));
    }
    objects.push("<</Type/Page/MediaBox[0 0 600 800]>>".to_owned());
    // Whether such a page is found does not matter; that an answer comes does.
    if let Ok(file) = open(&pdf(&objects)) {
        assert_eq!(file.pages(1, &|_| {}).len(), file.page_count() as usize);
    }
}

#[test]
fn pages_are_read_up_to_their_bounds() {
    let content = "BT /F1 12 Tf 72 700 Td (One) Tj 0 -20 Td (Two) Tj 0 -20 Td (Three) Tj ET";
    let read = |limits: Limits| {
        let options = OpenOptions { limits, ..OpenOptions::default() };
        PdfFile::from_bytes(page(content, "", &[]), &options).unwrap().page(1)
    };
    let few_operators = read(Limits { page_operators: 6, ..Limits::default() });
    assert_eq!((few_operators.text.as_str(), few_operators.notes.as_slice()), ("One\nTwo", [PageNote::Damaged].as_slice()));
    let few_glyphs = read(Limits { page_glyphs: 5, ..Limits::default() });
    assert_eq!((few_glyphs.text.as_str(), few_glyphs.notes.as_slice()), ("One\nTw", [PageNote::Damaged].as_slice()));
    assert!(read(Limits::default()).notes.is_empty());
}

#[test]
fn a_page_without_time_is_noted() {
    let content = WORDS.repeat(3_000);
    let limits = Limits { page_time: std::time::Duration::ZERO, ..Limits::default() };
    let file = PdfFile::from_bytes(page(&content, "", &[]), &OpenOptions { limits, ..OpenOptions::default() }).unwrap();
    assert!(file.page(1).notes.contains(&PageNote::Damaged));
    assert!(!file.notes().contains(&FileNote::Repaired));
}
