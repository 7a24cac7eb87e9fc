//! Announcing documents, and giving up on them.

use rusqlite::{OptionalExtension, Transaction, params};

use super::labels;
use super::names::free_name;
use super::record::{by_key, key_of, now_ms, origin_columns, plain_metadata};
use crate::library::{Begun, DocId, LibraryError, Metadata, NewDocument, Status, Ticket};

/// Attempts that are older than this are forgotten; their tickets are void. In milliseconds (7 days).
const FORGOTTEN_AFTER_MS: i64 = 7 * 24 * 3_600 * 1_000;

/// See [`crate::library::Library::begin`].
pub(super) fn begin(transaction: &Transaction<'_>, new: &NewDocument) -> Result<Begun, LibraryError> {
    forget_old(transaction)?;
    let (kind, value) = origin_columns(&new.origin);
    let same_place: Option<i64> = if kind == "bytes" {
        None
    } else {
        let mut find = transaction
            .prepare_cached("SELECT key FROM documents WHERE origin_kind = ?1 AND origin = ?2 ORDER BY key DESC LIMIT 1")?;
        find.query_row(params![kind, value], |row| row.get(0)).optional()?
    };
    if let Some(key) = whole_with_content(transaction, &new.content_hash, same_place)? {
        update_user_data(transaction, key, new)?;
        if new.moved && same_place.is_none() {
            let mut moved = transaction.prepare_cached("UPDATE documents SET origin_kind = ?2, origin = ?3 WHERE key = ?1")?;
            moved.execute(params![key, kind, value])?;
        }
        if same_place == Some(key) {
            // The file went back to what is stored: other content that was on its way for it is void.
            let mut void = transaction.prepare_cached("DELETE FROM submissions WHERE doc = ?1 AND content_hash <> ?2")?;
            void.execute(params![key, new.content_hash])?;
        }
        return match by_key(transaction, key)? {
            Some(document) => Ok(Begun::Present(Box::new(document))),
            None => Err(LibraryError::Stale(new.name.clone())),
        };
    }
    let on_its_way = in_progress_with_content(transaction, &new.content_hash)?;
    let (key, ticket) = match same_place.or(on_its_way) {
        Some(key) => again(transaction, key, new)?,
        None => first_time(transaction, new, kind, &value)?,
    };
    let mut announce =
        transaction.prepare_cached("INSERT INTO submissions (doc, content_hash, bytes, started_ms) VALUES (?1, ?2, ?3, ?4)")?;
    announce.execute(params![key, new.content_hash, size(new.bytes), now_ms()])?;
    let attempt = transaction.last_insert_rowid().unsigned_abs();
    labels::write(transaction, key)?;
    Ok(Begun::Started(Ticket { attempt, ..ticket }))
}

/// See [`crate::library::Library::fail`]. A ticket that a later attempt made void changes nothing. Content that was there before stays
/// readable; the reason is kept beside it.
pub(super) fn fail(transaction: &Transaction<'_>, ticket: &Ticket, reason: &str) -> Result<(), LibraryError> {
    let Some(key) = key_of(transaction, &ticket.id)? else { return Ok(()) };
    let newest: Option<i64> =
        transaction.prepare_cached("SELECT max(attempt) FROM submissions WHERE doc = ?1")?.query_row([key], |row| row.get(0))?;
    if newest.map(i64::unsigned_abs) != Some(ticket.attempt) {
        return Ok(());
    }
    let mut mark = transaction.prepare_cached(
        "UPDATE documents SET failure = ?2, updated_ms = ?3, status = CASE status WHEN 'completed' THEN status ELSE 'failed' END WHERE key = ?1",
    )?;
    mark.execute(params![key, reason, now_ms()])?;
    let mut spent = transaction.prepare_cached("DELETE FROM submissions WHERE doc = ?1 AND attempt = ?2")?;
    spent.execute(params![key, newest])?;
    Ok(())
}

/// The completed document with this content; the one of this place first.
fn whole_with_content(transaction: &Transaction<'_>, content: &str, place: Option<i64>) -> Result<Option<i64>, rusqlite::Error> {
    let mut find = transaction.prepare_cached(
        "SELECT key FROM documents WHERE content_hash = ?1 AND status = 'completed' ORDER BY key = ?2 DESC, key LIMIT 1",
    )?;
    find.query_row(params![content, place.unwrap_or(0)], |row| row.get(0)).optional()
}

/// A document whose latest attempt is at this content, or that failed on it.
fn in_progress_with_content(transaction: &Transaction<'_>, content: &str) -> Result<Option<i64>, rusqlite::Error> {
    let mut find = transaction.prepare_cached(
        "SELECT key FROM documents WHERE content_hash = ?1 AND status <> 'completed' \
         UNION ALL SELECT doc FROM submissions AS s WHERE content_hash = ?1 \
         AND attempt = (SELECT max(attempt) FROM submissions WHERE doc = s.doc) LIMIT 1",
    )?;
    find.query_row([content], |row| row.get(0)).optional()
}

/// Another attempt at a document that is known by its place or content. It takes over from whoever was at it: a process that died must
/// not block, and one that lives and works on the same content loses nothing (see `finish`).
fn again(transaction: &Transaction<'_>, key: i64, new: &NewDocument) -> Result<(i64, Ticket), LibraryError> {
    update_user_data(transaction, key, new)?;
    let (id, name, status): (String, String, String) = transaction
        .prepare_cached("SELECT id, name, status FROM documents WHERE key = ?1")?
        .query_row([key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let replaces = status == Status::Completed.as_str();
    if !replaces {
        let mut restart = transaction.prepare_cached(
            "UPDATE documents SET status = ?2, failure = NULL, content_hash = ?3, bytes = ?4, updated_ms = ?5 WHERE key = ?1",
        )?;
        restart.execute(params![key, Status::Processing.as_str(), new.content_hash, size(new.bytes), now_ms()])?;
    }
    Ok((key, Ticket { id: DocId(id), name, attempt: 0, replaces }))
}

fn first_time(transaction: &Transaction<'_>, new: &NewDocument, kind: &str, value: &[u8]) -> Result<(i64, Ticket), LibraryError> {
    let name = free_name(transaction, &new.name)?;
    let id = new_id()?;
    let now = now_ms();
    let mut insert = transaction.prepare_cached(
        "INSERT INTO documents (id, name, status, user_description, created_ms, updated_ms, metadata, origin_kind, origin, content_hash, bytes) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    insert.execute(params![
        id,
        name,
        Status::Processing.as_str(),
        new.description,
        now,
        metadata_text(&plain_metadata(&new.metadata)),
        kind,
        value,
        new.content_hash,
        size(new.bytes)
    ])?;
    Ok((transaction.last_insert_rowid(), Ticket { id: DocId(id), name, attempt: 0, replaces: false }))
}

/// What the user says about a document holds from the moment it is said; what is not said again stays.
fn update_user_data(transaction: &Transaction<'_>, key: i64, new: &NewDocument) -> Result<(), LibraryError> {
    let given = plain_metadata(&new.metadata);
    if given.is_empty() && new.description.is_none() {
        return Ok(());
    }
    let stored: String =
        transaction.prepare_cached("SELECT metadata FROM documents WHERE key = ?1")?.query_row([key], |row| row.get(0))?;
    let mut merged: Metadata = serde_json::from_str(&stored).unwrap_or_default();
    merged.extend(given);
    let mut update = transaction.prepare_cached(
        "UPDATE documents SET metadata = ?2, user_description = coalesce(?3, user_description), updated_ms = ?4 WHERE key = ?1",
    )?;
    update.execute(params![key, metadata_text(&merged), new.description, now_ms()])?;
    labels::write(transaction, key)
}

fn forget_old(transaction: &Transaction<'_>) -> Result<(), rusqlite::Error> {
    transaction.prepare_cached("DELETE FROM submissions WHERE started_ms < ?1")?.execute([now_ms() - FORGOTTEN_AFTER_MS])?;
    Ok(())
}

fn metadata_text(metadata: &Metadata) -> String {
    serde_json::to_string(metadata).unwrap_or_else(|_| "{}".to_owned())
}

/// Sizes beyond 2^63 do not occur; SQLite has signed integers only.
pub(super) fn size(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// `pi-` and 128 random bits.
fn new_id() -> Result<String, LibraryError> {
    let random = || getrandom::u64().map_err(|error| LibraryError::Database(format!("no random numbers for an id: {error}")));
    Ok(format!("pi-{:016x}{:016x}", random()?, random()?))
}
