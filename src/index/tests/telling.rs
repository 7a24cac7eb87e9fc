//! Summaries.

use super::sample::{heading, page, paragraph, text};
use crate::index::{index_pages, titles::shorten};
use crate::pdf::{Info, Line, Page};

/// Summaries by title of a document of one page for each section.
fn summaries(sections: &[(&str, Vec<Line>)]) -> Vec<(String, Option<String>)> {
    let pages = (1..).zip(sections).map(|(n, (title, lines))| {
        let mut all = vec![heading(title, 60.0, 16.0)];
        all.extend(lines.iter().cloned());
        page(n, all)
    });
    let document = index_pages(pages.collect(), &[], Info::default(), Vec::new());
    document.tree.into_iter().map(|n| (n.title, n.summary)).collect()
}

/// The summary of a section with these lines among others of running text.
fn summary_of(title: &str, lines: &[&str]) -> Option<String> {
    let lines = lines.iter().enumerate().map(|(at, l)| Line { starts_block: true, ..text(l, 90.0 + 16.0 * at as f32) }).collect();
    let rest = || paragraph(90.0, 20);
    let found = summaries(&[(title, lines), ("Costs", rest()), ("Outlook", rest()), ("Notes", rest())]);
    found.into_iter().find(|(t, _)| t == title).expect("the section").1
}

#[test]
fn a_summary_tells_figures_and_is_not_the_title() {
    let mut lines = vec![heading("Revenue", 60.0, 16.0)];
    lines.push(text("However, some of it was seen elsewhere. Revenue rose by 12% to $4.2 billion in 2024.", 90.0));
    lines.push(text("Cells  1,200  1,300", 120.0));
    lines.push(Line { furniture: true, ..text("Northwind Inc. annual report with a long running header", 760.0) });
    let mut pages = vec![page(1, lines)];
    for (n, title) in [(2, "Costs"), (3, "Outlook"), (4, "Notes")] {
        let mut lines = vec![heading(title, 60.0, 16.0)];
        lines.extend(paragraph(90.0, 20));
        pages.push(page(n, lines));
    }
    let document = index_pages(pages, &[], Info::default(), Vec::new());
    let node = document.tree.iter().find(|n| n.title == "Revenue").expect("the section");
    let summary = node.summary.as_deref().expect("a summary");
    assert!(summary.contains("Revenue rose by 12% to $4.2 billion in 2024."), "{summary}");
    assert!(!summary.contains("running header") && !summary.contains("1,300"), "{summary}");
}

#[test]
fn structures_of_long_documents_stay_small() {
    let pages: Vec<Page> = (1..=200)
        .map(|n| {
            let mut lines = Vec::new();
            for at in 0..3 {
                let y = 60.0 + 220.0 * at as f32;
                lines.push(heading(&shorten(&format!("Topic {n} and its part {at}"), 60), y, 14.0));
                lines.extend(paragraph(y + 40.0, 10));
            }
            page(n, lines)
        })
        .collect();
    let document = index_pages(pages, &[], Info::default(), Vec::new());
    let size = serde_json::to_string(&document.tree).expect("json").chars().count();
    assert!(size < 90_000, "{size}");
}

#[test]
fn formulas_halves_and_addresses_are_not_told() {
    let good = "Sales of boats grew to 1,250 pieces after the harbour had been widened.";
    for bad in [
        "and were therefore expensive to build in the year of the great storm of the north.",
        "This report contains forward-looking statements that involve many assumptions about the future.",
        "Northwind Inc., 3201 Danville Blvd., Suite 275, Alamo, CA 94507",
        "The results of the harbour of the north in the last year were as follows:",
        "Harbour of the North .......................... 12",
        "\u{a9} 2020 Northwind Inc. All rights reserved by the owners of the text.",
        "let x = {a_1: b_2}; print(<x>) # the value of the harbour is set here",
        "Ada Lund, Bo Berg, Cy Dahl, Di Ek, Eli Falk, Fia Gran, Geir Holm",
        "(unaudited; in millions, except for amounts per share of the stock)",
    ] {
        assert_eq!(summary_of("Boats", &[bad, good]).as_deref(), Some(good), "{bad}");
    }
}

#[test]
fn whole_sentences_are_better_than_the_beginnings_of_others() {
    let long = format!("Boats of the north are built of {} and tar.", "oak, pine, ash, elm, birch, larch, ".repeat(9));
    let short = "Boats are built of oak and pine by the people of the north.";
    assert_eq!(summary_of("Boats", &[&long, short]).as_deref(), Some(short));
    let only = summary_of("Boats", &[&long]).expect("a summary");
    assert!(only.ends_with('…') && only.chars().count() <= 200, "{only}");
}

#[test]
fn the_second_line_of_a_title_is_no_sentence() {
    let mut lines = vec![heading("and of the People of the North", 78.0, 16.0)];
    lines.push(text("Boats are built of oak and pine in the long dark winters.", 110.0));
    let found =
        summaries(&[("Boats of the Seven Harbours", lines), ("Costs", paragraph(90.0, 20)), ("Outlook", paragraph(90.0, 20))]);
    assert_eq!(found.first().expect("a section").1.as_deref(), Some("Boats are built of oak and pine in the long dark winters."));
}

#[test]
fn tables_are_told_by_their_rows_and_years() {
    let rows =
        ["Balance  2022  2021", "Boats  12  11", "Total assets  1,200  1,300", "Oars  3  2", "Net income  120  130", "Ropes  7  9"];
    let told = summary_of("Balance of the Year", &rows).expect("a summary");
    assert_eq!(told, "Table: Boats; Total assets; Oars; Net income; Ropes (2022, 2021)");
    let contents = ["First things  3", "Second things  7", "Third things  9", "Fourth things  12"];
    assert_eq!(summary_of("Overview of Parts", &contents), None);
}

#[test]
fn a_parent_without_text_tells_what_is_inside() {
    let mut pages = Vec::new();
    for (n, title) in (1..).zip(["1 Boats", "2 Costs", "3 Outlook"]) {
        let mut lines = vec![heading(title, 60.0, 16.0), heading(&format!("{n}.1 Part of it"), 90.0, 13.0)];
        lines.push(text(&format!("Boats are built of oak and cost {n} million in all the harbours of the north."), 120.0));
        lines.extend(paragraph(150.0, 20));
        pages.push(page(n, lines));
    }
    let document = index_pages(pages, &[], Info::default(), Vec::new());
    let parent = document.tree.first().expect("a section");
    assert_eq!(parent.title, "1 Boats");
    assert_eq!(parent.summary.as_deref(), Some("Boats are built of oak and cost 1 million in all the harbours of the north."));
}

#[test]
fn sentences_end_where_they_end() {
    let split = crate::index::sentences::split;
    assert_eq!(
        split("Die Satzung tritt am 11. November in Kraft. Sie gilt."),
        ["Die Satzung tritt am 11. November in Kraft.", "Sie gilt."]
    );
    assert_eq!(
        split("It was so in Board v. Dental Examiners. H.C. Wainwright won."),
        ["It was so in Board v. Dental Examiners.", "H.C. Wainwright won."]
    );
    assert_eq!(split("風が吹く。船が出る。"), ["風が吹く。", "船が出る。"]);
    assert_eq!(split("See Fig. 3 and ref. 31, of 2020. Then go."), ["See Fig. 3 and ref. 31, of 2020.", "Then go."]);
}
