//! True citations of a statement.

use super::case::{Case, Sort};
use super::reading::{Figure, Statement, Unit};
use super::wording::{self, Tongue};

/// Where a statement stands, for tags.
pub struct Place<'a> {
    pub doc: &'a str,
    /// From 1.
    pub page: u32,
}

impl Place<'_> {
    pub fn tag(&self, quote: Option<&str>) -> String {
        match quote {
            Some(quote) => format!("<cite doc=\"{}\" page=\"{}\">{quote}</cite>", self.doc, self.page),
            None => format!("<cite doc=\"{}\" page=\"{}\"/>", self.doc, self.page),
        }
    }

    pub fn bracket(&self) -> String {
        format!("[{}, p. {}]", self.doc, self.page)
    }
}

/// Parts of a statement to quote: name and words.
pub fn quotes(s: &Statement) -> Vec<(&'static str, String)> {
    let words: Vec<&str> = s.text.split(' ').collect();
    let part = |from: usize, to: usize| words.get(from..to.min(words.len())).unwrap_or_default().join(" ");
    let mut out = vec![("whole", s.text.clone()), ("as on the page", s.raw.clone())];
    if s.is_row {
        let end = s.figures.first().map_or(0, |f| f.phrase_at + f.phrase.len());
        out.push(("label and first cell", s.text[..end].to_owned()));
        return out;
    }
    if words.len() >= 12 {
        let cut = words.len() / 3;
        out.push(("start", part(0, cut.max(5))));
        out.push(("middle", part(cut, 2 * cut + 2)));
        out.push(("end", part(words.len() - cut.max(5), words.len())));
        out.push(("with an ellipsis", format!("{} ... {}", part(0, 5), part(words.len() - 5, words.len()))));
    }
    if let Some(long) = words.iter().find(|w| w.len() >= 9 && w.chars().all(|c| c.is_ascii_alphabetic())) {
        let half = long.len() / 2;
        out.push(("hyphenated", s.text.replacen(long, &format!("{}-\n{}", &long[..half], &long[half..]), 1)));
    }
    out.push(("in capitals", s.text.to_uppercase().replace('ß', "SS")).clone());
    out
}

/// Two to four words before a figure, for a claim around it.
pub fn near(s: &Statement, f: &Figure) -> String {
    let head = if s.is_row { s.text[..s.figures[0].phrase_at].trim() } else { s.text[..f.phrase_at].trim() };
    let plain = |w: &&str| {
        w.chars().all(char::is_alphabetic)
            && w.len() >= 5
            && ![
                "december",
                "september",
                "november",
                "october",
                "january",
                "february",
                "march",
                "april",
                "august",
                "million",
                "billion",
                "thousand",
                "approximately",
                "percent",
            ]
            .contains(&w.to_lowercase().as_str())
    };
    let words: Vec<&str> = head.split(' ').filter(plain).collect();
    let words: Vec<&str> = if words.len() >= 2 { words } else { s.text.split(' ').filter(plain).collect() };
    let any = |w: &&str| w.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    let words: Vec<&str> = if words.is_empty() { s.text.split(' ').filter(any).collect() } else { words };
    words[words.len().saturating_sub(3)..].join(" ").to_lowercase()
}

/// The words before a figure tell a fall, so that its sign is a matter of taste.
pub fn tells_a_fall(text: &str) -> bool {
    let text = text.to_lowercase();
    [
        "loss",
        "lost",
        "decreas",
        "declin",
        "fell",
        "fall",
        "lower",
        "reduc",
        "negative",
        "minus",
        "deficit",
        "down",
        "less",
        "drop",
        "verlust",
        "rückgang",
        "sank",
        "gesunk",
        "perte",
        "baiss",
        "dimin",
        "verlies",
        "daling",
    ]
    .iter()
    .any(|w| text.contains(w))
}

pub fn make(
    s: &Statement,
    place: &Place<'_>,
    table_scale: Option<i32>,
    other: Option<(&Statement, &Place<'_>)>,
    turn: usize,
) -> Vec<Case> {
    let mut out = Vec::new();
    let kind_of = if s.is_row { "row" } else { "sentence" };
    let mut add = |kind: String, quoted: bool, answer: String, judged: usize| {
        out.push(Case { sort: Sort::True, kind: format!("{kind_of}: {kind}"), answer, quoted, judged })
    };
    let quotes = quotes(s);
    let quote = &s.text;
    let claim = &s.text;
    // Verbatim claims in every form of quote and tag.
    for (name, q) in &quotes {
        add(format!("verbatim, quote {name}"), true, format!("{claim} {}.", place.tag(Some(q))), 0);
    }
    add("verbatim, no quote".into(), false, format!("{claim} {}.", place.tag(None)), 0);
    add("verbatim, in brackets".into(), false, format!("{claim} {}.", place.bracket()), 0);
    add("verbatim, after the full stop".into(), true, format!("{claim}. {}", place.tag(Some(quote))), 0);
    add(
        "verbatim, in a list".into(),
        true,
        format!("The document says:\n\n- {claim} {}\n- More is not said.", place.tag(Some(quote))),
        0,
    );
    add("verbatim, at the end of two sentences".into(), false, format!("The document tells of it. {claim} {}", place.tag(None)), 0);
    // Reworded ones.
    for (i, f) in s.figures.iter().enumerate() {
        if s.is_row && i > 2 {
            break;
        }
        let near = near(s, f);
        for (j, (name, tongue, phrase)) in wording::phrases(f, s.comma, table_scale).into_iter().enumerate() {
            let text = wording::sentence(&phrase, tongue, &near, turn + i + j);
            let q = &quotes[(turn + i + j) % quotes.len()].1;
            let form = (turn + i + 2 * j) % 5;
            add(format!("reworded, {name}, with quote"), true, format!("{text} {}.", place.tag(Some(q))), 0);
            let bare = match form {
                0 => format!("{text} {}.", place.bracket()),
                1 => format!("{text}. {}", place.tag(None)),
                2 => format!("| Item | Value |\n|---|---|\n| {near} | {phrase} {} |", place.tag(None)),
                3 => format!("1. {text} {}\n2. Nothing else.", place.tag(None)),
                _ => format!("{text} {}.", place.tag(None)),
            };
            add(format!("reworded, {name}, no quote"), false, bare, 0);
        }
    }
    if let [a, b] = s.figures.as_slice()
        && a.unit == b.unit
        && !a.negative
        && !b.negative
        && !s.is_row
    {
        let near = near(s, a);
        add(
            "two figures, other order".into(),
            true,
            format!("For {near}, {} compares with {} {}.", b.phrase, a.phrase, place.tag(Some(quote))),
            0,
        );
        add(
            "two figures, other order, no quote".into(),
            false,
            format!("It went to {} from {} for {near} {}.", b.phrase, a.phrase, place.tag(None)),
            0,
        );
    }
    if let Some((o, there)) = other {
        let (f, g) = (&s.figures[0], &o.figures[0]);
        let (one, two) = (near(s, f), near(o, g));
        add(
            "two claims on two pages".into(),
            true,
            format!(
                "For {one} it gives {} {}, and for {two} {} {}.",
                f.phrase,
                place.tag(Some(quote)),
                g.phrase,
                there.tag(Some(&o.text))
            ),
            1,
        );
        add(
            "one claim, two pages".into(),
            false,
            format!("The figures are {} ({one}) and {} ({two}) {}{}.", f.phrase, g.phrase, place.tag(None), there.tag(None)),
            0,
        );
        add(
            "two sentences, a citation each".into(),
            true,
            format!("{claim} {}. {} {}.", place.tag(Some(quote)), o.text, there.tag(Some(&o.text))),
            1,
        );
    }
    if let Some(f) = s.figures.iter().find(|f| f.unit == Unit::Percent || f.scale.is_some()) {
        let text = wording::sentence(&f.phrase, Tongue::English, &near(s, f), turn);
        let range = format!("<cite doc=\"{}\" page=\"{}-{}\"/>", place.doc, place.page, place.page + 1);
        add("a range of pages".into(), false, format!("{text} {range}."), 0);
    }
    out
}
