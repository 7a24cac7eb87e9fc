use super::*;
use crate::client::{Client, LocalOptions};
use crate::ingest::{self, Submission};
use crate::library::{Improvement, Metadata, Scope};

struct Desk {
    client: Client,
    path: PathBuf,
    _dir: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("doc.pdf");
        Self { client: Client::local(LocalOptions::default()).unwrap(), path, _dir: dir }
    }

    fn put(&self, text: &str) {
        std::fs::write(&self.path, one_page(text)).unwrap();
    }

    async fn add(&self) -> DocumentRecord {
        let submission = Submission {
            description: Some("The user's words".to_owned()),
            metadata: Metadata::from_iter([("year".to_owned(), 2025.into())]),
            ..Submission::of_file(&self.path)
        };
        ingest::submit(self.client.library().unwrap(), &submission).await.unwrap().finish(|_, _| {}).await.unwrap().document
    }

    async fn again(&self, document: &DocumentRecord, force: bool) -> Result<Reindexed, ReindexError> {
        let options = ReindexOptions { force, ..ReindexOptions::default() };
        reindex(&self.client.library().unwrap(), document, &options, |_, _| {}).await
    }
}

fn one_page(text: &str) -> Vec<u8> {
    let content = format!("BT /F1 12 Tf 72 700 Td ({text}) Tj ET");
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[4 0 R]/Count 1/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>>>>>".to_owned(),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/Contents 5 0 R>>".to_owned(),
        format!("<</Length {}>>stream\n{content}\nendstream", content.len()),
    ];
    let mut file = "%PDF-1.7\n".to_owned();
    for (number, object) in (1..).zip(objects) {
        file += &format!("{number} 0 obj\n{object}\nendobj\n");
    }
    (file + "trailer<</Size 6/Root 1 0 R>>\n%%EOF\n").into_bytes()
}

#[tokio::test]
async fn what_is_up_to_date_is_made_anew_only_when_forced() {
    let desk = Desk::new();
    desk.put("An old text");
    let document = desk.add().await;
    assert!(!document.outdated.any());
    let nothing = desk.again(&document, false).await.unwrap();
    assert_eq!((nothing.rebuilt, &nothing.document), (Outdated::default(), &document));
    let forced = desk.again(&document, true).await.unwrap();
    assert_eq!(forced.rebuilt.names(), ["text", "tree", "words"]);
    assert_eq!(DocumentRecord { updated_ms: document.updated_ms, ..forced.document }, document);
}

#[tokio::test]
async fn a_changed_file_is_said_so_and_not_taken_in() {
    let desk = Desk::new();
    desk.put("An old text");
    let document = desk.add().await;
    desk.put("A new text");
    let error = desk.again(&document, true).await.unwrap_err();
    assert_eq!(error.kind(), "file_changed");
    assert!(error.to_string().contains("doc.pdf") && error.to_string().contains("Adding the file again"), "{error}");
    let pages = desk.client.library().unwrap().pages(&document.id, &[1..=1]).await.unwrap();
    assert_eq!(pages[0].text, "An old text");
}

#[tokio::test]
async fn a_document_outlives_its_file() {
    let desk = Desk::new();
    desk.put("An old text");
    let document = desk.add().await;
    std::fs::remove_file(&desk.path).unwrap();
    assert_eq!(desk.again(&document, true).await.unwrap_err().kind(), "file_missing");
    let stored = desk.client.library().unwrap().find(&Scope::All, "doc.pdf").await.unwrap();
    assert_eq!(stored.as_ref(), Some(&document));
    assert_eq!(desk.client.library().unwrap().tree(&document.id).await.unwrap().len(), 1);
}

#[tokio::test]
async fn without_a_file_only_words_are_made_anew() {
    let desk = Desk::new();
    desk.put("An old text");
    let document = desk.add().await;
    std::fs::remove_file(&desk.path).unwrap();
    let old = |text, words| DocumentRecord { outdated: Outdated { text, tree: false, words }, ..document.clone() };
    let rebuilt = desk.again(&old(false, true), false).await.unwrap();
    assert_eq!(rebuilt.rebuilt.names(), ["words"]);
    // What can be done is done, and the rest is still a failure.
    assert_eq!(desk.again(&old(true, true), false).await.unwrap_err().kind(), "file_missing");
    let nowhere = DocumentRecord { origin: Origin::Bytes, ..old(true, false) };
    assert_eq!(desk.again(&nowhere, false).await.unwrap_err().kind(), "no_file");
    let unfinished = DocumentRecord { status: Status::Processing, ..document.clone() };
    assert_eq!(desk.again(&unfinished, true).await.unwrap_err().kind(), "not_ready");
}

#[tokio::test]
async fn what_a_model_wrote_is_kept() {
    let desk = Desk::new();
    desk.put("An old text");
    let document = desk.add().await;
    let library = desk.client.library().unwrap();
    let stored = library.improvable(&document.id).await.unwrap().unwrap();
    let mut tree = library.tree(&document.id).await.unwrap();
    tree[0].summary = Some("A model wrote this.".to_owned());
    let improvement = Improvement {
        content_hash: stored.content_hash,
        tree_version: stored.tree_version,
        tree,
        description: None,
        toc_source: None,
        complete: true,
        basis: "a model".to_owned(),
    };
    let improved = library.improve(&document.id, improvement).await.unwrap();
    let rebuilt = desk.again(&improved, true).await.unwrap();
    assert_eq!(rebuilt.written, Some(Written { kept: 1, sections: 1 }));
    assert_eq!(library.tree(&document.id).await.unwrap()[0].summary.as_deref(), Some("A model wrote this."));
    // Not all may be of the model now: it would be asked again.
    assert_eq!(library.improvable(&document.id).await.unwrap().unwrap().improved, None);
}
