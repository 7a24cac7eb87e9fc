//! Ranking over the stored words: which documents and pages come into question, then their scores.

mod candidates;
pub(super) mod documents;
pub(super) mod pages;
mod postings;
pub(super) mod sections;
mod shown;
mod widen;

use std::collections::HashSet;
use std::ops::RangeInclusive;

use rusqlite::Transaction;

use super::record::scope_keys;
use crate::library::{LibraryError, Scope};
use crate::search::analysis::{Language, Query};

/// A scope of more documents than this is asked in all languages of the library.
const KEYS_ASKED: usize = 200;

/// A question against a scope.
struct Asked {
    query: Query,
    /// Keys of the scope, newest first; `None` for the whole library.
    keys: Option<Vec<i64>>,
}

impl Asked {
    fn new(transaction: &Transaction<'_>, scope: &Scope, query: &str) -> Result<Self, LibraryError> {
        let keys = scope_keys(transaction, scope)?;
        let languages = languages(transaction, keys.as_deref())?;
        let mut query = Query::new(query, &languages);
        widen::widen(transaction, &mut query)?;
        Ok(Self { query, keys })
    }

    /// The keys for quick look-up.
    fn key_set(&self) -> Option<HashSet<i64>> {
        self.keys.as_ref().map(|keys| keys.iter().copied().collect())
    }
}

/// The languages of these documents; English first and always, as names are read in it before a document is indexed.
fn languages(transaction: &Transaction<'_>, keys: Option<&[i64]>) -> Result<Vec<Language>, LibraryError> {
    let mut codes: Vec<String> = Vec::new();
    match keys.filter(|keys| keys.len() <= KEYS_ASKED) {
        Some(keys) => {
            for key in keys {
                codes.extend(language_code(transaction, *key)?);
            }
        }
        None => {
            let mut all = transaction.prepare_cached("SELECT DISTINCT language FROM documents WHERE language IS NOT NULL")?;
            codes = all.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        }
    }
    let mut languages: Vec<Language> = codes.iter().map(|code| Language::of_code(code)).collect();
    languages.push(Language::English);
    languages.sort_unstable();
    languages.dedup();
    Ok(languages)
}

/// The language of a document, once indexed.
fn language_code(transaction: &Transaction<'_>, key: i64) -> Result<Option<String>, rusqlite::Error> {
    transaction.prepare_cached("SELECT language FROM documents WHERE key = ?1")?.query_row([key], |row| row.get(0))
}

/// A stem as a full-text query: one string, which the tokenizer takes as one word.
fn match_word(word: &str) -> String {
    format!("\"{}\"", word.replace('"', ""))
}

/// Words as a full-text query for any of them.
fn match_any(words: &[String]) -> String {
    words.iter().map(|word| match_word(word)).collect::<Vec<_>>().join(" OR ")
}

/// Rows of a full-text table that hold the word, in ascending order, inside the range, `limit` at most.
fn rows_with(
    transaction: &Transaction<'_>,
    table: &str,
    word: &str,
    range: RangeInclusive<i64>,
    limit: i64,
) -> Result<Vec<i64>, rusqlite::Error> {
    if word.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!("SELECT rowid FROM {table} WHERE {table} MATCH ?1 AND rowid BETWEEN ?2 AND ?3 LIMIT ?4");
    let mut find = transaction.prepare_cached(&sql)?;
    find.query_map(rusqlite::params![match_word(word), range.start(), range.end(), limit], |row| row.get(0))?.collect()
}
