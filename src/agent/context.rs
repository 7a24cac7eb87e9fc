//! Keeping the conversation within the model's window: old tool results become one-line stubs, the newest stay.

use serde_json::Value;

use crate::model::HistoryItem;

/// Characters of English text in a token, roughly; tokenisers of current models give 3.5 to 4.5.
const CHARS_PER_TOKEN: u64 = 4;
/// Tokens that a message costs beside its text.
const ITEM_OVERHEAD: u64 = 6;
/// Results shorter than this many bytes stay: a stub would save nothing.
const SMALL: usize = 300;
/// Once results must go, the history shrinks to this share of its room, so that the next turn does not have to shrink it again: every change
/// of old items costs the server its cache.
const SHRINK_TO: f64 = 0.7;
/// How every stub ends; tells stubs from envelopes, which are JSON objects.
const STUB_END: &str = "; ask again if needed]";

/// A rough count of tokens.
pub(super) fn tokens(text: &str) -> u64 {
    let (mut ascii, mut other) = (0u64, 0u64);
    for c in text.chars() {
        match c {
            _ if c.is_ascii() => ascii += 1,
            // A CJK character is about one token, an accented letter about half of one.
            '\u{2e80}'.. => other += 2,
            _ => other += 1,
        }
    }
    ascii.div_ceil(CHARS_PER_TOKEN) + other.div_ceil(2)
}

fn item_tokens(item: &HistoryItem) -> u64 {
    let of_value = |v: &Value| tokens(&v.to_string());
    ITEM_OVERHEAD
        + match item {
            HistoryItem::User { text } => tokens(text),
            HistoryItem::Assistant { text, payload } => tokens(text) + payload.as_ref().map_or(0, of_value),
            HistoryItem::ToolCall { name, arguments, payload, .. } => {
                tokens(name) + of_value(arguments) + payload.as_ref().map_or(0, of_value)
            }
            HistoryItem::ToolResult { content, .. } => tokens(content),
        }
}

/// A rough count of the tokens of a history.
pub(super) fn history_tokens(history: &[HistoryItem]) -> u64 {
    history.iter().map(item_tokens).sum()
}

/// Whether a result was replaced by a stub or cut.
pub(super) fn is_stub(content: &str) -> bool {
    content.ends_with(STUB_END)
}

/// Shrinks a history to `room` tokens, in this order: results before the last batch become stubs, oldest first; exchanges before the last
/// question go; the results of the last batch are cut. Gives whether it was changed.
pub(super) fn fit(history: &mut Vec<HistoryItem>, room: u64) -> bool {
    let mut now = history_tokens(history);
    if now <= room {
        return false;
    }
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rough share of a token count"
    )]
    let target = (room as f64 * SHRINK_TO) as u64;
    let newest = last_batch(history);
    let mut changed = false;
    for index in 0..newest {
        if now <= target {
            return changed;
        }
        if let Some(stub) = stub_for(history, index) {
            now = replace(history, index, stub, now);
            changed = true;
        }
    }
    while now > room
        && let Some(end) = first_exchange(history)
    {
        let gone = history.drain(..end);
        now = now.saturating_sub(gone.as_slice().iter().map(item_tokens).sum());
        drop(gone);
        changed = true;
    }
    if now > room {
        changed |= cut_newest(history, now - room);
    }
    changed
}

/// Where the last unbroken row of results begins, with the calls and remarks before it left out.
fn last_batch(history: &[HistoryItem]) -> usize {
    let is_result = |i: &HistoryItem| matches!(i, HistoryItem::ToolResult { .. });
    let end = history.iter().rposition(is_result).map_or(0, |i| i + 1);
    let row = history.get(..end).unwrap_or_default().iter().rev().take_while(|i| is_result(i)).count();
    end - row
}

fn replace(history: &mut [HistoryItem], index: usize, with: String, now: u64) -> u64 {
    let Some(HistoryItem::ToolResult { content, .. }) = history.get_mut(index) else { return now };
    let (before, after) = (tokens(content), tokens(&with));
    *content = with;
    now.saturating_sub(before) + after
}

/// Where the first exchange ends, when it is not the last one.
fn first_exchange(history: &[HistoryItem]) -> Option<usize> {
    let mut questions = history.iter().enumerate().filter(|(_, i)| matches!(i, HistoryItem::User { .. })).map(|(at, _)| at);
    let first = questions.next()?;
    if first > 0 { Some(first) } else { questions.next() }
}

/// Cuts the largest results until `excess` tokens are saved.
fn cut_newest(history: &mut [HistoryItem], mut excess: u64) -> bool {
    let mut changed = false;
    while excess > 0 {
        let sizes = history.iter().enumerate().filter_map(|(i, item)| match item {
            HistoryItem::ToolResult { content, .. } if content.len() > SMALL => Some((tokens(content), i)),
            _ => None,
        });
        let Some((size, index)) = sizes.max() else { break };
        let Some(HistoryItem::ToolResult { content, .. }) = history.get_mut(index) else { break };
        // A little more than the excess goes, because the mark takes room too.
        let keep = size.saturating_sub(excess + 40).max(40);
        let chars = usize::try_from(keep * CHARS_PER_TOKEN).unwrap_or(usize::MAX);
        let head: String = content.chars().take(chars * content.chars().count() / content.len().max(1)).collect();
        let cut = format!(
            "{head} [cut here: the rest did not fit into the model's window, so fewer pages at a time are better{STUB_END}"
        );
        let after = tokens(&cut);
        if after >= size {
            break;
        }
        *content = cut;
        excess = excess.saturating_sub(size - after);
        changed = true;
    }
    changed
}

/// The stub for a result, unless it is small or a stub already.
fn stub_for(history: &[HistoryItem], index: usize) -> Option<String> {
    let HistoryItem::ToolResult { id, name, content, .. } = history.get(index)? else { return None };
    // A result that was only cut is long still.
    if content.len() <= SMALL || (is_stub(content) && content.starts_with('[')) {
        return None;
    }
    let what = serde_json::from_str::<Value>(content).ok().as_ref().and_then(describe).unwrap_or_else(|| {
        let arguments = history.iter().find_map(|i| match i {
            HistoryItem::ToolCall { id: call, arguments, .. } if call == id => Some(arguments.to_string()),
            _ => None,
        });
        let arguments: String = arguments.unwrap_or_default().chars().take(200).collect();
        format!("the result of {name}({arguments}) was shown here")
    });
    Some(format!("[{what}{STUB_END}"))
}

fn describe(envelope: &Value) -> Option<String> {
    let doc = envelope.get("doc_name")?.as_str()?;
    if let Some(pages) = envelope.get("returned_pages").and_then(Value::as_str) {
        let word = if pages.contains(['-', ',']) { "pages" } else { "page" };
        let verb = if word == "page" { "was" } else { "were" };
        return Some(format!("{word} {pages} of {doc} {verb} read here"));
    }
    envelope.get("structure")?;
    let part = envelope.get("pagination").and_then(|p| Some((p.get("part")?.as_u64()?, p.get("total_parts")?.as_u64()?)));
    Some(match part {
        Some((part, total)) if total > 1 => format!("part {part} of {total} of the structure of {doc} was shown here"),
        _ => format!("the structure of {doc} was shown here"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn exchange(n: u32, size: usize) -> Vec<HistoryItem> {
        let id = format!("c{n}");
        let content = json!({"success": true, "doc_name": "a.pdf", "returned_pages": format!("{n}-{}", n + 2), "content": [{"page": n, "text": "x".repeat(size)}]});
        vec![
            HistoryItem::User { text: format!("question {n}") },
            HistoryItem::ToolCall {
                id: id.clone(),
                name: "get_page_content".into(),
                arguments: json!({"doc_name": "a.pdf"}),
                payload: None,
            },
            HistoryItem::ToolResult {
                id,
                name: "get_page_content".into(),
                content: content.to_string(),
                is_error: false,
                images: vec![],
            },
            HistoryItem::Assistant { text: format!("answer {n}"), payload: None },
        ]
    }

    fn contents(history: &[HistoryItem]) -> Vec<&str> {
        history
            .iter()
            .filter_map(|i| if let HistoryItem::ToolResult { content, .. } = i { Some(content.as_str()) } else { None })
            .collect()
    }

    #[test]
    fn the_oldest_results_become_stubs_and_the_newest_stays() {
        let mut history: Vec<HistoryItem> = (1..=3).flat_map(|n| exchange(n, 4_000)).collect();
        assert!(!fit(&mut history, 10_000));
        assert!(fit(&mut history, 2_500));
        let now = contents(&history);
        assert_eq!(now[0], "[pages 1-3 of a.pdf were read here; ask again if needed]");
        assert!(is_stub(now[0]) && is_stub(now[1]) && !is_stub(now[2]));
        assert_eq!(history.len(), 12);
    }

    #[test]
    fn old_exchanges_go_when_stubs_are_not_enough_and_the_newest_is_cut_at_last() {
        let mut history: Vec<HistoryItem> = (1..=3).flat_map(|n| exchange(n, 4_000)).collect();
        assert!(fit(&mut history, 300));
        assert_eq!(history.len(), 4);
        assert!(history_tokens(&history) <= 300);
        assert!(
            contents(&history)[0].starts_with("{\"success\":true,\"doc_name\":\"a.pdf\",\"returned_pages\":\"3-5\"")
                && is_stub(contents(&history)[0])
        );
    }

    #[test]
    fn stubs_say_what_stood_there() {
        let structure =
            json!({"doc_name": "a.pdf", "structure": [], "pagination": {"part": 2, "total_parts": 3, "has_more": true}});
        assert_eq!(describe(&structure).as_deref(), Some("part 2 of 3 of the structure of a.pdf was shown here"));
        assert_eq!(
            describe(&json!({"doc_name": "a.pdf", "returned_pages": "5"})).as_deref(),
            Some("page 5 of a.pdf was read here")
        );
        assert_eq!(describe(&json!({"documents": []})), None);
    }
}
