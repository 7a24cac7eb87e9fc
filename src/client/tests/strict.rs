//! Schemas of others, as a server may hand them out.

use serde_json::{Value, json};

use crate::client::strict::strict;

fn of(property: Value) -> Option<Value> {
    let schema = json!({"type": "object", "properties": {"x": property}});
    strict(&schema).map(|schema| schema["properties"]["x"].clone())
}

#[test]
fn what_may_be_left_out_may_be_null() {
    for (property, expected) in [
        (json!({"type": "string"}), json!({"type": ["string", "null"], "description": "null leaves it out."})),
        (
            json!({"type": ["integer", "null"], "default": null}),
            json!({"type": ["integer", "null"], "description": "null leaves it out."}),
        ),
        (
            json!({"enum": ["a", "b"], "default": "a", "description": "Which."}),
            json!({"type": ["string", "null"], "enum": ["a", "b", null], "description": "Which. null stands for \"a\"."}),
        ),
        (json!({"const": "a"}), json!({"type": ["string", "null"], "enum": ["a", null], "description": "null leaves it out."})),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string", "maxLength": 9}}]}),
            json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string", "description": "At most 9 characters."}},
                {"type": "null"}], "description": "null leaves it out."}),
        ),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "null"}], "title": "X"}),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}], "description": "null leaves it out."}),
        ),
        (
            json!({"type": "object", "properties": {"y": {"type": "number", "minimum": 1, "exclusiveMaximum": 2}}, "required": ["y"]}),
            json!({"type": ["object", "null"], "properties": {"y": {"type": "number", "description": "1 or more. Less than 2."}},
                "required": ["y"], "additionalProperties": false, "description": "null leaves it out."}),
        ),
    ] {
        assert_eq!(of(property.clone()), Some(expected), "{property}");
    }
}

#[test]
fn what_is_required_stays_as_it_is() {
    let schema =
        json!({"type": "object", "properties": {"x": {"type": "string", "minLength": 1, "pattern": "^a+$"}}, "required": ["x"]});
    let expected = json!({
        "type": "object",
        "properties": {"x": {"type": "string", "description": "Not empty. Matches the regular expression `^a+$`."}},
        "required": ["x"],
        "additionalProperties": false,
    });
    assert_eq!(strict(&schema), Some(expected.clone()));
    assert_eq!(strict(&expected), Some(expected), "a strict schema is its own strict form");
    assert_eq!(strict(&json!({"type": "object"})).unwrap()["required"], json!([]));
}

#[test]
fn what_has_no_strict_form_is_said_so() {
    for property in [
        json!({}),
        json!(true),
        json!({"enum": [1, "a"]}),
        json!({"type": "array"}),
        json!({"type": "object"}),
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
        json!({"oneOf": [{"type": "string"}]}),
        json!({"allOf": [{"type": "string"}]}),
        json!({"$ref": "#/$defs/x"}),
        json!({"type": "string", "not": {"const": "a"}}),
        json!({"type": "string", "anyOf": [{"minLength": 1}]}),
    ] {
        assert_eq!(of(property.clone()), None, "{property}");
    }
    for schema in [json!({}), json!([]), json!({"type": "string"}), json!({"type": "object", "properties": []})] {
        assert_eq!(strict(&schema), None, "{schema}");
    }
}
