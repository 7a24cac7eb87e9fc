//! From a character code to Unicode, also where the file does not say it.

use std::collections::HashMap;

use hayro_cmap::{BfString, CMap, CMapName, CidFamily};
use hayro_font::{Font, FontGlyph};
use hayro_syntax::object::{Array, Dict, Name, Stream, String as PdfString};
use memchr::memmem;
use skrifa::MetadataProvider;
use unicode_normalization::UnicodeNormalization;

use super::glyphs::TextId;
use super::radicals;
use super::symbols::SymbolFont;
use super::tidy::{is_invisible, is_joiner};
use crate::pdf::unpack::decoded_within;

/// Most bytes of a ToUnicode map that is looked through; the largest of a CJK font have about 1 MB.
const TO_UNICODE_BYTES: usize = 8 << 20;

/// How the codes of one font become Unicode when its ToUnicode map and its glyph names say nothing. Tried in this order: what
/// can be saved of a broken ToUnicode map, the code itself where the encoding is a Unicode one, Adobe's table from CID to Unicode, the embedded
/// character map reversed, the code itself where the ToUnicode map is Identity, Latin-1.
pub(super) struct Decoder<'a> {
    /// A font with single-byte codes.
    simple: bool,
    /// The encoding's codes are UCS-2 or UTF-16.
    unicode_codes: bool,
    /// What hayro-font leaves of the ToUnicode map.
    rest: Rest<'a>,
    /// The font's private-use characters.
    symbols: SymbolFont,
    /// Its codes are those of the symbol font, since no map says otherwise.
    symbol_codes: bool,
    /// From code to CID and from CID to Unicode.
    cid: Option<(CMap, CMap)>,
    /// From glyph to character, by the font's own character map; made when first needed.
    reversed: Option<HashMap<u32, char>>,
}

/// What is in a ToUnicode map that hayro-font reads as an empty one.
enum Rest<'a> {
    /// Not looked at yet.
    Unread(Stream<'a>),
    /// Nothing, or hayro-font has read it.
    Nothing,
    /// Two-byte codes are Unicode.
    Identity,
    /// The sections of a map that is broken elsewhere.
    Map(Box<CMap>),
}

impl<'a> Decoder<'a> {
    /// Reads what the font dictionary says about codes.
    pub(super) fn new(font: &Dict<'a>) -> Self {
        let composite = font.get::<Name<'_>>("Subtype").is_some_and(|n| n.as_ref() == b"Type0");
        let encoding = font.get::<Name<'_>>("Encoding").map(|n| n.as_str().to_string()).unwrap_or_default();
        let unicode_codes = composite && encoding.starts_with("Uni") && (encoding.contains("UCS2") || encoding.contains("UTF16"));
        let cid = if composite && !unicode_codes { cid_tables(font, &encoding) } else { None };
        let name = font.get::<Name<'_>>("BaseFont").map(|n| n.as_str().to_string()).unwrap_or_default();
        let symbols = SymbolFont::named(name.split_once('+').map_or(name.as_str(), |(_, rest)| rest));
        let symbol_codes = !composite && !font.contains_key("ToUnicode") && symbols.is_of_dingbats();
        let rest = match font.get::<Stream<'a>>("ToUnicode") {
            Some(stream) => Rest::Unread(stream),
            None if font.get::<Name<'_>>("ToUnicode").is_some_and(|n| n.as_ref().starts_with(b"Identity")) => Rest::Identity,
            None => Rest::Nothing,
        };
        Self { simple: !composite, unicode_codes, rest, symbols, symbol_codes, cid, reversed: None }
    }

    /// What a private-use character stands for that the file gives in place of a glyph of this text.
    pub(super) fn private(&self, c: char, glyph: TextId, is_unknown: bool) -> TextId {
        if self.symbols == SymbolFont::None && !is_unknown { glyph } else { TextId::of_char(self.symbols.meaning(c)) }
    }

    /// The text of a code, and whether it is unknown: then it is [`TextId::UNKNOWN`], or a space for a control code.
    pub(super) fn decode(&mut self, font: &Font<'_>, code: u32, length: usize, strings: &mut Vec<Box<str>>) -> (TextId, bool) {
        if let Some(c) = char::from_u32(code).filter(|_| self.symbol_codes && (0x21..=0xFF).contains(&code)) {
            return (TextId::of_char(self.symbols.meaning(c)), false);
        }
        let glyph_id = font.map_code(code);
        let glyph = font.glyph(glyph_id, code);
        let said = match &glyph {
            FontGlyph::Outline(g) => g.as_unicode(),
            FontGlyph::Type3(g) => g.as_unicode(),
        };
        if let Some(id) = said.and_then(|s| keep(s, self.symbols, strings)) {
            return (id, false);
        }
        if let Some(c) = self.fallback(&glyph, glyph_id.to_u32(), code, length) {
            return (keep(c, self.symbols, strings).unwrap_or(TextId::EMPTY), false);
        }
        // A control code that paints something is a letter of an unknown alphabet; without a glyph it is white space.
        match code {
            0..=0x1F if self.simple => (TextId::SPACE, glyph_id.to_u32() != 0),
            _ => (TextId::UNKNOWN, true),
        }
    }

    fn fallback(&mut self, glyph: &FontGlyph<'_>, glyph_id: u32, code: u32, length: usize) -> Option<BfString> {
        if let Rest::Unread(stream) = &self.rest {
            self.rest = rest_of(stream);
        }
        if let Rest::Map(map) = &self.rest
            && let Some(found) = map.lookup_bf_string(code)
        {
            return Some(found);
        }
        if self.unicode_codes {
            return char::from_u32(code).map(BfString::Char);
        }
        if let Some((to_cid, to_unicode)) = &self.cid {
            let length = u8::try_from(length).ok()?;
            if let Some(found) = to_cid.lookup_cid_code(code, length).and_then(|cid| to_unicode.lookup_bf_string(cid)) {
                return Some(found);
            }
        }
        if let FontGlyph::Outline(outline) = glyph {
            let map = self
                .reversed
                .get_or_insert_with(|| outline.font_data().map(|d| reversed_charmap((*d.data).as_ref())).unwrap_or_default());
            if let Some(c) = map.get(&glyph_id) {
                return Some(BfString::Char(*c));
            }
        }
        match code {
            _ if !self.simple && length == 2 && matches!(self.rest, Rest::Identity) => {
                char::from_u32(code).filter(|c| !c.is_control() && !is_private(*c)).map(BfString::Char)
            }
            _ if !self.simple => None,
            0x20 => Some(BfString::Char(' ')),
            0x21..=0x7E | 0xA1..=0xFF => char::from_u32(code).map(BfString::Char),
            _ => None,
        }
    }
}

/// The maps from code to CID and from CID to Unicode of a font with one of Adobe's character collections. The collection is that of the
/// font, or of its encoding where the font names none.
fn cid_tables(font: &Dict<'_>, encoding: &str) -> Option<(CMap, CMap)> {
    let of_font = collection(font).and_then(|family| family.ucs2_cmap());
    let is_identity = encoding.starts_with("Identity");
    // Most fonts have neither; their encoding is not worth reading.
    if of_font.is_none() && is_identity {
        return None;
    }
    let to_cid = match font.get::<Stream<'_>>("Encoding") {
        Some(stream) => CMap::parse(&decoded_within(&stream, TO_UNICODE_BYTES).ok()?, hayro_cmap::load_embedded)?,
        None if is_identity => CMap::identity_h(),
        None => embedded(CMapName::from_bytes(encoding.as_bytes()))?,
    };
    let of_encoding = || to_cid.metadata().character_collection.as_ref().and_then(|collection| collection.family.ucs2_cmap());
    let unicode = of_font.or_else(of_encoding)?;
    Some((to_cid, embedded(unicode)?))
}

fn collection(font: &Dict<'_>) -> Option<CidFamily> {
    let descendant = font.get::<Array<'_>>("DescendantFonts")?.iter::<Dict<'_>>().next()?;
    let system = descendant.get::<Dict<'_>>("CIDSystemInfo")?;
    let registry = system.get::<PdfString<'_>>("Registry")?;
    let ordering = system.get::<PdfString<'_>>("Ordering")?;
    Some(CidFamily::from_registry_ordering(registry.as_bytes(), ordering.as_bytes()))
}

/// Looks at a ToUnicode map: whether ranges to CIDs stand where ranges to characters should, or, where hayro-cmap refuses it as a whole,
/// what its sections say.
fn rest_of(stream: &Stream<'_>) -> Rest<'static> {
    let Ok(map) = decoded_within(stream, TO_UNICODE_BYTES) else { return Rest::Nothing };
    let has = |word: &[u8]| memmem::find(&map, word).is_some();
    if !has(b"beginbfchar") && !has(b"beginbfrange") {
        return if has(b"begincidrange") { Rest::Identity } else { Rest::Nothing };
    }
    // A code that stands for nothing ends the reading of its section for the parser.
    let (map, had_empty) = without_empty(map.into_owned());
    if !had_empty && CMap::parse(&map, hayro_cmap::load_embedded).is_some() {
        return Rest::Nothing;
    }
    CMap::parse(&sections(&map), hayro_cmap::load_embedded).map_or(Rest::Nothing, |map| Rest::Map(Box::new(map)))
}

/// A map without its codes for which it gives an empty string (`<0056> <>`), and whether it had any.
fn without_empty(mut map: Vec<u8>) -> (Vec<u8>, bool) {
    let mut had_any = false;
    while let Some(at) = memmem::find(&map, b"<>") {
        let before = map.get(..at).unwrap_or_default();
        let code_ends = before.iter().rposition(|b| !b.is_ascii_whitespace()).filter(|i| before.get(*i) == Some(&b'>'));
        let starts = code_ends.and_then(|end| before.get(..end).and_then(|b| memchr::memrchr(b'<', b))).unwrap_or(at);
        if let Some(entry) = map.get_mut(starts..at + 2) {
            entry.fill(b' ');
        }
        had_any = true;
    }
    (map, had_any)
}

/// A map of the sections of this one alone.
fn sections(map: &[u8]) -> Vec<u8> {
    const SECTIONS: [(&[u8], &[u8]); 3] =
        [(b"begincodespacerange", b"endcodespacerange"), (b"beginbfchar", b"endbfchar"), (b"beginbfrange", b"endbfrange")];
    let mut out = b"begincmap /CMapName /Rest def /CMapType 2 def\n".to_vec();
    for (begin, end) in SECTIONS {
        for at in memmem::find_iter(map, begin) {
            let rest = map.get(at..).unwrap_or_default();
            if let Some(length) = memmem::find(rest, end) {
                // How many entries follow is not looked at by the parser.
                out.extend_from_slice(b"1 ");
                out.extend_from_slice(rest.get(..length + end.len()).unwrap_or_default());
                out.push(b'\n');
            }
        }
    }
    out.extend_from_slice(b"endcmap\n");
    out
}

fn embedded(name: CMapName<'_>) -> Option<CMap> {
    CMap::parse(hayro_cmap::load_embedded(name)?, hayro_cmap::load_embedded)
}

/// The font's character map from glyph to character. Private-use characters and control codes say nothing and are left out.
fn reversed_charmap(data: &[u8]) -> HashMap<u32, char> {
    let mut map = HashMap::new();
    let Ok(font) = skrifa::FontRef::from_index(data, 0) else { return map };
    for (code, glyph) in font.charmap().mappings() {
        if let Some(c) = char::from_u32(code).filter(|c| !c.is_control() && !is_private(*c)) {
            map.entry(glyph.to_u32()).or_insert(c);
        }
    }
    map
}

/// Whether a character has no agreed meaning.
pub(super) fn is_private(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..)
}

/// The soft hyphen. As a text of its own it is left for those who see the whole text.
pub(super) const SOFT_HYPHEN: char = '\u{AD}';

/// Cleans a decoded text and gives its id. `None` when it says nothing: U+0000 and U+FFFD are how broken maps say "unknown".
fn keep(text: BfString, symbols: SymbolFont, strings: &mut Vec<Box<str>>) -> Option<TextId> {
    let mut clean = String::new();
    match text {
        BfString::Char(SOFT_HYPHEN) => clean.push(SOFT_HYPHEN),
        BfString::Char(c) if is_unseen(symbols.meaning(c)) => return Some(TextId::EMPTY),
        BfString::Char(c) => push_clean(symbols.meaning(c), &mut clean),
        BfString::String(s) => s.chars().for_each(|c| push_clean(symbols.meaning(c), &mut clean)),
    }
    let mut chars = clean.chars();
    match (chars.next(), chars.next()) {
        (None, _) => None,
        (Some(c), None) => Some(TextId::of_char(c)),
        _ => {
            strings.push(clean.into_boxed_str());
            Some(TextId::in_fonts(strings.len() - 1))
        }
    }
}

/// Appends a character as it should be read: white space of any kind is a space, ligatures and presentation forms are their letters.
pub(super) fn push_clean(c: char, out: &mut String) {
    match c {
        '\0' | '\u{FFFD}' | '\u{FFFE}' | '\u{FFFF}' | SOFT_HYPHEN => {}
        _ if is_unseen(c) => {}
        _ if is_private(c) => out.push(SymbolFont::None.meaning(c)),
        _ if c.is_whitespace() => out.push(' '),
        _ if c.is_control() => {}
        // Latin and Armenian ligatures, Arabic presentation forms, Kangxi radicals, compatibility ideographs, forms for vertical text.
        '\u{FB00}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFC}'
        | '\u{2F00}'..='\u{2FDF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FE10}'..='\u{FE19}'
        | '\u{FE31}'..='\u{FE36}'
        | '\u{FE39}'..='\u{FE4F}' => {
            out.extend(std::iter::once(c).nfkc());
        }
        '\u{2E80}'..='\u{2EFF}' => out.push(radicals::ideograph(c)),
        _ => out.push(c),
    }
}

/// Characters that only steer how others are shown. Whether a joiner is a part of its word is seen in the line.
fn is_unseen(c: char) -> bool {
    is_invisible(c) && !is_joiner(c)
}

/// A PDF text string: UTF-16 or UTF-8 with a byte order mark, else Latin-1 (of which PDFDocEncoding differs only in rare signs).
pub(super) fn text_string(bytes: &[u8]) -> String {
    let utf16 = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = rest.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        char::decode_utf16(units).map(|r| r.unwrap_or('\u{FFFD}')).collect()
    };
    match bytes {
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => bytes.iter().map(|b| char::from(*b)).collect(),
    }
}
