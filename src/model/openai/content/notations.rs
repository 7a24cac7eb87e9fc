//! The notations in which models write tool calls when their server does not read them, each with what reads it.

use serde_json::{Map, Value};

use super::TextCall;
use crate::model::openai::arguments;

/// A block of text that may hold calls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Notation {
    /// The mark that opens it.
    pub open: &'static str,
    /// What ends it; empty: the end of the text.
    pub close: &'static str,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    /// JSON objects, or functions in XML.
    Tagged,
    /// JSON in a fence, which may be an example in an answer.
    Fence,
    /// `name>` and then JSON or `<parameter=..>` elements.
    Function,
    /// A list of objects, or names each with their JSON.
    Named,
    /// DeepSeek's calls: an optional `function`, a separator, the name, JSON.
    DeepSeek,
    /// Kimi's calls: `functions.NAME:0`, a separator, JSON.
    Kimi,
    /// `<invoke name="..">` with `<parameter name="..">` in it.
    Invoke,
}

const fn notation(open: &'static str, close: &'static str, form: Form) -> Notation {
    Notation { open, close, form }
}

/// All of them. Qwen, Hermes and many more; Markdown; Llama and Qwen3-Coder; Mistral; Llama; Granite and Phi; Cohere; DeepSeek; Kimi;
/// MiniMax; DeepSeek since 3.2; Claude behind servers that do not read it.
pub(super) const NOTATIONS: [Notation; 14] = [
    notation("<tool_call>", "</tool_call>", Form::Tagged),
    notation("```", "```", Form::Fence),
    notation("<function=", "</function>", Form::Function),
    notation("[TOOL_CALLS]", "", Form::Named),
    notation("<|python_tag|>", "", Form::Named),
    notation("<|tool_call|>", "<|/tool_call|>", Form::Named),
    notation("<|START_ACTION|>", "<|END_ACTION|>", Form::Tagged),
    notation("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", Form::DeepSeek),
    notation("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", Form::DeepSeek),
    notation("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", Form::Kimi),
    notation("<minimax:tool_call>", "</minimax:tool_call>", Form::Invoke),
    notation("<｜DSML｜function_calls>", "</｜DSML｜function_calls>", Form::Invoke),
    notation("<function_calls>", "</function_calls>", Form::Invoke),
    notation("<invoke name=", "</invoke>", Form::Invoke),
];

/// Marks of chat templates that are never part of an answer.
pub(super) const CONTROL: [&str; 17] = [
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|message|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|begin_of_text|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|START_RESPONSE|>",
    "<|END_RESPONSE|>",
    "<end_of_turn>",
    "<｜end▁of▁sentence｜>",
    "</tool_call>",
];

impl Notation {
    /// The calls in a block, or what of it is for people: all of an example, and of an attempt at a call that cannot be read all but the
    /// marks of a template.
    pub(super) fn read(self, inside: &str, closed: bool, tools: &[&str]) -> Result<Vec<TextCall>, String> {
        let calls = match self.form {
            Form::Tagged => tagged(inside, tools),
            Form::Fence => objects(inside.strip_prefix("json").unwrap_or(inside), tools, true),
            Form::Function => function(inside, tools).map(|call| vec![call]),
            Form::Named => named(&without_control(inside), tools),
            Form::DeepSeek => deep_seek(inside, tools),
            Form::Kimi => kimi(inside, tools),
            Form::Invoke if self.open.starts_with("<invoke") => invoked(&format!("{}{inside}", self.open), tools),
            Form::Invoke => invoked(&inside.replace("｜DSML｜", ""), tools),
        };
        let is_token = self.open.contains('|') || self.open.contains('｜') || self.open.starts_with('[');
        calls.ok_or_else(|| {
            let (open, close) = if is_token { ("", "") } else { (self.open, if closed { self.close } else { "" }) };
            format!("{open}{}{close}", without_control(inside))
        })
    }
}

/// The calls of a reply that starts like JSON. A closing tag after it makes it one of a template that wrote the opening tag itself.
pub(super) fn bare(text: &str, tools: &[&str]) -> Result<Vec<TextCall>, String> {
    let closed = text.contains("</tool_call>");
    let calls = if closed { objects(text, tools, false) } else { objects(&without_control(text), tools, true) };
    calls.ok_or_else(|| without_control(text))
}

fn without_control(text: &str) -> String {
    CONTROL.iter().filter(|mark| text.contains(**mark)).fold(text.to_owned(), |text, mark| text.replace(mark, ""))
}

fn tagged(inside: &str, tools: &[&str]) -> Option<Vec<TextCall>> {
    let inside = inside.trim();
    if let Some(rest) = inside.strip_prefix("<function=") {
        return function(rest.split("</function>").next()?, tools).map(|call| vec![call]);
    }
    objects(inside, tools, false).or_else(|| keyed(inside, tools).map(|call| vec![call])).or_else(|| {
        // The name is certain, the arguments are broken: who called it is told so.
        let name = tools.iter().find(|name| inside.starts_with('{') && inside.contains(&format!("\"name\": \"{name}\"")))?;
        Some(vec![TextCall { name: (*name).to_owned(), arguments: Value::String(inside.to_owned()) }])
    })
}

/// JSON objects: one, a list, or several with nothing but separators between them. All must be calls of known tools.
fn objects(text: &str, tools: &[&str], strict: bool) -> Option<Vec<TextCall>> {
    let text = text.replace("</tool_call>", "\n").replace("<tool_call>", "\n");
    let mut rest = text.trim();
    let mut values = Vec::new();
    while !rest.is_empty() {
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match stream.next() {
            Some(Ok(Value::Array(list))) => values.extend(list),
            Some(Ok(value)) => values.push(value),
            // Talk after the calls.
            _ if !strict && !values.is_empty() && !rest.starts_with(['{', '[']) => break,
            // Slightly broken, as one object.
            _ => {
                values = vec![Value::Object(arguments::object(&text)?)];
                break;
            }
        }
        rest = rest.get(stream.byte_offset()..)?.trim_start_matches(|c: char| matches!(c, ';' | ',') || c.is_whitespace());
    }
    let calls: Vec<TextCall> = values
        .into_iter()
        .map(|value| match value {
            Value::Object(object) => call_from(object, tools, strict),
            _ => None,
        })
        .collect::<Option<_>>()?;
    (!calls.is_empty()).then_some(calls)
}

/// Reads `{"name", "arguments"}` under the names that models use. `strict`: the arguments must be there, since a plain block with a name
/// can be an example in an answer.
fn call_from(mut object: Map<String, Value>, tools: &[&str], strict: bool) -> Option<TextCall> {
    if let Some(Value::Object(inner)) = object.get_mut("function").map(Value::take) {
        return call_from(inner, tools, strict);
    }
    let name = ["name", "tool", "tool_name", "function"].iter().find_map(|f| object.get(*f).and_then(Value::as_str))?;
    let name = known(name, tools)?;
    let given = ["arguments", "parameters", "args", "input"].iter().find_map(|f| object.remove(*f));
    if strict && given.is_none() {
        return None;
    }
    Some(TextCall { name, arguments: arguments::read_value(given.unwrap_or(Value::Null)) })
}

/// The tool of that name, also where the name has a namespace in front.
fn known(name: &str, tools: &[&str]) -> Option<String> {
    let name = name.trim();
    let name = name.strip_prefix("functions.").unwrap_or(name);
    tools.contains(&name).then(|| name.to_owned())
}

/// `name>{json}`, or `name>` and `<parameter=key>value</parameter>` elements; the last closing tag may be lost. Llama's models forget the
/// bracket after the name, or put the JSON into round ones.
fn function(inside: &str, tools: &[&str]) -> Option<TextCall> {
    let (name, body) = inside.split_at(inside.find(['>', '{', '('])?);
    let name = known(name.trim_matches('"'), tools)?;
    let body = body.trim_start_matches('>').trim();
    if !body.contains("<parameter=") {
        let json = body.trim_matches(|c: char| matches!(c, '>' | '(' | ')') || c.is_whitespace());
        return Some(TextCall { name, arguments: arguments::read(json) });
    }
    let mut object = Map::new();
    for element in body.split("<parameter=").skip(1) {
        let (key, value) = element.split_once('>')?;
        let value = value.split("</parameter>").next().unwrap_or_default().trim();
        object.insert(key.trim().to_owned(), typed(value));
    }
    Some(TextCall { name, arguments: Value::Object(object) })
}

/// GLM's form: the name on the first line, then `<arg_key>` and `<arg_value>` in turn.
fn keyed(inside: &str, tools: &[&str]) -> Option<TextCall> {
    let (name, rest) = inside.split_once("<arg_key>").unwrap_or((inside, ""));
    let name = known(name, tools)?;
    let mut object = Map::new();
    for pair in rest.split("<arg_key>").filter(|p| !p.is_empty()) {
        let (key, value) = pair.split_once("</arg_key>")?;
        let value = value.split_once("<arg_value>")?.1.split("</arg_value>").next()?.trim();
        object.insert(key.trim().to_owned(), typed(value));
    }
    Some(TextCall { name, arguments: Value::Object(object) })
}

/// A value that stands as bare text. Numbers stay text, as `4` may be a page list; tools read both.
fn typed(value: &str) -> Value {
    match serde_json::from_str::<Value>(value) {
        Ok(read @ (Value::Bool(_) | Value::Array(_) | Value::Object(_) | Value::Null)) => read,
        _ => Value::String(value.to_owned()),
    }
}

/// Mistral's forms: a list of objects, or `name{..}` and `name[ARGS]{..}`, each maybe with a mark and an id of its own in front; Llama's
/// objects divided by semicolons.
fn named(inside: &str, tools: &[&str]) -> Option<Vec<TextCall>> {
    let inside = inside.trim().trim_end_matches("</s>").trim();
    if inside.starts_with(['[', '{']) {
        return objects(&inside.replace("[TOOL_CALLS]", "\n"), tools, false);
    }
    let mut calls = Vec::new();
    for part in inside.split("[TOOL_CALLS]") {
        let mut rest = part.trim();
        while !rest.is_empty() {
            let Some((head, _)) = rest.split_once('{') else { break };
            let mut words = head.split(['[', ']']).map(str::trim).filter(|w| !w.is_empty());
            let name = known(words.next()?, tools)?;
            let json = rest.get(head.len()..)?;
            let mut stream = serde_json::Deserializer::from_str(json).into_iter::<Map<String, Value>>();
            let Some(Ok(object)) = stream.next() else {
                calls.push(TextCall { name, arguments: arguments::read(json) });
                break;
            };
            calls.push(TextCall { name, arguments: Value::Object(object) });
            rest = json.get(stream.byte_offset()..)?.trim_start_matches(|c: char| matches!(c, ';' | ',') || c.is_whitespace());
        }
    }
    (!calls.is_empty()).then_some(calls)
}

fn deep_seek(inside: &str, tools: &[&str]) -> Option<Vec<TextCall>> {
    let calls = inside.split("<｜tool▁call▁begin｜>").map(str::trim).filter(|part| !part.is_empty());
    let calls: Vec<TextCall> = calls
        .map(|part| {
            let part = part.split("<｜tool▁call▁end｜>").next()?;
            let (first, second) = part.split_once("<｜tool▁sep｜>")?;
            // The older form has the word `function` first and the name on the line after the separator.
            let (name, body) = if first.trim() == "function" { second.split_once('\n')? } else { (first, second) };
            let body = body.trim().trim_start_matches("```json").trim_start_matches("```").trim_end_matches("```");
            Some(TextCall { name: known(name, tools)?, arguments: arguments::read(body) })
        })
        .collect::<Option<_>>()?;
    (!calls.is_empty()).then_some(calls)
}

fn kimi(inside: &str, tools: &[&str]) -> Option<Vec<TextCall>> {
    let calls = inside.split("<|tool_call_begin|>").map(str::trim).filter(|part| !part.is_empty());
    let calls: Vec<TextCall> = calls
        .map(|part| {
            let (id, body) = part.split("<|tool_call_end|>").next()?.split_once("<|tool_call_argument_begin|>")?;
            let name = id.split(':').next()?;
            Some(TextCall { name: known(name, tools)?, arguments: arguments::read(body) })
        })
        .collect::<Option<_>>()?;
    (!calls.is_empty()).then_some(calls)
}

/// One or several calls with their arguments as elements; all of them must be whole.
fn invoked(inside: &str, tools: &[&str]) -> Option<Vec<TextCall>> {
    let quoted = |text: &str| text.trim_start().strip_prefix('"')?.split_once('"').map(|(name, _)| name.to_owned());
    let calls = inside.split("<invoke name=").skip(1).map(|part| {
        let name = known(&quoted(part)?, tools)?;
        let body = part.split("</invoke>").next()?;
        let mut object = Map::new();
        for element in body.split("<parameter name=").skip(1) {
            let (value, _) = element.split_once('>')?.1.split_once("</parameter>")?;
            object.insert(quoted(element)?, typed(value.trim()));
        }
        Some(TextCall { name, arguments: Value::Object(object) })
    });
    let calls: Vec<TextCall> = calls.collect::<Option<_>>()?;
    (!calls.is_empty()).then_some(calls)
}

/// The tool that the header of a message in the harmony format (gpt-oss) is addressed to.
pub(super) fn recipient(header: &str, tools: &[&str]) -> Option<String> {
    let to = header.split_once("to=")?.1;
    known(to.split(|c: char| c.is_whitespace() || c == '<').next()?, tools)
}
