//! Running code that reads foreign bytes: panics stay inside, the stack is deep, and the caller waits no longer than it wants to.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Once, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Stack of a thread that reads foreign bytes. Nested objects and forms recurse, and an overflow cannot be caught; the default of 2 MB
/// was enough for every file tried, so 16 MB leaves room for a file made to hurt. Only touched pages cost memory.
const STACK_BYTES: usize = 16 << 20;

thread_local! {
    static CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// Why contained code gave no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stopped {
    /// It panicked; the message is for logs.
    Panicked(String),
    /// It took longer than it was given, and goes on unobserved until it ends by itself.
    TimedOut,
    /// No thread could be started for it.
    NoThread,
}

/// Runs this on the calling thread; a panic becomes `Err` and prints nothing. Whatever the closure changed must be thrown away after it.
pub(super) fn quietly<T>(f: impl FnOnce() -> T) -> Result<T, Stopped> {
    silence_contained_panics();
    let before = CONTAINED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(f));
    CONTAINED.set(before);
    result.map_err(|payload| Stopped::Panicked(message_of(payload.as_ref())))
}

/// Runs this on a thread of its own with a deep stack, for at most `limit`.
pub(super) fn within<T: Send + 'static>(limit: Duration, f: impl FnOnce() -> T + Send + 'static) -> Result<T, Stopped> {
    let (sender, receiver) = mpsc::sync_channel(1);
    spawn(move || {
        // The receiver is gone when the time was up: nobody wants the result any more.
        let _ = sender.send(quietly(f));
    })?;
    receiver.recv_timeout(limit).unwrap_or(Err(Stopped::TimedOut))
}

/// Starts a thread with a deep stack. The closure must contain its own panics ([`quietly`]).
pub(super) fn spawn(f: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Stopped> {
    thread::Builder::new().name("pagewise-pdf".into()).stack_size(STACK_BYTES).spawn(f).map_err(|error| {
        tracing::warn!(%error, "no thread for reading a PDF");
        Stopped::NoThread
    })
}

/// Wraps the process's panic hook once. Threads that are not inside [`quietly`] reach the hook that was there before.
fn silence_contained_panics() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if CONTAINED.get() {
                tracing::debug!(panic = %info, "contained a panic while reading a PDF");
            } else {
                before(info);
            }
        }));
    });
}

fn message_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_and_the_thread_lives_on() {
        assert_eq!(quietly(|| 7), Ok(7));
        assert_eq!(quietly(|| -> u8 { panic!("broken object {}", 3) }), Err(Stopped::Panicked("broken object 3".into())));
        assert!(!CONTAINED.get());
        assert_eq!(within(Duration::from_secs(5), || -> u8 { panic!("far away") }), Err(Stopped::Panicked("far away".into())));
    }

    #[test]
    fn what_takes_too_long_is_left_behind() {
        let (hold, held) = mpsc::channel::<()>();
        let stopped = within(Duration::from_millis(20), move || held.recv().is_ok());
        assert_eq!(stopped, Err(Stopped::TimedOut));
        drop(hold);
    }

    #[test]
    fn deep_recursion_fits() {
        fn down(n: u64) -> u64 {
            let pad = std::hint::black_box([n; 64]);
            if n == 0 { 0 } else { down(n - 1) + pad[5].min(1) }
        }
        assert_eq!(within(Duration::from_secs(20), || down(10_000)), Ok(10_000));
    }
}
