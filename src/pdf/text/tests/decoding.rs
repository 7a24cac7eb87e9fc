//! What codes are read as: symbols, hyphens, accents, character collections.

use super::super::page_text;
use super::{composite, page_like, read, read_with_font, stream, text_of};

/// The text of these codes of a simple font F3 with these entries and a ToUnicode map of these characters.
fn mapped(entries: &str, map: &str, content: &str) -> String {
    let font = format!("<</Type/Font/Subtype/TrueType/FirstChar 65/LastChar 67/Widths[500 500 0]{entries}/ToUnicode 8 0 R>>");
    let count = map.lines().count();
    let map = format!("begincmap 1 begincodespacerange <00> <FF> endcodespacerange {count} beginbfchar {map} endbfchar endcmap");
    page_text(&read_with_font(font, Some(stream("", &map)), &format!("BT /F3 12 Tf 50 700 Td {content} ET")).lines)
}

#[test]
fn dingbats_are_what_they_look_like() {
    let bare = "<</Type/Font/Subtype/TrueType/BaseFont/ABCDEF+Wingdings-Regular/FirstChar 32/LastChar 255>>".to_owned();
    let page = read_with_font(bare, None, "BT /F3 12 Tf 50 700 Td <A7> Tj /F1 12 Tf ( point) Tj /F3 12 Tf <FC> Tj ET");
    assert_eq!(page_text(&page.lines), "▪ point✓");
    assert_eq!(mapped("/BaseFont/Wingdings", "<41> <F0FE>\n<42> <F06F>", "(AB) Tj"), "☑□");
    assert_eq!(mapped("/BaseFont/Symbol", "<41> <F062>\n<42> <F0B3>", "(AB) Tj"), "β≥");
    let said = "/Span<</ActualText<FEFFF0FE>>>BDC (A) Tj EMC";
    assert_eq!(mapped("/BaseFont/Wingdings", "<41> <0078>", said), "☑");
    assert_eq!(mapped("/BaseFont/Any", "<41> <2714>", said), "✔");
    assert_eq!(mapped("/BaseFont/Any", "<41> <F0B7>\n<42> <F761>", "(AB) Tj"), "•A");
}

#[test]
fn a_hyphen_that_shows_is_one_and_another_is_not() {
    assert_eq!(mapped("/BaseFont/Any", "<41> <00AD>\n<42> <0078>", "(BAB) Tj"), "x\u{AD}x");
    assert_eq!(mapped("/BaseFont/Any", "<43> <00AD>\n<42> <0078>", "(BCB) Tj"), "xx");
    let soft = |shown: &str| format!("BT /F1 12 Tf 50 700 Td (Mit) Tj /Span<</ActualText<FEFF00AD>>>BDC ({shown}) Tj EMC ET");
    assert_eq!(text_of(&soft("-")), "Mit\u{AD}");
    assert_eq!(text_of(&format!("{} BT /F1 12 Tf 64.5 700 Td (arbeit) Tj ET", soft(" "))), "Mitarbeit");
}

#[test]
fn what_only_steers_other_characters_is_left_out() {
    assert_eq!(mapped("/BaseFont/Any", "<41> <200B>\n<42> <0061202E>\n<43> <00A0>", "(BABCB) Tj"), "aa a");
}

#[test]
fn accents_over_their_letters_are_one_with_them() {
    let accent = "BT /F1 12 Tf 50 700 Td (caf) Tj 1 0 0 1 67.4 700 Tm <B4> Tj 1 0 0 1 66.7 700 Tm (e) Tj ( au lait) Tj ET";
    assert_eq!(text_of(accent), "café au lait");
    let after = "BT /F1 12 Tf 50 700 Td (gar) Tj (c) Tj -5 0 Td ET BT /F1 12 Tf 67.5 700 Td <B8> Tj 1 0 0 1 73.4 700 Tm (on) Tj ET";
    assert_eq!(text_of(after), "garçon");
    assert_eq!(text_of("BT /F1 12 Tf 50 700 Td (rock ) Tj <B4> Tj (n) Tj ET"), "rock ´n");
}

#[test]
fn the_encoding_may_be_a_map_of_the_file() {
    let inner =
        "<</Type/Font/Subtype/CIDFontType0/BaseFont/Any/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/DW 1000>>";
    let font = format!("<</Type/Font/Subtype/Type0/BaseFont/Any/DescendantFonts[{inner}]/Encoding 8 0 R>>");
    let map = "begincmap /CMapName /Own def 1 begincodespacerange <00> <FF> endcodespacerange \
               1 begincidrange <41> <43> 842 endcidrange endcmap";
    let page = read_with_font(font, Some(stream("/Type/CMap/CMapName/Own", map)), "BT /F3 12 Tf 50 700 Td (ABC) Tj ET");
    assert_eq!(page_text(&page.lines), "ぁあぃ");
}

#[test]
fn standard_fonts_of_the_far_east_need_no_file() {
    let font = |encoding: &str, ordering: &str| {
        let system = format!("/CIDSystemInfo<</Registry(Adobe)/Ordering({ordering})/Supplement 2>>");
        let inner = format!("<</Type/Font/Subtype/CIDFontType0/BaseFont/Any{system}/DW 1000>>");
        format!("<</Type/Font/Subtype/Type0/BaseFont/Any/DescendantFonts[{inner}]/Encoding/{encoding}>>")
    };
    for (encoding, ordering, codes, text) in [
        ("GBK-EUC-H", "GB1", "D6D0CEC4", "中文"),
        ("GB-EUC-H", "GB1", "D6D0CEC4", "中文"),
        ("UniGB-UCS2-H", "GB1", "4E2D6587", "中文"),
        ("90ms-RKSJ-H", "Japan1", "93FA967B", "日本"),
        ("UniJIS-UTF16-H", "Japan1", "65E5672C", "日本"),
        ("KSCms-UHC-H", "Korea1", "C7D1B1DB", "한글"),
        ("UniKS-UCS2-H", "Korea1", "D55CAE00", "한글"),
        ("ETen-B5-H", "CNS1", "A4A4A4E5", "中文"),
        ("Identity-H", "Japan1", "034A034B", "ぁあ"),
        // The encoding tells the collection where the font does not.
        ("GBK-EUC-H", "Identity", "D6D0CEC4", "中文"),
    ] {
        let page = read_with_font(font(encoding, ordering), None, &format!("BT /F3 12 Tf 50 700 Td <{codes}> Tj ET"));
        assert_eq!(page_text(&page.lines), text, "{encoding} {ordering}");
    }
}

#[test]
fn glyph_names_tell_the_letters() {
    let names = "/Encoding<</Type/Encoding/Differences[65/ff/ffi/uni00E9/u1F600/f_l/summation/Euro]>>";
    let font =
        format!("<</Type/Font/Subtype/Type1/BaseFont/Any/FirstChar 65/LastChar 71/Widths[500 500 500 500 500 500 500]{names}>>");
    assert_eq!(page_text(&read_with_font(font, None, "BT /F3 12 Tf 50 700 Td (ABCDEFG) Tj ET").lines), "ffffié😀fl∑€");
}

#[test]
fn words_in_small_capitals_are_whole() {
    let word = |first: &str, rest: &str| format!("/F1 12 Tf ({first}) Tj /F1 9 Tf ({rest} ) Tj ");
    let content = format!("BT 50 700 Td {}{}ET", word("I", "NCOME"), word("T", "AX"));
    assert_eq!(text_of(&content), "INCOME TAX");
}

#[test]
fn images_in_the_content_are_passed_over() {
    let image = "q 10 0 0 10 300 300 cm BI /W 2 /H 2 /BPC 8 /CS /G ID (Tj EI)ET EI Q";
    let page = read(page_like(
        &format!("BT /F1 12 Tf 50 700 Td (before) Tj ET {image} BT /F1 12 Tf 50 680 Td (after) Tj ET"),
        "",
        "",
        &[],
    ));
    assert_eq!(page_text(&page[0].lines), "before\nafter");
    assert_eq!(page_text(&read_with_font(composite("/Encoding/Identity-H"), None, image).lines), "");
}

#[test]
fn marks_of_thai_and_hindi_stay_with_their_letters() {
    // Marks take no room, or are moved back over their letter.
    let font = composite("/Encoding/Identity-H/ToUnicode/Identity-H").replace("/DW 500", "/DW 500/W[3633[0] 3656[0] 2367[0]]");
    let thai = "BT /F3 12 Tf 50 700 Td [<0E27><0E31><0E19><0E17><0E35> 500 <0E48><0E19><0E35> 500 <0E49>] TJ ET";
    assert_eq!(page_text(&read_with_font(font.clone(), None, thai).lines), "วันที่นี้");
    let hindi = "BT /F3 12 Tf 50 700 Td [<0939><093F><0928><094D> 500 <0926><0940>] TJ ET";
    assert_eq!(page_text(&read_with_font(font, None, hindi).lines), "हिन्दी");
}

#[test]
fn vertical_text_has_no_spaces_of_its_own() {
    let font = composite("/Encoding/Identity-V/ToUnicode/Identity-H");
    let column = |x: u32, codes: &str| format!("BT /F3 12 Tf {x} 700 Td <{codes}> Tj ET ");
    let content = column(300, "7E2666F8304D") + &column(280, "4E8C884C76EE");
    let text = page_text(&read_with_font(font, None, &content).lines);
    assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["縦書き", "二行目"]);
}

#[test]
fn drawn_fonts_are_read_by_their_names() {
    let font = "<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[0.01 0 0 0.01 0 0]/FirstChar 97/LastChar 99/Widths[50 50 50]\
                /CharProcs<</H 8 0 R/e 8 0 R/y 8 0 R>>/Encoding<</Differences[97/H/e/y]>>>>";
    let glyph = stream("", "50 0 0 0 40 70 d1 0 0 40 70 re f");
    let page = read_with_font(font.to_owned(), Some(glyph), "BT /F3 12 Tf 50 700 Td (abc) Tj ET");
    assert_eq!(page_text(&page.lines), "Hey");
}

#[test]
fn radicals_are_read_as_ideographs() {
    assert_eq!(mapped("/BaseFont/Any", "<41> <2ED3>\n<42> <2F8F>", "(AB) Tj"), "长行");
}
