//! Connections: one that writes, a few that read, all used off the async threads.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use super::{files, schema};
use crate::library::LibraryError;

/// Readers kept open; more are opened when needed and closed afterwards.
const READERS_KEPT: usize = 4;
/// How long a process waits for another one's write. Writes take well under a second; many processes may stand in line.
const BUSY_WAIT: Duration = Duration::from_secs(60);
/// Page cache of one connection, in KiB.
const CACHE_KIB: i64 = 16 * 1024;
/// The write-ahead log is cut back to this size after a checkpoint, in bytes.
const LOG_BYTES: i64 = 16 << 20;

/// The connections of one library.
#[derive(Clone)]
pub(super) struct Pool {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    /// In memory: every read goes through the writing connection, the only one that sees the data.
    in_memory: bool,
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
}

impl Pool {
    /// Opens the file, made and migrated where needed.
    pub(super) fn open(path: &Path) -> Result<Self, LibraryError> {
        let path = std::path::absolute(path).map_err(|error| files::open_error(path, error.to_string()))?;
        files::prepare(&path)?;
        let writer = patiently(|| first_connection(&path)).map_err(|error| match error {
            LibraryError::Database(reason) => files::open_error(&path, reason),
            other => other,
        })?;
        Ok(Self::over(path, false, writer))
    }

    /// A library that lives in memory and is gone with the last handle.
    pub(super) fn in_memory() -> Result<Self, LibraryError> {
        let mut writer = Connection::open_in_memory()?;
        settle(&writer)?;
        schema::migrate(&mut writer)?;
        Ok(Self::over(PathBuf::from(":memory:"), true, writer))
    }

    fn over(path: PathBuf, in_memory: bool, writer: Connection) -> Self {
        Self { inner: Arc::new(Inner { path, in_memory, writer: Mutex::new(writer), readers: Mutex::new(Vec::new()) }) }
    }

    /// The library file.
    pub(super) fn path(&self) -> &Path {
        &self.inner.path
    }

    /// Runs `work` on one snapshot of the library.
    pub(super) async fn read<T, F>(&self, work: F) -> Result<T, LibraryError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, LibraryError> + Send + 'static,
    {
        let inner = Arc::clone(&self.inner);
        off_thread(move || inner.read(work)).await
    }

    /// Runs `work` in one transaction, which is kept only when `work` succeeds.
    pub(super) async fn write<T, F>(&self, work: F) -> Result<T, LibraryError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, LibraryError> + Send + 'static,
    {
        let inner = Arc::clone(&self.inner);
        off_thread(move || inner.write(work)).await
    }
}

impl Inner {
    fn read<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, LibraryError>) -> Result<T, LibraryError> {
        if self.in_memory {
            return work(&hold(&self.writer).transaction()?);
        }
        let idle = hold(&self.readers).pop();
        let mut reader = match idle {
            Some(reader) => reader,
            None => patiently(|| connect(&self.path))?,
        };
        let result = work(&reader.transaction()?);
        let mut readers = hold(&self.readers);
        if readers.len() < READERS_KEPT {
            readers.push(reader);
        }
        result
    }

    fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, LibraryError>) -> Result<T, LibraryError> {
        let mut writer = hold(&self.writer);
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let result = work(&transaction)?;
        transaction.commit()?;
        Ok(result)
    }
}

/// A lock that a panicking holder leaves usable: its transaction was rolled back on the way out.
fn hold<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs blocking work on a thread for such work.
pub(super) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, LibraryError> + Send + 'static,
) -> Result<T, LibraryError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => Err(LibraryError::Database(format!("its worker stopped: {error}"))),
    }
}

/// Opens, checks, migrates and switches to the write-ahead log.
fn first_connection(path: &Path) -> Result<Connection, LibraryError> {
    let mut connection = connect(path)?;
    let (application, version, empty) = {
        // One look: another process may be making the tables.
        let look = connection.transaction()?;
        (schema::application(&look)?, schema::version(&look)?, schema::is_empty(&look)?)
    };
    files::check_marks(path, application != 0 || empty, application, version)?;
    let mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
    if mode != "wal" {
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    }
    schema::migrate(&mut connection)?;
    Ok(connection)
}

fn connect(path: &Path) -> Result<Connection, LibraryError> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    settle(&connection)?;
    Ok(connection)
}

/// Settings of every connection. With the write-ahead log, NORMAL keeps every commit when the program is killed; a power cut may lose the
/// last ones, never the consistency of the file.
fn settle(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.busy_timeout(BUSY_WAIT)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.query_row(&format!("PRAGMA journal_size_limit = {LOG_BYTES}"), [], |_| Ok(()))
}

/// Tries again while the file is busy in ways for which SQLite does not wait by itself (switching to the write-ahead log, recovering it).
fn patiently<T>(open: impl Fn() -> Result<T, LibraryError>) -> Result<T, LibraryError> {
    let started = Instant::now();
    loop {
        match open() {
            Err(LibraryError::Database(reason)) if reason.starts_with(BUSY) && started.elapsed() < BUSY_WAIT => {
                std::thread::sleep(Duration::from_millis(20));
            }
            result => return result,
        }
    }
}

/// How a busy file is reported.
const BUSY: &str = "busy: ";

impl From<rusqlite::Error> for LibraryError {
    fn from(error: rusqlite::Error) -> Self {
        let busy = matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked));
        Self::Database(format!("{}{error}", if busy { BUSY } else { "" }))
    }
}
