//! Kinds of documents, told by words on their first pages.

use crate::pdf::Page;

/// A kind of document.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// As it begins a description.
    pub name: &'static str,
    /// It reports on a period ("of X, quarter ended ..."); others are "by X".
    pub periodic: bool,
    /// Words on the first pages, lower case; all of one group must be there.
    signs: &'static [&'static [&'static str]],
    /// The words must stand in the title, not just on the first pages.
    in_title: bool,
}

const fn sure(name: &'static str, periodic: bool, signs: &'static [&'static [&'static str]]) -> Kind {
    Kind { name, periodic, signs, in_title: false }
}

const fn titled(name: &'static str, periodic: bool, signs: &'static [&'static [&'static str]]) -> Kind {
    Kind { name, periodic, signs, in_title: true }
}

/// The surest first.
const KINDS: &[Kind] = &[
    sure(
        "Annual report (Form 10-K)",
        true,
        &[
            &["form 10-k", "exact name of registrant"],
            &["form 10-k", "annual report pursuant to section 13"],
            &["form 10k", "annual report"],
        ],
    ),
    sure("Quarterly report (Form 10-Q)", true, &[&["form 10-q", "quarterly report"], &["form 10-q", "exact name of registrant"]]),
    sure("Current report (Form 8-K)", true, &[&["form 8-k", "current report"]]),
    sure("Annual report (Form 20-F)", true, &[&["form 20-f", "annual report"]]),
    sure("Proxy statement", true, &[&["schedule 14a", "proxy"], &["notice of annual meeting", "proxy statement"]]),
    sure(
        "Quarterly earnings release",
        true,
        &[
            &["reports", "quarter", "earnings"],
            &["reported earnings", "quarter"],
            &["announces", "quarter", "results"],
            &["reports", "quarter", "results", "today"],
            &["press release", "quarter", "results"],
        ],
    ),
    sure("Proposed rule", false, &[&["cfr part", "action: proposed rule"]]),
    sure("Final rule", false, &[&["cfr part", "action: final rule"]]),
    sure("Interpretation", false, &[&["cfr part", "action: interpretation"]]),
    sure("Rule release", false, &[&["cfr part", "agency:", "action:"]]),
    titled(
        "Annual report",
        true,
        &[
            &["annual report"],
            &["rapport annuel"],
            &["geschäftsbericht"],
            &["jahresbericht"],
            &["jaarverslag"],
            &["informe anual"],
            &["年度报告"],
            &["年報"],
            &["年报"],
        ],
    ),
    titled("Quarterly report", true, &[&["quarterly report"], &["interim report"], &["quartalsbericht"], &["quarterly statement"]]),
    titled("Earnings release", true, &[&["earnings"], &["quarter", "results"]]),
    titled("Financial statements", true, &[&["financial statements"]]),
    sure(
        "Thesis",
        false,
        &[
            &["thesis submitted"],
            &["dissertation submitted"],
            &["a thesis", "degree of"],
            &["master's thesis"],
            &["doctoral dissertation"],
            &["masterarbeit"],
            &["dissertation", "doktor"],
        ],
    ),
    titled("Lecture notes", false, &[&["lecture"], &["lectures"], &["cours de"], &["skript"], &["vorlesung"]]),
    titled(
        "User guide",
        false,
        &[
            &["user guide"],
            &["user's guide"],
            &["user’s guide"],
            &["user manual"],
            &["owner's manual"],
            &["benutzerhandbuch"],
            &["bedienungsanleitung"],
        ],
    ),
    titled(
        "Manual",
        false,
        &[&["manual"], &["handbook"], &["handbuch"], &["documentation"], &["reference guide"], &["マニュアル"], &["handleiding"]],
    ),
    titled("Guide", false, &[&["guide"], &["tutorial"], &["getting started"], &["leitfaden"]]),
    titled("White paper", false, &[&["white paper"], &["whitepaper"]]),
    titled("Survey", false, &[&["survey"]]),
    titled("Policy", false, &[&["policy"], &["guidelines"], &["code of conduct"]]),
    titled("Agreement", false, &[&["agreement"], &["contract"], &["vertrag"], &["lease"]]),
    titled("Minutes", false, &[&["minutes of"], &["protokoll"]]),
    titled("Specification", false, &[&["specification"], &["standard"]]),
    sure(
        "Research paper",
        false,
        &[
            &["abstract", "introduction", "references"],
            &["abstract", "keywords"],
            &["abstract", "1 introduction"],
            &["abstract", "1. introduction"],
            &["arxiv:"],
            &["abstract", "university"],
        ],
    ),
    titled("Report", false, &[&["report"], &["rapport"], &["bericht"], &["review"], &["advies"], &["报告"], &["報告"]]),
    sure("Special publication", false, &[&["nist special publication"]]),
    sure("Press release", false, &[&["press release"], &["for immediate release"]]),
];

/// The kind of a document from the text of its first pages (see [`KINDS`]), and from its shape: pages wider than high are slides.
pub(super) fn kind(front: &str, title: Option<&str>, pages: &[Page]) -> Option<&'static Kind> {
    static SLIDES: Kind = Kind { name: "Presentation", periodic: false, signs: &[], in_title: false };
    let lower = front.to_lowercase();
    let lower = lower.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = title.map(str::to_lowercase).unwrap_or_default();
    let found = KINDS.iter().find(|k| {
        let text = if k.in_title { &title } else { &lower };
        k.signs.iter().any(|group| group.iter().all(|sign| text.contains(sign)))
    });
    let wide = pages.iter().filter(|p| p.width > p.height * 1.15).count() * 4 > pages.len() * 3 && pages.len() >= 5;
    if wide && found.is_none_or(|k| !k.periodic) { Some(&SLIDES) } else { found }
}
