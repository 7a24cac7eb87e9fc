//! Schemas for servers that make a model keep to them (`"strict": true`).
//!
//! Such servers take a small part of JSON Schema: every object is closed and requires all it has, so an argument that may be left out becomes
//! one that may be null. Bounds are taken by OpenAI's newer models, but neither by its fine-tuned ones nor by Azure, and `default` by some
//! only; so all of them move into the description, where every model reads them, and the tools check them in any case.

use serde_json::{Map, Value, json};

/// The largest whole number that every JSON reader keeps exactly. As an upper bound it says nothing of the argument.
const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

/// Keywords that stay or that are dealt with by themselves.
const KEPT: [&str; 9] =
    ["type", "enum", "const", "description", "properties", "required", "additionalProperties", "items", "anyOf"];

/// The schema in strict form, or `None` when it has no such form: it leaves open which properties there are, or uses keywords whose meaning
/// would be lost. Such a tool has to be offered without `strict`.
pub(super) fn strict(schema: &Value) -> Option<Value> {
    let object = schema.as_object()?;
    if object.get("type") != Some(&json!("object")) {
        return None;
    }
    // A tool without arguments often says no more than that they are an object.
    let mut object = object.clone();
    object.entry("properties").or_insert_with(|| json!({}));
    convert(&object, false)
}

/// One schema; `optional`: null stands for leaving it out.
fn convert(schema: &Map<String, Value>, optional: bool) -> Option<Value> {
    let mut words = Words::default();
    if optional && schema.get("default").is_none_or(Value::is_null) {
        words.null = Some("null leaves it out.".to_owned());
    }
    for (keyword, value) in schema {
        if !KEPT.contains(&keyword.as_str()) {
            words.take(keyword, value, optional)?;
        }
    }
    let mut out = Map::new();
    if let Some(choices) = schema.get("anyOf") {
        // What stands beside the choices would have to go into each of them.
        if ["type", "enum", "const", "properties", "items"].iter().any(|keyword| schema.contains_key(*keyword)) {
            return None;
        }
        let mut choices: Vec<Value> =
            choices.as_array()?.iter().map(|choice| convert(choice.as_object()?, false)).collect::<Option<_>>()?;
        if optional && !choices.iter().any(takes_null) {
            choices.push(json!({"type": "null"}));
        }
        out.insert("anyOf".to_owned(), choices.into());
    } else {
        out.insert("type".to_owned(), types(schema, optional)?);
        if let Some(values) = values(schema)? {
            out.insert("enum".to_owned(), nullable(values, optional, &Value::Null).into());
        }
        let is = |name: &str| schema.get("type").is_some_and(|kind| named(kind).any(|kind| kind == name));
        if is("object") {
            close(schema, &mut out)?;
        }
        if is("array") {
            out.insert("items".to_owned(), convert(schema.get("items")?.as_object()?, false)?);
        }
    }
    if let Some(description) = words.after(schema.get("description").and_then(Value::as_str)) {
        out.insert("description".to_owned(), description.into());
    }
    Some(Value::Object(out))
}

/// The properties of an object, all required, and no others.
fn close(schema: &Map<String, Value>, out: &mut Map<String, Value>) -> Option<()> {
    if schema.get("additionalProperties").is_some_and(|more| *more != Value::Bool(false)) {
        return None;
    }
    let properties = schema.get("properties")?.as_object()?;
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let converted: Map<String, Value> = properties
        .iter()
        .map(|(name, property)| Some((name.clone(), convert(property.as_object()?, !required.contains(&name.as_str()))?)))
        .collect::<Option<_>>()?;
    let all = converted.keys().cloned().collect();
    out.insert("properties".to_owned(), Value::Object(converted));
    out.insert("required".to_owned(), all);
    out.insert("additionalProperties".to_owned(), false.into());
    Some(())
}

/// The type or types. One that is not given is taken from the values, where these are all text.
fn types(schema: &Map<String, Value>, optional: bool) -> Option<Value> {
    let given: Vec<Value> = match schema.get("type") {
        Some(kind) => named(kind).map(Value::from).collect(),
        None => values(schema)?.filter(|values| values.iter().all(Value::is_string)).map(|_| vec![json!("string")])?,
    };
    let mut all = nullable(given, optional, &json!("null"));
    if all.len() == 1 { all.pop() } else { (!all.is_empty()).then(|| all.into()) }
}

fn named(kind: &Value) -> impl Iterator<Item = &str> {
    kind.as_str().into_iter().chain(kind.as_array().into_iter().flatten().filter_map(Value::as_str))
}

/// The values that are allowed, where the schema lists them.
fn values(schema: &Map<String, Value>) -> Option<Option<Vec<Value>>> {
    match (schema.get("enum"), schema.get("const")) {
        (Some(_), Some(_)) => None,
        (Some(values), None) => Some(Some(values.as_array()?.clone())),
        (None, only) => Some(only.map(|value| vec![value.clone()])),
    }
}

fn nullable(mut values: Vec<Value>, optional: bool, null: &Value) -> Vec<Value> {
    if optional && !values.contains(null) {
        values.push(null.clone());
    }
    values
}

fn takes_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| named(kind).any(|kind| kind == "null"))
}

/// What keywords say that have to go, as sentences.
#[derive(Default)]
struct Words {
    from: Option<Value>,
    to: Option<Value>,
    least_items: Option<u64>,
    most_items: Option<u64>,
    rest: Vec<String>,
    null: Option<String>,
}

impl Words {
    /// Takes a keyword; `None` when it cannot be said in a sentence without losing what it does.
    fn take(&mut self, keyword: &str, value: &Value, optional: bool) -> Option<()> {
        match keyword {
            // They tell a validator nothing.
            "title" | "examples" | "$schema" | "$id" | "$comment" | "deprecated" | "readOnly" | "writeOnly" => {}
            "minimum" => self.from = Some(value.clone()),
            "maximum" if value.as_u64() == Some(MAX_SAFE_INTEGER) => {}
            "maximum" => self.to = Some(value.clone()),
            "exclusiveMinimum" => self.rest.push(format!("More than {value}.")),
            "exclusiveMaximum" => self.rest.push(format!("Less than {value}.")),
            "multipleOf" => self.rest.push(format!("A multiple of {value}.")),
            "minLength" if value.as_u64() == Some(1) => self.rest.push("Not empty.".to_owned()),
            "minLength" => self.rest.push(format!("At least {value} characters.")),
            "maxLength" => self.rest.push(format!("At most {value} characters.")),
            "pattern" => self.rest.push(format!("Matches the regular expression `{}`.", value.as_str()?)),
            "format" => self.rest.push(format!("Format: {}.", value.as_str()?)),
            "minItems" => self.least_items = value.as_u64(),
            "maxItems" => self.most_items = value.as_u64(),
            "uniqueItems" if *value == Value::Bool(true) => self.rest.push("No item twice.".to_owned()),
            "uniqueItems" => {}
            "default" if value.is_null() => {}
            "default" if optional => self.null = Some(format!("null stands for {value}.")),
            "default" => self.rest.push(format!("Usually {value}.")),
            _ => return None,
        }
        Some(())
    }

    /// The description with these sentences at its end.
    fn after(self, description: Option<&str>) -> Option<String> {
        let range = match (self.from, self.to) {
            (Some(from), Some(to)) => Some(format!("From {from} to {to}.")),
            (Some(from), None) => Some(format!("{from} or more.")),
            (None, Some(to)) => Some(format!("At most {to}.")),
            (None, None) => None,
        };
        let items = match (self.least_items, self.most_items) {
            (Some(least), Some(most)) => Some(format!("{least} to {most} items.")),
            (Some(least), None) => Some(format!("{least} items or more.")),
            (None, Some(most)) => Some(format!("At most {most} items.")),
            (None, None) => None,
        };
        let sentences: Vec<String> =
            description.map(str::to_owned).into_iter().chain(range).chain(items).chain(self.rest).chain(self.null).collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }
}
