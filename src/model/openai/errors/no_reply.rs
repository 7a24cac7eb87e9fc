//! A server that gave no reply: what stood in the way, in words for people.

use reqwest::Url;

use super::Explainer;
use crate::model::ModelErrorKind as Kind;
use crate::model::openai::failure::{Again, Failure};

const PROXY_HINT: &str =
    "Give them in the variable, such as HTTPS_PROXY=http://user:password@host:port, or name the host in NO_PROXY.";

impl Explainer {
    /// No reply at all, or one that broke.
    pub(in crate::model::openai) fn transport(&self, error: &reqwest::Error) -> Failure {
        let causes = causes(error);
        if error.is_timeout() {
            return self.failure(Kind::Unreachable, Again::Once, "the server did not accept a connection in time");
        }
        if error.is_builder() {
            return self.failure(Kind::Settings, Again::Never, &format!("the request cannot be made: {causes}"));
        }
        self.no_reply(&causes, error.is_connect())
    }

    /// The failure that these causes, in the HTTP library's words, stand for.
    pub(super) fn no_reply(&self, causes: &str, connecting: bool) -> Failure {
        let lower = causes.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        if has(&["proxy authorization required"]) {
            return self.proxy_password();
        }
        if has(&["tunnel error", "unsuccessful tunnel"]) {
            let what = format!("the proxy{} refused to connect to the server", self.proxy_words());
            return self.failure(Kind::Unreachable, Again::Never, &what);
        }
        if has(&["invalid http version", "invalid http status", "http/0.9"]) {
            let what = "what answers there does not speak HTTP";
            return self
                .failure(Kind::BadReply, Again::Never, what)
                .hinted("Check host and port, and whether it is http or https.");
        }
        if connecting && has(&["certificate", "tls", "handshake", "corrupt message", "invalidcontenttype"]) {
            return self.failure(Kind::Tls, Again::Never, &format!("no secure connection: {}", tls_words(&lower, causes)));
        }
        if connecting {
            return self.unreached(&lower, causes);
        }
        if has(&["unexpected eof", "connection reset", "connection closed", "broken pipe", "incomplete", "closed before"]) {
            let hint = "Ask again; when it happens each time, look at the server's log, and whether the server wants https.";
            let mut failure = self.failure(Kind::CutOff, Again::Soon, "the connection broke: the server went away in the middle");
            if self.is_plain_http() {
                failure = failure.hinted(hint);
            }
            return failure;
        }
        self.failure(Kind::CutOff, Again::Soon, &format!("the connection broke: {causes}"))
    }

    fn unreached(&self, lower: &str, causes: &str) -> Failure {
        let proxy = self.proxy.as_ref().map(|_| format!("the proxy{}", self.proxy_words()));
        let host = self.endpoint.host();
        let what = if lower.contains("dns error") || lower.contains("lookup address") {
            let who = proxy.unwrap_or_else(|| host.rsplit_once(':').map_or(host.clone(), |(name, _)| name.to_owned()));
            format!("no connection: there is no host of that name, or no network ({who})")
        } else if lower.contains("refused") {
            match proxy {
                Some(proxy) => format!("no connection: {proxy} refused it"),
                None => format!("no connection: nothing answers at {host} (connection refused)"),
            }
        } else {
            format!("no connection: {causes}")
        };
        self.failure(Kind::Unreachable, Again::Soon, &what)
    }

    /// A proxy that wants to know who asks.
    pub(super) fn proxy_password(&self) -> Failure {
        let what = format!("the proxy{} wants a name and a password", self.proxy_words());
        self.failure(Kind::Unreachable, Again::Never, &what).hinted(PROXY_HINT)
    }

    fn proxy_words(&self) -> String {
        self.proxy.as_ref().map(|proxy| format!(" {proxy}")).unwrap_or_default()
    }
}

fn tls_words(lower: &str, causes: &str) -> String {
    let known = [
        (
            "causedasendentity",
            "the certificate is one for signing others (CA:TRUE) and may not be a server's; make it with basicConstraints=CA:FALSE",
        ),
        ("unknownissuer", "the certificate is signed by nobody that this machine trusts"),
        ("badsignature", "the certificate is signed by nobody that this machine trusts"),
        ("notvalidforname", "the certificate is for another host name"),
        ("expired", "the certificate has expired"),
        ("notvalidyet", "the certificate is not valid yet; is this machine's clock right?"),
        ("invalidcontenttype", "the server does not speak TLS on that port"),
        ("handshakeeof", "the server broke off the TLS handshake"),
        ("corrupt message", "the server does not speak TLS on that port"),
    ];
    let packed: String = lower.chars().filter(|c| *c != ' ' || lower.contains("corrupt message")).collect();
    known.iter().find(|(word, _)| packed.contains(word)).map_or_else(|| causes.to_owned(), |(_, words)| (*words).to_owned())
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

/// The proxy that requests to this URL go through, as far as the environment's variables say: `HOST:PORT (from VARIABLE)`.
pub(super) fn proxy_in_use(url: &str, variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str()?;
    let set = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
    let exempt = set("NO_PROXY").or_else(|| set("no_proxy")).unwrap_or_default();
    let spared = |entry: &str| {
        let entry = entry.trim().trim_start_matches("*.").trim_start_matches('.');
        !entry.is_empty() && (entry == "*" || host == entry || host.ends_with(&format!(".{entry}")))
    };
    if exempt.split(',').any(spared) {
        return None;
    }
    let names = if url.scheme() == "https" { ["HTTPS_PROXY", "https_proxy"] } else { ["HTTP_PROXY", "http_proxy"] };
    let (name, value) = names.into_iter().chain(["ALL_PROXY", "all_proxy"]).find_map(|name| Some((name, set(name)?)))?;
    let proxy = Url::parse(&value).ok().filter(Url::has_host).or_else(|| Url::parse(&format!("http://{value}")).ok())?;
    let port = proxy.port().map(|p| format!(":{p}")).unwrap_or_default();
    Some(format!("{}{port} (from {name})", proxy.host_str()?))
}
