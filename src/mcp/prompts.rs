//! The prompts that a host offers to its user.

use rmcp::ErrorData;
use rmcp::model::{GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;

use crate::error::Error;
use crate::tools::{CitationFormat, Toolbox};

/// The rules for citations, in one of two formats.
const CITED_ANSWER: &str = "cited_answer";
/// A question put to one document.
const ASK_DOCUMENT: &str = "ask_document";

/// All prompts.
pub(super) fn list() -> Vec<Prompt> {
    let argument = |name: &str, title: &str, description: &str, required| {
        PromptArgument::new(name).with_title(title).with_description(description).with_required(required)
    };
    vec![
        Prompt::new(
            CITED_ANSWER,
            Some("How to cite: every statement with the page that it stands on."),
            Some(vec![argument(
                "format",
                "Format",
                "\"cite\" for tags that a program can check (the default), or \"markdown\" for marks that people read as they are.",
                false,
            )]),
        )
        .with_title("Answer with page citations"),
        Prompt::new(
            ASK_DOCUMENT,
            Some("Answers a question from one document of the library, with page citations."),
            Some(vec![
                argument("doc_name", "Document", "Exact name of the document, such as \"annual-report.pdf\".", true),
                argument("question", "Question", "What to find out.", true),
            ]),
        )
        .with_title("Ask a document"),
    ]
}

/// The messages of a prompt.
///
/// # Errors
/// An unknown prompt, a missing or wrong argument, a document that does not exist: invalid parameters, with what to do.
pub(super) async fn get(toolbox: &dyn Toolbox, request: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let arguments = Arguments(request);
    let (text, about) = match request.name.as_str() {
        CITED_ANSWER => {
            arguments.refuse_unknown(&["format"])?;
            let format = match arguments.text("format")? {
                None | Some("cite") => CitationFormat::Cite,
                Some("markdown") => CitationFormat::Markdown,
                Some(_) => return Err(invalid("\"format\" must be \"cite\" or \"markdown\"")),
            };
            (toolbox.citation_rules(format), "How to cite")
        }
        ASK_DOCUMENT => {
            arguments.refuse_unknown(&["doc_name", "question"])?;
            let doc_name = arguments.required("doc_name")?;
            let question = arguments.required("question")?;
            let instructions = toolbox.instructions(&[doc_name.to_owned()]).await.map_err(|error| refused(&error))?;
            (format!("{instructions}\n# Question\n{question}\n"), "A question to one document")
        }
        _ => return Err(invalid(&format!("there is no such prompt; there are {CITED_ANSWER} and {ASK_DOCUMENT}"))),
    };
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).with_description(about))
}

/// The arguments of a prompt are texts.
struct Arguments<'a>(&'a GetPromptRequestParams);

impl<'a> Arguments<'a> {
    fn text(&self, name: &str) -> Result<Option<&'a str>, ErrorData> {
        match self.0.arguments.as_ref().and_then(|arguments| arguments.get(name)) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.trim()).filter(|text| !text.is_empty())),
            Some(_) => Err(invalid(&format!("\"{name}\" must be text"))),
        }
    }

    fn required(&self, name: &str) -> Result<&'a str, ErrorData> {
        self.text(name)?.ok_or_else(|| invalid(&format!("the argument \"{name}\" is missing")))
    }

    fn refuse_unknown(&self, known: &[&str]) -> Result<(), ErrorData> {
        let names = self.0.arguments.iter().flat_map(|arguments| arguments.keys());
        match names.into_iter().find(|name| !known.contains(&name.as_str())) {
            Some(_) => Err(invalid(&format!("this prompt takes only {}", known.join(" and ")))),
            None => Ok(()),
        }
    }
}

fn invalid(message: &str) -> ErrorData {
    ErrorData::invalid_params(message.to_owned(), None)
}

fn refused(error: &Error) -> ErrorData {
    match error {
        Error::NoSuchDocument(message) => invalid(message),
        other => ErrorData::internal_error(other.to_string(), None),
    }
}
