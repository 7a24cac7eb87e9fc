//! A scored page as it is handed out: where it stands, and its most telling words.

use rusqlite::{OptionalExtension, Transaction};

use super::super::finish::key_range;
use super::super::schema::NUMBER_BITS;
use crate::index::TocSource;
use crate::library::{DocId, LibraryError};
use crate::search::analysis::{Language, Query};
use crate::search::{RankedPage, Snippet, snippet};

/// A scored page, which has the quoted words or not; `None` where its document is gone.
pub(super) fn page(
    transaction: &Transaction<'_>,
    query: &Query,
    key: i64,
    score: f64,
    quoted: bool,
) -> Result<Option<RankedPage>, LibraryError> {
    let document = key >> NUMBER_BITS;
    let mut find = transaction.prepare_cached("SELECT id, name, language, toc_source FROM documents WHERE key = ?1")?;
    let found = find.query_row([document], |row| {
        Ok((DocId(row.get(0)?), row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?, row.get::<_, Option<String>>(3)?))
    });
    let Some((doc, name, language, toc_source)) = found.optional()? else { return Ok(None) };
    let mut stored = transaction.prepare_cached("SELECT label, text FROM pages WHERE key = ?1")?;
    let found = stored.query_row([key], |row| Ok((row.get::<_, Option<String>>(0)?, row.get::<_, String>(1)?)));
    let Some((label, text)) = found.optional()? else { return Ok(None) };
    let number = u32::try_from(key - (document << NUMBER_BITS)).unwrap_or(0);
    let snippet = snippet(&text, query, Language::of_code(&language.unwrap_or_default()));
    let titled = toc_source.as_deref() != Some(TocSource::PageRanges.as_str());
    let section = if titled { section(transaction, document, number, &text, &snippet)? } else { None };
    let label = label.filter(|label| *label != number.to_string());
    Ok(Some(RankedPage { doc, name, page: number, score, quoted, label, section, snippet }))
}

/// The title of the innermost section of the page that has begun where the snippet stands.
fn section(
    transaction: &Transaction<'_>,
    document: i64,
    page: u32,
    text: &str,
    snippet: &Snippet,
) -> Result<Option<String>, LibraryError> {
    let (first, last) = key_range(document);
    let mut covering = transaction.prepare_cached(
        "SELECT title, start_index FROM sections WHERE key BETWEEN ?1 AND ?2 AND start_index <= ?3 AND end_index >= ?3 ORDER BY key DESC",
    )?;
    let mut rows = covering.query(rusqlite::params![first, last, page])?;
    let mut outermost = None;
    while let Some(row) = rows.next()? {
        let (title, start): (String, u32) = (row.get(0)?, row.get(1)?);
        // A title that is not printed where it starts says nothing of the place.
        let begun = start < page || printed_at(text, &title).is_none_or(|at| at <= snippet.at);
        if begun {
            return Ok(Some(title));
        }
        outermost = Some(title);
    }
    Ok(outermost)
}

/// Where a title stands in a text, in bytes, whatever its case and white space are there.
fn printed_at(text: &str, title: &str) -> Option<usize> {
    let letters = |text: &str| -> Vec<(usize, char)> {
        let kept = text.char_indices().filter(|(_, c)| c.is_alphanumeric());
        kept.flat_map(|(at, c)| c.to_lowercase().map(move |c| (at, c))).collect()
    };
    let (text, title) = (letters(text), letters(title));
    let first = text.windows(title.len().max(1)).find(|window| window.iter().map(|(_, c)| c).eq(title.iter().map(|(_, c)| c)));
    first.and_then(|window| window.first()).map(|(at, _)| *at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_found_in_any_case_and_over_lines() {
        assert_eq!(printed_at("x\nNET  SALES\nby region", "Net sales by Region"), Some(2));
        assert_eq!(printed_at("x", "Net sales"), None);
        assert_eq!(printed_at("x", ""), None);
    }
}
