//! What an argument may be: the one description that its schema, its reading and its messages are made from.

use serde_json::{Value, json};

use super::json::to_json;
use super::measure::excerpt;
use super::pages::{self, FORMS, Ranges};

/// The largest whole number that every JSON reader keeps exactly.
pub(super) const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

/// The folder that every library has.
const ROOT: &str = "root";

/// One kind of argument.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// Text, which may be asked not to be empty, and what it says.
    Text { filled: bool, form: &'static str },
    /// A folder; there is only one.
    Folder,
    /// true or false; false when it is left out.
    Flag,
    /// One of a few words; the first when it is left out.
    Choice(&'static [&'static str]),
    /// A whole number. Where `clamped`, numbers out of bounds are brought into them by the tool.
    Integer { min: u64, default: u64, clamped: bool },
    /// A number; what stands behind its decimal point does not count.
    Number { min: u64, max: u64, default: u64 },
    /// Pages of a document.
    Pages,
    /// Names of documents.
    Names { max: usize },
}

/// A value as it was understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Given<'a> {
    Text(&'a str),
    Flag(bool),
    Number(i128),
    Pages(Ranges),
    Names(Vec<&'a str>),
}

impl Kind {
    /// JSON Schema of the values.
    pub fn schema(self, description: &str) -> Value {
        let mut schema = match self {
            Self::Text { filled: true, .. } => json!({"type": "string", "minLength": 1}),
            Self::Text { filled: false, .. } => json!({"type": "string"}),
            Self::Folder => json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            Self::Flag => json!({"type": "boolean", "default": false}),
            Self::Choice(words) => json!({"type": "string", "enum": words, "default": words.first()}),
            Self::Integer { min, default, .. } => {
                json!({"type": "integer", "minimum": min, "maximum": MAX_SAFE_INTEGER, "default": default})
            }
            Self::Number { min, max, default } => json!({"type": "number", "minimum": min, "maximum": max, "default": default}),
            Self::Pages => json!({"type": "string", "minLength": 1, "pattern": "^(\\d+(-\\d+)?)(,\\s*\\d+(-\\d+)?)*$"}),
            Self::Names { max } => {
                json!({"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1, "maxItems": max})
            }
        };
        schema["description"] = description.into();
        schema
    }

    /// The values in words, for messages.
    pub fn form(self) -> String {
        match self {
            Self::Text { form, .. } => format!("text: {form}"),
            Self::Folder => format!("{ROOT:?} or left out"),
            Self::Flag => "true or false; false when left out".to_owned(),
            Self::Choice(words) => format!("{}; {:?} when left out", one_of(words), words.first().copied().unwrap_or_default()),
            Self::Integer { min, default, .. } => format!("a whole number, {min} or more; {default} when left out"),
            Self::Number { min, max, default } => format!("a number from {min} to {max}; {default} when left out"),
            Self::Pages => format!("text: page numbers and ranges, such as {FORMS}"),
            Self::Names { max } => format!("a list of 1 to {max} exact document names, as text"),
        }
    }

    /// What a call without the argument means, where that is something.
    pub fn default(self) -> Option<Given<'static>> {
        match self {
            Self::Flag => Some(Given::Flag(false)),
            Self::Choice(words) => words.first().copied().map(Given::Text),
            Self::Integer { default, .. } | Self::Number { default, .. } => Some(Given::Number(default.into())),
            Self::Text { .. } | Self::Folder | Self::Pages | Self::Names { .. } => None,
        }
    }

    /// Understands the value of the argument `name`, which is not null.
    ///
    /// # Errors
    /// A sentence that says what is wrong and what is wanted.
    pub fn read<'a>(self, name: &str, value: &'a Value) -> Result<Given<'a>, String> {
        let wrong = || self.wrong(name, value);
        match (self, value) {
            (Self::Text { filled: true, .. }, Value::String(text)) if text.is_empty() => {
                Err(format!("{name:?} is empty; give {}", self.form()))
            }
            (Self::Text { .. }, Value::String(text)) => Ok(Given::Text(text)),
            (Self::Folder, Value::String(text)) if text == ROOT => Ok(Given::Text(text)),
            (Self::Folder, Value::String(text)) => Err(format!(
                "{name:?} is {}, but this library has no folders; they exist on PageIndex cloud. Leave {name} out: all documents of this \
                 library stand in one list",
                quote(text)
            )),
            (Self::Flag, value) => flag(value).map(Given::Flag).ok_or_else(wrong),
            (Self::Choice(words), Value::String(text)) => {
                words.iter().find(|word| text.trim().eq_ignore_ascii_case(word)).map(|word| Given::Text(word)).ok_or_else(wrong)
            }
            (Self::Integer { min, clamped, .. }, value) => {
                let bounds = i128::from(min)..=i128::from(MAX_SAFE_INTEGER);
                whole(value).filter(|number| clamped || bounds.contains(number)).map(Given::Number).ok_or_else(wrong)
            }
            (Self::Number { min, max, .. }, value) => {
                let bounds = min as f64..=max as f64;
                number(value).filter(|number| bounds.contains(number)).map(|number| Given::Number(number as i128)).ok_or_else(wrong)
            }
            (Self::Pages, Value::String(spec)) => spec_of(name, spec),
            (Self::Pages, Value::Number(_)) => spec_of(name, &whole(value).ok_or_else(wrong)?.to_string()),
            (Self::Names { max }, Value::Array(items)) => names(name, items, max),
            (Self::Text { .. } | Self::Folder | Self::Choice(_) | Self::Pages | Self::Names { .. }, _) => Err(wrong()),
        }
    }

    fn wrong(self, name: &str, value: &Value) -> String {
        format!("{name:?} must be {}. It was {}", self.form(), in_words(value))
    }

    /// What a value is likely to mean, as it should have been sent, where that can differ from how it was sent.
    pub fn meant(self, value: &Value) -> Option<Value> {
        let meant = match (self, value) {
            (Self::Pages, Value::Array(items)) => pages::list(&pages::ranges_of(&page_numbers(items)?)).into(),
            (Self::Pages, Value::String(text)) => likely_pages(text)?.into(),
            (Self::Pages, Value::Number(_)) => whole(value)?.to_string().into(),
            (Self::Choice(words), Value::String(text)) if text.len() <= 64 => {
                // Below 0.85 it is another word.
                let close = |word: &&&str| strsim::jaro_winkler(word, &text.trim().to_lowercase()) >= 0.85;
                (*words.iter().find(close)?).into()
            }
            (Self::Names { .. }, Value::String(text)) => json!([text]),
            (Self::Text { .. }, Value::Array(items)) => match items.as_slice() {
                [only] => only.clone(),
                _ => return None,
            },
            (Self::Number { min, max, .. }, value) => json!(number(value)?.clamp(min as f64, max as f64) as u64),
            _ => return None,
        };
        self.read("", &meant).is_ok().then_some(meant)
    }

    /// What stands for the value in an example: plainly not a value.
    pub fn placeholder(self) -> Value {
        match self {
            Self::Text { filled: true, .. } => "EXACT NAME".into(),
            Self::Text { filled: false, .. } => "WORDS".into(),
            Self::Pages => "FIRST-LAST".into(),
            Self::Names { .. } => json!(["EXACT NAME"]),
            Self::Folder | Self::Flag | Self::Choice(_) | Self::Integer { .. } | Self::Number { .. } => Value::Null,
        }
    }
}

/// true or false in any of the ways in which they are sent.
fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) if text.trim().eq_ignore_ascii_case("true") => Some(true),
        Value::String(text) if text.trim().eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// A whole number in any of the ways in which one is sent: `3`, `3.0`, `"3"`, `"3.0"`. Those beyond 1e38 come out as about that.
fn whole(value: &Value) -> Option<i128> {
    let exact = match value {
        Value::Number(number) => number.as_i128(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    exact.or_else(|| number(value).filter(|number| number.fract() == 0.0).map(|number| number as i128))
}

/// A finite number, as it is or as text.
fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number| number.is_finite())
}

fn spec_of(name: &str, spec: &str) -> Result<Given<'static>, String> {
    pages::read(spec).map(Given::Pages).map_err(|error| format!("{name:?}: {}", error.to_string().trim_end_matches('.')))
}

/// The elements, if all of them are page numbers.
fn page_numbers(items: &[Value]) -> Option<Vec<u32>> {
    let page = |item| whole(item).and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0);
    items.iter().map(page).collect::<Option<Vec<u32>>>().filter(|pages| !pages.is_empty())
}

/// A page spec in words of one's own: "pages 3 to 5", "[3, 4]", "p. 7".
fn likely_pages(text: &str) -> Option<String> {
    const ROOM: usize = 200;
    if text.len() > ROOM {
        return None;
    }
    let lower = text.to_lowercase();
    let bare = lower.trim_matches(|c: char| c.is_alphabetic() || c.is_whitespace() || "[](){}.:#\"'".contains(c));
    let spec = [("through", "-"), ("to", "-"), ("..", "-"), ("and", ","), ("&", ","), (";", ",")]
        .into_iter()
        .fold(bare.to_owned(), |spec, (word, sign)| spec.replace(word, sign));
    pages::read(&spec).ok().map(|ranges| pages::list(&ranges))
}

/// Every element is checked.
fn names<'a>(name: &str, items: &'a [Value], max: usize) -> Result<Given<'a>, String> {
    if items.is_empty() || items.len() > max {
        return Err(format!("{name:?} must hold 1 to {max} names; it holds {}", items.len()));
    }
    let element = |(at, item): (usize, &'a Value)| match item {
        Value::String(text) if !text.is_empty() => Ok(text.as_str()),
        Value::String(_) => Err(format!("\"{name}[{at}]\" is empty; every element must be an exact document name")),
        other => Err(format!("\"{name}[{at}]\" must be text, an exact document name; it was {}", in_words(other))),
    };
    items.iter().enumerate().map(element).collect::<Result<_, _>>().map(Given::Names)
}

/// A value in words.
pub(super) fn in_words(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => format!("the number {}", excerpt(&number.to_string())),
        Value::String(text) => format!("the text {}", quote(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// What somebody sent, for a message: short, in quotes.
pub(super) fn quote(text: &str) -> String {
    to_json(&excerpt(text))
}

fn one_of(words: &[&str]) -> String {
    words.iter().map(to_json).collect::<Vec<_>>().join(" or ")
}
