//! Running heads that change from page to page, and headings that stand among them.

use super::invariants::shown;
use super::sample::{heading, page, paragraph, section, text};
use crate::pdf::{Line, Page};

#[test]
fn running_heads_that_change_are_told_by_their_place() {
    let pages: Vec<Page> = (1..=12)
        .map(|n| {
            let mut lines = vec![Line { bold: true, ..text(&format!("Chapter {}. What this page is about {n}", n / 4 + 1), 40.0) }];
            let mut y = 70.0;
            if n % 4 == 1 {
                lines.push(heading(&format!("{} Part of the work", n / 4 + 1), y, 16.0));
                y += 40.0;
            }
            lines.extend(paragraph(y, 30));
            page(n, lines)
        })
        .collect();
    insta::assert_snapshot!(shown(pages), @r"
    1 Part of the work 1-4
    2 Part of the work 5-8
    3 Part of the work 9-12
    ");
}

#[test]
fn headings_at_the_head_of_every_page_are_no_running_heads() {
    let titles = ["Oak", "Birch", "Maple", "Willow", "Hazel", "Spruce"];
    let pages = (1..)
        .zip(titles)
        .map(|(n, title)| {
            let mut lines = vec![heading(&format!("{title} and its wood"), 50.0, 10.0)];
            lines.push(text(&format!("What grows as {title}, how fast, and what it is good for."), 90.0));
            lines.extend(paragraph(110.0, 20));
            page(n, lines)
        })
        .collect();
    let tree = shown(pages);
    assert!(titles.iter().filter(|title| tree.contains(&format!("{title} and its wood"))).count() >= 5, "{tree}");
}

#[test]
fn exhibits_are_headings_although_they_stand_in_the_head() {
    let mut pages: Vec<Page> = vec![section(1, "Item 1. Business", 12.0), section(2, "Item 2. Properties", 12.0)];
    for (n, title) in [(3, "Consent of the auditors"), (4, "Certification")] {
        let mut lines = vec![Line { furniture: true, bold: true, ..text(&format!("Exhibit {}", n + 20), 40.0) }];
        lines.push(heading(title, 70.0, 10.0));
        lines.extend(paragraph(100.0, 20));
        pages.push(page(n, lines));
    }
    insta::assert_snapshot!(shown(pages), @r"
    Item 1. Business 1-2
    Item 2. Properties 2-2
    Exhibit 23 Consent of the auditors 3-3
    Exhibit 24 Certification 4-4
    ");
}

#[test]
fn links_behind_headings_of_printed_web_pages_are_no_part_of_them() {
    let pages =
        vec![section(1, "Introduction¶", 16.0), section(2, "Data types\u{fffd}", 16.0), section(3, "background jobs", 16.0)];
    insta::assert_snapshot!(shown(pages), @r"
    Introduction 1-2
    Data types 2-3
    background jobs 3-3
    ");
}
