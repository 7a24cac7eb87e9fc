//! The text of pages: glyphs from content streams, lines from glyphs, reading order from lines.
//!
//! The way of a page: [`interpreter`] runs its content and leaves glyphs on a [`glyphs::Sheet`]; [`pieces`] cuts them where a line or a
//! cell ends; [`rows`] puts pieces on common baselines together unless [`blocks`] says that they are two columns; [`tables`] shapes
//! the rows of tables, [`lines`] writes the text. [`furniture`] and [`hyphens`] look at all pages together.

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
mod marks;
mod order;
mod pieces;
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
mod visible;

#[cfg(test)]
mod tests;

pub(crate) use furniture::mark_furniture;
pub(crate) use hyphens::join_cut_words;
pub(crate) use lines::page_text;
pub(crate) use reader::{RawPage, TextReader};
pub(crate) use styled::compare_sizes;
