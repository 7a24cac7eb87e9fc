//! What can go wrong with a model server, told apart for people.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelErrorKind {
    /// No connection: refused, no such host, no network, timed out.
    Unreachable,
    /// The certificate or the TLS handshake failed.
    Tls,
    /// Wrong path or no such endpoint (404 without a model message).
    WrongPath,
    /// 401 or 403.
    BadKey,
    /// Quota or credit is used up.
    NoCredit,
    /// The server does not know the model.
    UnknownModel,
    /// 429 after all tries.
    RateLimited,
    /// The request is longer than the model's window.
    ContextTooLong,
    /// The request was refused (400 and the like, or a content filter).
    Refused,
    /// The stream or body ended early.
    CutOff,
    /// 5xx after all tries.
    Server,
    /// The reply could not be understood.
    BadReply,
    /// The settings cannot work (bad URL, unusable key, missing key).
    Settings,
}

impl ModelErrorKind {
    /// Whether every further request would fail in the same way until a person changes something.
    pub fn is_lasting(self) -> bool {
        matches!(self, Self::Tls | Self::WrongPath | Self::BadKey | Self::NoCredit | Self::UnknownModel | Self::Settings)
    }
}

/// A failed turn.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct ModelError {
    /// What went wrong.
    pub kind: ModelErrorKind,
    /// HTTP status, where there was one.
    pub status: Option<u16>,
    /// For people; never holds a key.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// How long the server asked to wait.
    pub retry_after: Option<Duration>,
}

impl ModelError {
    /// An error of this kind with this message.
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self { kind, status: None, message: message.into(), hint: None, retry_after: None }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
