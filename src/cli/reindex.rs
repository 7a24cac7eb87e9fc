//! `pagewise reindex`: stored documents made anew by the present version.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures::StreamExt;
use serde::Serialize;
use serde_json::Value;

use super::args::ReindexArgs;
use super::exit::{CliError, ExitStatus};
use super::printer::harmless_name;
use super::{Context, documents};
use crate::client::Client;
use crate::library::{DocumentRecord, Scope, Status};
use crate::reindex::{ReindexError, ReindexOptions, Reindexed, Written, reindex};

/// Documents fetched at a time.
const PAGE: u32 = 200;
/// Most documents worked on at the same time; each holds a file in memory.
const MOST_JOBS: usize = 4;

/// The object of `--json`, one a document.
#[derive(Debug, Serialize)]
struct Report<'a> {
    id: &'a str,
    name: &'a str,
    pages: Option<u32>,
    status: &'static str,
    rebuilt: Vec<&'static str>,
    toc_source: Option<&'a str>,
    /// Where a model had written summaries: how many sections keep theirs.
    #[serde(skip_serializing_if = "Option::is_none")]
    model_summaries: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

pub(crate) async fn run(context: &mut Context, args: ReindexArgs) -> Result<ExitStatus, CliError> {
    if args.force && !args.all && args.names.is_empty() {
        return Err(CliError::usage("--force makes anew what is up to date: name documents, or say --all"));
    }
    let client = context.client()?;
    let documents = chosen(&client, &args).await?;
    if documents.is_empty() {
        let why =
            if args.all { "there is no document that could be rebuilt" } else { "no document was indexed by an older version" };
        context.printer.note(&format!("nothing to do: {why}"));
        return Ok(ExitStatus::Success);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = cores.min(MOST_JOBS).min(documents.len());
    let options = ReindexOptions { open: args.password.open_options(), threads: (cores / jobs).max(1), force: args.force };
    let pages = documents.iter().map(|document| u64::from(document.page_count.unwrap_or(0))).sum();
    let what = match documents.as_slice() {
        [one] => harmless_name(&one.name),
        all => format!("{} documents", all.len()),
    };
    let bar = documents::progress_bar(context, &format!("reindexing {what}"));
    bar.set_length(pages);
    let library = client.library()?;
    let mut work = futures::stream::iter(documents)
        .map(|document| {
            let (library, options, bar) = (library.clone(), &options, bar.clone());
            async move {
                let counted = Arc::new(AtomicU32::new(0));
                let count = {
                    let (counted, bar) = (counted.clone(), bar.clone());
                    move |done: u32, _| bar.inc(u64::from(done.saturating_sub(counted.fetch_max(done, Ordering::Relaxed))))
                };
                let result = reindex(&library, &document, options, count).await;
                let rest = document.page_count.unwrap_or(0).saturating_sub(counted.load(Ordering::Relaxed));
                bar.inc(u64::from(rest));
                (document, result)
            }
        })
        .buffer_unordered(jobs);
    let (mut good, mut bad) = (0_u32, 0_u32);
    let interrupted = loop {
        let done = tokio::select! {
            done = work.next() => done,
            _ = tokio::signal::ctrl_c() => break true,
        };
        let Some((document, result)) = done else { break false };
        if result.is_ok() {
            good += 1;
        } else {
            bad += 1;
        }
        bar.suspend(|| say(context, args.json, &document, &result))?;
    };
    bar.finish_and_clear();
    if interrupted {
        context.printer.note("stopped; what was made anew is kept, all else is as it was");
        return Err(CliError::Interrupted);
    }
    Ok(match (good, bad) {
        (_, 0) => ExitStatus::Success,
        (0, _) => ExitStatus::Failure,
        _ => ExitStatus::Partial,
    })
}

/// The documents named; without names those that are outdated, or with `--all` all that can be read.
async fn chosen(client: &Client, args: &ReindexArgs) -> Result<Vec<DocumentRecord>, CliError> {
    let mut chosen: Vec<DocumentRecord> = Vec::new();
    if !args.names.is_empty() {
        for document in client.resolve(&args.names).await? {
            if !chosen.iter().any(|known| known.id == document.id) {
                chosen.push(document);
            }
        }
        return Ok(chosen);
    }
    let mut offset = 0;
    loop {
        let page = client.library()?.list(&Scope::All, offset, PAGE).await?;
        offset += page.documents.len() as u64;
        let last = page.documents.is_empty() || offset >= page.total;
        let wanted = |document: &DocumentRecord| document.status == Status::Completed && (args.all || document.outdated.any());
        chosen.extend(page.documents.into_iter().filter(wanted));
        if last {
            return Ok(chosen);
        }
    }
}

/// What became of one document.
fn say(context: &Context, json: bool, document: &DocumentRecord, result: &Result<Reindexed, ReindexError>) -> std::io::Result<()> {
    if json {
        return context.printer.json(&report(document, result));
    }
    let name = harmless_name(&document.name);
    match result {
        Ok(Reindexed { rebuilt, .. }) if !rebuilt.any() => context.printer.wrapped(&format!("{name}  up to date"), 4),
        Ok(Reindexed { document, rebuilt, written }) if rebuilt.needs_file() => {
            let pages = document.page_count.unwrap_or(0);
            let plural = if pages == 1 { "" } else { "s" };
            context.printer.wrapped(&format!("{name}  {pages} page{plural}  rebuilt"), 4)?;
            if let Some(Written { kept, sections }) = written {
                context.printer.note(&format!(
                    "{name} keeps the summaries that a model wrote for {kept} of {sections} sections; adding its file with --with-model writes all anew"
                ));
            }
            Ok(())
        }
        Ok(_) => context.printer.wrapped(&format!("{name}  search words rebuilt"), 4),
        Err(error) => {
            context.printer.error(&format!("{name}: {error}"), None);
            Ok(())
        }
    }
}

fn report<'a>(document: &'a DocumentRecord, result: &'a Result<Reindexed, ReindexError>) -> Report<'a> {
    let (document, rebuilt, written, error) = match result {
        Ok(reindexed) => (&reindexed.document, reindexed.rebuilt, reindexed.written, None),
        Err(error) => {
            let error = serde_json::json!({"kind": error.kind(), "message": error.to_string()});
            (document, Default::default(), None, Some(error))
        }
    };
    let status = match (&error, rebuilt.any()) {
        (Some(_), _) => "failed",
        (None, true) => "rebuilt",
        (None, false) => "up_to_date",
    };
    Report {
        id: &document.id.0,
        name: &document.name,
        pages: document.page_count,
        status,
        rebuilt: rebuilt.names(),
        toc_source: document.toc_source.as_deref(),
        model_summaries: written.map(|written| serde_json::json!({"kept": written.kept, "sections": written.sections})),
        error,
    }
}

/// Says once that documents of a scope are outdated, and what to do.
pub(crate) async fn say_outdated(context: &Context, client: &Client, scope: &Scope) -> Result<(), CliError> {
    if context.printer.quiet() {
        return Ok(());
    }
    match client.library()?.outdated(scope).await? {
        0 => {}
        1 => context.printer.note("1 document was indexed by an older version; `pagewise reindex` rebuilds it"),
        n => context.printer.note(&format!("{n} documents were indexed by an older version; `pagewise reindex` rebuilds them")),
    }
    Ok(())
}
