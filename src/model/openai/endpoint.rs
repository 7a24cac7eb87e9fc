//! Settings checked and turned into what a request needs: URL, headers, and words for people that hold no key.

use async_openai::config::{Config, OPENAI_ORGANIZATION_HEADER};
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};

use super::settings::OpenAiSettings;
use crate::model::{ModelError, ModelErrorKind};

/// What stands for a secret in a message.
const REDACTED: &str = "[key]";

/// Extra header values shorter than this are not taken for secrets.
const SHORTEST_SECRET: usize = 8;

/// A checked endpoint. async-openai's own `Config` panics on a key with a line break and always sends an `Authorization` header; this
/// one has parsed its headers before.
#[derive(Clone)]
pub(super) struct Endpoint {
    base: Url,
    api_base: String,
    headers: HeaderMap,
    key: SecretString,
    /// What must never be shown.
    secrets: Vec<SecretString>,
    /// Those of them that must not be shown in part either. Other headers may hold a URL or a name, whose parts are harmless.
    keys: Vec<SecretString>,
}

impl Endpoint {
    /// Checks URL, key and headers; every error is of kind `Settings` and names what is wrong without showing a key.
    pub(super) fn new(settings: &OpenAiSettings) -> Result<Self, ModelError> {
        let mut base = parse_base(&settings.base_url)?;
        let trimmed = base.path().trim_end_matches('/');
        // People paste the whole endpoint from a curl example.
        let pasted = ["/chat/completions", "/completions", "/responses"];
        let path = pasted.iter().find_map(|end| trimmed.strip_suffix(end)).unwrap_or(trimmed).to_owned();
        base.set_path(&path);
        let mut headers = HeaderMap::new();
        let key = settings.api_key.as_ref().map(|k| k.expose_secret().trim());
        // The word in front belongs to a curl example.
        let key = key.map(|k| k.strip_prefix("Bearer ").unwrap_or(k).trim().to_owned()).filter(|k| !k.is_empty());
        let (mut secrets, mut keys) = (Vec::new(), Vec::new());
        if let Some(key) = &key {
            headers.insert(AUTHORIZATION, bearer(key)?);
            keys.push(SecretString::from(key.clone()));
        }
        if let Some(organization) = settings.organization.as_deref().map(str::trim).filter(|o| !o.is_empty()) {
            let value = HeaderValue::from_str(organization).map_err(|_| unusable("the organization", "one word"))?;
            headers.insert(
                HeaderName::from_bytes(OPENAI_ORGANIZATION_HEADER.as_bytes()).map_err(|_| unusable("a header", "ASCII"))?,
                value,
            );
        }
        for (name, value) in &settings.extra_headers {
            let (Ok(header), Ok(mut content)) =
                (HeaderName::from_bytes(name.trim().as_bytes()), HeaderValue::from_str(value.trim()))
            else {
                return Err(unusable(&format!("the extra header {name:?}"), "a plain name and a value on one line"));
            };
            content.set_sensitive(true);
            headers.insert(header, content);
            if value.trim().len() >= SHORTEST_SECRET {
                let is_key = ["key", "auth", "token", "secret", "cookie"].iter().any(|word| name.to_lowercase().contains(word));
                if is_key { &mut keys } else { &mut secrets }.push(SecretString::from(value.trim().to_owned()));
            }
        }
        if let Some(password) = base.password() {
            keys.push(SecretString::from(password.to_owned()));
        }
        let api_base = base.as_str().trim_end_matches('/').to_owned();
        Ok(Self { base, api_base, headers, key: key.unwrap_or_default().into(), secrets, keys })
    }

    /// `host` or `host:port`.
    pub(super) fn host(&self) -> String {
        let host = self.base.host_str().unwrap_or_default();
        self.base.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// `host` alone.
    pub(super) fn host_name(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }

    /// Whether it is this machine. Such a server is never reached through a proxy.
    pub(super) fn is_loopback(&self) -> bool {
        match self.base.host_str().unwrap_or_default() {
            "localhost" => true,
            host => host.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback()),
        }
    }

    /// Whether this is OpenAI itself or its Azure twin, whose newer models refuse the older parameter names.
    pub(super) fn is_openai(&self) -> bool {
        let host = self.base.host_str().unwrap_or_default();
        host == "api.openai.com" || host.ends_with(".openai.azure.com")
    }

    pub(super) fn has_key(&self) -> bool {
        !self.key.expose_secret().is_empty()
    }

    /// The URL of `path` for people: without user, password and query.
    pub(super) fn shown_url(&self, path: &str) -> String {
        presentable(&self.url(path))
    }

    /// Text from outside, made fit for a message: secrets replaced, control characters gone, bounded.
    pub(super) fn presentable_text(&self, text: &str) -> String {
        /// Longest part of a server's words in a message, in characters.
        const LONGEST: usize = 600;
        let mut text: String =
            text.split(|c: char| c.is_control() || c == ' ').filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ");
        // Secrets are looked for before the text is cut to its last length.
        text = text.chars().take(LONGEST * 16).collect();
        for secret in self.secrets.iter().chain(&self.keys) {
            text = text.replace(secret.expose_secret(), REDACTED);
        }
        for key in &self.keys {
            text = without_parts(&text, key.expose_secret());
        }
        match text.char_indices().nth(LONGEST) {
            Some((at, _)) => format!("{}...", text.get(..at).unwrap_or_default()),
            None => text,
        }
    }
}

/// The text without parts of the key, which some servers show with stars or dots for the rest.
fn without_parts(text: &str, key: &str) -> String {
    let word_end = |c: char| c == ' ' || c == '"' || c == '\'' || c == '`' || c == ',' || c == '(' || c == ')';
    text.split_inclusive(word_end)
        .map(|piece| {
            let word = piece.trim_end_matches(word_end).trim_end_matches(['.', ':', ';']);
            if shows_part(word, key) { piece.replace(word, REDACTED) } else { piece.to_owned() }
        })
        .collect()
}

/// Whether the word holds a long part of the key, or its beginning or end beside a mask.
fn shows_part(word: &str, key: &str) -> bool {
    let parts: Vec<char> = key.chars().collect();
    // Of a short key a part of this length would be too common a word.
    if parts.len() >= 2 * SHORTEST_SECRET
        && parts.windows(SHORTEST_SECRET).any(|part| word.contains(&part.iter().collect::<String>()))
    {
        return true;
    }
    let masks = ["**", "...", "\u{2026}", "xxxx", "XXXX", "\u{2022}\u{2022}"];
    let (Some(from), Some(to)) = (
        masks.iter().filter_map(|mask| word.find(mask)).min(),
        masks.iter().filter_map(|mask| word.rfind(mask).map(|at| at + mask.len())).max(),
    ) else {
        return false;
    };
    let (head, tail) = (word.get(..from).unwrap_or_default(), word.get(to..).unwrap_or_default());
    let long = |part: &str| part.len() >= 2;
    long(head) && key.starts_with(head) || long(tail) && key.ends_with(tail)
}

impl Config for Endpoint {
    fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    fn url(&self, path: &str) -> String {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        url.into()
    }

    fn query(&self) -> Vec<(&str, &str)> {
        // A query of the base URL (such as Azure's api-version) is part of `url`.
        Vec::new()
    }

    fn api_base(&self) -> &str {
        &self.api_base
    }

    fn api_key(&self) -> &SecretString {
        &self.key
    }
}

/// A URL for people: without user, password and query. What is no URL is cut before anything that may be a secret.
pub(super) fn presentable(url: &str) -> String {
    let Ok(mut parsed) = Url::parse(url) else {
        return url.split(['?', '@']).next().unwrap_or_default().to_owned();
    };
    // Both fail only for URLs that cannot have a user, which then have none to hide.
    let _ = parsed.set_username("");
    let _ = parsed.set_password(None);
    parsed.set_query(None);
    parsed.set_fragment(None);
    parsed.as_str().trim_end_matches('/').to_owned()
}

fn parse_base(base_url: &str) -> Result<Url, ModelError> {
    let given = base_url.trim();
    let hint = "Give the base URL with its scheme, such as https://api.openai.com/v1 or http://localhost:11434/v1.";
    let bad = |why: &str| {
        ModelError::new(ModelErrorKind::Settings, format!("the base URL {:?} cannot be used: {why}", presentable(given)))
            .with_hint(hint)
    };
    if given.is_empty() {
        return Err(bad("it is empty"));
    }
    if !given.contains("://") {
        return Err(bad("it has no http:// or https://"));
    }
    let url = Url::parse(given).map_err(|e| bad(&e.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad("only http:// and https:// work"));
    }
    if url.host_str().unwrap_or_default().is_empty() {
        return Err(bad("it has no host"));
    }
    Ok(url)
}

fn bearer(key: &str) -> Result<HeaderValue, ModelError> {
    let refused = || {
        ModelError::new(
            ModelErrorKind::Settings,
            "the API key cannot be used: it holds a line break or another character no key has",
        )
        .with_hint("Set the key again, copied whole and without anything around it.")
    };
    if !key.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(refused());
    }
    let mut value = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| refused())?;
    value.set_sensitive(true);
    Ok(value)
}

fn unusable(what: &str, wanted: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Settings, format!("{what} cannot be used")).with_hint(format!("It must be {wanted}."))
}

#[cfg(test)]
mod tests;
