//! From a name to a document that can be read, or to the failure that says why not.

use crate::library::{DocumentRecord, LibraryError, Status};

use super::arguments::Arguments;
use super::definition::{BROWSE_DOCUMENTS, GET_DOCUMENT, Tool};
use super::envelope::{Envelope, ErrorCode, NextSteps, internal};
use super::json::to_json;
use super::kind::quote;
use super::local::Context;
use super::measure::{escaped_len, prefix, shorten};
use super::wait::Waited;

/// The longest name that is looked up, in bytes. File names end at 255; this leaves room for any that a program may choose.
const MAX_NAME_BYTES: usize = 64 * 1024;

/// How many close names a failure offers: the bound of the tool contract.
const SIMILAR: usize = 3;

/// Finds the document with this name or id.
pub(super) async fn find(context: &Context, name: &str) -> Result<DocumentRecord, Box<Envelope>> {
    let found = if name.len() > MAX_NAME_BYTES { Ok(None) } else { context.find(name).await };
    match found {
        Ok(Some(record)) => Ok(record),
        Ok(None) => Err(Box::new(not_found(context, name).await)),
        Err(error) => Err(Box::new(internal(&error))),
    }
}

/// The failure for a name that no document has.
async fn not_found(context: &Context, name: &str) -> Envelope {
    // Comparing names costs the product of their lengths; the start tells enough.
    let start = prefix(name, 1_000);
    // The name that was asked for and the close ones, which are left out where they are longer: a name that is cut is no help.
    let room = context.limit / (SIMILAR + 2);
    let similar: Vec<String> = match context.library.similar_names(&context.scope, start, SIMILAR).await {
        Ok(names) => names.into_iter().filter(|name| escaped_len(name) <= room).take(SIMILAR).collect(),
        Err(error) => {
            tracing::warn!(%error, "close names could not be looked up");
            Vec::new()
        }
    };
    let asked = quote(name);
    let message = match similar.first() {
        Some(close) => {
            let close = quotable(close).unwrap_or_else(|| "one of similar_files".to_owned());
            format!("There is no document {asked}. Did you mean {close}?")
        }
        None => format!("There is no document {asked}."),
    };
    let mut next = NextSteps::new("Names are exact, upper and lower case included.");
    if let Some(close) = similar.first() {
        next = next.option(format!("Call again with doc_name={} if that is the document that is meant.", quoted(close)));
    }
    next = next.option(format!("Call {BROWSE_DOCUMENTS} to see the names of all documents."));
    let envelope = Envelope::failure(ErrorCode::NotFound, message)
        .field("doc_name", shorten(name, room))
        .field("similar_files", &similar)
        .next(next);
    similar.iter().fold(envelope, |envelope, name| envelope.shows(name, None))
}

/// Finds a document whose structure and pages can be read, waiting for it when asked to.
pub(super) async fn find_readable(context: &Context, arguments: &Arguments<'_>) -> Result<DocumentRecord, Box<Envelope>> {
    let record = find(context, arguments.text("doc_name")).await?;
    if record.status == Status::Completed {
        return Ok(record);
    }
    let (record, waited) =
        if arguments.flag("wait_for_completion") { wait_for(context, record).await? } else { (record, Waited::No) };
    match record.status {
        Status::Completed => Ok(record),
        Status::Failed => Err(Box::new(failed(context, &record))),
        Status::Pending | Status::Queued | Status::Processing => Err(Box::new(not_ready(context, &record, waited, arguments.tool))),
    }
}

/// Waits until the document is done, the time is up, or the call is cancelled.
pub(super) async fn wait_for(context: &Context, record: DocumentRecord) -> Result<(DocumentRecord, Waited), Box<Envelope>> {
    let name = record.name.clone();
    match context.wait(record).await {
        Ok(Some(outcome)) => Ok(outcome),
        Ok(None) => Err(Box::new(not_found(context, &name).await)),
        Err(error) => Err(Box::new(internal(&error))),
    }
}

fn not_ready(context: &Context, record: &DocumentRecord, waited: Waited, tool: &Tool) -> Envelope {
    let status = record.status.as_str();
    let shown = quoted(&record.name);
    let lead = waited.lead(context.patience);
    let message = format!("{lead}{shown} is still processing (status: {status}), so its text cannot be read yet.");
    let next =
        NextSteps::new("The document is being indexed; this takes seconds for most files and a minute or two for very long ones.")
            .option(format!("Check on it: {GET_DOCUMENT}(doc_name={shown})."))
            .option("Call again with wait_for_completion=true to wait for it, or go on with other documents meanwhile.")
            .retry(format!("Call {} again in 10 seconds.", tool.name));
    about(context, record, Envelope::failure(ErrorCode::InvalidInput, message)).field("status", status).next(next)
}

fn failed(context: &Context, record: &DocumentRecord) -> Envelope {
    let message = format!("The processing failed for {}, so it has no text to read. {}", quoted(&record.name), reason(record));
    about(context, record, Envelope::failure(ErrorCode::InvalidInput, message)).field("status", record.status.as_str()).next(
        NextSteps::new("This document will not become readable by itself.")
            .option(RESUBMIT)
            .option(format!("Call {BROWSE_DOCUMENTS} to look for another document that says the same.")),
    )
}

/// How a failed document is given another try.
pub(super) const RESUBMIT: &str =
    "Tell the user what failed. When the cause is removed, the user can submit the file again with `pagewise add FILE`.";

/// Why it failed, as a sentence.
pub(super) fn reason(record: &DocumentRecord) -> String {
    match record.failure.as_deref().map(str::trim).filter(|reason| !reason.is_empty()) {
        Some(reason) => format!("Reason: {}", shorten(reason, 600)),
        None => "No reason was recorded.".to_owned(),
    }
}

/// Adds the name of the document that a reply is about.
pub(super) fn about(context: &Context, record: &DocumentRecord, envelope: Envelope) -> Envelope {
    envelope.field("doc_name", shorten(&record.name, context.name_room())).shows(&record.name, record.page_count)
}

/// A name as the value of an argument in a message. A name too long for a message is only pointed at.
pub(super) fn quoted(name: &str) -> String {
    quotable(name).unwrap_or_else(|| "<the whole name>".to_owned())
}

/// A name in quotes, where it is short enough for a message.
fn quotable(name: &str) -> Option<String> {
    // File names have at most 255 bytes.
    const ROOM: usize = 300;
    (escaped_len(name) <= ROOM).then(|| to_json(name))
}

/// Looks at the store through the scope.
impl Context {
    /// The document with exactly this name or id, inside the scope.
    pub(super) async fn find(&self, name: &str) -> Result<Option<DocumentRecord>, LibraryError> {
        let found = self.library.find(&self.scope, name).await?;
        Ok(found.filter(|record| self.scope.holds(&record.id)))
    }
}
