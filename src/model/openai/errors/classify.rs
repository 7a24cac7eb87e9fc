//! Which kind of failure a server's error is, by its status and its words. Servers agree on neither, so the words are facts collected from
//! many of them.

use crate::model::ModelErrorKind as Kind;
use crate::model::openai::failure::{Again, WireError};

/// What kind of failure it is and whether it may pass.
pub(in crate::model::openai) fn classify(status: Option<u16>, wire: &WireError, has_key: bool) -> (Kind, Again) {
    // The model wrote a call that the server's reader could not read; the next try may come out better.
    if wire.mentions(&["tool_use_failed"]) {
        return (Kind::BadReply, Again::Soon);
    }
    if status == Some(402) || wire.mentions(&NO_CREDIT) {
        return (Kind::NoCredit, Again::Never);
    }
    if status != Some(429) && is_too_long(status, wire) || status == Some(429) && wire.mentions(&["request too large"]) {
        return (Kind::ContextTooLong, Again::Never);
    }
    if lacks_tools(wire) {
        return (Kind::Refused, Again::Never);
    }
    if wire.mentions(&["model_not_found", "model_decommissioned", "deploymentnotfound", "no endpoints found"]) {
        return (Kind::UnknownModel, Again::Never);
    }
    if wire.mentions(&["unexpected endpoint"]) {
        // LM Studio says so with status 200.
        return (Kind::WrongPath, Again::Never);
    }
    match status {
        Some(403) if wire.mentions(&["moderation", "flagged", "unsupported_country"]) => (Kind::Refused, Again::Never),
        Some(401 | 403) => (Kind::BadKey, Again::Never),
        Some(404) if !wire.is_page && (wire.param == "model" || wire.mentions(&["model"])) => (Kind::UnknownModel, Again::Never),
        Some(404 | 405) => (Kind::WrongPath, Again::Never),
        // A proxy's.
        Some(407) => (Kind::Unreachable, Again::Never),
        Some(408 | 409) => (Kind::Server, Again::Soon),
        Some(429) if is_daily(wire) => (Kind::RateLimited, Again::Never),
        Some(429) => (Kind::RateLimited, Again::Soon),
        // 501: it will not be able to do it later either.
        Some(501) => (Kind::Refused, Again::Never),
        Some(503) if wire.mentions(&["loading"]) => (Kind::Server, Again::Loading),
        Some(500..) if wire.mentions(&LOADING) => (Kind::Server, Again::Loading),
        Some(500..) => (Kind::Server, Again::Soon),
        _ if wire.mentions(&BAD_KEY) => (Kind::BadKey, Again::Never),
        _ if !has_key && wire.mentions(&["missing api key", "no api key", "authentication"]) => (Kind::BadKey, Again::Never),
        _ if names_unknown_model(wire) => (Kind::UnknownModel, Again::Never),
        Some(_) => (Kind::Refused, Again::Never),
        None if wire.mentions(&["rate limit", "rate_limit", "too many requests"]) => (Kind::RateLimited, Again::Soon),
        None if wire.mentions(&["invalid_request", "badrequest", "content_filter", "content_policy"]) => {
            (Kind::Refused, Again::Never)
        }
        // In mid-stream most failures are the server's own and pass.
        None => (Kind::Server, Again::Soon),
    }
}

/// OpenAI, Azure; DeepSeek; OpenRouter; Anthropic; xAI; Moonshot; DashScope.
const NO_CREDIT: [&str; 15] = [
    "insufficient_quota",
    "billing_hard_limit_reached",
    "billing_not_active",
    "insufficient_balance",
    "insufficient balance",
    "insufficient credit",
    "requires more credits",
    "credit balance is too low",
    "out of credits",
    "no credits",
    "used all available credits",
    "spending limit",
    "exceeded_current_quota",
    "arrearage",
    "payment required",
];

/// Gemini answers a bad key with 400.
const BAD_KEY: [&str; 6] =
    ["api key not valid", "api_key_invalid", "invalid api key", "invalid_api_key", "incorrect api key", "api key expired"];

/// Ollama, llama.cpp, LM Studio, the Hugging Face servers.
const LOADING: [&str; 8] = [
    "loading model",
    "model is loading",
    "still loading",
    "currently loading",
    "being loaded",
    "model is not ready",
    "warming up",
    "waiting for llama runner",
];

fn is_too_long(status: Option<u16>, wire: &WireError) -> bool {
    status == Some(413)
        || wire.mentions(&[
            "context_length",
            "context length",
            "context window",
            "context size",
            "maximum context",
            "exceed_context_size",
            "maximum prompt length",
            "prompt is too long",
            "input is too long",
            "too many tokens",
            "reduce the length",
            "exceeds the maximum number of tokens",
            "string_above_max_length",
            "`inputs` tokens",
            "`inputs` must have less",
        ])
}

/// A quota that comes back with the next day is not waited for. Google names it in the details, OpenAI and Groq in the text.
pub(super) fn is_daily(wire: &WireError) -> bool {
    wire.mentions(&["per day", "per-day", "perday", "(rpd)", "(tpd)", "daily limit", "daily quota"])
}

/// Ollama, OpenRouter, Groq, and servers that were started without their reader of calls (vLLM, llama.cpp).
pub(super) fn lacks_tools(wire: &WireError) -> bool {
    wire.mentions(&[
        "does not support tools",
        "does not support tool",
        "support tool use",
        "does not support function call",
        "tools are not supported",
        "tool calling is not supported",
        "tool use is not supported",
        "tool-call-parser",
        "tools param requires",
    ])
}

fn names_unknown_model(wire: &WireError) -> bool {
    let unknown = [
        "not found",
        "does not exist",
        "not exist",
        "unknown model",
        "invalid model",
        "no such model",
        "not a valid model",
        "not supported model",
        "decommissioned",
        "no models loaded",
    ];
    wire.mentions(&["model"]) && wire.mentions(&unknown)
}
