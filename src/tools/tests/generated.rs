//! Generated arguments: valid, nearly valid, garbage. The same seed gives the same ones.

use serde_json::{Map, Value, json};

use super::super::definition::{Argument, Tool};
use super::super::kind::Kind;

/// A small generator of random numbers (SplitMix64): quick enough for many thousand calls in an unoptimised build.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub fn one_in(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }

    pub fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len() as u64) as usize]
    }
}

/// How sound the arguments are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Valid,
    NearlyValid,
    Garbage,
}

pub const SHAPES: [Shape; 3] = [Shape::Valid, Shape::NearlyValid, Shape::Garbage];

/// What a model could send to this tool, of a library with documents of these names.
pub fn arguments(random: &mut Random, tool: &Tool, names: &[&str], shape: Shape) -> Value {
    match shape {
        Shape::Valid => Value::Object(valid(random, tool, names)),
        Shape::NearlyValid => nearly(random, tool, names),
        Shape::Garbage => garbage(random, tool),
    }
}

/// What the schema accepts.
fn valid(random: &mut Random, tool: &Tool, names: &[&str]) -> Map<String, Value> {
    let mut object = Map::new();
    for (argument, _) in tool.shown() {
        if argument.required || random.one_in(2) {
            object.insert(argument.name.to_owned(), value(random, argument, names));
        }
    }
    object
}

fn value(random: &mut Random, argument: &Argument, names: &[&str]) -> Value {
    match argument.kind {
        Kind::Text { filled: true, .. } => json!(random.pick(names)),
        Kind::Text { filled: false, .. } | Kind::Folder => json!(text(random)),
        Kind::Flag => json!(random.one_in(2)),
        Kind::Choice(words) => json!(random.pick(words)),
        Kind::Integer { min, .. } => json!(min + random.below(4)),
        Kind::Number { min, max, .. } => match random.below(3) {
            0 => json!(min as f64 + random.below(8 * (max - min)) as f64 / 8.0),
            _ => json!(min + random.below(max - min + 1)),
        },
        Kind::Pages => json!(pages(random)),
        Kind::Names { max } => Value::from((0..=random.below(max as u64)).map(|_| json!(random.pick(names))).collect::<Vec<_>>()),
    }
}

/// A page spec of the form in the schema, mostly of a document of 42 pages.
fn pages(random: &mut Random) -> String {
    let mut spec = String::new();
    for at in 0..=random.below(4) {
        if at > 0 {
            spec.push_str(random.pick(&[",", ", ", ",  "]));
        }
        let first = if random.one_in(20) { random.below(50) } else { 1 + random.below(40) };
        spec.push_str(&first.to_string());
        if random.one_in(2) {
            let last = if random.one_in(8) { random.next() >> random.below(64) } else { first + random.below(20) };
            spec.push_str(&format!("-{last}"));
        }
    }
    spec
}

/// Valid arguments with a slip or two.
fn nearly(random: &mut Random, tool: &Tool, names: &[&str]) -> Value {
    let mut object = valid(random, tool, names);
    for _ in 0..=random.below(2) {
        let argument = &tool.arguments[random.below(tool.arguments.len() as u64) as usize];
        let sent = object.get(argument.name).cloned().unwrap_or_else(|| value(random, argument, names));
        let name = argument.name.to_owned();
        match random.below(12) {
            0 => drop(object.remove(&name)),
            1 => drop(object.insert(name, Value::Null)),
            2 => drop(object.insert(name, json!(sent.as_str().map_or_else(|| sent.to_string(), str::to_owned)))),
            3 => drop(object.insert(name, json!(sent.to_string()))),
            4 => drop(object.insert(name, json!([sent]))),
            5 => drop(object.insert(name, sent.as_f64().map_or(json!(random.next() as i64), |number| json!(-number)))),
            6 => drop(object.insert(name, json!(random.below(60) as f64 - 4.0))),
            7 => {
                let text = sent.as_str().map_or_else(|| sent.to_string(), str::to_owned);
                drop(object.insert(
                    name,
                    json!(format!(" {} ", text.to_uppercase().replace('-', random.pick(&[" - ", "\u{2013}", "\u{2212}"])))),
                ))
            }
            8 => drop(
                object
                    .insert(name, json!(["True", "false", "3.0", "1e3", "", "root", "TIME", "-1", "7"][random.below(9) as usize])),
            ),
            9 => drop(object.insert(name.replace('_', ""), sent)),
            10 => drop(object.insert(text(random), sent)),
            _ => drop(object.insert(name, anything(random, 2))),
        }
    }
    match random.below(20) {
        0 => json!(Value::Object(object).to_string()),
        1 => json!([Value::Object(object)]),
        _ => Value::Object(object),
    }
}

/// Anything, at times under names that the tool knows.
fn garbage(random: &mut Random, tool: &Tool) -> Value {
    if random.one_in(4) {
        return anything(random, 3);
    }
    let mut object = Map::new();
    for _ in 0..random.below(5) {
        let known = tool.arguments[random.below(tool.arguments.len() as u64) as usize].name;
        let name = if random.one_in(4) { text(random) } else { known.to_owned() };
        object.insert(name, anything(random, 3));
    }
    Value::Object(object)
}

/// Any JSON, nested up to this deep.
fn anything(random: &mut Random, depth: u64) -> Value {
    match random.below(if depth == 0 { 7 } else { 9 }) {
        0 => Value::Null,
        1 => json!(random.one_in(2)),
        2 => json!(random.next() as i64 >> random.below(64)),
        3 => json!(random.next() >> random.below(64)),
        4 => json!(f64::from_bits(random.next())),
        5 | 6 => json!(text(random)),
        7 => Value::from((0..random.below(4)).map(|_| anything(random, depth - 1)).collect::<Vec<_>>()),
        _ => Value::Object((0..random.below(4)).map(|_| (text(random), anything(random, depth - 1))).collect()),
    }
}

/// Text of all sorts, at times long.
pub fn text(random: &mut Random) -> String {
    let letters: &[&str] = match random.below(5) {
        0 => &["a", "b", "_", "report", ".pdf", " "],
        1 => &["0", "1", "7", "-", ",", ".", " ", "e"],
        2 => &["\u{0}", "\u{1b}[31m", "\n", "\"", "\\", "\u{7f}", "\u{85}", "\u{9b}", "\u{2028}"],
        3 => &["\u{6587}", "\u{1f600}", "\u{e9}", "\u{202e}", "\u{fffd}", "\u{10ffff}"],
        _ => &["{", "}", "[", "]", ":", "\"", ",", "true", "null", "'"],
    };
    let length = if random.one_in(200) { random.below(20_000) } else { random.below(8) };
    (0..length).map(|_| random.pick(letters)).collect()
}
