use std::collections::HashSet;

use super::*;
use crate::library::Scope;
use crate::search::Ranker;

fn library() -> SqliteLibrary {
    SqliteLibrary::temporary().expect("a library")
}

async fn names(library: &SqliteLibrary, query: &str) -> Vec<String> {
    let (ranked, _) = library.rank_documents(&Scope::All, query, 0, 50).await.expect("ranked");
    ranked.into_iter().map(|ranked| ranked.document.name).collect()
}

async fn pages(library: &SqliteLibrary, query: &str) -> Vec<(String, u32)> {
    let ranked = library.rank_pages(&Scope::All, query, 20).await.expect("ranked");
    ranked.into_iter().map(|page| (page.name, page.page)).collect()
}

#[tokio::test]
async fn quarterly_earnings_finds_the_third_quarter_financials() {
    let library = library();
    let q3 = indexed("Revenue and profit for the third quarter", &["Revenue rose.", "Profit fell."]);
    added(&library, new("Q3-financials.pdf", "1"), q3).await;
    for (name, description) in [
        ("pump-manual.pdf", "Manual for the installation of a pump"),
        ("thesis.pdf", "Dissertation on earth mover's distance"),
        ("minutes.pdf", "Minutes of the meeting of the gardening club"),
    ] {
        added(&library, new(name, name), indexed(description, &["Some other text.", "Nothing of that kind."])).await;
    }
    assert_eq!(names(&library, "quarterly earnings").await[0], "Q3-financials.pdf");
    assert_eq!(names(&library, "Q3 results").await[0], "Q3-financials.pdf");
}

#[tokio::test]
async fn what_matches_nothing_comes_last_newest_first() {
    let library = library();
    for name in ["old.pdf", "zebra.pdf", "middle.pdf", "new.pdf"] {
        added(&library, new(name, name), indexed("", &["text"])).await;
    }
    started(&library, new("pending-zebra.pdf", "p")).await;
    let ranked = names(&library, "zebra").await;
    assert_eq!(ranked.iter().map(String::as_str).collect::<HashSet<_>>().len(), 5);
    assert_eq!(ranked[2..], ["new.pdf", "middle.pdf", "old.pdf"]);
    assert_eq!(names(&library, "???").await, ["pending-zebra.pdf", "new.pdf", "middle.pdf", "zebra.pdf", "old.pdf"]);
}

#[tokio::test]
async fn a_word_deep_in_the_text_finds_its_document() {
    let library = library();
    let mut texts = vec!["ordinary words fill this page"; 40];
    texts[33] = "the secret word is xylophone";
    added(&library, new("a.pdf", "1"), indexed("", &texts)).await;
    added(&library, new("b.pdf", "2"), indexed("", &["ordinary words"])).await;
    assert_eq!(names(&library, "xylophones").await[0], "a.pdf");
    assert_eq!(pages(&library, "xylophones").await, [("a.pdf".to_owned(), 34)]);
}

#[tokio::test]
async fn user_metadata_and_descriptions_are_searched_as_they_change() {
    let library = library();
    added(&library, new("a.pdf", "1"), indexed("", &["x"])).await;
    added(&library, new("b.pdf", "2"), indexed("", &["x"])).await;
    let mut again = new("a.pdf", "1");
    again.metadata.insert("client".to_owned(), "Globex".into());
    again.description = Some("Letter on tariffs".to_owned());
    library.begin(again).await.expect("begin");
    assert_eq!(names(&library, "globex").await[0], "a.pdf");
    assert_eq!(names(&library, "tariff").await[0], "a.pdf");
}

#[tokio::test]
async fn pages_are_found_by_stems_numbers_synonyms_and_pairs() {
    let library = library();
    let texts = [
        "The company acquired a competitor for $1,577.00 million in the third quarter of FY2025.",
        "Employees received training on safety.",
        "Net sales grew while cost of goods sold was flat.",
        "東京都の報告書です",
    ];
    added(&library, new("a.pdf", "1"), indexed("", &texts)).await;
    let first = async |query: &str| pages(&library, query).await.first().map_or(0, |(_, page)| *page);
    assert_eq!(first("1577").await, 1);
    assert_eq!(first("1,577").await, 1);
    assert_eq!(first("Q3 2025").await, 1);
    assert_eq!(first("acquisitions").await, 1);
    assert_eq!(first("How many staff were trained?").await, 2);
    assert_eq!(first("What was the revenue?").await, 3);
    assert_eq!(first("COGS").await, 3);
    assert_eq!(first("東京").await, 4);
    assert_eq!(pages(&library, "zeppelin").await, []);
    assert_eq!(pages(&library, "\" OR * ( NEAR ~").await, []);
    assert_eq!(pages(&library, "").await, []);
}

#[tokio::test]
async fn documents_of_other_languages_are_stemmed_in_theirs() {
    let library = library();
    let german = "Die Umsätze der Gesellschaft sind im Vergleich zu dem Vorjahr gestiegen und die Kosten wurden nicht erhöht.";
    added(&library, new("bericht.pdf", "1"), indexed("", &[german, "Das ist eine andere Seite mit dem Text der Firma."])).await;
    added(&library, new("report.pdf", "2"), indexed("", &["The report of the company is on the table."])).await;
    assert_eq!(pages(&library, "Wie hoch war der Umsatz?").await[0], ("bericht.pdf".to_owned(), 1));
}

#[tokio::test]
async fn scope_is_respected_by_every_ranking() {
    let library = library();
    let one = added(&library, new("one.pdf", "1"), indexed("zebra", &["zebra", "a zebra again"])).await;
    added(&library, new("two.pdf", "2"), indexed("zebra", &["zebra"])).await;
    let scope = Scope::Documents(vec![one.id.clone()]);
    let (documents, total) = library.rank_documents(&scope, "zebra", 0, 10).await.expect("documents");
    assert_eq!((documents.len(), total, documents[0].document.name.as_str()), (1, 1, "one.pdf"));
    let pages = library.rank_pages(&scope, "zebra", 10).await.expect("pages");
    assert!(pages.len() == 2 && pages.iter().all(|page| page.doc == one.id), "{pages:?}");
    assert!(pages[0].snippet.contains("zebra"));
    assert_eq!(library.rank_pages(&Scope::Documents(Vec::new()), "zebra", 10).await.expect("pages"), []);
}

#[tokio::test]
async fn sections_are_ranked_by_title_and_summary() {
    let library = library();
    let mut document = indexed("", &["x", "y", "z"]);
    let mut risks = node("Risk factors", 2, 2);
    risks.summary = Some("Storms may harm the harvest.".to_owned());
    document.tree = vec![node("Overview", 1, 1), Node { nodes: vec![node("Liquidity", 3, 3)], ..risks }];
    added(&library, new("a.pdf", "1"), document).await;
    let first = async |query: &str| {
        let ranked = library.rank_sections(&Scope::All, query, 5).await.expect("sections");
        ranked.first().map(|section| (section.title.clone(), section.node_id.clone(), section.start_index))
    };
    assert_eq!(first("what are the risks?").await, Some(("Risk factors".to_owned(), "0002".to_owned(), 2)));
    assert_eq!(first("storm harvest").await.map(|found| found.0), Some("Risk factors".to_owned()));
    assert_eq!(first("liquidity").await.map(|found| found.0), Some("Liquidity".to_owned()));
    assert_eq!(first("zeppelin").await, None);
}

#[tokio::test]
async fn a_heading_leads_to_the_page_it_stands_for() {
    let library = library();
    let mut document = indexed("", &["pension costs are small", "costs of many kinds", "costs"]);
    document.tree = vec![node("Overview", 1, 1), node("Pension", 2, 3)];
    added(&library, new("a.pdf", "1"), document).await;
    let ranked = pages(&library, "pension").await;
    assert!(ranked.contains(&("a.pdf".to_owned(), 2)), "{ranked:?}");
}

#[tokio::test]
async fn what_was_replaced_or_removed_is_not_found() {
    let library = library();
    let record = added(&library, new("a.pdf", "1"), indexed("aardvark", &["aardvark"])).await;
    added(&library, new("a.pdf", "2"), indexed("badger", &["badger"])).await;
    assert_eq!(pages(&library, "aardvark").await, []);
    let (ranked, _) = library.rank_documents(&Scope::All, "aardvark", 0, 5).await.expect("ranked");
    assert!(ranked.iter().all(|ranked| ranked.score == 0.0));
    library.remove(&record.id).await.expect("remove");
    assert_eq!(pages(&library, "badger").await, []);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(24))]
    /// Paging through any query gives every document exactly once.
    #[test]
    fn ranking_loses_no_document(
        words in proptest::collection::vec("[a-d]{1,2}", 0..14),
        query in "[a-d ]{0,6}",
        limit in 1_u32..6,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let library = library();
            for (number, word) in words.iter().enumerate() {
                let name = format!("{number}.pdf");
                if number % 3 == 0 {
                    started(&library, new(&name, &name)).await;
                } else {
                    added(&library, new(&name, &name), indexed(word, &[word.as_str()])).await;
                }
            }
            let mut seen = Vec::new();
            let mut scores = Vec::new();
            loop {
                let (page, total) = library.rank_documents(&Scope::All, &query, seen.len() as u64, limit).await.expect("ranked");
                assert_eq!(total, words.len() as u64);
                if page.is_empty() {
                    break;
                }
                scores.extend(page.iter().map(|ranked| ranked.score));
                seen.extend(page.into_iter().map(|ranked| ranked.document.id));
            }
            assert_eq!(seen.len(), words.len());
            assert_eq!(seen.iter().collect::<HashSet<_>>().len(), words.len());
            assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
        });
    }
}
