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
