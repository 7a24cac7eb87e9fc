//! Batch runs over a file of questions.

mod dataset;
mod report;
mod run;

pub use dataset::{Question, read_questions};
pub use report::Summary;
pub use run::{EvalOptions, ModelFactory, Sample, claim, read_samples, run};
