//! The fonts of a file: loaded once, found again by object number.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use hayro_cmap::load_embedded;
use hayro_font::{CMapResolverFn, FontCache, FontQuery, FontResolverFn};
use hayro_syntax::object::{Array, Dict, FromBytes, Name};
use hayro_syntax::page::Resources;

use super::face::{Face, Look};
use super::unicode::Decoder;
use super::{font_cost, small_caps};

/// Fonts kept at once. Files that embed new fonts for every page would otherwise hold all of them in memory.
const MOST_FACES: usize = 256;

/// Bytes of unpacked fonts kept at once; reached only where a page alone has so many.
const FONT_BYTES: usize = 96 << 20;

/// Stands for a font that is missing or of no known kind, as in other readers.
const SUBSTITUTE: &[u8] = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>";

/// All fonts met so far, with their caches. One per thread.
pub(super) struct FontBook<'a> {
    cache: FontCache<'a>,
    resolver: FontResolverFn,
    cmaps: CMapResolverFn,
    faces: Vec<Face<'a>>,
    by_object: HashMap<(u32, i32), Option<u32>>,
    by_content: HashMap<u64, Option<u32>>,
    strings: Vec<Box<str>>,
    /// Unpacked size of all fonts loaded.
    bytes: usize,
}

impl<'a> FontBook<'a> {
    pub(super) fn new() -> Self {
        Self {
            cache: FontCache::new(),
            resolver: Arc::new(|query| match query {
                FontQuery::Standard(font) => Some(font.get_font_data()),
                FontQuery::Fallback(query) => Some(query.pick_standard_font().get_font_data()),
            }),
            cmaps: Arc::new(load_embedded),
            faces: Vec::new(),
            by_object: HashMap::new(),
            by_content: HashMap::new(),
            strings: Vec::new(),
            bytes: 0,
        }
    }

    /// Forgets all fonts when there are too many. To be called between pages: face numbers and text ids do not survive it.
    pub(super) fn trim(&mut self) {
        if self.faces.len() > MOST_FACES || self.bytes > FONT_BYTES / 2 {
            *self = Self::new();
        }
    }

    /// The face of a font resource, by the first of these resources that has it; a standard font where none does. `None` when the font
    /// cannot be used.
    pub(super) fn find(&mut self, resources: [&Resources<'a>; 2], name: &Name<'_>) -> Option<u32> {
        for set in resources {
            let key = set.fonts.get_ref(name).map(|r| (r.obj_number, r.gen_number));
            if let Some(found) = key.and_then(|k| self.by_object.get(&k)) {
                return *found;
            }
            if let Some(dict) = set.get_font(name) {
                let face = self.of_dict(&dict);
                if let Some(key) = key {
                    self.by_object.insert(key, face);
                }
                return face;
            }
        }
        self.of_dict(&Dict::from_bytes(SUBSTITUTE)?)
    }

    /// The face of a font dictionary.
    pub(super) fn of_dict(&mut self, dict: &Dict<'a>) -> Option<u32> {
        let mut hasher = DefaultHasher::new();
        dict.data().hash(&mut hasher);
        let key = hasher.finish();
        if let Some(found) = self.by_content.get(&key) {
            return *found;
        }
        let face = self.load(dict).and_then(|face| {
            self.faces.push(face);
            u32::try_from(self.faces.len() - 1).ok()
        });
        self.by_content.insert(key, face);
        face
    }

    /// A face and the pool that its texts go to.
    pub(super) fn face_mut(&mut self, id: u32) -> Option<(&mut Face<'a>, &mut Vec<Box<str>>)> {
        Some((self.faces.get_mut(id as usize)?, &mut self.strings))
    }

    /// What the eye sees of a face.
    pub(super) fn look(&self, id: u32) -> Option<&Look> {
        self.faces.get(id as usize).map(|f| &f.look)
    }

    /// The texts of pool ids.
    pub(super) fn strings(&self) -> &[Box<str>] {
        &self.strings
    }

    fn load(&mut self, dict: &Dict<'a>) -> Option<Face<'a>> {
        self.bytes += font_cost::bytes_of(dict).filter(|bytes| self.bytes + bytes <= FONT_BYTES)?;
        let Some(font) = self.cache.font(dict, &self.resolver, &self.cmaps) else {
            return if is_of_no_known_kind(dict) { self.load(&Dict::from_bytes(SUBSTITUTE)?) } else { None };
        };
        let type3 = dict.get::<Name<'_>>("Subtype").is_some_and(|n| n.as_ref() == b"Type3");
        let encoding = dict.get::<Name<'_>>("Encoding");
        let composite = dict.contains_key("DescendantFonts");
        let two_bytes = composite && encoding.is_some_and(|n| matches!(n.as_ref(), b"Identity-H" | b"Identity-V"));
        let em = if type3 { type3_em(dict) } else { 1.0 };
        Some(Face::new(font, look(dict), Decoder::new(dict), two_bytes, em))
    }
}

/// Whether nothing in a font dictionary tells what kind of font it is, so that its codes can be taken for single bytes of Latin text.
fn is_of_no_known_kind(dict: &Dict<'_>) -> bool {
    const KINDS: [&[u8]; 8] =
        [b"Type0", b"Type1", b"MMType1", b"TrueType", b"OpenType", b"Type3", b"CIDFontType0", b"CIDFontType2"];
    let known = dict.get::<Name<'_>>("Subtype").is_some_and(|kind| KINDS.contains(&kind.as_ref()));
    let telling = ["DescendantFonts", "CIDSystemInfo", "CharProcs", "ToUnicode"];
    !known && !telling.iter().any(|key| dict.contains_key(key))
}

/// The em of a Type 3 font in units of its nominal size: as it says where it has the usual thousand units, as converted outlines do; else
/// twice the mean advance, as in most text fonts.
fn type3_em(dict: &Dict<'_>) -> f64 {
    let matrix = dict.get::<[f64; 6]>("FontMatrix").unwrap_or([0.001, 0.0, 0.0, 0.001, 0.0, 0.0]);
    let widths = dict.get::<Array<'_>>("Widths");
    let (mut sum, mut count) = (0.0, 0.0);
    for width in widths.iter().flat_map(|w| w.iter::<f64>()).filter(|w| *w > 0.0) {
        sum += width;
        count += 1.0;
    }
    if count == 0.0 {
        return 1.0;
    }
    let advance = sum / count * matrix[0].abs();
    let is_usual = (matrix[0].abs() - 0.001).abs() < 1e-7 && (0.2..=1.1).contains(&advance);
    if is_usual { 1.0 } else { (advance * 2.0).max(1e-6) }
}

fn look(dict: &Dict<'_>) -> Look {
    /// Bits of the descriptor's `Flags` (ISO 32000, table 121).
    const ITALIC: i32 = 1 << 6;
    const FORCE_BOLD: i32 = 1 << 18;
    let base = dict.get::<Name<'_>>("BaseFont").map(|n| n.as_str().to_string()).unwrap_or_default();
    let name = match base.split_once('+') {
        Some((prefix, rest)) if prefix.len() == 6 => rest.to_string(),
        _ => base,
    };
    let descriptor = dict.get::<Dict<'_>>("FontDescriptor").or_else(|| {
        let descendant = dict.get::<Array<'_>>("DescendantFonts")?.iter::<Dict<'_>>().next()?;
        descendant.get::<Dict<'_>>("FontDescriptor")
    });
    let number = |key: &str| descriptor.as_ref().and_then(|d| d.get::<f32>(key)).unwrap_or(0.0);
    let flags = descriptor.as_ref().and_then(|d| d.get::<i32>("Flags")).unwrap_or(0);
    let lower = name.to_lowercase();
    Look {
        bold: number("FontWeight") >= 600.0 || flags & FORCE_BOLD != 0 || is_bold_name(&lower),
        italic: flags & ITALIC != 0 || is_italic_name(&lower),
        small_caps: small_caps::is_named(&name),
        stem: number("StemV"),
        name,
    }
}

/// Whether a font's name (lower case) says that it is bold. "Medium" is body weight in many families, so only a final "-medi" counts.
fn is_bold_name(name: &str) -> bool {
    ["bold", "black", "heavy", "semibd", "demi"].iter().any(|word| name.contains(word))
        || ["-medi", "-dm", "-bd", "-hv", "-blk"].iter().any(|end| name.ends_with(end))
        || ["cmb", "sfbx", "sfrb", "sfsx", "ecbx", "lmbx"].iter().any(|start| name.starts_with(start))
}

/// Whether a font's name (lower case) says that it is italic or slanted.
fn is_italic_name(name: &str) -> bool {
    ["italic", "oblique", "kursiv"].iter().any(|word| name.contains(word))
        || name.ends_with("-it")
        || ["cmti", "cmsl", "cmmi", "sfti", "sfsl", "ecti"].iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::{is_bold_name, is_italic_name};

    #[test]
    fn weight_by_name() {
        for name in ["arial-boldmt", "nimbusromno9l-medi", "franklingothicltpro-dm", "cmbx9", "sfbx1000"] {
            assert!(is_bold_name(name), "{name}");
        }
        for name in ["helvetica", "gotham-medium", "cmr10", "timesnewromanpsmt"] {
            assert!(!is_bold_name(name), "{name}");
        }
        assert!(is_italic_name("times-italic") && is_italic_name("cmti10") && !is_italic_name("arial"));
    }
}
