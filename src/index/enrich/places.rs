//! A tree as a list in document order, each node knowing where its own text begins and ends.

use super::lines::Lines;
use crate::index::{Node, NodeSource};

/// A node of the list.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The node, without those inside it.
    pub node: Node,
    /// Level, 0 at the top.
    pub depth: usize,
    /// Line of its title on the start page; `None` where it was not found printed.
    pub line: Option<usize>,
}

/// A run of lines of one page: page number, first line, line after the last.
pub(super) type Run = (u32, usize, usize);

/// The list. A tree that a model improved before loses the nodes that the model proposed, so that every run starts from the same tree; but
/// for those at the top, which stand in for a tree that had nothing but groups of pages.
pub(super) fn list(tree: &[Node], lines: &Lines<'_>) -> Vec<Place> {
    let mut out: Vec<Place> = Vec::new();
    let mut waiting: Vec<(usize, &Node)> = tree.iter().rev().map(|node| (0, node)).collect();
    while let Some((depth, node)) = waiting.pop() {
        if depth > 0 && node.provenance.source == NodeSource::Model {
            continue;
        }
        waiting.extend(node.nodes.iter().rev().map(|child| (depth + 1, child)));
        let alone = Node { node_id: String::new(), ..node.alone() };
        out.push(Place { node: alone, depth, line: None });
    }
    locate(&mut out, lines);
    out
}

/// Finds the titles on their start pages, each below the one before.
pub(super) fn locate(places: &mut [Place], lines: &Lines<'_>) {
    let (mut page, mut from) = (0, 0);
    for place in places {
        if place.node.start_index != page {
            (page, from) = (place.node.start_index, 0);
        }
        place.line = lines.find(page, from, &place.node.title).map(|found| found.line);
        from = place.line.map_or(from, |line| line + 1);
    }
}

/// Whether the node has none inside it.
pub(super) fn is_leaf(places: &[Place], at: usize) -> bool {
    match (places.get(at), places.get(at + 1)) {
        (Some(place), Some(next)) => next.depth <= place.depth,
        _ => true,
    }
}

/// The nodes directly inside one, in order.
pub(super) fn children(places: &[Place], at: usize) -> Vec<usize> {
    let Some(depth) = places.get(at).map(|place| place.depth) else { return Vec::new() };
    let inside = places.iter().enumerate().skip(at + 1).take_while(|(_, place)| place.depth > depth);
    inside.filter(|(_, place)| place.depth == depth + 1).map(|(at, _)| at).collect()
}

/// Titles from the top level down to the node above one.
pub(super) fn path(places: &[Place], at: usize) -> Vec<&str> {
    let mut out = Vec::new();
    let mut depth = places.get(at).map_or(0, |place| place.depth);
    for place in places.iter().take(at).rev() {
        if place.depth < depth {
            depth = place.depth;
            out.push(place.node.title.as_str());
        }
    }
    out.reverse();
    out
}

/// The text of a node that belongs to no other: from its title to where the next node of the document begins.
pub(super) fn own_text(places: &[Place], at: usize, lines: &Lines<'_>) -> Vec<Run> {
    let Some(place) = places.get(at) else { return Vec::new() };
    let (start, end) = (place.node.start_index, place.node.end_index);
    let stop = match places.get(at + 1).map(|next| (next.node.start_index, next.line)) {
        // Not known where on the page the next one begins: on its own page it gets all, on a shared one both do.
        Some((page, None)) if page == start => (start, usize::MAX),
        Some((page, line)) if page <= end => (page, line.unwrap_or(0)),
        _ => (end, usize::MAX),
    };
    let runs = (start..=stop.0.max(start)).map(|page| {
        let all = lines.page(page).len();
        let from = if page == start { place.line.unwrap_or(0) } else { 0 };
        (page, from, if page == stop.0 { all.min(stop.1) } else { all })
    });
    runs.filter(|(_, from, to)| from < to).collect()
}

/// The tree of a list, with ids in document order.
pub(super) fn tree(places: Vec<Place>) -> Vec<Node> {
    let mut open: Vec<Node> = Vec::new();
    let mut top = Vec::new();
    for (number, place) in (1_u32..).zip(places) {
        close(&mut open, place.depth, &mut top);
        open.push(Node { node_id: format!("{number:04}"), ..place.node });
    }
    close(&mut open, 0, &mut top);
    top
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
