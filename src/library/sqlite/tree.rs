//! Trees as they are stored: a flat list of nodes with their depths, so that no depth is too much for a parser.

use serde::Deserialize;

use crate::index::{Node, Provenance};
use crate::library::LibraryError;

/// A stored node with its depth. Trees of older versions say nothing of where a node came from.
#[derive(Deserialize)]
struct Stored(u32, Node, #[serde(default)] Provenance);

/// The nodes in document order as JSON: `[[depth, node, provenance], ...]`, top level 0.
pub(super) fn to_text(nodes: &[Node]) -> Result<String, LibraryError> {
    let mut flat: Vec<(u32, Node, Provenance)> = Vec::new();
    let mut waiting: Vec<(u32, &Node)> = nodes.iter().rev().map(|node| (0, node)).collect();
    while let Some((depth, node)) = waiting.pop() {
        waiting.extend(node.nodes.iter().rev().map(|child| (depth + 1, child)));
        flat.push((depth, node.alone(), node.provenance));
    }
    serde_json::to_string(&flat).map_err(|error| LibraryError::Database(error.to_string()))
}

/// The tree of a stored text.
pub(super) fn from_text(text: &str) -> Result<Vec<Node>, LibraryError> {
    let flat: Vec<Stored> =
        serde_json::from_str(text).map_err(|error| LibraryError::Database(format!("a stored tree cannot be read: {error}")))?;
    // The node of each depth on the way to the current one; what is left goes to its parent.
    let mut open: Vec<Node> = Vec::new();
    let mut top = Vec::new();
    for Stored(depth, node, provenance) in flat {
        close(&mut open, depth as usize, &mut top);
        open.push(Node { provenance, ..node });
    }
    close(&mut open, 0, &mut top);
    Ok(top)
}

/// Hands the open nodes from this depth on to their parents.
fn close(open: &mut Vec<Node>, depth: usize, top: &mut Vec<Node>) {
    while open.len() > depth {
        let Some(done) = open.pop() else { return };
        match open.last_mut() {
            Some(parent) => parent.nodes.push(done),
            None => top.push(done),
        }
    }
}
