//! PDF files: opening, decryption, page text, styled lines, outline, page labels, metadata, notes on quality.
//!
//! This room knows nothing of trees, stores or models. Who reads what, and why:
//!
//! - hayro-syntax finds objects lazily in the bytes as they are. Pages, fonts and text come from it (with hayro-font and hayro-cmap), and so
//!   do the outline, the labels and the structure tags, which need a few objects of the thousands that a file has.
//! - lopdf reads the info dictionary, tells whether the file is encrypted and whether its cross-reference table was repaired, checks
//!   passwords and reads permission flags. It loads a whole file only where that is needed: for the lock of an encrypted file, to decrypt
//!   what hayro-syntax cannot, and as a second opinion on a file that hayro-syntax cannot open. Loading every object of a 408-page file
//!   takes a seventh of the time of reading all its text, so it is not done for a sound file.
//!
//! A panic in either is contained here and becomes a [`PdfError`] or a [`PageNote`].

mod contain;
mod destinations;
mod error;
mod file;
mod hash;
mod info;
mod labels;
mod measure;
mod mended;
mod open;
mod outline;
mod page_table;
mod placed;
mod reading;
mod roles;
mod security;
mod sniff;
mod strings;
mod structure;
mod text;
mod types;
mod unpack;

#[cfg(test)]
mod tests;

pub use error::{PdfError, PdfErrorKind};
pub use file::{PdfFile, TEXT_VERSION};
pub use hash::content_hash_of;
pub use placed::placed;
pub(crate) use text::tidy;
pub use types::{Bookmark, FileNote, Info, Limits, Line, OpenOptions, Page, PageNote, Role, Tag};
