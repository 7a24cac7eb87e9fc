//! The programs that can start the server, and how each of them is told to.
//!
//! A [`Host`] knows the file that it reads, the key that servers stand under and how an entry looks; [`Host::block`] is what a person pastes,
//! [`write()`] puts it there. What stands in the file already is kept to the byte: comments, order, indentation, line ends.

mod facts;
mod file;
mod json;
mod merge;
mod places;
mod toml;

#[cfg(test)]
mod tests;

pub use facts::Host;
pub use file::{Outcome, write};
pub use places::{Os, Places};
