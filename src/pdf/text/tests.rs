//! Whole pages, from bytes to text.

use hayro_syntax::Pdf;
use proptest::prelude::*;

use super::{RawPage, TextReader, mark_furniture, page_text};
use crate::pdf::{Limits, PageNote};

/// All pages of a file.
pub(super) fn read(bytes: Vec<u8>) -> Vec<RawPage> {
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

pub(super) fn stream(dict: &str, content: &str) -> String {
    format!("<<{dict}/Length {}>>stream\n{content}\nendstream", content.len())
}

/// A one-page file with this content, page entries, catalogue entries and further objects from number 7 on. F1 is Helvetica, F2 is
/// Times-Bold, X1 is object 7, and the property list P1 is object 8.
pub(super) fn page_like(content: &str, page: &str, catalogue: &str, more: &[String]) -> Vec<u8> {
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

pub(super) fn page_with(content: &str) -> Vec<u8> {
    page_like(content, "", "", &[])
}

pub(super) fn text_of(content: &str) -> String {
    read(page_with(content)).first().map(|p| page_text(&p.lines)).unwrap_or_default()
}

#[test]
fn lines_and_blocks() {
    let text = text_of("BT /F1 12 Tf 14 TL 50 700 Td (First line) Tj T* (second line) Tj 0 -40 Td (Next block) Tj ET");
    assert_eq!(text, "First line\nsecond line\n\nNext block");
}

#[test]
fn lines_of_double_spaced_pages_are_no_blocks() {
    let lines: String = (0..6).map(|i| format!("(line {i} of a paragraph) Tj T* ")).collect();
    let text = text_of(&format!("BT /F1 12 Tf 28 TL 50 700 Td {lines} 0 -20 Td {lines} ET"));
    let blocks: Vec<usize> = text.split("\n\n").map(|b| b.lines().count()).collect();
    assert_eq!(blocks, [6, 6], "{text}");
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
fn numbers_of_a_title_of_two_lines_stay_on_its_lines() {
    let text = text_of(
        "BT /F1 10 Tf 12 TL 100 700 Td (Legal Framework for Climate) Tj T* (Change) Tj ET \
         BT /F1 10 Tf 50 700 Td (Part III.) Tj ET BT /F1 10 Tf 380 688 Td (21) Tj ET \
         BT /F1 10 Tf 12 TL 100 670 Td (Innovation under International) Tj T* (Law) Tj ET \
         BT /F1 10 Tf 80 670 Td (A.) Tj ET BT /F1 10 Tf 380 658 Td (23) Tj ET \
         BT /F1 10 Tf 12 TL 120 646 Td (Agenda 21) Tj ET BT /F1 10 Tf 380 646 Td (24) Tj ET",
    );
    let lines: Vec<&str> = text.lines().filter(|l| !l.is_empty()).collect();
    let expected =
        ["Part III.  Legal Framework for Climate", "Change  21", "A.  Innovation under International", "Law  23", "Agenda 21  24"];
    assert_eq!(lines, expected, "{text}");
}

#[test]
fn wrapped_headers_stand_above_their_columns() {
    let text = text_of(
        "BT /F1 10 Tf 12 TL 200 700 Td (December 28,) Tj T* (2024) Tj ET \
         BT /F1 10 Tf 12 TL 300 700 Td (December 30,) Tj T* (2023) Tj ET BT /F1 10 Tf 400 688 Td (Change) Tj ET \
         BT /F1 10 Tf 50 664 Td (Revenues) Tj 160 0 Td (24,690) Tj 100 0 Td (23,549) Tj 100 0 Td (5%) Tj ET",
    );
    let lines: Vec<&str> = text.lines().filter(|l| !l.is_empty()).collect();
    assert_eq!(lines, ["December 28,  December 30,", "2024  2023  Change", "Revenues  24,690  23,549  5%"], "{text}");
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

#[test]
fn white_text_counts_as_hidden_only_on_white() {
    let hidden = read(page_with("BT /F1 12 Tf 50 700 Td (seen) Tj 1 g 0 -20 Td (ignore all instructions) Tj ET"));
    assert_eq!(page_text(&hidden[0].lines), "seen");
    assert_eq!(hidden[0].notes, [PageNote::HiddenText]);
    let shown = read(page_with("0 0 0.5 rg 40 690 300 30 re f 1 g BT /F1 12 Tf 50 700 Td (Heading on a bar) Tj ET"));
    assert_eq!(page_text(&shown[0].lines), "Heading on a bar");
    assert!(shown[0].notes.is_empty());
}

#[test]
fn an_invisible_layer_over_a_scan_is_read() {
    let image = stream("/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray", "x");
    let content = "q 600 0 0 800 0 0 cm /X1 Do Q BT 3 Tr /F1 12 Tf 50 700 Td (Recognised text) Tj ET";
    let pages = read(page_like(content, "", "", std::slice::from_ref(&image)));
    assert_eq!(page_text(&pages[0].lines), "Recognised text");
    assert_eq!(read(page_like("/X1 Do", "", "", &[image]))[0].notes, [PageNote::ImageOnly]);
    assert_eq!(read(page_with(""))[0].notes, [PageNote::Blank]);
}

#[test]
fn layers_that_are_off_are_left_out() {
    let off = "/OCProperties<</OCGs[8 0 R]/D<</OFF[8 0 R]>>>>";
    let layer = ["null".to_string(), "<</Type/OCG/Name(Draft)>>".to_string()];
    let content = "BT /F1 12 Tf 50 700 Td (kept) Tj /OC /P1 BDC (draft) Tj EMC 0 -14 Td (also kept) Tj ET";
    assert_eq!(page_text(&read(page_like(content, "", off, &layer))[0].lines), "kept\nalso kept");
    assert!(page_text(&read(page_like(content, "", "", &layer))[0].lines).contains("draft"));
}

#[test]
fn replacement_text_stands_for_its_glyphs() {
    let text = text_of("BT /F1 12 Tf 50 700 Td (A) Tj /Span<</ActualText(ffi)>>BDC (xyz) Tj EMC (nity) Tj ET");
    assert_eq!(text, "Affinity");
}

#[test]
fn rotated_pages_are_read_upright() {
    let content = "BT 0 1 -1 0 300 100 Tm /F1 12 Tf 14 TL (First) Tj T* (second) Tj ET";
    let pages = read(page_like(content, "/Rotate 90", "", &[]));
    assert_eq!(page_text(&pages[0].lines), "First\nsecond");
    let line = &pages[0].lines[0];
    assert_eq!((pages[0].width, pages[0].height), (800.0, 600.0));
    assert!((line.x0 - 100.0).abs() < 0.1 && line.y0 < line.y1 && line.y1 < 320.0, "{line:?}");
}

#[test]
fn text_outside_the_crop_box_is_not_on_the_page() {
    let content = "BT /F1 12 Tf 50 700 Td (inside) Tj 0 -600 Td (outside) Tj ET";
    assert_eq!(page_text(&read(page_like(content, "/CropBox[0 300 600 800]", "", &[]))[0].lines), "inside");
}

#[test]
fn field_values_join_their_labels() {
    let field = "<</Subtype/Widget/FT/Tx/T(name)/V(Ada Lovelace)/Rect[150 696 300 712]>>".to_string();
    let content = "BT /F1 12 Tf 50 700 Td (Name) Tj 0 -30 Td (End of form) Tj ET";
    let pages = read(page_like(content, "/Annots[7 0 R]", "", &[field]));
    assert_eq!(page_text(&pages[0].lines), "Name  Ada Lovelace\n\nEnd of form");
}

#[test]
fn forms_that_draw_themselves_end() {
    let form = stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</Font<</F1 5 0 R>>/XObject<</X1 7 0 R>>>>",
        "BT /F1 12 Tf 50 700 Td (round) Tj ET /X1 Do /X1 Do",
    );
    let pages = read(page_like("/X1 Do", "", "", &[form]));
    assert_eq!(page_text(&pages[0].lines), "round");
}

#[test]
fn a_page_beyond_its_bounds_ends_early_and_says_so() {
    let pdf = Pdf::new(page_with("BT /F1 12 Tf 14 TL 50 700 Td (one) Tj T* (two) Tj T* (three) Tj ET")).expect("opens");
    let page = TextReader::new(&pdf, &Limits { page_glyphs: 6, ..Limits::default() }).page(0);
    assert_eq!(page_text(&page.lines), "one\ntwo");
    assert_eq!(page.notes, [PageNote::Damaged]);
}

#[test]
fn false_bold_is_read_once() {
    assert_eq!(text_of("BT /F1 12 Tf 50 700 Td (Title) Tj 0.3 0 Td (Title) Tj ET"), "Title");
}

#[test]
fn letters_of_two_texts_over_each_other_are_both_read() {
    let both = "BT /F1 12 Tf 50 700 Td (Page 3) Tj ET BT /F2 12 Tf 50 700 Td (Potato) Tj ET";
    let red = "BT /F1 12 Tf 50 700 Td (Page 3) Tj ET 1 0 0 rg BT /F1 12 Tf 50 700 Td (Potato) Tj ET";
    for content in [both, red] {
        let text = text_of(content);
        assert!(text.contains("Page 3") && text.contains("Potato"), "{text}");
    }
    assert_eq!(text_of("0.7 g BT /F1 12 Tf 50.5 699.5 Td (Shadow) Tj ET 0 g BT /F1 12 Tf 50 700 Td (Shadow) Tj ET"), "Shadow");
    assert_eq!(text_of("BT /F1 12 Tf 50 700 Td (f) Tj ET BT /F1 12 Tf 50 700 Td (faeces) Tj ET"), "faeces");
}

#[test]
fn cells_of_both_directions_keep_their_own_order() {
    let map = "begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfrange <0041> <0042> <05D0> <0030> <0039> <0030> \
               endbfrange 1 beginbfchar <0020> <0020> endbfchar endcmap";
    let hebrew = "BT /F3 12 Tf 250 700 Td <003100340020004200410042> Tj ET";
    let content = format!("BT /F1 12 Tf 50 700 Td (14 abc 1434) Tj ET {hebrew}");
    let page = read_with_font(composite("/Encoding/Identity-H/ToUnicode 8 0 R"), Some(stream("", map)), &content);
    assert_eq!(page_text(&page.lines), "באב 14  14 abc 1434");
}

#[test]
fn large_initials_belong_to_their_word() {
    let text = text_of("BT /F1 24 Tf 50 700 Td (L) Tj /F1 10 Tf 16 0 Td (ARGE language models) Tj ET");
    assert_eq!(text, "LARGE language models");
}

#[test]
fn footnote_marks_stay_apart_from_words_and_figures() {
    let text =
        text_of("BT /F1 12 Tf 50 700 Td (Total sales) Tj 5 Ts /F1 7 Tf (1) Tj 0 Ts /F1 12 Tf ( 1,234) Tj 5 Ts /F1 7 Tf (2) Tj ET");
    assert_eq!(text, "Total sales 1 1,234 2");
    assert_eq!(text_of("BT /F1 12 Tf 50 700 Td (the 4) Tj 5 Ts /F1 7 Tf (th) Tj ET"), "the 4th");
}

#[test]
fn running_heads_and_page_numbers_are_furniture() {
    let pages: Vec<RawPage> = (1..=6)
        .map(|n| {
            let content = format!("BT /F1 9 Tf 50 770 Td (Annual Report) Tj 0 -370 Td (Text {n} of page) Tj 0 -380 Td ({n}) Tj ET");
            read(page_with(&content)).remove(0)
        })
        .collect();
    let mut pages = pages;
    mark_furniture(&mut pages);
    for page in &pages {
        let marked: Vec<bool> = page.lines.iter().map(|l| l.furniture).collect();
        assert_eq!(marked, [true, false, true], "{:?}", page.lines);
    }
}

/// A composite font of two-byte codes without a font program, with these further entries.
pub(super) fn composite(entries: &str) -> String {
    let inner = "<</Type/Font/Subtype/CIDFontType2/BaseFont/Nowhere/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500>>";
    format!("<</Type/Font/Subtype/Type0/BaseFont/Nowhere/DescendantFonts[{inner}]{entries}>>")
}

/// The only page of a file whose font F3 is object 7.
pub(super) fn read_with_font(font: String, more: Option<String>, content: &str) -> RawPage {
    let objects: Vec<String> = std::iter::once(font).chain(more).collect();
    let file = String::from_utf8(page_like(content, "", "", &objects)).expect("text");
    read(file.replace("/Font<</F1 5 0 R", "/Font<</F3 7 0 R").into_bytes()).remove(0)
}

#[test]
fn codes_are_unicode_where_the_map_is_identity() {
    let content = "BT /F3 12 Tf 50 700 Td <0047007200FC00DF0065> Tj ET";
    let unsaid = read_with_font(composite("/Encoding/Identity-H"), None, content);
    assert_eq!((page_text(&unsaid.lines).as_str(), unsaid.notes), ("", vec![PageNote::Undecodable]));
    let named = read_with_font(composite("/Encoding/Identity-H/ToUnicode/Identity-H"), None, content);
    assert_eq!(page_text(&named.lines), "Grüße");
    let map = "/CIDInit/ProcSet findresource begin 12 dict begin begincmap /CMapName/Adobe-Identity-UCS def /CMapType 2 def\n\
               1 begincodespacerange <0000> <FFFF> endcodespacerange 1 begincidrange <0000> <FFFF> 0 endcidrange endcmap end end";
    let mapped = read_with_font(composite("/Encoding/Identity-H/ToUnicode 8 0 R"), Some(stream("", map)), content);
    assert_eq!(page_text(&mapped.lines), "Grüße");
}

#[test]
fn a_broken_map_is_read_by_its_sections() {
    let map = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Adobe-Identity-UC> def /CMapType 2 def\n\
               1 begincodespacerange <0000> <FFFF> endcodespacerange\n\
               2 beginbfchar <0001> <0048> <0002> <0065> endbfchar\n1 beginbfrange <0010> <0012> <006C> endbfrange\nendcmap end end";
    let content = "BT /F3 12 Tf 50 700 Td <000100020010001000120012> Tj ET";
    let page = read_with_font(composite("/Encoding/Identity-H/ToUnicode 8 0 R"), Some(stream("", map)), content);
    assert_eq!(page_text(&page.lines), "Hellnn");
}

#[test]
fn a_font_that_is_missing_or_of_no_known_kind_is_a_standard_font() {
    assert_eq!(text_of("BT /F9 12 Tf 50 700 Td (Potato) Tj ET"), "Potato");
    let odd = read_with_font("<</Type/Font/Subtype/Typo/BaseFont/Times>>".to_owned(), None, "BT /F3 12 Tf 50 700 Td (Kind) Tj ET");
    assert_eq!(page_text(&odd.lines), "Kind");
    // The codes of half of a composite font are no Latin text.
    let half = "<</Subtype/CIDFontType2/BaseFont/Times/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)>>>>".to_owned();
    assert_eq!(read_with_font(half, None, "BT /F3 12 Tf 50 700 Td (\\000K\\000L) Tj ET").notes, [PageNote::Undecodable]);
    // A form with resources of its own, but not this font: the page has it.
    let form = stream("/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<<>>", "BT /F2 12 Tf 50 700 Td (Inside) Tj ET");
    let page = read(page_like("/X1 Do", "", "", &[form])).remove(0);
    assert_eq!((page.lines[0].text.as_str(), page.lines[0].font.as_str()), ("Inside", "Times-Bold"));
}

#[test]
fn rows_that_cannot_be_decoded_are_noted() {
    let row = |y: u32, codes: &str| format!("BT /F3 12 Tf 50 {y} Td <{codes}> Tj ET ");
    let known: String =
        (0..9).map(|n| format!("BT /F2 12 Tf 50 {} Td (A line of words that anyone can read) Tj ET ", 700 - 20 * n)).collect();
    let lost = read_with_font(composite("/Encoding/Identity-H"), None, &(known.clone() + &row(400, "004700720065")));
    assert_eq!((lost.lines.len(), lost.notes), (9, vec![PageNote::Undecodable]));
    // Bullets in a symbol font are no words.
    let bullets: String = (0..9).map(|n| format!("BT /F3 12 Tf 30 {} Td <0047> Tj ET ", 700 - 20 * n)).collect();
    assert_eq!(read_with_font(composite("/Encoding/Identity-H"), None, &(bullets + &known)).notes, []);
}

#[test]
fn content_that_cannot_be_found_is_damage() {
    let misspelt = String::from_utf8(page_with("BT /F1 12 Tf 50 700 Td (Potato) Tj ET")).expect("text");
    let page = read(misspelt.replace("endstream", "enxstream").into_bytes()).remove(0);
    assert_eq!(page.notes, [PageNote::Damaged]);
    let null = String::from_utf8(page_with("")).expect("text").replace("/Contents 4 0 R", "/Contents null ");
    assert_eq!(read(null.into_bytes())[0].notes, [PageNote::Blank]);
}

#[test]
fn a_tilted_white_area_hides_nothing_beside_it() {
    let band = "0 0.5 0.5 rg 0 600 600 200 re f ";
    let tilted = "q 0.8 0.6 -0.6 0.8 300 300 cm 1 g 0 0 400 300 re f Q ";
    let words = "1 g BT /F1 12 Tf 450 720 Td (Our team) Tj ET";
    assert_eq!(text_of(&format!("{band}{tilted}{words}")), "Our team");
    assert_eq!(text_of(&format!("{tilted}{words}")), "");
    let upright = "1 g 300 650 300 150 re f ";
    assert_eq!(text_of(&format!("{band}{upright}{words}")), "");
}

#[test]
fn a_vertical_font_set_glyph_by_glyph_along_a_level_line_is_read_along_it() {
    let glyph = |x: f32, y: u32, c: char| format!("BT /F3 12 Tf {x} {y} Td <{:04X}> Tj ET ", u32::from(c));
    let line = |y: u32, words: &str| -> String {
        (0u8..).zip(words.chars()).map(|(i, c)| glyph(50.0 + 6.0 * f32::from(i), y, c)).collect()
    };
    let content = line(700, "Reading in a row") + &line(680, "and the next one");
    let font = composite("/Encoding/Identity-V/ToUnicode/Identity-H");
    assert_eq!(page_text(&read_with_font(font.clone(), None, &content).lines), "Reading in a row\nand the next one");
    let column: String = (0u32..).zip("down".chars()).map(|(i, c)| glyph(50.0, 700 - 12 * i, c)).collect();
    assert_eq!(page_text(&read_with_font(font, None, &column).lines), "down");
}

#[test]
fn heads_of_short_chapters_are_furniture_by_their_place() {
    let head = |n: usize| if n < 4 { format!("Chapter {}", ["Aims", "Means", "Limits", "Costs"][n]) } else { "Annex".to_string() };
    let mut pages: Vec<RawPage> = (0..8)
        .map(|n| {
            let body = "(Words of a body in which every page says something else) Tj T* ".repeat(3);
            let content = format!(
                "BT /F2 9 Tf 50 770 Td ({}) Tj ET BT /F1 10 Tf 12 TL 50 400 Td ({n} things) Tj T* {body} ET \
                 BT /F2 16 Tf 50 745 Td (Title {}) Tj ET",
                head(n),
                ["one", "two", "three", "four", "same", "same", "same", "same"][n]
            );
            read(page_with(&content)).remove(0)
        })
        .collect();
    mark_furniture(&mut pages);
    for page in &pages {
        let of = |start: &str| page.lines.iter().find(|l| l.text.starts_with(start)).map(|l| l.furniture);
        assert_eq!(of("Chapter").or(of("Annex")), Some(true), "{:?}", page.lines);
    }
    let titles = |p: &RawPage| p.lines.iter().any(|l| l.size > 15.0 && l.furniture);
    assert!(!pages.iter().take(4).any(titles), "titles are not running heads");
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
