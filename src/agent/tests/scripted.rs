//! A model that does what a script says, a toolbox that answers from a table, and a front end that writes everything down.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::agent::history::is_valid;
use crate::agent::*;
use crate::model::*;
use crate::tools::*;

/// What the model does in one turn.
#[derive(Clone)]
pub enum Step {
    /// Says this, in pieces, and is done.
    Says(&'static str),
    /// Says this and ends so.
    Ends(&'static str, Finish),
    /// Remark and calls.
    Calls(&'static str, Vec<(&'static str, &'static str, Value)>),
    /// Fails after having said this.
    Fails(&'static str, ModelErrorKind),
    /// Fails with these words of the server about a request that is too long.
    TooLong(&'static str),
    /// Thinks, and says nothing.
    Thinks(&'static str),
    /// Says this and then nothing more.
    Hangs(&'static str),
    /// Says and unsays this, then says the second.
    Restarts(&'static str, &'static str),
    /// Says it without streaming.
    Silent(&'static str),
}

/// A request as the model saw it.
#[derive(Clone, Debug)]
pub struct Seen {
    pub history: Vec<HistoryItem>,
    pub tool_choice: ToolChoice,
    pub tools: Vec<String>,
    pub instructions: String,
    pub max_output_tokens: Option<u32>,
}

#[derive(Default)]
pub struct ScriptedModel {
    steps: Mutex<VecDeque<Step>>,
    pub seen: Mutex<Vec<Seen>>,
}

impl ScriptedModel {
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Arc<Self> {
        Arc::new(Self { steps: Mutex::new(steps.into_iter().collect()), seen: Mutex::default() })
    }

    pub fn requests(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

fn done(items: Vec<HistoryItem>, finish: Finish) -> Result<ChatTurn, ModelError> {
    let usage = Usage { input_tokens: 10, cached_tokens: 0, output_tokens: 2, requests: 1 };
    Ok(ChatTurn { items, finish, usage: Some(usage) })
}

fn said(text: &str) -> Vec<HistoryItem> {
    if text.is_empty() { vec![] } else { vec![HistoryItem::Assistant { text: text.into(), payload: None }] }
}

#[async_trait]
impl ChatModel for ScriptedModel {
    fn label(&self) -> String {
        "scripted".into()
    }

    fn destination(&self) -> Option<String> {
        None
    }

    async fn turn(&self, request: ChatRequest<'_>, deltas: &mut (dyn FnMut(ModelDelta) + Send)) -> Result<ChatTurn, ModelError> {
        assert!(is_valid(request.history), "invalid history sent: {:?}", request.history);
        assert!(
            matches!(request.history.last(), Some(HistoryItem::User { .. } | HistoryItem::ToolResult { .. })),
            "{:?}",
            request.history
        );
        let doubled = request.history.windows(2).any(|w| matches!(w, [HistoryItem::User { .. }, HistoryItem::User { .. }]));
        assert!(!doubled, "two texts of the user in a row: {:?}", request.history);
        self.seen.lock().unwrap().push(Seen {
            history: request.history.to_vec(),
            tool_choice: request.tool_choice,
            tools: request.tools.iter().map(|t| t.name.clone()).collect(),
            instructions: request.instructions.into(),
            max_output_tokens: request.max_output_tokens,
        });
        let step = self.steps.lock().unwrap().pop_front().unwrap_or(Step::Says("script is over"));
        let mut stream = |text: &str| {
            for word in text.split_inclusive(' ') {
                deltas(ModelDelta::Text(word.into()));
            }
        };
        tokio::task::yield_now().await;
        match step {
            Step::Says(text) => {
                stream(text);
                done(said(text), Finish::Stop)
            }
            Step::Ends(text, finish) => {
                stream(text);
                done(said(text), finish)
            }
            Step::Calls(remark, calls) => {
                stream(remark);
                let calls = calls.into_iter().map(|(id, name, arguments)| HistoryItem::ToolCall {
                    id: id.into(),
                    name: name.into(),
                    arguments,
                    payload: Some(json!({"signature": id})),
                });
                done(said(remark).into_iter().chain(calls).collect(), Finish::ToolCalls)
            }
            Step::Fails(text, kind) => {
                stream(text);
                Err(ModelError::new(kind, "the server said no.").with_hint("Try later."))
            }
            Step::TooLong(message) => Err(ModelError::new(ModelErrorKind::ContextTooLong, message)),
            Step::Thinks(thought) => {
                deltas(ModelDelta::Thinking(thought.into()));
                let payload = Some(json!({"reasoning_content": thought}));
                done(vec![HistoryItem::Assistant { text: String::new(), payload }], Finish::Stop)
            }
            Step::Hangs(text) => {
                stream(text);
                std::future::pending().await
            }
            Step::Restarts(first, second) => {
                stream(first);
                deltas(ModelDelta::Retry { after: Duration::from_millis(5), reason: "cut".into() });
                deltas(ModelDelta::Discarded);
                for word in second.split_inclusive(' ') {
                    deltas(ModelDelta::Text(word.into()));
                }
                done(said(second), Finish::Stop)
            }
            Step::Silent(text) => done(said(text), Finish::Stop),
        }
    }
}

type Answerer = Box<dyn Fn(&str, &Value) -> ToolReply + Send + Sync>;

/// `get_page_content` reads pages of `q1.pdf`, `remove_document` needs a yes, `slow` never ends by itself.
pub struct ScriptedToolbox {
    answer: Answerer,
    running: AtomicUsize,
    /// How many calls ran at the same time at most, all and those that need a yes.
    pub most: AtomicUsize,
    pub most_approved: AtomicUsize,
    pub calls: Mutex<Vec<String>>,
}

impl ScriptedToolbox {
    pub fn new() -> Arc<Self> {
        Self::answering(default_answer)
    }

    pub fn answering(answer: impl Fn(&str, &Value) -> ToolReply + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self {
            answer: Box::new(answer),
            running: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            most_approved: AtomicUsize::new(0),
            calls: Mutex::default(),
        })
    }

    pub fn called(&self) -> Vec<String> {
        self.calls.lock().unwrap().clone()
    }
}

pub fn reply(envelope: Value) -> ToolReply {
    let is_error = envelope.get("error").is_some();
    ToolReply { envelope: envelope.to_string(), parts: vec![], is_error, stop: None, evidence: vec![], documents: vec![] }
}

pub const PAGE: &str = "Revenues increased 5% for Q1 to $24.7 billion from $23.5 billion in the prior-year quarter.";

pub fn default_answer(name: &str, arguments: &Value) -> ToolReply {
    match name {
        "get_page_content" => {
            let page = arguments["pages"].as_str().and_then(|p| p.parse().ok()).unwrap_or(1);
            let mut out = reply(
                json!({"success": true, "doc_name": "q1.pdf", "returned_pages": page.to_string(), "content": [{"page": page, "text": PAGE}]}),
            );
            out.evidence = vec![Evidence { doc: "q1.pdf".into(), page, label: None, text: PAGE.into(), page_count: 20 }];
            out
        }
        "browse_documents" => {
            let mut out = reply(json!({"success": true, "documents": [{"name": "q1.pdf", "status": "completed"}]}));
            out.documents = vec![("q1.pdf".into(), Some(20))];
            out
        }
        "remove_document" => reply(json!({"success": true, "results": []})),
        "stop" => {
            let mut out = reply(json!({"error": "unauthorized"}));
            out.stop = Some(Stop { code: "unauthorized".into(), message: "The key was refused; set another.".into() });
            out
        }
        _ => reply(json!({"error": "unknown tool", "errorCode": "INVALID_INPUT"})),
    }
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
impl Toolbox for ScriptedToolbox {
    fn definitions(&self) -> Vec<ToolDefinition> {
        ["browse_documents", "get_page_content", "remove_document", "slow", "stop"].map(definition).into()
    }

    async fn instructions(&self, doc_ids: &[String]) -> Result<String, crate::Error> {
        if doc_ids.iter().any(|d| d == "missing") {
            return Err(crate::Error::NoSuchDocument("there is no document missing".into()));
        }
        Ok(format!("Answer from {doc_ids:?}."))
    }

    async fn call(&self, name: &str, arguments: &Value, cancel: &CancellationToken) -> ToolReply {
        self.calls.lock().unwrap().push(format!("{name}{arguments}"));
        let now = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        if name == "remove_document" {
            self.most_approved.fetch_max(now, Ordering::SeqCst);
        }
        if name == "slow" {
            cancel.cancelled().await;
        }
        for _ in 0..5 {
            tokio::task::yield_now().await;
        }
        self.running.fetch_sub(1, Ordering::SeqCst);
        (self.answer)(name, arguments)
    }
}

/// Says yes or no, and counts.
pub struct Person {
    pub yes: bool,
    pub asked: AtomicUsize,
}

impl Person {
    pub fn who_says(yes: bool) -> Arc<Self> {
        Arc::new(Self { yes, asked: AtomicUsize::new(0) })
    }
}

#[async_trait]
impl Approver for Person {
    async fn approve(&self, call: &Approval) -> bool {
        assert_eq!(call.name, "remove_document");
        self.asked.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        self.yes
    }
}

/// A finished run.
pub struct Ran {
    pub answer: Answer,
    pub events: Vec<AgentEvent>,
}

impl Ran {
    /// The kinds of events in order, runs of text folded into one.
    pub fn kinds(&self) -> Vec<String> {
        let mut kinds: Vec<String> =
            self.events.iter().map(|e| serde_json::to_value(e).unwrap()["event"].as_str().unwrap().to_owned()).collect();
        kinds.dedup();
        kinds
    }

    pub fn discarded(&self) -> Vec<&str> {
        self.events.iter().filter_map(|e| if let AgentEvent::Discarded { text } = e { Some(text.as_str()) } else { None }).collect()
    }

    /// What a front end has on its screen that was not discarded: the text since the last tool call or discarded draft.
    pub fn shown(&self) -> String {
        let mut out = String::new();
        for event in &self.events {
            match event {
                AgentEvent::Text { delta } => out.push_str(delta),
                AgentEvent::Discarded { .. } | AgentEvent::ToolCall { .. } => out.clear(),
                _ => {}
            }
        }
        out
    }
}

/// Runs one question and checks what must hold for every run.
pub async fn ask(agent: &Agent, conversation: &mut Conversation, question: &str) -> Ran {
    let mut events = Vec::new();
    let cancel = CancellationToken::new();
    let answer = agent.run(conversation, question, &mut |e| events.push(e), &cancel).await;
    check(conversation, &answer, &events);
    Ran { answer, events }
}

/// The last event is the answer, every call has one result event, and the history is valid, closed and can be saved.
pub fn check(conversation: &Conversation, answer: &Answer, events: &[AgentEvent]) {
    assert!(is_valid(&conversation.history), "{:?}", conversation.history);
    assert!(matches!(conversation.history.last(), None | Some(HistoryItem::Assistant { .. })), "{:?}", conversation.history);
    assert!(matches!(events.last(), Some(AgentEvent::Finished { answer: a }) if **a == *answer));
    let ids = |wanted: fn(&AgentEvent) -> Option<&String>| {
        let mut ids: Vec<String> = events.iter().filter_map(wanted).cloned().collect();
        ids.sort();
        ids
    };
    let calls = ids(|e| if let AgentEvent::ToolCall { id, .. } = e { Some(id) } else { None });
    let results = ids(|e| if let AgentEvent::ToolResult { id, .. } = e { Some(id) } else { None });
    assert_eq!(calls, results);
    let saved = serde_json::to_string(conversation).unwrap();
    assert_eq!(&serde_json::from_str::<Conversation>(&saved).unwrap(), conversation);
}

pub fn page(id: &'static str, page: &str) -> (&'static str, &'static str, Value) {
    (id, "get_page_content", json!({"doc_name": "q1.pdf", "pages": page}))
}

pub const CITED: &str =
    "Revenue was $24.7 billion <cite doc=\"q1.pdf\" page=\"1\">Revenues increased 5% for Q1 to $24.7 billion</cite>.";
