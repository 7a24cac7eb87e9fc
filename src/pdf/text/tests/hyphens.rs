//! Words cut at the ends of lines, in documents too short to tell what their hyphens are.

use super::super::{join_cut_words, page_text};
use super::{page_with, read};

/// The text of a page with its cut words put together.
fn joined(content: &str) -> String {
    let mut pages = read(page_with(content));
    join_cut_words(&mut pages);
    page_text(&pages[0].lines)
}

/// The same of lines set one under the other.
fn joined_lines(lines: &[&str]) -> String {
    let shown: String = lines.iter().map(|line| format!("({line}) Tj T* ")).collect();
    joined(&format!("BT /F1 10 Tf 12 TL 50 700 Td {shown} ET"))
}

#[test]
fn compounds_keep_their_hyphen() {
    for word in [
        "well-known",
        "risk-free",
        "vice-president",
        "post-war",
        "forty-one",
        "x-axis",
        "T-shirts",
        "day-to-day",
        "state-of-the-art",
        "non-GAAP",
        "in-house",
        "ex-dividend",
        "one-third",
        "SEC-registered",
    ] {
        let at = word.rfind('-').expect("hyphen");
        let (first, second) = word.split_at(at + 1);
        let text = joined_lines(&["A line before it", &format!("about the {first}"), &format!("{second} of all")]);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&format!(" {word} of all")) || text.contains(&format!(" {first} {second} of all")), "{word}: {text}");
    }
    assert_eq!(joined_lines(&["They met on a day-", "to-day basis"]), "They met on a day-to-day\nbasis");
}

#[test]
fn words_cut_between_syllables_are_joined() {
    for word in [
        "recom-mended",
        "notwith-standing",
        "extraor-dinary",
        "state-ment",
        "re-sponsibilities",
        "be-come",
        "Trea-sury",
        "un-certain",
    ] {
        let (first, second) = word.split_once('-').expect("hyphen");
        let text = joined_lines(&[&format!("about the {first}-"), &format!("{second} of all")]);
        assert_eq!(text, format!("about the {first}{second}\nof all"));
    }
}

#[test]
fn what_may_be_either_is_left() {
    assert_eq!(joined_lines(&["the question of re-", "entry into the port"]), "the question of re-\nentry into the port");
    assert_eq!(joined_lines(&["between short-", "and long-term debt"]), "between short-\nand long-term debt");
    assert_eq!(joined_lines(&["see the years 2019-", "2023 and Smith-", "Jones"]), "see the years 2019-\n2023 and Smith-\nJones");
}

#[test]
fn the_document_tells_better_than_the_parts() {
    let lines = ["the co-ordinate and the interstate law", "now the co-", "ordinate and inter-", "state law"];
    assert_eq!(joined_lines(&lines), "the co-ordinate and the interstate law\nnow the co-ordinate\nand interstate\nlaw");
}

#[test]
fn words_are_joined_over_wide_gaps_of_justified_lines() {
    let text = joined(
        "BT /F1 10 Tf 50 700 Td (Ordinary) Tj 86 0 Td (re-) Tj ET BT /F1 10 Tf 12 TL 50 688 Td (sponsibilities are long) Tj ET \
         BT /F1 10 Tf 50 640 Td (North) Tj 86 0 Td (re-) Tj ET BT /F1 10 Tf 12 TL 50 628 Td (ceived) Tj 66 0 Td (12) Tj ET",
    );
    assert!(text.starts_with("Ordinary  responsibilities\nare long"), "{text}");
    assert!(text.contains("re-\nceived"), "cells of a table are no running text: {text}");
}

#[test]
fn a_word_goes_on_in_the_next_column() {
    let left: String = (0..5).map(|i| format!("(left column line number {i} of running text) Tj T* ")).collect();
    let right: String = (0..5).map(|i| format!("(right column line number {i} of running text) Tj T* ")).collect();
    let text = joined(&format!(
        "BT /F1 9 Tf 11 TL 40 700 Td {left} (and so the board in the end recom-) Tj ET \
         BT /F1 9 Tf 11 TL 320 700 Td (mended the plan to the whole council) Tj T* {right} ET",
    ));
    assert!(text.contains("in the end recommended\n\nthe plan to the whole council\nright column"), "{text}");
}

#[test]
fn soft_hyphens_are_no_part_of_a_word() {
    let lines = ["the inter\\255national con\\255struc\\255tion and adminis\\255", "tration of build\\255ings"];
    assert_eq!(joined_lines(&lines), "the international construction and administration\nof buildings");
    // Where the font has no other hyphen.
    let lines = ["a well\\255known broker\\255dealer of 2019\\255", "2020 and third\\255", "party risk"];
    assert_eq!(joined_lines(&lines), "a well-known broker-dealer of 2019-\n2020 and third-party\nrisk");
}
