//! Tests of the whole room; the parts have theirs beside them in `tests/`.

mod bookmarks;
mod contents;
mod describing;
pub(super) mod headings;
mod heads;
pub(super) mod invariants;
mod lists;
mod nesting;
mod numbering;
mod real;
pub(super) mod sample;
mod tags;
mod telling;
