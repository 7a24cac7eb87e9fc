//! A chat model as an advisor.

use std::sync::Arc;

use async_trait::async_trait;

use crate::index::enrich::{Advice, AdviceError, AdviceFault, AdviceRequest, Advisor, Spent};
use crate::model::{ChatModel, ChatRequest, HistoryItem, ModelError, ModelErrorKind, ToolChoice};

/// Asks a [`ChatModel`]. A model that tries again by itself should be told not to: the tries of all requests at once are coordinated by who
/// asks.
pub struct ModelAdvisor {
    model: Arc<dyn ChatModel>,
}

impl ModelAdvisor {
    /// Over this model.
    pub fn new(model: Arc<dyn ChatModel>) -> Self {
        Self { model }
    }
}

#[async_trait]
impl Advisor for ModelAdvisor {
    fn name(&self) -> String {
        self.model.label()
    }

    async fn advise(&self, request: AdviceRequest<'_>) -> Result<Advice, AdviceError> {
        let history = [HistoryItem::User { text: request.input.to_owned() }];
        let chat = ChatRequest {
            instructions: request.instructions,
            history: &history,
            tools: &[],
            tool_choice: ToolChoice::None,
            max_output_tokens: Some(request.max_output_tokens),
            temperature: Some(0.0),
            reasoning_effort: None,
        };
        let turn = self.model.turn(chat, &mut |_| {}).await.map_err(explained)?;
        let texts = turn.items.iter().filter_map(|item| match item {
            HistoryItem::Assistant { text, .. } => Some(text.as_str()),
            _ => None,
        });
        let usage = turn.usage.unwrap_or_default();
        Ok(Advice {
            text: texts.collect::<Vec<_>>().join("\n"),
            spent: Spent { input_tokens: usage.input_tokens, output_tokens: usage.output_tokens, requests: usage.requests.max(1) },
        })
    }
}

fn explained(error: ModelError) -> AdviceError {
    use ModelErrorKind as Kind;
    let fault = match error.kind {
        Kind::BadKey | Kind::NoCredit | Kind::UnknownModel | Kind::WrongPath | Kind::Tls | Kind::Settings => AdviceFault::Fatal,
        // What gives no model's reply from the first on is no such server.
        Kind::Unreachable | Kind::BadReply => AdviceFault::Unreachable,
        Kind::RateLimited | Kind::Server | Kind::CutOff => AdviceFault::Passing { wait: error.retry_after },
        Kind::ContextTooLong => AdviceFault::TooLong,
        Kind::Refused => AdviceFault::Refused,
    };
    AdviceError { fault, message: error.message, hint: error.hint }
}
