//! The config file: what may stand in it, and what is wrong when it cannot be read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Overrides;
use super::providers::{ProviderTable, WORDS_OF_MODEL, WORDS_OF_PRICE, WORDS_OF_PROVIDER};
use crate::error::{Error, Result};
use crate::model::ReasoningEffort;
use crate::model::openai::Api;

/// Keys of the config file.
const KEYS: [&str; 20] = [
    "library",
    "model",
    "base_url",
    "api_key_env",
    "api",
    "images",
    "max_turns",
    "max_tool_calls",
    "max_seconds",
    "max_output_tokens",
    "max_total_tokens",
    "context_tokens",
    "temperature",
    "reasoning_effort",
    "with_model",
    "model_jobs",
    "call_tokens",
    "prompts",
    "log_file",
    "providers",
];

/// What a config file sets.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ConfigFile {
    pub library: Option<PathBuf>,
    pub model: Option<String>,
    pub base_url: Option<String>,
    pub api_key_env: Option<String>,
    pub api: Option<Api>,
    pub images: Option<bool>,
    pub max_turns: Option<u32>,
    pub max_tool_calls: Option<u32>,
    pub max_seconds: Option<u64>,
    pub max_output_tokens: Option<u32>,
    pub max_total_tokens: Option<u64>,
    pub context_tokens: Option<u64>,
    pub temperature: Option<f32>,
    pub reasoning_effort: Option<ReasoningEffort>,
    pub with_model: Option<bool>,
    pub model_jobs: Option<u32>,
    pub call_tokens: Option<u64>,
    pub prompts: Option<PathBuf>,
    pub log_file: Option<PathBuf>,
    #[serde(default)]
    pub providers: BTreeMap<String, ProviderTable>,
}

/// Reads the config file: the one that is named, which must exist, or else the user's, if there is one.
pub(super) fn read(overrides: &Overrides, env: &impl Fn(&str) -> Option<String>) -> Result<ConfigFile> {
    let named = overrides.config.clone().or_else(|| env("PAGEWISE_CONFIG").map(PathBuf::from));
    let (path, must_exist) = match named {
        Some(path) => (path, true),
        None => match super::config_path() {
            Some(path) => (path, false),
            None => return Ok(ConfigFile::default()),
        },
    };
    match std::fs::read_to_string(&path) {
        Ok(text) => parse(&text, &path),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !must_exist => Ok(ConfigFile::default()),
        Err(error) => Err(Error::Settings(format!("the config file {} cannot be read: {error}", path.display()))),
    }
}

fn parse(text: &str, path: &Path) -> Result<ConfigFile> {
    let table: toml::Table =
        text.parse().map_err(|error| Error::Settings(format!("the config file {} is not valid TOML: {error}", path.display())))?;
    if let Some(fault) = unknown_key(&table) {
        return Err(Error::Settings(format!("the config file {} has an unknown key {fault}", path.display())));
    }
    let file: ConfigFile =
        table.try_into().map_err(|error| Error::Settings(format!("the config file {}: {error}", path.display())))?;
    out_of_bounds(&file).map_or(Ok(file), |fault| Err(Error::Settings(format!("the config file {}: {fault}", path.display()))))
}

/// The first key that means nothing here, with what may have been meant.
fn unknown_key(table: &toml::Table) -> Option<String> {
    let tables = |table: &toml::Table, key: &str| -> Vec<(String, toml::Table)> {
        let inner = table.get(key).and_then(toml::Value::as_table).into_iter().flatten();
        inner.filter_map(|(name, value)| Some((name.clone(), value.as_table()?.clone()))).collect()
    };
    let in_price = |at: &str, table: &toml::Table| {
        table.get("price").and_then(toml::Value::as_table).and_then(|price| stray(&format!("{at}.price"), price, &WORDS_OF_PRICE))
    };
    stray("", table, &KEYS).or_else(|| {
        tables(table, "providers").iter().find_map(|(name, provider)| {
            let at = format!("providers.{name}");
            stray(&at, provider, &WORDS_OF_PROVIDER).or_else(|| in_price(&at, provider)).or_else(|| {
                tables(provider, "models").iter().find_map(|(model, settings)| {
                    let at = format!("{at}.models.{model:?}");
                    stray(&at, settings, &WORDS_OF_MODEL).or_else(|| in_price(&at, settings))
                })
            })
        })
    })
}

fn stray(at: &str, table: &toml::Table, known: &[&str]) -> Option<String> {
    let unknown = table.keys().find(|key| !known.contains(&key.as_str()))?;
    let near = known
        .iter()
        .map(|key| (strsim::jaro_winkler(key, unknown), *key))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let hint = match near {
        Some((_, key)) => format!("did you mean `{key}`?"),
        None => format!("it knows {}", known.join(", ")),
    };
    let place = if at.is_empty() { String::new() } else { format!(" in [{at}]") };
    Some(format!("`{unknown}`{place}: {hint}"))
}

/// The first number that no run could be made with.
fn out_of_bounds(file: &ConfigFile) -> Option<String> {
    let least = |key: &str, value: Option<u64>, least: u64| {
        value.filter(|value| *value < least).map(|value| format!("`{key}` is {value}; it takes {least} or more"))
    };
    least("model_jobs", file.model_jobs.map(u64::from), 1)
        .or_else(|| least("call_tokens", file.call_tokens, super::LEAST_CALL_TOKENS))
        .or_else(|| least("max_turns", file.max_turns.map(u64::from), 1))
        .or_else(|| least("max_tool_calls", file.max_tool_calls.map(u64::from), 1))
        .or_else(|| least("max_seconds", file.max_seconds, 1))
        .or_else(|| least("max_output_tokens", file.max_output_tokens.map(u64::from), 1))
        .or_else(|| least("max_total_tokens", file.max_total_tokens, 1))
        .or_else(|| least("context_tokens", file.context_tokens, super::LEAST_CONTEXT_TOKENS))
        .or_else(|| {
            file.providers.iter().find_map(|(name, provider)| {
                provider.windows().find_map(|window| {
                    least(&format!("providers.{name}.context_tokens"), Some(window), super::LEAST_CONTEXT_TOKENS)
                })
            })
        })
        .or_else(|| file.temperature.filter(|t| !(0.0..=2.0).contains(t)).map(|t| format!("`temperature` is {t}; it takes 0 to 2")))
}
