//! The libraries that calls are made on.

use std::path::{Path, PathBuf};

use pagewise::index::{IndexedDocument, IndexedPage, Node, TocSource};
use pagewise::library::{Begun, Library, Metadata, NewDocument, Origin, SqliteLibrary};
use pagewise::pdf::Info;
use pagewise::{Client, LocalOptions};

/// Rises whenever the large library is made in another way.
const VERSION: u32 = 1;
/// Size of the large library.
const DOCUMENTS: usize = 10_000;
const PAGES: u32 = 100;
const SECTION_PAGES: u32 = 10;

/// Where libraries are kept between runs.
fn place(name: &str) -> PathBuf {
    let versions = format!("{VERSION}-{}-{}", pagewise::index::TREE_VERSION, pagewise::search::analysis::VERSION);
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("tools-{name}-{versions}.db"))
}

fn open(path: &Path) -> Client {
    Client::local(LocalOptions { library: Some(path.to_owned()), ..LocalOptions::default() }).expect("a library")
}

/// The samples, and the documents of the folders in `PAGEWISE_SHARED`.
pub async fn real() -> Client {
    let client = open(&place("real"));
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/documents")];
    if let Some(shared) = std::env::var_os("PAGEWISE_SHARED") {
        folders.extend(["financebench", "erc2", "mmlongbench"].map(|set| Path::new(&shared).join("data").join(set).join("pdfs")));
    }
    for folder in folders {
        for file in std::fs::read_dir(&folder).expect("a folder").flatten().map(|entry| entry.path()) {
            if file.extension().is_some_and(|ending| ending == "pdf") {
                client.submit_document(&file, true).await.expect("a document");
            }
        }
    }
    client
}

/// Name of a document of the large library.
pub fn named(number: usize) -> String {
    format!("report-{number}.pdf")
}

/// A library of many documents with few words each.
pub async fn large() -> Client {
    let path = place("large");
    if !path.exists() {
        let unfinished = path.with_extension("unfinished");
        for ending in ["unfinished", "unfinished-wal", "unfinished-shm"] {
            let _ = std::fs::remove_file(path.with_extension(ending));
        }
        let library = SqliteLibrary::open(&unfinished).expect("a library");
        for number in 0..DOCUMENTS {
            let (new, document) = document(number);
            if let Begun::Started(ticket) = library.begin(new).await.expect("begun") {
                library.finish(ticket, document).await.expect("finished");
            }
        }
        drop(library);
        std::fs::rename(&unfinished, &path).expect("a library");
    }
    open(&path)
}

fn document(number: usize) -> (NewDocument, IndexedDocument) {
    let name = named(number);
    let page = |at: u32| IndexedPage {
        number: at,
        label: None,
        text: format!("Page {at} of report {number}: sales were {} in week {}.", number as u32 * 7 + at, at % 52),
        notes: Vec::new(),
    };
    let section = |at: u32| Node {
        title: format!("Weeks from {at}"),
        node_id: format!("{:04}", at / SECTION_PAGES + 1),
        start_index: at,
        end_index: at + SECTION_PAGES - 1,
        summary: Some(format!("Sales of report {number} week by week, with what changed since the report before.")),
        key_items: Vec::new(),
        nodes: Vec::new(),
        provenance: Default::default(),
    };
    let new = NewDocument {
        origin: Origin::Path(PathBuf::from(format!("/generated/{name}"))),
        name,
        moved: false,
        content_hash: format!("{number:064x}"),
        bytes: 100_000,
        description: None,
        metadata: Metadata::new(),
    };
    let document = IndexedDocument {
        description: format!("Weekly sales report number {number} of Northwind Traders, fiscal year {}", 2000 + number % 25),
        title: None,
        pages: (1..=PAGES).map(page).collect(),
        tree: (1..=PAGES).step_by(SECTION_PAGES as usize).map(section).collect(),
        toc_source: TocSource::Headings,
        info: Info::default(),
        notes: Vec::new(),
    };
    (new, document)
}
