//! What a model says in a reply, by either interface: text for people, and calls that it wrote as text.

use super::content::{ContentFilter, Piece, TextCall};
use crate::model::{ModelDelta, ToolSpec};

/// Bytes of text that one reply may have: several times what the models with the longest outputs can write.
const LONGEST: usize = 4 * 1024 * 1024;

/// The text of a reply in the making.
pub(super) struct Speech<'a> {
    filter: ContentFilter<'a>,
    /// All text for people so far.
    pub text: String,
    /// Calls that were written as text.
    pub calls: Vec<TextCall>,
    /// Not all of what came was for people: there was reasoning in it, or a call.
    pub filtered: bool,
}

impl<'a> Speech<'a> {
    pub(super) fn new(tools: &'a [ToolSpec]) -> Self {
        let filter = ContentFilter::new(tools.iter().map(|t| t.name.as_str()).collect());
        Self { filter, text: String::new(), calls: Vec::new(), filtered: false }
    }

    /// Takes more text; `deltas` hears what is clear by now.
    pub(super) fn hear(&mut self, text: &str, deltas: &mut (dyn FnMut(ModelDelta) + Send)) {
        let mut pieces = Vec::new();
        self.filter.push(text, &mut pieces);
        self.take(pieces, deltas);
    }

    /// Whether it has no end that anybody would wait for.
    pub(super) fn is_endless(&self) -> bool {
        self.text.len() > LONGEST
    }

    /// Takes text that can be nothing else.
    pub(super) fn say(&mut self, text: String, deltas: &mut (dyn FnMut(ModelDelta) + Send)) {
        self.take(vec![Piece::Text(text)], deltas);
    }

    /// The text, or a part of it that stands alone, is over. `cut`: the bound on the output was reached, so that a call which has no end
    /// may be half of one, and is none.
    pub(super) fn end(&mut self, cut: bool, deltas: &mut (dyn FnMut(ModelDelta) + Send)) {
        let mut pieces = Vec::new();
        self.filter.finish(&mut pieces);
        let closed = self.calls.len();
        self.take(pieces, deltas);
        if cut {
            self.calls.truncate(closed);
        }
    }

    fn take(&mut self, pieces: Vec<Piece>, deltas: &mut (dyn FnMut(ModelDelta) + Send)) {
        for piece in pieces {
            self.filtered |= !matches!(piece, Piece::Text(_));
            match piece {
                Piece::Text(text) => {
                    self.text.push_str(&text);
                    deltas(ModelDelta::Text(text));
                }
                Piece::Thinking(text) => deltas(ModelDelta::Thinking(text)),
                Piece::WasThinking if self.text.is_empty() => {}
                Piece::WasThinking => {
                    deltas(ModelDelta::Discarded);
                    deltas(ModelDelta::Thinking(std::mem::take(&mut self.text)));
                }
                Piece::Call(call) => self.calls.push(call),
            }
        }
    }
}
