//! Keeping a history valid: every call has its result, every question something after it.

use std::collections::HashSet;

use super::envelopes;
use crate::model::HistoryItem;

/// Closes a question that was left without an answer, so that the next one does not follow it directly.
const NO_ANSWER: &str = "(This question was left without an answer.)";

/// Makes a history valid that may have been cut at any point (a session saved by a killed program): calls without a result get one that says
/// "interrupted", results without a call go, and a question at the end that was never taken up goes too, so that it can be asked again.
pub(super) fn repair(history: &mut Vec<HistoryItem>) {
    let mut out: Vec<HistoryItem> = Vec::with_capacity(history.len());
    let mut seen: HashSet<String> = HashSet::new();
    // Open calls in order, as (id in the old history, id in the new one, name).
    let mut open: Vec<(String, String, String)> = Vec::new();
    let mut answering = false;
    for item in history.drain(..) {
        match item {
            HistoryItem::ToolCall { id, name, arguments, payload } => {
                if answering {
                    close(&mut out, &mut open);
                    answering = false;
                }
                let unique = unique_id(&id, &seen);
                seen.insert(unique.clone());
                open.push((id, unique.clone(), name.clone()));
                out.push(HistoryItem::ToolCall { id: unique, name, arguments, payload });
            }
            HistoryItem::ToolResult { id, name, content, is_error, images } => {
                if let Some(at) = open.iter().position(|(old, _, _)| *old == id) {
                    let (_, id, _) = open.remove(at);
                    answering = true;
                    out.push(HistoryItem::ToolResult { id, name, content, is_error, images });
                }
            }
            item @ HistoryItem::User { .. } => {
                close(&mut out, &mut open);
                answering = false;
                out.push(item);
            }
            item @ HistoryItem::Assistant { .. } => {
                if answering {
                    close(&mut out, &mut open);
                    answering = false;
                }
                out.push(item);
            }
        }
    }
    close(&mut out, &mut open);
    while matches!(out.last(), Some(HistoryItem::User { .. })) {
        out.pop();
    }
    if matches!(out.last(), Some(HistoryItem::ToolResult { .. })) {
        out.push(no_answer());
    }
    *history = out;
}

fn close(out: &mut Vec<HistoryItem>, open: &mut Vec<(String, String, String)>) {
    for (_, id, name) in open.drain(..) {
        out.push(HistoryItem::ToolResult { id, name, content: envelopes::interrupted(), is_error: true, images: Vec::new() });
    }
}

/// Closes a question that was left without an answer.
pub(super) fn no_answer() -> HistoryItem {
    HistoryItem::Assistant { text: NO_ANSWER.to_owned(), payload: None }
}

/// Ends a run without an answer that began at `start`: what was read stays, with a note that closes the question; a question for which
/// nothing was done goes.
pub(super) fn close_run(history: &mut Vec<HistoryItem>, start: usize) {
    let run = history.get(start..).unwrap_or_default();
    let worked = run.iter().any(|i| matches!(i, HistoryItem::ToolResult { .. } | HistoryItem::Assistant { .. }));
    if !worked {
        history.truncate(start);
    } else if !matches!(history.last(), Some(HistoryItem::Assistant { .. })) {
        history.push(no_answer());
    }
}

/// An id that is not taken: some servers count their calls from zero in every turn, or give no id at all.
pub(super) fn unique_id(id: &str, taken: &HashSet<String>) -> String {
    if !id.is_empty() && !taken.contains(id) {
        return id.to_owned();
    }
    let stem = if id.is_empty() { "call" } else { id };
    (1..=taken.len() + 1)
        .map(|n| format!("{stem}-{n}"))
        .find(|c| !taken.contains(c))
        .unwrap_or_else(|| format!("{stem}-{}", taken.len() + 2))
}

/// All call ids of a history.
pub(super) fn call_ids(history: &[HistoryItem]) -> HashSet<String> {
    history.iter().filter_map(|i| if let HistoryItem::ToolCall { id, .. } = i { Some(id.clone()) } else { None }).collect()
}

/// Whether every call has exactly one result after it and before the next user item, and every result its call.
#[cfg(test)]
pub(super) fn is_valid(history: &[HistoryItem]) -> bool {
    let mut open: HashSet<&str> = HashSet::new();
    let mut ids: HashSet<&str> = HashSet::new();
    for item in history {
        match item {
            HistoryItem::ToolCall { id, .. } => {
                if !ids.insert(id) {
                    return false;
                }
                open.insert(id);
            }
            HistoryItem::ToolResult { id, .. } => {
                if !open.remove(id.as_str()) {
                    return false;
                }
            }
            HistoryItem::User { .. } => {
                if !open.is_empty() {
                    return false;
                }
            }
            HistoryItem::Assistant { .. } => {}
        }
    }
    open.is_empty()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn item(kind: u8, id: u8) -> HistoryItem {
        let id = format!("c{id}");
        match kind {
            0 => HistoryItem::User { text: "q".into() },
            1 => HistoryItem::Assistant { text: "a".into(), payload: None },
            2 => HistoryItem::ToolCall { id, name: "t".into(), arguments: json!({}), payload: None },
            _ => HistoryItem::ToolResult { id, name: "t".into(), content: "{}".into(), is_error: false, images: vec![] },
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_history_becomes_valid_and_stays_as_it_is(items in proptest::collection::vec((0u8..4, 0u8..4), 0..16)) {
            let mut history: Vec<HistoryItem> = items.iter().map(|&(kind, id)| item(kind, id)).collect();
            repair(&mut history);
            prop_assert!(is_valid(&history), "{:?}", history);
            let asked = matches!(history.last(), Some(HistoryItem::User { .. }));
            prop_assert!(!asked);
            let before = history.clone();
            repair(&mut history);
            prop_assert_eq!(history, before);
        }
    }

    #[test]
    fn a_cut_run_is_closed() {
        let mut history = vec![item(0, 0), item(2, 1), item(2, 2), item(3, 2)];
        repair(&mut history);
        assert_eq!(history.len(), 6);
        assert!(matches!(&history[4], HistoryItem::ToolResult { id, is_error: true, .. } if id == "c1"));
        assert_eq!(history[5], no_answer());
    }
}
