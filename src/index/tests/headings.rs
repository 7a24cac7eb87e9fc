//! Headings found in the layout.

use super::invariants::{check, outline};
use super::sample::{heading, page, paragraph};
use crate::index::index_pages;
use crate::pdf::{Info, Line, Page};

/// The outline of pages as text; the invariants are checked on the way.
fn tree(pages: Vec<Page>) -> String {
    let document = index_pages(pages, &[], Info::default(), Vec::new());
    assert_eq!(check(&document), Ok(()));
    let mut out = String::new();
    outline(&document.tree, 0, &mut out);
    out
}

/// A page that begins with these lines and goes on with running text.
fn opened(number: u32, mut lines: Vec<Line>) -> Page {
    let y = lines.last().map_or(60.0, |l| l.y1 + 16.0);
    lines.extend(paragraph(y, 30));
    page(number, lines)
}

#[test]
fn chapters_may_have_numbers_for_titles() {
    let pages = (1..=12).map(|n| match n % 3 {
        1 => opened(n, vec![heading(&format!("Chapter {}", n / 3 + 1), 120.0, 16.0)]),
        _ => opened(n, Vec::new()),
    });
    insta::assert_snapshot!(tree(pages.collect()), @r"
    Chapter 1 1-3
    Chapter 2 4-6
    Chapter 3 7-9
    Chapter 4 10-12
    ");
}

#[test]
fn clauses_that_are_counted_through_stand_inside_sections() {
    let mut pages = Vec::new();
    for n in 1..=3 {
        let mut lines = Vec::new();
        let mut y = 60.0;
        for title in [format!("Abschnitt {n} Boote"), format!("§ {} Bau", 2 * n - 1), format!("§ {} Fahrt", 2 * n)] {
            lines.push(heading(&title, y, 10.0));
            lines.extend(paragraph(y + 24.0, 8));
            y += 150.0;
        }
        pages.push(page(n, lines));
    }
    insta::assert_snapshot!(tree(pages), @r"
    Abschnitt 1 Boote 1-1
      § 1 Bau 1-1
      § 2 Fahrt 1-1
    Abschnitt 2 Boote 2-2
      § 3 Bau 2-2
      § 4 Fahrt 2-2
    Abschnitt 3 Boote 3-3
      § 5 Bau 3-3
      § 6 Fahrt 3-3
    ");
}
