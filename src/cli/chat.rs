//! `pagewise` without a command: questions and follow-up questions.

use std::io::IsTerminal;
use std::path::Path;

use super::answer::AnswerView;
use super::args::ChatArgs;
use super::exit::{CliError, ExitStatus};
use super::printer::harmless_name;
use super::repl::{Input, Prompt};
use super::{Context, ask, documents, list, models, pages, reindex, tree};
use crate::agent::{Agent, Conversation};
use crate::client::Client;
use crate::config;
use crate::ingest::Submission;
use crate::library::{DocId, DocumentRecord, Scope};
use crate::pdf::OpenOptions;

const HELP: &str = "\
Ask a question, or:
  /docs                 list the documents of this conversation
  /add FILE ...         add PDFs to the library
  /tree [DOC]           show the sections of a document
  /page [DOC] PAGES     show the text of pages, such as /page report.pdf 3-5
  /help                 show this
  /quit                 leave (also Ctrl-D)
Ctrl-C stops an answer.";

struct Session {
    client: Client,
    scope: Scope,
    chosen: Vec<DocumentRecord>,
    agent: Agent,
    conversation: Conversation,
    open: OpenOptions,
}

/// What a line asks for.
#[derive(Debug, PartialEq, Eq)]
enum Entry<'a> {
    Nothing,
    Question(&'a str),
    Command(&'a str, Vec<&'a str>),
}

pub(crate) async fn run(context: &mut Context, args: &ChatArgs) -> Result<ExitStatus, CliError> {
    let open = args.password.open_options();
    let mut session = start(context, &args.docs, open).await?;
    reindex::say_outdated(context, &session.client, &session.scope).await?;
    let interactive = std::io::stdin().is_terminal();
    if interactive {
        greet(context, &session).await?;
    }
    let prompt = Prompt::start(if interactive { config::history_path() } else { None })?;
    let mut interrupted = false;
    loop {
        match prompt.read("pagewise> ").await {
            Input::End => return Ok(ExitStatus::Success),
            Input::Interrupted if interrupted => return Ok(ExitStatus::Success),
            Input::Interrupted => {
                interrupted = true;
                context.printer.note("Ctrl-C again, or Ctrl-D, leaves");
            }
            Input::Line(line) => {
                interrupted = false;
                match act(context, &mut session, &line).await {
                    Ok(true) => {}
                    Ok(false) => return Ok(ExitStatus::Success),
                    Err(CliError::Failed(failure)) => context.printer.error(&failure.message, failure.hint.as_deref()),
                    Err(CliError::Interrupted) => {}
                    Err(error @ CliError::ClosedPipe) => return Err(error),
                }
            }
        }
    }
}

async fn start(context: &Context, docs: &[String], open: OpenOptions) -> Result<Session, CliError> {
    let (client, scope, chosen, conversation) = if docs.is_empty() {
        (context.client()?, Scope::All, Vec::new(), Conversation::default())
    } else {
        let documents = documents::open(context, docs, &open, false).await?;
        let conversation = documents.conversation();
        (documents.client, documents.scope, documents.chosen, conversation)
    };
    let model = models::choose(context, &client, &scope)?;
    let agent = Agent::new(client.within(&scope).toolbox(false).await?, model)
        .with_limits(context.settings.limits())
        .with_prompts(context.prompts.clone());
    Ok(Session { client, scope, chosen, agent, conversation, open })
}

async fn greet(context: &Context, session: &Session) -> Result<(), CliError> {
    let total = session.client.library()?.list(&session.scope, 0, 1).await?.total;
    let what = match total {
        0 => "The library is empty: /add FILE.pdf adds a document.".to_owned(),
        1 => "One document. Ask something; /help shows more.".to_owned(),
        n => format!("{n} documents. Ask something; /help shows more."),
    };
    context.printer.note(&what);
    Ok(())
}

fn read_entry(line: &str) -> Entry<'_> {
    let line = line.trim();
    match line.strip_prefix('/') {
        _ if line.is_empty() => Entry::Nothing,
        None => Entry::Question(line),
        Some(command) => {
            let mut words = command.split_whitespace();
            let name = words.next().unwrap_or_default();
            Entry::Command(name, words.collect())
        }
    }
}

/// Does what the line asks for; `false` ends the session.
async fn act(context: &Context, session: &mut Session, line: &str) -> Result<bool, CliError> {
    match read_entry(line) {
        Entry::Nothing => {}
        Entry::Question(question) => answer(context, session, question).await?,
        Entry::Command("quit" | "exit" | "q", _) => return Ok(false),
        Entry::Command("help", _) => context.printer.line(HELP)?,
        Entry::Command("docs", _) => show_documents(context, session).await?,
        Entry::Command("add", paths) => add(context, session, &paths).await?,
        Entry::Command("tree", words) => {
            let document = pick_document(session, &words.join(" ")).await?;
            tree::show_stored(&context.printer, &session.client, document).await?;
        }
        Entry::Command("page" | "pages", words) => show_pages(context, session, &words).await?,
        Entry::Command(other, _) => {
            return Err(CliError::usage(format!("there is no command /{}; /help lists them", harmless_name(other))));
        }
    }
    Ok(true)
}

async fn answer(context: &Context, session: &mut Session, question: &str) -> Result<(), CliError> {
    if session.client.library()?.list(&session.scope, 0, 1).await?.total == 0 {
        return Err(CliError::usage("the library is empty; /add FILE.pdf adds a document"));
    }
    let mut view = AnswerView::new(&context.printer, context.printer.out_is_terminal());
    let answer = ask::run_interruptibly(&session.agent, &mut session.conversation, question, &mut view).await?;
    view.finish(&answer)?;
    Ok(())
}

async fn show_documents(context: &Context, session: &Session) -> Result<(), CliError> {
    const MOST: u32 = 100;
    let page = session.client.library()?.list(&session.scope, 0, MOST).await?;
    for document in &page.documents {
        list::show(&context.printer, document)?;
    }
    let rest = page.total.saturating_sub(page.documents.len() as u64);
    if rest > 0 {
        context.printer.note(&format!("and {rest} more; `pagewise list` shows all"));
    }
    Ok(())
}

async fn add(context: &Context, session: &mut Session, paths: &[&str]) -> Result<(), CliError> {
    if paths.is_empty() {
        return Err(CliError::usage("/add takes files or folders"));
    }
    // A path may hold spaces: if the whole rest of the line is a path, it is one.
    let whole = unquoted(&paths.join(" ")).to_owned();
    let paths = if Path::new(&whole).exists() { vec![whole.as_str()] } else { paths.to_vec() };
    for path in paths {
        let path = Path::new(path);
        let files = if path.is_dir() { documents::pdfs_in(path)? } else { vec![path.to_owned()] };
        if files.is_empty() {
            let name = harmless_name(&path.to_string_lossy());
            context.printer.error(&format!("there is no PDF in the folder {name}"), None);
        }
        for file in files {
            let submission = Submission { open: session.open.clone(), ..Submission::of_file(&file) };
            match documents::add_one(context, &session.client, &submission).await? {
                Ok(added) => {
                    list::show(&context.printer, &added.document)?;
                    widen(context, session, added.document).await?;
                }
                Err(error) => {
                    context.printer.error(&format!("{}: {error}", harmless_name(&file.to_string_lossy())), None);
                }
            }
        }
    }
    Ok(())
}

/// A document that is added to a conversation about chosen documents belongs to it.
async fn widen(context: &Context, session: &mut Session, document: DocumentRecord) -> Result<(), CliError> {
    if session.scope == Scope::All || session.scope.holds(&document.id) {
        return Ok(());
    }
    session.chosen.push(document);
    let ids: Vec<DocId> = session.chosen.iter().map(|document| document.id.clone()).collect();
    let about = documents::about(&session.chosen);
    session.conversation.documents = about.documents;
    for (name, known) in about.evidence.documents {
        session.conversation.evidence.documents.entry(name).or_insert(known);
    }
    session.scope = Scope::Documents(ids);
    let model = models::choose(context, &session.client, &session.scope)?;
    let toolbox = session.client.within(&session.scope).toolbox(false).await?;
    session.agent = Agent::new(toolbox, model).with_limits(context.settings.limits()).with_prompts(context.prompts.clone());
    Ok(())
}

/// A name without the quotes that people put around spaces.
fn unquoted(name: &str) -> &str {
    let name = name.trim();
    ['"', '\''].iter().find_map(|quote| name.strip_prefix(*quote)?.strip_suffix(*quote)).unwrap_or(name)
}

/// The document of this name, or the only one there is.
async fn pick_document(session: &Session, name: &str) -> Result<DocumentRecord, CliError> {
    let name = unquoted(name);
    if !name.is_empty() {
        return match session.client.library()?.find(&session.scope, name).await? {
            Some(document) => Ok(document),
            None => Err(CliError::usage(format!("there is no document {} here; /docs lists them", harmless_name(name)))),
        };
    }
    let page = session.client.library()?.list(&session.scope, 0, 2).await?;
    match page.documents.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(CliError::usage("there is no document yet; /add FILE.pdf adds one")),
        _ => Err(CliError::usage("which document? /docs lists them")),
    }
}

async fn show_pages(context: &Context, session: &Session, words: &[&str]) -> Result<(), CliError> {
    let Some((spec, name)) = words.split_last() else {
        return Err(CliError::usage("/page takes pages, such as /page 3-5 or /page report.pdf 3-5"));
    };
    let document = pick_document(session, &name.join(" ")).await?;
    let ranges = pages::select(&context.printer, spec, document.page_count.unwrap_or(0))?;
    let reports = pages::of_library(&session.client, &document, &ranges).await?;
    pages::show(&context.printer, &reports)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_around_names_are_dropped() {
        assert_eq!(unquoted(" \"a b.pdf\" "), "a b.pdf");
        assert_eq!(unquoted("it's.pdf"), "it's.pdf");
    }

    #[test]
    fn lines_are_told_apart() {
        assert_eq!(read_entry("  "), Entry::Nothing);
        assert_eq!(read_entry(" What is it? "), Entry::Question("What is it?"));
        assert_eq!(read_entry("/page a b.pdf 3"), Entry::Command("page", vec!["a", "b.pdf", "3"]));
        assert_eq!(read_entry("/"), Entry::Command("", vec![]));
    }
}
