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
            Piece::WasThinking => thinking.push_str(&std::mem::take(&mut text)),
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
        ("I read it:\n```json\n{\"name\": \"get_page_content\", \"parameters\": {\"pages\": \"1,3\"}}\n```\n", "I read it:\n\n"),
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
        let (text, _, calls) = sorted("<think>a</think>\n<tool_call>{\"name\": \"browse_documents\"}</tool_call>", size, &TOOLS);
        assert_eq!((text.trim(), calls.len()), ("", 1));
    }
}

/// Each family of models, as its template has it when the server leaves the reply as it is.
#[test]
fn the_notations_of_all_families_are_read() {
    for (input, text) in [
        // Mistral: a list, names with their JSON, with a mark between, with an id.
        (r#"[TOOL_CALLS] [{"name": "get_page_content", "arguments": {"pages": "1,3"}}]"#, ""),
        (r#"[TOOL_CALLS][{"name": "get_page_content", "arguments": {"pages": "1,3"}}]</s>"#, ""),
        (r#"I look. [TOOL_CALLS]get_page_content{"pages": "1,3"}"#, "I look. "),
        (r#"[TOOL_CALLS]get_page_content[ARGS]{"pages": "1,3"}"#, ""),
        (r#"[TOOL_CALLS]get_page_content[CALL_ID]a1B2c3D4e[ARGS]{"pages": "1,3"}"#, ""),
        // Llama.
        (r#"<|python_tag|>{"name": "get_page_content", "parameters": {"pages": "1,3"}}"#, ""),
        (r#"<|python_tag|>{"type": "function", "name": "get_page_content", "parameters": {"pages": "1,3"}}<|eom_id|>"#, ""),
        (r#"<function=get_page_content>{"pages": "1,3"}</function>"#, ""),
        (r#"Look: <function=get_page_content>{"pages": "1,3"}"#, "Look: "),
        // DeepSeek: V3 and R1, then V3.1.
        (
            "Sure.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_page_content\n```json\n{\"pages\": \"1,3\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
            "Sure.",
        ),
        (
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_page_content<｜tool▁sep｜>{\"pages\": \"1,3\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
            "",
        ),
        ("<｜tool▁call▁begin｜>get_page_content<｜tool▁sep｜>{\"pages\": \"1,3\"}<｜tool▁call▁end｜>", ""),
        // Qwen3-Coder, with and without the outer tag, and with the last closing tags lost.
        ("<tool_call>\n<function=get_page_content>\n<parameter=pages>\n1,3\n</parameter>\n</function>\n</tool_call>", ""),
        ("<function=get_page_content>\n<parameter=pages>\n1,3\n</parameter>\n</function>\n</tool_call>", "\n"),
        ("<tool_call>\n<function=get_page_content>\n<parameter=pages>\n1,3\n", ""),
        // GLM.
        ("<tool_call>get_page_content\n<arg_key>pages</arg_key>\n<arg_value>1,3</arg_value>\n</tool_call>", ""),
        // Kimi.
        (
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_page_content:0<|tool_call_argument_begin|>{\"pages\": \"1,3\"}<|tool_call_end|><|tool_calls_section_end|>",
            "",
        ),
        // Phi and Granite; Cohere.
        (r#"<|tool_call|>[{"name": "get_page_content", "arguments": {"pages": "1,3"}}]<|/tool_call|>"#, ""),
        (
            r#"<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_page_content", "parameters": {"pages": "1,3"}}]<|END_ACTION|>"#,
            "",
        ),
        // The opening tag was part of the template, so that only the closing one comes (llama.cpp).
        ("{\"name\": \"get_page_content\", \"arguments\": {\"pages\": \"1,3\"}}\n</tool_call>", ""),
        // A list without any mark.
        (r#"[{"name": "get_page_content", "arguments": {"pages": "1,3"}}]"#, ""),
        // gpt-oss: the harmony format.
        ("<|channel|>commentary to=functions.get_page_content <|constrain|>json<|message|>{\"pages\": \"1,3\"}<|call|>", ""),
        (
            "<|start|>assistant<|channel|>commentary<|message|>I look.<|end|><|start|>assistant to=functions.get_page_content<|channel|>commentary json<|message|>{\"pages\": \"1,3\"}",
            "I look.",
        ),
    ] {
        let call = TextCall { name: "get_page_content".into(), arguments: json!({"pages": "1,3"}) };
        for size in [1, 2, 5, 1000] {
            assert_eq!(sorted(input, size, &TOOLS), (text.to_owned(), String::new(), vec![call.clone()]), "{size}: {input}");
        }
    }
}

#[test]
fn several_calls_in_one_block_stay_in_order() {
    let first = r#"{"name": "get_page_content", "arguments": {"pages": "1"}}"#;
    let second = r#"{"name": "browse_documents", "arguments": {}}"#;
    for input in [
        format!("[TOOL_CALLS][{first}, {second}]"),
        r#"[TOOL_CALLS]get_page_content[ARGS]{"pages": "1"}[TOOL_CALLS]browse_documents[ARGS]{}"#.to_owned(),
        format!("<|python_tag|>{first}; {second}"),
        format!("<tool_call>{first}</tool_call>\n<tool_call>{second}</tool_call>"),
        format!("<tool_call>\n{first}\n{second}\n</tool_call>"),
        format!("{first}\n</tool_call>\n<tool_call>\n{second}\n</tool_call>"),
        format!("{first}\n{second}"),
        "<function=get_page_content>{\"pages\": \"1\"}</function><function=browse_documents>{}</function>".to_owned(),
    ] {
        let (text, _, calls) = sorted(&input, 3, &TOOLS);
        let names: Vec<(&str, &Value)> = calls.iter().map(|c| (c.name.as_str(), &c.arguments)).collect();
        assert_eq!(names, [("get_page_content", &json!({"pages": "1"})), ("browse_documents", &json!({}))], "{input}");
        assert_eq!(text.trim(), "", "{input}");
    }
}

#[test]
fn what_cannot_be_read_as_a_call_is_shown_without_marks() {
    for (input, text) in [
        (
            "{\"name\": \"Read page 4 of a.pdf\", \"arguments\": [1]}\n</tool_call>",
            "{\"name\": \"Read page 4 of a.pdf\", \"arguments\": [1]}\n",
        ),
        ("[TOOL_CALLS] I do not know.", " I do not know."),
        ("<|python_tag|>print(1)<|eom_id|>", "print(1)"),
        ("It is 5.<|im_end|>\n<|im_start|>", "It is 5.\n"),
        ("It is 5.<end_of_turn>", "It is 5."),
        ("[a.pdf, p. 3] says 5.", "[a.pdf, p. 3] says 5."),
        ("[ 5, 6 ]", "[ 5, 6 ]"),
    ] {
        for size in [1, 4, 1000] {
            assert_eq!(sorted(input, size, &TOOLS), (text.to_owned(), String::new(), vec![]), "{size}: {input}");
        }
    }
    // The name is certain, the arguments are not.
    let (text, _, calls) =
        sorted("<tool_call>{\"name\": \"get_page_content\", \"arguments\": {\"pages\": \"1</tool_call>", 7, &TOOLS);
    assert_eq!((text.as_str(), calls.len()), ("", 1));
    assert!(calls[0].arguments.is_string());
}

#[test]
fn reasoning_and_answer_of_the_harmony_format_are_told_apart() {
    let input = "<|channel|>analysis<|message|>Hm < so.<|end|><|start|>assistant<|channel|>final<|message|>It is 5.<|return|>";
    for tools in [&TOOLS[..], &[]] {
        for size in [1, 6, 1000] {
            assert_eq!(sorted(input, size, tools), ("It is 5.".into(), "Hm < so.".into(), vec![]), "{size}");
        }
    }
    let lost = "<|channel|>commentary to=functions.unknown <|constrain|>json<|message|>{\"a\": 1}<|call|>";
    assert_eq!(sorted(lost, 3, &TOOLS), (String::new(), "{\"a\": 1}".into(), vec![]));
}

#[test]
fn reasoning_without_its_opening_mark_is_taken_back() {
    for size in [1, 4, 1000] {
        assert_eq!(sorted("Hm.</think>\n\nIt is 5.", size, &TOOLS), ("\n\nIt is 5.".into(), "Hm.".into(), vec![]));
        assert_eq!(sorted("The mark `</think>` ends it.", size, &TOOLS).0, "The mark `</think>` ends it.");
        assert_eq!(sorted("<think>a</think>b</think>c", size, &TOOLS), ("bc".into(), "a".into(), vec![]));
        for open in ["[THINK]Hm.[/THINK]", "<thought>Hm.</thought>", "<thinking>Hm.</thinking>"] {
            assert_eq!(sorted(&format!("{open}It is 5."), size, &TOOLS), ("It is 5.".into(), "Hm.".into(), vec![]));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn without_tools_and_tags_text_passes_unchanged(input in "[a-z`{}<>/ \né]{0,40}", size in 1_usize..6) {
        prop_assert_eq!(sorted(&input, size, &[]).0, input.clone());
        prop_assert_eq!(sorted(&input, size, &TOOLS).0, input);
    }

    /// Marks and pieces of them in any order: the same comes out however the text is split, and no mark of a template is shown.
    #[test]
    fn however_the_text_is_split_the_same_comes_out(parts in proptest::collection::vec(proptest::sample::select(vec![
        "<think>", "</think>", "<tool_call>", "</tool_call>", "```", "[TOOL_CALLS]", "<|python_tag|>", "<|channel|>", "analysis", "final",
        " to=functions.browse_documents", "<|message|>", "<|end|>", "<|call|>", "<|start|>", "<function=browse_documents>", "</function>",
        "{\"name\": \"browse_documents\", \"arguments\": {}}", "{", "[", "`", "text ", "\n", "<", "<|im_end|>", "<｜tool▁calls▁begin｜>",
    ]), 0..9), size in 1_usize..9) {
        let input = parts.concat();
        let whole = sorted(&input, 10_000, &TOOLS);
        prop_assert_eq!(sorted(&input, size, &TOOLS), whole.clone());
        prop_assert!(!whole.0.contains("<|im_end|>"), "{:?}", whole.0);
    }
}
