//! Why a file could not be opened, and what to do about it.

use serde::Serialize;

/// What is wrong with a file. The names are part of the JSON face (`{"error": {"kind", "message"}}`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PdfErrorKind {
    /// The path does not exist or cannot be read.
    Unreadable,
    /// The content is something else than a PDF (the message says what it looks like).
    NotAPdf,
    /// The file has no bytes.
    EmptyFile,
    /// Truncated or broken beyond what repair could read, or over a bound on time or memory.
    Damaged,
    /// The file is encrypted and no password was given.
    PasswordRequired,
    /// The file is encrypted and the given password does not open it.
    WrongPassword,
    /// A valid file with an empty page tree.
    NoPages,
    /// No page has text (scanned pages, for example). Only adding a document to a library fails with it.
    NoText,
}

impl PdfErrorKind {
    /// The name in JSON, such as `not_a_pdf`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::NotAPdf => "not_a_pdf",
            Self::EmptyFile => "empty_file",
            Self::Damaged => "damaged",
            Self::PasswordRequired => "password_required",
            Self::WrongPassword => "wrong_password",
            Self::NoPages => "no_pages",
            Self::NoText => "no_text",
        }
    }
}

/// A file that could not be opened. The message is one sentence for people and names what to do next; it never holds a password.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct PdfError {
    /// What is wrong.
    pub kind: PdfErrorKind,
    /// For people: what is wrong and what to do.
    pub message: String,
}

impl PdfError {
    /// An error of this kind with this message.
    pub fn new(kind: PdfErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}
