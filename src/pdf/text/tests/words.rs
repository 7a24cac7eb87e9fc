//! Words: spaces, marks, initials and hyphens.

use super::text_of;

#[test]
fn replacement_text_stands_for_its_glyphs() {
    let text = text_of("BT /F1 12 Tf 50 700 Td (A) Tj /Span<</ActualText(ffi)>>BDC (xyz) Tj EMC (nity) Tj ET");
    assert_eq!(text, "Affinity");
}

#[test]
fn false_bold_is_read_once() {
    assert_eq!(text_of("BT /F1 12 Tf 50 700 Td (Title) Tj 0.3 0 Td (Title) Tj ET"), "Title");
}

#[test]
fn large_initials_belong_to_their_word() {
    let text = text_of("BT /F1 24 Tf 50 700 Td (L) Tj /F1 10 Tf 16 0 Td (ARGE language models) Tj ET");
    assert_eq!(text, "LARGE language models");
}

#[test]
fn footnote_marks_stay_apart_from_words_and_figures() {
    let text =
        text_of("BT /F1 12 Tf 50 700 Td (Total sales) Tj 5 Ts /F1 7 Tf (1) Tj 0 Ts /F1 12 Tf ( 1,234) Tj 5 Ts /F1 7 Tf (2) Tj ET");
    assert_eq!(text, "Total sales 1 1,234 2");
    assert_eq!(text_of("BT /F1 12 Tf 50 700 Td (the 4) Tj 5 Ts /F1 7 Tf (th) Tj ET"), "the 4th");
}
