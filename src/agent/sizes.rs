//! How many tokens each item of a history takes, counted once.

use std::borrow::Cow;

use super::scale::Measure;
use super::tokens::{self, Sample};
use crate::model::HistoryItem;

/// Tokens that a message costs beside its text.
const OVERHEAD: u64 = 6;

/// The counts of one text or item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    /// By characters.
    rough: u64,
    /// By the tokeniser, once it was asked.
    close: Option<u64>,
}

impl Size {
    /// Of a text.
    pub(super) fn of_text(text: &str) -> Self {
        Self { rough: tokens::rough(text), close: None }
    }

    /// Of an item.
    fn of(item: &HistoryItem) -> Self {
        Self { rough: rough(item), close: None }
    }

    /// In this measure; what was not counted yet counts as it is roughly.
    pub(super) fn tokens(self, by: Measure) -> u64 {
        match by {
            Measure::Rough => self.rough,
            Measure::Close => self.close.unwrap_or(self.rough),
        }
    }
}

/// The counts of a history, item by item. Whoever changes the history in other ways than at its end says so here.
#[derive(Debug, Default)]
pub(super) struct Sizes {
    items: Vec<Size>,
}

impl Sizes {
    /// Takes in what was added at the end, or cut off there.
    pub(super) fn follow(&mut self, history: &[HistoryItem]) {
        self.items.truncate(history.len());
        let new = history.get(self.items.len()..).unwrap_or_default();
        self.items.extend(new.iter().map(Size::of));
    }

    /// All items.
    pub(super) fn total(&self, by: Measure) -> u64 {
        self.items.iter().map(|s| s.tokens(by)).sum()
    }

    /// The items in this range.
    pub(super) fn sum(&self, range: std::ops::Range<usize>, by: Measure) -> u64 {
        self.items.get(range).unwrap_or_default().iter().map(|s| s.tokens(by)).sum()
    }

    /// One item.
    pub(super) fn get(&self, index: usize, by: Measure) -> u64 {
        self.items.get(index).map_or(0, |s| s.tokens(by))
    }

    /// An item was replaced by a short one, or cut to so many tokens.
    pub(super) fn set(&mut self, index: usize, tokens: u64) {
        if let Some(size) = self.items.get_mut(index) {
            *size = Size { rough: tokens, close: Some(tokens) };
        }
    }

    /// Items are gone.
    pub(super) fn remove(&mut self, range: std::ops::Range<usize>) {
        let end = range.end.min(self.items.len());
        self.items.drain(range.start.min(end)..end);
    }

    /// What the tokeniser has not counted yet, with its place.
    pub(super) fn uncounted(&self, history: &[HistoryItem]) -> Vec<(usize, Sample)> {
        let open = self.items.iter().zip(history).enumerate().filter(|(_, (size, _))| size.close.is_none());
        open.map(|(at, (_, item))| (at, Sample::of(&text(item)))).collect()
    }

    /// Takes over a count of the tokeniser.
    pub(super) fn counted(&mut self, index: usize, history: &[HistoryItem], tokens: u64) {
        if let (Some(size), Some(item)) = (self.items.get_mut(index), history.get(index)) {
            size.close = Some(tokens + beside_text(item));
        }
    }
}

/// The text of an item as a tokeniser gets to see it, roughly.
fn text(item: &HistoryItem) -> Cow<'_, str> {
    match item {
        HistoryItem::User { text } => text.into(),
        HistoryItem::Assistant { text, payload: None } => text.into(),
        HistoryItem::Assistant { text, payload: Some(payload) } => format!("{text}{payload}").into(),
        HistoryItem::ToolCall { name, arguments, payload: None, .. } => format!("{name}{arguments}").into(),
        HistoryItem::ToolCall { name, arguments, payload: Some(payload), .. } => format!("{name}{arguments}{payload}").into(),
        HistoryItem::ToolResult { content, .. } => content.into(),
    }
}

fn beside_text(item: &HistoryItem) -> u64 {
    let images = if let HistoryItem::ToolResult { images, .. } = item { images.len() as u64 } else { 0 };
    OVERHEAD + tokens::IMAGE * images
}

/// A rough count of an item.
pub(super) fn rough(item: &HistoryItem) -> u64 {
    beside_text(item) + tokens::rough(&text(item))
}

/// A rough count of some items.
pub(super) fn rough_sum(items: &[HistoryItem]) -> u64 {
    items.iter().map(rough).sum()
}
