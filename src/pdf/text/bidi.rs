//! Right-to-left text: from the order on the page to the order in which it is read.

use unicode_bidi::{BidiInfo, Level};
use unicode_normalization::char::is_combining_mark;

use super::glyphs::Texts;
use super::pieces::{CELL_GAP, Placed, SPACE_GAP};

/// Characters of the scripts that are written from right to left.
pub(super) fn is_rtl(c: char) -> bool {
    matches!(c, '\u{0590}'..='\u{08FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

/// What moves as one when the order changes: a character with its marks, or a ligature's letters in their own order.
struct Cluster {
    u0: f32,
    u1: f32,
    size: f32,
    text: String,
}

/// The text of a row that holds right-to-left characters. The glyphs may have been drawn in any order.
pub(super) fn row_text(glyphs: impl Iterator<Item = Placed>, texts: Texts<'_>) -> String {
    let mut clusters: Vec<Cluster> = Vec::new();
    let mut marks: Vec<Cluster> = Vec::new();
    for Placed { u, glyph } in glyphs {
        if glyph.text.is_empty() {
            continue;
        }
        let mut text = String::new();
        texts.push(glyph.text, &mut text);
        let cluster = Cluster { u0: u, u1: u + glyph.advance, size: glyph.size, text };
        if cluster.text.chars().all(is_combining_mark) {
            marks.push(cluster);
        } else if is_of_both_directions(&cluster.text) {
            clusters.extend(taken_apart(&cluster));
        } else {
            clusters.push(cluster);
        }
    }
    clusters.sort_by(|a, b| (a.u0 + a.u1).total_cmp(&(b.u0 + b.u1)));
    for mark in marks {
        attach(&mut clusters, mark);
    }
    let row = base_of(clusters.iter().map(|c| c.text.as_str())).unwrap_or(Level::rtl());
    let mut cells: Vec<String> =
        cells(clusters).into_iter().map(|cell| reorder(&spaced(cell), row)).filter(|cell| !cell.is_empty()).collect();
    if row.is_rtl() {
        cells.reverse();
    }
    cells.join("  ")
}

/// Whether a text has letters of both directions, as one glyph has whose map holds a whole phrase.
fn is_of_both_directions(text: &str) -> bool {
    text.chars().any(is_rtl) && text.chars().any(|c| c.is_alphabetic() && !is_rtl(c))
}

/// The letters of such a text, each with its marks, from left to right in the room of the glyph.
fn taken_apart(cluster: &Cluster) -> Vec<Cluster> {
    let mut letters: Vec<String> = Vec::new();
    for c in cluster.text.chars() {
        match letters.last_mut().filter(|_| is_combining_mark(c)) {
            Some(letter) => letter.push(c),
            None => letters.push(c.to_string()),
        }
    }
    let order = order(&letters, Level::ltr());
    let width = (cluster.u1 - cluster.u0) / order.len().max(1) as f32;
    let mut u = cluster.u0;
    let mut out = Vec::with_capacity(order.len());
    for (index, _) in order {
        let Some(text) = letters.get(index) else { continue };
        out.push(Cluster { u0: u, u1: u + width, size: cluster.size, text: text.clone() });
        u += width;
    }
    out
}

/// The clusters of a row, cut where a cell ends.
fn cells(clusters: Vec<Cluster>) -> Vec<Vec<Cluster>> {
    let mut cells: Vec<Vec<Cluster>> = Vec::new();
    let mut end = f32::NEG_INFINITY;
    for cluster in clusters {
        // Spaces do not fill the gap between two cells.
        let is_space = cluster.text == " ";
        let starts = !is_space && cluster.u0 - end > CELL_GAP * cluster.size;
        if !is_space {
            end = end.max(cluster.u1);
        }
        match cells.last_mut().filter(|_| !starts) {
            Some(cell) => cell.push(cluster),
            None => cells.push(vec![cluster]),
        }
    }
    cells
}

/// The direction of most letters; `None` where both have as many.
fn base_of<'t>(texts: impl Iterator<Item = &'t str>) -> Option<Level> {
    let letters = texts.filter_map(|text| text.chars().next()).filter(|c| c.is_alphabetic());
    match letters.fold((0, 0), |(rtl, ltr), c| if is_rtl(c) { (rtl + 1, ltr) } else { (rtl, ltr + 1) }) {
        (rtl, ltr) if rtl == ltr => None,
        (rtl, ltr) => Some(if rtl > ltr { Level::rtl() } else { Level::ltr() }),
    }
}

/// Gives a mark to the letter that it stands over.
fn attach(clusters: &mut Vec<Cluster>, mark: Cluster) {
    let centre = (mark.u0 + mark.u1) / 2.0;
    let distance = |c: &Cluster| (c.u0 - centre).max(centre - c.u1).max(0.0);
    match clusters.iter_mut().filter(|c| c.text != " ").min_by(|a, b| distance(a).total_cmp(&distance(b))) {
        Some(base) => base.text.push_str(&mark.text),
        None => clusters.push(mark),
    }
}

/// The texts from left to right, with spaces where the gaps are.
fn spaced(clusters: Vec<Cluster>) -> Vec<String> {
    let mut out: Vec<String> = Vec::with_capacity(clusters.len());
    let mut end: Option<f32> = None;
    for cluster in clusters {
        let is_space = cluster.text == " ";
        let gap = end.map_or(0.0, |e| cluster.u0 - e);
        let after_space = out.last().is_none_or(|t| t == " ");
        if gap > SPACE_GAP * cluster.size && !is_space && !after_space {
            out.push(" ".to_string());
        }
        if !is_space || out.last().is_some_and(|t| t != " ") {
            out.push(cluster.text);
        }
        end = Some(end.map_or(cluster.u1, |e| e.max(cluster.u1)));
    }
    while out.last().is_some_and(|t| t == " ") {
        out.pop();
    }
    out
}

/// Logical order of texts given from left to right, `row` being the direction of those that have none. Reordering is its own inverse but
/// for rare nestings, so the algorithm for showing text is applied to what is shown. Brackets in right-to-left text are drawn mirrored;
/// some files give the character that was written, others the one that it looks like, and only what the brackets enclose tells which.
fn reorder(visual: &[String], row: Level) -> String {
    let base = base_of(visual.iter().map(String::as_str)).unwrap_or(row);
    let mut as_drawn = String::new();
    let mut as_written = String::new();
    for (index, is_rtl) in order(visual, base) {
        let Some(text) = visual.get(index) else { continue };
        as_written.push_str(text);
        if is_rtl {
            as_drawn.extend(text.chars().map(mirrored));
        } else {
            as_drawn.push_str(text);
        }
    }
    if unpaired(&as_written) < unpaired(&as_drawn) { as_written } else { as_drawn }
}

/// Brackets of a text that open or close nothing.
fn unpaired(text: &str) -> usize {
    let mut open: Vec<char> = Vec::new();
    let mut stray = 0;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' | '«' => open.push(mirrored(c)),
            ')' | ']' | '}' | '»' if open.last() == Some(&c) => {
                open.pop();
            }
            ')' | ']' | '}' | '»' => stray += 1,
            _ => {}
        }
    }
    stray + open.len()
}

/// The places of the texts in the other order, each with whether it runs from right to left.
fn order(texts: &[String], base: Level) -> Vec<(usize, bool)> {
    // One character stands for each cluster, so that letters and marks cannot part.
    let mut line: Vec<char> = texts.iter().map(|text| text.chars().next().unwrap_or(' ')).collect();
    // A number on the left of a Latin word belongs to its phrase: the algorithm alone never sets one there.
    let mut in_phrase = false;
    for c in line.iter_mut().rev() {
        match *c {
            '0'..='9' if in_phrase => *c = 'a',
            '0'..='9' | ' ' | '-' | '.' | ',' | '/' | ':' => {}
            _ => in_phrase = c.is_alphabetic() && !is_rtl(*c),
        }
    }
    let line: String = line.into_iter().collect();
    let info = BidiInfo::new(&line, Some(base));
    let Some(paragraph) = info.paragraphs.first() else { return Vec::new() };
    let levels = info.reordered_levels_per_char(paragraph, paragraph.range.clone());
    let is_rtl = |index: usize| levels.get(index).is_some_and(Level::is_rtl);
    BidiInfo::reorder_visual(&levels).into_iter().map(|index| (index, is_rtl(index))).collect()
}

/// Brackets are drawn mirrored in right-to-left text.
fn mirrored(c: char) -> char {
    match c {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use unicode_bidi::Level;

    use super::{Cluster, reorder, taken_apart};

    fn logical(visual: &str) -> String {
        reorder(&visual.chars().map(String::from).collect::<Vec<_>>(), Level::rtl())
    }

    #[test]
    fn hebrew_with_a_number_and_a_latin_word() {
        assert_eq!(logical("םולש"), "שלום");
        assert_eq!(logical("25 גח"), "חג 25");
        assert_eq!(logical("Rust תונכת תפש"), "שפת תכנות Rust");
        assert_eq!(logical("see םולש here"), "see שלום here");
    }

    #[test]
    fn numbers_keep_their_place_in_a_phrase() {
        assert_eq!(logical("14 april 1434 ירבעב"), "בעברי 14 april 1434");
        assert_eq!(logical("14-april-1434 ירבעב"), "בעברי 14-april-1434");
        assert_eq!(logical("ץרמב 25-ב"), "ב-25 במרץ");
        assert_eq!(logical("15.3.2024 םויב"), "ביום 15.3.2024");
    }

    #[test]
    fn a_glyph_that_stands_for_a_phrase_is_taken_apart() {
        let glyph = Cluster { u0: 0.0, u1: 3.0, size: 10.0, text: "אָב h".to_string() };
        let letters: Vec<String> = taken_apart(&glyph).into_iter().map(|c| c.text).collect();
        assert_eq!(letters, ["ב", "אָ", " ", "h"]);
    }

    #[test]
    fn brackets_enclose_whatever_the_file_calls_them() {
        assert_eq!(logical("(7 ףיעס) הזוח"), "חוזה (סעיף 7)");
        assert_eq!(logical(")7 ףיעס( הזוח"), "חוזה (סעיף 7)");
        assert_eq!(logical("(800)"), "(800)");
    }

    #[test]
    fn letters_of_a_ligature_keep_their_order() {
        let visual = ["ن", "لإ", "ا"].map(String::from);
        assert_eq!(reorder(&visual, Level::rtl()), "الإن");
    }
}
