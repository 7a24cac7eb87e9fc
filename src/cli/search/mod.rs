//! `pagewise search`: pages by words, for people.

mod draw;

use std::path::Path;

use serde::Serialize;

use super::Context;
use super::args::SearchArgs;
use super::exit::{CliError, ExitStatus};
use super::printer::harmless_name;
use crate::client::Client;
use crate::error::Error;
use crate::library::{DocId, DocumentRecord, Scope, Status};
use crate::pdf::content_hash_of;
use crate::search::RankedPage;
use draw::Drawing;

/// Names that are said to be like the query.
const NAMES: usize = 3;
/// Longest query that is compared with names, in characters; what is longer is no name.
const NAME_CHARS: usize = 80;

/// One object of `--json`.
#[derive(Serialize)]
struct Found<'a> {
    doc: &'a str,
    page: u32,
    label: Option<&'a str>,
    section: Option<&'a str>,
    score: f64,
    snippet: &'a str,
}

impl<'a> Found<'a> {
    fn of(page: &'a RankedPage) -> Self {
        Self {
            doc: &page.name,
            page: page.page,
            label: page.label.as_deref(),
            section: page.section.as_deref(),
            score: page.score,
            snippet: &page.snippet.text,
        }
    }
}

pub(crate) async fn run(context: &mut Context, args: SearchArgs) -> Result<ExitStatus, CliError> {
    let client = context.client()?;
    let scope = scope(&client, &args.docs).await?;
    let pages = client.ranker()?.rank_pages(&scope, &args.query, args.limit).await?;
    say_names(context, &client, &scope, &args.query).await?;
    if args.json {
        context.printer.json(&pages.iter().map(Found::of).collect::<Vec<_>>())?;
    } else {
        let printer = &context.printer;
        let width = printer.out_is_terminal().then(|| printer.width());
        printer.raw(&Drawing { printer, width }.pages(&pages))?;
    }
    if !pages.is_empty() && !pages.iter().any(|page| page.quoted) {
        context.printer.note("no page has the quoted words side by side; these have some of the words");
    }
    if pages.is_empty() {
        say_nothing_found(context, &client, &scope).await?;
    }
    Ok(ExitStatus::Success)
}

/// The documents of `--doc`: names, ids, and files that are stored.
async fn scope(client: &Client, docs: &[String]) -> Result<Scope, CliError> {
    if docs.is_empty() {
        return Ok(Scope::All);
    }
    let mut ids: Vec<DocId> = Vec::with_capacity(docs.len());
    for doc in docs {
        ids.push(document(client, doc).await?.id);
    }
    Ok(Scope::Documents(ids))
}

async fn document(client: &Client, doc: &str) -> Result<DocumentRecord, CliError> {
    if let Some(document) = client.library()?.find(&Scope::All, doc).await? {
        return Ok(document);
    }
    let path = Path::new(doc);
    if path.is_file() {
        let (hash, _) = content_hash_of(path)?;
        return match client.library()?.find_content(&hash).await? {
            Some(document) => Ok(document),
            None => Err(CliError::from(Error::NoSuchDocument(format!("{doc} is not in the library")))
                .with_hint(format!("add it first: `pagewise add {}`", quoted(doc)))),
        };
    }
    if path.is_dir() {
        return Err(CliError::usage(format!("{doc} is a folder; search looks in stored documents"))
            .with_hint(format!("`pagewise add {}` adds its files; without --doc all stored documents are searched", quoted(doc))));
    }
    match client.resolve(&[doc.to_owned()]).await {
        Ok(found) => found.into_iter().next().ok_or_else(|| Error::NoSuchDocument(format!("{doc} was removed")).into()),
        Err(error) => Err(error.into()),
    }
}

/// A word for a shell, quoted where it needs to be.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_');
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Says which documents have a name like the query.
async fn say_names(context: &Context, client: &Client, scope: &Scope, query: &str) -> Result<(), CliError> {
    if query.chars().count() > NAME_CHARS {
        return Ok(());
    }
    let names = client.library()?.similar_names(scope, query, NAMES).await?;
    if !names.is_empty() {
        let names: Vec<String> = names.iter().map(|name| harmless_name(name)).collect();
        context.printer.note(&format!("documents of such a name: {}", names.join(", ")));
    }
    Ok(())
}

/// Says that nothing was found, and what may be the reason.
async fn say_nothing_found(context: &Context, client: &Client, scope: &Scope) -> Result<(), CliError> {
    let listed = client.library()?.list(scope, 0, 50).await?;
    let unread = listed.documents.iter().find(|document| document.status != Status::Completed);
    let hint = match (listed.total, unread) {
        (0, _) => "the library is empty; `pagewise add FILE.pdf` adds a document".to_owned(),
        (_, Some(document)) => {
            let name = harmless_name(&document.name);
            format!("{name} is not read yet or could not be read (`pagewise list` says which)")
        }
        (_, None) if matches!(scope, Scope::Documents(_)) => "without --doc all stored documents are searched".to_owned(),
        (_, None) => "try fewer or other words".to_owned(),
    };
    context.printer.note(&format!("no page holds any of these words; {hint}"));
    Ok(())
}
