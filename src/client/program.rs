//! Where the `pagewise` program is, for entries that start it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The `pagewise` on the PATH of this process.
///
/// # Errors
/// [`Error::Settings`] when there is none.
pub(super) fn on_path() -> Result<PathBuf> {
    std::env::var_os("PATH").as_deref().and_then(within).ok_or_else(|| {
        Error::Settings("the program `pagewise` is not on the PATH; install it, or name it in `LocalOptions::program`".to_owned())
    })
}

fn within(path: &OsStr) -> Option<PathBuf> {
    let file = format!("pagewise{}", std::env::consts::EXE_SUFFIX);
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
        assert_eq!(within(&path), Some(runs.path().join("pagewise")));
        assert_eq!(within(plain.path().as_os_str()), None);
    }
}
