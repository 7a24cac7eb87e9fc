//! Line numbers in the margin, as pleadings, transcripts, bills and manuscripts have them. They count lines, they say nothing; left where
//! they stand, they would get into every sentence. They are set aside and come at the end of the page.

use super::glyphs::{Glyph, Texts};
use super::pieces::Piece;

/// Fewest numbers that count lines; shorter runs are lists.
const FEWEST: usize = 8;
/// The same where every fifth line is counted; there must be just as many lines from one to the next.
const FEWEST_FIFTHS: usize = 2;
/// Digits of a number at most.
const DIGITS: u32 = 4;
/// Numbers of one margin start or end at one place (in em).
const ALIGNED: f32 = 0.35;
/// Share of the lines beside the numbers, in hundredths, that must have one, where every line is counted ...
const COVERED: usize = 75;
/// ... and of those that go on with a sentence, as items of a list do not.
const GOING_ON: usize = 25;
/// A number and its line keep their baseline within this (in em).
const LEVEL: f32 = 0.5;
/// Most candidates that are looked at.
const MOST: usize = 2_000;

struct Number {
    piece: usize,
    value: u32,
    u0: f32,
    u1: f32,
    v: f32,
    size: f32,
}

/// Marks the pieces that number the lines of the page.
pub(super) fn set_aside(pieces: &mut [Piece], glyphs: &[Glyph], texts: Texts<'_>) {
    let mut numbers: Vec<Number> = pieces.iter().enumerate().filter_map(|(i, p)| number(i, p, glyphs, texts)).collect();
    if numbers.len() < FEWEST_FIFTHS || numbers.len() > MOST {
        return;
    }
    numbers.sort_by(|a, b| a.v.total_cmp(&b.v));
    let margins: Vec<Vec<usize>> = [|n: &Number| n.u1, |n: &Number| n.u0].iter().flat_map(|edge| margins(&numbers, edge)).collect();
    for margin in margins {
        if counts_lines(&margin, &numbers, pieces) {
            for index in margin {
                if let Some(piece) = numbers.get(index).and_then(|n| pieces.get_mut(n.piece)) {
                    piece.aside = true;
                }
            }
        }
    }
}

fn number(index: usize, piece: &Piece, glyphs: &[Glyph], texts: Texts<'_>) -> Option<Number> {
    if piece.frame != 0 || piece.added || piece.count > DIGITS || piece.numeric != piece.count {
        return None;
    }
    let mut text = String::new();
    for glyph in glyphs.get(piece.first as usize..=piece.last as usize)? {
        texts.push(glyph.text, &mut text);
    }
    let Piece { u0, u1, v, size, .. } = *piece;
    Some(Number { piece: index, value: text.trim().parse().ok()?, u0, u1, v, size })
}

/// Runs of numbers that stand under each other and count up by one step, as indices from the top down.
fn margins(numbers: &[Number], edge: impl Fn(&Number) -> f32) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    let at = |i: usize| numbers.get(i).map_or(0.0, &edge);
    order.sort_by(|a, b| at(*a).total_cmp(&at(*b)));
    let mut found = Vec::new();
    let mut from = 0;
    for to in 1..=order.len() {
        let size = order.get(from).and_then(|i| numbers.get(*i)).map_or(0.0, |n| n.size);
        let apart = match order.get(to) {
            Some(i) => at(*i) - order.get(from).map_or(0.0, |first| at(*first)) > ALIGNED * size,
            None => true,
        };
        if apart {
            let mut column = order.get(from..to).unwrap_or_default().to_vec();
            column.sort_unstable();
            found.extend(counting(&column, numbers));
            from = to;
        }
    }
    found
}

/// The longest stretch of a column of numbers that counts up by one step.
fn counting(column: &[usize], numbers: &[Number]) -> Option<Vec<usize>> {
    let value = |i: usize| column.get(i).and_then(|n| numbers.get(*n)).map_or(0, |n| i64::from(n.value));
    let mut best = 0..0;
    let mut start = 0;
    for end in 1..=column.len() {
        let goes_on = end < column.len() && {
            let step = value(end) - value(end - 1);
            matches!(step, 1 | 2 | 5 | 10) && (end - start < 2 || step == value(end - 1) - value(end - 2))
        };
        if !goes_on {
            if end - start > best.len() {
                best = start..end;
            }
            start = end;
        }
    }
    // Every fifth line counted makes fewer numbers of more lines: 5, 10, 15.
    let step = value(best.start + 1) - value(best.start);
    let fewest = if step >= 5 && value(best.start) % step == 0 { FEWEST_FIFTHS } else { FEWEST };
    (best.len() >= fewest).then(|| column.get(best).unwrap_or_default().to_vec())
}

/// Whether these numbers stand in the margin of running text and count its lines.
fn counts_lines(margin: &[usize], numbers: &[Number], pieces: &[Piece]) -> bool {
    let run: Vec<&Number> = margin.iter().filter_map(|i| numbers.get(*i)).collect();
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return false };
    let (u0, u1) = run.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), n| (a.min(n.u0), b.max(n.u1)));
    let slack = LEVEL * first.size;
    let own: Vec<usize> = run.iter().map(|n| n.piece).collect();
    let beside: Vec<&Piece> = pieces
        .iter()
        .enumerate()
        .filter(|(i, p)| p.frame == 0 && !p.added && !own.contains(i) && p.v > first.v - slack && p.v < last.v + slack)
        .map(|(_, p)| p)
        .filter(|p| p.count > DIGITS || p.numeric < p.count)
        .collect();
    if beside.is_empty() || !(beside.iter().all(|p| p.u0 >= u1) || beside.iter().all(|p| p.u1 <= u0)) {
        return false;
    }
    // The first piece of each line.
    let mut lines: Vec<&Piece> = Vec::new();
    let mut sorted = beside;
    sorted.sort_by(|a, b| a.v.total_cmp(&b.v).then(a.u0.total_cmp(&b.u0)));
    for piece in sorted {
        match lines.last_mut() {
            Some(line) if piece.v - line.v <= LEVEL * line.size => {
                if piece.u0 < line.u0 {
                    *line = piece;
                }
            }
            _ => lines.push(piece),
        }
    }
    let step = run.get(1).map_or(1, |n| n.value.saturating_sub(first.value)).max(1) as usize;
    let numbered = lines.iter().filter(|p| run.iter().any(|n| (n.v - p.v).abs() <= LEVEL * n.size.max(p.size))).count();
    let going_on = lines.iter().filter(|p| p.goes_on).count();
    let exact = lines.len().abs_diff((run.len() - 1) * step + 1) <= 1;
    (run.len() >= FEWEST || exact) && numbered * step * 100 >= COVERED * lines.len() && going_on * 100 >= GOING_ON * lines.len()
}
