//! Streams that unpack to more than the bounds allow.

use hayro_syntax::Pdf;
use lopdf::{Dictionary, Stream};
use proptest::prelude::*;

use super::forge::pdf;
use super::open;
use crate::pdf::unpack::{size_within, survey};
use crate::pdf::{FileNote, PageNote, content_hash_of};

/// 4 GB of spaces, deflated three times, in 265 bytes.
const NESTED: &str = "78daabb8f5f6ce42a3a78932c71f267b309949343a94b04797c9b88a9d700bec910c4c3e9e137ecef50deb0e06df2b6fbcf41c84549e3d8839f6ffb3\
    cdcbb3fb7fcc2db713f7d72fdfef1ebfce4c5dfe7676bdb83b0303c38103b17ff7cf9bffbb2ec74ffefb377e4606868685d6717151337a99debbbfde\
    7d0e28c0d0fcfdf9f5f3536ff2375e3fbd99f53950a0e160746db5dcf96d0dbf5fbeed67fe0e16f9ad2e01a419349b403a2e288139ba608e80321267\
    5466546654665466546654665466546654665466546654665466546654665466546654665466546654665466546654665486163293b73f9ffd5e33e1\
    8f41adcd4dc98ba576e555bb377ee5bc6cb7e41b00ae610420";

fn nested() -> Vec<u8> {
    NESTED.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn deflated(data: Vec<u8>) -> Vec<u8> {
    let mut stream = Stream::new(Dictionary::new(), data);
    stream.compress().unwrap();
    stream.content
}

/// A file of one page whose content is this stream.
fn file(filter: &str, data: &[u8]) -> Vec<u8> {
    holding(&["<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>", &format!("<</Filter{filter}@@")], data)
}

/// A file with these objects from number 3, the page, on. `@@` ends the dictionary of the stream that holds the data.
fn holding(objects: &[&str], data: &[u8]) -> Vec<u8> {
    let start = format!("/Length {}>>stream\n@@\nendstream", data.len());
    let objects = objects.iter().map(|object| object.replace("@@", &start));
    let tree = ["<</Type/Catalog/Pages 2 0 R>>".to_owned(), "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned()];
    let mut bytes = pdf(&tree.into_iter().chain(objects).collect::<Vec<_>>());
    // The table behind it no longer fits; it is found by the search for objects.
    if let Some(at) = bytes.windows(2).position(|w| w == b"@@") {
        bytes.splice(at..at + 2, data.iter().copied());
    }
    bytes
}

#[test]
fn a_page_that_is_a_bomb_is_damaged() {
    let bytes = file("/FlateDecode", &deflated(vec![b' '; 130 << 20]));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bomb.pdf");
    std::fs::write(&path, &bytes).unwrap();
    let file = open(&bytes).unwrap();
    assert!(file.notes().contains(&FileNote::CutShort));
    assert!(file.page(1).notes.contains(&PageNote::Damaged));
    assert_eq!(file.content_hash(), content_hash_of(&path).unwrap().0);
}

#[test]
fn a_bomb_in_a_bomb() {
    // Runs of 128 spaces: 140 MB from 2 MB from 5 kB.
    let bytes = deflated([129, b' '].repeat((140 << 20) / 128));
    assert!(bytes.len() < 10_000);
    let file = open(&file("[/FlateDecode/RunLengthDecode]", &bytes)).unwrap();
    assert!(file.notes().contains(&FileNote::CutShort));
}

/// What is said of the first page and of the file, one after the other.
fn said_of(bytes: &[u8]) -> (Vec<PageNote>, bool) {
    let file = open(bytes).unwrap();
    let notes = file.page(1).notes;
    (notes, file.notes().contains(&FileNote::CutShort))
}

#[test]
fn bombs_as_content_are_damage() {
    for filter in
        ["[/FlateDecode/FlateDecode/FlateDecode]", "[/Fl/Fl/Fl]", "[/Flate#44ecode/Fl#61teDecode/FlateDecode]", "[/Crypt/Fl/Fl/Fl]"]
    {
        let (notes, _) = said_of(&file(filter, &nested()));
        assert!(notes.contains(&PageNote::Damaged), "{filter}: {notes:?}");
    }
    // The array of filters in an object of its own, and a false end of the data in front of the bomb.
    let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>";
    let apart = holding(&[page, "<</Filter 5 0 R@@", "[/FlateDecode/FlateDecode/FlateDecode]"], &nested());
    assert!(said_of(&apart).1);
}

#[test]
fn forms_that_are_bombs_are_damage() {
    let resources = "/Resources<</XObject<</X 5 0 R>>>>";
    let page = format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]{resources}/Contents 4 0 R>>");
    let content = "<</Length 5>>stream\n/X Do\nendstream";
    let form = "<</Type/XObject/Subtype/Form/BBox[0 0 1 1]/Filter[/Fl/Fl/Fl]@@";
    assert!(said_of(&holding(&[&page, content, form], &nested())).0.contains(&PageNote::Damaged));
}

#[test]
fn fonts_that_are_bombs_are_not_loaded() {
    let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>";
    let content = "<</Length 32>>stream\nBT /F1 12 Tf 72 700 Td (AB) Tj ET\nendstream";
    let bomb = "<</Filter[/Fl/Fl/Fl]@@";
    let program = "<</Type/Font/Subtype/TrueType/BaseFont/X/FontDescriptor<</FontName/X/Flags 4/FontFile2 6 0 R>>>>";
    let map = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>";
    let descendant = "<</Type/Font/Subtype/CIDFontType2/BaseFont/X/CIDToGIDMap 6 0 R>>";
    let codes = format!("<</Type/Font/Subtype/Type0/BaseFont/X/Encoding 6 0 R/DescendantFonts[{descendant}]>>");
    let glyphs = format!("<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[{descendant}]>>");
    for font in [program, map, &codes, &glyphs] {
        let (notes, cut_short) = said_of(&holding(&[page, content, font, bomb], &nested()));
        assert!(cut_short || notes.contains(&PageNote::Undecodable), "{font}: {notes:?}");
    }
}

#[test]
fn fonts_with_endless_widths_are_not_loaded() {
    for widths in ["/W[0 4294967295 500]", "/W2[7 4294967295 1 2 3]", "/W[0 200000 1 0 200000 2 1[3 4]]"] {
        let descendant = format!("<</Type/Font/Subtype/CIDFontType2/BaseFont/X{widths}>>");
        let font = format!("<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[{descendant}]>>");
        let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>";
        let content = "<</Length 32>>stream\nBT /F1 12 Tf 72 700 Td (AB) Tj ET\nendstream";
        assert_eq!(said_of(&holding(&[page, content, &font], b"")).0, [PageNote::Undecodable], "{widths}");
    }
}

#[test]
fn object_and_reference_streams_that_are_bombs_are_left_out() {
    let bytes = file("/FlateDecode", &deflated(b" ".to_vec()));
    for kind in ["/Type/ObjStm/N 1/First 5", "/Type/XRef/Size 9/W[1 2 1]/Root 1 0 R"] {
        for filter in ["/Filter[/FlateDecode/FlateDecode/FlateDecode]", "/Filter[/Fl/Fl/Fl]", "/Fi#6cter[/Fl/Fl/Fl]"] {
            let objects =
                ["<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>", "null", &format!("<<{kind}{filter}@@")];
            let mut with = holding(&objects, &nested());
            let at = with.windows(7).position(|w| w == b"5 0 obj").unwrap();
            with.extend_from_slice(format!("startxref\n{at}\n%%EOF\n").as_bytes());
            let file = open(&with).unwrap();
            assert!(file.notes().contains(&FileNote::CutShort), "{kind}{filter}");
        }
    }
    assert!(!open(&bytes).unwrap().notes().contains(&FileNote::CutShort));
}

#[test]
fn many_small_bombs_are_one_large_one() {
    // Each part has 60 MB, and there are a thousand.
    let parts = "4 0 R ".repeat(1000);
    let page = format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents[{parts}]>>");
    let (notes, _) = said_of(&holding(&[&page, "<</Filter/FlateDecode@@"], &deflated(vec![b' '; 60 << 20])));
    assert!(notes.contains(&PageNote::Damaged));
}

#[test]
fn large_and_honest_is_read() {
    let file = open(&file("/FlateDecode", &deflated(vec![b' '; 8 << 20]))).unwrap();
    assert!(!file.notes().contains(&FileNote::CutShort));
    assert_eq!(file.page(1).notes, [PageNote::Blank]);
}

/// The stream that is object 4 of a file.
fn with_stream<T>(bytes: &[u8], f: impl FnOnce(&hayro_syntax::object::Stream<'_>) -> T) -> Option<T> {
    let pdf = Pdf::new(bytes.to_vec()).ok()?;
    let stream = pdf.xref().get::<hayro_syntax::object::Stream<'_>>(hayro_syntax::object::ObjectIdentifier::new(4, 0))?;
    Some(f(&stream))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn measuring_is_unpacking(
        words in prop::collection::vec(prop::sample::select(vec![" ", "a", "bcd", "0123", "\0", "\u{ff}\u{ff}"]), 0..600),
        noise in prop::collection::vec(any::<u8>(), 0..300),
        filter in 0..7_usize,
        damage in prop::collection::vec((0.0..1.0_f64, any::<u8>()), 0..4),
        first in 0..6_usize,
    ) {
        let plain = [words.concat().into_bytes(), noise.clone()].concat();
        let (filters, mut data) = match filter {
            0 => ("/FlateDecode", deflated(plain)),
            1 => ("/FlateDecode", noise),
            2 => ("[/FlateDecode/FlateDecode]", deflated(deflated(plain))),
            3 => ("/LZWDecode", noise),
            4 => ("/RunLengthDecode", plain),
            5 => ("[/ASCIIHexDecode/FlateDecode]", deflated(plain).iter().map(|b| format!("{b:02X} ")).collect::<String>().into_bytes()),
            _ => ("[/A85/RL]", plain.iter().map(|b| b'!' + b % 85).chain(*b"zz~>").collect()),
        };
        // Noise becomes a block of each kind.
        if matches!(filter, 1) && !data.is_empty() {
            data[0] = first as u8;
        }
        let len = data.len() as f64;
        for (place, byte) in damage {
            if !data.is_empty() {
                data[(place * len) as usize] = byte;
            }
        }
        with_stream(&file(filters, &data), |stream| {
            if let Ok(unpacked) = stream.decoded_data() {
                assert_eq!(size_within(stream, usize::MAX), Some(unpacked.len()));
                if !unpacked.is_empty() {
                    assert_eq!(size_within(stream, unpacked.len() - 1), None);
                }
            }
        });
    }
}

#[test]
fn rows_without_end_are_not_set_aside() {
    // The memory for one row is asked for before the data is looked at, and the program ends where it cannot be had.
    let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>";
    let row = "<</Predictor 2/Columns 1099511627776/BitsPerComponent 1>>";
    for (parameters, more) in [(row, "null"), ("5 0 R", row), ("[null 5 0 R]", row)] {
        let content = format!("<</Filter[/ASCIIHexDecode/FlateDecode]/DecodeParms {parameters}@@");
        let content =
            if parameters.starts_with('[') { content } else { content.replace("[/ASCIIHexDecode/FlateDecode]", "/FlateDecode") };
        let (notes, _) = said_of(&holding(&[page, &content, more], &deflated(b"0 g ".repeat(200))));
        assert!(notes.contains(&PageNote::Damaged), "{parameters}: {notes:?}");
    }
}

#[test]
fn long_lists_are_not_given_to_a_reader_that_keeps_them() {
    let list = format!("6 0 [{}]", "1 ".repeat(5 << 20));
    let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>";
    let objects = [page, "null", "<</Type/ObjStm/N 1/First 4/Filter/FlateDecode@@"];
    let bytes = holding(&objects, &deflated(list.into_bytes()));
    let found = survey(&bytes);
    assert!(found.has_long_lists && found.structure > 10 << 20 && found.bombs.is_empty());
    assert_eq!(open(&bytes).unwrap().page_count(), 1);
    let few = survey(&file("/FlateDecode", &deflated(vec![b' '; 8 << 20])));
    assert!(!few.has_long_lists && few.structure < 2000);
}
