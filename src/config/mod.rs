//! Settings: where each value comes from, and what it is.
//!
//! A value is taken from the command line, else the environment, else the config file, else the default; its origin is kept beside it.
//! A key that lies in the environment chooses nothing: without a model that was named explicitly, nothing is sent anywhere.

mod file;
mod providers;
mod windows;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use etcetera::BaseStrategy;
use secrecy::SecretString;

pub use self::providers::{ModelServer, Price};
use crate::error::{Error, Result};
use crate::model::ReasoningEffort;
use crate::model::openai::Api;

/// The name that chooses the built-in reader.
pub const BUILTIN_MODEL: &str = "builtin";
/// The server that a model is asked on when no base URL is set.
pub const DEFAULT_BASE_URL: &str = "https://api.openai.com/v1";
/// Least tokens of a request that leave room for a page beside the instructions.
const LEAST_CALL_TOKENS: u64 = 2_000;

/// Least context window that a page fits into beside instructions and tools.
const LEAST_CONTEXT_TOKENS: u64 = 2_000;

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueOrigin {
    /// A command-line flag.
    Flag,
    /// This environment variable.
    Environment(&'static str),
    /// The config file.
    File,
    /// Nobody set it.
    Default,
}

/// A value with its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Where it came from.
    pub origin: ValueOrigin,
}

/// What the command line sets; `None` leaves the choice to the environment, the file and the defaults.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// Library file.
    pub library: Option<PathBuf>,
    /// Config file.
    pub config: Option<PathBuf>,
    /// Model name, or `builtin`.
    pub model: Option<String>,
    /// Base URL of the model server.
    pub base_url: Option<String>,
    /// The interface that is spoken with the server.
    pub api: Option<Api>,
    /// Most model turns of one question.
    pub max_turns: Option<u32>,
    /// Most tool calls of one question.
    pub max_tool_calls: Option<u32>,
    /// Most seconds of one question.
    pub max_seconds: Option<u64>,
    /// Most tokens that the model writes in one turn.
    pub max_output_tokens: Option<u32>,
    /// Most tokens read and written for one question.
    pub max_total_tokens: Option<u64>,
    /// The model's context window in tokens.
    pub context_tokens: Option<u64>,
    /// Sampling temperature.
    pub temperature: Option<f32>,
    /// How much a reasoning model thinks.
    pub reasoning_effort: Option<ReasoningEffort>,
    /// Folder with texts that stand in for the built-in prompts.
    pub prompts: Option<PathBuf>,
    /// File that the log goes to.
    pub log_file: Option<PathBuf>,
    /// Whether added documents are improved with the model.
    pub with_model: Option<bool>,
    /// Requests at once while a document is improved.
    pub model_jobs: Option<u32>,
}

/// The resolved settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The library file.
    pub library: Setting<PathBuf>,
    /// The chosen model as it was named; `None` means the built-in reader, because nobody chose.
    pub model: Option<Setting<String>>,
    /// Where the chosen model is asked; `None` for the built-in reader.
    pub server: Option<ModelServer>,
    /// Base URL of the model server, where the model names no provider.
    pub base_url: Setting<String>,
    /// The variable that the key is read from, where the model names no provider.
    pub api_key_env: Setting<String>,
    /// Most model turns of one question.
    pub max_turns: Setting<u32>,
    /// Most tool calls of one question.
    pub max_tool_calls: Setting<u32>,
    /// Most seconds of one question.
    pub max_seconds: Setting<u64>,
    /// Most tokens that the model writes in one turn; `None` leaves it to the server.
    pub max_output_tokens: Setting<Option<u32>>,
    /// Most tokens read and written for one question; `None` is no limit.
    pub max_total_tokens: Setting<Option<u64>>,
    /// The model's context window in tokens.
    pub context_tokens: Setting<u64>,
    /// Sampling temperature; `None` leaves it to the server.
    pub temperature: Setting<Option<f32>>,
    /// How much a reasoning model thinks; `None` leaves it to the server.
    pub reasoning_effort: Setting<Option<ReasoningEffort>>,
    /// Whether `add` improves documents with the model.
    pub with_model: Setting<bool>,
    /// Requests at once while a document is improved, at least 1.
    pub model_jobs: Setting<u32>,
    /// Most tokens of one request while a document is improved.
    pub call_tokens: Setting<u64>,
    /// Folder with texts that stand in for the built-in prompts.
    pub prompts: Option<Setting<PathBuf>>,
    /// File that the log goes to, beside stderr.
    pub log_file: Option<Setting<PathBuf>>,
}

impl Settings {
    /// Resolves the settings of this process.
    ///
    /// # Errors
    /// [`Error::Settings`] for a config file that cannot be read or holds unknown keys, for a provider that is not set up, and where no
    /// folder for the library can be found.
    pub fn resolve(overrides: &Overrides) -> Result<Self> {
        Self::resolve_with(overrides, |name| std::env::var(name).ok())
    }

    /// As [`Settings::resolve`], with the environment given.
    ///
    /// # Errors
    /// As [`Settings::resolve`].
    pub fn resolve_with(overrides: &Overrides, env: impl Fn(&str) -> Option<String>) -> Result<Self> {
        let env = |name: &str| env(name).filter(|value| !value.trim().is_empty());
        let path = |name: &'static str| env(name).map(PathBuf::from);
        let file = file::read(overrides, &env)?;

        let library = match pick(overrides.library.clone(), path("PAGEWISE_LIBRARY"), "PAGEWISE_LIBRARY", file.library.clone()) {
            Some(setting) => setting,
            None => Setting { value: default_library()?, origin: ValueOrigin::Default },
        };
        let model = pick(overrides.model.clone(), env("PAGEWISE_MODEL"), "PAGEWISE_MODEL", file.model.clone());
        let base_url = pick(overrides.base_url.clone(), env("OPENAI_BASE_URL"), "OPENAI_BASE_URL", file.base_url.clone())
            .unwrap_or_else(|| default(DEFAULT_BASE_URL.to_owned()));
        let api_key_env = pick(None, None, "", file.api_key_env.clone()).unwrap_or_else(|| default("OPENAI_API_KEY".to_owned()));
        let mut server = match model.as_ref().map(|model| model.value.trim()) {
            None | Some(BUILTIN_MODEL) => None,
            Some(name) => Some(server(name, &base_url, &api_key_env.value, &file, &env)?),
        };
        if let (Some(server), Some(api)) = (&mut server, overrides.api) {
            server.api = api;
        }
        let limits = crate::agent::Limits::default();
        let enrich = crate::index::enrich::EnrichOptions::default();
        let window = server.as_ref().and_then(|server| server.context_tokens.or_else(|| windows::of(&server.model)));
        // What is set for one provider or model says more than what is set for all.
        let own_window = server.as_ref().and_then(|server| server.context_tokens).or(file.context_tokens);
        Ok(Self {
            library,
            model,
            server,
            base_url,
            api_key_env,
            max_turns: pick_or(overrides.max_turns, file.max_turns, limits.turns),
            max_tool_calls: pick_or(overrides.max_tool_calls, file.max_tool_calls, limits.tool_calls),
            max_seconds: pick_or(overrides.max_seconds, file.max_seconds, limits.time.as_secs()),
            max_output_tokens: pick_or(overrides.max_output_tokens.map(Some), file.max_output_tokens.map(Some), None),
            max_total_tokens: pick_or(overrides.max_total_tokens.map(Some), file.max_total_tokens.map(Some), None),
            context_tokens: pick_or(overrides.context_tokens, own_window, window.unwrap_or(limits.context_tokens)),
            temperature: pick_or(overrides.temperature.map(Some), file.temperature.map(Some), None),
            reasoning_effort: pick_or(overrides.reasoning_effort.map(Some), file.reasoning_effort.map(Some), None),
            with_model: pick_or(overrides.with_model, file.with_model, false),
            model_jobs: pick_or(overrides.model_jobs, file.model_jobs, u32::try_from(enrich.jobs).unwrap_or(1)),
            call_tokens: pick_or(None, file.call_tokens, enrich.call_tokens),
            prompts: pick(overrides.prompts.clone(), path("PAGEWISE_PROMPTS"), "PAGEWISE_PROMPTS", file.prompts.clone()),
            log_file: pick(overrides.log_file.clone(), path("PAGEWISE_LOG_FILE"), "PAGEWISE_LOG_FILE", file.log_file.clone()),
        })
    }

    /// The language model that was chosen, or `None` for the built-in reader.
    pub fn language_model(&self) -> Option<&str> {
        self.model.as_ref().map(|model| model.value.trim()).filter(|name| *name != BUILTIN_MODEL)
    }

    /// How documents are improved with a model. Half of the model's window is left for what it writes and thinks.
    pub fn enrich_options(&self) -> crate::index::enrich::EnrichOptions {
        crate::index::enrich::EnrichOptions {
            jobs: self.model_jobs.value.max(1) as usize,
            call_tokens: self.call_tokens.value.min(self.context_tokens.value / 2),
            ..Default::default()
        }
    }

    /// The limits of a run.
    pub fn limits(&self) -> crate::agent::Limits {
        crate::agent::Limits {
            turns: self.max_turns.value,
            tool_calls: self.max_tool_calls.value,
            time: Duration::from_secs(self.max_seconds.value),
            output_tokens: self.max_output_tokens.value,
            total_tokens: self.max_total_tokens.value,
            context_tokens: self.context_tokens.value,
            temperature: self.temperature.value,
            reasoning_effort: self.reasoning_effort.value,
        }
    }
}

/// The server of a model that was named: that of the provider in its name, else the one that the base URL names.
fn server(
    name: &str,
    base_url: &Setting<String>,
    api_key_env: &str,
    file: &file::ConfigFile,
    env: &impl Fn(&str) -> Option<String>,
) -> Result<ModelServer> {
    let nowhere = base_url.origin == ValueOrigin::Default;
    if let Some(found) = providers::find(name, &file.providers, nowhere, env)? {
        if base_url.origin == ValueOrigin::Flag {
            return Err(Error::Settings(format!(
                "{name} names the provider {}, and --base-url names another server; leave one of them out",
                found.provider.as_deref().unwrap_or_default()
            )));
        }
        return Ok(found);
    }
    if nowhere && let Some((provider, _)) = name.split_once('/') {
        return Err(Error::Settings(format!(
            "there is no provider {provider:?}; known are {}. For a server whose models have such names set --base-url",
            providers::names(&file.providers).join(", ")
        )));
    }
    Ok(ModelServer {
        provider: None,
        model: name.to_owned(),
        base_url: base_url.value.clone(),
        api_key: env(api_key_env).map(SecretString::from),
        api_key_env: Some(api_key_env.to_owned()),
        api: file.api.unwrap_or_default(),
        images: file.images.unwrap_or(false),
        organization: None,
        headers: Default::default(),
        body: serde_json::Map::new(),
        context_tokens: None,
        price: None,
    })
}

fn pick<T>(flag: Option<T>, env: Option<T>, variable: &'static str, file: Option<T>) -> Option<Setting<T>> {
    flag.map(|value| Setting { value, origin: ValueOrigin::Flag })
        .or_else(|| env.map(|value| Setting { value, origin: ValueOrigin::Environment(variable) }))
        .or_else(|| file.map(|value| Setting { value, origin: ValueOrigin::File }))
}

fn default<T>(value: T) -> Setting<T> {
    Setting { value, origin: ValueOrigin::Default }
}

fn pick_or<T>(flag: Option<T>, file: Option<T>, otherwise: T) -> Setting<T> {
    pick(flag, None, "", file).unwrap_or_else(|| default(otherwise))
}

/// The config file that is read when none is named: `pagewise/config.toml` in the user's config folder.
pub fn config_path() -> Option<PathBuf> {
    etcetera::choose_base_strategy().ok().map(|base| base.config_dir().join("pagewise").join("config.toml"))
}

/// The history file of the interactive mode, if a data folder can be found.
pub fn history_path() -> Option<PathBuf> {
    etcetera::choose_base_strategy().ok().map(|base| base.data_dir().join("pagewise").join("history.txt"))
}

fn default_library() -> Result<PathBuf> {
    etcetera::choose_base_strategy().map(|base| base.data_dir().join("pagewise").join("library.db")).map_err(|_| {
        Error::Settings("no home folder was found for the library; name a file with --library PATH or PAGEWISE_LIBRARY".to_owned())
    })
}
