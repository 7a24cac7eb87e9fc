//! Fields that a provider wants back unchanged with an item of the history. They say whose they are: another model cannot read what this
//! one has reasoned, and another server refuses fields that it does not know.

use serde_json::Value;

use crate::model::HistoryItem;

/// The field that names model and server.
const BY: &str = "by";

/// Notes in the payloads of a new turn who made them.
pub(super) fn sign(items: &mut [HistoryItem], author: &str) {
    for item in items {
        if let HistoryItem::Assistant { payload: Some(Value::Object(fields)), .. }
        | HistoryItem::ToolCall { payload: Some(Value::Object(fields)), .. } = item
        {
            fields.insert(BY.into(), author.into());
        }
    }
}

/// The payload of an item, if this author made it.
pub(super) fn own<'i>(item: &'i HistoryItem, author: &str) -> Option<&'i Value> {
    let (HistoryItem::Assistant { payload, .. } | HistoryItem::ToolCall { payload, .. }) = item else { return None };
    payload.as_ref().filter(|payload| payload.get(BY).and_then(Value::as_str) == Some(author))
}
