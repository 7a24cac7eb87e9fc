//! Streams that would unpack to far more than a document needs (decompression bombs).
//!
//! hayro-syntax unpacks without a bound, so nothing reaches it that could grow beyond one: streams are looked through before the file is
//! opened, and the content of pages is unpacked with a limit. Only streams whose worst case is beyond the bound are measured, with lopdf,
//! which stops at a limit; in an ordinary file there are none, and looking costs one search for a word.

use std::borrow::Cow;
use std::ops::Range;

use hayro_syntax::Filter;
use hayro_syntax::object::Stream;
use lopdf::{DecompressError, Dictionary, Error, Object};
use memchr::memmem;

use super::contain;

/// Most bytes that one stream may unpack to. The largest seen that was honest, a CJK font, has 35 MB.
const STREAM_BYTES: usize = 128 << 20;

/// Most bytes that all object streams of a file may unpack to; hayro-syntax keeps them all.
const OBJECT_BYTES: usize = 192 << 20;

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
    let filters = stream.filters();
    let raw = stream.raw_data();
    let worst = filters.iter().fold(raw.len(), |size, filter| size.saturating_mul(growth_of(*filter)));
    if worst > limit {
        let names = filters.iter().filter_map(|f| name_of(*f)).collect();
        if measure(&raw, names, limit).is_none() {
            return Err(Failed::TooLarge);
        }
    }
    stream.decoded_data().map_err(|_| Failed::Broken)
}

/// A stream that must not be unpacked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bomb {
    dictionary: Range<usize>,
    data: Range<usize>,
}

/// Finds the streams of a file that would unpack beyond the bounds. In an encrypted file they cannot be told by their bytes.
pub(super) fn bombs(bytes: &[u8]) -> Vec<Bomb> {
    let mut found = Vec::new();
    let mut object_streams = Vec::new();
    let mut object_worst = 0_usize;
    let mut at = 0;
    while let Some(next) = bytes.get(at..).and_then(|rest| memmem::find(rest, b"stream")) {
        let word = at + next;
        at = word + b"stream".len();
        let Some(start) = data_start(bytes, word) else { continue };
        let rest = bytes.get(start..).unwrap_or_default();
        let end = start + memmem::find(rest, b"endstream").unwrap_or(rest.len());
        at = end;
        let dictionary = dictionary_before(bytes, word);
        let text = bytes.get(dictionary.clone()).unwrap_or_default();
        let names = filter_names(text);
        let growth = names.iter().fold(1_usize, |g, name| g.saturating_mul(growth_of_name(name)));
        let worst = (end - start).saturating_mul(growth);
        let stream = Bomb { dictionary, data: start..end };
        if has(text, b"/First") || has(text, b"/ObjStm") {
            object_worst = object_worst.saturating_add(worst);
            object_streams.push((stream, names));
        } else if worst > STREAM_BYTES && !is_picture(text) && is_bomb(bytes, &stream, names, STREAM_BYTES) {
            found.push(stream);
        }
    }
    if object_worst > OBJECT_BYTES {
        let mut left = OBJECT_BYTES;
        for (stream, names) in object_streams {
            let data = bytes.get(stream.data.clone()).unwrap_or_default();
            match measure(data, names, left.min(STREAM_BYTES)) {
                Some(size) => left -= size.min(left),
                None => found.push(stream),
            }
        }
    }
    found
}

/// Makes streams harmless: their data becomes zeros and their filter one that the text layer refuses, so that a page made of one is known
/// to be damaged.
pub(super) fn defuse(bytes: &mut [u8], bombs: &[Bomb]) {
    for bomb in bombs {
        if let Some(data) = bytes.get_mut(bomb.data.clone()) {
            data.fill(0);
        }
        if let Some(dictionary) = bytes.get_mut(bomb.dictionary.clone()) {
            for (from, to) in [(b"FlateDecode".as_slice(), b"DCTDecode  ".as_slice()), (b"LZWDecode", b"DCTDecode")] {
                while let Some(place) = memmem::find(dictionary, from).and_then(|i| dictionary.get_mut(i..i + from.len())) {
                    place.copy_from_slice(to);
                }
            }
        }
    }
}

fn is_bomb(bytes: &[u8], stream: &Bomb, names: Vec<Object>, limit: usize) -> bool {
    measure(bytes.get(stream.data.clone()).unwrap_or_default(), names, limit).is_none()
}

/// The size after unpacking; `None` where it is over the limit. What cannot be unpacked counts as nothing.
fn measure(data: &[u8], filters: Vec<Object>, limit: usize) -> Option<usize> {
    let mut dictionary = Dictionary::new();
    dictionary.set("Filter", filters);
    let stream = lopdf::Stream::new(dictionary, data.to_vec());
    match contain::quietly(|| stream.decompressed_content_with_limit(limit)) {
        Ok(Ok(content)) => Some(content.len()),
        Ok(Err(Error::Decompress(DecompressError::MemoryLimitExceeded { .. }))) => None,
        _ => Some(0),
    }
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

/// The filters that a dictionary names, in order. A filter that stands in another object is taken for Deflate.
fn filter_names(dictionary: &[u8]) -> Vec<Object> {
    const NAMES: [&[u8]; 5] = [b"FlateDecode", b"LZWDecode", b"RunLengthDecode", b"ASCII85Decode", b"ASCIIHexDecode"];
    let mut found: Vec<(usize, &[u8])> =
        NAMES.iter().flat_map(|name| memmem::find_iter(dictionary, name).map(move |at| (at, *name))).collect();
    found.sort_unstable();
    if found.is_empty() && has(dictionary, b"/Filter") && !has(dictionary, b"Decode") {
        found.push((0, b"FlateDecode"));
    }
    found.into_iter().map(|(_, name)| Object::Name(name.to_vec())).collect()
}

/// Pictures are never unpacked here. A dictionary that could also be that of an object or cross-reference stream is not trusted.
fn is_picture(dictionary: &[u8]) -> bool {
    has(dictionary, b"/Image") && has(dictionary, b"/Width") && has(dictionary, b"/Height") && !has(dictionary, b"/Size")
}

fn has(bytes: &[u8], word: &[u8]) -> bool {
    memmem::find(bytes, word).is_some()
}

fn growth_of_name(name: &Object) -> usize {
    match name.as_name() {
        Ok(b"FlateDecode") => FLATE_GROWTH,
        Ok(b"LZWDecode") => LZW_GROWTH,
        Ok(b"RunLengthDecode") => RUN_GROWTH,
        Ok(b"ASCII85Decode") => BASE85_GROWTH,
        _ => 1,
    }
}

fn growth_of(filter: Filter) -> usize {
    name_of(filter).map_or(1, |name| growth_of_name(&name))
}

fn name_of(filter: Filter) -> Option<Object> {
    let name: &[u8] = match filter {
        Filter::FlateDecode => b"FlateDecode",
        Filter::LzwDecode => b"LZWDecode",
        Filter::RunLengthDecode => b"RunLengthDecode",
        Filter::Ascii85Decode => b"ASCII85Decode",
        Filter::AsciiHexDecode => b"ASCIIHexDecode",
        _ => return None,
    };
    Some(Object::Name(name.to_vec()))
}
