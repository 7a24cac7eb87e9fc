//! Reading order by place, for pages whose content is drawn in no order: columns interleaved line by line, words or cells shuffled, tables
//! drawn from the bottom up. Most programs draw a page as it is read, and their order knows more than the eye does (which box belongs to
//! which text), so it is kept unless it clearly is none.

use super::glyphs::Glyph;
use super::pieces::Piece;

/// Baselines within this (in em) are one visual line.
const SAME_BASELINE: f32 = 0.3;
/// Super- and subscripts are smaller than this, this near to the baseline (in em) and to the text that they follow.
const SCRIPT_SIZE: f32 = 0.85;
const SCRIPT_SHIFT: f32 = 0.55;
const SCRIPT_GAP: f32 = 0.4;
/// Pieces nearer to each other than this (in em) belong to one segment of a visual line, such as the words of a sentence.
const SEGMENT_GAP: f32 = 0.8;
/// The strip between two columns is at least this wide (in em) ...
const GUTTER: f32 = 0.8;
/// ... and has at least so many lines on each side.
const COLUMN_LINES: usize = 3;
/// Lines of one column start (or end) at most this far apart (in em), to be sure that they are of one.
const INDENT: f32 = 3.0;
/// Lines of prose in a column have at least so many characters on average ...
const PROSE_CHARS: usize = 15;
/// ... and most of them fill this share of its width, as cells of a table do not.
const FULL: f32 = 0.6;
/// Lines between two columns and what ends them at most (in em); more is a break of the page.
const PITCH: f32 = 6.0;
/// An order is none when its steps lead back to so many of its characters, in hundredths ...
const BACKWARD: u64 = 35;
/// ... in at least so many steps.
const FEWEST_BACKWARD: usize = 4;
/// A page with more pieces is a drawing and is left as drawn.
const MOST_PIECES: usize = 20_000;
/// Columns within columns are looked for this deep.
const DEPTH: usize = 6;

/// Whether lines of two columns close to each other may have been taken for one: many have a wide gap inside.
pub(super) fn may_span_columns(pieces: &[Piece]) -> bool {
    /// One in so many pieces.
    const SHARE: usize = 5;
    let loose = pieces.iter().filter(|p| p.loose).count();
    loose >= FEWEST_BACKWARD && loose * SHARE >= pieces.len()
}

/// The content glyphs in reading order by place, where the drawn order is none. Pieces must be those of the glyphs. Whatever comes after
/// `content_end`, and text that runs in other directions than most, keeps its place at the end.
pub(super) fn by_place(glyphs: &[Glyph], content_end: usize, pieces: &[Piece]) -> Option<Vec<Glyph>> {
    if pieces.len() < FEWEST_BACKWARD || pieces.len() > MOST_PIECES {
        return None;
    }
    let main: Vec<u32> =
        (0u32..).zip(pieces).filter(|(_, p)| p.frame == 0 && !p.added && p.size > 0.0).map(|(index, _)| index).collect();
    let lines = visual_lines(pieces, &main);
    let mut order: Vec<Place> = Vec::with_capacity(main.len());
    read_region(&lines, None, DEPTH, &mut order);
    if !is_no_order(pieces, &order) {
        return None;
    }
    let mut placed = Vec::with_capacity(glyphs.len());
    let mut take = |index: u32| {
        if let Some(piece) = pieces.get(index as usize) {
            placed.extend_from_slice(glyphs.get(piece.first as usize..=piece.last as usize).unwrap_or_default());
        }
    };
    order.iter().for_each(|place| take(place.piece));
    (0u32..).zip(pieces).filter(|(_, p)| !p.added && !(p.frame == 0 && p.size > 0.0)).for_each(|(index, _)| take(index));
    placed.extend_from_slice(glyphs.get(content_end..).unwrap_or_default());
    Some(placed)
}

/// What stands on a visual line without a wide gap.
#[derive(Debug, Clone)]
struct Segment {
    /// Indices of pieces, from left to right.
    pieces: Vec<u32>,
    u0: f32,
    u1: f32,
    count: u32,
    numeric: u32,
    words: u32,
    /// Starts in the middle of a sentence.
    goes_on: bool,
}

impl Segment {
    fn of(index: u32, piece: &Piece) -> Self {
        let Piece { u0, u1, count, numeric, words, goes_on, .. } = *piece;
        Self { pieces: vec![index], u0, u1, count, numeric, words, goes_on }
    }

    fn add(&mut self, index: u32, piece: &Piece) {
        self.pieces.push(index);
        self.u1 = self.u1.max(piece.u1);
        self.count += piece.count;
        self.numeric += piece.numeric;
        self.words += piece.words;
    }
}

/// Segments on one baseline, from left to right.
#[derive(Debug, Clone)]
struct VisualLine {
    segments: Vec<Segment>,
    v: f32,
    size: f32,
}

/// Gathers pieces into visual lines, from the top of the page to its bottom.
fn visual_lines(pieces: &[Piece], members: &[u32]) -> Vec<VisualLine> {
    let mut sorted: Vec<(u32, &Piece)> = members.iter().filter_map(|i| pieces.get(*i as usize).map(|p| (*i, p))).collect();
    sorted.sort_by(|(_, a), (_, b)| a.v.total_cmp(&b.v));
    let mut lines: Vec<Vec<(u32, &Piece)>> = Vec::new();
    for (index, piece) in sorted {
        let same = lines
            .last()
            .and_then(|line| line.first())
            .is_some_and(|(_, first)| piece.v - first.v <= SAME_BASELINE * first.size.min(piece.size));
        match lines.last_mut() {
            Some(line) if same => line.push((index, piece)),
            _ => lines.push(vec![(index, piece)]),
        }
    }
    with_scripts(lines).into_iter().map(VisualLine::of).collect()
}

/// Puts super- and subscripts, whose baselines are their own, to the larger text that they stand at.
fn with_scripts(lines: Vec<Vec<(u32, &Piece)>>) -> Vec<Vec<(u32, &Piece)>> {
    let largest = |line: &[(u32, &Piece)]| line.iter().map(|(_, p)| p.size).fold(0.0, f32::max);
    let sizes: Vec<f32> = lines.iter().map(|line| largest(line)).collect();
    let mut grown: Vec<Vec<(u32, &Piece)>> = vec![Vec::new(); lines.len()];
    for (at, line) in lines.iter().enumerate() {
        for (index, piece) in line {
            let near = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().find(|other| {
                let size = sizes.get(*other).copied().unwrap_or(0.0);
                piece.size < SCRIPT_SIZE * size
                    && lines.get(*other).is_some_and(|line| {
                        line.iter().any(|(_, p)| {
                            let gap = (piece.u0 - p.u1).max(p.u0 - piece.u1);
                            (p.v - piece.v).abs() < SCRIPT_SHIFT * p.size && gap.abs() < SCRIPT_GAP * p.size
                        })
                    })
            });
            if let Some(line) = grown.get_mut(near.unwrap_or(at)) {
                line.push((*index, piece));
            }
        }
    }
    grown.retain(|line| !line.is_empty());
    grown
}

impl VisualLine {
    fn of(mut members: Vec<(u32, &Piece)>) -> Self {
        members.sort_by(|(_, a), (_, b)| a.u0.total_cmp(&b.u0));
        let (v, size) = members.iter().map(|(_, p)| (p.v, p.size)).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0.0, 0.1));
        let mut segments: Vec<Segment> = Vec::new();
        for (index, piece) in members {
            match segments.last_mut() {
                Some(last) if piece.u0 - last.u1 < SEGMENT_GAP * size => last.add(index, piece),
                _ => segments.push(Segment::of(index, piece)),
            }
        }
        Self { segments, v, size }
    }
}

/// Two columns of prose and the strip between them.
#[derive(Debug, Clone, Copy)]
struct Columns {
    /// First line and the one after the last.
    from: usize,
    to: usize,
    /// Where the strip is.
    u: f32,
    /// Both are running text beyond doubt: lines that fill the column and go on with each other's sentences.
    running: bool,
}

/// A piece in reading order.
#[derive(Debug, Clone, Copy)]
struct Place {
    piece: u32,
    /// Number of its visual line in that order.
    line: u32,
    /// The column that it stands in; none outside of columns.
    column: Option<u32>,
}

/// Appends the pieces of a region in reading order.
fn read_region(lines: &[VisualLine], column: Option<u32>, depth: usize, out: &mut Vec<Place>) {
    let columns = if depth > 0 { tallest_columns(lines) } else { None };
    let next_line = |out: &[Place]| out.last().map_or(0, |p| p.line + 1);
    let Some(Columns { from, to, u, running }) = columns else {
        for line in lines {
            let number = next_line(out);
            for segment in &line.segments {
                out.extend(segment.pieces.iter().map(|piece| Place { piece: *piece, line: number, column }));
            }
        }
        return;
    };
    let (above, rest) = lines.split_at(from);
    let (band, below) = rest.split_at(to - from);
    read_region(above, column, depth - 1, out);
    for left in [true, false] {
        let side: Vec<VisualLine> = band.iter().filter_map(|line| line.side(u, left)).collect();
        // The number of its first line names a column.
        let name = running.then(|| next_line(out)).or(column);
        read_region(&side, name, depth - 1, out);
    }
    read_region(below, column, depth - 1, out);
}

impl VisualLine {
    /// What of it stands on one side of a strip.
    fn side(&self, u: f32, left: bool) -> Option<Self> {
        let segments: Vec<Segment> = self.segments.iter().filter(|s| (s.u0 < u) == left).cloned().collect();
        (!segments.is_empty()).then_some(Self { segments, ..*self })
    }
}

/// A strip that no line has crossed yet.
#[derive(Debug, Clone, Copy)]
struct Strip {
    u0: f32,
    u1: f32,
    from: usize,
}

/// The columns of the most lines, if the region has any.
fn tallest_columns(lines: &[VisualLine]) -> Option<Columns> {
    /// Strips followed at a time; a page for reading has few.
    const MOST_STRIPS: usize = 24;
    let mut open: Vec<Strip> = Vec::new();
    let mut best: Option<Columns> = None;
    let mut close = |strip: Strip, to: usize| {
        // A strip that runs on through a table may still have columns above and below it.
        let whole = as_columns(lines, strip, to);
        let parts =
            || parts_of(lines, strip.from, to).into_iter().filter_map(|(from, to)| as_columns(lines, Strip { from, ..strip }, to));
        if let Some(columns) = whole.or_else(|| parts().max_by_key(|c| c.to - c.from))
            && best.is_none_or(|b| columns.to - columns.from > b.to - b.from)
        {
            best = Some(columns);
        }
    };
    for (at, line) in lines.iter().enumerate() {
        let broken = at > 0 && lines.get(at - 1).is_some_and(|before| line.v - before.v > PITCH * line.size.max(before.size));
        let free = line.free();
        let mut kept: Vec<Strip> = Vec::new();
        for strip in open {
            // The widest part of the strip that this line leaves free.
            let part =
                free.iter().map(|(a, b)| (strip.u0.max(*a), strip.u1.min(*b))).max_by(|x, y| (x.1 - x.0).total_cmp(&(y.1 - y.0)));
            match part {
                Some((a, b)) if b - a >= GUTTER * line.size && !broken => kept.push(Strip { u0: a, u1: b, ..strip }),
                _ => close(strip, at),
            }
        }
        // Lines of two columns need not share their baselines.
        let beside = lines.get(at + 1).and_then(|next| line.beside(next));
        for (a, b) in line.gaps().chain(beside) {
            let known = kept.iter().any(|s| s.u0 < b && a < s.u1);
            if !known && b - a >= GUTTER * line.size && kept.len() < MOST_STRIPS {
                kept.push(Strip { u0: a, u1: b, from: at });
            }
        }
        open = kept;
    }
    open.into_iter().for_each(|strip| close(strip, lines.len()));
    best
}

impl VisualLine {
    /// The gaps between its segments.
    fn gaps(&self) -> impl Iterator<Item = (f32, f32)> + '_ {
        self.segments.windows(2).filter_map(|pair| match pair {
            [a, b] => Some((a.u1, b.u0)),
            _ => None,
        })
    }

    /// The gap between it and the next line, where one ends before the other starts.
    fn beside(&self, next: &Self) -> Option<(f32, f32)> {
        let ends = |line: &Self| Some((line.segments.first()?.u0, line.segments.last()?.u1));
        let ((a0, a1), (b0, b1)) = (ends(self)?, ends(next)?);
        if a1 < b0 { Some((a1, b0)) } else { (b1 < a0).then_some((b1, a0)) }
    }

    /// All that it leaves free, to both sides without end.
    fn free(&self) -> Vec<(f32, f32)> {
        let mut from = f32::NEG_INFINITY;
        let mut free = Vec::with_capacity(self.segments.len() + 1);
        for segment in &self.segments {
            free.push((from, segment.u0));
            from = segment.u1;
        }
        free.push((from, f32::INFINITY));
        free
    }
}

/// The lines from one wide step down to the next.
fn parts_of(lines: &[VisualLine], from: usize, to: usize) -> Vec<(usize, usize)> {
    /// A step between paragraphs is wider than this (in em).
    const WIDE_STEP: f32 = 1.7;
    let wide = |at: &usize| match lines.get(at - 1..=*at) {
        Some([a, b]) => b.v - a.v > WIDE_STEP * a.size.max(b.size),
        _ => false,
    };
    let ends: Vec<usize> = (from + 1..to).filter(wide).chain([to]).collect();
    let mut start = from;
    ends.into_iter().map(|end| (std::mem::replace(&mut start, end), end)).collect()
}

/// The columns beside a strip from its first line on, if both read as prose.
fn as_columns(lines: &[VisualLine], strip: Strip, to: usize) -> Option<Columns> {
    let u = (strip.u0 + strip.u1) / 2.0;
    let band = lines.get(strip.from..to)?;
    let sides = [true, false].map(|left| Side::of(band, u, left));
    let running = sides.iter().all(Side::is_running_text);
    sides.iter().all(Side::is_prose).then_some(Columns { from: strip.from, to, u, running })
}

/// The column on one side of a strip, line by line.
struct Side {
    segments: Vec<Segment>,
    width: f32,
}

impl Side {
    fn of(band: &[VisualLine], u: f32, left: bool) -> Self {
        let nearest = |line: &VisualLine| {
            let side = line.segments.iter().filter(|s| (s.u0 < u) == left);
            if left { side.max_by(|a, b| a.u1.total_cmp(&b.u1)) } else { side.min_by(|a, b| a.u0.total_cmp(&b.u0)) }.cloned()
        };
        let mut segments: Vec<Segment> = band.iter().filter_map(nearest).collect();
        let distance = |s: &Segment| if left { u - s.u1 } else { s.u0 - u };
        let least = segments.iter().map(distance).fold(f32::INFINITY, f32::min);
        let em = band.first().map_or(0.0, |line| line.size);
        // The widest one at the strip shows where the column is; farther ones have strips of their own.
        let widest = segments.iter().filter(|s| distance(s) < least + INDENT * em).map(|s| (s.u0, s.u1));
        let (mut u0, mut u1) = widest.max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0))).unwrap_or_default();
        segments.retain(|s| s.u0 < u1 && u0 < s.u1);
        (u0, u1) = segments.iter().fold((u0, u1), |(a, b), s| (a.min(s.u0), b.max(s.u1)));
        Self { segments, width: u1 - u0 }
    }

    /// Lines that fill this share of the width.
    fn filled(&self, share: f32) -> usize {
        self.segments.iter().filter(|s| s.u1 - s.u0 >= share * self.width).count()
    }

    fn is_prose(&self) -> bool {
        let lines = self.segments.len();
        let (count, numeric) = self.segments.iter().fold((0, 0), |(c, n), s| (c + s.count, n + s.numeric));
        lines >= COLUMN_LINES && count as usize >= PROSE_CHARS * lines && numeric * 3 < count && self.filled(FULL) * 2 > lines
    }

    fn is_running_text(&self) -> bool {
        /// Words of a line, on average.
        const WORDS: usize = 3;
        /// Share of the width that most lines fill.
        const FILLED: f32 = 0.75;
        let lines = self.segments.len();
        let words: u32 = self.segments.iter().map(|s| s.words).sum();
        let going_on = self.segments.iter().skip(1).filter(|s| s.goes_on).count();
        self.is_prose() && words as usize >= WORDS * lines && self.filled(FILLED) * 5 >= 3 * lines && going_on * 2 >= lines - 1
    }
}

/// Whether the pieces were drawn in no order that goes along with the reading order. Long pieces weigh more: figures on the axes of a
/// chart and the parts of formulas are drawn in any order on sound pages, too.
fn is_no_order(pieces: &[Piece], order: &[Place]) -> bool {
    /// Lines that a step leads back from the farthest of the last ones; less is the limit of a sum or the numerator of a fraction.
    const FAR_BACK: u32 = 3;
    const RECENT: usize = 8;
    /// Steps from column to column; when they are most of the steps, the columns are interleaved.
    const FEWEST_SWITCHES: usize = 5;
    let mut place_of: Vec<Option<&Place>> = vec![None; pieces.len()];
    for place in order {
        if let Some(slot) = place_of.get_mut(place.piece as usize) {
            *slot = Some(place);
        }
    }
    let mut drawn = pieces.iter().zip(place_of).filter_map(|(piece, place)| Some((place?, u64::from(piece.count))));
    let Some((mut last, _)) = drawn.next() else { return false };
    let (mut back, mut weight, mut back_weight) = (0, 0, 0);
    let (mut switches, mut within) = (0, 0);
    let mut recent = [last.line; RECENT];
    let mut steps = 0;
    for (place, count) in drawn {
        if place.line == last.line {
            continue;
        }
        weight += count;
        let farthest = recent.iter().copied().max().unwrap_or(last.line);
        if place.line < last.line && farthest - place.line >= FAR_BACK {
            back += 1;
            back_weight += count;
        }
        if place.column.is_some() && last.column.is_some() {
            switches += usize::from(place.column != last.column);
            within += usize::from(place.column == last.column);
        }
        if let Some(slot) = recent.get_mut(steps % RECENT) {
            *slot = place.line;
        }
        steps += 1;
        last = place;
    }
    let leads_back = back >= FEWEST_BACKWARD && back_weight * 100 > BACKWARD * weight;
    leads_back || switches >= FEWEST_SWITCHES && switches > within
}
