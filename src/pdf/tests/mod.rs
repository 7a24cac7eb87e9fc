//! Tests of the room through its face, on small files made here.

mod bombs;
mod damage;
mod encryption;
mod forge;
mod nesting;
mod odd;
mod outlines;
mod pages;
mod tags;

use super::{OpenOptions, PdfError, PdfFile};

/// Opens bytes with the usual options.
fn open(bytes: &[u8]) -> Result<PdfFile, PdfError> {
    PdfFile::from_bytes(bytes.to_vec(), &OpenOptions::default())
}
