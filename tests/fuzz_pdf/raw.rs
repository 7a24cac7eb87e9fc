//! Damage to bytes, whatever they mean: also to those of a font, a map or a content stream.

use crate::random::Random;

/// Numbers that readers trip over.
pub const NUMBERS: [&str; 26] = [
    "0",
    "-1",
    "1",
    "2",
    "255",
    "256",
    "65535",
    "65536",
    "-32769",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "99999999999999999999999999999999999999999",
    "0.0000000000000000000000000001",
    "-340282350000000000000000000000000000000.0",
    "1e309",
    "NaN",
    "--5",
    "1.2.3",
    ".",
    "00000000000000000000000000000000000000000000000001",
];

/// Words with a meaning in PDF, in content streams and in character maps.
const WORDS: [&str; 58] = [
    "q",
    "Q",
    "cm",
    "BT",
    "ET",
    "Tf",
    "Tj",
    "TJ",
    "Td",
    "TD",
    "Tm",
    "T*",
    "Tz",
    "TL",
    "Ts",
    "Tr",
    "Tc",
    "Tw",
    "'",
    "\"",
    "Do",
    "gs",
    "BMC",
    "BDC",
    "EMC",
    "BI",
    "ID",
    "EI",
    "re",
    "f",
    "W",
    "n",
    "rg",
    "g",
    "k",
    "sc",
    "scn",
    "cs",
    "sh",
    "d0",
    "d1",
    "obj",
    "endobj",
    "stream",
    "endstream",
    "xref",
    "trailer",
    "startxref",
    "R",
    "null",
    "true",
    "begincmap",
    "beginbfrange",
    "endbfrange",
    "beginbfchar",
    "begincodespacerange",
    "begincidrange",
    "usecmap",
];

/// Damages these bytes in one to eight places. `other` gives parts to splice in.
pub fn damage(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..random.few(8) {
        match random.below(12) {
            0 => flip(bytes, random),
            1 => set(bytes, random),
            2 | 3 => number(bytes, random),
            4 => swap_tokens(bytes, random),
            5 => repeat(bytes, random),
            6 => drop_part(bytes, random),
            7 => shuffle_lines(bytes, random),
            8 => splice(bytes, other, random),
            9 => nest(bytes, random),
            10 => word(bytes, random),
            _ if random.one_in(4) => bytes.truncate(random.below(bytes.len() + 1)),
            _ => flip(bytes, random),
        }
    }
}

fn flip(bytes: &mut [u8], random: &mut Random) {
    for _ in 0..random.few(16) {
        let at = random.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
    }
}

fn set(bytes: &mut [u8], random: &mut Random) {
    const BYTES: [u8; 16] = [0, 1, 0x7F, 0x80, 0xFF, b'<', b'>', b'[', b']', b'(', b')', b'/', b'\\', b'%', b'\n', b'9'];
    for at in random.short_range(bytes.len(), 8) {
        bytes[at] = *random.pick(&BYTES);
    }
}

/// Puts a hostile number in the place of one.
fn number(bytes: &mut Vec<u8>, random: &mut Random) {
    let part = token_near(bytes, random, |b| b.is_ascii_digit() || matches!(b, b'-' | b'.'));
    let text = random.pick(&NUMBERS).bytes();
    bytes.splice(part, text);
}

fn word(bytes: &mut Vec<u8>, random: &mut Random) {
    let part = token_near(bytes, random, |b| b.is_ascii_alphanumeric());
    let text = *random.pick(&WORDS);
    if random.one_in(2) {
        bytes.splice(part.start..part.start, format!(" {text} ").bytes());
    } else {
        bytes.splice(part, text.bytes());
    }
}

fn swap_tokens(bytes: &mut Vec<u8>, random: &mut Random) {
    let solid = |b: u8| !b.is_ascii_whitespace();
    let (a, b) = (token_near(bytes, random, solid), token_near(bytes, random, solid));
    let (a, b) = if a.start <= b.start { (a, b) } else { (b, a) };
    if a.end <= b.start {
        let (first, second) = (bytes[a.clone()].to_vec(), bytes[b.clone()].to_vec());
        bytes.splice(b, first);
        bytes.splice(a, second);
    }
}

/// The first run of bytes of this kind at or after a random place; short.
fn token_near(bytes: &[u8], random: &mut Random, kind: impl Fn(u8) -> bool) -> std::ops::Range<usize> {
    let from = random.below(bytes.len());
    let start = bytes[from..].iter().take(400).position(|b| kind(*b)).map_or(from, |n| from + n);
    let length = bytes[start..].iter().take(60).take_while(|b| kind(**b)).count();
    start..start + length
}

fn repeat(bytes: &mut Vec<u8>, random: &mut Random) {
    let part = random.short_range(bytes.len(), 200);
    let times = [2, 3, 30, 400][random.below(4)];
    let copies = bytes[part.clone()].repeat(times);
    bytes.splice(part, copies);
}

fn drop_part(bytes: &mut Vec<u8>, random: &mut Random) {
    let part = if random.one_in(4) { random.range(bytes.len()) } else { random.short_range(bytes.len(), 300) };
    bytes.drain(part);
}

fn shuffle_lines(bytes: &mut Vec<u8>, random: &mut Random) {
    let part = random.short_range(bytes.len(), 4000);
    let mut lines: Vec<Vec<u8>> = bytes[part.clone()].split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    for i in (1..lines.len()).rev() {
        lines.swap(i, random.below(i + 1));
    }
    bytes.splice(part, lines.join(&b'\n'));
}

fn splice(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let from = if random.one_in(4) { random.range(other.len()) } else { random.short_range(other.len(), 2000) };
    let to = random.short_range(bytes.len(), 500);
    let to = if random.one_in(2) { to.start..to.start } else { to };
    bytes.splice(to, other[from].iter().copied());
}

/// Opens something very often.
fn nest(bytes: &mut Vec<u8>, random: &mut Random) {
    const OPENINGS: [&str; 9] = ["[", "<</A ", "(", "q ", "/P BMC ", "BT ", "<", "{", "[<<"];
    let depth = [10, 100, 1_000, 20_000][random.below(4)];
    let opening = random.pick(&OPENINGS).repeat(depth);
    let at = random.below(bytes.len() + 1);
    bytes.splice(at..at, opening.bytes());
}
