//! What replies say: a summary, a description, or headings, whatever shape they have been brought into.

use serde_json::Value;

use super::json::{Found, values};
use crate::index::sentences::split;
use crate::index::titles::{fold, has_letters, shorten};
use crate::pdf::tidy;

/// Values inside values that are searched for the wanted one.
const NESTED: usize = 3;
/// Longest text of a reply that is kept, in characters; it is shortened further where it is used.
const TEXT_MAX: usize = 600;
/// Headings of one reply that are looked at.
const HEADINGS_MAX: usize = 500;

/// A heading that a model proposes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Proposal {
    pub title: String,
    pub page: u32,
}

/// The text under one of these keys, clean, in the last value that has it. A text that was cut off is kept up to its last whole sentence.
pub(super) fn text(reply: &str, keys: &[&str], title: &str) -> Option<String> {
    values(reply).iter().rev().find_map(|found| {
        let text = find_text(&found.value, keys, 0)?;
        let text = if found.cut { whole_sentences(&text) } else { text };
        let text = shorten(&clean(&text), TEXT_MAX);
        let says_something = has_letters(&text, 8) && fold(&text) != fold(title);
        says_something.then_some(text)
    })
}

fn find_text(value: &Value, keys: &[&str], depth: usize) -> Option<String> {
    match value {
        Value::Object(object) => {
            let named = object.iter().find(|(key, _)| keys.iter().any(|k| key.eq_ignore_ascii_case(k)));
            let inside = || object.values().filter(|_| depth < NESTED).find_map(|inner| find_text(inner, keys, depth + 1));
            named.and_then(|(_, value)| as_text(value)).or_else(inside)
        }
        Value::Array(list) if depth < NESTED => list.iter().find_map(|inner| find_text(inner, keys, depth + 1)),
        _ => None,
    }
}

fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(list) => {
            let texts: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            (!texts.is_empty()).then(|| texts.join(" "))
        }
        _ => None,
    }
}

fn whole_sentences(text: &str) -> String {
    let mut sentences = split(text);
    if !text.trim_end().ends_with(['.', '!', '?', '。', '！', '？']) {
        sentences.pop();
    }
    sentences.join(" ")
}

/// One line without markup: emphasis, heads, list marks, tags, control characters and runs of blanks are taken out.
fn clean(text: &str) -> String {
    let text = tidy(text.to_owned());
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.trim().trim_start_matches(['#', '>', '•']).trim_start();
        let line = ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
        for word in line.split(|c: char| c.is_whitespace() || c.is_control()) {
            let word = word.trim_matches('`').replace("**", "").replace("__", "");
            let word = word.trim_matches('*');
            if word.is_empty() || is_tag(word) {
                continue;
            }
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(word);
        }
    }
    out
}

fn is_tag(word: &str) -> bool {
    let inner = word.strip_prefix("</").or_else(|| word.strip_prefix('<')).and_then(|w| w.strip_suffix('>'));
    inner.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '/'))
}

/// The proposed headings; `None` where the reply holds no list of them. An empty list is an answer.
pub(super) fn headings(reply: &str) -> Option<Vec<Proposal>> {
    values(reply).iter().rev().find_map(|Found { value, .. }| find_headings(value, 0))
}

fn find_headings(value: &Value, depth: usize) -> Option<Vec<Proposal>> {
    match value {
        Value::Array(list) => {
            let found: Vec<Proposal> = list.iter().take(HEADINGS_MAX).filter_map(proposal).collect();
            if !found.is_empty() || list.is_empty() {
                return Some(found);
            }
            list.iter().filter(|_| depth < NESTED).find_map(|inner| find_headings(inner, depth + 1))
        }
        Value::Object(object) => {
            // One heading in place of a list of them.
            if let Some(single) = proposal(value) {
                return Some(vec![single]);
            }
            // A map of titles to pages.
            let pairs: Vec<Proposal> = object.iter().filter_map(|(title, value)| of(title, page(value)?)).collect();
            if object.len() >= 2 && pairs.len() == object.len() {
                return Some(pairs);
            }
            object.values().filter(|_| depth < NESTED).find_map(|inner| find_headings(inner, depth + 1))
        }
        _ => None,
    }
}

fn proposal(value: &Value) -> Option<Proposal> {
    match value {
        Value::Object(object) => {
            let get =
                |names: &[&str]| object.iter().find(|(key, _)| names.iter().any(|n| key.eq_ignore_ascii_case(n))).map(|(_, v)| v);
            let title = as_text(get(&["title", "heading", "name", "text", "section"])?)?;
            of(&title, page(get(&["page", "page_number", "pages", "start_page", "start", "start_index", "p"])?)?)
        }
        Value::Array(pair) => match pair.as_slice() {
            [Value::String(title), number] => of(title, page(number)?),
            _ => None,
        },
        _ => None,
    }
}

fn of(title: &str, page: u32) -> Option<Proposal> {
    let title = clean(title);
    (!title.is_empty()).then_some(Proposal { title, page })
}

/// A page number: a number, digits in a text ("p. 12", "12-14"), or the first of a list.
fn page(value: &Value) -> Option<u32> {
    match value {
        Value::Number(number) => number
            .as_u64()
            .or_else(|| {
                number.as_f64().filter(|n| n.fract() == 0.0 && (1.0..1e9).contains(n)).map(|n| {
                    #[allow(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "a whole number within the bounds just checked"
                    )]
                    let whole = n as u64;
                    whole
                })
            })
            .and_then(|n| u32::try_from(n).ok()),
        Value::String(text) => {
            let digits: String = text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
            digits.parse().ok()
        }
        Value::Array(list) => list.first().and_then(page),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn summary(reply: &str) -> Option<String> {
        text(reply, &["summary"], "Revenue")
    }

    #[test]
    fn summaries_in_many_shapes() {
        let wanted = Some("Sales rose by 4% to $12.3 million.".to_owned());
        for reply in [
            r#"{"summary": "Sales rose by 4% to $12.3 million."}"#,
            r#"{"Summary": ["Sales rose by 4%", "to $12.3 million."]}"#,
            r#"[{"summary": "Sales rose by 4% to $12.3 million."}]"#,
            r#"{"result": {"summary": "**Sales** rose by 4%\nto `$12.3` million."}}"#,
            "<think>{\"summary\": \"not yet thought through\"}</think>{\"summary\": \"- Sales rose by 4% to $12.3 million.\"}",
            r#"{"summary": "Sales rose by 4% to $12.3 million. Costs, on the other ha"#,
        ] {
            assert_eq!(summary(reply), wanted, "{reply}");
        }
        for reply in [
            "Sales rose.",
            r#"{"summary": ""}"#,
            r#"{"summary": "Revenue"}"#,
            r#"{"summary": 5}"#,
            r#"{"summary": "Sales ro"#,
            "{}",
        ] {
            assert_eq!(summary(reply), None, "{reply}");
        }
    }

    #[test]
    fn headings_in_many_shapes() {
        let wanted = Some(vec![Proposal { title: "1 Scope".into(), page: 12 }]);
        for reply in [
            r#"{"headings": [{"title": "1 Scope", "page": 12}]}"#,
            r#"{"headings": {"title": "1 Scope", "page": "12"}}"#,
            r#"[{"Heading": "1  Scope", "page_number": "p. 12"}]"#,
            r#"{"sections": [{"name": "**1 Scope**", "pages": [12, 14]}, {"name": "no page"}]}"#,
            r#"[["1 Scope", 12.0]]"#,
            r#"{"headings": [{"title": "1 Scope", "page": 12}, {"title": "2 Re"#,
        ] {
            assert_eq!(headings(reply), wanted, "{reply}");
        }
        assert_eq!(headings(r#"{"headings": {"1 Scope": 12, "2 Terms": "13"}}"#).map(|h| h.len()), Some(2));
        assert_eq!(headings("{\"headings\": []}"), Some(Vec::new()));
        assert_eq!(headings("There are none."), None);
        assert_eq!(headings(r#"{"error": "no"}"#), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn texts_are_one_clean_line(inner in "(?s).{0,300}") {
            let reply = serde_json::json!({"summary": inner}).to_string();
            if let Some(text) = summary(&reply) {
                prop_assert!(text.chars().count() <= TEXT_MAX);
                prop_assert!(!text.contains("**") && !text.chars().any(char::is_control) && text.trim() == text);
            }
            let _ = headings(&reply);
            let _ = headings(&inner);
        }
    }
}
