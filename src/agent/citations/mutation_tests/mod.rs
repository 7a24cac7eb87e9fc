//! True citations must pass and mutants must not: claims verbatim and reworded around the same numbers, with and without a quote, and nine
//! kinds of mutants of each.

mod case;
mod digits;
mod harness;
mod mutants;
mod reading;
mod real;
mod samples;
mod truths;
mod wording;

use harness::{Table, cases};

/// Shares asked for: of the mutants, at least so many must be seen; of the true ones, at least so many must pass.
const MUTANTS_SEEN: f64 = 0.99;
const TRUE_PASS: f64 = 0.98;

fn assert_rates(documents: &[samples::Document], at_least: usize) {
    let found = cases(documents);
    let table = Table::of(documents, &found);
    assert!(found.len() >= at_least, "{} cases", found.len());
    assert!(table.true_share() >= TRUE_PASS, "{table}");
    assert!(table.seen_share() >= MUTANTS_SEEN, "{table}");
}

#[test]
fn rates_on_pages_in_the_style_of_reports_laws_and_manuals() {
    assert_rates(&samples::documents(), 400);
}
