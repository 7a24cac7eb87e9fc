//! Merging into texts as people have them.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::mcp::hosts::merge::{MergeError, Merged};
use crate::mcp::hosts::{json as json_file, toml as toml_file};

const ZED: &str = "\
// Zed settings
{
  \"theme\": \"One Dark\", // dark
  /* fonts */
  \"buffer_font_size\": 15,
  \"context_servers\": {
    // mine
    \"other\": {
      \"command\": \"/bin/other\",   \"args\": [],
    },
  },
  \"vim_mode\": true,
}
";

const CODEX: &str = "\
# my settings
model = \"gpt-5\"   # the model

[mcp_servers.other]   # mine
command = 'other'
args = [ \"a\",
  \"b\" ]

[mcp_servers.other.env]
KEY = \"value\"

[profiles.fast]
model = \"gpt-5-mini\"
";

fn value() -> Value {
    json!({"command": "/bin/pagewise", "args": ["mcp"]})
}

fn merge_json(text: &str, lenient: bool) -> Result<Merged, MergeError> {
    json_file::merge(text, lenient, "mcpServers", "pagewise", &value())
}

fn merge_toml(text: &str) -> Result<Merged, MergeError> {
    toml_file::merge(text, "mcp_servers", "pagewise", &value())
}

fn added(merged: Result<Merged, MergeError>) -> String {
    match merged {
        Ok(Merged::Added(text)) => text,
        other => panic!("not added: {other:?}"),
    }
}

fn replaced(merged: Result<Merged, MergeError>) -> String {
    match merged {
        Ok(Merged::Replaced(text)) => text,
        other => panic!("not replaced: {other:?}"),
    }
}

/// Asserts that `new` is `old` with one piece put in, and gives the piece.
fn one_piece_more(old: &str, new: &str) -> String {
    let start = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let end = old.len() - start;
    assert!(new.len() >= old.len() && new.as_bytes().ends_with(&old.as_bytes()[start..]), "more than one change:\n{new}");
    String::from_utf8_lossy(&new.as_bytes()[start..new.len() - end]).into_owned()
}

#[test]
fn comments_order_and_format_of_json_stay() {
    let new = added(json_file::merge(ZED, true, "context_servers", "pagewise", &value()));
    one_piece_more(ZED, &new);
    insta::assert_snapshot!(new);
    assert_eq!(json_file::merge(&new, true, "context_servers", "pagewise", &value()), Ok(Merged::Same));
}

#[test]
fn comments_order_and_format_of_toml_stay() {
    let new = added(merge_toml(CODEX));
    one_piece_more(CODEX, &new);
    insta::assert_snapshot!(new);
    assert_eq!(merge_toml(&new), Ok(Merged::Same));
}

#[test]
fn a_file_without_servers_gets_them() {
    let old = "{\n    \"a\": 1\n}\n";
    assert_eq!(
        added(merge_json(old, false)),
        "{\n    \"a\": 1,\n    \"mcpServers\": {\n        \"pagewise\": {\n            \"command\": \"/bin/pagewise\",\n            \"args\": [\"mcp\"]\n        }\n    }\n}\n"
    );
    assert_eq!(added(merge_toml("a = 1\n")), "a = 1\n\n[mcp_servers.pagewise]\ncommand = \"/bin/pagewise\"\nargs = [\"mcp\"]\n");
}

#[test]
fn a_file_of_comments_keeps_them() {
    for old in ["// nothing yet\n", "/* nothing */", "// one\r\n\r\n// two"] {
        let new = added(merge_json(old, true));
        assert!(new.starts_with(old.trim_end()), "{new}");
        assert_eq!(merge_json(&new, true), Ok(Merged::Same));
    }
}

#[test]
fn what_is_on_one_line_stays_on_one_line() {
    for old in [r#"{"n":3}"#, r#"{"mcpServers":{"other":{"command":"x"}},"n":[1,2]}"#, "{\"n\":3, /* end */ }\n", r#"{"n":3,}"#] {
        let new = added(merge_json(old, true));
        one_piece_more(old, &new);
        assert_eq!(new.matches('\n').count(), old.matches('\n').count(), "{new}");
        assert_eq!(merge_json(&new, true), Ok(Merged::Same));
    }
}

#[test]
fn line_ends_of_windows_stay() {
    for old in [ZED.replace('\n', "\r\n"), "{\r\n\"n\": 1\r\n}".to_owned()] {
        let new = added(json_file::merge(&old, true, "context_servers", "pagewise", &value()));
        one_piece_more(&old, &new);
        assert_eq!(new.matches('\n').count(), new.matches("\r\n").count(), "{new:?}");
    }
    let old = CODEX.replace('\n', "\r\n");
    let new = added(merge_toml(&old));
    one_piece_more(&old, &new);
    assert_eq!(new.matches('\n').count(), new.matches("\r\n").count(), "{new:?}");
}

#[test]
fn mixed_line_ends_stay_mixed() {
    let old = "a = 1\r\nb = 2\n\n[x]\r\nc = \"\"\"one\r\ntwo\nthree\"\"\"\n";
    one_piece_more(old, &added(merge_toml(old)));
}

#[test]
fn an_entry_is_replaced_where_it_stands() {
    let old = "{\n  \"mcpServers\": {\n    \"a\": {}, // first\n    // ours\n    \"pagewise\": {\"command\": \"old\", \"env\": {\"K\": \"v\"}},\n    \"z\": {}\n  }\n}";
    let new = replaced(merge_json(old, true));
    let (before, after) = old.split_once("{\"command\": \"old\", \"env\": {\"K\": \"v\"}}").unwrap();
    assert!(new.starts_with(before) && new.ends_with(after), "{new}");
    assert_eq!(merge_json(&new, true), Ok(Merged::Same));

    let old = "[mcp_servers.a]\ncommand = 'a'\n\n# ours\n[mcp_servers.pagewise]\ncommand = \"old\"\n\n[mcp_servers.pagewise.env]\nK = \"v\"\n\n[mcp_servers.z] # last\ncommand = 'z'\n";
    let new = replaced(merge_toml(old));
    assert_eq!(
        new,
        "[mcp_servers.a]\ncommand = 'a'\n\n# ours\n[mcp_servers.pagewise]\ncommand = \"/bin/pagewise\"\nargs = [\"mcp\"]\n\n[mcp_servers.z] # last\ncommand = 'z'\n"
    );
}

#[test]
fn toml_written_in_other_ways_is_understood() {
    for old in [
        "mcp_servers = { other = { command = \"x\" } }\n",
        "mcp_servers.other.command = \"x\"\n",
        "[mcp_servers]\nother = { command = 'x' } # mine\n\n[z]\n",
        "[mcp_servers]\n",
        "# nothing\n",
        "a = 1",
    ] {
        let new = added(merge_toml(old));
        assert_eq!(merge_toml(&new), Ok(Merged::Same), "{new}");
        let again = toml_file::merge(&new, "mcp_servers", "pagewise", &json!({"command": "other"}));
        replaced(again);
    }
}

#[test]
fn an_entry_that_says_the_same_in_other_words_is_there() {
    let text = "{\"mcpServers\": {\"pagewise\": {\n\"args\" : [ \"mcp\" ], \"command\": \"\\/bin\\u002fpagewise\" } } }";
    assert_eq!(merge_json(text, false), Ok(Merged::Same));
    assert_eq!(merge_toml("mcp_servers.pagewise = { args = ['mcp'], command = '/bin/pagewise' }"), Ok(Merged::Same));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let say = |merged: Result<Merged, MergeError>| merged.unwrap_err().to_string();
    let all = [
        say(merge_json("{\n  \"a\": 1,\n  \"b\": }\n", true)),
        say(merge_json("{\n  // comment\n  \"a\": 1\n}", false)),
        say(merge_json("{\n  \"ä\": [1, 2,]\n}", false)),
        say(merge_json("{\"a\": 1", true)),
        say(merge_json("[1, 2]", true)),
        say(merge_json("{\"mcpServers\": []}", true)),
        say(merge_json("{\"mcpServers\": {}, \"mcpServers\": {}}", true)),
        say(merge_json("{\"mcpServers\": {\"pagewise\": 1, \"pagewise\": 2}}", true)),
        say(merge_json("{\"a\": 1} {\"b\": 2}", true)),
        say(merge_json("{'a': 1}", true)),
        say(merge_json(&"[".repeat(100_000), true)),
        say(merge_toml("a = 1\nb = \n")),
        say(merge_toml("a = 1\r\n[x\r\n")),
        say(merge_toml("a = 1\na = 2\n")),
        say(merge_toml("mcp_servers = 3\n")),
        say(merge_toml("[[mcp_servers]]\na = 1\n")),
    ]
    .join("\n");
    insta::assert_snapshot!(all);
}

/// JSON in all its layouts: indentation, comments, one line or many.
fn json_text() -> impl Strategy<Value = String> {
    let space = prop_oneof![Just(""), Just(" "), Just("\n"), Just("\n  "), Just("\r\n\t"), Just(" /* c */ "), Just(" // c\n")];
    let scalar =
        prop_oneof![Just("1"), Just("-2.5e3"), Just("null"), Just("true"), Just("\"s \\\" // no\""), Just("{}"), Just("[ ]")]
            .prop_map(str::to_owned);
    let value = (scalar, space.clone(), space.clone()).prop_map(|(value, before, after)| format!("{before}{value}{after}"));
    value.prop_recursive(3, 12, 3, move |inner| {
        let key = prop_oneof![Just("a"), Just("mcpServers"), Just("ü"), Just("pagewise"), Just("other")];
        (prop::collection::vec((key, inner), 1..4), space.clone(), any::<bool>()).prop_map(|(fields, space, comma)| {
            let mut seen = std::collections::HashSet::new();
            let fields: Vec<String> = fields
                .into_iter()
                .filter(|(key, _)| seen.insert(*key))
                .map(|(key, value)| format!("{space}\"{key}\":{value}"))
                .collect();
            format!("{{{}{}{space}}}", fields.join(","), if comma { "," } else { "" })
        })
    })
}

proptest! {
    /// Whatever the layout, the outcome is whole: the entry is there, the rest means the same, and a second run finds it.
    #[test]
    fn json_of_any_layout_is_kept(text in json_text()) {
        match merge_json(&text, true) {
            Ok(Merged::Added(new) | Merged::Replaced(new)) => prop_assert_eq!(merge_json(&new, true), Ok(Merged::Same)),
            Ok(Merged::Same) => {}
            Err(error) => prop_assert!(matches!(error, MergeError::Shape(_)), "{}", error),
        }
    }

    /// No text at all makes it stop.
    #[test]
    fn garbage_is_refused_or_understood(text in "\\PC{0,40}|[\\[\\]{}\"':,=#/* \\r\\na-c.]{0,60}") {
        let _ = merge_json(&text, true);
        let _ = merge_toml(&text);
    }
}
