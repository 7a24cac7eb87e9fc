//! Documents that grow past every size, and arguments that do: a reply is one envelope within its bound all the same.

use super::fake::{FakeDocument, node};
use super::*;
use crate::index::Node;
use crate::library::Status;
use crate::pdf::PageNote;

/// Sizes of a reply that a toolbox may be set to.
pub const LIMITS: [usize; 2] = [MAX_REPLY_CHARS, super::super::MIN_REPLY_CHARS];

fn deep(depth: usize) -> Vec<Node> {
    let summary = "deep down ".repeat(30);
    (0..depth).rev().fold(Vec::new(), |inner, at| {
        let mut level = node(&format!("Level {at}"), &format!("{at:04}"), 1, 1);
        level.summary = Some(summary.clone());
        level.nodes = inner;
        vec![level]
    })
}

fn flat(count: usize) -> Vec<Node> {
    (0..count).map(|at| node(&format!("Section {at} of a very long list"), &format!("{at:04}"), 1, 1)).collect()
}

/// The documents, each bad in its own way.
pub fn documents() -> Vec<FakeDocument> {
    let mut summary = node("Summary", "0000", 1, 1);
    summary.summary = Some("word ".repeat(40_000));
    let mut title = node(&"T".repeat(90_000), "0000", 1, 1);
    title.nodes = flat(400);
    let mut items = node("Items", "0000", 1, 1);
    items.key_items = (0..20_000).map(|at| format!("item {at}")).collect();
    let mut control = node(&"\u{1}".repeat(60_000), "0000", 1, 1);
    control.summary = Some("\u{2}".repeat(60_000));
    let mut odd = node(&"\u{2029}".repeat(60_000), "0000", 1, 1);
    odd.key_items = vec!["\u{7f}".repeat(300); 1_000];
    let mut every: FakeDocument = document("all.pdf", 300).described(&"d".repeat(200_000));
    for page in 1..=300 {
        every = every.note(page, [PageNote::Damaged, PageNote::HiddenText, PageNote::Undecodable][page % 3]);
        every = every.label(page, &format!("{}\u{7}{}", "\u{1}\"".repeat(page % 9 + 1), page * 7));
    }
    for at in 0..2_000 {
        every = every.meta(&format!("key {at}"), json!("\u{3}".repeat(500)));
    }
    every.record.notes = vec!["note: 1-3".repeat(10_000)];
    vec![
        document("summary.pdf", 1).tree(vec![summary]),
        document("title.pdf", 1).tree(vec![title]),
        document("flat.pdf", 1).tree(flat(3_000)),
        document("deep.pdf", 1).tree(deep(200)),
        document("items.pdf", 1).tree(vec![items]),
        document("control.pdf", 40).tree(vec![control]).text(1, &"\u{1}".repeat(300_000)).text(2, &"\u{1f600}\"\n".repeat(30_000)),
        // Characters that only some readers trip over grow as well.
        document("odd.pdf", 40)
            .described(&"\u{7f}\u{85}".repeat(50_000))
            .tree(vec![odd])
            .text(1, &"\u{9b}\u{2028}".repeat(150_000)),
        document(&format!("{}.pdf", "\u{85}".repeat(10_000)), 30).tree(flat(1_000)),
        document("page.pdf", 3).text(2, &"x ".repeat(150_000)),
        document("sparse.pdf", 20_000),
        document("empty.pdf", 0).tree(Vec::new()),
        every,
        document(&format!("{}.pdf", "n".repeat(10_000)), 30).tree(flat(1_000)),
        document(&format!("{}.pdf", "\u{1}".repeat(10_000)), 30).tree(flat(1_000)),
        document(&format!("{}.pdf", "\u{1}".repeat(30_000)), 30).tree(deep(100)),
        document(&"\u{6587}\u{1f600}".repeat(5_000), 9).status(Status::Processing),
        document("failed.pdf", 1).failed(&"because\n".repeat(20_000)),
    ]
}

#[tokio::test]
async fn no_reply_passes_its_bound() {
    let fake = Fake::with(documents());
    let sparse = (0..10_000).map(|at| (at * 2 + 1).to_string()).collect::<Vec<_>>().join(",");
    let mut calls = vec![
        ("browse_documents", json!({"limit": 50})),
        ("browse_documents", json!({"limit": 50, "sort": "relevance", "query": "x ".repeat(1 << 20)})),
        ("browse_documents", json!({"limit": 50, "query": "\u{1}".repeat(1 << 20)})),
        ("browse_documents", json!({"folder_id": "\u{1}".repeat(1 << 20)})),
        ("get_document", json!({"doc_name": "\u{1}".repeat(2 << 20)})),
        ("get_document", json!({"doc_name": "n".repeat(9_990)})),
        ("get_document", json!("\u{1}".repeat(1 << 21))),
        ("get_document", json!({"\u{1}".repeat(1 << 20): 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7})),
        ("remove_document", json!({"doc_names": (0..10).map(|at| "\u{1}".repeat(30_000 + at)).collect::<Vec<_>>()})),
        ("remove_document", json!({"doc_names": vec![json!(1); 100_000]})),
    ];
    for name in fake.names() {
        calls.push(("get_document", json!({"doc_name": name})));
        for part in [0, 2, i64::MAX] {
            calls.push(("get_document_structure", json!({"doc_name": name, "part": part})));
        }
        for pages in ["2", "1-1000000", "999999", &sparse] {
            calls.push(("get_page_content", json!({"doc_name": name, "pages": pages})));
        }
    }
    for limit in LIMITS {
        let toolbox = capped(&fake, limit);
        for (tool, arguments) in &calls {
            let reply = toolbox.call(tool, arguments, &CancellationToken::new()).await;
            let envelope = check(&reply, limit);
            assert_ne!(envelope["errorCode"], json!("INTERNAL_ERROR"), "{tool} {}", &reply.envelope);
        }
        let reply = toolbox.call(&"\u{1}".repeat(2 << 20), &json!({}), &CancellationToken::new()).await;
        check(&reply, limit);
    }
}

#[tokio::test]
async fn all_parts_of_every_outline_fit_and_hold_every_node() {
    let fake = Fake::with(documents());
    for limit in LIMITS {
        let toolbox = capped(&fake, limit);
        for (document, nodes) in [("flat.pdf", 3_000), ("deep.pdf", 200), ("title.pdf", 401), ("summary.pdf", 1), ("items.pdf", 1)]
        {
            let (mut ids, mut part, mut more) = (std::collections::BTreeSet::new(), 1, true);
            while more {
                let arguments = json!({"doc_name": document, "part": part});
                let reply = toolbox.call("get_document_structure", &arguments, &CancellationToken::new()).await;
                let envelope = check(&reply, limit);
                assert_eq!(envelope["pagination"]["part"], json!(part));
                // Text in the fake's titles and summaries never looks like a key.
                ids.extend(reply.envelope.split("\"node_id\":\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()));
                (part, more) = (part + 1, envelope["pagination"]["has_more"] == json!(true));
            }
            let unique = if document == "title.pdf" { nodes - 1 } else { nodes };
            assert_eq!(ids.len(), unique, "{document} at {limit}");
        }
    }
}

#[tokio::test]
async fn a_page_longer_than_a_reply_is_cut_with_a_mark() {
    let fake = Fake::with(documents());
    let (reply, envelope) = call(&whole(&fake), "get_page_content", json!({"doc_name": "page.pdf", "pages": "2-3"})).await;
    let text = envelope["content"][0]["text"].as_str().unwrap();
    assert!(
        text.len() > 90_000 && text.contains("of the 300,000 characters of page 2 are missing"),
        "{}",
        &text[text.len() - 300..]
    );
    assert_eq!((envelope["returned_pages"].as_str(), reply.evidence[0].text.as_str()), (Some("2"), text));
    assert!(envelope["next_steps"]["options"][0].as_str().unwrap().contains("pages=\"3\""), "{}", envelope["next_steps"]);
}

#[tokio::test]
async fn long_lists_of_pages_are_cut_with_a_count() {
    let fake = Fake::with(documents());
    let sparse = (0..10_000).map(|at| (at * 2 + 1).to_string()).collect::<Vec<_>>().join(",");
    let (_, envelope) = call(&whole(&fake), "get_page_content", json!({"doc_name": "sparse.pdf", "pages": sparse})).await;
    assert!(envelope["requested_pages"].as_str().unwrap().ends_with(",... 10,000 pages in all"));
    assert!(envelope["returned_pages"].as_str().unwrap().ends_with(" pages in all"));
    let next = envelope["next_steps"]["options"][0].as_str().unwrap();
    let spec = next.split("pages=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(super::super::pages::parse(spec, 20_000).is_ok_and(|selection| selection.outside.is_empty()), "{next}");
}

#[tokio::test]
async fn a_request_for_a_whole_book_loads_no_book() {
    let fake = Fake::with(documents());
    call(&whole(&fake), "get_page_content", json!({"doc_name": "sparse.pdf", "pages": "1-20000"})).await;
    assert!(*fake.largest_read.lock().unwrap() <= 32);
}

#[tokio::test]
async fn names_are_whole_wherever_they_can_be() {
    let fake = Fake::with(documents());
    let name = format!("{}.pdf", "\u{1}".repeat(10_000));
    let (_, envelope) = call(&whole(&fake), "get_page_content", json!({"doc_name": name, "pages": "1"})).await;
    assert_eq!(envelope["doc_name"], json!(name));
    let (_, envelope) = call(&whole(&fake), "browse_documents", json!({"limit": 50})).await;
    assert!(envelope["has_more"].as_bool().unwrap(), "long names leave room for fewer documents");
    assert_eq!(envelope["next_offset"], json!(envelope["documents"].as_array().unwrap().len()));
    // Also where they are only close to what was asked for.
    let (_, envelope) = call(&whole(&fake), "get_document", json!({"doc_name": "n".repeat(9_990)})).await;
    assert_eq!(envelope["similar_files"][0], json!(format!("{}.pdf", "n".repeat(10_000))));
    let message = envelope["error"].as_str().unwrap();
    assert!(message.len() < 300 && message.contains("similar_files"), "{message}");
}
