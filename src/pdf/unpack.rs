//! Streams that would unpack to far more than a document needs (decompression bombs).
//!
//! hayro-syntax and hayro-font unpack without a bound, so nothing reaches them that could grow beyond one: streams are looked through before
//! the file is opened, and the content of pages and the parts of fonts are measured before they are unpacked. Only streams whose worst
//! case is beyond the bound are measured; in an ordinary file there are few, and looking costs one search for a word.

use std::borrow::Cow;
use std::ops::Range;

use hayro_syntax::Filter;
use hayro_syntax::object::{Dict, Object, Stream};
use memchr::memmem;

use super::measure::unpacked_size;

/// Most bytes that one stream may unpack to. The largest seen that was honest, a CJK font, has 35 MB.
pub(super) const STREAM_BYTES: usize = 64 << 20;

/// Most bytes that all object streams of a file may unpack to; hayro-syntax keeps them all.
const OBJECT_BYTES: usize = 128 << 20;

/// Most bytes that one object stream may unpack to where lopdf reads it, which takes 40 times as much memory for lists of small numbers.
const LISTED_BYTES: usize = 8 << 20;

/// Longest row of samples that a predictor may be told of. hayro-syntax sets a row aside before it looks whether there is one.
const COLUMNS: usize = 1 << 20;

/// How far before its data the dictionary of a stream begins at most.
const DICTIONARY_BYTES: usize = 4096;

/// Most bytes that one byte can become: Deflate 258 bytes from 2 bits, LZW a string of 4,096 from 12 bits, run lengths 128 from 2 bytes,
/// base 85 a group of four zeros from `z`.
const FLATE_GROWTH: usize = 1032;
const LZW_GROWTH: usize = 2731;
const RUN_GROWTH: usize = 64;
const BASE85_GROWTH: usize = 4;

/// Why a stream gave no bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failed {
    /// It would be larger than the limit.
    TooLarge,
    /// It is broken, or holds a picture.
    Broken,
}

/// Unpacks a stream that may have at most `limit` bytes.
pub(super) fn decoded_within<'a>(stream: &Stream<'a>, limit: usize) -> Result<Cow<'a, [u8]>, Failed> {
    if !has_sane_rows(stream.dict()) {
        return Err(Failed::TooLarge);
    }
    let filters = stream.filters();
    let raw = stream.raw_data();
    if worst_size(raw.len(), &filters) > limit {
        unpacked_size(&raw, &filters, limit).ok_or(Failed::TooLarge)?;
    }
    stream.decoded_data().map_err(|_| Failed::Broken)
}

/// The size of a stream when it is unpacked; `None` where it is over the limit.
pub(super) fn size_within(stream: &Stream<'_>, limit: usize) -> Option<usize> {
    if !has_sane_rows(stream.dict()) {
        return None;
    }
    unpacked_size(&stream.raw_data(), &stream.filters(), limit)
}

/// Whether the parameters of no filter speak of an endless row.
fn has_sane_rows(dict: &Dict<'_>) -> bool {
    let sane = |parameters: &Dict<'_>| parameters.get::<usize>("Columns").is_none_or(|columns| columns <= COLUMNS);
    ["DecodeParms", "DP"].into_iter().all(|key| match dict.get::<Object<'_>>(key) {
        Some(Object::Dict(one)) => sane(&one),
        Some(Object::Array(all)) => all.iter::<Object<'_>>().filter_map(Object::into_dict).all(|one| sane(&one)),
        _ => true,
    })
}

/// A stream that must not be unpacked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bomb {
    dictionary: Range<usize>,
    data: Range<usize>,
}

/// What looking through the streams of a file found.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Streams that would unpack beyond the bounds. In an encrypted file they cannot be told by their bytes.
    pub(super) bombs: Vec<Bomb>,
    /// Bytes outside of streams and in object streams; what a reader that loads every object holds in pieces.
    pub(super) structure: usize,
    /// An object stream is too large for lopdf.
    pub(super) has_long_lists: bool,
}

/// Looks through the streams of a file.
pub(super) fn survey(bytes: &[u8]) -> Survey {
    let mut found = Vec::new();
    let mut structure = bytes.len();
    let mut has_long_lists = false;
    let mut object_streams = Vec::new();
    let mut object_worst = 0_usize;
    let mut at = 0;
    while let Some(next) = bytes.get(at..).and_then(|rest| memmem::find(rest, b"stream")) {
        let word = at + next;
        at = word + b"stream".len();
        let Some(start) = data_start(bytes, word) else { continue };
        let rest = bytes.get(start..).unwrap_or_default();
        let mut end = start + memmem::find(rest, b"endstream").unwrap_or(rest.len());
        at = end;
        let dictionary = dictionary_before(bytes, word);
        let text = &*unescaped(bytes.get(dictionary.clone()).unwrap_or_default());
        let filters = filters_in(text);
        if filters.is_empty() {
            continue;
        }
        // The end of the data may be hidden behind a false one; what is longer counts.
        if let Some(length) = length_in(text) {
            end = end.max(start.saturating_add(length).min(bytes.len()));
        }
        let worst = worst_size(end - start, &filters);
        structure -= (end - start).min(structure);
        let stream = Bomb { dictionary, data: start..end };
        if columns_in(text).is_some_and(|columns| columns > COLUMNS) {
            found.push(stream);
        } else if has(text, b"/First") || has(text, b"/ObjStm") {
            object_worst = object_worst.saturating_add(worst);
            object_streams.push((stream, filters));
        } else if worst > STREAM_BYTES && !is_picture(text) {
            let data = bytes.get(stream.data.clone()).unwrap_or_default();
            if unpacked_size(data, &filters, STREAM_BYTES).is_none() {
                found.push(stream);
            }
        }
    }
    let mut left = OBJECT_BYTES;
    for (stream, filters) in object_streams {
        let data = bytes.get(stream.data.clone()).unwrap_or_default();
        // The worst case of small ones is no more than they may have.
        let known =
            Some(worst_size(data.len(), &filters)).filter(|worst| *worst <= LISTED_BYTES / 8 && object_worst <= OBJECT_BYTES);
        match known.or_else(|| unpacked_size(data, &filters, left.min(STREAM_BYTES))) {
            Some(size) => {
                left = left.saturating_sub(size);
                structure += size;
                has_long_lists |= size > LISTED_BYTES;
            }
            None => found.push(stream),
        }
    }
    Survey { bombs: found, structure, has_long_lists }
}

/// Makes streams harmless: their data becomes zeros, which grow under no filter, and their filter one that the text layer refuses, so that
/// a page made of one is known to be damaged.
pub(super) fn defuse(bytes: &mut [u8], bombs: &[Bomb]) {
    const REFUSED: &[u8] = b"/F/DCT";
    for bomb in bombs {
        if let Some(data) = bytes.get_mut(bomb.data.clone()) {
            data.fill(0);
        }
        let Some(dictionary) = bytes.get_mut(bomb.dictionary.clone()) else { continue };
        let Some(entry) = filter_entry(dictionary).and_then(|entry| dictionary.get_mut(entry)) else { continue };
        if entry.len() >= REFUSED.len() {
            let (start, rest) = entry.split_at_mut(REFUSED.len());
            start.copy_from_slice(REFUSED);
            rest.fill(b' ');
        }
    }
}

/// Where the filters stand in a dictionary, key and value.
fn filter_entry(dictionary: &[u8]) -> Option<Range<usize>> {
    let start = filter_key(dictionary)?;
    let name = |from: usize| {
        let rest = dictionary.get(from + 1..).unwrap_or_default();
        from + 1 + rest.iter().position(|b| b.is_ascii_whitespace() || b"/[]<>(){}%".contains(b)).unwrap_or(rest.len())
    };
    let value = name(start);
    let rest = dictionary.get(value..)?;
    let value = value + rest.iter().position(|b| !b.is_ascii_whitespace())?;
    let end = match dictionary.get(value)? {
        b'[' => value + memchr::memchr(b']', dictionary.get(value..)?)? + 1,
        b'/' => name(value),
        _ => value + memchr::memchr(b'R', dictionary.get(value..)?)? + 1,
    };
    Some(start..end)
}

/// Where the entry for the filters begins.
fn filter_key(dictionary: &[u8]) -> Option<usize> {
    [b"/Filter".as_slice(), b"/F/", b"/F[", b"/F "].iter().filter_map(|key| memmem::find(dictionary, key)).min()
}

/// Where the data of a stream begins whose keyword stands here; `None` where the word is another one.
fn data_start(bytes: &[u8], word: usize) -> Option<usize> {
    if bytes.get(..word)?.ends_with(b"end") {
        return None;
    }
    let after = word + b"stream".len();
    match bytes.get(after..after + 2)? {
        [b'\r', b'\n'] => Some(after + 2),
        [b'\n' | b'\r', _] => Some(after + 1),
        _ => None,
    }
}

fn dictionary_before(bytes: &[u8], word: usize) -> Range<usize> {
    let from = word.saturating_sub(DICTIONARY_BYTES);
    let before = bytes.get(from..word).unwrap_or_default();
    from + memmem::rfind(before, b"obj").unwrap_or(0)..word
}

/// A dictionary with the escapes of its names (`#46` for F) undone.
fn unescaped(dictionary: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'#', dictionary).is_none() {
        return Cow::Borrowed(dictionary);
    }
    let digit = |b: Option<&u8>| char::from(*b?).to_digit(16).and_then(|d| u8::try_from(d).ok());
    let mut out = Vec::with_capacity(dictionary.len());
    let mut at = 0;
    while let Some(byte) = dictionary.get(at) {
        match (byte, digit(dictionary.get(at + 1)), digit(dictionary.get(at + 2))) {
            (b'#', Some(high), Some(low)) => {
                out.push(high << 4 | low);
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    Cow::Owned(out)
}

/// The filters that a dictionary names, in order. Where they stand in another object, several layers of Deflate are the worst that they can
/// be; data that is something else comes out small.
fn filters_in(dictionary: &[u8]) -> Vec<Filter> {
    const NAMES: [(&[u8], Filter); 10] = [
        (b"FlateDecode", Filter::FlateDecode),
        (b"Fl", Filter::FlateDecode),
        (b"LZWDecode", Filter::LzwDecode),
        (b"LZW", Filter::LzwDecode),
        (b"RunLengthDecode", Filter::RunLengthDecode),
        (b"RL", Filter::RunLengthDecode),
        (b"ASCII85Decode", Filter::Ascii85Decode),
        (b"A85", Filter::Ascii85Decode),
        (b"ASCIIHexDecode", Filter::AsciiHexDecode),
        (b"AHx", Filter::AsciiHexDecode),
    ];
    const HIDDEN: usize = 8;
    let Some(at) = filter_key(dictionary) else { return Vec::new() };
    let rest = dictionary.get(at + 1..).unwrap_or_default();
    let names: Vec<&[u8]> = memmem::find_iter(rest, b"/")
        .filter_map(|at| rest.get(at + 1..))
        .map(|name| name.get(..name.iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(name.len())).unwrap_or_default())
        .collect();
    let found: Vec<Filter> =
        names.iter().filter_map(|name| NAMES.iter().find(|(known, _)| known == name)).map(|(_, filter)| *filter).collect();
    let named = names.iter().any(|name| name.ends_with(b"Decode") || matches!(*name, b"DCT" | b"CCF" | b"Crypt"));
    if found.is_empty() && !named { vec![Filter::FlateDecode; HIDDEN] } else { found }
}

/// The length that a dictionary gives, where it stands in it as a number.
fn length_in(dictionary: &[u8]) -> Option<usize> {
    number_in(dictionary, b"/Length")
}

fn columns_in(dictionary: &[u8]) -> Option<usize> {
    number_in(dictionary, b"/Columns")
}

/// The largest number under this key.
fn number_in(dictionary: &[u8], key: &[u8]) -> Option<usize> {
    let numbers = memmem::find_iter(dictionary, key).filter_map(|at| {
        let rest = dictionary.get(at + key.len()..)?.trim_ascii_start();
        let digits = rest.get(..rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len()))?;
        let reference = rest.get(digits.len()..).unwrap_or_default().trim_ascii_start().first().is_some_and(u8::is_ascii_digit);
        if digits.is_empty() || reference { None } else { Some(std::str::from_utf8(digits).ok()?.parse().unwrap_or(usize::MAX)) }
    });
    numbers.max()
}

/// Pictures are never unpacked here. A dictionary that could also be that of an object or cross-reference stream is not trusted.
fn is_picture(dictionary: &[u8]) -> bool {
    has(dictionary, b"/Image") && has(dictionary, b"/Width") && has(dictionary, b"/Height") && !has(dictionary, b"/Size")
}

fn has(bytes: &[u8], word: &[u8]) -> bool {
    memmem::find(bytes, word).is_some()
}

/// The most that data of this length can become.
fn worst_size(length: usize, filters: &[Filter]) -> usize {
    filters.iter().fold(length, |size, filter| {
        size.saturating_mul(match filter {
            Filter::FlateDecode => FLATE_GROWTH,
            Filter::LzwDecode => LZW_GROWTH,
            Filter::RunLengthDecode => RUN_GROWTH,
            Filter::Ascii85Decode => BASE85_GROWTH,
            _ => 1,
        })
    })
}
