//! A model that reads page after page and then answers, and a toolbox with pages of a given size.

use std::sync::atomic::{AtomicU32, Ordering};

use async_trait::async_trait;
use pagewise::model::{ChatModel, ChatRequest, ChatTurn, Finish, HistoryItem, ModelDelta, ModelError, Usage};
use pagewise::tools::{Annotations, Evidence, ToolDefinition, ToolReply, Toolbox};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// Calls of a run.
pub const TURNS: u32 = 20;

/// An answer without anything to check.
const QUESTION: &str = "Which of the segments do you mean?";

/// An answer whose citations hold.
pub const TRUE: &str = "Net sales rose to 24.7 <cite doc=\"long.pdf\" page=\"3\">Net sales of the year 3 rose to 24.7</cite>, costs were lower \
<cite doc=\"long.pdf\" page=\"7\"/>.";

/// An answer with a figure that stands on no page, so that all of them are looked through.
pub const FALSE: &str = "Net sales rose to 77,123 <cite doc=\"long.pdf\" page=\"3\">Net sales of the year 3 rose to 77,123</cite>.";

/// Reads a page in each turn.
pub struct Reader {
    calls: AtomicU32,
    answer: &'static str,
}

impl Default for Reader {
    fn default() -> Self {
        Self::saying(QUESTION)
    }
}

impl Reader {
    /// One with this answer.
    pub fn saying(answer: &'static str) -> Self {
        Self { calls: AtomicU32::new(0), answer }
    }
}

#[async_trait]
impl ChatModel for Reader {
    fn label(&self) -> String {
        "scripted".into()
    }

    fn destination(&self) -> Option<String> {
        None
    }

    async fn turn(&self, request: ChatRequest<'_>, deltas: &mut (dyn FnMut(ModelDelta) + Send)) -> Result<ChatTurn, ModelError> {
        let made = self.calls.fetch_add(1, Ordering::Relaxed);
        let page = made % (TURNS + 1);
        assert!(!request.history.is_empty());
        let usage = Some(Usage { input_tokens: 0, cached_tokens: 0, output_tokens: 40, requests: 1 });
        if page == TURNS {
            for word in self.answer.split_inclusive(' ') {
                deltas(ModelDelta::Text(word.to_owned()));
            }
            let items = vec![HistoryItem::Assistant { text: self.answer.to_owned(), payload: None }];
            return Ok(ChatTurn { items, finish: Finish::Stop, usage });
        }
        let arguments = json!({"doc_name": "long.pdf", "pages": (page + 1).to_string()});
        let call = HistoryItem::ToolCall { id: format!("c{made}"), name: "get_page_content".into(), arguments, payload: None };
        Ok(ChatTurn { items: vec![call], finish: Finish::ToolCalls, usage })
    }
}

/// One document of pages of this size.
pub struct Pages {
    text: String,
}

impl Pages {
    pub fn of(bytes: usize) -> Self {
        let line = |n: usize| {
            format!(
                "Net sales of the year {n} rose to 24.7 from {}.{} million in the segment, as Note {n} says.\n",
                n * 37 % 997,
                n % 10
            )
        };
        let mut text = String::new();
        for n in 3.. {
            text.push_str(&line(n));
            if text.len() >= bytes {
                break;
            }
        }
        Self { text }
    }

    fn reply(&self, page: u32) -> ToolReply {
        let envelope = json!({"success": true, "doc_name": "long.pdf", "total_pages": 100, "requested_pages": page.to_string(),
            "returned_pages": page.to_string(), "content": [{"page": page, "text": self.text}]});
        let evidence = vec![Evidence { doc: "long.pdf".into(), page, label: None, text: self.text.clone(), page_count: 100 }];
        ToolReply { envelope: envelope.to_string(), parts: vec![], is_error: false, stop: None, evidence, documents: vec![] }
    }
}

/// What the toolbox costs without the loop.
pub async fn alone(bytes: usize) {
    let pages = Pages::of(bytes);
    for page in 1..=TURNS {
        std::hint::black_box(pages.reply(page));
    }
}

#[async_trait]
impl Toolbox for Pages {
    fn definitions(&self) -> Vec<ToolDefinition> {
        ["browse_documents", "get_document", "get_document_structure", "get_page_content"]
            .map(|name| ToolDefinition {
                name: name.into(),
                title: name.into(),
                description: "Returns the text of pages of a document. ".repeat(10),
                input_schema: json!({"type": "object", "properties": {"doc_name": {"type": "string"}, "pages": {"type": "string"}}}),
                annotations: Annotations { read_only_hint: true, destructive_hint: false, idempotent_hint: true, open_world_hint: false },
                needs_approval: false,
            })
            .into()
    }

    async fn instructions(&self, _doc_ids: &[String]) -> Result<String, pagewise::Error> {
        Ok("Answer from the pages of the documents and cite each page. ".repeat(60))
    }

    async fn call(&self, _name: &str, arguments: &Value, _cancel: &CancellationToken) -> ToolReply {
        self.reply(arguments["pages"].as_str().and_then(|p| p.parse().ok()).unwrap_or(1))
    }
}
