//! Tells failures apart and puts them in words for people: what happened, at which URL, with which model, and what to do.

use std::time::Duration;

use reqwest::header::HeaderMap;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;

use super::endpoint::Endpoint;
use super::failure::{Again, Failure, WireError};
use crate::model::{ModelError, ModelErrorKind as Kind};

/// Makes failures for one model at one URL.
#[derive(Clone)]
pub(super) struct Explainer {
    endpoint: Endpoint,
    model: String,
    url: String,
}

impl Explainer {
    pub(super) fn new(endpoint: Endpoint, model: &str, path: &str) -> Self {
        let url = endpoint.shown_url(path);
        Self { endpoint, model: model.to_owned(), url }
    }

    /// A failure in our words. `what` follows the URL.
    pub(super) fn failure(&self, kind: Kind, again: Again, what: &str) -> Failure {
        let message = format!("{} ({}): {}", self.url, self.model, self.endpoint.presentable_text(what));
        let mut error = ModelError::new(kind, message);
        error.hint = self.hint(kind);
        Failure::new(error, again)
    }

    /// A reply that is an error.
    pub(super) fn status(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> Failure {
        let wire = WireError::from_body(body);
        if (300..400).contains(&status) {
            let target = headers.get(reqwest::header::LOCATION).and_then(|l| l.to_str().ok()).unwrap_or("another address");
            let what = format!("the server redirects ({status}) to {}", super::endpoint::presentable(target));
            // Not followed: the text would go to a server nobody has chosen.
            let mut failure = self.failure(Kind::WrongPath, Again::Never, &what);
            failure.error.status = Some(status);
            return failure;
        }
        let mut failure = self.refusal(Some(status), wire);
        failure.error.retry_after = retry_after(headers, OffsetDateTime::now_utc());
        failure
    }

    /// An error object in a stream or in a reply with status 200.
    pub(super) fn in_stream(&self, wire: WireError) -> Failure {
        self.refusal(wire.status(), wire)
    }

    fn refusal(&self, status: Option<u16>, wire: WireError) -> Failure {
        let (kind, again) = classify(status, &wire, self.endpoint.has_key());
        let head = match kind {
            Kind::BadKey if !self.endpoint.has_key() => "the server wants a key",
            Kind::BadKey => "the server does not accept the key",
            Kind::NoCredit => "the account has no credit left",
            Kind::UnknownModel => "the server does not know the model",
            Kind::WrongPath => "there is no such address on the server",
            Kind::RateLimited => "the server's rate limit is reached",
            Kind::ContextTooLong => "the request is longer than the model can read",
            Kind::Server if again == Again::Loading => "the server is still loading the model",
            Kind::Server => "the server failed",
            _ => "the server refused the request",
        };
        let status_text = status.map(|s| format!(" ({s})")).unwrap_or_default();
        let words = if wire.message.is_empty() { String::new() } else { format!(": {}", wire.message) };
        let mut failure = self.failure(kind, again, &format!("{head}{status_text}{words}"));
        failure.error.status = status;
        failure.wire = wire;
        failure
    }

    /// No reply at all.
    pub(super) fn transport(&self, error: &reqwest::Error) -> Failure {
        let causes = causes(error);
        let lower = causes.to_lowercase();
        let tls = ["certificate", "tls", "handshake", "corrupt message", "invalidcontenttype"].iter().any(|w| lower.contains(w));
        if tls && error.is_connect() {
            return self.failure(Kind::Tls, Again::Never, &format!("no secure connection: {causes}"));
        }
        if error.is_timeout() {
            return self.failure(Kind::Unreachable, Again::Once, "the server did not accept a connection in time");
        }
        if error.is_connect() {
            return self.failure(Kind::Unreachable, Again::Soon, &format!("no connection: {causes}"));
        }
        if error.is_builder() {
            return self.failure(Kind::Settings, Again::Never, &format!("the request cannot be made: {causes}"));
        }
        self.failure(Kind::CutOff, Again::Soon, &format!("the connection broke: {causes}"))
    }

    /// No byte within the bound.
    pub(super) fn silent(&self, bound: Duration, started: bool) -> Failure {
        let seconds = bound.as_secs_f32();
        if started {
            self.failure(Kind::CutOff, Again::Soon, &format!("the reply stopped: no byte for {seconds} s"))
        } else {
            self.failure(Kind::Unreachable, Again::Once, &format!("no reply within {seconds} s"))
        }
    }

    fn hint(&self, kind: Kind) -> Option<String> {
        let text = match kind {
            Kind::Unreachable => {
                "Is the server running, and is the base URL right? Proxies are taken from HTTPS_PROXY, HTTP_PROXY and NO_PROXY."
            }
            Kind::Tls => {
                "Is it https on that port? A certificate of your own must be among the system's roots, or in the file that SSL_CERT_FILE names."
            }
            Kind::WrongPath => "Check the base URL; for most servers it ends with /v1.",
            Kind::BadKey if self.endpoint.has_key() => "Check that the key belongs to this server and may use this model.",
            Kind::BadKey => "Set a key for this server, for example in OPENAI_API_KEY.",
            Kind::NoCredit => "Add credit with the provider, or choose another model.",
            Kind::UnknownModel => "Check the model's name.",
            Kind::RateLimited => "Wait a little and ask again, or choose another model.",
            Kind::ContextTooLong => "Ask about fewer pages, or choose a model with a larger window.",
            Kind::BadReply => "Is this an OpenAI-compatible server? Check the base URL; for most servers it ends with /v1.",
            Kind::CutOff | Kind::Server => "Ask again; when it happens each time, look at the server's log.",
            Kind::Refused | Kind::Settings => return None,
        };
        Some(text.to_owned())
    }
}

/// What kind of failure it is and whether it may pass.
pub(super) fn classify(status: Option<u16>, wire: &WireError, has_key: bool) -> (Kind, Again) {
    let code = |words: &[&str]| words.contains(&wire.code.as_str()) || words.contains(&wire.kind.as_str());
    if code(&["insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance"])
        || status == Some(402)
        || wire.mentions(&["insufficient balance", "insufficient credit", "credit balance is too low", "out of credits"])
    {
        return (Kind::NoCredit, Again::Never);
    }
    if status != Some(429) && is_too_long(status, wire) {
        return (Kind::ContextTooLong, Again::Never);
    }
    match status {
        Some(401 | 403) => (Kind::BadKey, Again::Never),
        Some(404) if names_model(wire) => (Kind::UnknownModel, Again::Never),
        Some(404 | 405) => (Kind::WrongPath, Again::Never),
        Some(408 | 409) => (Kind::Server, Again::Soon),
        Some(429) => (Kind::RateLimited, Again::Soon),
        // 501: it will not be able to do it later either.
        Some(501) => (Kind::Refused, Again::Never),
        Some(503) if wire.mentions(&["loading"]) => (Kind::Server, Again::Loading),
        Some(500..) => (Kind::Server, Again::Soon),
        _ if wire.mentions(&["api key not valid", "invalid api key", "invalid_api_key", "incorrect api key"]) => {
            (Kind::BadKey, Again::Never)
        }
        _ if !has_key && wire.mentions(&["missing api key", "no api key", "authentication"]) => (Kind::BadKey, Again::Never),
        _ if names_unknown_model(wire) => (Kind::UnknownModel, Again::Never),
        Some(_) => (Kind::Refused, Again::Never),
        None if wire.mentions(&["rate limit", "rate_limit", "too many requests"]) => (Kind::RateLimited, Again::Soon),
        None if wire.mentions(&["invalid_request", "badrequest", "content_filter", "content_policy"]) => {
            (Kind::Refused, Again::Never)
        }
        // In mid-stream most failures are the server's own and pass.
        None => (Kind::Server, Again::Soon),
    }
}

fn is_too_long(status: Option<u16>, wire: &WireError) -> bool {
    status == Some(413)
        || wire.mentions(&[
            "context_length",
            "context length",
            "context window",
            "context size",
            "maximum context",
            "exceed_context_size",
            "prompt is too long",
            "input is too long",
            "too many tokens",
            "reduce the length",
        ])
}

/// 404 bodies of servers that know the path but not the model.
fn names_model(wire: &WireError) -> bool {
    wire.param == "model" || wire.mentions(&["model"])
}

fn names_unknown_model(wire: &WireError) -> bool {
    let unknown = [
        "not found",
        "does not exist",
        "not exist",
        "unknown model",
        "invalid model",
        "no such model",
        "not a valid model",
        "not supported model",
    ];
    wire.code == "model_not_found" || (wire.mentions(&["model"]) && wire.mentions(&unknown))
}

/// `retry-after-ms` in milliseconds, or `Retry-After` in seconds or as an HTTP date. A date in the past is no wait.
pub(super) fn retry_after(headers: &HeaderMap, now: OffsetDateTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).map(str::trim);
    let seconds = |s: f64| Duration::try_from_secs_f64(s.max(0.0)).ok();
    if let Some(ms) = text("retry-after-ms").and_then(|t| t.parse::<f64>().ok()) {
        return seconds(ms / 1000.0);
    }
    let given = text("retry-after")?;
    if let Ok(number) = given.parse::<f64>() {
        return seconds(number);
    }
    let date = OffsetDateTime::parse(given, &Rfc2822).ok()?;
    Some(Duration::try_from(date - now).unwrap_or_default())
}

/// The error and what caused it, without repetition and without the URL.
fn causes(error: &reqwest::Error) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        let text = cause.to_string();
        // "client error (Connect)" is the HTTP library's word for what the next cause says better.
        if !text.starts_with("client error") && parts.last().is_none_or(|last| !last.contains(&text)) {
            parts.push(text);
        }
        next = cause.source();
    }
    if parts.is_empty() { "unknown cause".to_owned() } else { parts.join(": ") }
}

#[cfg(test)]
mod tests;
