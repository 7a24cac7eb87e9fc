//! Pages drawn in no order, and what is put aside or first.

use super::super::page_text;
use super::{page_with, read, text_of};

/// Words at a place, in Helvetica of 10 points.
fn at(x: u32, y: u32, words: &str) -> String {
    format!("BT /F1 10 Tf {x} {y} Td ({words}) Tj ET ")
}

const LEFT: [&str; 5] = [
    "The harbour authority opened the new",
    "breakwater to visitors in the spring of",
    "the year after nine months of hard work",
    "on the old blocks, and it was found that",
    "none of them had moved since the war.",
];
const RIGHT: [&str; 5] = [
    "Ferry traffic grew again in the summer,",
    "which the board attributes to the better",
    "timetable that was brought in before it",
    "and to the weather, which was fine until",
    "the last week of the month of August.",
];

fn columns_in_order() -> String {
    format!("{}\n\n{}", LEFT.join("\n"), RIGHT.join("\n"))
}

/// The lines of two columns, each at its place.
fn lines() -> Vec<String> {
    let column = |x: u32, lines: [&str; 5]| lines.iter().zip(0u32..).map(|(line, i)| at(x, 700 - 12 * i, line)).collect::<Vec<_>>();
    column(50, LEFT).into_iter().chain(column(300, RIGHT)).collect()
}

#[test]
fn columns_drawn_line_by_line_are_read_one_after_the_other() {
    let lines = lines();
    let across: String = (0..5).flat_map(|i| [lines[i].as_str(), lines[i + 5].as_str()]).collect();
    assert_eq!(text_of(&across), columns_in_order());
}

#[test]
fn lines_drawn_in_no_order_are_read_by_place() {
    let lines = lines();
    let shuffled: String = [7, 2, 9, 0, 5, 3, 8, 1, 6, 4].iter().map(|i| lines[*i].as_str()).collect();
    assert_eq!(text_of(&shuffled), columns_in_order());
    let upward: String = lines.iter().rev().map(String::as_str).collect();
    assert_eq!(text_of(&upward), columns_in_order());
}

#[test]
fn rows_of_words_drawn_row_by_row_stay_rows() {
    let rows = [("Draught", "3.5 m", "4.0 m"), ("Beam", "9.1 m", "9.4 m"), ("Length", "41 m", "44 m"), ("Crew", "6", "7")];
    let table: String = rows
        .iter()
        .zip(0u32..)
        .map(|((a, b, c), i)| format!("{}{}{}", at(50, 700 - 14 * i, a), at(200, 700 - 14 * i, b), at(300, 700 - 14 * i, c)))
        .collect();
    let text = text_of(&table);
    assert!(
        text.contains("Beam") && text.lines().any(|l| l.starts_with("Length") && l.contains("41 m") && l.ends_with("44 m")),
        "{text}"
    );
}

#[test]
fn a_title_drawn_last_comes_before_its_text() {
    let body: String = LEFT.iter().zip(0u32..).map(|(line, i)| at(50, 600 - 12 * i, line)).collect();
    let text = text_of(&format!("{body}BT /F2 18 Tf 50 650 Td (Harbour news) Tj ET"));
    assert!(text.starts_with("Harbour news\n\nThe harbour authority"), "{text}");
}

#[test]
fn numbers_of_lines_stand_in_no_sentence() {
    let words = LEFT.iter().chain(&RIGHT);
    let numbered: String = words
        .clone()
        .zip(0u32..)
        .map(|(line, i)| at(40, 700 - 24 * i, &(i + 1).to_string()) + &at(80, 700 - 24 * i, line))
        .collect();
    let page = read(page_with(&numbered)).remove(0);
    let text = page_text(&page.lines);
    assert!(text.starts_with(&words.copied().collect::<Vec<_>>().join("\n")), "{text}");
    assert!(text.ends_with("\n\n1  2  3  4  5  6  7  8  9  10"), "{text}");
    assert_eq!(page.lines.iter().map(|l| l.furniture).collect::<Vec<_>>(), [[false; 10].as_slice(), &[true]].concat());
}

#[test]
fn numbers_of_items_stay_with_them() {
    let items: String = (0..10u32)
        .map(|i| {
            at(40, 700 - 14 * i, &(i + 1).to_string())
                + &at(80, 700 - 14 * i, &format!("Item {i} of the list of repairs to be made"))
        })
        .collect();
    let text = text_of(&items);
    assert!(text.contains("3  Item 2 of the list"), "{text}");
}
