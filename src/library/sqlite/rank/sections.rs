//! Sections by title and summary, in the best documents of a large scope and in all of a small one.

use rusqlite::{OptionalExtension, Transaction};

use super::super::finish::key_range;
use super::super::read::count;
use super::super::schema::NUMBER_BITS;
use super::{Asked, documents};
use crate::library::{DocId, LibraryError, Scope};
use crate::search::{PageScorer, PageWeights, RankedSection, StoredPage};

/// Sections that are scored.
const SCORED_SECTIONS: u64 = 20_000;
/// Documents whose sections are scored.
const SCORED_DOCUMENTS: usize = 200;
/// A word of a title counts for so many words of a summary.
const TITLE: f64 = 3.0;

/// See [`crate::search::Ranker::rank_sections`].
pub(in crate::library::sqlite) fn rank(
    transaction: &Transaction<'_>,
    scope: &Scope,
    query: &str,
    limit: u32,
) -> Result<Vec<RankedSection>, LibraryError> {
    let asked = Asked::new(transaction, scope, query)?;
    if asked.query.is_empty() {
        return Ok(Vec::new());
    }
    let weights = PageWeights { starts: TITLE, lead: 0.0, ..PageWeights::default() };
    let mut scorer = PageScorer::new(&asked.query, weights);
    let mut find =
        transaction.prepare_cached("SELECT key, title_words, summary_words FROM sections WHERE key BETWEEN ?1 AND ?2")?;
    for document in candidates(transaction, &asked)? {
        let (first, last) = key_range(document);
        let mut rows = find.query([first, last])?;
        while let Some(row) = rows.next()? {
            let blob = |at| row.get_ref(at).and_then(|value| value.as_blob().map_err(rusqlite::Error::from));
            scorer.observe(row.get(0)?, StoredPage { number: 0, body: blob(2)?, starts: blob(1)?, covers: &[] });
        }
    }
    let scored = scorer.finish(None);
    scored.into_iter().take(limit as usize).filter_map(|(key, score)| section(transaction, key, score).transpose()).collect()
}

/// The documents whose sections are scored.
fn candidates(transaction: &Transaction<'_>, asked: &Asked) -> Result<Vec<i64>, LibraryError> {
    let ranked = match &asked.keys {
        Some(keys) if keys.len() <= SCORED_DOCUMENTS => keys.clone(),
        _ => {
            let scores = documents::scores(transaction, &asked.query, asked.key_set().as_ref(), count(transaction)?)?;
            scores.into_iter().take(SCORED_DOCUMENTS).map(|(key, _)| key).collect()
        }
    };
    let mut sections = transaction.prepare_cached("SELECT section_count FROM documents WHERE key = ?1")?;
    let mut total = 0;
    let mut candidates = Vec::new();
    for key in ranked {
        let count: Option<i64> = sections.query_row([key], |row| row.get(0)).optional()?.flatten();
        total += count.unwrap_or(0).unsigned_abs();
        if total > SCORED_SECTIONS && !candidates.is_empty() {
            break;
        }
        candidates.push(key);
    }
    Ok(candidates)
}

fn section(transaction: &Transaction<'_>, key: i64, score: f64) -> Result<Option<RankedSection>, LibraryError> {
    let mut find = transaction.prepare_cached(
        "SELECT d.id, d.name, s.node_id, s.title, s.start_index, s.end_index FROM sections AS s JOIN documents AS d ON d.key = ?2 \
         WHERE s.key = ?1",
    )?;
    let found = find.query_row([key, key >> NUMBER_BITS], |row| {
        Ok(RankedSection {
            doc: DocId(row.get(0)?),
            name: row.get(1)?,
            node_id: row.get(2)?,
            title: row.get(3)?,
            start_index: row.get(4)?,
            end_index: row.get(5)?,
            score,
        })
    });
    Ok(found.optional()?)
}
