//! Numbers that a page writes as words.

use super::figures::{Figure, Role, Unit};
use super::lex::{Kind, Lexed};
use super::numbers::Value;
use super::words;

/// "five", "twenty-five", "five million". Only pages are read so: in a claim "two of the three" is often the author's own count.
pub(super) fn spelled(lexed: &Lexed) -> Vec<Figure> {
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
            plain: true,
            dated: false,
            token,
            parts: Vec::new(),
        });
    }
    out
}
