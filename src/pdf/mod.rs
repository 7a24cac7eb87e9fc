//! PDF files: opening, decryption, page text, styled lines, outline, page labels, metadata, notes on quality.
//!
//! This room knows nothing of trees, stores or models. Text, glyphs and fonts come from hayro-syntax, hayro-font and hayro-cmap;
//! the outline, the info dictionary, page labels and the page count come from lopdf. A panic in either is contained here and
//! becomes a [`PdfError`] or a [`PageNote`].

mod error;
mod text;
mod types;

pub use error::{PdfError, PdfErrorKind};
pub use types::{Bookmark, FileNote, Info, Limits, Line, OpenOptions, Page, PageNote};
