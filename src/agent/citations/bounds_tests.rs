//! Texts made to be slow: the check takes time in proportion to a text, whatever it holds.

use std::time::{Duration, Instant};

use super::tests::ledger;
use super::{CiteStream, check};

/// Bytes of each text.
const SIZE: usize = 200_000;
/// In an optimised build each takes well under a second; an unoptimised one on a busy machine gets this long.
const BOUND: Duration = Duration::from_secs(25);

#[test]
fn long_texts_of_any_shape_take_no_more_than_their_length() {
    let row = "Revenue  $ 24,690  $ 23,549  5 %\nInternational  (3)  (56)  95 %\n";
    let pages = ledger(&[("q1.pdf", 1, "Revenues increased 5% for Q1 to $24.7 billion."), ("q1.pdf", 3, &row.repeat(40))]);
    let shapes = [
        "<cite doc=\"q1.pdf\" page=\"1\">",
        "<cite doc=\"q1.pdf\" page=\"1\"/>",
        "<cite doc=\"q1.pdf\" page=\"3\">International (3) (56) @</cite>",
        "It rose # % <cite doc=\"q1.pdf\" page=\"1\">Revenues increased #%</cite>, ",
        "Revenue was #,123 million [q1.pdf, p. 3]. ",
        "Revenue was #,123 million [q1.pdf, p. 3] and ",
        "It was #.7 million higher, a total of #.9 = ",
        "<cite ",
        "<",
        "[",
        "((((",
        "</cite>",
        "per cent ",
        "1 ",
        "(1) ",
        "123 456 ",
        "a. B ",
        "- ",
        "| # | ",
        "\n",
        "<cite doc=\"q1.pdf\" page=\"#\">@ ... @</cite>",
    ];
    for shape in shapes {
        let mut text = String::with_capacity(SIZE + 100);
        let mut count = 0u32;
        while text.len() < SIZE {
            count += 1;
            text.push_str(&shape.replace('#', &(count % 900).to_string()).replace('@', &format!("words{count}")));
        }
        let started = Instant::now();
        let checked = check(&text, &pages, "");
        let mut stream = CiteStream::new();
        let mut shown = String::new();
        for piece in text.as_bytes().chunks(997) {
            shown.push_str(&stream.push(std::str::from_utf8(piece).unwrap()));
        }
        shown.push_str(&stream.finish());
        let took = started.elapsed();
        assert_eq!(shown, checked.answer, "{shape}");
        assert!(took < BOUND, "{took:?} for {shape:?}");
    }
}
