//! pagewise answers questions about long PDFs with page citations that have been checked.
//!
//! Data goes one way: a file becomes pages and lines ([`pdf`]), these become a tree ([`index`]), both are stored ([`library`]), tools read
//! the store ([`tools`]), the agent calls tools ([`agent`]), front ends read the agent's events.
//!
//! A program starts at [`Client`]: it opens a library, takes documents, and hands out the tools, for [`Agent`] or for an agent of your own.

pub mod agent;
pub mod cli;
pub mod client;
pub mod config;
pub mod error;
pub mod eval;
pub mod improve;
pub mod index;
pub mod ingest;
pub mod library;
pub mod mcp;
pub mod model;
pub mod pdf;
pub mod prompts;
pub mod reader;
pub mod reindex;
pub mod search;
pub mod tools;

pub use agent::{Agent, AgentEvent};
pub use client::{AgentTool, ClaudeMcp, Client, CloudOptions, LocalOptions, OpenAiOptions, OpenAiShape};
pub use error::{Error, Result};
/// Ends calls and runs early; what [`Agent::run`] takes.
pub use tokio_util::sync::CancellationToken;

/// The Rust example of README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
