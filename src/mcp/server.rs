//! The MCP face of a toolbox: tools, with what hosts are told about them.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, Implementation, InitializeResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;

use super::entry::SERVER_NAME;
use super::{completions, prompts, resources};
use crate::tools::{Part, ToolDefinition, Toolbox};

/// The requests that both generations of the protocol have and that are answered here.
const METHODS: [&str; 9] = [
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "completion/complete",
    "server/discover",
];

/// A server over one toolbox. Cheap to clone.
#[derive(Clone)]
pub struct Server {
    toolbox: Arc<dyn Toolbox>,
    instructions: Arc<str>,
}

impl Server {
    /// A server of these tools. `doc_ids` are the documents that the instructions name, where the toolbox is limited to some.
    ///
    /// # Errors
    /// As [`Toolbox::instructions`].
    pub async fn new(toolbox: Arc<dyn Toolbox>, doc_ids: &[String]) -> crate::Result<Self> {
        let instructions = toolbox.instructions(doc_ids).await?.into();
        Ok(Self { toolbox, instructions })
    }

    async fn call(&self, name: &str, arguments: &Value, context: &RequestContext<RoleServer>) -> CallToolResult {
        let reply = self.toolbox.call(name, arguments, &context.ct).await;
        let structured = serde_json::from_str(&reply.envelope).ok();
        let content = std::iter::once(ContentBlock::text(reply.envelope)).chain(reply.parts.into_iter().map(block)).collect();
        let mut result = if reply.is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
        result.structured_content = structured;
        result
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> InitializeResult {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_prompts().enable_resources().enable_completions().build();
        let about = Implementation::new(SERVER_NAME, env!("CARGO_PKG_VERSION"))
            .with_title("pagewise")
            .with_description(env!("CARGO_PKG_DESCRIPTION"));
        InitializeResult::new(capabilities).with_server_info(about).with_instructions(self.instructions.to_string())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.toolbox.definitions().into_iter().map(tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.map_or(Value::Null, Value::Object);
        Ok(self.call(&request.name, &arguments, &context).await.into())
    }

    /// What the protocol has, but not with these parameters, comes here as well as what it has not.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        if !METHODS.contains(&method.as_str()) {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None));
        }
        let wrong = |what: &str| ErrorData::invalid_params(format!("the parameters of {method} are wrong{what}"), None);
        if method != "tools/call" {
            return Err(wrong(""));
        }
        // Arguments that are no object (models also send them as text) are the tool's to judge, in words for the model.
        let params = request.params.unwrap_or_default();
        let name = params.get("name").and_then(Value::as_str).ok_or_else(|| wrong(": \"name\" must be the name of a tool"))?;
        let result = self.call(name, params.get("arguments").unwrap_or(&Value::Null), &context).await;
        serde_json::to_value(result).map(CustomResult::new).map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(self.toolbox.as_ref(), &request).await.map(Into::into)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        resources::list(self.toolbox.as_ref(), cursor.as_deref(), &context.ct).await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(self.toolbox.as_ref(), &request.uri, &context.ct).await.map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        completions::complete(self.toolbox.as_ref(), &request, &context.ct).await
    }
}

/// Content beside the envelope.
fn block(part: Part) -> ContentBlock {
    match part {
        Part::Image { mime, data } => ContentBlock::image(data, mime),
        Part::Stub { mime, bytes } => ContentBlock::text(format!("[{mime}, {bytes} bytes: cannot be shown here]")),
    }
}

/// A tool as it stands in `tools/list`.
pub(crate) fn tool(definition: ToolDefinition) -> Tool {
    let schema = match definition.input_schema {
        Value::Object(schema) => schema,
        _ => serde_json::Map::new(),
    };
    let hints = definition.annotations;
    let annotations = ToolAnnotations::from_raw(
        Some(definition.title.clone()),
        Some(hints.read_only_hint),
        Some(hints.destructive_hint),
        Some(hints.idempotent_hint),
        Some(hints.open_world_hint),
    );
    Tool::new(definition.name, definition.description, Arc::new(schema)).with_title(definition.title).with_annotations(annotations)
}
