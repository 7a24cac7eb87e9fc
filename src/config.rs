//! Settings: where each value comes from, and what it is.
//!
//! A value is taken from the command line, else the environment, else the config file, else the default; its origin is kept beside it.
//! A key that lies in the environment chooses nothing: without a model that was named explicitly, nothing is sent anywhere.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use secrecy::SecretString;
use serde::Deserialize;

use crate::error::{Error, Result};

/// The name that chooses the built-in reader.
pub const BUILTIN_MODEL: &str = "builtin";
/// The server that a model is asked on when no base URL is set.
pub const DEFAULT_BASE_URL: &str = "https://api.openai.com/v1";
/// Keys of the config file.
const FILE_KEYS: [&str; 10] = [
    "library",
    "model",
    "base_url",
    "api_key_env",
    "max_turns",
    "max_tool_calls",
    "context_tokens",
    "with_model",
    "model_jobs",
    "call_tokens",
];
/// Least tokens of a request that leave room for a page beside the instructions.
const LEAST_CALL_TOKENS: u64 = 2_000;

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
    /// Most model turns of one question.
    pub max_turns: Option<u32>,
    /// Most tool calls of one question.
    pub max_tool_calls: Option<u32>,
    /// The model's context window in tokens.
    pub context_tokens: Option<u64>,
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
    /// The chosen model; `None` means the built-in reader, because nobody chose.
    pub model: Option<Setting<String>>,
    /// Base URL of the model server.
    pub base_url: Setting<String>,
    /// The key for the model server, if there is one. Read only for a model that was chosen.
    pub api_key: Option<SecretString>,
    /// The variable that the key is read from.
    pub api_key_env: Setting<String>,
    /// Most model turns of one question.
    pub max_turns: Setting<u32>,
    /// Most tool calls of one question.
    pub max_tool_calls: Setting<u32>,
    /// The model's context window in tokens.
    pub context_tokens: Setting<u64>,
    /// Whether `add` improves documents with the model.
    pub with_model: Setting<bool>,
    /// Requests at once while a document is improved, at least 1.
    pub model_jobs: Setting<u32>,
    /// Most tokens of one request while a document is improved.
    pub call_tokens: Setting<u64>,
}

#[derive(Debug, Default, Deserialize)]
struct ConfigFile {
    library: Option<PathBuf>,
    model: Option<String>,
    base_url: Option<String>,
    api_key_env: Option<String>,
    max_turns: Option<u32>,
    max_tool_calls: Option<u32>,
    context_tokens: Option<u64>,
    with_model: Option<bool>,
    model_jobs: Option<u32>,
    call_tokens: Option<u64>,
}

impl Settings {
    /// Resolves the settings of this process.
    ///
    /// # Errors
    /// [`Error::Settings`] for a config file that cannot be read or holds unknown keys, and where no folder for the library can be found.
    pub fn resolve(overrides: &Overrides) -> Result<Self> {
        Self::resolve_with(overrides, |name| std::env::var(name).ok())
    }

    /// As [`Settings::resolve`], with the environment given.
    ///
    /// # Errors
    /// As [`Settings::resolve`].
    pub fn resolve_with(overrides: &Overrides, env: impl Fn(&str) -> Option<String>) -> Result<Self> {
        let env = |name: &str| env(name).filter(|value| !value.trim().is_empty());
        let file = read_file(overrides, &env)?;

        let library =
            match pick(overrides.library.clone(), env("PAGEWISE_LIBRARY").map(PathBuf::from), "PAGEWISE_LIBRARY", file.library) {
                Some(setting) => setting,
                None => Setting { value: default_library()?, origin: ValueOrigin::Default },
            };
        let model = pick(overrides.model.clone(), env("PAGEWISE_MODEL"), "PAGEWISE_MODEL", file.model);
        let base_url = pick(overrides.base_url.clone(), env("OPENAI_BASE_URL"), "OPENAI_BASE_URL", file.base_url)
            .unwrap_or_else(|| default(DEFAULT_BASE_URL.to_owned()));
        let api_key_env = pick(None, None, "", file.api_key_env).unwrap_or_else(|| default("OPENAI_API_KEY".to_owned()));
        let chosen = model.as_ref().is_some_and(|model| model.value != BUILTIN_MODEL);
        let api_key = if chosen { env(&api_key_env.value).map(SecretString::from) } else { None };
        let limits = crate::agent::Limits::default();
        let enrich = crate::index::enrich::EnrichOptions::default();
        if file.model_jobs == Some(0) {
            return Err(Error::Settings("`model_jobs` is 0; it takes 1 or more".to_owned()));
        }
        if file.call_tokens.is_some_and(|tokens| tokens < LEAST_CALL_TOKENS) {
            return Err(Error::Settings(format!("`call_tokens` takes {LEAST_CALL_TOKENS} or more")));
        }
        Ok(Self {
            library,
            model,
            base_url,
            api_key,
            api_key_env,
            max_turns: pick(overrides.max_turns, None, "", file.max_turns).unwrap_or_else(|| default(limits.turns)),
            max_tool_calls: pick(overrides.max_tool_calls, None, "", file.max_tool_calls)
                .unwrap_or_else(|| default(limits.tool_calls)),
            context_tokens: pick(overrides.context_tokens, None, "", file.context_tokens)
                .unwrap_or_else(|| default(limits.context_tokens)),
            with_model: pick(overrides.with_model, None, "", file.with_model).unwrap_or_else(|| default(false)),
            model_jobs: pick(overrides.model_jobs, None, "", file.model_jobs)
                .unwrap_or_else(|| default(u32::try_from(enrich.jobs).unwrap_or(1))),
            call_tokens: pick(None, None, "", file.call_tokens).unwrap_or_else(|| default(enrich.call_tokens)),
        })
    }

    /// The language model that was chosen, or `None` for the built-in reader.
    pub fn language_model(&self) -> Option<&str> {
        self.model.as_ref().map(|model| model.value.as_str()).filter(|name| *name != BUILTIN_MODEL)
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
            context_tokens: self.context_tokens.value,
            ..Default::default()
        }
    }
}

fn pick<T>(flag: Option<T>, env: Option<T>, variable: &'static str, file: Option<T>) -> Option<Setting<T>> {
    flag.map(|value| Setting { value, origin: ValueOrigin::Flag })
        .or_else(|| env.map(|value| Setting { value, origin: ValueOrigin::Environment(variable) }))
        .or_else(|| file.map(|value| Setting { value, origin: ValueOrigin::File }))
}

fn default<T>(value: T) -> Setting<T> {
    Setting { value, origin: ValueOrigin::Default }
}

fn read_file(overrides: &Overrides, env: &impl Fn(&str) -> Option<String>) -> Result<ConfigFile> {
    let named = overrides.config.clone().or_else(|| env("PAGEWISE_CONFIG").map(PathBuf::from));
    let (path, must_exist) = match named {
        Some(path) => (path, true),
        None => match config_path() {
            Some(path) => (path, false),
            None => return Ok(ConfigFile::default()),
        },
    };
    match std::fs::read_to_string(&path) {
        Ok(text) => parse_file(&text, &path),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !must_exist => Ok(ConfigFile::default()),
        Err(error) => Err(Error::Settings(format!("the config file {} cannot be read: {error}", path.display()))),
    }
}

fn parse_file(text: &str, path: &Path) -> Result<ConfigFile> {
    let table: toml::Table =
        text.parse().map_err(|error| Error::Settings(format!("the config file {} is not valid TOML: {error}", path.display())))?;
    if let Some(unknown) = table.keys().find(|key| !FILE_KEYS.contains(&key.as_str())) {
        let near = FILE_KEYS
            .iter()
            .map(|key| (strsim::jaro_winkler(key, unknown), *key))
            .filter(|(score, _)| *score > 0.8)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let hint = match near {
            Some((_, key)) => format!("did you mean `{key}`?"),
            None => format!("it knows {}", FILE_KEYS.join(", ")),
        };
        return Err(Error::Settings(format!("the config file {} has an unknown key `{unknown}`: {hint}", path.display())));
    }
    table.try_into().map_err(|error| Error::Settings(format!("the config file {}: {error}", path.display())))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(overrides: &Overrides, env: &[(&str, &str)]) -> Result<Settings> {
        let env: Vec<(String, String)> = env.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        Settings::resolve_with(overrides, move |name| env.iter().find(|(k, _)| k == name).map(|(_, v)| v.clone()))
    }

    fn file(text: &str) -> (tempfile::TempDir, Overrides) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("config.toml");
        std::fs::write(&path, text).unwrap();
        let overrides = Overrides { config: Some(path), library: Some("l.db".into()), ..Default::default() };
        (dir, overrides)
    }

    #[test]
    fn a_key_alone_chooses_no_model() {
        let (_dir, overrides) = file("");
        let s = settings(&overrides, &[("OPENAI_API_KEY", "sk-1"), ("OPENAI_BASE_URL", "http://x/v1")]).unwrap();
        assert!(s.language_model().is_none());
        assert!(s.api_key.is_none());
    }

    #[test]
    fn flag_beats_environment_beats_file() {
        let (_dir, mut overrides) = file("model = 'from-file'\nmax_turns = 3\n");
        let s = settings(&overrides, &[]).unwrap();
        assert_eq!(s.model, Some(Setting { value: "from-file".into(), origin: ValueOrigin::File }));
        assert_eq!(s.max_turns, Setting { value: 3, origin: ValueOrigin::File });
        let s = settings(&overrides, &[("PAGEWISE_MODEL", "from-env")]).unwrap();
        assert_eq!(s.model.unwrap().origin, ValueOrigin::Environment("PAGEWISE_MODEL"));
        overrides.model = Some("builtin".into());
        let s = settings(&overrides, &[("PAGEWISE_MODEL", "from-env"), ("OPENAI_API_KEY", "sk-1")]).unwrap();
        assert!(s.language_model().is_none() && s.api_key.is_none());
    }

    #[test]
    fn unknown_keys_name_a_near_one() {
        let (_dir, overrides) = file("modell = 'x'");
        let error = settings(&overrides, &[]).unwrap_err().to_string();
        assert!(error.contains("`modell`") && error.contains("`model`"), "{error}");
    }

    #[test]
    fn a_named_config_file_must_exist() {
        let overrides = Overrides { config: Some("/nonexistent/pagewise.toml".into()), ..Default::default() };
        assert!(settings(&overrides, &[]).is_err());
    }

    #[test]
    fn the_key_never_shows_in_debug_output() {
        let (_dir, overrides) = file("model = 'm'\napi_key_env = 'MY_KEY'");
        let s = settings(&overrides, &[("MY_KEY", "sk-very-secret")]).unwrap();
        assert!(s.api_key.is_some());
        assert!(!format!("{s:?}").contains("very-secret"));
    }
}
