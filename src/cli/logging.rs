//! Where the program's log goes: stderr for `-v`, a file of JSON lines for `--log-file`, an OpenTelemetry collector with the feature `otlp`.
//!
//! What a log may hold is decided here: texts of documents, questions and answers go to the target `pagewise::content`, which is left out
//! unless `PAGEWISE_LOG` names it. Other crates log bodies of requests and replies, so they are left out with it.

#[cfg(feature = "otlp")]
mod otlp;

use std::fs::File;
use std::path::Path;
use std::sync::Mutex;

use tracing::Metadata;
use tracing_subscriber::filter::FilterFn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry};

use crate::error::{Error, Result};

/// The target of events that hold text of documents or people.
const CONTENT: &str = "pagewise::content";
/// What is logged when nothing is said, to a file.
const IN_FILE: &str = "pagewise=debug";

type BoxedLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// The log of this process. Dropping it sends what is still to be sent.
#[derive(Default)]
pub(crate) struct Logging {
    #[cfg(feature = "otlp")]
    _exporter: Option<otlp::Exporter>,
}

impl Logging {
    /// Starts it. `verbose` counts `-v`; `PAGEWISE_LOG` (as `RUST_LOG` elsewhere) says what goes to the file, or to stderr where there is
    /// no file and no `-v`.
    ///
    /// # Errors
    /// [`Error::Settings`] for a filter that cannot be read and a collector that cannot be used, [`Error::Io`] for a file that cannot be
    /// written.
    pub(crate) fn start(verbose: u8, file: Option<&Path>) -> Result<Self> {
        let wanted = std::env::var("PAGEWISE_LOG").ok().filter(|filter| !filter.trim().is_empty());
        let with_content = wanted.as_deref().is_some_and(|filter| filter.contains(CONTENT));
        let wanted = wanted.map(|text| filter(&text)).transpose()?;
        let of_flag = match verbose {
            0 => None,
            1 => Some("pagewise=info"),
            2 => Some("pagewise=debug"),
            _ => Some("pagewise=trace"),
        };
        let mut layers: Vec<BoxedLayer> = Vec::new();
        let on_stderr = match (of_flag, file) {
            (Some(flag), _) => Some(filter(flag)?),
            (None, None) => wanted.clone(),
            (None, Some(_)) => None,
        };
        if let Some(on_stderr) = on_stderr {
            let layer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false);
            layers.push(layer.with_filter(on_stderr).with_filter(harmless(with_content)).boxed());
        }
        if let Some(path) = file {
            let what = format!("the log file {} cannot be written", path.display());
            let file = open(path).map_err(|source| Error::Io { what, source })?;
            let in_file = match &wanted {
                Some(wanted) => wanted.clone(),
                None => filter(IN_FILE)?,
            };
            let layer = tracing_subscriber::fmt::layer().json().flatten_event(true).with_writer(Mutex::new(file));
            layers.push(layer.with_filter(in_file).with_filter(harmless(with_content)).boxed());
        }
        #[cfg(feature = "otlp")]
        let exporter = otlp::Exporter::from_environment()?;
        #[cfg(feature = "otlp")]
        if let Some(exporter) = &exporter {
            layers.push(exporter.layer().with_filter(filter(IN_FILE)?).with_filter(harmless(with_content)).boxed());
        }
        if !layers.is_empty() {
            // A second subscriber (a test that runs commands in one process) is not a fault.
            let _ = tracing_subscriber::registry().with(layers).try_init();
        }
        Ok(Self {
            #[cfg(feature = "otlp")]
            _exporter: exporter,
        })
    }
}

fn filter(text: &str) -> Result<EnvFilter> {
    EnvFilter::try_new(text).map_err(|error| Error::Settings(format!("PAGEWISE_LOG cannot be read: {error}")))
}

/// Lets pass what holds no text of documents, unless that was asked for.
fn harmless(with_content: bool) -> FilterFn<impl Fn(&Metadata<'_>) -> bool + Clone> {
    FilterFn::new(move |metadata| {
        let target = metadata.target();
        with_content || (target.starts_with("pagewise") && target != CONTENT)
    })
}

/// Appends to a file that only its owner may read.
fn open(path: &Path) -> std::io::Result<File> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
