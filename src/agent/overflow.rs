//! What a server says when a request is too long for its model: the window, and what was asked of it.

/// Numbers outside are no tokens of a window or a request.
const PLAUSIBLE: std::ops::RangeInclusive<u64> = 256..=100_000_000;
/// Numbers that are a status unless it is said that they are tokens.
const STATUS: std::ops::RangeInclusive<u64> = 400..=599;
/// Words before a number that make it the window.
const WINDOW: &[&str] =
    &["maximum", "context length", "context size", "context window", "n_ctx", "limit", "at most", "up to", "<", ">", "only"];
/// Words before a number that make it what was asked.
const ASKED: &[&str] =
    &["requested", "resulted", "your request", "request has", "request contains", "request (", "n_prompt", "given"];
/// Words behind a number that make it the window.
const WINDOW_BEHIND: &[&str] = &["maximum", "context"];
/// Words behind a number that make it the length of the history alone, without the room for the reply.
const INPUT_BEHIND: &[&str] = &["in the messages", "in your prompt", "in the prompt", "of text input", "input tokens"];

/// The numbers of such a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Told {
    /// The window in tokens.
    pub window: Option<u64>,
    /// Tokens of the whole request.
    pub asked: Option<u64>,
    /// Tokens of its input alone.
    pub input: Option<u64>,
}

/// Reads a message such as "maximum context length is 8192 tokens, however you requested 9000".
pub(super) fn read(message: &str) -> Told {
    let text = message.to_lowercase();
    let numbers = numbers(&text);
    let mut told = Told::default();
    let mut rest = None;
    for (at, &(start, end, value)) in numbers.iter().enumerate() {
        let before_from = at.checked_sub(1).and_then(|i| numbers.get(i)).map_or(0, |n| n.1);
        let before = text.get(before_from..start).unwrap_or_default();
        let behind_to = numbers.get(at + 1).map_or(text.len(), |n| n.0);
        let behind: String = text.get(end..behind_to).unwrap_or_default().chars().take(24).collect();
        let (window, asked) = (last_of(before, WINDOW), last_of(before, ASKED));
        if INPUT_BEHIND.iter().any(|w| behind.contains(w)) {
            told.input = told.input.or(Some(value));
        } else if asked.is_some() && asked > window {
            told.asked = told.asked.or(Some(value));
        } else if window.is_some() || WINDOW_BEHIND.iter().any(|w| behind.trim_start().starts_with(w)) {
            told.window = told.window.or(Some(value));
        } else {
            rest = rest.or(Some(value));
        }
    }
    // A number that nothing is said of is what was asked, if that is more than the window.
    told.asked = told.asked.or(rest).filter(|asked| told.window.is_none_or(|w| *asked > w));
    told
}

/// Where the last of these words ends.
fn last_of(text: &str, words: &[&str]) -> Option<usize> {
    words.iter().filter_map(|w| text.rfind(w).map(|at| at + w.len())).max()
}

/// The numbers of a text that stand alone: not the digits of a model's name, an address or a version.
fn numbers(text: &str) -> Vec<(usize, usize, u64)> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find(|c: char| c.is_ascii_digit())).map(|found| at + found) {
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(rest.len());
        let end = start + rest.get(..length).unwrap_or_default().trim_end_matches(',').len();
        let before = text.get(..start).and_then(|t| t.chars().next_back());
        let mut behind = text.get(end..).unwrap_or_default().chars();
        let (next, after) = (behind.next(), behind.next());
        let glued = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '.');
        let goes_on = next.is_some_and(|c| glued(c) && !(c == '.' && after.is_none_or(char::is_whitespace)));
        if !before.is_some_and(|c| glued(c) || (c == ':' && next == Some('/')))
            && !goes_on
            && let Ok(value) = text.get(start..end).unwrap_or_default().replace(',', "").parse::<u64>()
            && PLAUSIBLE.contains(&value)
            && (!STATUS.contains(&value) || text.get(end..).is_some_and(|rest| rest.starts_with(" token")))
        {
            out.push((start, end, value));
        }
        at = end.max(start + 1);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_name_their_window_in_many_ways() {
        for (message, window, asked, input) in [
            (
                "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion). Please reduce the length.",
                Some(8192),
                Some(9000),
                Some(8000),
            ),
            (
                "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
                Some(8192),
                Some(9000),
                None,
            ),
            (
                "http://127.0.0.1:8080/v1/chat/completions (qwen2.5-7b-128000): the request is longer than the model can read (400): request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
                Some(8192),
                Some(9000),
                None,
            ),
            ("prompt is too long: 210000 tokens > 200000 maximum", Some(200_000), Some(210_000), None),
            (
                "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
                Some(1_048_576),
                Some(1_200_000),
                None,
            ),
            (
                "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
                Some(32_768),
                Some(40_000),
                None,
            ),
            (
                "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 200 `max_new_tokens`",
                Some(4_096),
                Some(5_000),
                None,
            ),
            (
                "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
                Some(131_072),
                Some(140_000),
                None,
            ),
            (
                "'max_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 1000 input tokens",
                Some(4_096),
                None,
                Some(1_000),
            ),
            ("too many tokens: total number of tokens in the prompt exceeds limit of 4,081.", Some(4_081), None, None),
            ("the model is loaded with context length of only 4096 tokens", Some(4_096), None, None),
            ("Please reduce the length of the messages or completion.", None, None, None),
            ("request (600 tokens) exceeds the available context size (512 tokens)", Some(512), Some(600), None),
            ("gpt-4-32000 at https://host:65000/v1 says 400", None, None, None),
        ] {
            assert_eq!(read(message), Told { window, asked, input }, "{message}");
        }
    }
}
