//! Numbers in one form: `1,577`, `1,577.00` and `1577` are the same number.

/// The plain form of a number written with digits, commas and points, starting and ending with a digit; `None` where the commas separate
/// items of a list rather than groups of one number.
///
/// A comma followed by anything but groups of three digits is a decimal comma (`24,7`); one point is a decimal point, as the page text
/// does not say otherwise; points that cut groups of three (`1.234.567`) are thousands; other chains of points (`1.2.3`) stay.
pub fn normal_number(typed: &str) -> Option<String> {
    let commas = typed.matches(',').count();
    let points = typed.matches('.').count();
    match (commas, points) {
        (0, 0) => Some(typed.to_owned()),
        (0, 1) => Some(trim_zeros(typed)),
        (0, _) => Some(if groups_of_three(typed, '.') { typed.replace('.', "") } else { typed.to_owned() }),
        (_, 0) if groups_of_three(typed, ',') => Some(typed.replace(',', "")),
        (1, 0) => Some(trim_zeros(&typed.replace(',', "."))),
        (_, 0) => None,
        _ => both(typed),
    }
}

/// The mark that comes last separates the decimals; the other one groups.
fn both(typed: &str) -> Option<String> {
    let (decimal, group) = if typed.rfind(',') > typed.rfind('.') { (',', '.') } else { ('.', ',') };
    let (whole, fraction) = typed.rsplit_once(decimal)?;
    if whole.contains(decimal) || !groups_of_three(whole, group) {
        return None;
    }
    Some(trim_zeros(&format!("{}.{fraction}", whole.replace(group, ""))))
}

/// Whether the separator cuts groups of three digits after a first group of one to three.
fn groups_of_three(typed: &str, separator: char) -> bool {
    let mut groups = typed.split(separator);
    groups.next().is_some_and(|first| (1..=3).contains(&first.len())) && groups.all(|group| group.len() == 3)
}

/// Decimals without zeros at the end.
fn trim_zeros(number: &str) -> String {
    match number.split_once('.') {
        Some((whole, fraction)) => match fraction.trim_end_matches('0') {
            "" => whole.to_owned(),
            kept => format!("{whole}.{kept}"),
        },
        None => number.to_owned(),
    }
}
