//! The info dictionary, and what the file says of itself before any page is read.
//!
//! lopdf's metadata loader reads the cross-reference data and the few objects that it needs, 4 ms for 408 pages where loading every
//! object takes 100 ms. It is the only reader here that tells whether the cross-reference table had to be repaired.

use hayro_syntax::Pdf;
use lopdf::{Document, PdfMetadata};

use super::{Info, contain, strings};

/// Longest info entry kept, in characters: some programs store whole documents there.
const ENTRY_CHARS: usize = 2_000;

/// What lopdf reads without loading the document; `None` where it cannot.
pub(super) fn metadata(bytes: &[u8], password: Option<&str>) -> Option<PdfMetadata> {
    let read = contain::quietly(|| match password {
        Some(given) => Document::load_metadata_mem_with_password(bytes, given),
        None => Document::load_metadata_mem(bytes),
    });
    match read {
        Ok(Ok(metadata)) => Some(metadata),
        // The empty password may open a file for which a wrong one was given.
        Ok(Err(_)) if password.is_some() => metadata(bytes, None),
        _ => None,
    }
}

/// The info dictionary: lopdf's reading, completed by hayro-syntax's where lopdf could not decode an entry.
pub(super) fn info(metadata: Option<&PdfMetadata>, pdf: &Pdf) -> Info {
    let own = pdf.metadata();
    let pick = |theirs: Option<&String>, raw: Option<&[u8]>| {
        let text = theirs.map(|t| strings::fold(t)).or_else(|| raw.map(strings::decode_folded))?;
        let cut: String = text.chars().take(ENTRY_CHARS).collect();
        (!cut.is_empty()).then_some(cut)
    };
    Info {
        title: pick(metadata.and_then(|m| m.title.as_ref()), own.title.as_deref()),
        author: pick(metadata.and_then(|m| m.author.as_ref()), own.author.as_deref()),
        subject: pick(metadata.and_then(|m| m.subject.as_ref()), own.subject.as_deref()),
        keywords: pick(metadata.and_then(|m| m.keywords.as_ref()), own.keywords.as_deref()),
        creator: pick(metadata.and_then(|m| m.creator.as_ref()), own.creator.as_deref()),
        producer: pick(metadata.and_then(|m| m.producer.as_ref()), own.producer.as_deref()),
        created: pick(metadata.and_then(|m| m.creation_date.as_ref()), None),
    }
}
