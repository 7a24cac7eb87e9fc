//! Pages. In a scope of a few thousand pages each page is scored; in a large library those of the best documents, and those that hold a
//! rare word of the question wherever they stand.

use std::collections::{BTreeSet, HashSet};

use rusqlite::{OptionalExtension, Transaction, params};

use super::super::finish::key_range;
use super::super::read::{count, page_words, stored_pages};
use super::super::schema::NUMBER_BITS;
use super::{Asked, documents, language_code, match_word};
use crate::library::{DocId, LibraryError, Scope};
use crate::search::analysis::{Language, Query};
use crate::search::{PageScorer, PageWeights, RankedPage, Spread, StoredPage, snippet};

/// A scope of up to so many pages is scored page by page: 2 KB each are read, which takes some 10 ms.
const SCORED_PAGES: u64 = 4_000;
/// Pages of the best documents that are scored in a larger scope.
const PAGES_OF_BEST: u64 = 2_500;
/// Pages that are looked at to see how common a word is.
const COUNTED_PAGES: i64 = 1_000;
/// Pages that a question names are looked up in a scope of so few documents only: elsewhere nobody means a page by its number alone.
const NAMED_DOCUMENTS: usize = 3;
/// Named pages that are looked up.
const NAMED_PAGES: usize = 8;
/// A word on fewer pages than this is rare: each of them is scored.
const RARE_PAGES: usize = 250;

/// See [`crate::search::Ranker::rank_pages`].
pub(in crate::library::sqlite) fn rank(
    transaction: &Transaction<'_>,
    scope: &Scope,
    query: &str,
    limit: u32,
) -> Result<Vec<RankedPage>, LibraryError> {
    let asked = Asked::new(transaction, scope, query)?;
    if asked.query.is_empty() {
        return Ok(Vec::new());
    }
    let (all, total) = whole_documents(transaction, &asked)?;
    let mut scorer = PageScorer::new(&asked.query, PageWeights::default());
    if let Some(documents) = all.as_deref().filter(|documents| documents.len() <= NAMED_DOCUMENTS) {
        scorer.name(named_pages(transaction, &asked.query, documents)?);
    }
    let mut observe = |key: i64, page: StoredPage<'_>| scorer.observe(key, page);
    let scored = match all {
        Some(documents) => {
            for document in documents {
                page_words(transaction, document, &mut observe)?;
            }
            scorer.finish(None)
        }
        None => {
            let best = best_documents(transaction, &asked)?;
            for document in &best {
                page_words(transaction, *document, &mut observe)?;
            }
            let (spread, rare) = spread(transaction, &asked, total)?;
            for page in rare.into_iter().filter(|page| !best.contains(&(page >> NUMBER_BITS))) {
                stored_pages(transaction, page, page, &mut observe)?;
            }
            scorer.finish(Some(&spread))
        }
    };
    scored
        .into_iter()
        .take(limit as usize)
        .filter_map(|(key, score)| page(transaction, &asked.query, key, score).transpose())
        .collect()
}

/// The documents of the scope that are whole, and how many pages they have; no list where these are too many to be scored one by one.
fn whole_documents(transaction: &Transaction<'_>, asked: &Asked) -> Result<(Option<Vec<i64>>, u64), LibraryError> {
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
    let few = total <= SCORED_PAGES || documents.len() == 1;
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

/// The best documents, up to a number of pages; at least one.
fn best_documents(transaction: &Transaction<'_>, asked: &Asked) -> Result<HashSet<i64>, LibraryError> {
    let total = count(transaction)?;
    let mut best = HashSet::new();
    let mut pages = 0;
    let mut find = transaction.prepare_cached("SELECT page_count FROM documents WHERE key = ?1 AND status = 'completed'")?;
    for (key, _) in documents::scores(transaction, &asked.query, asked.key_set().as_ref(), total)? {
        let Some(count) = find.query_row([key], |row| row.get::<_, Option<i64>>(0)).optional()? else { continue };
        pages += count.unwrap_or(0).unsigned_abs();
        if pages > PAGES_OF_BEST && !best.is_empty() {
            break;
        }
        best.insert(key);
    }
    Ok(best)
}

/// How many pages of the scope hold each concept, estimated from the first ones, and the pages that hold a rare word.
fn spread(transaction: &Transaction<'_>, asked: &Asked, total: u64) -> Result<(Spread, BTreeSet<i64>), LibraryError> {
    let keys = asked.key_set();
    let newest: i64 = transaction.prepare_cached("SELECT coalesce(max(key), 0) FROM documents")?.query_row([], |row| row.get(0))?;
    let mut find = transaction.prepare_cached("SELECT rowid FROM page_index WHERE page_index MATCH ?1 LIMIT ?2")?;
    let mut rare = BTreeSet::new();
    let mut with_concept = Vec::with_capacity(asked.query.concepts.len());
    for concept in &asked.query.concepts {
        let mut with = f64::INFINITY;
        for stem in concept.alternatives.iter().filter(|alternative| alternative.weight >= 1.0).flat_map(|own| &own.stems) {
            if stem.is_empty() {
                continue;
            }
            let rows = find.query_map(params![match_word(stem), COUNTED_PAGES], |row| row.get::<_, i64>(0))?;
            let pages: Vec<i64> = rows.collect::<Result<_, _>>()?;
            let estimate = match pages.last() {
                // Rows come in the order of the documents: the share of the documents seen so far tells how many are to come.
                Some(last) if pages.len() as i64 >= COUNTED_PAGES => {
                    pages.len() as f64 * newest as f64 / ((last >> NUMBER_BITS) as f64).max(1.0)
                }
                _ => pages.len() as f64,
            };
            with = with.min(estimate);
            if !concept.phrase && pages.len() < RARE_PAGES {
                rare.extend(pages.iter().filter(|page| keys.as_ref().is_none_or(|keys| keys.contains(&(*page >> NUMBER_BITS)))));
            }
        }
        with_concept.push(if with.is_finite() { with } else { 0.0 });
    }
    Ok((Spread { pages: total as f64, with_concept }, rare))
}

/// A scored page as it is handed out; `None` where its document is gone.
fn page(transaction: &Transaction<'_>, query: &Query, key: i64, score: f64) -> Result<Option<RankedPage>, LibraryError> {
    let document = key >> NUMBER_BITS;
    let mut find = transaction.prepare_cached("SELECT id, name FROM documents WHERE key = ?1")?;
    let Some((id, name)) = find.query_row([document], |row| Ok((row.get(0)?, row.get(1)?))).optional()? else { return Ok(None) };
    let mut text = transaction.prepare_cached("SELECT text FROM pages WHERE key = ?1")?;
    let Some(text) = text.query_row([key], |row| row.get::<_, String>(0)).optional()? else { return Ok(None) };
    let language = Language::of_code(&language_code(transaction, document)?.unwrap_or_default());
    let number = u32::try_from(key - (document << NUMBER_BITS)).unwrap_or(0);
    Ok(Some(RankedPage { doc: DocId(id), name, page: number, score, snippet: snippet(&text, query, language) }))
}
