//! The text of pages: glyphs from content streams, lines from glyphs, reading order from lines.
//!
//! The way of a page, and which files belong to each step:
//!
//! 1. [`interpreter`] runs the content (`state`, `color`, `layers`, `marks`, `annotations`, within `budget`) and leaves glyphs on a
//!    [`glyphs::Sheet`]. What a code means is told by `fonts`, `face`, `unicode`, `symbols`, `radicals`, `accents` and `small_caps`; `font_cost` keeps
//!    fonts out that would take too much memory.
//! 2. [`visible`] takes off what nobody can see, by what `backdrop` remembers of the paint.
//! 3. `upright` turns ideographs set under each other into vertical lines; `initials` and `tracking` bring large initials and letterspaced words together; [`pieces`] cuts glyphs where a line or a cell ends;
//!    [`order`] puts pages that are drawn in no order into one; `line_numbers` sets the numbers of lines aside.
//! 4. [`rows`] puts pieces on common baselines together unless [`blocks`] says that they are two columns; `sequence` brings the blocks into
//!    the order of reading.
//! 5. [`tables`] shapes the rows of tables: `cells`, `columns`, `records` (labels and heads of several lines), `grid` (empty cells),
//!    `justified` (lines that only look like cells).
//! 6. [`lines`] writes the text with `spacing`, `raised` (marks and powers), `bidi` and `tidy`; `styled` tells what a line is among others.
//! 7. [`furniture`] and [`hyphens`] (with `compounds`) look at all pages together.

mod accents;
mod annotations;
mod backdrop;
mod bidi;
mod blocks;
mod budget;
mod cells;
mod color;
mod columns;
mod compounds;
mod face;
mod font_cost;
mod fonts;
mod frames;
mod furniture;
mod glyphs;
mod grid;
mod hyphens;
mod initials;
mod interpreter;
mod justified;
mod layers;
mod level;
mod line_numbers;
mod lines;
mod marked;
mod marks;
mod order;
mod pieces;
mod radicals;
mod raised;
mod reader;
mod records;
mod rows;
mod sequence;
mod small_caps;
mod spacing;
mod state;
mod styled;
mod symbols;
mod tables;
mod tidy;
mod tracking;
mod unicode;
mod upright;
mod visible;

#[cfg(test)]
mod tests;

pub(crate) use furniture::mark_furniture;
pub(crate) use hyphens::join_cut_words;
pub(crate) use lines::page_text;
pub(crate) use marked::{ContentId, Marking};
pub(crate) use reader::{RawPage, TextReader};
pub(crate) use styled::compare_sizes;
pub(crate) use tidy::tidy;
