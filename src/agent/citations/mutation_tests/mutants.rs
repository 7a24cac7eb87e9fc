//! False citations made of a true one. A mutant is only made where it is surely false: a changed value stands nowhere on the page, in no
//! reading and under no scale.

use super::case::{Case, Sort};
use super::digits;
use super::reading::{Figure, Statement, Unit, Worth, read};
use super::truths::{Place, near, tells_a_fall};
use super::wording::{self, Tongue};

/// What a statement is put against.
pub struct Around<'a> {
    pub here: Place<'a>,
    pub worth: &'a Worth,
    /// The page and its neighbours, for scales.
    pub neighbourhood: String,
    /// Another page of the document, and one of another document: their place and what they hold.
    pub pages: Vec<(&'static str, Place<'a>, &'a Worth)>,
    /// Statements of other pages of the same document, and of this one.
    pub elsewhere: Option<&'a Statement>,
    pub donor: &'a Statement,
    pub table_scale: Option<i32>,
    /// Another row of the same table.
    pub row: Option<&'a Statement>,
}

struct Maker<'a> {
    s: &'a Statement,
    a: &'a Around<'a>,
    turn: usize,
    out: Vec<Case>,
}

pub fn make(s: &Statement, around: &Around<'_>, turn: usize) -> Vec<Case> {
    let mut maker = Maker { s, a: around, turn, out: Vec::new() };
    maker.wrong_place();
    maker.wrong_values();
    maker.wrong_signs();
    maker.wrong_scales();
    maker.wrong_units();
    maker.wrong_words();
    maker.wrong_quotes();
    maker.wrong_rows();
    maker.loosely_wrong();
    maker.out
}

impl Maker<'_> {
    fn add(&mut self, sort: Sort, kind: &str, quoted: bool, answer: String, judged: usize) {
        let of = if self.s.is_row { "row" } else { "sentence" };
        let form = if quoted { "with quote" } else { "no quote" };
        self.out.push(Case { sort, kind: format!("{of}: {kind}, {form}"), answer, quoted, judged });
    }

    /// A claim with its quote and without, at its place.
    fn both(&mut self, kind: &str, claim: &str, quote: &str) {
        let place = &self.a.here;
        let (tag, empty, bracket) = (place.tag(Some(quote)), place.tag(None), place.bracket());
        self.add(Sort::Mutant, kind, true, format!("{claim} {tag}."), 0);
        let bare = match self.turn % 4 {
            0 => format!("{claim} {bracket}."),
            1 => format!("{claim}. {empty}"),
            2 => format!("- {claim} {empty}\n- More."),
            _ => format!("{claim} {empty}."),
        };
        self.add(Sort::Mutant, kind, false, bare, 0);
    }

    fn figure(&self) -> &Figure {
        &self.s.figures[self.turn % self.s.figures.len()]
    }

    fn reworded(&self, phrase: &str) -> String {
        wording::sentence(phrase, Tongue::English, &near(self.s, self.figure()), self.turn)
    }

    /// A step of the last digit, in units of the value as written.
    fn step(f: &Figure) -> f64 {
        10f64.powi(-(f.decimals as i32))
    }

    fn wrong_place(&mut self) {
        for (kind, place, worth) in &self.a.pages {
            let missing = self.s.figures.iter().find(|f| !worth.may_hold(f.value, Self::step(f)));
            if !worth.has_words(&self.s.text) {
                let answer = format!("{} {}.", self.s.text, place.tag(Some(&self.s.text)));
                self.add(Sort::Mutant, kind, true, answer, 0);
                if let Some(f) = missing {
                    let answer = format!("{} {}.", self.s.text, place.tag(None));
                    self.add(Sort::Mutant, kind, false, answer, 0);
                    let claim = wording::sentence(&f.phrase, Tongue::English, &near(self.s, f), self.turn);
                    self.add(Sort::Mutant, &format!("{kind}, reworded"), false, format!("{claim} {}.", place.bracket()), 0);
                }
            }
            if let Some(f) = missing
                && *kind == "wrong page"
                && place.page > self.a.here.page
            {
                let claim = wording::sentence(&f.phrase, Tongue::English, &near(self.s, f), self.turn);
                let range = format!("<cite doc=\"{}\" page=\"{}\"/>", place.doc, place.page);
                self.add(Sort::Mutant, "a page dropped from the range", false, format!("{claim} {range}."), 0);
            }
        }
    }

    /// Digits changed in four ways, to values that the page cannot hold.
    fn changed(&self, f: &Figure) -> Vec<(&'static str, String)> {
        digits::changed(self.s, f, self.a.worth, self.turn)
    }

    /// Digits that are not written on the page, though something on it may round to them or be them under another scale.
    fn loosely_wrong(&mut self) {
        let f = self.figure().clone();
        let places: Vec<usize> = f.digits.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(i, _)| i).collect();
        let changed = (0..9 * places.len()).find_map(|n| {
            let place = places[(self.turn + n) % places.len()];
            let old: usize = f.digits[place..=place].parse().ok()?;
            let new = (old + 1 + (self.turn + n) % 9) % 10;
            let text = format!("{}{new}{}", &f.digits[..place], &f.digits[place + 1..]);
            let year = text.len() == 4 && (text.starts_with("19") || text.starts_with("20"));
            let zero_first = place == 0 && new == 0;
            (new != old && !zero_first && !year && !self.a.worth.writes(&text)).then_some(text)
        });
        if let Some(text) = changed {
            let claim = self.reworded(&f.phrase.replacen(&f.digits, &text, 1));
            let (tag, empty) = (self.a.here.tag(Some(&self.s.text)), self.a.here.tag(None));
            self.add(Sort::Hard, "digits that the page does not write", true, format!("{claim} {tag}."), 0);
            self.add(Sort::Hard, "digits that the page does not write", false, format!("{claim} {empty}."), 0);
        }
    }

    fn wrong_values(&mut self) {
        let f = self.figure().clone();
        if self.s.text.matches(&f.digits).count() != 1 {
            return;
        }
        for (kind, text) in self.changed(&f) {
            let bad = |s: &str| s.replacen(&f.digits, &text, 1);
            let (claim, quote) = (self.s.text.clone(), self.s.text.clone());
            self.both(&format!("{kind} in the claim"), &bad(&claim), &quote);
            let phrase = f.phrase.replacen(&f.digits, &text, 1);
            let reworded = self.reworded(&phrase);
            self.both(&format!("{kind} in the claim, reworded"), &reworded, &quote);
            let tag = self.a.here.tag(Some(&bad(&quote)));
            self.add(Sort::Mutant, &format!("{kind} in the quote"), true, format!("{claim} {tag}."), 0);
            self.add(Sort::Mutant, &format!("{kind} in both"), true, format!("{} {tag}.", bad(&claim)), 0);
            // A claim beside a true one in the same sentence.
            if let Some(o) = self.a.elsewhere.filter(|o| o.figures[0].digits != text) {
                let there = &self.a.pages[0].1;
                let (doc, page) = (there.doc, u32::try_from(o.page + 1).unwrap_or(1));
                let second = format!("<cite doc=\"{doc}\" page=\"{page}\">{}</cite>", o.text);
                let answer = format!("{reworded} {}, and {} {second}.", self.a.here.tag(None), o.text);
                self.add(Sort::Mutant, &format!("{kind}, first of two claims"), false, answer, 0);
            }
            let mut other = f.clone();
            (other.value, other.decimals) = read(&text, self.s.comma).unwrap_or((0.0, 0));
            other.phrase = phrase;
            other.digits = text;
            // In other words, languages and scales.
            let words = wording::phrases(&other, self.s.comma, self.a.table_scale);
            let exact: Vec<_> = words
                .into_iter()
                .filter(|(name, ..)| !name.contains("round") && *name != "scale of the table, converted")
                .collect();
            if let Some((name, tongue, phrase)) = exact.get(self.turn % exact.len().max(1)) {
                let step = Self::step(&other);
                let coarse = name.contains("converted") && other.decimals > 2;
                if !coarse && !self.a.worth.may_hold(other.value, step) {
                    let claim = wording::sentence(phrase, *tongue, &near(self.s, &f), self.turn);
                    self.both(&format!("wrong value, {name}"), &claim, &quote);
                }
            }
        }
        // Rounded to what it does not round to.
        let count = f.digits.chars().filter(char::is_ascii_digit).count();
        if count >= 4 {
            let step = 10f64.powi(f.value.log10().floor() as i32 - 2);
            let value = ((f.value / step).round() + 2.0) * step;
            // With zeros at its end the number may be meant less exactly.
            let exact = (value / step).round() % 10.0 != 0.0;
            if exact && !self.a.worth.may_hold(value, step) {
                let decimals = usize::try_from(-(step.log10().round() as i32)).unwrap_or(0);
                let scale = f.phrase.split_once(&f.digits).map_or("", |p| p.1).trim_matches(')');
                let claim = self.reworded(&format!(
                    "about {}{scale}",
                    wording::write(value, decimals, if self.s.comma { "." } else { "," }, if self.s.comma { "," } else { "." })
                ));
                let quote = self.s.text.clone();
                self.both("wrong rounding", &claim, &quote);
            }
        }
    }

    fn wrong_signs(&mut self) {
        let f = self.figure().clone();
        let text = self.s.text.clone();
        if text.matches(&f.phrase).count() != 1 || tells_a_fall(&text) {
            return;
        }
        if f.negative {
            let bare = f.phrase.trim_matches(['(', ')']).to_owned();
            // A cost in parentheses is a cost without them too.
            let cost = [
                "cost",
                "expens",
                "charge",
                "tax",
                "interest",
                "paid",
                "payment",
                "dividend",
                "repurchas",
                "purchas",
                "invest",
                "acqui",
                "repay",
                "amorti",
                "deprecia",
                "impair",
                "provision",
                "capital",
                "spend",
                "treasury",
                "liabilit",
                "elimin",
                "restruct",
                "used",
                "deduct",
                "issu",
            ];
            let lower = text.to_lowercase();
            // The digits stand once, in parentheses: nowhere as they are.
            let once = self.a.neighbourhood.matches(&f.digits).count() == 1;
            if once && !cost.iter().any(|c| lower.contains(c)) {
                let claim = text.replacen(&f.phrase, &bare, 1);
                let reworded = self.reworded(&bare);
                if self.s.figures.iter().filter(|o| o.negative).count() == 1 {
                    self.both("wrong sign, minus lost", &claim, &text);
                }
                self.both("wrong sign, minus lost, reworded", &reworded, &text);
                self.add(
                    Sort::Mutant,
                    "wrong sign in both, minus lost",
                    true,
                    format!("{reworded} {}.", self.a.here.tag(Some(&claim))),
                    0,
                );
            }
        } else if !self.a.worth.writes_negative(&f.digits) && self.a.neighbourhood.matches(&f.digits).count() == 1 && f.value > 20.0
        {
            let bad = format!("-{}", f.phrase);
            let claim = text.replacen(&f.phrase, &bad, 1);
            self.both("wrong sign, minus added", &claim, &text);
            let reworded = self.reworded(&bad);
            self.both("wrong sign, minus added, reworded", &reworded, &text);
            self.add(
                Sort::Mutant,
                "wrong sign in both, minus added",
                true,
                format!("{reworded} {}.", self.a.here.tag(Some(&claim))),
                0,
            );
        }
    }

    fn wrong_scales(&mut self) {
        let f = self.figure().clone();
        let quote = self.s.text.clone();
        let words = [(3, "thousand"), (6, "million"), (9, "billion")];
        let other = |power: i32, turn: usize| {
            let others: Vec<_> = words.iter().filter(|w| w.0 != power).collect();
            *others[turn % others.len()]
        };
        let page = &self.a.neighbourhood;
        if let Some(power) = f.scale.filter(|p| *p <= 9) {
            let (_, word) = other(power, self.turn);
            let own = f.phrase.split_once(&f.digits).map_or("", |p| p.1).to_owned();
            let english = own.trim().trim_end_matches('s');
            let said = words.iter().any(|w| w.1 == english);
            // The full figure in a table, to which the wrong scale would round.
            let rounds = |word: &str| {
                let power = words.iter().find(|w| w.1 == word).map_or(0, |w| w.0);
                let shift = 10f64.powi(power);
                self.a.worth.may_hold_as_written(f.value * shift, Self::step(&f) * shift)
            };
            // Every time the page writes these digits it says the true scale.
            let joined: String = page.split_whitespace().collect::<Vec<_>>().join(" ");
            let always = joined.match_indices(&f.digits).all(|(i, d)| joined[i + d.len()..].starts_with(&own));
            if said && always && !rounds(word) {
                let bad = f.phrase.replacen(own.trim(), word, 1);
                self.both("wrong scale", &quote.replacen(&f.phrase, &bad, 1), &quote);
                let reworded = self.reworded(&bad);
                self.both("wrong scale, reworded", &reworded, &quote);
                self.add(
                    Sort::Mutant,
                    "wrong scale in both",
                    true,
                    format!("{reworded} {}.", self.a.here.tag(Some(&quote.replacen(&f.phrase, &bad, 1)))),
                    0,
                );
                let lost = f.phrase.replacen(&own, "", 1);
                if f.value.fract() > 0.0 {
                    let reworded = self.reworded(&lost);
                    self.both("scale lost", &reworded, &quote);
                }
            }
        } else if let Some(power) =
            self.a.table_scale.filter(|_| self.s.is_row && f.value >= 1000.0 && f.unit != Unit::Percent && f.decimals == 0)
            && page.matches(&f.digits).count() == 1
        {
            let (_, word) = other(power, self.turn);
            let bare = f.phrase.trim_matches(['(', ')']);
            let minus = if f.negative { "-" } else { "" };
            let reworded = self.reworded(&format!("{minus}{bare} {word}"));
            self.both("wrong scale against the table's", &reworded, &quote);
        }
    }

    fn wrong_units(&mut self) {
        let f = self.figure().clone();
        let quote = self.s.text.clone();
        if quote.matches(&f.phrase).count() != 1 || self.a.neighbourhood.matches(&f.digits).count() != 1 {
            return;
        }
        if let Unit::Money(sign) = f.unit {
            let bad = if sign == '$' { '€' } else { '$' };
            let phrase = f.phrase.replace(sign, &bad.to_string());
            self.both("wrong currency", &quote.replacen(&f.phrase, &phrase, 1), &quote);
            self.add(
                Sort::Mutant,
                "wrong currency in both",
                true,
                format!("{} {}.", self.reworded(&phrase), self.a.here.tag(Some(&quote.replacen(&f.phrase, &phrase, 1)))),
                0,
            );
            let reworded = self.reworded(&format!("{}{}", f.digits, "%"));
            if !self.a.neighbourhood.contains('%') {
                self.both("money as percent", &reworded, &quote);
            }
        }
        if f.unit == Unit::Percent {
            let reworded = self.reworded(&format!("${} million", f.digits));
            self.both("percent as money", &reworded, &quote);
        }
    }

    fn wrong_words(&mut self) {
        let text = self.s.text.clone();
        let claim = self.reworded(&self.figure().phrase.clone());
        let mut bad: Vec<(&str, String)> = Vec::new();
        let words: Vec<&str> = text.split(' ').collect();
        let long = |w: &&str| w.chars().filter(|c| c.is_alphabetic()).count() >= 4 && w.chars().all(char::is_alphabetic);
        let new = self.a.donor.text.split(' ').filter(long).find(|w| !text.to_lowercase().contains(&w.to_lowercase()));
        let at: Vec<usize> = words.iter().enumerate().filter(|(_, w)| long(w)).map(|(i, _)| i).collect();
        if let (Some(new), false) = (new, at.is_empty()) {
            let place = at[self.turn % at.len()];
            let swapped: Vec<&str> = words.iter().enumerate().map(|(i, w)| if i == place { new } else { *w }).collect();
            bad.push(("swapped word in the quote", swapped.join(" ")));
            let dropped: Vec<&str> = words.iter().enumerate().filter(|(i, _)| *i != place).map(|(_, w)| *w).collect();
            if place > 0 && place + 1 < words.len() {
                bad.push(("dropped word in the quote", dropped.join(" ")));
            }
        }
        for verb in [" is ", " was ", " were ", " are ", " has ", " have ", " will ", " may ", " can ", " ist ", " wird ", " est "]
        {
            if let Some(found) = text.find(verb) {
                let not = match verb {
                    " ist " | " wird " => "nicht ",
                    " est " => "pas ",
                    _ => "not ",
                };
                let end = found + verb.len();
                bad.push(("negation added in the quote", format!("{}{not}{}", &text[..end], &text[end..])));
                break;
            }
        }
        if text.contains(" not ") {
            bad.push(("negation dropped in the quote", text.replacen(" not ", " ", 1)));
        }
        const OPPOSITES: [(&str, &str); 12] = [
            ("increase", "decrease"),
            ("decrease", "increase"),
            ("higher", "lower"),
            ("lower", "higher"),
            ("more", "less"),
            ("less", "more"),
            ("before", "after"),
            ("after", "before"),
            ("gain", "loss"),
            ("net", "gross"),
            ("first", "third"),
            ("above", "below"),
        ];
        if let Some((word, opposite)) = OPPOSITES.iter().find(|(w, _)| text.split(' ').any(|t| t.starts_with(w))) {
            let at = text.split(' ').position(|t| t.starts_with(word)).unwrap_or(0);
            let swapped: Vec<String> = text
                .split(' ')
                .enumerate()
                .map(|(i, w)| if i == at { w.replacen(word, opposite, 1) } else { w.to_owned() })
                .collect();
            bad.push(("opposite word in the quote", swapped.join(" ")));
        }
        for (kind, quote) in bad {
            if !self.a.worth.has_words(&quote) {
                self.add(Sort::Mutant, kind, true, format!("{claim} {}.", self.a.here.tag(Some(&quote))), 0);
                self.add(
                    Sort::Mutant,
                    &format!("{kind}, verbatim claim"),
                    true,
                    format!("{text} {}.", self.a.here.tag(Some(&quote))),
                    0,
                );
            }
        }
    }

    fn wrong_quotes(&mut self) {
        let claim = self.s.text.clone();
        if let Some(o) = self.a.elsewhere.filter(|o| !self.a.worth.has_words(&o.text)) {
            let (text, here) = (&o.text, &self.a.here);
            let (one, two) = (format!("{claim} {}.", here.tag(Some(text))), format!("{text} {}.", here.tag(Some(text))));
            self.add(Sort::Mutant, "quote of another page", true, one, 0);
            self.add(Sort::Mutant, "claim and quote of another page", true, two, 0);
        }
        let short = ["the", "of the", "net", "and", "in", "as of"][self.turn % 6];
        let year = ["2023", "2022", "2024", "2021", "2019", "2018", "2015"].iter().find(|y| self.a.worth.writes(y));
        let at = self.a.here.tag(Some(short));
        self.add(Sort::Mutant, "too short a quote", true, format!("{claim} {at}."), 0);
        if let Some(year) = year {
            let at = self.a.here.tag(Some(year));
            self.add(Sort::Mutant, "a lone year", true, format!("{claim} {at}."), 0);
        }
        // The number alone says nothing of what it is.
        let at = self.a.here.tag(Some(&self.figure().digits));
        self.add(Sort::Mutant, "a lone number", true, format!("{claim} {at}."), 0);
    }

    fn wrong_rows(&mut self) {
        let Some(row) = self.a.row else { return };
        let label = |s: &Statement| s.text[..s.figures[0].phrase_at].trim().to_owned();
        let (mine, other) = (label(self.s), label(row));
        let f = &self.s.figures[0];
        if mine.to_lowercase().contains(&other.to_lowercase())
            || other.to_lowercase().contains(&mine.to_lowercase())
            || f.digits.len() < 4
            || self.a.neighbourhood.matches(&f.digits).count() != 1
        {
            return;
        }
        let claim = format!("{other} was {}", f.phrase);
        let (tag, empty) = (self.a.here.tag(Some(&self.s.text)), self.a.here.tag(None));
        self.add(Sort::Hard, "label of another row", false, format!("{claim} {empty}."), 0);
        self.add(Sort::Hard, "label of another row", true, format!("{claim} {tag}."), 0);
        let tag = self.a.here.tag(Some(&row.text));
        self.add(Sort::Hard, "label and quote of another row", true, format!("{claim} {tag}."), 0);
    }
}
