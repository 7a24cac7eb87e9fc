//! Content hashes, and reading a file within its bound.

use std::fmt::Write;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::{PdfError, PdfErrorKind};

/// The SHA-256 of a file's bytes in lower-case hex, and their number. Reads in pieces, so the size of the file does not matter; the
/// file need not be a PDF.
///
/// # Errors
/// [`PdfErrorKind::Unreadable`] where the path cannot be read.
pub fn content_hash_of(path: &Path) -> Result<(String, u64), PdfError> {
    let mut file = open(path)?;
    let mut hasher = Sha256::new();
    let mut piece = vec![0_u8; 1 << 16];
    let mut total = 0_u64;
    loop {
        match file.read(&mut piece) {
            Ok(0) => break,
            Ok(n) => {
                hasher.update(piece.get(..n).unwrap_or_default());
                total += n as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(unreadable(path, &error)),
        }
    }
    Ok((hex(&hasher.finalize()), total))
}

/// The same hash of bytes in memory.
pub(super) fn of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// All bytes of a file that has at most `limit` of them.
pub(super) fn read_whole(path: &Path, limit: u64) -> Result<Vec<u8>, PdfError> {
    let file = open(path)?;
    let size = file.metadata().map(|m| m.len()).unwrap_or(0);
    if size > limit {
        return Err(too_large(&path.display().to_string(), size, limit));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0).saturating_add(1));
    // A pipe tells no size, and a file can grow while it is read.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(&path.display().to_string(), bytes.len() as u64, limit));
    }
    Ok(bytes)
}

/// The error for content over the bound on bytes.
pub(super) fn too_large(name: &str, size: u64, limit: u64) -> PdfError {
    let message = format!("{name} has {size} bytes, more than the {limit} that are read of one file; split it into parts first.");
    PdfError::new(PdfErrorKind::Damaged, message)
}

fn open(path: &Path) -> Result<File, PdfError> {
    // Opening a folder succeeds on Unix; only reading it fails, with a message that says little.
    if path.is_dir() {
        let message = format!("{} is a folder; name the PDF files in it.", path.display());
        return Err(PdfError::new(PdfErrorKind::Unreadable, message));
    }
    File::open(path).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &std::io::Error) -> PdfError {
    let shown = path.display();
    let message = match error.kind() {
        ErrorKind::NotFound => format!("There is no file {shown}; check the path."),
        ErrorKind::PermissionDenied => format!("{shown} may not be read by this user; change its permissions or copy it."),
        _ => format!("{shown} could not be read ({error}); check the path and the disk."),
    };
    PdfError::new(PdfErrorKind::Unreadable, message)
}

fn hex(digest: &[u8]) -> String {
    digest.iter().fold(String::with_capacity(64), |mut out, byte| {
        // Writing to a string does not fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_and_size_of_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("abc");
        std::fs::write(&path, b"abc").unwrap();
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(content_hash_of(&path).unwrap(), (known.to_owned(), 3));
        assert_eq!(of_bytes(b"abc"), known);
    }

    #[test]
    fn paths_that_cannot_be_read() {
        let dir = tempfile::tempdir().unwrap();
        let missing = content_hash_of(&dir.path().join("nothing.pdf")).unwrap_err();
        assert_eq!(missing.kind, PdfErrorKind::Unreadable);
        assert!(missing.message.contains("nothing.pdf; check the path"), "{missing}");
        assert!(content_hash_of(dir.path()).unwrap_err().message.contains("is a folder"));
    }

    #[test]
    fn the_bound_on_bytes_holds() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ten.pdf");
        std::fs::write(&path, [b'x'; 10]).unwrap();
        assert_eq!(read_whole(&path, 10).unwrap().len(), 10);
        assert_eq!(read_whole(&path, 9).unwrap_err().kind, PdfErrorKind::Damaged);
    }
}
