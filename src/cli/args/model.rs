//! The flags that say who answers, and within which bounds.

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};

use crate::config::Overrides;
use crate::model::ReasoningEffort;
use crate::model::openai::Api;

/// Who answers.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ModelArgs {
    /// Model to ask, as the server calls it or as PROVIDER/MODEL, or "builtin" for the built-in reader [env: PAGEWISE_MODEL]
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Base URL of an OpenAI-compatible server [env: OPENAI_BASE_URL]
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Interface of the server [default: chat]
    #[arg(long, value_enum, value_name = "API")]
    pub(crate) api: Option<ApiChoice>,
    /// Sampling temperature, 0 to 2 [default: the server's]
    #[arg(long, value_name = "T", value_parser = temperature)]
    pub(crate) temperature: Option<f32>,
    /// How much a reasoning model thinks [default: the server's]
    #[arg(long, value_enum, value_name = "EFFORT")]
    pub(crate) reasoning_effort: Option<Effort>,
    /// Context window of the model, in tokens
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2_000..))]
    pub(crate) context_tokens: Option<u64>,
    /// Most tokens that the model writes in one turn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Limits of one question")]
    pub(crate) max_output_tokens: Option<u32>,
    /// Most tokens read and written in all turns [default: no limit]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u64>::new().range(1..), help_heading = "Limits of one question")]
    pub(crate) max_total_tokens: Option<u64>,
    /// Most model turns [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Limits of one question")]
    pub(crate) max_turns: Option<u32>,
    /// Most tool calls [default: 60]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Limits of one question")]
    pub(crate) max_tool_calls: Option<u32>,
    /// Most seconds [default: 600]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u64>::new().range(1..=86_400), help_heading = "Limits of one question")]
    pub(crate) max_seconds: Option<u64>,
}

/// The interfaces, as they are named on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ApiChoice {
    /// Chat Completions, which nearly every server has
    Chat,
    /// Responses, by which reasoning is carried from turn to turn
    Responses,
}

/// Efforts, as they are named on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Effort {
    None,
    Minimal,
    Low,
    Medium,
    High,
    Xhigh,
}

impl ModelArgs {
    /// These flags as overrides.
    pub(super) fn overrides(&self) -> Overrides {
        Overrides {
            model: self.model.clone(),
            base_url: self.base_url.clone(),
            api: self.api.map(|api| match api {
                ApiChoice::Chat => Api::Chat,
                ApiChoice::Responses => Api::Responses,
            }),
            temperature: self.temperature,
            reasoning_effort: self.reasoning_effort.map(|effort| match effort {
                Effort::None => ReasoningEffort::None,
                Effort::Minimal => ReasoningEffort::Minimal,
                Effort::Low => ReasoningEffort::Low,
                Effort::Medium => ReasoningEffort::Medium,
                Effort::High => ReasoningEffort::High,
                Effort::Xhigh => ReasoningEffort::XHigh,
            }),
            context_tokens: self.context_tokens,
            max_output_tokens: self.max_output_tokens,
            max_total_tokens: self.max_total_tokens,
            max_turns: self.max_turns,
            max_tool_calls: self.max_tool_calls,
            max_seconds: self.max_seconds,
            ..Overrides::default()
        }
    }
}

fn temperature(text: &str) -> Result<f32, String> {
    let given: f32 = text.parse().map_err(|_| "it takes a number from 0 to 2".to_owned())?;
    if (0.0..=2.0).contains(&given) { Ok(given) } else { Err("it takes a number from 0 to 2".to_owned()) }
}
