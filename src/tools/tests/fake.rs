//! A library in memory that takes any document, sound or not.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::Value;

use crate::index::{IndexedDocument, IndexedPage, Node};
use crate::library::{
    Begun, DocId, DocumentRecord, Improvable, Improvement, Library, LibraryError, ListedDocuments, Metadata, NewDocument, Origin,
    RemoveOutcome, Scope, Status, Ticket,
};
use crate::pdf::PageNote;
use crate::search::{RankedDocument, RankedPage, RankedSection, Ranker};

/// A document with its tree and pages.
#[derive(Clone)]
pub struct FakeDocument {
    pub record: DocumentRecord,
    pub tree: Vec<Node>,
    pub pages: Vec<IndexedPage>,
    /// Statuses that the next looks will find, last first.
    pub coming: Vec<Status>,
}

/// A completed document of `pages` pages with one section for every ten.
pub fn document(name: &str, pages: u32) -> FakeDocument {
    let record = DocumentRecord {
        id: DocId(String::new()),
        name: name.to_owned(),
        description: String::new(),
        status: Status::Completed,
        failure: None,
        created_ms: 1_738_713_600_123,
        updated_ms: 1_738_713_600_123,
        page_count: Some(pages),
        metadata: Metadata::new(),
        origin: Origin::Path(PathBuf::from("/files").join("document.pdf")),
        content_hash: "0".repeat(64),
        bytes: 1_000,
        notes: Vec::new(),
        toc_source: Some("bookmarks".to_owned()),
        outdated: Default::default(),
    };
    let tree = (0..pages.div_ceil(10))
        .map(|at| node(&format!("Chapter {}", at + 1), &format!("{:04}", at + 1), at * 10 + 1, pages.min(at * 10 + 10)))
        .collect();
    let pages = (1..=pages).map(|number| page(number, &format!("This is the text of page {number}."))).collect();
    FakeDocument { record, tree, pages, coming: Vec::new() }
}

pub fn node(title: &str, node_id: &str, start_index: u32, end_index: u32) -> Node {
    Node {
        title: title.to_owned(),
        node_id: node_id.to_owned(),
        start_index,
        end_index,
        summary: Some(format!("About {title}.")),
        key_items: Vec::new(),
        nodes: Vec::new(),
        provenance: Default::default(),
    }
}

pub fn page(number: u32, text: &str) -> IndexedPage {
    IndexedPage { number, label: None, text: text.to_owned(), notes: Vec::new() }
}

impl FakeDocument {
    pub fn described(mut self, description: &str) -> Self {
        self.record.description = description.to_owned();
        self
    }

    pub fn meta(mut self, key: &str, value: Value) -> Self {
        self.record.metadata.insert(key.to_owned(), value);
        self
    }

    pub fn status(mut self, status: Status) -> Self {
        self.record.status = status;
        if status != Status::Completed {
            self.record.page_count = None;
        }
        self
    }

    pub fn failed(mut self, reason: &str) -> Self {
        self = self.status(Status::Failed);
        self.record.failure = Some(reason.to_owned());
        self
    }

    pub fn tree(mut self, tree: Vec<Node>) -> Self {
        self.tree = tree;
        self
    }

    pub fn text(mut self, number: usize, text: &str) -> Self {
        self.pages[number - 1].text = text.to_owned();
        self
    }

    pub fn note(mut self, number: usize, note: PageNote) -> Self {
        self.pages[number - 1].notes.push(note);
        self
    }

    pub fn label(mut self, number: usize, label: &str) -> Self {
        self.pages[number - 1].label = Some(label.to_owned());
        self
    }
}

/// The library.
#[derive(Default)]
pub struct Fake {
    documents: Mutex<Vec<FakeDocument>>,
    /// When set, every look at the library fails with this message.
    pub broken: Mutex<Option<String>>,
    /// Most pages that one call has asked for.
    pub largest_read: Mutex<u64>,
}

impl Fake {
    pub fn with(documents: Vec<FakeDocument>) -> Arc<Self> {
        let mut documents = documents;
        for (at, document) in documents.iter_mut().enumerate() {
            document.record.id = DocId(format!("pi-{:032x}", at + 1));
        }
        Arc::new(Self { documents: Mutex::new(documents), ..Self::default() })
    }

    pub fn id_of(&self, name: &str) -> String {
        self.documents.lock().unwrap().iter().find(|d| d.record.name == name).map(|d| d.record.id.0.clone()).unwrap()
    }

    pub fn names(&self) -> Vec<String> {
        self.documents.lock().unwrap().iter().map(|d| d.record.name.clone()).collect()
    }

    fn sound(&self) -> Result<(), LibraryError> {
        match self.broken.lock().unwrap().as_deref() {
            Some("panic") => panic!("a fault in the library"),
            Some(message) => Err(LibraryError::Database(message.to_owned())),
            None => Ok(()),
        }
    }

    fn inside(&self, scope: &Scope) -> Vec<DocumentRecord> {
        self.documents.lock().unwrap().iter().map(|d| &d.record).filter(|record| scope.holds(&record.id)).cloned().collect()
    }
}

fn window<T>(items: Vec<T>, offset: u64, limit: u32) -> Vec<T> {
    items.into_iter().skip(usize::try_from(offset).unwrap_or(usize::MAX)).take(limit as usize).collect()
}

#[async_trait]
impl Library for Fake {
    async fn list(&self, scope: &Scope, offset: u64, limit: u32) -> Result<ListedDocuments, LibraryError> {
        self.sound()?;
        let all = self.inside(scope);
        let total = all.len() as u64;
        Ok(ListedDocuments { documents: window(all, offset, limit), total })
    }

    async fn find(&self, scope: &Scope, name_or_id: &str) -> Result<Option<DocumentRecord>, LibraryError> {
        self.sound()?;
        let mut documents = self.documents.lock().unwrap();
        let found = documents.iter_mut().find(|d| d.record.name == name_or_id || d.record.id.0 == name_or_id);
        Ok(found.filter(|d| scope.holds(&d.record.id)).map(|document| {
            let seen = document.record.clone();
            if let Some(status) = document.coming.pop() {
                document.record.status = status;
                document.record.page_count = Some(document.pages.len() as u32);
            }
            seen
        }))
    }

    async fn find_content(&self, content_hash: &str) -> Result<Option<DocumentRecord>, LibraryError> {
        self.sound()?;
        let documents = self.documents.lock().unwrap();
        Ok(documents.iter().map(|d| &d.record).find(|record| record.content_hash == content_hash).cloned())
    }

    async fn similar_names(&self, scope: &Scope, name: &str, limit: usize) -> Result<Vec<String>, LibraryError> {
        self.sound()?;
        let start = |name: &str| name.chars().take(100).flat_map(char::to_lowercase).collect::<String>();
        let mut close: Vec<(f64, String)> = self
            .inside(scope)
            .into_iter()
            .map(|record| (strsim::jaro_winkler(&start(&record.name), &start(name)), record.name))
            .filter(|(score, _)| *score > 0.8)
            .collect();
        close.sort_by(|a, b| b.0.total_cmp(&a.0));
        Ok(close.into_iter().take(limit).map(|(_, name)| name).collect())
    }

    async fn tree(&self, id: &DocId) -> Result<Vec<Node>, LibraryError> {
        self.sound()?;
        let documents = self.documents.lock().unwrap();
        Ok(documents.iter().filter(|d| d.record.id == *id).flat_map(|d| d.tree.clone()).collect())
    }

    async fn pages(&self, id: &DocId, ranges: &[RangeInclusive<u32>]) -> Result<Vec<IndexedPage>, LibraryError> {
        self.sound()?;
        let asked = ranges.iter().map(|range| u64::from(range.end() - range.start()) + 1).sum();
        let mut largest = self.largest_read.lock().unwrap();
        *largest = (*largest).max(asked);
        let documents = self.documents.lock().unwrap();
        let pages = documents.iter().filter(|d| d.record.id == *id).flat_map(|d| &d.pages);
        Ok(pages.filter(|page| ranges.iter().any(|range| range.contains(&page.number))).cloned().collect())
    }

    async fn labels(&self, id: &DocId) -> Result<BTreeMap<u32, String>, LibraryError> {
        let documents = self.documents.lock().unwrap();
        let pages = documents.iter().filter(|d| d.record.id == *id).flat_map(|d| &d.pages);
        Ok(pages.filter_map(|page| Some((page.number, page.label.clone()?))).collect())
    }

    async fn outdated(&self, _: &Scope) -> Result<u64, LibraryError> {
        Ok(0)
    }

    async fn begin(&self, new: NewDocument) -> Result<Begun, LibraryError> {
        Err(LibraryError::NameTaken(new.name))
    }

    async fn finish(&self, ticket: Ticket, _: IndexedDocument) -> Result<DocumentRecord, LibraryError> {
        Err(LibraryError::Stale(ticket.name))
    }

    async fn fail(&self, ticket: Ticket, _: &str) -> Result<(), LibraryError> {
        Err(LibraryError::Stale(ticket.name))
    }

    async fn rebuild(&self, document: &DocumentRecord, _: IndexedDocument) -> Result<DocumentRecord, LibraryError> {
        Err(LibraryError::Stale(document.name.clone()))
    }

    async fn rebuild_words(&self, id: &DocId) -> Result<DocumentRecord, LibraryError> {
        Err(LibraryError::Stale(id.to_string()))
    }

    async fn improvable(&self, _: &DocId) -> Result<Option<Improvable>, LibraryError> {
        Ok(None)
    }

    async fn finished_parts(&self, _: &DocId, _: &str) -> Result<HashMap<String, String>, LibraryError> {
        Ok(HashMap::new())
    }

    async fn keep_part(&self, id: &DocId, _: &str, _: &str, _: &str) -> Result<(), LibraryError> {
        Err(LibraryError::Stale(id.0.clone()))
    }

    async fn improve(&self, id: &DocId, _: Improvement) -> Result<DocumentRecord, LibraryError> {
        Err(LibraryError::Stale(id.0.clone()))
    }

    async fn remove(&self, id: &DocId) -> Result<RemoveOutcome, LibraryError> {
        let mut documents = self.documents.lock().unwrap();
        let before = documents.len();
        documents.retain(|d| d.record.id != *id);
        Ok(if documents.len() < before { RemoveOutcome::Removed } else { RemoveOutcome::NotFound })
    }
}

#[async_trait]
impl Ranker for Fake {
    async fn rank_documents(
        &self,
        scope: &Scope,
        query: &str,
        offset: u64,
        limit: u32,
    ) -> Result<(Vec<RankedDocument>, u64), LibraryError> {
        self.sound()?;
        let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
        let mut all: Vec<RankedDocument> = self
            .inside(scope)
            .into_iter()
            .map(|document| {
                let text = format!("{} {}", document.name, document.description).to_lowercase();
                RankedDocument { score: words.iter().filter(|word| text.contains(*word)).count() as f64, document }
            })
            .collect();
        all.sort_by(|a, b| b.score.total_cmp(&a.score));
        let total = all.len() as u64;
        Ok((window(all, offset, limit), total))
    }

    async fn rank_pages(&self, _: &Scope, _: &str, _: u32) -> Result<Vec<RankedPage>, LibraryError> {
        Ok(Vec::new())
    }

    async fn rank_sections(&self, _: &Scope, _: &str, _: u32) -> Result<Vec<RankedSection>, LibraryError> {
        Ok(Vec::new())
    }
}
