//! What stands in place of a tool result that had to go, or of the part of it that was cut.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::tokens::boundary;
use crate::model::HistoryItem;

/// How every stub ends; tells stubs from envelopes, which are JSON objects.
const STUB_END: &str = "; ask again if needed]";
/// How the words after a cut begin.
const CUT: &str = " [cut here to fit the model's window: ";
/// The longest words after a cut in bytes, by which a cut is told from far.
const CUT_WORDS: usize = 400;
/// Characters of a call's arguments that its stub shows.
const ARGUMENTS_SHOWN: usize = 200;

/// What stubs need of an envelope.
#[derive(Deserialize)]
struct Envelope {
    doc_name: Option<String>,
    returned_pages: Option<String>,
    structure: Option<IgnoredAny>,
    pagination: Option<Pagination>,
    #[serde(default)]
    content: Vec<PageNumber>,
}

#[derive(Deserialize)]
struct Pagination {
    part: Option<u64>,
    total_parts: Option<u64>,
}

#[derive(Deserialize)]
struct PageNumber {
    page: Option<u32>,
}

/// Whether a result was replaced by a stub.
pub(super) fn is_whole_stub(content: &str) -> bool {
    content.starts_with('[') && content.ends_with(STUB_END)
}

/// Whether a result was replaced by a stub or cut.
pub(super) fn is_stub(content: &str) -> bool {
    if !content.ends_with(']') {
        return false;
    }
    let end = content.get(boundary(content, content.len().saturating_sub(CUT_WORDS))..).unwrap_or_default();
    end.ends_with(STUB_END) || end.contains(CUT)
}

/// The stub for a result.
pub(super) fn stub(history: &[HistoryItem], id: &str, name: &str, content: &str) -> String {
    let what = describe(content).unwrap_or_else(|| {
        let arguments = history.iter().find_map(|i| match i {
            HistoryItem::ToolCall { id: call, arguments, .. } if call == id => Some(arguments.to_string()),
            _ => None,
        });
        let arguments: String = arguments.unwrap_or_default().chars().take(ARGUMENTS_SHOWN).collect();
        format!("the result of {name}({arguments}) was shown here")
    });
    format!("[{what}{STUB_END}")
}

/// A result that was cut comes as an envelope without its end: what it says of itself stands at its beginning.
fn describe(content: &str) -> Option<String> {
    let envelope: Envelope = serde_json::from_str(content).ok()?;
    let doc = envelope.doc_name?;
    if let Some(pages) = envelope.returned_pages {
        let word = if pages.contains(['-', ',']) { "pages" } else { "page" };
        let verb = if word == "page" { "was" } else { "were" };
        return Some(format!("{word} {pages} of {doc} {verb} read here"));
    }
    envelope.structure?;
    Some(match envelope.pagination {
        Some(Pagination { part: Some(part), total_parts: Some(total) }) if total > 1 => {
            format!("part {part} of {total} of the structure of {doc} was shown here")
        }
        _ => format!("the structure of {doc} was shown here"),
    })
}

/// The beginning of a result, about so many bytes, with words on how to get at the rest.
pub(super) fn cut(content: &str, bytes: usize) -> String {
    let whole = content.rfind(CUT).filter(|_| is_stub(content)).unwrap_or(content.len());
    let head = content.get(..boundary(content, bytes.min(whole))).unwrap_or_default();
    let pages: Vec<u32> =
        serde_json::from_str::<Envelope>(content).map(|e| e.content.iter().filter_map(|p| p.page).collect()).unwrap_or_default();
    let reached = pages.iter().rposition(|page| head.contains(&format!("\"page\":{page},")));
    let words = match (reached, pages.as_slice()) {
        (_, []) => "the rest is missing; ask for less at a time".to_owned(),
        (None, pages) => format!("{} missing; ask for fewer pages at a time", are(pages)),
        (Some(at), pages) => {
            let cut = pages.get(at).copied().unwrap_or_default();
            match pages.get(at + 1..).unwrap_or_default() {
                [] if pages.len() > 1 => format!("the end of page {cut} is missing; ask for this page alone"),
                [] => format!("the end of page {cut} is missing, it is longer than the window has room for"),
                rest => format!("the end of page {cut} and {} missing; ask for them alone, a few at a time", are(rest)),
            }
        }
    };
    format!("{head}{CUT}{words}]")
}

/// The pages of a result, as document and number, that are not in what is left of it.
pub(super) fn lost_pages(content: &str, left: &str) -> Vec<(String, u32)> {
    let Ok(Envelope { doc_name: Some(doc), content: pages, .. }) = serde_json::from_str::<Envelope>(content) else {
        return Vec::new();
    };
    let lost = pages.iter().filter_map(|p| p.page).filter(|page| !left.contains(&format!("\"page\":{page},")));
    lost.map(|page| (doc.clone(), page)).collect()
}

fn are(pages: &[u32]) -> String {
    match pages {
        [page] => format!("page {page} is"),
        [first, .., last] if (last - first) as usize + 1 == pages.len() => format!("pages {first}-{last} are"),
        [first, .., last] => format!("pages {first} to {last} are"),
        [] => "pages are".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn stubs_say_what_stood_there() {
        let structure =
            json!({"doc_name": "a.pdf", "structure": [], "pagination": {"part": 2, "total_parts": 3, "has_more": true}});
        let described = |value: serde_json::Value| describe(&value.to_string());
        assert_eq!(described(structure).as_deref(), Some("part 2 of 3 of the structure of a.pdf was shown here"));
        assert_eq!(
            described(json!({"doc_name": "a.pdf", "returned_pages": "5"})).as_deref(),
            Some("page 5 of a.pdf was read here")
        );
        assert_eq!(described(json!({"documents": []})), None);
        let call = HistoryItem::ToolCall {
            id: "c".into(),
            name: "browse_documents".into(),
            arguments: json!({"limit": 5}),
            payload: None,
        };
        assert_eq!(
            stub(&[call], "c", "browse_documents", "{}"),
            "[the result of browse_documents({\"limit\":5}) was shown here; ask again if needed]"
        );
    }

    #[test]
    fn a_cut_says_how_to_read_the_rest() {
        let pages = |pages: &[u32]| {
            let content: Vec<_> = pages.iter().map(|p| json!({"page": p, "text": "word ".repeat(40)})).collect();
            json!({"success": true, "doc_name": "a.pdf", "content": content}).to_string()
        };
        let words = |content: &str, bytes| {
            let cut = cut(content, bytes);
            assert!(is_stub(&cut) && !is_whole_stub(&cut), "{cut}");
            cut.rsplit_once(" [").unwrap().1.to_owned()
        };
        let three = pages(&[4, 5, 6]);
        insta::assert_snapshot!(words(&three, 20), @"cut here to fit the model's window: pages 4-6 are missing; ask for fewer pages at a time]");
        insta::assert_snapshot!(words(&three, 300), @"cut here to fit the model's window: the end of page 5 and page 6 is missing; ask for them alone, a few at a time]");
        insta::assert_snapshot!(words(&three, 600), @"cut here to fit the model's window: the end of page 6 is missing; ask for this page alone]");
        insta::assert_snapshot!(words(&pages(&[4]), 100), @"cut here to fit the model's window: the end of page 4 is missing, it is longer than the window has room for]");
        insta::assert_snapshot!(words(&json!({"documents": "x".repeat(400)}).to_string(), 100), @"cut here to fit the model's window: the rest is missing; ask for less at a time]");
        assert!(!is_stub(&three));
        // What was cut is cut again without words in words.
        assert_eq!(cut(&cut(&three, 300), 200).matches("cut here").count(), 1);
    }
}
