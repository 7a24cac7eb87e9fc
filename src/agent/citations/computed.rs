//! Computed figures: a difference, a sum, a ratio that stands on no page, but follows from figures of the same sentence that do.

use super::figures::{Figure, Unit};
use super::lex::Lexed;
use super::needs::Need;
use super::words;

/// Inputs that are looked at. With more, something always equals something.
const MAX_INPUTS: usize = 6;
/// Computed figures of one claim, such as a difference and the percentage that it makes.
const MAX_COMPUTED: usize = 2;

/// Whether every missing figure follows from the inputs, in a sentence that speaks of computing.
pub(super) fn all_follow(missing: &[&Need], inputs: &[&Need], sentence: &Lexed) -> bool {
    let inputs: Vec<&Figure> = inputs.iter().filter_map(|n| if let Need::Figure(f) = n { Some(f) } else { None }).collect();
    if !speaks_of_it(sentence) || missing.len() > MAX_COMPUTED || inputs.len() < 2 || inputs.len() > MAX_INPUTS {
        return false;
    }
    let falls = (0..sentence.tokens.len()).filter_map(|i| sentence.word(i)).any(words::is_fall_word);
    missing.iter().all(|need| match need {
        // Which way a difference goes is not known; below zero it goes where the words say so.
        Need::Figure(figure) => (falls || !figure.negative) && follows(figure, &inputs),
        Need::Date(_) | Need::Code(_) | Need::Reference(..) => false,
    })
}

/// Whether a sentence speaks of computing.
pub(super) fn speaks_of_it(sentence: &Lexed) -> bool {
    (0..sentence.tokens.len()).filter_map(|i| sentence.word(i)).any(words::is_computing_word)
        || sentence.tokens.iter().any(|t| t.kind == super::lex::Kind::Symbol('='))
}

fn scaled(figure: &Figure) -> f64 {
    let exponent = figure.scale.or(figure.inherited.and_then(|(_, s)| s)).map_or(0, |s| s.exponent);
    let value = figure.value.to_f64() * 10f64.powi(exponent);
    if figure.negative { -value } else { value }
}

fn follows(figure: &Figure, inputs: &[&Figure]) -> bool {
    let exponent = figure.value.exponent + figure.scale.map_or(0, |s| s.exponent);
    let wanted = scaled(figure).abs();
    let half = 0.5 * 10f64.powi(exponent);
    let is = |x: f64| x.is_finite() && (x.abs() - wanted).abs() <= half * 1.000_001;
    let percent = figure.unit == Unit::Percent;
    // What comes of dollars is no euros.
    let foreign = |input: &&&Figure| matches!((figure.unit, input.unit), (Unit::Money(a), Unit::Money(b)) if a != b);
    if inputs.iter().any(|i| foreign(&i)) {
        return false;
    }
    let bare = figure.unit == Unit::Plain && figure.scale.is_none();
    let pairs = inputs.iter().enumerate().flat_map(|(i, a)| inputs.iter().skip(i + 1).map(move |b| (*a, *b)));
    let same_kind = |a: &Figure, b: &Figure| (a.unit == Unit::Percent) == (b.unit == Unit::Percent);
    let from_pair = pairs.filter(|(a, b)| same_kind(a, b)).any(|(a, b)| {
        let of_percent = a.unit == Unit::Percent;
        let (a, b) = (scaled(a), scaled(b));
        let amounts = (of_percent == percent || (bare && of_percent)) && (is(a - b) || is(a + b) || is((a + b) / 2.0));
        let change = percent
            && !of_percent
            && [(a, b), (b, a)].iter().any(|(x, y)| *y != 0.0 && (is((x - y) / y * 100.0) || is(x / y * 100.0)));
        let ratio = bare && [(a, b), (b, a)].iter().any(|(x, y)| *y != 0.0 && is(x / y));
        amounts || change || ratio
    });
    let all_alike = inputs.iter().all(|f| (f.unit == Unit::Percent) == percent);
    let sum: f64 = inputs.iter().map(|f| scaled(f)).sum();
    #[allow(clippy::cast_precision_loss, reason = "at most six inputs")]
    let mean = sum / inputs.len() as f64;
    from_pair || (all_alike && inputs.len() > 2 && (is(sum) || is(mean)))
}
