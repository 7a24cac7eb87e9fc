//! Documents without any structure: their groups of pages give way to sections where a model finds enough headings that are printed.

use super::Halt;
use super::asking::Asking;
use super::lines::Lines;
use super::material::About;
use super::places::{Place, Run};
use super::split::{LONG, parts, printed, proposals};
use crate::index::pipeline::FRONT_MATTER;
use crate::index::{Node, NodeSource, Provenance};

/// The sections of a document that has only groups of pages, or `None` where too few headings are found: groups of some pages show the way
/// better than sections of very many.
pub(super) async fn sections(about: &About<'_>, lines: &Lines<'_>, asking: &Asking<'_>) -> Result<Option<Vec<Place>>, Halt> {
    let pages = lines.count();
    if pages <= LONG {
        return Ok(None);
    }
    let whole = Place { node: node(about.title.unwrap_or_default(), (1, pages), NodeSource::PageGroup), depth: 0, line: None };
    let runs: Vec<Run> = (1..=pages).map(|page| (page, 0, lines.page(page).len())).collect();
    let found = proposals(&[(0, runs)], std::slice::from_ref(&whole), about, lines, asking).await?.remove(&0).unwrap_or_default();
    let kept = printed(&whole, &found, lines);
    if kept.len() < (pages / LONG) as usize {
        return Ok(None);
    }
    let mut sections = parts(&whole, kept, lines);
    for section in &mut sections {
        section.depth = 0;
    }
    let Some(first) = sections.first().filter(|first| first.node.start_index > 1) else { return Ok(Some(sections)) };
    let at_top = first.line.is_some_and(|line| lines.is_at_top(first.node.start_index, line));
    let end = if at_top { first.node.start_index - 1 } else { first.node.start_index };
    let title = about.title.unwrap_or(FRONT_MATTER);
    sections.insert(0, Place { node: node(title, (1, end), NodeSource::FrontMatter), depth: 0, line: None });
    Ok(Some(sections))
}

fn node(title: &str, pages: (u32, u32), source: NodeSource) -> Node {
    Node {
        title: title.to_owned(),
        node_id: String::new(),
        start_index: pages.0,
        end_index: pages.1,
        summary: None,
        key_items: Vec::new(),
        nodes: Vec::new(),
        provenance: Provenance { source, confidence: 100, printed: false },
    }
}
