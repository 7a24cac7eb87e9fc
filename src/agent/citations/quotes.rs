//! Whether quoted words stand on a page.
//!
//! Words are compared letter by letter with no regard to the spaces and hyphens between them, so that a word broken at a line end, or by the
//! text layer, is still the same word; numbers are compared whole and with their sign. A match begins and ends where a word does.

use super::fold::fold;
use super::lex::{Kind, Lexed, Parens, number_in_parens};
use super::numbers::{Digits, Style, Value};
use super::words;

/// A letter, a number or a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Char(char),
    Number { value: Value, negative: bool },
    Sign(char),
}

#[derive(Debug, Clone, Copy)]
struct Placed {
    unit: Unit,
    /// First unit of its token.
    first: bool,
    /// Last unit of its token.
    last: bool,
    /// Belongs to a token that a quote may leave out: a currency sign or a footnote mark.
    optional: bool,
}

/// A text ready to be searched for quotes.
#[derive(Debug, Clone)]
pub(super) struct Haystack {
    units: Vec<Placed>,
    style: Style,
}

/// Units that may lie between two parts of a quote with an ellipsis between them: about a paragraph.
const ELLIPSIS_REACH: usize = 400;
/// The same for a part that would be too little alone.
const WEAK_REACH: usize = 40;

impl Haystack {
    /// From a page that was read in this number style.
    pub(super) fn new(lexed: &Lexed, style: Style) -> Self {
        Self { units: units(lexed), style }
    }

    /// Whether the quote stands here.
    pub(super) fn holds(&self, quote: &Quote) -> bool {
        let variants = match self.style {
            Style::Point => &quote.point,
            Style::Comma => &quote.comma,
        };
        variants.iter().any(|parts| self.holds_parts(parts))
    }

    fn holds_parts(&self, parts: &[Part]) -> bool {
        let Some((first, rest)) = parts.split_first() else { return false };
        (0..self.units.len()).any(|at| {
            let Some(mut end) = self.matches_at(at, &first.units) else { return false };
            rest.iter().all(|part| {
                let reach = if part.weak { WEAK_REACH } else { ELLIPSIS_REACH };
                let next = (end..=end.saturating_add(reach)).find_map(|at| self.matches_at(at, &part.units));
                next.is_some_and(|found| {
                    end = found;
                    true
                })
            })
        })
    }

    /// Where a match that begins at `at` ends.
    fn matches_at(&self, at: usize, needle: &[Unit]) -> Option<usize> {
        if needle.is_empty() || !self.units.get(at)?.first {
            return None;
        }
        let mut here = at;
        for (matched, unit) in needle.iter().enumerate() {
            loop {
                let placed = self.units.get(here)?;
                if placed.unit == *unit {
                    here += 1;
                    break;
                }
                if matched == 0 || !placed.optional || !placed.first {
                    return None;
                }
                here += 1 + self.units.iter().skip(here).take_while(|p| !p.last).count();
            }
        }
        self.units.get(here - 1)?.last.then_some(here)
    }
}

/// A part of a quote between ellipses.
#[derive(Debug, Clone)]
struct Part {
    units: Vec<Unit>,
    weak: bool,
}

/// A quote ready to be searched for, read in both number styles: a page is searched for the reading in its own style.
#[derive(Debug, Clone)]
pub(super) struct Quote {
    point: Vec<Vec<Part>>,
    comma: Vec<Vec<Part>>,
    strong: bool,
}

impl Quote {
    /// From the quoted words. `None` when there is nothing to search for.
    pub(super) fn new(text: &str) -> Option<Self> {
        let folded = fold(text);
        let texts: Vec<&str> = folded.split("...").filter(|t| t.chars().any(char::is_alphanumeric)).collect();
        let strong = is_strong(&folded, &Lexed::new(&folded, Style::Point));
        let (point, comma) = (variants(&texts, Style::Point), variants(&texts, Style::Comma));
        (!point.is_empty()).then_some(Self { point, comma, strong })
    }

    /// Whether it says enough to prove anything: three words, twelve letters, or a number with its label.
    pub(super) fn is_strong(&self) -> bool {
        self.strong
    }
}

fn variants(texts: &[&str], style: Style) -> Vec<Vec<Part>> {
    let parts: Vec<Part> = texts
        .iter()
        .map(|t| {
            let lexed = Lexed::new(t, style);
            Part { units: units(&lexed).iter().map(|p| p.unit).collect(), weak: !is_strong(t, &lexed) }
        })
        .filter(|p| !p.units.is_empty())
        .collect();
    if parts.is_empty() {
        return Vec::new();
    }
    let mut variants = vec![parts];
    add_cut_parentheses(&mut variants, texts, style);
    variants
}

/// A quote can be cut out of the middle of `(53)`, which hides the sign: then both signs are tried.
fn add_cut_parentheses(variants: &mut Vec<Vec<Part>>, texts: &[&str], style: Style) {
    let flip = |unit: Option<&mut Unit>| {
        if let Some(Unit::Number { negative, .. }) = unit {
            *negative = !*negative;
        }
    };
    if let Some(last) = texts.last() {
        let chars: Vec<char> = last.trim_end().chars().collect();
        let open = chars.iter().rposition(|&c| c == '(');
        if open.and_then(|at| number_in_parens(&chars, at, style)).is_some_and(|(_, state)| state == Parens::Open) {
            let mut more = variants.clone();
            for parts in &mut more {
                let units = parts.last_mut().map(|p| &mut p.units);
                flip(units.and_then(|u| u.iter_mut().rev().find(|u| matches!(u, Unit::Number { .. }))));
            }
            variants.append(&mut more);
        }
    }
    if let Some(first) = texts.first() {
        let lexed = Lexed::new(first, style);
        let number = lexed.tokens.iter().find(|t| !matches!(t.kind, Kind::Currency(_)));
        let closed_after = number.filter(|t| matches!(t.kind, Kind::Number { .. })).is_some_and(|t| {
            let tail: String = lexed.chars.iter().skip(t.end).take(4).collect();
            tail.trim_start().trim_start_matches('%').trim_start().starts_with(')')
        });
        if closed_after {
            let mut more = variants.clone();
            for parts in &mut more {
                let units = parts.first_mut().map(|p| &mut p.units);
                flip(units.and_then(|u| u.iter_mut().find(|u| matches!(u, Unit::Number { .. }))));
            }
            variants.append(&mut more);
        }
    }
}

fn is_strong(folded: &str, lexed: &Lexed) -> bool {
    let spoken = folded.split_whitespace().filter(|w| w.chars().any(char::is_alphanumeric)).count();
    // A character of a script without spaces says about as much as two letters.
    let letters: usize = folded.chars().filter(|c| c.is_alphabetic()).map(|c| if super::lex::is_single(c) { 2 } else { 1 }).sum();
    spoken >= 3 || letters >= 12 || is_labelled_number(lexed)
}

fn is_labelled_number(lexed: &Lexed) -> bool {
    let number = lexed.tokens.iter().any(|t| match &t.kind {
        Kind::Number { digits, .. } => !super::lex::is_year(digits),
        _ => false,
    });
    let label = lexed.tokens.iter().any(|t| match &t.kind {
        Kind::Word(w) => {
            w.chars().all(char::is_alphabetic)
                && !words::is_small_word(w)
                && !words::is_page_word(w)
                && words::scale_of(w).is_none()
                && words::currency_of(w).is_none()
                && words::percent_of(w).is_none()
                && words::month_of(w).is_none()
        }
        _ => false,
    });
    number && label
}

fn units(lexed: &Lexed) -> Vec<Placed> {
    let mut out = Vec::with_capacity(lexed.chars.len());
    for token in &lexed.tokens {
        let optional = token.mark || matches!(token.kind, Kind::Currency(_));
        let mut push = |unit, first, last| out.push(Placed { unit, first, last, optional });
        match &token.kind {
            Kind::Word(text) | Kind::Code(text) => {
                let count = text.chars().count();
                for (i, c) in text.chars().enumerate() {
                    push(Unit::Char(c), i == 0, i + 1 == count);
                }
            }
            Kind::Number { digits, negative } => push(number_unit(digits, *negative), true, true),
            Kind::Percent => push(Unit::Sign('%'), true, true),
            Kind::Currency(c) | Kind::Symbol(c) => push(Unit::Sign(*c), true, true),
        }
    }
    out
}

fn number_unit(digits: &Digits, negative: bool) -> Unit {
    let exponent = i32::try_from(digits.decimals).map_or(0, |d| -d);
    let value = Value { coefficient: digits.coefficient, exponent }.normal();
    Unit::Number { value, negative: negative && value.coefficient != 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stands(quote: &str, page: &str) -> bool {
        let folded = fold(page);
        let style = Style::of(&folded);
        let haystack = Haystack::new(&Lexed::new(&folded, style), style);
        Quote::new(quote).is_some_and(|q| haystack.holds(&q))
    }

    #[test]
    fn folding_bridges_what_extraction_and_typing_change() {
        let page = "Revenues in\u{fb02}ated by the infor-\nmation services seg\u{ad}ment\u{2019}s “year\u{2013}over\u{2013}year” growth\nrose 5 % to $ 24,690(1) million";
        for quote in [
            "REVENUES inflated by the information services",
            "segment's \"year-over-year\" growth rose 5% to $24,690 million",
            "growth rose 5 percent to $24690.00(1) million",
            "infor- mation services segment's",
            "growth rose 5% to 24,690 million",
        ] {
            assert!(stands(quote, page), "{quote}");
        }
        for quote in [
            "growth rose 5% to $24,680 million",
            "growth rose 5% to $24,690 billion",
            "growth fell 5% to $24,690 million",
            "growth rose 5% to €24,690 million",
            "rowth rose 5% to $24,690 million",
            "growth rose 5% to $24,690 mill",
        ] {
            assert!(!stands(quote, page), "{quote}");
        }
    }

    #[test]
    fn signs_count_also_where_the_quote_cuts_the_parentheses() {
        let page = "International  (3)  (56)  (24.5 %)\nDomestic 250 (12";
        assert!(stands("International (3) (56)", page));
        assert!(stands("International -3 -56", page));
        assert!(!stands("International 3 56", page));
        assert!(!stands("International (3) 56", page));
        assert!(stands("International (3) (56", page));
        assert!(stands("3) (56) (24.5%)", page));
        assert!(stands("Domestic 250 (12", page));
    }

    #[test]
    fn an_ellipsis_leaves_words_out_in_order_and_near() {
        let page = "Revenues for the quarter increased 5% to $24.7 billion from $23.5 billion. ".to_owned()
            + &"Other words follow here. ".repeat(40)
            + "Net income grew.";
        assert!(stands("Revenues for the quarter ... to $24.7 billion", &page));
        assert!(stands("Revenues … from $23.5 billion", &page));
        assert!(!stands("from $23.5 billion ... Revenues for the quarter", &page));
        assert!(!stands("Revenues for the quarter ... Net income grew", &page));
    }

    #[test]
    fn strength_is_three_words_twelve_letters_or_a_labelled_number() {
        let strong = |text| Quote::new(text).is_some_and(|q| q.is_strong());
        for text in ["the net loss", "Consolidated", "EPS 1.76", "Revenues 24,690", "净利润为五百万"] {
            assert!(strong(text), "{text}");
        }
        for text in ["the", "2025", "$24.7 billion", "of 5", "net loss", "fiscal 2025", "page 3", "5 %"] {
            assert!(!strong(text), "{text}");
        }
    }
}
