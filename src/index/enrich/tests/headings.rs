//! Headings that a model proposes.

use super::*;

#[tokio::test]
async fn only_headings_that_are_printed_are_kept() {
    let scripted = Scripted::new(|_, kind, input| {
        let proposals = json!({"headings": [
            {"title": "Invented out of thin air", "page": 2},
            {"title": "3 Matter of the page", "page": 3},
            {"title": "6  MATTER OF THE PAGE", "page": "5"},
            {"title": "Line 1 of the text says what", "page": 7},
            {"title": "12 Matter of the page", "page": 12},
            {"title": "9 Matter of the page", "page": 9},
            {"title": "The long chapter", "page": 1},
            {"title": "15 Matter of the page", "page": 11},
            {"title": "Matter of the page", "page": 40_000},
            {"title": "18 Matter of the page", "page": 19},
        ]});
        Ok(if kind == "headings" { proposals.to_string() } else { sane(kind, input) })
    });
    let enriched = run(&long(20), &scripted).await.unwrap();
    assert_eq!(scripted.asked("headings").len(), 1);
    let wanted = [
        "The long chapter 1-20",
        "  3 Matter of the page 3-6",
        "  6 Matter of the page 6-12",
        "  12 Matter of the page 12-18",
        "  18 Matter of the page 18-20",
    ];
    assert_eq!(shape(&enriched.tree), wanted);
    let first = &enriched.tree[0].nodes[0];
    assert_eq!((first.provenance.source, first.provenance.printed), (NodeSource::Model, true));
    assert_eq!(first.summary.as_deref(), Some("What is told about 3 Matter of the page in a few words."));
}

#[tokio::test]
async fn groups_of_pages_give_way_to_headings_where_there_are_enough() {
    let groups = |pages: u32| {
        (0..pages.div_ceil(5))
            .map(|at| node(&format!("Pages {}", at * 5 + 1), (at * 5 + 1, pages.min(at * 5 + 5)), vec![]))
            .collect()
    };
    let with = |headings: &'static [u32]| {
        Scripted::new(move |_, kind, input| {
            let found: Vec<_> =
                headings.iter().map(|page| json!({"title": format!("{page} Matter of the page"), "page": page})).collect();
            Ok(if kind == "headings" { json!({"headings": found}).to_string() } else { sane(kind, input) })
        })
    };
    let source = Source { tree: groups(24), page_groups: true, ..long(24) };
    let enriched = run(&source, &with(&[6, 12, 15])).await.unwrap();
    assert!(enriched.regrouped);
    let wanted = ["The book 1-6", "6 Matter of the page 6-12", "12 Matter of the page 12-15", "15 Matter of the page 15-24"];
    assert_eq!(shape(&enriched.tree), wanted);
    assert_eq!(enriched.tree[0].provenance.source, NodeSource::FrontMatter);
    // Improved once more, by the same or by another model, it stays so.
    let again = Source { tree: enriched.tree.clone(), page_groups: false, ..source.clone() };
    assert_eq!(run(&again, &with(&[])).await.unwrap().tree, enriched.tree);
    let few = run(&source, &with(&[6])).await.unwrap();
    assert!(!few.regrouped);
    assert_eq!(few.tree.len(), 5);
}

#[tokio::test]
async fn long_sections_are_looked_through_in_windows_under_the_cap() {
    let scripted = Scripted::new(|_, kind, input| Ok(sane(kind, input)));
    let options = EnrichOptions { call_tokens: 2_500, ..quick() };
    enrich(&long(30), &scripted, &scripted, HashMap::new(), &options, &|_| {}).await.unwrap();
    let windows = scripted.asked("headings");
    assert!(windows.len() > 3, "{}", windows.len());
    for page in 1..=30 {
        let mark = format!("[page {page}]\n");
        assert_eq!(windows.iter().filter(|window| window.contains(&mark)).count(), 1, "{mark}");
    }
    let prompt = tokens(crate::prompts::Prompt::ProposeHeadings.built_in());
    assert!(windows.iter().all(|window| tokens(window) + prompt <= 2_500));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_proposals_give_a_sound_tree(
        picks in proptest::collection::vec((0_u32..40, 0_usize..14, 0_u32..3), 0..40),
        pages in 11_u32..30,
    ) {
        let source = long(pages);
        let lines: Vec<Vec<String>> = source.pages.iter().map(|p| p.text.lines().map(str::to_owned).collect()).collect();
        let proposals: Vec<_> = picks.iter().map(|(page, line, off)| {
            let title = lines.get(*page as usize).and_then(|l| l.get(*line)).cloned().unwrap_or_else(|| "Not there".to_owned());
            json!({"title": title, "page": page + off})
        }).collect();
        let reply = json!({"headings": proposals}).to_string();
        let scripted = Scripted::new(move |_, kind, input| Ok(if kind == "headings" { reply.clone() } else { sane(kind, input) }));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let enriched = runtime.block_on(run(&source, &scripted)).unwrap();
        let top = &enriched.tree[0];
        prop_assert_eq!((enriched.tree.len(), top.start_index, top.end_index), (1, 1, pages));
        let mut before = (1, 0);
        for (at, node) in (2..).zip(&top.nodes) {
            prop_assert_eq!(&node.node_id, &format!("{at:04}"));
            prop_assert!(node.start_index >= before.0 && node.start_index <= node.end_index && node.end_index <= pages);
            prop_assert!(lines[node.start_index as usize - 1].iter().any(|l| crate::index::titles::clean(l) == node.title));
            if before.1 > 0 {
                prop_assert!(node.start_index <= before.1 + 1, "no page between two sections is lost");
            }
            before = (node.start_index, node.end_index);
        }
    }

    #[test]
    fn improved_trees_hold_what_every_tree_must(
        pages in any_pages(),
        more in any_pages(),
        marks in any_marks(),
        reply in prop_oneof![Just(None), "(?s).{0,60}".prop_map(Some)],
    ) {
        let pages: Vec<_> = pages.into_iter().chain(more).zip(1..).map(|(page, number)| crate::pdf::Page { number, ..page }).collect();
        prop_assume!(!pages.is_empty());
        let mut document = crate::index::index_pages(pages, &marks, crate::pdf::Info::default(), Vec::new());
        let headings: Vec<_> = document
            .pages
            .iter()
            .flat_map(|page| page.text.lines().map(|line| json!({"title": line, "page": page.number})))
            .collect();
        let headings = json!({"headings": headings}).to_string();
        let scripted = Scripted::new(move |_, kind, input| {
            Ok(if kind == "headings" { headings.clone() } else { reply.clone().unwrap_or_else(|| sane(kind, input)) })
        });
        let source = Source {
            name: "any.pdf".to_owned(),
            title: document.title.clone(),
            pages: document.pages.clone(),
            tree: document.tree.clone(),
            describe: true,
            page_groups: document.toc_source == crate::index::TocSource::PageRanges,
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        // A model of no use at all is given up; then there is nothing to check.
        if let Ok(enriched) = runtime.block_on(run(&source, &scripted)) {
            document.tree = enriched.tree;
            document.description = enriched.description.unwrap_or(document.description);
            prop_assert_eq!(check(&document), Ok(()));
        }
    }
}
