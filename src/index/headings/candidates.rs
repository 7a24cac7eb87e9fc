//! Blocks that look like headings, with a score each, from what stands on the page alone.

use super::super::known::is_advice;
use super::super::layout::{Block, Typography};
use super::super::numbering::{Numbering, Scheme, numbering};
use super::super::titles::{fold, has_letters, is_caps, is_ideographic};

/// A block that may be a heading.
#[derive(Debug, Clone)]
pub(in crate::index) struct Candidate {
    pub block: Block,
    pub numbering: Option<Numbering>,
    pub caps: bool,
    /// How much it stands out; see [`score`].
    pub score: f32,
    /// Running text follows right below.
    pub leads: bool,
    /// Level by the structure tags of the file, where they call it a heading and are believed.
    pub tagged: Option<u32>,
}

/// Blocks of a page up to which each is compared with all others (a dense page of a paper has 300).
const PAGE_BLOCKS: usize = 2_000;

/// Heads of captions in the main languages, folded to lower case.
const CAPTIONS: &[&str] = &[
    "figure",
    "fig.",
    "fig",
    "table",
    "tab.",
    "chart",
    "box",
    "exhibit",
    "abbildung",
    "abb.",
    "tabelle",
    "tableau",
    "figuur",
    "tabel",
    "figura",
    "tabla",
    "tabella",
    "source",
    "sources",
    "source:",
    "note:",
    "notes:",
    "algorithm",
    "listing",
    "photo",
    "図",
    "表",
    "그림",
    "표",
    "图",
    "рис.",
    "таблица",
];

/// The candidates of a page's blocks, in order. Blocks that hold only a number are joined with their title.
pub(in crate::index) fn candidates(blocks: &[Block], look: &Typography) -> Vec<Candidate> {
    let cells = table_cells(blocks, look);
    let lone: Vec<bool> = blocks.iter().map(|b| is_lone(b, look)).collect();
    let mut out = Vec::new();
    let mut taken = vec![false; blocks.len()];
    for (at, block) in blocks.iter().enumerate() {
        if taken.get(at).copied().unwrap_or(true) {
            continue;
        }
        let mut block = block.clone();
        let mut next = at + 1;
        if lone.get(at).copied().unwrap_or(false) {
            // The title stands beside the number, wherever it was drawn, or below it.
            let beside = blocks.iter().position(|t| {
                (t.y0 - block.y0).abs() < 3.0 && t.x0 >= block.x1 && t.x0 - block.x1 < 8.0 * look.size && titles_number(t)
            });
            let below = || blocks.get(next).filter(|b| belongs(&block, b, look)).map(|_| next);
            let Some(found) = beside.or_else(below) else {
                // "Chapter 7" and "Article 5" are titles on their own, but for one set large further below; a lone figure is none.
                let titled =
                    blocks.get(next).is_some_and(|b| !b.text.is_empty() && b.size > look.size * 1.2 && b.size >= block.size);
                if !titled && block.chars >= 3 && numbering(&block.text).is_some_and(|n| n.scheme <= Scheme::Clause) {
                    let around = (at.checked_sub(1).and_then(|i| blocks.get(i)), blocks.get(next));
                    out.extend(candidate(block, around, cells.get(at).copied().unwrap_or(false), look));
                }
                continue;
            };
            // Found earlier on its own: it takes the number there.
            if found < at
                && let Some(earlier) =
                    out.iter_mut().rfind(|c: &&mut Candidate| c.block.first == blocks.get(found).map_or(usize::MAX, |b| b.first))
            {
                earlier.block.text = format!("{} {}", block.text, earlier.block.text);
                earlier.numbering = numbering(&earlier.block.text);
                continue;
            }
            let Some(title) = blocks.get(found) else { continue };
            block = take_title(block, title);
            if let Some(slot) = taken.get_mut(found) {
                *slot = true;
            }
            next = next.max(found + 1);
        }
        let around = (at.checked_sub(1).and_then(|i| blocks.get(i)), blocks.get(next));
        let cell = cells.get(at).copied().unwrap_or(false);
        out.extend(candidate(block, around, cell, look));
    }
    out
}

/// Whether a block is numbering and nothing else: "IV.", "Chapter 3", a large "7".
fn is_lone(block: &Block, look: &Typography) -> bool {
    if block.text.is_empty() || block.text.len() >= 40 {
        return false;
    }
    let whole = numbering(&block.text).is_some_and(|n| n.len >= block.text.len());
    let large = block.text.len() <= 3 && block.text.bytes().all(|b| b.is_ascii_digit()) && block.size > look.size * 1.3;
    whole && !block.text.bytes().all(|b| b.is_ascii_digit()) || large
}

/// A number with its title as one block.
fn take_title(mut number: Block, title: &Block) -> Block {
    number.text = format!("{} {}", number.text, title.text);
    number.first = number.first.min(title.first);
    number.last = number.last.max(title.last);
    number.lines = number.lines.max(title.lines);
    number.chars += title.chars;
    number.below = title.below;
    number.y1 = title.y1;
    number.size = number.size.max(title.size);
    number.bold |= title.bold;
    number.italic &= title.italic;
    number.x1 = number.x1.max(title.x1);
    number
}

/// Blocks that stand in a table: two others beside them, or one beside them on a page that has no columns.
fn table_cells(blocks: &[Block], look: &Typography) -> Vec<bool> {
    if blocks.len() > PAGE_BLOCKS {
        return blocks.iter().map(|b| b.row).collect();
    }
    let beside: Vec<usize> = blocks
        .iter()
        .map(|b| {
            let middle = (b.y0 + b.y1) / 2.0;
            blocks.iter().filter(|o| o.y0 < middle && o.y1 > middle && (o.x0 > b.x1 + 1.0 || o.x1 < b.x0 - 1.0)).count()
        })
        .collect();
    let alone = blocks.iter().zip(&beside).filter(|(b, n)| **n == 0 && b.chars > 20).map(|(b, _)| b.chars).sum::<usize>();
    let all = blocks.iter().map(|b| b.chars).sum::<usize>().max(1);
    let columns = alone * 3 < all;
    blocks.iter().zip(&beside).map(|(b, n)| b.row || *n >= 3 || (*n >= 1 && !columns && b.size < look.size * 1.3)).collect()
}

fn titles_number(title: &Block) -> bool {
    !title.text.is_empty() && title.chars <= 220 && has_letters(&title.text, 2) && numbering(&title.text).is_none()
}

/// Whether a block is the title that a lone number before it announces.
fn belongs(number: &Block, title: &Block, look: &Typography) -> bool {
    let gap = title.y0 - number.y1;
    let stands_out = title.size > look.size * 1.08 || title.bold || title.chars < 80 && title.below > 0.3;
    !title.text.is_empty()
        && title.chars <= 200
        && stands_out
        && gap > -title.size
        && gap < 5.0 * number.size.max(title.size)
        && title.size > number.size * 0.45
        && has_letters(&title.text, 2)
        && numbering(&title.text).is_none()
}

/// The block as a candidate, or nothing where it cannot be a heading.
fn candidate(block: Block, around: (Option<&Block>, Option<&Block>), cell: bool, look: &Typography) -> Option<Candidate> {
    if block.text.is_empty() || block.row || block.chars > 240 {
        return None;
    }
    let number = numbering(&block.text);
    let title = block.text.get(number.as_ref().map_or(0, |n| n.len)..).unwrap_or_default();
    let ideographic = block.text.chars().any(is_ideographic);
    if !has_letters(if title.is_empty() { &block.text } else { title }, if ideographic { 2 } else { 3 })
        && number.as_ref().is_none_or(|n| n.scheme > Scheme::Clause)
    {
        return None;
    }
    if excluded(&block, title, number.as_ref(), look) {
        return None;
    }
    let caps = is_caps(&block.text);
    // Lines of a paragraph that goes on elsewhere count as well.
    let leads = around.1.is_some_and(|next| {
        !next.row
            && (next.lines >= 2 && next.chars >= 80 || next.chars >= 120)
            && next.y0 > block.y0
            && next.x0 < block.x1
            && next.x1 > block.x0
    });
    let mut found = Candidate { block, numbering: number, caps, score: 0.0, leads, tagged: None };
    found.score = score(&found, around, look) - if cell { 1.5 } else { 0.0 };
    // Numbered blocks may still win by standing in a sequence.
    let least = if found.numbering.is_some() { -0.5 } else { 0.5 };
    (found.score > least).then_some(found)
}

/// What can be no heading: captions, list items, contents lines, addresses, formulas.
fn excluded(block: &Block, title: &str, number: Option<&Numbering>, look: &Typography) -> bool {
    let text = block.text.as_str();
    let large = block.bold && block.size >= look.size * 1.25;
    let Some(first) = text.chars().next() else { return true };
    if matches!(
        first,
        '•' | '●'
            | '○'
            | '■'
            | '□'
            | '▪'
            | '–'
            | '—'
            | '-'
            | '*'
            | '·'
            | '►'
            | '\u{f0b7}'
            | '✓'
            | '“'
            | '"'
            | '='
            | '+'
            | '|'
            | '$'
            | '<'
            | '>'
    ) {
        return true;
    }
    if text.contains("....") || text.contains(". . .") || text.contains("……") || text.contains("· · ·") || text.contains("____")
    {
        return true;
    }
    if text.contains("://") || text.contains("www.") || text.contains('@') || text.contains('=') || text.contains('\u{fffd}') {
        return true;
    }
    // A title begins with a capital where the script has them, unless it is set large.
    let head = title.chars().find(|c| c.is_alphanumeric() || matches!(c, '(' | '[' | ',' | ';'));
    if number.is_none() && head.is_some_and(|c| c.is_lowercase() && !large || matches!(c, ',' | ';')) {
        return true;
    }
    if number.as_ref().is_some_and(|n| n.depth() == 1 && n.scheme >= Scheme::UpperRoman) && head.is_some_and(char::is_lowercase) {
        return true;
    }
    let word = text.split(|c: char| c.is_whitespace() || c.is_ascii_digit()).next().unwrap_or_default().to_lowercase();
    let captioned = CAPTIONS.contains(&word.as_str())
        && text
            .chars()
            .skip(word.chars().count())
            .take(6)
            .any(|c| c.is_ascii_digit() || matches!(c, ':' | 'A'..='Z') && word.ends_with(':'));
    let mentions = |word: &str| text.split_once(word).is_some_and(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()));
    if mentions("Figure ") && number.is_some() {
        return true;
    }
    // An exhibit at the head of its page is an annex, not a figure.
    let annex = block.at_top && number.is_some_and(|n| n.scheme == Scheme::Appendix);
    if captioned && !annex || word.ends_with(':') && CAPTIONS.contains(&word.as_str()) {
        return true;
    }
    let (mut letters, mut others) = (0usize, 0usize);
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        if c.is_alphabetic() { letters += 1 } else { others += 1 }
    }
    others > letters + 4 && number.is_none()
}

/// How much a block stands out. Running text scores about 0, a bold line with space around it 2.5, a large one 3 and more.
/// The weights were set on documents of the development set that were not held out.
fn score(found: &Candidate, (before, after): (Option<&Block>, Option<&Block>), look: &Typography) -> f32 {
    let b = &found.block;
    let ratio = b.size / look.size;
    let mut score = match ratio {
        r if r >= 1.45 => 3.0,
        r if r >= 1.22 => 2.5,
        r if r >= 1.1 => 1.8,
        r if r >= 1.04 => 0.8,
        // Small print, but for titles of statements and tables that fill pages of their own.
        r if r < 0.92 && b.bold && found.caps && b.above >= 1.2 => -0.4,
        r if r < 0.92 => -1.5,
        _ => 0.0,
    };
    if b.bold && !look.bold {
        score += 1.5;
    }
    if found.caps {
        score += 0.8;
    }
    if b.italic && !look.italic {
        score += 0.7;
    }
    if b.color != look.color {
        score += if is_chromatic(b.color) { 0.7 } else { 0.2 };
    }
    if b.other_family {
        score += 0.4;
    }
    if let Some(n) = &found.numbering {
        score += match n.scheme {
            Scheme::Part | Scheme::Chapter | Scheme::Item | Scheme::Appendix => 1.2,
            Scheme::Decimal if n.value.len() >= 2 => 1.0,
            Scheme::Section | Scheme::Clause => 0.9,
            Scheme::Decimal | Scheme::UpperRoman | Scheme::UpperLetter | Scheme::Ideographic => 0.5,
            _ => 0.2,
        };
    }
    score += match b.above {
        a if a >= 1.2 => 0.7,
        a if a >= 0.5 => 0.4,
        // Text set with much leading has no room to spare above headings.
        a if a < 0.1 && look.pitch < look.size * 1.8 => -0.5,
        _ => 0.0,
    };
    score += if b.below >= 0.3 { 0.3 } else { 0.0 };
    if b.centred {
        score += 0.4;
    }
    // Cells side by side, code, key and value.
    let title = b.text.get(found.numbering.as_ref().map_or(0, |n| n.len)..).unwrap_or_default();
    if title.contains("  ") && ratio < 1.3 {
        score -= 1.5;
    }
    if title.contains("()") || title.contains(['{', '_']) || title.contains(": ") && ratio < 1.1 && title.len() < 30 {
        score -= 1.0;
    }
    let ideographs = b.text.chars().filter(|c| is_ideographic(*c)).count();
    let words = b.text.split_whitespace().count() + ideographs / 2;
    if words > 16 || b.lines > 3 {
        score -= 0.7;
    }
    // Titles in scripts without spaces hold no comma; sentences mostly do.
    if found.numbering.is_none() && ideographs >= 4 && b.text.contains(['，', '。', '；', '、', '；']) {
        score -= 1.5;
    }
    if found.numbering.is_none() && words > 10 && is_sentence(&b.text) {
        score -= 0.8;
    }
    if found.numbering.is_none() && b.chars <= 24 && is_advice(&fold(&b.text)) {
        score -= 2.5;
    }
    // What is said of a title in brackets below it ("in millions") is none.
    if found.numbering.is_none() && b.text.starts_with('(') && b.text.ends_with(')') {
        score -= 2.0;
    }
    // A line that fills its column and goes on below is running text.
    if b.lines == 1 && b.x1 > look.right - 1.5 * look.size && !b.short && ratio < 1.1 && !b.bold {
        score -= 1.0;
    }
    match b.text.chars().next_back() {
        Some('.' | '。') if found.numbering.is_none() => score -= 1.5,
        Some('.') => score -= 0.7,
        Some(',' | ';' | '、' | '-') => score -= 2.0,
        Some(':' | '：') => score -= 0.8,
        _ => {}
    }
    let rows = before.is_some_and(|x| x.row) as u8 + after.is_some_and(|x| x.row) as u8;
    if ratio < 1.2 {
        score -= 0.8 * f32::from(rows);
    }
    // Parts of a figure ("(a) Runtime") stand right above its caption.
    if matches!(found.numbering.as_ref().map(|n| n.scheme), Some(Scheme::BracketedLetter)) {
        score -= 0.5;
    }
    // The first line of a sentence that begins with words set bold.
    if after.is_some_and(|x| x.goes_on && x.y0 - b.y1 < b.size * 0.5 && x.y0 > b.y0 && (x.size - b.size).abs() < 0.6) {
        score -= 2.0;
    }
    // Nothing follows: the foot of a page, a caption, a signature.
    if after.is_none() {
        score -= 0.5;
    }
    score
}

/// Whether most words are in lower case: a sentence, where titles of this length often have capitals.
fn is_sentence(text: &str) -> bool {
    let (mut lower, mut upper) = (0, 0);
    for word in text.split_whitespace().skip(1) {
        match word.chars().next() {
            Some(c) if c.is_lowercase() => lower += 1,
            Some(c) if c.is_uppercase() => upper += 1,
            _ => {}
        }
    }
    lower > 2 * upper
}

/// Whether a colour is a colour and not a grey.
fn is_chromatic(color: u32) -> bool {
    let [_, r, g, b] = color.to_be_bytes();
    r.max(g).max(b) - r.min(g).min(b) > 48
}
