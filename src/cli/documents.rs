//! What `--doc` and file arguments mean: files, folders, globs, stored names.

use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use serde_json::{Value, json};

use super::Context;
use super::exit::CliError;
use super::printer::harmless_name;
use crate::agent::Conversation;
use crate::client::Client;
use crate::error::Error;
use crate::ingest::{self, Added, Submission};
use crate::library::{DocId, DocumentRecord, Scope, Status};
use crate::pdf::OpenOptions;

/// The library to ask and what of it exists for the question.
pub(crate) struct Documents {
    pub(crate) client: Client,
    pub(crate) scope: Scope,
    /// The documents named with `--doc`; empty for the whole library.
    pub(crate) chosen: Vec<DocumentRecord>,
    /// Files of folders and patterns that could not be read.
    pub(crate) skipped: Vec<Skipped>,
}

/// A file that is left out of the question.
#[derive(Debug, Serialize)]
pub(crate) struct Skipped {
    file: String,
    error: Value,
}

impl Documents {
    /// A conversation about the chosen documents. Past this many the list of targets would cost more than it tells; the scope holds all
    /// the same.
    pub(crate) fn conversation(&self) -> Conversation {
        const MOST: usize = 20;
        let mut conversation = about(&self.chosen);
        if conversation.documents.len() > MOST {
            conversation.documents.clear();
        }
        conversation
    }
}

/// A conversation about these documents.
pub(crate) fn about(documents: &[DocumentRecord]) -> Conversation {
    Conversation::about(documents.iter().map(|document| (document.id.0.clone(), document.name.clone(), document.page_count)))
}

/// A stored document that can be read; otherwise what is the matter with it.
pub(crate) async fn readable(client: &Client, name: &str) -> Result<DocumentRecord, CliError> {
    let found = client.library()?.find(&Scope::All, name).await?;
    let Some(document) = found else {
        if Path::new(name).is_dir() {
            return Err(CliError::usage(format!("{name} is a folder; name one of its files, or a document of the library")));
        }
        let error = client.resolve(&[name.to_owned()]).await.err();
        let message = error.map_or_else(|| format!("{name} was removed"), |error| error.to_string());
        return Err(Error::NoSuchDocument(format!("{name} is no file here, and {message}")).into());
    };
    match document.status {
        Status::Completed => Ok(document),
        Status::Failed => {
            let why = document.failure.as_deref().unwrap_or("no reason is known");
            Err(Error::NoSuchDocument(format!("{name} could not be read: {why}")).into())
        }
        Status::Pending | Status::Queued | Status::Processing => Err(CliError::from(Error::NoSuchDocument(format!(
            "{name} is not ready: it is being read, or reading it was broken off"
        )))
        .with_hint("wait a little, or add its file again")),
    }
}

/// One argument, told apart.
#[derive(Debug, PartialEq, Eq)]
enum Named {
    /// Files, and whether each was named by itself (so that a bad one is an error and not a warning).
    Files(Vec<PathBuf>, bool),
    Stored(String),
}

/// Opens the library and makes sure that every document of `--doc` is in it.
pub(crate) async fn open(context: &Context, docs: &[String], open: &OpenOptions, no_store: bool) -> Result<Documents, CliError> {
    if no_store && docs.is_empty() {
        return Err(CliError::usage("--no-store needs --doc with the files to read"));
    }
    let client = if no_store { Client::local(context.library_options(None))? } else { context.client()? };
    if docs.is_empty() {
        let total = client.library()?.list(&Scope::All, 0, 1).await?.total;
        if total == 0 {
            return Err(CliError::from(Error::NoSuchDocument("the library is empty".to_owned()))
                .with_hint("name a file with --doc FILE.pdf, or add some with `pagewise add FILE.pdf`"));
        }
        return Ok(Documents { client, scope: Scope::All, chosen: Vec::new(), skipped: Vec::new() });
    }
    let mut chosen: Vec<DocumentRecord> = Vec::new();
    let mut skipped = Vec::new();
    for doc in docs {
        let found = match tell_apart(doc)? {
            Named::Stored(name) if no_store => {
                return Err(CliError::usage(format!("{name} is not a file; --no-store reads only files")));
            }
            Named::Stored(name) => vec![readable(&client, &name).await?],
            Named::Files(files, single) => add_files(context, &client, &files, single, open, &mut skipped).await?,
        };
        for document in found {
            if !chosen.iter().any(|known| known.id == document.id) {
                chosen.push(document);
            }
        }
    }
    let ids: Vec<DocId> = chosen.iter().map(|document| document.id.clone()).collect();
    Ok(Documents { client, scope: Scope::Documents(ids), chosen, skipped })
}

async fn add_files(
    context: &Context,
    client: &Client,
    files: &[PathBuf],
    single: bool,
    open: &OpenOptions,
    skipped: &mut Vec<Skipped>,
) -> Result<Vec<DocumentRecord>, CliError> {
    let mut documents = Vec::with_capacity(files.len());
    let mut last = None;
    for file in files {
        let submission = Submission { open: open.clone(), ..Submission::of_file(file) };
        match add_one(context, client, &submission).await? {
            Ok(added) => documents.push(added.document),
            Err(error) if single => return Err(error.into()),
            Err(error) => {
                let name = file.to_string_lossy();
                context.printer.error(&format!("{}: {error}", harmless_name(&name)), None);
                skipped
                    .push(Skipped { file: name.into_owned(), error: json!({"kind": error.kind(), "message": error.to_string()}) });
                last = Some(error);
            }
        }
    }
    match last {
        Some(error) if documents.is_empty() => Err(error.into()),
        _ => Ok(documents),
    }
}

/// Adds one file, with a progress bar on a terminal.
///
/// The outer error is the user's Ctrl-C, which ends the command; the inner one concerns this file only.
pub(crate) async fn add_one(context: &Context, client: &Client, submission: &Submission) -> Result<crate::Result<Added>, CliError> {
    let submitted = match ingest::submit(client.library()?, submission).await {
        Ok(submitted) => submitted,
        Err(error) => return Ok(Err(error)),
    };
    let Some(withdrawal) = submitted.withdrawal() else { return Ok(submitted.finish(|_, _| {}).await) };
    let name = submission.path.file_name().map(|name| harmless_name(&name.to_string_lossy())).unwrap_or_default();
    let bar = progress_bar(context, &format!("reading {name}"));
    let work = {
        let bar = bar.clone();
        submitted.finish(move |done, pages| {
            bar.set_length(u64::from(pages));
            bar.set_position(u64::from(done));
        })
    };
    let result = tokio::select! {
        result = work => Ok(result),
        _ = tokio::signal::ctrl_c() => Err(CliError::Interrupted),
    };
    bar.finish_and_clear();
    if result.is_err() {
        withdrawal.give_up().await?;
        context.printer.note("stopped; what was finished is kept");
    }
    result
}

/// A bar of pages on stderr, on a terminal only.
pub(crate) fn progress_bar(context: &Context, what: &str) -> ProgressBar {
    let target = if context.printer.quiet() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template("{msg} {bar:24} {pos}/{len} pages") {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn tell_apart(doc: &str) -> Result<Named, CliError> {
    let path = Path::new(doc);
    if path.is_dir() {
        let files = pdfs_in(path)?;
        if files.is_empty() {
            return Err(Error::NoSuchDocument(format!("there is no PDF in the folder {doc}")).into());
        }
        return Ok(Named::Files(files, false));
    }
    if path.exists() {
        return Ok(Named::Files(vec![path.to_owned()], true));
    }
    if doc.contains(['*', '?', '[']) {
        let matches: Vec<PathBuf> = glob::glob(doc)
            .map_err(|error| CliError::usage(format!("{doc} is not a valid pattern: {error}")))?
            .filter_map(Result::ok)
            .filter(|path| path.is_file())
            .collect();
        if !matches.is_empty() {
            return Ok(Named::Files(matches, false));
        }
    }
    Ok(Named::Stored(doc.to_owned()))
}

/// The PDFs below a folder, sorted by path. Links to folders are not followed.
pub(crate) fn pdfs_in(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder)
            .map_err(|source| Error::Io { what: format!("the folder {} cannot be read", folder.display()), source })?;
        for entry in entries {
            let entry = entry?;
            let kind = entry.file_type()?;
            let path = entry.path();
            if kind.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdf")) && path.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let sub = dir.path().join("sub");
        std::fs::create_dir(&sub).unwrap();
        for name in ["b.pdf", "a.PDF", "c.txt", "sub/d.pdf"] {
            std::fs::write(dir.path().join(name), b"x").unwrap();
        }
        let at = |name: &str| dir.path().join(name);
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        assert_eq!(tell_apart(&text(at("b.pdf"))).unwrap(), Named::Files(vec![at("b.pdf")], true));
        assert_eq!(
            tell_apart(&text(dir.path().to_owned())).unwrap(),
            Named::Files(vec![at("a.PDF"), at("b.pdf"), at("sub/d.pdf")], false)
        );
        assert_eq!(tell_apart(&text(at("*.pdf"))).unwrap(), Named::Files(vec![at("b.pdf")], false));
        assert_eq!(tell_apart("annual [2024].pdf").unwrap(), Named::Stored("annual [2024].pdf".into()));
    }
}
