//! Reading the arguments of a call. Models send sloppy JSON: what can only mean one thing is understood, everything else is a failure
//! that names the argument and says what is wanted.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::definition::{MAX_SAFE_INTEGER, Tool};
use super::envelope::{Envelope, ErrorCode, NextSteps};
use super::measure::excerpt;

/// The longest raw text that is tried as JSON when a model sent text in place of an object.
const MAX_RAW_BYTES: usize = 1 << 20;

/// Most unknown arguments that one message names.
const MAX_NAMED: usize = 5;

/// The arguments of one call: an object without unknown names.
pub(super) struct Arguments<'a> {
    tool: &'static Tool,
    values: Cow<'a, Map<String, Value>>,
}

/// Shorthand for reading.
type Read<T> = Result<T, Box<Envelope>>;

impl<'a> Arguments<'a> {
    /// Takes what a model sent: an object, null for no arguments, or text that holds an object.
    pub fn read(tool: &'static Tool, sent: &'a Value) -> Read<Self> {
        let values = match sent {
            Value::Object(values) => Cow::Borrowed(values),
            Value::Null => Cow::Owned(Map::new()),
            Value::String(raw) if raw.trim().is_empty() => Cow::Owned(Map::new()),
            Value::String(raw) => Cow::Owned(
                object_in(raw).ok_or_else(|| failure(tool, &format!("the arguments are not a JSON object: {:?}", excerpt(raw))))?,
            ),
            other => return Err(failure(tool, &format!("the arguments must be a JSON object, not {}", kind(other)))),
        };
        let arguments = Self { tool, values };
        arguments.refuse_unknown()?;
        Ok(arguments)
    }

    fn refuse_unknown(&self) -> Read<()> {
        let unknown: Vec<&str> =
            self.values.keys().map(String::as_str).filter(|name| !self.tool.arguments.iter().any(|a| a.name == *name)).collect();
        let Some(first) = unknown.first() else { return Ok(()) };
        let named: Vec<String> = unknown.iter().take(MAX_NAMED).map(|name| format!("{:?}", excerpt(name))).collect();
        let more = if unknown.len() > MAX_NAMED { format!(" and {} more", unknown.len() - MAX_NAMED) } else { String::new() };
        let noun = if unknown.len() == 1 { "unknown argument" } else { "unknown arguments" };
        let meant = self.close_to(first).map(|name| format!("; {name:?} may be meant")).unwrap_or_default();
        Err(failure(self.tool, &format!("{noun} {}{more}{meant}", named.join(", "))))
    }

    /// The shown argument whose name is close to `name`.
    fn close_to(&self, name: &str) -> Option<&'static str> {
        // Below 0.8 the names that come out are no longer what was meant.
        const CLOSE: f64 = 0.8;
        if name.len() > 64 {
            return None;
        }
        let lower = name.to_lowercase();
        self.tool
            .arguments
            .iter()
            .filter(|argument| argument.shown)
            .map(|argument| (strsim::jaro_winkler(argument.name, &lower), argument.name))
            .filter(|(score, _)| *score >= CLOSE)
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, name)| name)
    }

    /// The value, where there is one that is not null.
    fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(name).filter(|value| !value.is_null())
    }

    /// The failure for a value that does not fit.
    fn wrong(&self, name: &str, value: &Value) -> Box<Envelope> {
        let form = self.tool.arguments.iter().find(|argument| argument.name == name).map_or("another value", |a| a.form);
        failure(self.tool, &format!("{name:?} must be {form}; it was {}", kind(value)))
    }

    /// Any failure over one argument.
    pub fn problem(&self, message: &str) -> Box<Envelope> {
        failure(self.tool, message)
    }

    fn missing(&self, name: &str) -> Box<Envelope> {
        let form = self.tool.arguments.iter().find(|argument| argument.name == name).map_or("a value", |a| a.form);
        failure(self.tool, &format!("the required argument {name:?} is missing; give {form}"))
    }

    /// Text, or `None` when it is left out.
    pub fn text(&self, name: &str) -> Read<Option<&str>> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(name, other)),
        }
    }

    /// Text that must be there and not be empty.
    pub fn required_text(&self, name: &str) -> Read<&str> {
        match self.text(name)? {
            None => Err(self.missing(name)),
            Some("") => Err(failure(self.tool, &format!("{name:?} is empty"))),
            Some(text) => Ok(text),
        }
    }

    /// Text that must be there; a plain page number is understood as the text of it.
    pub fn required_pages(&self, name: &str) -> Read<Cow<'_, str>> {
        match self.value(name) {
            Some(value @ Value::Number(_)) => match whole(value) {
                Some(number) => Ok(Cow::Owned(number.to_string())),
                None => Err(self.wrong(name, value)),
            },
            // The page spec has its own message for empty text.
            _ => self.text(name)?.map(Cow::Borrowed).ok_or_else(|| self.missing(name)),
        }
    }

    /// true or false; false when it is left out.
    pub fn flag(&self, name: &str) -> Read<bool> {
        match self.value(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(Value::String(text)) if text.trim().eq_ignore_ascii_case("true") => Ok(true),
            Some(Value::String(text)) if text.trim().eq_ignore_ascii_case("false") => Ok(false),
            Some(other) => Err(self.wrong(name, other)),
        }
    }

    /// A whole number of at least `min`.
    pub fn integer(&self, name: &str, min: u64, default: u64) -> Read<u64> {
        let Some(value) = self.value(name) else { return Ok(default) };
        let number = whole(value).ok_or_else(|| self.wrong(name, value))?;
        if (i128::from(min)..=i128::from(MAX_SAFE_INTEGER)).contains(&number) {
            return u64::try_from(number).map_err(|_| self.wrong(name, value));
        }
        Err(failure(self.tool, &format!("{name:?} must be a whole number from {min} to {MAX_SAFE_INTEGER}; it was {number}")))
    }

    /// Any whole number; the caller brings it into bounds.
    pub fn clamped(&self, name: &str, default: i128) -> Read<i128> {
        let Some(value) = self.value(name) else { return Ok(default) };
        whole(value).ok_or_else(|| self.wrong(name, value))
    }

    /// A number within bounds; what stands behind the decimal point does not count.
    pub fn number(&self, name: &str, min: u64, max: u64, default: u64) -> Read<u64> {
        let Some(value) = self.value(name) else { return Ok(default) };
        let number = match value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse::<f64>().ok(),
            _ => None,
        };
        let number = number.filter(|number| number.is_finite()).ok_or_else(|| self.wrong(name, value))?;
        if number < min as f64 || number > max as f64 {
            let shown = excerpt(&number.to_string());
            return Err(failure(self.tool, &format!("{name:?} must be a number from {min} to {max}; it was {shown}")));
        }
        Ok(number as u64)
    }

    /// One of a few words; the first when it is left out.
    pub fn choice(&self, name: &str, choices: &[&'static str]) -> Read<&'static str> {
        let found = match self.value(name) {
            None => choices.first(),
            Some(Value::String(text)) => choices.iter().find(|choice| text.trim().eq_ignore_ascii_case(choice)),
            Some(other) => return Err(self.wrong(name, other)),
        };
        found.copied().ok_or_else(|| {
            let sent = self.text(name).ok().flatten().unwrap_or_default();
            let named: Vec<String> = choices.iter().map(|choice| format!("{choice:?}")).collect();
            failure(self.tool, &format!("{name:?} must be {}; it was {:?}", named.join(" or "), excerpt(sent)))
        })
    }

    /// A list of 1 to `max` texts that are not empty. Every element is checked.
    pub fn names(&self, name: &str, max: usize) -> Read<Vec<&str>> {
        let items = match self.value(name) {
            None => return Err(self.missing(name)),
            Some(Value::Array(items)) => items,
            Some(other) => return Err(self.wrong(name, other)),
        };
        if items.is_empty() || items.len() > max {
            return Err(failure(self.tool, &format!("{name:?} must hold 1 to {max} names; it holds {}", items.len())));
        }
        items
            .iter()
            .enumerate()
            .map(|(at, item)| match item {
                Value::String(text) if !text.is_empty() => Ok(text.as_str()),
                Value::String(_) => {
                    Err(failure(self.tool, &format!("\"{name}[{at}]\" is empty; every element must be a document name")))
                }
                other => {
                    Err(failure(self.tool, &format!("\"{name}[{at}]\" must be text, a document name; it was {}", kind(other))))
                }
            })
            .collect()
    }

    /// Refuses any folder but the one that a flat library has.
    pub fn root_folder(&self) -> Read<()> {
        match self.text("folder_id")? {
            None | Some("root") => Ok(()),
            Some(other) => {
                let message =
                    format!("\"folder_id\" {:?}: this library has no folders; they exist on PageIndex cloud.", excerpt(other));
                Err(Box::new(
                    Envelope::failure(ErrorCode::InvalidInput, message).next(
                        NextSteps::new("Leave folder_id out: all documents of this library stand in one list.")
                            .option(format!("Call {} again with the same arguments but without folder_id.", self.tool.name)),
                    ),
                ))
            }
        }
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

/// A whole number in any of the ways in which one is sent: `3`, `3.0`, `"3"`, `"3.0"`.
fn whole(value: &Value) -> Option<i128> {
    let float = |number: f64| (number.fract() == 0.0 && number.abs() < 1e30).then_some(number as i128);
    match value {
        Value::Number(number) => number.as_i128().or_else(|| number.as_f64().and_then(float)),
        Value::String(text) => {
            let text = text.trim();
            text.parse::<i128>().ok().or_else(|| text.parse::<f64>().ok().and_then(float))
        }
        _ => None,
    }
}

/// A value in words.
fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the text {:?}", excerpt(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn failure(tool: &Tool, problem: &str) -> Box<Envelope> {
    Box::new(
        Envelope::failure(ErrorCode::InvalidInput, format!("{}: {problem}.", tool.name))
            .next(NextSteps::new(format!("Correct the arguments and call {} again.", tool.name)).option(tool.usage())),
    )
}
