//! A row of `documents` as the rest of the program sees it.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{OptionalExtension, Row, Transaction};

use crate::index::TREE_VERSION;
use crate::library::{DocId, DocumentRecord, LibraryError, Metadata, Origin, Outdated, Scope, Status};
use crate::pdf::TEXT_VERSION;
use crate::search::analysis::VERSION;

/// The columns that [`record`] reads, in its order, after the key.
pub(super) const COLUMNS: &str = "key, id, name, coalesce(user_description, description), status, failure, created_ms, updated_ms, page_count, \
     metadata, origin_kind, origin, content_hash, bytes, notes, toc_source, text_version, tree_version, words_version";

/// What makes a completed document of `documents` outdated, with [`versions`] as parameters 1 to 3.
pub(super) const IS_OUTDATED: &str = "status = 'completed' AND (coalesce(text_version, 0) < ?1 OR coalesce(tree_version, 0) < ?2 \
     OR coalesce(words_version, 0) < ?3)";

/// Versions of text, tree and words that this program makes.
pub(super) fn versions() -> [u32; 3] {
    [TEXT_VERSION, TREE_VERSION, VERSION]
}

/// A document that has been "processing" for longer was given up by a process that died: reading one file is bounded by
/// [`crate::pdf::Limits::file_time`], five minutes. In milliseconds.
const ABANDONED_AFTER_MS: i64 = 10 * 60 * 1_000;

/// Reads a row of [`COLUMNS`]: the document's key and the record.
pub(super) fn record(row: &Row<'_>) -> Result<(i64, DocumentRecord), rusqlite::Error> {
    let status: String = row.get(4)?;
    let metadata: String = row.get(9)?;
    let origin_kind: String = row.get(10)?;
    let notes: String = row.get(14)?;
    let mut document = DocumentRecord {
        id: DocId(row.get(1)?),
        name: row.get(2)?,
        description: row.get(3)?,
        status: status_of(&status),
        failure: row.get(5)?,
        created_ms: row.get(6)?,
        updated_ms: row.get(7)?,
        page_count: row.get(8)?,
        metadata: serde_json::from_str(&metadata).unwrap_or_default(),
        origin: origin_of(&origin_kind, row.get(11)?),
        content_hash: row.get(12)?,
        bytes: row.get::<_, i64>(13)?.try_into().unwrap_or(0),
        notes: serde_json::from_str(&notes).unwrap_or_default(),
        toc_source: row.get(15)?,
        outdated: Outdated::default(),
    };
    if document.status == Status::Completed {
        document.outdated = outdated_of(row)?;
    }
    if document.status == Status::Processing && now_ms() - document.updated_ms > ABANDONED_AFTER_MS {
        document.status = Status::Failed;
        document.failure = Some("reading it was interrupted; add it again".to_owned());
    }
    Ok((row.get(0)?, document))
}

/// Parts of a completed document that an older version made. Those of a newer one are left alone.
fn outdated_of(row: &Row<'_>) -> Result<Outdated, rusqlite::Error> {
    let older = |at: usize, current: u32| row.get::<_, Option<u32>>(at).map(|made| made.unwrap_or(0) < current);
    let [text, tree, words] = versions();
    Ok(Outdated { text: older(16, text)?, tree: older(17, tree)?, words: older(18, words)? })
}

/// The document with this key.
pub(super) fn by_key(transaction: &Transaction<'_>, key: i64) -> Result<Option<DocumentRecord>, rusqlite::Error> {
    let sql = format!("SELECT {COLUMNS} FROM documents WHERE key = ?1");
    let found = transaction.prepare_cached(&sql)?.query_row([key], record).optional()?;
    Ok(found.map(|(_, document)| document))
}

/// The key of this id.
pub(super) fn key_of(transaction: &Transaction<'_>, id: &DocId) -> Result<Option<i64>, rusqlite::Error> {
    transaction.prepare_cached("SELECT key FROM documents WHERE id = ?1")?.query_row([&id.0], |row| row.get(0)).optional()
}

/// The keys of a scope, newest first; `None` for the whole library. Ids that do not exist are left out.
pub(super) fn scope_keys(transaction: &Transaction<'_>, scope: &Scope) -> Result<Option<Vec<i64>>, LibraryError> {
    let Scope::Documents(ids) = scope else { return Ok(None) };
    let mut keys = Vec::with_capacity(ids.len());
    for id in ids {
        keys.extend(key_of(transaction, id)?);
    }
    keys.sort_unstable_by(|a, b| b.cmp(a));
    keys.dedup();
    Ok(Some(keys))
}

fn status_of(name: &str) -> Status {
    [Status::Pending, Status::Queued, Status::Processing, Status::Completed]
        .into_iter()
        .find(|status| status.as_str() == name)
        .unwrap_or(Status::Failed)
}

/// Kind and value as they are stored. Paths are kept byte for byte where the system has them as bytes.
pub(super) fn origin_columns(origin: &Origin) -> (&'static str, Vec<u8>) {
    match origin {
        Origin::Path(path) => ("path", path_bytes(path)),
        Origin::Bytes => ("bytes", Vec::new()),
        Origin::Cloud(id) => ("cloud", id.as_bytes().to_vec()),
    }
}

fn origin_of(kind: &str, value: Vec<u8>) -> Origin {
    match kind {
        "path" => Origin::Path(bytes_path(value)),
        "cloud" => Origin::Cloud(String::from_utf8_lossy(&value).into_owned()),
        _ => Origin::Bytes,
    }
}

#[cfg(unix)]
fn path_bytes(path: &std::path::Path) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
}

#[cfg(unix)]
fn bytes_path(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes))
}

#[cfg(not(unix))]
fn path_bytes(path: &std::path::Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}

#[cfg(not(unix))]
fn bytes_path(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}

/// What may stand in metadata: strings, numbers and booleans.
pub(super) fn plain_metadata(metadata: &Metadata) -> Metadata {
    metadata
        .iter()
        .filter(|(_, value)| value.is_string() || value.is_number() || value.is_boolean())
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect()
}

/// Milliseconds since 1970 UTC.
pub(super) fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
