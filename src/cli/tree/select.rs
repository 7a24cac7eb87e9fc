//! Which sections are shown, and what of them as JSON.

use serde::Serialize;

use super::find::Wanted;
use crate::index::{Node, NodeHead, NodeSource};

/// A section that is shown, with those of its children that are.
pub(super) struct Shown<'a> {
    pub(super) node: &'a Node,
    pub(super) nodes: Vec<Shown<'a>>,
    /// Whether it is shown for itself and not only for the place of what is inside it.
    pub(super) wanted: bool,
    /// How many sections inside lie below the last level shown.
    pub(super) hidden: usize,
}

/// The sections down to a level (1 for the top) that hold a text in their title or key items, each with the sections around it.
pub(super) fn select<'a>(nodes: &'a [Node], depth: Option<usize>, wanted: Option<&Wanted>) -> Vec<Shown<'a>> {
    let below = depth.map(|depth| depth.saturating_sub(1));
    nodes.iter().filter_map(|node| choose(node, below, wanted)).collect()
}

/// The tree builder bounds how deep a tree is; the recursion is as deep.
fn choose<'a>(node: &'a Node, below: Option<usize>, wanted: Option<&Wanted>) -> Option<Shown<'a>> {
    let (nodes, hidden) = match below {
        Some(0) => (Vec::new(), count(&node.nodes)),
        _ => (select(&node.nodes, below, wanted), 0),
    };
    let holds = wanted.is_none_or(|wanted| wanted.is_in(&node.title) || node.key_items.iter().any(|item| wanted.is_in(item)));
    (holds || !nodes.is_empty()).then_some(Shown { node, nodes, wanted: holds, hidden })
}

fn count(nodes: &[Node]) -> usize {
    nodes.iter().map(|node| 1 + count(&node.nodes)).sum()
}

/// A section of `--json`: the fields of the contract in their order, and with `--sources` those that say where it came from.
#[derive(Debug, Serialize)]
pub(super) struct JsonNode<'a> {
    #[serde(flatten)]
    head: NodeHead<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<NodeSource>,
    /// In percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<u8>,
    /// Whether the title is printed on the start page.
    #[serde(skip_serializing_if = "Option::is_none")]
    title_printed: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<JsonNode<'a>>,
}

impl<'a> JsonNode<'a> {
    pub(super) fn of(shown: &Shown<'a>, sources: bool) -> Self {
        let node = shown.node;
        let provenance = sources.then_some(node.provenance);
        Self {
            head: node.head(),
            source: provenance.map(|provenance| provenance.source),
            confidence: provenance.map(|provenance| provenance.confidence),
            title_printed: provenance.map(|provenance| provenance.printed),
            nodes: shown.nodes.iter().map(|inner| Self::of(inner, sources)).collect(),
        }
    }
}
