//! Opening a file: what it is, its password, its page tree, and everything that is known before a page is read.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hayro_syntax::object::{Dict, Object};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf, PdfData};
use memchr::memmem;
use secrecy::ExposeSecret;

use super::contain::{self, Stopped};
use super::file::{Opened, PdfFile, text_reader};
use super::page_table::{PageTable, TreeState, tree_state};
use super::security::{Access, Lock, Oversized, rewritten, without_lock};
use super::{FileNote, OpenOptions, PdfError, PdfErrorKind, hash, info, labels, outline, sniff, unpack};

/// Time for opening a small file; a broken one is searched byte by byte, so each 10 MB add a second.
const OPEN_TIME: Duration = Duration::from_secs(15);

impl PdfFile {
    /// Opens the file at this path.
    ///
    /// # Errors
    /// A [`PdfError`] whose kind says what is wrong with it: not there, not a PDF, empty, damaged or over a bound, encrypted, without
    /// pages. The message says what to do.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Self, PdfError> {
        let bytes = hash::read_whole(path, options.limits.file_bytes)?;
        let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
        open_bytes(bytes, name, options)
    }

    /// Opens a PDF that is in memory.
    ///
    /// # Errors
    /// As [`PdfFile::open`].
    pub fn from_bytes(bytes: Vec<u8>, options: &OpenOptions) -> Result<Self, PdfError> {
        if bytes.len() as u64 > options.limits.file_bytes {
            return Err(hash::too_large("The file", bytes.len() as u64, options.limits.file_bytes));
        }
        open_bytes(bytes, "The file".to_owned(), options)
    }
}

fn open_bytes(bytes: Vec<u8>, name: String, options: &OpenOptions) -> Result<PdfFile, PdfError> {
    if bytes.is_empty() {
        return Err(PdfError::new(PdfErrorKind::EmptyFile, format!("{name} is empty (0 bytes); get the file again.")));
    }
    if let Some(kind) = sniff::other_kind(&bytes) {
        return Err(not_a_pdf(&name, kind));
    }
    let limit = options.limits.file_time.min(OPEN_TIME + Duration::from_secs(bytes.len() as u64 / (10 << 20)));
    let (own_name, own_options) = (name.clone(), options.clone());
    let attempt = move || {
        let mut bytes = bytes;
        let survey = unpack::survey(&bytes);
        // The hash is that of the file as it is.
        let hash = (!survey.bombs.is_empty()).then(|| hash::of_bytes(&bytes));
        unpack::defuse(&mut bytes, &survey.bombs);
        Attempt { bytes: Arc::new(bytes), survey, hash, name: own_name, options: own_options }.run()
    };
    match contain::within(limit, attempt) {
        Ok(result) => result.map(PdfFile::new),
        Err(stopped) => {
            let why = match stopped {
                Stopped::TimedOut => format!("took longer than {} seconds to open", limit.as_secs()),
                Stopped::Panicked(_) | Stopped::NoThread => "could not be taken apart".to_owned(),
            };
            Err(PdfError::new(PdfErrorKind::Damaged, format!("{name} {why}; it is damaged, so repair it or get it again.")))
        }
    }
}

/// The bytes of a PDF without what stands before its header. Offsets in the file are counted from there.
struct FromHeader {
    bytes: Arc<Vec<u8>>,
    start: usize,
}

impl AsRef<[u8]> for FromHeader {
    fn as_ref(&self) -> &[u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }
}

/// One attempt to open, with what it needs.
struct Attempt {
    bytes: Arc<Vec<u8>>,
    survey: unpack::Survey,
    /// The content hash where the bytes are no longer those of the file.
    hash: Option<String>,
    name: String,
    options: OpenOptions,
}

/// What came of decryption.
struct Unlocked {
    pdf: Pdf,
    copy_forbidden: bool,
    rewritten: bool,
}

impl Attempt {
    fn run(self) -> Result<Opened, PdfError> {
        let password = self.options.password.as_ref().map(|p| p.expose_secret().to_owned());
        let metadata = if self.survey.has_long_lists { None } else { info::metadata(&self.bytes, password.as_deref()) };
        let encrypted = metadata.as_ref().is_some_and(|m| m.encrypted);
        let unlocked = if encrypted { self.unlock(password.as_deref())? } else { self.plain(password.as_deref())? };
        let pdf = &unlocked.pdf;

        let found = pdf.pages().len();
        match tree_state(pdf) {
            TreeState::Whole => {}
            TreeState::Empty => return Err(self.no_pages()),
            TreeState::Lost => return Err(self.lost_tree(found)),
        }
        let limits = self.options.limits;
        let table = PageTable::new(pdf, limits.pages);
        if table.readable() == 0 {
            return Err(self.lost_tree(found));
        }

        let mut notes = Vec::new();
        let recovered = metadata.as_ref().is_some_and(|m| m.xref_recovery.is_some());
        if recovered || unlocked.rewritten || table.has_gaps() {
            notes.push(FileNote::Repaired);
        }
        if unlocked.copy_forbidden {
            notes.push(FileNote::CopyForbidden);
        }
        let xfa = Xfa::of(pdf);
        if xfa == Xfa::Dynamic {
            notes.push(FileNote::XfaForm);
        }
        // Each of these is worth less than the file: one that panics is left out.
        let outline = contain::quietly(|| outline::outline(pdf, &table)).unwrap_or_default();
        let labels = contain::quietly(|| labels::labels(pdf, table.len())).unwrap_or_default();
        let info = contain::quietly(|| info::info(metadata.as_ref(), pdf)).unwrap_or_default();
        let cut_short = AtomicBool::new(self.hash.is_some() || found > usize::try_from(limits.pages).unwrap_or(usize::MAX));
        let hash = self.hash.map_or_else(OnceLock::new, OnceLock::from);
        Ok(Opened {
            pdf: unlocked.pdf,
            bytes: self.bytes,
            hash,
            table,
            outline,
            labels,
            info,
            notes,
            xfa,
            limits,
            make_reader: text_reader,
            cut_short,
        })
    }

    /// A file that says it is encrypted.
    fn unlock(&self, password: Option<&str>) -> Result<Unlocked, PdfError> {
        let lock = match Lock::of(&self.bytes, self.survey.structure) {
            Ok(Some(lock)) => lock,
            Ok(None) => return self.plain(password),
            Err(Oversized) => return Err(self.oversized()),
        };
        if let Some(copy) = lock.open_content() {
            let bytes = without_lock(self.bytes.get(sniff::start_of_pdf(&self.bytes)..).unwrap_or_default());
            if let Ok(pdf) = load(PdfData::from(bytes), "") {
                return Ok(Unlocked { pdf, copy_forbidden: !copy, rewritten: false });
            }
        }
        let Access::Granted { copy } = lock.access(password) else { return Err(self.locked(password)) };
        let whole = |pdf| Unlocked { pdf, copy_forbidden: !copy, rewritten: false };
        let tried = ["", password.unwrap_or_default()].into_iter().find_map(|p| load(self.data(), p).ok());
        if let Some(pdf) = tried {
            return Ok(whole(pdf));
        }
        // An owner password, or one with letters that older files store in another encoding.
        let copy = rewritten(&self.bytes, self.survey.structure, password).and_then(|bytes| load(PdfData::from(bytes), "").ok());
        copy.map(whole).ok_or_else(|| self.unknown_method())
    }

    /// A file that is not known to be encrypted.
    fn plain(&self, password: Option<&str>) -> Result<Unlocked, PdfError> {
        let mut result = load(self.data(), "");
        if let (Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected)), Some(given)) = (&result, password) {
            result = load(self.data(), given);
        }
        match result {
            Ok(pdf) => Ok(Unlocked { pdf, copy_forbidden: false, rewritten: false }),
            Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected)) => Err(self.locked(password)),
            Err(LoadPdfError::Decryption(_)) => Err(self.unknown_method()),
            Err(LoadPdfError::Invalid) => {
                // lopdf finds its way through some files that hayro-syntax gives up on.
                let repaired =
                    rewritten(&self.bytes, self.survey.structure, None).and_then(|bytes| load(PdfData::from(bytes), "").ok());
                let repaired = repaired.map(|pdf| Unlocked { pdf, copy_forbidden: false, rewritten: true });
                repaired.ok_or_else(|| self.unreadable())
            }
        }
    }

    fn data(&self) -> PdfData {
        PdfData::from(Arc::new(FromHeader { bytes: Arc::clone(&self.bytes), start: sniff::start_of_pdf(&self.bytes) }))
    }

    fn locked(&self, password: Option<&str>) -> PdfError {
        let name = &self.name;
        match password {
            Some(_) => PdfError::new(
                PdfErrorKind::WrongPassword,
                format!("{name} is encrypted and the given password does not open it; check the password."),
            ),
            None => PdfError::new(
                PdfErrorKind::PasswordRequired,
                format!("{name} is encrypted and needs a password; give it with `--password`."),
            ),
        }
    }

    fn unknown_method(&self) -> PdfError {
        let name = &self.name;
        // The encryption dictionary is never packed or encrypted itself.
        let message = if memmem::find(&self.bytes, b"/Adobe.PubSec").is_some() {
            format!(
                "{name} is encrypted for the holders of certain certificates, which no password opens; save a copy without encryption in a \
                 program that has such a certificate."
            )
        } else {
            format!(
                "{name} is encrypted in a way that cannot be read (an unknown method, or damage); save a copy without encryption."
            )
        };
        PdfError::new(PdfErrorKind::Damaged, message)
    }

    fn oversized(&self) -> PdfError {
        PdfError::new(
            PdfErrorKind::Damaged,
            format!("{} would unpack to more than the bound on memory; it is not read.", self.name),
        )
    }

    fn no_pages(&self) -> PdfError {
        PdfError::new(
            PdfErrorKind::NoPages,
            format!("{} is a PDF without any pages (0 pages); check that it is the right file.", self.name),
        )
    }

    fn lost_tree(&self, found: usize) -> PdfError {
        let rest = if found == 0 { String::new() } else { format!(" (loose pages are left in no known order: {found})") };
        PdfError::new(
            PdfErrorKind::Damaged,
            format!("{} is cut off or damaged: its list of pages cannot be read{rest}; get the file again.", self.name),
        )
    }

    fn unreadable(&self) -> PdfError {
        if !sniff::has_header(&self.bytes) {
            return not_a_pdf(&self.name, sniff::unknown_kind(&self.bytes));
        }
        PdfError::new(
            PdfErrorKind::Damaged,
            format!("{} is cut off or damaged: no document could be found in it; get the file again.", self.name),
        )
    }
}

/// Whether a file is a form of Adobe's XML Forms Architecture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Xfa {
    /// No such form, or no sign of it.
    No,
    /// A form whose pages may be the document (static) or a placeholder: the text of the page decides.
    Maybe,
    /// The pages are a placeholder; the document is drawn by a program that pagewise does not have.
    Dynamic,
}

impl Xfa {
    fn of(pdf: &Pdf) -> Self {
        let xref = pdf.xref();
        let Some(catalog) = xref.get::<Dict<'_>>(xref.root_id()) else { return Self::No };
        let form = catalog.get::<Dict<'_>>("AcroForm").and_then(|form| form.get::<Object<'_>>("XFA"));
        match (form, catalog.get::<bool>("NeedsRendering")) {
            (None, _) => Self::No,
            (Some(_), Some(true)) => Self::Dynamic,
            (Some(_), _) => Self::Maybe,
        }
    }
}

fn load(data: PdfData, password: &str) -> Result<Pdf, LoadPdfError> {
    contain::quietly(|| Pdf::new_with_password(data, password)).unwrap_or(Err(LoadPdfError::Invalid))
}

fn not_a_pdf(name: &str, kind: sniff::OtherKind) -> PdfError {
    PdfError::new(PdfErrorKind::NotAPdf, format!("{name} is not a PDF: it looks like {}; {}.", kind.looks_like, kind.advice))
}
