//! Values of form fields, annotations, and layers.

use super::super::page_text;
use super::{page_like, read, stream};

/// The text of a page that says "Name" and has these annotations.
fn with_annotations(annotations: &[&str]) -> String {
    let objects: Vec<String> = annotations.iter().map(ToString::to_string).collect();
    let list: String = (0..objects.len()).map(|i| format!("{} 0 R ", i + 7)).collect();
    let page = read(page_like("BT /F1 12 Tf 50 700 Td (Name) Tj ET", &format!("/Annots[{list}]"), "", &objects)).remove(0);
    page_text(&page.lines)
}

#[test]
fn fields_show_what_a_reader_sees() {
    let field = |entries: &str| with_annotations(&[&format!("<</Subtype/Widget/Rect[150 696 300 712]{entries}>>")]);
    assert_eq!(field("/FT/Tx/V(Ada)"), "Name  Ada");
    assert_eq!(field("/FT/Tx/V(Ada)/F 2"), "Name");
    assert_eq!(field("/FT/Tx/V(secret)/Ff 8192"), "Name");
    assert_eq!(field("/FT/Ch/V(de)/Opt[[(fr)(France)][(de)(Germany)]]"), "Name  Germany");
    assert_eq!(field("/FT/Ch/V[(de)(x)]/Opt[[(fr)(France)][(de)(Germany)]]"), "Name  Germany, x");
    assert_eq!(field("/FT/Btn/AS/On"), "Name  ✔");
    assert_eq!(field("/FT/Btn/AS/Off"), "Name");
    assert_eq!(field("/FT/Btn/Ff 32768/AS/2"), "Name  ●");
    assert_eq!(field("/FT/Btn/Ff 65536/V/Press"), "Name");
}

#[test]
fn text_of_annotations_is_on_the_page_and_notes_are_not() {
    let note = |kind: &str| with_annotations(&[&format!("<</Subtype/{kind}/Rect[150 696 300 712]/Contents(Remark)>>")]);
    assert_eq!(note("FreeText"), "Name  Remark");
    assert_eq!(note("Text"), "Name");
    assert_eq!(note("Popup"), "Name");
    let lines = with_annotations(&["<</Subtype/FreeText/Rect[150 600 300 640]/Contents(One\\rTwo)>>"]);
    assert_eq!(lines, "Name\n\nOne\nTwo");
}

#[test]
fn stamps_are_read_and_markers_hide_nothing() {
    let stamp = stream(
        "/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<</F1 5 0 R>>>>",
        "1 1 0 rg 0 0 100 20 re f 0 g BT /F1 12 Tf 2 5 Td (PAID) Tj ET",
    );
    let on = |kind: &str, rect: &str| with_annotations(&[&format!("<</Subtype/{kind}/Rect[{rect}]/AP<</N 8 0 R>>>>"), &stamp]);
    assert_eq!(on("Stamp", "150 696 250 716"), "Name  PAID");
    assert_eq!(on("Stamp", "45 696 145 716"), "PAID");
    assert!(on("Highlight", "45 696 145 716").contains("Name"));
}

#[test]
fn layers_are_shown_by_rules() {
    let shown = |rule: &str| {
        let membership = format!("<</Type/OCMD{rule}>>");
        let groups = ["null".to_string(), membership, "<</Type/OCG/Name(Off)>>".to_string(), "<</Type/OCG/Name(On)>>".to_string()];
        let off = "/OCProperties<</OCGs[9 0 R 10 0 R]/D<</OFF[9 0 R]>>>>";
        let content = "BT /F1 12 Tf 50 700 Td (kept) Tj /OC /P1 BDC ( more) Tj EMC ET";
        page_text(&read(page_like(content, "", off, &groups)).remove(0).lines) == "kept more"
    };
    for (rule, expected) in [
        ("/OCGs 9 0 R", false),
        ("/OCGs 10 0 R", true),
        ("/OCGs[9 0 R 10 0 R]", true),
        ("/OCGs[9 0 R 10 0 R]/P/AllOn", false),
        ("/OCGs[9 0 R 10 0 R]/P/AnyOff", true),
        ("/OCGs[9 0 R 10 0 R]/P/AllOff", false),
        ("/OCGs[9 0 R]/P/AllOff", true),
        ("/VE[/Not 9 0 R]", true),
        ("/VE[/And 9 0 R 10 0 R]", false),
        ("/VE[/Or 9 0 R[/Not[/Not 10 0 R]]]", true),
        ("/VE[/Not[/Or 9 0 R 10 0 R]]/OCGs 10 0 R", false),
    ] {
        assert_eq!(shown(rule), expected, "{rule}");
    }
}

#[test]
fn layers_say_how_they_are_for_the_screen() {
    let groups = ["null".to_string(), "<</Type/OCG/Name(Print)/Usage<</View<</ViewState/OFF>>>>>>".to_string()];
    let content = "BT /F1 12 Tf 50 700 Td (kept) Tj /OC /P1 BDC ( more) Tj EMC ET";
    let text = |automatic: &str| {
        let layers = format!("/OCProperties<</OCGs[8 0 R]/D<<{automatic}>>>>");
        page_text(&read(page_like(content, "", &layers, &groups)).remove(0).lines)
    };
    assert_eq!(text(""), "kept more");
    assert_eq!(text("/AS[<</Event/View/OCGs[8 0 R]/Category[/View]>>]"), "kept");
}
