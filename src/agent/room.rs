//! Making room: measuring a request, shrinking the history to what the window leaves for it, and learning from a server that found it too
//! long.

use super::context::Fitting;
use super::overflow;
use super::runner::{Halt, Run};
use super::scale::{Measure, scaled};
use super::sizes::{Size, rough_sum};
use super::tokens::{self, Sample};
use super::types::{AgentEvent, PageRead};
use crate::model::{ModelError, ModelErrorKind};

/// Output tokens that the window keeps free when no bound on the output is set; a quarter of a small window.
const OUTPUT_RESERVE: u64 = 4_096;
/// The share of the window at which it counts as near: from here on the tokeniser counts.
const NEAR: f64 = 0.5;
/// What a history keeps when the server finds it too long and does not say by how much.
const SHRINK: f64 = 0.6;
/// The least that must be left for question and results.
const LEAST_ROOM: u64 = 128;

impl Run<'_> {
    /// The model's window: what was set, or less if the server said so or refused as much.
    pub(super) fn window(&self) -> u64 {
        self.guessed_window.unwrap_or(u64::MAX).min(self.named_window())
    }

    /// The window without what was only guessed.
    fn named_window(&self) -> u64 {
        self.window.unwrap_or(u64::MAX).min(self.agent.limits.context_tokens)
    }

    /// The bound on the output of a turn. One that takes most of the window would leave no room to read.
    pub(super) fn output_bound(&self) -> Option<u32> {
        let half = u32::try_from(self.window() / 2).unwrap_or(u32::MAX);
        self.agent.limits.output_tokens.map(|bound| bound.min(half.max(1)))
    }

    fn output_reserve(&self) -> u64 {
        self.output_bound().map_or_else(|| OUTPUT_RESERVE.min(self.window() / 4), u64::from)
    }

    /// Measures what every request holds: instructions and tools.
    pub(super) fn measure_fixed(&mut self, instructions: &str) {
        let mut text = instructions.to_owned();
        for spec in &self.specs {
            text.push_str(&spec.name);
            text.push_str(&spec.description);
            text.push_str(&spec.schema.to_string());
        }
        self.fixed = Size::of_text(&text);
    }

    /// Our own count of a request; the server's is this times the factor.
    pub(super) fn estimate(&self) -> u64 {
        self.fixed.tokens(self.measure) + rough_sum(&self.tail) + self.sizes.total(self.measure)
    }

    fn factor(&self) -> f64 {
        self.agent.learned.factor(self.measure)
    }

    /// What the server will count, as far as we know.
    pub(super) fn expected(&self) -> u64 {
        scaled(self.estimate(), self.factor())
    }

    /// Brings the sizes up to date, with the tokeniser once the window is near.
    async fn measure(&mut self) -> Result<(), Halt> {
        self.sizes.follow(&self.conversation.history);
        if self.measure == Measure::Rough && self.expected() < scaled(self.window(), NEAR) {
            return Ok(());
        }
        let open = self.sizes.uncounted(&self.conversation.history);
        if open.is_empty() {
            return Ok(());
        }
        let rough = self.estimate();
        let (places, samples): (Vec<usize>, Vec<Sample>) = open.into_iter().unzip();
        let gate = self.gate.clone();
        let Some(counts) = gate.wait(tokens::count(samples)).await? else {
            // The tokeniser failed on one of these texts: the rough count has to do for them.
            return Ok(());
        };
        for (place, count) in places.into_iter().zip(counts) {
            self.sizes.counted(place, &self.conversation.history, count);
        }
        if self.measure == Measure::Rough {
            self.measure = Measure::Close;
            self.agent.learned.carry_over(rough, self.estimate());
        }
        Ok(())
    }

    /// Shrinks the history to what the window leaves for it. Gives whether anything was changed.
    pub(super) async fn make_room(&mut self) -> Result<bool, Halt> {
        self.measure().await?;
        let room = self.room();
        Ok(self.fit(room))
    }

    fn fit(&mut self, room: u64) -> bool {
        let mut lost = Vec::new();
        let fitting = Fitting {
            history: &mut self.conversation.history,
            sizes: &mut self.sizes,
            by: self.measure,
            start: &mut self.start,
            lost: &mut lost,
        };
        let changed = fitting.fit(room);
        for (doc, page) in lost {
            self.forget(PageRead { doc, page });
        }
        changed
    }

    /// A page was cut off before the model saw it: it was not read.
    fn forget(&mut self, read: PageRead) {
        if !self.unseen.remove(&read) {
            return;
        }
        if let Some(document) = self.conversation.evidence.documents.get_mut(&read.doc) {
            document.pages.remove(&read.page);
        }
        self.pages_read.remove(&read);
    }

    /// Tokens for the history, in our own count.
    fn room(&self) -> u64 {
        let window = scaled(self.window().saturating_sub(self.output_reserve()), 1.0 / self.factor());
        let beside = self.fixed.tokens(self.measure) + rough_sum(&self.tail);
        window.saturating_sub(beside).max(LEAST_ROOM)
    }

    /// Why no conversation can be held in this window, if so.
    pub(super) fn cannot_fit(&self) -> Option<ModelError> {
        let fixed = scaled(self.fixed.tokens(self.measure), self.factor());
        let window = self.named_window();
        (fixed + LEAST_ROOM > window).then(|| {
            let message = format!(
                "the instructions and the tools alone take about {fixed} tokens, and the model's window is {window}: there is no room to \
                 read anything"
            );
            ModelError::new(ModelErrorKind::ContextTooLong, message)
                .with_hint("Choose a model with a larger window, or start its server with one; if it has one, set the context tokens to it.")
        })
    }

    /// Shortens a request that the server found too long, to the window that it names if it does. Gives whether there is anything to try
    /// again with.
    pub(super) fn shorten(&mut self, error: &ModelError) -> bool {
        let (before, bound) = (self.window(), self.output_bound());
        let told = overflow::read(&error.message);
        let bound_asked = bound.map_or(0, u64::from);
        if let Some(input) = told.input.or(told.asked.map(|asked| asked.saturating_sub(bound_asked))) {
            self.agent.learned.told(self.measure, self.estimate(), input, true);
        }
        match told.window {
            Some(window) => self.window = Some(window.min(self.named_window())),
            // This much is known: what was asked was too much.
            None => self.guessed_window = Some((self.expected() + bound_asked).min(before)),
        }
        let room = self.room();
        let mut changed = self.fit(room) || self.output_bound() != bound;
        if !changed || told.window.is_none() {
            let smaller = scaled(self.sizes.total(self.measure), SHRINK);
            changed |= self.fit(smaller);
        }
        if changed {
            let window = self.window();
            let reason = match told.window {
                Some(_) if window < before => {
                    format!("the model's window is {window} tokens, as its server says; older results were shortened")
                }
                _ => "the conversation was too long for the model; older results were shortened".to_owned(),
            };
            self.emit(AgentEvent::Retry { after_ms: 0, reason });
        }
        changed
    }
}
