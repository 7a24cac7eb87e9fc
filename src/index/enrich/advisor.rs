//! What is asked of a model, without knowing any: one request, one reply, and failures told apart by what can be done about them.

use std::time::Duration;

use async_trait::async_trait;
use serde::Serialize;

/// One request.
#[derive(Debug, Clone, Copy)]
pub struct AdviceRequest<'a> {
    /// What to do; the same for all requests of a kind.
    pub instructions: &'a str,
    /// The material.
    pub input: &'a str,
    /// Bound on the reply, in tokens; models that reason spend them on that as well.
    pub max_output_tokens: u32,
}

/// A reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// What the model wrote.
    pub text: String,
    /// What it cost, as the server counts.
    pub spent: Spent,
}

/// What was spent; counts that the server does not give are 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Spent {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Requests made, failed ones included.
    pub requests: u64,
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.requests += other.requests;
    }
}

/// What can be done about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdviceFault {
    /// No request will succeed: bad key, no credit, unknown model, wrong address.
    Fatal,
    /// No connection, or nothing like a model at its end. Fatal as long as none has stood, passing afterwards.
    Unreachable,
    /// It may pass: rate limit, time-out, a failing server.
    Passing {
        /// How long the server asked to wait.
        wait: Option<Duration>,
    },
    /// The request is longer than the model can read.
    TooLong,
    /// The server refuses this request, and would again.
    Refused,
}

/// A failed request.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct AdviceError {
    /// What can be done about it.
    pub fault: AdviceFault,
    /// For people; holds no key.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// Whoever answers the requests.
#[async_trait]
pub trait Advisor: Send + Sync {
    /// What it is called, such as `gpt-5-mini at api.openai.com`. What one advisor said is never used for another one.
    fn name(&self) -> String;
    /// One request, tried once: waiting and trying again is the caller's. Dropping the future cancels it.
    async fn advise(&self, request: AdviceRequest<'_>) -> Result<Advice, AdviceError>;
}

/// Whoever keeps finished parts, so that they are not asked for again.
#[async_trait]
pub trait Keeper: Send + Sync {
    /// Keeps the outcome of a part for good before it returns.
    ///
    /// # Errors
    /// Why it could not be kept, for people.
    async fn keep(&self, part: &str, outcome: &str) -> Result<(), String>;
}
