//! One turn of an OpenAI-compatible model against the fake server, with everything that was heard.

use std::time::Duration;

use pagewise::model::openai::{OpenAiModel, OpenAiSettings, RetryPolicy, Timeouts};
use pagewise::model::{
    ChatModel, ChatRequest, ChatTurn, HistoryItem, ModelDelta, ModelError, ReasoningEffort, ToolChoice, ToolSpec,
};
use serde_json::{Value, json};

use super::fake_model::FakeModel;

/// What a turn gave and what was heard meanwhile.
pub struct Heard {
    pub result: Result<ChatTurn, ModelError>,
    pub deltas: Vec<ModelDelta>,
}

impl Heard {
    /// The turn of a success.
    pub fn turn(&self) -> &ChatTurn {
        self.result.as_ref().unwrap_or_else(|e| panic!("{e:?}"))
    }

    /// The error of a failure.
    pub fn error(&self) -> &ModelError {
        self.result.as_ref().err().unwrap_or_else(|| panic!("it succeeded"))
    }

    /// The text as a person has it in the end: what was discarded is gone.
    pub fn text(&self) -> String {
        self.deltas.iter().fold(String::new(), |text, delta| match delta {
            ModelDelta::Text(more) => text + more,
            ModelDelta::Discarded => String::new(),
            _ => text,
        })
    }

    /// The reasoning.
    pub fn thinking(&self) -> String {
        self.deltas.iter().filter_map(|d| if let ModelDelta::Thinking(t) = d { Some(t.as_str()) } else { None }).collect()
    }

    /// The reasons of the waits.
    pub fn retries(&self) -> Vec<&str> {
        self.deltas
            .iter()
            .filter_map(|d| if let ModelDelta::Retry { reason, .. } = d { Some(reason.as_str()) } else { None })
            .collect()
    }

    /// What was waited for, in words.
    pub fn waits(&self) -> Vec<&str> {
        self.deltas
            .iter()
            .filter_map(|d| if let ModelDelta::Waiting { what, .. } = d { Some(what.as_str()) } else { None })
            .collect()
    }

    /// Name and arguments of the calls.
    pub fn calls(&self) -> Vec<(&str, &Value)> {
        let items = self.turn().items.iter();
        items
            .filter_map(
                |i| if let HistoryItem::ToolCall { name, arguments, .. } = i { Some((name.as_str(), arguments)) } else { None },
            )
            .collect()
    }
}

/// Settings for the fake server with waits that tests can afford.
pub fn settings(server: &FakeModel) -> OpenAiSettings {
    OpenAiSettings {
        base_url: server.base_url(),
        api_key: Some("sk-topsecret".into()),
        model: "fake".into(),
        timeouts: Timeouts {
            connect: Duration::from_secs(5),
            first_byte: Duration::from_secs(20),
            idle: Duration::from_secs(20),
            ..Timeouts::default()
        },
        retry: RetryPolicy { first_wait: Duration::from_millis(1), ..RetryPolicy::default() },
        ..OpenAiSettings::default()
    }
}

/// The tools of these tests.
pub fn tools() -> Vec<ToolSpec> {
    let tool = |name: &str, schema: Value| ToolSpec { name: name.into(), description: "d".into(), schema };
    let pages =
        json!({"type": "object", "properties": {"pages": {"type": "string", "minLength": 1, "pattern": "^\\d+(,\\s*\\d+)*$"}}});
    vec![tool("get_page_content", pages), tool("browse_documents", json!({"type": "object"}))]
}

/// One turn with a question.
pub async fn ask(settings: OpenAiSettings) -> Heard {
    let model = OpenAiModel::new(settings).unwrap();
    turn(&model, &[HistoryItem::User { text: "Q".into() }], ToolChoice::Auto).await
}

/// One turn with this history.
pub async fn turn(model: &OpenAiModel, history: &[HistoryItem], tool_choice: ToolChoice) -> Heard {
    let tools = tools();
    let request = ChatRequest {
        instructions: "Do.",
        history,
        tools: &tools,
        tool_choice,
        max_output_tokens: Some(100),
        temperature: Some(0.0),
        reasoning_effort: Some(ReasoningEffort::Low),
    };
    let mut deltas = Vec::new();
    let result = model.turn(request, &mut |delta| deltas.push(delta)).await;
    Heard { result, deltas }
}
