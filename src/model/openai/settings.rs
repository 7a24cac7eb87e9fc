//! What a connection to a model server is made of, as a person sets it.

use std::collections::BTreeMap;
use std::time::Duration;

use secrecy::SecretString;
use serde_json::{Map, Value};

/// Where requests go when nothing else is set.
pub const DEFAULT_BASE_URL: &str = async_openai::config::OPENAI_API_BASE;

/// Settings of an [`OpenAiModel`](super::OpenAiModel). All but the model have a default.
#[derive(Clone)]
pub struct OpenAiSettings {
    /// Base URL with scheme, as the server's documentation gives it (mostly ending with `/v1`); `/chat/completions` is appended.
    pub base_url: String,
    /// The key; white space around it is dropped. `None` or an empty one sends no `Authorization` header (local servers).
    pub api_key: Option<SecretString>,
    /// The model's name on that server.
    pub model: String,
    /// The interface that is spoken.
    pub api: Api,
    /// Whether the model takes images. One that does not is told how many a tool gave.
    pub images: bool,
    /// Sent as `OpenAI-Organization`.
    pub organization: Option<String>,
    /// Further headers. They win over those that are set anyway.
    pub extra_headers: BTreeMap<String, String>,
    /// Further fields of the request body. They win over those that are set anyway; `null` removes a field.
    pub extra_body: Map<String, Value>,
    /// Bounds on waiting for bytes.
    pub timeouts: Timeouts,
    /// When and how often a request is made again.
    pub retry: RetryPolicy,
}

impl Default for OpenAiSettings {
    fn default() -> Self {
        Self {
            base_url: DEFAULT_BASE_URL.into(),
            api_key: None,
            model: String::new(),
            api: Api::Chat,
            images: false,
            organization: None,
            extra_headers: BTreeMap::new(),
            extra_body: Map::new(),
            timeouts: Timeouts::default(),
            retry: RetryPolicy::default(),
        }
    }
}

impl std::fmt::Debug for OpenAiSettings {
    /// Shows no key: neither the API key nor values of headers or URL parts that may hold one.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenAiSettings")
            .field("base_url", &super::endpoint::presentable(&self.base_url))
            .field("has_key", &self.api_key.is_some())
            .field("model", &self.model)
            .field("api", &self.api)
            .field("images", &self.images)
            .field("extra_headers", &self.extra_headers.keys().collect::<Vec<_>>())
            .field("extra_body", &self.extra_body.keys().collect::<Vec<_>>())
            .field("timeouts", &self.timeouts)
            .field("retry", &self.retry)
            .finish_non_exhaustive()
    }
}

/// Which of the two interfaces of OpenAI-compatible servers is spoken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Api {
    /// `/chat/completions`, which nearly every server has.
    #[default]
    Chat,
    /// `/responses`, by which reasoning of earlier turns is carried back.
    Responses,
}

/// Bounds on waiting; there is none on a whole turn, which the caller bounds by dropping it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Until the connection stands. Default 10 s.
    pub connect: Duration,
    /// Until the first words of the reply: a server may read a long prompt, or reason unseen, before it says anything. Default 180 s.
    pub first_byte: Duration,
    /// Between bytes after that. Default 60 s. Keep-alive bytes without words stretch it to `first_byte`.
    pub idle: Duration,
    /// After how long a silence is announced, again and again. Default 10 s.
    pub notice: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(180),
            idle: Duration::from_secs(60),
            notice: Duration::from_secs(10),
        }
    }
}

/// When and how often a request is made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Tries in all, the first one included. Default 4.
    pub tries: u32,
    /// Wait before the second try, doubled for each further one, with up to as much again at random. Default 500 ms.
    pub first_wait: Duration,
    /// The longest wait between tries; a server that asks for more ends the turn. Default 60 s.
    pub longest_wait: Duration,
    /// How long a server that says it is still loading the model is asked again. Default 120 s.
    pub loading: Duration,
    /// How long a turn waits in all for a rate limit whose waits the server names; such waits are no tries. Default 300 s.
    pub rate_limit: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            tries: 4,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(60),
            loading: Duration::from_secs(120),
            rate_limit: Duration::from_secs(300),
        }
    }
}
