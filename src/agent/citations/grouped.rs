//! Numbers whose thousands are set apart by blanks: "233 000".

use super::figures::{Figure, Role, Unit};
use super::lex::{Kind, Lexed};
use super::numbers::{Digits, Value};

/// Joins runs such as "2 057,4" to one figure. In a claim that figure takes the place of its parts, which it remembers; on a page, where the
/// parts may be cells of a table, it stands beside them.
pub(super) fn join(lexed: &Lexed, figures: &mut Vec<Figure>, instead: bool) {
    let mut out: Vec<Figure> = Vec::with_capacity(figures.len());
    let mut at = 0;
    while let Some(first) = figures.get(at) {
        let length = run_length(lexed, figures, at);
        let run = figures.get(at..at + length).unwrap_or_default();
        match joined(lexed, run) {
            Some(whole) if instead => out.push(whole),
            Some(whole) => {
                out.extend_from_slice(run);
                out.push(whole);
            }
            None => out.push(first.clone()),
        }
        at += if length > 1 { length } else { 1 };
    }
    *figures = out;
}

fn digits<'a>(lexed: &'a Lexed, figure: &Figure) -> Option<&'a Digits> {
    match &lexed.tokens.get(figure.token)?.kind {
        Kind::Number { digits, .. } => Some(digits),
        _ => None,
    }
}

/// How many figures from `at` on are groups of one number: one to three digits, then groups of three with one blank before each, of which
/// the last may have decimals.
fn run_length(lexed: &Lexed, figures: &[Figure], at: usize) -> usize {
    let opens = figures.get(at).is_some_and(|f| {
        let short =
            digits(lexed, f).is_some_and(|d| d.plain && (1..=3).contains(&d.length) && d.coefficient > 0 && !starts_with_zero(d));
        short && f.role == Role::Figure && f.scale.is_none() && f.unit != Unit::Percent
    });
    if !opens {
        return 1;
    }
    let mut length = 1;
    while let (Some(last), Some(next)) = (figures.get(at + length - 1), figures.get(at + length)) {
        let gap = match (lexed.tokens.get(last.token), lexed.tokens.get(next.token)) {
            (Some(a), Some(b)) if last.token + 1 == next.token => lexed.between(a.end, b.start),
            _ => break,
        };
        let whole = |d: &Digits| usize::try_from(d.decimals).is_ok_and(|n| d.length - n.min(d.length) == 3);
        let group = digits(lexed, next).is_some_and(|d| whole(d) && (d.plain || d.decimals > 0));
        let before_ends = digits(lexed, last).is_some_and(|d| d.plain) && last.scale.is_none() && last.unit != Unit::Percent;
        if gap != [' '] || !group || !before_ends || next.negative {
            break;
        }
        length += 1;
    }
    length
}

fn starts_with_zero(digits: &Digits) -> bool {
    10u128.checked_pow(u32::try_from(digits.length).unwrap_or(0).saturating_sub(1)).is_some_and(|least| digits.coefficient < least)
}

fn joined(lexed: &Lexed, run: &[Figure]) -> Option<Figure> {
    let (first, last) = (run.first()?, run.last()?);
    if run.len() < 2 {
        return None;
    }
    let mut value = first.value;
    for part in run.iter().skip(1) {
        let written = digits(lexed, part)?;
        let shift = 10u128.checked_pow(u32::try_from(written.length).ok()?)?;
        value.coefficient = value.coefficient.checked_mul(shift)?.checked_add(written.coefficient)?;
        value.exponent = -i32::try_from(written.decimals).ok()?;
    }
    let unit = if last.unit == Unit::Plain { first.unit } else { last.unit };
    Some(Figure { value, unit, scale: last.scale, parts: run.iter().map(|f| f.value).collect::<Vec<Value>>(), ..first.clone() })
}
