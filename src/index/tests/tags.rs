//! Structure tags: believed wholly, in part, or not.

use super::sample::{heading, page, paragraph, text};
use crate::index::headings::tags::{TagSays, TagTrust, judge};
use crate::index::{NodeSource, TocSource, index_pages};
use crate::pdf::{Info, Line, Page, Role, Tag};

fn tagged(line: Line, role: Role, element: u32) -> Line {
    Line { tag: Some(Tag { role, element }), ..line }
}

/// Pages of running text, each with a heading that the layout shows or hides.
fn book(pages: u32, level: impl Fn(u32) -> u8, shown: bool) -> Vec<Page> {
    (1..=pages)
        .map(|n| {
            let title = format!("Subject {}", ["of work", "of rest", "of play"][n as usize % 3]);
            let title = format!("{title} {}", char::from(b'A' + n as u8));
            let line = if shown { heading(&title, 60.0, 14.0) } else { text(&title, 60.0) };
            let body = paragraph(90.0, 30).into_iter().map(|l| tagged(l, Role::Paragraph, 1_000 + n));
            let lines = std::iter::once(tagged(line, Role::Heading(level(n)), n)).chain(body).collect();
            page(n, lines)
        })
        .collect()
}

#[test]
fn sane_headings_are_the_tree_although_the_layout_hides_them() {
    let pages = book(12, |n| if n % 3 == 1 { 2 } else { 3 }, false);
    let tags = judge(&pages);
    assert_eq!(tags.trust(), TagTrust::Whole);
    assert_eq!(tags.of(&pages[0].lines[0]), TagSays::Heading(1), "levels are counted from the first one used");
    let document = index_pages(pages, &[], Info::default(), Vec::new());
    assert_eq!(document.toc_source, TocSource::Tags);
    assert_eq!(
        document.tree.len(),
        4,
        "{:#?}",
        document.tree.iter().map(|n| (&n.title, n.start_index, n.provenance)).collect::<Vec<_>>()
    );
    assert!(document.tree.iter().all(|n| n.nodes.len() == 2 && n.provenance.source == NodeSource::Tags));
}

#[test]
fn cells_and_captions_are_no_headings() {
    let mut pages = book(8, |_| 1, true);
    for page in &mut pages {
        let number = page.number;
        page.lines.insert(4, tagged(heading("Large words of a cell", 300.0, 16.0), Role::Cell, 2_000 + number));
        page.lines.insert(9, tagged(heading("Large words under a picture", 400.0, 16.0), Role::Caption, 3_000 + number));
    }
    let document = index_pages(pages, &[], Info::default(), Vec::new());
    let titles: Vec<&str> = document.tree.iter().map(|n| n.title.as_str()).collect();
    assert_eq!(titles.len(), 8, "{titles:?}");
    assert!(titles.iter().all(|t| t.starts_with("Subject")));
}

#[test]
fn tags_that_cannot_be_are_not_believed() {
    let untagged: Vec<Page> = (1..=6).map(|n| page(n, paragraph(80.0, 30))).collect();
    assert_eq!(judge(&untagged).trust(), TagTrust::None);
    // Everything is a paragraph.
    let mut pages = book(6, |_| 1, true);
    pages.iter_mut().for_each(|p| p.lines[0].tag = Some(Tag { role: Role::Paragraph, element: 9 }));
    assert_eq!(judge(&pages).trust(), TagTrust::None);
    // Whole texts are headings.
    let mut pages = book(6, |_| 1, true);
    pages.iter_mut().flat_map(|p| &mut p.lines).for_each(|l| l.tag = Some(Tag { role: Role::Heading(1), element: 7 }));
    assert_eq!(judge(&pages).trust(), TagTrust::None);
    // So is every other line.
    let mut pages = book(6, |_| 1, true);
    let lines = pages.iter_mut().flat_map(|p| &mut p.lines).step_by(2);
    (10..).zip(lines).for_each(|(n, l)| l.tag = Some(Tag { role: Role::Heading(2), element: n }));
    assert_eq!(judge(&pages).trust(), TagTrust::None);
    // A few pages of many are tagged.
    let mut pages = book(20, |_| 1, true);
    pages.iter_mut().skip(6).flat_map(|p| &mut p.lines).for_each(|l| l.tag = None);
    assert_eq!(judge(&pages).trust(), TagTrust::None);
}

#[test]
fn running_heads_and_long_texts_among_the_headings_are_left_out() {
    let mut pages = book(10, |_| 1, true);
    for page in &mut pages {
        let number = page.number;
        page.lines.insert(0, tagged(text("The same words on each page", 40.0), Role::Heading(1), 500 + number));
    }
    let tags = judge(&pages);
    assert_ne!(tags.trust(), TagTrust::Whole);
    assert_eq!(tags.of(&pages[3].lines[0]), TagSays::Nothing);
}

#[test]
fn headings_in_disorder_are_evidence_only() {
    let pages = book(12, |n| if n % 2 == 0 { 5 } else { 1 }, true);
    let pages: Vec<Page> = pages;
    assert_eq!(judge(&pages).trust(), TagTrust::Whole, "levels without gaps are no jumps");
    let front = book(40, |_| 1, true).into_iter().map(|mut p| {
        if p.number > 8 {
            p.lines[0].tag = Some(Tag { role: Role::Paragraph, element: 9 });
        }
        p
    });
    let pages: Vec<Page> = front.collect();
    assert_eq!(judge(&pages).trust(), TagTrust::Evidence);
}

#[test]
fn a_file_laid_out_with_tables_has_no_cells() {
    let mut pages = book(8, |_| 1, true);
    pages.iter_mut().flat_map(|p| p.lines.iter_mut().skip(1)).for_each(|l| l.tag = Some(Tag { role: Role::Cell, element: 9 }));
    let tags = judge(&pages);
    assert_eq!(tags.of(&pages[0].lines[1]), TagSays::Nothing);
    assert_eq!(tags.of(&pages[0].lines[0]), TagSays::Heading(1));
}
