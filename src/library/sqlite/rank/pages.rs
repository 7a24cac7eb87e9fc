//! Pages. In a scope of a few thousand pages each page is scored; in a larger one those that come into question, see [`candidates`].

use rusqlite::{OptionalExtension, Transaction, params};

use super::super::finish::key_range;
use super::super::read::{page_words, stored_pages};
use super::{Asked, candidates, shown};
use crate::library::{LibraryError, Scope};
use crate::search::analysis::Query;
use crate::search::{PageScorer, PageWeights, RankedPage, StoredPage};

/// A scope of up to so many pages is scored page by page: 2 KB each are read, which takes some 10 ms.
const SCORED_PAGES: u64 = 4_000;
/// Pages that a question names are looked up in a scope of so few documents only: elsewhere nobody means a page by its number alone.
const NAMED_DOCUMENTS: usize = 3;
/// Named pages that are looked up.
const NAMED_PAGES: usize = 8;

/// See [`crate::search::Ranker::rank_pages`].
pub(in crate::library::sqlite) fn rank(
    transaction: &Transaction<'_>,
    scope: &Scope,
    query: &str,
    limit: u32,
) -> Result<Vec<RankedPage>, LibraryError> {
    rank_scoring(transaction, scope, query, limit, SCORED_PAGES)
}

/// [`rank`], where each page of a scope of up to `most` pages is scored.
pub(in crate::library::sqlite) fn rank_scoring(
    transaction: &Transaction<'_>,
    scope: &Scope,
    query: &str,
    limit: u32,
    most: u64,
) -> Result<Vec<RankedPage>, LibraryError> {
    let asked = Asked::new(transaction, scope, query)?;
    if asked.query.is_empty() {
        return Ok(Vec::new());
    }
    let (all, total) = whole_documents(transaction, &asked, most)?;
    let mut scorer = PageScorer::new(&asked.query, PageWeights::default());
    if let Some(documents) = all.as_deref().filter(|documents| documents.len() <= NAMED_DOCUMENTS) {
        scorer.name(named_pages(transaction, &asked.query, documents)?);
    }
    let mut observe = |key: i64, page: StoredPage<'_>| scorer.observe(key, page);
    let spread = match all {
        Some(documents) => {
            for document in documents {
                page_words(transaction, document, &mut observe)?;
            }
            None
        }
        None => {
            let (spread, pages) = candidates::find(transaction, &asked, total)?;
            for run in pages.chunk_by(|a, b| a + 1 == *b) {
                if let (Some(first), Some(last)) = (run.first(), run.last()) {
                    stored_pages(transaction, *first, *last, &mut observe)?;
                }
            }
            Some(spread)
        }
    };
    let lacking = scorer.lacking_quotes();
    let mut scored = scorer.finish(spread.as_ref());
    // Whoever quotes words wants pages that have them.
    scored.sort_by_key(|(key, _)| lacking.contains(key));
    scored
        .into_iter()
        .take(limit as usize)
        .filter_map(|(key, score)| shown::page(transaction, &asked.query, key, score, !lacking.contains(&key)).transpose())
        .collect()
}

/// The documents of the scope that are whole, and how many pages they have; no list where these are too many to be scored one by one.
fn whole_documents(transaction: &Transaction<'_>, asked: &Asked, most: u64) -> Result<(Option<Vec<i64>>, u64), LibraryError> {
    let mut total = 0;
    let mut documents = Vec::new();
    match &asked.keys {
        Some(keys) => {
            let mut pages =
                transaction.prepare_cached("SELECT page_count FROM documents WHERE key = ?1 AND status = 'completed'")?;
            for key in keys {
                if let Some(count) = pages.query_row([key], |row| row.get::<_, Option<i64>>(0)).optional()? {
                    total += count.unwrap_or(0).unsigned_abs();
                    documents.push(*key);
                }
            }
        }
        None => {
            let mut pages = transaction.prepare_cached("SELECT key, page_count FROM documents WHERE status = 'completed'")?;
            let mut rows = pages.query([])?;
            while let Some(row) = rows.next()? {
                total += row.get::<_, Option<i64>>(1)?.unwrap_or(0).unsigned_abs();
                documents.push(row.get(0)?);
            }
        }
    }
    // One document is scored whole, however long it is.
    let few = total <= most || documents.len() == 1;
    Ok((few.then_some(documents), total))
}

/// The pages that the question names, by number or by printed label.
fn named_pages(transaction: &Transaction<'_>, query: &Query, documents: &[i64]) -> Result<Vec<i64>, LibraryError> {
    let mut named = Vec::new();
    let mut labelled = transaction.prepare_cached("SELECT key FROM pages WHERE key BETWEEN ?1 AND ?2 AND label = ?3")?;
    for document in documents {
        let (first, last) = key_range(*document);
        for page in query.request.pages.iter().take(NAMED_PAGES) {
            named.push(first + i64::from(*page));
            let rows = labelled.query_map(params![first, last, page.to_string()], |row| row.get(0))?;
            named.extend(rows.collect::<Result<Vec<i64>, _>>()?);
        }
    }
    Ok(named)
}
