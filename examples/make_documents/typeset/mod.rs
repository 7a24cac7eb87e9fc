//! A small typesetter: marked-up text in, the bytes of a PDF file out.
//!
//! `markup` reads the text, `pieces` and `table` set it into pieces of fixed height, `pages` puts the pieces on pages, `pdf` writes the file.
//! Page references and the contents page need numbers that are known only after the pages are made, so a document is set again
//! until the numbers no longer change.

mod fonts;
mod lines;
mod markup;
mod pages;
mod pdf;
mod pieces;
mod style;
mod table;
mod widths;

use anyhow::{Context, bail};

/// A finished sample document.
pub struct SampleDocument {
    /// File name inside `examples/documents/`.
    pub file_name: &'static str,
    /// The whole PDF file.
    pub pdf: Vec<u8>,
    /// The words of each page in reading order, one space between words.
    pub page_texts: Vec<String>,
}

/// More passes than any document needs; a document that is still changing refers to its own page breaks in a circle.
const MAX_PASSES: usize = 6;

const SOURCES: [(&str, &[(&str, &str)]); 3] = [
    (
        "annual-report.pdf",
        &[
            ("front.txt", include_str!("../text/annual-report/front.txt")),
            ("business.txt", include_str!("../text/annual-report/business.txt")),
            ("risk-factors.txt", include_str!("../text/annual-report/risk-factors.txt")),
            ("results.txt", include_str!("../text/annual-report/results.txt")),
            ("liquidity.txt", include_str!("../text/annual-report/liquidity.txt")),
            ("statements.txt", include_str!("../text/annual-report/statements.txt")),
            ("notes-1-10.txt", include_str!("../text/annual-report/notes-1-10.txt")),
            ("notes-11-20.txt", include_str!("../text/annual-report/notes-11-20.txt")),
            ("closing.txt", include_str!("../text/annual-report/closing.txt")),
        ],
    ),
    ("quarterly-release.pdf", &[("quarterly-release.txt", include_str!("../text/quarterly-release.txt"))]),
    (
        "technical-manual.pdf",
        &[
            ("front.txt", include_str!("../text/technical-manual/front.txt")),
            ("installation.txt", include_str!("../text/technical-manual/installation.txt")),
            ("operation.txt", include_str!("../text/technical-manual/operation.txt")),
            ("service.txt", include_str!("../text/technical-manual/service.txt")),
        ],
    ),
];

/// Sets all sample documents. Fails when a text uses a character or a mark that the typesetter does not know, or refers to an
/// anchor that is nowhere.
pub fn make_documents() -> anyhow::Result<Vec<SampleDocument>> {
    SOURCES.iter().map(|(file_name, parts)| make_document(file_name, parts).with_context(|| file_name.to_string())).collect()
}

fn make_document(file_name: &'static str, parts: &[(&str, &str)]) -> anyhow::Result<SampleDocument> {
    let mut source = markup::Source::default();
    for (part, text) in parts {
        source.read(text).with_context(|| part.to_string())?;
    }
    let style = style::Style::named(&source.style)?;
    let mut numbers = pages::PageNumbers::default();
    for _ in 0..MAX_PASSES {
        let pieces = pieces::set_blocks(&source.blocks, &style, &numbers)?;
        let pages = pages::fill(pieces, &source, &style)?;
        let found = pages::PageNumbers::of(&pages);
        if found == numbers {
            pages::check_references(&pages)?;
            return Ok(SampleDocument {
                file_name,
                pdf: pdf::write(&pages, &source, &style)?,
                page_texts: pages.iter().map(pages::Page::text).collect(),
            });
        }
        numbers = found;
    }
    bail!("page numbers do not settle")
}
