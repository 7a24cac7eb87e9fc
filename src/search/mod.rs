//! The words of a question against documents, sections and pages.

pub mod analysis;
mod impact;
mod pages;
mod snippet;
mod stored;
mod types;

pub use impact::{LEVEL_COUNT, Strengths, level, marked, worth};
pub use pages::{PageScorer, PageWeights, Spread};
pub use snippet::{Snippet, snippet};
pub use stored::{StoredPage, StoredWords, hashes};
pub use types::{RankedDocument, RankedPage, RankedSection};

use async_trait::async_trait;

use crate::library::{LibraryError, Scope};

/// Ranks by words: stemmed, with synonyms, weighted by how rare they are.
#[async_trait]
pub trait Ranker: Send + Sync {
    /// All documents of the scope, better matches first and those that match nothing last (newest first among equals);
    /// `limit` of them from `offset` on, and how many there are.
    async fn rank_documents(
        &self,
        scope: &Scope,
        query: &str,
        offset: u64,
        limit: u32,
    ) -> Result<(Vec<RankedDocument>, u64), LibraryError>;
    /// The best pages of the scope that match at least one word, best first.
    async fn rank_pages(&self, scope: &Scope, query: &str, limit: u32) -> Result<Vec<RankedPage>, LibraryError>;
    /// The best sections of the scope by title and summary, best first.
    async fn rank_sections(&self, scope: &Scope, query: &str, limit: u32) -> Result<Vec<RankedSection>, LibraryError>;
}
