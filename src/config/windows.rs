//! Context windows of well-known models, for those that nobody set one for. As their makers state them; where members of a family differ, the
//! smallest counts, since too small a window costs a little reading twice and too large a one costs a refused request.

/// Beginnings of names, in lower case and without what stands before the last slash, with the window in tokens. The first that fits counts.
const WINDOWS: [(&str, u64); 27] = [
    ("gpt-5", 272_000),
    ("gpt-4.1", 1_000_000),
    ("gpt-4o", 128_000),
    ("gpt-4-turbo", 128_000),
    ("gpt-4-32k", 32_000),
    ("gpt-4", 8_192),
    ("gpt-3.5-turbo", 16_000),
    ("gpt-oss", 128_000),
    ("o1-mini", 128_000),
    ("o1", 200_000),
    ("o3", 200_000),
    ("o4-mini", 200_000),
    ("claude", 200_000),
    ("gemini", 1_000_000),
    ("deepseek", 64_000),
    ("mistral-large", 128_000),
    ("mistral-medium", 128_000),
    ("mistral-small", 32_000),
    ("magistral", 40_000),
    ("llama-3.3", 128_000),
    ("llama-3.1", 128_000),
    ("llama-3", 8_192),
    ("llama3.1", 128_000),
    ("qwen3", 32_000),
    ("qwen2.5", 32_000),
    ("grok", 128_000),
    ("kimi", 128_000),
];

/// The window of a model, if its family is known.
pub(super) fn of(model: &str) -> Option<u64> {
    let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
    WINDOWS.iter().find(|(beginning, _)| name.starts_with(beginning)).map(|(_, window)| *window)
}
