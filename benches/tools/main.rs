//! How long a tool call takes in process, from the arguments to the envelope.
//!
//! The targets are percentiles (99 of 100 calls for the structure and the pages of a real document under 1 ms; browsing 10,000 documents
//! of 100 pages, newest first, under 5 ms), and criterion speaks of means, so percentiles of single calls are printed before it starts.
//! The real documents are the samples of this repository, and with `PAGEWISE_SHARED` those in its `data` folders. The large library takes
//! some minutes to make and is kept in the target folder.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a bench may stop")]
#![allow(clippy::print_stdout, reason = "a bench says what it found")]
#![allow(missing_docs, reason = "criterion's macros make functions without any")]

mod libraries;

use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pagewise::Client;
use pagewise::tools::Toolbox;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

/// Single calls that percentiles are taken from.
const CALLS: usize = 20_000;

/// One kind of call: a name and the calls that are made in turn.
type Kind = (&'static str, &'static str, Vec<Value>);

fn tools(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    let real = runtime.block_on(libraries::real());
    let documents =
        runtime.block_on(real.library().expect("a local library").list(&Default::default(), 0, 1_000)).expect("a list").documents;
    let names: Vec<(String, u32)> = documents.into_iter().map(|d| (d.name, d.page_count.unwrap_or(1))).collect();
    println!("{} real documents, {} pages", names.len(), names.iter().map(|(_, pages)| pages).sum::<u32>());
    let mut kinds: Vec<Kind> = vec![
        ("get_document", "get_document", names.iter().map(|(name, _)| json!({"doc_name": name})).collect()),
        ("structure", "get_document_structure", names.iter().map(|(name, _)| json!({"doc_name": name})).collect()),
    ];
    for (kind, size) in [("1 page", 1), ("5 pages", 5), ("20 pages", 20)] {
        kinds.push((kind, "get_page_content", ranges(&names, size)));
    }
    measure(criterion, &runtime, "real documents", &real, &kinds);

    let large = runtime.block_on(libraries::large());
    let kinds: Vec<Kind> = vec![
        ("10 documents", "browse_documents", (0..990).map(|at| json!({"offset": at * 10})).collect()),
        ("50 documents", "browse_documents", (0..199).map(|at| json!({"offset": at * 50, "limit": 50})).collect()),
        (
            "5 pages",
            "get_page_content",
            (0..999).map(|at| json!({"doc_name": libraries::named(at * 10), "pages": "40-44"})).collect(),
        ),
        ("no such document", "get_document", (0..100).map(|at| json!({"doc_name": format!("report-{at}.doc")})).collect()),
    ];
    measure(criterion, &runtime, "10,000 documents", &large, &kinds);
}

/// Ranges of so many pages all over the documents.
fn ranges(names: &[(String, u32)], size: u32) -> Vec<Value> {
    let starts = names.iter().flat_map(|(name, pages)| (1..=*pages).step_by(7).map(move |start| (name, start, *pages)));
    starts
        .map(|(name, start, pages)| json!({"doc_name": name, "pages": format!("{start}-{}", pages.min(start + size - 1))}))
        .collect()
}

fn measure(criterion: &mut Criterion, runtime: &Runtime, title: &str, client: &Client, kinds: &[Kind]) {
    let toolbox = runtime.block_on(client.toolbox(false)).expect("a toolbox");
    println!("\n{title}: {CALLS} calls each\n{:<20} {:>9} {:>9} {:>9} {:>9}", "", "p50", "p99", "p99.9", "chars");
    let mut group = criterion.benchmark_group(title);
    for (kind, tool, calls) in kinds {
        let (times, chars) = runtime.block_on(percentiles(&toolbox, tool, calls));
        let [half, most, nearly_all] = [50.0, 99.0, 99.9].map(|part| times[((CALLS - 1) as f64 * part / 100.0) as usize]);
        println!("{kind:<20} {half:>9.0?} {most:>9.0?} {nearly_all:>9.0?} {chars:>9}");
        let mut at = 0;
        group.bench_function(BenchmarkId::new(*tool, kind), |bencher| {
            bencher.iter(|| {
                at += 1;
                runtime.block_on(toolbox.call(tool, &calls[at % calls.len()], &CancellationToken::new()))
            });
        });
    }
}

/// The times of single calls, in ascending order, and the mean size of a reply.
async fn percentiles(toolbox: &Arc<dyn Toolbox>, tool: &str, calls: &[Value]) -> (Vec<Duration>, usize) {
    let cancel = CancellationToken::new();
    let mut times = Vec::with_capacity(CALLS);
    let mut chars = 0;
    for at in 0..CALLS {
        let started = Instant::now();
        let reply = toolbox.call(tool, &calls[at % calls.len()], &cancel).await;
        times.push(started.elapsed());
        chars += reply.envelope.len();
    }
    times.sort();
    (times, chars / CALLS)
}

criterion_group!(benches, tools);
criterion_main!(benches);
