//! Outlines and labels.

use std::fmt::Write;

use super::forge::{document, pdf};
use super::open;
use crate::pdf::PdfFile;

fn shown(file: &PdfFile) -> String {
    file.outline().iter().fold(String::new(), |mut out, b| {
        let at = match (b.page, b.top) {
            (Some(page), Some(top)) => format!("page {page}, {top} pt down"),
            (Some(page), None) => format!("page {page}"),
            (None, _) => "nowhere".to_owned(),
        };
        writeln!(out, "{}{:?}: {at}", "  ".repeat(b.level as usize - 1), b.title).unwrap();
        out
    })
}

#[test]
fn every_kind_of_target() {
    // Pages are objects 4, 6 and 8; the outline begins with object 10.
    let entries = [
        "<</First 11 0 R/Last 22 0 R>>",
        "<</Title(Place in an array)/Dest[4 0 R/XYZ 0 700 0]/Next 12 0 R>>",
        "<</Title(Old name)/Dest/intro/Next 13 0 R>>",
        "<</Title(Name in the tree)/Dest(chap:2)/Next 14 0 R>>",
        "<</Title(Action)/A<</S/GoTo/D[6 0 R/FitH 800]>>/Next 15 0 R>>",
        "<</Title(Action with a name)/A<</S/GoTo/D(chap:2)>>/Next 16 0 R>>",
        "<</Title(Other file)/A<</S/GoToR/F(other.pdf)/D[0/Fit]>>/Next 17 0 R>>",
        "<</Title(Web)/A<</S/URI/URI(https://example.org)>>/Next 18 0 R>>",
        "<</Title(Gone)/Dest[99 0 R/Fit]/Next 19 0 R>>",
        "<</Title(No such name)/Dest(nothing)/Next 20 0 R>>",
        "<</Title(Page index)/Dest[2/Fit]/Next 21 0 R>>",
        "<</Title(Rectangle)/Dest[8 0 R/FitR 10 20 30 780]/Next 22 0 R>>",
        "<</Title(Below the page)/Dest[8 0 R/XYZ null -50 null]>>",
    ];
    let catalog = "/Outlines 10 0 R/Dests<</intro<</D[4 0 R/Fit]>>>>\
                   /Names<</Dests<</Kids[<</Limits[(a)(z)]/Names[(chap:1)[4 0 R/Fit](chap:2)<</D[8 0 R/XYZ null 790 null]>>]>>]>>>>";
    let file = open(&document(&["One", "Two", "Three"], catalog, &entries)).unwrap();
    insta::assert_snapshot!(shown(&file));
}

#[test]
fn titles_are_decoded_and_folded() {
    let entries = [
        "<</First 7 0 R>>",
        "<</Title(  Caf\\351\\n\\t au lait )/Next 8 0 R>>",
        "<</Title<FEFF0422043504410442>/Next 9 0 R>>",
        "<</Title<EFBBBFC39C6265722D>/Next 10 0 R>>",
        "<</Dest[4 0 R/Fit]>>",
    ];
    let file = open(&document(&["One"], "/Outlines 6 0 R", &entries)).unwrap();
    let titles: Vec<&str> = file.outline().iter().map(|b| b.title.as_str()).collect();
    assert_eq!(titles, ["Café au lait", "Тест", "Über-", ""]);
}

#[test]
fn circles_end() {
    let entries = [
        "<</First 7 0 R>>",
        "<</Title(A)/First 8 0 R/Next 9 0 R>>",
        "<</Title(B)/First 7 0 R/Next 8 0 R>>",
        "<</Title(C)/Next 7 0 R/Dest/loop>>",
    ];
    let catalog = "/Outlines 6 0 R/Dests<</loop/pool/pool/loop>>";
    let file = open(&document(&["One"], catalog, &entries)).unwrap();
    assert_eq!(shown(&file), "\"A\": nowhere\n  \"B\": nowhere\n\"C\": nowhere\n");
}

#[test]
fn deep_nesting_does_not_use_the_stack() {
    let depth = 30_000;
    let mut entries = vec!["<</First 7 0 R>>".to_owned()];
    entries.extend((0..depth).map(|i| format!("<</Title({i})/Dest[4 0 R/Fit]/First {} 0 R>>", i + 8)));
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    let file = open(&document(&["One"], "/Outlines 6 0 R", &entries)).unwrap();
    assert_eq!(file.outline().len(), depth);
    assert_eq!(file.outline().last().map(|b| (b.level, b.page)), Some((30_000, Some(1))));
}

#[test]
fn tops_on_a_turned_page() {
    let entries = ["<</First 7 0 R>>", "<</Title(A)/Dest[4 0 R/XYZ 100 700 0]/Next 8 0 R>>", "<</Title(B)/Dest[4 0 R/FitH 700]>>"];
    let file = open(&document(&["One"], "/Outlines 6 0 R", &entries)).unwrap();
    assert_eq!(file.outline().iter().map(|b| b.top).collect::<Vec<_>>(), [Some(100), Some(100)]);
    let turned = [
        "<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R>>",
        "<</Type/Pages/Kids[4 0 R]/Count 1/Rotate 90/MediaBox[0 0 600 800]>>",
        "null",
        "<</Type/Page/Parent 2 0 R>>",
        "null",
    ];
    let objects: Vec<String> = turned.iter().chain(&entries).map(ToString::to_string).collect();
    let file = open(&pdf(&objects)).unwrap();
    // Turned clockwise, the left edge is the upper one; a height alone says nothing.
    assert_eq!(file.outline().iter().map(|b| b.top).collect::<Vec<_>>(), [Some(100), None]);
}

#[test]
fn labels_of_every_style() {
    let nums = "/PageLabels<</Kids[<</Nums[0<</S/r>>2<</S/D/St 5>>]>><</Nums[3<</P(A-)/S/A>>5<</P(Cover)>>6<</S/R/P( )>>]>>]>>";
    let file = open(&document(&["1", "2", "3", "4", "5", "6", "7"], nums, &[])).unwrap();
    let labels: Vec<Option<&str>> = (0..=8).map(|n| file.label(n)).collect();
    let all = [None, Some("i"), Some("ii"), Some("5"), Some("A-A"), Some("A-B"), Some("Cover"), Some("I"), None];
    assert_eq!(labels, all);
    assert_eq!(file.page(3).label.as_deref(), Some("5"));
}

#[test]
fn broken_label_trees() {
    for tree in ["/PageLabels 3", "/PageLabels<</Nums[-1<</P(bad)>>(x)<</S/D>>1 7 2]>>", "/PageLabels<</Kids[2 0 R 99 0 R]>>"] {
        let file = open(&document(&["One"], tree, &[])).unwrap();
        assert_eq!(file.label(1), None, "{tree}");
    }
    let circle = document(&["One"], "/PageLabels 6 0 R", &["<</Kids[6 0 R 6 0 R]/Nums[0<</S/D/St 9>>]>>"]);
    assert_eq!(open(&circle).unwrap().label(1), Some("9"));
}
