//! Entries in TOML files.

use serde_json::Value;
use toml_edit::{DocumentMut, Item, Table, TableLike};

use super::merge::{MergeError, Merged, apply_change, shown};

/// The block for a file that holds nothing else.
pub(super) fn block(servers_key: &str, name: &str, value: &Value) -> String {
    let mut document = DocumentMut::new();
    let mut servers = Table::new();
    servers.set_implicit(true);
    servers.insert(name, Item::Table(table(value)));
    document.insert(servers_key, Item::Table(servers));
    document.to_string()
}

/// `text` with `value` under `servers_key` and `name`.
pub(super) fn merge(text: &str, servers_key: &str, name: &str, value: &Value) -> Result<Merged, MergeError> {
    // The editor writes "\n" for every line end; the change that it makes is carried over to the text as it was.
    let plain = text.replace("\r\n", "\n");
    let mut document = parse(&plain)?;
    let unchanged = document.to_string();
    let before = without(&document, servers_key, name);
    if !document.contains_key(servers_key) {
        let mut servers = Table::new();
        servers.set_implicit(true);
        document.insert(servers_key, Item::Table(servers));
    }
    let Some(servers) = document.get_mut(servers_key).and_then(Item::as_table_like_mut) else {
        return Err(MergeError::Shape(format!("`{servers_key}` in it is not a table")));
    };
    let replaced = match servers.get(name) {
        Some(entry) if json(entry).as_ref() == Some(value) => return Ok(Merged::Same),
        Some(_) => true,
        None => false,
    };
    put(servers, name, value);
    let edited = document.to_string();
    let after = parse(&edited)?;
    if before != without(&after, servers_key, name)
        || after.get(servers_key).and_then(|s| s.get(name)).and_then(json).as_ref() != Some(value)
    {
        return Err(MergeError::Shape("the entry cannot be put into it without touching something else".to_owned()));
    }
    let new = apply_change(text, &unchanged, &edited);
    Ok(if replaced { Merged::Replaced(new) } else { Merged::Added(new) })
}

fn put(servers: &mut dyn TableLike, name: &str, value: &Value) {
    let mut fresh = table(value);
    match servers.get_mut(name) {
        // The place in the file and the comment above it stay.
        Some(Item::Table(old)) => {
            fresh.set_position(old.position());
            *fresh.decor_mut() = old.decor().clone();
            *old = fresh;
        }
        Some(old) => *old = Item::Value(fresh.into_inline_table().into()),
        None => {
            servers.insert(name, Item::Table(fresh));
        }
    }
}

fn parse(text: &str) -> Result<DocumentMut, MergeError> {
    text.parse::<DocumentMut>()
        .map_err(|error| MergeError::at(text, error.span().map_or(0, |span| span.start), error.message().replace('\n', "; ")))
}

/// The fields of an entry as a table.
fn table(value: &Value) -> Table {
    value.as_object().into_iter().flatten().fold(Table::new(), |mut table, (key, value)| {
        table.insert(key, Item::Value(toml_value(value)));
        table
    })
}

/// A value of an entry. Strings are written as JSON writes them, which TOML reads the same and which shows no control characters.
fn toml_value(value: &Value) -> toml_edit::Value {
    match value {
        Value::Array(values) => toml_edit::Value::Array(values.iter().map(toml_value).collect()),
        other => {
            let text = shown(&other.to_string());
            text.parse().unwrap_or_else(|_| toml_edit::Value::from(text))
        }
    }
}

/// The value of an item, or `None` where it holds what JSON cannot say.
fn json(item: &Item) -> Option<Value> {
    if let Some(table) = item.as_table_like() {
        return table.iter().map(|(key, item)| Some((key.to_owned(), json(item)?))).collect::<Option<_>>().map(Value::Object);
    }
    match item.as_value()? {
        toml_edit::Value::String(text) => Some(Value::from(text.value().as_str())),
        toml_edit::Value::Integer(number) => Some(Value::from(*number.value())),
        toml_edit::Value::Boolean(value) => Some(Value::from(*value.value())),
        toml_edit::Value::Array(values) => {
            values.iter().map(|value| json(&Item::Value(value.clone()))).collect::<Option<_>>().map(Value::Array)
        }
        _ => None,
    }
}

/// Everything but the entry, in one order and form, to compare what must not have changed.
fn without(document: &DocumentMut, servers_key: &str, name: &str) -> Option<toml::Table> {
    let mut all: toml::Table = document.to_string().parse().ok()?;
    if let Some(servers) = all.get_mut(servers_key).and_then(toml::Value::as_table_mut) {
        servers.remove(name);
        if servers.is_empty() {
            all.remove(servers_key);
        }
    }
    Some(all)
}
