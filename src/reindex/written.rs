//! What a model wrote about a document, kept where it still fits what is made anew.

use std::collections::HashMap;

use crate::index::{IndexedDocument, Node};
use crate::library::{DocumentRecord, Improvable};

/// How much of what a model wrote could be kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// Sections that keep the summary which a model wrote.
    pub kept: usize,
    /// Sections in all.
    pub sections: usize,
}

/// Gives the sections that a model has summarised their summaries again. A section is the same where title and first page are; of several
/// that are, each gets its own, in order. A description by the model stays with the content that it describes.
pub(super) fn keep(stored: &Improvable, tree: &[Node], document: &DocumentRecord, anew: &mut IndexedDocument) -> Written {
    let mut known: HashMap<(String, u32), Vec<&str>> = HashMap::new();
    collect(tree, &mut known);
    if !stored.described_by_user {
        anew.description.clone_from(&document.description);
    }
    let mut written = Written::default();
    fill(&mut anew.tree, &mut known, &mut written);
    written
}

/// The summaries by section, last ones first.
fn collect<'a>(nodes: &'a [Node], known: &mut HashMap<(String, u32), Vec<&'a str>>) {
    for node in nodes.iter().rev() {
        collect(&node.nodes, known);
        if let Some(summary) = &node.summary {
            known.entry((node.title.clone(), node.start_index)).or_default().push(summary);
        }
    }
}

fn fill(nodes: &mut [Node], known: &mut HashMap<(String, u32), Vec<&str>>, written: &mut Written) {
    for node in nodes {
        written.sections += 1;
        if let Some(summary) = known.get_mut(&(node.title.clone(), node.start_index)).and_then(Vec::pop) {
            node.summary = Some(summary.to_owned());
            written.kept += 1;
        }
        fill(&mut node.nodes, known, written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(title: &str, start_index: u32, summary: &str, nodes: Vec<Node>) -> Node {
        Node {
            title: title.to_owned(),
            node_id: String::new(),
            start_index,
            end_index: start_index,
            summary: Some(summary.to_owned()),
            key_items: Vec::new(),
            nodes,
            provenance: Default::default(),
        }
    }

    #[test]
    fn sections_get_their_own_summaries_again() {
        let old = vec![
            node("A", 1, "a1", vec![node("Note", 2, "first", vec![]), node("Note", 2, "second", vec![])]),
            node("B", 3, "b", vec![]),
        ];
        let mut anew = vec![
            node("A", 1, "x", vec![node("Note", 2, "x", vec![]), node("Note", 2, "x", vec![]), node("Note", 2, "x", vec![])]),
            node("B", 4, "x", vec![]),
        ];
        let mut known = HashMap::new();
        collect(&old, &mut known);
        let mut written = Written::default();
        fill(&mut anew, &mut known, &mut written);
        assert_eq!(written, Written { kept: 3, sections: 5 });
        let summaries: Vec<_> = anew[0].nodes.iter().chain(&anew).map(|node| node.summary.as_deref().unwrap()).collect();
        assert_eq!(summaries, ["first", "second", "x", "a1", "x"]);
    }
}
