//! The mutation test over real documents: those of the shared data, and, where `PAGEWISE_CITATIONS_PDFS` names a folder, those in it.

use std::path::{Path, PathBuf};

use super::case::{Case, Sort, Table};
use super::digits;
use super::mutants::{self, Around};
use super::reading::{self, Statement, Worth};
use super::truths::{self, Place};
use crate::agent::EvidenceLedger;
use crate::agent::citations::check::Checker;
use crate::agent::citations::check_with;
use crate::pdf::PdfFile;
use crate::tools::Evidence;

/// Shares asked for: of the mutants, at least so many must be seen; of the true ones, at least so many must pass.
const MUTANTS_SEEN: f64 = 0.99;
const TRUE_PASS: f64 = 0.98;

/// Pages read of each document, in runs of three, and statements taken from each page.
const RUNS: u32 = 4;
const RUN: u32 = 3;
const OF_A_PAGE: usize = 6;
/// Largest file, in bytes: larger ones take long in an unoptimised build.
const LARGEST: u64 = 9_000_000;
/// One case in so many is checked of those that a statement gives.
const ONE_IN: usize = 3;

/// A document with the pages that were read.
struct Document {
    name: String,
    page_count: u32,
    /// Physical number and text.
    pages: Vec<(u32, String)>,
    worths: Vec<Worth>,
    comma: bool,
}

fn open(path: &Path) -> Option<Document> {
    let file = PdfFile::open(path, &Default::default()).ok()?;
    let count = file.page_count();
    let mut numbers: Vec<u32> =
        (0..RUNS).flat_map(|r| (0..RUN).map(move |i| 1 + (count * (2 * r + 1)) / (2 * RUNS) + i)).filter(|n| *n <= count).collect();
    numbers.dedup();
    numbers.sort_unstable();
    numbers.dedup();
    let pages: Vec<(u32, String)> = numbers.into_iter().map(|n| (n, file.page(n).text)).filter(|p| p.1.len() > 200).collect();
    let texts: Vec<String> = pages.iter().map(|p| p.1.clone()).collect();
    let comma = reading::writes_comma(&texts)?;
    let worths = texts.iter().map(|t| Worth::of(t)).collect();
    let name = path.file_name()?.to_string_lossy().into_owned();
    Some(Document { name, page_count: count, pages, worths, comma })
}

fn pdfs(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|p| p.extension().is_some_and(|e| e == "pdf") && p.metadata().is_ok_and(|m| m.len() < LARGEST)).collect();
    files.sort();
    files
}

fn documents(files: &[PathBuf]) -> Vec<Document> {
    let half = files.len().div_ceil(2);
    let (a, b) = files.split_at(half);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| b.iter().filter_map(|p| open(p)).collect::<Vec<_>>());
        let mut out: Vec<Document> = a.iter().filter_map(|p| open(p)).collect();
        out.extend(other.join().unwrap());
        out
    })
}

/// The only scale that these pages name for their tables.
fn table_scale(text: &str) -> Option<i32> {
    let text = text.to_lowercase();
    let named = |words: &[&str]| words.iter().any(|w| text.contains(w));
    let scales: Vec<i32> = [
        (3, ["in thousands", "in tausend", "teur", "en milliers", "thousands of"].as_slice()),
        (6, ["in millions", "$ millions", "mio", "en millions", "millions of"].as_slice()),
        (9, ["in billions", "mrd", "en milliards", "billions of"].as_slice()),
    ]
    .iter()
    .filter(|(_, words)| named(words))
    .map(|s| s.0)
    .collect();
    match scales.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

/// Statements and their cases.
fn statements(documents: &[Document]) -> Vec<Statement> {
    documents
        .iter()
        .enumerate()
        .flat_map(|(d, document)| {
            document.pages.iter().enumerate().flat_map(move |(p, (_, text))| {
                let all = reading::statements(d, p, text, document.comma);
                let (rows, sentences): (Vec<_>, Vec<_>) = all.into_iter().partition(|s| s.is_row);
                spread(rows, OF_A_PAGE / 2).chain(spread(sentences, OF_A_PAGE)).collect::<Vec<_>>()
            })
        })
        .collect()
}

fn cases(documents: &[Document], statements: &[Statement]) -> Vec<Case> {
    let mut out = Vec::new();
    for (turn, s) in statements.iter().enumerate() {
        let document = &documents[s.doc];
        let (page, text) = &document.pages[s.page];
        let place = |d: usize, p: usize| Place { doc: &documents[d].name, page: documents[d].pages[p].0 };
        let neighbourhood: String =
            document.pages.iter().filter(|(n, _)| n.abs_diff(*page) <= 2).map(|(_, t)| t.as_str()).collect::<Vec<_>>().join("\n");
        let own_scale = table_scale(text);
        let scale = own_scale.filter(|_| table_scale(&neighbourhood) == own_scale);
        let other = statements
            .iter()
            .skip(turn % 7)
            .find(|o| o.doc == s.doc && o.page != s.page && o.figures[0].digits != s.figures[0].digits);
        let there = other.map(|o| place(o.doc, o.page));
        let mut made = truths::make(s, &place(s.doc, s.page), scale.filter(|_| s.is_row), other.zip(there.as_ref()), turn);
        let mut pages = Vec::new();
        let other_page = (1..document.pages.len())
            .map(|i| (s.page + i) % document.pages.len())
            .find(|&p| p != s.page && document.pages[p].0.abs_diff(*page) > u32::from(turn.is_multiple_of(2)));
        pages.extend(other_page.map(|p| ("wrong page", place(s.doc, p), &document.worths[p])));
        let other_doc = (s.doc + 1 + turn % 5) % documents.len();
        if other_doc != s.doc {
            let p = turn % documents[other_doc].pages.len();
            pages.push(("other document", place(other_doc, p), &documents[other_doc].worths[p]));
        }
        let donor = &statements[(turn * 7 + 3) % statements.len()];
        let row = statements.iter().find(|o| s.is_row && o.is_row && o.doc == s.doc && o.page == s.page && o.text != s.text);
        let around = Around {
            here: place(s.doc, s.page),
            worth: &document.worths[s.page],
            neighbourhood,
            pages,
            elsewhere: other,
            donor,
            table_scale: scale,
            row,
        };
        made.extend(mutants::make(s, &around, turn));
        out.extend(made.into_iter().enumerate().filter(|(i, _)| (i + turn).is_multiple_of(one_in())).map(|(_, c)| c));
    }
    out
}

fn one_in() -> usize {
    std::env::var("PAGEWISE_CITATIONS_ONE_IN").ok().and_then(|v| v.parse().ok()).unwrap_or(ONE_IN)
}

fn spread(of: Vec<Statement>, most: usize) -> impl Iterator<Item = Statement> {
    let step = of.len().div_ceil(most.max(1)).max(1);
    of.into_iter().step_by(step)
}

fn measure(documents: &[Document]) -> (usize, Table) {
    let mut ledger = EvidenceLedger::default();
    for d in documents {
        for (page, text) in &d.pages {
            ledger.record_page(&Evidence {
                doc: d.name.clone(),
                page: *page,
                label: None,
                text: text.clone(),
                page_count: d.page_count,
            });
        }
    }
    let statements = statements(documents);
    let cases = cases(documents, &statements);
    let (a, b) = cases.split_at(cases.len() / 2);
    let run = |cases: &[Case]| {
        let checker = Checker::new(&ledger);
        let mut table = Table::default();
        for case in cases {
            let found = check_with(&case.answer, &checker, "").citations;
            let statuses: Vec<_> = found.iter().map(|c| c.status).collect();
            table.add(case.sort, &case.kind, case.is_right(&statuses), || format!("{statuses:?} {}", case.answer));
        }
        table
    };
    let table = std::thread::scope(|scope| {
        let other = scope.spawn(|| run(b));
        let mut table = run(a);
        table.merge(measure_uncited(documents, &statements));
        table.merge(other.join().unwrap());
        table
    });
    (statements.len(), table)
}

#[test]
fn rates_over_real_documents() {
    let Some(shared) = std::env::var_os("PAGEWISE_SHARED") else { return };
    let data = Path::new(&shared).join("data");
    let mut files: Vec<PathBuf> =
        ["pageindex/pdfs", "financebench/pdfs", "erc2/pdfs", "mmlongbench/pdfs"].iter().flat_map(|f| pdfs(&data.join(f))).collect();
    files.extend(
        pdfs(&data.join("outline-gold"))
            .into_iter()
            .filter(|p| ["cours-fr.pdf", "ua-chapter-de.pdf", "wpa2-nl.pdf", "fed-annual-2023.pdf"].iter().any(|n| p.ends_with(n))),
    );
    // These two are among the documents that are kept for other measurements.
    files.retain(|p| !p.ends_with("watch_d.pdf") && !p.ends_with("2312.10997v5.pdf"));
    assert!(files.len() > 20, "documents are missing in {}", data.display());
    judge(&documents(&files), 500, "shared");
}

#[test]
fn rates_over_a_folder_of_documents() {
    let Some(folder) = std::env::var_os("PAGEWISE_CITATIONS_PDFS") else { return };
    judge(&documents(&pdfs(Path::new(&folder))), 200, "folder");
}

/// Sentences without citation: figures that stand on the pages read must not be marked, invented ones must.
fn measure_uncited(documents: &[Document], statements: &[Statement]) -> Table {
    let mut table = Table::default();
    for (turn, s) in statements.iter().enumerate().filter(|(i, _)| i.is_multiple_of(3)) {
        let document = &documents[s.doc];
        let page = document.pages[s.page].0;
        let near: Vec<&(u32, String)> = document.pages.iter().filter(|(n, _)| n.abs_diff(page) <= 2).collect();
        let mut ledger = EvidenceLedger::default();
        for (number, text) in &near {
            ledger.record_page(&Evidence {
                doc: document.name.clone(),
                page: *number,
                label: None,
                text: text.clone(),
                page_count: document.page_count,
            });
        }
        let checker = Checker::new(&ledger);
        let worth = Worth::of(&near.iter().map(|p| p.1.as_str()).collect::<Vec<_>>().join("\n"));
        let mut look = |sort: Sort, kind: &str, text: String| {
            let found = check_with(&text, &checker, "").unsupported;
            let right = found.is_empty() == (sort == Sort::True);
            table.add(sort, &format!("uncited: {kind}"), right, || format!("{found:?} {text}"));
        };
        let place = Place { doc: &document.name, page };
        let tag = place.tag(Some(&s.text));
        look(Sort::True, "verbatim", format!("{}.", s.text));
        look(Sort::True, "before a cited sentence", format!("{}. {} {tag}.", s.text, s.text));
        let f = &s.figures[turn % s.figures.len()];
        let near = truths::near(s, f);
        for (i, (name, tongue, phrase)) in
            super::wording::phrases(f, s.comma, None).into_iter().enumerate().filter(|(_, p)| p.0 != "negative in words")
        {
            look(
                Sort::True,
                &format!("reworded, {name}"),
                format!("{}.", super::wording::sentence(&phrase, tongue, &near, turn + i)),
            );
        }
        if s.text.matches(&f.digits).count() != 1 {
            continue;
        }
        for (kind, text) in digits::changed(s, f, &worth, turn) {
            let bad = s.text.replacen(&f.digits, &text, 1);
            let phrase = f.phrase.replacen(&f.digits, &text, 1);
            let reworded = super::wording::sentence(&phrase, super::wording::Tongue::English, &near, turn);
            look(Sort::Mutant, kind, format!("{reworded}."));
            look(Sort::Mutant, &format!("{kind}, verbatim"), format!("{bad}."));
            look(Sort::Mutant, &format!("{kind}, before a cited sentence"), format!("{reworded}. {} {tag}.", s.text));
            look(Sort::Mutant, &format!("{kind}, after a citation"), format!("{} {tag}, and {reworded}.", s.text));
        }
    }
    table
}

#[allow(clippy::print_stdout, reason = "the tables are what the measurement is for; cargo shows them with --nocapture")]
fn judge(documents: &[Document], pairs: usize, name: &str) {
    let (found, table) = measure(documents);
    println!("{} documents, {found} pairs of page and statement\n{table}", documents.len());
    if let Some(out) = std::env::var_os("PAGEWISE_CITATIONS_WRONG") {
        std::fs::write(Path::new(&out).join(format!("{name}.txt")), table.wrong()).unwrap();
    }
    assert!(found >= pairs, "{found} pairs");
    assert!(table.share(Sort::True) >= TRUE_PASS, "true ones: {:.4}", table.share(Sort::True));
    assert!(table.share(Sort::Mutant) >= MUTANTS_SEEN, "mutants: {:.4}", table.share(Sort::Mutant));
}
