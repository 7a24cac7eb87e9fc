//! Writes the text of a piece, with spaces where the gaps are.

use unicode_normalization::char::is_combining_mark;

use super::glyphs::{Glyph, TextId, Texts};
use super::pieces::{SPACE_GAP, Step};
use super::raised::{Mark, Raised};

/// The gap that is a space between two ideographs or kana (in em), which are set apart for justification without meaning one.
const SPACE_GAP_CJK: f32 = 0.6;
/// The same between an ideograph and a figure or a Latin letter: programs set a quarter of an em there.
const SPACE_GAP_MIXED: f32 = 0.35;
/// The narrowest space, and what is no gap at all (in em), where only these two are found ...
const NARROW_SPACE: f32 = 0.06;
const NO_GAP: f32 = 0.03;
/// ... in more glyphs than a word has.
const LONGEST_WORD: usize = 24;
/// The large first letter of a chapter is larger than this (to the capitals after it) and at most that far from them (in its em).
const INITIAL_SIZE: f32 = 1.3;
const INITIAL_GAP: f32 = 0.25;
/// It stands on the baseline of its word, within this (in em of the word).
const INITIAL_SHIFT: f32 = 0.3;
/// Words of a recognised page differ in size by more than this, but less than that, and stand on baselines of their own (in em).
const OTHER_WORD_SIZE: f32 = 0.995;
const OTHER_WORD_SIZE_LEAST: f32 = 0.8;
const OTHER_WORD_SHIFT: f32 = 0.008;
const OTHER_WORD_SHIFT_MOST: f32 = 0.22;
/// Or on one baseline, this far from each other (in em).
const OTHER_WORD_GAP: f32 = 0.02;
/// They may reach over each other (in em).
const OTHER_WORD_OVERLAP: f32 = 0.2;

/// Appends the text of a piece.
pub(super) fn write_text(glyphs: &[Glyph], texts: Texts<'_>, out: &mut String) {
    let start = out.len();
    let least = least_space(glyphs, texts);
    let mut last: Option<usize> = None;
    let mut raised = Raised::default();
    let mut pending: Option<TextId> = None;
    for (at, glyph) in glyphs.iter().enumerate() {
        if glyph.text == TextId::EMPTY {
            let on = |l: &usize| glyphs.get(*l).is_none_or(|l| Step::between(l, glyph).along + glyph.advance > 0.0);
            last = last.map(|l| if on(&l) { at } else { l });
            continue;
        }
        if glyph.text == TextId::REPEATED || glyph.text == TextId::UNKNOWN && out.ends_with('\u{FFFD}') {
            continue;
        }
        let spaced = out.len() == start || out.ends_with(' ');
        if glyph.text == TextId::SPACE {
            if !spaced {
                out.push(' ');
            }
            raised.word_ends();
            continue;
        }
        let first = texts.first(glyph.text);
        let before = last.and_then(|l| glyphs.get(l));
        let step = before.map(|l| Step::between(l, glyph));
        let is_mark = first.is_some_and(is_combining_mark);
        // A mark over a letter may be drawn back, and what comes next is as far from the letter as from the mark.
        let drawn_back = is_mark && step.as_ref().is_some_and(|s| s.along + glyph.advance <= 0.0);
        // "̸=" is set as a stroke and the sign that it goes through.
        let ahead = is_mark && step.as_ref().is_some_and(|s| s.along > SPACE_GAP * s.size);
        if let (Some(l), Some(step), false) = (before, &step, spaced || is_mark && !ahead) {
            let text = out.get(start..).unwrap_or_default();
            if is_gap(l, glyph, step, text, first, least) || is_other_word(glyphs, at, step, texts) {
                out.push(' ');
            }
        }
        let spaced = out.len() == start || out.ends_with(' ');
        match raised.next(glyphs, at, step.as_ref().filter(|_| !spaced), out.get(start..).unwrap_or_default(), texts) {
            Mark::Apart => out.push(' '),
            Mark::Exponent(c) => {
                out.push(c);
                last = Some(at);
                continue;
            }
            Mark::Joined => {}
        }
        if ahead {
            pending = Some(glyph.text);
            continue;
        }
        texts.push(glyph.text, out);
        if let Some(mark) = pending.take() {
            texts.push(mark, out);
        }
        if !drawn_back {
            last = Some(at);
        }
    }
    if let Some(mark) = pending {
        texts.push(mark, out);
    }
    while out.len() > start && out.ends_with(' ') {
        out.pop();
    }
}

/// The gap (in em) that is a space in a piece: a narrow one where nothing else parts words that would be one of dozens of letters, and
/// letters are set without any gap.
fn least_space(glyphs: &[Glyph], texts: Texts<'_>) -> f32 {
    let plain = |g: &Glyph| g.text != TextId::SPACE && !g.text.is_empty();
    if glyphs.len() < LONGEST_WORD || !glyphs.iter().all(plain) {
        return SPACE_GAP;
    }
    let (mut none, mut narrow) = (0, 0);
    for pair in glyphs.windows(2) {
        let [a, b] = pair else { continue };
        let step = Step::between(a, b);
        match step.along / step.size {
            gap if gap > SPACE_GAP => return SPACE_GAP,
            gap if gap > NARROW_SPACE => narrow += 1,
            gap if gap.abs() < NO_GAP => none += 1,
            _ => {}
        }
    }
    let cased = glyphs.iter().filter(|g| texts.first(g.text).is_some_and(|c| c.is_lowercase() || c.is_uppercase())).count();
    // Words have less than a dozen letters on average.
    let words = narrow * 12 > glyphs.len() && (none + narrow) * 20 > glyphs.len() * 19 && cased * 10 > glyphs.len() * 7;
    if words { NARROW_SPACE } else { SPACE_GAP }
}

/// Whether a gap is a space.
fn is_gap(last: &Glyph, glyph: &Glyph, step: &Step, before: &str, first: Option<char>, least: f32) -> bool {
    let least = match (before.chars().next_back().is_some_and(is_cjk), first.is_some_and(is_cjk)) {
        (true, true) => SPACE_GAP_CJK,
        (false, false) => least,
        _ => least.max(SPACE_GAP_MIXED),
    };
    // One that hangs lower than its line was put into it before, or is the head of an index.
    let level = step.down.abs() < INITIAL_SHIFT * glyph.size;
    let initial = level && last.size > INITIAL_SIZE * glyph.size && step.along < INITIAL_GAP * last.size;
    step.along > least * last.size.min(glyph.size).max(0.1)
        && !(initial && is_lone_capital(before) && first.is_some_and(char::is_uppercase))
}

/// Whether a word starts here that touches the one before: the words of a recognised page are set one by one, each in a size of its own
/// and on a baseline of its own.
fn is_other_word(glyphs: &[Glyph], at: usize, step: &Step, texts: Texts<'_>) -> bool {
    let written = |c: char| c.is_alphabetic() || matches!(c, '.' | ',' | ';' | ':' | ')');
    let near = |i: Option<usize>| i.and_then(|i| glyphs.get(i)).filter(|g| texts.first(g.text).is_some_and(written));
    let (Some(a), Some(b), Some(c), Some(d)) =
        (near(at.checked_sub(2)), near(at.checked_sub(1)), near(Some(at)), near(Some(at + 1)))
    else {
        return false;
    };
    let ratio = b.size.min(c.size) / step.size;
    let small = |g: &Glyph| texts.first(g.text).is_some_and(char::is_lowercase);
    // Small capitals are capitals, and keep to the baseline.
    let parted = small(b) && small(c) && step.along > OTHER_WORD_GAP * step.size;
    let same = |one: &Glyph, other: &Glyph| one.size == other.size && Step::between(one, other).down.abs() < 0.001 * step.size;
    ratio < OTHER_WORD_SIZE
        && ratio > OTHER_WORD_SIZE_LEAST
        && b.style == c.style
        && (step.down.abs() > OTHER_WORD_SHIFT * step.size || parted)
        && step.down.abs() < OTHER_WORD_SHIFT_MOST * step.size
        && step.along > -OTHER_WORD_OVERLAP * step.size
        && same(a, b)
        && same(c, d)
}

fn is_lone_capital(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(char::is_uppercase) && chars.next().is_none()
}

/// Ideographs, kana and their punctuation. Hangul is written with spaces and does not belong here.
pub(super) fn is_cjk(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{312F}' | '\u{3190}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FF60}' | '\u{20000}'..='\u{3FFFF}')
}
