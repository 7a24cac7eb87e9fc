//! Improving with scripted advisors.

mod faults;
mod headings;
mod summaries;

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use proptest::prelude::*;
use serde_json::json;

use super::estimate::tokens;
use super::*;
use crate::index::tests::invariants::{any_marks, any_pages, check};
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
