//! From a flat outline to nodes: levels, spans, folding, front matter, ids.

use super::entry::Entry;
use super::levels::DEEPEST;
use super::types::{Node, NodeSource};

/// A node with the places that its summary is taken from.
#[derive(Debug, Clone)]
pub(super) struct Section {
    /// The node, its children in `sections`.
    pub node: Node,
    /// Line of the title on its first page.
    pub line: Option<usize>,
    /// Sections inside.
    pub sections: Vec<Section>,
}

/// Leaves in a row that start on one page from which on they are folded into the first of them.
const FOLD: usize = 4;

/// Builds the tree. `front` names the pages before the first section. Empty only without pages.
pub(super) fn shape(mut entries: Vec<Entry>, page_count: u32, front: &str) -> Vec<Section> {
    if page_count == 0 {
        return Vec::new();
    }
    let last = page_count;
    for entry in &mut entries {
        entry.page = entry.page.clamp(1, last);
    }
    entries.retain(|e| !e.title.trim().is_empty());
    entries.sort_by_key(|e| e.page);
    if entries.first().is_none_or(|e| e.page > 1) {
        entries.insert(
            0,
            Entry {
                level: 1,
                title: front.to_owned(),
                page: 1,
                line: None,
                at_top: true,
                source: NodeSource::FrontMatter,
                confidence: 100,
            },
        );
    }
    let mut depth = 0;
    for entry in &mut entries {
        entry.level = entry.level.clamp(1, (depth + 1).min(DEEPEST));
        depth = entry.level;
    }
    let ends = ends(&entries, last);
    let mut flat: std::iter::Peekable<_> = entries.into_iter().zip(ends).peekable();
    let mut tree = children(&mut flat, 1);
    fold_runs(&mut tree);
    let mut next = 1;
    number(&mut tree, &mut next);
    tree
}

/// Last pages: the page before the next section of the same or a higher level where that starts at the top of its page, else that page.
fn ends(entries: &[Entry], last: u32) -> Vec<u32> {
    let mut out = vec![last; entries.len()];
    // Open sections, innermost last.
    let mut open: Vec<usize> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        while let Some(&above) = open.last() {
            let Some(before) = entries.get(above).filter(|b| b.level >= entry.level) else { break };
            let end = if entry.at_top { entry.page.saturating_sub(1) } else { entry.page };
            if let Some(slot) = out.get_mut(above) {
                *slot = end.max(before.page);
            }
            open.pop();
        }
        open.push(at);
    }
    out
}

fn children(flat: &mut std::iter::Peekable<impl Iterator<Item = (Entry, u32)>>, level: u32) -> Vec<Section> {
    let mut out = Vec::new();
    while let Some((entry, end)) = flat.next_if(|(e, _)| e.level >= level) {
        let provenance = entry.provenance();
        let sections = children(flat, entry.level + 1);
        // A child may end on a page that the parent's own rule leaves out.
        let end = sections.iter().map(|s: &Section| s.node.end_index).max().unwrap_or(end).max(end);
        out.push(Section {
            node: Node {
                title: entry.title,
                node_id: String::new(),
                start_index: entry.page,
                end_index: end,
                summary: None,
                key_items: Vec::new(),
                nodes: Vec::new(),
                provenance,
            },
            line: entry.line,
            sections,
        });
    }
    out
}

/// Folds runs of leaves that start and (but for the last) end on one page: they cannot be told apart by page.
fn fold_runs(sections: &mut Vec<Section>) {
    let mut out: Vec<Section> = Vec::with_capacity(sections.len());
    let mut rest = std::mem::take(sections).into_iter().peekable();
    while let Some(mut head) = rest.next() {
        fold_runs(&mut head.sections);
        let mut run = vec![head];
        while run.iter().all(|s| s.sections.is_empty()) {
            let page = run.first().map(|s| s.node.start_index);
            match rest.next_if(|s| s.sections.is_empty() && Some(s.node.start_index) == page) {
                Some(next) => run.push(next),
                None => break,
            }
        }
        if run.len() < FOLD {
            out.append(&mut run);
            continue;
        }
        let end = run.iter().map(|s| s.node.end_index).max();
        let mut run = run.into_iter();
        if let Some(mut first) = run.next() {
            first.node.end_index = end.unwrap_or(first.node.end_index);
            first.node.key_items = run.map(|s| s.node.title).collect();
            out.push(first);
        }
    }
    *sections = out;
}

/// Ids in pre-order.
fn number(sections: &mut [Section], next: &mut u32) {
    for section in sections {
        section.node.node_id = format!("{next:04}");
        *next += 1;
        number(&mut section.sections, next);
    }
}

/// The nodes without what was needed to build them.
pub(super) fn nodes(sections: Vec<Section>) -> Vec<Node> {
    sections.into_iter().map(|s| Node { nodes: nodes(s.sections), ..s.node }).collect()
}
