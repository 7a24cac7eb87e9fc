//! The prompt: rustyline on a thread of its own, since it blocks.

use std::path::PathBuf;

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor};
use tokio::sync::{mpsc, oneshot};

/// Lines of history that are kept.
const HISTORY: usize = 1000;

/// What came from the prompt.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Line(String),
    /// Ctrl-C at the prompt.
    Interrupted,
    /// Ctrl-D, or the end of a pipe.
    End,
}

type Request = (String, oneshot::Sender<Input>);

/// Reads lines, one at a time, only when asked to.
pub(crate) struct Prompt {
    requests: mpsc::UnboundedSender<Request>,
}

impl Prompt {
    /// Starts the reading thread. Without a history file nothing is remembered across runs.
    pub(crate) fn start(history: Option<PathBuf>) -> std::io::Result<Self> {
        let (requests, inbox) = mpsc::unbounded_channel();
        std::thread::Builder::new().name("prompt".to_owned()).spawn(move || serve(inbox, history))?;
        Ok(Self { requests })
    }

    /// The next line.
    pub(crate) async fn read(&self, prompt: &str) -> Input {
        let (reply, answer) = oneshot::channel();
        if self.requests.send((prompt.to_owned(), reply)).is_err() {
            return Input::End;
        }
        answer.await.unwrap_or(Input::End)
    }
}

fn serve(mut inbox: mpsc::UnboundedReceiver<Request>, history: Option<PathBuf>) {
    let config =
        Config::builder().max_history_size(HISTORY).map(|builder| builder.auto_add_history(true).build()).unwrap_or_default();
    let mut editor: Editor<(), FileHistory> = match Editor::with_config(config) {
        Ok(editor) => editor,
        Err(error) => {
            tracing::error!(%error, "the prompt could not start");
            return;
        }
    };
    if let Some(path) = &history {
        // No history yet, or an unreadable one, is no reason not to talk.
        let _ = editor.load_history(path);
    }
    while let Some((prompt, reply)) = inbox.blocking_recv() {
        let input = match editor.readline(&prompt) {
            Ok(line) => Input::Line(line),
            Err(ReadlineError::Interrupted) => Input::Interrupted,
            Err(_) => Input::End,
        };
        if let (Some(path), Input::Line(_)) = (&history, &input) {
            save(&mut editor, path);
        }
        // The session may have ended in the meantime.
        let _ = reply.send(input);
    }
}

fn save(editor: &mut Editor<(), FileHistory>, path: &std::path::Path) {
    if let Some(folder) = path.parent() {
        let _ = std::fs::create_dir_all(folder);
    }
    if let Err(error) = editor.save_history(path) {
        tracing::debug!(%error, "the history could not be saved");
    }
}
