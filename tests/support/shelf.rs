//! A toolbox for tests of the agent: documents of a few pages, a tool that never ends by itself, and one that needs a yes.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use pagewise::agent::{Approval, Approver};
use pagewise::tools::{Annotations, Evidence, ToolDefinition, ToolReply, Toolbox};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// Documents by name, each a list of pages.
#[derive(Default)]
pub struct Shelf {
    documents: BTreeMap<String, Vec<String>>,
    /// Calls that were made, as `name{arguments}`.
    pub calls: Mutex<Vec<String>>,
    mute: bool,
}

impl Shelf {
    pub fn with(name: &str, pages: &[&str]) -> Self {
        let documents = [(name.to_owned(), pages.iter().map(|p| (*p).to_owned()).collect())].into();
        Self { documents, ..Self::default() }
    }

    /// Its instructions never come.
    pub fn mute(mut self) -> Self {
        self.mute = true;
        self
    }

    pub fn called(&self) -> Vec<String> {
        self.calls.lock().unwrap().clone()
    }

    fn page(&self, arguments: &Value) -> Option<ToolReply> {
        let doc = arguments["doc_name"].as_str()?;
        let pages = self.documents.get(doc)?;
        let page: u32 = arguments["pages"].as_str()?.parse().ok()?;
        let text = pages.get(page as usize - 1)?;
        let mut out = reply(
            &json!({"success": true, "doc_name": doc, "returned_pages": page.to_string(), "content": [{"page": page, "text": text}]}),
        );
        let page_count = pages.len() as u32;
        out.evidence = vec![Evidence { doc: doc.into(), page, label: None, text: text.clone(), page_count }];
        Some(out)
    }
}

fn reply(envelope: &Value) -> ToolReply {
    let is_error = envelope.get("error").is_some();
    ToolReply { envelope: envelope.to_string(), parts: vec![], is_error, stop: None, evidence: vec![], documents: vec![] }
}

fn definition(name: &str) -> ToolDefinition {
    let changes = name == "remove_document";
    ToolDefinition {
        name: name.into(),
        title: name.into(),
        description: format!("does {name}"),
        input_schema: json!({"type": "object"}),
        annotations: Annotations {
            read_only_hint: !changes,
            destructive_hint: changes,
            idempotent_hint: false,
            open_world_hint: false,
        },
        needs_approval: changes,
    }
}

#[async_trait]
impl Toolbox for Shelf {
    fn definitions(&self) -> Vec<ToolDefinition> {
        ["browse_documents", "get_page_content", "remove_document", "slow"].map(definition).into()
    }

    async fn instructions(&self, _doc_ids: &[String]) -> Result<String, pagewise::Error> {
        if self.mute {
            std::future::pending::<()>().await;
        }
        Ok("Answer from the documents.".into())
    }

    async fn call(&self, name: &str, arguments: &Value, _cancel: &CancellationToken) -> ToolReply {
        self.calls.lock().unwrap().push(format!("{name}{arguments}"));
        if name == "slow" {
            std::future::pending::<()>().await;
        }
        tokio::task::yield_now().await;
        match name {
            "browse_documents" => {
                let names: Vec<Value> = self.documents.keys().map(|n| json!({"name": n, "status": "completed"})).collect();
                reply(&json!({"success": true, "documents": names}))
            }
            "remove_document" => reply(&json!({"success": true, "results": []})),
            _ => self.page(arguments).unwrap_or_else(|| reply(&json!({"error": "no such page", "errorCode": "NOT_FOUND"}))),
        }
    }
}

/// Says yes, no, or nothing at all.
pub struct Person {
    says: Option<bool>,
    /// How often it was asked.
    pub asked: AtomicUsize,
    now: AtomicUsize,
    /// How many questions were open at the same time at most.
    pub most: AtomicUsize,
}

impl Person {
    pub fn who_says(says: impl Into<Option<bool>>) -> Self {
        Self { says: says.into(), asked: AtomicUsize::new(0), now: AtomicUsize::new(0), most: AtomicUsize::new(0) }
    }
}

#[async_trait]
impl Approver for Person {
    async fn approve(&self, _call: &Approval) -> bool {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        let Some(says) = self.says else { return std::future::pending().await };
        for _ in 0..5 {
            tokio::task::yield_now().await;
        }
        self.now.fetch_sub(1, Ordering::SeqCst);
        says
    }
}
