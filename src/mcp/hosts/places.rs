//! Where a user's settings lie on each system.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A family of systems that keep settings in the same places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Os {
    /// Linux and other systems with XDG folders.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl Os {
    /// The one that this program was built for.
    pub fn current() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::MacOs
        } else {
            Self::Linux
        }
    }
}

/// The folders that hosts keep their files in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The system.
    pub os: Os,
    /// The home folder.
    pub home: PathBuf,
    /// Settings of apps: `~/.config`, `~/Library/Application Support`, `%APPDATA%`.
    pub config: PathBuf,
    /// Data of apps that stays on this machine; only Windows tells it from `config`.
    pub local: PathBuf,
    /// `CODEX_HOME`, where it is set.
    pub codex_home: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`, where it is set.
    pub claude_config: Option<PathBuf>,
}

impl Places {
    /// Those of the user who runs this process.
    ///
    /// # Errors
    /// [`Error::Settings`] when there is no home folder.
    pub fn of_this_user() -> Result<Self> {
        let home = etcetera::home_dir()
            .map_err(|_| Error::Settings("no home folder was found; name the host's file with --path".to_owned()))?;
        Ok(Self::resolve(Os::current(), &home, |name| std::env::var_os(name)))
    }

    /// Those of a user with this home folder and environment.
    pub fn resolve(os: Os, home: &Path, env: impl Fn(&str) -> Option<OsString>) -> Self {
        // A relative folder in one of these variables would mean another place to every program; the rule of XDG is to ignore it.
        let folder = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let roaming = || folder("APPDATA").unwrap_or_else(|| home.join("AppData").join("Roaming"));
        let config = match os {
            Os::Linux => folder("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config")),
            Os::MacOs => home.join("Library").join("Application Support"),
            Os::Windows => roaming(),
        };
        let local = match os {
            Os::Windows => folder("LOCALAPPDATA").unwrap_or_else(|| home.join("AppData").join("Local")),
            Os::Linux | Os::MacOs => config.clone(),
        };
        Self {
            os,
            home: home.to_owned(),
            config,
            local,
            codex_home: folder("CODEX_HOME"),
            claude_config: folder("CLAUDE_CONFIG_DIR"),
        }
    }

    /// The folder of Claude Desktop. On Windows it is an MSIX package as a rule, which sees a folder of its own in place of `%APPDATA%`.
    pub(super) fn claude_desktop(&self) -> PathBuf {
        let plain = self.config.join("Claude");
        if self.os != Os::Windows {
            return plain;
        }
        let packages = std::fs::read_dir(self.local.join("Packages")).into_iter().flatten().flatten();
        let mut packaged: Vec<PathBuf> = packages
            .filter(|package| package.file_name().to_string_lossy().starts_with("Claude_"))
            .map(|package| package.path().join("LocalCache").join("Roaming"))
            .filter(|roaming| roaming.is_dir())
            .collect();
        packaged.sort();
        packaged.into_iter().next().map_or(plain, |roaming| roaming.join("Claude"))
    }
}
