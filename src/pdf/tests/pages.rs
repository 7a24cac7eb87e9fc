//! Reading pages, notes and what is known of a file.

use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use hayro_syntax::Pdf;

use super::forge::{document, patched};
use super::open;
use crate::pdf::file::PageReader;
use crate::pdf::text::RawPage;
use crate::pdf::{FileNote, Limits, PageNote, PdfFile};

/// A reader that cannot read the second page, nor hang for ever on the fourth.
struct Bad;

impl PageReader for Bad {
    fn page(&mut self, index: usize) -> RawPage {
        match index {
            1 => panic!("a page that no one foresaw"),
            3 => std::thread::sleep(Duration::from_secs(60)),
            _ => {}
        }
        RawPage { width: 100.0, ..RawPage::default() }
    }
}

/// Six pages and a bad reader.
fn badly_read() -> PdfFile {
    let mut file = open(&document(&["1", "2", "3", "4", "5", "6"], "", &[])).unwrap();
    let opened = Arc::get_mut(&mut file.opened).unwrap();
    opened.limits.page_time = Duration::ZERO;
    opened.make_reader = |_: &Pdf, _: &Limits| Box::new(Bad);
    file
}

#[test]
fn readers_that_panic_or_hang_cost_their_pages_only() {
    let file = badly_read();
    let heard = Mutex::new(Vec::new());
    let pages = file.pages(1, &|done| heard.lock().unwrap().push(done));
    let damaged: Vec<u32> = pages.iter().filter(|p| p.notes == [PageNote::Damaged]).map(|p| p.number).collect();
    assert_eq!(damaged, [2, 4]);
    assert_eq!(heard.into_inner().unwrap(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(file.notes(), [FileNote::CutShort]);
    assert_eq!(file.page(2).notes, [PageNote::Damaged]);
    assert_eq!(file.page(3).width, 100.0);
}

#[test]
fn pages_do_not_depend_on_threads() {
    let words: Vec<String> = (1..=60).map(|n| format!("Sheet {n} of 60")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let file = open(&document(&words, "/PageLabels<</Nums[0<</S/D/P(p. )>>]>>", &[])).unwrap();
    let heard = Mutex::new(Vec::new());
    let one = file.pages(1, &|done| heard.lock().unwrap().push(done));
    assert_eq!(heard.into_inner().unwrap(), (1..=60).collect::<Vec<u32>>());
    for threads in [0, 2, 7, 1000] {
        assert_eq!(file.pages(threads, &|_| {}), one, "{threads} threads");
    }
    assert_eq!(one[41].text, "Sheet 42 of 60");
    assert_eq!((one[41].number, one[41].label.as_deref()), (42, Some("p. 42")));
}

#[test]
fn pages_that_do_not_exist() {
    let file = open(&document(&["One"], "", &[])).unwrap();
    for number in [0, 2, u32::MAX] {
        let page = file.page(number);
        assert_eq!((page.number, page.notes.as_slice(), page.text.as_str()), (number, [PageNote::Damaged].as_slice(), ""));
    }
}

#[test]
fn when_the_time_is_over_the_rest_is_noted() {
    let mut file = open(&document(&["One", "Two"], "", &[])).unwrap();
    Arc::get_mut(&mut file.opened).unwrap().limits.file_time = Duration::ZERO;
    let pages = file.pages(1, &|_| {});
    assert_eq!(pages.len(), 2);
    assert_eq!(file.notes(), [FileNote::CutShort]);
    assert_eq!(pages[1].notes, [PageNote::Damaged]);
}

#[test]
fn dynamic_forms_are_placeholders() {
    let dynamic = document(&["Please wait"], "/NeedsRendering true/AcroForm<</XFA[(a)6 0 R]>>", &["(x)"]);
    let file = open(&dynamic).unwrap();
    assert_eq!(file.notes(), [FileNote::XfaForm]);
    assert!(file.page(1).notes.contains(&PageNote::XfaForm));
    // The same form with pages of its own is a document.
    let still = patched(&dynamic, "/NeedsRendering true", "/NeedsRenderinx true");
    let file = open(&still).unwrap();
    assert!(file.notes().is_empty() && file.page(1).notes.is_empty());
    let told = patched(&document(&["Please wait. Get Adobe Reader."], "/AcroForm<</XFA[(a)6 0 R]>>", &["(x)"]), "(a)6", "(b)6");
    assert!(open(&told).unwrap().page(1).notes.contains(&PageNote::XfaForm));
}

#[test]
fn info_is_decoded() {
    let bytes = document(&["One"], "", &["<</Title(Caf\\351  noir)/Author<FEFF0422>/Producer()/CreationDate(D:20250205120000Z)>>"]);
    let bytes = [bytes.as_slice(), b"trailer\n<</Size 7/Root 1 0 R/Info 6 0 R>>\n"].concat();
    // The last cross-reference section gets the info entry.
    let text = String::from_utf8_lossy(&bytes).replace("/Root 1 0 R>>", "/Root 1 0 R/Info 6 0 R>>");
    let file = open(text.as_bytes()).unwrap();
    let info = file.info();
    assert_eq!(info.title.as_deref(), Some("Café noir"));
    assert_eq!(info.author.as_deref(), Some("Т"));
    assert_eq!(info.producer, None);
    assert_eq!(info.created.as_deref(), Some("D:20250205120000Z"));
}

#[test]
fn the_hash_is_of_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pdf");
    std::fs::write(&path, document(&["One"], "", &[])).unwrap();
    let file = crate::pdf::PdfFile::open(&path, &crate::pdf::OpenOptions::default()).unwrap();
    let (hash, len) = crate::pdf::content_hash_of(&path).unwrap();
    assert_eq!((file.content_hash(), file.byte_len()), (hash.as_str(), len));
}

#[test]
fn a_page_that_the_tree_names_twice_is_two_pages() {
    let bytes = document(&["One", "Two", "Three"], "/Outlines 10 0 R", &["<</First 11 0 R>>", "<</Title(Last)/Dest[8 0 R/Fit]>>"]);
    let again = String::from_utf8(bytes).unwrap().replace("[4 0 R 6 0 R 8 0 R]/Count 3", "[4 0 R 6 0 R 4 0 R 8 0 R]/Count 4");
    let file = open(again.as_bytes()).unwrap();
    let texts: Vec<String> = file.pages(1, &|_| {}).into_iter().map(|p| p.text).collect();
    assert_eq!(texts, ["One", "Two", "One", "Three"]);
    assert_eq!(file.outline()[0].page, Some(4));
}

#[test]
fn trees_that_name_themselves_end() {
    // Each node names the next one ten times over, and the root.
    let mut more: Vec<String> =
        (6..36).map(|n| format!("<</Type/Pages/Kids[{} 2 0 R]>>", format!("{} 0 R ", n + 1).repeat(10))).collect();
    more.push("<</Type/Pages/Kids[]>>".to_owned());
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    let bytes = document(&["One"], "", &more);
    let bytes = String::from_utf8(bytes).unwrap().replace("/Kids[4 0 R]", "/Kids[4 0 R 6 0 R 2 0 R]");
    let file = open(bytes.as_bytes()).unwrap();
    assert_eq!((file.page_count(), file.page(1).text.as_str()), (1, "One"));
}
