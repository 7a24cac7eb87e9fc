//! Streams that unpack to more than the bounds allow.

use lopdf::{Dictionary, Stream};

use super::forge::pdf;
use super::open;
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
