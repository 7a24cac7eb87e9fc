//! Keeping the conversation within the model's window: old tool results become one-line stubs, the newest stay.

use super::scale::{Measure, scaled};
use super::sizes::Sizes;
use super::{stubs, tokens};
use crate::model::HistoryItem;

/// Results shorter than this many bytes stay: a stub would save nothing.
const SMALL: usize = 300;
/// Once results must go, the history shrinks to this share of its room, so that the next turn does not have to shrink it again: every change
/// of old items costs the server its cache.
const SHRINK_TO: f64 = 0.7;
/// The share of the room that is the newest results' even if all else must go.
const NEWEST: f64 = 0.4;
/// Tokens that the words after a cut take.
const CUT_WORDS: u64 = 50;

/// A history that is to be shrunk, with where the present question stands.
pub(super) struct Fitting<'h> {
    pub history: &'h mut Vec<HistoryItem>,
    pub sizes: &'h mut Sizes,
    /// How it is measured.
    pub by: Measure,
    /// The place of the present question; what is before may go as a whole.
    pub start: &'h mut usize,
    /// Takes the pages, as document and number, that were cut off.
    pub lost: &'h mut Vec<(String, u32)>,
}

impl Fitting<'_> {
    /// Shrinks to `room` tokens, in this order: results before the last batch become stubs, oldest first; earlier questions with all that
    /// followed them go; earlier turns of this question go, where they leave little room for the newest results; these are cut. Gives
    /// whether anything was changed.
    pub(super) fn fit(mut self, room: u64) -> bool {
        self.sizes.follow(self.history);
        if self.now() <= room {
            return false;
        }
        let mut changed = false;
        let target = scaled(room, SHRINK_TO);
        for index in 0..last_batch(self.history) {
            if self.now() <= target {
                return changed;
            }
            changed |= self.make_stub(index);
        }
        while self.now() > room && *self.start > 0 {
            let end = self.first_exchange_end();
            self.remove(0..end);
            *self.start -= end;
            changed = true;
        }
        while self.now() > room && self.before_newest() > scaled(room, 1.0 - NEWEST) {
            let Some(turn) = self.first_turn() else { break };
            self.remove(turn);
            changed = true;
        }
        while self.now() > room && self.cut_largest(room) {
            changed = true;
        }
        changed
    }

    fn now(&self) -> u64 {
        self.sizes.total(self.by)
    }

    fn before_newest(&self) -> u64 {
        self.sizes.sum(0..last_batch(self.history), self.by)
    }

    fn make_stub(&mut self, index: usize) -> bool {
        let Some(HistoryItem::ToolResult { id, name, content, images, .. }) = self.history.get(index) else { return false };
        if stubs::is_whole_stub(content) || (content.len() <= SMALL && images.is_empty()) {
            return false;
        }
        let stub = stubs::stub(self.history, id, name, content);
        self.replace(index, stub);
        true
    }

    /// Puts other words into a result; its images go.
    fn replace(&mut self, index: usize, with: String) {
        let size = tokens::rough(&with);
        if let Some(HistoryItem::ToolResult { content, images, .. }) = self.history.get_mut(index) {
            *content = with;
            images.clear();
            self.sizes.set(index, size);
        }
    }

    fn remove(&mut self, range: std::ops::Range<usize>) {
        self.sizes.remove(range.clone());
        self.history.drain(range);
    }

    fn first_exchange_end(&self) -> usize {
        let earlier = self.history.get(..*self.start).unwrap_or_default();
        earlier.iter().skip(1).position(|i| matches!(i, HistoryItem::User { .. })).map_or(earlier.len(), |at| at + 1)
    }

    /// The first turn after the present question, unless it is the one with the newest results.
    fn first_turn(&self) -> Option<std::ops::Range<usize>> {
        let from = *self.start + 1;
        let newest = last_batch(self.history);
        let rest = self.history.get(from..newest).unwrap_or_default();
        let results = rest.iter().position(is_result)?;
        let row = rest.iter().skip(results).take_while(|i| is_result(i)).count();
        Some(from..from + results + row)
    }

    /// Cuts the largest result by what is too much. Gives whether that saved anything.
    fn cut_largest(&mut self, room: u64) -> bool {
        let excess = self.now().saturating_sub(room);
        let results = self.history.iter().enumerate().filter(|(_, item)| match item {
            HistoryItem::ToolResult { content, images, .. } => content.len() > SMALL || !images.is_empty(),
            _ => false,
        });
        let Some((size, index)) = results.map(|(i, _)| (self.sizes.get(i, self.by), i)).max() else { return false };
        let Some(HistoryItem::ToolResult { content, images, .. }) = self.history.get(index) else { return false };
        let of_images = tokens::IMAGE * images.len() as u64;
        let of_text = size.saturating_sub(of_images);
        let keep = (size.saturating_sub(excess + CUT_WORDS)).min(of_text);
        let bytes = share(content.len(), keep, of_text);
        let cut = if keep == of_text { content.clone() } else { stubs::cut(content, bytes) };
        if keep < of_text {
            self.lost.extend(stubs::lost_pages(content, &cut));
        }
        // The same count for the same text: what is kept in proportion, not counted anew by a cruder measure.
        let after = if keep == of_text { of_text } else { keep + CUT_WORDS };
        if after >= size {
            return false;
        }
        self.replace(index, cut);
        self.sizes.set(index, after);
        true
    }
}

/// So many of `whole` as `part` is of `of`.
fn share(whole: usize, part: u64, of: u64) -> usize {
    let bytes = (whole as u64).saturating_mul(part).checked_div(of).unwrap_or(0);
    usize::try_from(bytes).unwrap_or(whole)
}

fn is_result(item: &HistoryItem) -> bool {
    matches!(item, HistoryItem::ToolResult { .. })
}

/// Where the last unbroken row of results begins, with the calls and remarks before it left out.
fn last_batch(history: &[HistoryItem]) -> usize {
    let end = history.iter().rposition(is_result).map_or(0, |i| i + 1);
    let row = history.get(..end).unwrap_or_default().iter().rev().take_while(|i| is_result(i)).count();
    end - row
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::sizes::rough_sum;
    use super::super::stubs::is_stub;
    use super::*;
    use crate::model::Image;

    fn call(id: &str) -> HistoryItem {
        HistoryItem::ToolCall {
            id: id.into(),
            name: "get_page_content".into(),
            arguments: json!({"doc_name": "a.pdf"}),
            payload: None,
        }
    }

    fn result(id: &str, page: u32, size: usize) -> HistoryItem {
        let content = json!({"success": true, "doc_name": "a.pdf", "returned_pages": format!("{page}-{}", page + 2), "content": [{"page": page, "text": "x".repeat(size)}]});
        HistoryItem::ToolResult {
            id: id.into(),
            name: "get_page_content".into(),
            content: content.to_string(),
            is_error: false,
            images: vec![],
        }
    }

    fn exchange(n: u32, size: usize) -> Vec<HistoryItem> {
        let id = format!("c{n}");
        vec![
            HistoryItem::User { text: format!("question {n}") },
            call(&id),
            result(&id, n, size),
            HistoryItem::Assistant { text: format!("answer {n}"), payload: None },
        ]
    }

    fn contents(history: &[HistoryItem]) -> Vec<&str> {
        history
            .iter()
            .filter_map(|i| if let HistoryItem::ToolResult { content, .. } = i { Some(content.as_str()) } else { None })
            .collect()
    }

    fn fit(history: &mut Vec<HistoryItem>, start: &mut usize, room: u64) -> bool {
        let mut sizes = Sizes::default();
        let lost = &mut Vec::new();
        let changed = Fitting { history, sizes: &mut sizes, by: Measure::Rough, start, lost }.fit(room);
        let counted = sizes.total(Measure::Rough);
        assert!(counted.abs_diff(rough_sum(history)) <= counted / 10 + 60, "{counted} for {}", rough_sum(history));
        changed
    }

    #[test]
    fn the_oldest_results_become_stubs_and_the_newest_stays() {
        let mut history: Vec<HistoryItem> = (1..=3).flat_map(|n| exchange(n, 4_000)).collect();
        let mut start = 8;
        assert!(!fit(&mut history, &mut start, 10_000));
        assert!(fit(&mut history, &mut start, 2_500));
        let now = contents(&history);
        assert_eq!(now[0], "[pages 1-3 of a.pdf were read here; ask again if needed]");
        assert!(is_stub(now[0]) && is_stub(now[1]) && !is_stub(now[2]));
        assert_eq!((history.len(), start), (12, 8));
    }

    #[test]
    fn old_exchanges_go_when_stubs_are_not_enough_and_the_newest_is_cut_at_last() {
        let mut history: Vec<HistoryItem> = (1..=3).flat_map(|n| exchange(n, 4_000)).collect();
        let mut start = 8;
        assert!(fit(&mut history, &mut start, 300));
        assert_eq!((history.len(), start), (4, 0));
        assert!(rough_sum(&history) <= 310);
        assert!(
            contents(&history)[0].starts_with("{\"success\":true,\"doc_name\":\"a.pdf\",\"returned_pages\":\"3-5\"")
                && is_stub(contents(&history)[0])
        );
    }

    #[test]
    fn the_question_stays_whatever_stands_before_and_after_it() {
        // Words of the runtime are no question: they do not make what is before them an old exchange.
        let mut history = exchange(1, 10);
        history.push(HistoryItem::User { text: "the question".into() });
        let mut start = 4;
        history.push(HistoryItem::Assistant { text: "a draft".into(), payload: None });
        history.push(HistoryItem::User { text: "cite".into() });
        for n in 0..30 {
            history.extend([call(&format!("d{n}")), result(&format!("d{n}"), n, 2_000)]);
        }
        assert!(fit(&mut history, &mut start, 400));
        assert_eq!(start, 0);
        assert!(matches!(&history[0], HistoryItem::User { text } if text == "the question"));
        assert!(rough_sum(&history) <= 420, "{}", rough_sum(&history));
        assert!(contents(&history).last().unwrap().contains("\"returned_pages\":\"29-31\""), "{history:?}");
        assert!(super::super::history::is_valid(&history));
    }

    #[test]
    fn images_count_and_go_with_the_stub() {
        let with_images = |id: &str| {
            let HistoryItem::ToolResult { id, name, content, is_error, .. } = result(id, 1, 10) else { panic!() };
            let image = Image { mime: "image/png".into(), data: "x".repeat(50_000) };
            HistoryItem::ToolResult { id, name, content, is_error, images: vec![image.clone(), image] }
        };
        let mut history = vec![HistoryItem::User { text: "q".into() }, call("a"), with_images("a"), call("b"), with_images("b")];
        let images = |history: &[HistoryItem]| -> Vec<usize> {
            history
                .iter()
                .filter_map(|i| if let HistoryItem::ToolResult { images, .. } = i { Some(images.len()) } else { None })
                .collect()
        };
        assert!(fit(&mut history, &mut 0, 3_000));
        assert_eq!(images(&history), [0, 2]);
        assert!(fit(&mut history, &mut 0, 1_000));
        assert_eq!(images(&history), [0, 0]);
        assert!(!is_stub(contents(&history)[1]), "the text had room");
    }
}
