//! A library of generated documents, kept in the target folder between runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pagewise::index::{IndexedDocument, IndexedPage, Node, TocSource};
use pagewise::library::{Begun, Library, Metadata, NewDocument, Origin, SqliteLibrary};
use pagewise::pdf::Info;

use crate::words::{Dice, vocabulary};

/// Rises whenever the same size gives another library.
const VERSION: u32 = 1;
/// Words of a page.
const PAGE_WORDS: usize = 330;
/// Words that make up the subject of a document.
const SUBJECT_WORDS: usize = 400;
/// Pages of a section.
const SECTION_PAGES: usize = 4;
/// One document of so many has pages in Japanese.
const JAPANESE: usize = 50;

/// How large it is.
#[derive(Clone, Copy)]
pub struct Size {
    pub documents: usize,
    pub pages: usize,
}

impl Size {
    /// From `PAGEWISE_BENCH_DOCUMENTS` and `PAGEWISE_BENCH_PAGES` (pages of a document); small without them.
    pub fn of_environment() -> Self {
        let number = |name: &str, or: usize| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or);
        Self { documents: number("PAGEWISE_BENCH_DOCUMENTS", 500), pages: number("PAGEWISE_BENCH_PAGES", 20) }
    }
}

/// Opens the library of this size, made where it is missing.
pub async fn open(size: Size) -> SqliteLibrary {
    let name = format!("ranking-{}x{}-{VERSION}-{}.db", size.documents, size.pages, pagewise::search::analysis::VERSION);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if !path.exists() {
        let unfinished = path.with_extension("unfinished");
        for ending in ["unfinished", "unfinished-wal", "unfinished-shm"] {
            let _ = std::fs::remove_file(path.with_extension(ending));
        }
        fill(&unfinished, size).await;
        std::fs::rename(&unfinished, &path).expect("a library");
    }
    SqliteLibrary::open(&path).expect("a library")
}

async fn fill(path: &Path, size: Size) {
    let started = std::time::Instant::now();
    let library = SqliteLibrary::open(path).expect("a library");
    let words: Arc<Vec<String>> = Arc::new(vocabulary());
    let mut ahead = Vec::new();
    for number in 0..size.documents {
        let words = words.clone();
        ahead.push(tokio::task::spawn_blocking(move || document(number, size.pages, &words)));
        // A few documents are made while one is stored.
        if ahead.len() >= 3 {
            store(&library, ahead.remove(0).await.expect("a document")).await;
        }
        if number % 1_000 == 999 {
            println!("{} documents made in {:.0?}", number + 1, started.elapsed());
        }
    }
    for made in ahead {
        store(&library, made.await.expect("a document")).await;
    }
    drop(library);
    println!("{}: {:.0?}, {} MB", path.display(), started.elapsed(), std::fs::metadata(path).map_or(0, |file| file.len()) >> 20);
}

async fn store(library: &SqliteLibrary, (new, document): (NewDocument, IndexedDocument)) {
    if let Begun::Started(ticket) = library.begin(new).await.expect("begun") {
        library.finish(ticket, document).await.expect("finished");
    }
}

/// What a document is called: words by which the queries look for it.
pub fn named(number: usize, words: &[String]) -> (String, String) {
    let mut dice = Dice::new(0xD0C + number as u64);
    let kind = ["annual-report", "quarterly-release", "manual", "thesis", "minutes", "proposal"][dice.below(6)];
    let organisation = format!("{} {}", capital(&words[3_000 + dice.below(4_000)]), capital(&words[3_000 + dice.below(4_000)]));
    let year = 2005 + dice.below(20);
    let name = format!("{}-{kind}-{year}-{number}.pdf", organisation.to_lowercase().replace(' ', "-"));
    (name, format!("{} of {organisation} Inc., fiscal year {year}", capital(&kind.replace('-', " "))))
}

fn document(number: usize, pages: usize, words: &[String]) -> (NewDocument, IndexedDocument) {
    let mut dice = Dice::new(number as u64);
    let (name, description) = named(number, words);
    let subject: Vec<&str> = (0..SUBJECT_WORDS).map(|_| words[dice.rank(words.len())].as_str()).collect();
    let japanese = number % JAPANESE == JAPANESE - 1;
    let texts: Vec<String> = (0..pages).map(|page| text(&mut dice, words, &subject, japanese && page % 4 == 1)).collect();
    let tree = sections(&mut dice, words, &subject, &texts);
    let pages: Vec<IndexedPage> =
        (1..).zip(texts).map(|(number, text)| IndexedPage { number, label: None, text, notes: Vec::new() }).collect();
    let new = NewDocument {
        origin: Origin::Path(PathBuf::from(format!("/generated/{name}"))),
        name,
        moved: false,
        content_hash: format!("{number:064x}"),
        bytes: 1_000_000,
        description: None,
        metadata: Metadata::new(),
    };
    let document = IndexedDocument {
        description,
        title: None,
        pages,
        tree,
        toc_source: TocSource::Headings,
        info: Info::default(),
        notes: Vec::new(),
    };
    (new, document)
}

/// Running text: words of the language, words of the subject, numbers.
fn text(dice: &mut Dice, words: &[String], subject: &[&str], japanese: bool) -> String {
    let mut text = String::new();
    for at in 0..PAGE_WORDS {
        match dice.below(100) {
            0..8 => text += &number(dice),
            8..40 => text += subject[dice.rank(subject.len())],
            _ => text += &words[dice.rank(words.len())],
        }
        text += if at % 14 == 13 { ".\n" } else { " " };
    }
    if japanese {
        for _ in 0..120 {
            text.extend(char::from_u32(0x4E00 + dice.rank(2_000) as u32));
        }
    }
    text
}

fn number(dice: &mut Dice) -> String {
    match dice.below(4) {
        0 => format!("{}", 1990 + dice.below(36)),
        1 => format!("{}.{}", dice.below(100), dice.below(10)),
        2 => format!("{},{:03}", 1 + dice.below(99), dice.below(1_000)),
        _ => format!("{}", dice.below(1_000)),
    }
}

fn sections(dice: &mut Dice, words: &[String], subject: &[&str], texts: &[String]) -> Vec<Node> {
    let mut nodes = Vec::new();
    for start in (0..texts.len()).step_by(SECTION_PAGES) {
        let title: Vec<&str> = (0..4)
            .map(|at| if at % 2 == 0 { subject[dice.rank(subject.len())] } else { words[dice.rank(words.len())].as_str() })
            .collect();
        nodes.push(Node {
            title: capital(&title.join(" ")),
            node_id: format!("{:04}", nodes.len() + 1),
            start_index: start as u32 + 1,
            end_index: (start + SECTION_PAGES).min(texts.len()) as u32,
            summary: texts.get(start).and_then(|text| text.lines().next()).map(str::to_owned),
            key_items: Vec::new(),
            nodes: Vec::new(),
            provenance: Default::default(),
        });
    }
    nodes
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
