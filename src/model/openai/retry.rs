//! How long to wait before a request is made again, and when to give up.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};

use super::failure::{Again, Failure};
use super::settings::RetryPolicy;

/// Between two looks at a server that is loading a model.
const LOADING_PAUSE: Duration = Duration::from_secs(2);

/// The waits of one turn.
pub(super) struct Backoff {
    policy: RetryPolicy,
    waits: ExponentialBackoff,
    slow_tries: u32,
    loading: Duration,
}

impl Backoff {
    pub(super) fn new(policy: RetryPolicy) -> Self {
        let waits = ExponentialBuilder::default()
            .with_jitter()
            .with_min_delay(policy.first_wait)
            .with_max_delay(policy.longest_wait)
            .with_max_times(policy.tries.saturating_sub(1) as usize)
            .build();
        Self { policy, waits, slow_tries: 0, loading: Duration::ZERO }
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
        let wait = self.waits.next()?;
        match failure.retry_after() {
            // Asking earlier would only be refused again.
            Some(asked) if asked > self.policy.longest_wait => None,
            Some(asked) => Some(asked.max(wait.min(asked.saturating_add(self.policy.first_wait)))),
            None => Some(wait.min(self.policy.longest_wait)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ModelError, ModelErrorKind};

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
