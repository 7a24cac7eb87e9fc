//! All pages of a file, read by several threads. The result does not depend on how many there are.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::Page;
use super::contain;
use super::file::{Opened, PageReader, PdfFile, damaged_page};
use super::structure::Structure;
use super::text::{self, RawPage};

/// Most threads, whatever is asked for.
const THREADS: usize = 64;

/// How often the clock is looked at while no page comes in.
const TICK: Duration = Duration::from_millis(200);

/// Threads that hang are replaced this often; then the rest of the file is given up, for each of them goes on using a processor.
const REPLACED: usize = 1;

impl PdfFile {
    /// Reads all pages, in order, on `threads` threads (0: one for each processor), and marks running headers and footers across them.
    /// `progress` hears how many pages are done, from the calling thread. Never fails: pages that could not be read in time or at all
    /// carry [`PageNote::Damaged`](super::PageNote::Damaged), and [`PdfFile::notes`] says where a bound ended the reading.
    pub fn pages(&self, threads: usize, progress: &(dyn Fn(u32) + Sync)) -> Vec<Page> {
        let mut reading = Reading::start(&self.opened, threads);
        let mut raw = reading.collect(progress);
        if reading.gave_up || reading.hung {
            self.opened.cut_short.store(true, Ordering::Relaxed);
        }
        if raw.iter().any(|page| !page.markings.is_empty()) {
            let pdf = &self.opened.pdf;
            let structure = contain::quietly(|| Structure::read(pdf)).unwrap_or_default();
            structure.tag(&mut raw);
        }
        // Furniture is a mark on lines and not worth the pages: when it fails, they stay unmarked.
        if contain::quietly(|| text::mark_furniture(&mut raw)).is_err() {
            tracing::debug!("running headers could not be marked");
        }
        text::compare_sizes(&mut raw);
        if contain::quietly(|| text::join_cut_words(&mut raw)).is_err() {
            tracing::debug!("words cut at line ends could not be joined");
        }
        (1..).zip(raw).map(|(number, page)| self.opened.finish(number, page)).collect()
    }
}

/// What the workers share.
struct Shared {
    opened: Arc<Opened>,
    /// The next page that nobody reads yet, 1-based.
    next: AtomicU32,
    /// No more pages are wanted.
    stop: AtomicBool,
    started: Instant,
}

/// What one worker does at the moment.
struct Worker {
    /// The page it reads; 0 for none.
    page: AtomicU32,
    /// When it began with it, in milliseconds since the start.
    since: AtomicU64,
    /// Nobody waits for it any more.
    abandoned: AtomicBool,
}

struct Reading {
    shared: Arc<Shared>,
    workers: Vec<Arc<Worker>>,
    sender: Sender<(u32, RawPage)>,
    receiver: Receiver<(u32, RawPage)>,
    done: Vec<Option<RawPage>>,
    missing: u32,
    replaced: usize,
    /// A page was given up for its slowness.
    hung: bool,
    /// The rest of the file was given up.
    gave_up: bool,
}

impl Reading {
    fn start(opened: &Arc<Opened>, threads: usize) -> Self {
        let total = opened.table.len();
        let wanted = if threads == 0 { thread::available_parallelism().map_or(1, usize::from) } else { threads };
        let wanted = wanted.clamp(1, THREADS).min(usize::try_from(total).unwrap_or(1).max(1));
        let shared =
            Shared { opened: Arc::clone(opened), next: AtomicU32::new(1), stop: AtomicBool::new(false), started: Instant::now() };
        let (sender, receiver) = mpsc::channel();
        let done = (0..total).map(|_| None).collect();
        let shared = Arc::new(shared);
        let mut reading =
            Self { shared, workers: Vec::new(), sender, receiver, done, missing: total, replaced: 0, hung: false, gave_up: false };
        for _ in 0..wanted {
            reading.hire();
        }
        reading
    }

    fn hire(&mut self) {
        let worker = Arc::new(Worker { page: AtomicU32::new(0), since: AtomicU64::new(0), abandoned: AtomicBool::new(false) });
        let (shared, own, sender) = (Arc::clone(&self.shared), Arc::clone(&worker), self.sender.clone());
        if contain::spawn(move || work(&shared, &own, &sender)).is_ok() {
            self.workers.push(worker);
        }
    }

    /// Takes in pages until all are there or are given up.
    fn collect(&mut self, progress: &(dyn Fn(u32) + Sync)) -> Vec<RawPage> {
        let total = self.shared.opened.table.len();
        while self.missing > 0 && !self.gave_up {
            let before = self.missing;
            match self.receiver.recv_timeout(TICK) {
                Ok((number, page)) => self.put(number, page),
                Err(RecvTimeoutError::Timeout) => {}
                // Cannot happen while this holds a sender of its own; without workers nothing will come.
                Err(RecvTimeoutError::Disconnected) => self.gave_up = true,
            }
            self.look_at_the_clock();
            if self.missing < before {
                progress(total - self.missing);
            }
        }
        self.shared.stop.store(true, Ordering::Relaxed);
        std::mem::take(&mut self.done).into_iter().map(|page| page.unwrap_or_else(damaged_page)).collect()
    }

    /// Keeps a page. Only the first result for a page counts: an abandoned worker may come late.
    fn put(&mut self, number: u32, page: RawPage) {
        let index = number.checked_sub(1).and_then(|i| usize::try_from(i).ok());
        if let Some(slot) = index.and_then(|i| self.done.get_mut(i)).filter(|slot| slot.is_none()) {
            *slot = Some(page);
            self.missing -= 1;
        }
    }

    /// Gives up workers that hang and, after too many of them or too much time, the rest of the file.
    fn look_at_the_clock(&mut self) {
        let now = self.shared.started.elapsed();
        if now > self.shared.opened.limits.file_time {
            tracing::debug!("the time for the whole file is over");
            self.gave_up = true;
            return;
        }
        let patience = self.shared.opened.page_patience();
        let hanging: Vec<Arc<Worker>> = self.workers.extract_if(.., |worker| worker.busy_for(now) > patience).collect();
        for worker in hanging {
            worker.abandoned.store(true, Ordering::Relaxed);
            let number = worker.page.load(Ordering::Relaxed);
            tracing::debug!(number, "reading a page took too long; it is given up");
            self.put(number, damaged_page());
            self.hung = true;
            self.replaced += 1;
            if self.replaced <= REPLACED {
                self.hire();
            }
        }
        if self.workers.is_empty() || self.replaced > REPLACED {
            self.gave_up = self.missing > 0;
        }
    }
}

impl Worker {
    fn busy_for(&self, now: Duration) -> Duration {
        match self.page.load(Ordering::Acquire) {
            0 => Duration::ZERO,
            _ => now.saturating_sub(Duration::from_millis(self.since.load(Ordering::Relaxed))),
        }
    }
}

/// Reads pages until none is left. A panic costs the page and the reader with its caches, not the worker.
fn work(shared: &Shared, worker: &Worker, sender: &Sender<(u32, RawPage)>) {
    let total = shared.opened.table.len();
    let mut reader: Option<Box<dyn PageReader + '_>> = None;
    loop {
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        if number > total || shared.stop.load(Ordering::Relaxed) || worker.abandoned.load(Ordering::Relaxed) {
            break;
        }
        worker.since.store(u64::try_from(shared.started.elapsed().as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
        worker.page.store(number, Ordering::Release);
        let taken = reader.take();
        let read = contain::quietly(|| {
            let mut own = taken.unwrap_or_else(|| shared.opened.reader());
            let page = shared.opened.read(own.as_mut(), number);
            (own, page)
        });
        let page = match read {
            Ok((own, page)) => {
                reader = Some(own);
                page
            }
            Err(stopped) => {
                tracing::debug!(number, ?stopped, "a page could not be read");
                damaged_page()
            }
        };
        worker.page.store(0, Ordering::Relaxed);
        if sender.send((number, page)).is_err() {
            break;
        }
    }
}
