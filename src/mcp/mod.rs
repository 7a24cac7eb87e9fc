//! The MCP server over a [`Toolbox`](crate::tools::Toolbox): the same tools for any MCP host.

mod completions;
mod entry;
mod envelope;
pub mod hosts;
mod http;
mod lines;
mod prompts;
mod resources;
mod server;
mod stdio;

pub use entry::{SERVER_NAME, ServedBy, ServerEntry};
pub use http::{HttpAccess, HttpServer, MCP_PATH};
pub use server::Server;
pub(crate) use server::tool as listed_tool;
pub use stdio::serve_stdio;
