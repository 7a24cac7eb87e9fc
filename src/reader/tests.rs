use std::sync::Arc;

use async_trait::async_trait;
use proptest::prelude::*;
use serde_json::json;

use super::history::{Progress, ReadPage};
use super::passages::{Form, passages};
use super::question::Question;
use super::*;
use crate::index::sentences::split;
use crate::library::{DocId, LibraryError};
use crate::model::ToolSpec;
use crate::search::{RankedDocument, RankedSection, Snippet};

const PAGE_3: &str = "Kestrel Instruments plc\n\nConsolidated income statement\n\n($ million)    2025    2024\n\
Total revenue    $ 1,284.6    $ 1,190.2\nCost of sales    (702.1)    (668.9)\n\n\
Total revenue rose 7.9% to $1,284.6 million in fiscal 2025, from $1,190.2 million in fiscal 2024. The U.S. market grew \
fastest. Management expects further growth.";
const PAGE_9: &str = "Risk factors\n\nCompetition may reduce our prices. Exchange rates move.";

struct FixedRanker(Vec<(&'static str, u32, f64)>);

#[async_trait]
impl Ranker for FixedRanker {
    async fn rank_documents(&self, _: &Scope, _: &str, _: u64, _: u32) -> Result<(Vec<RankedDocument>, u64), LibraryError> {
        Ok((Vec::new(), 0))
    }
    async fn rank_pages(&self, _: &Scope, _: &str, limit: u32) -> Result<Vec<RankedPage>, LibraryError> {
        let page = |&(name, page, score): &(&str, u32, f64)| RankedPage {
            doc: DocId(format!("pi-{name}")),
            name: name.to_owned(),
            page,
            score,
            quoted: true,
            label: None,
            section: None,
            snippet: Snippet::default(),
        };
        Ok(self.0.iter().take(limit as usize).map(page).collect())
    }
    async fn rank_sections(&self, _: &Scope, _: &str, _: u32) -> Result<Vec<RankedSection>, LibraryError> {
        Ok(Vec::new())
    }
}

fn user(text: &str) -> HistoryItem {
    HistoryItem::User { text: text.to_owned() }
}

fn result_of(call: &HistoryItem, pages: &[(u32, &str)]) -> HistoryItem {
    let HistoryItem::ToolCall { id, name, arguments, .. } = call else { panic!("not a call") };
    let content: Vec<_> = pages.iter().map(|(page, text)| json!({"page": page, "text": text})).collect();
    let envelope = json!({"success": true, "doc_name": arguments["doc_name"], "content": content});
    HistoryItem::ToolResult { id: id.clone(), name: name.clone(), content: envelope.to_string(), is_error: false, images: vec![] }
}

async fn next(reader: &BuiltinReader, history: &[HistoryItem], tool_choice: ToolChoice) -> ChatTurn {
    let tools = [ToolSpec { name: PAGE_TOOL.into(), description: String::new(), schema: json!({}) }];
    let request = ChatRequest {
        instructions: "",
        history,
        tools: &tools,
        tool_choice,
        max_output_tokens: None,
        temperature: None,
        reasoning_effort: None,
    };
    reader.turn(request, &mut |_| {}).await.unwrap()
}

fn text_of(turn: &ChatTurn) -> &str {
    match turn.items.as_slice() {
        [HistoryItem::Assistant { text, .. }] => text,
        other => panic!("no answer: {other:?}"),
    }
}

#[tokio::test]
async fn it_reads_the_best_pages_and_quotes_them() {
    let ranker = FixedRanker(vec![("r&d \"x\".pdf", 9, 2.0), ("r&d \"x\".pdf", 3, 4.0), ("other.pdf", 1, 0.2)]);
    let reader = BuiltinReader::new(Arc::new(ranker), Scope::All);
    let mut history = vec![user("What was total revenue in fiscal 2025 and in fiscal 2024?")];
    let turn = next(&reader, &history, ToolChoice::Auto).await;
    assert_eq!(turn.finish, Finish::ToolCalls);
    let HistoryItem::ToolCall { arguments, .. } = &turn.items[0] else { panic!() };
    assert_eq!(*arguments, json!({"doc_name": "r&d \"x\".pdf", "pages": "3,9"}));

    let result = result_of(&turn.items[0], &[(3, PAGE_3), (9, PAGE_9)]);
    history.extend(turn.items);
    history.push(result);
    let turn = next(&reader, &history, ToolChoice::Auto).await;
    let text = text_of(&turn);
    assert!(text.contains("$1,284.6 million") && text.contains("$1,190.2 million"), "{text}");
    assert!(text.contains("<cite doc=\"r&amp;d &quot;x&quot;.pdf\" page=\"3\">"), "{text}");
    assert!(!text.contains("Exchange rates"), "{text}");
}

#[tokio::test]
async fn it_says_so_when_nothing_answers_and_looks_twice() {
    let ranker = FixedRanker((1..=10).map(|page| ("r.pdf", page, 1.0)).collect());
    let reader = BuiltinReader::new(Arc::new(ranker), Scope::All);
    let mut history = vec![user("How many volcanoes does the chairman own?")];
    for expected in ["1-5", "6-10"] {
        let turn = next(&reader, &history, ToolChoice::Auto).await;
        let HistoryItem::ToolCall { arguments, .. } = &turn.items[0] else { panic!() };
        assert_eq!(arguments["pages"], expected);
        let result = result_of(&turn.items[0], &[(9, PAGE_9)]);
        history.extend(turn.items);
        history.push(result);
    }
    let turn = next(&reader, &history, ToolChoice::Auto).await;
    assert!(text_of(&turn).starts_with("<not-found/>") && text_of(&turn).contains("r.pdf, pages 9"), "{turn:?}");
}

#[tokio::test]
async fn without_tools_it_says_nothing() {
    let reader = BuiltinReader::new(Arc::new(FixedRanker(vec![("r.pdf", 1, 1.0)])), Scope::All);
    let turn = next(&reader, &[user("Revenue?")], ToolChoice::None).await;
    assert!(turn.items.is_empty());
}

#[test]
fn a_short_question_leans_on_the_one_before() {
    let history = [user("What was total revenue in fiscal 2025?"), user("And net income?")];
    let question = Question::of(&history);
    assert!(question.search.contains("fiscal 2025") && question.wants_figure);
    for fresh in ["What was total revenue in the fiscal year 2025?", "What was revenue?"] {
        let history = [user("Who is the chairman?"), user(fresh)];
        assert!(!Question::of(&history).search.contains("chairman"), "{fresh}");
    }
    let history = [user("Who is the chairman?"), user("How old is that person?")];
    assert!(Question::of(&history).search.contains("chairman"));
}

#[test]
fn pages_fall_into_sentences_and_rows() {
    let page = ReadPage { doc: "r.pdf".into(), page: 3, text: PAGE_3.into() };
    let found = passages(&page);
    let row = found.iter().find(|passage| passage.text.starts_with("Total revenue $")).unwrap();
    assert_eq!(row.form, Form::Row);
    assert_eq!(row.cells, ["Total revenue", "$ 1,284.6", "$ 1,190.2"]);
    assert!(row.heads.contains(&"($ million) 2025 2024".to_owned()), "{row:?}");
    assert_eq!(row.heading, "Consolidated income statement");
    let prose: Vec<&str> = found.iter().filter(|p| p.form == Form::Sentence).map(|p| p.text.as_str()).collect();
    assert!(prose.contains(&"The U.S. market grew fastest."), "{prose:?}");
}

#[test]
fn a_decimal_point_ends_no_sentence() {
    assert_eq!(split("It lies between $3.05 and $3.20. Next."), ["It lies between $3.05 and $3.20.", "Next."]);
    assert_eq!(split("Earnings grew.15 A deferred asset stays."), ["Earnings grew.", "15 A deferred asset stays."]);
}

#[test]
fn broken_envelopes_are_passed_over() {
    let history = [
        user("q"),
        HistoryItem::ToolCall { id: "1".into(), name: PAGE_TOOL.into(), arguments: json!({}), payload: None },
        HistoryItem::ToolResult { id: "1".into(), name: PAGE_TOOL.into(), content: "{".into(), is_error: true, images: vec![] },
    ];
    assert_eq!(Progress::of(&history), Progress { rounds: 1, pages: vec![], failures: vec![] });
}

proptest! {
    #[test]
    fn sentences_lose_nothing(text in "[A-Za-z0-9.!?\"() \u{3002}]{0,120}") {
        let squeeze = |text: &str| text.split_whitespace().collect::<String>();
        prop_assert_eq!(squeeze(&split(&text).concat()), squeeze(&text));
    }

    #[test]
    fn any_page_text_is_read(text in "(\\PC|\n|  ){0,200}") {
        let page = ReadPage { doc: "d".into(), page: 1, text };
        let found = passages(&page);
        prop_assert!(found.iter().all(|passage| !passage.text.is_empty()));
    }
}
