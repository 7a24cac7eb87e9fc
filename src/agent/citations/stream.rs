//! Showing an answer while it is written.

use super::render::{Renderer, next_piece};

/// Turns a model's raw text, as it comes, into text for people: citations become `[n]`, the not-found tag disappears, and no half of a tag
/// is ever shown. What all calls give, joined, equals [`Answer::answer`](crate::agent::Answer::answer) of the same raw text, however it was
/// cut into pieces. One stream serves one text: begin a new one with each turn and after each `discarded`.
#[derive(Debug, Clone, Default)]
pub struct CiteStream {
    renderer: Renderer,
    pending: String,
}

impl CiteStream {
    /// A stream for one text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes more raw text and gives what can be shown by now. What may be part of a tag is kept back.
    pub fn push(&mut self, delta: &str) -> String {
        self.pending.push_str(delta);
        self.drain(false)
    }

    /// Ends the text and gives what was kept back; a tag that was never finished is dropped.
    pub fn finish(&mut self) -> String {
        self.drain(true)
    }

    fn drain(&mut self, last: bool) -> String {
        let mut out = String::new();
        let mut used = 0;
        while let Some((piece, length)) = next_piece(self.pending.get(used..).unwrap_or_default(), last) {
            out.push_str(&self.renderer.push(&piece));
            used += length;
        }
        self.pending.drain(..used);
        out
    }
}
