//! Who answers: a language model that was named explicitly, or the built-in reader.

use std::sync::Arc;

use super::Context;
use super::exit::CliError;
use crate::client::Client;
use crate::config::{DEFAULT_BASE_URL, ValueOrigin};
use crate::error::Error;
use crate::eval::ModelFactory;
use crate::library::Scope;
use crate::model::ChatModel;
use crate::model::openai::{OpenAiModel, OpenAiSettings, RetryPolicy};
use crate::reader::BuiltinReader;

/// The model of the settings. One line on stderr says who answers and where document text goes.
pub(crate) fn choose(context: &Context, client: &Client, scope: &Scope) -> Result<Arc<dyn ChatModel>, CliError> {
    Ok(factory(context, client)?(scope)?)
}

/// The language model of this name on the server of the settings. Nothing is sent yet.
pub(crate) fn language_model(context: &Context, name: &str, retry: RetryPolicy) -> Result<Arc<dyn ChatModel>, CliError> {
    let settings = &context.settings;
    if settings.api_key.is_none() && settings.base_url.value == DEFAULT_BASE_URL {
        return Err(CliError::from(Error::Settings(format!("{name} needs a key, and {} is not set", settings.api_key_env.value)))
            .with_hint("set the key, or name another server with --base-url, or go on without one"));
    }
    let model = OpenAiModel::new(OpenAiSettings {
        base_url: settings.base_url.value.clone(),
        api_key: settings.api_key.clone(),
        model: name.to_owned(),
        retry,
        ..OpenAiSettings::default()
    });
    Ok(Arc::new(model.map_err(Error::from)?))
}

/// As [`choose`], for many scopes.
pub(crate) fn factory(context: &Context, client: &Client) -> Result<Box<ModelFactory>, CliError> {
    let settings = &context.settings;
    if settings.model.as_ref().is_some_and(|model| model.value.trim().is_empty()) {
        return Err(CliError::usage("the name of the model is empty"));
    }
    let Some(name) = settings.language_model() else {
        if settings.base_url.origin == ValueOrigin::Flag {
            return Err(CliError::usage("--base-url names a server, but no model was chosen; add --model NAME"));
        }
        if settings.model.is_none() {
            context.printer.note(
                "no model chosen: the built-in reader answers (it finds and quotes passages; it is not a language model). \
                 --model NAME asks one.",
            );
        }
        let ranker = client.ranker()?;
        return Ok(Box::new(move |scope| Ok(Arc::new(BuiltinReader::new(ranker.clone(), scope.clone())))));
    };
    let model = language_model(context, name, RetryPolicy::default())?;
    if let Some(destination) = model.destination() {
        context.printer.note(&format!("{name} answers: questions and the pages it reads are sent to {destination}."));
    }
    Ok(Box::new(move |_| Ok(model.clone())))
}
