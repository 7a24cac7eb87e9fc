//! Waiting for a document that is still being processed.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::library::{DocumentRecord, LibraryError, Status};

use super::local::Context;

/// How long to wait and how often to look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// The whole wait.
    pub limit: Duration,
    /// The first pause; each further one is half as long again.
    pub first: Duration,
    /// The longest pause.
    pub longest: Duration,
}

impl Patience {
    /// The bounds of the tool contract: 180 seconds, looking every 1 to 5 seconds.
    pub const CONTRACT: Self =
        Self { limit: Duration::from_secs(180), first: Duration::from_secs(1), longest: Duration::from_secs(5) };
}

/// How a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waited {
    /// Nobody waited, or the document is done.
    No,
    /// The time was up.
    TimedOut,
    /// The call was cancelled.
    Cancelled,
}

impl Waited {
    /// The start of a message about a document that is not done.
    pub fn lead(self, patience: Patience) -> String {
        match self {
            Self::No => String::new(),
            Self::TimedOut => format!("The wait timed out after {} seconds: ", patience.limit.as_secs()),
            Self::Cancelled => "The wait was interrupted: ".to_owned(),
        }
    }
}

impl Context {
    /// Looks at the document until it is completed or failed. `None` when it is removed in the meantime.
    pub(super) async fn wait(&self, record: DocumentRecord) -> Result<Option<(DocumentRecord, Waited)>, LibraryError> {
        let end = Instant::now() + self.patience.limit;
        let mut pause = self.patience.first;
        let mut record = record;
        loop {
            if matches!(record.status, Status::Completed | Status::Failed) {
                return Ok(Some((record, Waited::No)));
            }
            let now = Instant::now();
            if now >= end {
                return Ok(Some((record, Waited::TimedOut)));
            }
            tokio::select! {
                biased;
                () = self.cancel.cancelled() => return Ok(Some((record, Waited::Cancelled))),
                () = sleep(pause.min(end - now)) => {}
            }
            pause = (pause + pause / 2).min(self.patience.longest);
            record = match self.find(&record.id.0).await? {
                Some(record) => record,
                None => return Ok(None),
            };
        }
    }
}
