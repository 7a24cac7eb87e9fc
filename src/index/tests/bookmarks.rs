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

/// All titles of a tree with their pages and what was folded into them.
fn flat(nodes: &[crate::index::Node]) -> Vec<(String, u32)> {
    nodes
        .iter()
        .flat_map(|n| {
            let folded = n.key_items.iter().map(|k| (k.clone(), n.start_index));
            let own = std::iter::once((n.title.clone(), n.start_index));
            own.chain(folded).chain(flat(&n.nodes)).collect::<Vec<_>>()
        })
        .collect()
}

fn tree(marks: &[Bookmark]) -> (TocSource, Vec<(String, u32)>) {
    let document = index_pages(pages(), marks, Info::default(), Vec::new());
    assert_eq!(check(&document), Ok(()));
    (document.toc_source, flat(&document.tree))
}

/// The titles on their pages.
fn right() -> (TocSource, Vec<(String, u32)>) {
    (TocSource::Bookmarks, TITLES.iter().map(|t| (*t).to_owned()).zip(1..).collect())
}

#[test]
fn outlines_that_lead_a_page_too_far_are_moved() {
    let marks: Vec<Bookmark> = (2..).zip(TITLES).map(|(n, t)| mark(1, t, n.min(6))).collect();
    assert_eq!(tree(&marks), right());
    let marks: Vec<Bookmark> = (0..).zip(TITLES).map(|(n, t)| mark(1, t, n)).collect();
    assert_eq!(tree(&marks), right());
}

#[test]
fn a_single_wrong_target_is_put_right() {
    let mut marks: Vec<Bookmark> = (1..).zip(TITLES).map(|(n, t)| mark(1, t, n)).collect();
    marks[3].page = Some(1);
    assert_eq!(tree(&marks), right());
}

#[test]
fn targets_that_are_all_the_same_are_not_believed() {
    let marks: Vec<Bookmark> = ["Bandicoot", "Quokka", "Numbat", "Wombat", "Dingo"].iter().map(|title| mark(1, title, 1)).collect();
    assert_eq!(tree(&marks).0, TocSource::Headings);
}

#[test]
fn entries_that_name_nothing_are_left_out() {
    let mut marks = vec![mark(1, "Microsoft Word - final_v2.doc", 1)];
    marks.extend((1..).zip(TITLES).map(|(n, t)| mark(2, t, n)));
    marks.insert(3, mark(3, "_Toc12345", 2));
    marks.insert(5, mark(2, "Untitled", 4));
    marks.insert(6, mark(2, "Page 4", 4));
    let document = index_pages(pages(), &marks, Info::default(), Vec::new());
    assert_eq!(flat(&document.tree), right().1);
    assert!(document.tree.iter().all(|n| n.nodes.is_empty()), "all stand side by side: {:?}", document.tree);
}

#[test]
fn a_second_list_of_figures_is_left_out() {
    let mut marks: Vec<Bookmark> = (1..).zip(TITLES).map(|(n, t)| mark(1, t, n)).collect();
    marks.extend((1..=4).map(|n| mark(1, &format!("Figure {n}: A drawing"), n)));
    assert_eq!(tree(&marks), right());
}

#[test]
fn links_out_of_the_file_are_no_sections() {
    let mut marks: Vec<Bookmark> = (1..).zip(TITLES).map(|(n, t)| mark(1, t, n)).collect();
    marks[2] = Bookmark { page: None, leads_out: true, ..mark(1, TITLES[2], 0) };
    let (source, titles) = tree(&marks);
    assert_eq!((source, titles.len()), (TocSource::Bookmarks, 5));
}

#[test]
fn the_same_outline_twice_is_one() {
    let once: Vec<Bookmark> = (1..).zip(TITLES).map(|(n, t)| mark(1, t, n)).collect();
    let twice = [once.clone(), once].concat();
    assert_eq!(tree(&twice), right());
}

#[test]
fn levels_that_jump_stay_side_by_side() {
    let marks: Vec<Bookmark> = (1..).zip(TITLES).map(|(n, t)| mark(if n == 1 { 1 } else { 4 }, t, n)).collect();
    let document = index_pages(pages(), &marks, Info::default(), Vec::new());
    assert_eq!((document.tree.len(), document.tree[0].nodes.len()), (1, 5));
}

#[test]
fn every_entry_of_a_full_page_is_found() {
    let mut lines: Vec<_> = Vec::new();
    for (at, title) in TITLES.iter().enumerate() {
        lines.push(super::sample::heading(title, 60.0 + 110.0 * at as f32, 14.0));
        lines.extend(paragraph(80.0 + 110.0 * at as f32, 5));
    }
    let pages = vec![page(1, paragraph(80.0, 30)), page(2, lines)];
    let marks: Vec<Bookmark> = TITLES.iter().map(|t| mark(1, t, 2)).collect();
    let document = index_pages(pages, &marks, Info::default(), Vec::new());
    let found = flat(&document.tree);
    assert!(TITLES.iter().all(|t| found.contains(&((*t).to_owned(), 2))), "{found:?}");
    assert_eq!(document.tree[0].start_index, 1);
}

#[test]
fn an_outline_of_the_front_half_is_gone_on_with() {
    let pages: Vec<Page> = (1..=40)
        .map(
            |n| if n % 4 == 1 { section(n, &format!("{}. Topic of study", n / 4 + 1), 14.0) } else { page(n, paragraph(80.0, 30)) },
        )
        .collect();
    let marks: Vec<Bookmark> = (0..5).map(|n| mark(1, &format!("{}. Topic of study", n + 1), 4 * n + 1)).collect();
    let document = index_pages(pages, &marks, Info::default(), Vec::new());
    assert_eq!(document.toc_source, TocSource::Bookmarks);
    assert_eq!(document.tree.len(), 10, "{:?}", flat(&document.tree));
}

#[test]
fn a_single_bookmark_is_filled_in() {
    let (source, titles) = sources(&[mark(1, TITLES[0], 1)]);
    assert_eq!(source, TocSource::Bookmarks);
    assert_eq!(titles, [TITLES[0]]);
    let document = index_pages(pages(), &[mark(1, TITLES[0], 1)], Info::default(), Vec::new());
    assert_eq!(document.tree[0].nodes.len(), 5);
}
