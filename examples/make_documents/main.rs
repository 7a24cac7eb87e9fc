//! Writes the sample documents of this repository to `examples/documents/`.
//!
//! Run it as `cargo run --example make_documents`. The text stands in `text/`; the same text always gives the same bytes.

mod typeset;

use std::io::Write;
use std::path::Path;

fn main() -> anyhow::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join("documents");
    std::fs::create_dir_all(&folder)?;
    let mut out = std::io::stdout().lock();
    for document in typeset::make_documents()? {
        std::fs::write(folder.join(document.file_name), &document.pdf)?;
        writeln!(out, "{}: {} pages, {} bytes", document.file_name, document.page_texts.len(), document.pdf.len())?;
    }
    Ok(())
}
