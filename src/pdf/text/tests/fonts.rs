//! From codes to characters, and what is said where that fails.

use super::super::page_text;
use super::{composite, page_like, read, read_with_font, stream, text_of};
use crate::pdf::PageNote;

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
fn cells_of_both_directions_keep_their_own_order() {
    let map = "begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfrange <0041> <0042> <05D0> <0030> <0039> <0030> \
               endbfrange 1 beginbfchar <0020> <0020> endbfchar endcmap";
    let hebrew = "BT /F3 12 Tf 250 700 Td <003100340020004200410042> Tj ET";
    let content = format!("BT /F1 12 Tf 50 700 Td (14 abc 1434) Tj ET {hebrew}");
    let page = read_with_font(composite("/Encoding/Identity-H/ToUnicode 8 0 R"), Some(stream("", map)), &content);
    assert_eq!(page_text(&page.lines), "באב 14  14 abc 1434");
}

#[test]
fn a_code_that_stands_for_nothing_ends_no_map() {
    let map = "begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 3 beginbfchar <0041> <0061> <0042> <> <0043> <0063> \
               endbfchar endcmap";
    let page = read_with_font(
        composite("/Encoding/Identity-H/ToUnicode 8 0 R"),
        Some(stream("", map)),
        "BT /F3 12 Tf 50 700 Td <00410043> Tj ET",
    );
    assert_eq!(page_text(&page.lines), "ac");
}

#[test]
fn ideographs_set_under_each_other_are_a_vertical_line() {
    let map = "begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfrange <4E00> <4E0F> <4E00> <0031> <0032> <0031> \
               endbfrange endcmap";
    let column = |x: u32, codes: &[&str]| -> String {
        codes.iter().enumerate().map(|(i, code)| format!("1 0 0 1 {x} {} Tm <{code}> Tj ", 700 - 12 * i)).collect()
    };
    let right = column(200, &["4E00", "4E01", "4E02", "4E03", "4E04"]);
    let left = column(180, &["4E05", "00310032", "4E06", "4E07", "4E08"]);
    let page = read_with_font(
        composite("/Encoding/Identity-H/ToUnicode 8 0 R"),
        Some(stream("", map)),
        &format!("BT /F3 12 Tf {right} {left} ET"),
    );
    assert_eq!(page_text(&page.lines), "一丁丂七丄\n丅12丆万丈");
}
