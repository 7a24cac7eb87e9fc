//! Measures page ranking on real questions. Needs `PAGEWISE_SHARED` (questions) and `PAGEWISE_PAGES` (page texts and outlines as JSON, one
//! file a document); returns early without them.

use std::collections::HashMap;
use std::path::PathBuf;

use serde_json::Value;

use super::analysis::{Analyzer, Language, Query};
use super::{PageScorer, PageWeights, StoredWords};

struct Page {
    body: Vec<u8>,
    starts: Vec<u8>,
    covers: Vec<u8>,
}

struct Question {
    id: String,
    set: &'static str,
    doc: String,
    text: String,
    pages: Vec<i64>,
}

fn load_document(path: &PathBuf) -> (Language, Vec<Page>) {
    let file: Value = serde_json::from_slice(&std::fs::read(path).expect("page texts")).expect("JSON");
    let texts: Vec<&str> = file["pages"].as_array().expect("pages").iter().filter_map(Value::as_str).collect();
    let mut starts = vec![String::new(); texts.len() + 1];
    let mut covers = vec![String::new(); texts.len() + 1];
    let toc: Vec<(i64, &str, usize)> = file["toc"]
        .as_array()
        .expect("toc")
        .iter()
        .map(|e| (e[0].as_i64().expect("level"), e[1].as_str().expect("title"), e[2].as_u64().expect("page") as usize))
        .collect();
    for (at, (level, title, page)) in toc.iter().enumerate() {
        let end = toc[at + 1..].iter().find(|next| next.0 <= *level).map_or(texts.len(), |next| next.2).min(texts.len());
        starts[(*page).min(texts.len())] += &format!("{title}\n");
        for covered in page + 1..=end {
            covers[covered] += &format!("{title}\n");
        }
    }
    let language = Language::guess(texts.iter().copied());
    let mut analyzer = Analyzer::new(language);
    let mut stored = |text: &str| StoredWords::read(&mut analyzer, text).bytes;
    let pages = texts
        .iter()
        .enumerate()
        .map(|(at, text)| Page { body: stored(text), starts: stored(&starts[at + 1]), covers: stored(&covers[at + 1]) })
        .collect();
    (language, pages)
}

fn questions(shared: &str) -> Vec<Question> {
    let sets = [
        ("own", "qa-own.jsonl"),
        ("finance", "financebench/questions-dev.jsonl"),
        ("mmlong", "mmlongbench/questions-dev.jsonl"),
        ("erc2", "erc2/questions-dev.jsonl"),
    ];
    let mut all = Vec::new();
    for (set, file) in sets {
        let text = std::fs::read_to_string(format!("{shared}/data/{file}")).expect("questions");
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let q: Value = serde_json::from_str(line).expect("JSON");
            let numbers = |key: &str| -> Vec<i64> { q[key].as_array().into_iter().flatten().filter_map(Value::as_i64).collect() };
            let pages = numbers("evidence_pages");
            let usable = q["text_only"] != false && q["has_text_layer"] != false;
            if !pages.is_empty() && usable {
                let field = |key: &str| q[key].as_str().unwrap_or_default().to_owned();
                all.push(Question { id: field("id"), set, doc: field("doc"), text: field("question"), pages });
            }
        }
    }
    all
}

#[test]
fn evidence_pages_come_first() {
    let (Ok(shared), Ok(dumps)) = (std::env::var("PAGEWISE_SHARED"), std::env::var("PAGEWISE_PAGES")) else { return };
    let mut documents: HashMap<String, (Language, Vec<Page>)> = HashMap::new();
    let questions = questions(&shared);
    let show = std::env::var("PAGEWISE_SHOW").unwrap_or_default();
    let mut totals: HashMap<(String, &str), [f64; 5]> = HashMap::new();
    for (at, q) in questions.iter().enumerate() {
        let (language, pages) =
            documents.entry(q.doc.clone()).or_insert_with(|| load_document(&PathBuf::from(format!("{dumps}/{}.json", q.doc))));
        let query = Query::new(&q.text, &[*language]);
        let mut scorer = PageScorer::new(&query, PageWeights::default());
        for (number, page) in pages.iter().enumerate() {
            scorer.observe(number as i64 + 1, &page.body, &page.starts, &page.covers);
        }
        let ranked = scorer.finish(None);
        let rank = ranked.iter().position(|(key, _)| q.pages.contains(key)).map_or(usize::MAX, |at| at + 1);
        let half = if at % 2 == 0 { "tune" } else { "held" };
        if show == "all" || (show == "tune" && half == "tune" && rank > 1) {
            let top: Vec<i64> = ranked.iter().take(5).map(|(key, _)| *key).collect();
            eprintln!("{} {} rank {rank} want {:?} got {top:?}: {}", q.set, q.id, q.pages, q.text);
        }
        for set in [q.set.to_owned(), "all".to_owned()] {
            let total = totals.entry((set, half)).or_default();
            total[0] += 1.0;
            total[1] += f64::from(rank == 1);
            total[2] += f64::from(rank <= 3);
            total[3] += f64::from(rank <= 5);
            total[4] += if rank == usize::MAX { 0.0 } else { 1.0 / rank as f64 };
        }
    }
    let mut lines: Vec<String> = totals
        .iter()
        .map(|((set, half), t)| {
            let share = |n: f64| 100.0 * n / t[0];
            format!(
                "{set:8} {half}: n {:3} top1 {:5.1} top3 {:5.1} top5 {:5.1} mrr {:.3}",
                t[0],
                share(t[1]),
                share(t[2]),
                share(t[3]),
                t[4] / t[0]
            )
        })
        .collect();
    lines.sort();
    eprintln!("{}", lines.join("\n"));
}
