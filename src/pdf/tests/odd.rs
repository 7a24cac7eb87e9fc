//! What the collection of odd files demands of opening, numbering and labels. Their texts are checked by a scorer of their own.

use std::path::PathBuf;

use serde_json::Value;

use crate::pdf::{OpenOptions, PdfFile};

fn folder() -> Option<PathBuf> {
    std::env::var_os("PAGEWISE_SHARED").map(|root| PathBuf::from(root).join("data/odd"))
}

fn open(path: &std::path::Path, password: Option<&str>) -> Result<PdfFile, String> {
    let options = OpenOptions { password: password.map(Into::into), ..OpenOptions::default() };
    PdfFile::open(path, &options).map_err(|e| e.kind.as_str().to_owned())
}

#[test]
fn odd_files_open_or_fail_as_they_should() {
    let Some(folder) = folder() else { return };
    let manifest: Vec<Value> = serde_json::from_slice(&std::fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    let mut wrong = Vec::new();
    for entry in &manifest {
        let name = entry["file"].as_str().unwrap();
        let demand = &entry["demand"];
        let path = folder.join(name);
        if let Some(kinds) = demand["errors"].as_array() {
            match open(&path, None) {
                Err(kind) if !kinds.iter().any(|k| *k == kind.as_str()) => wrong.push(format!("{name}: {kind}")),
                Ok(_) if demand["may_open"] != true => wrong.push(format!("{name}: opened")),
                _ => {}
            }
            if demand["opens_with_password"] != true {
                continue;
            }
        }
        match open(&path, entry["password"].as_str()) {
            Err(kind) => wrong.push(format!("{name}: {kind}")),
            Ok(file) => {
                if demand["pages"].as_u64().is_some_and(|n| n != u64::from(file.page_count())) {
                    wrong.push(format!("{name}: {} pages", file.page_count()));
                }
                for (number, label) in demand["labels"].as_object().into_iter().flatten() {
                    if file.label(number.parse().unwrap()) != label.as_str() {
                        wrong.push(format!("{name}: label of page {number}"));
                    }
                }
                let outline = u64::try_from(file.outline().len()).unwrap();
                if demand["min_nodes"].as_u64().is_some_and(|n| outline < n) {
                    wrong.push(format!("{name}: {outline} bookmarks"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
