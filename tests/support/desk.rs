//! A place of its own for the program: library, config file, no settings of whoever runs the tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Settings of the user that must not reach the program under test.
const FOREIGN: [&str; 9] = [
    "PAGEWISE_MODEL",
    "PAGEWISE_PROMPTS",
    "PAGEWISE_LOG_FILE",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "PAGEWISE_LOG",
    "PAGEWISE_PDF_PASSWORD",
    "PAGEWISE_MCP_TOKEN",
];

/// The sample document of this name.
pub fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/documents").join(name)
}

/// A folder with a library and an empty config file. It goes with the value.
pub struct Desk {
    dir: tempfile::TempDir,
}

impl Desk {
    /// An empty library.
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("config.toml"), "").unwrap();
        Self { dir }
    }

    /// A library with these sample documents.
    pub fn with_samples(names: &[&str]) -> Self {
        let desk = Self::new();
        for name in names {
            let output = desk.command(&["add"]).arg(sample(name)).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        desk
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The library file.
    pub fn library(&self) -> PathBuf {
        self.dir.path().join("library").join("library.db")
    }

    /// The program with these arguments, on this library.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pagewise"));
        for variable in FOREIGN {
            command.env_remove(variable);
        }
        command
            .env("PAGEWISE_CONFIG", self.dir.path().join("config.toml"))
            .env("PAGEWISE_LIBRARY", self.library())
            .env("COLUMNS", "100")
            .args(args);
        command
    }

    /// What `pagewise call` prints, without the line end.
    pub fn call(&self, tool: &str, arguments: &Value, options: &[&str]) -> String {
        let output = self.command(&["call"]).args(options).args([tool, &arguments.to_string()]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.strip_suffix('\n').unwrap_or_else(|| panic!("no envelope: {}", String::from_utf8_lossy(&output.stderr))).to_owned()
    }
}
