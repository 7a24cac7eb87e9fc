//! The tree and what belongs to an indexed document.

use serde::{Deserialize, Serialize};

use crate::pdf::{FileNote, Info, PageNote};

/// One section. The order of the fields is the order of the keys in every JSON face (see `tests/data/tools.json`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Title as printed.
    pub title: String,
    /// Four or more digits, zero-padded, unique in the document, in document order (pre-order).
    pub node_id: String,
    /// First physical page, 1-based.
    pub start_index: u32,
    /// Last physical page, inclusive; a page on which the next section starts belongs to both.
    pub end_index: u32,
    /// The section's most telling sentences, bounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Titles of headings that were folded into this node.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub key_items: Vec<String>,
    /// Sections inside this one, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Node>,
    /// Where the node came from; agents do not see it.
    #[serde(skip)]
    pub provenance: Provenance,
}

impl Node {
    /// What it shows of itself.
    pub(crate) fn head(&self) -> NodeHead<'_> {
        NodeHead {
            title: &self.title,
            node_id: &self.node_id,
            start_index: self.start_index,
            end_index: self.end_index,
            summary: self.summary.as_deref(),
            key_items: &self.key_items,
        }
    }

    /// The node without the sections inside it.
    pub(crate) fn alone(&self) -> Self {
        Self {
            title: self.title.clone(),
            node_id: self.node_id.clone(),
            start_index: self.start_index,
            end_index: self.end_index,
            summary: self.summary.clone(),
            key_items: self.key_items.clone(),
            nodes: Vec::new(),
            provenance: self.provenance,
        }
    }
}

/// What a node shows of itself in every JSON face: all but the nodes inside it. The order of the fields is the order of the keys.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct NodeHead<'a> {
    pub title: &'a str,
    pub node_id: &'a str,
    pub start_index: u32,
    pub end_index: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub key_items: &'a [String],
}

/// Where a node came from and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// The signal that it was taken from.
    pub source: NodeSource,
    /// How sure it is that a section of this title starts on this page, in percent (0 to 100).
    pub confidence: u8,
    /// The title is printed on the start page. Front matter, page groups and edited titles of bookmarks are not.
    pub printed: bool,
}

/// The signal that a node was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeSource {
    /// An entry of the file's own outline.
    Bookmarks,
    /// A line of a printed contents page.
    PrintedContents,
    /// A heading in the file's structure tags.
    Tags,
    /// A heading found in the layout.
    Headings,
    /// Pages before the first section.
    FrontMatter,
    /// A group of pages without structure.
    #[default]
    PageGroup,
    /// Proposed by a model and found printed.
    Model,
}

/// Where a tree came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TocSource {
    /// The file's own outline.
    Bookmarks,
    /// A contents page printed in the document.
    PrintedContents,
    /// Headings in the file's structure tags.
    Tags,
    /// Headings found in the layout.
    Headings,
    /// No structure was found: groups of pages.
    PageRanges,
    /// Headings that a model proposed and that were found printed, where no other structure was found.
    Model,
}

impl TocSource {
    /// The name in JSON, such as `bookmarks`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bookmarks => "bookmarks",
            Self::PrintedContents => "printed_contents",
            Self::Tags => "tags",
            Self::Headings => "headings",
            Self::PageRanges => "page_ranges",
            Self::Model => "model",
        }
    }
}

/// One page as it is stored and served.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexedPage {
    /// Physical number, 1-based.
    pub number: u32,
    /// Printed label where it differs from the number.
    pub label: Option<String>,
    /// The text that the tree was built from, that the agent reads and that citations are checked against.
    pub text: String,
    /// What is to be said of the page.
    pub notes: Vec<PageNote>,
}

/// A document after indexing, ready for the library.
#[derive(Debug, Clone)]
pub struct IndexedDocument {
    /// One line on what it is: kind, subject, organisation, period.
    pub description: String,
    /// Title found in the file or on its first page.
    pub title: Option<String>,
    /// All pages, in order, without gaps.
    pub pages: Vec<IndexedPage>,
    /// Top-level sections; never empty.
    pub tree: Vec<Node>,
    /// Where the tree came from.
    pub toc_source: TocSource,
    /// The file's info dictionary.
    pub info: Info,
    /// What is to be said of the file.
    pub notes: Vec<FileNote>,
}
