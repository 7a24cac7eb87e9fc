//! Accents that are drawn as glyphs of their own, over or under their letter: as in fonts of TeX, which know no letter with an accent.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::glyphs::{Glyph, Sheet, TextId, direction};

/// How far (in em) the middle of an accent may stand from the middle half of its letter.
const BESIDE: f32 = 0.1;
/// How far (in em) over or under its baseline.
const OFF: f32 = 0.6;

/// Makes one glyph of a letter and the accent that is drawn right before or after it.
pub(super) fn compose(sheet: &mut Sheet) {
    let accent = |glyph: &Glyph| glyph.text.as_char().and_then(combining);
    if !sheet.glyphs.iter().any(|glyph| accent(glyph).is_some()) {
        return;
    }
    let mut gone = vec![false; sheet.glyphs.len()];
    for i in 0..sheet.glyphs.len() {
        let Some(mark) = sheet.glyphs.get(i).and_then(accent) else { continue };
        for j in [i.checked_add(1), i.checked_sub(1)].into_iter().flatten() {
            let (Some(over), Some(letter)) = (sheet.glyphs.get(i), sheet.glyphs.get(j)) else { continue };
            if gone.get(j) == Some(&true) || !is_over(over, letter) {
                continue;
            }
            if let Some(whole) = letter.text.as_char().and_then(|c| composed(c, mark)) {
                if let (Some(letter), Some(gone)) = (sheet.glyphs.get_mut(j), gone.get_mut(i)) {
                    letter.text = TextId::of_char(whole);
                    *gone = true;
                }
                break;
            }
        }
    }
    sheet.drop_marked(&gone);
}

/// The combining form of an accent; `None` for all other characters and for the marks of other scripts.
fn combining(c: char) -> Option<char> {
    match c {
        '`' | '\u{2CB}' => Some('\u{300}'),
        '´' | '\u{2CA}' => Some('\u{301}'),
        '^' | 'ˆ' => Some('\u{302}'),
        '~' | '˜' => Some('\u{303}'),
        '¯' | 'ˉ' => Some('\u{304}'),
        '˘' => Some('\u{306}'),
        '˙' => Some('\u{307}'),
        '¨' => Some('\u{308}'),
        '˚' | '°' => Some('\u{30A}'),
        '˝' => Some('\u{30B}'),
        'ˇ' => Some('\u{30C}'),
        '¸' => Some('\u{327}'),
        '˛' => Some('\u{328}'),
        '\u{300}'..='\u{36F}' => Some(c),
        _ => None,
    }
}

/// The one character of a letter with an accent.
fn composed(letter: char, mark: char) -> Option<char> {
    let base = match letter {
        'ı' => 'i',
        'ȷ' => 'j',
        c if c.is_alphabetic() && !is_combining_mark(c) => c,
        _ => return None,
    };
    let mut chars = [base, mark].into_iter().nfc();
    chars.next().filter(|_| chars.next().is_none())
}

/// Whether an accent stands over or under the letter, not beside it.
fn is_over(accent: &Glyph, letter: &Glyph) -> bool {
    let (dx, dy) = direction(letter.axis);
    let (x, y) = (accent.x - letter.x, accent.y - letter.y);
    let (along, across) = (x * dx + y * dy + accent.advance / 2.0, y * dx - x * dy);
    accent.axis == letter.axis
        && (along - letter.advance / 2.0).abs() < 0.25 * letter.advance + BESIDE * letter.size
        && across.abs() < OFF * letter.size
}
