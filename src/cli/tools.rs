//! `pagewise tools`: the tool surface as an agent gets it.

use serde_json::Value;

use super::Context;
use super::args::{ToolsArgs, ToolsFormat};
use super::exit::{CliError, ExitStatus};
use super::printer::Printer;
use crate::client::{OpenAiShape, shapes};
use crate::tools::ToolDefinition;

pub(crate) async fn run(context: &mut Context, args: ToolsArgs) -> Result<ExitStatus, CliError> {
    let definitions = context.toolbox(&args.surface, None).await?.definitions();
    let json = match args.format {
        ToolsFormat::Text => {
            for tool in &definitions {
                show(&context.printer, tool)?;
            }
            return Ok(ExitStatus::Success);
        }
        ToolsFormat::Openai => shapes::openai(OpenAiShape::Chat, &definitions),
        ToolsFormat::Responses => shapes::openai(OpenAiShape::Responses, &definitions),
        ToolsFormat::Anthropic => shapes::anthropic(&definitions),
        ToolsFormat::Mcp => shapes::mcp(&definitions),
    };
    context.printer.json(&json)?;
    Ok(ExitStatus::Success)
}

/// One tool for people: its arguments (those that may be left out in brackets), what it does, what each argument is.
fn show(printer: &Printer, tool: &ToolDefinition) -> std::io::Result<()> {
    let required: Vec<&str> = strings(tool.input_schema.get("required")).collect();
    let properties = tool.input_schema.get("properties").and_then(Value::as_object);
    let arguments: Vec<(&str, &Value)> = properties.into_iter().flatten().map(|(name, schema)| (name.as_str(), schema)).collect();
    let named: Vec<String> =
        arguments.iter().map(|(name, _)| if required.contains(name) { (*name).to_owned() } else { format!("[{name}]") }).collect();
    printer.raw(&format!("{}({})\n", printer.bold(&tool.name), named.join(", ")))?;
    printer.wrapped(&format!("    {}", tool.description), 4)?;
    for (name, schema) in arguments {
        let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        let default = schema.get("default").map(|value| format!(" Default: {value}.")).unwrap_or_default();
        printer.wrapped(&format!("      {name}: {text}{default}"), 8)?;
    }
    printer.raw("\n")
}

fn strings(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}
