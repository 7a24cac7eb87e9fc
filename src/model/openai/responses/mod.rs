//! The Responses API, the second interface of OpenAI and of some servers like it.
//!
//! Nothing is kept on the server (`store` is false): the conversation is sent whole with each request, and what a model has reasoned comes
//! back encrypted and is sent back unchanged, so that it does not think the same again after each tool call.

mod drafts;
mod input;
mod reply;

pub(super) use self::input::body;

use std::sync::Arc;

use async_openai::error::OpenAIError;
use async_openai::types::stream::StreamResponse;
use futures::StreamExt;
use serde_json::Value;

use self::reply::Assembly;
use super::failure::{Again, Failure};
use super::patience::Patience;
use super::transport::Watch;
use super::{OpenAiModel, taken_ids};
use crate::model::{ChatRequest, ChatTurn, ModelDelta, ModelErrorKind};

/// Events that say only that the request is being worked on.
const KEEP_ALIVES: [&str; 5] = ["response.created", "response.queued", "response.in_progress", "keepalive", "ping"];

impl OpenAiModel {
    /// One try. `spoken` says whether people have seen text of it.
    pub(super) async fn attempt_responses(
        &self,
        body: &Value,
        request: &ChatRequest<'_>,
        deltas: &mut (dyn FnMut(ModelDelta) + Send),
        spoken: &mut bool,
    ) -> Result<ChatTurn, Failure> {
        let watch = Arc::new(Watch::default());
        let client = self.client(&watch);
        let mut patience = Patience::new(&self.explainer, self.settings.timeouts);
        let responses = client.responses();
        let opened: Result<StreamResponse<Value>, OpenAIError> =
            patience.during(responses.create_stream_byot(body), deltas).await?;
        let mut events = opened.map_err(|e| self.explain(e))?;
        let mut assembly = Assembly::new(request.tools);
        let mut broken = None;
        while let Some(event) = patience.during(events.next(), deltas).await? {
            match event {
                Ok(event) => {
                    let kind = event.get("type").and_then(Value::as_str).unwrap_or_default();
                    if !KEEP_ALIVES.contains(&kind) {
                        patience.heard();
                    }
                    assembly.push(event, deltas);
                }
                Err(error) => {
                    broken = Some(watch.take_failure().unwrap_or_else(|| self.explain(error)));
                    break;
                }
            }
            *spoken = assembly.has_spoken();
            if assembly.is_endless() {
                return Err(self.explainer.failure(ModelErrorKind::BadReply, Again::Never, "the reply has no end"));
            }
            if assembly.has_begun() {
                watch.set_begun();
            }
            if assembly.is_over() {
                break;
            }
        }
        if let Some(error) = assembly.take_error() {
            return Err(self.explainer.in_stream(error));
        }
        if !assembly.is_over() {
            return Err(match broken {
                Some(failure) => failure,
                None if watch.is_done() && !assembly.is_reply() => {
                    self.explainer.failure(ModelErrorKind::BadReply, Again::Soon, "the reply is not a model's answer")
                }
                None => self.explainer.failure(ModelErrorKind::CutOff, Again::Soon, "the reply was cut off"),
            });
        }
        Ok(assembly.finish(&self.author(), taken_ids(request), deltas))
    }

    /// Who made what is sent back unchanged: no other model can read what this one has reasoned. A local server may come back at another
    /// port.
    pub(super) fn author(&self) -> String {
        format!("{} {}", self.endpoint.host_name(), self.settings.model.trim())
    }
}
