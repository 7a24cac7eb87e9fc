//! Folded text as a row of words, numbers and signs. Quotes, claims and pages all go through it, so that they meet in one form.

use unicode_normalization::char::is_combining_mark;

use super::numbers::{Digits, Scanned, Style, scan};
use super::words;

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word, or one character of a script that has no spaces.
    Word(String),
    /// A number; negative when it has a minus sign or stands alone in parentheses.
    Number {
        /// Its digits.
        digits: Digits,
        /// Its sign.
        negative: bool,
    },
    /// Digits that are no number.
    Code(String),
    /// `%` or "percent".
    Percent,
    /// A currency sign.
    Currency(char),
    /// A sign with a meaning of its own, such as `<`.
    Symbol(char),
}

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// What it is.
    pub kind: Kind,
    /// First character.
    pub start: usize,
    /// One past its last character.
    pub end: usize,
    /// A footnote mark such as the `(1)` of `EPS(1)`: quotes may leave it out.
    pub mark: bool,
}

/// How a number stands in parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parens {
    /// `(53)` alone in them.
    Closed,
    /// The text ends before they close, so nobody can tell.
    Open,
}

/// A text as tokens.
#[derive(Debug, Clone)]
pub(super) struct Lexed {
    /// The folded characters.
    pub chars: Vec<char>,
    /// The tokens in order.
    pub tokens: Vec<Token>,
}

impl Lexed {
    /// Splits folded text.
    pub(super) fn new(folded: &str, style: Style) -> Self {
        let mut lexer = Lexer { chars: folded.chars().collect(), tokens: Vec::new(), style, at: 0, parens_end: None };
        while lexer.at < lexer.chars.len() {
            lexer.step();
        }
        let mut lexed = Self { chars: lexer.chars, tokens: lexer.tokens };
        lexed.join_per_cent();
        lexed
    }

    /// The character at a position.
    pub(super) fn char_at(&self, at: usize) -> Option<char> {
        self.chars.get(at).copied()
    }

    /// The characters between two positions.
    pub(super) fn between(&self, start: usize, end: usize) -> &[char] {
        self.chars.get(start..end).unwrap_or_default()
    }

    /// The word of a token.
    pub(super) fn word(&self, index: usize) -> Option<&str> {
        match &self.tokens.get(index)?.kind {
            Kind::Word(w) => Some(w),
            _ => None,
        }
    }

    fn join_per_cent(&mut self) {
        let mut joined: Vec<Token> = Vec::with_capacity(self.tokens.len());
        for token in self.tokens.drain(..) {
            let is = |token: &Token, word: &str| matches!(&token.kind, Kind::Word(w) if w == word);
            match joined.last_mut() {
                Some(last) if is(last, "per") && is(&token, "cent") => {
                    last.end = token.end;
                    last.kind = Kind::Percent;
                }
                _ => joined.push(token),
            }
        }
        self.tokens = joined;
    }
}

struct Lexer {
    chars: Vec<char>,
    tokens: Vec<Token>,
    style: Style,
    at: usize,
    /// Where the parentheses around the number to come end, and whether they are a footnote mark.
    parens_end: Option<(usize, bool)>,
}

impl Lexer {
    fn peek(&self, offset: usize) -> Option<char> {
        self.chars.get(self.at + offset).copied()
    }

    fn before(&self, offset: usize) -> Option<char> {
        self.at.checked_sub(offset).and_then(|i| self.chars.get(i)).copied()
    }

    fn push(&mut self, kind: Kind, end: usize) {
        self.tokens.push(Token { kind, start: self.at, end, mark: false });
        self.at = end;
    }

    fn step(&mut self) {
        let Some(c) = self.peek(0) else { return };
        if self.parens_end.is_some_and(|(end, _)| self.at >= end) {
            self.parens_end = None;
        }
        let digit_follows = self.peek(1).is_some_and(|d| d.is_ascii_digit());
        if c.is_ascii_digit() || (c == '.' && digit_follows && !self.before(1).is_some_and(char::is_alphanumeric)) {
            self.number();
        } else if is_single(c) {
            self.push(Kind::Word(c.to_string()), self.at + 1);
        } else if c.is_alphanumeric() {
            self.word();
        } else if c == '%' {
            self.push(Kind::Percent, self.at + 1);
        } else if words::is_currency_sign(c) {
            self.push(Kind::Currency(c), self.at + 1);
        } else if c == '+' && digit_follows {
            self.at += 1;
        } else if matches!(
            c,
            '<' | '>' | '=' | '+' | '±' | '×' | '÷' | '≤' | '≥' | '≠' | '≈' | '∞' | '°' | '√' | '∑' | '∂' | '∫' | '‰'
        ) {
            self.push(Kind::Symbol(c), self.at + 1);
        } else {
            if c == '(' {
                self.parens_end = self.parens();
            }
            self.at += 1;
        }
    }

    fn word(&mut self) {
        let end = self.run_end(self.at);
        let word: String = self.chars.get(self.at..end).unwrap_or_default().iter().collect();
        let kind = if word == "percent" { Kind::Percent } else { Kind::Word(word) };
        self.push(kind, end);
    }

    /// Where the run of letters and digits ends that begins here.
    fn run_end(&self, start: usize) -> usize {
        let letters =
            self.chars.iter().skip(start).take_while(|&&c| (c.is_alphanumeric() || is_combining_mark(c)) && !is_single(c));
        start + letters.count()
    }

    fn number(&mut self) {
        let negative_sign = self.minus_before();
        let (scanned, end) = scan(&self.chars, self.at, self.style);
        let run = self.run_end(end);
        if run > end {
            let glued: String = self.chars.get(end..run).unwrap_or_default().iter().collect();
            if words::scale_of(&glued).is_none() && !words::is_unit(&glued) {
                let name: String = self.chars.get(self.at..run).unwrap_or_default().iter().collect();
                return self.push(Kind::Word(name), run);
            }
        }
        let (mut negative, mut mark) = (negative_sign, false);
        if let Some((_, glued)) = self.parens_end.take() {
            mark = glued;
            negative |= !glued;
        }
        // A raised digit after a letter or a figure is a footnote mark as well.
        mark |= self.before(1) == Some('^') && self.before(2).is_some_and(char::is_alphabetic);
        let kind = match scanned {
            Scanned::Number(digits) => {
                Kind::Number { digits, negative: negative && !(digits.plain && is_year(&digits) && !negative_sign) }
            }
            Scanned::Code(code) => Kind::Code(code),
        };
        self.push(kind, end);
        if let Some(token) = self.tokens.last_mut() {
            token.mark = mark;
        }
    }

    /// A minus sign directly before the number (or before its currency sign), which nothing to its left turns into a hyphen.
    fn minus_before(&self) -> bool {
        let offset = match self.before(1) {
            Some('-') => 1,
            // "-$53" and, as tables are cut, "-$ 53".
            Some(c) if words::is_currency_sign(c) && self.before(2) == Some('-') => 2,
            Some(' ') if self.before(2).is_some_and(words::is_currency_sign) && self.before(3) == Some('-') => 3,
            _ => return false,
        };
        match self.before(offset + 1) {
            None => true,
            Some(c) => {
                c.is_whitespace() || words::is_currency_sign(c) || matches!(c, '(' | ':' | '=' | '"' | '\'' | '|' | '[' | '~' | '*')
            }
        }
    }

    /// Whether the parenthesis here opens around a number alone; then where it closes and whether it is glued to what stands before.
    fn parens(&self) -> Option<(usize, bool)> {
        let (end, state) = number_in_parens(&self.chars, self.at, self.style)?;
        let glued = self.before(1).is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | '+' | '.' | '\'' | '"'));
        (state == Parens::Closed).then_some((end, glued))
    }
}

/// A number alone in the parentheses that open at `open`: where they close (or the text ends) and which of the two.
pub(super) fn number_in_parens(chars: &[char], open: usize, style: Style) -> Option<(usize, Parens)> {
    let skip_blank = |at: usize| at + chars.iter().skip(at).take_while(|c| c.is_whitespace()).count();
    let mut at = skip_blank(open + 1);
    if chars.get(at).is_some_and(|&c| words::is_currency_sign(c)) {
        at = skip_blank(at + 1);
    }
    let begins = match chars.get(at) {
        Some('.') => chars.get(at + 1).is_some_and(char::is_ascii_digit),
        Some(c) => c.is_ascii_digit(),
        None => false,
    };
    if !begins {
        return None;
    }
    let (_, end) = scan(chars, at, style);
    at = end;
    // "(4 056)": groups of thousands set apart by blanks.
    while let Some([' ', a, b, c]) = chars.get(at..at + 4)
        && [a, b, c].iter().all(|c| c.is_ascii_digit())
        && !chars.get(at + 4).is_some_and(char::is_ascii_digit)
    {
        at += 4;
    }
    at = skip_blank(at);
    if chars.get(at) == Some(&'%') {
        at = skip_blank(at + 1);
    }
    match chars.get(at) {
        None => Some((at, Parens::Open)),
        Some(')') => Some((at + 1, Parens::Closed)),
        Some(_) => None,
    }
}

/// A whole number that reads as a year when it is written with digits alone.
pub(super) fn is_year(digits: &Digits) -> bool {
    digits.plain && digits.length == 4 && (1900..=2049).contains(&digits.coefficient)
}

/// Characters of scripts that are written without spaces: each is a word of its own.
pub(super) fn is_single(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2ffff}')
}
