//! Tells failures apart and puts them in words for people: what happened, at which URL, with which model, and what to do.

mod asked_wait;
mod classify;
mod no_reply;

use std::time::Duration;

use reqwest::header::HeaderMap;
use time::OffsetDateTime;

use self::asked_wait::{asked_wait, in_people_words};
use self::classify::{classify, is_daily, lacks_tools};
use super::endpoint::Endpoint;
use super::failure::{Again, Failure, WireError};
use crate::model::{ModelError, ModelErrorKind as Kind};

const LATER: &str = "Ask again; when it happens each time, look at the server's log.";

/// Makes failures for one model at one URL.
#[derive(Clone)]
pub(super) struct Explainer {
    endpoint: Endpoint,
    model: String,
    url: String,
    /// The proxy in between, for people.
    proxy: Option<String>,
}

impl Explainer {
    pub(super) fn new(endpoint: Endpoint, model: &str, path: &str) -> Self {
        let url = endpoint.shown_url(path);
        let proxy = if endpoint.is_loopback() { None } else { no_reply::proxy_in_use(&url, |name| std::env::var(name).ok()) };
        Self { endpoint, model: model.to_owned(), url, proxy }
    }

    /// `MODEL at HOST`, as people call it.
    pub(super) fn label(&self) -> String {
        format!("{} at {}", self.model, self.endpoint.host())
    }

    /// A message of ours for a line that passes: the host instead of the whole URL.
    pub(super) fn brief(&self, message: &str) -> String {
        let head = format!("{} ({}): ", self.url, self.model);
        message.strip_prefix(&head).map_or_else(|| message.to_owned(), |what| format!("{}: {what}", self.endpoint.host()))
    }

    fn is_plain_http(&self) -> bool {
        self.url.starts_with("http://") && !self.endpoint.is_loopback()
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
        if status == 407 {
            let mut failure = self.proxy_password();
            failure.error.status = Some(status);
            return failure;
        }
        let asked = asked_wait(status, headers, &wire, OffsetDateTime::now_utc());
        let mut failure = self.refusal(Some(status), wire);
        failure.error.retry_after = asked;
        if let Some(asked) = asked.filter(|asked| asked.as_secs() > 0 && failure.again == Again::Soon) {
            failure = failure.hinted(&format!("The server asks to wait {}.", in_people_words(asked)));
        }
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
            Kind::BadReply => "the server could not read what the model wrote",
            _ => "the server refused the request",
        };
        let status_text = status.map(|s| format!(" ({s})")).unwrap_or_default();
        let words = if wire.message.is_empty() { String::new() } else { format!(": {}", wire.message) };
        let mut failure = self.failure(kind, again, &format!("{head}{status_text}{words}"));
        failure.error.status = status;
        if let Some(hint) = self.hint_for(&wire, kind) {
            failure = failure.hinted(hint);
        }
        failure.wire = wire;
        failure
    }

    /// What to do where the server's words say more than the kind.
    fn hint_for(&self, wire: &WireError, kind: Kind) -> Option<&'static str> {
        let local = self.endpoint.is_loopback() || wire.mentions(&["exceed_context_size"]);
        match kind {
            Kind::Refused if wire.mentions(&["tool-call-parser"]) => {
                Some("Start vLLM with --enable-auto-tool-choice and the --tool-call-parser of the model.")
            }
            Kind::Refused if wire.mentions(&["tools param requires"]) => Some("Start llama-server with --jinja."),
            Kind::Refused if lacks_tools(wire) => Some("pagewise needs a model that can call tools; choose another one."),
            Kind::Refused if wire.mentions(&["https server", "https port"]) => Some("Write https:// in the base URL."),
            Kind::RateLimited if is_daily(wire) => Some("The quota of this day is used up; choose another model, or ask tomorrow."),
            Kind::ContextTooLong if wire.mentions(&["tokens per min"]) => {
                Some("One request is more than the account may use in a minute: ask about fewer pages, or choose another model.")
            }
            Kind::BadReply => Some(LATER),
            Kind::ContextTooLong if local => Some(
                "Give the server a larger context (llama.cpp: -c, Ollama: num_ctx, LM Studio: context length), or ask about fewer pages.",
            ),
            _ => None,
        }
    }

    /// What a reply that began well broke with: the URL is right, so nothing is said about it.
    pub(super) fn began_well(&self, failure: Failure) -> Failure {
        if failure.error.kind == Kind::BadReply { failure.hinted(LATER) } else { failure }
    }

    /// No byte within the bound.
    pub(super) fn silent(&self, bound: Duration, started: bool) -> Failure {
        self.nothing_came(bound, started, "byte")
    }

    /// Bytes, but no words within the bound.
    pub(super) fn wordless(&self, bound: Duration, started: bool) -> Failure {
        self.nothing_came(bound, started, "word")
    }

    fn nothing_came(&self, bound: Duration, started: bool, what: &str) -> Failure {
        let seconds = bound.as_secs_f32();
        if started {
            self.failure(Kind::CutOff, Again::Soon, &format!("the reply stopped: no {what} for {seconds} s"))
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
            Kind::CutOff | Kind::Server => LATER,
            Kind::Refused | Kind::Settings => return None,
        };
        Some(text.to_owned())
    }
}

#[cfg(test)]
mod tests;
