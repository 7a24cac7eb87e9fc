//! The loop: turns and calls until there is an answer, or a reason why there is none.

use super::citations;
use super::nudges;
use super::outcome;
use super::runner::{End, Run};
use super::turns::{Failure, Reply};
use super::types::{AgentEvent, Outcome};
use crate::model::{Finish, HistoryItem};

/// What becomes of a text that could be the answer.
enum Judgement {
    Accept,
    /// Ask once more, with these words.
    AskAgain(&'static str),
    Fail(End),
}

/// What the loop remembers from turn to turn.
#[derive(Default)]
struct Progress {
    asked_empty: bool,
    asked_citations: bool,
    /// An answer without citations that is asked for again; better than none.
    draft: Option<Reply>,
    /// Turns in which the model called tools although none could be called.
    deaf: u32,
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
        self.conversation.history.push(HistoryItem::User { text: question.to_owned() });
        let turns = self.agent.limits.turns.max(1);
        let mut progress = Progress::default();
        for turn in 1..=turns {
            if let Err(halt) = self.gate.check() {
                return self.give_up(progress, self.halted(halt));
            }
            self.emit(AgentEvent::TurnStarted { turn });
            let final_turn = turn == turns;
            let last = final_turn || self.calls_left == 0;
            let reply = match self.turn(&instructions, last).await {
                Ok(reply) => reply,
                Err(failure) => return self.after_failure(progress, failure),
            };
            tracing::debug!(
                turn,
                calls = reply.calls.len(),
                input_tokens = self.usage.input_tokens,
                output_tokens = self.usage.output_tokens,
                "turn finished"
            );
            let end = if reply.calls.is_empty() {
                self.consider(reply, &mut progress, final_turn)
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

    /// A draft that was to be given again with citations is better than a failure; not better than what the user stopped.
    fn give_up(&mut self, progress: Progress, end: End) -> End {
        match progress.draft {
            Some(draft) if end.outcome != Outcome::Interrupted => {
                self.emit(AgentEvent::Text { delta: draft.text.clone() });
                self.accept(draft)
            }
            _ => end,
        }
    }

    fn after_failure(&mut self, progress: Progress, failure: Failure) -> End {
        // A request that the server refuses or cannot hold would be refused again with every later question: it goes.
        if let Failure::Model(error) = &failure
            && progress.draft.is_none()
            && poisons(error.kind)
        {
            self.conversation.history.truncate(self.start);
        }
        let end = self.failed(failure);
        self.give_up(progress, end)
    }

    /// Runs the calls of a turn and puts both into the history, in one step: a future that is dropped leaves no call without its result.
    async fn call(&mut self, reply: Reply, progress: &mut Progress, last: bool) -> Option<End> {
        let batch = self.run_calls(&reply.calls, !last).await;
        let tail = std::mem::take(&mut self.tail);
        // A draft and the request for citations that led to these calls are part of what happened; a request after an empty reply is not.
        if matches!(tail.first(), Some(HistoryItem::Assistant { .. })) {
            self.conversation.history.extend(tail);
        }
        self.conversation.history.extend(reply.items);
        self.conversation.history.extend(batch.results);
        if let Some(halt) = batch.halt {
            return Some(self.halted(halt));
        }
        if let Some(stop) = batch.stop {
            return Some(End::without_answer(Outcome::Error, stop.message));
        }
        if last {
            progress.deaf += 1;
            if progress.deaf >= DEAF {
                return Some(End::without_answer(
                    Outcome::Limit,
                    "the model went on calling tools after the limit on calls was reached",
                ));
            }
        }
        None
    }

    /// Decides about a text without calls.
    fn consider(&mut self, reply: Reply, progress: &mut Progress, final_turn: bool) -> Option<End> {
        match self.judge(&reply, progress, final_turn) {
            Judgement::Accept => Some(self.accept(reply)),
            Judgement::Fail(end) => {
                self.discard(reply.text);
                match progress.draft.take() {
                    Some(draft) => {
                        self.emit(AgentEvent::Text { delta: draft.text.clone() });
                        Some(self.accept(draft))
                    }
                    None => Some(end),
                }
            }
            Judgement::AskAgain(words) => {
                self.emit(AgentEvent::Discarded { text: reply.text.clone() });
                let words = HistoryItem::User { text: words.to_owned() };
                if words_only(&reply) {
                    self.tail.push(words);
                } else {
                    self.tail = reply.items.iter().cloned().chain([words]).collect();
                    progress.draft = Some(reply);
                }
                None
            }
        }
    }

    fn judge(&self, reply: &Reply, progress: &mut Progress, final_turn: bool) -> Judgement {
        if reply.finish == Finish::Refused {
            return Judgement::Fail(End::without_answer(Outcome::Error, "the model refused to answer (content filter)"));
        }
        let tags = citations::tags(&reply.text);
        let shown = citations::display(&reply.text);
        if shown.is_empty() && tags.not_found.is_none() {
            if reply.finish == Finish::Length {
                let why = "the model used up its output tokens before it answered; raise the limit on output tokens";
                return Judgement::Fail(End::without_answer(Outcome::Limit, why));
            }
            if progress.asked_empty || final_turn {
                return Judgement::Fail(End::without_answer(
                    Outcome::Error,
                    "the model gave an empty answer, also when asked again",
                ));
            }
            progress.asked_empty = true;
            return Judgement::AskAgain(nudges::EMPTY);
        }
        let uncited = tags.citations == 0 && !outcome::says_not_found(&reply.text, tags) && self.wants_citations(&shown);
        if uncited && !progress.asked_citations && !final_turn && reply.finish != Finish::Length {
            progress.asked_citations = true;
            return Judgement::AskAgain(nudges::CITE);
        }
        Judgement::Accept
    }

    /// Claims want citations where pages were read, and where nothing was looked at at all but figures are given. An answer about the library
    /// itself (which documents there are) has no page to cite.
    fn wants_citations(&self, shown: &str) -> bool {
        let from_pages = self.conversation.evidence.has_pages();
        let from_memory = self.records.is_empty() && outcome::has_figure(shown);
        outcome::has_claims(shown) && (from_pages || from_memory)
    }

    fn accept(&mut self, reply: Reply) -> End {
        self.tail.clear();
        self.conversation.history.extend(reply.items);
        if reply.finish == Finish::Length {
            let error = Some("the answer was cut off at the limit on output tokens".to_owned());
            return End { outcome: Outcome::Limit, raw: reply.text, error };
        }
        End { outcome: outcome::of(&reply.text), raw: reply.text, error: None }
    }
}

fn words_only(reply: &Reply) -> bool {
    citations::display(&reply.text).is_empty()
}

fn poisons(kind: crate::model::ModelErrorKind) -> bool {
    use crate::model::ModelErrorKind::{BadReply, ContextTooLong, Refused};
    matches!(kind, Refused | ContextTooLong | BadReply)
}
