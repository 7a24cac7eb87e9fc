//! Asking again: once, for what is missing, and never at the cost of something better.

use serde_json::json;

use super::scripted::*;
use crate::agent::*;
use crate::model::*;

const BARE: &str = "Revenue was $24.7 billion.";

async fn run(steps: Vec<Step>) -> (Ran, usize, Conversation) {
    let model = ScriptedModel::new(steps);
    let mut conversation = Conversation::default();
    let ran = ask(&Agent::new(ScriptedToolbox::new(), model.clone()), &mut conversation, "Revenue?").await;
    (ran, model.requests().len(), conversation)
}

fn read() -> Step {
    Step::Calls("", vec![page("a", "1")])
}

#[tokio::test]
async fn a_better_draft_is_kept() {
    for second in ["I am sorry, I cannot give a citation for that.", "Sorry.", "Which page do you mean?"] {
        let (ran, requests, _) = run(vec![read(), Step::Says(BARE), Step::Says(second)]).await;
        assert_eq!((ran.answer.answer_raw.as_str(), requests), (BARE, 3), "{second}");
        assert_eq!((ran.shown().as_str(), ran.discarded()), (BARE, vec![BARE, second]));
    }
    let (ran, _, _) = run(vec![read(), Step::Says(BARE), Step::Says("<not-found/> The page does not say it.")]).await;
    assert_eq!(ran.answer.outcome, Outcome::NotFound);
}

#[tokio::test]
async fn a_cited_answer_before_a_last_call_is_not_lost() {
    let (ran, _, conversation) =
        run(vec![read(), Step::Calls(CITED, vec![page("b", "2")]), Step::Says("See above."), Step::Says("")]).await;
    assert_eq!((ran.answer.outcome, ran.answer.answer_raw.as_str()), (Outcome::Answered, CITED));
    assert_eq!(ran.shown(), CITED);
    assert!(matches!(conversation.history.last(), Some(HistoryItem::Assistant { text, payload: None }) if text == CITED));
    // A server that fails afterwards takes nothing away either.
    let (ran, _, _) = run(vec![read(), Step::Calls(CITED, vec![page("b", "2")]), Step::Fails("", ModelErrorKind::Server)]).await;
    assert_eq!((ran.answer.outcome, ran.answer.answer_raw.as_str()), (Outcome::Answered, CITED));
}

#[tokio::test]
async fn reasoning_alone_is_an_empty_answer() {
    let (ran, requests, conversation) = run(vec![read(), Step::Thinks("It must be page 1."), Step::Says(CITED)]).await;
    assert_eq!((ran.answer.outcome, requests), (Outcome::Answered, 3));
    assert_eq!(conversation.history.len(), 4);
    let (ran, _, _) = run(vec![Step::Thinks("Hm."), Step::Thinks("Hm.")]).await;
    assert_eq!(ran.answer.outcome, Outcome::Error);
}

#[tokio::test]
async fn a_promise_without_a_call_is_asked_to_go_on_once() {
    let promise = "Let me look at page 1.";
    let (ran, requests, conversation) = run(vec![Step::Says(promise), read(), Step::Says(CITED)]).await;
    assert_eq!((ran.answer.answer_raw.as_str(), requests), (CITED, 3));
    assert_eq!(ran.discarded(), [promise]);
    assert_eq!(conversation.history.len(), 6);
    // Promised twice: what it says is all there is.
    let (ran, requests, _) =
        run(vec![Step::Says(promise), Step::Says("I will read page 1 now."), Step::Says("I will read it.")]).await;
    assert!(ran.answer.outcome == Outcome::Answered && requests <= 3, "{requests}");
}

#[tokio::test]
async fn what_needs_no_citation_is_left_alone() {
    for text in [
        "Die Unterlagen enthalten dazu keine Angabe.",
        "Le document ne mentionne pas ce chiffre.",
        "El informe no contiene esta información.",
        "文件中没有提到这个数字。",
        "Welchen der beiden Berichte meinen Sie?",
        "Which of the two annual reports of 2024 do you mean?",
        "哪一份报告？",
    ] {
        let (ran, requests, _) = run(vec![read(), Step::Says(text)]).await;
        assert_eq!((ran.answer.answer.as_str(), requests), (text, 2));
    }
}

#[tokio::test]
async fn an_answer_about_the_library_needs_no_citation_in_a_later_question_either() {
    let list = Step::Calls("", vec![("l", "browse_documents", json!({}))]);
    let about = "There is 1 document: q1.pdf with 20 pages.";
    let model = ScriptedModel::new([read(), Step::Says(CITED), list, Step::Says(about), Step::Says(about)]);
    let agent = Agent::new(ScriptedToolbox::new(), model.clone());
    let mut conversation = Conversation::default();
    for question in ["Revenue?", "Which documents do you have?", "Say that again."] {
        ask(&agent, &mut conversation, question).await;
    }
    assert_eq!(model.requests().len(), 5);
}

#[tokio::test]
async fn a_person_is_asked_once_about_the_same_call() {
    let remove = |id| (id, "remove_document", json!({"doc_names": ["q1.pdf"]}));
    let calls = ["a", "b", "c"].map(|id| Step::Calls("", vec![remove(id)]));
    let both = Step::Calls("", vec![remove("x"), remove("y")]);
    let model = ScriptedModel::new([both].into_iter().chain(calls).chain([Step::Says("Hello")]));
    let (person, toolbox) = (Person::who_says(false), ScriptedToolbox::new());
    let ran = ask(&Agent::new(toolbox.clone(), model).with_approver(person.clone()), &mut Conversation::default(), "Q").await;
    assert!(toolbox.called().is_empty());
    assert_eq!(person.asked.load(std::sync::atomic::Ordering::SeqCst), 1);
    assert_eq!(ran.answer.tool_calls.len(), 5);
    assert!(ran.answer.tool_calls.iter().all(|c| c.is_error));
}
