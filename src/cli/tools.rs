//! `pagewise tools`: the tool surface as an agent gets it.

use serde_json::json;

use super::Context;
use super::args::ToolsArgs;
use super::exit::{CliError, ExitStatus};

pub(crate) async fn run(context: &mut Context, args: ToolsArgs) -> Result<ExitStatus, CliError> {
    let definitions = context.toolbox(&args.surface, None).await?.definitions();
    if args.json {
        let all: Vec<_> = definitions
            .iter()
            .map(|tool| {
                json!({
                    "name": tool.name,
                    "title": tool.title,
                    "description": tool.description,
                    "inputSchema": tool.input_schema,
                    "annotations": tool.annotations,
                })
            })
            .collect();
        context.printer.json(&all)?;
        return Ok(ExitStatus::Success);
    }
    for tool in definitions {
        let arguments: Vec<&str> = tool
            .input_schema
            .get("properties")
            .and_then(|properties| properties.as_object())
            .map(|properties| properties.keys().map(String::as_str).collect())
            .unwrap_or_default();
        context.printer.raw(&format!("{}({})\n", context.printer.bold(&tool.name), arguments.join(", ")))?;
        context.printer.line(&format!("    {}\n", tool.description.replace('\n', "\n    ")))?;
    }
    Ok(ExitStatus::Success)
}
