//! Wrong digits: one changed, two transposed, one dropped, the point moved.

use super::reading::{Figure, Statement, Worth, read};
use super::wording;

/// Digits of a figure changed in four ways, to values that a page cannot hold.
pub fn changed(s: &Statement, f: &Figure, worth: &Worth, turn: usize) -> Vec<(&'static str, String)> {
    let digits = &f.digits;
    let places: Vec<usize> = digits.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(i, _)| i).collect();
    let mut out = Vec::new();
    let good = |text: &String| {
        read(text, s.comma).is_some_and(|(value, decimals)| {
            let step = 10f64.powi(-(decimals as i32));
            let year = text.len() == 4 && (text.starts_with("19") || text.starts_with("20"));
            !year
                && (value - f.value).abs() > step * 0.5
                && value != 0.0
                && !worth.may_hold(value, step)
                && s.figures.iter().all(|o| (o.value - value).abs() > 1e-9)
        })
    };
    let digit = (0..9 * places.len()).find_map(|n| {
        let place = places[(turn + n) % places.len()];
        let old: usize = digits[place..=place].parse().ok()?;
        let new = (old + 1 + (turn + n) % 9) % 10;
        let text = format!("{}{new}{}", &digits[..place], &digits[place + 1..]);
        (new != old && !(place == 0 && new == 0)).then_some(text).filter(good)
    });
    out.extend(digit.map(|t| ("wrong digit", t)));
    let transposed = places.windows(2).find_map(|w| {
        let mut chars: Vec<char> = digits.chars().collect();
        chars.swap(w[0], w[1]);
        Some(chars.into_iter().collect::<String>()).filter(|t| t != digits && !t.starts_with('0')).filter(good)
    });
    out.extend(transposed.map(|t| ("transposed digits", t)));
    if places.len() >= 3 {
        let plain: String = digits.chars().filter(|c| c.is_ascii_digit()).collect();
        let whole = plain.len() - f.decimals;
        let (group, point) = if s.comma { (".", ",") } else { (",", ".") };
        let shorter = format!("{}{}", &plain[..1], &plain[2..]);
        let value = shorter.parse::<f64>().unwrap_or(0.0) / 10f64.powi(f.decimals as i32);
        if whole >= 2 {
            let text = wording::write(value, f.decimals, group, point);
            out.extend(Some(text).filter(good).map(|t| ("dropped digit", t)));
        }
        if f.decimals > 0 && whole >= 2 {
            let text = wording::write(f.value / 10.0, f.decimals + 1, group, point);
            out.extend(Some(text).filter(good).map(|t| ("shifted point", t)));
        } else if f.decimals > 0 {
            let text = wording::write(f.value * 10.0, f.decimals - 1, group, point);
            out.extend(Some(text).filter(good).map(|t| ("shifted point", t)));
        }
    }
    out
}
