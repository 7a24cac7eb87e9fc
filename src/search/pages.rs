//! Scores pages: how often and how closely together the words of a question stand, weighted by how rare they are.

use std::collections::{HashMap, HashSet};

use super::analysis::{Query, is_number};
use super::stored::{StoredPage, hashes};

/// Pages whose words are looked at by place: the best by count. Place adds less than half, so what is further down does not get to the top.
const LOOKED_AT_CLOSELY: usize = 300;

/// The weights of the score. Tuned on half of the questions that were at hand and checked on the other half.
#[derive(Debug, Clone, Copy)]
pub struct PageWeights {
    /// BM25 saturation.
    pub k1: f64,
    /// BM25 length normalisation.
    pub b: f64,
    /// Extra count for a word among the first words of a page, where headings and titles of tables stand.
    pub lead: f64,
    /// How many words these are.
    pub lead_words: u32,
    /// Extra count for a word in the title of a section that starts on the page.
    pub starts: f64,
    /// Extra count for a word in the title of a section that goes on over the page.
    pub covers: f64,
    /// Two neighbouring words of the question that are neighbours on the page.
    pub pair: f64,
    /// The words of the question that stand together in one place.
    pub window: f64,
    /// How many words that place holds.
    pub window_words: u32,
    /// Where the question asks for an amount: what a page of nothing but numbers gains, as a share of its score.
    pub figures: f64,
    /// Where it does not: what such a page loses.
    pub prose: f64,
    /// What a page gains that the question names, as a share of the most that the question can give.
    pub named: f64,
    /// What the first page gains, as a share of the most that the question can give: what a document is, who made it and when, stands there.
    pub front: f64,
}

impl Default for PageWeights {
    fn default() -> Self {
        Self {
            k1: 1.5,
            b: 0.75,
            lead: 1.5,
            lead_words: 25,
            starts: 2.0,
            covers: 0.5,
            pair: 0.6,
            window: 0.7,
            window_words: 30,
            figures: 1.0,
            prose: 0.2,
            named: 0.4,
            front: 0.03,
        }
    }
}

/// How many pages a library holds and how many of them hold each concept, where that is known from elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// Pages in all.
    pub pages: f64,
    /// Pages with each concept of the query, in its order.
    pub with_concept: Vec<f64>,
}

/// Takes in pages one by one and scores them at the end, when the rarity of each word is known.
pub struct PageScorer<'q> {
    query: &'q Query,
    weights: PageWeights,
    /// Words that matter: alternatives (concept, alternative, place in the phrase) that hold the hash.
    words: HashMap<u32, Vec<Use>>,
    /// One bit for each low half of a hash that matters: almost every word of a page is passed over by it.
    filter: Vec<u64>,
    pages: Vec<Observed>,
    named: HashSet<i64>,
    seen: u64,
    length: u64,
    own: Vec<u32>,
    any: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Use {
    concept: usize,
    alternative: usize,
    member: usize,
}

#[derive(Debug, Clone, Copy)]
struct Hit {
    position: u32,
    concept: usize,
    weight: f64,
    own: bool,
}

struct Observed {
    key: i64,
    length: u32,
    /// Share of its words that are numbers.
    numbers: f64,
    first: bool,
    hits: Vec<Hit>,
    /// Weighted count of each concept.
    counts: Vec<f64>,
}

impl<'q> PageScorer<'q> {
    /// For this question.
    pub fn new(query: &'q Query, weights: PageWeights) -> Self {
        let mut words: HashMap<u32, Vec<Use>> = HashMap::new();
        let mut filter = vec![0_u64; 1 << 10];
        for (concept, of) in query.concepts.iter().enumerate() {
            for (alternative, phrase) in of.alternatives.iter().enumerate() {
                for (member, hash) in phrase.hashes.iter().enumerate() {
                    words.entry(*hash).or_default().push(Use { concept, alternative, member });
                    if let Some(bits) = filter.get_mut(cell(*hash)) {
                        *bits |= bit(*hash);
                    }
                }
            }
        }
        let zeros = vec![0; query.concepts.len()];
        Self {
            query,
            weights,
            words,
            filter,
            pages: Vec::new(),
            named: HashSet::new(),
            seen: 0,
            length: 0,
            own: zeros.clone(),
            any: zeros,
        }
    }

    /// Says that the question names these pages.
    pub fn name(&mut self, pages: impl IntoIterator<Item = i64>) {
        self.named.extend(pages);
    }

    /// Takes in one page.
    pub fn observe(&mut self, key: i64, page: StoredPage<'_>) {
        let StoredPage { number, body, starts, covers } = page;
        self.seen += 1;
        let length = u32::try_from(body.len() / 4).unwrap_or(u32::MAX);
        self.length += u64::from(length);
        let hits = self.hits(body);
        let start_hits = self.hits(starts);
        let cover_hits = self.hits(covers);
        if hits.is_empty() && start_hits.is_empty() && cover_hits.is_empty() {
            return;
        }
        let counts = vec![0.0; self.query.concepts.len()];
        let numbers = hashes(body).filter(|hash| is_number(*hash)).count() as f64 / f64::from(length.max(1));
        let mut page = Observed { key, length, numbers, first: number == 1, hits, counts };
        self.count(page.hits.iter().chain(&start_hits));
        for hit in &page.hits {
            let lead = if hit.position < self.weights.lead_words { self.weights.lead } else { 0.0 };
            add(&mut page.counts, hit.concept, hit.weight * (1.0 + lead));
        }
        for (hits, worth) in [(&start_hits, self.weights.starts), (&cover_hits, self.weights.covers)] {
            for hit in hits {
                add(&mut page.counts, hit.concept, hit.weight * worth);
            }
        }
        self.pages.push(page);
    }

    /// Counts the page for the concepts that it holds. A query has at most 64 concepts, so a word of bits is enough.
    fn count<'h>(&mut self, hits: impl Iterator<Item = &'h Hit>) {
        let (mut own, mut any) = (0_u64, 0_u64);
        for hit in hits {
            let bit = 1_u64.checked_shl(u32::try_from(hit.concept).unwrap_or(u32::MAX)).unwrap_or(0);
            any |= bit;
            own |= if hit.own { bit } else { 0 };
        }
        for (counts, found) in [(&mut self.own, own), (&mut self.any, any)] {
            for (at, count) in counts.iter_mut().enumerate() {
                *count += u32::from(found >> at & 1 == 1);
            }
        }
    }

    /// The pages taken in so far that lack a quoted phrase of the question; they match in other words.
    pub fn lacking_quotes(&self) -> HashSet<i64> {
        let quoted: Vec<usize> =
            self.query.concepts.iter().enumerate().filter(|(_, concept)| concept.quoted).map(|(at, _)| at).collect();
        let lacks = |page: &&Observed| quoted.iter().any(|at| page.counts.get(*at).is_none_or(|count| *count == 0.0));
        self.pages.iter().filter(lacks).map(|page| page.key).collect()
    }

    /// The pages that match, with their scores, best first; the lower key first among equals.
    pub fn finish(self, spread: Option<&Spread>) -> Vec<(i64, f64)> {
        let rarity = self.rarity(spread);
        let average = (self.length as f64 / (self.seen.max(1)) as f64).max(1.0);
        let best_first = |a: &(i64, f64, usize), b: &(i64, f64, usize)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        let by_count = self.pages.iter().enumerate().map(|(at, page)| (page.key, self.by_count(page, &rarity, average), at));
        let mut scored: Vec<(i64, f64, usize)> = by_count.filter(|(_, score, _)| *score > 0.0).collect();
        scored.sort_by(best_first);
        for (_, score, at) in scored.iter_mut().take(LOOKED_AT_CLOSELY) {
            if let Some(page) = self.pages.get(*at) {
                *score += self.by_place(page, &rarity, average);
            }
        }
        scored.sort_by(best_first);
        scored.into_iter().map(|(key, score, _)| (key, score)).collect()
    }

    /// How telling each concept is: its weight in the question times its inverse page frequency.
    fn rarity(&self, spread: Option<&Spread>) -> Vec<f64> {
        let count = |n: Option<&u32>| f64::from(n.copied().unwrap_or(0));
        let concepts = self.query.concepts.iter().enumerate();
        concepts
            .map(|(at, concept)| {
                let (pages, with) = match spread {
                    Some(spread) => {
                        let with = spread.with_concept.get(at).copied().unwrap_or(0.0);
                        // Where quoted words stand side by side is known of the pages at hand only.
                        (spread.pages, if concept.quoted { with.min(count(self.own.get(at))) } else { with })
                    }
                    None => {
                        let own = count(self.own.get(at));
                        (self.seen as f64, if own > 0.0 && !concept.widened { own } else { count(self.any.get(at)) })
                    }
                };
                concept.weight * (1.0 + ((pages - with).max(0.0) + 0.5) / (with + 0.5)).ln()
            })
            .collect()
    }

    /// The part of the score that comes from how often the words stand on the page, and from what kind of page it is.
    fn by_count(&self, page: &Observed, rarity: &[f64], average: f64) -> f64 {
        let w = &self.weights;
        let saturated = self.saturation(page, average);
        let mut score = 0.0;
        for (worth, count) in rarity.iter().zip(&page.counts).filter(|(_, count)| **count > 0.0) {
            score += worth * saturated(*count);
        }
        let most: f64 = rarity.iter().sum();
        score *= self.kind(page);
        if self.named.contains(&page.key) {
            score += w.named * most;
        }
        if page.first { score + w.front * most } else { score }
    }

    /// The part that comes from how close together they stand.
    fn by_place(&self, page: &Observed, rarity: &[f64], average: f64) -> f64 {
        let saturated = self.saturation(page, average);
        let close = self.weights.pair * self.pairs(page, rarity, &saturated) + self.weights.window * self.window(page, rarity);
        close * self.kind(page)
    }

    /// BM25: the tenth time a word says little more than the fifth, and a long page has more of everything.
    fn saturation(&self, page: &Observed, average: f64) -> impl Fn(f64) -> f64 {
        let PageWeights { k1, b, .. } = self.weights;
        let norm = k1 * (1.0 - b + b * f64::from(page.length) / average);
        move |count| count * (k1 + 1.0) / (count + norm)
    }

    /// Figures for a question after an amount, prose for another.
    fn kind(&self, page: &Observed) -> f64 {
        if self.query.request.amount { 1.0 + self.weights.figures * page.numbers } else { 1.0 - self.weights.prose * page.numbers }
    }

    /// Neighbours in the question that stand at most two words apart on the page.
    fn pairs(&self, page: &Observed, rarity: &[f64], saturated: &dyn Fn(f64) -> f64) -> f64 {
        let concepts = &self.query.concepts;
        let mut counts: HashMap<(usize, usize), f64> = HashMap::new();
        for (at, hit) in page.hits.iter().enumerate() {
            let Some(first) = concepts.get(hit.concept).filter(|concept| !concept.phrase) else { continue };
            let rest = page.hits.iter().skip(at + 1).take_while(|next| next.position <= hit.position + 2);
            for next in rest {
                let Some(second) = concepts.get(next.concept).filter(|concept| !concept.phrase) else { continue };
                if first.place.abs_diff(second.place) == 1 {
                    let pair = (hit.concept.min(next.concept), hit.concept.max(next.concept));
                    *counts.entry(pair).or_default() += hit.weight * next.weight;
                }
            }
        }
        let worth = |at: usize| rarity.get(at).copied().unwrap_or(0.0);
        counts.iter().map(|((a, b), count)| worth(*a).min(worth(*b)) * saturated(*count)).sum()
    }

    /// The most telling place of the page: the sum over the concepts found within a few words of each other.
    fn window(&self, page: &Observed, rarity: &[f64]) -> f64 {
        let mut best = 0.0_f64;
        let mut held = vec![0.0_f64; rarity.len()];
        for (at, first) in page.hits.iter().enumerate() {
            held.iter_mut().for_each(|weight| *weight = 0.0);
            let end = first.position + self.weights.window_words;
            for hit in page.hits.iter().skip(at).take_while(|hit| hit.position < end) {
                if let Some(weight) = held.get_mut(hit.concept) {
                    *weight = weight.max(hit.weight);
                }
            }
            best = best.max(held.iter().zip(rarity).map(|(weight, worth)| weight * worth).sum());
        }
        best
    }

    /// Where the alternatives of the concepts stand, by position.
    fn hits(&self, stored: &[u8]) -> Vec<Hit> {
        let mut hits = Vec::new();
        let mut phrases: HashMap<(usize, usize), Vec<Option<u32>>> = HashMap::new();
        let mut position = 0_u32;
        for hash in hashes(stored) {
            if hash == 0 {
                continue;
            }
            position += 1;
            if self.filter.get(cell(hash)).is_none_or(|bits| bits & bit(hash) == 0) {
                continue;
            }
            for found in self.words.get(&hash).into_iter().flatten() {
                let Some(concept) = self.query.concepts.get(found.concept) else { continue };
                let Some(phrase) = concept.alternatives.get(found.alternative) else { continue };
                let length = phrase.hashes.len();
                if length > 1 {
                    let last = phrases.entry((found.concept, found.alternative)).or_insert_with(|| vec![None; length]);
                    if !completes(last, found.member, position, concept.quoted) {
                        continue;
                    }
                }
                hits.push(Hit {
                    position: position - 1,
                    concept: found.concept,
                    weight: phrase.weight,
                    own: found.alternative == 0,
                });
            }
        }
        hits
    }
}

/// Notes a word of a phrase; whether all of its words now stand together: exactly, or in any order with room for one other word between
/// them. The words of a found phrase are not used again.
fn completes(last: &mut [Option<u32>], member: usize, position: u32, exactly: bool) -> bool {
    let span = u32::try_from(last.len()).unwrap_or(u32::MAX);
    if let Some(place) = last.get_mut(member) {
        *place = Some(position);
    }
    let together = if exactly {
        (0..).zip(last.iter().rev()).all(|(back, place)| place.is_some_and(|place| place + back == position))
    } else {
        last.iter().all(|place| place.is_some_and(|place| position - place <= span))
    };
    if together {
        last.fill(None);
    }
    together
}

fn add(counts: &mut [f64], at: usize, worth: f64) {
    if let Some(count) = counts.get_mut(at) {
        *count += worth;
    }
}

fn cell(hash: u32) -> usize {
    usize::from((hash >> 6) as u16 & 0x3ff)
}

fn bit(hash: u32) -> u64 {
    1 << (hash & 63)
}
