//! Queries of several kinds against the generated library.

use crate::library::named;
use crate::words::{Dice, vocabulary};

/// Queries of one class.
const QUERIES: usize = 40;

/// Queries of one kind.
pub struct Class {
    pub name: &'static str,
    pub queries: Vec<String>,
}

/// Questions as people ask them; each `#` becomes a word of the library.
const QUESTIONS: [&str; 4] = [
    "What was the total revenue and operating income of the # segment in fiscal year 2019 compared with # last year?",
    "How did the change in # pricing affect quarterly earnings, customer growth and employee costs of the # division?",
    "Which legal proceedings about # does the annual report mention and what amount was paid for # in 2021?",
    "Why did capital expenditures and debt of # rise while # sales declined in the third quarter of 2020?",
];

/// All classes, for a library of so many documents.
pub fn classes(documents: usize) -> Vec<Class> {
    let words = vocabulary();
    let mut dice = Dice::new(99);
    let mut made =
        |name, make: &mut dyn FnMut(&mut Dice) -> String| Class { name, queries: (0..QUERIES).map(|_| make(&mut dice)).collect() };
    let word = |dice: &mut Dice, from: usize, to: usize| words[from + dice.below(to - from)].clone();
    let name = |dice: &mut Dice| named(dice.below(documents), &words).0;
    vec![
        made("rare word", &mut |dice| word(dice, 40_000, 90_000)),
        made("common word", &mut |dice| word(dice, 20, 200)),
        made("two common", &mut |dice| format!("{} {}", word(dice, 20, 400), word(dice, 20, 400))),
        made("question", &mut |dice| {
            let question = QUESTIONS[dice.below(QUESTIONS.len())];
            question.split('#').map(str::to_owned).reduce(|all, rest| all + &word(dice, 300, 20_000) + &rest).unwrap_or_default()
        }),
        made("ten words", &mut |dice| (0..10).map(|_| word(dice, 100, 5_000)).collect::<Vec<_>>().join(" ")),
        made("numbers", &mut |dice| format!("{},{:03} in {}", 1 + dice.below(99), dice.below(1_000), 2000 + dice.below(20))),
        made("japanese", &mut |dice| {
            let character = |dice: &mut Dice| char::from_u32(0x4E00 + dice.rank(400) as u32).unwrap_or('一');
            (0..3).map(|_| character(dice)).collect()
        }),
        made("name typo", &mut |dice| {
            let mut name = name(dice);
            name.remove(2 + dice.below(4));
            name
        }),
        made("part of name", &mut |dice| name(dice).chars().take(7).collect()),
        made("quoted", &mut |dice| format!("\"{} {}\"", word(dice, 50, 1_000), word(dice, 50, 1_000))),
    ]
}
