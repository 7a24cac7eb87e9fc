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
        if cluster.text.chars().all(is_combining_mark) { marks.push(cluster) } else { clusters.push(cluster) }
    }
    clusters.sort_by(|a, b| (a.u0 + a.u1).total_cmp(&(b.u0 + b.u1)));
    for mark in marks {
        attach(&mut clusters, mark);
    }
    reorder(&spaced(clusters))
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
        if gap > CELL_GAP * cluster.size {
            out.extend(std::iter::repeat_n(" ".to_string(), if after_space { 1 } else { 2 }));
        } else if gap > SPACE_GAP * cluster.size && !is_space && !after_space {
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

/// Logical order of texts given from left to right. Reordering is its own inverse but for rare nestings, so the algorithm for showing
/// text is applied to what is shown.
fn reorder(visual: &[String]) -> String {
    let first = |text: &String| text.chars().next().unwrap_or(' ');
    let letters = visual.iter().map(first).filter(|c| c.is_alphabetic());
    let (rtl, ltr) = letters.fold((0, 0), |(rtl, ltr), c| if is_rtl(c) { (rtl + 1, ltr) } else { (rtl, ltr + 1) });
    let base = if rtl >= ltr { Level::rtl() } else { Level::ltr() };
    // One character stands for each cluster, so that letters and marks cannot part.
    let line: String = visual.iter().map(first).collect();
    let info = BidiInfo::new(&line, Some(base));
    let mut out = String::new();
    let Some(paragraph) = info.paragraphs.first() else { return out };
    let levels = info.reordered_levels_per_char(paragraph, paragraph.range.clone());
    for index in BidiInfo::reorder_visual(&levels) {
        let Some(text) = visual.get(index) else { continue };
        if levels.get(index).is_some_and(Level::is_rtl) {
            out.extend(text.chars().map(mirrored));
        } else {
            out.push_str(text);
        }
    }
    out
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
    use super::reorder;

    fn logical(visual: &str) -> String {
        reorder(&visual.chars().map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn hebrew_with_a_number_and_a_latin_word() {
        assert_eq!(logical("םולש"), "שלום");
        assert_eq!(logical("25 גח"), "חג 25");
        assert_eq!(logical("Rust תונכת תפש"), "שפת תכנות Rust");
        assert_eq!(logical("see םולש here"), "see שלום here");
    }

    #[test]
    fn letters_of_a_ligature_keep_their_order() {
        let visual = ["ن", "لإ", "ا"].map(String::from);
        assert_eq!(reorder(&visual), "الإن");
    }
}
