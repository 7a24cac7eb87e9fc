//! Tool schemas as servers can read them. Many turn a schema into a grammar, and their readers know only a part of JSON Schema: llama.cpp
//! refuses a whole request over a `\d` in a pattern. The tools check their arguments anyway, so a model loses nothing.

use serde_json::{Map, Value};

/// Keywords whose value is a schema for each name, so that the names are no keywords.
const NAMED: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// Keywords that hold examples or values, never a schema.
const VALUES: [&str; 5] = ["enum", "const", "default", "examples", "required"];

/// Keywords that only narrow values; a schema without them describes the same arguments.
const NARROWING: [&str; 13] = [
    "pattern",
    "format",
    "default",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
];

/// The schema with patterns in a form that every server reads; a pattern that has none is left out.
pub(super) fn portable(schema: &Value) -> Value {
    rewritten(schema, &|keyword, value| match (keyword, value) {
        ("pattern", Value::String(pattern)) => portable_pattern(pattern).map(Value::String),
        (_, value) => Some(value.clone()),
    })
}

/// The schema without all that only narrows values.
pub(super) fn bare(schema: &Value) -> Value {
    rewritten(schema, &|keyword, value| (!NARROWING.contains(&keyword)).then(|| value.clone()))
}

/// The schema with each keyword's value replaced, or gone; what holds further schemas is walked.
fn rewritten(schema: &Value, change: &dyn Fn(&str, &Value) -> Option<Value>) -> Value {
    match schema {
        Value::Object(keywords) => {
            let kept = keywords.iter().filter_map(|(keyword, value)| {
                let value = change(keyword, value)?;
                let value = match value {
                    Value::Object(names) if NAMED.contains(&keyword.as_str()) => {
                        names.iter().map(|(name, inner)| (name.clone(), rewritten(inner, change))).collect::<Map<_, _>>().into()
                    }
                    value if VALUES.contains(&keyword.as_str()) => value,
                    value => rewritten(&value, change),
                };
                Some((keyword.clone(), value))
            });
            Value::Object(kept.collect())
        }
        Value::Array(list) => list.iter().map(|item| rewritten(item, change)).collect(),
        other => other.clone(),
    }
}

/// A pattern without escaped classes, anchored at both ends (llama.cpp takes no other), or `None` where that cannot be.
fn portable_pattern(pattern: &str) -> Option<String> {
    if !pattern.starts_with('^') || !pattern.ends_with('$') || pattern.contains("(?") {
        return None;
    }
    let mut out = String::with_capacity(pattern.len());
    let mut in_class = false;
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match (c, in_class) {
            ('\\', _) => {
                let class = match chars.next()? {
                    'd' => "0-9",
                    'w' => "A-Za-z0-9_",
                    // One blank stands for all white space: no model writes another in an argument on purpose.
                    's' => {
                        out.push(' ');
                        continue;
                    }
                    escaped if !escaped.is_alphanumeric() => {
                        out.extend(['\\', escaped]);
                        continue;
                    }
                    _ => return None,
                };
                if in_class {
                    out.push_str(class);
                } else {
                    out.extend(["[", class, "]"]);
                }
            }
            (c, _) => {
                in_class = if in_class { c != ']' } else { c == '[' };
                out.push(c);
            }
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn patterns_hold_no_escaped_class() {
        for (pattern, wanted) in [
            (r"^(\d+(-\d+)?)(,\s*\d+(-\d+)?)*$", Some("^([0-9]+(-[0-9]+)?)(, *[0-9]+(-[0-9]+)?)*$")),
            (r"^[\d.]+\.\w$", Some(r"^[0-9.]+\.[A-Za-z0-9_]$")),
            ("^[a-z]+$", Some("^[a-z]+$")),
            (r"^\bword$", None),
            (r"^\p{L}+$", None),
            ("^(?=a)a$", None),
            ("[0-9]+", None),
            ("^\\", None),
        ] {
            let schema = portable(&json!({"type": "string", "pattern": pattern}));
            assert_eq!(schema.get("pattern").and_then(Value::as_str), wanted, "{pattern}");
        }
    }

    #[test]
    fn only_keywords_are_touched_never_names_or_values() {
        let schema = json!({
            "type": "object", "required": ["pattern"], "additionalProperties": false,
            "properties": {
                "pattern": {"type": "string", "minLength": 1, "description": "d"},
                "default": {"type": "array", "minItems": 1, "items": {"type": "string", "pattern": r"\d"}},
                "kind": {"enum": ["a", {"pattern": r"\d"}], "default": "a"},
                "either": {"anyOf": [{"type": "integer", "maximum": 9_007_199_254_740_991_u64}, {"type": "null"}]}
            }
        });
        let mut wanted = schema.clone();
        wanted["properties"]["default"]["items"] = json!({"type": "string"});
        assert_eq!(portable(&schema), wanted);
        assert_eq!(
            bare(&schema),
            json!({
                "type": "object", "required": ["pattern"], "additionalProperties": false,
                "properties": {
                    "pattern": {"type": "string", "description": "d"},
                    "default": {"type": "array", "items": {"type": "string"}},
                    "kind": {"enum": ["a", {"pattern": r"\d"}]},
                    "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]}
                }
            })
        );
    }
}
