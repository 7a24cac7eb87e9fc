//! `pagewise add`: files and folders into the library.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

use super::args::AddArgs;
use super::exit::{CliError, ExitStatus};
use super::improve::{ImprovementReport, Improver};
use super::printer::harmless_name;
use super::{Context, documents, reindex};
use crate::error::Error;
use crate::ingest::{Added, Submission};
use crate::library::{DocId, Metadata, Scope};

/// The object of `--json`, one a file.
#[derive(Debug, Serialize)]
struct AddReport<'a> {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<&'a [String]>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    improvement: Option<&'a ImprovementReport>,
}

pub(crate) async fn run(context: &mut Context, args: AddArgs) -> Result<ExitStatus, CliError> {
    let metadata = read_metadata(&args.metadata)?;
    let mut files: Vec<PathBuf> = Vec::new();
    let mut empty: Vec<&PathBuf> = Vec::new();
    for path in &args.paths {
        if path.is_dir() {
            let found = documents::pdfs_in(path)?;
            if found.is_empty() {
                empty.push(path);
            }
            files.extend(found);
        } else {
            files.push(path.clone());
        }
    }
    if files.len() > 1 && (args.name.is_some() || args.description.is_some()) {
        return Err(CliError::usage("--name and --description go with exactly one file"));
    }
    let mut improver = Improver::of(context, &args.improve)?;
    let client = context.client()?;
    let open = args.password.open_options();
    let (mut good, mut bad) = (0_u32, 0_u32);
    let mut present: Vec<DocId> = Vec::new();
    for folder in empty {
        bad += 1;
        let error = Error::NoSuchDocument(format!("there is no PDF in the folder {}", folder.display()));
        refuse(context, args.json, &folder.to_string_lossy(), &error)?;
    }
    for file in &files {
        let submission = Submission {
            name: args.name.clone(),
            description: args.description.clone(),
            metadata: metadata.clone(),
            open: open.clone(),
            ..Submission::of_file(file)
        };
        let shown = file.to_string_lossy();
        match documents::add_one(context, &client, &submission).await? {
            Ok(mut added) => {
                good += 1;
                present.extend(added.present.then(|| added.document.id.clone()));
                let improvement = match &mut improver {
                    Some(improver) => Some(improver.improve(context, &client, &mut added.document).await?),
                    None => None,
                };
                if args.json {
                    context.printer.json(&report(&shown, &added, improvement.as_ref()))?;
                } else {
                    context.printer.wrapped(&describe(&added, improvement.as_ref()), 4)?;
                }
                if improvement.as_ref().is_some_and(ImprovementReport::is_interrupted) {
                    if let Some(improver) = improver {
                        improver.finish(context);
                    }
                    return Err(CliError::Interrupted);
                }
                if added.present && args.name.as_ref().is_some_and(|name| *name != added.document.name) {
                    context.printer.note(&format!("the same content is stored as {}; --name is left out", added.document.name));
                }
            }
            Err(error) => {
                bad += 1;
                refuse(context, args.json, &shown, &error)?;
            }
        }
    }
    if !args.json {
        reindex::say_outdated(context, &client, &Scope::Documents(present)).await?;
    }
    let improved = improver.is_none_or(|improver| improver.finish(context));
    Ok(match (good, bad) {
        (1.., 0) if !improved => ExitStatus::Partial,
        (_, 0) => ExitStatus::Success,
        (0, _) => ExitStatus::Failure,
        _ => ExitStatus::Partial,
    })
}

/// Says why a file or folder was not added.
fn refuse(context: &Context, json: bool, shown: &str, error: &Error) -> std::io::Result<()> {
    if json {
        return context.printer.json(&failed(shown, error));
    }
    context.printer.error(&format!("{}: {error}", harmless_name(shown)), None);
    Ok(())
}

fn describe(added: &Added, improvement: Option<&ImprovementReport>) -> String {
    let document = &added.document;
    let pages = document.page_count.unwrap_or(0);
    let what = match (added.present, added.replaced) {
        (true, _) => "already there",
        (_, true) => "replaced the older version",
        _ => "added",
    };
    let by_model = improvement.map(|report| format!(", {}", report.in_words())).unwrap_or_default();
    let notes = document.notes_in_words().join("; ");
    let notes = if notes.is_empty() { notes } else { format!("  [{notes}]") };
    let plural = if pages == 1 { "" } else { "s" };
    format!(
        "{}  {pages} page{plural}  {what}{by_model}{}  {}",
        harmless_name(&document.name),
        harmless_name(&notes),
        harmless_name(&document.description)
    )
}

fn report<'a>(file: &str, added: &'a Added, improvement: Option<&'a ImprovementReport>) -> AddReport<'a> {
    AddReport {
        file: file.to_owned(),
        id: Some(&added.document.id.0),
        name: Some(&added.document.name),
        pages: added.document.page_count,
        notes: Some(&added.document.notes),
        status: match (added.present, added.replaced) {
            (true, _) => "present",
            (_, true) => "replaced",
            _ => "added",
        },
        error: None,
        improvement,
    }
}

fn failed<'a>(file: &str, error: &Error) -> AddReport<'a> {
    AddReport {
        file: file.to_owned(),
        id: None,
        name: None,
        pages: None,
        notes: None,
        status: "failed",
        error: Some(serde_json::json!({"kind": error.kind(), "message": error.to_string()})),
        improvement: None,
    }
}

/// `KEY=VALUE` pairs; a value that reads as a number, `true` or `false` is kept as such.
fn read_metadata(pairs: &[String]) -> Result<Metadata, CliError> {
    let mut metadata = Metadata::new();
    for pair in pairs {
        let Some((key, value)) = pair.split_once('=').filter(|(key, _)| !key.trim().is_empty()) else {
            return Err(CliError::usage(format!("--metadata takes KEY=VALUE, not {pair}")));
        };
        let value = match serde_json::from_str(value) {
            Ok(parsed @ (Value::Number(_) | Value::Bool(_))) => parsed,
            _ => Value::String(value.to_owned()),
        };
        metadata.insert(key.trim().to_owned(), value);
    }
    Ok(metadata)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_keeps_numbers_and_booleans() {
        let pairs = ["year=2025", "audited=true", "owner=Finance = Berlin", "code=007"].map(str::to_owned);
        let metadata = read_metadata(&pairs).unwrap();
        assert_eq!(
            Value::Object(metadata),
            serde_json::json!({"year": 2025, "audited": true, "owner": "Finance = Berlin", "code": "007"})
        );
        assert!(read_metadata(&["nothing".to_owned()]).is_err());
    }
}
