//! Words as the search sees them: cut, folded, stemmed, numbers and periods in one form, synonyms for questions.
//!
//! The same code reads documents when they are stored and questions when they are asked, so both sides always agree. A word is known by
//! the 32-bit hash of its stem; hashes are stored, so a change to what a text is turned into needs a new [`VERSION`].

mod analyzer;
mod fold;
mod language;
mod numbers;
mod periods;
mod query;
mod request;
mod scan;
mod stops;
mod synonyms;

#[cfg(test)]
mod tests;

pub use analyzer::{Analyzer, Term, Token, hash, is_number};
pub use fold::fold;
pub use language::Language;
pub use numbers::normal_number;
pub use query::{Alternative, Concept, Query};
pub use request::Request;
pub use scan::{Kind, Piece, is_unsegmented, scan};

/// Rises whenever the same text gives other words; stored words of an older version must be made anew.
pub const VERSION: u32 = 2;
