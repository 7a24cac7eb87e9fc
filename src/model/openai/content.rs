//! Sorts streamed text: words for people, reasoning in `<think>`, and tool calls that a model wrote as text because its server did not
//! read them. What may be such a call is held back until it is clear; marks of a chat template are taken out.

mod notations;

use serde_json::Value;

use self::notations::{CONTROL, NOTATIONS, Notation};
use super::arguments;

/// Marks around reasoning at the beginning of a reply.
const THINKS: [(&str, &str); 5] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
];

/// The end of reasoning whose beginning the chat template wrote itself.
const THOUGHT: &str = "</think>";

/// Marks that begin the header of a message in the harmony format, and the mark that ends it.
const HEADERS: [&str; 2] = ["<|channel|>", "<|start|>"];
const HEADER_END: &str = "<|message|>";

/// What ends a message in that format.
const MESSAGE_ENDS: [&str; 5] = ["<|end|>", "<|call|>", "<|return|>", "<|start|>", "<|channel|>"];

/// Text held back at most, in bytes; a longer block is no call.
const LONGEST_CALL: usize = 64 * 1024;

/// A header is a few words.
const LONGEST_HEADER: usize = 400;

/// A call written as text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TextCall {
    pub name: String,
    pub arguments: Value,
}

/// What comes out, in order.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Text(String),
    Thinking(String),
    Call(TextCall),
    /// The text so far turns out to have been reasoning.
    WasThinking,
}

#[derive(Debug, Clone, PartialEq)]
enum State {
    /// Nothing but white space so far.
    Start,
    /// Until this mark.
    Thinking(&'static str),
    Plain,
    /// After the opening mark of a block that may hold calls.
    Block(Notation),
    /// The whole text starts like an object or a list of objects.
    Object,
    /// In the header of a harmony message.
    Header,
    /// In the reasoning of one.
    Analysis,
    /// In the arguments of the call of this tool.
    Arguments(String),
}

/// The sorter. It needs the names of the tools, since only a known one makes a call.
#[derive(Debug)]
pub(super) struct ContentFilter<'a> {
    tools: Vec<&'a str>,
    state: State,
    held: String,
    /// Reasoning has come, so a further end of it means nothing.
    thought: bool,
    /// The last character that was let go, to tell a mark from one that is quoted.
    last: Option<char>,
}

impl<'a> ContentFilter<'a> {
    pub(super) fn new(tools: Vec<&'a str>) -> Self {
        Self { tools, state: State::Start, held: String::new(), thought: false, last: None }
    }

    /// Takes more text; `out` gets what is clear by now.
    pub(super) fn push(&mut self, text: &str, out: &mut Vec<Piece>) {
        self.held.push_str(text);
        while self.step(out) {}
    }

    /// The text is over; `out` gets the rest.
    pub(super) fn finish(&mut self, out: &mut Vec<Piece>) {
        let rest = std::mem::take(&mut self.held);
        match std::mem::replace(&mut self.state, State::Plain) {
            State::Thinking(_) | State::Analysis => say(rest, Piece::Thinking, out),
            State::Start | State::Plain => say(rest, Piece::Text, out),
            // The closing mark is often lost as the model's stop word.
            State::Block(notation) => self.block(notation, &rest, false, out),
            State::Object => match notations::bare(&rest, &self.tools) {
                Ok(calls) => out.extend(calls.into_iter().map(Piece::Call)),
                Err(text) => say(text, Piece::Text, out),
            },
            State::Header => {}
            State::Arguments(name) => out.push(harmony_call(name, &rest)),
        }
    }

    /// One decision; false when more text is needed for the next.
    fn step(&mut self, out: &mut Vec<Piece>) -> bool {
        match self.state.clone() {
            State::Start => self.start(),
            State::Thinking(close) => match self.held.split_once(close) {
                Some((thought, rest)) => {
                    let (thought, rest) = (thought.to_owned(), rest.to_owned());
                    self.let_go(thought, Piece::Thinking, out);
                    self.held = rest;
                    self.state = State::Start;
                    true
                }
                None => {
                    self.release(&[close], Piece::Thinking, out);
                    false
                }
            },
            State::Plain => self.plain(out),
            State::Block(notation) => {
                let closed = if notation.close.is_empty() { None } else { self.held.split_once(notation.close) };
                if let Some((inside, rest)) = closed {
                    let (inside, rest) = (inside.to_owned(), rest.to_owned());
                    self.block(notation, &inside, true, out);
                    self.held = rest;
                    self.state = State::Plain;
                    return true;
                }
                if self.held.len() > LONGEST_CALL {
                    say(format!("{}{}", notation.open, std::mem::take(&mut self.held)), Piece::Text, out);
                    self.state = State::Plain;
                }
                false
            }
            State::Object => {
                if self.held.len() > LONGEST_CALL {
                    self.state = State::Plain;
                    return true;
                }
                false
            }
            State::Header => {
                if let Some((header, rest)) = self.held.split_once(HEADER_END) {
                    self.state = match notations::recipient(header, &self.tools) {
                        Some(name) => State::Arguments(name),
                        // What is for a tool that is not there is not for people either.
                        None if header.contains("analysis") || header.contains("to=") => State::Analysis,
                        None => State::Plain,
                    };
                    self.thought |= self.state == State::Analysis;
                    self.held = rest.to_owned();
                    return true;
                }
                if self.held.len() > LONGEST_HEADER {
                    self.state = State::Plain;
                    return true;
                }
                false
            }
            State::Analysis | State::Arguments(_) => self.message(out),
        }
    }

    fn start(&mut self) -> bool {
        let seen = self.held.trim_start();
        let may_become = |mark: &str| seen.len() < mark.len() && mark.starts_with(seen);
        if THINKS.iter().any(|(open, _)| may_become(open)) {
            return false;
        }
        if let Some((rest, close)) = THINKS.iter().find_map(|(open, close)| Some((seen.strip_prefix(open)?, *close))) {
            self.held = rest.to_owned();
            self.state = State::Thinking(close);
            self.thought = true;
            return true;
        }
        let list = seen.strip_prefix('[').map(str::trim_start);
        if self.tools.is_empty() {
            self.state = State::Plain;
        } else if list == Some("") {
            return false;
        } else if seen.starts_with('{') || list.is_some_and(|l| l.starts_with('{')) {
            self.state = State::Object;
        } else {
            self.state = State::Plain;
        }
        true
    }

    fn plain(&mut self, out: &mut Vec<Piece>) -> bool {
        let notations = if self.tools.is_empty() { &[][..] } else { &NOTATIONS[..] };
        let opens = notations.iter().map(|n| n.open);
        let marks: Vec<&str> = opens.chain(HEADERS).chain(CONTROL).chain([THOUGHT]).collect();
        // Of two at one place the longer one counts.
        let mark_at = |at: usize| {
            let rest = self.held.get(at..).unwrap_or_default();
            marks.iter().filter(|mark| rest.starts_with(**mark)).max_by_key(|mark| mark.len()).map(|mark| (at, *mark))
        };
        let Some((at, mark)) = self.held.match_indices(['<', '`', '[']).find_map(|(at, _)| mark_at(at)) else {
            self.release(&marks, Piece::Text, out);
            return false;
        };
        let rest = self.held.split_off(at);
        let before = std::mem::replace(&mut self.held, rest.get(mark.len()..).unwrap_or_default().to_owned());
        let quoted = before.chars().next_back().or(self.last).is_some_and(|c| matches!(c, '`' | '"'));
        self.let_go(before, Piece::Text, out);
        if mark == THOUGHT && quoted {
            self.let_go(mark.to_owned(), Piece::Text, out);
        } else if mark == THOUGHT && !self.thought {
            self.thought = true;
            self.state = State::Start;
            out.push(Piece::WasThinking);
        } else if HEADERS.contains(&mark) {
            self.state = State::Header;
        } else if let Some(notation) = notations.iter().find(|n| n.open == mark) {
            self.state = State::Block(*notation);
        }
        true
    }

    /// The body of a harmony message that is not for people.
    fn message(&mut self, out: &mut Vec<Piece>) -> bool {
        let end = MESSAGE_ENDS.iter().filter_map(|mark| self.held.find(mark).map(|at| (at, *mark))).min_by_key(|(at, _)| *at);
        let Some((at, mark)) = end else {
            if self.state == State::Analysis {
                self.release(&MESSAGE_ENDS, Piece::Thinking, out);
            }
            return false;
        };
        let rest = self.held.split_off(at).get(mark.len()..).unwrap_or_default().to_owned();
        let body = std::mem::replace(&mut self.held, rest);
        let next = if HEADERS.contains(&mark) { State::Header } else { State::Plain };
        match std::mem::replace(&mut self.state, next) {
            State::Arguments(name) => out.push(harmony_call(name, &body)),
            _ => self.let_go(body, Piece::Thinking, out),
        }
        true
    }

    /// Lets go of all but an end that may be the beginning of a mark.
    fn release(&mut self, marks: &[&str], piece: fn(String) -> Piece, out: &mut Vec<Piece>) {
        let longest = marks.iter().map(|mark| mark.len().saturating_sub(1)).max().unwrap_or(0);
        let from = self.held.len().saturating_sub(longest);
        let keep = self.held.char_indices().map(|(at, _)| at).filter(|at| *at >= from).find(|at| {
            let tail = self.held.get(*at..).unwrap_or_default();
            marks.iter().any(|mark| mark.starts_with(tail))
        });
        let kept = self.held.split_off(keep.unwrap_or(self.held.len()));
        let clear = std::mem::replace(&mut self.held, kept);
        self.let_go(clear, piece, out);
    }

    fn let_go(&mut self, text: String, piece: fn(String) -> Piece, out: &mut Vec<Piece>) {
        self.last = text.chars().next_back().or(self.last);
        say(text, piece, out);
    }

    fn block(&self, notation: Notation, inside: &str, closed: bool, out: &mut Vec<Piece>) {
        match notation.read(inside, closed, &self.tools) {
            Ok(calls) => out.extend(calls.into_iter().map(Piece::Call)),
            Err(text) => say(text, Piece::Text, out),
        }
    }
}

fn say(text: String, piece: fn(String) -> Piece, out: &mut Vec<Piece>) {
    if !text.is_empty() {
        out.push(piece(text));
    }
}

fn harmony_call(name: String, body: &str) -> Piece {
    Piece::Call(TextCall { name, arguments: arguments::read(body) })
}

/// The calls in a whole text, if there are any.
pub(super) fn calls_in(text: &str, tools: Vec<&str>) -> Vec<TextCall> {
    let (mut filter, mut pieces) = (ContentFilter::new(tools), Vec::new());
    filter.push(text, &mut pieces);
    filter.finish(&mut pieces);
    pieces.into_iter().filter_map(|piece| if let Piece::Call(call) = piece { Some(call) } else { None }).collect()
}

#[cfg(test)]
mod tests;
