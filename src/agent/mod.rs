//! The agent: it feeds instructions and tools to a model, runs its calls, keeps what was read, and checks every citation.
//!
//! It prints nothing and reads documents only through the toolbox; it knows neither which model nor which library it has.

mod calls;
mod citations;
mod context;
mod envelopes;
mod evidence;
mod history;
mod judge;
mod outcome;
mod overflow;
mod promise;
mod room;
mod run_loop;
mod runner;
mod scale;
mod sizes;
mod stubs;
mod tokens;
mod trace;
mod turns;
mod types;

#[cfg(test)]
mod tests;

pub use citations::CiteStream;
pub use evidence::{EvidenceLedger, SeenDocument, SeenPage};
pub use runner::Agent;
pub use types::{
    AgentEvent, Answer, Approval, Approver, Citation, CitationStatus, Conversation, Limits, Outcome, PageRead, ToolCallRecord,
    Unsupported,
};
