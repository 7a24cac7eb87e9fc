//! The library file and its folder: private to the user from the first moment, and never touched when they are not ours.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::schema::{APPLICATION_ID, NEWEST};
use crate::library::LibraryError;

/// Makes the folder (mode 0700) and the file (mode 0600) where they are missing, and narrows the mode of a library file of ours that
/// others may read. Folders that were there keep their mode.
pub(super) fn prepare(path: &Path) -> Result<(), LibraryError> {
    let failed = |what: &str, error: &std::io::Error| open_error(path, format!("{what}: {error}"));
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder).map_err(|error| failed("its folder cannot be made", &error))?;
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    check_header(path)?;
    let file = options.open(path).map_err(|error| failed("it cannot be opened for writing", &error))?;
    drop(file);
    narrow(path).map_err(|error| failed("its mode cannot be set to 0600", &error))
}

/// Refuses a file of a newer version or another program by its first bytes, before SQLite opens it.
fn check_header(path: &Path) -> Result<(), LibraryError> {
    // A device or a pipe could block, and must not lose its mode.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(open_error(path, "it is no regular file; choose another path".to_owned()));
    }
    let mut header = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(100).read_to_end(&mut header).map_err(|error| open_error(path, error.to_string()))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(open_error(path, error.to_string())),
    };
    if header.is_empty() {
        return Ok(());
    }
    let number = |at: usize| header.get(at..at + 4).and_then(|four| four.try_into().ok()).map_or(0, i32::from_be_bytes);
    // Offsets of user_version and application_id: https://www.sqlite.org/fileformat2.html#the_database_header
    check_marks(path, header.starts_with(b"SQLite format 3\0"), number(68).into(), number(60).into())
}

/// Refuses what is not a library of a version known here. Both marks are 0 in a file that is just being made.
pub(super) fn check_marks(path: &Path, sqlite: bool, application: i64, version: i64) -> Result<(), LibraryError> {
    if !sqlite || (application != APPLICATION_ID && (application, version) != (0, 0)) {
        return Err(open_error(path, "it is not a pagewise library; choose another file".to_owned()));
    }
    if version > NEWEST {
        return Err(LibraryError::Newer { path: path.to_owned(), found: version, known: NEWEST });
    }
    Ok(())
}

/// Takes away what others may do with the file and its companions.
#[cfg(unix)]
fn narrow(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    for file in [path.to_owned(), beside(path, "-wal"), beside(path, "-shm")] {
        let Ok(metadata) = fs::metadata(&file) else { continue };
        if metadata.permissions().mode() & 0o077 != 0 {
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn narrow(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

/// The file of the same name with this at its end.
#[cfg(unix)]
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

pub(super) fn open_error(path: &Path, reason: String) -> LibraryError {
    LibraryError::Open { path: path.to_owned(), reason }
}
