//! `remove_document`: deletion, only where management is switched on.

use std::borrow::Cow;

use serde::Serialize;

use crate::library::{DocId, LibraryError, RemoveOutcome};

use super::arguments::Arguments;
use super::definition::{BROWSE_DOCUMENTS, MAX_REMOVALS};
use super::envelope::{Envelope, NextSteps, internal};
use super::local::Context;
use super::measure::{counted, excerpt, shorten};

/// What became of one name. The order of the fields is the order of the keys.
#[derive(Serialize)]
struct Removal<'a> {
    doc_name: Cow<'a, str>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

const DELETED: &str = "deleted";
const NOT_FOUND: &str = "not_found";
const FAILED: &str = "failed";

/// Answers a call. Every element is read and looked up before the first document is deleted.
pub(super) async fn remove(context: &Context, arguments: &Arguments<'_>) -> Result<Envelope, Box<Envelope>> {
    let names = arguments.names("doc_names");
    let mut targets: Vec<(&str, Option<DocId>)> = Vec::with_capacity(names.len());
    for &name in names {
        if targets.iter().any(|(seen, _)| *seen == name) {
            continue;
        }
        let found = context.find(name).await.map_err(|error| Box::new(internal(&error)))?;
        targets.push((name, found.map(|record| record.id)));
    }
    let mut results: Vec<Removal<'_>> = Vec::with_capacity(targets.len());
    let mut deleted: Vec<&DocId> = Vec::new();
    for (name, id) in &targets {
        let (status, error) = match id {
            None => (NOT_FOUND, None),
            // The same document, named once by its name and once by its id.
            Some(id) if deleted.contains(&id) => (DELETED, None),
            Some(_) if context.cancel.is_cancelled() => (FAILED, Some("interrupted before it was deleted".to_owned())),
            Some(id) => outcome(context.library.remove(id).await),
        };
        if let (Some(id), DELETED) = (id, status) {
            deleted.push(id);
        }
        // At most ten names share the room of one.
        results.push(Removal { doc_name: shorten(name, context.name_room() / MAX_REMOVALS), status, error });
    }
    Ok(Envelope::success().field("results", &results).next(next_steps(&results)))
}

fn outcome(result: Result<RemoveOutcome, LibraryError>) -> (&'static str, Option<String>) {
    match result {
        Ok(RemoveOutcome::Removed) => (DELETED, None),
        Ok(RemoveOutcome::NotFound) => (NOT_FOUND, None),
        Err(error) => (FAILED, Some(excerpt(&error.to_string()))),
    }
}

fn next_steps(results: &[Removal<'_>]) -> NextSteps {
    let count = |status| results.iter().filter(|result| result.status == status).count() as u64;
    let (deleted, missing, failed) = (count(DELETED), count(NOT_FOUND), count(FAILED));
    let mut next =
        NextSteps::new(format!("{} deleted, {missing} not found, {failed} failed.", counted(deleted, "document", "documents")));
    if missing > 0 {
        next =
            next.option(format!("Names are exact; call {BROWSE_DOCUMENTS} to see them, and ask the user which document is meant."));
    }
    if failed > 0 {
        next = next.option("Tell the user which documents could not be deleted and why.");
    }
    next.option("Tell the user what was deleted.")
}
