//! Whole pages, from bytes to text.

use std::path::PathBuf;

use hayro_syntax::Pdf;

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

/// A one-page file with this content stream; F1 is Helvetica, F2 is Times-Bold.
fn page_with(content: &str) -> Vec<u8> {
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_string(),
        "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 600 800]>>".to_string(),
        "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>".to_string(),
        format!("<</Length {}>>stream\n{content}\nendstream", content.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_string(),
        "<</Type/Font/Subtype/Type1/BaseFont/Times-Bold/Encoding/WinAnsiEncoding>>".to_string(),
    ];
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

fn text_of(content: &str) -> String {
    read(page_with(content)).first().map(|p| page_text(&p.lines)).unwrap_or_default()
}

#[test]
fn lines_and_blocks() {
    let text = text_of("BT /F1 12 Tf 14 TL 50 700 Td (First line) Tj T* (second line) Tj 0 -40 Td (Next block) Tj ET");
    assert_eq!(text, "First line\nsecond line\n\nNext block");
}

#[test]
fn a_table_drawn_column_by_column_is_read_by_row() {
    let text = text_of(
        "BT /F1 10 Tf 12 TL 50 700 Td (Revenue) Tj T* (Costs) Tj ET \
         BT /F1 10 Tf 12 TL 200 700 Td ($) Tj T* ($) Tj ET \
         BT /F1 10 Tf 12 TL 230 700 Td (24,690) Tj T* (1,200) Tj ET \
         BT /F1 10 Tf 12 TL 300 700 Td (23,549) Tj T* (1,100) Tj ET",
    );
    assert!(text.contains("Revenue  $ 24,690  23,549"), "{text}");
}

#[test]
fn two_columns_of_prose_stay_apart() {
    let left: String = (0..6).map(|i| format!("(left column line number {i} of running text) Tj T* ")).collect();
    let right: String = (0..6).map(|i| format!("(right column line number {i} of running text) Tj T* ")).collect();
    let text = text_of(&format!("BT /F1 9 Tf 11 TL 40 700 Td {left} ET BT /F1 9 Tf 11 TL 320 700 Td {right} ET"));
    assert!(text.contains("left column line number 5 of running text\n\nright column line number 0"), "{text}");
}

#[test]
fn style_and_place() {
    let pages = read(page_with("1 0 0 rg BT /F2 20 Tf 50 700 Td (Heading) Tj ET"));
    let line = &pages[0].lines[0];
    assert!(line.bold && line.color == 0xFF_0000 && line.font == "Times-Bold" && line.size == 20.0);
    assert!((line.x0 - 50.0).abs() < 0.1 && (line.y1 - 104.0).abs() < 0.1, "{line:?}");
}

/// Writes the text of every page for the outside scorers: `PAGEWISE_DUMP` is a folder for JSON, `PAGEWISE_DUMP_FROM` a folder of PDFs.
#[test]
fn dump_for_scorers() {
    let (Ok(from), Ok(to)) = (std::env::var("PAGEWISE_DUMP_FROM"), std::env::var("PAGEWISE_DUMP")) else { return };
    for entry in std::fs::read_dir(from).expect("folder").flatten() {
        let path: PathBuf = entry.path();
        if path.extension().is_none_or(|e| e != "pdf") {
            continue;
        }
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let Ok(pdf) = Pdf::new(std::fs::read(&path).expect("file")) else { continue };
        let mut reader = TextReader::new(&pdf, &Limits::default());
        let pages: Vec<_> = (0..pdf.pages().len())
            .map(|i| {
                let page = reader.page(i);
                serde_json::json!({"page": i + 1, "text": page_text(&page.lines), "notes": page.notes, "lines": page.lines})
            })
            .collect();
        std::fs::write(format!("{to}/{name}.json"), serde_json::to_string(&pages).expect("json")).expect("written");
    }
}
