//! Whether a figure of a claim stands on a page.

use super::figures::{Date, Figure, Figures, Role, Unit};
use super::lex::{Kind, Lexed};
use super::numbers::Value;
use super::words::{self, Scale};

/// The numbers of one page.
#[derive(Debug, Clone)]
pub(super) struct PageNumbers {
    figures: Figures,
    /// Numbers written as words.
    spelled: Vec<Figure>,
    codes: Vec<String>,
    /// For each figure, whether a word of loss or fall stands near it.
    near_minus: Vec<bool>,
}

/// What a claim says beside its figures.
#[derive(Debug, Clone, Default)]
pub(super) struct ClaimContext {
    /// Scales that the answer names for figures without one.
    pub hints: Vec<i32>,
    /// Whether the answer speaks of percent anywhere.
    pub has_percent: bool,
    /// Whether the claim says in words that its figures are losses, costs or falls, and never by a sign.
    pub minus_words: bool,
}

impl PageNumbers {
    /// Reads a page.
    pub(super) fn new(lexed: &Lexed) -> Self {
        let figures = Figures::new(lexed);
        let near_minus = figures.figures.iter().map(|f| minus_word_near(lexed, f.token)).collect();
        let codes = lexed.tokens.iter().filter_map(|t| if let Kind::Code(c) = &t.kind { Some(c.clone()) } else { None }).collect();
        Self { figures, spelled: spelled(lexed), codes, near_minus }
    }

    /// Scales that the page names for figures without one.
    pub(super) fn hints(&self) -> &[i32] {
        &self.figures.hints
    }

    /// Whether the figure stands here. `hints` are the page's scales or, where it names none, those of its neighbours.
    pub(super) fn hold(&self, claim: &Figure, hints: &[i32], context: &ClaimContext) -> bool {
        let written =
            self.figures.figures.iter().zip(&self.near_minus).any(|(f, &minus)| self.same(claim, f, minus, hints, context));
        written || self.spelled.iter().any(|f| self.same(claim, f, false, &[], context))
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

    fn same(&self, claim: &Figure, page: &Figure, minus_near: bool, hints: &[i32], context: &ClaimContext) -> bool {
        let units = unit_readings(claim);
        let unit_fits = units.iter().any(|&unit| self.unit_fits(unit, claim, page, context));
        unit_fits && sign_fits(claim, page, minus_near, context) && self.value_fits(claim, page, hints, context)
    }

    fn unit_fits(&self, unit: Unit, claim: &Figure, page: &Figure, context: &ClaimContext) -> bool {
        let page_units = unit_readings(page);
        page_units.iter().any(|&on_page| match (unit, on_page) {
            (Unit::Percent, Unit::Percent) | (Unit::Plain, Unit::Plain | Unit::Money(_)) => true,
            (Unit::Percent, Unit::Plain) => self.figures.has_percent && page.scale.is_none_or(|s| s.unsure),
            (Unit::Plain, Unit::Percent) => context.has_percent && claim.scale.is_none(),
            (Unit::Money(_), Unit::Plain) => true,
            (Unit::Money(a), Unit::Money(b)) => a == b,
            (Unit::Percent, Unit::Money(_)) | (Unit::Money(_), Unit::Percent) => false,
        })
    }

    fn value_fits(&self, claim: &Figure, page: &Figure, hints: &[i32], context: &ClaimContext) -> bool {
        let page_scales = scale_readings(page, hints);
        scale_readings(claim, &context.hints).iter().any(|&claim_scale| {
            page_scales.iter().any(|&page_scale| {
                let a = Value { exponent: claim.value.exponent + claim_scale, ..claim.value };
                let b = Value { exponent: page.value.exponent + page_scale, ..page.value };
                if a.equals(b) {
                    return true;
                }
                if a.exponent > b.exponent {
                    return coarse_enough(claim, a) && b.rounds_to(a);
                }
                if claim.about && b.rounds_to(shortened(a)) {
                    return true;
                }
                // A claim may be finer than the page only across scale words ("24,690 million" for "24.7 billion"), and only while the page
                // does not say it more exactly, and otherwise.
                let across = claim.scale.is_some() && page.scale.is_some() && claim_scale != page_scale;
                across && a.rounds_to(b) && !self.says_otherwise(a, b, hints)
            })
        })
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

/// A rounded figure of one digit says too little to be found by rounding, unless it says that it is rounded.
fn coarse_enough(claim: &Figure, value: Value) -> bool {
    value.coefficient >= 10 || claim.about || claim.value.exponent < 0
}

/// "About 2,500" is precise to the hundred: the zeros at its end are rounding, as long as two digits remain.
fn shortened(value: Value) -> Value {
    let mut short = value;
    while short.coefficient >= 100 && short.coefficient.is_multiple_of(10) {
        short = Value { coefficient: short.coefficient / 10, exponent: short.exponent + 1 };
    }
    short
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

fn sign_fits(claim: &Figure, page: &Figure, minus_near: bool, context: &ClaimContext) -> bool {
    match (claim.negative, page.negative) {
        (true, true) | (false, false) => true,
        // "A loss of 53" for "(53)".
        (false, true) => context.minus_words,
        // "-5 %" for "decreased 5 %"; "EPS ($1.76)" is no minus.
        (true, false) => claim.aside || minus_near,
    }
}

/// Tokens before a figure in which a word of loss or fall counts as near.
const MINUS_REACH: usize = 4;

fn minus_word_near(lexed: &Lexed, token: usize) -> bool {
    let from = token.saturating_sub(MINUS_REACH);
    (from..token + 2).filter_map(|i| lexed.word(i)).any(words::is_fall_word)
}

/// Numbers written as words: "five", "twenty-five", "five million".
fn spelled(lexed: &Lexed) -> Vec<Figure> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < lexed.tokens.len() {
        let Some((value, tens)) = lexed.word(at).and_then(words::number_word) else {
            at += 1;
            continue;
        };
        let token = at;
        at += 1;
        let mut total = value;
        if tens && let Some((ones @ 1..=9, false)) = lexed.word(at).and_then(words::number_word) {
            total += ones;
            at += 1;
        }
        let scale = lexed.word(at).and_then(words::scale_of).filter(|s| !s.unsure);
        let percent = lexed.tokens.get(at).is_some_and(|t| t.kind == Kind::Percent);
        out.push(Figure {
            value: Value { coefficient: u128::from(total), exponent: 0 },
            negative: false,
            aside: false,
            unit: if percent { Unit::Percent } else { Unit::Plain },
            scale,
            inherited: None,
            about: false,
            role: Role::Figure,
            token,
        });
    }
    out
}
