//! Folding: two spellings of the same text become one.

use unicode_normalization::UnicodeNormalization;

/// Folds compatibility forms (ligatures, full-width letters), quotes, dashes, invisible characters, white space and case. Folding what is
/// folded changes nothing.
///
/// White space keeps three forms, because the readers of numbers and sentences need them: a line end, a gap of two or more blanks (between
/// the cells of a table row), and a single blank. Superscript digits are set apart with `^`, so that a footnote mark never becomes part of
/// a figure.
pub(super) fn fold(text: &str) -> String {
    let mut folded = fold_once(text);
    if text.is_ascii() {
        return folded;
    }
    // Compatibility forms can hide one another, and lower case can give new ones; two rounds are enough for every known character.
    for _ in 0..4 {
        let again = fold_once(&folded);
        if again == folded {
            break;
        }
        folded = again;
    }
    folded
}

fn fold_once(text: &str) -> String {
    let composed: String = if text.is_ascii() { text.to_owned() } else { set_apart(text).nfkc().collect() };
    let mut out = String::with_capacity(composed.len());
    let mut blank: Option<Blank> = None;
    for c in composed.chars() {
        if c.is_whitespace() {
            blank = Some(match (blank, c) {
                (Some(Blank::Line), _) | (_, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}') => Blank::Line,
                (None, '\t') | (Some(_), _) => Blank::Gap,
                (None, _) => Blank::One,
            });
            continue;
        }
        if is_invisible(c) {
            continue;
        }
        if let Some(kind) = blank.take() {
            out.push_str(kind.text());
        }
        match plain(c) {
            Some(p) => out.push(p),
            None if c.is_ascii() => out.push(c.to_ascii_lowercase()),
            None => out.extend(c.to_lowercase()),
        }
    }
    if let Some(kind) = blank {
        out.push_str(kind.text());
    }
    if out.is_ascii() { out } else { out.nfkc().collect() }
}

#[derive(Clone, Copy)]
enum Blank {
    One,
    Gap,
    Line,
}

impl Blank {
    fn text(self) -> &'static str {
        match self {
            Self::One => " ",
            Self::Gap => "  ",
            Self::Line => "\n",
        }
    }
}

/// Keeps superscripts and vulgar fractions from growing together with the digits before them.
fn set_apart(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut raised = false;
    text.chars().flat_map(move |c| {
        let is_raised = matches!(c, '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{2070}' | '\u{2074}'..='\u{2079}');
        let first = is_raised && !raised;
        raised = is_raised;
        let before = match c {
            _ if first => Some('^'),
            '\u{bc}'..='\u{be}' | '\u{2150}'..='\u{215f}' => Some(' '),
            _ => None,
        };
        before.into_iter().chain(std::iter::once(plain(c).unwrap_or(c)))
    })
}

fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffd}'
    ) || c.is_control()
}

/// The plain form of quotes, dashes and the fraction slash.
fn plain(c: char) -> Option<char> {
    Some(match c {
        '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{2b9}' | '\u{2bc}' | '`' | '\u{b4}' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2043}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' | '\u{2d7}' => '-',
        '\u{2044}' | '\u{2215}' => '/',
        _ => return None,
    })
}
