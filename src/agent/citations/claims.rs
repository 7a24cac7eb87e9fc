//! Which text a citation stands for: from the end of the previous citation or sentence up to the tag.

use std::ops::Range;

use super::parse::{Found, Tag};
use super::render::Piece;

/// Citations that stand side by side, and their claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The citations, in order.
    pub tags: Vec<Tag>,
    /// The claim, in [`Passage::plain`].
    pub claim: Range<usize>,
    /// More of the claim after the tag, for a tag near the beginning of its sentence ("According to <tag>, revenue was ...").
    pub after: Range<usize>,
    /// The whole sentence.
    pub sentence: Range<usize>,
}

/// A text without its tags, and its citations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Passage {
    /// The text; a blank stands for each tag.
    pub plain: String,
    /// The citations in order.
    pub groups: Vec<Group>,
}

impl Passage {
    /// The text of a claim.
    pub(super) fn claim(&self, group: &Group) -> String {
        let part = |range: &Range<usize>| self.plain.get(range.clone()).unwrap_or_default();
        format!("{} {}", part(&group.claim), part(&group.after))
    }

    /// The sentence of a claim.
    pub(super) fn sentence(&self, group: &Group) -> &str {
        self.plain.get(group.sentence.clone()).unwrap_or_default()
    }
}

/// Words up to which a claim before a tag is taken for the mere lead of its sentence.
const LEAD_WORDS: usize = 3;

/// Finds the claims of a text.
pub(super) fn passage(pieces: &[Piece<'_>]) -> Passage {
    let mut plain = String::new();
    let mut tags: Vec<(usize, &Tag)> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => plain.push_str(text),
            Piece::Found(Found::Cite(found)) => {
                tags.extend(found.iter().map(|t| (plain.len(), t)));
                plain.push(' ');
            }
            Piece::Found(_) => plain.push(' '),
        }
    }
    let starts = sentence_starts(&plain);
    let mut groups: Vec<Group> = Vec::new();
    let mut positions: Vec<usize> = Vec::new();
    for (at, tag) in tags {
        let since = positions.last().and_then(|&p| plain.get(p..at));
        if let (Some(between), Some(group)) = (since, groups.last_mut())
            && joins(between)
        {
            group.tags.push(tag.clone());
            if let Some(p) = positions.last_mut() {
                *p = at;
            }
            continue;
        }
        let claim = claim_range(&plain, &starts, positions.last().copied().unwrap_or(0), at);
        let end = starts.get(starts.partition_point(|&s| s <= at)).copied().unwrap_or(plain.len());
        let sentence_start = starts.iter().rev().copied().find(|&s| s <= claim.start).unwrap_or(0);
        let inside = !starts.iter().any(|&s| s > sentence_start && s <= at);
        let sentence = sentence_start..if inside { end } else { at };
        groups.push(Group { tags: vec![tag.clone()], claim, after: at..at, sentence });
        positions.push(at);
    }
    extend_leads(&plain, &mut groups, &positions);
    Passage { plain, groups }
}

/// A tag near the beginning of its sentence stands for the rest of it, unless the rest has its own citation.
fn extend_leads(plain: &str, groups: &mut [Group], positions: &[usize]) {
    for (i, group) in groups.iter_mut().enumerate() {
        let (Some(&at), next) = (positions.get(i), positions.get(i + 1).copied().unwrap_or(usize::MAX)) else { continue };
        let lead = plain.get(group.claim.clone()).unwrap_or_default();
        let words = lead.split_whitespace().filter(|w| has_words(w)).count();
        let has_figure = lead.chars().any(|c| c.is_ascii_digit());
        if words <= LEAD_WORDS && !has_figure && group.sentence.end > at && next >= group.sentence.end {
            group.after = at..group.sentence.end;
        }
    }
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// Whether nothing but blanks, punctuation or a joining word stands between two tags of the same line.
fn joins(between: &str) -> bool {
    let bare: String = between.chars().filter(|c| c.is_alphanumeric()).collect();
    let joining = matches!(bare.as_str(), "" | "and" | "und" | "et" | "y" | "e" | "also" | "sowie");
    joining && !between.contains('\n') && !between.contains('|')
}

fn claim_range(plain: &str, starts: &[usize], previous: usize, at: usize) -> Range<usize> {
    for &start in starts.iter().rev().filter(|&&s| s <= at) {
        let from = start.max(previous);
        let text = plain.get(from..at).unwrap_or_default();
        if has_words(without_marker(text)) {
            return from..at;
        }
        // An empty item of a list or cell of a table has no claim; a tag after the full stop belongs to the sentence before.
        if from == previous && previous > 0 || text.chars().any(|c| !c.is_whitespace() && !is_closer(c)) {
            return at..at;
        }
    }
    at..at
}

/// A line without its list marker.
fn without_marker(text: &str) -> &str {
    let trimmed = text.trim_start();
    let digits = trimmed.chars().take_while(char::is_ascii_digit).count();
    match trimmed.get(digits..).and_then(|rest| rest.strip_prefix(['.', ')'])) {
        Some(rest) if digits > 0 && digits <= 3 && rest.chars().next().is_none_or(char::is_whitespace) => rest,
        _ => trimmed,
    }
}

fn is_closer(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '*' | '_' | '”' | '’' | '»' | '.' | '!' | '?' | ',' | ';')
}

/// Where sentences, list items, table rows and paragraphs begin, as byte offsets; the first is 0.
pub(super) fn sentence_starts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut line_start = 0;
    for (i, &(at, c)) in chars.iter().enumerate() {
        match c {
            '\n' => {
                let next = at + 1;
                let line = text.get(line_start..at).unwrap_or_default();
                if line_breaks(line, text.get(next..).unwrap_or_default()) {
                    starts.push(next);
                }
                line_start = next;
            }
            '。' | '！' | '？' => starts.push(at + c.len_utf8()),
            '.' | '!' | '?' | '…' => {
                if let Some(start) = after_stop(&chars, i)
                    && (c != '.' || !is_abbreviation(text.get(..at).unwrap_or_default()))
                {
                    starts.push(start);
                }
            }
            _ => {}
        }
    }
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// Where the next sentence begins when the character at `i` ends one.
fn after_stop(chars: &[(usize, char)], i: usize) -> Option<usize> {
    let mut next = i + 1;
    while chars.get(next).is_some_and(|&(_, c)| is_closer(c) || c == '…') {
        next += 1;
    }
    if !chars.get(next)?.1.is_whitespace() {
        return None;
    }
    while chars.get(next).is_some_and(|&(_, c)| c.is_whitespace()) {
        next += 1;
    }
    let &(at, c) = chars.get(next)?;
    let opens = c.is_uppercase() || c.is_ascii_digit() || (c.is_alphabetic() && !c.is_lowercase());
    (opens || words_open(c)).then_some(at)
}

fn words_open(c: char) -> bool {
    matches!(c, '"' | '\'' | '“' | '‘' | '„' | '«' | '(' | '[' | '*' | '_' | '¿' | '¡' | '$' | '€' | '£')
}

/// Whether a line end between these two lines ends a sentence. A line wrapped in the middle of a sentence does not.
fn line_breaks(line: &str, rest: &str) -> bool {
    let next = rest.split('\n').next().unwrap_or_default();
    let ends = line.trim_end();
    let blank = ends.is_empty() || next.trim().is_empty();
    let block = |l: &str| {
        let l = l.trim_start();
        let marker = l.starts_with(['-', '*', '•', '+', '–']) && l.chars().nth(1).is_some_and(char::is_whitespace);
        l.starts_with(['|', '#', '>']) || marker || without_marker(l).len() < l.len()
    };
    let heading = ends.trim_start().starts_with(['#', '|']);
    blank || block(next) || heading || ends.ends_with(['.', '!', '?', ':', '。', '”', '"'])
}

/// Whether the text ends in an abbreviation, whose full stop ends no sentence.
fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“')).next().unwrap_or_default();
    let letters = word.trim_matches(|c: char| !c.is_alphanumeric());
    if letters.contains('.') && letters.split('.').all(|p| p.chars().count() == 1 && p.chars().all(char::is_alphabetic)) {
        return true;
    }
    let single = letters.chars().count() == 1 && letters.chars().all(char::is_alphabetic);
    single
        || matches!(
            letters.to_lowercase().as_str(),
            "inc"
                | "corp"
                | "ltd"
                | "co"
                | "no"
                | "nos"
                | "vs"
                | "mr"
                | "mrs"
                | "ms"
                | "dr"
                | "st"
                | "approx"
                | "ca"
                | "cf"
                | "etc"
                | "fig"
                | "figs"
                | "pp"
                | "sec"
                | "art"
                | "abs"
                | "bzw"
                | "nr"
                | "mio"
                | "mrd"
                | "tsd"
                | "resp"
                | "incl"
                | "excl"
                | "est"
                | "jan"
                | "feb"
                | "mar"
                | "apr"
                | "jun"
                | "jul"
                | "aug"
                | "sept"
                | "sep"
                | "oct"
                | "nov"
                | "dec"
                | "dept"
                | "para"
                | "ch"
                | "vol"
                | "ed"
                | "al"
                | "prof"
                | "rev"
                | "gen"
                | "pág"
                | "núm"
        )
}

#[cfg(test)]
mod tests {
    use super::super::render::pieces;
    use super::*;

    fn claims(text: &str) -> Vec<(String, usize)> {
        let pieces = pieces(text);
        let passage = passage(&pieces);
        passage.groups.iter().map(|g| (passage.claim(g).split_whitespace().collect::<Vec<_>>().join(" "), g.tags.len())).collect()
    }

    fn one(text: &str) -> String {
        claims(text).into_iter().map(|(claim, _)| claim).collect::<Vec<_>>().join(" / ")
    }

    const C: &str = "<cite doc=\"a.pdf\" page=\"1\"/>";

    #[test]
    fn a_claim_reaches_back_to_the_last_citation_or_sentence() {
        assert_eq!(one(&format!("Sales fell. Revenue was 5 {C}.")), "Revenue was 5");
        assert_eq!(
            one(&format!("Revenue in the year was 5 {C}, up from last year's 4 {C}.")),
            "Revenue in the year was 5 / , up from last year's 4"
        );
        assert_eq!(one(&format!("Sales fell. Revenue was 5. {C} Then 6 came. {C}")), "Revenue was 5. / Then 6 came.");
        assert_eq!(
            one(&format!("Acme Inc. of the U.S. paid approx. 5.5 million {C}.")),
            "Acme Inc. of the U.S. paid approx. 5.5 million"
        );
        assert_eq!(one(&format!("Results:\n- Revenue was 5 {C}\n- Costs were 4 {C}")), "- Revenue was 5 / - Costs were 4");
        assert_eq!(one(&format!("Revenue in the year\nwas 5 {C}")), "Revenue in the year was 5");
        assert_eq!(one(&format!("| Revenue | 5 {C} |\n| Costs | 4 {C} |")), "| Revenue | 5 / | Costs | 4");
        assert_eq!(one(&format!("销售额下降。收入为5亿元{C}。")), "收入为5亿元");
    }

    #[test]
    fn citations_side_by_side_share_a_claim() {
        assert_eq!(claims(&format!("Revenue was 5 {C}{C} and {C}.")), [("Revenue was 5".to_owned(), 3)]);
        assert_eq!(claims("Revenue was 5 [a.pdf, p. 1; b.pdf, p. 2].").first().map(|c| c.1), Some(2));
    }

    #[test]
    fn a_leading_citation_stands_for_the_sentence_after_it() {
        assert_eq!(one("According to [a.pdf, p. 3], revenue was 5. Costs were 4."), "According to , revenue was 5.");
        assert_eq!(one("According to [a.pdf, p. 3], revenue was 5 [a.pdf, p. 4]."), "According to / , revenue was 5");
    }

    #[test]
    fn an_empty_item_has_no_claim() {
        assert_eq!(one("Revenue rose 5 %:\n\n- <cite doc=\"a.pdf\" page=\"1\">words here</cite>"), "");
    }
}
