//! How long to wait before a request is made again, and when to give up.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};

use super::failure::{Again, Failure};
use super::settings::RetryPolicy;
use crate::model::ModelErrorKind;

/// Between two looks at a server that is loading a model.
const LOADING_PAUSE: Duration = Duration::from_secs(2);

/// How often the least wait for a rate limit doubles.
const MOST_DOUBLINGS: u32 = 4;

/// The waits of one turn.
pub(super) struct Backoff {
    policy: RetryPolicy,
    waits: ExponentialBackoff,
    slow_tries: u32,
    loading: Duration,
    limited: Duration,
    limits: u32,
}

impl Backoff {
    pub(super) fn new(policy: RetryPolicy) -> Self {
        let waits = ExponentialBuilder::default()
            .with_jitter()
            .with_min_delay(policy.first_wait)
            .with_max_delay(policy.longest_wait)
            .with_max_times(policy.tries.saturating_sub(1) as usize)
            .build();
        Self { policy, waits, slow_tries: 0, loading: Duration::ZERO, limited: Duration::ZERO, limits: 0 }
    }

    /// The wait before the next try; `None` when there is none.
    pub(super) fn next(&mut self, failure: &Failure) -> Option<Duration> {
        match failure.again {
            Again::Never => return None,
            Again::Loading => {
                let pause = failure.retry_after().unwrap_or(LOADING_PAUSE).max(self.policy.first_wait);
                self.loading += pause;
                return (self.loading <= self.policy.loading).then_some(pause);
            }
            Again::Once if self.slow_tries > 0 => return None,
            Again::Once => self.slow_tries += 1,
            Again::Soon => {}
        }
        match failure.retry_after() {
            // Asking earlier would only be refused again.
            Some(asked) if asked > self.policy.longest_wait => None,
            Some(asked) if failure.error.kind == ModelErrorKind::RateLimited && self.policy.tries > 1 => self.limit(asked),
            Some(asked) => {
                let wait = self.waits.next()?;
                Some(asked.max(wait.min(asked.saturating_add(self.policy.first_wait))))
            }
            None => Some(self.waits.next()?.min(self.policy.longest_wait)),
        }
    }

    /// What of the waits so far was for a rate limit.
    pub(super) fn limited(&self) -> Duration {
        self.limited
    }

    /// A wait that the server names counts by its time, since questions that run side by side refuse each other again and again. Each waits
    /// up to half as long again, so that they do not come back together.
    fn limit(&mut self, asked: Duration) -> Option<Duration> {
        let least = self.policy.first_wait.saturating_mul(1 << self.limits.min(MOST_DOUBLINGS));
        let chance = getrandom::u32().map_or(0.5, |n| f64::from(n) / f64::from(u32::MAX));
        let wait = asked.max(least).mul_f64(1.0 + chance / 2.0);
        if self.limited.saturating_add(wait) > self.policy.rate_limit {
            return None;
        }
        self.limits += 1;
        self.limited += wait;
        Some(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelError;

    fn failure(again: Again, retry_after: Option<u64>) -> Failure {
        let mut failure = Failure::new(ModelError::new(ModelErrorKind::Server, "x"), again);
        failure.error.retry_after = retry_after.map(Duration::from_secs);
        failure
    }

    #[test]
    fn waits_grow_with_jitter_and_end() {
        let mut backoff = Backoff::new(RetryPolicy::default());
        let waits: Vec<Duration> = std::iter::from_fn(|| backoff.next(&failure(Again::Soon, None))).collect();
        assert_eq!(waits.len(), 3);
        for (wait, least) in waits.iter().zip([500, 1000, 2000]) {
            assert!(*wait >= Duration::from_millis(least) && *wait <= Duration::from_millis(least * 3), "{waits:?}");
        }
    }

    #[test]
    fn the_server_is_given_the_time_it_asks_for_within_the_bound() {
        let mut backoff = Backoff::new(RetryPolicy::default());
        let wait = backoff.next(&failure(Again::Soon, Some(7))).unwrap();
        assert!((7..=8).contains(&wait.as_secs()), "{wait:?}");
        assert_eq!(backoff.next(&failure(Again::Soon, Some(3600))), None);
    }

    #[test]
    fn a_rate_limit_that_names_its_waits_counts_by_time_and_never_spins() {
        let limited = |ms: u64| {
            let mut failure = Failure::new(ModelError::new(ModelErrorKind::RateLimited, "x"), Again::Soon);
            failure.error.retry_after = Some(Duration::from_millis(ms));
            failure
        };
        for (ms, least, most) in [(1_500, 20, 60), (0, 20, 60), (40_000, 5, 7)] {
            let mut backoff = Backoff::new(RetryPolicy::default());
            let waits: Vec<Duration> = std::iter::from_fn(|| backoff.next(&limited(ms))).collect();
            assert!((least..=most).contains(&waits.len()), "{ms}: {}", waits.len());
            assert!(waits.iter().all(|w| w.as_millis() >= u128::from(ms.max(500)) && w.as_millis() <= 60_000));
            assert_eq!(waits.iter().sum::<Duration>(), backoff.limited());
            assert!(backoff.limited() <= RetryPolicy::default().rate_limit);
        }
        // One that tries by itself is not kept waiting here.
        let mut once = Backoff::new(RetryPolicy { tries: 1, ..RetryPolicy::default() });
        assert_eq!(once.next(&limited(10)), None);
    }

    #[test]
    fn time_outs_are_tried_once_more_and_refusals_never() {
        let mut backoff = Backoff::new(RetryPolicy::default());
        assert_eq!(backoff.next(&failure(Again::Never, None)), None);
        assert!(backoff.next(&failure(Again::Once, None)).is_some());
        assert_eq!(backoff.next(&failure(Again::Once, None)), None);
    }

    #[test]
    fn a_loading_server_is_asked_for_as_long_as_the_policy_says() {
        let mut backoff = Backoff::new(RetryPolicy::default());
        let mut total = Duration::ZERO;
        while let Some(wait) = backoff.next(&failure(Again::Loading, None)) {
            total += wait;
        }
        assert_eq!(total, RetryPolicy::default().loading);
    }
}
