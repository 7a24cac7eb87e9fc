//! Figures of sentences without citation.

use super::check;
use super::tests::ledger;
use crate::agent::EvidenceLedger;

fn pages() -> EvidenceLedger {
    ledger(&[
        (
            "q1.pdf",
            1,
            "Revenues increased 5% for Q1 to $24.7 billion from $23.5 billion. The group had 48,213 employees on 28 December 2024.",
        ),
        ("q1.pdf", 3, "(in millions)\nTotal revenues  $ 24,690  $ 23,549  5 %\nInternational  (3)  (56)  95 %"),
    ])
}

fn figures_of(text: &str, asked: &str) -> Vec<String> {
    check(text, &pages(), asked).unsupported.into_iter().map(|u| u.figure).collect()
}

#[test]
fn figures_on_no_page_that_was_read_are_named_with_their_sentence() {
    let found = check("Revenue was $24.7 billion. It employed 51,377 people.\n\nMargins reached 17.3%.", &pages(), "");
    let found: Vec<(&str, &str)> = found.unsupported.iter().map(|u| (u.figure.as_str(), u.sentence.as_str())).collect();
    assert_eq!(found, [("51,377", "It employed 51,377 people."), ("17.3%", "Margins reached 17.3%.")]);
    for (text, want) in [
        ("Revenue was $5 million. It rose 5% <cite doc=\"q1.pdf\" page=\"1\">Revenues increased 5%</cite>.", "$5 million"),
        ("It rose 5% <cite doc=\"q1.pdf\" page=\"1\">Revenues increased 5%</cite>, from $21.9 billion.", "$21.9 billion"),
        ("| Year | Revenue |\n|---|---|\n| 2024 | €24.7 billion |", "€24.7 billion"),
        ("- Revenue: **-$19.3 billion**", "-$19.3 billion"),
        ("The quarter ended on December 29, 2024.", "2024-12-29"),
        ("Es waren 51 377 Menschen.", "51 377"),
        ("International lost $57 million.", "$57 million"),
        (
            "Revenue was $29.9 billion <cite doc=\"q1.pdf\" page=\"1\"/> after $23.5 billion. It increased by $6.4 billion.",
            "$6.4 billion",
        ),
    ] {
        assert_eq!(figures_of(text, ""), [want], "{text}");
    }
}

#[test]
fn figures_that_stand_follow_or_were_asked_about_are_not_named() {
    for text in [
        "Revenue was $24.7 billion, or 24,690 million dollars, after $23,549 million.",
        "1. Revenue rose 5%\n2. On page 14 of 222 pages, in Note 31 and in fiscal 2023, there are 3 reasons.",
        "It has about 48,000 employees. The quarter ended on 28 December 2024.",
        "Revenue was $24,690 million <cite doc=\"q1.pdf\" page=\"3\"/> after $23,549 million <cite doc=\"q1.pdf\" page=\"3\"/>. That is an increase of $1,141 million.",
        "Revenue rose from $23,549 million to $24,690 million, an increase of 4.8%.",
        "International lost $56 million a year before.",
        "Did you mean the 375 stores?",
        "The 10-K and COVID-19 are not discussed; see section 14.2.1.",
    ] {
        assert_eq!(figures_of(text, ""), [""; 0], "{text}");
    }
    assert_eq!(figures_of("The report does not speak of a dividend of $3.75.", "Was the dividend $3.75?"), [""; 0]);
    assert_eq!(figures_of("The dividend was $3.80.", "Was the dividend $3.75?"), ["$3.80"]);
}

#[test]
fn a_cited_figure_is_judged_by_its_citation_alone() {
    let text = "Revenue was $29.9 billion <cite doc=\"q1.pdf\" page=\"1\"/>. Thus it stood at $29.9 billion.";
    assert_eq!(figures_of(text, ""), ["$29.9 billion"]);
    assert_eq!(figures_of("Revenue was $29.9 billion <cite doc=\"q1.pdf\" page=\"1\"/>.", ""), [""; 0]);
}
