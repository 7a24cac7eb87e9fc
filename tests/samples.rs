//! The sample documents in `examples/`: the committed files are what the program makes, and the questions fit them.

#[path = "../examples/make_documents/typeset/mod.rs"]
mod typeset;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use typeset::{SampleDocument, make_documents};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

fn documents() -> anyhow::Result<BTreeMap<&'static str, SampleDocument>> {
    Ok(make_documents()?.into_iter().map(|document| (document.file_name, document)).collect())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    id: String,
    doc: String,
    question: String,
    answer: String,
    answer_type: String,
    evidence_pages: Vec<usize>,
    answer_must_contain: Vec<String>,
    also_acceptable_pages: Vec<usize>,
    evidence_strings: BTreeMap<usize, Vec<String>>,
}

fn questions() -> anyhow::Result<Vec<Question>> {
    let text = std::fs::read_to_string(examples().join("questions.jsonl"))?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

#[test]
fn committed_files_are_what_the_program_makes() {
    for (name, document) in documents().unwrap() {
        let committed = std::fs::read(examples().join("documents").join(name)).unwrap();
        assert!(committed == document.pdf, "{name} is out of date: run `cargo run --example make_documents`");
    }
}

#[test]
fn documents_have_the_pages_and_the_size_that_the_readme_promises() {
    let documents = documents().unwrap();
    assert!(documents["annual-report.pdf"].page_texts.len() >= 40);
    assert!(documents["quarterly-release.pdf"].page_texts.len() >= 8);
    assert!(documents["technical-manual.pdf"].page_texts.len() >= 25);
    assert!(documents.values().map(|document| document.pdf.len()).sum::<usize>() < 400_000);
    for (name, document) in &documents {
        for (index, text) in document.page_texts.iter().enumerate() {
            assert!(text.len() > 80, "page {} of {name} is nearly empty: {text:?}", index + 1);
        }
    }
}

#[test]
fn only_the_annual_report_has_bookmarks_and_page_labels() {
    for (name, document) in documents().unwrap() {
        let file = lopdf::Document::load_mem(&document.pdf).unwrap();
        let catalog = file.catalog().unwrap();
        let expected = name == "annual-report.pdf";
        assert_eq!(catalog.has(b"Outlines"), expected, "{name}");
        assert_eq!(catalog.has(b"PageLabels"), expected, "{name}");
        assert_eq!(file.get_pages().len(), document.page_texts.len(), "{name}");
    }
}

#[test]
fn total_revenue_stands_in_highlights_discussion_and_income_statement() {
    let documents = documents().unwrap();
    let pages = &documents["annual-report.pdf"].page_texts;
    for words in [
        "Financial highlights Fiscal 2025",
        "Total revenue in fiscal 2025 was $2,647.2 million, compared with $2,448.4 million in fiscal 2024",
        "Total revenue $2,647.2 $2,448.4 $2,238.4 Cost of revenue",
    ] {
        assert_eq!(pages.iter().filter(|page| page.contains(words)).count(), 1, "{words}");
    }
    assert!(pages.iter().filter(|page| page.contains("Total revenue $2,647.2 $2,448.4")).count() >= 5);
}

#[test]
fn questions_are_well_formed() {
    let questions = questions().unwrap();
    assert_eq!(questions.len(), 20);
    assert_eq!(questions.iter().map(|question| &question.id).collect::<BTreeSet<_>>().len(), 20);
    assert_eq!(questions.iter().filter(|question| question.answer_type == "unanswerable").count(), 3);
    for question in &questions {
        let id = &question.id;
        assert!(question.question.ends_with('?'), "{id}");
        let unanswerable = question.answer_type == "unanswerable";
        assert_eq!(question.answer == "Not answerable", unanswerable, "{id}");
        assert_eq!(question.evidence_pages.is_empty(), unanswerable, "{id}");
        assert_eq!(question.answer_must_contain.is_empty(), unanswerable, "{id}");
        assert!(question.evidence_strings.keys().eq(&question.evidence_pages), "{id}");
    }
}

#[test]
fn evidence_stands_on_its_pages() {
    let documents = documents().unwrap();
    for question in questions().unwrap() {
        let id = &question.id;
        let pages = &documents[question.doc.as_str()].page_texts;
        for (page, strings) in &question.evidence_strings {
            for string in strings {
                assert!(pages[page - 1].contains(string), "{id}: page {page} lacks {string:?}");
            }
        }
        for words in &question.answer_must_contain {
            let stands = question.evidence_pages.iter().any(|page| pages[page - 1].contains(words));
            assert!(stands, "{id}: {words:?} is on no evidence page");
        }
        assert!(question.also_acceptable_pages.iter().all(|page| (1..=pages.len()).contains(page)), "{id}");
    }
}
