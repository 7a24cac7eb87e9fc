//! Descriptions: kind, organisation, period and title of documents of many kinds.

use super::sample::{heading, page, paragraph, text};
use crate::index::describe::dates::{date, year};
use crate::index::{IndexedDocument, index_pages};
use crate::pdf::{Info, Line, Page};

/// A document whose first page has a title in large type and lines below it.
fn document(title: &str, lines: &[&str], info: Info) -> IndexedDocument {
    let mut all: Vec<Line> = if title.is_empty() { Vec::new() } else { vec![heading(title, 50.0, 20.0)] };
    all.extend(lines.iter().enumerate().map(|(at, l)| text(l, 90.0 + 14.0 * at as f32)));
    all.extend(paragraph(400.0, 12));
    index_pages(vec![page(1, all), page(2, paragraph(80.0, 30))], &[], info, Vec::new())
}

fn described(title: &str, lines: &[&str]) -> String {
    document(title, lines, Info::default()).description
}

#[test]
fn a_release_names_who_reports_and_the_quarter() {
    let release = described(
        "",
        &[
            "February 5, 2025",
            "THE NORTHWIND COMPANY REPORTS",
            "FIRST QUARTER EARNINGS FOR FISCAL 2025",
            "today reported earnings for its first fiscal quarter ended December 28, 2024.",
        ],
    );
    assert_eq!(release, "Quarterly earnings release of The Northwind Company, quarter ended December 28, 2024");
}

#[test]
fn a_filing_is_of_the_registrant_and_never_of_the_regulator() {
    let letterhead = ["UNITED STATES", "SECURITIES AND EXCHANGE COMMISSION", "Washington, D.C. 20549", "FORM 10-K"];
    let period = ["ANNUAL REPORT PURSUANT TO SECTION 13", "For the fiscal year ended September 24, 2022"];
    let captioned = ["Northwind Inc.", "(Exact name of Registrant as specified in its charter)"];
    let lines: Vec<&str> = letterhead.iter().chain(&period).chain(&captioned).copied().collect();
    let expected = "Annual report (Form 10-K) of Northwind Inc., fiscal year ended September 24, 2022";
    assert_eq!(described("", &lines), expected);
    // Without the caption the name stands below the file number.
    let numbered = ["Commission file number 1-3285", "NORTHWIND COMPANY", "New York Stock Exchange, Inc."];
    let lines: Vec<&str> = letterhead.iter().chain(&period).chain(&numbered).copied().collect();
    assert!(described("", &lines).contains("of Northwind Company,"), "{}", described("", &lines));
    let lines: Vec<&str> = letterhead.iter().chain(&period).copied().collect();
    assert_eq!(described("", &lines), "Annual report (Form 10-K), fiscal year ended September 24, 2022");
}

#[test]
fn kinds_and_periods_are_read_in_many_languages() {
    for (title, lines, expected) in [
        ("Geschäftsbericht 2022", &["Nordwind AG"][..], "Annual report of Nordwind AG, 2022"),
        ("Rapport annuel 2023", &["Vent du Nord SA"], "Annual report of Vent du Nord SA, 2023"),
        ("Jaarverslag 2021", &["Noordenwind NV"], "Annual report of Noordenwind NV, 2021"),
        ("Informe anual 2020", &["Viento Norte SA"], "Annual report of Viento Norte SA, 2020"),
        ("2010年半年度报告", &["北风动力股份有限公司"], "Half-year report of 北风动力股份有限公司, 2010年半年度"),
        ("取扱説明書", &[], "User guide: 取扱説明書"),
        ("사용설명서", &[], "User guide: 사용설명서"),
        ("Bedienungsanleitung", &["Nordwind GmbH"], "User guide by Nordwind GmbH: Bedienungsanleitung"),
        ("Manuale d'uso", &[], "User guide: Manuale d'uso"),
        ("Prüfbericht", &["3. März 2024"], "Report, 3. März 2024: Prüfbericht"),
        ("Rechnung Nr. 17", &["Rechnungsdatum: 05.02.2025"], "Invoice, 05.02.2025: Rechnung Nr. 17"),
        ("Minutes of the Board Meeting", &["12 May 2021"], "Minutes, 12 May 2021: Minutes of the Board Meeting"),
    ] {
        assert_eq!(described(title, lines), expected);
    }
}

#[test]
fn a_word_within_a_title_names_no_kind() {
    for title in ["Standard Essential Patents and Trade", "The Reporting Burden of Firms", "Form and Function", "Lost Manuscripts"]
    {
        assert_eq!(described(title, &[]), title);
    }
    assert_eq!(described("Report on Rivers", &[]), "Report: Report on Rivers");
    assert_eq!(described("Harbour Inspection Report 2019", &[]), "Inspection report, 2019: Harbour Inspection Report 2019");
}

#[test]
fn a_paper_is_by_its_authors_not_by_their_institutes() {
    let lines = [
        "Ada Lund1, Bo Berg2,∗, Cy Dahl1",
        "1 University of Somewhere 2 Institute of Elsewhere",
        "{ada,bo}@example.org",
        "Abstract",
        "We study rivers. Keywords: rivers, water",
    ];
    assert_eq!(described("Rivers at Scale", &lines), "Research paper by Ada Lund et al.: Rivers at Scale");
    let pair = ["Ada Lund and Bo Berg", "Department of Rivers", "Abstract", "We study rivers."];
    assert_eq!(described("Rivers at Scale", &pair), "Research paper by Ada Lund and Bo Berg: Rivers at Scale");
}

#[test]
fn papers_of_courts_and_letters_are_told() {
    let opinion =
        ["IN THE SUPREME COURT OF NORTHLAND", "ADA LUND,", "Plaintiff,", "v.", "NORTHWIND INC.,", "Defendant.", "OPINION"];
    assert_eq!(described("", &opinion), "Court opinion by Supreme Court of Northland: IN THE SUPREME COURT OF NORTHLAND");
    let letter =
        ["Northwind Inc.", "September 1, 2016", "Dear Ms. Lund,", "thank you for your letter of last week about the harbour."];
    assert!(described("", &letter).starts_with("Letter by Northwind Inc., September 1, 2016"), "{}", described("", &letter));
}

#[test]
fn names_of_files_and_programs_are_no_titles() {
    for made in [
        "Microsoft Word - draft3.doc",
        "0001065280-16-000047",
        "C:\\docs\\final",
        "Layout 1",
        "untitled",
        "10-K 2022, 09.24.2022-2022-10-27-08-59",
        "http://example.org/x",
        "report_final_v2.pdf",
        "PROJECT NAME:",
    ] {
        let info = Info { title: Some(made.into()), ..Info::default() };
        let document = document("Rivers of the North", &[], info);
        assert_eq!(document.title.as_deref(), Some("Rivers of the North"), "{made}");
        assert_eq!(document.description, "Rivers of the North", "{made}");
    }
    let signs = document("∗ ⟨ ⟩ = + 7abc ∑", &[], Info::default());
    assert!(!signs.description.contains('∑'), "{}", signs.description);
}

#[test]
fn a_stated_title_and_author_are_believed_where_the_title_is_printed() {
    let info = Info { title: Some("Rivers of the North".into()), author: Some("Ada Lund".into()), ..Info::default() };
    assert_eq!(document("Rivers of the North", &[], info.clone()).description, "Rivers of the North by Ada Lund");
    let other = Info { title: Some("Tides".into()), ..info };
    assert_eq!(document("Rivers of the North", &[], other).description, "Rivers of the North");
}

#[test]
fn pages_without_words_are_described_as_such() {
    let empty = |count: u32| (1..=count).map(|n| page(n, Vec::new())).collect::<Vec<Page>>();
    let described = |pages| index_pages(pages, &[], Info::default(), Vec::new()).description;
    assert_eq!(described(empty(1)), "One page without readable text");
    assert_eq!(described(empty(3)), "3 pages without readable text");
    assert_eq!(described(vec![page(1, vec![text("� � ∑ x", 80.0)])]), "One page with little text");
}

#[test]
fn dates_are_found_as_they_are_written() {
    for (line, expected) in [
        ("Issued on JANUARY 5, 2025.", "January 5, 2025"),
        ("as of Jan. 5, 2025", "Jan. 5, 2025"),
        ("vom 11. November 2011 an", "11. November 2011"),
        ("Paris, le 1er février 2020", "1er février 2020"),
        ("11. 11. 2011", "11. 11. 2011"),
        ("5 de enero de 2025", "5 de enero de 2025"),
        ("2020年4月2日", "2020年4月2日"),
        ("발행일 2020년 4월 2일", "2020년 4월 2일"),
        ("v1.0 2022/02/03", "2022/02/03"),
        ("Date: 05.02.2025", "05.02.2025"),
        ("August 2022 Contents", "August 2022"),
        ("No. 2 (Apr., 1965)", "Apr., 1965"),
    ] {
        assert_eq!(date(line).map(|d| d.text).as_deref(), Some(expected), "{line}");
    }
    for line in ["version 10.05.0", "Form 1065 2014", "May be used", "1,200 pieces", "call 0800 1 513 513", "12/2024/77"] {
        assert_eq!(date(line), None, "{line}");
    }
    for (line, expected) in [
        ("Plan 2016-2018", "2016-2018"),
        ("Annual Report 2009-10", "2009-10"),
        ("FY 2022/23 results", "2022/23"),
        ("in 2021.", "2021"),
    ] {
        assert_eq!(year(line).as_deref(), Some(expected), "{line}");
    }
    for line in ["ISO 26262-3:2018x", "$2022", "No. 12-2022-0001", "v.2022.1"] {
        assert_eq!(year(line), None, "{line}");
    }
}
