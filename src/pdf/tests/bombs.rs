//! Streams that unpack to more than the bounds allow.

use hayro_syntax::Pdf;
use lopdf::{Dictionary, Stream};
use proptest::prelude::*;

use super::forge::pdf;
use super::open;
use crate::pdf::unpack::size_within;
use crate::pdf::{FileNote, PageNote, content_hash_of};

fn deflated(data: Vec<u8>) -> Vec<u8> {
    let mut stream = Stream::new(Dictionary::new(), data);
    stream.compress().unwrap();
    stream.content
}

/// A file of one page whose content is this stream.
fn file(filter: &str, data: &[u8]) -> Vec<u8> {
    let content = format!("<</Length {}/Filter{filter}>>stream\n@@\nendstream", data.len());
    let head = pdf(&[
        "<</Type/Catalog/Pages 2 0 R>>".into(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".into(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>".into(),
        content,
    ]);
    let at = head.windows(2).position(|w| w == b"@@").unwrap();
    // The table behind it no longer fits; it is found by the search for objects.
    [&head[..at], data, &head[at + 2..]].concat()
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
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

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
