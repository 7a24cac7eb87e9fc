//! What a section that is mostly tables has in its rows and columns.

use crate::pdf::Line;

use super::super::describe::dates::is_year;
use super::super::layout::{is_figure, is_row};
use super::super::titles::{fold, has_letters, shorten};

/// Lines that are looked at.
const LINES: usize = 120;
/// Rows by which a reader finds a table of a financial report, lower case.
const SOUGHT: &[&str] = &[
    "total",
    "net ",
    "revenue",
    "sales",
    "operating income",
    "operating profit",
    "income before",
    "gross",
    "cash",
    "earnings per",
    "diluted",
    "assets",
    "liabilities",
    "equity",
    "ebit",
    "summe",
    "umsatz",
    "ergebnis",
    "eigenkapital",
    "chiffre d'affaires",
    "résultat",
    "omzet",
    "winst",
    "ingresos",
    "beneficio",
    "ricavi",
    "utile",
    "売上",
    "利益",
    "合計",
    "营业收入",
    "净利润",
    "合计",
    "매출",
    "이익",
];

/// "Table: net sales; operating income; net income (2022, 2021, 2020)"; nothing where there are less than three rows.
pub(super) fn table_rows<'a>(lines: impl Iterator<Item = &'a Line>, title: &str, limit: usize) -> Option<String> {
    let title = fold(title);
    let mut rows: Vec<(bool, &str)> = Vec::new();
    let mut years: Vec<&str> = Vec::new();
    let (mut pages, mut before, mut all) = (0usize, 0u32, 0usize);
    for line in lines.filter(|l| !l.furniture).take(LINES) {
        let text = line.text.trim();
        // Years at the head of columns stand alone in their cells.
        let cells = || text.split("  ").map(str::trim).filter(|c| !c.is_empty());
        for year in cells().flat_map(|c| c.split(' ')).filter(|c| is_year(c)) {
            let header = !is_row(text) || !has_letters(text, 4) || cells().all(|c| is_year(c) || has_letters(c, 3));
            if header && !years.contains(&year) && years.len() < 5 {
                years.push(year);
            }
        }
        all += 1;
        if !text.contains("  ") {
            continue;
        }
        let label = cells().next().unwrap_or_default().trim_end_matches(['.', ' ', ':', '$', '…']);
        let letters = label.chars().filter(|c| c.is_alphabetic()).count();
        let figures = !cells().skip(1).all(is_year)
            && cells().skip(1).any(|c| is_figure(c) && (c.chars().any(|c| c.is_ascii_digit()) || c.len() <= 3));
        // Numbers of pages after titles are a table of contents, codes before names a list of people or goods.
        let last = cells().last().unwrap_or_default();
        pages += usize::from(
            cells().count() == 2
                && last.len() <= 4
                && last.parse::<u32>().is_ok_and(|n| {
                    let rises = n >= before;
                    before = n;
                    rises
                }),
        );
        let coded = label.split(' ').next().is_some_and(|w| w.len() > 3 && w.chars().any(|c| c.is_ascii_digit()) && !is_year(w));
        let fits = !coded
            && !label.contains(['=', '@', '\\', '_', '|'])
            && letters >= 3
            && letters * 2 > label.chars().count()
            && (3..=60).contains(&label.chars().count());
        let folded = fold(label);
        if fits && figures && folded != title && !rows.iter().any(|(_, r)| fold(r) == folded) {
            let lower = label.to_lowercase();
            rows.push((SOUGHT.iter().any(|s| lower.contains(s)), label));
        }
    }
    let wordy = rows
        .iter()
        .filter(|(_, r)| {
            r.chars().filter(|c| c.is_alphabetic()).count() >= 5 || r.chars().any(super::super::titles::is_ideographic)
        })
        .count();
    // Drawings, forms and pages of two columns have a few such lines by chance.
    if rows.len() < 3 || rows.len() * 5 < all * 2 || wordy * 4 < rows.len() * 3 || pages >= 3 && pages * 3 >= rows.len() * 2 {
        return None;
    }
    let tail = if years.is_empty() || years.len() < 2 && !rows.iter().any(|(sought, _)| *sought) {
        String::new()
    } else {
        format!(" ({})", years.join(", "))
    };
    // The rows that are sought first, then others, as many as there is room for, in the order of the table.
    let mut left = limit.saturating_sub("Table: ".len() + tail.chars().count());
    let mut chosen = vec![false; rows.len()];
    for sought in [true, false] {
        for ((found, label), slot) in rows.iter().zip(&mut chosen) {
            let cost = label.chars().count() + 2;
            if *found == sought && cost <= left && !*slot {
                *slot = true;
                left -= cost;
            }
        }
    }
    let labels: Vec<&str> = rows.iter().zip(&chosen).filter(|(_, c)| **c).map(|((_, l), _)| *l).collect();
    if labels.is_empty() {
        return None;
    }
    Some(shorten(&format!("Table: {}{tail}", labels.join("; ")), limit))
}
