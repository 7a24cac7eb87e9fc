//! The file's own outline (bookmarks), walked without recursion: files nest it a hundred deep, or in circles.

use std::collections::HashSet;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Dict, Name, ObjectIdentifier, String as PdfString};

use super::destinations::Destinations;
use super::mended::mended;
use super::page_table::PageTable;
use super::{Bookmark, strings};

/// Most entries read. The largest outline seen has 12,000.
const ENTRIES: usize = 100_000;

/// Longest title kept, in characters: a heading, not the text under it.
const TITLE_CHARS: usize = 500;

/// All bookmarks in document order. An entry is taken once, wherever else the file links to it again.
pub(super) fn outline(pdf: &Pdf, table: &PageTable) -> Vec<Bookmark> {
    let xref = pdf.xref();
    let mut out = Vec::new();
    let Some(root) = xref.get::<Dict<'_>>(xref.root_id()).and_then(|catalog| catalog.get::<Dict<'_>>("Outlines")) else {
        return out;
    };
    let destinations = Destinations::new(pdf, table);
    let mut seen: HashSet<ObjectIdentifier> = HashSet::new();
    // What is still to be read after the current entry's children: the next entry of each level above.
    let mut waiting: Vec<(Dict<'_>, u32)> = Vec::new();
    waiting.extend(linked(pdf, &root, "First", &mut seen).map(|first| (first, 1)));
    while let Some((entry, level)) = waiting.pop() {
        if out.len() >= ENTRIES {
            tracing::debug!("the outline is too large; the rest of it is left out");
            break;
        }
        let title =
            entry.get::<PdfString<'_>>("Title").map(|t| strings::fold(&mended(strings::decode(t.as_bytes())))).unwrap_or_default();
        let target = destinations.of_entry(&entry);
        out.push(Bookmark {
            level,
            title: title.chars().take(TITLE_CHARS).collect(),
            page: target.map(|t| t.page),
            top: target.and_then(|t| t.top),
            leads_out: target.is_none() && leads_out(&entry),
        });
        waiting.extend(linked(pdf, &entry, "Next", &mut seen).map(|next| (next, level)));
        waiting.extend(linked(pdf, &entry, "First", &mut seen).map(|first| (first, level.saturating_add(1))));
    }
    out
}

/// Whether the action of an entry leads to another file or to an address.
fn leads_out(entry: &Dict<'_>) -> bool {
    let action = entry.get::<Dict<'_>>("A").and_then(|action| action.get::<Name<'_>>("S"));
    action.is_some_and(|kind| matches!(kind.as_str(), "GoToR" | "GoToE" | "URI" | "Launch"))
}

/// The entry under this key, unless it was taken before. One that is written in place cannot be part of a circle.
///
/// Entries are asked of the cross-reference table and not of the entry before: hayro-syntax keeps with each object the chain of those that
/// led to it, and a chain of 30,000 entries takes minutes.
fn linked<'a>(pdf: &'a Pdf, entry: &Dict<'a>, key: &str, seen: &mut HashSet<ObjectIdentifier>) -> Option<Dict<'a>> {
    let Some(reference) = entry.get_ref(key) else { return entry.get::<Dict<'_>>(key) };
    let id = ObjectIdentifier::from(reference);
    if seen.insert(id) { pdf.xref().get::<Dict<'_>>(id) } else { None }
}
