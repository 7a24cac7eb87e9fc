//! Printed contents pages.

use super::invariants::{check, outline};
use super::sample::{heading, page, paragraph, section, text};
use crate::index::{TocSource, index_pages};
use crate::pdf::{Info, Line, Page};

fn entry(title: &str, number: &str, indent: f32, y: f32) -> Line {
    Line { x0: 72.0 + indent, x1: 530.0, ..text(&format!("{title} ................. {number}"), y) }
}

#[test]
fn entries_are_placed_where_their_titles_are_printed() {
    let mut lines = vec![heading("Contents", 80.0, 16.0)];
    let listed =
        [("Beginnings", 1, 0.0), ("The first steps", 2, 20.0), ("A second look", 4, 20.0), ("Middles", 6, 0.0), ("Ends", 8, 0.0)];
    for (at, (title, number, indent)) in listed.iter().enumerate() {
        lines.push(entry(title, &number.to_string(), *indent, 120.0 + 16.0 * at as f32));
    }
    // Two pages of front matter come before the page that is printed as 1.
    let mut pages: Vec<Page> = vec![page(1, vec![heading("A Book of Things", 200.0, 24.0)]), page(2, lines)];
    for n in 3..=11 {
        let title = listed.iter().find(|(_, number, _)| number + 2 == n).map(|(t, ..)| *t);
        pages.push(match title {
            Some(title) => section(n, title, 14.0),
            None => page(n, paragraph(80.0, 30)),
        });
    }
    let document = index_pages(pages, &[], Info::default(), Vec::new());
    assert_eq!(check(&document), Ok(()));
    assert_eq!(document.toc_source, TocSource::PrintedContents);
    let mut out = String::new();
    outline(&document.tree, 0, &mut out);
    insta::assert_snapshot!(out, @r"
    A Book of Things 1-1
    Contents 2-3
    Beginnings 3-8
      The first steps 4-6
      A second look 6-8
    Middles 8-10
    Ends 10-11
    ");
}

#[test]
fn a_table_of_figures_is_no_contents_page() {
    let rows = (0..20).map(|n| text(&format!("Cost of item {n}  {}", (n * 7919) % 500), 80.0 + 14.0 * n as f32)).collect();
    let pages = vec![page(1, rows), section(2, "Explanations", 16.0), section(3, "Remarks", 16.0)];
    let document = index_pages(pages, &[], Info::default(), Vec::new());
    assert_eq!(document.toc_source, TocSource::Headings);
}

/// A document with these contents lines and a section on every second page from page 3 on.
fn listed(lines: Vec<Line>, titles: &[&str]) -> String {
    let mut pages = vec![page(1, vec![heading("A Book of Things", 200.0, 24.0)]), page(2, lines)];
    for title in titles {
        let n = pages.len() as u32 + 1;
        pages.push(section(n, title, 14.0));
        pages.push(page(n + 1, paragraph(80.0, 30)));
    }
    let document = index_pages(pages, &[], Info::default(), Vec::new());
    assert_eq!(check(&document), Ok(()));
    let mut out = String::new();
    outline(&document.tree, 0, &mut out);
    out
}

#[test]
fn titles_printed_once_are_found_in_spite_of_wrong_numbers() {
    let titles = ["Harbours of Old", "Rivers of Old", "Lakes of Old", "Tides of Old", "Winds of Old"];
    let mut lines = vec![heading("Contents", 80.0, 16.0)];
    for (at, (title, number)) in titles.iter().zip(["1", "3", "5", "5", "5"]).enumerate() {
        lines.push(entry(title, number, 0.0, 120.0 + 16.0 * at as f32));
    }
    let found = listed(lines, &titles);
    assert!(found.contains("Tides of Old 9-11") && found.contains("Winds of Old 11-12"), "{found}");
    assert_eq!(found.matches("Winds of Old").count(), 1, "{found}");
}

#[test]
fn second_lines_below_the_first_with_its_number_belong_to_the_title() {
    let mut lines = vec![heading("Contents", 80.0, 16.0)];
    let long = "2. Rivers of the North and the People Who Live";
    for (at, (title, number)) in [("1. Harbours", "1"), (long, "3"), ("3. Lakes", "5"), ("4. Tides", "7")].iter().enumerate() {
        lines.push(entry(title, number, 0.0, 120.0 + 30.0 * at as f32));
    }
    lines.insert(3, Line { x0: 100.0, starts_block: false, ..text("Beside Them in the Winter", 162.0) });
    let found = listed(lines, &["1. Harbours", &format!("{long} Beside Them in the Winter"), "3. Lakes", "4. Tides"]);
    assert!(found.contains("Beside Them in the Winter 5-7") && found.lines().all(|l| !l.trim().starts_with("Beside")), "{found}");
}
