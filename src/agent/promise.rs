//! Texts that only say what will be done, such as "Let me look at page 3.", from models that then forget to do it.

use serde_json::Value;

use super::citations;

/// Words up to which a text can be nothing but an announcement.
const SHORT: usize = 60;
/// Letters up to which it can be one in a script without spaces.
const SHORT_LETTERS: usize = 60;

/// How announcements begin, folded. What follows in the last sentence is what will be done.
const OPENINGS: &[&str] = &[
    "let me ",
    "let's ",
    "i will ",
    "i'll ",
    "i am going to ",
    "i'm going to ",
    "i am now ",
    "i'm now ",
    "i need to ",
    "i should ",
    "i have to ",
    "i must ",
    "we need to ",
    "we should ",
    "next, i ",
    "now i ",
    "first, i ",
    "first i ",
    "to answer this, i ",
    "ich werde ",
    "ich schaue ",
    "ich lese ",
    "ich suche ",
    "ich muss ",
    "ich sehe ",
    "lass mich ",
    "lassen sie mich ",
    "je vais ",
    "laissez-moi ",
    "laisse-moi ",
    "je dois ",
    "voy a ",
    "déjame ",
    "déjeme ",
    "permíteme ",
    "permítame ",
    "necesito ",
    "vou ",
    "deixe-me ",
    "fammi ",
    "lasciami ",
    "devo ",
    "ora leggo ",
    "ik zal ",
    "ik ga ",
    "laat me ",
    "laat mij ",
];

/// The same in scripts without spaces, anywhere in the last sentence.
const CJK: &[&str] = &[
    "让我",
    "我来",
    "我将",
    "我会",
    "我需要",
    "確認します",
    "調べます",
    "読みます",
    "見てみます",
    "확인하겠",
    "살펴보겠",
    "읽어보겠",
    "찾아보겠",
];

/// Openings that promise nothing, or not now.
const NOT_NOW: &[&str] =
    &["let me know", "let's say", "i will not ", "i'll not ", "i need to know", "i should note", "i should mention", "i must note"];

/// Whether a text only announces what the model is about to do. Text with a citation, and with figures beyond page numbers after "page", is
/// an answer; so is a question.
pub(super) fn only_promises(raw: &str) -> bool {
    let tags = citations::tags(raw);
    if tags.citations > 0 || tags.not_found.is_some() {
        return false;
    }
    let text = citations::folded(&citations::display(raw)).replace(['*', '_', '\n'], " ");
    let text = text.trim();
    let letters = text.chars().filter(|c| !c.is_ascii() && c.is_alphanumeric()).count();
    if text.split_whitespace().count() > SHORT || letters > SHORT_LETTERS || text.ends_with(['?', '？']) {
        return false;
    }
    announces(text)
}

/// Whether a remark ends with what will be done next; it is no answer then, whatever it cites.
pub(super) fn ends_in_promise(raw: &str) -> bool {
    let text = citations::folded(&citations::display(raw)).replace(['*', '_', '\n'], " ");
    announces(text.trim())
}

fn announces(text: &str) -> bool {
    let last = last_sentence(text);
    let opens = |words: &[&str]| words.iter().any(|w| last.starts_with(w));
    (opens(OPENINGS) && !opens(NOT_NOW)) || CJK.iter().any(|w| last.contains(w))
}

/// The last sentence, without the words that lead over to it ("Okay,", "Now").
fn last_sentence(text: &str) -> &str {
    let body = text.trim_end_matches(['.', ':', '…', '!', '。', '：', '！', ' ']);
    let breaks = [". ", "! ", "? ", ": ", "。", "！"];
    let start = breaks.iter().filter_map(|b| body.rfind(b).map(|at| at + b.len())).max().unwrap_or(0);
    let mut last = body.get(start..).unwrap_or_default().trim_start();
    for lead in [
        "okay, ",
        "ok, ",
        "sure, ",
        "sure! ",
        "now, ",
        "now ",
        "then ",
        "so ",
        "first, ",
        "next, ",
        "alright, ",
        "also, ",
        "gut, ",
        "d'accord, ",
    ] {
        last = last.strip_prefix(lead).unwrap_or(last);
    }
    last
}

/// Whether a text is nothing but a tool call, in one of the forms in which models write them. Those of tools that are here never come this far.
pub(super) fn is_written_call(raw: &str) -> bool {
    let mut text = raw.trim();
    // One of the two marks may be missing: a server's template wrote the first, or the reply was cut before the last.
    for (open, close) in [("```json", "```"), ("```", "```"), ("<tool_call>", "</tool_call>")] {
        text = text.strip_prefix(open).unwrap_or(text);
        text = text.strip_suffix(close).unwrap_or(text).trim();
    }
    let Ok(Value::Object(call)) = serde_json::from_str::<Value>(text) else { return false };
    call.get("name").is_some_and(Value::is_string) && (call.contains_key("arguments") || call.contains_key("parameters"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_that_leads_on_is_no_answer() {
        assert!(ends_in_promise("Note 12 is on page 40 [a.pdf, p. 3]. Let me read page 40."));
        assert!(!ends_in_promise("Revenue was $5 million [a.pdf, p. 3]."));
    }

    #[test]
    fn calls_written_as_text_are_no_answers() {
        let call = r#"{"name": "remove_document", "arguments": {"doc_names": ["a.pdf"]}}"#;
        for text in [
            call.to_owned(),
            format!("<tool_call>\n{call}\n</tool_call>"),
            format!("```json\n{call}\n```"),
            format!("<tool_call>{call}"),
        ] {
            assert!(is_written_call(&text), "{text}");
        }
        for text in ["{\"name\": \"Ann\"}", "Revenue was 5.", "", "{\"revenue\": 5}"] {
            assert!(!is_written_call(text), "{text}");
        }
    }

    #[test]
    fn announcements_are_told_from_answers() {
        for text in [
            "Let me look at page 3.",
            "Let me look at page 3:",
            "Okay, I'll read the structure of the report first...",
            "The report has 20 pages. Now let me read pages 5-7 to find the revenue figure.",
            "**I need to check the cash flow statement.**",
            "I am going to call get_page_content with pages 3-4",
            "Ich werde jetzt Seite 3 lesen.",
            "Je vais consulter la page 12.",
            "Voy a leer la página 4.",
            "让我看一下第3页。",
            "3ページを確認します。",
        ] {
            assert!(only_promises(text), "{text}");
        }
        for text in [
            "Revenue was $5 million.",
            "Let me know if you need more.",
            "Revenue was 5 million. Let me know if you need the page.",
            "Let me look at page 3. Revenue was $5 million <cite doc=\"a.pdf\" page=\"3\"/>.",
            "Which report do you mean? Should I read the annual report?",
            "<not-found/> I will need another document for this.",
            "The company says: \"we will build two plants\".",
            "The plan is that management will let me down.",
            "",
        ] {
            assert!(!only_promises(text), "{text}");
        }
    }
}
