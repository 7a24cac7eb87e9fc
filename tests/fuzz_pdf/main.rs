//! Broken files made at random: whatever a file is, reading it ends in time, in bounded memory, without a panic of this crate.
//!
//! Each input is made from a number, the seed, and the seed files; the same number makes the same input. Settings, all in the environment:
//!
//! - `PAGEWISE_FUZZ_SECONDS`: how long to go on (4 if not set).
//! - `PAGEWISE_FUZZ_SEED`: the first number (1).
//! - `PAGEWISE_FUZZ_SEEDS`: a folder with more seed files, such as the test files of other PDF programs.
//! - `PAGEWISE_FUZZ_REPLAY`: one number; its input is written to the folder of temporary files and run alone.
//!
//! A failure names the number. When the process dies, the file `fuzz-running` in the folder of temporary files holds it.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a long run tells on the terminal how far it is")]

#[path = "../../src/pdf/tests/forge.rs"]
mod forge;
mod objects;
mod random;
mod raw;
mod seeds;
mod watch;

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use pagewise::pdf::{Limits, OpenOptions, PdfFile};
use random::Random;
use seeds::Seed;
use watch::Watch;

/// Pages read of one file; its bound on pages is set to it.
const PAGES: u32 = 40;

#[test]
fn broken_files_do_no_harm() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect(name));
    let seeds = seeds::all();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    // The first file opened sets up how panics are contained; the watch comes after it.
    assert!(read(&seeds[0].bytes()).is_none());
    let watch = Watch::start(folder.join("fuzz-running"));
    let replay = number("PAGEWISE_FUZZ_REPLAY");
    let end = Instant::now() + Duration::from_secs(number("PAGEWISE_FUZZ_SECONDS").unwrap_or(4));
    let first = replay.or_else(|| number("PAGEWISE_FUZZ_SEED")).unwrap_or(1);
    let mut report = String::new();
    let mut broken = false;
    let mut done = 0;
    for seed in first.. {
        let bytes = input(seed, &seeds);
        if replay.is_some() {
            std::fs::write(folder.join(format!("fuzz-{seed}.pdf")), &bytes).expect("the folder of temporary files");
        }
        watch.begin(seed);
        let wrong = read(&bytes);
        let (took, needed) = watch.end();
        done += 1;
        broken |= wrong.is_some();
        let slow = (took > Duration::from_secs(3)).then(|| format!("{} ms", took.as_millis()));
        let large = (needed > 200 << 20).then(|| format!("{} MB", needed >> 20));
        for said in [wrong, slow, large].into_iter().flatten() {
            // At once too: what ends the process loses the report.
            println!("seed {seed}: {said}");
            let _ = writeln!(report, "seed {seed}: {said}");
        }
        if replay.is_some() || Instant::now() > end {
            break;
        }
    }
    let (panics, peak) = watch.finish();
    for (place, (times, seed)) in panics {
        // Dependencies panic, and are contained; this crate must not.
        broken |= place.starts_with("src/");
        let _ = writeln!(report, "contained panic, {times} times, first with seed {seed}: {place}");
    }
    println!("{done} inputs from {first}, peak memory {} MB, {} seed files\n{report}", peak >> 20, seeds.len());
    assert!(!broken, "{report}");
}

/// The input of this number.
fn input(seed: u64, seeds: &[Seed]) -> Vec<u8> {
    let mut random = Random::new(seed);
    let (file, other) = (random.pick(seeds).bytes(), random.pick(seeds).bytes());
    let made = if random.one_in(4) { None } else { objects::damage(&file, &other, &mut random) };
    let whole = made.is_some();
    let mut bytes = made.unwrap_or(file);
    if !whole || random.one_in(6) {
        raw::damage(&mut bytes, &other, &mut random);
    }
    bytes
}

/// Reads everything of a file; what is wrong with the result.
fn read(bytes: &[u8]) -> Option<String> {
    let limits = Limits { pages: PAGES, ..Limits::default() };
    let file = match PdfFile::from_bytes(bytes.to_vec(), &OpenOptions { limits, ..OpenOptions::default() }) {
        Ok(file) => file,
        Err(error) => return error.message.is_empty().then(|| "an error without a message".to_owned()),
    };
    let pages = file.pages(1, &|_| {});
    if pages.len() != file.page_count() as usize || pages.is_empty() {
        return Some(format!("{} pages read of {}", pages.len(), file.page_count()));
    }
    if let Some(entry) = file.outline().iter().find(|e| e.page.is_some_and(|p| p == 0 || p > file.page_count())) {
        return Some(format!("an outline entry on page {:?}", entry.page));
    }
    for page in &pages {
        if !(page.width.is_finite() && page.height.is_finite()) {
            return Some(format!("page {} is {} x {}", page.number, page.width, page.height));
        }
        let odd = page
            .lines
            .iter()
            .find(|l| !(l.x0.is_finite() && l.y0.is_finite() && l.x1.is_finite() && l.y1.is_finite() && l.size.is_finite()));
        if let Some(line) = odd {
            return Some(format!(
                "page {}: a line at {} {} {} {}, size {}",
                page.number, line.x0, line.y0, line.x1, line.y1, line.size
            ));
        }
        if page.text.contains('\0') {
            return Some(format!("page {} has a zero character", page.number));
        }
    }
    // Not compared: hayro-syntax rebuilds a broken table when it first meets an object that is not there, and then sees other objects.
    let alone = file.page(1);
    (alone.number != 1).then(|| format!("page 1 says that it is {}", alone.number))
}
