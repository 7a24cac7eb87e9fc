//! Words of a question that no document is known for: typed in part, misspelt, or one character of a script that is stored in pairs. They
//! are widened to words that are there: first those by which documents are called, then those that documents hold.

use rusqlite::{OptionalExtension, Transaction, params};

use super::match_any;
use crate::library::LibraryError;
use crate::search::analysis::{Alternative, Concept, Kind, Query, hash, is_unsegmented};
use crate::search::{LEVEL_COUNT, marked};

/// Most words of a question that are widened: looking for them costs some milliseconds in a large library.
const WORDS_WIDENED: usize = 4;
/// Most words that one is widened to.
const ALTERNATIVES: usize = 8;
/// Most pairs that a single character is widened to.
const PAIRS: usize = 40;
/// Shortest word that is taken for the beginning of another one, in characters.
const SHORTEST_BEGINNING: usize = 3;
/// Shortest word that is looked for inside of another one or taken for a misspelt one, in characters.
const SHORTEST_MISSPELT: usize = 4;
/// The same for words of the text: most short words are one letter from another word that means something else.
const SHORTEST_OF_TEXT: usize = 5;
/// From this length on, two letters may be wrong.
const LONG: usize = 8;
/// Terms of the library that are read for one word.
const TERMS_READ: i64 = 6_000;
/// What a longer word counts, one with a letter wrong, one with two, and one that the word is inside of.
const LONGER: f64 = 0.8;
const ONE_OFF: f64 = 0.7;
const TWO_OFF: f64 = 0.5;
const INSIDE: f64 = 0.5;

/// A word that may be meant, what it counts, and how many documents have it.
type Meant = (String, f64, i64);

/// Widens the words of the question that need it.
pub(super) fn widen(transaction: &Transaction<'_>, query: &mut Query) -> Result<(), LibraryError> {
    let mut names: Option<Vec<(String, i64)>> = None;
    let mut widened = 0;
    for concept in query.concepts.iter_mut().filter(|concept| !concept.phrase && !concept.number) {
        let Some(stem) = concept.alternatives.first().and_then(|own| own.stems.first()).cloned() else { continue };
        let length = stem.chars().count();
        if stem.chars().next().is_some_and(is_unsegmented) {
            if length == 1 {
                let pairs = beginning_with(transaction, &stem)?;
                extend(concept, pairs.into_iter().map(|(pair, _, documents)| (pair, 1.0, documents)).collect(), PAIRS);
            }
            continue;
        }
        let letters = length >= SHORTEST_BEGINNING && stem.chars().all(char::is_alphabetic);
        if !letters || widened == WORDS_WIDENED || is_known(transaction, concept)? {
            continue;
        }
        widened += 1;
        let names = match &mut names {
            Some(names) => names,
            None => names.insert(name_words(transaction)?),
        };
        let mut meant = alike(&stem, names.iter().map(|(word, documents)| (word.as_str(), *documents)), true);
        // A word that stands on some page is no misspelt one.
        let written = !meant.is_empty() || is_written(transaction, concept)?;
        if !written {
            meant = beginning_with(transaction, &stem)?;
        }
        if !written && meant.is_empty() && length >= SHORTEST_OF_TEXT {
            let near = near(transaction, &stem)?;
            meant = alike(&stem, near.iter().map(|(word, documents)| (word.as_str(), *documents)), false);
        }
        extend(concept, meant, ALTERNATIVES);
    }
    Ok(())
}

/// Adds the words that may be meant: those that count most and are most common.
fn extend(concept: &mut Concept, mut meant: Vec<Meant>, most: usize) {
    meant.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.2.cmp(&a.2)).then_with(|| a.0.cmp(&b.0)));
    concept.widened = !meant.is_empty();
    for (word, weight, _) in meant.into_iter().take(most) {
        concept.alternatives.push(Alternative { hashes: vec![hash(Kind::Word, &word)], stems: vec![word], weight });
    }
}

/// Whether a document is known for the word, in any of the languages.
fn is_known(transaction: &Transaction<'_>, concept: &Concept) -> Result<bool, rusqlite::Error> {
    let own = concept.alternatives.iter().filter(|alternative| alternative.weight >= 1.0).flat_map(|own| &own.stems);
    let marked: Vec<String> = own.flat_map(|stem| (1..=LEVEL_COUNT).map(|level| marked(stem, level))).collect();
    let mut find = transaction.prepare_cached("SELECT 1 FROM document_index WHERE document_index MATCH ?1 LIMIT 1")?;
    Ok(find.query_row([match_any(&marked)], |_| Ok(())).optional()?.is_some())
}

/// Whether a page has the word, in any of the languages.
fn is_written(transaction: &Transaction<'_>, concept: &Concept) -> Result<bool, rusqlite::Error> {
    let own = concept.alternatives.iter().filter(|alternative| alternative.weight >= 1.0).flat_map(|own| &own.stems);
    let mut find = transaction.prepare_cached("SELECT 1 FROM page_index WHERE page_index MATCH ?1 LIMIT 1")?;
    Ok(find.query_row([match_any(&own.cloned().collect::<Vec<_>>())], |_| Ok(())).optional()?.is_some())
}

/// The words by which documents are called.
fn name_words(transaction: &Transaction<'_>) -> Result<Vec<(String, i64)>, rusqlite::Error> {
    let mut all = transaction.prepare_cached("SELECT term, doc FROM name_terms")?;
    let words = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    words.collect()
}

/// Those of the words that may be meant by this one: longer ones, else those with the fewest letters wrong, else those that it is a part of.
fn alike<'w>(stem: &str, words: impl Iterator<Item = (&'w str, i64)>, in_parts: bool) -> Vec<Meant> {
    let length = stem.chars().count();
    let allowed = match length {
        ..SHORTEST_MISSPELT => 0,
        SHORTEST_MISSPELT..LONG => 1,
        LONG.. => 2,
    };
    let letters = letters_of(stem);
    let (mut longer, mut off, mut around) = (Vec::new(), Vec::new(), Vec::new());
    for (word, documents) in words.filter(|(word, _)| !word.bytes().all(|byte| byte.is_ascii_digit())) {
        if word.starts_with(stem) {
            longer.push((word.to_owned(), LONGER, documents));
        } else if allowed > 0 && word.len().abs_diff(stem.len()) <= allowed {
            // Letters that only one of two words has are what makes them differ; most words are passed over by that.
            if (letters_of(word) ^ letters).count_ones() as usize > 2 * allowed {
                continue;
            }
            match strsim::osa_distance(stem, word) {
                1 => off.push((word.to_owned(), ONE_OFF, documents)),
                2 if allowed == 2 => off.push((word.to_owned(), TWO_OFF, documents)),
                _ => {}
            }
        } else if length >= SHORTEST_MISSPELT && word.contains(stem) {
            around.push((word.to_owned(), INSIDE, documents));
        }
    }
    if off.iter().any(|(_, weight, _)| *weight == ONE_OFF) {
        off.retain(|(_, weight, _)| *weight == ONE_OFF);
    }
    if !longer.is_empty() {
        longer
    } else if !off.is_empty() || !in_parts {
        off
    } else {
        around
    }
}

/// A bit for each byte that the word has, the same for some.
fn letters_of(word: &str) -> u64 {
    word.bytes().fold(0, |letters, byte| letters | 1 << (byte & 63))
}

/// Words that documents hold and that begin like this one, with how many documents hold them.
fn beginning_with(transaction: &Transaction<'_>, stem: &str) -> Result<Vec<Meant>, rusqlite::Error> {
    let terms = terms_from(transaction, stem)?;
    Ok(terms.into_iter().filter(|(word, _)| word != stem).map(|(word, documents)| (word, LONGER, documents)).collect())
}

/// Words that documents hold and that have their first two letters from this one.
fn near(transaction: &Transaction<'_>, stem: &str) -> Result<Vec<(String, i64)>, rusqlite::Error> {
    let end = stem.char_indices().nth(2).map_or(stem.len(), |(at, _)| at);
    terms_from(transaction, stem.get(..end).unwrap_or_default())
}

/// Words of the document index with this beginning, each once, with the documents of its commonest level.
fn terms_from(transaction: &Transaction<'_>, beginning: &str) -> Result<Vec<(String, i64)>, rusqlite::Error> {
    let mut find = transaction.prepare_cached("SELECT term, doc FROM document_terms WHERE term >= ?1 AND term < ?2 LIMIT ?3")?;
    let mut rows = find.query(params![beginning, format!("{beginning}\u{10FFFF}"), TERMS_READ])?;
    let mut words: Vec<(String, i64)> = Vec::new();
    while let Some(row) = rows.next()? {
        let (term, documents): (String, i64) = (row.get(0)?, row.get(1)?);
        let word = term.rsplit_once('~').map_or(term.as_str(), |(word, _)| word);
        match words.last_mut() {
            Some((last, most)) if last == word => *most = documents.max(*most),
            _ => words.push((word.to_owned(), documents)),
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(stem: &str, words: &[&str]) -> Vec<String> {
        alike(stem, words.iter().map(|word| (*word, 1)), true).into_iter().map(|(word, ..)| word).collect()
    }

    #[test]
    fn words_typed_in_part_or_misspelt_are_told() {
        assert_eq!(meant("finan", &["financi", "final", "find"]), ["financi"]);
        assert_eq!(meant("anual", &["annual", "manual", "audit"]), ["annual", "manual"]);
        assert_eq!(meant("northwnd", &["northwind", "northern", "south"]), ["northwind"]);
        assert_eq!(meant("finaci", &["financi", "fiscal"]), ["financi"]);
        assert_eq!(meant("blizzard", &["activisionblizzard", "block"]), ["activisionblizzard"]);
        assert_eq!(meant("xyz", &["xy", "abc"]), [] as [String; 0]);
        assert_eq!(meant("tax", &["text", "max"]), [] as [String; 0]);
    }
}
