//! Generated arguments: valid, nearly valid, garbage. Always one envelope within its bound, never a panic.

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::super::definition::tools;
use super::*;
use crate::library::Status;

/// Cases per tool; `PROPTEST_CASES` can ask for more.
const CASES: u32 = 1_000;

fn any_value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        Just("memo.pdf".to_owned()),
        Just("annual-report.pdf".to_owned()),
        Just("new.pdf".to_owned()),
        Just("root".to_owned()),
        Just("time".to_owned()),
        Just("relevance".to_owned()),
        Just("true".to_owned()),
        "[0-9]{1,3}(-[0-9]{1,12})?(,[0-9]{1,4}){0,3}",
        "[0-9,. -]{0,12}",
        "\\PC{0,20}",
        "[\u{0}-\u{1f}]{0,20}",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-3i64..60).prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z_]{1,8}", inner, 0..4).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Arguments that have mostly known names, with values that are sound, nearly so, or not at all.
fn any_arguments(known: Vec<&'static str>) -> impl Strategy<Value = Value> {
    let takes_name = known.contains(&"doc_name");
    let takes_pages = known.contains(&"pages");
    let name = prop_oneof![9 => prop::sample::select(known).prop_map(str::to_owned), 1 => "[a-z_]{1,12}"];
    let object =
        prop::collection::btree_map(name, any_value(), 0..5).prop_map(|map| Value::Object(map.into_iter().collect())).boxed();
    prop_oneof![
        6 => (object.clone(), prop::bool::weighted(0.7)).prop_map(move |(mut object, sound)| {
            if sound && takes_name {
                object["doc_name"] = json!("annual-report.pdf");
            }
            if sound && takes_pages {
                object.as_object_mut().unwrap().entry("pages").or_insert(json!("1-3"));
            }
            object
        }),
        2 => object.prop_map(|object| json!(object.to_string())),
        1 => any_value(),
        1 => "\\PC{0,60}".prop_map(Value::from),
    ]
}

/// A library in which a wait ends at once.
fn library() -> Arc<Fake> {
    Fake::with(vec![
        document("annual-report.pdf", 42).described("Annual report"),
        document("memo.pdf", 3),
        document("new.pdf", 3).status(Status::Processing),
        document("bad.pdf", 3).failed("no text"),
    ])
}

#[test]
fn any_arguments_get_one_envelope() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let fake = library();
    let now = Patience { limit: Duration::ZERO, ..SHORT };
    let toolbox =
        LocalToolbox::new(fake.clone(), fake, ToolboxOptions { include_management: true, ..Default::default() }).with_patience(now);
    for tool in tools(true) {
        let mut runner =
            TestRunner::new(Config { cases: CASES.max(Config::default().cases), failure_persistence: None, ..Config::default() });
        let known = tool.arguments.iter().map(|argument| argument.name).collect();
        let good = Cell::new(0);
        runner
            .run(&any_arguments(known), |arguments| {
                let reply = runtime.block_on(toolbox.call(tool.name, &arguments, &CancellationToken::new()));
                let envelope = check(&reply, MAX_REPLY_CHARS);
                prop_assert_ne!(&envelope["errorCode"], &json!("INTERNAL_ERROR"));
                good.set(good.get() + u32::from(!reply.is_error));
                Ok(())
            })
            .unwrap();
        assert!(good.get() > CASES / 20 || tool.management, "enough generated calls of {} succeed", tool.name);
    }
}
