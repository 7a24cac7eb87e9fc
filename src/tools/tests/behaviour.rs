//! What each tool does, reply by reply.

use super::fake::page;
use super::*;
use crate::library::Status;
use crate::pdf::PageNote;

/// One reply of each kind, as it is sent, for a person to read.
#[tokio::test]
async fn replies_read_well() {
    let fake = Fake::with(vec![
        document("annual-report.pdf", 42).described("Annual report of Northwind for fiscal 2023").label(1, "i").label(2, "ii"),
        document("Q3-financials.pdf", 8).described("Revenue and profit for the third quarter").meta("year", json!(2024)),
        document("memo.pdf", 3).note(2, PageNote::ImageOnly).text(2, "").label(3, "1"),
        document("new.pdf", 1).status(Status::Queued),
        document("bad.pdf", 1).failed("no page has text; run an OCR program first"),
    ]);
    let open = toolbox(&fake, Scope::All, false);
    let managed = whole(&fake);
    let mut out = String::new();
    for (toolbox, name, arguments) in [
        (&open, "browse_documents", json!({"limit": 4})),
        (&open, "browse_documents", json!({"sort": "relevance", "query": "profit"})),
        (&open, "browse_documents", json!({"sort": "relevance"})),
        (&open, "browse_documents", json!({"folder_id": "reports"})),
        (&open, "get_document", json!({"doc_name": "annual-report.pdf"})),
        (&open, "get_document", json!({"doc_name": "Q3-financials.pdf"})),
        (&open, "get_document", json!({"doc_name": "memo.pdf"})),
        (&open, "get_document", json!({"doc_name": "new.pdf"})),
        (&open, "get_document", json!({"doc_name": "bad.pdf"})),
        (&open, "get_document", json!({"doc_name": "annual_report.pdf"})),
        (&open, "get_document_structure", json!({"doc_name": "annual-report.pdf", "part": 3})),
        (&open, "get_document_structure", json!({"doc_name": "new.pdf"})),
        (&open, "get_document_structure", json!({"doc_name": "bad.pdf"})),
        (&open, "get_page_content", json!({"doc_name": "annual-report.pdf", "pages": "1-2,42-50"})),
        (&open, "get_page_content", json!({"doc_name": "memo.pdf", "pages": "1-3"})),
        (&open, "get_page_content", json!({"doc_name": "memo.pdf", "pages": "7"})),
        (&open, "get_page_content", json!({"doc_name": "memo.pdf", "pages": "all"})),
        (&open, "get_page_content", json!({"doc_name": "memo.pdf", "page": "1"})),
        (&open, "search_documents", json!({"query": "profit"})),
        (&open, "remove_document", json!({"doc_names": ["memo.pdf"]})),
        (&managed, "remove_document", json!({"doc_names": ["memo.pdf", "memo.txt"]})),
    ] {
        let (reply, _) = call(toolbox, name, arguments.clone()).await;
        out.push_str(&format!("{name}({arguments})\n{}\n\n", reply.envelope));
    }
    insta::assert_snapshot!(out);
}

#[tokio::test]
async fn browsing_pages_through_all_documents_and_loses_none() {
    let fake = Fake::with((0..23).map(|n| document(&format!("{n}.pdf"), 1)).collect());
    let toolbox = whole(&fake);
    for extra in [json!({}), json!({"sort": "relevance", "query": "7.pdf"})] {
        let (mut names, mut offset) = (Vec::new(), json!(0));
        while !offset.is_null() {
            let mut arguments = extra.clone();
            arguments["offset"] = offset;
            let (reply, envelope) = call(&toolbox, "browse_documents", arguments).await;
            let page = envelope["documents"].as_array().unwrap();
            assert_eq!(reply.documents.len(), page.len());
            assert_eq!(envelope["has_more"], json!(!envelope["next_offset"].is_null()));
            names.extend(page.iter().map(|d| d["name"].as_str().unwrap().to_owned()));
            offset = envelope["next_offset"].clone();
        }
        let mut sorted = names.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!((names.len(), sorted.len()), (23, 23));
    }
}

#[tokio::test]
async fn browsing_keeps_the_rules_on_folders_and_metadata() {
    let toolbox = whole(&ordinary());
    let (_, envelope) = call(&toolbox, "browse_documents", json!({"folder_id": null, "recursive": null})).await;
    assert_eq!(envelope["folders"], json!([]));
    assert_eq!(envelope["documents"][0]["created_at"], json!("2025-02-05T00:00:00.123Z"));
    assert_eq!(envelope["documents"][2]["metadata"], json!({"year": 2024}));
    assert!(envelope["documents"][0].get("metadata").is_none());
    let (_, envelope) = call(&toolbox, "browse_documents", json!({"folder_id": "root", "recursive": "true"})).await;
    assert!(envelope.get("folders").is_none());
    let (reply, envelope) = call(&toolbox, "browse_documents", json!({"folder_id": "f-1"})).await;
    assert!(reply.is_error && envelope["error"].as_str().unwrap().contains("PageIndex cloud"));
    let (_, envelope) = call(&toolbox, "browse_documents", json!({"offset": 3})).await;
    assert_eq!((&envelope["documents"], &envelope["next_offset"]), (&json!([]), &Value::Null));
}

#[tokio::test]
async fn sloppy_arguments_are_understood() {
    let toolbox = whole(&ordinary());
    for (name, arguments) in [
        ("browse_documents", json!(null)),
        ("browse_documents", json!("")),
        ("browse_documents", json!({"limit": "3", "offset": "0", "sort": "Time", "query": null})),
        ("browse_documents", json!({"limit": 3.0, "offset": 1.0, "recursive": "False"})),
        ("browse_documents", json!({"limit": 2.5})),
        ("get_document", json!({"doc_name": "memo.pdf", "wait_for_completion": "true", "folder_id": null})),
        ("get_document", json!("{\"doc_name\": \"memo.pdf\"}")),
        ("get_document_structure", json!({"doc_name": "memo.pdf", "part": "1"})),
        ("get_document_structure", json!({"doc_name": "memo.pdf", "part": 1.0, "folder_id": "root"})),
        ("get_page_content", json!({"doc_name": "memo.pdf", "pages": 2})),
        ("get_page_content", json!({"doc_name": "memo.pdf", "pages": " 1 - 2, 3 ", "wait_for_completion": null})),
    ] {
        let (reply, _) = call(&toolbox, name, arguments.clone()).await;
        assert!(!reply.is_error, "{name}({arguments}): {}", reply.envelope);
    }
}

#[tokio::test]
async fn bad_arguments_are_failures_that_name_the_argument() {
    let toolbox = whole(&ordinary());
    for (name, arguments, named) in [
        ("browse_documents", json!({"limit": 0}), "limit"),
        ("browse_documents", json!({"limit": 51}), "limit"),
        ("browse_documents", json!({"limit": "many"}), "limit"),
        ("browse_documents", json!({"offset": -1}), "offset"),
        ("browse_documents", json!({"offset": 1.5}), "offset"),
        ("browse_documents", json!({"offset": 9_007_199_254_740_992_u64}), "offset"),
        ("browse_documents", json!({"offset": 1e300}), "offset"),
        ("browse_documents", json!({"sort": "name"}), "sort"),
        ("browse_documents", json!({"sort": true}), "sort"),
        ("browse_documents", json!({"sort": "relevance", "query": "  "}), "query"),
        ("browse_documents", json!({"recursive": "maybe"}), "recursive"),
        ("browse_documents", json!({"folder_id": 7}), "folder_id"),
        ("get_document", json!({}), "doc_name"),
        ("get_document", json!({"doc_name": null}), "doc_name"),
        ("get_document", json!({"doc_name": ""}), "doc_name"),
        ("get_document", json!({"doc_name": 5}), "doc_name"),
        ("get_document", json!({"doc_name": "memo.pdf", "wait_for_completion": 2}), "wait_for_completion"),
        ("get_document", json!({"document": "memo.pdf", "doc_name": "memo.pdf"}), "document"),
        ("get_document_structure", json!({"doc_name": "memo.pdf", "part": "first"}), "part"),
        ("get_page_content", json!({"doc_name": "memo.pdf"}), "pages"),
        ("get_page_content", json!({"doc_name": "memo.pdf", "pages": [1, 2]}), "pages"),
        ("get_page_content", json!({"doc_name": "memo.pdf", "pages": 1.5}), "pages"),
        ("remove_document", json!({"doc_names": []}), "doc_names"),
        ("remove_document", json!({"doc_names": "memo.pdf"}), "doc_names"),
        ("remove_document", json!({"doc_names": ["memo.pdf", 3]}), "doc_names[1]"),
        ("remove_document", json!({"doc_names": ["memo.pdf", ""]}), "doc_names[1]"),
        ("remove_document", json!({"doc_names": ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]}), "doc_names"),
    ] {
        let (reply, envelope) = call(&toolbox, name, arguments.clone()).await;
        assert!(reply.is_error, "{name}({arguments})");
        assert_eq!(envelope["errorCode"], json!("INVALID_INPUT"));
        assert!(envelope["error"].as_str().unwrap().contains(&format!("\"{named}\"")), "{name}({arguments}): {envelope}");
    }
    // All that is wrong is said at once.
    let (_, envelope) = call(&toolbox, "get_page_content", json!({"document": "memo.pdf", "pages": [1], "limit": 5})).await;
    for part in ["\"document\"", "\"doc_name\" is required", "\"pages\" must be", "\"limit\" is not an argument"] {
        assert!(envelope["error"].as_str().unwrap().contains(part), "{part}: {envelope}");
    }
    for arguments in [json!("{\"doc_name\": \"memo"), json!([1]), json!(7), json!(true)] {
        let (reply, envelope) = call(&toolbox, "get_document", arguments).await;
        assert!(reply.is_error && envelope["error"].as_str().unwrap().contains("JSON object"), "{envelope}");
    }
}

#[tokio::test]
async fn every_bad_page_spec_names_the_valid_forms() {
    let toolbox = whole(&ordinary());
    let long = "7,".repeat(5_000_000);
    for pages in ["1-1000000000", "0", "5-3", "all", "5-", "", &long] {
        let (reply, envelope) = call(&toolbox, "get_page_content", json!({"doc_name": "memo.pdf", "pages": pages})).await;
        assert!(reply.is_error && envelope["error"].as_str().unwrap().contains("\"1-3,7,9-12\""), "{envelope}");
    }
}

#[tokio::test]
async fn pages_come_as_evidence_and_with_their_labels() {
    let fake =
        Fake::with(vec![document("a.pdf", 6).label(1, "i").label(2, "ii").label(4, "1").label(5, "2").text(5, "Tab\there \"x\"")]);
    let (reply, envelope) =
        call(&whole(&fake), "get_page_content", json!({"doc_name": fake.id_of("a.pdf"), "pages": "5,1-4"})).await;
    assert_eq!(envelope["returned_pages"], json!("1-5"));
    assert_eq!(reply.documents, [("a.pdf".to_owned(), Some(6))]);
    for (evidence, shown) in reply.evidence.iter().zip(envelope["content"].as_array().unwrap()) {
        assert_eq!((json!(evidence.page), json!(evidence.text)), (shown["page"].clone(), shown["text"].clone()));
        assert_eq!((evidence.doc.as_str(), evidence.page_count), ("a.pdf", 6));
    }
    assert_eq!(
        reply.evidence.iter().map(|e| e.label.as_deref()).collect::<Vec<_>>(),
        [Some("i"), Some("ii"), None, Some("1"), Some("2")]
    );
    let steps = envelope["next_steps"].to_string();
    assert!(steps.contains("pages 1-2 are printed as i-ii, pages 4-5 are printed as 1-2"), "{steps}");
}

#[tokio::test]
async fn pages_that_do_not_fit_are_named_for_the_next_call() {
    let long = "word ".repeat(4_000);
    let fake = Fake::with(vec![(1..=20).fold(document("a.pdf", 20), |document, number| document.text(number, &long))]);
    let toolbox = whole(&fake);
    let (mut pages, mut seen) = (json!("1-20"), Vec::new());
    loop {
        let (_, envelope) = call(&toolbox, "get_page_content", json!({"doc_name": "a.pdf", "pages": pages})).await;
        seen.extend(envelope["content"].as_array().unwrap().iter().map(|page| page["page"].as_u64().unwrap()));
        let steps: Vec<&str> = envelope["next_steps"]["options"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let Some(next) = steps.iter().find(|step| step.starts_with("Not all pages fitted")) else { break };
        pages = json!(next.split("pages=\"").nth(1).unwrap().split('"').next().unwrap());
    }
    assert_eq!(seen, (1..=20).collect::<Vec<u64>>());
}

#[tokio::test]
async fn a_gap_in_the_store_is_said() {
    let mut broken = document("a.pdf", 3);
    broken.pages = vec![page(1, "One"), page(3, "Three")];
    let mut empty = document("b.pdf", 3);
    empty.pages.clear();
    let fake = Fake::with(vec![broken, empty]);
    let (_, envelope) = call(&whole(&fake), "get_page_content", json!({"doc_name": "a.pdf", "pages": "1-3"})).await;
    assert_eq!(envelope["returned_pages"], json!("1,3"));
    assert!(envelope["next_steps"].to_string().contains("2 could not be read"));
    let (_, envelope) = call(&whole(&fake), "get_page_content", json!({"doc_name": "b.pdf", "pages": "1-3"})).await;
    assert_eq!(envelope["errorCode"], json!("INTERNAL_ERROR"));
}

#[tokio::test]
async fn the_scope_hides_everything_else() {
    let fake = ordinary();
    let toolbox = toolbox(&fake, only(&fake, &["memo.pdf"]), true);
    let (_, envelope) = call(&toolbox, "browse_documents", json!({"sort": "relevance", "query": "annual report"})).await;
    assert_eq!(envelope["documents"].as_array().unwrap().len(), 1);
    for name in ["annual-report.pdf".to_owned(), fake.id_of("annual-report.pdf")] {
        for (tool, extra) in
            [("get_document", json!({})), ("get_document_structure", json!({})), ("get_page_content", json!({"pages": "1"}))]
        {
            let mut arguments = extra;
            arguments["doc_name"] = json!(name);
            let (_, envelope) = call(&toolbox, tool, arguments).await;
            assert_eq!(envelope["errorCode"], json!("NOT_FOUND"), "{tool}");
        }
        let (_, envelope) = call(&toolbox, "remove_document", json!({"doc_names": [name]})).await;
        assert_eq!(envelope["results"][0]["status"], json!("not_found"));
    }
    let (_, envelope) = call(&toolbox, "get_document", json!({"doc_name": "annual-repor.pdf"})).await;
    assert_eq!(envelope["similar_files"], json!([]));
    assert_eq!(fake.names().len(), 3);
}

#[tokio::test]
async fn nothing_is_deleted_where_management_is_off_or_an_element_is_wrong() {
    let fake = ordinary();
    let (reply, envelope) = call(&toolbox(&fake, Scope::All, false), "remove_document", json!({"doc_names": ["memo.pdf"]})).await;
    assert!(reply.is_error && envelope["error"].as_str().unwrap().contains("switched off"));
    assert_eq!(fake.names().len(), 3);
    let (reply, _) = call(&whole(&fake), "remove_document", json!({"doc_names": ["memo.pdf", 1]})).await;
    assert!(reply.is_error);
    assert_eq!(fake.names().len(), 3);
    let twice = json!({"doc_names": ["memo.pdf", "memo.pdf", fake.id_of("memo.pdf"), "none.pdf"]});
    let (_, envelope) = call(&whole(&fake), "remove_document", twice).await;
    let statuses: Vec<&Value> = envelope["results"].as_array().unwrap().iter().map(|result| &result["status"]).collect();
    assert_eq!(statuses, ["deleted", "deleted", "not_found"]);
    assert_eq!(fake.names(), ["annual-report.pdf", "Q3-financials.pdf"]);
    let cancel = CancellationToken::new();
    cancel.cancel();
    let reply = whole(&fake).call("remove_document", &json!({"doc_names": ["Q3-financials.pdf"]}), &cancel).await;
    assert!(reply.envelope.contains("interrupted"));
    assert_eq!(fake.names().len(), 2);
}

#[tokio::test]
async fn waiting_ends_when_the_document_is_done() {
    let mut coming = document("a.pdf", 4).status(Status::Pending);
    coming.coming = vec![Status::Completed, Status::Processing];
    let fake = Fake::with(vec![coming]);
    let arguments = json!({"doc_name": "a.pdf", "pages": "1", "wait_for_completion": true});
    let (reply, _) = call(&whole(&fake), "get_page_content", arguments).await;
    assert!(!reply.is_error, "{}", reply.envelope);
}

#[tokio::test]
async fn waiting_times_out_or_is_cancelled() {
    let fake = Fake::with(vec![document("a.pdf", 4).status(Status::Processing)]);
    let arguments = json!({"doc_name": "a.pdf", "wait_for_completion": true});
    let (reply, envelope) = call(&whole(&fake), "get_document_structure", arguments.clone()).await;
    assert!(reply.is_error && envelope["error"].as_str().unwrap().contains("timed out"), "{envelope}");
    let (reply, envelope) = call(&whole(&fake), "get_document", arguments.clone()).await;
    assert!(!reply.is_error && envelope["next_steps"]["summary"].as_str().unwrap().contains("timed out"), "{envelope}");
    let cancel = CancellationToken::new();
    // Its wait would be three minutes.
    let patient = LocalToolbox::new(fake.clone(), fake, ToolboxOptions::default());
    let (reply, ()) = tokio::join!(patient.call("get_document_structure", &arguments, &cancel), async { cancel.cancel() });
    assert!(reply.envelope.contains("interrupted"), "{}", reply.envelope);
}

#[tokio::test]
async fn a_failed_document_is_never_said_to_be_processing() {
    let fake = Fake::with(vec![document("a.pdf", 4).failed("the file is damaged")]);
    for (tool, arguments) in [
        ("get_document_structure", json!({"doc_name": "a.pdf", "wait_for_completion": true})),
        ("get_page_content", json!({"doc_name": "a.pdf", "pages": "1"})),
    ] {
        let (_, envelope) = call(&whole(&fake), tool, arguments).await;
        let error = envelope["error"].as_str().unwrap();
        assert!(error.contains("processing failed") && error.contains("the file is damaged"), "{error}");
        assert!(!envelope.to_string().contains("still processing"));
    }
}

#[tokio::test]
async fn a_broken_library_is_an_envelope_too() {
    let fake = ordinary();
    for fault in ["disk I/O error", "panic"] {
        *fake.broken.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(fault.to_owned());
        for (tool, arguments) in [
            ("browse_documents", json!({})),
            ("browse_documents", json!({"sort": "relevance", "query": "x"})),
            ("get_document", json!({"doc_name": "memo.pdf"})),
            ("get_page_content", json!({"doc_name": "memo.pdf", "pages": "1"})),
        ] {
            let (_, envelope) = call(&whole(&fake), tool, arguments).await;
            assert_eq!(envelope["errorCode"], json!("INTERNAL_ERROR"));
            fake.broken.clear_poison();
        }
    }
}

/// A failure over arguments shows the call as it was likely meant.
#[tokio::test]
async fn wrong_calls_are_shown_corrected() {
    let toolbox = whole(&ordinary());
    for (name, arguments, corrected) in [
        ("get_page_content", json!({"doc_name": "memo.pdf", "page": 3}), json!({"doc_name": "memo.pdf", "pages": "3"})),
        (
            "get_page_content",
            json!({"doc_name": "memo.pdf", "start_page": 1, "end_page": 3}),
            json!({"doc_name": "memo.pdf", "pages": "FIRST-LAST"}),
        ),
        ("browse_documents", json!({"sort": "relevant", "query": "tax"}), json!({"sort": "relevance", "query": "tax"})),
        ("get_page_content", json!({"document": "memo.pdf", "pages": "1"}), json!({"doc_name": "memo.pdf", "pages": "1"})),
        ("get_page_content", json!({"doc_name": "memo.pdf", "pages": [3, 1, 2]}), json!({"doc_name": "memo.pdf", "pages": "1-3"})),
        (
            "get_page_content",
            json!({"doc_name": "memo.pdf", "pages": "Pages 3 to 5 and 7"}),
            json!({"doc_name": "memo.pdf", "pages": "3-5,7"}),
        ),
        ("get_page_content", json!({"doc_name": "memo.pdf", "pages": "[2, 3]"}), json!({"doc_name": "memo.pdf", "pages": "2-3"})),
        (
            "get_page_content",
            json!({"doc_name": "memo.pdf", "pages": "5-3"}),
            json!({"doc_name": "memo.pdf", "pages": "FIRST-LAST"}),
        ),
        ("get_page_content", json!({"doc_name": ["memo.pdf"], "pages": "1"}), json!({"doc_name": "memo.pdf", "pages": "1"})),
        ("get_page_content", json!({"pages": "1-2"}), json!({"doc_name": "EXACT NAME", "pages": "1-2"})),
        (
            "get_page_content",
            json!({"doc_name": "memo.pdf", "pages": "all"}),
            json!({"doc_name": "memo.pdf", "pages": "FIRST-LAST"}),
        ),
        ("get_document", json!({"docName": "memo.pdf"}), json!({"doc_name": "memo.pdf"})),
        ("get_document", json!("memo.pdf"), json!({"doc_name": "EXACT NAME"})),
        ("browse_documents", json!({"limit": 100, "offset": 10}), json!({"offset": 10, "limit": 50})),
        ("browse_documents", json!({"sort": "relevance", "limit": 3}), json!({"sort": "relevance", "query": "WORDS", "limit": 3})),
        ("browse_documents", json!({"sort": "newest", "query": "tax"}), json!({"query": "tax"})),
        ("remove_document", json!({"doc_names": "memo.pdf"}), json!({"doc_names": ["memo.pdf"]})),
        ("remove_document", json!({"doc_name": "memo.pdf"}), json!({"doc_names": ["memo.pdf"]})),
    ] {
        let (_, envelope) = call(&toolbox, name, arguments.clone()).await;
        let shown = envelope["next_steps"]["options"][0].as_str().unwrap_or_default();
        let example = shown.strip_prefix(&format!("Call it like this: {name}(")).and_then(|rest| rest.strip_suffix(')'));
        let example: Option<Value> = example.and_then(|example| serde_json::from_str(example).ok());
        assert_eq!(example, Some(corrected), "{name}({arguments}): {envelope}");
    }
}
