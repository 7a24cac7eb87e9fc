//! `get_page_content`: the text of pages, as many as fit.

use std::ops::RangeInclusive;

use serde::Serialize;

use crate::index::IndexedPage;
use crate::library::DocumentRecord;

use super::Evidence;
use super::arguments::Arguments;
use super::definition::{GET_DOCUMENT_STRUCTURE, GET_PAGE_CONTENT};
use super::envelope::{Envelope, ErrorCode, NEXT_STEPS_ROOM, NextSteps, internal};
use super::json::to_json;
use super::local::Context;
use super::lookup::{about, find_readable, quoted};
use super::measure::{counted, escaped_len, prefix, sent_len, thousands};
use super::page_notes::{labels, quality, shown_text};
use super::pages::{self, Ranges, Selection};

/// Pages taken from the store at a time: about as many as fill a reply, so that a request for a whole book loads no book.
const BATCH: u32 = 32;
/// Room for the exact `pages` value of the next call.
const NEXT_PAGES_ROOM: usize = 400;
/// Room for the two page lists, the keys and the numbers of a reply.
const FRAME_ROOM: usize = 1_000;

/// One page in a reply. The order of the fields is the order of the keys.
#[derive(Serialize)]
struct Shown<'a> {
    page: u32,
    text: &'a str,
}

/// What was read for one reply.
#[derive(Default)]
struct Collected {
    /// The pages, with the text that is returned.
    pages: Vec<(IndexedPage, String)>,
    json: String,
    used: usize,
    /// Pages that did not fit.
    rest: Ranges,
    /// Pages that should exist, but that the store does not have.
    missing: Vec<u32>,
    /// Whether the only page is cut.
    cut: bool,
}

/// Answers a call.
pub(super) async fn page_content(context: &Context, arguments: &Arguments<'_>) -> Result<Envelope, Box<Envelope>> {
    let record = find_readable(context, arguments).await?;
    let selection = pages::select(arguments.pages("pages").to_vec(), record.page_count.unwrap_or_default());
    if selection.inside.is_empty() {
        return Err(Box::new(out_of_range(context, &record, &selection)));
    }
    let start = about(context, &record, Envelope::success());
    let room = context.limit.saturating_sub(start.len() + FRAME_ROOM + NEXT_STEPS_ROOM);
    let collected = collect(context, &record, &selection.inside, room).await?;
    if collected.pages.is_empty() {
        return Err(internal_change(context, &record));
    }
    Ok(envelope(start, &record, &selection, collected))
}

fn internal_change(context: &Context, record: &DocumentRecord) -> Box<Envelope> {
    let message = format!("{} changed while it was read.", quoted(&record.name));
    let next = NextSteps::new("The document was replaced or removed at this moment.").option("Call again with the same arguments.");
    Box::new(about(context, record, Envelope::failure(ErrorCode::InternalError, message)).next(next))
}

fn out_of_range(context: &Context, record: &DocumentRecord, selection: &Selection) -> Envelope {
    let total = record.page_count.unwrap_or_default();
    let has = counted(total.into(), "page", "pages");
    let asked = pages::list(&selection.requested);
    let message = format!("{} has {has}; none of the pages asked for ({asked}) exists.", quoted(&record.name));
    about(context, record, Envelope::failure(ErrorCode::InvalidInput, message))
        .field("max_pages", total)
        .field("requested_pages", asked)
        .next(
            NextSteps::new(format!(
                "Ask for pages from 1 to {total}. Pages are counted from the first page of the file, whatever is printed on them."
            ))
            .option(format!("Call {GET_DOCUMENT_STRUCTURE}(doc_name={}) to see what stands where.", quoted(&record.name))),
        )
}

/// Takes pages from the store until the room is used up.
async fn collect(
    context: &Context,
    record: &DocumentRecord,
    inside: &[RangeInclusive<u32>],
    room: usize,
) -> Result<Collected, Box<Envelope>> {
    let mut out = Collected::default();
    let mut rest: Ranges = inside.to_vec();
    while !rest.is_empty() {
        let (batch, later) = pages::split_after(&rest, BATCH);
        let found = context.library.pages(&record.id, &batch).await.map_err(|error| Box::new(internal(&error)))?;
        let mut found = found.into_iter().peekable();
        for number in batch.iter().cloned().flatten() {
            while found.next_if(|page| page.number < number).is_some() {}
            let Some(page) = found.next_if(|page| page.number == number) else {
                out.missing.push(number);
                continue;
            };
            if !out.add(page, room, record) {
                out.rest = pages::from(inside, number);
                return Ok(out);
            }
            if out.cut {
                out.rest = pages::from(inside, number.saturating_add(1));
                return Ok(out);
            }
        }
        rest = later;
    }
    Ok(out)
}

impl Collected {
    /// Adds a page if it fits; the first is cut when it does not.
    fn add(&mut self, page: IndexedPage, room: usize, record: &DocumentRecord) -> bool {
        let mut text = shown_text(&page);
        let mut json = to_json(&Shown { page: page.number, text: &text });
        let size = sent_len(&json) + 1;
        if self.used + size > room {
            if !self.pages.is_empty() {
                return false;
            }
            let frame = size.saturating_sub(escaped_len(&text));
            text = cut(&text, page.number, room.saturating_sub(frame), record);
            json = to_json(&Shown { page: page.number, text: &text });
            self.cut = true;
        }
        if !self.pages.is_empty() {
            self.json.push(',');
        }
        self.json.push_str(&json);
        self.used += size;
        self.pages.push((page, text));
        true
    }
}

/// The start of a page that is longer than a reply, with a mark.
fn cut(text: &str, number: u32, room: usize, record: &DocumentRecord) -> String {
    const MARK_ROOM: usize = 400;
    let kept = prefix(text, room.saturating_sub(MARK_ROOM));
    let total = text.chars().count() as u64;
    let missing = total - kept.chars().count() as u64;
    format!(
        "{kept}\n[... cut here: {} of the {} characters of page {number} are missing, because the page is longer than a reply may be. \
         The user can read the whole page with `pagewise pages {} {number}`.]",
        thousands(missing),
        thousands(total),
        quoted(&record.name)
    )
}

fn envelope(start: Envelope, record: &DocumentRecord, selection: &Selection, collected: Collected) -> Envelope {
    let total = record.page_count.unwrap_or_default();
    let numbers: Vec<u32> = collected.pages.iter().map(|(page, _)| page.number).collect();
    let returned = pages::list(&pages::ranges_of(&numbers));
    let next = next_steps(record, selection, &collected, &returned);
    let evidence = collected
        .pages
        .into_iter()
        .map(|(page, text)| Evidence { doc: record.name.clone(), page: page.number, label: page.label, text, page_count: total })
        .collect();
    start
        .field("total_pages", total)
        .field("requested_pages", pages::list(&selection.requested))
        .field("returned_pages", returned)
        .raw("content", &format!("[{}]", collected.json))
        .evidence(evidence)
        .next(next)
}

fn next_steps(record: &DocumentRecord, selection: &Selection, collected: &Collected, returned: &str) -> NextSteps {
    let total = counted(record.page_count.unwrap_or_default().into(), "page", "pages");
    let shown: Vec<&IndexedPage> = collected.pages.iter().map(|(page, _)| page).collect();
    let noun = if shown.len() == 1 { "page" } else { "pages" };
    let mut next = NextSteps::new(format!("Text of {noun} {returned}; the document has {total}."));
    if !collected.rest.is_empty() {
        let (spec, later) = pages::exact_head(&collected.rest, NEXT_PAGES_ROOM);
        let then = if later > 0 { format!(" After that, {} are left.", counted(later, "page", "pages")) } else { String::new() };
        next = next.option(format!(
            "Not all pages fitted into this reply. If they are needed: {GET_PAGE_CONTENT}(doc_name={}, pages=\"{spec}\").{then}",
            quoted(&record.name)
        ));
    }
    if !selection.outside.is_empty() {
        next =
            next.option(format!("Out of range and left out: pages {}. The document has {total}.", pages::list(&selection.outside)));
    }
    if !collected.missing.is_empty() {
        let missing = pages::list(&pages::ranges_of(&collected.missing));
        next = next.option(format!("Pages {missing} could not be read; call again if they are needed."));
    }
    next = next.maybe(labels(&shown));
    next = quality(&shown).into_iter().fold(next, NextSteps::option);
    if collected.cut {
        next = next.option("The page is longer than a reply may be; the mark at its end says how much is missing.");
    }
    next.option("If these pages point to another place (\"see Note 12\", \"Table 3\"), read that place too before answering.")
}
