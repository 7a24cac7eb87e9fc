//! Other ways to write the same figure, and claims around it.

use super::reading::{Figure, Unit};

/// A language to write a claim in: its number style and words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tongue {
    English,
    German,
    French,
}

/// Digits with separators of thousands and decimals.
pub fn write(value: f64, decimals: usize, group: &str, point: &str) -> String {
    let text = format!("{value:.decimals$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut out = String::new();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push_str(group);
        }
        out.push(c);
    }
    if fraction.is_empty() { out } else { format!("{out}{point}{fraction}") }
}

fn dollars(sign: char, tongue: Tongue) -> &'static str {
    match (sign, tongue) {
        ('$', Tongue::English) => "dollars",
        ('$', Tongue::German) => "US-Dollar",
        ('$', Tongue::French) => "dollars",
        ('€', Tongue::German) => "Euro",
        ('€', _) => "euros",
        ('£', Tongue::German) => "Pfund",
        ('£', Tongue::French) => "livres",
        _ => "pounds",
    }
}

fn code(sign: char) -> &'static str {
    match sign {
        '$' => "USD",
        '€' => "EUR",
        _ => "GBP",
    }
}

/// One figure in other words: name of the rewording and the phrase. `table_scale` is the only scale that its page names.
pub fn phrases(f: &Figure, comma: bool, table_scale: Option<i32>) -> Vec<(&'static str, Tongue, String)> {
    use Tongue::{English, French, German};
    let mut out = vec![("as written", English, f.phrase.clone())];
    let english = if comma { write(f.value, f.decimals, ",", ".") } else { f.digits.clone() };
    let minus = |text: String| if f.negative { format!("-{text}") } else { text };
    let word = |power: Option<i32>| match power {
        Some(3) => " thousand",
        Some(6) => " million",
        Some(9) => " billion",
        Some(12) => " trillion",
        _ => "",
    };
    let scale = word(f.scale);
    // A billion is a Milliarde; thousands and trillions are left to English.
    let foreign = |power: Option<i32>, tongue: Tongue| match (power, tongue) {
        (None, _) => Some(""),
        (Some(6), German) => Some(" Mio."),
        (Some(9), German) => Some(" Milliarden"),
        (Some(6), _) => Some(" millions"),
        (Some(9), _) => Some(" milliards"),
        _ => None,
    };
    match f.unit {
        Unit::Percent => {
            out.push(("percent spelled", English, minus(format!("{english} percent"))));
            out.push(("percent spelled", English, minus(format!("{english} per cent"))));
            out.push(("German", German, minus(format!("{} Prozent", write(f.value, f.decimals, ".", ",")))));
            out.push(("French", French, minus(format!("{} %", write(f.value, f.decimals, " ", ",")))));
        }
        Unit::Money(sign) => {
            out.push(("currency code", English, minus(format!("{} {english}{scale}", code(sign)))));
            out.push(("currency word", English, minus(format!("{english}{scale} {}", dollars(sign, English)))));
            if let Some(scale) = foreign(f.scale, German) {
                out.push((
                    "German",
                    German,
                    minus(format!("{}{scale} {}", write(f.value, f.decimals, ".", ","), dollars(sign, German))),
                ));
            }
            if let Some(scale) = foreign(f.scale, French) {
                let of = if scale.is_empty() { " " } else { " de " };
                out.push((
                    "French",
                    French,
                    minus(format!("{}{scale}{of}{}", write(f.value, f.decimals, "\u{202f}", ","), dollars(sign, French))),
                ));
            }
            if f.scale == Some(6) {
                out.push(("short scale", English, minus(format!("{sign}{english}m"))));
            }
            if f.scale == Some(9) {
                out.push(("short scale", English, minus(format!("{sign}{english}bn"))));
            }
        }
        Unit::Plain => {
            out.push(("plain", English, minus(format!("{english}{scale}"))));
            if let Some(scale) = foreign(f.scale, German) {
                out.push(("German", German, minus(format!("{}{scale}", write(f.value, f.decimals, ".", ",")))));
            }
            if let Some(scale) = foreign(f.scale, French) {
                out.push(("French", French, minus(format!("{}{scale}", write(f.value, f.decimals, "\u{a0}", ",")))));
            }
        }
    }
    let sign = match f.unit {
        Unit::Money(c) => c.to_string(),
        _ => String::new(),
    };
    if f.value >= 1000.0 && f.unit != Unit::Percent {
        out.push(("no separators", English, minus(format!("{sign}{:.*}{scale}", f.decimals, f.value))));
    }
    // 1,141 million is 1.141 billion, 0.35 billion is 350 million.
    if let Some(power) = f.scale {
        if f.value >= 1000.0 && power < 12 {
            out.push((
                "scale converted",
                English,
                minus(format!("{sign}{}{}", write(f.value / 1000.0, f.decimals + 3, ",", "."), word(Some(power + 3)))),
            ));
            out.push((
                "scale converted, rounded",
                English,
                minus(format!("{sign}{}{}", write(f.value / 1000.0, 1, ",", "."), word(Some(power + 3)))),
            ));
        } else if power > 3 {
            let decimals = f.decimals.saturating_sub(3);
            if f.decimals <= 3 {
                out.push((
                    "scale converted",
                    English,
                    minus(format!("{sign}{}{}", write(f.value * 1000.0, decimals, ",", "."), word(Some(power - 3)))),
                ));
            }
        }
    } else if let Some(power) =
        table_scale.filter(|_| f.value >= 1000.0 && f.decimals == 0 && f.digits.contains([',', '.']) && f.unit != Unit::Percent)
    {
        let sign = if sign.is_empty() { "$" } else { sign.as_str() };
        out.push(("scale of the table", English, minus(format!("{sign}{english}{}", word(Some(power))))));
        if f.value >= 10_000.0 && power < 12 {
            out.push((
                "scale of the table, converted",
                English,
                minus(format!("{sign}{}{}", write(f.value / 1000.0, 1, ",", "."), word(Some(power + 3)))),
            ));
        }
    }
    if f.negative {
        let bare = f.phrase.trim_matches(['(', ')']);
        out.push(("negative in words", English, format!("a loss of {bare}")));
        out.push(("negative in words", English, format!("minus {bare}")));
        out.push(("negative sign", English, format!("\u{2212}{bare}")));
    }
    let count = f.digits.chars().filter(char::is_ascii_digit).count();
    if count >= 4 && f.unit != Unit::Percent {
        // Three digits are kept.
        let magnitude = f.value.log10().floor() as i32;
        let step = 10f64.powi(magnitude - 2);
        let rounded = (f.value / step).round() * step;
        let decimals = usize::try_from(2 - magnitude).unwrap_or(0);
        out.push(("rounded", English, format!("about {}", minus(format!("{sign}{}{scale}", write(rounded, decimals, ",", "."))))));
    }
    if f.unit == Unit::Percent && f.decimals > 0 && f.value >= 10.0 {
        out.push(("rounded", English, format!("about {}", minus(format!("{:.0}%", f.value)))));
    }
    out
}

/// Claims around phrases: one figure, in another sentence. `near` are words of the statement before the figure.
pub fn sentence(phrase: &str, tongue: Tongue, near: &str, turn: usize) -> String {
    // "(17) is ..." reads like the item of a list.
    let turn = if phrase.starts_with('(') && phrase.len() < 5 && matches!(turn % 6, 1 | 2) { 0 } else { turn };
    match (tongue, turn % 6) {
        (Tongue::German, 0 | 3) => format!("Im Bericht zu {near} werden {phrase} genannt"),
        (Tongue::German, _) => format!("Für {near} waren es laut Dokument {phrase}"),
        (Tongue::French, 0 | 3) => format!("Pour {near}, le document donne {phrase}"),
        (Tongue::French, _) => format!("Selon le rapport, {near} : {phrase}"),
        (_, 0) => format!("For {near} the document gives {phrase}"),
        (_, 1) => format!("{phrase} is what the report states for {near}"),
        (_, 2) => format!("{phrase} was reported ({near})"),
        (_, 3) => format!("According to the report, {near} stood at {phrase}"),
        (_, 4) => format!("{near}: **{phrase}**"),
        _ => format!("As to {near}, a figure of {phrase} was given by the company"),
    }
}
