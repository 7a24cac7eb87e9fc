//! Where the `pagewise` program is, for entries that start it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Name of the program.
pub(super) const PROGRAM: &str = "pagewise";

/// A path as it is; a bare name is looked for on the PATH of this process.
///
/// # Errors
/// [`Error::Settings`] when it is not there.
pub(super) fn find(program: &Path) -> Result<PathBuf> {
    if program.components().count() != 1 || program.has_root() {
        return Ok(program.to_owned());
    }
    std::env::var_os("PATH").and_then(|path| within(&path, program)).ok_or_else(|| {
        Error::Settings(format!(
            "the program `{}` is not on the PATH; install it, or give its whole path in `LocalOptions::program`",
            program.display()
        ))
    })
}

fn within(path: &OsStr, program: &Path) -> Option<PathBuf> {
    let file = match program.extension() {
        Some(_) => program.to_owned(),
        None => program.with_extension(std::env::consts::EXE_EXTENSION),
    };
    std::env::split_paths(path).filter(|folder| folder.is_absolute()).map(|folder| folder.join(&file)).find(|file| can_run(file))
}

#[cfg(unix)]
fn can_run(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn can_run(file: &Path) -> bool {
    file.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_and_a_name_is_looked_for() {
        for path in ["./pagewise", "target/debug/pagewise", "/opt/pagewise"] {
            assert_eq!(find(Path::new(path)).unwrap(), Path::new(path));
        }
        let error = find(Path::new("pagewise-that-nobody-has")).unwrap_err().to_string();
        assert!(error.contains("`pagewise-that-nobody-has` is not on the PATH"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn the_first_that_can_be_run_is_taken() {
        use std::os::unix::fs::PermissionsExt;
        let (plain, runs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for (folder, mode) in [(&plain, 0o644), (&runs, 0o755)] {
            let file = folder.path().join("pagewise");
            std::fs::write(&file, "").unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        }
        let path = std::env::join_paths([Path::new("."), plain.path(), runs.path()]).unwrap();
        let program = Path::new(PROGRAM);
        assert_eq!(within(&path, program), Some(runs.path().join("pagewise")));
        assert_eq!(within(plain.path().as_os_str(), program), None);
    }
}
