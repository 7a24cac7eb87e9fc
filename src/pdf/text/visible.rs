//! What can be seen of the text that was drawn: words outside the page, under later paint, and invisible ones that are not the text of a
//! scan are taken off the sheet, each as a whole.

use std::ops::Range;

use kurbo::{Point, Rect};

use super::backdrop::{Backdrop, Cover};
use super::glyphs::{Glyph, LARGEST, Sheet, TextId, direction};

/// From this share of the page on it is a picture of a page: what is under its images is the text that was recognised in them.
const SCAN_SHARE: f64 = 0.5;
/// Recognised text may stand this far (in points) outside the image that it was read from.
const IMAGE_MARGIN: f64 = 6.0;
/// Glyphs whose common box is looked at before they are looked at one by one.
const CHUNK: usize = 64;
/// Pairs of an invisible glyph and a painted area that are looked at; a page with more keeps its text.
const MOST_LOOKS: usize = 1 << 27;
/// Most gap (in em) between two letters of one word.
const WORD_GAP: f32 = 0.2;

/// Takes glyphs off the sheet that nobody can see on a page of this size (points).
pub(super) fn drop_unseen(sheet: &mut Sheet, backdrop: &Backdrop, width: f32, height: f32) {
    let mut fate = vec![Fate::Seen; sheet.glyphs.len()];
    let page = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    outside(&sheet.glyphs, page, &mut fate);
    covered(sheet, backdrop, page, &mut fate);
    if sheet.styles.iter().any(|style| style.clear) && !shows_nothing(sheet, backdrop, &fate) {
        clear(sheet, backdrop, &mut fate);
    }
    if fate.iter().all(|fate| *fate == Fate::Seen) {
        return;
    }
    by_words(&sheet.glyphs, &mut fate);
    for (glyph, fate) in sheet.glyphs.iter().zip(&fate) {
        let unknown = glyph.text == TextId::UNKNOWN;
        sheet.unknown = sheet.unknown.saturating_sub(usize::from(unknown && *fate == Fate::Hidden));
        sheet.hidden += usize::from(*fate == Fate::Hidden && !unknown && glyph.text != TextId::SPACE);
    }
    let gone: Vec<bool> = fate.iter().map(|fate| *fate != Fate::Seen).collect();
    sheet.drop_marked(&gone);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Seen,
    /// Not on the page.
    Outside,
    /// On the page, but not to be seen.
    Hidden,
}

/// Glyphs whose middle is not on the page, or of no size that a glyph can have.
fn outside(glyphs: &[Glyph], page: Rect, fate: &mut [Fate]) {
    for (glyph, fate) in glyphs.iter().zip(fate) {
        if !page.contains(middle(glyph)) || glyph.size.max(glyph.advance.abs()) >= LARGEST {
            *fate = Fate::Outside;
        }
    }
}

/// Glyphs under an area that was painted later, unless they are the text of a scan. Invisible ones are none the less visible for it.
fn covered(sheet: &Sheet, backdrop: &Backdrop, page: Rect, fate: &mut [Fate]) {
    let glyphs = &sheet.glyphs;
    let covers = backdrop.covers();
    if covers.is_empty() {
        return;
    }
    let share = |area: &Rect| area.intersect(page).area() / page.area().max(1.0);
    let is_scan = backdrop.images().iter().map(share).sum::<f64>() >= SCAN_SHARE;
    let hides = |cover: &&Cover| !is_scan || !cover.image && share(&cover.at) < SCAN_SHARE;
    let boxes: Vec<Rect> = glyphs.chunks(CHUNK).map(common_box).collect();
    for cover in covers.iter().filter(hides) {
        for (chunk, area) in boxes.iter().enumerate().take(cover.before.div_ceil(CHUNK)) {
            if area.intersect(cover.at).is_zero_area() {
                continue;
            }
            for i in chunk * CHUNK..((chunk + 1) * CHUNK).min(cover.before) {
                let (Some(glyph), Some(fate)) = (glyphs.get(i), fate.get_mut(i)) else { break };
                if *fate == Fate::Seen && is_under(glyph, cover.at) && !is_clear(sheet, glyph) && !is_invisible(sheet, glyph) {
                    *fate = Fate::Hidden;
                }
            }
        }
    }
}

/// Whether there is nothing to be seen on a page, as on one that holds only the text of a scan, made to be put under its image later.
fn shows_nothing(sheet: &Sheet, backdrop: &Backdrop, fate: &[Fate]) -> bool {
    let is_seen = |(glyph, fate): (&Glyph, &Fate)| *fate == Fate::Seen && glyph.text != TextId::SPACE && !is_clear(sheet, glyph);
    backdrop.is_blank() && sheet.hidden == 0 && !sheet.glyphs.iter().zip(fate).any(is_seen)
}

/// Transparent glyphs that are not the text of something painted there: of an image, or of letters drawn as outlines.
fn clear(sheet: &Sheet, backdrop: &Backdrop, fate: &mut [Fate]) {
    if backdrop.has_more_images() {
        return;
    }
    let Some(painted) = backdrop.painted() else { return };
    let largest = sheet.glyphs.iter().map(|g| g.size).fold(0.0, f32::max);
    let letters: Vec<Rect> = painted.filter(|area| is_letter_sized(*area, largest)).collect();
    if letters.len().saturating_mul(sheet.glyphs.len()) > MOST_LOOKS {
        return;
    }
    let images: Vec<Rect> = backdrop.images().iter().map(|image| image.inflate(IMAGE_MARGIN, IMAGE_MARGIN)).collect();
    let mut near = 0;
    for (glyph, fate) in sheet.glyphs.iter().zip(fate) {
        if *fate != Fate::Seen || !is_clear(sheet, glyph) {
            continue;
        }
        let at = middle(glyph);
        // The next glyph is most often on the image of the last one.
        if images.get(near).is_some_and(|image| image.contains(at)) {
            continue;
        }
        match images.iter().position(|image| image.contains(at)) {
            Some(found) => near = found,
            None if letters.iter().any(|area| area.contains(at) && is_letter_sized(*area, glyph.size)) => {}
            None => *fate = Fate::Hidden,
        }
    }
}

fn is_invisible(sheet: &Sheet, glyph: &Glyph) -> bool {
    sheet.styles.get(usize::from(glyph.style)).is_some_and(|style| style.invisible)
}

/// Whether a glyph is wholly transparent.
fn is_clear(sheet: &Sheet, glyph: &Glyph) -> bool {
    sheet.styles.get(usize::from(glyph.style)).is_some_and(|style| style.clear)
}

/// Whether an area may be a letter, or a word of some, drawn as an outline at this size.
fn is_letter_sized(area: Rect, size: f32) -> bool {
    let size = f64::from(size);
    area.height() < 1.5 * size && area.height() > 0.3 * size
}

/// Gives every word the fate of most of its glyphs, so that no half words are left, and every space that of the word before it.
fn by_words(glyphs: &[Glyph], fate: &mut [Fate]) {
    let mut start = 0;
    while start < glyphs.len() {
        let word = word_at(glyphs, start);
        if glyphs.get(start).is_some_and(|glyph| glyph.text == TextId::SPACE) {
            let before = start.checked_sub(1).and_then(|i| fate.get(i)).copied();
            if let (Some(before), Some(fate)) = (before, fate.get_mut(start)) {
                *fate = before;
            }
            start += 1;
            continue;
        }
        start = word.end.max(start + 1);
        let Some(fates) = fate.get_mut(word) else { break };
        let count = |which: Fate| fates.iter().filter(|fate| **fate == which).count();
        let (seen, outside, hidden) = (count(Fate::Seen), count(Fate::Outside), count(Fate::Hidden));
        if seen < fates.len() {
            let of_most = if 2 * seen >= fates.len() {
                Fate::Seen
            } else if outside >= hidden {
                Fate::Outside
            } else {
                Fate::Hidden
            };
            fates.fill(of_most);
        }
    }
}

/// The glyphs from here on that are drawn as one word.
fn word_at(glyphs: &[Glyph], start: usize) -> Range<usize> {
    let joined = |pair: &[Glyph]| {
        let [a, b] = pair else { return false };
        if a.text == TextId::SPACE || b.text == TextId::SPACE || a.axis != b.axis {
            return false;
        }
        let (dx, dy) = direction(a.axis);
        let (x, y) = (b.x - a.x, b.y - a.y);
        let (along, across) = (x * dx + y * dy - a.advance, y * dx - x * dy);
        let size = a.size.max(b.size);
        along.abs() < WORD_GAP * size && across.abs() < 0.5 * size
    };
    let rest = glyphs.get(start..).unwrap_or_default();
    start..start + 1 + rest.windows(2).take_while(|pair| joined(pair)).count()
}

/// A point in the middle of what is seen of most letters.
fn middle(glyph: &Glyph) -> Point {
    at(glyph, 0.3)
}

/// Whether an area covers the body of a letter; a line through it does not.
fn is_under(glyph: &Glyph, area: Rect) -> bool {
    area.contains(at(glyph, 0.1)) && area.contains(at(glyph, 0.5))
}

/// The point this far (in em) over the middle of the advance.
fn at(glyph: &Glyph, up: f32) -> Point {
    let (dx, dy) = direction(glyph.axis);
    let half = glyph.advance / 2.0;
    let up = up * glyph.size;
    Point::new(f64::from(glyph.x + half * dx + up * dy), f64::from(glyph.y + half * dy - up * dx))
}

fn common_box(glyphs: &[Glyph]) -> Rect {
    let mut points = glyphs.iter().map(middle);
    let first = points.next().unwrap_or_default();
    // No letter reaches farther from its middle than the largest em.
    let reach = glyphs.iter().map(|g| f64::from(g.size)).fold(0.0, f64::max);
    points.fold(Rect::from_points(first, first), |area, point| area.union_pt(point)).inflate(reach, reach)
}
