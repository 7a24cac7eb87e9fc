//! The text of pages: glyphs from content streams, lines from glyphs, reading order from lines.
//!
//! The way of a page: [`interpreter`] runs its content and leaves glyphs on a [`glyphs::Sheet`]; [`pieces`] cuts them where a line or a
//! cell ends; [`rows`] puts pieces on common baselines together unless [`blocks`] says that they are two columns; [`tables`] shapes
//! the rows of tables, [`lines`] writes the text. [`furniture`] and [`hyphens`] look at all pages together.

mod annotations;
mod backdrop;
mod bidi;
mod blocks;
mod budget;
mod cells;
mod color;
mod columns;
mod face;
mod fonts;
mod frames;
mod furniture;
mod glyphs;
mod grid;
mod hyphens;
mod interpreter;
mod justified;
mod layers;
mod level;
mod lines;
mod marks;
mod order;
mod pieces;
mod reader;
mod records;
mod rows;
mod state;
mod tables;
mod unicode;

#[cfg(test)]
mod table_tests;
#[cfg(test)]
mod tests;

pub(crate) use furniture::mark_furniture;
pub(crate) use hyphens::join_cut_words;
pub(crate) use lines::page_text;
pub(crate) use reader::{RawPage, TextReader};
