//! Lines, blocks, columns, rows of tables and furniture.

use super::super::{RawPage, compare_sizes, mark_furniture};
use super::{page_with, read, text_of};

#[test]
fn lines_and_blocks() {
    let text = text_of("BT /F1 12 Tf 14 TL 50 700 Td (First line) Tj T* (second line) Tj 0 -40 Td (Next block) Tj ET");
    assert_eq!(text, "First line\nsecond line\n\nNext block");
}

#[test]
fn lines_of_double_spaced_pages_are_no_blocks() {
    let lines: String = (0..6).map(|i| format!("(line {i} of a paragraph) Tj T* ")).collect();
    let text = text_of(&format!("BT /F1 12 Tf 28 TL 50 700 Td {lines} 0 -20 Td {lines} ET"));
    let blocks: Vec<usize> = text.split("\n\n").map(|b| b.lines().count()).collect();
    assert_eq!(blocks, [6, 6], "{text}");
}

#[test]
fn a_table_drawn_column_by_column_is_read_by_row() {
    let text = text_of(
        "BT /F1 10 Tf 12 TL 50 700 Td (Revenue) Tj T* (Costs) Tj ET \
         BT /F1 10 Tf 12 TL 200 700 Td ($) Tj T* ($) Tj ET \
         BT /F1 10 Tf 12 TL 230 700 Td (24,690) Tj T* (1,200) Tj ET \
         BT /F1 10 Tf 12 TL 300 700 Td (23,549) Tj T* (1,100) Tj ET",
    );
    assert!(text.contains("Revenue  $ 24,690  23,549"), "{text}");
}

#[test]
fn numbers_of_a_title_of_two_lines_stay_on_its_lines() {
    let text = text_of(
        "BT /F1 10 Tf 12 TL 100 700 Td (Legal Framework for Climate) Tj T* (Change) Tj ET \
         BT /F1 10 Tf 50 700 Td (Part III.) Tj ET BT /F1 10 Tf 380 688 Td (21) Tj ET \
         BT /F1 10 Tf 12 TL 100 670 Td (Innovation under International) Tj T* (Law) Tj ET \
         BT /F1 10 Tf 80 670 Td (A.) Tj ET BT /F1 10 Tf 380 658 Td (23) Tj ET \
         BT /F1 10 Tf 12 TL 120 646 Td (Agenda 21) Tj ET BT /F1 10 Tf 380 646 Td (24) Tj ET",
    );
    let lines: Vec<&str> = text.lines().filter(|l| !l.is_empty()).collect();
    let expected =
        ["Part III.  Legal Framework for Climate", "Change  21", "A.  Innovation under International", "Law  23", "Agenda 21  24"];
    assert_eq!(lines, expected, "{text}");
}

#[test]
fn wrapped_headers_stand_above_their_columns() {
    let text = text_of(
        "BT /F1 10 Tf 12 TL 200 700 Td (December 28,) Tj T* (2024) Tj ET \
         BT /F1 10 Tf 12 TL 300 700 Td (December 30,) Tj T* (2023) Tj ET BT /F1 10 Tf 400 688 Td (Change) Tj ET \
         BT /F1 10 Tf 50 664 Td (Revenues) Tj 160 0 Td (24,690) Tj 100 0 Td (23,549) Tj 100 0 Td (5%) Tj ET",
    );
    let lines: Vec<&str> = text.lines().filter(|l| !l.is_empty()).collect();
    assert_eq!(lines, ["December 28,  December 30,", "2024  2023  Change", "Revenues  24,690  23,549  5%"], "{text}");
}

#[test]
fn two_columns_of_prose_stay_apart() {
    let left: String = (0..6).map(|i| format!("(left column line number {i} of running text) Tj T* ")).collect();
    let right: String = (0..6).map(|i| format!("(right column line number {i} of running text) Tj T* ")).collect();
    let text = text_of(&format!("BT /F1 9 Tf 11 TL 40 700 Td {left} ET BT /F1 9 Tf 11 TL 320 700 Td {right} ET"));
    assert!(text.contains("left column line number 5 of running text\n\nright column line number 0"), "{text}");
}

#[test]
fn running_heads_and_page_numbers_are_furniture() {
    let pages: Vec<RawPage> = (1..=6)
        .map(|n| {
            let content = format!("BT /F1 9 Tf 50 770 Td (Annual Report) Tj 0 -370 Td (Text {n} of page) Tj 0 -380 Td ({n}) Tj ET");
            read(page_with(&content)).remove(0)
        })
        .collect();
    let mut pages = pages;
    mark_furniture(&mut pages);
    for page in &pages {
        let marked: Vec<bool> = page.lines.iter().map(|l| l.furniture).collect();
        assert_eq!(marked, [true, false, true], "{:?}", page.lines);
    }
}

#[test]
fn heads_of_short_chapters_are_furniture_by_their_place() {
    let head = |n: usize| if n < 4 { format!("Chapter {}", ["Aims", "Means", "Limits", "Costs"][n]) } else { "Annex".to_string() };
    let mut pages: Vec<RawPage> = (0..8)
        .map(|n| {
            let body = "(Words of a body in which every page says something else) Tj T* ".repeat(3);
            let content = format!(
                "BT /F2 9 Tf 50 770 Td ({}) Tj ET BT /F1 10 Tf 12 TL 50 400 Td ({n} things) Tj T* {body} ET \
                 BT /F2 16 Tf 50 745 Td (Title {}) Tj ET",
                head(n),
                ["one", "two", "three", "four", "same", "same", "same", "same"][n]
            );
            read(page_with(&content)).remove(0)
        })
        .collect();
    mark_furniture(&mut pages);
    for page in &pages {
        let of = |start: &str| page.lines.iter().find(|l| l.text.starts_with(start)).map(|l| l.furniture);
        assert_eq!(of("Chapter").or(of("Annex")), Some(true), "{:?}", page.lines);
    }
    let titles = |p: &RawPage| p.lines.iter().any(|l| l.size > 15.0 && l.furniture);
    assert!(!pages.iter().take(4).any(titles), "titles are not running heads");
}

#[test]
fn letters_of_two_texts_over_each_other_are_both_read() {
    let both = "BT /F1 12 Tf 50 700 Td (Page 3) Tj ET BT /F2 12 Tf 50 700 Td (Potato) Tj ET";
    let red = "BT /F1 12 Tf 50 700 Td (Page 3) Tj ET 1 0 0 rg BT /F1 12 Tf 50 700 Td (Potato) Tj ET";
    for content in [both, red] {
        let text = text_of(content);
        assert!(text.contains("Page 3") && text.contains("Potato"), "{text}");
    }
    assert_eq!(text_of("0.7 g BT /F1 12 Tf 50.5 699.5 Td (Shadow) Tj ET 0 g BT /F1 12 Tf 50 700 Td (Shadow) Tj ET"), "Shadow");
    assert_eq!(text_of("BT /F1 12 Tf 50 700 Td (f) Tj ET BT /F1 12 Tf 50 700 Td (faeces) Tj ET"), "faeces");
}

#[test]
fn lines_tell_their_column_their_size_and_the_space_above() {
    let content = "BT /F2 20 Tf 50 760 Td (Two columns) Tj ET BT /F1 10 Tf 12 TL 50 700 Td (left text of some words) Tj T* (that goes on here) Tj ET \
                   BT /F1 10 Tf 12 TL 320 700 Td (right text of some words) Tj T* (that goes on there) Tj ET";
    let mut pages = read(page_with(content));
    compare_sizes(&mut pages);
    let told: Vec<(u16, f32, bool)> =
        pages[0].lines.iter().map(|l| (l.column, l.relative_size, l.space_above.is_some_and(|s| s > 10.0))).collect();
    assert_eq!(told, [(1, 2.0, false), (1, 1.0, true), (1, 1.0, false), (2, 1.0, false), (2, 1.0, false)]);
}
