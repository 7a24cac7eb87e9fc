//! Words: spaces, marks, initials and hyphens.

use super::super::page_text;
use super::{composite, read_with_font, stream, text_of};

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

#[test]
fn marks_stand_apart_from_stops_brackets_and_figures() {
    let raised = |before: &str, mark: &str, after: &str| {
        text_of(&format!("BT /F1 12 Tf 50 700 Td ({before}) Tj 5 Ts /F1 7 Tf ({mark}) Tj 0 Ts /F1 12 Tf ({after}) Tj ET"))
    };
    assert_eq!(raised("survived in 1999.", "14", " He paid"), "survived in 1999. 14 He paid");
    assert_eq!(raised("the report \\(net\\)", "2", " of"), "the report (net) 2 of");
    assert_eq!(raised("Cid Fox", "a,b", " earned"), "Cid Fox a,b earned");
    assert_eq!(raised("Deposits 900", "a", ""), "Deposits 900 a");
    assert_eq!(raised("revenue", "\\(1\\)", " grew"), "revenue (1) grew");
    for (before, mark) in
        [("the 21", "st"), ("45 km", "2"), ("AcmeSoft", "TM"), ("\\(a + b\\)", "2"), ("Ca", "2+"), ("le XIX", "e"), ("x", "2")]
    {
        assert_eq!(raised(before, mark, " is"), format!("{before}{mark} is").replace('\\', ""));
    }
}

#[test]
fn marks_as_large_as_the_text_are_known_by_their_height() {
    let text = text_of("BT /F1 12 Tf 50 700 Td (of 1,234) Tj 5.5 Ts /F1 11.6 Tf (2) Tj 0 Ts /F1 12 Tf ( crossings) Tj ET");
    assert_eq!(text, "of 1,234 2 crossings");
    let text = text_of("BT /F1 12 Tf 50 700 Td (at 5) Tj 5 Ts (1) Tj 0 Ts (/2 percent) Tj ET");
    assert_eq!(text, "at 5 1/2 percent");
}

#[test]
fn marks_that_lead_their_note_or_verse_stand_apart() {
    let lead = |mark: &str, note: &str| text_of(&format!("BT /F1 7 Tf 4 Ts 50 700 Td ({mark}) Tj 0 Ts /F1 10 Tf ({note}) Tj ET"));
    assert_eq!(lead("1", "First note."), "1 First note.");
    assert_eq!(lead("2", "and the quay"), "2 and the quay");
    assert_eq!(lead("1", "/2 of it"), "1/2 of it");
    let text = text_of("BT /F1 10 Tf 50 700 Td (by ) Tj 4 Ts /F1 7 Tf (14) Tj 0 Ts /F1 10 Tf (C dating) Tj ET");
    assert_eq!(text, "by 14C dating");
}

#[test]
fn powers_of_ten_are_no_other_number() {
    let power = |before: &str, mark: &str| {
        text_of(&format!("BT /F1 12 Tf 50 700 Td ({before}) Tj 5 Ts /F1 7 Tf ({mark}) Tj 0 Ts /F1 12 Tf ( units) Tj ET"))
    };
    assert_eq!(power("6.02 \\327 10", "23"), "6.02 × 10²³ units");
    assert_eq!(power("about 10", "-3"), "about 10⁻³ units");
    assert_eq!(power("the top 10", "2"), "the top 10 2 units");
}

#[test]
fn letterspaced_text_is_read_as_words() {
    assert_eq!(text_of("BT /F1 12 Tf 50 700 Td 4 Tc (ANNUAL REPORT 2024) Tj ET"), "ANNUAL REPORT 2024");
    assert_eq!(text_of("BT /F1 20 Tf 50 700 Td 30 Tc (HARBOUR) Tj ET"), "HARBOUR");
    let lines = "BT /F1 10 Tf 14 TL 1.6 Tc 50 700 Td (The harbour authority opened 1,234 gates) Tj T* (in all) Tj ET";
    assert_eq!(text_of(lines), "The harbour authority opened 1,234 gates\nin all");
    // Placed glyph by glyph, without spaces.
    let placed: String = "To the sea"
        .char_indices()
        .filter(|(_, c)| *c != ' ')
        .fold(String::new(), |shown, (i, c)| shown + &format!("BT /F3 10 Tf {} 700 Td ({c}) Tj ET ", 50 + 8 * i));
    let fixed = "<</Type/Font/Subtype/Type1/BaseFont/Courier>>".to_owned();
    assert_eq!(page_text(&read_with_font(fixed, None, &placed).lines), "To the sea");
}

#[test]
fn typed_spaces_between_letters_are_no_spaces() {
    assert_eq!(text_of("BT /F1 12 Tf 50 700 Td (R E P O R T) Tj ET"), "REPORT");
    assert_eq!(text_of("BT /F1 12 Tf 50 700 Td (A N N U A L   R E P O R T   2 0 2 4) Tj ET"), "ANNUAL REPORT 2024");
}

#[test]
fn single_letters_are_no_word() {
    for row in ["A B C D", "1 2 3 4 5", "J R R Tolkien", "S M T W T F S", "Plan A B and I or U"] {
        assert_eq!(text_of(&format!("BT /F1 12 Tf 50 700 Td ({row}) Tj ET")), row);
    }
    let cells = |letters: &str| -> String {
        letters.char_indices().map(|(i, c)| format!("BT /F1 10 Tf {} 700 Td ({c}) Tj ET ", 50 + 24 * i)).collect()
    };
    assert_eq!(text_of(&cells("YNYNNYYN")).split_whitespace().count(), 8);
    assert_eq!(text_of(&cells("ABCDE")).split_whitespace().count(), 5);
}

#[test]
fn initials_beside_wrapped_text_belong_to_its_first_word() {
    let line = |x: u32, y: u32, words: &str| format!("BT /F1 11 Tf {x} {y} Td ({words}) Tj ET ");
    let text = line(85, 700, "he harbour authority opened the gate")
        + &line(85, 686, "to visitors in April after nine months")
        + &line(50, 672, "of repairs.");
    let initial = "BT /F1 44 Tf 55 677 Td (T) Tj ET ";
    let expected = "The harbour authority opened the gate\nto visitors in April after nine months\nof repairs.";
    assert_eq!(text_of(&format!("{initial}{text}")), expected);
    assert_eq!(text_of(&format!("{text}{initial}")), expected);
    // The head of an index is no initial.
    let index = format!("BT /F1 44 Tf 55 677 Td (A) Tj ET {}", line(88, 700, "Aachen and other towns"));
    assert!(text_of(&index).contains("Aachen and other towns") && !text_of(&index).contains("AA"));
}

#[test]
fn marks_drawn_back_over_their_letter_leave_no_gap() {
    let map = "/CIDInit/ProcSet findresource begin 12 dict begin begincmap /CMapName/X def /CMapType 2 def\n\
               1 begincodespacerange <0000> <FFFF> endcodespacerange\n3 beginbfchar <0001> <1785> <0002> <17BC> <0003> <179B> endbfchar endcmap end end";
    // All glyphs are half an em wide; the second is moved back under the first.
    let content = "BT /F3 20 Tf 50 700 Td <0001> Tj -6 0 Td <0002> Tj 16 0 Td <0003> Tj ET";
    let page = read_with_font(composite("/Encoding/Identity-H/ToUnicode 8 0 R"), Some(stream("", map)), content);
    assert_eq!(page_text(&page.lines), "\u{1785}\u{17BC}\u{179B}");
    let spelled = "BT /F1 20 Tf 50 700 Td /Span<</ActualText(Kan)>>BDC (W) Tj 9 0 Td (,) Tj EMC 10 0 Td (pani) Tj ET";
    assert_eq!(text_of(spelled), "Kanpani");
}

#[test]
fn words_of_a_scan_touch_without_being_one() {
    let text =
        text_of("BT 3 Tr /F1 10.9 Tf 50 700 Td (opened) Tj /F1 10.1 Tf 39.3 -0.4 Td (the) Tj /F1 10.6 Tf 15.1 0.3 Td (gate) Tj ET");
    assert_eq!(text, "opened the gate");
    let text = text_of("BT 3 Tr /F1 10.9 Tf 50 700 Td (about) Tj /F1 9.2 Tf 28.2 0 Td (noise) Tj ET");
    assert_eq!(text, "about noise");
    // Small capitals stand on one baseline.
    assert_eq!(text_of("BT /F1 12 Tf 50 700 Td (SM) Tj /F1 10.5 Tf (ALL) Tj ET"), "SMALL");
}

#[test]
fn narrow_spaces_count_where_there_are_no_others() {
    let shown = ["The", "harbour", "authority", "opened", "the", "eastern", "gate"].join(") -80 (");
    assert_eq!(text_of(&format!("BT /F1 10 Tf 50 700 Td [({shown})] TJ ET")), "The harbour authority opened the eastern gate");
    // Kerning is no space.
    let shown = "Donaudampfschi\\366ahrtsgesellschaftskapit) -80 (\\344n";
    assert_eq!(text_of(&format!("BT /F1 10 Tf 50 700 Td [({shown})] TJ ET")).split(' ').count(), 1);
}
