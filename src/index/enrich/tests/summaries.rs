//! Summaries, descriptions, and what they may cost.

use super::*;

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
    // All of the room is used, also where the last that have some span as many pages as the first that have none.
    let (long, short) = enriched.tree.iter().partition::<Vec<_>, _>(|node| node.end_index > node.start_index);
    let summaries = |nodes: &[&Node]| nodes.iter().filter(|node| node.summary.is_some()).count();
    let room = 4_000 / 84;
    assert_eq!((summaries(&long), summaries(&short)), (room, 0));
    assert_eq!(scripted.asked("summary").len(), room);
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
