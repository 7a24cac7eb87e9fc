//! Figures: numbers with what stands around them (sign, scale, unit), and the dates, of a claim or of a page.

use super::lex::{Kind, Lexed, is_year};
use super::numbers::{Digits, Value};
use super::words::{self, Scale};

/// What a figure counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Nothing said.
    Plain,
    /// Percent or percentage points.
    Percent,
    /// Money; the currency as one sign.
    Money(char),
}

/// What a number is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A figure.
    Figure,
    /// A year, a page reference, a piece of a name, a list marker: a word that happens to be written in digits.
    Word,
    /// The number of a note, table, section.
    Reference(&'static str),
}

/// One number in its context.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    /// Its digits, without scale.
    pub value: Value,
    /// Below zero.
    pub negative: bool,
    /// In parentheses after a word and with a currency or percent sign, as in `EPS ($1.76)`: its sign is not certain.
    pub aside: bool,
    /// What it counts.
    pub unit: Unit,
    /// Its scale word.
    pub scale: Option<Scale>,
    /// Unit and scale of the second figure of a range (`5 to 7 million`).
    pub inherited: Option<(Unit, Option<Scale>)>,
    /// "about", "nearly" stand before it.
    pub about: bool,
    /// What it is there for.
    pub role: Role,
    /// Written with digits alone.
    pub plain: bool,
    /// Part of a date: a day or a year.
    pub dated: bool,
    /// Its token.
    pub token: usize,
    /// The numbers that it is made of, where blanks set its thousands apart: "2 057" may also be two cells of a table.
    pub parts: Vec<Value>,
}

/// A day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Date {
    /// Year where written.
    pub year: Option<u16>,
    /// Month.
    pub month: u8,
    /// Day.
    pub day: u8,
}

impl Figure {
    /// Whether it counts something and can be no date or name: it has a unit, a scale, or separators as no year has.
    pub(super) fn is_amount(&self) -> bool {
        self.unit != Unit::Plain || self.scale.is_some_and(|s| !s.unsure) || !self.plain
    }

    /// Whether it stands in a date, or is a year, a page reference, a piece of a name.
    pub(super) fn counts_nothing(&self) -> bool {
        self.dated || self.role == Role::Word
    }
}

impl Date {
    /// The same day, as far as both say.
    pub(super) fn agrees(self, other: Self) -> bool {
        let years = self.year.is_none() || other.year.is_none() || self.year == other.year;
        years && self.month == other.month && self.day == other.day
    }
}

/// All numbers of a text.
#[derive(Debug, Clone, Default)]
pub(super) struct Figures {
    /// The numbers in order.
    pub figures: Vec<Figure>,
    /// The dates. A date in digits alone that can be read in two ways gives both.
    pub dates: Vec<Vec<Date>>,
    /// Scales that the text names for figures without one ("in millions").
    pub hints: Vec<i32>,
    /// Whether it has a percent sign.
    pub has_percent: bool,
}

impl Figures {
    /// Reads the numbers of a claim: those of dates are not among the figures.
    pub(super) fn new(lexed: &Lexed) -> Self {
        Self::read(lexed, true)
    }

    /// Reads the numbers of a page, where the "11" of "Sept. 11" may also be found as a number.
    pub(super) fn of_page(lexed: &Lexed) -> Self {
        Self::read(lexed, false)
    }

    fn read(lexed: &Lexed, without_dates: bool) -> Self {
        let mut out = Self { has_percent: lexed.tokens.iter().any(|t| t.kind == Kind::Percent), ..Self::default() };
        let mut in_date = vec![false; lexed.tokens.len()];
        for at in 0..lexed.tokens.len() {
            if let Some((dates, used)) = super::dates::date_at(lexed, at) {
                for index in used {
                    if let Some(flag) = in_date.get_mut(index) {
                        *flag = true;
                    }
                }
                out.dates.push(dates);
            }
        }
        let german = (0..lexed.tokens.len())
            .filter_map(|i| lexed.word(i))
            .any(|w| matches!(w, "der" | "und" | "auf" | "siehe" | "vgl" | "im"));
        for (index, token) in lexed.tokens.iter().enumerate() {
            if let Kind::Number { digits, negative } = &token.kind
                && !(without_dates && in_date.get(index) == Some(&true))
            {
                let figure = Reader { lexed, index, digits, german }.figure(*negative, &out.figures);
                out.figures.push(Figure { dated: in_date.get(index) == Some(&true), ..figure });
            }
        }
        super::grouped::join(lexed, &mut out.figures, without_dates);
        out.pass_back_along_ranges(lexed);
        out.hints = hints(lexed);
        out
    }

    /// In "5 to 7 million" the first number means millions too.
    fn pass_back_along_ranges(&mut self, lexed: &Lexed) {
        for i in (1..self.figures.len()).rev() {
            let (head, tail) = self.figures.split_at_mut(i);
            let (Some(first), Some(second)) = (head.last_mut(), tail.first()) else { continue };
            let (unit, scale) = if second.scale.is_some() || second.unit != Unit::Plain {
                (second.unit, second.scale)
            } else if let Some(passed) = second.inherited {
                passed
            } else {
                continue;
            };
            if first.scale.is_none() && first.unit != Unit::Percent && is_range(lexed, first.token, second.token) {
                first.inherited = Some((unit, scale));
            }
        }
    }
}

fn is_range(lexed: &Lexed, first: usize, second: usize) -> bool {
    let words: Vec<_> = (first + 1..second).filter_map(|i| lexed.tokens.get(i)).collect();
    match words.as_slice() {
        [] => match (lexed.tokens.get(first), lexed.tokens.get(second)) {
            (Some(a), Some(b)) => lexed.between(a.end, b.start).iter().collect::<String>().trim() == "-",
            _ => false,
        },
        [one] => match &one.kind {
            Kind::Word(w) => {
                matches!(w.as_str(), "to" | "and" | "or" | "through" | "bis" | "und" | "à" | "et" | "a" | "y" | "e" | "o")
            }
            Kind::Currency(_) => {
                lexed.tokens.get(first).is_some_and(|a| lexed.between(a.end, one.start).iter().collect::<String>().trim() == "-")
            }
            _ => false,
        },
        [word, money] => {
            matches!(&word.kind, Kind::Word(w) if matches!(w.as_str(), "to" | "and" | "or" | "through"))
                && matches!(money.kind, Kind::Currency(_))
        }
        _ => false,
    }
}

/// Scales that a text names without a number before them: "in millions", "$ thousand", "$m", "$000".
fn hints(lexed: &Lexed) -> Vec<i32> {
    let mut out = Vec::new();
    for (index, token) in lexed.tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|i| lexed.tokens.get(i));
        let after_money = before.is_some_and(|b| matches!(b.kind, Kind::Currency(_)));
        let exponent = match &token.kind {
            Kind::Word(word) => {
                let announces = match before.map(|b| &b.kind) {
                    Some(Kind::Word(w)) => {
                        matches!(w.as_str(), "in" | "en" | "em" | "us" | "of" | "amounts" | "dollars" | "figures" | "and")
                            || words::currency_of(w).is_some()
                    }
                    Some(Kind::Currency(_)) => true,
                    Some(Kind::Number { .. }) => false,
                    _ => true,
                };
                let after_number = before.is_some_and(|b| matches!(b.kind, Kind::Number { .. }));
                let begins = token.start == 0 || matches!(lexed.char_at(token.start - 1), Some('(' | '\n'));
                // "Table 5.2, 2021-23" above "Thousands of dollars". A number and its scale can be parted by a line end, too, but an English
                // scale behind a number is no plural, and in other languages "of" does not follow it.
                let alone = matches!(lexed.char_at(token.end), None | Some('\n' | ')'));
                let heads = word.ends_with('s') && (alone || lexed.word(index + 1) == Some("of"));
                let opens = begins && (!after_number || heads);
                words::scale_of(word).filter(|s| (announces || opens) && (!s.unsure || after_money)).map(|s| s.exponent)
            }
            Kind::Number { digits, .. } if digits.coefficient == 0 && digits.length == 3 && digits.decimals == 0 => {
                let quoted = token.start.checked_sub(1).and_then(|i| lexed.char_at(i)) == Some('\'');
                (after_money || quoted).then_some(3)
            }
            _ => None,
        };
        out.extend(exponent);
    }
    out.sort_unstable();
    out.dedup();
    out
}

struct Reader<'a> {
    lexed: &'a Lexed,
    index: usize,
    digits: &'a Digits,
    /// "S. 12" is a page only there.
    german: bool,
}

impl Reader<'_> {
    fn figure(&self, negative: bool, earlier: &[Figure]) -> Figure {
        let exponent = i32::try_from(self.digits.decimals).map_or(0, |d| -d);
        let mut value = Value { coefficient: self.digits.coefficient, exponent };
        let (scale, next) = self.scale();
        let unit = match self.percent(next) {
            Some(shift) => {
                value.exponent -= i32::try_from(shift).unwrap_or(0);
                Unit::Percent
            }
            None => self.money(next).map_or(Unit::Plain, Unit::Money),
        };
        let negative = negative || self.is_called_negative();
        let role = self.role(unit, scale, negative, earlier);
        Figure {
            value,
            negative,
            aside: self.aside(),
            unit,
            scale,
            inherited: None,
            about: self.about(),
            role,
            plain: self.digits.plain,
            dated: false,
            token: self.index,
            parts: Vec::new(),
        }
    }

    fn token_end(&self) -> usize {
        self.lexed.tokens.get(self.index).map_or(0, |t| t.end)
    }

    fn token_start(&self) -> usize {
        self.lexed.tokens.get(self.index).map_or(0, |t| t.start)
    }

    /// Whether only blanks, a closing parenthesis or a hyphen lie between the end of the number's phrase and a token. A dash with blanks
    /// around it is an empty cell.
    fn near(&self, from: usize, to: usize) -> bool {
        let between = self.lexed.between(from, to);
        between.iter().all(|c| c.is_whitespace() || matches!(c, ')' | '-')) && !between.windows(2).any(|w| matches!(w, [' ', '-']))
    }

    /// The scale word after the number, and the token after it all.
    fn scale(&self) -> (Option<Scale>, usize) {
        let mut next = self.index + 1;
        let mut end = self.token_end();
        let mut scale: Option<Scale> = None;
        while let Some(word) = self.lexed.word(next) {
            let start = self.lexed.tokens.get(next).map_or(0, |t| t.start);
            let Some(found) = words::scale_of(word).filter(|_| self.near(end, start)) else { break };
            let glued = start == end;
            let after_money = self
                .index
                .checked_sub(1)
                .and_then(|i| self.lexed.tokens.get(i))
                .is_some_and(|t| matches!(t.kind, Kind::Currency(_)));
            if found.unsure && !glued && !after_money {
                break;
            }
            let unsure = found.unsure && !after_money;
            scale =
                Some(scale.map_or(Scale { unsure, ..found }, |s| Scale { exponent: s.exponent + found.exponent, unsure: false }));
            end = self.lexed.tokens.get(next).map_or(end, |t| t.end);
            next += 1;
        }
        (scale, next)
    }

    fn percent(&self, next: usize) -> Option<u32> {
        let token = self.lexed.tokens.get(next)?;
        let end = next.checked_sub(1).and_then(|i| self.lexed.tokens.get(i)).map_or(0, |t| t.end);
        if !self.near(end, token.start) {
            return None;
        }
        match &token.kind {
            // The "%" that opens the next line of a table is not of this one.
            Kind::Percent
                if self.lexed.char_at(token.start) == Some('%') && self.lexed.between(end, token.start).contains(&'\n') =>
            {
                None
            }
            Kind::Percent => Some(0),
            Kind::Word(w) if w == "basis" => (self.lexed.word(next + 1) == Some("points")).then_some(2),
            Kind::Word(w) if matches!(w.as_str(), "por" | "per") => {
                matches!(self.lexed.word(next + 1), Some("ciento" | "cento")).then_some(0)
            }
            Kind::Word(w) => words::percent_of(w),
            _ => None,
        }
    }

    fn money(&self, next: usize) -> Option<char> {
        let before = self.index.checked_sub(1).and_then(|i| self.lexed.tokens.get(i)).filter(|t| {
            self.lexed.between(t.end, self.token_start()).iter().all(|c| c.is_whitespace() || matches!(c, '(' | '-' | '\''))
        });
        match before.map(|t| &t.kind) {
            Some(Kind::Currency(c)) => return Some(*c),
            Some(Kind::Word(w)) if matches!(w.as_str(), "usd" | "eur" | "gbp" | "chf" | "jpy" | "cny" | "rmb" | "inr") => {
                return words::currency_of(w);
            }
            _ => {}
        }
        let after = self.lexed.tokens.get(next)?;
        let end = next.checked_sub(1).and_then(|i| self.lexed.tokens.get(i)).map_or(0, |t| t.end);
        if !self.near(end, after.start) {
            return None;
        }
        match &after.kind {
            Kind::Currency('€') => Some('€'),
            Kind::Word(w) => words::currency_of(w),
            _ => None,
        }
    }

    /// Whether the number stands in parentheses with its currency or percent sign, one blank after a word or a number. In a table the gap is wider.
    fn aside(&self) -> bool {
        let (start, end) = (self.token_start(), self.token_end());
        let lead = self.lexed.between(0, start);
        let inside = lead.iter().rev().take_while(|c| c.is_whitespace() || words::is_currency_sign(**c)).count();
        let (head, inner) = lead.split_at(lead.len() - inside);
        let tail: String = self.lexed.chars.iter().skip(end).take(3).collect();
        let signed = inner.iter().any(|&c| words::is_currency_sign(c)) || tail.trim_start().starts_with('%');
        // "It was ($1.76)" says that it is below zero.
        let said = self.word_before().is_some_and(|(word, _)| {
            matches!(word, "was" | "were" | "is" | "are" | "of" | "to" | "at" | "war" | "waren" | "ist" | "betrug")
        });
        signed && !said && matches!(head, [.., word, ' ', '('] if word.is_alphanumeric())
    }

    /// "minus $5 million", "negative 5 %".
    fn is_called_negative(&self) -> bool {
        self.word_before().is_some_and(|(word, gap)| gap <= 4 && matches!(word, "minus" | "negative"))
    }

    /// The word before the number and its currency, and how many characters lie between.
    fn word_before(&self) -> Option<(&str, usize)> {
        let money = |i: usize| self.lexed.tokens.get(i).is_some_and(|t| matches!(t.kind, Kind::Currency(_)));
        let last = self.index.checked_sub(1)?;
        let at = if money(last) { last.checked_sub(1)? } else { last };
        Some((self.lexed.word(at)?, self.token_start().saturating_sub(self.lexed.tokens.get(at)?.end)))
    }

    fn about(&self) -> bool {
        let start = self.token_start();
        let sign = self.lexed.between(start.saturating_sub(3), start).iter().any(|c| matches!(c, '~' | '≈'));
        let word = (1..=3).filter_map(|back| self.index.checked_sub(back)).any(|i| {
            let near = self.lexed.tokens.get(i).is_some_and(|t| start.saturating_sub(t.end) < 14);
            near && self.lexed.word(i).is_some_and(words::is_about)
        });
        sign || word
    }

    fn role(&self, unit: Unit, scale: Option<Scale>, negative: bool, earlier: &[Figure]) -> Role {
        if self.is_piece_of_a_name() {
            return Role::Word;
        }
        if unit != Unit::Plain || scale.is_some_and(|s| !s.unsure) {
            return Role::Figure;
        }
        if is_year(self.digits) && !negative {
            return Role::Word;
        }
        let before = self.index.checked_sub(1).and_then(|i| self.lexed.tokens.get(i));
        let gap: String = before.map_or(String::new(), |t| self.lexed.between(t.end, self.token_start()).iter().collect());
        // "2023-24" and "pages 3, 5-7 and 9" go on as they began.
        let last = earlier.last();
        let directly = last.is_some_and(|f| f.token + 1 == self.index);
        let by_and = last.is_some_and(|f| f.token + 2 == self.index)
            && self
                .index
                .checked_sub(1)
                .and_then(|i| self.lexed.word(i))
                .is_some_and(|w| matches!(w, "and" | "to" | "und" | "et" | "y" | "of"));
        if let Some(last) = last
            && self.digits.plain
            && last.role != Role::Figure
            && ((directly && matches!(gap.trim(), "-" | "," | "/")) || by_and)
        {
            let after_year = self
                .lexed
                .tokens
                .get(last.token)
                .is_some_and(|t| matches!(&t.kind, Kind::Number { digits, .. } if is_year(digits)));
            if !after_year || (self.digits.length == 2 && matches!(gap.as_str(), "-" | "/")) {
                return last.role;
            }
        }
        let word = before.and_then(|_| self.index.checked_sub(1)).and_then(|i| self.lexed.word(i));
        let follows = gap.chars().all(|c| c.is_whitespace() || matches!(c, '.' | '#'));
        match word {
            // The "P" of "S&P 500" leads to no page.
            Some("p") if !gap.starts_with('.') => Role::Figure,
            Some(w) if follows && words::is_page_word(w) => Role::Word,
            Some("s") if self.german && gap.starts_with('.') => Role::Word,
            Some(w) if follows => words::reference_of(w).map_or(Role::Figure, Role::Reference),
            _ => Role::Figure,
        }
    }

    /// `COVID-19`, `10-K`.
    fn is_piece_of_a_name(&self) -> bool {
        let (start, end) = (self.token_start(), self.token_end());
        let at = |i: Option<usize>| i.and_then(|i| self.lexed.char_at(i));
        let after_letter = at(start.checked_sub(1)) == Some('-') && at(start.checked_sub(2)).is_some_and(char::is_alphabetic);
        let before_letter = self.lexed.char_at(end) == Some('-')
            && self.lexed.char_at(end + 1).is_some_and(char::is_alphabetic)
            && !self.lexed.char_at(end + 2).is_some_and(char::is_alphanumeric);
        after_letter || before_letter
    }
}
