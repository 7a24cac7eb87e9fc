//! Numbers as they are written: digits, separators, decimals; and when two written numbers are the same.

/// How a text writes its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// 1,577.00
    Point,
    /// 1.577,00
    Comma,
}

impl Style {
    /// The style of a folded text: by numbers that can be read in one way only, else by the small words of its language.
    pub(super) fn of(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let mut votes = Votes::default();
        let mut i = 0;
        while let Some(&c) = chars.get(i) {
            if !c.is_ascii_digit() {
                i += 1;
                continue;
            }
            let run = Run::read(&chars, i);
            // The footnote marks of "reserves11,12" are no number.
            let glued = i.checked_sub(1).and_then(|b| chars.get(b)).is_some_and(|c| c.is_alphabetic() || *c == '^');
            if let Some((style, sure)) = run.vote().filter(|_| !glued) {
                votes.add(style, sure);
            }
            i = run.end;
        }
        votes.decide().or_else(|| by_small_words(text)).unwrap_or(if votes.comma > votes.point { Self::Comma } else { Self::Point })
    }
}

/// What the numbers of a text speak for.
#[derive(Default)]
struct Votes {
    point: u32,
    comma: u32,
    sure: bool,
}

impl Votes {
    /// A number that can be read in one way only weighs as much as four that are most likely thousands.
    fn add(&mut self, style: Style, sure: bool) {
        let weight = if sure { 4 } else { 1 };
        match style {
            Style::Point => self.point += weight,
            Style::Comma => self.comma += weight,
        }
        self.sure |= sure;
    }

    /// Numbers decide when at least one of them is sure.
    fn decide(&self) -> Option<Style> {
        match self.point.cmp(&self.comma) {
            std::cmp::Ordering::Greater if self.sure => Some(Style::Point),
            std::cmp::Ordering::Less if self.sure => Some(Style::Comma),
            _ => None,
        }
    }
}

/// Words that are counted to tell the language of a text: a page of prose has many in its first lines.
const SMALL_WORDS_READ: usize = 800;

fn by_small_words(text: &str) -> Option<Style> {
    let (mut comma, mut point) = (0u32, 0u32);
    for word in text.split(|c: char| !c.is_alphanumeric()).take(SMALL_WORDS_READ) {
        match word {
            "the" | "and" | "of" | "was" | "were" | "for" | "with" | "to" | "in" | "by" | "at" | "is" | "on" | "million"
            | "billion" => point += 1,
            "der" | "und" | "von" | "im" | "waren" | "davon" | "mit" | "für" | "auf" | "nicht" | "eine" | "wurden" | "wurde"
            | "bei" | "zum" | "zur" | "nach" | "mio" | "mrd" | "les" | "des" | "est" | "pour" | "le" | "la" | "une" | "dans"
            | "sur" | "avec" | "été" | "aux" | "los" | "las" | "del" | "para" | "el" | "con" | "por" | "fue" | "di" | "che"
            | "nel" | "della" | "sono" | "il" | "da" | "em" | "foi" | "uma" | "het" | "een" | "van" | "voor" | "met"
            | "milliards" | "millones" | "milioni" | "milhões" => comma += 1,
            _ => {}
        }
    }
    match comma.cmp(&point) {
        std::cmp::Ordering::Greater => Some(Style::Comma),
        std::cmp::Ordering::Less => Some(Style::Point),
        std::cmp::Ordering::Equal => None,
    }
}

/// A run of digits with separators between them.
struct Run {
    groups: Vec<String>,
    separators: Vec<char>,
    end: usize,
}

impl Run {
    fn read(chars: &[char], start: usize) -> Self {
        let mut run = Self { groups: vec![String::new()], separators: Vec::new(), end: start };
        while let Some(&c) = chars.get(run.end) {
            if c.is_ascii_digit() {
                if let Some(group) = run.groups.last_mut() {
                    group.push(c);
                }
            } else if matches!(c, '.' | ',' | '\'') && run.end > start && chars.get(run.end + 1).is_some_and(char::is_ascii_digit) {
                run.separators.push(c);
                run.groups.push(String::new());
            } else {
                break;
            }
            run.end += 1;
        }
        run
    }

    /// Whether the groups from the second on (up to `upto`) can be groups of thousands (or, in India, of hundreds before the last three).
    fn thousands(&self, upto: usize) -> bool {
        let groups = self.groups.get(..upto).unwrap_or_default();
        let Some((first, rest)) = groups.split_first() else { return false };
        let Some((last, middle)) = rest.split_last() else { return true };
        let first_fits = matches!(first.len(), 1..=3) && !first.starts_with('0');
        first_fits && last.len() == 3 && (middle.iter().all(|g| g.len() == 3) || middle.iter().all(|g| g.len() == 2))
    }

    /// The style that this run speaks for, and whether it can be read in one way only; `4,951` is most likely a thousand.
    fn vote(&self) -> Option<(Style, bool)> {
        let last = *self.separators.last()?;
        let (as_decimal, as_grouping) = match last {
            '.' => (Style::Point, Style::Comma),
            ',' => (Style::Comma, Style::Point),
            _ => return None,
        };
        let count = self.groups.len();
        let mixed = self.separators.iter().any(|&s| s != last && s != '\'');
        let last_group = self.groups.last().map_or(0, String::len);
        match (mixed, self.separators.len()) {
            (true, _) => self.thousands(count - 1).then_some((as_decimal, true)),
            (false, 1) if self.thousands(count) => Some((as_grouping, false)),
            // A comma before more than two digits is a list, not a fraction.
            (false, 1) if last == '.' || last_group <= 2 || self.groups.first().is_some_and(|g| g == "0") => {
                Some((as_decimal, true))
            }
            (false, 1) => None,
            (false, _) => self.thousands(count).then_some((as_grouping, true)),
        }
    }
}

/// Digits as a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Digits {
    /// All digits without separators.
    pub coefficient: u128,
    /// How many of them stand after the decimal point.
    pub decimals: u32,
    /// Whether it is written with digits alone.
    pub plain: bool,
    /// How many digits are written.
    pub length: usize,
}

/// What stands at a digit.
pub(super) enum Scanned {
    /// A number.
    Number(Digits),
    /// Digits and separators that are no number: `4.2.1`, an identifier of more than 30 digits.
    Code(String),
}

/// Reads the number that begins at `start` (a digit, or a point before a digit). Gives what it is and where it ends.
pub(super) fn scan(chars: &[char], start: usize, style: Style) -> (Scanned, usize) {
    let bare_point = chars.get(start) == Some(&'.');
    let run = Run::read(chars, start + usize::from(bare_point));
    let text = || -> String { chars.get(start..run.end).unwrap_or_default().iter().collect() };
    let decimals = if bare_point { Some(1) } else { decimal_groups(&run, style) };
    let Some(decimals) = decimals else { return (Scanned::Code(text()), run.end) };
    let digits: String = run.groups.concat();
    if digits.len() > 30 {
        return (Scanned::Code(text()), run.end);
    }
    let after = if decimals == 0 { 0 } else { run.groups.last().map_or(0, String::len) };
    let number = Digits {
        coefficient: digits.parse().unwrap_or(0),
        decimals: u32::try_from(after).unwrap_or(0),
        plain: run.separators.is_empty() && !bare_point,
        length: digits.len(),
    };
    (Scanned::Number(number), run.end)
}

/// How many groups (0 or 1) stand after the decimal separator; `None` when the run is no number.
fn decimal_groups(run: &Run, style: Style) -> Option<usize> {
    let Some(&last) = run.separators.last() else { return Some(0) };
    let count = run.groups.len();
    let mixed = run.separators.iter().any(|&s| s != last);
    if mixed {
        let others_agree = run.separators.iter().take(count - 2).all(|&s| s != last);
        return (others_agree && last != '\'' && run.thousands(count - 1)).then_some(1);
    }
    let grouping = match style {
        Style::Point => ',',
        Style::Comma => '.',
    };
    if (last == grouping || last == '\'') && run.thousands(count) {
        return Some(0);
    }
    if count == 2 && last != '\'' { Some(1) } else { run.thousands(count).then_some(0) }
}

/// A value of `coefficient * 10^exponent`, as precise as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value {
    /// Digits.
    pub coefficient: u128,
    /// Power of ten of the last digit.
    pub exponent: i32,
}

impl Value {
    /// The same value without trailing zeros.
    pub(super) fn normal(self) -> Self {
        let Self { mut coefficient, mut exponent } = self;
        if coefficient == 0 {
            return Self { coefficient: 0, exponent: 0 };
        }
        while coefficient.is_multiple_of(10) {
            coefficient /= 10;
            exponent += 1;
        }
        Self { coefficient, exponent }
    }

    /// Exactly equal.
    pub(super) fn equals(self, other: Self) -> bool {
        self.normal() == other.normal()
    }

    /// Whether this value, the finer one, gives `coarse` when rounded to its last digit. A tie may go either way.
    pub(super) fn rounds_to(self, coarse: Self) -> bool {
        let Ok(shift) = u32::try_from(coarse.exponent - self.exponent) else { return false };
        if shift == 0 {
            return self.coefficient == coarse.coefficient;
        }
        let Some(unit) = 10u128.checked_pow(shift) else { return false };
        let Some(target) = coarse.coefficient.checked_mul(unit) else { return false };
        target.abs_diff(self.coefficient) * 2 <= unit
    }

    /// As a floating-point number, for computed figures.
    pub(super) fn to_f64(self) -> f64 {
        // 10^±45 at most: far inside the range; precision of 15 digits is more than any rounding needs.
        #[allow(clippy::cast_precision_loss, reason = "rounding is compared, not money counted")]
        let coefficient = self.coefficient as f64;
        coefficient * 10f64.powi(self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, style: Style) -> Option<Value> {
        let chars: Vec<char> = text.chars().collect();
        match scan(&chars, 0, style) {
            (Scanned::Number(d), end) if end == chars.len() => {
                Some(Value { coefficient: d.coefficient, exponent: -(d.decimals as i32) }.normal())
            }
            _ => None,
        }
    }

    #[test]
    fn separators_are_read_in_the_style_of_the_text() {
        let of = |coefficient, exponent| Some(Value { coefficient, exponent });
        assert_eq!(value("1,577", Style::Point), of(1577, 0));
        assert_eq!(value("1577.00", Style::Point), of(1577, 0));
        assert_eq!(value("1.577", Style::Comma), of(1577, 0));
        assert_eq!(value("1.577", Style::Point), of(1577, -3));
        assert_eq!(value("1.577,25", Style::Comma), of(157_725, -2));
        assert_eq!(value("1,577.25", Style::Comma), of(157_725, -2));
        assert_eq!(value("24,7", Style::Point), of(247, -1));
        assert_eq!(value("1'577'000", Style::Point), of(1577, 3));
        assert_eq!(value("12,34,567", Style::Point), of(1_234_567, 0));
        assert_eq!(value(".05", Style::Point), of(5, -2));
        assert_eq!(value("4.2.1", Style::Point), None);
    }

    #[test]
    fn the_style_shows_in_numbers_and_else_in_words() {
        assert_eq!(Style::of("revenue 1,577 and 5.1 %"), Style::Point);
        assert_eq!(Style::of("umsatz 1.577,3 und 24,7"), Style::Comma);
        assert_eq!(Style::of("der umsatz und 1.577"), Style::Comma);
        assert_eq!(Style::of("the revenue was 1.577"), Style::Point);
    }

    #[test]
    fn rounding_goes_to_the_last_digit_of_the_coarser() {
        let fine = Value { coefficient: 24_690, exponent: 6 };
        assert!(fine.rounds_to(Value { coefficient: 247, exponent: 8 }));
        assert!(!fine.rounds_to(Value { coefficient: 246, exponent: 8 }));
        assert!(!fine.rounds_to(Value { coefficient: 247, exponent: 5 }));
        assert!(Value { coefficient: 25, exponent: -1 }.rounds_to(Value { coefficient: 2, exponent: 0 }));
        assert!(Value { coefficient: 25, exponent: -1 }.rounds_to(Value { coefficient: 3, exponent: 0 }));
    }
}
