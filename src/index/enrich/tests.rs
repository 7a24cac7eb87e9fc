//! Improving with scripted advisors.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use proptest::prelude::*;
use serde_json::json;

use super::estimate::tokens;
use super::*;
use crate::index::{NodeSource, Provenance};

type Answer = Box<dyn Fn(usize, &str, &str) -> Result<String, AdviceError> + Send + Sync>;

/// Answers as a closure says and records what it was asked.
struct Scripted {
    answer: Answer,
    asked: Mutex<Vec<(String, String)>>,
    kept: Mutex<Vec<(String, String)>>,
}

impl Scripted {
    /// `answer` gets the number of the request, its kind (`summary`, `headings`, `description`) and its material.
    fn new(answer: impl Fn(usize, &str, &str) -> Result<String, AdviceError> + Send + Sync + 'static) -> Self {
        Self { answer: Box::new(answer), asked: Mutex::default(), kept: Mutex::default() }
    }

    fn asked(&self, kind: &str) -> Vec<String> {
        self.asked.lock().unwrap().iter().filter(|(k, _)| k == kind).map(|(_, input)| input.clone()).collect()
    }

    fn kept(&self) -> HashMap<String, String> {
        self.kept.lock().unwrap().iter().cloned().collect()
    }
}

#[async_trait]
impl Advisor for Scripted {
    fn name(&self) -> String {
        "scripted".to_owned()
    }

    async fn advise(&self, request: AdviceRequest<'_>) -> Result<Advice, AdviceError> {
        let kind =
            ["summary", "headings", "description"].into_iter().find(|k| request.instructions.contains(&format!("{{\"{k}\": ")));
        let kind = kind.unwrap();
        let number = {
            let mut asked = self.asked.lock().unwrap();
            asked.push((kind.to_owned(), request.input.to_owned()));
            asked.len()
        };
        tokio::task::yield_now().await;
        let text = (self.answer)(number, kind, request.input)?;
        Ok(Advice { text, spent: Spent { input_tokens: 100, output_tokens: 10, requests: 1 } })
    }
}

#[async_trait]
impl Keeper for Scripted {
    async fn keep(&self, part: &str, outcome: &str) -> Result<(), String> {
        self.kept.lock().unwrap().push((part.to_owned(), outcome.to_owned()));
        Ok(())
    }
}

fn failure(fault: AdviceFault) -> AdviceError {
    AdviceError { fault, message: "it failed".to_owned(), hint: None }
}

/// A sane answer that names the section.
fn sane(kind: &str, input: &str) -> String {
    let section = input.lines().find_map(|line| line.strip_prefix("Section: ")).unwrap_or("all");
    match kind {
        "headings" => json!({"headings": []}).to_string(),
        kind => json!({kind: format!("What is told about {section} in a few words.")}).to_string(),
    }
}

fn body(about: &str, lines: usize) -> String {
    (0..lines).map(|line| format!("Line {line} of the text says what there is to say about {about} and its parts.\n")).collect()
}

fn node(title: &str, pages: (u32, u32), nodes: Vec<Node>) -> Node {
    Node {
        title: title.to_owned(),
        node_id: String::new(),
        start_index: pages.0,
        end_index: pages.1,
        summary: Some(format!("As found about {}.", title.to_lowercase())),
        key_items: Vec::new(),
        nodes,
        provenance: Provenance::default(),
    }
}

fn source(texts: Vec<String>, tree: Vec<Node>) -> Source {
    let pages = (1..).zip(texts).map(|(number, text)| IndexedPage { number, label: None, text, notes: Vec::new() }).collect();
    Source { name: "book.pdf".to_owned(), title: Some("The book".to_owned()), pages, tree, describe: true, page_groups: false }
}

/// Three chapters of two pages, the second with two sections.
fn small() -> Source {
    let texts =
        ["One", "", "Two\nTwo and a half", "", "Three", ""].iter().map(|title| format!("{title}\n{}", body(title, 12))).collect();
    let inner = vec![node("Two and a half", (3, 3), vec![]), node("Two at the end", (4, 4), vec![])];
    source(texts, vec![node("One", (1, 2), vec![]), node("Two", (3, 4), inner), node("Three", (5, 6), vec![])])
}

/// One chapter of this many pages, with headings on every third.
fn long(pages: u32) -> Source {
    let text = |page: u32| match page {
        1 => format!("The long chapter\n{}", body("everything", 10)),
        page if page % 3 == 0 => format!("{}\n{page}  Matter of the page\n{}", body("rest", 3), body("matter", 10)),
        page => body(&format!("page {page}"), 12),
    };
    source((1..=pages).map(text).collect(), vec![node("The long chapter", (1, pages), vec![])])
}

fn quick() -> EnrichOptions {
    let patience =
        Patience { first_wait: Duration::from_millis(1), longest_wait: Duration::from_millis(50), ..Patience::default() };
    EnrichOptions { patience, ..EnrichOptions::default() }
}

async fn run(source: &Source, scripted: &Scripted) -> Result<Enriched, Halt> {
    enrich(source, scripted, scripted, HashMap::new(), &quick(), &|_| {}).await
}

fn shape(nodes: &[Node]) -> Vec<String> {
    nodes
        .iter()
        .flat_map(|n| {
            std::iter::once(format!("{} {}-{}", n.title, n.start_index, n.end_index))
                .chain(shape(&n.nodes).into_iter().map(|s| format!("  {s}")))
        })
        .collect()
}

#[tokio::test]
async fn children_come_before_their_parents_which_are_told_what_they_said() {
    let scripted = Scripted::new(|_, kind, input| Ok(sane(kind, input)));
    let enriched = run(&small(), &scripted).await.unwrap();
    let asked = scripted.asked("summary");
    assert_eq!(asked.len(), 5);
    let two = asked.iter().position(|input| input.contains("Section: Two\n")).unwrap();
    assert_eq!(two, 4, "the only one with sections inside comes last");
    assert!(
        asked[two].contains("- Two and a half (pages 3-3): What is told about Two and a half in a few words."),
        "{}",
        asked[two]
    );
    assert!(asked[two].contains("Pages: 3-4\nAt most 200 characters."));
    let half = asked.iter().find(|input| input.contains("Section: Two and a half\n")).unwrap();
    assert!(half.contains("Inside: Two\n") && half.contains("[page 3]") && !half.contains("[page 4]"), "{half}");
    let description = scripted.asked("description");
    assert_eq!(description.len(), 1);
    assert!(description[0].contains("- Three (pages 5-6): What is told about Three in a few words."), "{}", description[0]);
    assert_eq!(enriched.description.as_deref(), Some("What is told about all in a few words."));
    assert_eq!(enriched.tree[1].nodes[0].summary.as_deref(), Some("What is told about Two and a half in a few words."));
    assert_eq!(enriched.tree[1].nodes[1].node_id, "0004");
    let spent = Spent { input_tokens: 600, output_tokens: 60, requests: 6 };
    assert_eq!(enriched.progress, Progress { asked: 6, missed: 0, reused: 0, total: 6, spent, waiting: None });
}

#[tokio::test]
async fn what_is_finished_is_not_asked_for_again() {
    let first =
        Scripted::new(|number, kind, input| if number > 3 { Err(failure(AdviceFault::Fatal)) } else { Ok(sane(kind, input)) });
    let halt = run(&small(), &first).await.unwrap_err();
    assert_eq!((halt.message.as_str(), halt.progress.asked, first.kept().len()), ("it failed", 3, 3));
    let second = Scripted::new(|_, kind, input| Ok(sane(kind, input)));
    let enriched = enrich(&small(), &second, &second, first.kept(), &quick(), &|_| {}).await.unwrap();
    assert_eq!((enriched.progress.reused, enriched.progress.asked), (3, 3));
    let repeated = second.asked("summary").into_iter().filter(|input| first.asked("summary")[..3].contains(input)).count();
    assert_eq!(repeated, 0);
    // The same tree as in one go; improving the improved one asks for the same again.
    let whole = Scripted::new(|_, kind, input| Ok(sane(kind, input)));
    let at_once = run(&small(), &whole).await.unwrap();
    assert_eq!(at_once.tree, enriched.tree);
    let improved = Source { tree: at_once.tree, ..small() };
    let again = enrich(&improved, &whole, &whole, whole.kept(), &quick(), &|_| {}).await.unwrap();
    assert_eq!((again.progress.asked, again.tree), (0, enriched.tree));
}

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
    let prompt = tokens(include_str!("../../../prompts/propose_headings.md"));
    assert!(windows.iter().all(|window| tokens(window) + prompt <= 2_500));
}

#[tokio::test]
async fn no_node_exceeds_the_cap_of_a_call() {
    let words = "Umsatzerlöse 1,234.5 第一章 总则 of the year  ".repeat(300_000 / 50);
    let mut texts = vec![words; 1];
    texts.extend((2..=9).map(|page| format!("{}\n{}", body("x", 300), page)));
    let many: Vec<Node> = (0..20).map(|at| node(&format!("{at} {}", "long title ".repeat(17)), (9, 9), vec![])).collect();
    let source = source(texts, vec![node("All of it", (1, 8), vec![]), node("Many", (9, 9), many)]);
    let scripted = Scripted::new(|_, kind, input| Ok(sane(kind, input)));
    let options = EnrichOptions { call_tokens: 2_500, ..quick() };
    enrich(&source, &scripted, &scripted, HashMap::new(), &options, &|_| {}).await.unwrap();
    for (kind, prompt) in [("summary", "summarise_section"), ("description", "describe_document")] {
        let prompt = std::fs::read_to_string(format!("{}/prompts/{prompt}.md", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let asked = scripted.asked(kind);
        assert!(!asked.is_empty());
        for input in asked {
            assert!(tokens(&input) + tokens(&prompt) <= 2_500, "{}", tokens(&input));
            // By another measure: no text has more than four bytes a token.
            assert!(input.len() < 2_500 * 4);
        }
    }
    let all = scripted.asked("summary").into_iter().find(|input| input.contains("Section: All of it")).unwrap();
    assert!((1..=8).all(|page| all.contains(&format!("[page {page}]"))), "every page has its share");
}

#[tokio::test]
async fn replies_of_no_use_leave_what_was_there() {
    let scripted = Scripted::new(|_, kind, input| {
        Ok(if input.contains("Section: Three") { "I cannot help with that.".to_owned() } else { sane(kind, input) })
    });
    let enriched = run(&small(), &scripted).await.unwrap();
    assert_eq!(scripted.asked("summary").iter().filter(|input| input.contains("Section: Three")).count(), 3, "tried a few times");
    assert_eq!(enriched.tree[2].summary.as_deref(), Some("As found about three."));
    assert_eq!(enriched.progress.missed, 1);
    assert!(enriched.why_missed.unwrap().contains("not what was asked for"));
    // A summary that only repeats the title is none.
    let parrot = Scripted::new(|_, kind, input| {
        Ok(if input.contains("Section: Two at the end") {
            json!({"summary": "Two, at the end."}).to_string()
        } else {
            sane(kind, input)
        })
    });
    assert_eq!(run(&small(), &parrot).await.unwrap().tree[1].nodes[1].summary.as_deref(), Some("As found about two at the end."));
}

#[tokio::test]
async fn a_model_that_gives_nothing_of_use_is_given_up() {
    let texts = (0..40).map(|at| format!("Chapter {at}\n{}", body("it", 12))).collect();
    let tree = (0..40).map(|at| node(&format!("Chapter {at}"), (at + 1, at + 1), vec![])).collect();
    let scripted = Scripted::new(|_, _, _| Ok("No.".to_owned()));
    let halt = run(&source(texts, tree), &scripted).await.unwrap_err();
    assert!(halt.message.contains("not what was asked for, for 5 sections in a row"), "{halt}");
    assert!(scripted.asked("summary").len() <= 3 * (5 + 4));
}

#[tokio::test]
async fn refused_sections_are_left_and_a_server_that_refuses_all_is_given_up() {
    let refused = || Err(failure(AdviceFault::Refused));
    let some = Scripted::new(move |_, kind, input| if input.contains("Section: T") { refused() } else { Ok(sane(kind, input)) });
    let enriched = run(&small(), &some).await.unwrap();
    assert_eq!((enriched.progress.missed, enriched.why_missed.as_deref()), (4, Some("it failed")));
    let all = Scripted::new(move |_, _, _| refused());
    assert_eq!(run(&small(), &all).await.unwrap_err().message, "it failed");
    assert_eq!(all.asked("summary").len(), 3);
}

#[tokio::test]
async fn a_dead_key_costs_one_request_and_an_unreachable_server_two() {
    let dead = Scripted::new(|_, _, _| Err(failure(AdviceFault::Fatal)));
    let halt = run(&small(), &dead).await.unwrap_err();
    assert_eq!((dead.asked("summary").len(), halt.progress.asked, dead.kept().len()), (1, 0, 0));
    let away = Scripted::new(|_, _, _| Err(failure(AdviceFault::Unreachable)));
    run(&small(), &away).await.unwrap_err();
    assert_eq!(away.asked("summary").len(), 2);
}

#[tokio::test]
async fn failures_that_pass_are_waited_for_and_do_not_last_for_ever() {
    let wait = |ms| AdviceFault::Passing { wait: Some(Duration::from_millis(ms)) };
    let limited =
        Scripted::new(move |number, kind, input| if number % 3 == 0 { Err(failure(wait(20))) } else { Ok(sane(kind, input)) });
    let enriched = run(&small(), &limited).await.unwrap();
    assert_eq!(enriched.progress.missed, 0);
    assert_eq!(enriched.progress.spent.requests, limited.asked.lock().unwrap().len() as u64);
    let shut = Scripted::new(move |number, kind, input| if number > 2 { Err(failure(wait(1))) } else { Ok(sane(kind, input)) });
    run(&small(), &shut).await.unwrap_err();
    assert_eq!(shut.kept().len(), 2);
    // A wait beyond all patience ends the run at once.
    let patient = Scripted::new(move |_, _, _| Err(failure(wait(3_600_000))));
    run(&small(), &patient).await.unwrap_err();
    assert_eq!(patient.asked("summary").len(), 1);
}

#[tokio::test]
async fn a_model_with_a_small_window_gets_less() {
    let scripted = Scripted::new(
        |_, kind, input| {
            if tokens(input) > 300 { Err(failure(AdviceFault::TooLong)) } else { Ok(sane(kind, input)) }
        },
    );
    let options = EnrichOptions { call_tokens: 2_000, ..quick() };
    let enriched = enrich(&small(), &scripted, &scripted, HashMap::new(), &options, &|_| {}).await.unwrap();
    assert_eq!(enriched.progress.missed, 0);
}

#[tokio::test]
async fn no_more_requests_run_at_once_than_allowed() {
    struct Counting(std::sync::atomic::AtomicUsize, std::sync::atomic::AtomicUsize);
    #[async_trait]
    impl Advisor for Counting {
        fn name(&self) -> String {
            "counting".to_owned()
        }
        async fn advise(&self, request: AdviceRequest<'_>) -> Result<Advice, AdviceError> {
            use std::sync::atomic::Ordering::SeqCst;
            let now = self.0.fetch_add(1, SeqCst) + 1;
            self.1.fetch_max(now, SeqCst);
            tokio::time::sleep(Duration::from_millis(2)).await;
            self.0.fetch_sub(1, SeqCst);
            let kind = if request.instructions.contains("{\"summary\"") { "summary" } else { "description" };
            Ok(Advice { text: sane(kind, request.input), spent: Spent::default() })
        }
    }
    let texts = (0..30).map(|at| format!("Chapter {at}\n{}", body("it", 12))).collect();
    let tree = (0..30).map(|at| node(&format!("Chapter {at}"), (at + 1, at + 1), vec![])).collect();
    let keeper = Scripted::new(|_, _, _| Err(failure(AdviceFault::Fatal)));
    let counting = Counting(0.into(), 0.into());
    let options = EnrichOptions { jobs: 3, ..quick() };
    enrich(&source(texts, tree), &counting, &keeper, HashMap::new(), &options, &|_| {}).await.unwrap();
    assert_eq!(counting.1.into_inner(), 3);
}

#[tokio::test]
async fn the_structure_stays_within_its_budget() {
    // 100 pages with 190 sections leave too little room for all of them.
    let texts: Vec<String> =
        (0..100).map(|at| format!("Chapter {at}\n{}\nSecond {at}\n{}", body("it", 12), body("it", 12))).collect();
    let tree = (0..190_u32).map(|at| {
        node(&format!("{} {}", if at % 2 == 0 { "Chapter" } else { "Second" }, at / 2), (at / 2 + 1, at / 2 + 1 + at % 2), vec![])
    });
    let source = source(texts, tree.collect());
    let scripted = Scripted::new(|_, kind, input| {
        let text = "Many words about nothing in particular, with *emphasis* and\nline breaks. ".repeat(20);
        Ok(if kind == "summary" { json!({"summary": text}).to_string() } else { sane(kind, input) })
    });
    let enriched = run(&source, &scripted).await.unwrap();
    let size: usize = enriched.tree.iter().map(|node| serde_json::to_string(node).unwrap().chars().count()).sum();
    assert!(size <= 100 * 135 + 190 * 30, "{size}");
    for node in &enriched.tree {
        let summary = node.summary.as_deref().unwrap_or("none");
        assert!(summary.chars().count() <= 200 && !summary.contains(['*', '\n']), "{summary}");
    }
}

#[test]
fn prompts_are_those_of_their_version() {
    use sha2::{Digest, Sha256};
    let mut hasher = Sha256::new();
    for prompt in ["summarise_section", "describe_document", "propose_headings"] {
        hasher.update(std::fs::read_to_string(format!("{}/prompts/{prompt}.md", env!("CARGO_MANIFEST_DIR"))).unwrap());
    }
    let hash: String = hasher.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    // Where this fails, a prompt was changed: PROMPT_VERSION must rise with it.
    insta::assert_snapshot!(format!("version {PROMPT_VERSION}: {hash}"), @"version 1: 1fe90ad9dac6");
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
}
