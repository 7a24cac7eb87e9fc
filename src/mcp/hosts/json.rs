//! Entries in JSON files, with comments or without.

use jsonc_parser::cst::{CstInputValue, CstNode, CstObject, CstRootNode};
use jsonc_parser::{ParseOptions, parse_to_ast};
use serde_json::{Map, Value};

use super::merge::{MergeError, Merged, not_twice, shown};

/// The block for a file that holds nothing else.
pub(super) fn block(servers_key: &str, name: &str, value: Value) -> String {
    let whole = nested(servers_key, nested(name, value));
    format!("{}\n", shown(&format!("{whole:#}")))
}

/// `text` with `value` under `servers_key` and `name`. `lenient` allows comments and trailing commas.
pub(super) fn merge(text: &str, lenient: bool, servers_key: &str, name: &str, value: &Value) -> Result<Merged, MergeError> {
    if !lenient {
        check_strictly(text)?;
    }
    let options = options(lenient);
    let root = parse(text, &options)?;
    let before = root.to_serde_value();
    let Some(top) = root.object_value_or_create() else {
        return Err(MergeError::Shape("it holds no object".to_owned()));
    };
    not_twice(servers_key, count(&top, servers_key))?;
    let (new, replaced) = match top.get(servers_key) {
        None => (insert(text, &root, &top, &[], servers_key, &nested(name, value.clone()))?, false),
        Some(servers) => {
            let Some(servers) = servers.object_value() else {
                return Err(MergeError::Shape(format!("`{servers_key}` in it is not an object")));
            };
            not_twice(&format!("{servers_key}.{name}"), count(&servers, name))?;
            match servers.get(name) {
                None => (insert(text, &root, &servers, &[servers_key], name, value)?, false),
                Some(entry) if entry.value().and_then(|node: CstNode| node.to_serde_value()).as_ref() == Some(value) => {
                    return Ok(Merged::Same);
                }
                Some(entry) => {
                    entry.set_value(input(value));
                    (root.to_string(), true)
                }
            }
        }
    };
    let after = parse(&new, &options)?.to_serde_value();
    let there = after.as_ref().and_then(|top| top.get(servers_key)?.get(name)) == Some(value);
    if !there || without(before, servers_key, name) != without(after, servers_key, name) {
        return Err(MergeError::Shape("the entry cannot be put into it without touching something else".to_owned()));
    }
    Ok(if replaced { Merged::Replaced(new) } else { Merged::Added(new) })
}

/// The text with one more property at the end of `object`, which `path` leads to. An object on one line stays on it.
fn insert(
    text: &str,
    root: &CstRootNode,
    object: &CstObject,
    path: &[&str],
    key: &str,
    value: &Value,
) -> Result<String, MergeError> {
    if object.properties().is_empty() || object.to_string().contains('\n') {
        object.append(key, input(value));
        return Ok(root.to_string());
    }
    let lost = || MergeError::Shape("its end was not found".to_owned());
    let parsed = parse_to_ast(text, &Default::default(), &ParseOptions::default()).map_err(|_| lost())?;
    let mut object = parsed.value.as_ref().and_then(|value| value.as_object()).ok_or_else(lost)?;
    for step in path {
        object = object.get_object(step).ok_or_else(lost)?;
    }
    // Behind the last value and before whatever follows it: a comma that trails then trails the new one.
    let end = object.properties.last().map(|property| property.range.end).ok_or_else(lost)?;
    let (before, behind) = text.split_at_checked(end).ok_or_else(lost)?;
    Ok(format!("{before}, {}: {value}{behind}", Value::from(key)))
}

fn parse(text: &str, options: &ParseOptions) -> Result<CstRootNode, MergeError> {
    CstRootNode::parse(text, options)
        .map_err(|error| MergeError::at(text, error.range().start, error.kind().to_string().to_lowercase()))
}

/// Refuses what a host cannot read that takes plain JSON. The editing parser lets comments pass as soon as it is to keep them.
fn check_strictly(text: &str) -> Result<(), MergeError> {
    match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Ok(_) => Ok(()),
        Err(error) => {
            let (line, column) = (error.line(), error.column());
            let place = format!(" at line {line} column {column}");
            Err(MergeError::Syntax { line, column, problem: error.to_string().replace(&place, "") })
        }
    }
}

/// What the hosts read: JSON, or JSON with comments and trailing commas, but none of the other liberties that the parser knows.
fn options(lenient: bool) -> ParseOptions {
    ParseOptions {
        allow_comments: lenient,
        allow_trailing_commas: lenient,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn count(object: &CstObject, key: &str) -> usize {
    object.properties().iter().filter(|property| property.decoded_name().as_deref() == Some(key)).count()
}

fn nested(key: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(key.to_owned(), value)]))
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(fields) => CstInputValue::Object(fields.iter().map(|(key, value)| (key.clone(), input(value))).collect()),
    }
}

/// The value without the entry, to compare what must not have changed.
fn without(value: Option<Value>, servers_key: &str, name: &str) -> Value {
    let mut value = value.unwrap_or(Value::Object(Map::new()));
    if let Some(top) = value.as_object_mut() {
        let emptied = match top.get_mut(servers_key).and_then(Value::as_object_mut) {
            Some(servers) => {
                servers.shift_remove(name);
                servers.is_empty()
            }
            None => false,
        };
        if emptied {
            top.shift_remove(servers_key);
        }
    }
    value
}
