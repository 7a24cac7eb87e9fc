//! A case: an answer with a citation, and what its status must be; and the table of what was found.

use std::collections::BTreeMap;
use std::fmt;

use crate::agent::types::CitationStatus;

/// What a case counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// Must pass.
    True,
    /// Must be seen.
    Mutant,
    /// A mutant that pages can show only in part; counted apart from the bars.
    Hard,
}

/// One answer to be checked.
#[derive(Debug, Clone)]
pub struct Case {
    pub sort: Sort,
    pub kind: String,
    pub answer: String,
    /// Whether something is quoted: then only `verified` passes.
    pub quoted: bool,
    /// Which citation is judged, from 0.
    pub judged: usize,
}

impl Case {
    /// Whether the status is what it should be.
    pub fn is_right(&self, statuses: &[CitationStatus]) -> bool {
        let passes = match statuses.get(self.judged) {
            Some(CitationStatus::Verified) => true,
            Some(CitationStatus::NumbersFound) => !self.quoted,
            _ => false,
        };
        passes == (self.sort == Sort::True)
    }
}

/// Right and all, by sort and kind.
#[derive(Debug, Default)]
pub struct Table {
    rows: BTreeMap<(Sort, String), (usize, usize)>,
    wrong: BTreeMap<(Sort, String), Vec<String>>,
}

/// Wrong cases kept of each kind.
const KEPT: usize = 12;

impl Table {
    pub fn add(&mut self, sort: Sort, kind: &str, right: bool, what: impl FnOnce() -> String) {
        let key = (sort, kind.to_owned());
        if !right {
            let wrong = self.wrong.entry(key.clone()).or_default();
            if wrong.len() < KEPT {
                wrong.push(what());
            }
        }
        let row = self.rows.entry(key).or_default();
        row.0 += usize::from(right);
        row.1 += 1;
    }

    pub fn merge(&mut self, other: Self) {
        for (key, (right, all)) in other.rows {
            let row = self.rows.entry(key).or_default();
            row.0 += right;
            row.1 += all;
        }
        for (key, mut wrong) in other.wrong {
            self.wrong.entry(key).or_default().append(&mut wrong);
        }
    }

    pub fn share(&self, sort: Sort) -> f64 {
        let (right, all) = self.count(sort);
        right as f64 / all.max(1) as f64
    }

    pub fn count(&self, sort: Sort) -> (usize, usize) {
        self.rows.iter().filter(|(k, _)| k.0 == sort).fold((0, 0), |sum, (_, r)| (sum.0 + r.0, sum.1 + r.1))
    }

    /// The wrong cases, for those who mend the checker.
    pub fn wrong(&self) -> String {
        self.wrong.iter().flat_map(|(k, w)| w.iter().map(move |w| format!("{:?} {}: {w}\n", k.0, k.1))).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (sort, title) in
            [(Sort::True, "true, passed"), (Sort::Mutant, "mutants, seen"), (Sort::Hard, "apart from the bars, seen")]
        {
            let (right, all) = self.count(sort);
            writeln!(f, "{title:52} {right:6} / {all:6}  {:.4}", self.share(sort))?;
            for ((_, kind), (right, all)) in self.rows.iter().filter(|(k, _)| k.0 == sort) {
                writeln!(f, "  {kind:50} {right:6} / {all:6}  {:.4}", *right as f64 / *all as f64)?;
            }
        }
        Ok(())
    }
}
