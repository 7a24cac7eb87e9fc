//! Summaries and descriptions.

use super::sample::{heading, page, paragraph, text};
use crate::index::{index_pages, titles::shorten};
use crate::pdf::{Info, Line, Page};

fn described(lines: &[&str], info: Info) -> String {
    let lines = lines.iter().enumerate().map(|(at, l)| text(l, 60.0 + 14.0 * at as f32)).collect();
    index_pages(vec![page(1, lines)], &[], info, Vec::new()).description
}

#[test]
fn a_description_names_kind_organisation_and_period() {
    let release = described(
        &[
            "February 5, 2025",
            "THE NORTHWIND COMPANY REPORTS",
            "FIRST QUARTER EARNINGS FOR FISCAL 2025",
            "today reported earnings for its first fiscal quarter ended December 28, 2024.",
        ],
        Info::default(),
    );
    assert_eq!(release, "Quarterly earnings release of The Northwind Company, quarter ended December 28, 2024");
    let filing = described(
        &[
            "FORM 10-K",
            "ANNUAL REPORT PURSUANT TO SECTION 13",
            "For the fiscal year ended September 24, 2022",
            "Northwind Inc.",
            "(Exact name of Registrant as specified in its charter)",
        ],
        Info::default(),
    );
    assert_eq!(filing, "Annual report (Form 10-K) of Northwind Inc., fiscal year ended September 24, 2022");
}

#[test]
fn a_description_falls_back_to_title_and_text() {
    let titled = Info { title: Some("Rivers of the North".into()), author: Some("Ada Lund".into()), ..Info::default() };
    assert_eq!(described(&["Rivers of the North", "plain words"], titled), "Rivers of the North by Ada Lund");
    let made = Info { title: Some("Microsoft Word - draft3.doc".into()), ..Info::default() };
    assert!(!described(&["plain words on a page"], made).contains("Microsoft"));
    assert_eq!(
        index_pages(vec![page(1, Vec::new())], &[], Info::default(), Vec::new()).description,
        "One page without readable text"
    );
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
