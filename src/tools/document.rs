//! `get_document`: status, size and what a document is about.

use crate::library::{DocumentRecord, Status};

use super::arguments::Arguments;
use super::browse::{plain, timestamp};
use super::definition::{BROWSE_DOCUMENTS, GET_DOCUMENT, GET_DOCUMENT_STRUCTURE, GET_PAGE_CONTENT};
use super::envelope::{Envelope, NextSteps};
use super::local::Context;
use super::lookup::{RESUBMIT, find, quoted, reason, wait_for};
use super::measure::{counted, shorten};
use super::wait::Waited;

/// Up to this many pages a document is read whole.
const READ_WHOLE: u32 = 5;
/// Above this many pages the structure comes first.
const STRUCTURE_FIRST: u32 = 20;
/// Room for the description.
const DESCRIPTION_ROOM: usize = 8_000;
/// Room for the metadata.
const METADATA_ROOM: usize = 8_000;
/// Room for the notes on the file's quality in one option.
const NOTES_ROOM: usize = 600;

/// Answers a call.
pub(super) async fn document(context: &Context, arguments: &Arguments<'_>) -> Result<Envelope, Box<Envelope>> {
    let record = find(context, arguments.text("doc_name")).await?;
    let (record, waited) =
        if arguments.flag("wait_for_completion") { wait_for(context, record).await? } else { (record, Waited::No) };
    let (description_room, metadata_room) = (DESCRIPTION_ROOM.min(context.limit / 10), METADATA_ROOM.min(context.limit / 10));
    let mut envelope = Envelope::success()
        .field("name", shorten(&record.name, context.name_room()))
        .field("description", shorten(&record.description, description_room))
        .field("status", record.status.as_str())
        .field("created_at", timestamp(record.created_ms))
        .field("page_count", record.page_count)
        .raw("folder_id", "null");
    let metadata = plain(&record.metadata, metadata_room);
    if !metadata.is_empty() {
        envelope = envelope.field("metadata", metadata);
    }
    Ok(envelope.shows(&record.name, record.page_count).next(next_steps(context, &record, waited)))
}

fn next_steps(context: &Context, record: &DocumentRecord, waited: Waited) -> NextSteps {
    match record.status {
        Status::Completed => completed(record),
        Status::Failed => NextSteps::new(format!("The processing failed, so there is nothing to read. {}", reason(record)))
            .option(RESUBMIT)
            .option(format!("Call {BROWSE_DOCUMENTS} to look for another document that says the same.")),
        status => NextSteps::new(format!(
            "{}{} is still processing (status: {}); its structure and pages cannot be read yet.",
            waited.lead(context.patience),
            quoted(&record.name),
            status.as_str()
        ))
        .option(format!("Wait for it: {GET_DOCUMENT}(doc_name={}, wait_for_completion=true).", quoted(&record.name)))
        .retry(format!("Call {GET_DOCUMENT} again in 10 seconds.")),
    }
}

fn completed(record: &DocumentRecord) -> NextSteps {
    let name = quoted(&record.name);
    let pages = record.page_count.unwrap_or_default();
    let size = counted(pages.into(), "page", "pages");
    let structure = format!("{GET_DOCUMENT_STRUCTURE}(doc_name={name})");
    let next = if pages == 0 {
        NextSteps::new("The document is ready, but has no pages.")
    } else if pages <= READ_WHOLE {
        let all = if pages == 1 { "1".to_owned() } else { format!("1-{pages}") };
        NextSteps::new(format!("Ready; {size}, short enough to read whole."))
            .option(format!("Read all of it: {GET_PAGE_CONTENT}(doc_name={name}, pages=\"{all}\")."))
    } else if pages <= STRUCTURE_FIRST {
        NextSteps::new(format!("Ready; {size}. Look at the structure, then read the key pages."))
            .option(format!("See what stands where: {structure}."))
            .option(format!("Then read the pages that matter: {GET_PAGE_CONTENT}(doc_name={name}, pages=\"FIRST-LAST\")."))
    } else {
        NextSteps::new(format!("Ready; {size}, too long to read whole. Start with the structure."))
            .option(format!("First find the sections that matter: {structure}."))
            .option(format!(
                "Then read only their pages, a few at a time: {GET_PAGE_CONTENT}(doc_name={name}, pages=\"FIRST-LAST\")."
            ))
    };
    let notes = record.notes_in_words().join("; ");
    next.maybe((!notes.is_empty()).then(|| format!("Notes on the quality of the file: {}.", shorten(&notes, NOTES_ROOM))))
}
