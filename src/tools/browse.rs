//! `browse_documents`: the list of documents, newest first or best match first.

use serde::Serialize;
use time::OffsetDateTime;

use crate::library::{DocumentRecord, LibraryError, Metadata, Scope, Status};

use super::arguments::Arguments;
use super::definition::{BROWSE_DOCUMENTS, GET_DOCUMENT, QUERY, RELEVANCE};
use super::envelope::{Envelope, NEXT_STEPS_ROOM, NextSteps, internal};
use super::json::to_json;
use super::kind::quote;
use super::local::Context;
use super::lookup::quoted;
use super::measure::{counted, escaped_len, prefix, sent_len, shorten};

/// Room for a description in a list.
const DESCRIPTION_ROOM: usize = 2_000;
/// Room for the metadata of one document in a list.
const METADATA_ROOM: usize = 2_000;
/// Room for the start of the query that is ranked; a longer one is a pasted text, whose first words tell enough.
const QUERY_ROOM: usize = 2_000;
/// Most documents that a warning names.
const NAMED: usize = 5;

/// One document in a list. The order of the fields is the order of the keys.
#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    description: &'a str,
    status: &'a str,
    created_at: String,
    #[serde(skip_serializing_if = "Metadata::is_empty")]
    metadata: Metadata,
}

/// What was asked for.
struct Request<'a> {
    recursive: bool,
    sort: &'a str,
    query: Option<&'a str>,
    offset: u64,
    limit: u32,
}

/// Answers a call.
pub(super) async fn browse(context: &Context, arguments: &Arguments<'_>) -> Result<Envelope, Box<Envelope>> {
    let request = read(arguments)?;
    let (documents, total) = fetch(context, &request).await.map_err(|error| Box::new(internal(&error)))?;
    let page = Page::fill(context, &documents);
    let shown = documents.get(..page.count).unwrap_or_default();
    let reached = request.offset.saturating_add(page.count as u64);
    let next_offset = (page.count > 0 && reached < total).then_some(reached);
    let mut envelope = Envelope::success()
        .raw("documents", &page.json)
        .field("sort", request.sort)
        .field("next_offset", next_offset)
        .field("has_more", next_offset.is_some());
    if !request.recursive {
        envelope = envelope.raw("folders", "[]");
    }
    envelope = shown.iter().fold(envelope, |envelope, record| envelope.shows(&record.name, record.page_count));
    Ok(envelope.next(next_steps(&request, shown, next_offset, total, context.scope != Scope::All)))
}

fn read<'a>(arguments: &'a Arguments<'_>) -> Result<Request<'a>, Box<Envelope>> {
    let sort = arguments.text("sort");
    let query = Some(arguments.text("query").trim()).filter(|query| !query.is_empty());
    if sort == RELEVANCE && query.is_none() {
        return Err(arguments.missing(&QUERY, "sort \"relevance\" needs a few words to rank by"));
    }
    Ok(Request {
        recursive: arguments.flag("recursive"),
        sort,
        query: query.map(|query| prefix(query, QUERY_ROOM)),
        offset: u64::try_from(arguments.number("offset")).unwrap_or(u64::MAX),
        limit: u32::try_from(arguments.number("limit")).unwrap_or(u32::MAX),
    })
}

async fn fetch(context: &Context, request: &Request<'_>) -> Result<(Vec<DocumentRecord>, u64), LibraryError> {
    match request.query {
        Some(query) if request.sort == RELEVANCE => {
            let (ranked, total) = context.ranker.rank_documents(&context.scope, query, request.offset, request.limit).await?;
            Ok((ranked.into_iter().map(|ranked| ranked.document).collect(), total))
        }
        _ => {
            let listed = context.library.list(&context.scope, request.offset, request.limit).await?;
            Ok((listed.documents, listed.total))
        }
    }
}

/// The documents that fit into one reply, as JSON.
struct Page {
    json: String,
    count: usize,
}

impl Page {
    fn fill(context: &Context, documents: &[DocumentRecord]) -> Self {
        let room = context.limit.saturating_sub(NEXT_STEPS_ROOM);
        let mut page = Self { json: "[".to_owned(), count: 0 };
        let (description_room, metadata_room) = (DESCRIPTION_ROOM.min(context.limit / 20), METADATA_ROOM.min(context.limit / 20));
        let mut used = 0;
        for record in documents {
            let json = to_json(&Listed {
                name: &shorten(&record.name, context.name_room()),
                description: &shorten(&record.description, description_room),
                status: record.status.as_str(),
                created_at: timestamp(record.created_ms),
                metadata: plain(&record.metadata, metadata_room),
            });
            let size = sent_len(&json) + 1;
            if page.count > 0 && used + size > room {
                break;
            }
            if page.count > 0 {
                page.json.push(',');
            }
            page.json.push_str(&json);
            used += size;
            page.count += 1;
        }
        page.json.push(']');
        page
    }
}

fn next_steps(request: &Request<'_>, shown: &[DocumentRecord], next_offset: Option<u64>, total: u64, limited: bool) -> NextSteps {
    let in_all = counted(total, "document", "documents");
    let summary = if total == 0 && limited {
        "None of the documents that this conversation is limited to is in the library any more.".to_owned()
    } else if total == 0 {
        "The library holds no documents.".to_owned()
    } else if shown.is_empty() {
        format!("Nothing stands at offset {}: there are {in_all}.", request.offset)
    } else {
        let last = request.offset + shown.len() as u64;
        let order = if request.sort == RELEVANCE { "best match first" } else { "newest first" };
        format!("Documents {} to {last} of {total}, {order}.", request.offset + 1)
    };
    let mut next = NextSteps::new(summary);
    if total == 0 && limited {
        return next.option("Tell the user: what may be read here has to be chosen anew.");
    }
    if total == 0 {
        return next.option("Tell the user that there is nothing to read yet; `pagewise add FILE.pdf` adds a document.");
    }
    if shown.is_empty() {
        return next.option(format!("Call {BROWSE_DOCUMENTS} with offset 0 to start over."));
    }
    next = next
        .maybe(warning(shown, &[Status::Pending, Status::Queued, Status::Processing], "Still processing, cannot be read yet"))
        .maybe(warning(shown, &[Status::Failed], "Processing failed, cannot be read"));
    if let Some(offset) = next_offset {
        next = next.option(format!(
            "For the next documents call {BROWSE_DOCUMENTS} with offset {offset} and the other arguments unchanged."
        ));
    }
    if request.sort == RELEVANCE {
        next = next.option("Documents that match no word of the query stand at the end; other words may rank them higher.");
    } else if let Some(query) = request.query {
        let query = quote(query);
        next = next.option(format!(
            "query has no effect on sort \"time\"; to rank by it call {BROWSE_DOCUMENTS}(sort=\"relevance\", query={query})."
        ));
    } else if next_offset.is_some() {
        next = next.option("To look for a subject, use sort \"relevance\" with a query.");
    }
    next.option(format!("If one document fits the question, go on with it: {GET_DOCUMENT}(doc_name=\"...\")."))
}

fn warning(shown: &[DocumentRecord], statuses: &[Status], what: &str) -> Option<String> {
    let names: Vec<&str> = shown.iter().filter(|r| statuses.contains(&r.status)).map(|r| r.name.as_str()).collect();
    if names.is_empty() {
        return None;
    }
    let named: Vec<String> = names.iter().take(NAMED).map(|name| quoted(name)).collect();
    let more = if names.len() > NAMED { format!(" and {} more", names.len() - NAMED) } else { String::new() };
    Some(format!("{what}: {}{more}.", named.join(", ")))
}

/// Metadata as replies show it: string, number and boolean values, at most `room` characters in all.
pub(super) fn plain(metadata: &Metadata, room: usize) -> Metadata {
    let mut out = Metadata::new();
    let mut used = 0;
    for (key, value) in metadata {
        let value = match value {
            serde_json::Value::String(text) => serde_json::Value::String(shorten(text, room / 4).into_owned()),
            serde_json::Value::Number(_) | serde_json::Value::Bool(_) => value.clone(),
            _ => continue,
        };
        let size = escaped_len(key) + sent_len(&to_json(&value)) + 4;
        if used + size <= room {
            used += size;
            out.insert(key.clone(), value);
        }
    }
    out
}

/// Milliseconds since 1970 as ISO-8601 in UTC with milliseconds.
pub(super) fn timestamp(ms: i64) -> String {
    let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(ms) * 1_000_000).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        at.year(),
        u8::from(at.month()),
        at.day(),
        at.hour(),
        at.minute(),
        at.second(),
        at.millisecond()
    )
}
