//! The tools as OpenAI's APIs take them.

use serde_json::json;

use super::*;

async fn tools(client: &Client, shape: OpenAiShape) -> Vec<Value> {
    client.as_openai_tools(OpenAiOptions { shape, include_management: true, ..Default::default() }).await.unwrap()
}

/// What strict servers ask of a schema, for it and all inside it.
fn assert_strict(schema: &Value, place: &str) {
    const TAKEN: [&str; 8] = ["type", "enum", "description", "properties", "required", "additionalProperties", "items", "anyOf"];
    let object = schema.as_object().unwrap_or_else(|| panic!("{place} is no schema: {schema}"));
    for keyword in object.keys() {
        assert!(TAKEN.contains(&keyword.as_str()), "{place} uses {keyword}");
    }
    assert!(object.contains_key("type") ^ object.contains_key("anyOf"), "{place} has no type");
    if object["type"] == "object" {
        assert_eq!(object["additionalProperties"], false, "{place} is open");
        let properties = object["properties"].as_object().unwrap();
        assert_eq!(object["required"], json!(properties.keys().collect::<Vec<_>>()), "{place}");
        for (name, property) in properties {
            assert_strict(property, &format!("{place}.{name}"));
        }
    }
    if let Some(items) = object.get("items") {
        assert_strict(items, &format!("{place}[]"));
    }
}

#[tokio::test]
async fn schemas_are_strict_and_valid_in_both_shapes() {
    let client = client().await;
    let chat = tools(&client, OpenAiShape::Chat).await;
    let responses = tools(&client, OpenAiShape::Responses).await;
    assert_eq!((chat.len(), responses.len()), (5, 5));
    for (chat, response) in chat.iter().zip(&responses) {
        assert_eq!(chat.as_object().unwrap().keys().collect::<Vec<_>>(), ["type", "function"]);
        let mut flat = json!({"type": "function"});
        flat.as_object_mut().unwrap().extend(chat["function"].as_object().unwrap().clone());
        assert_eq!(&flat, response);
        assert_eq!(
            response.as_object().unwrap().keys().collect::<Vec<_>>(),
            ["type", "name", "description", "parameters", "strict"]
        );
        assert_eq!(response["strict"], true);
        assert_strict(&response["parameters"], response["name"].as_str().unwrap());
        jsonschema::validator_for(&response["parameters"]).unwrap();
    }
    let default = client.as_openai_tools(OpenAiOptions::default()).await.unwrap();
    assert_eq!(default, chat[..4], "deleting is offered only on demand, Chat Completions is the default");
}

/// Arguments that a model that keeps to the schema may send: null wherever it may be, else an example.
fn with_nulls(tool: &Value, example: impl Fn(&str) -> Value) -> Value {
    let may_be_null = |schema: &Value| jsonschema::is_valid(schema, &Value::Null);
    let properties = tool["parameters"]["properties"].as_object().unwrap();
    let values = properties.iter().map(|(name, schema)| {
        let value = if may_be_null(schema) { Value::Null } else { example(name) };
        (name.clone(), value)
    });
    Value::Object(values.collect())
}

#[tokio::test]
async fn null_for_every_optional_argument_works() {
    let client = client().await;
    let example = |name: &str| match name {
        "doc_name" => json!("technical-manual.pdf"),
        "pages" => json!("1-2"),
        "doc_names" => json!(["quarterly-release.pdf"]),
        other => panic!("{other} has to be given, and nobody said so"),
    };
    for tool in tools(&client, OpenAiShape::Responses).await {
        let arguments = with_nulls(&tool, example);
        assert!(jsonschema::is_valid(&tool["parameters"], &arguments), "{arguments}");
        let reply = call(&client, tool["name"].as_str().unwrap(), &arguments.to_string()).await;
        assert_eq!(reply["success"], true, "{reply}");
    }
}

#[tokio::test]
async fn strict_schemas_take_what_the_plain_ones_take() {
    let client = client().await;
    for (tool, definition) in tools(&client, OpenAiShape::Responses).await.iter().zip(client.agent_tools(true).await.unwrap()) {
        let (strict, plain) = (&tool["parameters"]["properties"], &definition.schema["properties"]);
        let names = |schema: &Value| schema.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(strict), names(plain));
        let required = definition.schema["required"].as_array().unwrap();
        for (name, schema) in strict.as_object().unwrap() {
            let optional = !required.contains(&json!(name));
            assert_eq!(jsonschema::is_valid(schema, &Value::Null), optional, "{name}");
            // Bounds and defaults that had to go stand in the description.
            let (said, was) = (schema["description"].as_str().unwrap(), &plain[name]);
            for keyword in ["default", "minimum", "pattern", "minItems", "maxItems"] {
                let Some(value) = was.get(keyword) else { continue };
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                assert!(said.contains(&value), "{keyword} of {name} is lost: {said}");
            }
        }
    }
}

#[tokio::test]
async fn hosted_is_refused_locally_with_the_reason() {
    for shape in [OpenAiShape::Chat, OpenAiShape::Responses] {
        let options = OpenAiOptions { shape, hosted: true, ..Default::default() };
        let error = client().await.as_openai_tools(options).await.unwrap_err();
        assert!(matches!(error, Error::Unsupported(_)));
        assert!(error.to_string().contains("cannot reach a library on this machine"), "{error}");
    }
}
