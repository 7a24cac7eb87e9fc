//! Which pages of which documents were read in a conversation, and what stood on them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One page that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenPage {
    /// The text as it was shown.
    pub text: String,
    /// Printed label where it differs from the number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// What is known of one document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenDocument {
    /// Pages of the document, once known.
    pub page_count: Option<u32>,
    /// Pages read, by physical number.
    pub pages: BTreeMap<u32, SeenPage>,
}

/// The ledger: it survives context compaction, follow-up questions and saved sessions; citations are checked against it and nothing else.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceLedger {
    /// Documents by name.
    pub documents: BTreeMap<String, SeenDocument>,
}
