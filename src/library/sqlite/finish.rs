//! Storing a finished document, in one transaction.

use rusqlite::{OptionalExtension, Transaction, params};

use super::begin::size;
use super::improve;
use super::labels::{self, row_of_content};
use super::notes;
use super::record::{by_key, key_of, now_ms, versions};
use super::schema::NUMBER_BITS;
use super::words::{self, DocumentWords};
use crate::index::{IndexedDocument, IndexedPage, TocSource};
use crate::library::{DocumentRecord, LibraryError, Status, Ticket};

/// A document with all that is derived from it, worked out outside of the write.
pub(super) struct Prepared {
    document: IndexedDocument,
    words: DocumentWords,
    tree: String,
    info: String,
    notes: String,
}

/// Works out what is stored. Takes most of the time of `finish`; holds no lock.
pub(super) fn prepare(document: IndexedDocument) -> Result<Prepared, LibraryError> {
    let text = |value: serde_json::Result<String>| value.map_err(|error| LibraryError::Database(error.to_string()));
    let words = words::read(&document.pages, &document.tree, document.toc_source != TocSource::PageRanges);
    let tree = super::tree::to_text(&document.tree)?;
    let info = text(serde_json::to_string(&document.info))?;
    let notes = text(serde_json::to_string(&notes::of(&document)))?;
    Ok(Prepared { document, words, tree, info, notes })
}

/// See [`crate::library::Library::finish`].
///
/// A ticket stands or falls by its content. When two processes work on the same content, whoever comes first stores it and the other one
/// gets what is stored; when a later attempt brought other content, or the document is gone, the ticket is void.
pub(super) fn finish(transaction: &Transaction<'_>, ticket: &Ticket, prepared: &Prepared) -> Result<DocumentRecord, LibraryError> {
    let stale = || LibraryError::Stale(ticket.name.clone());
    let key = key_of(transaction, &ticket.id)?.ok_or_else(stale)?;
    let (content, bytes) = submitted(transaction, key, ticket)?.ok_or_else(stale)?;
    let stored = by_key(transaction, key)?.ok_or_else(stale)?;
    if stored.status == Status::Completed && stored.content_hash == content {
        return Ok(stored);
    }
    let mut newest =
        transaction.prepare_cached("SELECT content_hash FROM submissions WHERE doc = ?1 ORDER BY attempt DESC LIMIT 1")?;
    if newest.query_row([key], |row| row.get::<_, String>(0))? != content {
        return Err(stale());
    }
    store(transaction, key, prepared)?;
    let mut update = transaction
        .prepare_cached("UPDATE documents SET status = ?2, failure = NULL, content_hash = ?3, bytes = ?4 WHERE key = ?1")?;
    update.execute(params![key, Status::Completed.as_str(), content, size(bytes)])?;
    by_key(transaction, key)?.ok_or_else(stale)
}

/// Puts everything that is derived from the content of a document in the place of what is stored of it.
pub(super) fn store(transaction: &Transaction<'_>, key: i64, prepared: &Prepared) -> Result<(), LibraryError> {
    clear_content(transaction, key)?;
    write_pages(transaction, key, &prepared.document.pages)?;
    write_words(transaction, key, &prepared.words)?;
    let [text, tree_version, words] = versions();
    let mut tree = transaction.prepare_cached("INSERT INTO trees (doc, nodes) VALUES (?1, ?2)")?;
    tree.execute(params![key, prepared.tree])?;
    let mut update = transaction.prepare_cached(
        "UPDATE documents SET description = ?2, updated_ms = ?3, page_count = ?4, section_count = ?5, notes = ?6, toc_source = ?7, \
         title = ?8, info = ?9, language = ?10, text_version = ?11, tree_version = ?12, words_version = ?13 WHERE key = ?1",
    )?;
    update.execute(params![
        key,
        prepared.document.description,
        now_ms(),
        size(prepared.document.pages.len() as u64),
        size(prepared.words.sections.len() as u64),
        prepared.notes,
        source_name(&prepared.document),
        prepared.document.title,
        prepared.info,
        prepared.words.language.code(),
        text,
        tree_version,
        words
    ])?;
    labels::write(transaction, key)
}

/// Takes away everything that belongs to the content of a document, but not the document.
pub(super) fn clear_content(transaction: &Transaction<'_>, key: i64) -> Result<(), LibraryError> {
    clear_words(transaction, key)?;
    let (first, last) = key_range(key);
    transaction.prepare_cached("DELETE FROM pages WHERE key BETWEEN ?1 AND ?2")?.execute([first, last])?;
    transaction.prepare_cached("DELETE FROM trees WHERE doc = ?1")?.execute([key])?;
    Ok(improve::forget(transaction, key)?)
}

/// Takes away the words by which a document is found. Must come before its pages go, whose numbers tell the rows.
pub(super) fn clear_words(transaction: &Transaction<'_>, key: i64) -> Result<(), LibraryError> {
    let (first, last) = key_range(key);
    let mut numbers = transaction.prepare_cached("SELECT key FROM pages WHERE key BETWEEN ?1 AND ?2")?;
    let pages: Vec<i64> = numbers.query_map([first, last], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut unlist = transaction.prepare_cached("DELETE FROM page_index WHERE rowid = ?1")?;
    for page in pages {
        unlist.execute([page])?;
    }
    for table in ["page_words", "sections"] {
        transaction.prepare_cached(&format!("DELETE FROM {table} WHERE key BETWEEN ?1 AND ?2"))?.execute([first, last])?;
    }
    transaction.prepare_cached("DELETE FROM document_index WHERE rowid = ?1")?.execute([row_of_content(key)])?;
    Ok(())
}

/// The keys that the pages (and sections) of a document can have.
pub(super) fn key_range(key: i64) -> (i64, i64) {
    (key << NUMBER_BITS, ((key + 1) << NUMBER_BITS) - 1)
}

/// Content hash and size that the ticket was given for.
fn submitted(transaction: &Transaction<'_>, key: i64, ticket: &Ticket) -> Result<Option<(String, u64)>, rusqlite::Error> {
    let attempt = i64::try_from(ticket.attempt).unwrap_or(i64::MAX);
    let mut find = transaction.prepare_cached("SELECT content_hash, bytes FROM submissions WHERE attempt = ?1 AND doc = ?2")?;
    find.query_row([attempt, key], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs()))).optional()
}

fn write_pages(transaction: &Transaction<'_>, key: i64, pages: &[IndexedPage]) -> Result<(), LibraryError> {
    let mut insert = transaction.prepare_cached("INSERT INTO pages (key, label, notes, text) VALUES (?1, ?2, ?3, ?4)")?;
    for page in pages {
        let notes = (!page.notes.is_empty()).then(|| serde_json::to_string(&page.notes).unwrap_or_default());
        insert.execute(params![(key << NUMBER_BITS) + i64::from(page.number), page.label, notes, page.text])?;
    }
    Ok(())
}

pub(super) fn write_words(transaction: &Transaction<'_>, key: i64, words: &DocumentWords) -> Result<(), LibraryError> {
    let mut insert = transaction.prepare_cached("INSERT INTO page_words (key, starts, covers, body) VALUES (?1, ?2, ?3, ?4)")?;
    let mut list = transaction.prepare_cached("INSERT INTO page_index (rowid, words) VALUES (?1, ?2)")?;
    for page in &words.pages {
        let page_key = (key << NUMBER_BITS) + i64::from(page.number);
        insert.execute(params![page_key, page.starts, page.covers, page.body])?;
        list.execute(params![page_key, page.stems])?;
    }
    let mut insert = transaction.prepare_cached(
        "INSERT INTO sections (key, node_id, title, start_index, end_index, title_words, summary_words) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (number, section) in (0_i64..).zip(&words.sections) {
        insert.execute(params![
            (key << NUMBER_BITS) + number,
            section.node_id,
            section.title,
            section.start_index,
            section.end_index,
            section.title_words,
            section.summary_words
        ])?;
    }
    let mut whole = transaction.prepare_cached("INSERT INTO document_index (rowid, words) VALUES (?1, ?2)")?;
    whole.execute(params![row_of_content(key), words.stems])?;
    Ok(())
}

fn source_name(document: &IndexedDocument) -> Option<String> {
    serde_json::to_value(document.toc_source).ok()?.as_str().map(str::to_owned)
}
