//! Model servers by name: those of the config file, and well-known ones that need no entry there.
//!
//! `provider/model` names a model on one of them. The key of one provider is never sent to another.

use std::collections::BTreeMap;

use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::model::Usage;
use crate::model::openai::Api;

/// Keys of `[providers.NAME]`.
pub(super) const WORDS_OF_PROVIDER: [&str; 12] = [
    "base_url",
    "api_key_env",
    "api",
    "images",
    "organization",
    "headers",
    "headers_env",
    "body",
    "context_tokens",
    "price",
    "model",
    "models",
];
/// Keys of `[providers.NAME.models."MODEL"]`.
pub(super) const WORDS_OF_MODEL: [&str; 5] = ["api", "images", "body", "context_tokens", "price"];
/// Keys of `price`.
pub(super) const WORDS_OF_PRICE: [&str; 3] = ["input", "cached_input", "output"];

/// Well-known servers: name, base URL, and the variable that holds the key by the provider's own documentation; none for programs that
/// run on one's own machine and want no key. Their ports are the programs' defaults.
const WELL_KNOWN: [(&str, &str, &str); 16] = [
    ("openai", "https://api.openai.com/v1", "OPENAI_API_KEY"),
    ("anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    ("gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    ("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    ("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    ("deepseek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    ("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    ("xai", "https://api.x.ai/v1", "XAI_API_KEY"),
    ("cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
    ("together", "https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    ("fireworks", "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
    ("deepinfra", "https://api.deepinfra.com/v1/openai", "DEEPINFRA_API_KEY"),
    ("ollama", "http://localhost:11434/v1", ""),
    ("lmstudio", "http://localhost:1234/v1", ""),
    ("llamacpp", "http://localhost:8080/v1", ""),
    ("vllm", "http://localhost:8000/v1", ""),
];

/// What a million tokens cost, in one currency.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Price {
    /// Tokens read.
    pub input: f64,
    /// Tokens read from the server's cache; as other ones where it is not said.
    #[serde(default)]
    pub cached_input: Option<f64>,
    /// Tokens written, reasoning included.
    pub output: f64,
}

impl Price {
    /// What this costs, in the currency of the price.
    pub fn of(&self, usage: &Usage) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "counts of tokens are far below 2^52")]
        let cost = |tokens: u64, price: f64| tokens as f64 * price / 1_000_000.0;
        let cached = usage.cached_tokens.min(usage.input_tokens);
        cost(usage.input_tokens - cached, self.input)
            + cost(cached, self.cached_input.unwrap_or(self.input))
            + cost(usage.output_tokens, self.output)
    }
}

/// `[providers.NAME]`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub(super) struct ProviderTable {
    pub base_url: Option<String>,
    pub api_key_env: Option<String>,
    pub api: Option<Api>,
    pub images: Option<bool>,
    pub organization: Option<String>,
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Headers whose values stand in environment variables.
    #[serde(default)]
    pub headers_env: BTreeMap<String, String>,
    #[serde(default)]
    pub body: toml::Table,
    pub context_tokens: Option<u64>,
    pub price: Option<Price>,
    /// The model that the provider's name alone means.
    pub model: Option<String>,
    #[serde(default)]
    pub models: BTreeMap<String, ModelTable>,
}

/// `[providers.NAME.models."MODEL"]`: what holds for one model and wins over what the provider says.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub(super) struct ModelTable {
    pub api: Option<Api>,
    pub images: Option<bool>,
    #[serde(default)]
    pub body: toml::Table,
    pub context_tokens: Option<u64>,
    pub price: Option<Price>,
}

impl ProviderTable {
    /// All context windows that are set.
    pub(super) fn windows(&self) -> impl Iterator<Item = u64> {
        self.models.values().map(|m| m.context_tokens).chain([self.context_tokens]).flatten()
    }
}

/// The server that a chosen model is asked on, and what is known of the model.
#[derive(Debug, Clone)]
pub struct ModelServer {
    /// The provider's name, where it goes by one.
    pub provider: Option<String>,
    /// The model, as the server calls it.
    pub model: String,
    /// Base URL.
    pub base_url: String,
    /// The key, if there is one.
    pub api_key: Option<SecretString>,
    /// The variable that the key is read from; `None` for a server that wants none.
    pub api_key_env: Option<String>,
    /// The interface that is spoken.
    pub api: Api,
    /// Whether the model takes images.
    pub images: bool,
    /// Sent as `OpenAI-Organization`.
    pub organization: Option<String>,
    /// Further headers, which may hold secrets.
    pub headers: BTreeMap<String, SecretString>,
    /// Further fields of the request body.
    pub body: serde_json::Map<String, serde_json::Value>,
    /// The model's window, where provider or model say so.
    pub context_tokens: Option<u64>,
    /// What it costs, where provider or model say so.
    pub price: Option<Price>,
}

/// Finds the provider that a model's name begins with: `Ok(None)` when it begins with none.
///
/// `with_presets`: well-known providers count as well, which they do only where no server was named (`openai/gpt-4o` is a name of
/// OpenRouter's own).
///
/// # Errors
/// [`Error::Settings`] for a provider without base URL or model, and for a variable of `headers_env` that is not set.
pub(super) fn find(
    name: &str,
    providers: &BTreeMap<String, ProviderTable>,
    with_presets: bool,
    env: &impl Fn(&str) -> Option<String>,
) -> Result<Option<ModelServer>> {
    let (provider, model) = name.split_once('/').map_or((name, None), |(provider, model)| (provider, Some(model)));
    let preset = WELL_KNOWN.iter().find(|(known, _, _)| *known == provider);
    let table = match providers.get(provider) {
        Some(table) => table.clone(),
        // A name without a slash is a model's, unless the config file has a provider of that name.
        None if with_presets && preset.is_some() && model.is_some() => ProviderTable::default(),
        None => return Ok(None),
    };
    let said = |text: String| Error::Settings(text);
    let model = model.filter(|model| !model.is_empty()).map(str::to_owned).or_else(|| table.model.clone()).ok_or_else(|| {
        said(format!("which model of {provider}? Name it as {provider}/MODEL, or set `model` in [providers.{provider}]"))
    })?;
    let base_url = table
        .base_url
        .clone()
        .or_else(|| preset.map(|(_, url, _)| (*url).to_owned()))
        .ok_or_else(|| said(format!("[providers.{provider}] in the config file has no `base_url`")))?;
    // The key of a well-known provider goes to its own address only.
    let own_address = table.base_url.is_none();
    let preset_key = preset.map(|(_, _, key)| *key).filter(|key| own_address && !key.is_empty()).map(str::to_owned);
    let api_key_env = table.api_key_env.clone().or(preset_key);
    let mut headers: BTreeMap<String, SecretString> =
        table.headers.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
    for (header, variable) in &table.headers_env {
        let value = env(variable).ok_or_else(|| {
            said(format!("the header {header} of [providers.{provider}] is to come from {variable}, which is not set"))
        })?;
        headers.insert(header.clone(), value.into());
    }
    let own = table.models.get(&model).cloned().unwrap_or_default();
    let mut body = json_object(&table.body);
    body.extend(json_object(&own.body));
    Ok(Some(ModelServer {
        provider: Some(provider.to_owned()),
        base_url,
        api_key: api_key_env.as_deref().and_then(env).map(SecretString::from),
        api_key_env,
        api: own.api.or(table.api).unwrap_or_default(),
        images: own.images.or(table.images).unwrap_or(false),
        organization: table.organization.clone(),
        headers,
        body,
        context_tokens: own.context_tokens.or(table.context_tokens),
        price: own.price.or(table.price),
        model,
    }))
}

/// The providers that can be named.
pub(super) fn names(providers: &BTreeMap<String, ProviderTable>) -> Vec<String> {
    let own = providers.keys().cloned();
    let known = WELL_KNOWN.iter().map(|(name, _, _)| (*name).to_owned()).filter(|name| !providers.contains_key(name));
    own.chain(known).collect()
}

fn json_object(table: &toml::Table) -> serde_json::Map<String, serde_json::Value> {
    match serde_json::to_value(table) {
        Ok(serde_json::Value::Object(object)) => object,
        _ => serde_json::Map::new(),
    }
}

impl ModelServer {
    /// What a connection is made with.
    pub fn openai_settings(&self, retry: crate::model::openai::RetryPolicy) -> crate::model::openai::OpenAiSettings {
        crate::model::openai::OpenAiSettings {
            base_url: self.base_url.clone(),
            api_key: self.api_key.clone(),
            model: self.model.clone(),
            api: self.api,
            images: self.images,
            organization: self.organization.clone(),
            extra_headers: self.headers.iter().map(|(name, value)| (name.clone(), value.expose_secret().to_owned())).collect(),
            extra_body: self.body.clone(),
            retry,
            ..Default::default()
        }
    }
}
