//! Superscripts: which are marks of footnotes and stand apart from the word or figure that they follow, and which belong to it.

use super::glyphs::{Glyph, TextId, Texts};
use super::pieces::Step;

/// Superscripts are smaller than this (to what they follow) and raised by more than that (in em) ...
const SCRIPT_SIZE: f32 = 0.85;
const SCRIPT_SHIFT: f32 = 0.08;
/// ... or not larger and raised by more than this.
const CLEAR_SHIFT: f32 = 0.22;
/// Glyphs of a superscript that are looked at.
const LONGEST: usize = 12;
/// Letters of a word from which on a figure after it is no exponent.
const WORD: usize = 3;

/// How a glyph is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// After a space.
    Apart,
    /// As this superscript character.
    Exponent(char),
    /// As it is.
    Joined,
}

/// The superscript that is being written.
#[derive(Debug, Default)]
pub(super) struct Raised {
    /// It is the exponent of a power of ten.
    exponent: bool,
    /// It starts a word: size of its glyphs.
    leads: Option<f32>,
}

impl Raised {
    /// A space was written.
    pub(super) fn word_ends(&mut self) {
        *self = Self::default();
    }

    /// How the glyph at this index is written. `step` leads to it from the one before in the same word, whose text so far ends `before`.
    pub(super) fn next(&mut self, glyphs: &[Glyph], at: usize, step: Option<&Step>, before: &str, texts: Texts<'_>) -> Mark {
        let Some(glyph) = glyphs.get(at) else { return Mark::Joined };
        let Some(step) = step else {
            *self = Self { exponent: false, leads: leading_mark(glyphs, at, texts) };
            return Mark::Joined;
        };
        if let Some(size) = self.leads {
            // Back on the baseline, or still in the mark.
            let lowered =
                step.down > SCRIPT_SHIFT * glyph.size && (size < SCRIPT_SIZE * glyph.size || step.down > CLEAR_SHIFT * glyph.size);
            if lowered {
                self.leads = None;
                return if starts_word(glyphs, at, texts, before) { Mark::Apart } else { Mark::Joined };
            }
        }
        if self.exponent {
            if step.down.abs() < SCRIPT_SHIFT * step.size {
                if let Some(c) = texts.first(glyph.text).and_then(superscript) {
                    return Mark::Exponent(c);
                }
            }
            self.exponent = false;
        }
        if !is_raised(glyphs, at, step) {
            return Mark::Joined;
        }
        let mark = run(glyphs, at, texts);
        if is_power_of_ten(before, &mark)
            && let Some(c) = mark.chars().next().and_then(superscript)
        {
            self.exponent = true;
            return Mark::Exponent(c);
        }
        if parts(before, &mark) { Mark::Apart } else { Mark::Joined }
    }
}

/// Whether the glyph at this index is a superscript of the visible one before it.
fn is_raised(glyphs: &[Glyph], at: usize, step: &Step) -> bool {
    let (Some(glyph), Some(last)) = (glyphs.get(at), glyphs.get(..at).and_then(|g| g.iter().rfind(|g| !g.text.is_empty()))) else {
        return false;
    };
    let up = -step.down;
    glyph.size < SCRIPT_SIZE * last.size && up > SCRIPT_SHIFT * last.size
        || glyph.size <= 1.01 * last.size && up > CLEAR_SHIFT * last.size
}

/// The text of the superscript that starts here.
fn run(glyphs: &[Glyph], at: usize, texts: Texts<'_>) -> String {
    let mut text = String::new();
    let Some(first) = glyphs.get(at) else { return text };
    let visible = glyphs.iter().skip(at).filter(|g| !g.text.is_empty()).take(LONGEST);
    for glyph in visible.take_while(|g| g.text != TextId::SPACE && level(first, g)) {
        texts.push(glyph.text, &mut text);
    }
    text
}

fn level(first: &Glyph, other: &Glyph) -> bool {
    Step::between(first, other).down.abs() < SCRIPT_SHIFT * first.size && other.size <= 1.05 * first.size
}

/// The size of a mark that starts a word here: a few figures, raised over what follows.
fn leading_mark(glyphs: &[Glyph], at: usize, texts: Texts<'_>) -> Option<f32> {
    let first = glyphs.get(at)?;
    let is_figure = |g: &Glyph| texts.first(g.text).is_some_and(|c| c.is_ascii_digit());
    is_figure(first).then_some(first.size)
}

/// Whether a word follows a leading mark, and not the rest of a fraction or the sign of an isotope.
fn starts_word(glyphs: &[Glyph], at: usize, texts: Texts<'_>, before: &str) -> bool {
    let mark = before.rsplit(' ').next().unwrap_or(before);
    let word: String = glyphs
        .iter()
        .skip(at)
        .filter(|g| !g.text.is_empty())
        .map_while(|g| texts.first(g.text).filter(|c| c.is_alphabetic()))
        .take(WORD)
        .collect();
    let at_start = mark.len() == before.len();
    let long = word.chars().count() >= if at_start { 2 } else { WORD };
    mark.len() <= 3 && mark.chars().all(|c| c.is_ascii_digit()) && (long || word.starts_with(char::is_lowercase))
}

/// "6.02 × 10" and "23", "10" and "−3".
fn is_power_of_ten(before: &str, mark: &str) -> bool {
    let Some(factor) = before.strip_suffix("10") else { return false };
    let signed = mark.starts_with(['-', '−', '–']);
    let digits = mark.trim_start_matches(['-', '−', '–', '+']);
    let figures = digits.chars().take_while(char::is_ascii_digit).count();
    let sound = (1..=3).contains(&figures) && !factor.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ','));
    let times = factor.trim_end().ends_with(['×', '·', '⋅', '∗', '*', 'x', '×']);
    sound && (signed || times) && digits.chars().all(|c| c.is_ascii_digit() || !c.is_alphanumeric())
}

fn superscript(c: char) -> Option<char> {
    Some(match c {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4'..='9' => char::from_u32(u32::from(c) - u32::from('0') + 0x2070)?,
        '-' | '−' | '–' => '⁻',
        '+' => '⁺',
        _ => return None,
    })
}

/// Whether a superscript is set apart from what it follows, so that a footnote mark does not become a part of a word or number.
fn parts(before: &str, mark: &str) -> bool {
    let (Some(last), Some(first)) = (before.chars().next_back(), mark.chars().next()) else { return false };
    let word = || before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or(before);
    match last {
        // "1,234 2", "900 a", "2024 (2)"; but "4th", "2e", "2+".
        c if c.is_numeric() => first.is_numeric() || first == '(' || is_letter_mark(mark) && !is_ordinal(mark),
        c if c.is_alphabetic() => {
            let word = word();
            let length = word.chars().count();
            if first.is_numeric() {
                // "sales 1", "it 2"; but "km2", "x2", "Ca2+".
                let charged = mark.ends_with(['+', '-', '−']);
                return !charged && (length >= WORD || length == 2 && is_short_word(word));
            }
            // "Fox a,b"; but "XIXe", "Mme".
            let roman = word.chars().all(|c| matches!(c, 'I' | 'V' | 'X' | 'L' | 'C')) && is_ordinal(mark);
            length >= WORD && first.is_lowercase() && !roman || length >= WORD && first == '('
        }
        // "in 1999. 14", "(net) 2"; but "(a + b)2".
        ')' | ']' => (first.is_numeric() || is_letter_mark(mark)) && holds_word(before),
        '.' | ',' | ';' | ':' | '!' | '?' | '%' | '"' | '”' | '’' | '\'' | '»' | '…' => {
            first.is_numeric() || is_letter_mark(mark)
        }
        _ => false,
    }
}

/// "a", "a,b".
fn is_letter_mark(mark: &str) -> bool {
    mark.split(',').all(|part| {
        let mut chars = part.trim().chars();
        chars.next().is_some_and(char::is_lowercase) && chars.next().is_none()
    })
}

/// Endings of ordinals of one letter; those of more are no marks of footnotes. A raised n is a power.
fn is_ordinal(mark: &str) -> bool {
    matches!(mark, "e" | "o" | "n" | "º" | "ª" | "er" | "re" | "th" | "st" | "nd" | "rd" | "ème" | "de")
}

/// Words of two letters that are no units of measure.
fn is_short_word(word: &str) -> bool {
    let lower = word.to_lowercase();
    matches!(
        lower.as_str(),
        "it" | "us"
            | "is"
            | "of"
            | "to"
            | "we"
            | "he"
            | "me"
            | "so"
            | "do"
            | "up"
            | "on"
            | "at"
            | "be"
            | "by"
            | "as"
            | "an"
            | "or"
            | "no"
            | "go"
            | "my"
    ) || matches!(word, "EU" | "UK" | "UN" | "US")
}

/// Whether the bracket that ends here holds a word.
fn holds_word(before: &str) -> bool {
    let inner = before.rsplit(['(', '[']).next().unwrap_or(before);
    inner.split(|c: char| !c.is_alphabetic()).any(|w| w.chars().count() >= WORD)
}
