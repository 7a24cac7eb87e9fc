//! Documents by what they are called and what they hold.

use std::collections::HashSet;

use rusqlite::Transaction;

use super::super::read::count;
use super::super::record::by_key;
use super::Asked;
use super::postings::{Postings, Sums};
use crate::library::{LibraryError, Scope};
use crate::search::RankedDocument;
use crate::search::analysis::Query;

/// See [`crate::search::Ranker::rank_documents`].
pub(in crate::library::sqlite) fn rank(
    transaction: &Transaction<'_>,
    scope: &Scope,
    query: &str,
    offset: u64,
    limit: u32,
) -> Result<(Vec<RankedDocument>, u64), LibraryError> {
    let asked = Asked::new(transaction, scope, query)?;
    let total = match &asked.keys {
        Some(keys) => keys.len() as u64,
        None => count(transaction)?,
    };
    let matched = scores(transaction, &asked.query, asked.key_set().as_ref(), total)?;
    let from = usize::try_from(offset).unwrap_or(usize::MAX);
    let mut wanted: Vec<(i64, f64)> = matched.iter().skip(from).take(limit as usize).copied().collect();
    let missing = (limit as usize).saturating_sub(wanted.len());
    if missing > 0 {
        let known: HashSet<i64> = matched.iter().map(|(key, _)| *key).collect();
        let rest = rest(transaction, &asked, &known, from.saturating_sub(matched.len()), missing)?;
        wanted.extend(rest.into_iter().map(|key| (key, 0.0)));
    }
    let mut ranked = Vec::with_capacity(wanted.len());
    for (key, score) in wanted {
        ranked.extend(by_key(transaction, key)?.map(|document| RankedDocument { document, score }));
    }
    Ok((ranked, total))
}

/// Documents that match nothing, newest first, from the `skip`th on.
fn rest(
    transaction: &Transaction<'_>,
    asked: &Asked,
    known: &HashSet<i64>,
    skip: usize,
    take: usize,
) -> Result<Vec<i64>, LibraryError> {
    if let Some(keys) = &asked.keys {
        return Ok(keys.iter().filter(|key| !known.contains(key)).skip(skip).take(take).copied().collect());
    }
    let mut all = transaction.prepare_cached("SELECT key FROM documents ORDER BY key DESC")?;
    let mut rows = all.query([])?;
    let mut rest = Vec::new();
    let mut passed = 0;
    while let Some(row) = rows.next()? {
        let key: i64 = row.get(0)?;
        if known.contains(&key) {
            continue;
        }
        passed += 1;
        if passed > skip {
            rest.push(key);
        }
        if rest.len() >= take {
            break;
        }
    }
    Ok(rest)
}

/// The documents that match, with their scores, best first and newest first among equals. `total` is how many documents there are to
/// tell rare words from common ones.
pub(super) fn scores(
    transaction: &Transaction<'_>,
    query: &Query,
    keys: Option<&HashSet<i64>>,
    total: u64,
) -> Result<Vec<(i64, f64)>, LibraryError> {
    let mut postings = Postings::new(transaction, keys, total, query.concepts.len())?;
    let mut totals = Sums::default();
    let mut kept = Sums::default();
    for concept in &query.concepts {
        let mut own = 0;
        for alternative in &concept.alternatives {
            let list = postings.of_alternative(alternative, alternative.weight >= 1.0 || concept.widened)?;
            if alternative.weight >= 1.0 {
                own += list.known;
            }
            // For each document, the share of the concept that it has: what one word misses, another may bring.
            for (slot, impact) in &list.impacts {
                kept.add(*slot, |share| share + (1.0 - share) * alternative.weight * f64::from(*impact));
            }
        }
        let with = if own > 0 && !concept.widened { own } else { kept.touched.len() } as f64;
        let rarity = concept.weight * (1.0 + ((total as f64 - with).max(0.0) + 0.5) / (with + 0.5)).ln();
        kept.drain(|slot, share| totals.add(slot, |sum| sum + rarity * share));
    }
    let mut scored = Vec::with_capacity(totals.touched.len());
    totals.drain(|slot, score| scored.push((postings.slots.key(slot), score)));
    scored.retain(|(_, score)| *score > 0.0);
    scored.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
    Ok(scored)
}
