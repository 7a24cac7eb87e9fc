//! Numbering of titles and their comparison.

use crate::index::numbering::{Scheme, numbering, roman};
use crate::index::titles::{TITLE_MAX, alike, clean, fold, fold_bare, shorten};

#[test]
fn numbering_is_read_from_the_head_of_titles() {
    let read = |title: &str| numbering(title).map(|n| (n.scheme, n.value, title[n.len..].to_owned()));
    let some = |scheme, value: &[u32], rest: &str| Some((scheme, value.to_vec(), rest.to_owned()));
    assert_eq!(read("2.1 Scope"), some(Scheme::Decimal, &[2, 1], "Scope"));
    assert_eq!(read("3. Use"), some(Scheme::Decimal, &[3], "Use"));
    assert_eq!(read("IV. Findings"), some(Scheme::UpperRoman, &[4], "Findings"));
    assert_eq!(read("B. Sources"), some(Scheme::UpperLetter, &[2], "Sources"));
    assert_eq!(read("a) Aims"), some(Scheme::LowerLetter, &[1], "Aims"));
    assert_eq!(read("(3) Fees"), some(Scheme::Bracketed, &[3], "Fees"));
    assert_eq!(read("Item 7A. Market risk"), some(Scheme::Item, &[7, 1], "Market risk"));
    assert_eq!(read("Chapter 4: Rivers"), some(Scheme::Chapter, &[4], "Rivers"));
    assert_eq!(read("Part II"), some(Scheme::Part, &[2], ""));
    assert_eq!(read("§ 12 Duties"), some(Scheme::Clause, &[12], "Duties"));
    assert_eq!(read("A.1.2 Details"), some(Scheme::Decimal, &[1, 1, 2], "Details"));
    assert_eq!(read("第十二章 附则"), some(Scheme::Chapter, &[12], "附则"));
    assert_eq!(read("제 3 장 신호"), some(Scheme::Chapter, &[3], "신호"));
    assert_eq!(read("二、总体要求"), some(Scheme::Ideographic, &[2], "总体要求"));
    assert_eq!(read("（三）主要任务"), some(Scheme::BracketedIdeographic, &[3], "主要任务"));
    assert_eq!(read("（2）方法"), some(Scheme::Bracketed, &[2], "方法"));
    assert_eq!(read("4．評価"), some(Scheme::Decimal, &[4], "評価"));
    assert_eq!(read("나. 시장"), some(Scheme::LowerLetter, &[2], "시장"));
    assert_eq!(read("Abschnitt 2 Pflichten"), some(Scheme::Section, &[2], "Pflichten"));
    assert_eq!(read("CHAPTER SEVEN"), some(Scheme::Chapter, &[7], ""));
    assert_eq!(read("Rozdział 4. Rzeki"), some(Scheme::Chapter, &[4], "Rzeki"));
}

#[test]
fn years_amounts_and_words_are_no_numbering() {
    for title in [
        "2023 Results",
        "3.5% of sales",
        "A plan for all",
        "Civil law",
        "Mix and match",
        "Part of the whole",
        "1,200 pieces",
        "",
        "나라",
        "一般的、特別",
    ] {
        assert_eq!(numbering(title), None, "{title}");
    }
    assert_eq!(roman("xlii"), Some(42));
    assert_eq!(roman("iiii"), None);
}

#[test]
fn titles_are_folded_for_comparison() {
    assert_eq!(fold("Re\u{301}sumé — Part\u{a0}1"), "résumépart1");
    assert_eq!(fold_bare("2.1  Scope of Work"), "scopeofwork");
    assert!(alike(&fold("Risk Factors"), &fold("RISK  FACTORS")));
    assert!(!alike("risk", "rink"));
}

#[test]
fn titles_are_bounded() {
    let long = "word ".repeat(100);
    assert!(clean(&long).chars().count() <= TITLE_MAX);
    assert!(clean(&"x".repeat(900)).chars().count() <= TITLE_MAX);
    assert_eq!(clean(" a\u{0}b \n c "), "a b c");
    assert_eq!(shorten("one two three", 8), "one two…");
}
