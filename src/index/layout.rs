//! What a document looks like on the whole, and its pages cut into blocks: runs of lines of one style that stand together.

use std::collections::HashMap;

use crate::pdf::{Line, Page};

use super::numbering::numbering;
use super::titles::{has_letters, is_caps, is_ideographic};

/// The look of the running text.
#[derive(Debug, Clone)]
pub(super) struct Typography {
    /// Font size of most of the text, points.
    pub size: f32,
    /// Usual distance between the base lines of two lines of running text, points.
    pub pitch: f32,
    /// Whether most of the text is bold.
    pub bold: bool,
    /// Whether most of the text is italic.
    pub italic: bool,
    /// Colour of most of the text.
    pub color: u32,
    /// Family of the font of most of the text.
    pub family: String,
    /// Right edge that most full lines reach, points.
    pub right: f32,
    /// Left edge that most lines start from, points.
    pub left: f32,
}

/// A run of lines of one style. `text` is empty when the block is too long to be a title.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub page: u32,
    /// Index of the first line in `Page::lines`.
    pub first: usize,
    /// Index of the last line, inclusive.
    pub last: usize,
    pub text: String,
    pub chars: usize,
    pub lines: usize,
    pub size: f32,
    pub bold: bool,
    pub italic: bool,
    pub color: u32,
    pub other_family: bool,
    pub x0: f32,
    pub x1: f32,
    pub y0: f32,
    pub y1: f32,
    /// Free space above, in body sizes; large at the top of a page or column.
    pub above: f32,
    /// Free space below, in body sizes; large at the end of a page or column.
    pub below: f32,
    /// No running text stands above it on its page.
    pub at_top: bool,
    /// A row of table cells.
    pub row: bool,
    /// It begins with a small letter, as the rest of a sentence does.
    pub goes_on: bool,
    /// Its last line ends well before the right edge of its column.
    pub short: bool,
    /// It stands in the middle of its column.
    pub centred: bool,
}

/// Least characters of a page that is judged by its own size.
const SMALL_PRINT: usize = 600;
/// Free space at a page or column border, in body sizes.
const BORDER: f32 = 3.0;
/// Longest run of lines and characters that can be a title.
const BLOCK_LINES: usize = 5;
const BLOCK_CHARS: usize = 320;
/// Lines before and after a block that tell where its column begins and ends.
const NEAR: usize = 6;

/// The family of a font: its name up to a style suffix. Some programs write "Liberation-Sans-Bold" for "LiberationSans-Bold".
pub(super) fn family(font: &str) -> &str {
    let end = font.find(['-', ',']).unwrap_or(font.len());
    let more = font.get(end + 1..).unwrap_or_default();
    let word = more.find(['-', ',']).map_or(more, |at| more.get(..at).unwrap_or(more));
    let end = if matches!(word, "Sans" | "Serif" | "Mono" | "Slab") { end + 1 + word.len() } else { end };
    font.get(..end).unwrap_or(font)
}

/// Measures the running text of a document.
pub(super) fn typography(pages: &[Page]) -> Typography {
    let mut sizes: HashMap<i32, usize> = HashMap::new();
    let mut pitches: HashMap<i32, usize> = HashMap::new();
    let mut families: HashMap<&str, usize> = HashMap::new();
    let mut colors: HashMap<u32, usize> = HashMap::new();
    let (mut bold, mut italic, mut all) = (0usize, 0usize, 0usize);
    // A sample of the pages says enough; very long documents would cost needless time.
    let step = (pages.len() / 200).max(1);
    for page in pages.iter().step_by(step) {
        for line in page.lines.iter().filter(|l| !l.furniture) {
            let weight = line.text.len();
            *sizes.entry((line.size * 2.0).round() as i32).or_default() += weight;
            *families.entry(family(&line.font)).or_default() += weight;
            *colors.entry(line.color).or_default() += weight;
            bold += if line.bold { weight } else { 0 };
            italic += if line.italic { weight } else { 0 };
            all += weight;
        }
    }
    let size = mode(&sizes).map_or(10.0, |s| s as f32 / 2.0).max(1.0);
    let (mut lefts, mut rights): (HashMap<i32, usize>, HashMap<i32, usize>) = Default::default();
    for page in pages.iter().step_by(step) {
        for pair in page.lines.windows(2) {
            let [a, b] = pair else { continue };
            if a.furniture || b.furniture || (a.size - size).abs() > 0.5 || (b.size - size).abs() > 0.5 {
                continue;
            }
            let step = b.y1 - a.y1;
            if step > size * 0.8 && step < size * 3.5 {
                *pitches.entry((step * 2.0).round() as i32).or_default() += 1;
            }
            *lefts.entry((a.x0 / 3.0).round() as i32).or_default() += 1;
            *rights.entry((a.x1 / 6.0).round() as i32).or_default() += 1;
        }
    }
    Typography {
        size,
        pitch: mode(&pitches).map_or(size * 1.2, |p| p as f32 / 2.0),
        bold: bold * 2 > all,
        italic: italic * 2 > all,
        color: mode(&colors).unwrap_or(0),
        family: mode(&families).unwrap_or("").to_owned(),
        left: mode(&lefts).map_or(72.0, |x| x as f32 * 3.0),
        right: mode(&rights).map_or(520.0, |x| x as f32 * 6.0),
    }
}

/// The look of the running text of one page: that of the document, but where hardly any of the page is set in its size (bibliographies,
/// annexes in small print), in the size that the page has.
pub(super) fn of_page(look: &Typography, page: &Page) -> Option<Typography> {
    let mut sizes: HashMap<i32, usize> = HashMap::new();
    let (mut usual, mut own, mut all) = (0usize, 0usize, 0usize);
    for line in page.lines.iter().filter(|l| !l.furniture) {
        let weight = line.text.len();
        *sizes.entry((line.size * 2.0).round() as i32).or_default() += weight;
        usual += if line.size > look.size * 0.94 { weight } else { 0 };
        // Listings are set small as well, in a font of their own.
        own += if family(&line.font) == look.family { weight } else { 0 };
        all += weight;
    }
    let size = mode(&sizes)? as f32 / 2.0;
    let small = all >= SMALL_PRINT && usual * 8 < all && own * 2 > all && size < look.size * 0.94;
    small.then(|| Typography { size, pitch: look.pitch * size / look.size, ..look.clone() })
}

/// The key with the largest count; the smallest key among equals, so that the answer does not depend on hashing.
fn mode<K: Copy + Ord>(counts: &HashMap<K, usize>) -> Option<K> {
    counts.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0))).map(|(k, _)| *k)
}

/// Whether a line is a row of table cells: three cells, or two of which the second is a figure.
pub(super) fn is_row(text: &str) -> bool {
    let text = text.trim();
    let text = match numbering(text) {
        Some(n) => text.get(n.len..).unwrap_or(text),
        None => text,
    };
    if !text.contains("  ") {
        return false;
    }
    let mut cells = text.split("  ").map(str::trim).filter(|c| !c.is_empty());
    let _ = cells.next();
    let (mut count, mut figures) = (0, 0);
    for cell in cells {
        count += 1;
        figures += usize::from(is_figure(cell));
    }
    count >= 2 || figures >= 1
}

/// Whether a table cell is a figure: more digits than letters, or a dash that stands for nothing.
pub(super) fn is_figure(cell: &str) -> bool {
    let digits = cell.chars().filter(char::is_ascii_digit).count();
    let letters = cell.chars().filter(|c| c.is_alphabetic()).count();
    digits > letters || (letters == 0 && !cell.is_empty())
}

/// Cuts a page into blocks. `left_out` tells by their index the lines that are page furniture.
pub(super) fn blocks(page: &Page, look: &Typography, left_out: &dyn Fn(usize) -> bool) -> Vec<Block> {
    let lines: Vec<(usize, &Line)> =
        page.lines.iter().enumerate().filter(|(at, l)| !l.text.trim().is_empty() && !left_out(*at)).collect();
    let mut out: Vec<Block> = Vec::new();
    let mut top = true;
    let mut at = 0;
    while let Some(&(first, line)) = lines.get(at) {
        let mut end = at;
        let mut row = is_row(&line.text);
        while let (false, Some(&(_, a)), Some(&(_, b))) = (row, lines.get(end), lines.get(end + 1)) {
            let near = lines.get(end.saturating_sub(3)..(end + 5).min(lines.len())).unwrap_or_default();
            let short = ends_short(a, near);
            if !together(a, b, look, (end == at, !short)) || plain(a, look) && short {
                break;
            }
            if is_row(&b.text) {
                break;
            }
            end += 1;
        }
        let members = lines.get(at..=end).unwrap_or_default();
        let above = at.checked_sub(1).and_then(|i| lines.get(i)).map_or(BORDER, |(_, p)| free(p, line, look));
        let last_line = members.last().map_or(line, |(_, l)| l);
        let below = lines.get(end + 1).map_or(BORDER, |(_, n)| free(last_line, n, look));
        let around = lines.get(at.saturating_sub(NEAR)..(end + 1 + NEAR).min(lines.len())).unwrap_or_default();
        let mut block = Block {
            page: page.number,
            first,
            last: members.last().map_or(first, |(i, _)| *i),
            text: String::new(),
            chars: members.iter().map(|(_, l)| l.text.len()).sum(),
            lines: members.len(),
            size: line.size,
            bold: line.bold,
            italic: line.italic,
            color: line.color,
            other_family: family(&line.font) != look.family,
            x0: members.iter().map(|(_, l)| l.x0).fold(f32::MAX, f32::min),
            x1: members.iter().map(|(_, l)| l.x1).fold(f32::MIN, f32::max),
            y0: line.y0,
            y1: last_line.y1,
            above,
            below,
            at_top: top,
            row,
            goes_on: line.text.trim_start().starts_with(char::is_lowercase),
            short: ends_short(last_line, around),
            centred: members.iter().all(|(_, l)| is_centred(l, around, look)),
        };
        if block.lines <= BLOCK_LINES && block.chars <= BLOCK_CHARS {
            block.text = without_marks(&join(members.iter().map(|(_, l)| l.text.as_str())));
        }
        row = row || block.chars > 30;
        // A folio or a short label above a heading does not make it stand lower; running text and tables do.
        top = top && !row && block.chars <= 30 && block.lines == 1;
        out.push(block);
        at = end + 1;
    }
    out
}

/// Whether a line is set like the running text.
fn plain(line: &Line, look: &Typography) -> bool {
    !line.bold && (line.size - look.size).abs() <= 0.6
}

/// Whether a line ends well before the right edge of its column, as the last line of a paragraph or a title does.
fn ends_short(line: &Line, near: &[(usize, &Line)]) -> bool {
    let right = near.iter().filter(|(_, l)| l.x0 < line.x1 && l.x1 > line.x0).map(|(_, l)| l.x1).fold(line.x1, f32::max);
    right - line.x1 > 0.22 * (right - line.x0).max(1.0) && right - line.x1 > 2.0 * line.size
}

/// Whether a line stands in the middle between the edges of the full lines around it, or between those of the text at large.
fn is_centred(line: &Line, near: &[(usize, &Line)], look: &Typography) -> bool {
    let center = (line.x0 + line.x1) / 2.0;
    if (center - (look.left + look.right) / 2.0).abs() < 6.0 && line.x0 > look.left + 30.0 {
        return true;
    }
    let full = || near.iter().map(|(_, l)| *l).filter(|l| l.x0 + 1.0 < line.x0 && l.x1 - 1.0 > line.x1 && l.column == line.column);
    let (left, right) = (full().map(|l| l.x0).fold(f32::MAX, f32::min), full().map(|l| l.x1).fold(f32::MIN, f32::max));
    full().count() >= 3 && (center - (left + right) / 2.0).abs() < 4.0 && line.x0 > left + 2.0 * look.size
}

/// Whether two lines that follow each other belong to one block, the first of which begins it, and fills its column.
fn together(a: &Line, b: &Line, look: &Typography, (first, full): (bool, bool)) -> bool {
    if (a.size - b.size).abs() > 0.6 || a.bold != b.bold || a.color != b.color {
        return false;
    }
    // Running text may hold a line in italics; a numbered one, or one that the next is not aligned with, is a title of its own.
    if a.italic != b.italic && (!plain(a, look) || first && (numbering(&a.text).is_some() || (a.x0 - b.x0).abs() > look.size)) {
        return false;
    }
    // Capitals and ordinary writing are two titles, or a title and what is said of it.
    if !plain(a, look) && is_caps(&a.text) != is_caps(&b.text) && has_letters(&a.text, 8) && has_letters(&b.text, 8) {
        return false;
    }
    let step = b.y1 - a.y1;
    // In text set with double spacing the lines of long titles are as far apart; those of two titles do not fill their column.
    let most = if plain(a, look) || full { (a.size * 1.6).max(look.pitch * 1.1) } else { a.size * 1.7 };
    if step <= a.size * 0.3 || step > most || b.x0 > a.x1 || b.x1 < a.x0 {
        return false;
    }
    numbering(&b.text).is_none()
}

/// Free space between two lines, in body sizes; [`BORDER`] where the second does not stand below the first.
fn free(a: &Line, b: &Line, look: &Typography) -> f32 {
    if b.y0 < a.y0 - look.size || b.x0 > a.x1 + 2.0 * look.size && b.y0 < a.y1 {
        return BORDER;
    }
    // Boxes of lines set with much leading may include it; base lines do not.
    let by_pitch = (b.y1 - a.y1 - look.pitch.max(b.size * 1.15)) / look.size;
    by_pitch.clamp(0.0, BORDER)
}

/// A text without the marks that printed web pages set behind headings for links to them.
fn without_marks(text: &str) -> String {
    let bare = text.trim_end_matches(['¶', '\u{fffd}', '\u{f0c1}', '\u{1f517}']);
    if bare.len() < text.len() { bare.trim_end().to_owned() } else { text.to_owned() }
}

/// Joins the lines of one block into one text; words cut at a line end are joined where both halves are lower case.
pub(super) fn join<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut out = String::new();
    for line in lines {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let tail = out.chars().next_back();
        let head = line.chars().next();
        match (tail, head) {
            (None, _) => {}
            (Some('-' | '\u{ad}'), Some(h)) if h.is_lowercase() && out.chars().rev().nth(1).is_some_and(char::is_lowercase) => {
                out.pop();
            }
            (Some('-'), Some(_)) => {}
            (Some(t), Some(h)) if is_ideographic(t) && is_ideographic(h) && !('\u{ac00}'..='\u{d7af}').contains(&h) => {}
            _ => out.push(' '),
        }
        out.push_str(line);
    }
    out
}
