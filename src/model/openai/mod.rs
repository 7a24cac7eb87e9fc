//! Any server that speaks the Chat Completions API, or the Responses API (`responses/`).
//!
//! Requests go through async-openai's client with own request and reply types (its typed ones fail on many servers), over an HTTP service
//! of ours below it (`transport.rs`) that keeps the status of every error, announces every wait and notices a stream that was cut.
//! The client's `Config` is ours as well (`endpoint.rs`), since its own panics on unusable keys.

mod arguments;
mod content;
mod dialect;
mod endpoint;
mod errors;
mod failure;
mod ids;
mod images;
mod patience;
mod payload;
mod request;
mod responses;
mod retry;
mod schema;
mod settings;
mod speech;
mod stream;
mod transport;
mod wire;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_openai::Client;
use async_openai::error::OpenAIError;
use async_openai::types::stream::StreamResponse;
use async_trait::async_trait;
use futures::StreamExt;
use serde_json::Value;

use self::dialect::Dialect;
use self::endpoint::Endpoint;
use self::errors::Explainer;
use self::failure::{Again, Failure};
use self::patience::Patience;
pub use self::request::function_tool;
use self::retry::Backoff;
pub use self::settings::{Api, DEFAULT_BASE_URL, OpenAiSettings, RetryPolicy, Timeouts};
use self::stream::Assembly;
use self::transport::{Transport, Watch};
use self::wire::Chunk;
use super::{ChatModel, ChatRequest, ChatTurn, Finish, HistoryItem, ModelDelta, ModelError, ModelErrorKind, ToolChoice, Usage};

/// How long an unknown model's error may wait for the server's list of models.
const MODEL_LIST_TIMEOUT: Duration = Duration::from_secs(5);

/// Names in the hint of an unknown model.
const MODELS_SHOWN: usize = 8;

/// A model on an OpenAI-compatible server.
pub struct OpenAiModel {
    settings: OpenAiSettings,
    endpoint: Endpoint,
    explainer: Arc<Explainer>,
    http: reqwest::Client,
    dialect: Mutex<Dialect>,
}

impl std::fmt::Debug for OpenAiModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenAiModel").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl OpenAiModel {
    /// Checks the settings; sends nothing. Proxies are taken from the environment (not for this machine itself), certificate roots from the system.
    ///
    /// # Errors
    /// Of kind `Settings` when URL, key, model or a header cannot work.
    pub fn new(settings: OpenAiSettings) -> Result<Self, ModelError> {
        if settings.model.trim().is_empty() {
            return Err(
                ModelError::new(ModelErrorKind::Settings, "no model is named").with_hint("Name one, as the server calls it.")
            );
        }
        let endpoint = Endpoint::new(&settings)?;
        let mut http = reqwest::Client::builder()
            .user_agent(concat!("pagewise/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(settings.timeouts.connect)
            // The text goes where the person said, and nowhere else.
            .redirect(reqwest::redirect::Policy::none());
        if endpoint.is_loopback() {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|e| ModelError::new(ModelErrorKind::Settings, format!("no HTTPS on this machine: {e}")))?;
        let explainer = Arc::new(Explainer::new(endpoint.clone(), settings.model.trim(), path(settings.api)));
        let dialect = Mutex::new(Dialect::new(endpoint.is_openai()));
        Ok(Self { settings, endpoint, explainer, http, dialect })
    }

    fn dialect(&self) -> Dialect {
        *self.dialect.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A client for one try; it shares connections with all others.
    fn client(&self, watch: &Arc<Watch>) -> Client<Endpoint> {
        let transport = Transport {
            http: self.http.clone(),
            explainer: Arc::clone(&self.explainer),
            timeouts: self.settings.timeouts,
            watch: Arc::clone(watch),
        };
        Client::build(self.http.clone(), self.endpoint.clone()).with_http_service(transport)
    }

    /// One try. `spoken` says whether people have seen text of it.
    async fn attempt(
        &self,
        body: &Value,
        request: &ChatRequest<'_>,
        deltas: &mut (dyn FnMut(ModelDelta) + Send),
        spoken: &mut bool,
    ) -> Result<ChatTurn, Failure> {
        let watch = Arc::new(Watch::default());
        let client = self.client(&watch);
        let mut patience = Patience::new(&self.explainer, self.settings.timeouts);
        let chat = client.chat();
        let opened: Result<StreamResponse<Value>, OpenAIError> = patience.during(chat.create_stream_byot(body), deltas).await?;
        let mut events = opened.map_err(|e| self.explain(e))?;
        let mut assembly = Assembly::new(request.tools);
        let mut broken = None;
        while let Some(event) = patience.during(events.next(), deltas).await? {
            let chunk = match event {
                Ok(value) => Chunk::read(value),
                Err(error) => {
                    broken = Some(watch.take_failure().unwrap_or_else(|| self.explain(error)));
                    break;
                }
            };
            if let Some(error) = chunk.error {
                return Err(self.explainer.in_stream(error));
            }
            if chunk.says_something() {
                patience.heard();
            }
            assembly.push(chunk, deltas);
            *spoken = assembly.has_spoken();
            if assembly.is_endless() {
                return Err(self.explainer.failure(ModelErrorKind::BadReply, Again::Never, "the reply has no end"));
            }
            if assembly.has_begun() {
                watch.set_begun();
            }
        }
        if assembly.failed() {
            return Err(self.explainer.failure(
                ModelErrorKind::Server,
                Again::Soon,
                "the server failed in the middle of its reply",
            ));
        }
        // After a finish reason nothing that matters is missing.
        if let Some(failure) = broken.filter(|_| !assembly.has_finish()) {
            return Err(if assembly.is_reply() { self.explainer.began_well(failure) } else { failure });
        }
        if watch.is_done() && !assembly.is_reply() {
            return Err(self.explainer.failure(ModelErrorKind::BadReply, Again::Soon, "the reply is not a model's answer"));
        }
        if !watch.is_done() && !assembly.is_whole() {
            return Err(self.explainer.failure(ModelErrorKind::CutOff, Again::Soon, "the reply was cut off"));
        }
        let announced = assembly.announces_calls() && !request.tools.is_empty() && request.tool_choice == ToolChoice::Auto;
        let mut turn = assembly.finish(taken_ids(request), deltas);
        payload::sign(&mut turn.items, &self.author());
        if announced && turn.finish == Finish::Stop {
            *spoken |= !turn.items.is_empty();
            let what = "the server says that the model called a tool, but sent no call";
            return Err(self.explainer.began_well(self.explainer.failure(ModelErrorKind::BadReply, Again::Once, what)));
        }
        Ok(turn)
    }

    /// Waits before the next try. A long wait is announced again and again, with what is left of it.
    async fn pause(&self, after: Duration, error: ModelError, deltas: &mut (dyn FnMut(ModelDelta) + Send)) {
        let until = tokio::time::Instant::now() + after;
        let notice = self.settings.timeouts.notice;
        let limited = error.kind == ModelErrorKind::RateLimited;
        deltas(ModelDelta::Retry { after, reason: self.explainer.brief(&error.message) });
        loop {
            let left = until.saturating_duration_since(tokio::time::Instant::now());
            if left <= notice {
                return tokio::time::sleep(left).await;
            }
            tokio::time::sleep(notice).await;
            let reason = if limited { "waiting for the rate limit of" } else { "waiting for" };
            let after = until.saturating_duration_since(tokio::time::Instant::now());
            deltas(ModelDelta::Retry { after, reason: format!("{reason} {}", self.endpoint.host()) });
        }
    }

    fn explain(&self, error: OpenAIError) -> Failure {
        match error {
            OpenAIError::Boxed(inner) => match inner.downcast::<Failure>() {
                Ok(failure) => *failure,
                Err(other) => self.explainer.failure(ModelErrorKind::BadReply, Again::Never, &other.to_string()),
            },
            OpenAIError::Reqwest(error) => self.explainer.transport(&error),
            OpenAIError::JSONDeserialize(error, _) => {
                self.explainer.failure(ModelErrorKind::BadReply, Again::Soon, &format!("the reply is broken JSON: {error}"))
            }
            other => self.explainer.failure(ModelErrorKind::CutOff, Again::Soon, &format!("the reply broke: {other}")),
        }
    }

    /// Adds what the server has to an unknown model's error: close names first.
    async fn with_models(&self, mut error: ModelError) -> ModelError {
        if error.kind != ModelErrorKind::UnknownModel {
            return error;
        }
        let client = self.client(&Arc::new(Watch::default()));
        let models = client.models();
        let asked = tokio::time::timeout(MODEL_LIST_TIMEOUT, models.list_byot::<Value>()).await;
        let Ok(Ok(list)) = asked else { return error };
        let entries =
            ["/data", "/models"].iter().find_map(|p| list.pointer(p)).unwrap_or(&list).as_array().cloned().unwrap_or_default();
        let mut names: Vec<String> = entries
            .iter()
            .filter_map(|m| m.get("id").or_else(|| m.get("name")).unwrap_or(m).as_str())
            .map(|name| self.endpoint.presentable_text(name))
            .collect();
        let closeness = |name: &String| strsim::jaro_winkler(name, &self.settings.model);
        names.sort_by(|a, b| closeness(b).total_cmp(&closeness(a)));
        let more = if names.len() > MODELS_SHOWN { format!(" and {} more", names.len() - MODELS_SHOWN) } else { String::new() };
        names.truncate(MODELS_SHOWN);
        if !names.is_empty() {
            error.hint = Some(format!("The server has: {}{more}.", names.join(", ")));
        }
        error
    }
}

/// The calls in what a server's own reader could not read and handed back with its refusal, if we can read them.
fn rescued(failure: &Failure, request: &ChatRequest<'_>) -> Option<ChatTurn> {
    if failure.wire.generation.is_empty() || request.tool_choice == ToolChoice::None {
        return None;
    }
    let mut taken = taken_ids(request);
    let names = request.tools.iter().map(|tool| tool.name.as_str()).collect();
    let calls = content::calls_in(&failure.wire.generation, names).into_iter().filter(|call| call.arguments.is_object());
    let items: Vec<HistoryItem> = calls
        .map(|call| HistoryItem::ToolCall {
            id: ids::unique_id(String::new(), &mut taken),
            name: call.name,
            arguments: call.arguments,
            payload: None,
        })
        .collect();
    (!items.is_empty()).then_some(ChatTurn { items, finish: Finish::ToolCalls, usage: None })
}

/// The ids of the calls in the history.
fn taken_ids(request: &ChatRequest<'_>) -> BTreeSet<String> {
    let calls = request.history.iter().filter_map(|item| match item {
        HistoryItem::ToolCall { id, .. } => Some(id.clone()),
        _ => None,
    });
    calls.collect()
}

/// Where requests of this interface go, behind the base URL.
fn path(api: Api) -> &'static str {
    match api {
        Api::Chat => "/chat/completions",
        Api::Responses => "/responses",
    }
}

#[async_trait]
impl ChatModel for OpenAiModel {
    fn label(&self) -> String {
        self.explainer.label()
    }

    fn destination(&self) -> Option<String> {
        Some(self.endpoint.host())
    }

    async fn turn(&self, request: ChatRequest<'_>, deltas: &mut (dyn FnMut(ModelDelta) + Send)) -> Result<ChatTurn, ModelError> {
        let mut backoff = Backoff::new(self.settings.retry);
        let mut requests = 0;
        loop {
            let dialect = self.dialect();
            let responses = self.settings.api == Api::Responses;
            let body = if responses {
                responses::body(&self.settings, &request, &dialect, &self.author())
            } else {
                request::body(&self.settings, &request, &dialect, &self.author())
            };
            requests += 1;
            let mut spoken = false;
            let outcome = if responses {
                self.attempt_responses(&body, &request, deltas, &mut spoken).await
            } else {
                self.attempt(&body, &request, deltas, &mut spoken).await
            };
            let failure = match outcome {
                Ok(mut turn) => {
                    turn.usage = turn.usage.map(|usage| Usage { requests, ..usage });
                    return Ok(turn);
                }
                Err(failure) => failure,
            };
            tracing::debug!(kind = ?failure.error.kind, status = failure.error.status, requests, "a request to the model failed");
            if spoken {
                deltas(ModelDelta::Discarded);
            }
            if let Some(turn) = rescued(&failure, &request) {
                return Ok(turn);
            }
            // Each step leaves something more out, so this ends.
            if let Some(next) = dialect.after(&failure, &body, &request::payload_fields(request.history, &self.author())) {
                let mut dialect = self.dialect.lock().unwrap_or_else(PoisonError::into_inner);
                // Another turn may have learned something else meanwhile.
                *dialect = dialect.and(next);
                continue;
            }
            let Some(after) = backoff.next(&failure) else {
                let mut error = failure.error;
                if error.kind == ModelErrorKind::RateLimited && !backoff.limited().is_zero() {
                    error.message.push_str(&format!("; given up after {:.0} s of waiting for it", backoff.limited().as_secs_f64()));
                }
                return Err(self.with_models(error).await);
            };
            self.pause(after, failure.error, deltas).await;
        }
    }
}
