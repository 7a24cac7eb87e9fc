//! Whole pages, from bytes to text.

mod decoding;
mod fonts;
mod forms;
mod hidden;
mod hyphens;
mod layout;
mod pages;
mod reading_order;
mod tables;
mod words;

use hayro_syntax::Pdf;
use proptest::prelude::*;

use super::{RawPage, TextReader, mark_furniture, page_text};
use crate::pdf::Limits;

/// All pages of a file.
fn read(bytes: Vec<u8>) -> Vec<RawPage> {
    let pdf = Pdf::new(bytes).expect("opens");
    let mut reader = TextReader::new(&pdf, &Limits::default());
    let mut pages: Vec<RawPage> = (0..pdf.pages().len()).map(|i| reader.page(i)).collect();
    mark_furniture(&mut pages);
    pages
}

/// A file with these objects; the first is the catalogue.
fn file_of(objects: &[String]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        offsets.push(file.len());
        file.extend(format!("{} 0 obj\n{object}\nendobj\n", number + 1).bytes());
    }
    let xref = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for offset in offsets {
        file.extend(format!("{offset:010} 00000 n \n").bytes());
    }
    file.extend(format!("trailer<</Size {}/Root 1 0 R>>\nstartxref\n{xref}\n%%EOF", objects.len() + 1).bytes());
    file
}

fn stream(dict: &str, content: &str) -> String {
    format!("<<{dict}/Length {}>>stream\n{content}\nendstream", content.len())
}

/// A one-page file with this content, page entries, catalogue entries and further objects from number 7 on. F1 is Helvetica, F2 is
/// Times-Bold, X1 is object 7, and the property list P1 is object 8.
fn page_like(content: &str, page: &str, catalogue: &str, more: &[String]) -> Vec<u8> {
    let resources = "/Resources<</Font<</F1 5 0 R/F2 6 0 R>>/XObject<</X1 7 0 R>>/Properties<</P1 8 0 R>>>>";
    let mut objects = vec![
        format!("<</Type/Catalog/Pages 2 0 R{catalogue}>>"),
        "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 600 800]>>".to_string(),
        format!("<</Type/Page/Parent 2 0 R/Contents 4 0 R{resources}{page}>>"),
        stream("", content),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_string(),
        "<</Type/Font/Subtype/Type1/BaseFont/Times-Bold/Encoding/WinAnsiEncoding>>".to_string(),
    ];
    objects.extend_from_slice(more);
    file_of(&objects)
}

fn page_with(content: &str) -> Vec<u8> {
    page_like(content, "", "", &[])
}

fn text_of(content: &str) -> String {
    read(page_with(content)).first().map(|p| page_text(&p.lines)).unwrap_or_default()
}

/// A composite font of two-byte codes without a font program, with these further entries.
fn composite(entries: &str) -> String {
    let inner = "<</Type/Font/Subtype/CIDFontType2/BaseFont/Nowhere/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500>>";
    format!("<</Type/Font/Subtype/Type0/BaseFont/Nowhere/DescendantFonts[{inner}]{entries}>>")
}

/// The only page of a file whose font F3 is object 7.
fn read_with_font(font: String, more: Option<String>, content: &str) -> RawPage {
    let objects: Vec<String> = std::iter::once(font).chain(more).collect();
    let file = String::from_utf8(page_like(content, "", "", &objects)).expect("text");
    read(file.replace("/Font<</F1 5 0 R", "/Font<</F3 7 0 R").into_bytes()).remove(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever the order of drawing and the layout, every word that is drawn is in the text once.
    #[test]
    fn no_word_is_lost_or_read_twice(cells in proptest::collection::hash_set((0u32..6, 0u32..30), 1..60), size in 6u32..11) {
        let words: Vec<String> = (0..cells.len()).map(|i| format!("w{i}x")).collect();
        let shown: String = cells
            .iter()
            .zip(&words)
            .map(|((column, row), word)| format!("BT /F1 {size} Tf {} {} Td ({word}) Tj ET ", 40 + column * 90, 760 - row * 14))
            .collect();
        let text = text_of(&shown);
        let mut read: Vec<&str> = text.split_whitespace().collect();
        let mut drawn: Vec<&str> = words.iter().map(String::as_str).collect();
        read.sort_unstable();
        drawn.sort_unstable();
        prop_assert_eq!(read, drawn);
    }

    /// Any bytes as a content stream end without a panic.
    #[test]
    fn any_content_is_survived(content in "[ -~]{0,200}") {
        text_of(&format!("BT /F1 9 Tf 40 700 Td {content}"));
    }
}
