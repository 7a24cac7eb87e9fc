//! Outlines of files: trusted, doubted, dropped.

use super::invariants::check;
use super::sample::{mark, page, paragraph, section};
use crate::index::{TocSource, index_pages};
use crate::pdf::{Bookmark, Info, Page};

const TITLES: [&str; 6] =
    ["Opening words", "Method of work", "Measured results", "Discussion of them", "Open questions", "Closing words"];

fn pages() -> Vec<Page> {
    (1..).zip(TITLES).map(|(n, t)| section(n, t, 16.0)).collect()
}

fn sources(marks: &[Bookmark]) -> (TocSource, Vec<String>) {
    let document = index_pages(pages(), marks, Info::default(), Vec::new());
    assert_eq!(check(&document), Ok(()));
    (document.toc_source, document.tree.into_iter().map(|n| n.title).collect())
}

#[test]
fn an_honest_outline_is_the_tree() {
    let marks: Vec<Bookmark> = (1..).zip(TITLES).map(|(n, t)| mark(1, t, n)).collect();
    let (source, titles) = sources(&marks);
    assert_eq!(source, TocSource::Bookmarks);
    assert_eq!(titles, TITLES);
}

#[test]
fn titles_that_are_not_printed_are_not_believed() {
    let marks: Vec<Bookmark> =
        (1..=6).map(|n| mark(1, ["Bandicoot", "Quokka", "Numbat", "Wombat", "Dingo", "Platypus"][n as usize - 1], n)).collect();
    let (source, titles) = sources(&marks);
    assert_eq!(source, TocSource::Headings);
    assert!(!titles.iter().any(|t| t == "Quokka"));
}

#[test]
fn an_outline_that_only_counts_pages_is_dropped() {
    let marks: Vec<Bookmark> = (1..=6).map(|n| mark(1, &format!("Page {n}"), n)).collect();
    assert_eq!(sources(&marks).0, TocSource::Headings);
}

#[test]
fn a_missing_target_is_found_by_its_title() {
    let mut marks: Vec<Bookmark> = (1..).zip(TITLES).map(|(n, t)| mark(1, t, n)).collect();
    marks[3].page = None;
    marks[4].page = Some(900);
    assert_eq!(sources(&marks), (TocSource::Bookmarks, TITLES.map(str::to_owned).to_vec()));
}

#[test]
fn deep_and_repeating_outlines_end() {
    let marks: Vec<Bookmark> = (1..=106).map(|n| mark(n, "Opening words", 1)).collect();
    let (_, titles) = sources(&marks);
    assert!(!titles.is_empty());
}

#[test]
fn headings_are_filled_into_long_sections_of_a_coarse_outline() {
    let mut pages: Vec<Page> = Vec::new();
    for n in 1..=30 {
        pages.push(if n % 5 == 2 { section(n, &format!("Topic number {n}"), 14.0) } else { page(n, paragraph(80.0, 30)) });
    }
    pages[0] = section(1, "Everything there is", 20.0);
    let document = index_pages(pages, &[mark(1, "Everything there is", 1)], Info::default(), Vec::new());
    assert_eq!(check(&document), Ok(()));
    assert_eq!(document.toc_source, TocSource::Bookmarks);
    assert_eq!(document.tree[0].nodes.len(), 6);
}
