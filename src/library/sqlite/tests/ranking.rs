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

/// Documents of these names, each with a page of its own and a title.
async fn named(names: &[(&str, &str)]) -> SqliteLibrary {
    let library = library();
    for (name, title) in names {
        let document = IndexedDocument { title: Some((*title).to_owned()), ..indexed("", &["words of all kinds", "more of them"]) };
        added(&library, new(name, name), document).await;
    }
    library
}

#[tokio::test]
async fn names_typed_in_part_or_misspelt_are_found() {
    let library = named(&[
        ("Q3-financials.pdf", "Third quarter"),
        ("2023-annual-report.pdf", "Federal Reserve"),
        ("northwind-traders.pdf", "Northwind"),
        ("HarborFerryGuide2021.pdf", "Timetable"),
        ("zebra.pdf", "Zebra"),
        ("umsaetze-bericht.pdf", "Umsätze"),
        ("minutes.pdf", "Minutes"),
    ])
    .await;
    for (query, name) in [
        ("anual report", "2023-annual-report.pdf"),
        ("Q3-finacials", "Q3-financials.pdf"),
        ("northwnd", "northwind-traders.pdf"),
        ("orthwind", "northwind-traders.pdf"),
        ("finan", "Q3-financials.pdf"),
        ("northw", "northwind-traders.pdf"),
        ("ferry", "HarborFerryGuide2021.pdf"),
        ("harb", "HarborFerryGuide2021.pdf"),
        ("guide 2021", "HarborFerryGuide2021.pdf"),
        ("resreve", "2023-annual-report.pdf"),
        ("Umsätze", "umsaetze-bericht.pdf"),
        ("ZEBRAS", "zebra.pdf"),
    ] {
        assert_eq!(names(&library, query).await[0], name, "{query}");
    }
    let (ranked, _) = library.rank_documents(&Scope::All, "xylophone", 0, 9).await.expect("ranked");
    assert!(ranked.iter().all(|ranked| ranked.score == 0.0), "{ranked:?}");
}

#[tokio::test]
async fn words_of_a_removed_document_are_no_longer_meant() {
    let library = named(&[("northwind.pdf", "Northwind"), ("zebra.pdf", "Zebra")]).await;
    let document = library.find(&Scope::All, "northwind.pdf").await.expect("find").expect("the document");
    library.remove(&document.id).await.expect("remove");
    let terms = library.pool.read(|transaction| {
        let mut all = transaction.prepare("SELECT term FROM name_terms ORDER BY term")?;
        Ok(all.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?)
    });
    assert_eq!(terms.await.expect("terms"), ["pdf", "zebra"]);
}

#[tokio::test]
async fn words_typed_in_part_find_pages() {
    let library = library();
    added(&library, new("a.pdf", "1"), indexed("", &["the government published", "the harbour master"])).await;
    assert_eq!(pages(&library, "govern").await, [("a.pdf".to_owned(), 1)]);
    assert_eq!(pages(&library, "goverment").await, [("a.pdf".to_owned(), 1)]);
    assert_eq!(pages(&library, "harbo").await, [("a.pdf".to_owned(), 2)]);
}

#[tokio::test]
async fn chinese_japanese_and_korean_are_found_by_any_number_of_characters() {
    let library = library();
    for (name, text) in [
        ("zh.pdf", "公司2010年半年度报告，营业收入增长百分之五。"),
        ("ja.pdf", "東京都の人口は増加している。関東"),
        ("ko.pdf", "코로나 보험금 지급 문제와 개선 과제를 책에서 다룬다"),
        ("en.pdf", "A report in English"),
    ] {
        added(&library, new(name, name), indexed("", &["nothing here", text])).await;
    }
    for (query, name) in [
        ("营业收入", "zh.pdf"),
        ("收入", "zh.pdf"),
        ("入", "zh.pdf"),
        ("营", "zh.pdf"),
        ("2010年半年度报告", "zh.pdf"),
        ("人口", "ja.pdf"),
        ("京", "ja.pdf"),
        ("東", "ja.pdf"),
        ("東京の人口", "ja.pdf"),
        ("보험", "ko.pdf"),
        ("책", "ko.pdf"),
        ("금", "ko.pdf"),
        ("보험금 문제", "ko.pdf"),
    ] {
        assert_eq!(names(&library, query).await[0], name, "{query}");
        assert_eq!(pages(&library, query).await.first(), Some(&(name.to_owned(), 2)), "{query}");
    }
    assert_eq!(pages(&library, "鬱").await, []);
}

#[tokio::test]
async fn numbers_are_found_as_they_are_typed() {
    let library = library();
    let texts = ["Revenue was $24.7 billion.", "Revenue was $1,577.00 million.", "It grew by 27.80 % to 12 345.", "3 of 4"];
    added(&library, new("a.pdf", "1"), indexed("", &texts)).await;
    for (query, page) in
        [("$24.7 billion", 1), ("24.70", 1), ("1,577", 2), ("1577", 2), ("1577.00", 2), ("$1,577", 2), ("27.8%", 3), ("27.8 %", 3)]
    {
        assert_eq!(pages(&library, query).await.first(), Some(&("a.pdf".to_owned(), page)), "{query}");
    }
}

#[tokio::test]
async fn short_words_are_not_taken_for_others_of_the_text() {
    let library = library();
    added(&library, new("a.pdf", "1"), indexed("", &["It could supply a wide range of goods.", "Another page."])).await;
    for query in ["cold", "wine"] {
        assert_eq!(pages(&library, query).await, [], "{query}");
    }
    assert_eq!(pages(&library, "suply").await.first(), Some(&("a.pdf".to_owned(), 1)));
}

#[tokio::test]
async fn quoted_words_stand_together() {
    let library = library();
    let scattered = "cold water and air; a chain of events; supply of cold goods; the chain; supply; cold. ".repeat(3);
    let texts = [scattered.as_str(), "Of the cold chain nothing is known here but its name.", "cold"];
    added(&library, new("a.pdf", "1"), indexed("", &texts)).await;
    assert_eq!(pages(&library, "\"cold chain\"").await[0].1, 2);
    assert_eq!(pages(&library, "„cold chain“ supply").await[0].1, 2);
    let asked = async |query: &str| library.rank_pages(&Scope::All, query, 10).await.unwrap();
    let quoted: Vec<(u32, bool)> = asked("supply \"cold chain\"").await.iter().map(|page| (page.page, page.quoted)).collect();
    assert_eq!(quoted, [(2, true), (1, false), (3, false)]);
    assert!(asked("\"chain cold\"").await.iter().all(|page| !page.quoted));
    assert!(asked("cold chain").await.iter().all(|page| page.quoted));
}

#[tokio::test]
async fn accents_make_no_difference() {
    let library = library();
    let french = "La société a publié les résultats de l'année et les décisions du conseil pour le marché.";
    added(&library, new("f.pdf", "1"), indexed("", &[french, "Une autre page de la société est dans le dossier."])).await;
    added(&library, new("e.pdf", "2"), indexed("", &["A café in the old town.", "x"])).await;
    for (query, name) in
        [("resultats", "f.pdf"), ("Résultat", "f.pdf"), ("decision", "f.pdf"), ("cafe", "e.pdf"), ("CAFÉS", "e.pdf")]
    {
        assert_eq!(pages(&library, query).await.first(), Some(&(name.to_owned(), 1)), "{query}");
    }
}

#[tokio::test]
async fn equal_documents_are_listed_once_each() {
    let library = library();
    for number in 0..23 {
        added(&library, new(&format!("{number}.pdf"), &number.to_string()), indexed("same words", &["same text"])).await;
    }
    let failed = started(&library, new("failed same.pdf", "f")).await;
    library.fail(failed, "damaged").await.expect("fail");
    started(&library, new("processing same.pdf", "p")).await;
    for query in ["same", "other"] {
        let mut seen = HashSet::new();
        for offset in (0..25).step_by(4) {
            let (page, total) = library.rank_documents(&Scope::All, query, offset, 4).await.expect("ranked");
            assert_eq!(total, 25);
            assert!(page.into_iter().all(|ranked| seen.insert(ranked.document.name)), "{query}");
        }
        assert_eq!(seen.len(), 25, "{query}");
    }
}

#[tokio::test]
async fn a_large_library_gives_the_pages_that_reading_all_would_give() {
    let library = library();
    let words = ["river", "bridge", "stone", "market", "winter", "paper", "light", "garden", "copper", "letter"];
    for document in 0..30_usize {
        let texts: Vec<String> = (0..150_usize)
            .map(|page| {
                let at = |n: usize| words[(document * 7 + page * n + page / 10) % words.len()];
                format!(
                    "{} {} and the {} of {} {}",
                    at(1),
                    at(3),
                    at(7),
                    if page % 50 == 3 { "obelisk" } else { "dust" },
                    document % 5
                )
            })
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        added(&library, new(&format!("{document}.pdf"), &document.to_string()), indexed("", &texts)).await;
    }
    for query in ["obelisk", "river bridge", "copper letter obelisk", "garden 3"] {
        let best = async |most: u64| {
            let ranked = library
                .pool
                .read(move |transaction| super::super::rank::pages::rank_scoring(transaction, &Scope::All, query, 10, most));
            ranked.await.expect("pages").into_iter().map(|page| page.score).collect::<Vec<f64>>()
        };
        let (all, some) = (best(u64::MAX).await, best(4_000).await);
        // Many pages are equal, so that the scores are compared, up to what is estimated of how common a word is.
        assert_eq!(all.len(), some.len(), "{query}");
        assert!(all.iter().zip(&some).all(|(a, b)| (a / b - 1.0).abs() < 0.15), "{query}: {all:?} {some:?}");
    }
    let best = library.rank_pages(&Scope::All, "\"winter light\"", 1).await.expect("pages").remove(0);
    // Small words are not stored, so none of them comes between.
    assert!(best.snippet.text.replace("and the ", "").contains("winter light"), "{best:?}");
}

#[tokio::test]
async fn a_found_page_says_where_it_stands() {
    let library = library();
    let mut document = indexed("", &["Overview\nzebra", "x", "some words of pandas\nLiquidity\nand tigers"]);
    document.pages[2].label = Some("i".to_owned());
    document.tree = vec![node("Overview", 1, 3), node("Liquidity", 3, 3)];
    added(&library, new("a.pdf", "1"), document).await;
    let place = async |query: &str| {
        let page = library.rank_pages(&Scope::All, query, 1).await.expect("pages").remove(0);
        (page.page, page.label, page.section.unwrap_or_default())
    };
    assert_eq!(place("zebra").await, (1, None, "Overview".to_owned()));
    assert_eq!(place("pandas").await, (3, Some("i".to_owned()), "Overview".to_owned()));
    assert_eq!(place("tigers").await, (3, Some("i".to_owned()), "Liquidity".to_owned()));
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
    assert!(pages[0].snippet.text.contains("zebra"));
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
