//! Cutting an outline into parts that fit into one reply each.
//!
//! A part is a run of nodes in document order, shown under the ancestors of its first node. Parts begin and end at the borders of whole
//! nodes where a node fits into one part; a larger one is opened, and each piece repeats its ancestors.

use std::ops::Range;

use crate::index::{Node, NodeHead};

use super::json::to_json;
use super::measure::{sent_len, shorten};

/// The deepest level that is nested in a reply; nodes further down are listed at this level, behind their parent. Readers of JSON
/// commonly refuse more than 128 levels of nesting, and one level of nodes takes two of them.
pub(super) const MAX_DEPTH: usize = 50;

/// Room that the repetition of one ancestor takes at most, ids and punctuation included, as long as ids are short.
const ANCESTOR_ROOM: usize = 300;
/// Room for the title of a repeated ancestor.
const ANCESTOR_TITLE_ROOM: usize = 150;
/// What the list of its child nodes adds to a node.
const NESTING: usize = ",\"nodes\":[]".len();
/// What closes a node and sets it apart from the next.
const CLOSING: usize = "},".len();
/// Room for one key item when a node has to be shortened.
const KEY_ITEM_ROOM: usize = 400;

/// One node in document order.
struct Entry<'a> {
    node: &'a Node,
    parent: Option<usize>,
    /// Whether nodes stand inside it.
    nests: bool,
    /// Its own fields as JSON, without the closing brace.
    json: String,
    /// Sent size of the node alone.
    own: usize,
    /// Sent size of the node with all that is inside it.
    whole: usize,
    /// Index behind the last node inside it.
    end: usize,
}

/// An outline, cut.
pub(super) struct Parts<'a> {
    entries: Vec<Entry<'a>>,
    ranges: Vec<Range<usize>>,
    /// Whether some node was deeper than what is nested.
    pub flattened: bool,
    /// Whether some title, summary or list of key items was shortened.
    pub shortened: bool,
}

impl<'a> Parts<'a> {
    /// Cuts `tree` so that the JSON of each part takes at most `room` characters as sent. `room` should be 1,000 or more.
    pub fn cut(tree: &'a [Node], room: usize) -> Self {
        // Half of a part may go to repeated ancestors, the other half is left for the node itself.
        let depth_limit = (room / 2 / ANCESTOR_ROOM).clamp(1, MAX_DEPTH);
        let (entries, flattened) = in_order(tree, depth_limit);
        let mut parts = Self { entries, ranges: Vec::new(), flattened, shortened: false };
        parts.measure(room.saturating_sub("[]".len()));
        parts.divide(room.saturating_sub("[]".len()));
        parts
    }

    /// How many parts there are; an empty outline has one, which is empty.
    pub fn len(&self) -> usize {
        self.ranges.len().max(1)
    }

    /// How many nodes there are in all.
    pub fn nodes(&self) -> usize {
        self.entries.len()
    }

    /// First and last page of the nodes in a part (0-based).
    pub fn pages(&self, part: usize) -> Option<(u32, u32)> {
        let entries = self.entries.get(self.ranges.get(part)?.clone())?;
        let first = entries.iter().map(|entry| entry.node.start_index).min()?;
        let last = entries.iter().map(|entry| entry.node.end_index).max()?;
        Some((first, last))
    }

    /// One part (0-based) as a JSON array.
    pub fn json(&self, part: usize) -> String {
        let mut out = "[".to_owned();
        let Some(range) = self.ranges.get(part) else { return out + "]" };
        // The nodes that are open at this point, each with whether it already shows a child.
        let mut open: Vec<(usize, bool)> = Vec::new();
        let mut any = false;
        for index in self.ancestors(range.start).into_iter().rev().chain(range.clone()) {
            let Some(entry) = self.entries.get(index) else { continue };
            while open.last().is_some_and(|(last, _)| Some(*last) != entry.parent) {
                close(&mut out, open.pop());
            }
            match open.last_mut() {
                Some((_, has_child)) => {
                    out.push_str(if *has_child { "," } else { ",\"nodes\":[" });
                    *has_child = true;
                }
                None if any => out.push(','),
                None => {}
            }
            any = true;
            if index < range.start {
                out.push_str(&ancestor(entry.node))
            } else {
                out.push_str(&entry.json)
            }
            open.push((index, false));
        }
        while let Some(last) = open.pop() {
            close(&mut out, Some(last));
        }
        out.push(']');
        out
    }

    /// The ancestors of an entry, nearest first.
    fn ancestors(&self, index: usize) -> Vec<usize> {
        let mut out = Vec::new();
        let mut at = self.entries.get(index).and_then(|entry| entry.parent);
        while let Some(parent) = at {
            out.push(parent);
            at = self.entries.get(parent).and_then(|entry| entry.parent);
        }
        out
    }

    /// What it costs to begin a part at this entry.
    fn ancestors_size(&self, index: usize) -> usize {
        let sizes = self
            .ancestors(index)
            .into_iter()
            .filter_map(|at| self.entries.get(at))
            .map(|e| sent_len(&ancestor(e.node)) + NESTING + CLOSING);
        sizes.sum()
    }

    /// Writes and measures every node.
    fn measure(&mut self, room: usize) {
        for index in 0..self.entries.len() {
            let Some((node, nests)) = self.entries.get(index).map(|entry| (entry.node, entry.nests)) else { continue };
            let frame = CLOSING + if nests { NESTING } else { 0 };
            let mut json = head(node.head());
            let mut own = sent_len(&json) + frame;
            // The walk up is only worth it for the rare node that is near the limit by itself.
            if own > room / 2 {
                let free = room.saturating_sub(self.ancestors_size(index));
                if own > free {
                    json = fitted(node, free.saturating_sub(frame));
                    own = sent_len(&json) + frame;
                    self.shortened = true;
                }
            }
            if let Some(entry) = self.entries.get_mut(index) {
                (entry.json, entry.own, entry.whole) = (json, own, own);
            }
        }
        for index in (0..self.entries.len()).rev() {
            let Some((parent, whole, end)) = self.entries.get(index).map(|e| (e.parent, e.whole, e.end)) else { continue };
            if let Some(parent) = parent.and_then(|parent| self.entries.get_mut(parent)) {
                parent.whole += whole;
                parent.end = parent.end.max(end);
            }
        }
    }

    /// Fills one part after the other.
    fn divide(&mut self, room: usize) {
        let (mut start, mut used, mut index) = (0, 0, 0);
        while let Some(entry) = self.entries.get(index) {
            let (own, whole, end) = (entry.own, entry.whole, entry.end);
            if used + whole <= room {
                used += whole;
                index = end;
                continue;
            }
            let fresh = self.ancestors_size(index);
            let opened = fresh + whole > room;
            if index > start && !(opened && used + own <= room) {
                self.ranges.push(start..index);
                (start, used) = (index, fresh);
            } else {
                // A node larger than a part: it stands here by itself, and its children follow one by one.
                used += own;
                index += 1;
            }
        }
        if index > start {
            self.ranges.push(start..index);
        }
    }
}

/// All nodes in document order, and whether some were too deep to be nested. Without recursion: depth is the document's choice.
fn in_order(tree: &[Node], depth_limit: usize) -> (Vec<Entry<'_>>, bool) {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut flattened = false;
    let mut rest: Vec<(&Node, Option<usize>, usize)> = tree.iter().rev().map(|node| (node, None, 1)).collect();
    while let Some((node, parent, depth)) = rest.pop() {
        let index = entries.len();
        let room_below = depth < depth_limit;
        let nests = room_below && !node.nodes.is_empty();
        flattened |= !room_below && !node.nodes.is_empty();
        entries.push(Entry { node, parent, nests, json: String::new(), own: 0, whole: 0, end: index + 1 });
        let (child_parent, child_depth) = if room_below { (Some(index), depth + 1) } else { (parent, depth) };
        rest.extend(node.nodes.iter().rev().map(|child| (child, child_parent, child_depth)));
    }
    (entries, flattened)
}

/// A node as JSON, without the brace at its end.
fn head(head: NodeHead<'_>) -> String {
    let mut json = to_json(&head);
    json.pop();
    json
}

/// A repeated ancestor: only what says where the reader is.
fn ancestor(node: &Node) -> String {
    head(NodeHead { title: &shorten(&node.title, ANCESTOR_TITLE_ROOM), summary: None, key_items: &[], ..node.head() })
}

/// A node that is too large for a part, shortened with marks: the title keeps up to three quarters of the room, the summary most of the
/// rest, key items what is left.
fn fitted(node: &Node, room: usize) -> String {
    let title = shorten(&node.title, room / 4 * 3);
    let bare = NodeHead { title: &title, summary: None, key_items: &[], ..node.head() };
    let summary_room = room.saturating_sub(sent_len(&head(bare)) + ",\"summary\":\"\"".len()) / 4 * 3;
    let summary = node.summary.as_deref().map(|summary| shorten(summary, summary_room));
    let told = NodeHead { summary: summary.as_deref(), ..bare };
    let mut used = sent_len(&head(told)) + ",\"key_items\":[\"[... 1,000,000 more cut]\"]".len();
    let mut items: Vec<String> = Vec::new();
    for (at, item) in node.key_items.iter().enumerate() {
        let item = shorten(item, KEY_ITEM_ROOM);
        used += super::measure::escaped_len(&item) + "\"\",".len();
        if used > room {
            items.push(format!("[... {} more cut]", node.key_items.len() - at));
            break;
        }
        items.push(item.into_owned());
    }
    head(NodeHead { key_items: &items, ..told })
}

fn close(out: &mut String, open: Option<(usize, bool)>) {
    if let Some((_, has_child)) = open {
        out.push_str(if has_child { "]}" } else { "}" });
    }
}

#[cfg(test)]
mod tests;
