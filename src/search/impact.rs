//! How much a word says about a document as a whole, in four levels that are fixed when the document is stored. Ranking documents then
//! takes only looking up who has the word at which level, however long the documents are.

/// The levels: the least impact that they stand for, and what they count for when documents are ranked.
const LEVELS: [(f64, f64); 4] = [(0.0, 0.08), (0.12, 0.2), (0.3, 0.42), (0.55, 0.75)];

/// Number of levels; they are numbered from 1.
pub const LEVEL_COUNT: usize = LEVELS.len();

/// The level of a strength (0 or more; 1 is a word of the title).
pub fn level(strength: f64) -> usize {
    let impact = strength / (strength + 1.0);
    LEVELS.iter().rposition(|(least, _)| impact >= *least).unwrap_or(0) + 1
}

/// What a level counts for, from 0 to 1.
pub fn worth(level: usize) -> f64 {
    level.checked_sub(1).and_then(|at| LEVELS.get(at)).map_or(0.0, |(_, worth)| *worth)
}

/// A stem with its level as it stands in the document index.
pub fn marked(stem: &str, level: usize) -> String {
    format!("{stem}~{level}")
}

/// How much the words of a document are worth by where they stand. Every value is the strength of one occurrence or of a full share.
#[derive(Debug, Clone, Copy)]
pub struct Strengths;

impl Strengths {
    /// In the name, the title or the user's description.
    pub const NAME: f64 = 3.0;
    /// In the one-line description.
    pub const DESCRIPTION: f64 = 2.0;
    /// In a metadata value.
    pub const METADATA: f64 = 1.5;

    /// In section titles: `count` times, among `words` words of titles in all.
    pub fn headings(count: u32, words: usize) -> f64 {
        1.5 * f64::from(count) / (f64::from(count) + 1.0 + words as f64 / 150.0)
    }

    /// In summaries: `count` times, among `words` words of summaries in all.
    pub fn summaries(count: u32, words: usize) -> f64 {
        0.8 * f64::from(count) / (f64::from(count) + 2.0 + words as f64 / 500.0)
    }

    /// On `pages` of `of` pages. A word on one page of a long report says little of the report.
    pub fn text(pages: u32, of: usize) -> f64 {
        1.2 * (f64::from(pages) / (of as f64).max(4.0)).sqrt()
    }
}
