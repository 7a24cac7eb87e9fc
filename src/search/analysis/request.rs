//! What a question says beside its words: which of its sentences ask, whether it asks for an amount, which page it names.

use std::ops::Range;

use super::fold::fold;
use super::scan::{Kind, Piece, scan};

/// What sentences that only surround the question count ("We want to compare two years.", "Round your answer.").
const BESIDE_WEIGHT: f64 = 0.5;
/// What a condition counts ("If the data is not available, say so.").
const CONDITION_WEIGHT: f64 = 0.2;

/// Words that ask for an amount, in the languages of the stop words.
const AMOUNTS: &str = "amount total sum ratio rate percent percentage margin number value cost costs price revenue revenues sales turnover \
     growth average balance income profit loss expense expenses expenditure expenditures spending budget salary dividend dividends eps \
     ebitda debt assets liabilities cash tax capex much many betrag höhe umsatz wieviel viele anzahl summe gewinn combien montant nombre \
     importe cuánto cuántos cuántas quanto quanti quanta quantos importo hoeveel bedrag";

/// What a question says beside its words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// An amount is wanted: it stands where numbers are.
    pub amount: bool,
    /// Pages that it names ("on page 8", "the cover"), as numbers; whether physical or printed is for the reader of the text to find out.
    pub pages: Vec<u32>,
}

impl Request {
    /// Reads it.
    pub fn new(text: &str) -> Self {
        let mut request = Self { amount: text.contains(['%', '$', '€', '£']), pages: Vec::new() };
        let mut before = String::new();
        scan(text, &mut |piece| {
            let Piece::Word { kind, text: word, .. } = piece else { return };
            let page = matches!(before.as_str(), "page" | "pages" | "seite" | "página" | "pagina");
            match kind {
                Kind::Number if page => request.pages.extend(word.parse::<u32>().ok()),
                Kind::Word if word == "page" && matches!(before.as_str(), "first" | "title" | "cover" | "front") => {
                    request.pages.push(1)
                }
                Kind::Word if word == "cover" => request.pages.push(1),
                Kind::Word => request.amount |= AMOUNTS.split_whitespace().any(|amount| amount == word),
                Kind::Number | Kind::Bigram => {}
            }
            word.clone_into(&mut before);
        });
        request
    }
}

/// How much each sentence counts. Without a question mark all count alike.
pub fn sentence_weights(text: &str) -> Vec<(Range<usize>, f64)> {
    let sentences = sentences(text);
    let asks = |range: &Range<usize>| text.get(range.clone()).is_some_and(|sentence| sentence.trim_end().ends_with('?'));
    if !sentences.iter().any(asks) {
        return sentences.into_iter().map(|range| (range, 1.0)).collect();
    }
    let weight = |range: &Range<usize>| {
        if asks(range) {
            return 1.0;
        }
        let start = fold(text.get(range.clone()).unwrap_or_default().trim_start()).into_owned();
        if start.starts_with("if ") { CONDITION_WEIGHT } else { BESIDE_WEIGHT }
    };
    sentences.into_iter().map(|range| (range.clone(), weight(&range))).collect()
}

/// The sentences: cut after `.`, `?`, `!` that white space and a capital letter or digit follow, and after the last one.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut ended: Option<usize> = None;
    let mut spaced = false;
    for (at, c) in text.char_indices() {
        if let (Some(end), true) = (ended, spaced)
            && (c.is_uppercase() || c.is_ascii_digit())
        {
            sentences.push(start..end);
            start = end;
        }
        match c {
            '.' | '?' | '!' | '？' => (ended, spaced) = (Some(at + c.len_utf8()), c == '？'),
            _ if c.is_whitespace() => spaced = ended.is_some(),
            _ => (ended, spaced) = (None, false),
        }
    }
    sentences.push(start..text.len());
    sentences
}
