//! The way to PageIndex cloud, as far as it is built: the key. The key is looked for only here, after the caller said cloud.

use secrecy::{ExposeSecret, SecretString};

use super::options::CloudOptions;
use crate::error::{Error, Result};

/// The variable that holds the key.
pub(super) const KEY_VARIABLE: &str = "PAGEINDEX_API_KEY";

/// The key of the options, or else of the environment.
///
/// # Errors
/// [`Error::Settings`] where there is none, or an empty one.
pub(super) fn key(options: CloudOptions, environment: Option<String>) -> Result<SecretString> {
    let (key, place) = match (options.api_key, environment) {
        (Some(key), _) => (key, "`CloudOptions::api_key`"),
        (None, Some(key)) => (SecretString::from(key), KEY_VARIABLE),
        (None, None) => {
            return Err(Error::Settings(format!(
                "cloud mode needs a key of PageIndex cloud; set {KEY_VARIABLE} or give it in `CloudOptions::api_key`"
            )));
        }
    };
    if key.expose_secret().trim().is_empty() {
        return Err(Error::Settings(format!(
            "the key of PageIndex cloud in {place} is empty; put a key there, or open a local library"
        )));
    }
    Ok(key)
}

/// Why there is no cloud client.
pub(super) fn not_built() -> Error {
    Error::Unsupported(
        "this version of pagewise cannot reach PageIndex cloud yet; `Client::local` reads the same files on this machine"
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(api_key: Option<&str>, environment: Option<&str>) -> String {
        let options = CloudOptions { api_key: api_key.map(SecretString::from) };
        key(options, environment.map(str::to_owned)).unwrap_err().to_string()
    }

    #[test]
    fn a_missing_and_an_empty_key_are_told_apart() {
        assert!(message(None, None).contains("needs a key"));
        assert!(message(None, Some("")).contains("in PAGEINDEX_API_KEY is empty"));
        assert!(message(Some(" "), Some("sk-1")).contains("in `CloudOptions::api_key` is empty"));
    }

    #[test]
    fn the_key_of_the_caller_comes_first() {
        let options = CloudOptions { api_key: Some("sk-1".into()) };
        assert_eq!(key(options, Some("sk-2".into())).unwrap().expose_secret(), "sk-1");
        assert_eq!(key(CloudOptions::default(), Some("sk-2".into())).unwrap().expose_secret(), "sk-2");
    }
}
