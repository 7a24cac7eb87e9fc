//! `get_document_structure`: the outline, in parts.

use serde::Serialize;

use crate::index::{Node, TocSource};
use crate::library::DocumentRecord;

use super::arguments::Arguments;
use super::definition::{GET_DOCUMENT_STRUCTURE, GET_PAGE_CONTENT};
use super::envelope::{Envelope, NEXT_STEPS_ROOM, NextSteps, internal};
use super::local::Context;
use super::lookup::{about, find_readable, quoted};
use super::measure::counted;
use super::parts::{MAX_DEPTH, Parts};

/// Where a reply stands among the parts. The order of the fields is the order of the keys.
#[derive(Serialize)]
struct Pagination {
    part: usize,
    total_parts: usize,
    has_more: bool,
}

/// Answers a call.
pub(super) async fn structure(context: &Context, arguments: &Arguments<'_>) -> Result<Envelope, Box<Envelope>> {
    let record = find_readable(context, arguments).await?;
    let tree = context.library.tree(&record.id).await.map_err(|error| Box::new(internal(&error)))?;
    Ok(envelope(context, &record, &tree, arguments.number("part")))
}

fn envelope(context: &Context, record: &DocumentRecord, tree: &[Node], asked: i128) -> Envelope {
    let start = about(context, record, Envelope::success());
    // Two numbers and the keys around them take less than 150 characters.
    let room = context.limit.saturating_sub(start.len() + NEXT_STEPS_ROOM + 150);
    let parts = Parts::cut(tree, room);
    let total_parts = parts.len();
    let part = usize::try_from(asked.max(1)).unwrap_or(usize::MAX).min(total_parts);
    let has_more = part < total_parts;
    start
        .field("total_parts", total_parts)
        .raw("structure", &parts.json(part - 1))
        .field("pagination", Pagination { part, total_parts, has_more })
        .next(next_steps(record, &parts, asked, part))
}

fn next_steps(record: &DocumentRecord, parts: &Parts<'_>, asked: i128, part: usize) -> NextSteps {
    let name = quoted(&record.name);
    let total = parts.len();
    let sections = counted(parts.nodes() as u64, "section", "sections");
    let pages = counted(record.page_count.unwrap_or_default().into(), "page", "pages");
    let mut summary = if total == 1 {
        format!("The whole outline: {sections} on {pages}.")
    } else {
        let covered = parts.pages(part - 1).map(|(first, last)| format!(", pages {first}-{last}")).unwrap_or_default();
        format!("Part {part} of {total}{covered}; the whole outline has {sections} on {pages}.")
    };
    if asked != part as i128 {
        let parts = if total == 1 { "there is only part 1".to_owned() } else { format!("parts go from 1 to {total}") };
        summary = format!("There is no part {asked} ({parts}), so this is part {part}. {summary}");
    }
    let mut next = NextSteps::new(summary).option(format!(
        "Read the pages of the sections that matter: {GET_PAGE_CONTENT}(doc_name={name}, pages=\"FIRST-LAST\") with their start_index and end_index."
    ));
    if part < total {
        next = next.option(format!(
            "If none of these sections fits, get the next part: {GET_DOCUMENT_STRUCTURE}(doc_name={name}, part={}).",
            part + 1
        ));
    }
    if is_page_ranges(record) {
        next = next.option(
            "No headings were found in this document: the sections are plain groups of pages, told apart by their summaries.",
        );
    }
    if parts.shortened {
        next = next.option("Some titles or summaries were too long for a reply and are shortened, with a mark.");
    }
    if parts.flattened {
        next = next.option(format!(
            "Sections nested deeper than {MAX_DEPTH} levels are listed behind their parent at the last level shown."
        ));
    }
    next
}

/// Whether the sections are no sections but groups of pages.
fn is_page_ranges(record: &DocumentRecord) -> bool {
    let name = serde_json::to_value(TocSource::PageRanges).ok();
    record.toc_source.is_some() && record.toc_source.as_deref() == name.as_ref().and_then(|name| name.as_str())
}
