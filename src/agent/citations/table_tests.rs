//! Tables: cells, signs, currencies, groups of digits, rows and years.

use super::tests::{ledger, statuses_in};
use crate::agent::EvidenceLedger;
use crate::agent::types::CitationStatus;

/// Pages as reports print them, with what stands in the cells around a figure.
fn statements_of_a_group() -> EvidenceLedger {
    ledger(&[
        (
            "group.pdf",
            1,
            "Linear Networks\n($ in millions)  2024  2023  Change\nDomestic  $ 2,206  $ 2,210  — %\nFinancing activities  (560)  (861)\n\
             Operating income  $ 348  $ 833\n% of revenue  3.6 %  4.0 %\nAccounts payable $ 559 $ 552",
        ),
        (
            "group.pdf",
            5,
            "Other loans were $4.2\nmillion.\n(in thousands)\nLoans to governments  $ 64,918  $ 61,118\nSubscription revenue  507,902  401,117\n\
             The fee of $352,000 is paid once a year. The fund follows the S&P 500 index.",
        ),
        (
            "groupe.pdf",
            2,
            "Le chiffre d'affaires est de 2 057,4 millions d'euros pour les 233 000 salariés et un résultat de (4 056).",
        ),
    ])
}

#[test]
fn signs_cells_and_currencies_are_read_where_they_stand() {
    for text in [
        "Domestic stood at $ 2,210 [group.pdf, p. 1]",
        "Operating income reached $833 million [group.pdf, p. 1]",
        "(861) was reported for financing [group.pdf, p. 1]",
        "Loans came to $61.1 million [group.pdf, p. 5]",
        "The fee is $352 thousand [group.pdf, p. 5]",
        "Subscriptions brought $507.9 million [group.pdf, p. 5]",
    ] {
        assert_eq!(statuses_in(&statements_of_a_group(), text), [CitationStatus::NumbersFound], "{text}");
    }
    for text in [
        "Payables were -$ 552 [group.pdf, p. 1]",
        "Domestic stood at 2,210 % [group.pdf, p. 1]",
        "(841) was reported for financing [group.pdf, p. 1]",
        "Loans came to $61.1 thousand [group.pdf, p. 5]",
        "Loans came to $61,118 million [group.pdf, p. 5]",
        "Subscriptions brought €507.9 million [group.pdf, p. 5]",
        "It is paid 11 times a year [group.pdf, p. 5]",
        "552: that is the figure for receivables [group.pdf, p. 5]",
        "2097 subscribers were lost [group.pdf, p. 5]",
        "The fund follows the S&P 50 index [group.pdf, p. 5]",
    ] {
        assert_eq!(statuses_in(&statements_of_a_group(), text), [CitationStatus::NotFound], "{text}");
    }
}

#[test]
fn figures_of_another_row_or_year_do_not_pass() {
    let pages = ledger(&[(
        "group.pdf",
        1,
        "Consolidated statements\nYear ended December 31, 2024 2023 2022\n(in millions)\nProduct sales  $ 24,690  $ 23,549  $ 21,003\n\
         Cost of services  15,940  15,100  14,877\nMarketing  4,312  4,105  3,990\n  24,942  23,310  22,870\n\nOperating income\n\
         Americas  2,210  2,105  2,001\nTotal  5,146  4,998  4,700\nIn 2024 the group paid dividends of $1,777 million.",
    )]);
    for text in [
        "Cost of services was $15,940 million [group.pdf, p. 1]",
        "| Cost of services | 15,100 [group.pdf, p. 1] |",
        "Spending on marketing came to 4,312 million [group.pdf, p. 1]",
        "Marketing in 2023: 4,105 [group.pdf, p. 1]",
        "In 2022, product sales were 21,003 million [group.pdf, p. 1]",
        "Product sales were 24,690 million, up from 23,549 million in 2023 [group.pdf, p. 1]",
        "Operating income was 5,146 million [group.pdf, p. 1]",
        "The Americas' operating income was 2,210 million in 2024 [group.pdf, p. 1]",
        "Revenue was 24,690 million [group.pdf, p. 1]",
        "Marketing, with cost of services and others, made 24,942 in 2024 [group.pdf, p. 1]",
        "Dividends were $1,777 million in 2024 [group.pdf, p. 1]",
        "Sales in 2024 were 24,690 [group.pdf, p. 1]",
    ] {
        assert_eq!(statuses_in(&pages, text), [CitationStatus::NumbersFound], "{text}");
    }
    for text in [
        "Cost of services was $24,690 million [group.pdf, p. 1]",
        "| Marketing | 15,100 [group.pdf, p. 1] |",
        "Marketing 15,940 15,100 14,877 [group.pdf, p. 1]",
        "In 2023, product sales were 21,003 million [group.pdf, p. 1]",
        "Marketing in 2022: 4,105 <cite doc=\"group.pdf\" page=\"1\">Marketing 4,312 4,105 3,990</cite>",
    ] {
        assert_eq!(statuses_in(&pages, text), [CitationStatus::NotFound], "{text}");
    }
}

#[test]
fn blanks_may_set_thousands_apart() {
    for text in [
        "233 000 personnes y travaillent [groupe.pdf, p. 2]",
        "It employs 233,000 people [groupe.pdf, p. 2]",
        "The result was -4,056 [groupe.pdf, p. 2]",
        "Les ventes sont de 2\u{202f}057,4 millions d'euros [groupe.pdf, p. 2]",
        "Les créances sont de 64\u{a0}918 milliers de dollars [group.pdf, p. 5]",
        "Financing activities 560 861 [group.pdf, p. 1] in the two years",
    ] {
        let want = if text.contains("560 861") { CitationStatus::NotFound } else { CitationStatus::NumbersFound };
        assert_eq!(statuses_in(&statements_of_a_group(), text), [want], "{text}");
    }
    let rows = ledger(&[("a.pdf", 1, "Domestic 837 838 units\nOther 12 345")]);
    assert_eq!(statuses_in(&rows, "Domestic 837 838 units [a.pdf, p. 1]"), [CitationStatus::NumbersFound]);
    for text in ["233 100 personnes y travaillent [groupe.pdf, p. 2]", "Es sind 2 058,4 Mio. Euro [groupe.pdf, p. 2]"] {
        assert_eq!(statuses_in(&statements_of_a_group(), text), [CitationStatus::NotFound], "{text}");
    }
}

#[test]
fn a_scale_on_a_line_of_its_own_counts_though_years_stand_before_it() {
    let pages = ledger(&[
        (
            "fees.pdf",
            1,
            "Table 5.2. Expenses for depository services, 2021–23\n\nThousands of dollars\n\nAgency  2023  2022\nPayment services  336,377  375,606",
        ),
        ("wrap.pdf", 1, "Le total atteint 770,4\nmillions d'euros. Le siège compte 35 bureaux."),
    ]);
    for text in [
        "Payment services cost $336.4 million [fees.pdf, p. 1]",
        "Payment services cost $375,606 thousand in 2022 <cite doc=\"fees.pdf\" page=\"1\">Payment services 336,377 375,606</cite>",
    ] {
        let found = statuses_in(&pages, text);
        assert!(matches!(found[..], [CitationStatus::NumbersFound | CitationStatus::Verified]), "{text}: {found:?}");
    }
    for text in ["Payment services cost $336.4 billion [fees.pdf, p. 1]", "Il y a 35 millions de bureaux [wrap.pdf, p. 1]"] {
        assert_eq!(statuses_in(&pages, text), [CitationStatus::NotFound], "{text}");
    }
}

#[test]
fn days_and_years_are_no_amounts_and_signs_are_read_in_words() {
    let pages = ledger(&[(
        "annual.pdf",
        26,
        "Years ended September 30, 2025 and 2024\n(in millions)\nNet income  $ 224.4  $ 201.9\nEmployees  9,840  9,310  5.7 %\nWe have 31 plants.",
    )]);
    for text in [
        "Net income was $30 million [annual.pdf, p. 26]",
        "Employees rose by 30% [annual.pdf, p. 26]",
        "They have 2,024 employees [annual.pdf, p. 26]",
        "Net income was $2,025 million [annual.pdf, p. 26]",
        "Net income was minus $224.4 million [annual.pdf, p. 26]",
        "Net income was negative $224.4 million [annual.pdf, p. 26]",
        "Net income was ($224.4) million [annual.pdf, p. 26]",
    ] {
        assert_eq!(statuses_in(&pages, text), [CitationStatus::NotFound], "{text}");
    }
    for text in ["They have 31 plants [annual.pdf, p. 26]", "Net income was $224.4 million [annual.pdf, p. 26]"] {
        assert_eq!(statuses_in(&pages, text), [CitationStatus::NumbersFound], "{text}");
    }
    let years = "The years ended on September 30, 2025 and 2024 [annual.pdf, p. 26]";
    assert_ne!(statuses_in(&pages, years), [CitationStatus::NotFound]);
    for page in ["-26", "26.5", "26e1", "1e26"] {
        let text = format!("Net income was $224.4 million <cite doc=\"annual.pdf\" page=\"{page}\"/>");
        assert!(!matches!(statuses_in(&pages, &text)[..], [CitationStatus::NumbersFound | CitationStatus::Verified]), "{page}");
    }
}
