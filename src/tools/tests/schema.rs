//! What the shown schemas accept and what the tools accept are the same, but for a few leniences that are spelled out here once more,
//! independent of the code that has them.

use jsonschema::Validator;
use serde_json::Map;

use super::super::arguments::Arguments;
use super::super::definition::{Tool, tools};
use super::generated::{self, Random, SHAPES};
use super::*;

/// Generated objects per tool and shape.
const CASES: u64 = 600;

const NAMES: [&str; 3] = ["annual-report.pdf", "memo.pdf", "a \"name\"\n.pdf"];

/// The arguments as a careful caller would have sent them: each lenience undone. What has no lenience stays as it is.
fn careful(schema: &Value, sent: &Map<String, Value>) -> Map<String, Value> {
    let required = schema["required"].as_array().unwrap();
    let mut out = Map::new();
    for (name, value) in sent {
        let property = &schema["properties"][name];
        // Null stands for an optional argument that is left out.
        if value.is_null() && (property.is_object() || is_hidden(name, &Value::Null)) && !required.contains(&json!(name)) {
            continue;
        }
        if property.is_null() && is_hidden(name, value) {
            continue;
        }
        out.insert(name.clone(), value_of(name, property, value));
    }
    out
}

/// Whether this is an argument of the cloud, with a value that means nothing here.
fn is_hidden(name: &str, value: &Value) -> bool {
    match name {
        "folder_id" => value.is_null() || value == "root",
        "recursive" => value.is_null() || truth(value).is_some(),
        _ => false,
    }
}

fn truth(value: &Value) -> Option<bool> {
    match value.as_str().map(|text| text.trim().to_lowercase()).as_deref() {
        Some("true") => Some(true),
        Some("false") => Some(false),
        _ => value.as_bool(),
    }
}

/// A number that was sent as text.
fn figure(value: &Value) -> Option<Value> {
    let text = value.as_str()?.trim();
    match text.parse::<i128>() {
        Ok(number) => Some(i64::try_from(number).map_or(json!(number as f64), Value::from)),
        Err(_) => text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from),
    }
}

fn value_of(name: &str, property: &Value, sent: &Value) -> Value {
    let value = match property["type"].as_str() {
        Some("boolean") => truth(sent).map(Value::from),
        Some("integer" | "number") => figure(sent),
        Some("string") if property["enum"].is_array() => sent.as_str().map(|text| json!(text.trim().to_lowercase())),
        // Spaces around numbers and other dashes; a page number alone.
        Some("string") if name == "pages" => match sent {
            Value::String(spec) => {
                let plain = spec.replace(['\u{2013}', '\u{2212}'], "-");
                let items: Vec<String> =
                    plain.split(',').map(|item| item.split('-').map(str::trim).collect::<Vec<_>>().join("-")).collect();
                Some(json!(items.join(",")))
            }
            Value::Number(number) if number.as_f64().is_some_and(|number| number.fract() == 0.0 && number >= 0.0) => {
                Some(json!(format!("{:.0}", number.as_f64().unwrap())))
            }
            _ => None,
        },
        _ => None,
    };
    let value = value.unwrap_or_else(|| sent.clone());
    // A part out of bounds is brought into them.
    match value.as_f64() {
        Some(part) if name == "part" && part.fract() == 0.0 => json!(1),
        _ => value,
    }
}

/// What the pattern of a page spec cannot say: pages are counted from 1, ranges run forwards, no number is larger than any page.
fn pages_make_sense(object: &Map<String, Value>) -> bool {
    let Some(spec) = object.get("pages").and_then(Value::as_str) else { return true };
    spec.split(',').all(|item| {
        let ends: Vec<f64> = item.split('-').filter_map(|end| end.trim().parse().ok()).collect();
        ends.iter().all(|end| (1.0..=1_000_000.0).contains(end)) && ends.is_sorted()
    })
}

fn check_against_schema(tool: &'static Tool, validator: &Validator, schema: &Value, sent: &Map<String, Value>) -> bool {
    let accepted = Arguments::read(tool, sent).is_ok();
    let known = |object: &Map<String, Value>| object.keys().all(|name| schema["properties"][name].is_object());
    let fits = |object: &Map<String, Value>| {
        known(object) && pages_make_sense(object) && validator.is_valid(&Value::Object(object.clone()))
    };
    let shown = || Value::Object(sent.clone()).to_string();
    assert!(accepted || !fits(sent), "{} refuses what its schema accepts: {}", tool.name, shown());
    assert_eq!(accepted, fits(&careful(schema, sent)), "{}: {}", tool.name, shown());
    accepted
}

#[test]
fn the_shown_schema_is_what_is_accepted() {
    for tool in tools(true) {
        let schema = tool.definition().input_schema;
        let validator = jsonschema::validator_for(&schema).unwrap();
        let mut random = Random(5);
        let mut counts = [0_u64; 2];
        for shape in SHAPES {
            for _ in 0..CASES {
                let Value::Object(sent) = generated::arguments(&mut random, tool, &NAMES, shape) else { continue };
                counts[usize::from(check_against_schema(tool, &validator, &schema, &sent))] += 1;
            }
        }
        assert!(counts.iter().all(|count| *count > CASES / 4), "{}: refused and accepted {counts:?}", tool.name);
    }
}

#[test]
fn what_only_a_schema_would_notice() {
    for (name, sent) in [
        ("get_page_content", json!({"doc_name": "a", "pages": "1,\u{feff}2"})),
        ("get_page_content", json!({"doc_name": "a", "pages": "1,\n\u{a0}2"})),
        ("get_page_content", json!({"doc_name": "a", "pages": "\u{661}"})),
        ("get_page_content", json!({"doc_name": " ", "pages": "1,2,"})),
        ("browse_documents", json!({"limit": 50.5})),
        ("browse_documents", json!({"limit": 0.999})),
        ("browse_documents", json!({"limit": 50.0, "offset": 9_007_199_254_740_991_u64})),
        ("browse_documents", json!({"offset": 9_007_199_254_740_992_u64})),
        ("browse_documents", json!({"offset": 1e300, "query": ""})),
        ("get_document_structure", json!({"doc_name": "a", "part": 1e300})),
        ("get_document_structure", json!({"doc_name": "a", "part": -7})),
        ("get_document_structure", json!({"doc_name": "a", "part": "inf"})),
        ("remove_document", json!({"doc_names": ["a", "a"]})),
    ] {
        let tool = Tool::named(name).unwrap();
        let schema = tool.definition().input_schema;
        let validator = jsonschema::validator_for(&schema).unwrap();
        check_against_schema(tool, &validator, &schema, sent.as_object().unwrap());
    }
}
