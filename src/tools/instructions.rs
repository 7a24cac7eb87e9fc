//! The agent instructions: texts in `prompts/`, put together to fit what this toolbox can do.

use crate::Error;
use crate::library::{DocumentRecord, Scope, Status};
use crate::prompts::{Prompt, Prompts};

use super::json::to_json;
use super::kind::quote;
use super::local::Context;
use super::measure::{counted, escaped_len, shorten};

/// How a model writes its citations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CitationFormat {
    /// `<cite doc="..." page="N">words</cite>`: what the agent here reads, resolves and checks.
    Cite,
    /// `[NAME, p. N]`: for hosts that show the answer as it is written.
    Markdown,
}

/// The rules for citations in this format. They are also the last part of the agent instructions, there in the cite format.
pub fn citation_rules(prompts: &Prompts, format: CitationFormat) -> &str {
    prompts.text(match format {
        CitationFormat::Cite => Prompt::Cite,
        CitationFormat::Markdown => Prompt::CiteMarkdown,
    })
}

/// Room for all target lines, about 5,000 tokens; documents beyond it are counted and left to `browse_documents`.
const TARGETS_ROOM: usize = 20_000;
/// Room for the description in a target line.
const DESCRIPTION_ROOM: usize = 400;
/// Most documents of a scope that are looked at for the list.
const MAX_TARGETS: u32 = 200;

/// The instructions for this scope and management setting. With ids or names, or under a scope, the target documents are listed.
///
/// # Errors
/// An id or name that does not exist in the scope; a library that cannot be read.
pub(super) async fn instructions(context: &Context, include_management: bool, doc_ids: &[String]) -> Result<String, Error> {
    let find = match context.scope {
        Scope::All => Prompt::FindInLibrary,
        Scope::Documents(_) => Prompt::FindInScope,
    };
    let mut sections = vec![Prompt::Role, find, Prompt::ReadAndAnswer, Prompt::Cite];
    if include_management {
        sections.push(Prompt::Management);
    }
    // A text that was replaced by an empty one is left out.
    let texts = sections.iter().map(|section| context.prompts.text(*section).trim()).filter(|text| !text.is_empty());
    let mut text = texts.collect::<Vec<_>>().join("\n\n");
    let (records, total) = targets(context, doc_ids).await?;
    if total > 0 {
        text.push_str("\n\n");
        text.push_str(context.prompts.text(Prompt::Targets).trim());
        text.push_str("\n\n");
        text.push_str(&lines(&records, total));
    }
    text.push('\n');
    Ok(text)
}

/// The target documents, and how many there are in all.
async fn targets(context: &Context, doc_ids: &[String]) -> Result<(Vec<DocumentRecord>, u64), Error> {
    if doc_ids.is_empty() {
        return match context.scope {
            Scope::All => Ok((Vec::new(), 0)),
            Scope::Documents(_) => {
                let listed = context.library.list(&context.scope, 0, MAX_TARGETS).await?;
                Ok((listed.documents, listed.total))
            }
        };
    }
    let mut records: Vec<DocumentRecord> = Vec::with_capacity(doc_ids.len());
    for id in doc_ids {
        match context.find(id).await? {
            Some(record) if records.iter().any(|known| known.id == record.id) => {}
            Some(record) => records.push(record),
            None => return Err(no_such_document(context, id).await),
        }
    }
    let total = records.len() as u64;
    Ok((records, total))
}

async fn no_such_document(context: &Context, name: &str) -> Error {
    let close = context.library.similar_names(&context.scope, name, 1).await.unwrap_or_default();
    let meant = close.first().map(|name| format!(" Did you mean {}?", quote(name))).unwrap_or_default();
    Error::NoSuchDocument(format!("there is no document {} in the library.{meant} `pagewise list` shows all.", quote(name)))
}

fn lines(records: &[DocumentRecord], total: u64) -> String {
    let mut out = String::new();
    let mut listed = 0;
    for record in records {
        let line = line(record);
        if listed > 0 && escaped_len(&out) + escaped_len(&line) > TARGETS_ROOM {
            break;
        }
        out.push_str(&line);
        listed += 1;
    }
    if total > listed {
        out.push_str(&format!(
            "- and {}; browse_documents lists them\n",
            counted(total - listed, "more document", "more documents")
        ));
    }
    out.trim_end().to_owned()
}

/// One document in one line: JSON strings, so that nothing in a name or a description can break out of its line.
fn line(record: &DocumentRecord) -> String {
    let name = to_json(&shorten(&record.name, TARGETS_ROOM / 2));
    let state = match (record.status, record.page_count) {
        (Status::Completed, Some(pages)) => counted(pages.into(), "page", "pages"),
        (Status::Completed, None) => "ready".to_owned(),
        (Status::Failed, _) => "processing failed, cannot be read".to_owned(),
        (Status::Pending | Status::Queued | Status::Processing, _) => "still processing".to_owned(),
    };
    if record.description.is_empty() {
        return format!("- doc_name {name} ({state})\n");
    }
    format!("- doc_name {name} ({state}): {}\n", to_json(&shorten(&record.description, DESCRIPTION_ROOM)))
}
