//! What contents pages and lists inside a document say of its sections.

use super::invariants::{check, outline};
use super::sample::{heading, page, paragraph, section, text};
use crate::index::{TocSource, index_pages};
use crate::pdf::{Info, Line, Page};

fn shown(pages: Vec<Page>) -> (String, TocSource) {
    let document = index_pages(pages, &[], Info::default(), Vec::new());
    assert_eq!(check(&document), Ok(()));
    let mut out = String::new();
    outline(&document.tree, 0, &mut out);
    (out, document.toc_source)
}

fn entry(title: &str, number: u32, y: f32) -> Line {
    Line { x1: 530.0, ..text(&format!("{title} ................. {number}"), y) }
}

/// A contents page of these entries as page 1.
fn contents(entries: &[(&str, u32)]) -> Page {
    let mut lines = vec![heading("Contents", 60.0, 16.0)];
    lines.extend((0..).zip(entries).map(|(at, (title, number))| entry(title, *number, 100.0 + 14.0 * at as f32)));
    page(1, lines)
}

#[test]
fn a_list_of_tables_after_the_contents_is_another_list() {
    let listed = [("Rivers", 2), ("Lakes", 8), ("Seas", 14), ("Shores", 20), ("Tides", 26)];
    let tables = [("Rivers by length", 3), ("Lakes by depth", 6), ("Seas by salt", 9)];
    let mut first = contents(&listed);
    for (at, (title, number)) in (0..).zip(tables) {
        first.lines.push(entry(title, number, 300.0 + 14.0 * at as f32));
    }
    let mut pages = vec![first];
    for n in 2..=28 {
        let title = listed.iter().find(|(_, number)| *number == n).map(|(title, _)| *title);
        pages.push(match title {
            Some(title) => section(n, title, 14.0),
            None => page(n, paragraph(80.0, 30)),
        });
    }
    let (tree, source) = shown(pages);
    assert_eq!(source, TocSource::PrintedContents);
    insta::assert_snapshot!(tree, @r"
    Contents 1-2
    Rivers 2-8
    Lakes 8-14
    Seas 14-20
    Shores 20-26
    Tides 26-28
    ");
}

#[test]
fn headings_that_the_contents_leave_out_stay_in_long_sections_only() {
    let listed = [("Item 1. Business", 2), ("Item 2. Risks", 4), ("Item 3. Results", 5), ("Item 4. Statements", 13)];
    let mut pages = vec![contents(&listed)];
    for n in 2..=14 {
        let mut lines = Vec::new();
        let mut y = 60.0;
        if let Some((title, _)) = listed.iter().find(|(_, number)| *number == n) {
            lines.push(heading(title, y, 14.0));
            y += 30.0;
        }
        for at in 0..2 {
            lines.push(heading(&format!("Matter {n} of kind {at}"), y + 20.0, 12.0));
            lines.extend(paragraph(y + 50.0, 14));
            y += 250.0;
        }
        pages.push(page(n, lines));
    }
    let (tree, _) = shown(pages);
    assert!(!tree.contains("Matter 2") && !tree.contains("Matter 4"), "{tree}");
    assert!(tree.contains("  Matter 7 of kind 0 7-7") && tree.contains("  Matter 12 of kind 1"), "{tree}");
}

#[test]
fn years_in_titles_are_no_page_numbers() {
    let listed = [
        ("Statement of income for 2018, 2017 and", 2016),
        ("Business", 2),
        ("Risks of the business", 3),
        ("Properties of the company", 4),
        ("Legal proceedings", 5),
        ("Results of the year", 6),
    ];
    let mut pages = vec![contents(&listed)];
    pages.extend((2..).zip(listed.iter().skip(1)).map(|(n, (title, _))| section(n, title, 14.0)));
    let (_, source) = shown(pages);
    assert_eq!(source, TocSource::PrintedContents);
}

#[test]
fn a_list_inside_places_its_sections_beside_each_other() {
    // The statements are set in capitals and would stand above the notes by their looks.
    let mut pages = vec![section(1, "Item 7. Discussion", 12.0)];
    let titles = ["STATEMENTS OF INCOME", "STATEMENTS OF CASH FLOWS", "Notes to the statements", "Report of the auditors"];
    let mut lines = vec![heading("Item 8. Statements", 60.0, 12.0), heading("Index to the statements", 90.0, 9.0)];
    lines.extend(
        (0..).zip(titles).map(|(at, title)| Line { x1: 530.0, ..text(&format!("{title}  {}", at + 3), 120.0 + 14.0 * at as f32) }),
    );
    lines.extend(paragraph(300.0, 20));
    pages.push(page(2, lines));
    pages.extend((3..).zip(titles).map(|(n, title)| section(n, title, 10.0)));
    pages.push(section(7, "Item 9. Controls", 12.0));
    let (tree, _) = shown(pages);
    insta::assert_snapshot!(tree, @r"
    Item 7. Discussion 1-1
    Item 8. Statements 2-7
      STATEMENTS OF INCOME 3-4
      STATEMENTS OF CASH FLOWS 4-5
      Notes to the statements 5-6
      Report of the auditors 6-7
    Item 9. Controls 7-7
    ");
}

#[test]
fn an_entry_that_is_worded_otherwise_is_found_by_its_number() {
    let listed = [("Mission", 2), ("Priorities", 3), ("Appendix A: Participants in planning", 4), ("Appendix B: Alignment", 5)];
    let mut pages = vec![contents(&listed)];
    pages.extend([section(2, "Mission", 14.0), section(3, "Priorities", 14.0)]);
    pages.extend([section(4, "Appendix A Who took part", 14.0), section(5, "Appendix B Work plan and alignment", 14.0)]);
    let (tree, _) = shown(pages);
    insta::assert_snapshot!(tree, @r"
    Contents 1-2
    Mission 2-3
    Priorities 3-4
    Appendix A Who took part 4-5
    Appendix B Work plan and alignment 5-5
    ");
}
