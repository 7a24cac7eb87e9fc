//! Which pages of which documents were read in a conversation, and what stood on them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::tools::{Evidence, ToolReply};

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
#[serde(default)]
pub struct SeenDocument {
    /// Pages of the document, once known.
    pub page_count: Option<u32>,
    /// Pages read, by physical number.
    pub pages: BTreeMap<u32, SeenPage>,
}

/// The ledger: it survives context compaction, follow-up questions and saved sessions; citations are checked against it and nothing else.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EvidenceLedger {
    /// Documents by name.
    pub documents: BTreeMap<String, SeenDocument>,
    /// Names by id, of the documents that a conversation is about: a citation may give either.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ids: BTreeMap<String, String>,
}

impl EvidenceLedger {
    /// Takes over what a tool reply has shown.
    pub fn record(&mut self, reply: &ToolReply) {
        for (name, page_count) in &reply.documents {
            let known = self.documents.entry(name.clone()).or_default();
            known.page_count = page_count.or(known.page_count);
        }
        for evidence in &reply.evidence {
            self.record_page(evidence);
        }
    }

    /// Takes over one page. A page that was cut and is read again in more length keeps the longer text.
    pub fn record_page(&mut self, evidence: &Evidence) {
        let document = self.documents.entry(evidence.doc.clone()).or_default();
        if evidence.page_count > 0 {
            document.page_count = Some(evidence.page_count);
        }
        let read = SeenPage { text: evidence.text.clone(), label: evidence.label.clone() };
        match document.pages.get_mut(&evidence.page) {
            Some(known) if known.text.len() > read.text.len() => known.label = known.label.take().or(read.label),
            Some(known) => *known = read,
            None => {
                document.pages.insert(evidence.page, read);
            }
        }
    }

    /// Whether any page was read.
    pub fn has_pages(&self) -> bool {
        self.documents.values().any(|d| !d.pages.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str, label: Option<&str>) -> Evidence {
        Evidence { doc: "a.pdf".into(), page: 3, label: label.map(str::to_owned), text: text.into(), page_count: 9 }
    }

    #[test]
    fn the_longer_text_of_a_page_is_kept() {
        let mut ledger = EvidenceLedger::default();
        ledger.record_page(&page("cut", None));
        ledger.record_page(&page("cut no more", Some("iii")));
        ledger.record_page(&page("cut", None));
        let document = &ledger.documents["a.pdf"];
        assert_eq!(document.page_count, Some(9));
        assert_eq!(document.pages[&3], SeenPage { text: "cut no more".into(), label: Some("iii".into()) });
    }

    #[test]
    fn documents_are_known_before_a_page_is_read_and_keep_their_page_count() {
        let mut ledger = EvidenceLedger::default();
        let reply = |documents| ToolReply {
            envelope: String::new(),
            parts: vec![],
            is_error: false,
            stop: None,
            evidence: vec![],
            documents,
        };
        ledger.record(&reply(vec![("a.pdf".into(), Some(4)), ("b.pdf".into(), None)]));
        ledger.record(&reply(vec![("a.pdf".into(), None)]));
        assert_eq!(ledger.documents["a.pdf"].page_count, Some(4));
        assert_eq!(ledger.documents["b.pdf"].page_count, None);
        assert!(!ledger.has_pages());
    }
}
