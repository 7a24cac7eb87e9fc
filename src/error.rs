//! The error type of the public face.

use crate::library::LibraryError;
use crate::model::ModelError;
use crate::pdf::PdfError;

/// Whatever can go wrong in the library. Messages are for people and say what to do next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A PDF could not be opened or has nothing to read.
    #[error(transparent)]
    Pdf(#[from] PdfError),
    /// The store could not do it.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The model server could not do it.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The settings cannot work.
    #[error("{0}")]
    Settings(String),
    /// A document was named that does not exist.
    #[error("{0}")]
    NoSuchDocument(String),
    /// It does not exist on this side: something of the cloud asked of a local library, or the other way round.
    #[error("{0}")]
    Unsupported(String),
    /// The operating system said no.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// Why it failed.
        source: std::io::Error,
    },
}

impl Error {
    /// The kind as JSON faces show it, such as `not_a_pdf` or `library`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Pdf(e) => e.kind.as_str(),
            Self::Library(_) => "library",
            Self::Model(_) => "model",
            Self::Settings(_) => "settings",
            Self::NoSuchDocument(_) => "no_such_document",
            Self::Unsupported(_) => "unsupported",
            Self::Io { .. } => "io",
        }
    }
}

/// Result with the crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;
