//! Rows of tables: whether a claim gives the figure of one row under the label of another, or that of one year under another year.
//!
//! Only what a page shows beyond doubt counts. A claim in words of its own, a figure in running text, a row without a label, a table whose
//! columns cannot be counted contradict nothing.

use std::collections::{HashMap, HashSet};

use super::lex::{Kind, Lexed, Token, is_year};
use super::nearby;
use super::words;

/// Lines above a row in which the head of its columns, or the heading that it belongs to, may stand.
const HEAD_REACH: usize = 40;
/// Words that may stand between the label of a claim and its figure: "was", "came to", "for 2023".
const LINKS: usize = 4;
/// Letters of the shortest label that says anything.
const LABEL_LETTERS: usize = 5;

/// The rows of a page.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    rows: Vec<Row>,
    /// The row of each number in one.
    of: HashMap<usize, usize>,
    /// Lines of words alone.
    headings: Vec<(usize, Vec<String>)>,
}

#[derive(Debug, Clone)]
struct Row {
    line: usize,
    label: Vec<String>,
    stems: HashSet<String>,
    /// Its numbers, as tokens.
    numbers: Vec<usize>,
    /// Whether the last one is a percentage, as in a column "Change".
    ends_in_percent: bool,
    /// The years of its columns.
    years: Vec<u128>,
}

/// What a claim says of rows and columns.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    words: Vec<Option<String>>,
    stems: HashSet<String>,
    /// The only year of a claim that compares nothing.
    year: Option<u128>,
}

impl Said {
    /// Of a claim.
    pub(super) fn of(claim: &Lexed) -> Self {
        let words: Vec<Option<String>> = (0..claim.tokens.len()).map(|i| claim.word(i).map(str::to_owned)).collect();
        let mut years = claim.tokens.iter().filter_map(year);
        let compares = words.iter().flatten().any(|w| compares(w));
        let year = years.next().filter(|_| years.next().is_none() && !compares);
        Self { words, stems: nearby::stems(claim), year }
    }
}

impl Rows {
    /// Of a page.
    pub(super) fn new(page: &Lexed) -> Self {
        let mut out = Self::default();
        let mut head: Option<(usize, Vec<u128>)> = None;
        for (line, range) in lines(page).into_iter().enumerate() {
            let tokens = page.tokens.get(range.clone()).unwrap_or_default();
            let numbers: Vec<usize> = range
                .clone()
                .filter(|&i| page.tokens.get(i).is_some_and(|t| matches!(t.kind, Kind::Number { .. }) && !t.mark))
                .collect();
            if numbers.is_empty() {
                let words: Vec<String> = range.filter_map(|i| page.word(i)).map(str::to_owned).collect();
                if !words.is_empty() {
                    out.headings.push((line, words));
                }
                continue;
            }
            if let Some(years) = years_of_head(tokens) {
                head = Some((line, years));
                continue;
            }
            let words = tokens.iter().take_while(|t| matches!(t.kind, Kind::Word(_)) || t.mark).count();
            let rest = tokens.get(words..).unwrap_or_default();
            if numbers.len() < 2 || rest.iter().any(|t| matches!(t.kind, Kind::Word(_) | Kind::Code(_))) {
                continue;
            }
            let label: Vec<String> = range.clone().take(words).filter_map(|i| page.word(i)).map(str::to_owned).collect();
            let stems = label.iter().filter_map(|w| nearby::stem(w)).collect();
            let years = head.as_ref().filter(|(at, _)| line - at <= HEAD_REACH).map(|(_, y)| y.clone()).unwrap_or_default();
            let ends_in_percent = matches!(tokens.last().map(|t| &t.kind), Some(Kind::Percent));
            out.of.extend(numbers.iter().map(|&n| (n, out.rows.len())));
            out.rows.push(Row { line, label, stems, numbers, ends_in_percent, years });
        }
        out
    }

    /// Whether a claim, whose figure is its token `figure`, cannot mean this number of the page.
    pub(super) fn contradict(&self, number: usize, figure: usize, said: &Said) -> bool {
        let Some(row) = self.of.get(&number).and_then(|&r| self.rows.get(r)) else { return false };
        self.is_of_another_row(row, figure, said) || is_of_another_year(row, number, said)
    }

    fn is_of_another_row(&self, row: &Row, figure: usize, said: &Said) -> bool {
        if row.stems.is_empty() || row.label.iter().all(|w| is_general(w)) {
            return false;
        }
        let Some(told) = self.told(figure, said) else { return false };
        // Words of the row that the told label lacks must be missing in the claim.
        let mut own = row.stems.difference(&told.stems).peekable();
        let disjoint = own.peek().is_some() && own.all(|stem| !said.stems.contains(stem));
        let under_it = self.headings.iter().any(|(line, words)| {
            *line < row.line && row.line - line <= HEAD_REACH && words.windows(told.label.len()).any(|w| w == told.label)
        });
        disjoint && told.label != row.label && !under_it
    }

    /// The row whose whole label stands directly before a figure of the claim; of several the longest.
    fn told(&self, figure: usize, said: &Said) -> Option<&Row> {
        let before = said.words.get(..figure)?;
        let mut end = before.len();
        let mut links = 0;
        while let Some(last) = end.checked_sub(1).and_then(|i| before.get(i)) {
            match last {
                Some(word) if is_link(word) && links < LINKS => links += 1,
                Some(_) => break,
                None => {}
            }
            end -= 1;
        }
        let fits = self.rows.iter().filter(|row| {
            let letters: usize = row.label.iter().map(|w| w.chars().count()).sum();
            let start = end.checked_sub(row.label.len());
            let told = start.and_then(|s| before.get(s..end)).unwrap_or_default();
            letters >= LABEL_LETTERS
                && !row.stems.is_empty()
                && told.len() == row.label.len()
                && told.iter().zip(&row.label).all(|(a, b)| a.as_deref() == Some(b.as_str()))
        });
        fits.max_by_key(|row| row.label.len())
    }
}

fn is_of_another_year(row: &Row, number: usize, said: &Said) -> bool {
    let Some(year) = said.year.filter(|y| row.years.contains(y)) else { return false };
    let counted = row.numbers.len() == row.years.len() || (row.ends_in_percent && row.numbers.len() == row.years.len() + 1);
    let column = row.numbers.iter().position(|&n| n == number).and_then(|i| row.years.get(i));
    counted && column.is_some_and(|&c| c != year)
}

fn year(token: &Token) -> Option<u128> {
    match &token.kind {
        Kind::Number { digits, .. } if is_year(digits) => Some(digits.coefficient),
        _ => None,
    }
}

/// The years of a line that is the head of columns: years, days and the words of periods, nothing else.
fn years_of_head(tokens: &[Token]) -> Option<Vec<u128>> {
    let years: Vec<u128> = tokens.iter().filter_map(year).collect();
    let plain = tokens.iter().all(|token| match &token.kind {
        Kind::Word(w) => words::month_of(w).is_some() || is_period(w),
        Kind::Number { digits, .. } => is_year(digits) || (digits.plain && digits.coefficient <= 31) || token.mark,
        Kind::Percent | Kind::Currency(_) => true,
        Kind::Code(_) | Kind::Symbol(_) => false,
    });
    (years.len() >= 2 && plain).then_some(years)
}

fn is_period(word: &str) -> bool {
    const WORDS: &str = "year years ended ending fiscal fy quarter quarters month months three six nine twelve as of at the for and in change \
        variance note notes million millions thousand thousands dollars usd eur unaudited restated first second third fourth jahr geschäftsjahr \
        zum veränderung exercice";
    WORDS.split_whitespace().any(|w| w == word)
}

/// Labels that rows of many tables share: what they count stands above them.
fn is_general(word: &str) -> bool {
    const WORDS: &str = "total totals subtotal sum other others balance net gross all average consolidated group company current previous \
        actual plan budget amount number percent percentage summe gesamt sonstige ensemble autres";
    word.chars().count() < 3 || WORDS.split_whitespace().any(|w| w == word)
}

fn is_link(word: &str) -> bool {
    const WORDS: &str = "was were is are of at to stood came reached amounted totaled totalled for in the year fiscal about us a an had betrug \
        lag war bei est de";
    words::is_about(word) || WORDS.split_whitespace().any(|w| w == word)
}

fn compares(word: &str) -> bool {
    const WORDS: &str = "from than compared comparison versus vs since over prior previous earlier after before against up down to between and \
        vorjahr gegenüber nach von bis zwischen und contre depuis et";
    WORDS.split_whitespace().any(|w| w == word)
}

/// The tokens of each line.
fn lines(page: &Lexed) -> Vec<std::ops::Range<usize>> {
    let mut out = Vec::new();
    let (mut start, mut at) = (0, 0);
    for (i, token) in page.tokens.iter().enumerate() {
        if i > start && page.between(at, token.start).contains(&'\n') {
            out.push(start..i);
            start = i;
        }
        at = token.end;
    }
    if start < page.tokens.len() {
        out.push(start..page.tokens.len());
    }
    out
}
