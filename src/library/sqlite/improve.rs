//! Trees improved after they were stored: what an improvement starts from, its finished parts, and its outcome.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, Transaction, params};

use super::finish::{clear_words, write_words};
use super::labels;
use super::record::{by_key, key_of, now_ms, versions};
use super::tree;
use super::words::{self, DocumentWords};
use crate::index::{IndexedPage, TocSource};
use crate::library::{DocId, DocumentRecord, Improvable, Improvement, LibraryError};

/// See [`crate::library::Library::improvable`].
pub(super) fn improvable(transaction: &Transaction<'_>, id: &DocId) -> Result<Option<Improvable>, LibraryError> {
    let mut find = transaction.prepare_cached(
        "SELECT name, title, content_hash, coalesce(tree_version, 0), user_description IS NOT NULL, improved.basis, toc_source \
         FROM documents LEFT JOIN improved ON improved.doc = key WHERE id = ?1 AND status = 'completed'",
    )?;
    let found = find.query_row([&id.0], |row| {
        Ok(Improvable {
            name: row.get(0)?,
            title: row.get(1)?,
            content_hash: row.get(2)?,
            tree_version: row.get(3)?,
            described_by_user: row.get(4)?,
            improved: row.get(5)?,
            toc_source: row.get(6)?,
        })
    });
    Ok(found.optional()?)
}

/// See [`crate::library::Library::finished_parts`].
pub(super) fn finished_parts(
    transaction: &Transaction<'_>,
    id: &DocId,
    basis: &str,
) -> Result<HashMap<String, String>, LibraryError> {
    let mut find = transaction
        .prepare_cached("SELECT part, outcome FROM finished_parts JOIN documents ON key = doc WHERE id = ?1 AND basis = ?2")?;
    let rows = find.query_map(params![id.0, basis], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// See [`crate::library::Library::keep_part`].
pub(super) fn keep_part(
    transaction: &Transaction<'_>,
    id: &DocId,
    basis: &str,
    part: &str,
    outcome: &str,
) -> Result<(), LibraryError> {
    let key = key_of(transaction, id)?.ok_or_else(|| LibraryError::Stale(id.0.clone()))?;
    let mut keep =
        transaction.prepare_cached("INSERT OR REPLACE INTO finished_parts (doc, basis, part, outcome) VALUES (?1, ?2, ?3, ?4)")?;
    keep.execute(params![key, basis, part, outcome])?;
    Ok(())
}

/// An improvement with the words of its tree, worked out outside of the write.
pub(super) struct Prepared {
    improvement: Improvement,
    tree: String,
    words: DocumentWords,
}

/// Works out what is stored. Holds no lock.
pub(super) fn prepare(improvement: Improvement, stored: &Improvable, pages: &[IndexedPage]) -> Result<Prepared, LibraryError> {
    let titled = improvement.toc_source.is_some() || stored.toc_source.as_deref() != Some(TocSource::PageRanges.as_str());
    let words = words::read(pages, &improvement.tree, titled);
    Ok(Prepared { tree: tree::to_text(&improvement.tree)?, words, improvement })
}

/// See [`crate::library::Library::improve`].
pub(super) fn improve(transaction: &Transaction<'_>, id: &DocId, prepared: &Prepared) -> Result<DocumentRecord, LibraryError> {
    let improvement = &prepared.improvement;
    let stale = || LibraryError::Stale(id.0.clone());
    let key = key_of(transaction, id)?.ok_or_else(stale)?;
    let same: bool = transaction
        .prepare_cached(
            "SELECT content_hash = ?2 AND coalesce(tree_version, 0) = ?3 AND status = 'completed' FROM documents WHERE key = ?1",
        )?
        .query_row(params![key, improvement.content_hash, improvement.tree_version], |row| row.get(0))?;
    if !same {
        return Err(stale());
    }
    clear_words(transaction, key)?;
    write_words(transaction, key, &prepared.words)?;
    transaction.prepare_cached("UPDATE trees SET nodes = ?2 WHERE doc = ?1")?.execute(params![key, prepared.tree])?;
    let mut update = transaction.prepare_cached(
        "UPDATE documents SET description = coalesce(?2, description), section_count = ?3, updated_ms = ?4, \
         toc_source = coalesce(?5, toc_source), language = ?6, words_version = ?7 WHERE key = ?1",
    )?;
    let sections = i64::try_from(prepared.words.sections.len()).unwrap_or(i64::MAX);
    let source = improvement.toc_source.map(TocSource::as_str);
    let (language, [.., version]) = (prepared.words.language.code(), versions());
    update.execute(params![key, improvement.description, sections, now_ms(), source, language, version])?;
    transaction.prepare_cached("DELETE FROM improved WHERE doc = ?1")?.execute([key])?;
    if improvement.complete {
        transaction
            .prepare_cached("INSERT INTO improved (doc, basis) VALUES (?1, ?2)")?
            .execute(params![key, improvement.basis])?;
        transaction.prepare_cached("DELETE FROM finished_parts WHERE doc = ?1")?.execute([key])?;
    }
    labels::write(transaction, key)?;
    by_key(transaction, key)?.ok_or_else(stale)
}

/// Forgets the improvement of a document whose tree or content is another one now.
pub(super) fn forget(transaction: &Transaction<'_>, key: i64) -> Result<(), rusqlite::Error> {
    for table in ["improved", "finished_parts"] {
        transaction.prepare_cached(&format!("DELETE FROM {table} WHERE doc = ?1"))?.execute([key])?;
    }
    Ok(())
}
