//! Whether a figure of a claim stands on a page.

use std::collections::HashSet;
use std::sync::Arc;

use super::figures::{Date, Figure, Figures, Role, Unit};
use super::lex::{Kind, Lexed};
use super::nearby::{Lines, falls};
use super::numbers::{Style, Value};
use super::rows::{Rows, Said};
use super::spelled::spelled;
use super::words::Scale;

/// The numbers of one page.
#[derive(Debug, Clone)]
pub(super) struct PageNumbers {
    figures: Figures,
    /// Numbers written as words.
    spelled: Vec<Figure>,
    codes: Vec<String>,
    /// For each figure, whether a word of loss or fall leads up to it.
    falls: Vec<bool>,
    lines: Lines,
    /// The currencies that the page names.
    currencies: Vec<char>,
    style: Style,
    rows: Rows,
}

/// How well a figure of a page fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    No,
    /// By rounding, or by reading a unit or scale into it.
    Weak,
    Sure,
}

/// What a claim says beside its figures.
#[derive(Debug, Clone)]
pub(super) struct ClaimContext {
    /// Scales that the answer names for figures without one.
    pub hints: Vec<i32>,
    /// Whether the answer speaks of percent anywhere.
    pub has_percent: bool,
    /// Whether the claim says in words, and never by a sign, that its figures are losses or falls.
    pub falls: bool,
    /// The same for costs, which tables subtract; percentages apart.
    pub costs: bool,
    /// Beginnings of its telling words.
    pub stems: Arc<HashSet<String>>,
    /// How the answer writes its numbers.
    pub style: Style,
    /// What it says of rows and columns of tables.
    pub said: Arc<Said>,
}

impl PageNumbers {
    /// Reads a page.
    pub(super) fn new(lexed: &Lexed, style: Style) -> Self {
        let figures = Figures::of_page(lexed);
        let falls = figures.figures.iter().map(|f| falls(lexed, f.token)).collect();
        let codes = lexed.tokens.iter().filter_map(|t| code_of(&t.kind)).map(str::to_owned).collect();
        let currencies = lexed.tokens.iter().filter_map(|t| currency(&t.kind)).collect();
        Self { figures, spelled: spelled(lexed), codes, falls, lines: Lines::new(lexed), currencies, style, rows: Rows::new(lexed) }
    }

    /// Scales that the page names for figures without one.
    pub(super) fn hints(&self) -> &[i32] {
        &self.figures.hints
    }

    /// Whether the figure stands here. `hints` are the page's scales or, where it names none, those of its neighbours.
    pub(super) fn hold(&self, claim: &Figure, hints: &[i32], context: &ClaimContext) -> bool {
        let mut weak = Vec::new();
        for (figure, &falls) in self.figures.figures.iter().zip(&self.falls) {
            match self.fit(claim, figure, falls, hints, context) {
                Fit::No => {}
                _ if self.rows.contradict(figure.token, claim.token, &context.said) => {}
                Fit::Sure => return true,
                Fit::Weak => weak.push(figure),
            }
        }
        if self.spelled.iter().any(|f| self.fit(claim, f, false, &[], context) == Fit::Sure) || self.hold_cells(claim) {
            return true;
        }
        // On a page full of figures some figure rounds to almost anything: it must stand near a word of the claim. Where claim and page have
        // no word in common (another language) three digits must do.
        let foreign = || claim.value.normal().coefficient >= 100 && !self.lines.anywhere(&context.stems);
        weak.iter().any(|f| self.lines.near(f.token, &context.stems)) || (!weak.is_empty() && foreign())
    }

    /// Whether these numbers stand side by side, as in a row of a table that the claim repeats.
    fn hold_cells(&self, claim: &Figure) -> bool {
        let signs = std::iter::once(claim.negative).chain(std::iter::repeat(false));
        let wanted: Vec<(Value, bool)> = claim.parts.iter().copied().zip(signs).collect();
        let same = |f: &Figure, (value, negative): (Value, bool)| f.parts.is_empty() && f.value == value && f.negative == negative;
        let mut runs = self.figures.figures.windows(wanted.len().max(1));
        !wanted.is_empty() && runs.any(|run| run.iter().zip(&wanted).all(|(f, want)| same(f, *want)))
    }

    /// Whether the page has a reference such as "Note 12".
    pub(super) fn refer(&self, name: &str, value: Value) -> bool {
        self.figures.figures.iter().any(|f| matches!(f.role, Role::Reference(n) if n == name) && f.value.equals(value))
    }

    /// Whether one of the readings of a date stands here.
    pub(super) fn hold_date(&self, readings: &[Date]) -> bool {
        self.figures.dates.iter().flatten().any(|d| readings.iter().any(|r| r.agrees(*d)))
    }

    /// Whether a run of digits that is no number stands here.
    pub(super) fn hold_code(&self, code: &str) -> bool {
        self.codes.iter().any(|c| c == code)
    }

    fn fit(&self, claim: &Figure, page: &Figure, falls: bool, hints: &[i32], context: &ClaimContext) -> Fit {
        // "September 30" is no $30, and "fiscal 2025" no 2,025 people.
        let no_amount = claim.is_amount() && page.counts_nothing();
        if no_amount || !sign_fits(claim, page, falls, context) {
            return Fit::No;
        }
        let units = unit_readings(claim).into_iter().map(|unit| self.unit_fit(unit, claim, page, context)).max();
        units.unwrap_or(Fit::No).min(self.value_fit(claim, page, hints, context))
    }

    fn unit_fit(&self, unit: Unit, claim: &Figure, page: &Figure, context: &ClaimContext) -> Fit {
        let fits = unit_readings(page).into_iter().map(|on_page| match (unit, on_page) {
            (Unit::Percent, Unit::Percent) | (Unit::Plain, Unit::Plain | Unit::Money(_)) => Fit::Sure,
            // The figures of a table have no currency of their own, but are in one that the page names, if it names any.
            (Unit::Money(c), Unit::Plain) if self.currencies.is_empty() || self.currencies.contains(&c) => Fit::Sure,
            (Unit::Percent, Unit::Plain) if self.figures.has_percent && page.scale.is_none_or(|s| s.unsure) => Fit::Weak,
            (Unit::Plain, Unit::Percent) if context.has_percent && claim.scale.is_none() => Fit::Weak,
            (Unit::Money(a), Unit::Money(b)) if a == b => Fit::Sure,
            _ => Fit::No,
        });
        fits.max().unwrap_or(Fit::No)
    }

    fn value_fit(&self, claim: &Figure, page: &Figure, hints: &[i32], context: &ClaimContext) -> Fit {
        // An answer in English that copies 424.264 from an Italian table.
        let (a, b) = (claim.value, page.value);
        if self.style != context.style && (a.coefficient, a.exponent, b.exponent) == (b.coefficient, -3, 0) && claim.scale.is_none()
        {
            return Fit::Sure;
        }
        let mut page_scales = scale_readings(page, hints);
        // In a table in thousands 61,118 is no amount of 61.1 thousand. An amount written out in full mostly ends in zeros.
        let amount = matches!(claim.unit, Unit::Money(_)) && claim.scale.is_some_and(|s| !s.unsure);
        if amount && page.scale.is_none() && !self.figures.hints.is_empty() && page.value.normal().exponent < 3 {
            page_scales.retain(|s| *s != 0);
        }
        let claim_scales = scale_readings(claim, &context.hints);
        let pairs = claim_scales.iter().flat_map(|&c| page_scales.iter().map(move |&p| (c, p)));
        let fits = pairs.map(|(claim_scale, page_scale)| {
            let a = Value { exponent: claim.value.exponent + claim_scale, ..claim.value };
            let b = Value { exponent: page.value.exponent + page_scale, ..page.value };
            if a.equals(b) {
                // "0.2 billion" is "200" in a table in millions, like much else.
                let by_hint = claim.scale.is_some() && page.scale.is_none() && page_scale != claim_scale;
                return if by_hint && a.normal().coefficient < 100 { Fit::Weak } else { Fit::Sure };
            }
            let coarser = a.exponent > b.exponent;
            let rounded = if coarser { may_be_rounded(claim) && b.rounds_to(a) } else { claim.about && b.rounds_to(shortened(a)) };
            // A claim may be finer than the page only across scale words ("24,690 million" for "24.7 billion"), and only while the page does
            // not say it more exactly, and otherwise.
            let across = claim.scale.is_some() && page.scale.is_some() && claim_scale != page_scale;
            let finer = || across && a.exponent < b.exponent && a.rounds_to(b) && !self.says_otherwise(a, b, hints);
            if rounded || finer() { Fit::Weak } else { Fit::No }
        });
        fits.max().unwrap_or(Fit::No)
    }

    fn says_otherwise(&self, fine: Value, coarse: Value, hints: &[i32]) -> bool {
        self.figures.figures.iter().any(|f| {
            scale_readings(f, hints).iter().any(|&scale| {
                let value = Value { exponent: f.value.exponent + scale, ..f.value };
                value.exponent <= fine.exponent
                    && value.exponent < coarse.exponent
                    && value.rounds_to(coarse)
                    && !value.equals(fine)
            })
        })
    }
}

/// Whether a figure says enough to be found by rounding: it says that it is rounded, has decimals, or has two digits and a scale, a currency
/// or a percent sign, or three digits. A bare "12" is a count, and 12.4 is not it.
fn may_be_rounded(claim: &Figure) -> bool {
    let named = claim.unit != Unit::Plain || claim.scale.is_some() || claim.inherited.is_some();
    claim.about || claim.value.exponent < 0 || claim.value.coefficient >= 100 || (named && claim.value.coefficient >= 10)
}

/// "About 2,500" is precise to the hundred: the zeros at its end are rounding, as long as two digits remain.
fn shortened(value: Value) -> Value {
    let mut short = value;
    while short.coefficient >= 100 && short.coefficient.is_multiple_of(10) {
        short = Value { coefficient: short.coefficient / 10, exponent: short.exponent + 1 };
    }
    short
}

/// The currency that a token names. A pound is also a weight, and a cent is a part of many.
fn currency(kind: &Kind) -> Option<char> {
    match kind {
        Kind::Currency('¢') => None,
        Kind::Currency(c) => Some(*c),
        Kind::Word(w) if !matches!(w.as_str(), "pound" | "pounds") => super::words::currency_of(w),
        _ => None,
    }
}

fn unit_readings(figure: &Figure) -> Vec<Unit> {
    let mut units = vec![figure.unit];
    if let Some((unit, _)) = figure.inherited
        && figure.unit == Unit::Plain
    {
        units.push(unit);
    }
    units
}

/// The powers of ten that a figure can mean: its scale word, that of its range, or, without one, none or those that its text names.
fn scale_readings(figure: &Figure, hints: &[i32]) -> Vec<i32> {
    match figure.scale {
        Some(Scale { exponent, unsure: false }) => vec![exponent],
        Some(Scale { exponent, unsure: true }) => vec![exponent, 0],
        None => {
            let mut out = vec![0];
            if let Some((_, Some(scale))) = figure.inherited {
                out.push(scale.exponent);
            }
            if figure.unit != Unit::Percent {
                out.extend(hints);
            }
            out
        }
    }
}

fn sign_fits(claim: &Figure, page: &Figure, page_falls: bool, context: &ClaimContext) -> bool {
    match (claim.negative, page.negative) {
        (true, true) | (false, false) => true,
        // "A loss of 53" and "costs of 53" for "(53)"; "546 of them (14%)" is no minus.
        (false, true) => context.falls || (context.costs && page.unit != Unit::Percent) || page.aside,
        // "-5 %" for "decreased 5 %"; "EPS ($1.76)" is no minus.
        (true, false) => claim.aside || page_falls,
    }
}

/// Digits with separators that are no number, or a name that begins with digits (`4.2.1`, `17a`). Quarters, ordinals and decades are words
/// that a page may well spell out.
pub(super) fn code_of(kind: &Kind) -> Option<&str> {
    match kind {
        Kind::Code(code) => Some(code),
        Kind::Word(word) => {
            let letters = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let named = letters.len() < word.len() && !letters.is_empty();
            let spelled = letters.starts_with(['q', 'h'])
                || matches!(letters, "s" | "st" | "nd" | "rd" | "th" | "er" | "e" | "ème" | "d" | "g");
            (named && !spelled).then_some(word)
        }
        _ => None,
    }
}
