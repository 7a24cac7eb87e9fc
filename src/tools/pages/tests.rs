use proptest::prelude::*;

use super::*;

fn pages_of(ranges: &[RangeInclusive<u32>]) -> Vec<u32> {
    ranges.iter().cloned().flatten().collect()
}

#[test]
fn the_valid_forms() {
    let inside = |spec: &str| list(&parse(spec, 100).unwrap().inside);
    assert_eq!(inside("5"), "5");
    assert_eq!(inside("3,7,10"), "3,7,10");
    assert_eq!(inside("5-10"), "5-10");
    assert_eq!(inside("1-3,7,9-12"), "1-3,7,9-12");
    assert_eq!(inside("1-3, 7"), "1-3,7");
    assert_eq!(inside(" 10 , 2-4,3-6,007 "), "2-7,10");
    assert_eq!(inside("5 \u{2013} 10"), "5-10");
}

#[test]
fn what_is_not_a_spec_is_refused_with_the_forms() {
    let long = "1,".repeat(5_000_000);
    let huge_number = "9".repeat(90_000);
    for spec in [
        "1-1000000000",
        "0",
        "0-3",
        "5-3",
        "all",
        "5-",
        "-5",
        "",
        "  ",
        ",",
        "1,,2",
        "1,",
        "1-2-3",
        "1.5",
        "p5",
        "+5",
        "\u{0665}",
        "1;2",
        &long,
        &huge_number,
    ] {
        let error = parse(spec, 22).unwrap_err().to_string();
        assert!(error.contains(FORMS), "{error}");
        assert!(error.len() < 400, "{error}");
    }
}

#[test]
fn pages_out_of_range_are_told_apart() {
    let selection = parse("20-30,5,99", 22).unwrap();
    assert_eq!(list(&selection.requested), "5,20-30,99");
    assert_eq!(list(&selection.inside), "5,20-22");
    assert_eq!(list(&selection.outside), "23-30,99");
    assert!(parse("23", 22).unwrap().inside.is_empty());
    assert!(parse("1", 0).unwrap().inside.is_empty());
}

#[test]
fn a_sparse_list_is_cut_with_a_count() {
    let odd: Vec<u32> = (0..4_812).map(|n| n * 2 + 1).collect();
    let shown = list(&ranges_of(&odd));
    assert!(shown.starts_with("1,3,5,7,") && shown.ends_with(",... 4,812 pages in all"), "{shown}");
    assert!(shown.len() < 350);
    assert_eq!(parse(&compress(&odd), u32::MAX).unwrap().inside.len(), 4_812);
}

#[test]
fn an_exact_head_is_a_valid_spec() {
    let ranges = ranges_of(&[1, 2, 3, 7, 9, 11, 12]);
    assert_eq!(exact_head(&ranges, 100), ("1-3,7,9,11-12".to_owned(), 0));
    assert_eq!(exact_head(&ranges, 6), ("1-3,7".to_owned(), 3));
    assert_eq!(exact_head(&ranges, 1), ("1-3".to_owned(), 4));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn compressing_and_parsing_give_the_pages_back(pages in prop::collection::vec(1u32..300, 1..60)) {
        let mut expected = pages.clone();
        expected.sort_unstable();
        expected.dedup();
        let selection = parse(&compress(&pages), 150).unwrap();
        prop_assert_eq!(&pages_of(&selection.requested), &expected);
        let (inside, outside): (Vec<u32>, Vec<u32>) = expected.iter().partition(|page| **page <= 150);
        prop_assert_eq!(pages_of(&selection.inside), inside);
        prop_assert_eq!(pages_of(&selection.outside), outside);
    }

    #[test]
    fn splitting_keeps_every_page(pages in prop::collection::vec(1u32..100, 0..40), first in 0u32..50) {
        let ranges = ranges_of(&pages);
        let (before, after) = split_after(&ranges, first);
        prop_assert_eq!(count(&before), count(&ranges).min(first.into()));
        let mut joined = pages_of(&before);
        joined.extend(pages_of(&after));
        prop_assert_eq!(joined, pages_of(&ranges));
    }

    #[test]
    fn any_text_is_read_or_refused(spec in "[0-9,\\- a\u{2013}]{0,30}", max in 0u32..1000) {
        if let Ok(selection) = parse(&spec, max) {
            prop_assert!(count(&selection.inside) + count(&selection.outside) == count(&selection.requested));
        }
    }
}
