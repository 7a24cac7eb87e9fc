//! Asking for parts: what is finished is not asked for again, waits are shared, tries and tokens are bounded.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::{StreamExt, stream};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::advisor::{AdviceError, AdviceFault, AdviceRequest, Advisor, Keeper, Spent};
use super::estimate::tokens;
use super::{EnrichOptions, Halt, Progress};
use crate::prompts::Prompt;

/// Tries of a part whose replies cannot be read.
const READINGS: u32 = 3;
/// Times that the material is halved for a model that cannot read as much.
const HALVINGS: u32 = 3;
/// Parts in a row whose replies cannot be read after which the model is given up: one that has given nothing yet, and one that has.
const USELESS: u32 = 5;
const USELESS_LATER: u32 = 20;
/// Tries of the very first request where the server names no time to wait: a dead one is to be told of within seconds.
const FIRST_TRIES: u32 = 4;
/// A failure to connect that took longer would take as long again.
const SOON: Duration = Duration::from_secs(5);
/// Refusals after which a server that has answered nothing yet is given up.
const REFUSALS: u32 = 3;
/// Share of [`EnrichOptions::call_tokens`] kept free for what an estimate can miss, one part in this many.
const MARGIN: u64 = 10;

/// Added to the material when a reply could not be read.
const REMINDER: &str = "\n\nReply with the JSON object alone.\n";

/// A kind of request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    /// Name, part of the key of a finished part.
    pub name: &'static str,
    /// What to do.
    pub prompt: Prompt,
    /// Bound on the reply, in tokens. Most of it is for models that think before they answer.
    pub max_output_tokens: u32,
}

/// Asks one advisor for the parts of one document.
pub(super) struct Asking<'a> {
    advisor: &'a dyn Advisor,
    keeper: &'a dyn Keeper,
    options: &'a EnrichOptions,
    finished: HashMap<String, String>,
    /// One request at a time until the first has succeeded: a dead key costs one of them.
    gate: Semaphore,
    state: Mutex<State>,
    /// Cancelled when the run is given up: nothing more is asked then, but what is under way is finished and kept.
    over: CancellationToken,
    report: &'a (dyn Fn(Progress) + Sync),
}

#[derive(Default)]
struct State {
    /// Nobody asks before.
    not_before: Option<Instant>,
    proven: bool,
    refusals: u32,
    /// Some part has an outcome.
    useful: bool,
    /// Parts in a row whose replies could not be read.
    useless: u32,
    progress: Progress,
    /// Why the last part without an outcome has none.
    last_fault: Option<String>,
    /// Why the run is given up.
    halted: Option<Halt>,
}

impl<'a> Asking<'a> {
    pub fn new(
        advisor: &'a dyn Advisor,
        keeper: &'a dyn Keeper,
        finished: HashMap<String, String>,
        options: &'a EnrichOptions,
        report: &'a (dyn Fn(Progress) + Sync),
    ) -> Self {
        Self {
            advisor,
            keeper,
            options,
            finished,
            gate: Semaphore::new(1),
            state: Mutex::default(),
            over: CancellationToken::new(),
            report,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Parts that are going to be asked for.
    pub fn expect(&self, parts: usize) {
        self.count(|progress| progress.total += parts);
    }

    /// What it came to so far, and why the last part without an outcome has none.
    pub fn tally(&self) -> (Progress, Option<String>) {
        let state = self.state();
        (state.progress, state.last_fault.clone())
    }

    /// Runs the work on many parts, as many at once as allowed; outcomes come in no order.
    pub async fn all<T, F>(&self, parts: impl IntoIterator<Item = F>) -> Result<Vec<T>, Halt>
    where
        F: Future<Output = Result<T, Halt>>,
    {
        let outcomes: Vec<Result<T, Halt>> = stream::iter(parts).buffer_unordered(self.jobs()).collect().await;
        outcomes.into_iter().collect()
    }

    fn jobs(&self) -> usize {
        self.options.jobs.max(1)
    }

    /// Tokens that the material of a request may take.
    pub fn room(&self, kind: &Kind) -> u64 {
        (self.options.call_tokens - self.options.call_tokens / MARGIN)
            .saturating_sub(tokens(self.options.prompts.text(kind.prompt)))
    }

    /// The outcome of one part: what `read` makes of the reply to the material that `write` makes for a number of tokens. `None` where the
    /// model gives nothing of use.
    pub async fn part(
        &self,
        kind: &Kind,
        write: impl Fn(u64) -> String + Send + Sync,
        read: impl Fn(&str) -> Option<String> + Send + Sync,
    ) -> Result<Option<String>, Halt> {
        let room = self.room(kind);
        let input = write(room);
        let key = key(kind.name, &input);
        if let Some(outcome) = self.finished.get(&key) {
            self.count(|progress| progress.reused += 1);
            return Ok(Some(outcome.clone()));
        }
        let outcome = self.ask(kind, input, room, &write, &read).await?;
        if let Some(outcome) = &outcome {
            self.keeper
                .keep(&key, outcome)
                .await
                .map_err(|reason| self.halt(format!("a finished part could not be kept: {reason}"), None))?;
        }
        self.count(|progress| {
            progress.asked += 1;
            progress.missed += usize::from(outcome.is_none());
        });
        Ok(outcome)
    }

    async fn ask(
        &self,
        kind: &Kind,
        mut input: String,
        mut room: u64,
        write: &(dyn Fn(u64) -> String + Send + Sync),
        read: &(dyn Fn(&str) -> Option<String> + Send + Sync),
    ) -> Result<Option<String>, Halt> {
        let (mut readings, mut halvings, mut failures) = (0, 0, 0);
        let mut bound = kind.max_output_tokens;
        // A closed gate cannot be: nobody closes it.
        let Ok(_permit) = self.gate.acquire().await else { return Ok(None) };
        loop {
            self.wait().await?;
            let since = Instant::now();
            let request =
                AdviceRequest { instructions: self.options.prompts.text(kind.prompt), input: &input, max_output_tokens: bound };
            match self.advisor.advise(request).await {
                Ok(advice) => {
                    self.succeed(advice.spent);
                    if let Some(outcome) = read(&advice.text) {
                        let mut state = self.state();
                        (state.useful, state.useless) = (true, 0);
                        return Ok(Some(outcome));
                    }
                    tracing::debug!(target: "pagewise::content", reply = advice.text, "a reply could not be read");
                    readings += 1;
                    if readings >= READINGS {
                        return self.give_up_reading();
                    }
                    // It may have been cut off, or all of it was thinking; and the same request may well bring the same reply.
                    bound = bound.saturating_mul(2);
                    if readings == 1 {
                        input.push_str(REMINDER);
                    }
                }
                Err(error) => {
                    self.state().progress.spent.requests += 1;
                    match error.fault {
                        AdviceFault::TooLong if halvings < HALVINGS => {
                            halvings += 1;
                            room /= 2;
                            input = write(room);
                        }
                        AdviceFault::TooLong | AdviceFault::Refused => return self.give_up_refused(error),
                        AdviceFault::Fatal => return Err(self.stop(error)),
                        AdviceFault::Unreachable | AdviceFault::Passing { .. } => {
                            failures += 1;
                            self.hold(error, failures, since.elapsed())?;
                        }
                    }
                }
            }
        }
    }

    /// Puts all requests off after a failure that may pass, or gives up.
    fn hold(&self, error: AdviceError, failures: u32, took: Duration) -> Result<(), Halt> {
        let patience = self.options.patience;
        let tries = match error.fault {
            // A server that was never there is tried once more, if that can be told soon.
            AdviceFault::Unreachable if !self.state().proven => 1 + u32::from(took < SOON),
            AdviceFault::Passing { wait: None } if !self.state().proven => patience.tries.min(FIRST_TRIES),
            _ => patience.tries,
        };
        let grown = patience.first_wait.saturating_mul(1 << (failures - 1).min(16)).min(patience.longest_wait);
        let asked = match error.fault {
            AdviceFault::Passing { wait } => wait.unwrap_or_default(),
            _ => Duration::ZERO,
        };
        if asked > patience.longest_wait {
            let message = format!("{} (it asks to wait {} s)", error.message, asked.as_secs());
            return Err(self.stop(AdviceError { message, ..error }));
        }
        if failures >= tries {
            return Err(self.stop(error));
        }
        let pause = grown.max(asked);
        self.count(|progress| progress.waiting = Some(pause));
        let mut state = self.state();
        state.not_before = state.not_before.max(Some(Instant::now() + pause));
        Ok(())
    }

    /// Waits until requests may be made.
    async fn wait(&self) -> Result<(), Halt> {
        loop {
            let (until, halted) = {
                let state = self.state();
                (state.not_before, state.halted.clone())
            };
            if let Some(halt) = halted {
                return Err(halt);
            }
            let Some(until) = until.filter(|until| *until > Instant::now()) else { return Ok(()) };
            tokio::select! {
                () = tokio::time::sleep_until(until) => {}
                () = self.over.cancelled() => {}
            }
        }
    }

    fn succeed(&self, spent: Spent) {
        let mut state = self.state();
        state.progress.spent += spent;
        state.progress.waiting = None;
        if !state.proven {
            state.proven = true;
            self.gate.add_permits(self.jobs() - 1);
        }
    }

    /// A part whose replies cannot be read is left as it is; a model whose replies never can be is given up.
    fn give_up_reading(&self) -> Result<Option<String>, Halt> {
        const WHY: &str = "its replies are not what was asked for";
        let in_a_row = {
            let mut state = self.state();
            state.last_fault = Some(WHY.to_owned());
            state.useless += 1;
            let most = if state.useful { USELESS_LATER } else { USELESS };
            (state.useless >= most).then_some(state.useless)
        };
        match in_a_row {
            Some(parts) => Err(self.halt(format!("{WHY}, for {parts} sections in a row"), None)),
            None => Ok(None),
        }
    }

    /// A part that is refused is left as it is; a server that refuses all from the first on is given up.
    fn give_up_refused(&self, error: AdviceError) -> Result<Option<String>, Halt> {
        let hopeless = {
            let mut state = self.state();
            state.last_fault = Some(error.message.clone());
            state.refusals += 1;
            !state.proven && state.refusals >= REFUSALS
        };
        if hopeless { Err(self.stop(error)) } else { Ok(None) }
    }

    fn count(&self, change: impl FnOnce(&mut Progress)) {
        let progress = {
            let mut state = self.state();
            change(&mut state.progress);
            state.progress
        };
        (self.report)(progress);
    }

    fn stop(&self, error: AdviceError) -> Halt {
        self.halt(error.message, error.hint)
    }

    /// Gives the run up, for the first reason that there is.
    fn halt(&self, message: String, hint: Option<String>) -> Halt {
        let mut state = self.state();
        let progress = state.progress;
        let halt = state.halted.get_or_insert(Halt { message, hint, progress }).clone();
        self.over.cancel();
        halt
    }
}

/// The key of a part: two parts with the same material are the same.
fn key(kind: &str, input: &str) -> String {
    let mut hasher = Sha256::new();
    hasher.update(kind);
    hasher.update([0]);
    hasher.update(input);
    hasher.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
