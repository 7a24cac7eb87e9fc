//! Improving a stored document with a model: read from the library, ask, keep each finished part, store the outcome.

mod advisor;

use std::sync::Arc;

use async_trait::async_trait;

pub use advisor::ModelAdvisor;

use crate::error::Result;
use crate::index::TocSource;
use crate::index::enrich::{Advisor, EnrichOptions, Halt, Keeper, PROMPT_VERSION, PROMPTS, Progress, Source, enrich};
use crate::library::{DocId, DocumentRecord, Improvable, Improvement, Library, LibraryError};
use crate::prompts::Prompts;

/// What became of a document.
#[derive(Debug, Clone)]
pub enum Improved {
    /// The same model has improved it before.
    Already,
    /// Its tree is improved.
    Done {
        /// The document as it is now.
        document: Box<DocumentRecord>,
        /// What it took.
        progress: Progress,
        /// Why the last of the missed parts was missed, if some were.
        why_missed: Option<String>,
    },
    /// The model could not go on. The tree is as it was; finished parts are kept.
    Stopped(Halt),
}

/// Improves the tree and the description of a completed document. The stored tree stays in use until the improved one is whole. Dropping the
/// future ends the run; the next one with the same advisor goes on where it stopped.
///
/// # Errors
/// [`crate::Error::Library`] when the library fails, or the document changed in the meantime. What the model does is no error.
pub async fn improve(
    library: Arc<dyn Library>,
    id: &DocId,
    advisor: &dyn Advisor,
    options: &EnrichOptions,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Improved> {
    let stored = library.improvable(id).await?.ok_or_else(|| LibraryError::Stale(id.0.clone()))?;
    let basis = basis(&stored, &advisor.name(), &options.prompts);
    if stored.improved.as_ref() == Some(&basis) {
        return Ok(Improved::Already);
    }
    // Should the document change from here on, storing the outcome is refused.
    let pages = library.pages(id, &[1..=u32::MAX]).await?;
    let tree = library.tree(id).await?;
    let finished = library.finished_parts(id, &basis).await?;
    let keeper = LibraryKeeper { library: library.clone(), id, basis: &basis };
    let source = Source {
        name: stored.name,
        title: stored.title,
        pages,
        tree,
        describe: !stored.described_by_user,
        page_groups: stored.toc_source.as_deref() == Some(TocSource::PageRanges.as_str()),
    };
    let enriched = match enrich(&source, advisor, &keeper, finished, options, progress).await {
        Ok(enriched) => enriched,
        Err(halt) => return Ok(Improved::Stopped(halt)),
    };
    let improvement = Improvement {
        content_hash: stored.content_hash,
        tree_version: stored.tree_version,
        tree: enriched.tree,
        description: enriched.description,
        toc_source: enriched.regrouped.then_some(TocSource::Model),
        complete: enriched.progress.missed == 0,
        basis,
    };
    let document = library.improve(id, improvement).await?;
    Ok(Improved::Done { document: Box::new(document), progress: enriched.progress, why_missed: enriched.why_missed })
}

/// What finished parts are good for: the same content and tree, the same prompts, the same model.
fn basis(stored: &Improvable, advisor: &str, prompts: &Prompts) -> String {
    let own = prompts.fingerprint(&PROMPTS);
    let own = if own.is_empty() { own } else { format!(" with {own}") };
    format!("{} tree {} prompts {PROMPT_VERSION}{own} {advisor}", stored.content_hash, stored.tree_version)
}

struct LibraryKeeper<'a> {
    library: Arc<dyn Library>,
    id: &'a DocId,
    basis: &'a str,
}

#[async_trait]
impl Keeper for LibraryKeeper<'_> {
    async fn keep(&self, part: &str, outcome: &str) -> std::result::Result<(), String> {
        self.library.keep_part(self.id, self.basis, part, outcome).await.map_err(|error| error.to_string())
    }
}
