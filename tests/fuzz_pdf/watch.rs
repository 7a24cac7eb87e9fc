//! Looks after a run: time, memory, and where panics happen.

use std::collections::BTreeMap;
use std::panic;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Longest time for one input.
const SECONDS: u64 = 20;

/// Most memory that one input may need, in bytes.
const BYTES: u64 = 1 << 30;

/// Panics by place, with how often and the first seed.
type Places = BTreeMap<String, (usize, u64)>;

pub struct Watch {
    started: Instant,
    seed: AtomicU64,
    /// Milliseconds since the start at which the input came; 0 between inputs.
    since: AtomicU64,
    peak: AtomicU64,
    /// Bytes held when the input came, and the most since.
    held: AtomicU64,
    most: AtomicU64,
    panics: Mutex<Places>,
    over: AtomicBool,
    note: PathBuf,
}

impl Watch {
    /// Starts watching. What ends the process leaves the seed in the file `note`.
    pub fn start(note: PathBuf) -> Arc<Self> {
        let watch = Arc::new(Self {
            started: Instant::now(),
            seed: AtomicU64::new(0),
            since: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            held: AtomicU64::new(0),
            most: AtomicU64::new(0),
            panics: Mutex::default(),
            over: AtomicBool::new(false),
            note,
        });
        let own = Arc::clone(&watch);
        // Contained panics do not reach a hook that was there before the first file was opened; this one comes after it.
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let place = info.location().map_or_else(|| "nowhere".to_owned(), |l| format!("{}:{}", l.file(), l.line()));
            let mut panics = own.panics.lock().unwrap_or_else(PoisonError::into_inner);
            panics.entry(place).or_insert_with(|| (0, own.seed.load(Ordering::Relaxed))).0 += 1;
            drop(panics);
            before(info);
        }));
        let own = Arc::clone(&watch);
        thread::spawn(move || {
            while !own.over.load(Ordering::Relaxed) {
                own.look();
                thread::sleep(Duration::from_millis(10));
            }
        });
        watch
    }

    /// An input begins.
    pub fn begin(&self, seed: u64) {
        // A stack overflow or a kill leaves no other trace.
        let _ = std::fs::write(&self.note, format!("{seed}\n"));
        self.seed.store(seed, Ordering::Relaxed);
        let held = resident_bytes();
        self.held.store(held, Ordering::Relaxed);
        self.most.store(held, Ordering::Relaxed);
        self.since.store(self.now().max(1), Ordering::Release);
    }

    /// The input is done: the time that it took and the bytes that it needed, as far as looking now and then can tell.
    pub fn end(&self) -> (Duration, u64) {
        self.look();
        let took = Duration::from_millis(self.now().saturating_sub(self.since.swap(0, Ordering::AcqRel)));
        (took, self.most.load(Ordering::Relaxed) - self.held.load(Ordering::Relaxed))
    }

    /// Stops watching; the panics by place and the peak of memory in bytes.
    pub fn finish(&self) -> (Places, u64) {
        self.over.store(true, Ordering::Relaxed);
        let _ = std::fs::remove_file(&self.note);
        (std::mem::take(&mut *self.panics.lock().unwrap_or_else(PoisonError::into_inner)), self.peak.load(Ordering::Relaxed))
    }

    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn look(&self) {
        let since = self.since.load(Ordering::Acquire);
        if since == 0 {
            // An input is being made.
            return;
        }
        if self.now().saturating_sub(since) > SECONDS * 1000 {
            self.give_up(&format!("it takes more than {SECONDS} s"));
        }
        let bytes = resident_bytes();
        self.peak.fetch_max(bytes, Ordering::Relaxed);
        self.most.fetch_max(bytes, Ordering::Relaxed);
        if bytes.saturating_sub(self.held.load(Ordering::Relaxed)) > BYTES {
            self.give_up(&format!("the process has {} MB", bytes >> 20));
        }
    }

    /// Ends the process: what is wrong cannot be stopped otherwise.
    fn give_up(&self, why: &str) -> ! {
        eprintln!("FUZZ FAILURE: seed {}: {why}", self.seed.load(Ordering::Relaxed));
        std::process::exit(70);
    }
}

/// Memory that the process holds at the moment; 0 where the system does not tell.
fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|s| s.split_whitespace().nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}
