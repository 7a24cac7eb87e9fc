//! How the program ends.

use std::process::ExitCode;

use crate::error::Error;

/// Exit statuses, as documented in README.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    Success = 0,
    Failure = 1,
    Usage = 2,
    Limit = 5,
    Model = 6,
    Partial = 7,
    Interrupted = 130,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}

/// A command that could not do its work.
#[derive(Debug)]
pub(crate) enum CliError {
    /// Whoever read our output has gone: a quiet end.
    ClosedPipe,
    /// The user stopped it.
    Interrupted,
    /// A failure for people to read.
    Failed(Failure),
}

/// What is said of a failure.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) status: ExitStatus,
}

impl CliError {
    /// A wrong use of the command line that the parser cannot see.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Failed(Failure { kind: "usage", message: message.into(), hint: None, status: ExitStatus::Usage })
    }

    /// What stands on stdin cannot be used.
    pub(crate) fn stdin(message: String) -> Self {
        Self::Failed(Failure { kind: "usage", message, hint: None, status: ExitStatus::Failure })
    }

    /// Adds what to do about it.
    pub(crate) fn with_hint(mut self, text: impl Into<String>) -> Self {
        if let Self::Failed(failure) = &mut self {
            failure.hint = Some(text.into());
        }
        self
    }

    pub(crate) fn status(&self) -> ExitStatus {
        match self {
            Self::ClosedPipe => ExitStatus::Success,
            Self::Interrupted => ExitStatus::Interrupted,
            Self::Failed(failure) => failure.status,
        }
    }
}

impl From<Error> for CliError {
    fn from(error: Error) -> Self {
        let hint = match &error {
            Error::Model(model) => model.hint.clone(),
            _ => None,
        };
        let status = if matches!(error, Error::Model(_)) { ExitStatus::Model } else { ExitStatus::Failure };
        Self::Failed(Failure { kind: error.kind(), message: error.to_string(), hint, status })
    }
}

impl From<crate::library::LibraryError> for CliError {
    fn from(error: crate::library::LibraryError) -> Self {
        Error::from(error).into()
    }
}

impl From<crate::pdf::PdfError> for CliError {
    fn from(error: crate::pdf::PdfError) -> Self {
        Error::from(error).into()
    }
}

impl From<std::io::Error> for CliError {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Self::ClosedPipe;
        }
        Self::Failed(Failure { kind: "io", message: error.to_string(), hint: None, status: ExitStatus::Failure })
    }
}
