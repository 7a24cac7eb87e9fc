//! Which heading stands inside which.

use super::invariants::shown;
use super::sample::{heading, page, paragraph, section, text};
use crate::pdf::{Line, Page};

/// The tree of one page for each title, all set alike or in the sizes given.
fn tree(titles: &[(&str, f32)]) -> String {
    let pages = (1..).zip(titles).map(|(n, (title, size))| section(n, title, *size)).collect();
    shown(pages)
}

#[test]
fn a_series_stands_where_its_kind_stands() {
    // The second "a." is set larger than the "B." above it, by a slip of its maker.
    let titles = [
        ("I. Facts", 16.0),
        ("A. Parties", 13.0),
        ("a. The seller", 12.0),
        ("b. The buyer", 12.0),
        ("B. Contract", 13.0),
        ("a. Its terms", 14.0),
        ("b. Its end", 12.0),
        ("II. Law", 16.0),
        ("A. Claims", 13.0),
        ("B. Costs", 13.0),
    ];
    insta::assert_snapshot!(tree(&titles), @r"
    I. Facts 1-8
      A. Parties 2-5
        a. The seller 3-4
        b. The buyer 4-5
      B. Contract 5-8
        a. Its terms 6-7
        b. Its end 7-8
    II. Law 8-10
      A. Claims 9-10
      B. Costs 10-10
    ");
}

#[test]
fn what_follows_the_last_chapter_stands_beside_the_chapters() {
    let titles = [
        ("1 Rivers", 16.0),
        ("1.1 Springs", 13.0),
        ("2 Lakes", 16.0),
        ("2.1 Shores", 13.0),
        ("Bibliography", 13.0),
        ("Index", 13.0),
    ];
    insta::assert_snapshot!(tree(&titles), @r"
    1 Rivers 1-3
      1.1 Springs 2-3
    2 Lakes 3-5
      2.1 Shores 4-5
    Bibliography 5-6
    Index 6-6
    ");
}

#[test]
fn a_number_whose_parent_is_behind_it_stays_where_it_is() {
    let titles = [
        ("2 Test", 16.0),
        ("2.3 Results", 13.0),
        ("2.3.4 Use", 12.0),
        ("2.4 Conclusions", 13.0),
        ("2.4.3 Last round", 12.0),
        ("2.3.4.1 Onboarding", 11.0),
        ("2.5 Advice", 13.0),
        ("3 Sources", 16.0),
    ];
    insta::assert_snapshot!(tree(&titles), @r"
    2 Test 1-8
      2.3 Results 2-4
        2.3.4 Use 3-4
      2.4 Conclusions 4-7
        2.4.3 Last round 5-7
          2.3.4.1 Onboarding 6-7
      2.5 Advice 7-8
    3 Sources 8-8
    ");
}

#[test]
fn letters_are_no_parents_of_numbers() {
    let titles = [("2 Use", 16.0), ("2.2 Commands", 13.0), ("B. Damages", 12.0), ("2.3 Literature", 13.0), ("3 Source", 16.0)];
    insta::assert_snapshot!(tree(&titles), @r"
    2 Use 1-5
      2.2 Commands 2-4
        B. Damages 3-4
      2.3 Literature 4-5
    3 Source 5-5
    ");
}

#[test]
fn a_part_and_the_item_below_it_are_two_headings() {
    let mut lines = paragraph(80.0, 6);
    lines.push(heading("PART II", 240.0, 10.0));
    lines.push(heading("Item 5. Market for the shares", 252.0, 10.0));
    lines.extend(paragraph(280.0, 20));
    let mut pages: Vec<Page> = vec![section(1, "PART I", 10.0), section(2, "Item 1. Business", 10.0), page(3, lines)];
    pages.push(section(4, "Item 6. Selected data", 10.0));
    insta::assert_snapshot!(shown(pages), @r"
    PART I 1-3
      Item 1. Business 2-3
    PART II 3-4
      Item 5. Market for the shares 3-4
      Item 6. Selected data 4-4
    ");
}

#[test]
fn titles_over_small_print_stand_where_they_would_over_the_usual_text() {
    let small = |y: f32| -> Vec<Line> { paragraph(y, 30).into_iter().map(|l| Line { size: 7.0, y1: l.y0 + 7.0, ..l }).collect() };
    let mut pages: Vec<Page> =
        vec![section(1, "RESULTS", 10.0), section(2, "OUTLOOK", 10.0), section(3, "RISKS", 10.0), section(4, "MEASURES", 10.0)];
    let mut lines = vec![heading("BALANCE SHEET", 60.0, 8.5)];
    lines.extend(small(90.0));
    pages.push(page(5, lines));
    pages.push(section(6, "CONTACTS", 10.0));
    insta::assert_snapshot!(shown(pages), @r"
    RESULTS 1-2
    OUTLOOK 2-3
    RISKS 3-4
    MEASURES 4-4
    BALANCE SHEET 5-6
    CONTACTS 6-6
    ");
}

#[test]
fn words_over_advice_lines_in_brackets_and_bold_beginnings_are_no_headings() {
    let mut lines = vec![heading("Cleaning", 60.0, 14.0)];
    lines.extend(paragraph(90.0, 6));
    lines.push(heading("Warning", 200.0, 10.0));
    lines.push(text("Unplug the set before you open its cover, and wait for a minute.", 214.0));
    lines.push(heading("(in thousands, unless said otherwise)", 260.0, 10.0));
    lines.extend(paragraph(290.0, 8));
    lines.push(heading("Adjusted income, net income and earnings per share leave out amortization", 420.0, 10.0));
    lines.push(Line { starts_block: false, ..text("of acquired intangibles, restructuring, and the costs of buying.", 432.0) });
    let pages = vec![page(1, lines), section(2, "Storage", 14.0), section(3, "Disposal", 14.0)];
    insta::assert_snapshot!(shown(pages), @r"
    Cleaning 1-2
    Storage 2-3
    Disposal 3-3
    ");
}
