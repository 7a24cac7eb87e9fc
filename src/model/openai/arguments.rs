//! Reads the arguments of a tool call, also where a model's JSON is slightly broken. Nothing is guessed: what was cut off stays broken,
//! since half a page range is another page range.

use serde_json::{Map, Value};

/// The arguments as an object, or the raw text as a JSON string where it cannot be read as one.
pub(super) fn read(text: &str) -> Value {
    let trimmed = text.trim();
    // Some servers send nothing for a call without arguments.
    if trimmed.is_empty() {
        return Value::Object(Map::new());
    }
    object(trimmed).map_or_else(|| Value::String(text.to_owned()), Value::Object)
}

/// Arguments that came as JSON rather than as text: an object stays, a string is read, a list of one object is that object.
pub(super) fn read_value(value: Value) -> Value {
    match unwrapped(value) {
        Ok(object) => Value::Object(object),
        Err(Value::String(text)) => read(&text),
        Err(other) => Value::String(other.to_string()),
    }
}

/// The one object that the text holds, if it is one.
pub(super) fn object(text: &str) -> Option<Map<String, Value>> {
    let text = unfenced(text.trim());
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        return match unwrapped(value) {
            Ok(object) => Some(object),
            // Encoded twice.
            Err(Value::String(inner)) => serde_json::from_str(&inner).ok(),
            Err(_) => None,
        };
    }
    first_object(text).or_else(|| first_object(&tidied(text)))
}

fn unwrapped(value: Value) -> Result<Map<String, Value>, Value> {
    match value {
        Value::Object(object) => Ok(object),
        Value::Null => Ok(Map::new()),
        Value::Array(mut list) if list.len() == 1 && list.first().is_some_and(Value::is_object) => match list.pop() {
            Some(Value::Object(object)) => Ok(object),
            _ => Err(Value::Null),
        },
        other => Err(other),
    }
}

/// The object at the start when what follows adds nothing: stray closing brackets, or the same object again.
fn first_object(text: &str) -> Option<Map<String, Value>> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Map<String, Value>>();
    let first = values.next()?.ok()?;
    let rest = text.get(values.byte_offset()..)?.trim();
    let stray = rest.chars().all(|c| matches!(c, '}' | ']' | ';') || c.is_whitespace());
    let again = || serde_json::from_str::<Map<String, Value>>(rest).is_ok_and(|second| second == first);
    (stray || again()).then_some(first)
}

/// The inside of a fenced block that is the whole text.
fn unfenced(text: &str) -> &str {
    let Some(inner) = text.strip_prefix("```").and_then(|t| t.strip_suffix("```")) else { return text };
    inner.strip_prefix("json").unwrap_or(inner).trim()
}

/// The text with the usual slips undone: trailing commas, bare line breaks and tabs in strings, single quotes, Python's literals.
fn tidied(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' | '\'' => string(c, &mut chars, &mut out),
            '}' | ']' => {
                let kept = out.trim_end().trim_end_matches(',').len();
                out.truncate(kept);
                out.push(c);
            }
            c if c.is_ascii_alphabetic() => {
                let mut word = String::from(c);
                while let Some(next) = chars.next_if(char::is_ascii_alphanumeric) {
                    word.push(next);
                }
                out.push_str(match word.as_str() {
                    "True" => "true",
                    "False" => "false",
                    "None" => "null",
                    other => other,
                });
            }
            other => out.push(other),
        }
    }
    out
}

/// Copies a string whose opening quote was just read. A string without an end stays without one.
fn string(quote: char, chars: &mut std::iter::Peekable<std::str::Chars<'_>>, out: &mut String) {
    out.push('"');
    while let Some(c) = chars.next() {
        match c {
            c if c == quote => {
                out.push('"');
                return;
            }
            '\\' => match chars.next() {
                Some('\'') => out.push('\''),
                Some(escaped) => out.extend(['\\', escaped]),
                None => out.push('\\'),
            },
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn whole_and_slightly_broken_objects_are_read() {
        let wanted = json!({"doc_name": "a.pdf", "pages": "1,3"});
        for text in [
            r#"{"doc_name": "a.pdf", "pages": "1,3"}"#,
            r#" {"doc_name": "a.pdf", "pages": "1,3",} "#,
            r#"{"doc_name": "a.pdf", "pages": "1,3"}}"#,
            r#"[{"doc_name": "a.pdf", "pages": "1,3"}]"#,
            r#""{\"doc_name\": \"a.pdf\", \"pages\": \"1,3\"}""#,
            "```json\n{\"doc_name\": \"a.pdf\", \"pages\": \"1,3\"}\n```",
            r#"{'doc_name': 'a.pdf', 'pages': '1,3'}"#,
            r#"{"doc_name": "a.pdf", "pages": "1,3"}{"doc_name": "a.pdf", "pages": "1,3"}"#,
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
        assert_eq!(
            read("{'a': True, 'b': None, 'c': \"it's\", 'd': 'say \"x\"'}"),
            json!({"a": true, "b": null, "c": "it's", "d": "say \"x\""})
        );
        assert_eq!(read("{\"query\": \"two\nlines\", \"n\": [1, 2,],}"), json!({"query": "two\nlines", "n": [1, 2]}));
        assert_eq!(read("  "), json!({}));
        assert_eq!(read("null"), json!({}));
    }

    #[test]
    fn what_cannot_be_read_stays_raw() {
        for text in [r#"{"pages": "1,3"#, r#"{"pages": "1"#, "pages 1 to 3", "[1, 2]", "5", r#"{"a": 1}{"a": 2}"#, "{,", "{"] {
            assert_eq!(read(text), Value::String(text.into()));
        }
    }

    #[test]
    fn arguments_may_be_json_values() {
        assert_eq!(read_value(json!({"a": 1})), json!({"a": 1}));
        assert_eq!(read_value(json!("{\"a\": 1}")), json!({"a": 1}));
        assert_eq!(read_value(json!([{"a": 1}])), json!({"a": 1}));
        assert_eq!(read_value(json!(7)), json!("7"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn any_object_survives(keys in proptest::collection::btree_map(".{0,6}", ".{0,8}", 0..4)) {
            let value = json!(keys);
            prop_assert_eq!(read(&value.to_string()), value);
        }

        #[test]
        fn any_text_gives_an_object_or_itself(text in "[{}\\[\\]\"',:\\\\a-z0-9 \n]{0,24}") {
            let value = read(&text);
            prop_assert!(value.is_object() || value == Value::String(text));
        }

        #[test]
        fn a_cut_object_is_never_completed(cut in 1_usize..30) {
            let whole = r#"{"doc_name": "a.pdf", "pages": "10-12"}"#;
            prop_assert!(read(&whole[..cut]).is_string());
        }
    }
}
