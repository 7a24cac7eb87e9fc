//! Changing a host's file: whole or not at all, with a backup, and only where it is understood.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::facts::{Format, Host};
use super::merge::Merged;
use crate::error::{Error, Result};
use crate::mcp::entry::{SERVER_NAME, ServerEntry};

/// What writing came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The very entry was there already; nothing was written.
    Same,
    /// There was no file, or an empty one.
    Created,
    /// The entry was added.
    Added {
        /// What the file held before.
        backup: PathBuf,
    },
    /// Another entry of the same name was replaced.
    Replaced {
        /// What the file held before.
        backup: PathBuf,
    },
}

/// Most links followed from one name to the file itself; Linux gives up at the same number.
const MOST_LINKS: usize = 40;
/// Most backups kept beside a file.
const MOST_BACKUPS: usize = 10_000;
const BOM: char = '\u{feff}';

/// Puts the entry into the host's file `path`, which is created with its folders where there is none. Other entries, comments and format
/// stay as they are to the byte. A link is followed, and stays a link.
///
/// # Errors
/// [`Error::Settings`] when the file is no text, does not parse or is not made as the host expects: it is left alone. [`Error::Io`] when it
/// cannot be read or written, or was changed by another program meanwhile.
pub fn write(host: Host, path: &Path, entry: &ServerEntry) -> Result<Outcome> {
    let path = real_file(path)?;
    if let Ok(metadata) = std::fs::metadata(&path) {
        // A device put in place of a file would be gone for everybody.
        if !metadata.is_file() {
            return Err(left_alone(&path, "it is no regular file"));
        }
        if metadata.permissions().readonly() {
            return Err(left_alone(&path, "it is read-only"));
        }
    }
    let original = read(&path)?;
    let text = match &original {
        None => "",
        Some(bytes) => std::str::from_utf8(bytes).map_err(|_| left_alone(&path, "it is not UTF-8 text"))?,
    };
    let (bom, body) = match text.strip_prefix(BOM) {
        Some(body) => ("\u{feff}", body),
        None => ("", text),
    };
    if body.trim().is_empty() {
        replace(&path, original.as_deref(), format!("{bom}{}", host.block(entry)).as_bytes())?;
        return Ok(Outcome::Created);
    }
    let value = host.value(entry);
    let key = host.servers_key();
    let merged = match host.format() {
        Format::Toml => super::toml::merge(body, key, SERVER_NAME, &value),
        Format::Json => super::json::merge(body, false, key, SERVER_NAME, &value),
        Format::Jsonc => super::json::merge(body, true, key, SERVER_NAME, &value),
    };
    let (new, replaced) = match merged.map_err(|error| left_alone(&path, &error.to_string()))? {
        Merged::Same => return Ok(Outcome::Same),
        Merged::Added(new) => (new, false),
        Merged::Replaced(new) => (new, true),
    };
    let backup = back_up(&path, text.as_bytes())?;
    replace(&path, original.as_deref(), format!("{bom}{new}").as_bytes())?;
    Ok(if replaced { Outcome::Replaced { backup } } else { Outcome::Added { backup } })
}

fn left_alone(path: &Path, why: &str) -> Error {
    Error::Settings(format!("{} was left as it is: {why}", path.display()))
}

fn io(what: String) -> impl FnOnce(std::io::Error) -> Error {
    |source| Error::Io { what, source }
}

/// The file that links lead to, also where it does not exist yet.
fn real_file(path: &Path) -> Result<PathBuf> {
    let mut file = std::path::absolute(path).map_err(io(format!("cannot make {} absolute", path.display())))?;
    for _ in 0..MOST_LINKS {
        match std::fs::read_link(&file) {
            Ok(target) => file = file.parent().map(|folder| folder.join(&target)).unwrap_or(target),
            // Not a link, or nothing there.
            Err(_) => return Ok(file),
        }
    }
    Err(left_alone(path, "its links lead in a circle"))
}

fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io(format!("cannot read {}", path.display()))(error)),
    }
}

/// Writes a copy beside the file under the first free name, readable by the same people.
fn back_up(path: &Path, bytes: &[u8]) -> Result<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default();
    for number in 1..=MOST_BACKUPS {
        let mut backup = name.to_owned();
        backup.push(if number == 1 { ".pagewise-backup".to_owned() } else { format!(".pagewise-backup-{number}") });
        let backup = folder.join(backup);
        let copy = fresh(folder, path)?;
        fill(&copy, bytes).map_err(io(format!("cannot write {}", backup.display())))?;
        match copy.persist_noclobber(&backup) {
            Ok(_) => return Ok(backup),
            Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(io(format!("cannot write {}", backup.display()))(error.error)),
        }
    }
    Err(left_alone(path, "there are too many backups beside it"))
}

/// Puts `new` in the place of the file in one step, if the file still holds `expected`.
fn replace(path: &Path, expected: Option<&[u8]>, new: &[u8]) -> Result<()> {
    let what = || format!("cannot write {}", path.display());
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(io(format!("cannot create {}", folder.display())))?;
    let file = fresh(folder, path)?;
    fill(&file, new).map_err(io(what()))?;
    if read(path)?.as_deref() != expected {
        return Err(left_alone(path, "another program changed it meanwhile; try again"));
    }
    file.persist(path).map_err(|error| io(what())(error.error))?;
    Ok(())
}

/// A new file in the folder with the permissions of `model`, or those of any new file where there is no `model`.
fn fresh(folder: &Path, model: &Path) -> Result<tempfile::NamedTempFile> {
    let what = || format!("cannot write in {}", folder.display());
    let permissions = std::fs::metadata(model).ok().map(|metadata| metadata.permissions());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pagewise-");
    #[cfg(unix)]
    if permissions.is_none() {
        use std::os::unix::fs::PermissionsExt;
        // What the user's umask leaves of it.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder).map_err(io(what()))?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions).map_err(io(what()))?;
    }
    Ok(file)
}

fn fill(file: &tempfile::NamedTempFile, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = file.as_file();
    file.write_all(bytes)?;
    file.sync_all()
}
