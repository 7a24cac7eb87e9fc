//! Damage to the objects of a file: keys, values, references, and what streams hold.

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, StringFormat};

use crate::random::Random;
use crate::raw;

/// Most bytes that a stream may have to be damaged inside.
const STREAM_BYTES: usize = 4 << 20;

/// Keys that the room looks at.
const KEYS: [&str; 72] = [
    "Kids",
    "Parent",
    "Count",
    "Pages",
    "Type",
    "Subtype",
    "Resources",
    "Font",
    "XObject",
    "ExtGState",
    "Properties",
    "Contents",
    "MediaBox",
    "CropBox",
    "Rotate",
    "UserUnit",
    "Annots",
    "AP",
    "N",
    "AS",
    "FT",
    "V",
    "Ff",
    "Rect",
    "Matrix",
    "BBox",
    "F",
    "ToUnicode",
    "Encoding",
    "Differences",
    "BaseEncoding",
    "DescendantFonts",
    "CIDSystemInfo",
    "CIDToGIDMap",
    "W",
    "W2",
    "DW",
    "DW2",
    "Widths",
    "FirstChar",
    "LastChar",
    "MissingWidth",
    "FontDescriptor",
    "FontFile",
    "FontFile2",
    "FontFile3",
    "FontMatrix",
    "FontBBox",
    "CharProcs",
    "BaseFont",
    "Flags",
    "Filter",
    "DecodeParms",
    "Predictor",
    "Columns",
    "Colors",
    "Length",
    "Outlines",
    "First",
    "Next",
    "Last",
    "Prev",
    "Dest",
    "A",
    "D",
    "Names",
    "Nums",
    "PageLabels",
    "OCProperties",
    "OC",
    "AcroForm",
    "Encrypt",
];

/// Loads a file, damages some of its objects and writes it again; `None` where lopdf cannot load it.
pub fn damage(file: &[u8], other: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let mut document = Document::load_mem(file).ok()?;
    let ids: Vec<ObjectId> = document.objects.keys().copied().collect();
    if ids.is_empty() {
        return None;
    }
    let values = values_of(&document, &ids, random);
    for _ in 0..random.few(10) {
        let id = *random.pick(&ids);
        let object = document.objects.get_mut(&id)?;
        match object {
            Object::Stream(stream) if !random.one_in(4) => damage_stream(stream, other, random),
            object => damage_object(object, id, &ids, &values, random),
        }
    }
    let mut out = Vec::new();
    let saved = if random.one_in(3) { document.save_modern(&mut out) } else { document.save_to(&mut out) };
    saved.ok()?;
    if random.one_in(3) {
        damage_packed(&mut out, other, random);
    }
    Some(out)
}

/// Some values of the file, to be put in the place of others.
fn values_of(document: &Document, ids: &[ObjectId], random: &mut Random) -> Vec<Object> {
    let mut values = Vec::new();
    for _ in 0..24 {
        let dictionary = match document.objects.get(random.pick(ids)) {
            Some(Object::Dictionary(d)) => d,
            Some(Object::Stream(s)) => &s.dict,
            _ => continue,
        };
        let at = random.below(dictionary.len());
        values.extend(dictionary.iter().nth(at).map(|(_, value)| value.clone()));
    }
    values
}

fn damage_object(object: &mut Object, id: ObjectId, ids: &[ObjectId], values: &[Object], random: &mut Random) {
    // Down into it at times, else here.
    match object {
        Object::Dictionary(d) | Object::Stream(Stream { dict: d, .. }) => damage_dictionary(d, id, ids, values, random),
        Object::Array(items) if !items.is_empty() => {
            let at = random.below(items.len());
            match random.below(6) {
                0 => items.truncate(at),
                1 => {
                    let item = items[at].clone();
                    // Lists in lists would soon fill the memory of this program.
                    let simple = !matches!(item, Object::Array(_) | Object::Dictionary(_));
                    let times = if simple && items.len() < 10_000 { [1, 10, 3_000][random.below(3)] } else { 1 };
                    items.extend(std::iter::repeat_n(item, times));
                }
                2 => items.swap(0, at),
                3 => items[at] = hostile(id, ids, values, random),
                _ => damage_object(&mut items[at], id, ids, values, random),
            }
        }
        Object::String(bytes, _) if !random.one_in(3) => raw::damage(bytes, b"D:20250101 %PDF \xFE\xFF\x00a", random),
        object => *object = hostile(id, ids, values, random),
    }
}

fn damage_dictionary(dictionary: &mut Dictionary, id: ObjectId, ids: &[ObjectId], values: &[Object], random: &mut Random) {
    let at = random.below(dictionary.len());
    let key = dictionary.iter().nth(at).map(|(key, _)| key.clone());
    match (key, random.below(8)) {
        (Some(key), 0) => {
            dictionary.remove(&key);
        }
        (Some(key), 1) => {
            let value = dictionary.remove(&key).unwrap_or(Object::Null);
            dictionary.set(*random.pick(&KEYS), value);
        }
        (Some(key), 2 | 3) => dictionary.set(key, hostile(id, ids, values, random)),
        (Some(key), 4 | 5) => {
            if let Ok(value) = dictionary.get_mut(&key) {
                damage_object(value, id, ids, values, random);
            }
        }
        _ => dictionary.set(*random.pick(&KEYS), hostile(id, ids, values, random)),
    }
}

/// A value that nobody expects.
fn hostile(id: ObjectId, ids: &[ObjectId], values: &[Object], random: &mut Random) -> Object {
    match random.below(14) {
        0 => Object::Null,
        1 | 2 => random.pick(&raw::NUMBERS).parse().map_or(Object::Integer(-1), Object::Integer),
        3 => Object::Real(*random.pick(&[0.0, -0.5, 1e-30, 3.4e38, -3.4e38, 1e9])),
        4 => Object::Reference(id),
        5 | 6 => Object::Reference(*random.pick(ids)),
        7 => Object::Reference((u32::MAX, 65_535)),
        8 => Object::Name(random.pick(&KEYS).as_bytes().to_vec()),
        9 => Object::Array((0..random.below(12)).map(|_| Object::Integer(random.below(70_000) as i64 - 1_000)).collect()),
        10 => {
            let depth = [5, 60, 600][random.below(3)];
            (0..depth).fold(Object::Reference(id), |inner, _| Object::Array(vec![inner]))
        }
        11 => Object::String((0..random.below(40)).map(|_| random.next() as u8).collect(), StringFormat::Hexadecimal),
        _ if values.is_empty() => Object::Boolean(true),
        _ => random.pick(values).clone(),
    }
}

/// Damages what a stream holds, and stores it in one of the ways that a stream can be stored.
fn damage_stream(stream: &mut Stream, other: &[u8], random: &mut Random) {
    let Ok(mut content) = stream.get_plain_content_with_limit(STREAM_BYTES) else {
        raw::damage(&mut stream.content, other, random);
        return;
    };
    raw::damage(&mut content, other, random);
    stream.dict.remove(b"DecodeParms");
    let filters = store(&mut content, random);
    stream.dict.set("Filter", filters.into_iter().map(|name| Object::Name(name.into())).collect::<Vec<_>>());
    stream.dict.set("Length", content.len() as i64);
    stream.content = content;
}

/// Packs content with up to four filters; the first named is the last applied.
fn store(content: &mut Vec<u8>, random: &mut Random) -> Vec<&'static str> {
    let mut names = Vec::new();
    let layers = if random.one_in(3) { random.few(4) } else { usize::from(random.one_in(2)) };
    for _ in 0..layers {
        let (name, packed) = match random.below(6) {
            0 => ("ASCIIHexDecode", hex(content)),
            1 => ("RunLengthDecode", runs(content)),
            // A filter that does not fit what is there.
            2 if random.one_in(3) => {
                (*random.pick(&["LZWDecode", "ASCII85Decode", "DCTDecode", "Crypt", "JBIG2Decode", "Unknown"]), content.clone())
            }
            _ => ("FlateDecode", deflated(content)),
        };
        *content = packed;
        names.insert(0, name);
    }
    names
}

fn hex(content: &[u8]) -> Vec<u8> {
    let digit = |n: u8| b"0123456789ABCDEF"[usize::from(n & 15)];
    content.iter().flat_map(|b| [digit(b >> 4), digit(*b)]).chain([b'>']).collect()
}

fn runs(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for part in content.chunks(128) {
        out.push(part.len() as u8 - 1);
        out.extend_from_slice(part);
    }
    out.push(128);
    out
}

pub fn deflated(content: &[u8]) -> Vec<u8> {
    let mut stream = Stream::new(Dictionary::new(), content.to_vec());
    // What cannot be made smaller stays as it is, without the filter.
    if stream.compress().is_ok() && stream.dict.has(b"Filter") { stream.content } else { stored_blocks(content) }
}

/// A zlib stream of stored blocks; the checksum is left out.
fn stored_blocks(content: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let mut blocks = content.chunks(65_535).peekable();
    while let Some(block) = blocks.next() {
        let length = block.len() as u16;
        out.push(u8::from(blocks.peek().is_none()));
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&(!length).to_le_bytes());
        out.extend_from_slice(block);
    }
    out
}

/// Damages what an object stream or a cross-reference stream holds. The result keeps its length where it can, so that the offsets of what
/// follows stay right.
fn damage_packed(file: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let word = |from: usize, word: &[u8]| file[from..].windows(word.len()).position(|w| w == word).map(|at| from + at);
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(start) = word(from, b"stream\n") {
        let Some(end) = word(start, b"endstream") else { break };
        let dictionary = &file[start.saturating_sub(300)..start];
        if dictionary.windows(5).any(|w| w == b"/XRef" || w == b"/ObjS") {
            places.push(start + 7..end);
        }
        from = end + 9;
    }
    if places.is_empty() {
        return;
    }
    let place = random.pick(&places).clone();
    let mut dictionary = Dictionary::new();
    dictionary.set("Filter", "FlateDecode");
    let Ok(mut content) = Stream::new(dictionary, file[place.clone()].to_vec()).decompressed_content_with_limit(STREAM_BYTES)
    else {
        return;
    };
    raw::damage(&mut content, other, random);
    let mut packed = deflated(&content);
    packed.resize(packed.len().max(place.len()), 0);
    file.splice(place, packed);
}
