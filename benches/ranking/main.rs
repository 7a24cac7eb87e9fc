//! How long ranking takes over a library of generated documents.
//!
//! `PAGEWISE_BENCH_DOCUMENTS=10000 PAGEWISE_BENCH_PAGES=100 cargo bench --bench ranking` measures the size that the targets are set for
//! (20 ms for documents, 50 ms for pages); making that library takes some minutes and 10 GB in the target folder. Before criterion starts,
//! each class of queries is asked once in full, and the times of single queries are printed: every query of a class is another one.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a bench may stop")]
#![allow(clippy::print_stdout, reason = "a bench says what it found")]
#![allow(missing_docs, reason = "criterion's macros make functions without any")]

mod library;
mod queries;
mod words;

use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pagewise::library::{Library, Scope, SqliteLibrary};
use pagewise::search::Ranker;
use tokio::runtime::Runtime;

use library::Size;
use queries::{Class, classes};

fn ranking(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    let size = Size::of_environment();
    let library = runtime.block_on(library::open(size));
    let classes = classes(size.documents);
    println!(
        "{} documents of {} pages; p50, p99 and longest time of a query in ms, then the same of the processor's time",
        size.documents, size.pages
    );
    for class in &classes {
        print_times("documents", class, |query| runtime.block_on(documents(&library, query)));
    }
    for class in &classes {
        print_times("pages", class, |query| runtime.block_on(pages(&library, query)));
    }
    let mut group = criterion.benchmark_group("ranking");
    group.sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    for class in &classes {
        let mut queries = class.queries.iter().cycle();
        let mut next = || queries.next().expect("a query");
        group.bench_function(BenchmarkId::new("documents", class.name), |bench| {
            bench.iter(|| runtime.block_on(documents(&library, next())));
        });
        group.bench_function(BenchmarkId::new("pages", class.name), |bench| {
            bench.iter(|| runtime.block_on(pages(&library, next())));
        });
    }
    group.bench_function("newest documents", |bench| {
        bench.iter(|| runtime.block_on(library.list(&Scope::All, 0, 50)).expect("listed"));
    });
    group.finish();
}

async fn documents(library: &SqliteLibrary, query: &str) -> usize {
    library.rank_documents(&Scope::All, query, 0, 10).await.expect("ranked").0.len()
}

async fn pages(library: &SqliteLibrary, query: &str) -> usize {
    library.rank_pages(&Scope::All, query, 10).await.expect("ranked").len()
}

fn print_times(what: &str, class: &Class, ask: impl Fn(&str) -> usize) {
    let mut found = 0;
    let mut times: Vec<(Duration, &str)> = Vec::new();
    let mut worked: Vec<(Duration, &str)> = Vec::new();
    for query in &class.queries {
        let (started, before) = (Instant::now(), processor_time());
        found += usize::from(ask(query) > 0);
        times.push((started.elapsed(), query));
        worked.push((processor_time().saturating_sub(before), query));
    }
    times.sort();
    worked.sort();
    let ms = |times: &[(Duration, &str)]| {
        [50, 99, 100].map(|share| format!("{:6.1}", times[(times.len() - 1) * share / 100].0.as_secs_f64() * 1_000.0)).concat()
    };
    let longest = worked.last().map_or("", |(_, query)| query);
    println!("{what:9} {:12} {} {}  {found} of {} found; longest: {longest}", class.name, ms(&times), ms(&worked), times.len());
}

/// What this process has had of the processor so far, on Linux: on a busy machine it tells more than the clock. Zero elsewhere.
fn processor_time() -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let of_thread = |path: &Path| {
        let text = std::fs::read_to_string(path.join("schedstat")).unwrap_or_default();
        text.split_whitespace().next().and_then(|first| first.parse().ok()).unwrap_or(0)
    };
    Duration::from_nanos(threads.map(|thread| of_thread(&thread.path())).sum())
}

criterion_group!(benches, ranking);
criterion_main!(benches);
