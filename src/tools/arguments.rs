//! Reading the arguments of a call. Models send sloppy JSON: what can only mean one thing is understood, everything else is a failure
//! that names the arguments and says what is wanted. All that is wrong is said at once.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::definition::{Argument, Tool};
use super::envelope::{Envelope, ErrorCode, NextSteps};
use super::json::to_json;
use super::kind::{Given, in_words, quote};
use super::measure::escaped_len;

/// The longest raw text that is tried as JSON when a model sent text in place of an object.
const MAX_RAW_BYTES: usize = 1 << 20;

/// Most unknown arguments that one message names.
const MAX_NAMED: usize = 3;

/// The arguments of one call: those of the tool and no others, each understood, those that are left out with what that means.
pub(super) struct Arguments<'a> {
    /// The tool that they are for.
    pub tool: &'static Tool,
    values: &'a Map<String, Value>,
    given: Vec<(&'static str, Given<'a>)>,
}

/// What a model sent as an object: the object itself, null for no arguments, or text that holds an object.
pub(super) fn object<'a>(tool: &Tool, sent: &'a Value) -> Result<Cow<'a, Map<String, Value>>, Box<Envelope>> {
    let failure = |problem: &str| Err(failure(tool, problem, corrected(tool, &Map::new())));
    match sent {
        Value::Object(values) => Ok(Cow::Borrowed(values)),
        Value::Null => Ok(Cow::Owned(Map::new())),
        Value::String(raw) if raw.trim().is_empty() => Ok(Cow::Owned(Map::new())),
        Value::String(raw) => match object_in(raw) {
            Some(values) => Ok(Cow::Owned(values)),
            None => failure(&format!("the arguments are not a JSON object: {}", quote(raw))),
        },
        other => failure(&format!("the arguments must be a JSON object, not {}", in_words(other))),
    }
}

/// The object inside raw text, for models that wrap their arguments twice.
fn object_in(raw: &str) -> Option<Map<String, Value>> {
    if raw.len() > MAX_RAW_BYTES {
        return None;
    }
    match serde_json::from_str(raw) {
        Ok(Value::Object(values)) => Some(values),
        _ => None,
    }
}

impl<'a> Arguments<'a> {
    /// Understands every value by its kind.
    pub fn read(tool: &'static Tool, values: &'a Map<String, Value>) -> Result<Self, Box<Envelope>> {
        let mut problems = unknown(tool, values);
        let mut given = Vec::with_capacity(tool.arguments.len());
        for argument in tool.arguments {
            match values.get(argument.name).filter(|value| !value.is_null()) {
                Some(value) => match argument.kind.read(argument.name, value) {
                    Ok(value) => given.push((argument.name, value)),
                    Err(problem) => problems.push(problem),
                },
                None if argument.required => {
                    problems.push(format!("{:?} is required and missing; give {}", argument.name, argument.kind.form()));
                }
                None => given.extend(argument.kind.default().map(|value| (argument.name, value))),
            }
        }
        if problems.is_empty() {
            Ok(Self { tool, values, given })
        } else {
            Err(failure(tool, &problems.join(". "), corrected(tool, values)))
        }
    }

    /// The failure for an argument that is missing because of what others say.
    pub fn missing(&self, argument: &Argument, why: &str) -> Box<Envelope> {
        let mut example = corrected(self.tool, self.values);
        example.insert(argument.name.to_owned(), argument.kind.placeholder());
        failure(self.tool, &format!("{:?} is missing: {why}", argument.name), example)
    }

    fn given(&self, name: &str) -> Option<&Given<'a>> {
        self.given.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The text of a text or choice; empty when it is left out.
    pub fn text(&self, name: &str) -> &'a str {
        match self.given(name) {
            Some(Given::Text(text)) => text,
            _ => "",
        }
    }

    /// Whether a flag is set.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.given(name), Some(Given::Flag(true)))
    }

    /// A number.
    pub fn number(&self, name: &str) -> i128 {
        match self.given(name) {
            Some(Given::Number(number)) => *number,
            _ => 0,
        }
    }

    /// Pages.
    pub fn pages(&self, name: &str) -> &[RangeInclusive<u32>] {
        match self.given(name) {
            Some(Given::Pages(ranges)) => ranges,
            _ => &[],
        }
    }

    /// Names.
    pub fn names(&self, name: &str) -> &[&'a str] {
        match self.given(name) {
            Some(Given::Names(names)) => names,
            _ => &[],
        }
    }
}

/// What is to be said of arguments that the tool does not have.
fn unknown(tool: &Tool, values: &Map<String, Value>) -> Vec<String> {
    let unknown: Vec<&str> =
        values.keys().map(String::as_str).filter(|name| !tool.arguments.iter().any(|argument| argument.name == *name)).collect();
    let mut problems: Vec<String> = unknown
        .iter()
        .take(MAX_NAMED)
        .map(|name| {
            let meant = meant_by(tool, values, name).map(|meant| format!("; {meant:?} may be meant")).unwrap_or_default();
            format!("{} is not an argument of this tool{meant}", quote(name))
        })
        .collect();
    if unknown.len() > MAX_NAMED {
        problems.push(format!("There are {} more that it does not have", unknown.len() - MAX_NAMED));
    }
    problems
}

/// The argument that is meant by a name: one that is spelled nearly so, or the only required one that is missing.
fn meant_by(tool: &Tool, values: &Map<String, Value>, name: &str) -> Option<&'static str> {
    // Below 0.8 the names that come out are no longer what was meant.
    const CLOSE: f64 = 0.8;
    if name.len() > 64 {
        return None;
    }
    let lower = name.to_lowercase();
    let missing = |argument: &&Argument| values.get(argument.name).is_none_or(Value::is_null);
    let close = tool
        .shown()
        .filter(|(argument, _)| missing(argument))
        .map(|(argument, _)| (strsim::jaro_winkler(argument.name, &lower), argument.name))
        .filter(|(score, _)| *score >= CLOSE)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let mut required = tool.arguments.iter().filter(|argument| argument.required).filter(missing);
    let only = required.next().filter(|_| required.next().is_none());
    close.map(|(_, name)| name).or(only.map(|argument| argument.name))
}

/// The arguments that were understood, beside them what the others are likely to mean, and placeholders for what is missing.
fn corrected(tool: &Tool, values: &Map<String, Value>) -> Map<String, Value> {
    let mut out = Map::new();
    for (argument, _) in tool.shown() {
        let kind = argument.kind;
        let misnamed = || {
            let unknown = values.iter().filter(|(name, _)| !tool.arguments.iter().any(|argument| argument.name == *name));
            let mut meant = unknown.take(MAX_NAMED).filter(|(name, _)| meant_by(tool, values, name) == Some(argument.name));
            // Two that mean the same, such as a first and a last page, are each only a part of it.
            meant.next().filter(|_| meant.next().is_none()).map(|(_, value)| value)
        };
        let sent = values.get(argument.name).filter(|value| !value.is_null()).or_else(misnamed);
        let meant = sent.and_then(|value| kind.meant(value).or_else(|| kind.read("", value).is_ok().then(|| value.clone())));
        if let Some(value) = meant.or_else(|| argument.required.then(|| kind.placeholder())) {
            out.insert(argument.name.to_owned(), value);
        }
    }
    out
}

fn failure(tool: &Tool, problem: &str, example: Map<String, Value>) -> Box<Envelope> {
    /// An example with a longer value than this helps nobody.
    const ROOM: usize = 600;
    let example = to_json(&example);
    let mut next = NextSteps::new(format!("Correct the arguments and call {} again.", tool.name));
    if escaped_len(&example) <= ROOM {
        next = next.option(format!("Call it like this: {}({example})", tool.name));
    }
    Box::new(Envelope::failure(ErrorCode::InvalidInput, format!("{}: {problem}.", tool.name)).next(next.option(tool.usage())))
}
