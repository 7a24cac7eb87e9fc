//! Letterspaced words: glyphs set apart from each other more widely than words otherwise are, or letters with typed spaces between them.
//! They are closed up here, before anything is judged by gaps: a tracked glyph's advance takes in the tracking.

use super::glyphs::{Glyph, TextId, Texts};
use super::pieces::Step;
use super::spacing::is_cjk;

/// Glyphs nearer to each other than this (in em) are set normally.
const NORMAL: f32 = 0.05;
/// Tracking of less than this (in em) looks like no space.
const LEAST: f32 = 0.1;
/// Tracking of more than this (in em) needs better reasons: labels and cells of one letter are as far apart.
const WIDE: f32 = 0.45;
/// Farthest from one glyph to the next one of a tracked line, in em.
const REACH: f32 = 3.0;
/// Tracked gaps differ by less than this (in em) and this share: pairs of letters are kerned.
const UNEVEN: f32 = 0.08;
const UNEVEN_SHARE: f32 = 0.1;
/// The share of even gaps in a tracked line; the rest are those between words.
const EVEN: f32 = 0.6;
/// Glyphs from which on a line may be tracked; after another of the same style fewer do.
const FEWEST: usize = 4;
const FEWEST_AFTER: usize = 2;
/// Bytes of the letters of one glyph at most.
const LIGATURE: usize = 3;
/// Glyphs of a line that is tracked without further reasons.
const MANY: usize = 8;
/// Glyphs of the longest word that typed spaces are taken out of when none tell where words end.
const LONGEST_WORD: usize = 14;

/// A glyph that stands alone: a space or a gap to both sides.
#[derive(Clone, Copy)]
struct Lone {
    /// Index into the glyphs.
    at: usize,
    /// To the glyph before it, in em, and the spaces in between. Nothing is said of the first one.
    gap: f32,
    spaces: u32,
}

/// The tracking of the line before.
#[derive(Clone, Copy)]
struct Tracked {
    style: u16,
    size: f32,
    gap: f32,
}

/// Closes up letterspaced words.
pub(super) fn close_up(glyphs: &mut [Glyph], texts: Texts<'_>) {
    let mut stretch: Vec<Lone> = Vec::new();
    let mut before: Option<Tracked> = None;
    let mut last: Option<usize> = None;
    let mut spaces = 0;
    for at in 0..glyphs.len() {
        let glyph = glyphs[at];
        if glyph.text == TextId::SPACE {
            spaces += 1;
            continue;
        }
        if glyph.text == TextId::REPEATED {
            continue;
        }
        // Words that the file spells by itself are no single letters.
        if glyph.text == TextId::EMPTY || texts.pooled(glyph.text).len() > LIGATURE {
            stretch.pop();
            finish(glyphs, &mut stretch, texts, &mut before);
            last = Some(at);
            spaces = 0;
            continue;
        }
        let step = last.map(|l| Step::between(&glyphs[l], &glyph));
        let gap = step.as_ref().map_or(f32::NAN, |s| s.along / s.size);
        let same_line = step.is_some_and(|s| {
            !s.is_new_line() && (s.down / s.size).abs() < 0.02 && gap < REACH && last.is_some_and(|l| same_size(&glyphs[l], &glyph))
        });
        // Not `gap < NORMAL`: a gap that is no number is none.
        let lone = same_line && (spaces > 0 || gap >= NORMAL);
        if same_line && !lone {
            // The glyph before it does not stand alone either.
            stretch.pop();
        }
        if !lone {
            finish(glyphs, &mut stretch, texts, &mut before);
        }
        if lone || !same_line {
            stretch.push(Lone { at, gap, spaces });
        }
        last = Some(at);
        spaces = 0;
    }
    finish(glyphs, &mut stretch, texts, &mut before);
}

fn same_size(a: &Glyph, b: &Glyph) -> bool {
    (a.size - b.size).abs() < 0.02 * a.size.max(b.size)
}

fn finish(glyphs: &mut [Glyph], stretch: &mut Vec<Lone>, texts: Texts<'_>, before: &mut Option<Tracked>) {
    if stretch.len() >= FEWEST_AFTER && is_cased(glyphs, stretch, texts) {
        let typed = stretch.iter().skip(1).filter(|l| l.spaces > 0).count();
        if typed * 2 > stretch.len() - 1 {
            take_spaces_out(glyphs, stretch, texts);
        } else if let Some(gap) = tracking(glyphs, stretch, texts, *before) {
            *before = stretch.first().and_then(|l| glyphs.get(l.at)).map(|g| Tracked { style: g.style, size: g.size, gap });
            for pair in stretch.windows(2) {
                let [one, next] = pair else { continue };
                if let Some(glyph) = glyphs.get_mut(one.at) {
                    let sides = if next.spaces > 0 { 2.0 } else { 1.0 };
                    glyph.advance += (sides * gap).min(next.gap.max(0.0)) * glyph.size;
                }
            }
        }
    }
    stretch.clear();
}

/// Whether most of the glyphs are letters that have capitals; other scripts are set apart by rules of their own.
fn is_cased(glyphs: &[Glyph], stretch: &[Lone], texts: Texts<'_>) -> bool {
    let chars = || stretch.iter().filter_map(|l| texts.first(glyphs.get(l.at)?.text));
    let cased = chars().filter(|c| c.is_uppercase() || c.is_lowercase()).count();
    // Variables and signs of a formula are set apart, too.
    let formula =
        stretch.len() < 3 * MANY && chars().any(|c| matches!(c, '+' | '=' | '<' | '>' | '−' | '±' | '\u{2190}'..='\u{22FF}'));
    !formula && !chars().any(is_cjk) && (cased * 10 >= stretch.len() * 7 || cased >= MANY && cased * 2 > stretch.len())
}

/// The tracking of a stretch, in em.
fn tracking(glyphs: &[Glyph], stretch: &[Lone], texts: Texts<'_>, before: Option<Tracked>) -> Option<f32> {
    let mut gaps: Vec<f32> = stretch.iter().skip(1).filter(|l| l.spaces == 0).map(|l| l.gap).collect();
    gaps.sort_by(f32::total_cmp);
    let usual = *gaps.get(gaps.len() / 4)?;
    let even = |gap: f32| (gap - usual).abs() <= UNEVEN + UNEVEN_SHARE * usual;
    let goes_on = stretch
        .first()
        .and_then(|l| glyphs.get(l.at))
        .zip(before)
        .is_some_and(|(g, b)| g.style == b.style && (g.size - b.size).abs() < 0.02 * b.size && (usual - b.gap).abs() < UNEVEN);
    if usual < LEAST || (gaps.iter().filter(|g| even(**g)).count() as f32) < EVEN * gaps.len() as f32 {
        return None;
    }
    let word = || {
        let chars = stretch.iter().filter_map(|l| texts.first(glyphs.get(l.at)?.text));
        is_word_like(&chars.collect::<Vec<_>>()) && !is_grid(glyphs, stretch)
    };
    (goes_on || stretch.len() >= FEWEST && (stretch.len() >= MANY && usual < WIDE || word())).then_some(usual)
}

/// Whether letters make words rather than a row of labels: some vowels, some variety, not one after the other in the alphabet.
fn is_word_like(chars: &[char]) -> bool {
    let letters: Vec<char> = chars.iter().filter(|c| c.is_alphabetic()).flat_map(|c| c.to_lowercase()).collect();
    let vowels = letters.iter().filter(|c| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y') || !c.is_ascii()).count();
    let mut known = letters.clone();
    known.sort_unstable();
    known.dedup();
    let rising = letters.windows(2).filter(|pair| matches!(pair, [a, b] if *b as u32 == *a as u32 + 1)).count();
    letters.len() >= FEWEST
        && vowels * 4 >= letters.len()
        && known.len() * 2 >= letters.len().min(8)
        && known.len() >= 3
        && rising * 2 < letters.len()
}

/// Whether glyphs stand in columns: the distances of their middles vary less than the gaps between them.
fn is_grid(glyphs: &[Glyph], stretch: &[Lone]) -> bool {
    let mut gaps = Vec::new();
    let mut pitches = Vec::new();
    for pair in stretch.windows(2) {
        let [one, next] = pair else { continue };
        let (Some(a), Some(b)) = (glyphs.get(one.at), glyphs.get(next.at)) else { continue };
        gaps.push(next.gap);
        pitches.push(next.gap + (a.advance + b.advance) / (2.0 * a.size.max(0.1)));
    }
    spread(&gaps) > 0.03 && spread(&pitches) < 0.5 * spread(&gaps)
}

/// Mean distance from the mean.
fn spread(values: &[f32]) -> f32 {
    let count = values.len().max(1) as f32;
    let mean = values.iter().sum::<f32>() / count;
    values.iter().map(|v| (v - mean).abs()).sum::<f32>() / count
}

/// Takes the typed spaces out of words of single letters. Two spaces, or a wider gap, end a word.
fn take_spaces_out(glyphs: &mut [Glyph], stretch: &[Lone], texts: Texts<'_>) {
    let mut gaps: Vec<f32> = stretch.iter().skip(1).map(|l| l.gap).collect();
    gaps.sort_by(f32::total_cmp);
    let usual = gaps.get(gaps.len() / 4).copied().unwrap_or(0.0);
    let ends = |l: &Lone| l.spaces > 1 || l.gap > 1.5 * usual;
    let mut words: Vec<&[Lone]> = Vec::new();
    let mut rest = stretch;
    while !rest.is_empty() {
        let end = rest.iter().skip(1).position(ends).map_or(rest.len(), |p| p + 1);
        let (word, after) = rest.split_at(end);
        words.push(word);
        rest = after;
    }
    let letters = |word: &[Lone]| word.iter().filter_map(|l| texts.first(glyphs.get(l.at)?.text)).collect::<Vec<char>>();
    let longest = words.iter().copied().max_by_key(|w| w.len()).unwrap_or_default();
    let singles = words.iter().filter(|w| w.len() == 1).count();
    let told = words.len() > 1 || longest.len() <= LONGEST_WORD;
    if !is_word_like(&letters(longest)) || !told || singles * 2 > words.len() {
        return;
    }
    let inner: Vec<(usize, usize)> =
        words.iter().flat_map(|w| w.windows(2)).filter_map(|pair| Some((pair.first()?.at, pair.last()?.at))).collect();
    for (one, next) in inner {
        let Some([first, between @ .., second]) = glyphs.get_mut(one..=next) else { continue };
        let along = Step::between(first, second).along;
        between.iter_mut().for_each(|space| space.text = TextId::REPEATED);
        first.advance += along.max(0.0);
    }
}
