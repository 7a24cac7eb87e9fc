//! Tags as models write them when they do not write them as asked.

use super::check;
use crate::agent::types::{Citation, CitationStatus};
use crate::agent::{Conversation, EvidenceLedger};
use crate::tools::Evidence;

fn pages() -> EvidenceLedger {
    let id = "pi-0123456789abcdef0123456789abcdef";
    let mut ledger = Conversation::about([(id.to_owned(), "Q&A <final> report.pdf".to_owned(), Some(20))]).evidence;
    let mut read = |doc: &str, page, label: Option<&str>, text: &str| {
        let label = label.map(str::to_owned);
        ledger.record_page(&Evidence { doc: doc.into(), page, label, text: text.into(), page_count: 20 });
    };
    read("Q&A <final> report.pdf", 3, Some("iii"), "The committee met 17 times and closed the eastern plant.");
    read("Q&A <final> report.pdf", 4, Some("F-12"), "The bank lent 4,250 dollars\nto the mill for <b>ten</b> years.");
    read("年報.pdf", 2, None, "本年度營業收入為新臺幣一千二百三十四億元，較上年度增加百分之十五。淨利為 567.8 億元。");
    ledger
}

fn one(text: &str) -> Citation {
    let found = check(text, &pages(), "").citations;
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found[0].clone()
}

#[test]
fn documents_are_found_by_id_path_escaped_name_and_without_ending() {
    for doc in [
        "pi-0123456789abcdef0123456789abcdef",
        "PI-0123456789ABCDEF0123456789ABCDEF",
        "/home/anna/files/Q&A <final> report.pdf",
        "Q&amp;A &lt;final&gt; report.pdf",
        "Q&amp;A &lt;final&gt; report",
        "file:///home/anna/Q&amp;A%20&lt;final&gt;%20report.pdf",
    ] {
        let written = doc.replace('<', "&lt;").replace('>', "&gt;");
        let found = one(&format!("It met 17 times <cite doc=\"{written}\" page=\"3\">committee met 17 times</cite>."));
        assert_eq!((found.status, found.doc.as_str()), (CitationStatus::Verified, "Q&A <final> report.pdf"), "{doc}");
    }
    assert_eq!(one("It <cite doc=\"pi-ffffffffffffffffffffffffffffffff\" page=\"3\"/>").status, CitationStatus::NoSuchDocument);
}

#[test]
fn a_printed_label_stands_for_the_one_page_that_bears_it() {
    let name = "pi-0123456789abcdef0123456789abcdef";
    let (third, fourth) = ("the eastern plant", "lent 4,250 dollars");
    for (page, want, quote) in
        [("iii", 3, third), ("p. iii", 3, third), ("III", 3, third), ("F-12", 4, fourth), ("page F-12", 4, fourth)]
    {
        let found = one(&format!("As written <cite doc=\"{name}\" page=\"{page}\">{quote}</cite>"));
        assert_eq!((found.status, found.page), (CitationStatus::Verified, want), "{page}");
    }
    assert_eq!(one(&format!("It <cite doc=\"{name}\" page=\"xi\"/>")).status, CitationStatus::NoSuchPage);
    assert_eq!(one("It grew [年報.pdf, p. F-12].").status, CitationStatus::NoSuchPage);
}

#[test]
fn markup_inside_a_quote_is_no_part_of_it() {
    let name = "pi-0123456789abcdef0123456789abcdef";
    for quote in [
        "**lent 4,250** dollars to the mill",
        "<em>lent</em> 4,250 dollars<br/>to the mill",
        "“lent 4,250 dollars to the mill”",
        "`lent 4,250 dollars to the mill`",
        "lent 4,250 dollars to the mill...",
        "| lent 4,250 dollars | to the mill |",
    ] {
        assert_eq!(one(&format!("It <cite doc=\"{name}\" page=\"4\">{quote}</cite>")).status, CitationStatus::Verified, "{quote}");
    }
}

#[test]
fn quotes_in_scripts_without_spaces_are_as_long_as_they_say() {
    for (quote, want) in [
        ("營業收入為新臺幣一千二百三十四億元", CitationStatus::Verified),
        ("較上年度增加百分之十五", CitationStatus::Verified),
        ("較上年度減少百分之十五", CitationStatus::NotFound),
        ("營業", CitationStatus::PageRead),
    ] {
        assert_eq!(one(&format!("營業收入增加<cite doc=\"年報.pdf\" page=\"2\">{quote}</cite>。")).status, want, "{quote}");
    }
    assert_eq!(one("淨利為567.8億元<cite doc=\"年報.pdf\" page=\"2\"/>。").status, CitationStatus::NumbersFound);
    assert_eq!(one("淨利為576.8億元<cite doc=\"年報.pdf\" page=\"2\"/>。").status, CitationStatus::NotFound);
    assert_eq!(one("淨利為567.8万元<cite doc=\"年報.pdf\" page=\"2\"/>。").status, CitationStatus::NotFound);
}

#[test]
fn tags_stand_in_code_cells_and_lists() {
    let tag = "<cite doc=\"pi-0123456789abcdef0123456789abcdef\" page=\"3\">committee met 17 times</cite>";
    for text in [
        format!("```\nIt met 17 times {tag}\n```"),
        format!("| It met 17 times {tag} | x |"),
        format!("1. `It met 17 times` {tag}"),
    ] {
        assert_eq!(one(&text).status, CitationStatus::Verified, "{text}");
    }
    let wrong = format!("| It met 18 times {tag} | x |");
    assert_eq!(one(&wrong).status, CitationStatus::NotFound);
}

#[test]
fn a_range_of_pages_is_as_good_as_its_best_page() {
    let name = "pi-0123456789abcdef0123456789abcdef";
    let found = one(&format!("It lent 4,250 dollars <cite doc=\"{name}\" page=\"3-5\"/>"));
    assert_eq!((found.status, found.page), (CitationStatus::NumbersFound, 4));
    assert_eq!(one(&format!("It lent 4,250 dollars <cite doc=\"{name}\" page=\"5-7\"/>")).status, CitationStatus::Unread);
    assert_eq!(one(&format!("It lent 4,350 dollars <cite doc=\"{name}\" page=\"3-5\"/>")).status, CitationStatus::NotFound);
}
