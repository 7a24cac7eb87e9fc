//! How long the words of a reply are waited for, and what people hear meanwhile. Bytes alone are no words: a server that sends keep-alive
//! comments while the model behind it hangs is given up like a silent one.

use std::time::Duration;

use tokio::time::Instant;

use super::errors::Explainer;
use super::failure::Failure;
use super::settings::Timeouts;
use crate::model::ModelDelta;

/// The wait for the next words of one reply.
pub(super) struct Patience<'a> {
    explainer: &'a Explainer,
    timeouts: Timeouts,
    since: Instant,
    told: u32,
    begun: bool,
}

impl<'a> Patience<'a> {
    pub(super) fn new(explainer: &'a Explainer, timeouts: Timeouts) -> Self {
        Self { explainer, timeouts, since: Instant::now(), told: 0, begun: false }
    }

    /// Words, reasoning or a call came: the wait begins anew.
    pub(super) fn heard(&mut self) {
        self.since = Instant::now();
        self.told = 0;
        self.begun = true;
    }

    /// The outcome of the future; now and then `deltas` hears that it is still waited for.
    ///
    /// # Errors
    /// When nothing was heard within the bound.
    pub(super) async fn during<F: Future>(
        &mut self,
        future: F,
        deltas: &mut (dyn FnMut(ModelDelta) + Send),
    ) -> Result<F::Output, Failure> {
        let mut future = std::pin::pin!(future);
        loop {
            let bound = self.bound();
            let notice = self.timeouts.notice.saturating_mul(self.told.saturating_add(1));
            tokio::select! {
                biased;
                output = &mut future => return Ok(output),
                () = tokio::time::sleep_until(self.since + notice.min(bound)) => {}
            }
            if notice >= bound {
                return Err(self.explainer.wordless(bound, self.begun));
            }
            self.told = self.told.saturating_add(1);
            let what =
                if self.begun { "more of the reply".to_owned() } else { format!("the first words of {}", self.explainer.label()) };
            let waited = self.since.elapsed();
            // Without any byte it is given up earlier, which is seen at the bytes.
            let shown = if self.begun && waited < self.timeouts.idle { self.timeouts.idle } else { bound };
            deltas(ModelDelta::Waiting { what, waited, bound: shown });
        }
    }

    fn bound(&self) -> Duration {
        if self.begun { self.timeouts.first_byte.max(self.timeouts.idle) } else { self.timeouts.first_byte }
    }
}
