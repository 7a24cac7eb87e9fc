//! Reading documents, trees and pages, and removing documents.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rusqlite::{OptionalExtension, Transaction, params};

use super::finish::{clear_content, key_range};
use super::record::{COLUMNS, IS_OUTDATED, by_key, key_of, record, scope_keys, versions};
use super::schema::NUMBER_BITS;
use crate::index::{IndexedPage, Node};
use crate::library::{DocId, DocumentRecord, LibraryError, ListedDocuments, RemoveOutcome, Scope};
use crate::search::StoredPage;

/// See [`crate::library::Library::list`].
pub(super) fn list(transaction: &Transaction<'_>, scope: &Scope, offset: u64, limit: u32) -> Result<ListedDocuments, LibraryError> {
    let from = usize::try_from(offset).unwrap_or(usize::MAX);
    if let Some(keys) = scope_keys(transaction, scope)? {
        let mut documents = Vec::new();
        for key in keys.iter().skip(from).take(limit as usize) {
            documents.extend(by_key(transaction, *key)?);
        }
        return Ok(ListedDocuments { documents, total: keys.len() as u64 });
    }
    let sql = format!("SELECT {COLUMNS} FROM documents ORDER BY key DESC LIMIT ?1 OFFSET ?2");
    let mut page = transaction.prepare_cached(&sql)?;
    let rows = page.query_map(params![limit, i64::try_from(offset).unwrap_or(i64::MAX)], record)?;
    let documents = rows.map(|row| row.map(|(_, document)| document)).collect::<Result<_, _>>()?;
    Ok(ListedDocuments { documents, total: count(transaction)? })
}

/// How many documents there are.
pub(super) fn count(transaction: &Transaction<'_>) -> Result<u64, rusqlite::Error> {
    let count: i64 = transaction.prepare_cached("SELECT count(*) FROM documents")?.query_row([], |row| row.get(0))?;
    Ok(count.unsigned_abs())
}

/// See [`crate::library::Library::find`]. A name goes before an id.
pub(super) fn find(transaction: &Transaction<'_>, scope: &Scope, name_or_id: &str) -> Result<Option<DocumentRecord>, LibraryError> {
    for column in ["name", "id"] {
        let sql = format!("SELECT {COLUMNS} FROM documents WHERE {column} = ?1");
        let found = transaction.prepare_cached(&sql)?.query_row([name_or_id], record).optional()?;
        if let Some((_, document)) = found.filter(|(_, document)| scope.holds(&document.id)) {
            return Ok(Some(document));
        }
    }
    Ok(None)
}

/// See [`crate::library::Library::find_content`].
pub(super) fn find_content(transaction: &Transaction<'_>, content_hash: &str) -> Result<Option<DocumentRecord>, LibraryError> {
    let sql = format!("SELECT {COLUMNS} FROM documents WHERE content_hash = ?1 AND status = 'completed' ORDER BY key LIMIT 1");
    let found = transaction.prepare_cached(&sql)?.query_row([content_hash], record).optional()?;
    Ok(found.map(|(_, document)| document))
}

/// See [`crate::library::Library::tree`].
pub(super) fn tree(transaction: &Transaction<'_>, id: &DocId) -> Result<Vec<Node>, LibraryError> {
    let mut find = transaction.prepare_cached("SELECT nodes FROM trees JOIN documents ON key = doc WHERE id = ?1")?;
    let stored: Option<String> = find.query_row([&id.0], |row| row.get(0)).optional()?;
    stored.map_or_else(|| Ok(Vec::new()), |text| super::tree::from_text(&text))
}

/// See [`crate::library::Library::pages`]. Overlapping ranges give a page once.
pub(super) fn pages(
    transaction: &Transaction<'_>,
    id: &DocId,
    ranges: &[RangeInclusive<u32>],
) -> Result<Vec<IndexedPage>, LibraryError> {
    let Some(key) = key_of(transaction, id)? else { return Ok(Vec::new()) };
    let mut sorted: Vec<(u32, u32)> = ranges.iter().map(|range| (*range.start(), *range.end())).collect();
    sorted.sort_unstable();
    let mut find =
        transaction.prepare_cached("SELECT key, label, notes, text FROM pages WHERE key BETWEEN ?1 AND ?2 ORDER BY key")?;
    let mut pages = Vec::new();
    let mut next = 0;
    let last_possible = (1 << NUMBER_BITS) - 1;
    for (start, end) in sorted {
        let (start, end) = (start.max(next), end.min(last_possible));
        if start > end {
            continue;
        }
        next = end + 1;
        let base = key << NUMBER_BITS;
        let mut rows = find.query([base + i64::from(start), base + i64::from(end)])?;
        while let Some(row) = rows.next()? {
            let notes: Option<String> = row.get(2)?;
            pages.push(IndexedPage {
                number: u32::try_from(row.get::<_, i64>(0)? - base).unwrap_or(0),
                label: row.get(1)?,
                notes: notes.and_then(|notes| serde_json::from_str(&notes).ok()).unwrap_or_default(),
                text: row.get(3)?,
            });
        }
    }
    Ok(pages)
}

/// See [`crate::library::Library::labels`].
pub(super) fn labels(transaction: &Transaction<'_>, id: &DocId) -> Result<BTreeMap<u32, String>, LibraryError> {
    let Some(key) = key_of(transaction, id)? else { return Ok(BTreeMap::new()) };
    let (first, last) = key_range(key);
    let mut find =
        transaction.prepare_cached("SELECT key - ?1, label FROM pages WHERE key BETWEEN ?1 AND ?2 AND label IS NOT NULL")?;
    Ok(find.query_map([first, last], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
}

/// See [`crate::library::Library::outdated`].
pub(super) fn outdated(transaction: &Transaction<'_>, scope: &Scope) -> Result<u64, LibraryError> {
    let [text, tree, words] = versions();
    let Some(keys) = scope_keys(transaction, scope)? else {
        let sql = format!("SELECT count(*) FROM documents WHERE {IS_OUTDATED}");
        let count: i64 = transaction.prepare_cached(&sql)?.query_row([text, tree, words], |row| row.get(0))?;
        return Ok(count.unsigned_abs());
    };
    let mut is_outdated = transaction.prepare_cached(&format!("SELECT 1 FROM documents WHERE {IS_OUTDATED} AND key = ?4"))?;
    let mut count = 0;
    for key in keys {
        count += u64::from(is_outdated.exists(params![text, tree, words, key])?);
    }
    Ok(count)
}

/// See [`crate::library::Library::remove`].
pub(super) fn remove(transaction: &Transaction<'_>, id: &DocId) -> Result<RemoveOutcome, LibraryError> {
    let Some(key) = key_of(transaction, id)? else { return Ok(RemoveOutcome::NotFound) };
    clear_content(transaction, key)?;
    super::labels::remove(transaction, key)?;
    transaction.prepare_cached("DELETE FROM documents WHERE key = ?1")?.execute([key])?;
    Ok(RemoveOutcome::Removed)
}

/// Hands the stored words of each page of a document to `each`, with the key of the page.
pub(super) fn page_words(
    transaction: &Transaction<'_>,
    document: i64,
    each: &mut dyn FnMut(i64, StoredPage<'_>),
) -> Result<(), LibraryError> {
    let (first, last) = key_range(document);
    stored_pages(transaction, first, last, each)
}

/// The same for the pages with these keys.
pub(super) fn stored_pages(
    transaction: &Transaction<'_>,
    first: i64,
    last: i64,
    each: &mut dyn FnMut(i64, StoredPage<'_>),
) -> Result<(), LibraryError> {
    let mut find = transaction.prepare_cached("SELECT key, starts, covers, body FROM page_words WHERE key BETWEEN ?1 AND ?2")?;
    let mut rows = find.query([first, last])?;
    while let Some(row) = rows.next()? {
        let blob = |at| row.get_ref(at).and_then(|value| value.as_blob().map_err(rusqlite::Error::from));
        let key: i64 = row.get(0)?;
        let number = u32::try_from(key & ((1 << NUMBER_BITS) - 1)).unwrap_or(0);
        each(key, StoredPage { number, starts: blob(1)?, covers: blob(2)?, body: blob(3)? });
    }
    Ok(())
}
