//! What loading a font costs, found out before it is loaded: hayro-font unpacks and fills tables without a bound.

use hayro_syntax::object::{Array, Dict, Stream};

use crate::pdf::unpack::{STREAM_BYTES, size_within};

/// Most bytes of a map from codes to characters or glyphs. A full one for 65,536 codes has 2 MB.
const MAP_BYTES: usize = 8 << 20;

/// Most widths that a font may give. There are 65,536 glyphs.
const WIDTHS: usize = 1 << 18;

/// Bytes that the streams of a font unpack to; `None` for a font that must not be loaded.
pub(super) fn bytes_of(font: &Dict<'_>) -> Option<usize> {
    let descendant = font.get::<Array<'_>>("DescendantFonts").and_then(|a| a.iter::<Dict<'_>>().next());
    let mut sum = 0;
    for dict in [Some(font), descendant.as_ref()].into_iter().flatten() {
        for key in ["ToUnicode", "Encoding", "CIDToGIDMap"] {
            sum += size_of(dict, key, MAP_BYTES)?;
        }
        if let Some(descriptor) = dict.get::<Dict<'_>>("FontDescriptor") {
            for key in ["FontFile", "FontFile2", "FontFile3"] {
                sum += size_of(&descriptor, key, STREAM_BYTES)?;
            }
        }
        let widths = dict.get::<Array<'_>>("W").map_or(0, |w| codes_of(&w, false));
        let heights = dict.get::<Array<'_>>("W2").map_or(0, |w| codes_of(&w, true));
        if widths.max(heights) > WIDTHS {
            return None;
        }
    }
    Some(sum)
}

fn size_of(dict: &Dict<'_>, key: &str, limit: usize) -> Option<usize> {
    dict.get::<Stream<'_>>(key).map_or(Some(0), |stream| size_within(&stream, limit))
}

/// Number of codes that an array of widths names, up to a little more than the bound. Read in the way of hayro-font, so that nothing is
/// seen here that it takes otherwise: `first [width ...]` or `first last width`, with three numbers for a width in a vertical font.
fn codes_of(widths: &Array<'_>, vertical: bool) -> usize {
    let mut items = widths.flex_iter();
    let mut sum = 0_usize;
    while sum <= WIDTHS {
        let range = if let Some((_, list)) = items.next::<(u32, Array<'_>)>() {
            sum = sum.saturating_add(list.iter::<f32>().count());
            continue;
        } else if vertical {
            items.next::<(u32, u32, f32, f32, f32)>().map(|(first, last, ..)| (first, last))
        } else {
            items.next::<(u32, u32, f32)>().map(|(first, last, _)| (first, last))
        };
        let Some((first, last)) = range else { break };
        sum = sum.saturating_add(usize::try_from(last.saturating_sub(first)).unwrap_or(WIDTHS)).saturating_add(1);
    }
    sum
}
