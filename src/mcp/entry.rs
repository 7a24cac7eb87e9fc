//! How another program starts this server: what `pagewise mcp config` prints and `as_claude_mcp` hands out.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Name under which hosts know the server.
pub const SERVER_NAME: &str = "pagewise";

/// A command that starts the server on stdin and stdout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerEntry {
    /// The program, an absolute path.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
}

/// What the started server serves.
#[derive(Debug, Clone, Default)]
pub struct ServedBy {
    /// The library file; `None` leaves it to the settings of whoever starts the server.
    pub library: Option<PathBuf>,
    /// Names of the only documents that exist for it; empty for the whole library.
    pub docs: Vec<String>,
    /// Whether the tool that deletes is there.
    pub include_management: bool,
    /// Most characters of a reply.
    pub max_result_chars: Option<u32>,
}

impl ServerEntry {
    /// The command line for this very program.
    ///
    /// # Errors
    /// As [`ServerEntry::new`]; [`Error::Io`] when the system does not say where the program lies, or it is there no more.
    pub fn of_this_program(served: &ServedBy) -> Result<Self> {
        let what = || "cannot tell where this program lies".to_owned();
        let program = std::env::current_exe().map_err(|source| Error::Io { what: what(), source })?;
        // The name of a program that was rebuilt or removed while it runs leads nowhere.
        std::fs::metadata(&program).map_err(|source| Error::Io { what: what(), source })?;
        Self::new(&program, served)
    }

    /// The command line for `program`.
    ///
    /// # Errors
    /// [`Error::Settings`] when a path cannot be written in JSON because it is not Unicode, or the working folder is unknown.
    pub fn new(program: &Path, served: &ServedBy) -> Result<Self> {
        let mut args = vec!["mcp".to_owned()];
        if let Some(library) = &served.library {
            args.extend(["--library".to_owned(), unicode(library)?]);
        }
        for doc in &served.docs {
            // Joined, a name that starts with a hyphen is not taken for a flag.
            if doc.starts_with('-') {
                args.push(format!("--doc={doc}"));
            } else {
                args.extend(["--doc".to_owned(), doc.clone()]);
            }
        }
        if served.include_management {
            args.push("--include-management".to_owned());
        }
        if let Some(chars) = served.max_result_chars {
            args.extend(["--max-result-chars".to_owned(), chars.to_string()]);
        }
        Ok(Self { command: unicode(program)?, args })
    }
}

/// The absolute path as text.
fn unicode(path: &Path) -> Result<String> {
    let absolute = std::path::absolute(path)
        .map_err(|source| Error::Io { what: format!("cannot make {} absolute", path.display()), source })?;
    absolute
        .into_os_string()
        .into_string()
        .map_err(|path| Error::Settings(format!("{} cannot be written in JSON: it is not Unicode", path.to_string_lossy())))
}
