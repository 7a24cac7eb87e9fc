//! What the loop itself costs: CPU time of a turn apart from network and tools, and memory under many conversations.
//!
//! The target is 1 ms of CPU a turn. A run has 20 turns; each calls a tool that replies with 20 to 100 kB. The check of an answer's citations
//! comes once a run and is measured apart. CPU time is that of the whole process (`/proc/self/stat` counts in hundredths of a second, so runs are measured together),
//! the tokeniser's threads included; its tables are loaded before, and said on their own. What the scripted model and the toolbox take
//! themselves (copies of their texts) is measured without the loop and taken off.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a bench may stop")]
#![allow(clippy::print_stdout, reason = "a bench says what it found")]
#![allow(missing_docs, reason = "criterion's macros make functions without any")]

mod scripted;
mod server;

use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pagewise::agent::{Agent, Conversation, Limits, Outcome};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use scripted::{Pages, Reader, TURNS};

/// Runs that are measured together.
const RUNS: u32 = 50;

fn limits(context_tokens: u64) -> Limits {
    Limits { turns: TURNS + 1, context_tokens, ..Limits::default() }
}

async fn run(agent: &Agent) {
    let mut conversation = Conversation::default();
    let cancel = CancellationToken::new();
    let mut heard = 0;
    let answer = agent.run(&mut conversation, "What was revenue?", &mut |_| heard += 1, &cancel).await;
    assert_eq!(answer.outcome, Outcome::Answered, "{answer:?}");
    assert!(heard > TURNS);
}

fn turns(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    let resident = resident_kb();
    let started = Instant::now();
    let with =
        |context, kb: usize, reader| Agent::new(Arc::new(Pages::of(kb * 1024)), Arc::new(reader)).with_limits(limits(context));
    let agent = |context, kb: usize| with(context, kb, Reader::default());
    runtime.block_on(run(&agent(2_000, 20)));
    println!("the first run that needs the tokeniser: {:.0?}, {} MB more", started.elapsed(), (resident_kb() - resident) / 1024);
    println!("\n{RUNS} runs of {TURNS} turns with a call each, CPU a turn");
    println!("{:<34} {:>9} {:>9} {:>9}", "", "loop", "mock", "run");
    let mut group = criterion.benchmark_group("run of 20 turns");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    for (kb, window, what) in [
        (20, 1_000_000, "all fits, window far"),
        (20, 128_000, "128k window near"),
        (60, 128_000, "128k window, stubs"),
        (100, 128_000, "128k window, stubs"),
        (100, 16_000, "16k window, every result cut"),
    ] {
        let name = format!("{kb} kB, {what}");
        let agent = agent(window, kb);
        let whole = cpu_of(|| (0..RUNS).for_each(|_| runtime.block_on(run(&agent))));
        let mock = cpu_of(|| (0..RUNS).for_each(|_| runtime.block_on(scripted::alone(kb * 1024))));
        let turn = |time: Duration| time / (RUNS * (TURNS + 1));
        println!("{name:<34} {:>9.0?} {:>9.0?} {:>9.1?}", turn(whole.saturating_sub(mock)), turn(mock), whole / RUNS);
        group.bench_function(BenchmarkId::from_parameter(&name), |bencher| bencher.iter(|| runtime.block_on(run(&agent))));
    }
    group.finish();
    for kb in [20, 100] {
        let of = |agent: &Agent| cpu_of(|| (0..RUNS).for_each(|_| runtime.block_on(run(agent))));
        let bare = of(&agent(1_000_000, kb));
        for (what, answer) in [("that holds", scripted::TRUE), ("with a figure of no page", scripted::FALSE)] {
            let checked = of(&with(1_000_000, kb, Reader::saying(answer)));
            let check = checked.saturating_sub(bare) / RUNS;
            println!("check of an answer {what}, after {TURNS} pages of {kb} kB: {check:.1?} a run");
        }
    }
    server::conversations(&runtime);
}

fn cpu_of(work: impl FnOnce()) -> Duration {
    let before = cpu();
    work();
    cpu() - before
}

/// CPU time of this process, user and system.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let fields: Vec<u64> = stat.rsplit(')').next().unwrap().split_whitespace().map(|f| f.parse().unwrap_or(0)).collect();
    // The 14th and 15th field of the whole line, which is the 12th and 13th behind the name; the kernel counts in hundredths.
    Duration::from_millis((fields[11] + fields[12]) * 10)
}

/// Memory of this process that is in RAM.
fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|l| l.starts_with("VmRSS")).expect("it is told");
    line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a number")
}

criterion_group!(benches, turns);
criterion_main!(benches);
