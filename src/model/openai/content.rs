//! Sorts streamed text: words for people, reasoning in `<think>`, and tool calls that a model wrote as text because its server did not
//! read them. What may be such a call is held back until it is clear.

use serde_json::{Map, Value};

use super::arguments;

const THINK: (&str, &str) = ("<think>", "</think>");
const TOOL_CALL: (&str, &str) = ("<tool_call>", "</tool_call>");
const FENCE: (&str, &str) = ("```", "```");

/// Text held back at most, in bytes; a longer block is no call.
const LONGEST_CALL: usize = 64 * 1024;

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
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    /// Nothing but white space so far.
    Start,
    Thinking,
    Plain,
    /// After the opening mark of a block that may hold calls.
    Block(&'static str, &'static str),
    /// The whole text starts like an object.
    Object,
}

/// The sorter. It needs the names of the tools, since only a known one makes a call.
#[derive(Debug)]
pub(super) struct ContentFilter<'a> {
    tools: Vec<&'a str>,
    state: State,
    held: String,
}

impl<'a> ContentFilter<'a> {
    pub(super) fn new(tools: Vec<&'a str>) -> Self {
        Self { tools, state: State::Start, held: String::new() }
    }

    /// Takes more text; `out` gets what is clear by now.
    pub(super) fn push(&mut self, text: &str, out: &mut Vec<Piece>) {
        self.held.push_str(text);
        while self.step(out) {}
    }

    /// The text is over; `out` gets the rest.
    pub(super) fn finish(&mut self, out: &mut Vec<Piece>) {
        let rest = std::mem::take(&mut self.held);
        match self.state {
            State::Thinking => say(rest, Piece::Thinking, out),
            State::Start | State::Plain => say(rest, Piece::Text, out),
            // The closing mark is often lost as the model's stop word.
            State::Block(open, _) => self.block(open, &rest, "", out),
            State::Object => match call_of(&rest, &self.tools, true) {
                Some(call) => out.push(Piece::Call(call)),
                None => say(rest, Piece::Text, out),
            },
        }
        self.state = State::Plain;
    }

    /// One decision; false when more text is needed for the next.
    fn step(&mut self, out: &mut Vec<Piece>) -> bool {
        match self.state {
            State::Start => {
                let seen = self.held.trim_start();
                if seen.is_empty() || (seen.len() < THINK.0.len() && THINK.0.starts_with(seen)) {
                    return false;
                }
                if let Some(rest) = seen.strip_prefix(THINK.0) {
                    self.held = rest.to_owned();
                    self.state = State::Thinking;
                } else if seen.starts_with('{') && !self.tools.is_empty() {
                    self.state = State::Object;
                } else {
                    self.state = State::Plain;
                }
                true
            }
            State::Thinking => match self.held.split_once(THINK.1) {
                Some((thought, rest)) => {
                    say(thought.to_owned(), Piece::Thinking, out);
                    self.held = rest.to_owned();
                    self.state = State::Start;
                    true
                }
                None => {
                    self.release(&[THINK.1], Piece::Thinking, out);
                    false
                }
            },
            State::Plain => {
                let marks = if self.tools.is_empty() { &[][..] } else { &[TOOL_CALL, FENCE][..] };
                let first = marks.iter().filter_map(|mark| self.held.find(mark.0).map(|at| (at, *mark))).min_by_key(|(at, _)| *at);
                let Some((at, (open, close))) = first else {
                    self.release(&marks.iter().map(|m| m.0).collect::<Vec<_>>(), Piece::Text, out);
                    return false;
                };
                let rest = self.held.split_off(at);
                say(std::mem::replace(&mut self.held, rest.get(open.len()..).unwrap_or_default().to_owned()), Piece::Text, out);
                self.state = State::Block(open, close);
                true
            }
            State::Block(open, close) => {
                if let Some((inside, rest)) = self.held.split_once(close) {
                    let (inside, rest) = (inside.to_owned(), rest.to_owned());
                    self.block(open, &inside, close, out);
                    self.held = rest;
                    self.state = State::Plain;
                    return true;
                }
                if self.held.len() > LONGEST_CALL {
                    say(format!("{open}{}", std::mem::take(&mut self.held)), Piece::Text, out);
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
        }
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
        say(std::mem::replace(&mut self.held, kept), piece, out);
    }

    fn block(&self, open: &str, inside: &str, close: &str, out: &mut Vec<Piece>) {
        let strict = open == FENCE.0;
        let content = if strict { inside.strip_prefix("json").unwrap_or(inside) } else { inside };
        match calls_of(content.trim(), &self.tools, strict) {
            Some(calls) => out.extend(calls.into_iter().map(Piece::Call)),
            None => say(format!("{open}{inside}{close}"), Piece::Text, out),
        }
    }
}

fn say(text: String, piece: fn(String) -> Piece, out: &mut Vec<Piece>) {
    if !text.is_empty() {
        out.push(piece(text));
    }
}

/// One call or a list of calls; all of them must name known tools.
fn calls_of(text: &str, tools: &[&str], strict: bool) -> Option<Vec<TextCall>> {
    if let Ok(Value::Array(list)) = serde_json::from_str::<Value>(text) {
        let calls: Vec<TextCall> = list
            .into_iter()
            .map(|item| match item {
                Value::Object(object) => call_from(object, tools, strict),
                _ => None,
            })
            .collect::<Option<_>>()?;
        return (!calls.is_empty()).then_some(calls);
    }
    call_of(text, tools, strict).map(|call| vec![call])
}

fn call_of(text: &str, tools: &[&str], strict: bool) -> Option<TextCall> {
    call_from(arguments::object(text)?, tools, strict)
}

/// Reads `{"name", "arguments"}` under the names that models use. `strict`: the arguments must be there, since a plain block with a name
/// can be an example in an answer.
fn call_from(mut object: Map<String, Value>, tools: &[&str], strict: bool) -> Option<TextCall> {
    if let Some(Value::Object(inner)) = object.get_mut("function").map(Value::take) {
        return call_from(inner, tools, strict);
    }
    let name = ["name", "tool", "tool_name", "function"].iter().find_map(|f| object.get(*f).and_then(Value::as_str))?.to_owned();
    if !tools.contains(&name.as_str()) {
        return None;
    }
    let given = ["arguments", "parameters", "args", "input"].iter().find_map(|f| object.remove(*f));
    if strict && given.is_none() {
        return None;
    }
    Some(TextCall { name, arguments: arguments::read_value(given.unwrap_or(Value::Null)) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// Text, thinking and calls when the input comes in pieces of `size` characters.
    fn sorted(input: &str, size: usize, tools: &[&str]) -> (String, String, Vec<TextCall>) {
        let mut filter = ContentFilter::new(tools.to_vec());
        let mut out = Vec::new();
        let chars: Vec<char> = input.chars().collect();
        for piece in chars.chunks(size) {
            filter.push(&piece.iter().collect::<String>(), &mut out);
        }
        filter.finish(&mut out);
        let (mut text, mut thinking, mut calls) = (String::new(), String::new(), Vec::new());
        for piece in out {
            match piece {
                Piece::Text(t) => text.push_str(&t),
                Piece::Thinking(t) => thinking.push_str(&t),
                Piece::Call(c) => calls.push(c),
            }
        }
        (text, thinking, calls)
    }

    const TOOLS: [&str; 2] = ["get_page_content", "browse_documents"];

    #[test]
    fn calls_in_tags_fences_and_bare_objects_are_found_however_the_text_is_split() {
        let call = TextCall { name: "get_page_content".into(), arguments: json!({"pages": "1,3"}) };
        for (input, text) in [
            (
                "Let me look.\n<tool_call>\n{\"name\": \"get_page_content\", \"arguments\": {\"pages\": \"1,3\"}}\n</tool_call>",
                "Let me look.\n",
            ),
            ("<tool_call>{\"name\": \"get_page_content\", \"arguments\": \"{\\\"pages\\\": \\\"1,3\\\"}\"}", ""),
            (
                "I read it:\n```json\n{\"name\": \"get_page_content\", \"parameters\": {\"pages\": \"1,3\"}}\n```\n",
                "I read it:\n\n",
            ),
            ("```\n[{\"tool\": \"get_page_content\", \"args\": {\"pages\": \"1,3\"}}]\n```", ""),
            (" {\"name\": \"get_page_content\", \"arguments\": {\"pages\": \"1,3\",}}", ""),
            ("{\"type\": \"function\", \"function\": {\"name\": \"get_page_content\", \"arguments\": {\"pages\": \"1,3\"}}}", ""),
        ] {
            for size in [1, 2, 7, 1000] {
                assert_eq!(sorted(input, size, &TOOLS), (text.to_owned(), String::new(), vec![call.clone()]), "{size}: {input}");
            }
        }
    }

    #[test]
    fn what_is_no_call_stays_text() {
        for input in [
            "Use ```json\n{\"name\": \"other_tool\", \"arguments\": {}}\n``` so.",
            "The tool is ```{\"name\": \"get_page_content\"}```",
            "{\"answer\": 42}",
            "a < b and <tool> <tool_cal",
            "<tool_call>not json</tool_call> after",
            "``` code ``` and ```",
            "<thin ice>",
        ] {
            for size in [1, 3, 1000] {
                assert_eq!(sorted(input, size, &TOOLS), (input.to_owned(), String::new(), vec![]), "{size}");
            }
        }
    }

    #[test]
    fn reasoning_in_the_text_is_told_apart() {
        for size in [1, 4, 1000] {
            assert_eq!(sorted("<think>Hm < so </think>Yes.", size, &TOOLS), ("Yes.".into(), "Hm < so ".into(), vec![]));
            assert_eq!(sorted("\n<think>never closed", size, &[]), (String::new(), "never closed".into(), vec![]));
            let (text, _, calls) =
                sorted("<think>a</think>\n<tool_call>{\"name\": \"browse_documents\"}</tool_call>", size, &TOOLS);
            assert_eq!((text.trim(), calls.len()), ("", 1));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn without_tools_and_tags_text_passes_unchanged(input in "[a-z`{}<>/ \né]{0,40}", size in 1_usize..6) {
            prop_assert_eq!(sorted(&input, size, &[]).0, input.clone());
            prop_assert_eq!(sorted(&input, size, &TOOLS).0, input);
        }
    }
}
