//! An open PDF: what is known of it, and single pages.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hayro_syntax::Pdf;

use super::open::Xfa;
use super::page_table::PageTable;
use super::text::{self, RawPage, TextReader};
use super::{Bookmark, FileNote, Info, Limits, Page, PageNote, contain, hash};

/// The version of what becomes of a page: texts of different versions of the same file may differ, so what was made from the older one
/// (an index) is made anew.
pub const TEXT_VERSION: u32 = 3;

/// An open PDF file. Opening has read its outline, labels and info; pages are read when asked for.
pub struct PdfFile {
    pub(super) opened: Arc<Opened>,
}

/// Reads pages, one after the other on one thread. The text layer is the only one of the program; tests put readers in its place that
/// panic or hang.
pub(super) trait PageReader {
    /// The page with this 0-based index in hayro-syntax's list.
    fn page(&mut self, index: usize) -> RawPage;
}

impl PageReader for TextReader<'_> {
    fn page(&mut self, index: usize) -> RawPage {
        TextReader::page(self, index)
    }
}

/// Makes a reader for a thread.
pub(super) type MakeReader = for<'a> fn(&'a Pdf, &Limits) -> Box<dyn PageReader + 'a>;

/// What threads that read pages share. A thread that was given up for its slowness keeps it alive until it ends.
pub(super) struct Opened {
    pub pdf: Pdf,
    pub bytes: Arc<Vec<u8>>,
    pub hash: OnceLock<String>,
    pub table: PageTable,
    pub outline: Vec<Bookmark>,
    pub labels: Vec<Option<String>>,
    pub info: Info,
    pub notes: Vec<FileNote>,
    pub xfa: Xfa,
    pub limits: Limits,
    pub make_reader: MakeReader,
    /// A bound ended the reading early.
    pub cut_short: AtomicBool,
}

impl PdfFile {
    pub(super) fn new(opened: Opened) -> Self {
        Self { opened: Arc::new(opened) }
    }

    /// Number of pages, those that cannot be read included, at most [`Limits::pages`]. Never 0.
    pub fn page_count(&self) -> u32 {
        self.opened.table.len()
    }

    /// The printed label of a page (1-based) where the file defines one.
    pub fn label(&self, number: u32) -> Option<&str> {
        self.opened.label(number)
    }

    /// The file's own outline, in document order; empty where it has none.
    pub fn outline(&self) -> &[Bookmark] {
        &self.opened.outline
    }

    /// The info dictionary.
    pub fn info(&self) -> &Info {
        &self.opened.info
    }

    /// What is to be said of the file; in order, each once. [`FileNote::CutShort`] can come up while pages are read.
    pub fn notes(&self) -> Vec<FileNote> {
        let mut notes = self.opened.notes.clone();
        if self.opened.cut_short.load(Ordering::Relaxed) {
            notes.push(FileNote::CutShort);
        }
        notes.sort_unstable();
        notes.dedup();
        notes
    }

    /// The SHA-256 of the file's bytes in lower-case hex, as [`content_hash_of`](super::content_hash_of) gives it. Computed once.
    pub fn content_hash(&self) -> &str {
        self.opened.hash.get_or_init(|| hash::of_bytes(&self.opened.bytes))
    }

    /// Size of the file in bytes.
    pub fn byte_len(&self) -> u64 {
        self.opened.bytes.len() as u64
    }

    /// Reads one page (1-based). Never fails: the notes say what is wrong with it, and a number outside the file gives an empty page with
    /// [`PageNote::Damaged`]. Running headers are only known where all pages are read ([`PdfFile::pages`]),
    /// and words cut at line ends are judged by the words of this page alone.
    pub fn page(&self, number: u32) -> Page {
        let opened = Arc::clone(&self.opened);
        let raw = contain::within(self.opened.page_patience(), move || {
            let mut reader = opened.reader();
            opened.read(reader.as_mut(), number)
        });
        let mut raw = raw.unwrap_or_else(|stopped| {
            tracing::debug!(number, ?stopped, "a page could not be read");
            if stopped == contain::Stopped::TimedOut {
                self.opened.cut_short.store(true, Ordering::Relaxed);
            }
            damaged_page()
        });
        text::compare_sizes(std::slice::from_mut(&mut raw));
        if contain::quietly(|| text::join_cut_words(std::slice::from_mut(&mut raw))).is_err() {
            tracing::debug!(number, "words cut at line ends could not be joined");
        }
        self.opened.finish(number, raw)
    }
}

impl Opened {
    /// A reader for the calling thread.
    pub(super) fn reader(&self) -> Box<dyn PageReader + '_> {
        (self.make_reader)(&self.pdf, &self.limits)
    }

    /// How long to wait for a page before the thread that reads it is given up. The reader itself stops after [`Limits::page_time`];
    /// this bound is for code that does not look at the clock.
    pub(super) fn page_patience(&self) -> Duration {
        self.limits.page_time.saturating_add(Duration::from_secs(2))
    }

    /// Reads a page on the calling thread, which must contain panics.
    pub(super) fn read(&self, reader: &mut dyn PageReader, number: u32) -> RawPage {
        self.table.place(number).map_or_else(damaged_page, |index| reader.page(index))
    }

    /// Makes the page of what was read.
    pub(super) fn finish(&self, number: u32, raw: RawPage) -> Page {
        let text = contain::quietly(|| text::page_text(&raw.lines)).unwrap_or_default();
        let mut notes = raw.notes;
        if self.xfa == Xfa::Dynamic || (self.xfa == Xfa::Maybe && is_placeholder(&text)) {
            notes.push(PageNote::XfaForm);
        }
        notes.sort_unstable();
        notes.dedup();
        let label = self.label(number).map(str::to_owned);
        Page { number, label, text, lines: raw.lines, notes, width: raw.width, height: raw.height }
    }

    fn label(&self, number: u32) -> Option<&str> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        self.labels.get(index)?.as_deref()
    }
}

impl fmt::Debug for PdfFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PdfFile")
            .field("pages", &self.page_count())
            .field("bytes", &self.byte_len())
            .field("notes", &self.notes())
            .finish_non_exhaustive()
    }
}

/// The text layer's reader.
pub(super) fn text_reader<'a>(pdf: &'a Pdf, limits: &Limits) -> Box<dyn PageReader + 'a> {
    Box::new(TextReader::new(pdf, limits))
}

/// A page of which nothing could be read.
pub(super) fn damaged_page() -> RawPage {
    RawPage { notes: vec![PageNote::Damaged], ..RawPage::default() }
}

/// What Adobe's programs put on the page of a dynamic form for readers that cannot draw it, in the languages seen: a few lines that tell
/// to wait or to get another reader.
fn is_placeholder(text: &str) -> bool {
    text.len() < 2_500
        && text.contains("Adobe Reader")
        && ["Please wait", "Bitte warten", "Veuillez patienter"].iter().any(|s| text.contains(s))
}
