//! Small capitals that are only smaller capitals: no font tells of them, their size does.

use super::glyphs::{Glyph, Sheet, Style, TextId, direction};

/// Size of small capitals to that of the capitals they follow. Fonts draw them at 0.7 to 0.8, Word at 0.8; superscripts are smaller.
const SMALLEST: f32 = 0.65;
const LARGEST: f32 = 0.88;
/// How far (in em) they may be off the baseline of the capital, and from its end.
const OFF: f32 = 0.05;
const GAP: f32 = 0.2;

/// Marks the style of capitals that are followed in their word by smaller ones, and of these.
pub(super) fn mark(sheet: &mut Sheet) {
    let mut start = 0;
    while start + 1 < sheet.glyphs.len() {
        let end = run_from(&sheet.glyphs, start);
        for i in start..end {
            set(sheet, i);
        }
        start = end.max(start + 1);
    }
}

/// The end of the small capitals that start with a capital here; `start` where there are none.
fn run_from(glyphs: &[Glyph], start: usize) -> usize {
    let (Some(capital), Some(next)) = (glyphs.get(start), glyphs.get(start + 1)) else { return start };
    let ratio = next.size / capital.size;
    if !(SMALLEST..=LARGEST).contains(&ratio) || !is_capital(capital) || !is_capital(next) || !follows(capital, next) {
        return start;
    }
    let mut end = start + 2;
    let mut last = next;
    while let Some(glyph) = glyphs.get(end) {
        if glyph.size != next.size || !is_capital(glyph) || !follows(last, glyph) {
            break;
        }
        last = glyph;
        end += 1;
    }
    end
}

fn is_capital(glyph: &Glyph) -> bool {
    glyph.text.as_char().is_some_and(char::is_uppercase)
}

/// Whether a glyph stands right after another on its baseline.
fn follows(last: &Glyph, next: &Glyph) -> bool {
    let (dx, dy) = direction(last.axis);
    let (x, y) = (next.x - last.x, next.y - last.y);
    let (along, across) = (x * dx + y * dy - last.advance, y * dx - x * dy);
    last.text != TextId::SPACE && last.axis == next.axis && along.abs() < GAP * last.size && across.abs() < OFF * last.size
}

fn set(sheet: &mut Sheet, i: usize) {
    let Some(style) = sheet.glyphs.get(i).and_then(|glyph| sheet.styles.get(usize::from(glyph.style))).copied() else { return };
    let marked = sheet.style(Style { small_caps: true, ..style });
    if let Some(glyph) = sheet.glyphs.get_mut(i) {
        glyph.style = marked;
    }
}

/// Whether a font's name says that its small letters are capitals.
pub(super) fn is_named(name: &str) -> bool {
    /// "SC" in these means simplified Chinese.
    const CHINESE: [&str; 7] = ["noto", "sourcehan", "pingfang", "heiti", "songti", "kaiti", "yahei"];
    let lower = name.to_ascii_lowercase();
    if CHINESE.iter().any(|family| lower.contains(family)) {
        return false;
    }
    let ends_so =
        |part: &str| part == "SC" || part.strip_suffix("SC").is_some_and(|stem| stem.ends_with(|c: char| c.is_ascii_lowercase()));
    ["smallcap", "small cap", "smcp"].iter().any(|word| lower.contains(word))
        || ["cmcsc", "lmcsc", "eccc", "sfcc"].iter().any(|start| lower.starts_with(start))
        || name.split(['-', ',', '_']).any(ends_so)
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[test]
    fn fonts_of_small_capitals_by_name() {
        for name in ["CMCSC10", "MinionPro-SC", "MetaBookSC-Roman", "AGaramond-RegularSC", "Garamond-SmallCaps", "lmcsc10-regular"]
        {
            assert!(is_named(name), "{name}");
        }
        for name in ["NotoSansSC-Regular", "PingFangSC-Regular", "Arial", "SCHOOLBOOK", "EUROSC"] {
            assert!(!is_named(name), "{name}");
        }
    }
}
