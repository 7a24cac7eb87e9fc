//! The tools in the shapes in which model APIs and hosts take them.

use serde_json::{Value, json};

use super::options::OpenAiShape;
use super::strict::strict;
use crate::mcp::listed_tool;
use crate::model::ToolSpec;
use crate::model::openai::function_tool;
use crate::tools::ToolDefinition;

/// For OpenAI's APIs and those who speak them: strict wherever the schema can be.
pub(crate) fn openai(shape: OpenAiShape, tools: &[ToolDefinition]) -> Vec<Value> {
    tools.iter().map(|tool| openai_tool(shape, tool)).collect()
}

/// For Anthropic's Messages API.
pub(crate) fn anthropic(tools: &[ToolDefinition]) -> Vec<Value> {
    let shape =
        |tool: &ToolDefinition| json!({"name": tool.name, "description": tool.description, "input_schema": tool.input_schema});
    tools.iter().map(shape).collect()
}

/// As the MCP server lists them.
pub(crate) fn mcp(tools: &[ToolDefinition]) -> Vec<Value> {
    tools.iter().map(|tool| json!(listed_tool(tool.clone()))).collect()
}

fn openai_tool(shape: OpenAiShape, tool: &ToolDefinition) -> Value {
    let (schema, is_strict) = match strict(&tool.input_schema) {
        Some(schema) => (schema, true),
        None => (tool.input_schema.clone(), false),
    };
    match shape {
        OpenAiShape::Chat => {
            let mut out = function_tool(&ToolSpec { name: tool.name.clone(), description: tool.description.clone(), schema });
            if let Some(Value::Object(function)) = out.get_mut("function") {
                function.insert("strict".to_owned(), is_strict.into());
            }
            out
        }
        OpenAiShape::Responses => json!({
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": schema,
            "strict": is_strict,
        }),
    }
}
