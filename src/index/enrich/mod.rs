//! Improving a finished tree with a model: long sections are split by headings that it proposes ([`split`]), summaries are written from the
//! bottom up ([`summarise`]), and the document is described.
//!
//! Which model, and where finished parts are kept, is the caller's: see [`Advisor`] and [`Keeper`]. A part that is finished is kept at once
//! and never asked for again, so that a run that was broken off goes on where it stopped.

mod advisor;
mod asking;
mod estimate;
mod groups;
mod json;
mod lines;
mod material;
mod places;
mod replies;
mod split;
mod summarise;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::time::Duration;

pub use advisor::{Advice, AdviceError, AdviceFault, AdviceRequest, Advisor, Keeper, Spent};

use self::asking::Asking;
use self::lines::Lines;
use self::material::About;
use super::{IndexedPage, Node};
use crate::prompts::{Prompt, Prompts};

/// Version of the prompts and of what is made of the replies. It rises with every change of either; parts finished under another version
/// are not used.
pub const PROMPT_VERSION: u32 = 1;

/// The prompts that parts are made with.
pub const PROMPTS: [Prompt; 3] = [Prompt::ProposeHeadings, Prompt::SummariseSection, Prompt::DescribeDocument];

/// A document whose tree is to be improved.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its name in the library.
    pub name: String,
    /// Its title, if one is known.
    pub title: Option<String>,
    /// All pages, in order, without gaps.
    pub pages: Vec<IndexedPage>,
    /// The tree as it is.
    pub tree: Vec<Node>,
    /// Whether a description is wanted.
    pub describe: bool,
    /// The tree has nothing but groups of pages, for no structure was found.
    pub page_groups: bool,
}

/// How to ask.
#[derive(Debug, Clone)]
pub struct EnrichOptions {
    /// Requests at once.
    pub jobs: usize,
    /// Most tokens of a request, instructions included.
    pub call_tokens: u64,
    /// How long to wait for a server.
    pub patience: Patience,
    /// What the model is told.
    pub prompts: Prompts,
}

impl Default for EnrichOptions {
    /// 4 requests at once of 16,000 tokens: 10 to 15 pages of text, which most models read well.
    fn default() -> Self {
        Self { jobs: 4, call_tokens: 16_000, patience: Patience::default(), prompts: Prompts::default() }
    }
}

/// How long to wait for a server that fails or limits the rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Tries of one request in all. Default 6, which wait half a minute in all where the server names no time.
    pub tries: u32,
    /// Wait after the first failure, doubled for each further one. Default 1 s.
    pub first_wait: Duration,
    /// Longest wait; a server that asks for more ends the run. Default 5 minutes.
    pub longest_wait: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { tries: 6, first_wait: Duration::from_secs(1), longest_wait: Duration::from_secs(300) }
    }
}

/// How far a run is, in parts: summaries, lists of headings, the description.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Parts asked for in this run and settled.
    pub asked: usize,
    /// Of these, parts for which the model gave nothing of use; their sections keep what they had.
    pub missed: usize,
    /// Parts that an earlier run had finished.
    pub reused: usize,
    /// Parts known so far; it rises when long sections have been split.
    pub total: usize,
    /// What this run has cost so far.
    pub spent: Spent,
    /// How long nothing is asked from now on, because the server failed or limits the rate.
    pub waiting: Option<Duration>,
}

/// The outcome of a run.
#[derive(Debug, Clone)]
pub struct Enriched {
    /// The improved tree.
    pub tree: Vec<Node>,
    /// The description, where one was wanted and written.
    pub description: Option<String>,
    /// Groups of pages gave way to sections.
    pub regrouped: bool,
    /// What it took.
    pub progress: Progress,
    /// Why the last of the missed parts was missed.
    pub why_missed: Option<String>,
}

/// A run that ended early. What was finished is kept.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct Halt {
    /// Why, for people.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// How far it came.
    pub progress: Progress,
}

/// Improves a tree. `finished` holds the parts that were kept by earlier runs with the same content, tree version, prompts and advisor.
/// Dropping the future ends the run; what is finished by then is kept.
///
/// # Errors
/// [`Halt`] when the advisor can do nothing more (dead key, no credit, rate limit beyond all patience) or the keeper fails.
pub async fn enrich(
    source: &Source,
    advisor: &dyn Advisor,
    keeper: &dyn Keeper,
    finished: HashMap<String, String>,
    options: &EnrichOptions,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Enriched, Halt> {
    let lines = Lines::of(&source.pages);
    let about = About { name: &source.name, title: source.title.as_deref() };
    let asking = Asking::new(advisor, keeper, finished, options, progress);
    let written = write(source, &about, &lines, &asking).await;
    let (progress, why_missed) = asking.tally();
    // What was under way when the run was given up has been finished since.
    let enriched = written.map_err(|halt| Halt { progress, ..halt })?;
    Ok(Enriched { progress, why_missed: why_missed.filter(|_| progress.missed > 0), ..enriched })
}

async fn write(source: &Source, about: &About<'_>, lines: &Lines<'_>, asking: &Asking<'_>) -> Result<Enriched, Halt> {
    let sections = if source.page_groups { groups::sections(about, lines, asking).await? } else { None };
    let regrouped = sections.is_some();
    let places = sections.unwrap_or_else(|| places::list(&source.tree, lines));
    let places = split::split(places, about, lines, asking).await?;
    let places = summarise::summarise(places, about, lines, asking).await?;
    let description = if source.describe { summarise::describe(&places, about, lines, asking).await? } else { None };
    Ok(Enriched { tree: places::tree(places), description, regrouped, progress: Progress::default(), why_missed: None })
}
