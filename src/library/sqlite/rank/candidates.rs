//! The pages of a large library that come into question: those with most of the words that say most, and those of the best documents.
//! Which of them is best is for the scorer to say.

use std::collections::{HashMap, HashSet};

use rusqlite::{OptionalExtension, Transaction, params};

use super::super::finish::key_range;
use super::super::read::count;
use super::super::schema::NUMBER_BITS;
use super::{Asked, documents, match_word};
use crate::library::LibraryError;
use crate::search::Spread;
use crate::search::analysis::Concept;

/// Pages that are looked at to see how common a word is.
const COUNTED_PAGES: i64 = 1_000;
/// Rows of the page index that are read for the rarest words, all together: some 6 ms.
const ROWS_READ: usize = 30_000;
/// Words too common to be read that are looked up together with another one.
const COMMON_PAIRED: usize = 3;
/// Pages that are read for such a pair.
const PAIR_ROWS: i64 = 4_000;
/// Pages that are scored because of their words.
const PAGES_BY_WORDS: usize = 900;
/// The same where quoted words have to stand side by side, which the page index cannot tell.
const PAGES_OF_QUOTED: usize = 2_000;
/// Pages of the best documents that are scored.
const PAGES_OF_BEST: u64 = 600;
/// What the score of its document counts for a page, beside the words on it.
const DOCUMENT_SHARE: f64 = 0.4;

/// A word of the question in the page index.
struct Word {
    stems: Vec<String>,
    /// Its weight times its rarity.
    worth: f64,
    /// Pages that hold it, estimated where they are many.
    pages: f64,
}

/// How common each concept is, and the pages that come into question, in ascending order.
pub(super) fn find(transaction: &Transaction<'_>, asked: &Asked, total: u64) -> Result<(Spread, Vec<i64>), LibraryError> {
    let newest: i64 = transaction.prepare_cached("SELECT coalesce(max(key), 0) FROM documents")?.query_row([], |row| row.get(0))?;
    let mut with_concept = Vec::with_capacity(asked.query.concepts.len());
    let mut words = Vec::new();
    for concept in &asked.query.concepts {
        let stems = stems(concept);
        let mut each = Vec::with_capacity(stems.len());
        for stem in &stems {
            each.push(pages_with(transaction, stem, newest)?);
        }
        // A phrase is on no more pages than its rarest word; of several words that would do, the commonest tells.
        let pages = if concept.phrase { each.iter().copied().reduce(f64::min) } else { each.iter().copied().reduce(f64::max) };
        let pages = pages.unwrap_or(0.0);
        with_concept.push(pages);
        if !concept.phrase && pages > 0.0 {
            let worth = concept.weight * (1.0 + ((total as f64 - pages).max(0.0) + 0.5) / (pages + 0.5)).ln();
            words.push(Word { stems, worth, pages });
        }
    }
    words.sort_by(|a, b| a.pages.total_cmp(&b.pages));
    let keys = asked.key_set();
    let scores = documents::scores(transaction, &asked.query, keys.as_ref(), count(transaction)?)?;
    let quoted = asked.query.concepts.iter().any(|concept| concept.quoted);
    let most = if quoted { PAGES_OF_QUOTED } else { PAGES_BY_WORDS };
    let mut pages = by_words(transaction, &words, keys.as_ref(), &scores, most)?;
    pages.extend(of_best(transaction, &scores)?);
    pages.sort_unstable();
    pages.dedup();
    Ok((Spread { pages: total as f64, with_concept }, pages))
}

/// The stems that the page index is asked for: the question's own, or what they were widened to.
fn stems(concept: &Concept) -> Vec<String> {
    let counts = |weight: f64| weight >= 1.0 || concept.widened;
    let mut stems: Vec<String> = Vec::new();
    for alternative in concept.alternatives.iter().filter(|alternative| counts(alternative.weight)) {
        for stem in &alternative.stems {
            if !stem.is_empty() && !stems.contains(stem) {
                stems.push(stem.clone());
            }
        }
    }
    stems
}

/// How many pages hold a stem, estimated where they are many.
fn pages_with(transaction: &Transaction<'_>, stem: &str, newest: i64) -> Result<f64, rusqlite::Error> {
    let mut find = transaction.prepare_cached(
        "SELECT count(*), coalesce(max(rowid), 0) FROM (SELECT rowid FROM page_index WHERE page_index MATCH ?1 LIMIT ?2)",
    )?;
    let (pages, last): (i64, i64) =
        find.query_row(params![match_word(stem), COUNTED_PAGES], |row| Ok((row.get(0)?, row.get(1)?)))?;
    // Rows come in the order of the documents: the share of the documents seen so far tells how many are to come.
    let seen = if pages >= COUNTED_PAGES { (last >> NUMBER_BITS) as f64 / (newest as f64).max(1.0) } else { 1.0 };
    Ok(pages as f64 / seen.max(1e-9))
}

/// The `most` pages that hold most of what is asked for, as far as the page index tells: whether a word stands there, not how often.
fn by_words(
    transaction: &Transaction<'_>,
    words: &[Word],
    keys: Option<&HashSet<i64>>,
    scores: &[(i64, f64)],
    most: usize,
) -> Result<Vec<i64>, LibraryError> {
    let range = match keys {
        Some(keys) => {
            let ends = keys.iter().fold((i64::MAX, 0), |(least, most), key| (key.min(&least).to_owned(), *key.max(&most)));
            (key_range(ends.0.min(ends.1)).0, key_range(ends.1).1)
        }
        None => (0, i64::MAX),
    };
    let mut held: Vec<(i64, f64)> = Vec::new();
    let mut budget = ROWS_READ as f64;
    let mut common: Vec<&Word> = Vec::new();
    for word in words {
        if word.pages > budget {
            common.push(word);
            continue;
        }
        budget -= word.pages;
        for stem in &word.stems {
            note(transaction, &match_word(stem), range, i64::MAX, word.worth, &mut held)?;
        }
    }
    // Where the rarer words have brought pages enough, what two common ones share changes little and costs most.
    common.truncate(if held.len() > most { 0 } else { COMMON_PAIRED });
    for (at, word) in common.iter().enumerate() {
        for other in common.iter().skip(at + 1) {
            if let (Some(first), Some(second)) = (word.stems.first(), other.stems.first()) {
                let both = format!("{} AND {}", match_word(first), match_word(second));
                note(transaction, &both, range, PAIR_ROWS, (word.worth + other.worth) / 2.0, &mut held)?;
            }
        }
    }
    held.retain(|(page, _)| keys.is_none_or(|keys| keys.contains(&(page >> NUMBER_BITS))));
    held.sort_unstable_by_key(|(page, _)| *page);
    held.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    if held.len() > most {
        let of_document: HashMap<i64, f64> = scores.iter().copied().collect();
        for (page, worth) in &mut held {
            *worth += DOCUMENT_SHARE * of_document.get(&(*page >> NUMBER_BITS)).copied().unwrap_or(0.0);
        }
        held.select_nth_unstable_by(most, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        held.truncate(most);
    }
    Ok(held.into_iter().map(|(page, _)| page).collect())
}

/// Notes the pages of a full-text query.
fn note(
    transaction: &Transaction<'_>,
    wanted: &str,
    (first, last): (i64, i64),
    limit: i64,
    worth: f64,
    held: &mut Vec<(i64, f64)>,
) -> Result<(), rusqlite::Error> {
    let mut find = transaction
        .prepare_cached("SELECT rowid FROM page_index WHERE page_index MATCH ?1 AND rowid BETWEEN ?2 AND ?3 LIMIT ?4")?;
    let mut rows = find.query(params![wanted, first, last, limit])?;
    while let Some(row) = rows.next()? {
        held.push((row.get(0)?, worth));
    }
    Ok(())
}

/// The pages of the best documents, up to a number; those of one at least.
fn of_best(transaction: &Transaction<'_>, scores: &[(i64, f64)]) -> Result<Vec<i64>, LibraryError> {
    let mut find = transaction.prepare_cached("SELECT page_count FROM documents WHERE key = ?1 AND status = 'completed'")?;
    let mut best = Vec::new();
    let mut pages = 0;
    for (key, _) in scores {
        let Some(count) = find.query_row([key], |row| row.get::<_, Option<i64>>(0)).optional()? else { continue };
        let count = count.unwrap_or(0);
        pages += count.unsigned_abs();
        if pages > PAGES_OF_BEST && !best.is_empty() {
            break;
        }
        let (first, _) = key_range(*key);
        best.extend(first + 1..=first + count);
    }
    Ok(best)
}
