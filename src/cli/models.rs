//! Who answers: a language model that was named explicitly, or the built-in reader.

use std::sync::Arc;

use super::Context;
use super::exit::CliError;
use crate::client::Client;
use crate::config::{DEFAULT_BASE_URL, ModelServer, ValueOrigin};
use crate::error::Error;
use crate::eval::ModelFactory;
use crate::library::Scope;
use crate::model::ChatModel;
use crate::model::openai::{OpenAiModel, RetryPolicy};
use crate::reader::BuiltinReader;

/// The model of the settings. One line on stderr says who answers and where document text goes.
pub(crate) fn choose(context: &Context, client: &Client, scope: &Scope) -> Result<Arc<dyn ChatModel>, CliError> {
    Ok(factory(context, client)?(scope)?)
}

/// The language model on this server. Nothing is sent yet.
pub(crate) fn language_model(server: &ModelServer, retry: RetryPolicy) -> Result<Arc<dyn ChatModel>, CliError> {
    if let (None, Some(variable), true) = (&server.api_key, &server.api_key_env, wants_key(server)) {
        let name = server.provider.as_deref().map_or_else(|| server.model.clone(), |p| format!("{p}/{}", server.model));
        return Err(CliError::from(Error::Settings(format!("{name} needs a key, and {variable} is not set")))
            .with_hint("set the key, or name another server with --base-url, or go on without one"));
    }
    let model = OpenAiModel::new(server.openai_settings(retry));
    Ok(Arc::new(model.map_err(Error::from)?))
}

/// A provider that names a variable for its key wants one; a server that was named by its address may be one's own.
fn wants_key(server: &ModelServer) -> bool {
    server.provider.is_some() || server.base_url == DEFAULT_BASE_URL
}

/// As [`choose`], for many scopes.
pub(crate) fn factory(context: &Context, client: &Client) -> Result<Box<ModelFactory>, CliError> {
    let settings = &context.settings;
    if settings.model.as_ref().is_some_and(|model| model.value.trim().is_empty()) {
        return Err(CliError::usage("the name of the model is empty"));
    }
    let (Some(name), Some(server)) = (settings.language_model(), &settings.server) else {
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
    let model = language_model(server, RetryPolicy::default())?;
    if let Some(destination) = model.destination() {
        context.printer.note(&format!("{name} answers: questions and the pages it reads are sent to {destination}."));
    }
    Ok(Box::new(move |_| Ok(model.clone())))
}
