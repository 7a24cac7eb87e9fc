//! Who has a word, and what it is worth there: lists of documents, looked up once for a question.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use rusqlite::{OptionalExtension, Transaction};

use super::super::schema::NUMBER_BITS;
use super::rows_with;
use crate::library::LibraryError;
use crate::search::analysis::Alternative;
use crate::search::{LEVEL_COUNT, marked, worth};

/// A word that fewer documents than this are known for is also looked up page by page: it may stand once in a long text.
const FEW_DOCUMENTS: usize = 64;
/// Pages looked at for such a word.
const PAGES_LOOKED_AT: i64 = 2_000;
/// What a word counts for that stands somewhere in the text, below the lowest level.
const SOMEWHERE: f32 = 0.05;
/// The lowest level at which a word of the question counts.
const LOWEST: usize = 1;
/// The lowest level at which a word counts that means the same, in a small library and in a large one: what stands below is worth next to
/// nothing there, and holds most documents.
const LOWEST_OF_SAME: (usize, usize) = (2, 3);
/// A word that so large a share of the documents has at higher levels is not looked up at the lowest: it tells little and costs most.
const COMMON: f64 = 0.1;
/// A question of more words than this is a long one. In a large library each of its words is looked up less deeply, for the others make up
/// for it: at the lowest level only if it is this rare, and what means the same only at the highest.
const MANY_WORDS: usize = 6;
/// See [`MANY_WORDS`].
const COMMON_OF_MANY: f64 = 0.01;
/// In a library of fewer documents than this everything is looked up.
const SMALL_LIBRARY: f64 = 2_000.0;
/// Widest range of keys for which there is a place for each key.
const DENSE: i64 = 1 << 22;

/// The documents that have a word or phrase.
#[derive(Debug, Default)]
pub(super) struct List {
    /// Place of the document and impact there, from 0 to 1; each place once.
    pub(super) impacts: Vec<(usize, f32)>,
    /// How many documents have it, those included that were not looked up.
    pub(super) known: usize,
}

/// Lists by word.
pub(super) struct Postings<'t> {
    transaction: &'t Transaction<'t>,
    keys: Option<&'t HashSet<i64>>,
    total: f64,
    /// Whether the question is long and the library large.
    crowded: bool,
    pub(super) slots: Slots,
    seen: Sums,
    /// By word, and whether everything was looked up.
    lists: HashMap<(String, bool), Rc<List>>,
}

impl<'t> Postings<'t> {
    /// For the documents with these keys, `total` in all, and a question of so many words.
    pub(super) fn new(
        transaction: &'t Transaction<'t>,
        keys: Option<&'t HashSet<i64>>,
        total: u64,
        words: usize,
    ) -> Result<Self, LibraryError> {
        let slots = Slots::of(transaction)?;
        let total = total as f64;
        let crowded = words > MANY_WORDS && total > SMALL_LIBRARY;
        Ok(Self { transaction, keys, total, crowded, slots, seen: Sums::default(), lists: HashMap::new() })
    }

    /// Documents with the alternative and its impact there; a phrase counts as its weakest word. `own` is for the words of the question and
    /// what stands in their place.
    pub(super) fn of_alternative(&mut self, alternative: &Alternative, own: bool) -> Result<Rc<List>, LibraryError> {
        let mut lists = Vec::with_capacity(alternative.stems.len());
        for stem in &alternative.stems {
            let key = (stem.clone(), own);
            let list = match self.lists.get(&key) {
                Some(list) => Rc::clone(list),
                None => {
                    let list = Rc::new(self.look_up(stem, own)?);
                    self.lists.insert(key, Rc::clone(&list));
                    list
                }
            };
            if list.impacts.is_empty() {
                return Ok(Rc::default());
            }
            lists.push(list);
        }
        lists.sort_by_key(|list| list.impacts.len());
        let mut lists = lists.into_iter();
        let Some(shortest) = lists.next() else { return Ok(Rc::default()) };
        let rest: Vec<Rc<List>> = lists.collect();
        Ok(if rest.is_empty() { shortest } else { Rc::new(self.with_all(&shortest, &rest)) })
    }

    fn with_all(&mut self, shortest: &List, others: &[Rc<List>]) -> List {
        let mut impacts = shortest.impacts.clone();
        for other in others {
            for (slot, impact) in &other.impacts {
                self.seen.add(*slot, |_| f64::from(*impact));
            }
            impacts.retain_mut(|(slot, impact)| {
                let here = self.seen.of(*slot) as f32;
                *impact = impact.min(here);
                here > 0.0
            });
            self.seen.drain(|_, _| {});
        }
        let known = impacts.len();
        List { impacts, known }
    }

    /// The rows that the scope can have, for keys shifted by `bits`.
    fn range(&self, bits: u32) -> (i64, i64) {
        let keys = self.keys.into_iter().flatten().copied();
        let (least, greatest) = keys.fold((i64::MAX, i64::MIN), |(least, greatest), key| (least.min(key), greatest.max(key)));
        if self.keys.is_none() { (i64::MIN, i64::MAX) } else { (least.min(1 << 40) << bits, ((greatest.max(0) + 1) << bits) - 1) }
    }

    fn look_up(&mut self, stem: &str, own: bool) -> Result<List, LibraryError> {
        let large = self.total > SMALL_LIBRARY;
        let least = match (own, large) {
            (true, _) => LOWEST,
            (false, _) if self.crowded => LEVEL_COUNT,
            (false, false) => LOWEST_OF_SAME.0,
            (false, true) => LOWEST_OF_SAME.1,
        };
        let common = if self.crowded { COMMON_OF_MANY } else { COMMON };
        let (first, last) = self.range(1);
        let mut list = List::default();
        for level in (least..=LEVEL_COUNT).rev() {
            if level == LOWEST && large && list.impacts.len() as f64 > common * self.total {
                list.known = list.impacts.len() + self.documents_with(&marked(stem, level))?;
                break;
            }
            let impact = worth(level) as f32;
            for row in rows_with(self.transaction, "document_index", &marked(stem, level), first..=last, i64::MAX)? {
                self.note(&mut list, row >> 1, impact);
            }
        }
        if own && list.impacts.len() < FEW_DOCUMENTS {
            let (first, last) = self.range(NUMBER_BITS);
            for page in rows_with(self.transaction, "page_index", stem, first..=last, PAGES_LOOKED_AT)? {
                self.note(&mut list, page >> NUMBER_BITS, SOMEWHERE);
            }
        }
        self.seen.drain(|_, _| {});
        list.known = list.known.max(list.impacts.len());
        Ok(list)
    }

    /// Puts a document of the scope on the list, if it is not on it.
    fn note(&mut self, list: &mut List, key: i64, impact: f32) {
        if self.keys.is_none_or(|keys| keys.contains(&key)) {
            let slot = self.slots.slot(key);
            if self.seen.of(slot) == 0.0 {
                self.seen.add(slot, |_| 1.0);
                list.impacts.push((slot, impact));
            }
        }
    }

    /// How many rows hold a word, without reading them one by one.
    fn documents_with(&self, word: &str) -> Result<usize, rusqlite::Error> {
        let mut find = self.transaction.prepare_cached("SELECT doc FROM document_terms WHERE term = ?1")?;
        let count: Option<i64> = find.query_row([word], |row| row.get(0)).optional()?;
        Ok(count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0))
    }
}

/// A number for each place, 0 at first, and the places that were touched.
#[derive(Default)]
pub(super) struct Sums {
    values: Vec<f64>,
    pub(super) touched: Vec<usize>,
}

impl Sums {
    /// Changes the number of a place; it must not become 0.
    pub(super) fn add(&mut self, slot: usize, change: impl Fn(f64) -> f64) {
        if slot >= self.values.len() {
            self.values.resize((slot + 1).next_power_of_two(), 0.0);
        }
        if let Some(value) = self.values.get_mut(slot) {
            if *value == 0.0 {
                self.touched.push(slot);
            }
            *value = change(*value);
        }
    }

    fn of(&self, slot: usize) -> f64 {
        self.values.get(slot).copied().unwrap_or(0.0)
    }

    /// Hands out every touched place and sets it to 0 again.
    pub(super) fn drain(&mut self, mut each: impl FnMut(usize, f64)) {
        for slot in self.touched.drain(..) {
            if let Some(value) = self.values.get_mut(slot) {
                each(slot, *value);
                *value = 0.0;
            }
        }
    }
}

/// Places of documents, counted from 0. Keys are counted up by the store, so mostly a key tells its place; in a library in which most
/// keys are gone, places are given as they come.
pub(super) struct Slots {
    first: i64,
    given: Option<(HashMap<i64, usize>, Vec<i64>)>,
}

impl Slots {
    fn of(transaction: &Transaction<'_>) -> Result<Self, rusqlite::Error> {
        let mut ends = transaction.prepare_cached("SELECT coalesce(min(key), 0), coalesce(max(key), 0) FROM documents")?;
        let (first, last): (i64, i64) = ends.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(Self { first, given: (last - first > DENSE).then(Default::default) })
    }

    fn slot(&mut self, key: i64) -> usize {
        match &mut self.given {
            None => usize::try_from(key - self.first).unwrap_or(0),
            Some((places, keys)) => *places.entry(key).or_insert_with(|| {
                keys.push(key);
                keys.len() - 1
            }),
        }
    }

    /// The document at a place.
    pub(super) fn key(&self, slot: usize) -> i64 {
        match &self.given {
            None => self.first + i64::try_from(slot).unwrap_or(0),
            Some((_, keys)) => keys.get(slot).copied().unwrap_or(0),
        }
    }
}
