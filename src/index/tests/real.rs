//! Trees of real documents, where the folder with them is given in `PAGEWISE_SHARED`. With `PRED_DIR` the trees of the documents whose
//! outlines were removed are written there, one `NAME.json` each, for the outline scorer.

use std::path::{Path, PathBuf};

use super::invariants::check;
use crate::index::{IndexOptions, IndexedDocument, index_file};
use crate::pdf::PdfFile;

fn pdfs(folder: &str) -> Vec<PathBuf> {
    let Some(shared) = std::env::var_os("PAGEWISE_SHARED") else { return Vec::new() };
    let folder = Path::new(&shared).join("data").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "pdf"));
    files.sort();
    files
}

fn index(path: &Path) -> Option<IndexedDocument> {
    let file = PdfFile::open(path, &Default::default()).ok()?;
    index_file(&file, &IndexOptions::default(), &|_, _| {}).ok()
}

#[test]
fn trees_of_real_documents_hold() {
    let mut files = pdfs("odd");
    // The largest take long in a debug build.
    files.retain(|f| f.metadata().is_ok_and(|m| m.len() < 3_000_000));
    files.extend(pdfs("outline-gold").into_iter().step_by(5));
    for path in files {
        if let Some(document) = index(&path) {
            assert_eq!(check(&document), Ok(()), "{}", path.display());
        }
    }
}

#[test]
fn titles_that_are_not_on_the_pages_are_not_trusted() {
    for path in pdfs("odd").into_iter().filter(|p| p.ends_with("outline-mistitled.pdf")) {
        let document = index(&path).expect("it opens");
        assert_ne!(document.toc_source, crate::index::TocSource::Bookmarks);
    }
}

#[test]
fn predictions_are_written_where_asked() {
    let Some(out) = std::env::var_os("PRED_DIR") else { return };
    for path in pdfs("outline-gold") {
        let document = index(&path).expect("it opens");
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let json = serde_json::json!({ "toc_source": document.toc_source, "structure": document.tree });
        std::fs::write(Path::new(&out).join(format!("{name}.json")), json.to_string()).expect("written");
    }
}

#[test]
fn descriptions_of_real_documents_are_kept() {
    let mut files = pdfs("pageindex/pdfs");
    files.extend(pdfs("mmlongbench/pdfs").into_iter().filter(|p| !p.ends_with("watch_d.pdf") && !p.ends_with("2312.10997v5.pdf")));
    files.extend(pdfs("odd").into_iter().filter(|p| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("cjk-"))));
    if files.is_empty() {
        return;
    }
    let lines: Vec<String> = files
        .iter()
        .filter_map(|path| {
            let document = index(path)?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Some(format!("{name}\n    {}\n    title: {}", document.description, document.title.as_deref().unwrap_or("-")))
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}
