//! Calls while their arguments come in pieces. Most servers send the whole item in the end; some leave the arguments out of it, or never
//! send it.

use serde_json::{Map, Value};

/// The calls that were begun, in order.
#[derive(Debug, Default)]
pub(super) struct Drafts(Vec<Draft>);

#[derive(Debug)]
struct Draft {
    index: Option<Value>,
    id: Option<Value>,
    item: Map<String, Value>,
    arguments: String,
}

/// A field that says something.
fn given(event: &Map<String, Value>, field: &str) -> Option<Value> {
    event.get(field).filter(|value| !value.is_null() && *value != "").cloned()
}

/// Whether the item holds no arguments.
fn lacks_arguments(item: &Map<String, Value>) -> bool {
    item.get("arguments").is_none_or(|value| value.is_null() || value == "")
}

impl Drafts {
    /// An item was added; only calls are of interest.
    pub(super) fn begin(&mut self, mut event: Map<String, Value>) {
        let index = given(&event, "output_index");
        if let Some(Value::Object(item)) =
            event.remove("item").filter(|item| item.get("type").is_some_and(|t| t == "function_call"))
        {
            self.0.push(Draft { index, id: given(&item, "id"), item, arguments: String::new() });
        }
    }

    /// A piece of arguments, or all of them.
    pub(super) fn arguments(&mut self, event: &Map<String, Value>) {
        let id = given(event, "item_id");
        let Some(draft) = self.find(event, id.as_ref()).and_then(|at| self.0.get_mut(at)) else { return };
        match (event.get("arguments"), event.get("delta")) {
            (Some(Value::String(whole)), _) => whole.clone_into(&mut draft.arguments),
            (_, Some(Value::String(piece))) => draft.arguments.push_str(piece),
            _ => {}
        }
    }

    /// The item is whole. Arguments that it lacks are those that came before.
    pub(super) fn end(&mut self, event: &Map<String, Value>, item: Value) -> Value {
        let Value::Object(mut item) = item else { return item };
        if item.get("type").is_some_and(|kind| kind == "function_call") {
            let id = given(&item, "id");
            if let Some(at) = self.find(event, id.as_ref()) {
                let draft = self.0.remove(at);
                if lacks_arguments(&item) {
                    item.insert("arguments".into(), draft.arguments.into());
                }
            }
        }
        item.into()
    }

    /// The calls of a server that ends the reply without their items. What was cut off in the middle is none.
    pub(super) fn whole(&mut self) -> Vec<Value> {
        let drafts = std::mem::take(&mut self.0).into_iter().filter_map(|mut draft| {
            if lacks_arguments(&draft.item) {
                serde_json::from_str::<Map<String, Value>>(&draft.arguments).ok()?;
                draft.item.insert("arguments".into(), draft.arguments.into());
            }
            Some(draft.item.into())
        });
        drafts.collect()
    }

    fn find(&self, event: &Map<String, Value>, id: Option<&Value>) -> Option<usize> {
        let index = given(event, "output_index");
        let same = |draft: &Draft| index.is_some() && draft.index == index || id.is_some() && draft.id.as_ref() == id;
        let nameless = || if index.is_none() && id.is_none() { self.0.len().checked_sub(1) } else { None };
        self.0.iter().rposition(same).or_else(nameless)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    fn item(arguments: Value) -> Value {
        json!({"type": "function_call", "id": "fc_1", "call_id": "a", "name": "f", "arguments": arguments})
    }

    #[test]
    fn arguments_come_from_the_pieces_where_the_item_lacks_them() {
        for done in [json!(""), json!(null)] {
            let mut drafts = Drafts::default();
            drafts.begin(event(json!({"output_index": 1, "item": item(json!(""))})));
            drafts.arguments(&event(json!({"output_index": 1, "item_id": "fc_1", "delta": "{\"x\""})));
            drafts.arguments(&event(json!({"item_id": "fc_1", "delta": ": 1}"})));
            assert_eq!(drafts.end(&event(json!({"output_index": 1})), item(done)), item(json!("{\"x\": 1}")));
            assert_eq!(drafts.whole(), Vec::<Value>::new());
        }
        let whole = item(json!("{}"));
        assert_eq!(Drafts::default().end(&Map::new(), whole.clone()), whole);
    }

    #[test]
    fn a_call_without_its_item_is_one_when_it_is_whole() {
        let mut drafts = Drafts::default();
        drafts.begin(event(json!({"item": {"type": "message", "id": "m"}})));
        drafts.begin(event(json!({"item": item(json!(""))})));
        drafts.arguments(&event(json!({"delta": "{\"x\""})));
        drafts.arguments(&event(json!({"arguments": "{\"x\": 1}"})));
        drafts.begin(event(
            json!({"output_index": 2, "item": {"type": "function_call", "id": "fc_2", "name": "f", "arguments": ""}}),
        ));
        drafts.arguments(&event(json!({"output_index": 2, "delta": "{\"x\": \"1"})));
        assert_eq!(drafts.whole(), [item(json!("{\"x\": 1}"))]);
    }
}
