//! The structure against the frozen contract, `tests/data/tools.json`.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Value, json};

use super::*;
use crate::library::Status;

const CONTRACT: &str = include_str!("../../../tests/data/tools.json");

/// JSON that keeps the order of its keys.
#[derive(Debug, Clone, PartialEq)]
enum Ordered {
    Null,
    Bool(bool),
    Integer(i64),
    Text(String),
    List(Vec<Ordered>),
    Object(Vec<(String, Ordered)>),
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Ordered;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON without fractions")
            }
            fn visit_unit<E>(self) -> Result<Ordered, E> {
                Ok(Ordered::Null)
            }
            fn visit_bool<E>(self, value: bool) -> Result<Ordered, E> {
                Ok(Ordered::Bool(value))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Ordered, E> {
                Ok(Ordered::Integer(value))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Ordered, E> {
                Ok(Ordered::Integer(i64::try_from(value).unwrap()))
            }
            fn visit_str<E>(self, value: &str) -> Result<Ordered, E> {
                Ok(Ordered::Text(value.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Ordered, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Ordered::List(items))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Ordered::Object(entries))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl Ordered {
    fn read(json: &str) -> Self {
        serde_json::from_str(json).unwrap()
    }

    fn get(&self, key: &str) -> &Self {
        let Self::Object(entries) = self else { panic!("{key} of something that is no object") };
        &entries.iter().find(|(name, _)| name == key).unwrap_or_else(|| panic!("no {key}")).1
    }

    fn entries(&self) -> &[(String, Self)] {
        let Self::Object(entries) = self else { panic!("no object") };
        entries
    }
}

/// Checks a value against a shape of the contract; `node` is the shape that the word "node" stands for.
fn conforms(at: &str, shape: &Ordered, value: &Ordered, node: &Ordered) {
    match (shape, value) {
        (Ordered::Object(fields), Ordered::Object(values)) if fields.first().is_some_and(|(name, _)| name == "*") => {
            for (name, value) in values {
                conforms(&format!("{at}.{name}"), &fields[0].1, value, node);
            }
        }
        (Ordered::Object(fields), Ordered::Object(values)) => {
            let mut rest = values.iter().peekable();
            for (name, shape) in fields {
                let plain = name.trim_end_matches('?');
                match rest.next_if(|(key, _)| key == plain) {
                    Some((_, value)) => conforms(&format!("{at}.{plain}"), shape, value, node),
                    None => assert!(name.ends_with('?'), "{at}.{plain} is missing or out of order"),
                }
            }
            // Metadata is free.
            assert!(fields.is_empty() || rest.peek().is_none(), "{at}: unknown key {:?}", rest.peek());
        }
        (Ordered::List(items), Ordered::List(values)) => {
            values.iter().enumerate().for_each(|(n, value)| conforms(&format!("{at}[{n}]"), &items[0], value, node));
        }
        (Ordered::Text(kind), value) if kind == "node" => conforms(at, node, value, node),
        (Ordered::Text(kind), value) => {
            let known = match value {
                Ordered::Null => kind.contains("null"),
                Ordered::Bool(_) => kind.contains("boolean"),
                Ordered::Integer(_) => kind.contains("integer") || kind.contains("number"),
                Ordered::List(_) => kind.contains("array"),
                Ordered::Object(_) => false,
                Ordered::Text(text) => {
                    let free = ["string", "page spec", "ISO-8601"].iter().any(|word| kind.contains(word));
                    free || kind.split(" | ").any(|choice| choice == text)
                }
            };
            assert!(known, "{at} should be {kind}: {value:?}");
        }
        (shape, value) => assert_eq!(shape, value, "{at}"),
    }
}

/// Checks an envelope: its base keys around the data of `kind`.
fn fits(reply: &ToolReply, kind: &str) {
    let contract = Ordered::read(CONTRACT);
    let replies = contract.get("replies");
    let node = match replies.get("get_document_structure").get("structure") {
        Ordered::List(items) => items[0].clone(),
        _ => panic!("structure is a list"),
    };
    let base = replies.get(if reply.is_error { "failure" } else { "success" }).entries();
    let (next, head) = base.split_last().unwrap();
    let data = if kind.is_empty() { &[] } else { replies.get(kind).entries() };
    let shape = Ordered::Object(head.iter().chain(data).chain([next]).cloned().collect());
    conforms(kind, &shape, &Ordered::read(&reply.envelope), &node);
}

#[test]
fn definitions_have_the_structure_of_the_contract() {
    let contract: Value = serde_json::from_str(CONTRACT).unwrap();
    let definitions = whole(&ordinary()).definitions();
    assert_eq!(definitions.len(), contract["tools"].as_object().unwrap().len());
    for definition in &definitions {
        let frozen = &contract["tools"][&definition.name];
        let mut schema = frozen["inputSchema"].clone();
        for hidden in contract["hidden_locally"][&definition.name].as_array().unwrap() {
            schema["properties"].as_object_mut().unwrap().remove(hidden.as_str().unwrap()).unwrap();
        }
        let mut ours = definition.input_schema.clone();
        for (name, property) in ours["properties"].as_object_mut().unwrap() {
            let description = property.as_object_mut().unwrap().remove("description");
            assert!(description.is_some_and(|text| text.as_str().unwrap().len() > 15), "{name} is described");
        }
        assert_eq!(ours, schema, "{}", definition.name);
        assert_eq!(serde_json::to_value(definition.annotations).unwrap(), frozen["annotations"], "{}", definition.name);
        let managed = contract["management_tools"].as_array().unwrap().contains(&json!(definition.name));
        assert_eq!(definition.needs_approval, managed);
    }
    let open: Vec<String> = toolbox(&ordinary(), Scope::All, false).definitions().into_iter().map(|d| d.name).collect();
    assert_eq!(open, ["browse_documents", "get_document", "get_document_structure", "get_page_content"]);
}

#[test]
fn what_is_accepted_is_what_the_contract_knows() {
    let contract: Value = serde_json::from_str(CONTRACT).unwrap();
    for tool in super::super::definition::tools(true) {
        let frozen = contract["tools"][tool.name]["inputSchema"]["properties"].as_object().unwrap();
        let known: Vec<&str> = tool.arguments.iter().map(|argument| argument.name).collect();
        assert_eq!(known, frozen.keys().map(String::as_str).collect::<Vec<_>>(), "{}", tool.name);
    }
}

#[tokio::test]
async fn every_kind_of_reply_has_the_keys_of_the_contract_in_their_order() {
    let fake = Fake::with(vec![
        document("a.pdf", 42).described("A").meta("year", json!(2024)).meta("list", json!([1])),
        document("new.pdf", 1).status(Status::Processing),
        document("bad.pdf", 1).failed("no text"),
    ]);
    let toolbox = whole(&fake);
    let unknown = json!({"doc_name": "A.pdf"});
    let calls = [
        ("browse_documents", json!({}), "browse_documents"),
        ("browse_documents", json!({"recursive": true, "limit": 1}), "browse_documents"),
        ("browse_documents", json!({"sort": "relevance", "query": "a", "offset": 99}), "browse_documents"),
        ("browse_documents", json!({"sort": "relevance"}), ""),
        ("get_document", json!({"doc_name": "a.pdf"}), "get_document"),
        ("get_document", json!({"doc_name": "new.pdf"}), "get_document"),
        ("get_document", json!({"doc_name": "bad.pdf"}), "get_document"),
        ("get_document", unknown.clone(), "not found"),
        ("get_document_structure", json!({"doc_name": "a.pdf"}), "get_document_structure"),
        ("get_document_structure", unknown, "not found"),
        ("get_page_content", json!({"doc_name": "a.pdf", "pages": "1-3,7"}), "get_page_content"),
        ("get_page_content", json!({"doc_name": "a.pdf", "pages": "43"}), "get_page_content failure, all out of range"),
        ("get_page_content", json!({"doc_name": "a.pdf", "pages": "0"}), ""),
        ("search_documents", json!({}), "unknown tool"),
        ("remove_document", json!({"doc_names": ["bad.pdf", "x"]}), "remove_document"),
    ];
    for (name, arguments, kind) in calls {
        let (reply, _) = call(&toolbox, name, arguments).await;
        fits(&reply, kind);
    }
}

#[test]
fn definitions_read_well() {
    insta::assert_json_snapshot!(
        whole(&ordinary())
            .definitions()
            .into_iter()
            .map(|tool| json!({
                "name": tool.name, "title": tool.title, "description": tool.description, "input_schema": tool.input_schema,
                "annotations": tool.annotations, "needs_approval": tool.needs_approval,
            }))
            .collect::<Vec<_>>()
    );
}
