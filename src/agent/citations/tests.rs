//! Statuses, display and streams, on small pages of our own.

use proptest::prelude::*;

use super::*;
use crate::tools::Evidence;

/// A ledger with these pages: (document, page, text), each document of 20 pages.
pub(super) fn ledger(pages: &[(&str, u32, &str)]) -> EvidenceLedger {
    let mut ledger = EvidenceLedger::default();
    for (doc, page, text) in pages {
        ledger.record_page(&Evidence { doc: (*doc).into(), page: *page, label: None, text: (*text).into(), page_count: 20 });
    }
    ledger
}

fn earnings() -> EvidenceLedger {
    ledger(&[
        (
            "q1.pdf",
            1,
            "Northlight Media reports first quarter results\nRevenues increased 5% for Q1 to $24.7 billion from $23.5 billion in the prior-year quarter.\nDiluted EPS rose to $1.40 from $1.04.",
        ),
        (
            "q1.pdf",
            3,
            "(in millions, except per share amounts)\n  Quarter Ended   December 28, 2024   December 30, 2023   Change\nTotal revenues  $ 24,690  $ 23,549  5 %\nInternational  (3)  (56)  95 %\nEmployees at year end  233,000  225,000\nCost of services  (15,940)  (15,100)",
        ),
        ("q1.pdf", 4, "Segment overview. The company has three segments. See Note 12 for legal matters."),
        (
            "manual.pdf",
            2,
            "Tighten the four bolts to 25 Nm. The pump runs at 1,450 rpm and 230 V. Firmware 4.2.1 or later is required.",
        ),
    ])
}

pub(super) fn statuses_in(ledger: &EvidenceLedger, text: &str) -> Vec<CitationStatus> {
    check(text, ledger, "").citations.iter().map(|c| c.status).collect()
}

fn status(text: &str) -> CitationStatus {
    let found = statuses_in(&earnings(), text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found[0]
}

#[test]
fn a_quote_that_stands_and_figures_that_stand_are_verified() {
    for text in [
        "Revenue was $24.7 billion <cite doc=\"q1.pdf\" page=\"1\">Revenues increased 5% for Q1 to $24.7 billion</cite>.",
        "Revenue was 24,690 million dollars <cite doc=\"q1.pdf\" page=\"3\">Total revenues $ 24,690</cite>",
        "Revenue was $24.69 billion <cite doc='q1.pdf' page='3'>total revenues 24,690</cite>",
        "International lost $3 million after a loss of $56 million <cite page=3 doc=q1.pdf>International (3) (56)</cite>.",
        "Earnings per share were $1.40 <cite doc=\"q1.pdf\" page=\"1\">Diluted EPS rose to $1.40</cite>",
        "On page 3 the 2024 report gives a growth of 5 percent <cite doc=\"q1.pdf\" page=\"3\">Total revenues $ 24,690 $ 23,549 5 %</cite>",
        "As of 28 December 2024 revenue was 24,690 million <cite doc=\"q1.pdf\" page=\"3\">Total revenues $ 24,690</cite>",
        "The bolts take 25 Nm <cite doc=\"manual.pdf\" page=\"2\">Tighten the four bolts to 25 Nm</cite>",
    ] {
        assert_eq!(status(text), CitationStatus::Verified, "{text}");
    }
}

#[test]
fn figures_alone_are_numbers_found_and_no_figure_is_page_read() {
    for text in [
        "Revenue was $24.7 billion <cite doc=\"q1.pdf\" page=\"1\"/>.",
        "Revenue was about $25 billion [q1.pdf, p. 1].",
        "Revenue was $24,690 million [q1.pdf, p. 3].",
        "Revenue came to 24.69 billion dollars (q1.pdf, page 3).",
        "There are 3 segments <cite doc=\"q1.pdf\" page=\"4\"/>",
        "Services cost $15,940 million <cite doc=\"q1.pdf\" page=\"3\"/>",
        "Revenue was $24.7 billion <cite doc=\"q1.pdf\" page=\"1\">$24.7 billion</cite>.",
        "Revenue was <cite doc=\"q1.pdf\" page=\"1\">$24.7 billion</cite>.",
        "Firmware 4.2.1 is needed at 230 V <cite doc=\"manual.pdf\" page=\"2\"/>",
        "It employed 233 thousand people [q1.pdf, p. 3]",
    ] {
        assert_eq!(status(text), CitationStatus::NumbersFound, "{text}");
    }
    for text in [
        "It grew in fiscal 2025 <cite doc=\"q1.pdf\" page=\"1\"/>.",
        "See page 12 of the report <cite doc=\"q1.pdf\" page=\"1\"/>.",
        "It grew <cite doc=\"q1.pdf\" page=\"3\">2024</cite>",
        "The company grew <cite doc=\"q1.pdf\" page=\"4\">the</cite>",
    ] {
        assert_eq!(status(text), CitationStatus::PageRead, "{text}");
    }
}

#[test]
fn what_does_not_stand_is_not_found() {
    for text in [
        "Revenue was $24.8 billion <cite doc=\"q1.pdf\" page=\"1\">Revenues increased 5% for Q1 to $24.7 billion</cite>.",
        "Revenue was $24.7 million <cite doc=\"q1.pdf\" page=\"1\"/>.",
        "Revenue was $24.7 billion <cite doc=\"q1.pdf\" page=\"1\">Revenues decreased 5% for Q1 to $24.7 billion</cite>.",
        "Revenue was €24.7 billion <cite doc=\"q1.pdf\" page=\"1\"/>.",
        "Revenue was $24,690 billion <cite doc=\"q1.pdf\" page=\"3\"/>.",
        "Revenue was $24,680 million <cite doc=\"q1.pdf\" page=\"3\"/>.",
        "Revenue grew -5% <cite doc=\"q1.pdf\" page=\"1\"/>.",
        "International earned $56 million <cite doc=\"q1.pdf\" page=\"3\"/>.",
        "International <cite doc=\"q1.pdf\" page=\"3\">International 3 56</cite>",
        "Firmware 4.2.2 is needed <cite doc=\"manual.pdf\" page=\"2\"/>",
        "The quarter ended on December 29, 2024 <cite doc=\"q1.pdf\" page=\"3\"/>",
        "Revenue was $24.7 [q1.pdf, p. 1].",
    ] {
        assert_eq!(status(text), CitationStatus::NotFound, "{text}");
    }
}

#[test]
fn another_page_that_holds_it_is_named() {
    let found = check(
        "Revenue was $24.7 billion <cite doc=\"q1.pdf\" page=\"4\">Revenues increased 5% for Q1 to $24.7 billion</cite>",
        &earnings(),
        "",
    );
    assert_eq!((found.citations[0].status, found.citations[0].found_on), (CitationStatus::NotFound, Some(1)));
    let found = check("EPS was $1.40 <cite doc=\"q1.pdf\" page=\"4\"/>", &earnings(), "");
    assert_eq!((found.citations[0].status, found.citations[0].found_on), (CitationStatus::NotFound, Some(1)));
}

#[test]
fn pages_and_documents_that_were_not_read_or_do_not_exist() {
    assert_eq!(status("It grew <cite doc=\"q1.pdf\" page=\"9\"/>"), CitationStatus::Unread);
    assert_eq!(status("It grew <cite doc=\"q1.pdf\" page=\"21\"/>"), CitationStatus::NoSuchPage);
    assert_eq!(status("It grew <cite doc=\"q1.pdf\" page=\"0\"/>"), CitationStatus::NoSuchPage);
    assert_eq!(status("It grew <cite doc=\"q1.pdf\" page=\"iv\"/>"), CitationStatus::NoSuchPage);
    assert_eq!(status("It grew <cite doc=\"q2.pdf\" page=\"1\"/>"), CitationStatus::NoSuchDocument);
    assert_eq!(status("It grew <cite page=\"1\"/>"), CitationStatus::NoSuchDocument);
    let one = ledger(&[("only.pdf", 1, "It grew by much in the year")]);
    let found = check("It grew <cite page=\"1\">grew by much</cite>", &one, "");
    assert_eq!((found.citations[0].status, found.citations[0].doc.as_str()), (CitationStatus::Verified, "only.pdf"));
}

#[test]
fn figures_may_be_spread_over_citations_side_by_side_but_none_may_ride_along() {
    let text = "EPS was $1.40 at revenue of 24,690 million <cite doc=\"q1.pdf\" page=\"1\"/><cite doc=\"q1.pdf\" page=\"3\"/>";
    assert_eq!(statuses_in(&earnings(), text), [CitationStatus::NumbersFound, CitationStatus::NumbersFound]);
    let text = "EPS was $1.40 <cite doc=\"q1.pdf\" page=\"1\"/><cite doc=\"q1.pdf\" page=\"4\"/>";
    assert_eq!(statuses_in(&earnings(), text), [CitationStatus::NumbersFound, CitationStatus::NotFound]);
    let text = "EPS was $1.40 <cite doc=\"q1.pdf\" page=\"1-4\">Diluted EPS rose to $1.40</cite>";
    assert_eq!(statuses_in(&earnings(), text), [CitationStatus::Verified]);
}

#[test]
fn a_quote_may_run_over_a_page_end_when_both_pages_are_cited() {
    let pages = ledger(&[("a.pdf", 1, "The committee met twice and"), ("a.pdf", 2, "decided to close the plant.")]);
    let quote = "met twice and decided to close";
    assert_eq!(
        statuses_in(&pages, &format!("It closed <cite doc=\"a.pdf\" page=\"1-2\">{quote}</cite>")),
        [CitationStatus::Verified]
    );
    assert_eq!(
        statuses_in(&pages, &format!("It closed <cite doc=\"a.pdf\" page=\"1\">{quote}</cite>")),
        [CitationStatus::NotFound]
    );
}

#[test]
fn what_a_row_happens_to_add_up_to_is_not_computed() {
    let pages =
        ledger(&[("a.pdf", 1, "Effective tax rate  26.1 %  15.6 %  24.8 %  20.5 %\nAppliances  13 %  14 %  (6.1)%  6.8 %")]);
    for row in ["Effective tax rate 36.1 % 15.6 % 24.8 % 20.5 %", "Appliances 15 % 14 % (6.1)% 6.8 %"] {
        let text = format!("{row} <cite doc=\"a.pdf\" page=\"1\"/>.\n\nThe total was higher.");
        assert_eq!(statuses_in(&pages, &text), [CitationStatus::NotFound], "{row}");
    }
}

#[test]
fn computed_figures_follow_from_inputs_that_stand() {
    for text in [
        "The loss narrowed by $53 million, from $56 million to $3 million <cite doc=\"q1.pdf\" page=\"3\">International (3) (56)</cite>.",
        "Revenue grew by $1,141 million from $23,549 million to $24,690 million <cite doc=\"q1.pdf\" page=\"3\"/>.",
        "Revenue grew 4.8 % from $23,549 million to $24,690 million <cite doc=\"q1.pdf\" page=\"3\"/>.",
    ] {
        assert_eq!(status(text), CitationStatus::NumbersFound, "{text}");
    }
    for text in [
        "The loss narrowed by $54 million, from $56 million to $3 million <cite doc=\"q1.pdf\" page=\"3\">International (3) (56)</cite>.",
        "Revenue grew by $1,142 million from $23,549 million to $24,690 million <cite doc=\"q1.pdf\" page=\"3\"/>.",
        "Revenue grew by $1,141 million <cite doc=\"q1.pdf\" page=\"3\"/>.",
        "Revenue grew by €1,141 million from $23,549 million to $24,690 million <cite doc=\"q1.pdf\" page=\"3\"/>.",
    ] {
        assert_eq!(status(text), CitationStatus::NotFound, "{text}");
    }
}

#[test]
fn other_languages_write_numbers_otherwise() {
    let pages = ledger(&[
        (
            "bericht.pdf",
            5,
            "Der Umsatz der Gruppe stieg um 5,1 % auf 1.577,4 Mio. € und lag damit über dem Vorjahr (1.501,2 Mio. €).",
        ),
        (
            "rapport.pdf",
            2,
            "Le chiffre d'affaires s'est élevé à 24,7 milliards d'euros, en hausse de 5,1 % pour les 233 000 salariés.",
        ),
    ]);
    for text in [
        "Der Umsatz betrug 1.577,4 Mio. € [bericht.pdf, S. 5].",
        "Revenue was €1,577.4 million, and the growth was 5.1 percent [bericht.pdf, p. 5].",
        "Revenue was €1.58 billion [bericht.pdf, p. 5].",
        "Revenue was €24.7 billion [rapport.pdf, p. 2].",
        "Der Umsatz lag bei 24,7 Mrd. Euro [rapport.pdf, S. 2].",
    ] {
        assert_eq!(statuses_in(&pages, text), [CitationStatus::NumbersFound], "{text}");
    }
    assert_eq!(statuses_in(&pages, "Revenue was €1.577 million [bericht.pdf, p. 5]."), [CitationStatus::NotFound]);
    // Copied as it stands.
    let table =
        ledger(&[("tabella.pdf", 1, "Regione Abitanti Quota\nAbruzzo 424.264 3,7\nMolise 185.620 1,2\nTotale 1.209.303 4,9")]);
    assert_eq!(statuses_in(&table, "For Abruzzo the table gives 424.264 [tabella.pdf, p. 1]."), [CitationStatus::NumbersFound]);
    assert_eq!(statuses_in(&table, "For Abruzzo the table gives 42.4264 [tabella.pdf, p. 1]."), [CitationStatus::NotFound]);
}

#[test]
fn a_document_is_found_under_a_name_with_small_differences() {
    for doc in ["Q1.pdf", "q1", "reports/q1.pdf", "Q1.PDF"] {
        let found = check(&format!("It grew <cite doc=\"{doc}\" page=\"1\">Diluted EPS rose to $1.40</cite>"), &earnings(), "");
        assert_eq!((found.citations[0].doc.as_str(), found.citations[0].status), ("q1.pdf", CitationStatus::Verified), "{doc}");
    }
}

#[test]
fn sloppy_tags_are_understood() {
    let quote = "Diluted EPS rose to $1.40";
    for tag in [
        format!("<cite page='1' doc='q1.pdf'>{quote}</cite>"),
        format!("<CITE DOC=\"q1.pdf\" PAGE=1 >{quote}</CITE>"),
        format!("<cite doc=“q1.pdf” page=“1”>{quote}</cite>"),
        format!("<cite document=\"q1.pdf\", pages=\"p. 1\">{quote}</cite >"),
        format!("<cite doc=&quot;q1.pdf&quot; page=&quot;1&quot;>{quote}</cite>"),
        format!("<cite doc=q1.pdf page=1>“{quote}”</cite>"),
        format!("<cite doc=\"q1.pdf, p. 1\">{quote}</cite>"),
        format!("<cite doc=\"q1.pdf#page=1\">{quote}</cite>"),
        format!("<cite doc=\"q1.pdf page=\"1\">{quote}</cite>"),
        format!("<cite doc=\"q1.pdf\" page=\"1\" quote=\"{quote}\"/>"),
        format!("<citation doc=\"q1.pdf\" page=\"1\">{quote}</citation>"),
    ] {
        let found = check(&format!("EPS was $1.40 {tag}."), &earnings(), "");
        assert_eq!(found.citations.len(), 1, "{tag}");
        assert_eq!(found.citations[0].status, CitationStatus::Verified, "{tag}");
        assert_eq!(found.answer, "EPS was $1.40 [1].", "{tag}");
    }
}

#[test]
fn names_with_apostrophes_ampersands_and_blanks() {
    let pages = ledger(&[("Bob's R&D report (1).pdf", 1, "It grew by much in the year")]);
    for tag in [
        "<cite doc='Bob's R&D report (1).pdf' page='1'>grew by much</cite>",
        "<cite doc=\"Bob&apos;s R&amp;D report (1).pdf\" page=\"1\">grew by much</cite>",
        "<cite doc=Bob's R&D report (1).pdf page=1>grew by much</cite>",
    ] {
        assert_eq!(statuses_in(&pages, tag), [CitationStatus::Verified], "{tag}");
    }
    assert_eq!(statuses_in(&pages, "It grew [Bob's R&D report (1).pdf, p. 1]"), [CitationStatus::PageRead]);
}

#[test]
fn display_of_an_answer() {
    let show = |text: &str| check(text, &earnings(), "").answer;
    assert_eq!(
        show("Up 5% <cite doc=\"q1.pdf\" page=\"1\">increased 5% for Q1</cite>, EPS $1.40 <cite doc=\"q1.pdf\" page=\"1\"/>."),
        "Up 5% [1], EPS $1.40 [2]."
    );
    assert_eq!(show("A [q1.pdf, p. 1; q1.pdf, p. 3] B (see [Q1.pdf, p. 1])."), "A [1][2] B (see [1]).");
    assert_eq!(show("<not-found/>\n\nThe document does not say it."), "The document does not say it.");
    assert_eq!(show("Half a tag <cite doc=\"q1.pdf\" pa"), "Half a tag");
    assert_eq!(show("Open <cite doc=\"q1.pdf\" page=\"1\">and then text"), "Open [1]and then text");
    assert_eq!(
        show("if a < b and b > c, see [1] and (this) or <b>that</b>"),
        "if a < b and b > c, see [1] and (this) or <b>that</b>"
    );
}

#[test]
fn quoted_words_are_shown_where_the_sentence_needs_them() {
    let show = |text: &str| check(text, &earnings(), "").answer;
    let cite = |quote: &str| format!("<cite doc=\"q1.pdf\" page=\"1\">{quote}</cite>");
    assert_eq!(show(&cite("Diluted EPS rose to $1.40")), "Diluted EPS rose to $1.40 [1]");
    assert_eq!(show(&format!("Revenue was {}.", cite("$24.7 billion"))), "Revenue was $24.7 billion [1].");
    assert_eq!(show(&format!("It says: {}", cite("Diluted EPS rose"))), "It says: Diluted EPS rose [1]");
    assert_eq!(
        show(&format!("- {}\n- {}", cite("Diluted EPS rose"), cite("to $1.40 from $1.04"))),
        "- Diluted EPS rose [1]\n- to $1.40 from $1.04 [2]"
    );
    assert_eq!(show(&format!("EPS rose. {}{}", cite("Diluted EPS rose"), cite("to $1.40 from $1.04"))), "EPS rose. [1][2]");
    assert_eq!(
        show(&format!("Profit per share went up {}.", cite("Diluted EPS rose to $1.40 from $1.04"))),
        "Profit per share went up [1]."
    );
}

#[test]
fn the_same_citation_has_one_number_and_its_weaker_status() {
    let found =
        check("EPS was $1.40 <cite doc=\"q1.pdf\" page=\"1\"/>. EPS was $1.50 <cite doc=\"Q1\" page=\"1\"/>.", &earnings(), "");
    assert_eq!(found.answer, "EPS was $1.40 [1]. EPS was $1.50 [1].");
    assert_eq!(found.citations.len(), 1);
    assert_eq!(found.citations[0].status, CitationStatus::NotFound);
}

#[test]
fn tags_are_counted_and_the_not_found_tag_is_placed() {
    assert_eq!(tags("  <not-found/> Nothing.").not_found, Some(Place::Beginning));
    assert_eq!(tags("**<Not_Found></Not_Found>**").not_found, Some(Place::Beginning));
    assert_eq!(tags("Nothing. <NOT-FOUND />").not_found, Some(Place::Later));
    assert_eq!(tags("A [q1.pdf, p. 1; q1.pdf, p. 3] <cite doc=\"a\" page=\"1\"/>"), Tags { citations: 3, not_found: None });
}

#[test]
fn a_tag_that_another_cuts_short_is_not_shown() {
    assert_eq!(display("It is so <cite<not-found/> . More."), "It is so  . More.");
    assert_eq!(display("It is so </cite<b> more."), "It is so <b> more.");
}

/// Pieces that texts with tags are made of, whole and broken.
const PIECES: [&str; 34] = [
    "Revenue was $24.7 billion ",
    "<cite doc=\"q1.pdf\" page=\"1\">",
    "Diluted EPS rose",
    "</cite>",
    "<cite doc=\"q1.pdf\" page=\"3\"/>",
    "<not-found/>",
    "<not-",
    "found",
    " ",
    "\n\n",
    ". ",
    "[q1.pdf, p. 3]",
    "[",
    "]",
    "(",
    ")",
    "(see q1.pdf, p. 3)",
    "<",
    ">",
    "<b>",
    "</",
    "cite",
    "<cite",
    "é€漢字",
    "page=",
    "\"",
    "'",
    "- ",
    "5 < 6",
    "<cite>",
    "&amp;",
    "【q1.pdf, p. 1】",
    "A:",
    "<citation doc=q1.pdf page=2>",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_stream_shows_the_same_as_the_whole(parts in proptest::collection::vec(0..PIECES.len(), 0..14), cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..12)) {
        let raw: String = parts.iter().filter_map(|&i| PIECES.get(i).copied()).collect();
        let mut ends: Vec<usize> = cuts.iter().map(|c| c.index(raw.len() + 1)).filter(|&i| raw.is_char_boundary(i)).collect();
        ends.push(raw.len());
        ends.sort_unstable();
        let (mut stream, mut shown, mut from) = (CiteStream::new(), String::new(), 0);
        for end in ends {
            shown.push_str(&stream.push(&raw[from..end]));
            from = end;
        }
        shown.push_str(&stream.finish());
        prop_assert_eq!(&shown, &display(&raw));
        prop_assert!(!shown.to_lowercase().contains("<cite ") && !shown.contains("<not-found/>"));
    }

    #[test]
    fn a_stream_of_characters_shows_the_same_as_the_whole(parts in proptest::collection::vec(0..PIECES.len(), 0..14)) {
        let raw: String = parts.iter().filter_map(|&i| PIECES.get(i).copied()).collect();
        let mut stream = CiteStream::new();
        let mut shown: String = raw.chars().map(|c| stream.push(&c.to_string())).collect();
        shown.push_str(&stream.finish());
        prop_assert_eq!(shown, display(&raw));
    }

    #[test]
    fn folding_is_idempotent(text in "\\PC{0,40}|[ -~\\n\\t\u{a0}-\u{17f}\u{2000}-\u{206f}\u{fb00}-\u{fb06}ﬁﬀ²½ßİſ]{0,40}") {
        let once = fold::fold(&text);
        prop_assert_eq!(fold::fold(&once), once);
    }

    #[test]
    fn a_verbatim_quote_of_three_words_is_always_verified(page in "(([A-Za-zéß]{1,9}[,.;:-]?|\\(?[-$]?[0-9]{1,4}(,[0-9]{3})?(\\.[0-9]{1,2})?%?\\)?|[a-z]{2,5}-\n[a-z]{2,5}|[–—\"“(]|[A-Z]{2,4}\\([0-9]\\))([ \n]| {2,3})){8,40}", at in any::<prop::sample::Index>(), length in 3usize..9) {
        let words: Vec<&str> = page.split_whitespace().collect();
        prop_assume!(words.len() > length);
        let start = at.index(words.len() - length);
        let quoted = &words[start..start + length];
        prop_assume!(quoted.iter().filter(|w| w.chars().any(char::is_alphanumeric)).count() >= 3);
        let answer = format!("It says so <cite doc=\"a.pdf\" page=\"1\">{}</cite>", quoted.join(" "));
        let found = check(&answer, &ledger(&[("a.pdf", 1, &page)]), "");
        prop_assert_eq!(found.citations[0].status, CitationStatus::Verified, "{} in {:?}", answer, page);
    }

    #[test]
    fn checking_never_panics(raw in "(<cite[ -~]{0,30}>|\\PC{0,12}|</cite>|[0-9.,$%()-]{0,12}| |\n){0,12}", page in "(\\PC{0,12}|[0-9.,$%()'/-]{0,14}| |\n){0,12}") {
        let _ = check(&raw, &ledger(&[("a.pdf", 1, &page)]), "");
    }
}
