//! Encrypted files: which password opens them, what their flags permit, and decryption where hayro-syntax has none.
//!
//! hayro-syntax decrypts as it reads, which costs nothing extra, but it knows only the user password of revisions 2 to 4, takes passwords
//! as raw bytes, and does not tell the user's password from the owner's. So lopdf checks the password and reads the flags, and for the
//! rest (owner passwords, passwords outside ASCII) it writes a decrypted copy in memory.

use lopdf::{DecompressError, Dictionary, Document, LoadOptions, Object, Permissions};
use memchr::memmem;

use super::contain;

/// The largest file that lopdf loads whole (it holds every object at once, at two to three times the file's size).
const WHOLE_LOAD_BYTES: usize = 64 << 20;

/// Most bytes that one stream may have after decompression while lopdf loads it.
const STREAM_BYTES: usize = 64 << 20;

/// Most bytes outside of streams and in object streams. lopdf takes 40 times as much for lists of small numbers.
const STRUCTURE_BYTES: usize = 16 << 20;

/// What a password is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// It opens the file; `copy` says whether the flags let readers take text out.
    Granted {
        /// Whether text may be copied.
        copy: bool,
    },
    /// Neither the empty password nor the given one opens the file.
    Denied,
}

/// A stream would unpack to more than the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Oversized;

/// The encryption dictionary of a file, alone, to try passwords on.
pub(super) struct Lock {
    probe: Document,
    copy: bool,
    attachments_alone: bool,
}

impl Lock {
    /// Reads the lock of an encrypted file. `Ok(None)` where lopdf cannot: the file is too large, too damaged, or locked in another way.
    ///
    /// # Errors
    /// [`Oversized`] where a stream would unpack beyond the bound. In an encrypted file nobody else looks for that.
    pub(super) fn of(bytes: &[u8], structure: usize) -> Result<Option<Self>, Oversized> {
        Ok(load(bytes, structure, None)?.and_then(|document| Self::read(&document)))
    }

    fn read(document: &Document) -> Option<Self> {
        let (dictionary, copy) = match &document.encryption_state {
            // The empty password opened it and the dictionary is gone from the document: write it again.
            Some(state) => (state.encode().ok()?, state.permissions().contains(Permissions::COPYABLE)),
            None => {
                let dictionary = document.get_encrypted().ok()?.clone();
                let flags = dictionary.get(b"P").and_then(Object::as_i64).unwrap_or(-1);
                (dictionary, flags & Permissions::COPYABLE.bits().cast_signed() != 0)
            }
        };
        // Another handler (certificates, a vendor's own) knows no passwords of this kind.
        if dictionary.get(b"Filter").and_then(Object::as_name).ok()? != b"Standard" {
            return None;
        }
        let attachments_alone = attachments_alone(&dictionary);
        let mut probe = Document::new();
        let id = probe.add_object(dictionary);
        let mut trailer = Dictionary::new();
        trailer.set("Encrypt", id);
        // The key is made with the first half of the file's id, and with an empty one where the file has none.
        let file_id = document.trailer.get_deref(b"ID", document).and_then(Object::as_array).ok().and_then(|id| id.first());
        let file_id = file_id.filter(|id| id.as_str().is_ok()).cloned().unwrap_or_else(|| Object::string_literal(""));
        trailer.set("ID", vec![file_id]);
        probe.trailer = trailer;
        Some(Self { probe, copy, attachments_alone })
    }

    /// Whether pages, outline and info are not encrypted at all; then no password is needed. `Some` tells whether copying is permitted.
    pub(super) fn open_content(&self) -> Option<bool> {
        self.attachments_alone.then_some(self.copy)
    }

    /// Tries the empty password as the user's, then the given one as the user's or the owner's. A file whose *owner* password is empty
    /// still asks for the user's.
    pub(super) fn access(&self, password: Option<&str>) -> Access {
        if self.probe.authenticate_user_password("").is_ok() {
            return Access::Granted { copy: self.copy };
        }
        match password {
            Some(given) if self.probe.authenticate_user_password(given).is_ok() => Access::Granted { copy: self.copy },
            // The owner may do everything.
            Some(given) if !given.is_empty() && self.probe.authenticate_owner_password(given).is_ok() => {
                Access::Granted { copy: true }
            }
            _ => Access::Denied,
        }
    }
}

/// Whether an encryption dictionary leaves streams and strings as they are (ISO 32000, 7.6.6): a file whose attachments alone are encrypted.
fn attachments_alone(dictionary: &Dictionary) -> bool {
    let plain = |key: &[u8]| dictionary.get(key).map_or(true, |name| name.as_name().is_ok_and(|name| name == b"Identity"));
    dictionary.get(b"V").and_then(Object::as_i64).is_ok_and(|v| v >= 4) && plain(b"StmF") && plain(b"StrF")
}

/// The bytes of a file with another name in the place of each `Encrypt` entry, so that it is read as it stands.
pub(super) fn without_lock(bytes: &[u8]) -> Vec<u8> {
    const KEY: &[u8] = b"/Encrypt";
    let mut out = bytes.to_vec();
    let mut at = 0;
    while let Some(found) = out.get(at..).and_then(|rest| memmem::find(rest, KEY)) {
        let end = at + found + KEY.len();
        if out.get(end).is_some_and(|b| !b.is_ascii_alphabetic())
            && let Some(last) = out.get_mut(end - 1)
        {
            *last = b'_';
        }
        at = end;
    }
    out
}

/// A copy of the file without encryption and with a sound cross-reference table, as lopdf reads and writes it.
pub(super) fn rewritten(bytes: &[u8], structure: usize, password: Option<&str>) -> Option<Vec<u8>> {
    let mut document = load(bytes, structure, password).ok()??;
    if document.objects.is_empty() || document.is_encrypted() {
        return None;
    }
    let mut out = Vec::with_capacity(bytes.len());
    contain::quietly(|| document.save_to(&mut out)).ok()?.ok()?;
    Some(out)
}

fn load(bytes: &[u8], structure: usize, password: Option<&str>) -> Result<Option<Document>, Oversized> {
    if bytes.len() > WHOLE_LOAD_BYTES || structure > STRUCTURE_BYTES {
        return Ok(None);
    }
    let options =
        LoadOptions { password: password.map(str::to_owned), max_decompressed_size: Some(STREAM_BYTES), ..LoadOptions::default() };
    match contain::quietly(|| Document::load_mem_with_options(bytes, options)) {
        Ok(Ok(document)) => Ok(Some(document)),
        Ok(Err(lopdf::Error::Decompress(DecompressError::MemoryLimitExceeded { .. }))) => Err(Oversized),
        _ => Ok(None),
    }
}
