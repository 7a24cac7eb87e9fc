//! What the servers of a model say about its counting and its window, kept for all conversations of an agent.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Which count a conversation is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// Characters.
    Rough,
    /// The tokeniser.
    Close,
}

/// Counts of the server this far from ours are other things (a cache left out, several requests added up), not our counts corrected.
const PLAUSIBLE: std::ops::RangeInclusive<f64> = 0.5..=3.0;
/// Requests that we count smaller than this say too little: what a server adds to each weighs too much in them.
const LEAST: u64 = 500;

/// The server's counts over ours, in thousandths by measure, and the window where the server named it; 0 is unknown.
#[derive(Debug, Default)]
pub(super) struct Learned {
    rough: AtomicU32,
    close: AtomicU32,
    window: AtomicU64,
}

impl Learned {
    fn cell(&self, measure: Measure) -> &AtomicU32 {
        match measure {
            Measure::Rough => &self.rough,
            Measure::Close => &self.close,
        }
    }

    /// By how much a count is corrected.
    pub(super) fn factor(&self, measure: Measure) -> f64 {
        match self.cell(measure).load(Ordering::Relaxed) {
            0 => 1.0,
            thousandths => f64::from(thousandths) / 1_000.0,
        }
    }

    /// Takes over what the server counted for a request that we counted at `ours`. Half of the distance to what was known is gone, so that one
    /// odd count does little; `sure` goes the whole way.
    pub(super) fn told(&self, measure: Measure, ours: u64, server: u64, sure: bool) {
        if ours < LEAST || server == 0 {
            return;
        }
        #[allow(clippy::cast_precision_loss, reason = "a ratio of token counts")]
        let mut factor = server as f64 / ours as f64;
        if !PLAUSIBLE.contains(&factor) {
            return;
        }
        let known = self.cell(measure).load(Ordering::Relaxed);
        if known > 0 && !sure {
            factor = factor.midpoint(f64::from(known) / 1_000.0);
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 500 and 3,000")]
        self.cell(measure).store((factor * 1_000.0).round() as u32, Ordering::Relaxed);
    }

    /// The same texts measured both ways: what is known of the rough count goes over to the close one.
    pub(super) fn carry_over(&self, rough: u64, close: u64) {
        if self.close.load(Ordering::Relaxed) == 0 && self.rough.load(Ordering::Relaxed) > 0 {
            self.told(Measure::Close, close, scaled(rough, self.factor(Measure::Rough)), true);
        }
    }

    /// The window that the server named, if it did.
    pub(super) fn window(&self) -> Option<u64> {
        Some(self.window.load(Ordering::Relaxed)).filter(|w| *w > 0)
    }

    /// The server named the window.
    pub(super) fn set_window(&self, tokens: u64) {
        self.window.store(tokens, Ordering::Relaxed);
    }
}

/// A share or a multiple of a count.
pub(super) fn scaled(count: u64, by: f64) -> u64 {
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rough token count")]
    let scaled = (count as f64 * by) as u64;
    scaled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_corrected_and_nonsense_is_not_taken() {
        let learned = Learned::default();
        let factor = || learned.factor(Measure::Rough);
        assert!((factor() - 1.0).abs() < 1e-9);
        learned.told(Measure::Rough, 1_000, 1_200, false);
        assert!((factor() - 1.2).abs() < 1e-9);
        for nonsense in [0, 1, 10, u64::MAX, 1_000_000] {
            learned.told(Measure::Rough, 1_000, nonsense, false);
        }
        learned.told(Measure::Rough, 10, 20, false);
        assert!((factor() - 1.2).abs() < 1e-9);
        learned.told(Measure::Rough, 1_000, 1_400, false);
        assert!((factor() - 1.3).abs() < 1e-9);
        learned.told(Measure::Rough, 1_000, 2_000, true);
        assert!((factor() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn the_close_count_begins_where_the_rough_one_was() {
        let learned = Learned::default();
        learned.carry_over(1_000, 2_000);
        assert!((learned.factor(Measure::Close) - 1.0).abs() < 1e-9);
        learned.told(Measure::Rough, 1_000, 2_400, true);
        learned.carry_over(1_000, 2_000);
        assert!((learned.factor(Measure::Close) - 1.2).abs() < 1e-9);
    }
}
