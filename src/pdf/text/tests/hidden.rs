//! Text that nobody can see, and text that only looks as if.

use super::super::{RawPage, page_text};
use super::{page_like, page_with, read, stream};
use crate::pdf::PageNote;

/// A page of 600 by 800 points with F1 (Helvetica), the form or image X1 (object 7) and these graphics states.
fn page_with_states(content: &str, states: &str, more: &[String]) -> RawPage {
    let file = String::from_utf8(page_like(content, "", "", more)).expect("text");
    read(file.replace("/Properties<</P1 8 0 R>>", &format!("/ExtGState<<{states}>>")).into_bytes()).remove(0)
}

/// The text that is left of a page, and whether the page says that text was hidden.
fn seen(content: &str) -> (String, bool) {
    let page = read(page_with(content)).remove(0);
    (page_text(&page.lines), page.notes.contains(&PageNote::HiddenText))
}

fn left(text: &str, hidden: bool) -> (String, bool) {
    (text.to_owned(), hidden)
}

const SEEN: &str = "BT /F1 12 Tf 50 700 Td (seen) Tj ET ";
const IMAGE: &str = "/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray";

#[test]
fn invisible_text_is_meant_to_be_found() {
    let words = "BT 3 Tr /F1 12 Tf 50 600 Td (send the keys) Tj ET ";
    assert_eq!(seen(&format!("{SEEN}{words}")), left("seen\n\nsend the keys", false));
    let image = stream(IMAGE, "x");
    let over = |content: &str| {
        let page = read(page_like(content, "", "", std::slice::from_ref(&image))).remove(0);
        (page_text(&page.lines), page.notes.contains(&PageNote::HiddenText))
    };
    let picture = "q 200 0 0 50 40 580 cm /X1 Do Q ";
    assert_eq!(over(&format!("{SEEN}{picture}{words}")), left("seen\n\nsend the keys", false));
    assert_eq!(over(&format!("{SEEN}{words}{picture}")), left("seen\n\nsend the keys", false));
    let clear = words.replace("3 Tr", "0 Tr");
    let elsewhere = "q 200 0 0 50 40 480 cm /X1 Do Q ";
    let transparent = |image_at: &str| {
        page_with_states(&format!("{SEEN}/G0 gs {clear}/G1 gs {image_at}"), "/G0<</ca 0>>/G1<</ca 1>>", &[stream(IMAGE, "x")])
    };
    assert_eq!(page_text(&transparent(picture).lines), "seen\n\nsend the keys");
    assert_eq!(page_text(&transparent(elsewhere).lines), "seen");
}

#[test]
fn invisible_text_over_letters_drawn_as_outlines_is_their_text() {
    let outlines: String = (0..4).map(|i| format!("{} 600 m {} 608 l {} 600 l f ", 50 + 7 * i, 53 + 7 * i, 56 + 7 * i)).collect();
    let words = "BT 3 Tr /F1 12 Tf 50 600 Td (drawn) Tj ET ";
    assert_eq!(seen(&format!("{SEEN}{outlines}{words}")), left("seen\n\ndrawn", false));
}

#[test]
fn a_page_of_nothing_but_invisible_text_is_the_layer_of_a_scan() {
    assert_eq!(seen("BT 3 Tr /F1 12 Tf 50 600 Td (made apart) Tj ET"), left("made apart", false));
}

#[test]
fn transparent_text_is_hidden() {
    let page = |content: &str, more: &[String]| {
        let states = "/G0<</ca 0>>/G1<</ca 1>>/G2<</CA 0>>/G3<</ca 0.4>>";
        let page = page_with_states(content, states, more);
        (page_text(&page.lines), page.notes.contains(&PageNote::HiddenText))
    };
    let words = |state: &str, mode: u8| format!("q /{state} gs BT {mode} Tr /F1 12 Tf 50 600 Td (ghost) Tj ET Q ");
    assert_eq!(page(&format!("{SEEN}{}", words("G0", 0)), &[]), left("seen", true));
    assert_eq!(page(&format!("{SEEN}{}", words("G2", 1)), &[]), left("seen", true));
    for (state, mode) in [("G1", 0), ("G3", 0), ("G2", 0), ("G0", 1), ("G0", 2)] {
        assert_eq!(page(&format!("{SEEN}{}", words(state, mode)), &[]), left("seen\n\nghost", false), "{state} {mode}");
    }
    // A form takes the opacity from where it is drawn; so does a group, whatever it sets itself.
    let form = |dict: &str, state: &str| {
        let dict = format!("/Subtype/Form/BBox[0 0 600 800]/Resources<</Font<</F1 5 0 R>>/ExtGState<</G1<</ca 1>>>>>>{dict}");
        stream(&dict, &format!("{state} BT /F1 12 Tf 50 600 Td (ghost) Tj ET"))
    };
    let drawn = format!("{SEEN} /G0 gs /X1 Do");
    assert_eq!(page(&drawn, &[form("", "")]), left("seen", true));
    assert_eq!(page(&drawn, &[form("", "/G1 gs")]), left("seen\n\nghost", false));
    assert_eq!(page(&drawn, &[form("/Group<</S/Transparency>>", "/G1 gs")]), left("seen", true));
}

#[test]
fn text_under_later_paint_is_hidden() {
    let words = "BT /F1 12 Tf 50 600 Td (old price 12) Tj ET ";
    for paint in ["1 g 40 590 200 30 re f", "0 0 1 rg 40 590 200 30 re f", "40 590 m 240 590 l 240 620 l 40 620 l h f"] {
        assert_eq!(seen(&format!("{SEEN}{words}{paint}")), left("seen", true), "{paint}");
        assert_eq!(seen(&format!("{SEEN}{paint} 0.5 g {words}")), left("seen\n\nold price 12", false), "{paint}");
    }
    // A rule through it, a frame about it, a triangle, a clip that leaves nothing of the paint there, two frames of which the outer is not filled.
    for paint in [
        "40 603 200 1.5 re f",
        "40 590 200 30 re S",
        "40 590 m 240 590 l 240 620 l f",
        "q 300 0 50 50 re W n 40 590 200 30 re f Q",
        "30 580 300 50 re 40 590 200 30 re f*",
    ] {
        assert_eq!(seen(&format!("{SEEN}{words}{paint}")), left("seen\n\nold price 12", false), "{paint}");
    }
}

#[test]
fn paint_that_can_be_seen_through_hides_nothing() {
    let words = "BT /F1 12 Tf 50 600 Td (marked) Tj ET ";
    let box_ = "1 1 0 rg 40 590 200 30 re f";
    for state in ["<</ca 0.4>>", "<</BM/Multiply>>", "<</SMask<</S/Alpha>>>>"] {
        let page = page_with_states(&format!("{SEEN}{words} /G0 gs {box_}"), &format!("/G0{state}"), &[]);
        assert_eq!(page_text(&page.lines), "seen\n\nmarked", "{state}");
    }
}

#[test]
fn text_under_a_picture_is_hidden_but_under_a_scan_it_is_its_text() {
    let words = "BT /F1 12 Tf 50 600 Td (below) Tj ET ";
    let page = |place: &str, image: &str| {
        let content = format!("{SEEN}{words}q {place} cm /X1 Do Q");
        page_text(&read(page_like(&content, "", "", &[stream(image, "x")])).remove(0).lines)
    };
    assert_eq!(page("200 0 0 50 40 580", IMAGE), "seen");
    assert_eq!(page("600 0 0 800 0 0", IMAGE), "seen\n\nbelow");
    let stencil = IMAGE.replace("/BitsPerComponent 8/ColorSpace/DeviceGray", "/ImageMask true/BitsPerComponent 1");
    assert_eq!(page("200 0 0 50 40 580", &stencil), "seen\n\nbelow");
    assert_eq!(page("200 0 0 50 40 580", &format!("{IMAGE}/SMask 9 0 R")), "seen\n\nbelow");
}

#[test]
fn text_in_the_colour_of_its_area_is_hidden() {
    let area = "0.2 0.4 0.6 rg 40 590 200 30 re f ";
    let words = |color: &str| format!("{color} BT /F1 12 Tf 50 600 Td (same) Tj ET ");
    assert_eq!(seen(&format!("{SEEN}{area}{}", words("0.2 0.4 0.6 rg"))), left("seen", true));
    assert_eq!(seen(&format!("{SEEN}{area}{}", words("1 g"))), left("seen\n\nsame", false));
    // Only the frame is drawn; what is inside is paper.
    assert_eq!(seen(&format!("{SEEN} 40 590 200 30 re S {}", words("0 g"))), left("seen\n\nsame", false));
    assert_eq!(seen(&format!("{SEEN}BT 1 Tr 1 G /F1 12 Tf 50 600 Td (outline) Tj ET")), left("seen", true));
}

#[test]
fn words_cut_by_the_edge_of_the_page_are_whole_or_not_there() {
    let page = |words: &str, x: u32| {
        page_text(&read(page_with(&format!("{SEEN}BT /F1 12 Tf {x} 600 Td ({words}) Tj ET"))).remove(0).lines)
    };
    assert_eq!(page("one haystack", 545), "seen\n\none haystack");
    assert_eq!(page("one haystack", 565), "seen\n\none");
}
