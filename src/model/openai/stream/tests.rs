use proptest::prelude::*;

use super::*;

fn tools() -> Vec<ToolSpec> {
    ["f", "g"].iter().map(|n| ToolSpec { name: (*n).into(), description: String::new(), schema: json!({}) }).collect()
}

/// The turn that these deltas of a message give.
fn turn(deltas: &[Value]) -> ChatTurn {
    let tools = tools();
    let mut assembly = Assembly::new(&tools);
    let mut heard = Vec::new();
    for delta in deltas {
        assembly.push(Chunk::read(json!({"choices": [{"delta": delta}]})), &mut |d| heard.push(d));
    }
    assembly.finish(BTreeSet::new(), &mut |d| heard.push(d))
}

fn calls(deltas: &[Value]) -> Vec<(String, String, Value)> {
    let items = turn(deltas).items.into_iter();
    items
        .filter_map(|item| match item {
            HistoryItem::ToolCall { id, name, arguments, .. } => Some((id, name, arguments)),
            _ => None,
        })
        .collect()
}

fn call(part: Value) -> Value {
    json!({"tool_calls": [part]})
}

#[test]
fn pieces_find_their_call() {
    let wanted = vec![("a".to_owned(), "f".to_owned(), json!({"x": 1})), ("b".to_owned(), "g".to_owned(), json!({"y": 2}))];
    let head =
        |index: Value, id: &str, name: &str| call(json!({"index": index, "id": id, "function": {"name": name, "arguments": ""}}));
    let more = |index: Value, text: &str| call(json!({"index": index, "function": {"arguments": text}}));
    // By index, also interleaved.
    let by_index = [
        head(json!(0), "a", "f"),
        head(json!(1), "b", "g"),
        more(json!(1), "{\"y\""),
        more(json!(0), "{\"x\": 1}"),
        more(json!(1), ": 2}"),
    ];
    assert_eq!(calls(&by_index), wanted);
    // Without any index.
    let none = [
        head(json!(null), "a", "f"),
        more(json!(null), "{\"x\": 1}"),
        head(json!(null), "b", "g"),
        more(json!(null), "{\"y\": 2}"),
    ];
    assert_eq!(calls(&none), wanted);
    // Every call has index 0.
    let zero = [
        call(json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x\": 1}"}})),
        call(json!({"index": 0, "id": "b", "function": {"name": "g", "arguments": "{\"y\": 2}"}})),
    ];
    assert_eq!(calls(&zero), wanted);
    // Every call has index 0, no id and the same name.
    let same = ["{\"x\": 1}", "{\"x\": 2}", ""].map(|text| call(json!({"index": 0, "function": {"name": "f", "arguments": text}})));
    let arguments: Vec<Value> = calls(&same).into_iter().map(|(_, _, arguments)| arguments).collect();
    assert_eq!(arguments, [json!({"x": 1}), json!({"x": 2})]);
    // Id and name come with every piece.
    let repeated =
        ["{\"x\"", ": 1}"].map(|text| call(json!({"index": 0, "id": "a", "function": {"name": "f", "arguments": text}})));
    assert_eq!(calls(&repeated), wanted[..1]);
}

#[test]
fn missing_and_doubled_ids_are_replaced() {
    let both = [
        json!({"tool_calls": [{"function": {"name": "f", "arguments": "{\"x\": 1}"}}, {"function": {"name": "f", "arguments": "{\"x\": 2}"}}]}),
        call(json!({"index": 5, "id": "call00001", "function": {"name": "g", "arguments": "{}"}})),
    ];
    let ids: Vec<String> = calls(&both).into_iter().map(|(id, _, _)| id).collect();
    assert_eq!(ids, ["call00001", "call00002", "call00003"]);
}

#[test]
fn arguments_come_as_objects_and_broken() {
    let of = |arguments: Value| calls(&[call(json!({"id": "a", "function": {"name": "f", "arguments": arguments}}))])[0].2.clone();
    assert_eq!(of(json!({"x": 1})), json!({"x": 1}));
    assert_eq!(of(json!("{\"x\": 1,}")), json!({"x": 1}));
    assert_eq!(of(json!("")), json!({}));
    assert_eq!(of(json!("x is 1")), json!("x is 1"));
}

#[test]
fn finish_follows_from_what_came() {
    let finish = |reason: Value, delta: Value| {
        let tools = tools();
        let mut assembly = Assembly::new(&tools);
        assembly.push(Chunk::read(json!({"choices": [{"delta": delta, "finish_reason": reason}]})), &mut |_| {});
        let turn = assembly.finish(BTreeSet::new(), &mut |_| {});
        (turn.finish, turn.items.len())
    };
    let text = json!({"content": "a"});
    for reason in [json!("stop"), json!(""), json!(null), json!("eos"), json!("tool_calls")] {
        assert_eq!(finish(reason, text.clone()), (Finish::Stop, 1));
    }
    assert_eq!(finish(json!("length"), text.clone()), (Finish::Length, 1));
    assert_eq!(finish(json!("MAX_TOKENS"), text.clone()), (Finish::Length, 1));
    assert_eq!(finish(json!("content_filter"), text), (Finish::Refused, 1));
    assert_eq!(finish(json!("stop"), json!({"refusal": "I cannot."})), (Finish::Refused, 1));
    let whole = call(json!({"id": "a", "function": {"name": "f", "arguments": "{}"}}));
    assert_eq!(finish(json!("stop"), whole.clone()), (Finish::ToolCalls, 1));
    assert_eq!(finish(json!("length"), whole), (Finish::ToolCalls, 1));
    // The bound fell into the arguments.
    assert_eq!(
        finish(json!("length"), call(json!({"id": "a", "function": {"name": "f", "arguments": "{\"x\": \"1"}}))),
        (Finish::Length, 0)
    );
}

#[test]
fn provider_fields_go_to_the_first_item_and_to_their_call() {
    let signed = turn(&[
        json!({"content": "So. ", "reasoning_details": [{"t": 1}], "reasoning_content": "h"}),
        json!({"reasoning_details": [{"t": 2}], "reasoning_content": "m", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}, "thought_signature": "s"}]}),
    ]);
    let message = json!({"message": {"reasoning_details": [{"t": 1}, {"t": 2}], "reasoning_content": "hm"}});
    assert_eq!(signed.items[0], HistoryItem::Assistant { text: "So. ".into(), payload: Some(message.clone()) });
    let HistoryItem::ToolCall { payload, .. } = &signed.items[1] else { panic!("{:?}", signed.items) };
    assert_eq!(*payload, Some(json!({"call": {"thought_signature": "s"}})));

    let silent = turn(&[json!({"reasoning_content": "hm", "tool_calls": [{"id": "a", "function": {"name": "f"}}]})]);
    let HistoryItem::ToolCall { payload, .. } = &silent.items[0] else { panic!("{:?}", silent.items) };
    assert_eq!(*payload, Some(json!({"message": {"reasoning_content": "hm"}})));

    // Without calls the reasoning stays here.
    assert_eq!(
        turn(&[json!({"reasoning_content": "hm", "content": "Yes."})]).items,
        [HistoryItem::Assistant { text: "Yes.".into(), payload: None }]
    );
}

#[test]
fn calls_in_the_text_count_only_without_real_ones() {
    let text = json!({"content": "<tool_call>{\"name\": \"f\", \"arguments\": {\"x\": 1}}</tool_call>"});
    assert_eq!(calls(std::slice::from_ref(&text)), [("call00001".to_owned(), "f".to_owned(), json!({"x": 1}))]);
    assert_eq!(
        calls(&[text, call(json!({"id": "a", "function": {"name": "g", "arguments": "{}"}}))]),
        [("a".to_owned(), "g".to_owned(), json!({}))]
    );
}

#[test]
fn half_a_call_in_the_text_is_none_where_the_bound_was_reached() {
    let text = "<function=f><parameter=x>1</parameter></function><function=f><parameter=x>1";
    for (reason, wanted) in [("stop", 2), ("length", 1)] {
        let tools = tools();
        let mut assembly = Assembly::new(&tools);
        let chunk = json!({"choices": [{"delta": {"content": text}, "finish_reason": reason}]});
        assembly.push(Chunk::read(chunk), &mut |_| {});
        let turn = assembly.finish(BTreeSet::new(), &mut |_| {});
        assert_eq!((turn.items.len(), turn.finish), (wanted, Finish::ToolCalls), "{reason}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn however_the_arguments_are_split_they_are_the_same(text in "[a-z\" ,é]{0,12}", cuts in proptest::collection::vec(0_usize..40, 0..5)) {
        let wanted = json!({"q": text});
        let whole: Vec<char> = wanted.to_string().chars().collect();
        let mut ends: Vec<usize> = cuts.into_iter().map(|c| c.min(whole.len())).chain([whole.len()]).collect();
        ends.sort_unstable();
        let mut deltas = vec![call(json!({"index": 0, "id": "a", "function": {"name": "f"}}))];
        let mut from = 0;
        for end in ends {
            let piece: String = whole[from..end].iter().collect();
            deltas.push(call(json!({"index": 0, "function": {"arguments": piece}})));
            from = end;
        }
        prop_assert_eq!(calls(&deltas), vec![("a".to_owned(), "f".to_owned(), wanted)]);
    }
}
