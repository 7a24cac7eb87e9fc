//! The tables, by version. A step that was released is never changed; a new version adds a step.

use rusqlite::{Connection, TransactionBehavior};

use crate::library::LibraryError;

/// Marks a SQLite file as a pagewise library ("pgws").
pub(super) const APPLICATION_ID: i64 = 0x7067_7773;

/// The newest version known here.
pub(super) const NEWEST: i64 = STEPS.len() as i64;

/// A page or section is known by the key of its document, shifted by this many bits, and its number.
pub(super) const NUMBER_BITS: u32 = 20;

/// Step n brings version n to n + 1.
///
/// Newest first means highest document key first. Words are stored as hashes of stems (see `search::hashes`) for scoring; the full-text
/// tables hold stems and only say where to look, so they keep neither text nor positions. `document_index` has two rows a document:
/// 2 * key for what it holds, 2 * key + 1 for what it is called. A tree was improved by a model, or is being improved, on a basis: content,
/// versions and model; the parts finished on another basis say nothing. `name_index` has the stems of what a document is called once more,
/// without levels: what somebody misspells or types in part is looked for among its terms.
const STEPS: &[&str] = &[
    "
    CREATE TABLE documents (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        status TEXT NOT NULL,
        failure TEXT,
        description TEXT NOT NULL DEFAULT '',
        user_description TEXT,
        created_ms INTEGER NOT NULL,
        updated_ms INTEGER NOT NULL,
        page_count INTEGER,
        section_count INTEGER,
        metadata TEXT NOT NULL,
        origin_kind TEXT NOT NULL,
        origin BLOB NOT NULL,
        content_hash TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        notes TEXT NOT NULL DEFAULT '[]',
        toc_source TEXT,
        title TEXT,
        info TEXT,
        language TEXT,
        text_version INTEGER,
        tree_version INTEGER,
        words_version INTEGER
    );
    CREATE INDEX documents_by_content ON documents (content_hash);
    CREATE INDEX documents_by_origin ON documents (origin_kind, origin);
    CREATE INDEX documents_by_status ON documents (status, page_count);
    CREATE INDEX documents_by_language ON documents (language);
    CREATE TABLE submissions (
        attempt INTEGER PRIMARY KEY AUTOINCREMENT,
        doc INTEGER NOT NULL REFERENCES documents (key) ON DELETE CASCADE,
        content_hash TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        started_ms INTEGER NOT NULL
    );
    CREATE INDEX submissions_by_document ON submissions (doc, attempt);
    CREATE INDEX submissions_by_content ON submissions (content_hash);
    CREATE TABLE trees (
        doc INTEGER PRIMARY KEY REFERENCES documents (key) ON DELETE CASCADE,
        nodes TEXT NOT NULL
    );
    CREATE TABLE pages (
        key INTEGER PRIMARY KEY,
        label TEXT,
        notes TEXT,
        text TEXT NOT NULL
    );
    CREATE TABLE page_words (
        key INTEGER PRIMARY KEY,
        starts BLOB NOT NULL,
        covers BLOB NOT NULL,
        body BLOB NOT NULL
    );
    CREATE TABLE sections (
        key INTEGER PRIMARY KEY,
        node_id TEXT NOT NULL,
        title TEXT NOT NULL,
        start_index INTEGER NOT NULL,
        end_index INTEGER NOT NULL,
        title_words BLOB NOT NULL,
        summary_words BLOB NOT NULL
    );
    CREATE VIRTUAL TABLE page_index USING fts5 (
        words, content = '', contentless_delete = 1, detail = none, tokenize = \"ascii tokenchars '&.~'\"
    );
    CREATE VIRTUAL TABLE document_index USING fts5 (
        words, content = '', contentless_delete = 1, detail = none, tokenize = \"ascii tokenchars '&.~'\"
    );
",
    "
    CREATE TABLE improved (
        doc INTEGER PRIMARY KEY REFERENCES documents (key) ON DELETE CASCADE,
        basis TEXT NOT NULL
    );
    CREATE TABLE finished_parts (
        doc INTEGER NOT NULL REFERENCES documents (key) ON DELETE CASCADE,
        basis TEXT NOT NULL,
        part TEXT NOT NULL,
        outcome TEXT NOT NULL,
        PRIMARY KEY (doc, basis, part)
    ) WITHOUT ROWID;
",
    "
    CREATE VIRTUAL TABLE name_index USING fts5 (
        words, content = '', contentless_delete = 1, detail = none, tokenize = \"ascii tokenchars '&.~'\"
    );
    CREATE VIRTUAL TABLE name_terms USING fts5vocab ('name_index', 'row');
    CREATE VIRTUAL TABLE document_terms USING fts5vocab ('document_index', 'row');
",
];

/// The version that brought the words of names.
const WITH_NAME_WORDS: i64 = 3;

/// The version of an open file.
pub(super) fn version(connection: &Connection) -> Result<i64, rusqlite::Error> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// The application mark of an open file; 0 for one that has tables but no mark is told apart by [`is_empty`].
pub(super) fn application(connection: &Connection) -> Result<i64, rusqlite::Error> {
    connection.query_row("PRAGMA application_id", [], |row| row.get(0))
}

/// Whether the file has no tables.
pub(super) fn is_empty(connection: &Connection) -> Result<bool, rusqlite::Error> {
    connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)", [], |row| row.get(0))
}

/// Brings the file to the newest version, in one transaction.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), LibraryError> {
    if version(connection)? >= NEWEST {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have done it while this one waited.
    let from = version(&transaction)?;
    for step in STEPS.iter().skip(usize::try_from(from).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    if (1..WITH_NAME_WORDS).contains(&from) {
        super::labels::write_all(&transaction)?;
    }
    transaction.pragma_update(None, "user_version", NEWEST.max(from))?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.commit()?;
    Ok(())
}
