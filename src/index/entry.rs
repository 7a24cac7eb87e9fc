//! A flat outline: what every source of structure yields.

use super::types::{NodeSource, Provenance};

/// One section before it becomes a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    /// Depth, 1-based.
    pub level: u32,
    /// Title, cleaned; not empty.
    pub title: String,
    /// Physical page, 1-based.
    pub page: u32,
    /// Index of the title's first line in `Page::lines`, where it was found printed.
    pub line: Option<usize>,
    /// Nothing of the section before stands on the page above the title.
    pub at_top: bool,
    /// The signal that it came from.
    pub source: NodeSource,
    /// How sure it is, in percent.
    pub confidence: u8,
}

impl Entry {
    /// What is said of the node that the entry becomes.
    pub fn provenance(&self) -> Provenance {
        Provenance { source: self.source, confidence: self.confidence, printed: self.line.is_some() }
    }
}
