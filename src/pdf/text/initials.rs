//! Large initials that text is wrapped beside: the letter is put before the rest of its word, wherever it was drawn.

use super::glyphs::{Glyph, TextId, Texts};
use super::pieces::Step;

/// An initial is larger than the text beside it by at least this factor ...
const LARGER: f32 = 1.8;
/// ... and its word goes on at most so far from it (in em of the text), to either side of its end.
const REACH: f32 = 1.2;
const OVERLAP: f32 = 0.4;
/// Height of capitals, in em.
const CAPITAL: f32 = 0.7;
/// The tops of the initial and of the first line differ by less than this (in em of the text).
const TOP: f32 = 0.6;
/// The initial stands at least so much lower than the first line (in em of the text).
const DROP: f32 = 0.5;
/// Initials looked for on a page; more large letters are no text for reading.
const MOST: usize = 16;
/// Glyphs of the line that the initial begins, at least.
const LINE: usize = 8;

/// Moves large initials in the first `content_end` glyphs to where they are read. Returns how many glyphs were added.
pub(super) fn settle(glyphs: &mut Vec<Glyph>, content_end: usize, texts: Texts<'_>) -> usize {
    let content = glyphs.get(..content_end).unwrap_or_default();
    let found: Vec<usize> = (0..content.len()).filter(|at| is_initial(content, *at, texts)).take(MOST).collect();
    let mut added = 0;
    // Later ones first: what is put in moves only glyphs behind it.
    let mut moves: Vec<(usize, usize)> =
        found.into_iter().filter_map(|at| Some((word_of(glyphs.get(..content_end)?, at, texts)?, at))).collect();
    moves.sort_unstable_by(|a, b| b.cmp(a));
    moves.dedup_by_key(|(word, _)| *word);
    let copies: Vec<(usize, Glyph)> = moves
        .iter()
        .filter_map(|(word, at)| {
            let (initial, rest) = (*glyphs.get(*at)?, *glyphs.get(*word)?);
            let advance = initial.advance + Step::between(&initial, &rest).along;
            let (dx, dy) = super::glyphs::direction(rest.axis);
            Some((*word, Glyph { x: rest.x - dx * advance, y: rest.y - dy * advance, advance, text: initial.text, ..rest }))
        })
        .collect();
    for (_, at) in &moves {
        if let Some(glyph) = glyphs.get_mut(*at) {
            glyph.text = TextId::REPEATED;
        }
    }
    for (word, copy) in copies {
        glyphs.insert(word, copy);
        added += 1;
    }
    added
}

/// Whether a capital stands alone, much larger than what is drawn before or after it.
fn is_initial(glyphs: &[Glyph], at: usize, texts: Texts<'_>) -> bool {
    let Some(glyph) = glyphs.get(at) else { return false };
    let neighbours = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|i| glyphs.get(i));
    let near = neighbours.filter(|g| g.axis == glyph.axis && !g.text.is_empty());
    let mut alone = true;
    for other in near.filter(|g| g.text != TextId::SPACE) {
        let along = if std::ptr::eq(other, glyph) { 0.0 } else { Step::between(glyph, other).along };
        alone &= other.size * LARGER <= glyph.size || along.abs() > glyph.size + other.advance + glyph.advance;
    }
    alone && glyph.size > 0.0 && texts.first(glyph.text).is_some_and(char::is_uppercase) && glyph.text.as_char().is_some()
}

/// Index of the glyph that goes on the word of an initial.
fn word_of(glyphs: &[Glyph], at: usize, texts: Texts<'_>) -> Option<usize> {
    let initial = glyphs.get(at)?;
    let fits = |other: &Glyph| {
        let step = Step::between(initial, other);
        let top = step.down + CAPITAL * initial.size - CAPITAL * other.size;
        other.axis == initial.axis
            && other.size * LARGER <= initial.size
            && step.along > -OVERLAP * other.size
            && step.along < REACH * other.size
            && top.abs() < TOP * other.size
            && -step.down > DROP * other.size
    };
    let visible = |g: &Glyph| !g.text.is_empty() && g.text != TextId::SPACE;
    let (word, first) = glyphs
        .iter()
        .enumerate()
        .filter(|(_, g)| visible(g) && fits(g))
        .min_by(|(_, a), (_, b)| Step::between(initial, a).along.total_cmp(&Step::between(initial, b).along))?;
    let line: Vec<&Glyph> = glyphs
        .iter()
        .skip(word)
        .filter(|g| visible(g))
        .take(LINE)
        .take_while(|g| Step::between(first, g).down.abs() < 0.1 * first.size && g.size <= 1.05 * first.size)
        .collect();
    let letter = |i: usize, wanted: fn(char) -> bool| line.get(i).and_then(|g| texts.first(g.text)).is_some_and(wanted);
    // Not "A" beside "Aachen", as in an index.
    let goes_on = letter(0, char::is_lowercase) || letter(0, char::is_uppercase) && letter(1, char::is_uppercase);
    (line.len() >= LINE && goes_on).then_some(word)
}
