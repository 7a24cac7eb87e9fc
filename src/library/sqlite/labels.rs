//! The words that a document is called by: name, title, descriptions, metadata. Kept apart from the words of its content, as they may
//! change without it.

use std::collections::HashMap;

use rusqlite::{Transaction, params};

use crate::library::{LibraryError, Metadata};
use crate::search::analysis::{Analyzer, Language};
use crate::search::{Strengths, level, marked};

/// Longest label text that is read, in bytes.
const LABEL_BYTES: usize = 4_000;

/// Writes the row anew.
pub(super) fn write(transaction: &Transaction<'_>, key: i64) -> Result<(), LibraryError> {
    let mut find = transaction
        .prepare_cached("SELECT name, title, user_description, description, metadata, language FROM documents WHERE key = ?1")?;
    let (strong, description, metadata, language) = find.query_row([key], |row| {
        let strong: [Option<String>; 3] = [row.get(0)?, row.get(1)?, row.get(2)?];
        Ok((strong, row.get::<_, String>(3)?, row.get::<_, String>(4)?, row.get::<_, Option<String>>(5)?))
    })?;
    let mut analyzer = Analyzer::new(Language::of_code(language.as_deref().unwrap_or("en")));
    let mut strengths: HashMap<usize, f64> = HashMap::new();
    let mut add = |text: &str, strength: f64| {
        let mut cut = text.len().min(LABEL_BYTES);
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        for term in analyzer.terms(text.get(..cut).unwrap_or_default()) {
            let known = strengths.entry(term.index).or_default();
            *known = known.max(strength);
        }
    };
    for text in strong.iter().flatten() {
        add(text, Strengths::NAME);
    }
    if let Some(parts) = strong.first().and_then(Option::as_deref).and_then(parts) {
        add(&parts, Strengths::NAME);
    }
    add(&description, Strengths::DESCRIPTION);
    let metadata: Metadata = serde_json::from_str(&metadata).unwrap_or_default();
    for value in metadata.values() {
        match value {
            serde_json::Value::String(text) => add(text, Strengths::METADATA),
            other => add(&other.to_string(), Strengths::METADATA),
        }
    }
    let words: Vec<String> = strengths.iter().map(|(index, strength)| marked(analyzer.stem(*index), level(*strength))).collect();
    let row = row_of_labels(key);
    transaction.prepare_cached("DELETE FROM document_index WHERE rowid = ?1")?.execute([row])?;
    let mut insert = transaction.prepare_cached("INSERT INTO document_index (rowid, words) VALUES (?1, ?2)")?;
    insert.execute(params![row, words.join(" ")])?;
    let called: Vec<&str> = strengths.keys().map(|index| analyzer.stem(*index)).collect();
    unname(transaction, key)?;
    let mut insert = transaction.prepare_cached("INSERT INTO name_index (rowid, words) VALUES (?1, ?2)")?;
    insert.execute(params![key, called.join(" ")])?;
    Ok(())
}

/// Writes the rows of all documents anew.
pub(super) fn write_all(transaction: &Transaction<'_>) -> Result<(), LibraryError> {
    let mut find = transaction.prepare("SELECT key FROM documents")?;
    let keys: Vec<i64> = find.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    keys.into_iter().try_for_each(|key| write(transaction, key))
}

/// Takes both rows away.
pub(super) fn remove(transaction: &Transaction<'_>, key: i64) -> Result<(), rusqlite::Error> {
    transaction.prepare_cached("DELETE FROM document_index WHERE rowid = ?1")?.execute([row_of_labels(key)])?;
    unname(transaction, key)
}

fn unname(transaction: &Transaction<'_>, key: i64) -> Result<(), rusqlite::Error> {
    transaction.prepare_cached("DELETE FROM name_index WHERE rowid = ?1")?.execute([key]).map(|_| ())
}

/// The name cut where its words meet without a space (`AnnualReport2024`), if there is such a place.
fn parts(name: &str) -> Option<String> {
    let mut parts = String::with_capacity(name.len() + 8);
    let mut before = ' ';
    for c in name.chars() {
        let humps = before.is_lowercase() && c.is_uppercase();
        let digits = before.is_alphabetic() != c.is_alphabetic() && before.is_alphanumeric() && c.is_alphanumeric();
        if humps || digits {
            parts.push(' ');
        }
        parts.push(c);
        before = c;
    }
    (parts.len() > name.len()).then_some(parts)
}

/// The row of the words that a document holds.
pub(super) fn row_of_content(key: i64) -> i64 {
    key << 1
}

/// The row of the words that it is called by.
pub(super) fn row_of_labels(key: i64) -> i64 {
    (key << 1) | 1
}
