//! Headings found in the layout.

use super::invariants::{check, outline};
use super::sample::{heading, page, paragraph, text};
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

/// Pages with a title in a look of its own between two paragraphs each.
fn with_titles(look: impl Fn(Line) -> Line) -> Vec<Page> {
    let pages =
        (1..).zip(["Boats", "Harbours", "Rivers", "Lakes", "Winds", "Tides", "Ropes", "Sails", "Oars"]).map(|(n, title)| {
            let mut lines = paragraph(60.0, 8);
            lines.push(look(text(title, 172.0)));
            lines.extend(paragraph(190.0, 8));
            page(n, lines)
        });
    pages.collect()
}

#[test]
fn lines_in_a_look_of_their_own_are_headings_where_they_come_steadily() {
    let coloured = tree(with_titles(|l| Line { color: 0x00_a0_20_20, ..l }));
    let italic = tree(with_titles(|l| Line { italic: true, ..l }));
    let other = tree(with_titles(|l| Line { font: "Sans-Roman".into(), ..l }));
    assert!(coloured.contains("Harbours 2-3") && coloured == italic && italic == other, "{coloured}{italic}{other}");
    // In the look of the text itself it takes more of them.
    let plain = |most: usize| tree(with_titles(|l| l).into_iter().take(most).collect());
    assert_eq!(plain(9), coloured);
    assert!(!plain(6).contains("Harbours 2-3"));
}

#[test]
fn labels_that_repeat_are_no_steady_headings() {
    let mut pages = with_titles(|l| Line { italic: true, ..l });
    for line in pages.iter_mut().flat_map(|p| &mut p.lines).filter(|l| l.italic) {
        line.text = "Remark".into();
    }
    let found = tree(pages);
    assert!(!found.contains("Remark 2"), "{found}");
}

#[test]
fn a_document_without_a_title_page_begins_with_a_heading() {
    let pages = (1..).zip(["Boats", "Harbours", "Rivers", "Lakes", "Winds"]);
    let pages = pages.map(|(n, title)| opened(n, vec![heading(title, 60.0, 14.0)])).collect();
    insta::assert_snapshot!(tree(pages), @r"
    Boats 1-1
    Harbours 2-2
    Rivers 3-3
    Lakes 4-4
    Winds 5-5
    ");
}

#[test]
fn running_heads_that_are_drawn_last_are_no_headings() {
    let names = ["Boats", "Harbours", "Rivers", "Lakes", "Winds", "Tides", "Ropes", "Sails"];
    let pages = (1..).zip(names).map(|(n, title)| {
        let mut lines = paragraph(80.0, 8);
        lines.push(heading(title, 200.0, 12.0));
        lines.extend(paragraph(230.0, 8));
        let chapter = names[(n as usize - 1) / 2 * 2].to_uppercase();
        lines.push(Line { bold: true, ..text(&chapter, 40.0) });
        page(n, lines)
    });
    let found = tree(pages.collect());
    assert!(found.contains("Harbours 2-3") && !found.contains("HARBOURS"), "{found}");
}

#[test]
fn titles_of_several_lines_are_joined_where_lines_stand_far_apart() {
    let far = |from: f32| {
        (0..8).map(move |at| Line { x1: 530.0, ..text(&"the sea is wide and deep ".repeat(4), from + 24.0 * at as f32) })
    };
    let pages = (1..).zip(["Boats", "Harbours", "Rivers", "Lakes"]).map(|(n, title)| {
        let mut lines: Vec<Line> = far(60.0).collect();
        let long = format!("{title} of the North and what the Fishers Say of Them in the Long");
        lines.push(Line { x1: 520.0, ..heading(&long, 252.0, 12.0) });
        lines.push(heading("Winters", 276.0, 12.0));
        lines.extend(far(300.0));
        page(n, lines)
    });
    let found = tree(pages.collect());
    assert!(found.contains("Rivers of the North and what the Fishers Say of Them in the Long Winters 3"), "{found}");
}

#[test]
fn page_groups_are_named_by_whole_sentences_or_by_the_largest_lines() {
    let mut first = paragraph(60.0, 6);
    first.extend([text("The boats of the north were counted", 140.0)]);
    let second = vec![
        text("twice. Ropes were counted as well, for the winter was", 60.0),
        Line { starts_block: false, ..text("long and the harbour was closed.", 72.0) },
    ];
    let third = vec![text("Sails were sold. They were new.", 60.0), text("The oars were old.", 72.0)];
    let title = |text: &str, y: f32| Line { bold: false, size: 18.0, ..heading(text, y, 18.0) };
    let mut fourth = paragraph(60.0, 20);
    fourth.extend([title("What Is to Be", 400.0), title("Said of Tides", 420.0)]);
    let pages = (1..).zip([first, second, third, fourth]).map(|(n, lines)| page(n, lines)).collect();
    insta::assert_snapshot!(tree(pages), @r"
    Page 1: The boats of the north were counted 1-1
    Page 2: Ropes were counted as well, for the winter was long and the harbour… 2-2
    Page 3: Sails were sold. 3-3
    Page 4: What Is to Be Said of Tides 4-4
    ");
}

#[test]
fn a_memo_of_one_page_has_sections() {
    let mut lines = vec![heading("MEMORANDUM", 60.0, 10.0), text("To: Ada Lund", 76.0), text("From: Bo Berg", 92.0)];
    for (at, title) in ["Background", "Findings", "Advice"].iter().enumerate() {
        let y = 120.0 + 80.0 * at as f32;
        lines.push(heading(title, y, 10.0));
        lines.push(Line { x1: 530.0, ..text("Boats of the north were seen in long and even lines of the harbour, and", y + 12.0) });
        lines.extend(paragraph(y + 24.0, 3).into_iter().map(|l| Line { starts_block: false, ..l }));
    }
    insta::assert_snapshot!(tree(vec![page(1, lines)]), @r"
    Background 1-1
    Findings 1-1
    Advice 1-1
    ");
}

/// Pages of clauses with a title on the first line of each.
fn clauses(title: impl Fn(usize) -> String) -> Vec<Page> {
    let pages = (1..=4).map(|n| {
        let mut lines = vec![heading(&format!("ARTICLE {}", ["I", "II", "III", "IV"][n - 1]), 60.0, 12.0)];
        for part in 1..=3 {
            let y = 40.0 + 140.0 * part as f32;
            let words = "The boats of the north are built of oak and pine by the people of the north";
            lines.push(Line { x1: 530.0, ..text(&format!("Section {n}.{part} {}. {words}", title(n * 3 + part - 4)), y) });
            lines.extend(paragraph(y + 12.0, 6).into_iter().map(|l| Line { starts_block: false, ..l }));
        }
        page(n as u32, lines)
    });
    pages.collect()
}

#[test]
fn clauses_have_their_titles_on_the_line_of_their_text() {
    let names = ["Boats", "Oars", "Sails", "Ropes", "Tides", "Winds", "Lakes", "Rivers", "Docks", "Gates", "Dues", "Maps"];
    let found = tree(clauses(|at| format!("Care of {}", names[at])));
    assert!(found.contains("\n  Section 2.3 Care of Winds 2"), "{found}");
    let labels = tree(clauses(|_| "Example".to_owned()));
    assert!(!labels.contains("Example"), "{labels}");
}
