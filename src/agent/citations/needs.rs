//! What must stand on a page for the figures of a claim to be found there.

use super::agree::code_of;
use super::figures::{Date, Figure, Figures, Role};
use super::lex::{Kind, Lexed};

/// One thing that must be found.
#[derive(Debug, Clone)]
pub(super) enum Need {
    /// A figure.
    Figure(Figure),
    /// A day, in each way it can be read.
    Date(Vec<Date>),
    /// A run of digits that is no number, such as `4.2.1`, or a name that begins with one, such as `17a`.
    Code(String),
    /// "Note 12".
    Reference(&'static str, Figure),
}

/// What a claim needs. Years, page references, list markers and marks such as `[1]` are words and need nothing.
pub(super) fn needs(claim: &Lexed) -> Vec<Need> {
    let figures = Figures::new(claim);
    let mut out: Vec<Need> = Vec::new();
    for figure in figures.figures {
        match figure.role {
            _ if is_marker(claim, &figure) => {}
            Role::Word => {}
            Role::Reference(name) => out.push(Need::Reference(name, figure)),
            Role::Figure => out.push(Need::Figure(figure)),
        }
    }
    out.extend(figures.dates.into_iter().map(Need::Date));
    let codes = claim.tokens.iter().filter_map(|t| code_of(&t.kind));
    out.extend(codes.filter(|c| !is_dotted_date(c)).map(|c| Need::Code(c.to_owned())));
    out
}

fn is_dotted_date(code: &str) -> bool {
    let parts: Vec<u32> = code.split('.').filter_map(|p| p.parse().ok()).collect();
    matches!(parts.as_slice(), [d, m, 1800..=2199] if *d <= 31 && *m <= 12)
}

/// Most items of a list whose numbers stand in parentheses.
const MARKERS: u128 = 20;

/// `1.` at the beginning of a line, `[1]`, and the `(1)` of an enumeration.
fn is_marker(claim: &Lexed, figure: &Figure) -> bool {
    let Some(token) = claim.tokens.get(figure.token) else { return false };
    let Kind::Number { digits, .. } = &token.kind else { return false };
    if !digits.plain || digits.length > 3 {
        return false;
    }
    let short = digits.length <= 2;
    let before = |back: usize| token.start.checked_sub(back).and_then(|i| claim.char_at(i));
    let after = |on: usize| claim.char_at(token.end + on);
    if before(1) == Some('[') && after(0) == Some(']') {
        return true;
    }
    let line = claim.between(0, token.start).iter().rev().take_while(|c| **c != '\n');
    let opens_line = line.clone().all(|c| c.is_whitespace() || matches!(c, '#' | '*' | '-' | '>' | '(' | '_'));
    // "(861) was reported" begins with a figure.
    let opens_line = opens_line && (before(1) != Some('(') || digits.coefficient <= MARKERS);
    let closes = short && matches!(after(0), Some('.' | ')')) && after(1).is_some_and(|c| c.is_whitespace() || c == '*');
    if opens_line && closes {
        return true;
    }
    let next_word: String = claim.between(token.end + 2, token.end + 6).iter().take_while(|c| c.is_alphabetic()).collect();
    let enumerates = digits.coefficient <= MARKERS
        && before(1) == Some('(')
        && after(0) == Some(')')
        && after(1) == Some(' ')
        && !matches!(next_word.as_str(), "" | "and" | "or" | "to" | "und" | "et");
    let lead = claim.between(0, token.start.saturating_sub(1));
    let blanks = lead.iter().rev().take_while(|c| c.is_whitespace()).count();
    let end = lead.len() - blanks;
    let lead: String = claim.between(end.saturating_sub(4), end).iter().collect();
    enumerates && (lead.is_empty() || lead.ends_with([',', ';', ':']) || lead.ends_with(" and") || lead.ends_with(" or"))
}
