//! The loop: turns and calls until there is an answer, or a reason why there is none.

use std::time::Instant;

use tracing::Instrument;

use super::judge::{Asked, Judgement, is_substantial, is_worse};
use super::promise::ends_in_promise;
use super::runner::{End, Run};
use super::turns::{Failure, Reply, Turn};
use super::types::{AgentEvent, Outcome};
use super::{citations, history, outcome, trace};
use crate::model::{Finish, HistoryItem};
use crate::prompts::Prompt;

/// What the loop remembers from turn to turn.
#[derive(Default)]
struct Progress {
    asked: Asked,
    /// An answer that is asked for again, or one that the model gave and read on; better than none.
    draft: Option<Reply>,
    /// Turns in which the model called tools although none could be called.
    deaf: u32,
}

/// Why a turn is the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// No calls are left; the answer itself may take more than one turn.
    Calls,
    /// No turn, no time or no tokens are left for another one.
    All,
}

/// Turns in which a model may call tools against being told not to, before the run ends.
const DEAF: u32 = 2;

impl Run<'_> {
    /// From the question to the end. The history holds the answer when there is one, and is valid in any case.
    pub(super) async fn go(&mut self, question: &str) -> End {
        let toolbox = self.agent.toolbox.clone();
        let documents = self.conversation.documents.clone();
        let gate = self.gate.clone();
        let instructions = match gate.wait(toolbox.instructions(&documents)).await {
            Ok(Ok(instructions)) => instructions,
            Ok(Err(error)) => return End::without_answer(Outcome::Error, error.to_string()),
            Err(halt) => return self.halted(halt),
        };
        self.measure_fixed(&instructions);
        self.instructions = instructions;
        self.conversation.history.push(HistoryItem::User { text: question.to_owned() });
        let turns = self.agent.limits.turns.max(1);
        let mut progress = Progress::default();
        for turn in 1..=turns {
            if let Err(halt) = self.gate.check() {
                return self.give_up(progress, self.halted(halt));
            }
            self.emit(AgentEvent::TurnStarted { turn });
            let last = self.last(turn == turns);
            let kind = match last {
                None => Turn::Open,
                Some(_) if progress.deaf == 0 => Turn::Last,
                Some(_) => Turn::Bare,
            };
            let (before, started) = (self.usage, Instant::now());
            let span = trace::turn(&self.agent.model.label(), turn);
            let mut reply = match self.turn(kind).instrument(span.clone()).await {
                Ok(reply) => reply,
                Err(failure) => return self.after_failure(progress, failure),
            };
            let spent = self.usage.since(before);
            span.in_scope(|| trace::turn_finished(&span, turn, &spent, reply.calls.len(), started.elapsed()));
            if last.is_some() && is_substantial(&reply.text) {
                // It answers and calls tools all the same: the answer counts.
                reply.without_calls();
            }
            let end = if reply.calls.is_empty() {
                self.consider(reply, &mut progress, last != Some(Last::All))
            } else {
                self.call(reply, &mut progress, last).await
            };
            if let Some(end) = end {
                return if end.raw.is_empty() && end.outcome == Outcome::Limit { self.give_up(progress, end) } else { end };
            }
        }
        let end = End::without_answer(Outcome::Limit, format!("the limit of {turns} turns was reached without an answer"));
        self.give_up(progress, end)
    }

    /// Whether the turn that begins must be the last one: no turn or no call is left, or the next one would not come to its end.
    fn last(&mut self, final_turn: bool) -> Option<Last> {
        self.sizes.follow(&self.conversation.history);
        // A turn costs about what the history holds, and the one after it more.
        let tokens_end = self.agent.limits.total_tokens.is_some_and(|total| self.spent + 2 * self.expected() > total);
        if final_turn || tokens_end || self.gate.nearly_over() {
            Some(Last::All)
        } else if self.calls_left == 0 {
            Some(Last::Calls)
        } else {
            None
        }
    }

    /// A draft that was to be given again with citations is better than a failure; not better than what the user stopped.
    fn give_up(&mut self, progress: Progress, end: End) -> End {
        match progress.draft {
            Some(draft) if end.outcome != Outcome::Interrupted => self.accept_draft(draft),
            _ => end,
        }
    }

    fn after_failure(&mut self, progress: Progress, failure: Failure) -> End {
        // A request that the server refuses or cannot hold would be refused again with every later question, so what it held goes. The
        // question itself was taken when there was a reply to it; it stays, so that a person can say "try again".
        if let Failure::Model(error) = &failure
            && progress.draft.is_none()
            && poisons(error.kind)
        {
            let kept = self.start + usize::from(self.usage.requests > 0);
            self.conversation.history.truncate(kept);
            if kept > self.start {
                self.conversation.history.push(history::no_answer());
            }
        }
        let end = self.failed(failure);
        self.give_up(progress, end)
    }

    /// Runs the calls of a turn.
    async fn call(&mut self, reply: Reply, progress: &mut Progress, last: Option<Last>) -> Option<End> {
        let tail = std::mem::take(&mut self.tail);
        // A draft and the words that asked again and led to these calls are part of what happened; words after an empty reply are not.
        let mut items = if matches!(tail.first(), Some(HistoryItem::Assistant { .. })) { tail } else { Vec::new() };
        if let Some(draft) = progress.draft.as_mut() {
            draft.words_alone();
        }
        items.extend(reply.items);
        let broken = self.run_calls(items, &reply.calls, last.is_none()).await;
        if citations::tags(&reply.text).citations > 0 && !ends_in_promise(&reply.text) {
            progress.draft = Some(Reply::of_words(reply.text));
        }
        if let Some(halt) = broken.halt
            && self.gate.check().is_err()
        {
            return Some(self.halted(halt));
        }
        if let Some(stop) = broken.stop {
            return Some(End::without_answer(Outcome::Error, stop.message));
        }
        if last.is_some() {
            progress.deaf += 1;
            if progress.deaf >= DEAF {
                return Some(End::without_answer(Outcome::Limit, "the model went on calling tools after a limit was reached"));
            }
        }
        None
    }

    /// Decides about a text without calls.
    fn consider(&mut self, reply: Reply, progress: &mut Progress, turns_left: bool) -> Option<End> {
        match self.judge(&reply, &mut progress.asked, turns_left) {
            Judgement::Accept => {
                let better = progress.draft.take_if(|draft| is_worse(&reply.text, &draft.text));
                Some(match better {
                    Some(draft) => {
                        self.discard(reply.text);
                        self.accept_draft(draft)
                    }
                    None => self.accept(reply),
                })
            }
            Judgement::Fail(end) => {
                self.discard(reply.text);
                Some(match progress.draft.take() {
                    Some(draft) => self.accept_draft(draft),
                    None => end,
                })
            }
            Judgement::AskAgain(prompt) => {
                self.ask_again(&reply, prompt);
                if progress.draft.as_ref().is_none_or(|draft| !is_worse(&reply.text, &draft.text)) {
                    progress.draft = Some(reply);
                }
                None
            }
            Judgement::AskOn(prompt) => {
                self.ask_again(&reply, prompt);
                None
            }
        }
    }

    /// Has the next request ask once more. What the model said stands before these words, unless it said nothing.
    fn ask_again(&mut self, reply: &Reply, prompt: Prompt) {
        let words = self.agent.prompts.needed(prompt);
        self.emit(AgentEvent::Discarded { text: reply.text.clone() });
        let words = HistoryItem::User { text: words.to_owned() };
        if citations::display(&reply.text).is_empty() {
            self.tail.push(words);
        } else {
            self.tail = reply.items.iter().cloned().chain([words]).collect();
        }
    }

    /// Takes an earlier text as the answer; who reads along gets it again.
    fn accept_draft(&mut self, draft: Reply) -> End {
        self.emit(AgentEvent::Text { delta: draft.text.clone() });
        self.accept(draft)
    }

    fn accept(&mut self, reply: Reply) -> End {
        self.tail.clear();
        self.conversation.history.extend(reply.items);
        if reply.finish == Finish::Length {
            let error = Some(match self.agent.limits.output_tokens {
                Some(_) => "the answer was cut off at the limit on output tokens".to_owned(),
                None => "the answer was cut off: the model's window is full, or its server limits the length of answers".to_owned(),
            });
            return End { outcome: Outcome::Limit, raw: reply.text, error, kind: None };
        }
        End { outcome: outcome::of(&reply.text), raw: reply.text, error: None, kind: None }
    }
}

fn poisons(kind: crate::model::ModelErrorKind) -> bool {
    use crate::model::ModelErrorKind::{BadReply, ContextTooLong, Refused};
    matches!(kind, Refused | ContextTooLong | BadReply)
}
