//! JSON as models write it: in fences, with prose around it, with trailing commas, Python's literals, single or unescaped quotes, bare line
//! breaks in strings, comments, or cut off in the middle. Reading never fails; what makes no sense is left out.

use serde_json::{Map, Number, Value};

/// Deeper values are not read: nobody asked for such.
const DEEPEST: usize = 40;
/// Bytes of a reply that are looked at.
const LONGEST: usize = 400_000;

/// A value found in a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub value: Value,
    /// The text ended before the value did.
    pub cut: bool,
}

/// All objects and lists that stand in a text, outermost ones only, in order.
pub(super) fn values(text: &str) -> Vec<Found> {
    let chars: Vec<char> = text.chars().take(LONGEST).collect();
    let mut reader = Reader { chars: &chars, at: 0, cut: false };
    let mut out = Vec::new();
    while let Some(c) = reader.peek() {
        if matches!(c, '{' | '[') {
            reader.cut = false;
            let value = reader.value(0);
            out.push(Found { value, cut: reader.cut });
        } else {
            reader.at += 1;
        }
    }
    out
}

struct Reader<'a> {
    chars: &'a [char],
    at: usize,
    cut: bool,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += usize::from(c.is_some());
        c
    }

    /// Blanks and comments.
    fn skip_blank(&mut self) {
        loop {
            match (self.peek(), self.chars.get(self.at + 1)) {
                (Some(c), _) if c.is_whitespace() || c == '\u{feff}' => self.at += 1,
                (Some('/'), Some('/')) => while self.next().is_some_and(|c| c != '\n') {},
                (Some('/'), Some('*')) => {
                    self.at += 2;
                    while let Some(c) = self.next() {
                        if c == '*' && self.peek() == Some('/') {
                            self.at += 1;
                            break;
                        }
                    }
                }
                _ => return,
            }
        }
    }

    fn value(&mut self, depth: usize) -> Value {
        self.skip_blank();
        match self.peek() {
            None => {
                self.cut = true;
                Value::Null
            }
            Some('{' | '[') if depth >= DEEPEST => {
                self.at = self.chars.len();
                self.cut = true;
                Value::Null
            }
            Some('{') => self.object(depth),
            Some('[') => self.list(depth),
            Some(c) => match closing_quote(c) {
                Some(close) => Value::String(self.string(close)),
                None => self.word(),
            },
        }
    }

    fn object(&mut self, depth: usize) -> Value {
        self.at += 1;
        let mut object = Map::new();
        loop {
            self.skip_blank();
            match self.peek() {
                None => {
                    self.cut = true;
                    return Value::Object(object);
                }
                Some('}') => {
                    self.at += 1;
                    return Value::Object(object);
                }
                // A list is closed around an object that is not: the object ends here.
                Some(']') => return Value::Object(object),
                Some(',' | ':' | ';') => self.at += 1,
                Some(c) => {
                    let key = match closing_quote(c) {
                        Some(close) => self.string(close),
                        None => self.bare(&[':', '=', ',', '}', ']', '\n']),
                    };
                    self.skip_blank();
                    if matches!(self.peek(), Some(':' | '=')) {
                        self.at += 1;
                        let value = self.value(depth + 1);
                        object.insert(key, value);
                    } else if key.is_empty() {
                        // A sign that starts nothing.
                        self.at += 1;
                    }
                }
            }
        }
    }

    fn list(&mut self, depth: usize) -> Value {
        self.at += 1;
        let mut list = Vec::new();
        loop {
            self.skip_blank();
            match self.peek() {
                None => {
                    self.cut = true;
                    return Value::Array(list);
                }
                Some(']') => {
                    self.at += 1;
                    return Value::Array(list);
                }
                Some('}') => return Value::Array(list),
                Some(',' | ':' | ';') => self.at += 1,
                Some(_) => {
                    let before = self.at;
                    list.push(self.value(depth + 1));
                    if self.at == before {
                        self.at += 1;
                    }
                }
            }
        }
    }

    /// A string up to its closing quote. A quote that nothing follows which could follow a string belongs to the text.
    fn string(&mut self, close: char) -> String {
        self.at += 1;
        let mut out = String::new();
        loop {
            match self.next() {
                None => {
                    self.cut = true;
                    return out;
                }
                Some('\\') => self.escape(&mut out),
                Some(c) if c == close => {
                    if self.string_ends() {
                        return out;
                    }
                    out.push(c);
                }
                Some(c) => out.push(c),
            }
        }
    }

    /// Whether what follows a quote may follow a string: a separator, a bracket, the end, or a key on the next line.
    fn string_ends(&self) -> bool {
        let mut broken = false;
        for c in self.chars.iter().skip(self.at) {
            match c {
                '\n' => broken = true,
                c if c.is_whitespace() => {}
                ',' | ':' | '}' | ']' | ';' | '/' | '=' | '`' => return true,
                c => return broken && closing_quote(*c).is_some(),
            }
        }
        true
    }

    fn escape(&mut self, out: &mut String) {
        match self.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('u') => out.push(self.unicode()),
            Some(c) => out.push(c),
            None => self.cut = true,
        }
    }

    /// The character of `\u` escapes, of two where the first is half of a pair.
    fn unicode(&mut self) -> char {
        let Some(first) = self.hex() else { return char::REPLACEMENT_CHARACTER };
        if let Some(c) = char::from_u32(first) {
            return c;
        }
        let pair = self.chars.get(self.at..self.at + 2) == Some(&['\\', 'u']);
        if first >= 0xdc00 || !pair {
            return char::REPLACEMENT_CHARACTER;
        }
        let back = self.at;
        self.at += 2;
        match self.hex().filter(|second| (0xdc00..0xe000).contains(second)) {
            Some(second) => char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)),
            None => {
                self.at = back;
                None
            }
        }
        .unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    fn hex(&mut self) -> Option<u32> {
        let digits: String = self.chars.get(self.at..self.at + 4)?.iter().collect();
        let code = u32::from_str_radix(&digits, 16).ok()?;
        self.at += 4;
        Some(code)
    }

    /// A number, a literal, or a text without quotes.
    fn word(&mut self) -> Value {
        let text = self.bare(&[',', '}', ']', '\n']);
        match text.as_str() {
            "true" | "True" => Value::Bool(true),
            "false" | "False" => Value::Bool(false),
            "null" | "None" | "undefined" | "NaN" | "" => Value::Null,
            text => serde_json::from_str::<Number>(text).map_or_else(|_| Value::String(text.to_owned()), Value::Number),
        }
    }

    /// Text up to one of these, trimmed.
    fn bare(&mut self, ends: &[char]) -> String {
        let mut out = String::new();
        while let Some(c) = self.peek().filter(|c| !ends.contains(c)) {
            out.push(c);
            self.at += 1;
        }
        if self.peek().is_none() {
            self.cut = true;
        }
        out.trim().to_owned()
    }
}

fn closing_quote(open: char) -> Option<char> {
    match open {
        '"' | '\'' => Some(open),
        '“' => Some('”'),
        '‘' => Some('’'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn only(text: &str) -> Value {
        let mut found = values(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found.remove(0).value
    }

    #[test]
    fn the_usual_slips_are_read() {
        let wanted = json!({"headings": [{"title": "A b", "page": 3}]});
        for text in [
            r#"{"headings": [{"title": "A b", "page": 3}]}"#,
            "Here it is:\n```json\n{\"headings\": [{\"title\": \"A b\", \"page\": 3,},],}\n```\nHope that helps!",
            "{'headings': [{'title': 'A b', 'page': 3}]}",
            "{headings: [{title: \"A b\", page: 3}]}",
            "{“headings”: [{“title”: “A b”, “page”: 3}]}",
            "{\"headings\": [ // two of them\n {\"title\": \"A b\" \n \"page\": 3}]}",
            "{\"headings\": [{\"title\": \"A b\", \"page\": 3]}",
        ] {
            assert_eq!(only(text), wanted, "{text}");
        }
        assert_eq!(only("{'a': True, 'b': None, 'c': False}"), json!({"a": true, "b": null, "c": false}));
        assert_eq!(only(r#"{"a": "the "big" one, they say", "b": 1}"#), json!({"a": "the \"big\" one, they say", "b": 1}));
        assert_eq!(only("{'a': 'it's', 'b': \"two\nlines\"}"), json!({"a": "it's", "b": "two\nlines"}));
        assert_eq!(only(r#"{"a": "\u00fc \ud83d\ude00 \ud83d \q"}"#), json!({"a": "ü 😀 \u{fffd} q"}));
    }

    #[test]
    fn what_was_cut_off_is_marked() {
        let whole = r#"{"headings": [{"title": "A b", "page": 3}, {"title": "C"#;
        let found = values(whole);
        assert_eq!(found, [Found { value: json!({"headings": [{"title": "A b", "page": 3}, {"title": "C"}]}), cut: true }]);
        assert!(!values(r#"{"a": 1}"#)[0].cut);
        assert!(values("{")[0].cut && values("[[[[")[0].cut);
    }

    #[test]
    fn several_values_are_told_apart() {
        let found = values("{\"a\": 1} and then [2] {");
        assert_eq!(found.len(), 3);
        assert!(values("no value at all").is_empty());
    }

    #[test]
    fn no_depth_and_no_length_is_too_much() {
        assert!(values(&"[".repeat(100_000))[0].cut);
        assert!(values(&"{\"a\":".repeat(100_000))[0].cut);
        assert_eq!(values(&"{}".repeat(1_000)).len(), 1_000);
    }

    fn sane() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            // Quarters: serde_json reads other fractions a bit apart.
            any::<i32>().prop_map(|n| Value::from(f64::from(n) / 4.0)),
            "[^\"]{0,12}".prop_map(Value::from),
            "(?s).{0,12}".prop_filter("quotes within are read by what follows them", |s| !s.contains('"')).prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 5, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                proptest::collection::btree_map("[a-z_]{0,8}", inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn sane_objects_survive_any_wrapping(
            inner in proptest::collection::btree_map("[a-z_]{1,8}", sane(), 0..5),
            before in "[A-Za-z0-9 .,:!`\n-]{0,40}",
            after in "[A-Za-z0-9 .,:!`\n-]{0,40}",
            pretty in any::<bool>(),
        ) {
            let value = Value::Object(inner.into_iter().collect());
            let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
            prop_assert_eq!(values(&format!("{before}{text}{after}")), vec![Found { value, cut: false }]);
        }

        #[test]
        fn escaped_quotes_are_kept(text in "[a-z \"'\\\\]{0,20}") {
            let value = json!({"a": text, "b": [text]});
            prop_assert_eq!(only(&value.to_string()), value);
        }

        #[test]
        fn nothing_makes_it_fail(text in "(?s).{0,80}", signs in "[{}\\[\\]\"'“”,:\\\\/*u0-9a-f \n]{0,60}") {
            let _ = values(&text);
            let _ = values(&signs);
        }

        #[test]
        fn an_object_cut_anywhere_keeps_its_finished_members(cut in 0_usize..47) {
            let whole = r#"{"headings": [{"title": "One", "page": 12}, {"t"#;
            let found = values(&whole[..cut]);
            prop_assert!(found.iter().all(|f| f.cut));
        }
    }
}
