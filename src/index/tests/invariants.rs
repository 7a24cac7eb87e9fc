//! What must hold of every tree.

use std::collections::HashSet;

use proptest::prelude::*;

use super::sample::{heading, page, paragraph, text};
use crate::index::{IndexedDocument, Node, TocSource, index_pages};
use crate::pdf::{Bookmark, Info, Line, Page};

/// Fails with a reason where a document breaks an invariant.
pub fn check(document: &IndexedDocument) -> Result<(), String> {
    let count = document.pages.len() as u32;
    if document.tree.is_empty() && count > 0 {
        return Err("empty tree".into());
    }
    if document.description.trim().is_empty() || document.description.chars().count() > 200 {
        return Err(format!("description {:?}", document.description));
    }
    let mut ids = Vec::new();
    let mut covered = HashSet::new();
    walk(&document.tree, (1, count), &mut ids, &mut covered)?;
    if ids.iter().enumerate().any(|(at, id)| *id != format!("{:04}", at + 1)) {
        return Err(format!("ids {ids:?}"));
    }
    match (1..=count).find(|p| !covered.contains(p)) {
        Some(page) => Err(format!("page {page} is in no section")),
        None => Ok(()),
    }
}

fn walk(nodes: &[Node], parent: (u32, u32), ids: &mut Vec<String>, covered: &mut HashSet<u32>) -> Result<(), String> {
    let mut before = parent.0;
    for node in nodes {
        let title = &node.title;
        if title.trim().is_empty() || title.chars().count() > 200 || node.key_items.iter().any(|k| k.trim().is_empty()) {
            return Err(format!("title {title:?}"));
        }
        if node.start_index < before || node.start_index > node.end_index || node.end_index > parent.1 {
            return Err(format!("{title:?} has {}-{} in {parent:?} after {before}", node.start_index, node.end_index));
        }
        if node.summary.as_ref().is_some_and(|s| s.trim().is_empty() || s.chars().count() > 200 || s == title) {
            return Err(format!("summary of {title:?}: {:?}", node.summary));
        }
        before = node.start_index;
        ids.push(node.node_id.clone());
        covered.extend(node.start_index..=node.end_index);
        walk(&node.nodes, (node.start_index, node.end_index), ids, covered)?;
    }
    Ok(())
}

fn any_line() -> impl Strategy<Value = Line> {
    let words = prop_oneof![
        Just("Introduction".to_owned()),
        Just("2.1 Scope of the work".to_owned()),
        Just("CHAPTER 3".to_owned()),
        Just("Revenue  1,200  1,300".to_owned()),
        Just("Contents".to_owned()),
        Just("Results of the year ..... 12".to_owned()),
        Just("第一章 总则".to_owned()),
        Just("a) of the first part".to_owned()),
        "[ -~]{0,40}",
        "\\PC{0,12}",
    ];
    (words, 0.0f32..800.0, 4.0f32..30.0, any::<(bool, bool, bool, bool)>()).prop_map(
        |(words, y, size, (bold, italic, block, furniture))| Line {
            size,
            bold,
            italic,
            starts_block: block,
            furniture,
            y1: y + size,
            ..text(&words, y)
        },
    )
}

pub fn any_pages() -> impl Strategy<Value = Vec<Page>> {
    prop::collection::vec(prop::collection::vec(any_line(), 0..14), 0..12)
        .prop_map(|pages| pages.into_iter().zip(1..).map(|(lines, number)| page(number, lines)).collect())
}

pub fn any_marks() -> impl Strategy<Value = Vec<Bookmark>> {
    let one = (0u32..12, "[A-Za-z ]{0,20}", prop::option::of(0u32..16), prop::option::of(-5i32..900));
    prop::collection::vec(one.prop_map(|(level, title, page, top)| Bookmark { level, title, page, top, leads_out: false }), 0..20)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn trees_of_any_pages_and_bookmarks_hold(pages in any_pages(), marks in any_marks()) {
        let document = index_pages(pages, &marks, Info::default(), Vec::new());
        prop_assert_eq!(check(&document), Ok(()));
    }
}

#[test]
fn three_thousand_pages_without_outline_are_grouped() {
    let pages: Vec<Page> = (1..=3000).map(|n| page(n, vec![text("word", 100.0)])).collect();
    let document = index_pages(pages, &[], Info::default(), Vec::new());
    assert_eq!(check(&document), Ok(()));
    assert_eq!(document.toc_source, TocSource::PageRanges);
    assert_eq!(document.tree.len(), 30);
}

#[test]
fn one_page_is_one_section() {
    let document = index_pages(vec![page(1, vec![heading("A short letter", 80.0, 16.0)])], &[], Info::default(), Vec::new());
    assert_eq!(check(&document), Ok(()));
    assert_eq!(document.tree.len(), 1);
    let empty = index_pages(vec![page(1, Vec::new())], &[], Info::default(), Vec::new());
    assert_eq!(check(&empty), Ok(()));
}

#[test]
fn a_page_on_which_the_next_section_starts_belongs_to_both_unless_it_starts_at_the_top() {
    let mut pages: Vec<Page> = Vec::new();
    for (number, title) in (1..).zip(["First things", "", "Second things", ""]) {
        pages.push(if title.is_empty() { page(number, paragraph(80.0, 30)) } else { super::sample::section(number, title, 16.0) });
    }
    let mut lines = vec![heading("Third things", 60.0, 16.0)];
    lines.extend(paragraph(100.0, 10));
    pages.push(page(5, lines));
    let document = index_pages(pages, &[], Info::default(), Vec::new());
    assert_eq!(check(&document), Ok(()));
    let spans: Vec<_> = document.tree.iter().map(|n| (n.title.as_str(), n.start_index, n.end_index)).collect();
    assert_eq!(spans, [("First things", 1, 3), ("Second things", 3, 4), ("Third things", 5, 5)]);
    assert_eq!(document.toc_source, TocSource::Headings);
}

#[test]
fn numbered_headings_nest_by_their_numbers() {
    let titles = ["1 Basics", "1.1 Parts", "1.2 Wholes", "2 Use", "2.1 At home", "2.1.1 In the kitchen", "2.2 Abroad"];
    let pages = (1..).zip(titles).map(|(n, t)| super::sample::section(n, t, 13.0)).collect();
    let document = index_pages(pages, &[], Info::default(), Vec::new());
    let mut out = String::new();
    outline(&document.tree, 0, &mut out);
    insta::assert_snapshot!(out, @r"
    1 Basics 1-4
      1.1 Parts 2-3
      1.2 Wholes 3-4
    2 Use 4-7
      2.1 At home 5-7
        2.1.1 In the kitchen 6-7
      2.2 Abroad 7-7
    ");
}

/// A tree as indented lines.
pub fn outline(nodes: &[Node], depth: usize, out: &mut String) {
    for node in nodes {
        out.push_str(&format!("{}{} {}-{}\n", "  ".repeat(depth), node.title, node.start_index, node.end_index));
        outline(&node.nodes, depth + 1, out);
    }
}

/// The tree of these pages as indented lines; it holds.
pub fn shown(pages: Vec<Page>) -> String {
    let document = index_pages(pages, &[], Info::default(), Vec::new());
    assert_eq!(check(&document), Ok(()));
    let mut out = String::new();
    outline(&document.tree, 0, &mut out);
    out
}
