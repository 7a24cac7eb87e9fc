//! Asking the questions, several at a time, and keeping each answer as soon as it is there.

use std::collections::HashSet;
use std::fs::{File, OpenOptions as FileOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::StreamExt;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::dataset::Question;
use crate::agent::{Agent, Answer, Citation, Conversation, Limits, Outcome, PageRead, ToolCallRecord, Unsupported};
use crate::client::Client;
use crate::error::{Error, Result};
use crate::ingest::{self, Submission};
use crate::library::{DocumentRecord, Scope};
use crate::model::{ChatModel, ModelErrorKind, Usage};
use crate::pdf::OpenOptions;
use crate::prompts::Prompts;

/// Makes the model that answers about the documents of a scope.
pub type ModelFactory = dyn Fn(&Scope) -> Result<Arc<dyn ChatModel>> + Send + Sync;

/// How a batch is run.
#[derive(Debug, Clone)]
pub struct EvalOptions {
    /// Folder with the PDFs.
    pub docs: PathBuf,
    /// Folder of the run; `samples.jsonl` in it is appended to.
    pub out: PathBuf,
    /// Questions asked at the same time.
    pub jobs: usize,
    /// Bounds of each question.
    pub limits: Limits,
    /// What the model is told beside the instructions.
    pub prompts: Prompts,
    /// Password and bounds of the PDFs.
    pub open: OpenOptions,
}

/// One line of `samples.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Identity of the question.
    pub id: String,
    /// Document.
    pub doc: String,
    /// What was asked.
    pub question: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The answer with `[n]` marks.
    pub answer: String,
    /// Its citations.
    pub citations: Vec<Citation>,
    /// Figures without citation that stand on no page that was read.
    #[serde(default)]
    pub unsupported: Vec<Unsupported>,
    /// Pages read.
    pub pages_read: Vec<PageRead>,
    /// Calls made.
    pub tool_calls: Vec<ToolCallRecord>,
    /// What it cost.
    pub usage: Usage,
    /// Wall time.
    pub elapsed_ms: u64,
    /// Why, when it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What kind of failure it was, where the model or its server failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_kind: Option<ModelErrorKind>,
}

impl Sample {
    fn of(question: &Question, answer: Answer) -> Self {
        Self {
            id: question.id.clone(),
            doc: question.doc.clone(),
            question: question.question.clone(),
            outcome: answer.outcome,
            answer: answer.answer,
            citations: answer.citations,
            unsupported: answer.unsupported,
            pages_read: answer.pages_read,
            tool_calls: answer.tool_calls,
            usage: answer.usage,
            elapsed_ms: answer.elapsed_ms,
            error: answer.error,
            error_kind: answer.error_kind,
        }
    }

    fn failed(question: &Question, error: &Error) -> Self {
        Self {
            id: question.id.clone(),
            doc: question.doc.clone(),
            question: question.question.clone(),
            outcome: Outcome::Error,
            answer: String::new(),
            citations: Vec::new(),
            unsupported: Vec::new(),
            pages_read: Vec::new(),
            tool_calls: Vec::new(),
            usage: Usage::default(),
            elapsed_ms: 0,
            error: Some(error.to_string()),
            error_kind: None,
        }
    }
}

/// The finished samples of a run: those that ended with an answer or an honest "not there". What failed, hit a limit or was interrupted
/// is asked again.
///
/// # Errors
/// [`Error::Io`] when the file is there and cannot be read.
pub fn read_samples(out: &Path) -> Result<Vec<Sample>> {
    let path = out.join("samples.jsonl");
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(Error::Io { what: format!("{} cannot be read", path.display()), source }),
    };
    Ok(text
        .lines()
        .filter_map(|line| serde_json::from_str::<Sample>(line).ok())
        .filter(|sample| matches!(sample.outcome, Outcome::Answered | Outcome::NotFound))
        .collect())
}

/// Makes sure that the run in this folder, if there is one, was answered by the same model, and notes it for later. Answers of two models
/// in one file would be worth nothing.
///
/// # Errors
/// [`Error::Settings`] when another model answered before, [`Error::Io`] when the folder cannot be written.
pub fn claim(out: &Path, model: &str) -> Result<()> {
    let io = |source| Error::Io { what: format!("the folder {} cannot be used", out.display()), source };
    std::fs::create_dir_all(out).map_err(io)?;
    let path = out.join("run.json");
    match std::fs::read_to_string(&path) {
        Ok(text) => {
            let before = serde_json::from_str::<RunNote>(&text).map(|note| note.model).unwrap_or_default();
            if before == model {
                return Ok(());
            }
            Err(Error::Settings(format!(
                "the run in {} was answered by {before}, not by {model}; choose another --out folder",
                out.display()
            )))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let note = RunNote { model: model.to_owned() };
            let text = serde_json::to_string(&note).map_err(|error| io(std::io::Error::other(error)))?;
            std::fs::write(&path, text + "\n").map_err(io)
        }
        Err(source) => Err(io(source)),
    }
}

/// What is kept of a run beside its samples.
#[derive(Debug, Serialize, Deserialize)]
struct RunNote {
    model: String,
}

/// Asks every question that has no finished sample yet. `on_sample` hears each as it is stored. Returns all samples of these questions,
/// in the order of the questions. A failure that every further question would meet (a key that is not accepted, an unknown model) ends the
/// run, and so does a server that cannot be reached from the first question on.
///
/// # Errors
/// [`Error::Io`] when the folder of the run cannot be written. A question that fails is a sample with an error.
pub async fn run(
    client: &Client,
    model: &ModelFactory,
    questions: &[Question],
    options: &EvalOptions,
    cancel: &CancellationToken,
    mut on_sample: impl FnMut(&Sample),
) -> Result<Vec<Sample>> {
    std::fs::create_dir_all(&options.out)
        .map_err(|source| Error::Io { what: format!("the folder {} cannot be made", options.out.display()), source })?;
    let mut samples = read_samples(&options.out)?;
    let wanted: HashSet<&str> = questions.iter().map(|question| question.id.as_str()).collect();
    samples.retain(|sample| wanted.contains(sample.id.as_str()));
    let mut file = rewrite(&options.out.join("samples.jsonl"), &samples)?;
    let done: HashSet<String> = samples.iter().map(|sample| sample.id.clone()).collect();

    let todo = questions.iter().filter(|question| !done.contains(&question.id));
    let mut running = futures::stream::iter(todo.map(|question| ask(client, model, question, options, cancel)))
        .buffer_unordered(options.jobs.max(1));
    while let Some(sample) = running.next().await {
        if cancel.is_cancelled() {
            break;
        }
        append(&mut file, &sample)?;
        on_sample(&sample);
        let hopeless = sample.error_kind.is_some_and(|kind| {
            kind.is_lasting() || kind == ModelErrorKind::Unreachable && samples.iter().all(|other| other.error_kind.is_some())
        });
        samples.push(sample);
        if hopeless {
            break;
        }
    }
    drop(running);
    let order: std::collections::HashMap<&str, usize> =
        questions.iter().enumerate().map(|(at, question)| (question.id.as_str(), at)).collect();
    samples.sort_by_key(|sample| order.get(sample.id.as_str()).copied());
    Ok(samples)
}

async fn ask(
    client: &Client,
    model: &ModelFactory,
    question: &Question,
    options: &EvalOptions,
    cancel: &CancellationToken,
) -> Sample {
    match try_ask(client, model, question, options, cancel).await {
        Ok(answer) => Sample::of(question, answer),
        Err(error) => Sample::failed(question, &error),
    }
}

async fn try_ask(
    client: &Client,
    model: &ModelFactory,
    question: &Question,
    options: &EvalOptions,
    cancel: &CancellationToken,
) -> Result<Answer> {
    let document = document_of(client, question, options).await?;
    let scope = Scope::Documents(vec![document.id.clone()]);
    let agent = Agent::new(client.within(&scope).toolbox(false).await?, model(&scope)?)
        .with_limits(options.limits)
        .with_prompts(options.prompts.clone());
    let mut conversation = Conversation::about([(document.id.0, document.name, document.page_count)]);
    Ok(agent.run(&mut conversation, &question.question, &mut |_| {}, cancel).await)
}

/// The stored document of a question; it is added when it is not there yet.
async fn document_of(client: &Client, question: &Question, options: &EvalOptions) -> Result<DocumentRecord> {
    let submission = Submission { open: options.open.clone(), ..Submission::of_file(&options.docs.join(&question.doc)) };
    Ok(ingest::submit(client.library()?, &submission).await?.finish(|_, _| {}).await?.document)
}

/// Writes the finished samples anew, so that a line that was cut off by a crash, or a failed one, does not stay behind.
fn rewrite(path: &Path, samples: &[Sample]) -> Result<File> {
    let io = |source| Error::Io { what: format!("{} cannot be written", path.display()), source };
    let fresh = path.with_extension("jsonl.new");
    let mut file = FileOptions::new().create(true).write(true).truncate(true).open(&fresh).map_err(io)?;
    for sample in samples {
        append(&mut file, sample)?;
    }
    file.sync_all().map_err(io)?;
    std::fs::rename(&fresh, path).map_err(io)?;
    let mut file = FileOptions::new().append(true).open(path).map_err(io)?;
    file.seek(SeekFrom::End(0)).map_err(io)?;
    Ok(file)
}

fn append(file: &mut File, sample: &Sample) -> Result<()> {
    let io = |source| Error::Io { what: "the samples cannot be written".to_owned(), source };
    let mut line = serde_json::to_vec(sample).map_err(|error| io(std::io::Error::other(error)))?;
    line.push(b'\n');
    file.write_all(&line).and_then(|()| file.flush()).map_err(io)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(id: &str, outcome: Outcome) -> Sample {
        let question = Question {
            id: id.into(),
            doc: "d.pdf".into(),
            question: "q".into(),
            evidence_pages: vec![],
            also_acceptable_pages: vec![],
        };
        Sample { outcome, ..Sample::failed(&question, &Error::Settings("x".into())) }
    }

    #[test]
    fn a_run_belongs_to_one_model() {
        let dir = tempfile::tempdir().unwrap();
        claim(dir.path(), "builtin").unwrap();
        claim(dir.path(), "builtin").unwrap();
        assert!(claim(dir.path(), "m at host").unwrap_err().to_string().contains("builtin"));
    }

    #[test]
    fn only_whole_finished_samples_survive() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("samples.jsonl");
        let mut file = rewrite(&path, &[]).unwrap();
        append(&mut file, &sample("a", Outcome::Answered)).unwrap();
        append(&mut file, &sample("b", Outcome::Error)).unwrap();
        append(&mut file, &sample("c", Outcome::NotFound)).unwrap();
        file.write_all(b"{\"id\":\"d\",\"outc").unwrap();
        let samples = read_samples(dir.path()).unwrap();
        assert_eq!(samples.iter().map(|s| s.id.as_str()).collect::<Vec<_>>(), ["a", "c"]);
        rewrite(&path, &samples).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 2);
    }
}
