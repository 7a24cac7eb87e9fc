//! Measures page ranking on real questions: `cargo nextest run --run-ignored only -E 'test(/evidence_pages/)'` with `PAGEWISE_SHARED`
//! naming the folder of questions and documents. Reads some 2,700 pages.

use std::path::Path;

use serde_json::Value;

use super::*;
use crate::index::{IndexOptions, index_file};
use crate::library::Scope;
use crate::pdf::{OpenOptions, PdfFile, content_hash_of};
use crate::search::Ranker;

struct Question {
    doc: String,
    text: String,
    pages: Vec<u64>,
}

/// The questions whose evidence pages are known and can be read.
fn questions(file: &str) -> Vec<Question> {
    let text = std::fs::read_to_string(file).expect("questions");
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let read = |line: &str| {
        let question: Value = serde_json::from_str(line).expect("JSON");
        let field = |key: &str| question[key].as_str().unwrap_or_default().to_owned();
        let pages: Vec<u64> = question["evidence_pages"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
        let readable = question["text_only"] != false && question["has_text_layer"] != false;
        (readable && !pages.is_empty()).then(|| Question { doc: field("doc"), text: field("question"), pages })
    };
    lines.filter_map(read).collect()
}

async fn add_folder(library: &SqliteLibrary, folder: &str) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let (content_hash, bytes) = content_hash_of(&path).expect("a hash");
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).expect("a name");
        let new = NewDocument { content_hash, bytes, ..at(&path.to_string_lossy(), &name, "") };
        if let Begun::Started(ticket) = library.begin(new).await.expect("begin") {
            let document = index(&path);
            library.finish(ticket, document).await.expect("finish");
        }
    }
}

fn index(path: &Path) -> IndexedDocument {
    let file = PdfFile::open(path, &OpenOptions::default()).expect("a PDF");
    index_file(&file, &IndexOptions::default(), &|_, _| {}).expect("a tree")
}

#[tokio::test]
#[ignore = "reads some 2,700 pages of documents that are not in the repository"]
async fn evidence_pages_come_first() {
    let Ok(shared) = std::env::var("PAGEWISE_SHARED") else { return };
    let library = SqliteLibrary::temporary().expect("a library");
    // Set, its documents, least share first and among five. Plain BM25 over whole pages: 66 and 97 %, 8 and 48 %, 43 and 79 %.
    let sets = [
        ("qa-own.jsonl", "pageindex", 0.63, 0.94),
        ("financebench/questions-dev.jsonl", "financebench", 0.44, 0.72),
        ("mmlongbench/questions-dev.jsonl", "mmlongbench", 0.60, 0.90),
    ];
    for (file, folder, least_first, least_five) in sets {
        add_folder(&library, &format!("{shared}/data/{folder}/pdfs")).await;
        let (mut all, mut first, mut five) = (0.0, 0.0, 0.0);
        for question in questions(&format!("{shared}/data/{file}")) {
            let document = library.find(&Scope::All, &question.doc).await.expect("find").expect("the document");
            let ranked = library.rank_pages(&Scope::Documents(vec![document.id]), &question.text, 5).await.expect("pages");
            let rank = ranked.iter().position(|page| question.pages.contains(&page.page.into()));
            all += 1.0;
            first += f64::from(rank == Some(0));
            five += f64::from(rank.is_some());
        }
        let (first, five) = (first / all, five / all);
        assert!(
            first >= least_first && five >= least_five,
            "{file}: {:.1} % first, {:.1} % among five",
            100.0 * first,
            100.0 * five
        );
    }
}
