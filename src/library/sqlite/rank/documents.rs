//! Documents by what they are called and what they hold.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use rusqlite::Transaction;

use super::super::read::count;
use super::super::record::by_key;
use super::super::schema::NUMBER_BITS;
use super::{Asked, rows_with};
use crate::library::{LibraryError, Scope};
use crate::search::analysis::{Alternative, Query};
use crate::search::{LEVEL_COUNT, RankedDocument, marked, worth};

/// A word that fewer documents than this are known for is also looked up page by page: it may stand once in a long text.
const FEW_DOCUMENTS: usize = 64;
/// Pages looked at for such a word.
const PAGES_LOOKED_AT: i64 = 2_000;
/// What a word counts for that stands somewhere in the text, below the lowest level.
const SOMEWHERE: f64 = 0.05;

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
    let mut postings = Postings { transaction, keys, lists: HashMap::new() };
    let mut totals = ByKey::default();
    for concept in &query.concepts {
        // For each document, the share of the concept that it misses.
        let mut missed = ByKey::default();
        let mut own = 0;
        for alternative in &concept.alternatives {
            let found = postings.of_alternative(alternative)?;
            if alternative.weight >= 1.0 {
                own += found.len();
            }
            for (key, impact) in found {
                *missed.entry(key).or_insert(1.0) *= 1.0 - alternative.weight * impact;
            }
        }
        let with = if own > 0 { own } else { missed.len() } as f64;
        let rarity = concept.weight * (1.0 + ((total as f64 - with).max(0.0) + 0.5) / (with + 0.5)).ln();
        for (key, missed) in missed {
            *totals.entry(key).or_default() += rarity * (1.0 - missed);
        }
    }
    let mut scored: Vec<(i64, f64)> = totals.into_iter().filter(|(_, score)| *score > 0.0).collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
    Ok(scored)
}

/// A number for each document.
type ByKey = HashMap<i64, f64, BuildHasherDefault<KeyHasher>>;

/// Document keys are counted up from 1 by the store, so nothing is gained by a hash that resists chosen keys.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_i64(i64::from(*byte));
        }
    }

    fn write_i64(&mut self, key: i64) {
        // The multiplier of Fibonacci hashing, 2^64 over the golden ratio: it spreads neighbours over the high bits.
        self.0 = (self.0 ^ key.unsigned_abs()).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
    }
}

/// Who has a word, looked up once.
struct Postings<'t> {
    transaction: &'t Transaction<'t>,
    keys: Option<&'t HashSet<i64>>,
    lists: HashMap<String, ByKey>,
}

impl Postings<'_> {
    /// Documents with the alternative and its impact there; a phrase counts as its weakest word.
    fn of_alternative(&mut self, alternative: &Alternative) -> Result<Vec<(i64, f64)>, LibraryError> {
        for stem in &alternative.stems {
            if !self.lists.contains_key(stem) {
                let list = self.look_up(stem, alternative.weight >= 1.0)?;
                self.lists.insert(stem.clone(), list);
            }
        }
        let mut lists: Vec<&ByKey> = alternative.stems.iter().filter_map(|stem| self.lists.get(stem)).collect();
        lists.sort_by_key(|list| list.len());
        let Some((shortest, others)) = lists.split_first() else { return Ok(Vec::new()) };
        let with_all = shortest.iter().filter_map(|(key, impact)| {
            others
                .iter()
                .try_fold(*impact, |least, list| list.get(key).map(|impact| least.min(*impact)))
                .map(|impact| (*key, impact))
        });
        Ok(with_all.collect())
    }

    /// The rows that the scope can have, for keys shifted by `bits`.
    fn range(&self, bits: u32) -> (i64, i64) {
        let keys = self.keys.into_iter().flatten().copied();
        let (least, greatest) = keys.fold((i64::MAX, i64::MIN), |(least, greatest), key| (least.min(key), greatest.max(key)));
        if self.keys.is_none() { (i64::MIN, i64::MAX) } else { (least.min(1 << 40) << bits, ((greatest.max(0) + 1) << bits) - 1) }
    }

    fn look_up(&self, stem: &str, own: bool) -> Result<ByKey, LibraryError> {
        let mut list = ByKey::default();
        let inside = |key: i64| self.keys.is_none_or(|keys| keys.contains(&key));
        // The lowest level holds most documents; for a synonym it is worth next to nothing.
        let least = if own { 1 } else { 2 };
        for level in (least..=LEVEL_COUNT).rev() {
            let (first, last) = self.range(1);
            for row in rows_with(self.transaction, "document_index", &marked(stem, level), first..=last, i64::MAX)? {
                if inside(row >> 1) {
                    list.entry(row >> 1).or_insert(worth(level));
                }
            }
        }
        if own && list.len() < FEW_DOCUMENTS {
            let (first, last) = self.range(NUMBER_BITS);
            for page in rows_with(self.transaction, "page_index", stem, first..=last, PAGES_LOOKED_AT)? {
                if inside(page >> NUMBER_BITS) {
                    list.entry(page >> NUMBER_BITS).or_insert(SOMEWHERE);
                }
            }
        }
        Ok(list)
    }
}
