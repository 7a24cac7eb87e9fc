//! What hosts get, and what must not happen to their files.

mod blocks;
mod files;
mod texts;
mod where_they_lie;

use super::Host;
use crate::mcp::{ServedBy, ServerEntry};

/// An entry as a user gets it who named a library and two documents.
fn entry(host: Host) -> ServerEntry {
    let served = ServedBy {
        library: Some("/home/me/papers/library.db".into()),
        docs: vec!["annual report.pdf".to_owned(), "say \"hi\".pdf".to_owned()],
        include_management: false,
        max_result_chars: host.max_result_chars(),
    };
    ServerEntry::new("/usr/local/bin/pagewise".as_ref(), &served).unwrap()
}
