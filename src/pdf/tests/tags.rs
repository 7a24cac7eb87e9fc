//! Structure tags: what lines are by the file's own word, and trees that lead nowhere.

use std::fmt::Write;

use super::forge::pdf;
use super::open;
use crate::pdf::Page;

/// Two pages that share a structure tree. Objects: 1 catalog, 2 pages, 3 font, 4 and 5 the pages, 6 and 7 their content, 8 the root of
/// the tree; `more` follows.
fn tagged(contents: [&str; 2], root: &str, more: &[&str]) -> Vec<Page> {
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R/StructTreeRoot 8 0 R/MarkInfo<</Marked true>>>>".to_owned(),
        "<</Type/Pages/Kids[4 0 R 5 0 R]/Count 2>>".to_owned(),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    for content in [6, 7] {
        let resources = "/Resources<</Font<</F1 3 0 R>>/Properties<</P0<</MCID 0>>>>/XObject<</X 9 0 R>>>>";
        objects.push(format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]{resources}/Contents {content} 0 R>>"));
    }
    for content in contents {
        objects.push(format!("<</Length {}>>stream\n{content}\nendstream", content.len()));
    }
    objects.push(root.to_owned());
    objects.extend(more.iter().map(ToString::to_string));
    open(&pdf(&objects)).unwrap().pages(1, &|_| {})
}

/// A line of words at a height, marked.
fn line(mark: &str, y: u32, words: &str) -> String {
    let (begin, end) = if mark.is_empty() { ("", "") } else { (mark, "EMC") };
    format!("{begin} BT /F1 12 Tf 72 {y} Td ({words}) Tj ET {end}\n")
}

fn mcid(n: u32, y: u32, words: &str) -> String {
    line(&format!("/P <</MCID {n}>> BDC"), y, words)
}

fn shown(pages: &[Page]) -> String {
    pages.iter().flat_map(|p| p.lines.iter().map(move |l| (p.number, l))).fold(String::new(), |mut out, (page, l)| {
        let said = l.tag.map_or("-".to_owned(), |t| format!("{:?} of {}", t.role, t.element));
        writeln!(out, "{page} {}: {said}", l.text).unwrap();
        out
    })
}

#[test]
fn roles_of_lines() {
    let first = [
        line("/Artifact <</Type/Pagination>> BDC", 780, "Head"),
        mcid(0, 700, "Chapter one that goes"),
        mcid(1, 686, "on for two lines"),
        mcid(2, 600, "Plain words"),
        mcid(3, 500, "Cell words"),
        mcid(4, 400, "Item words"),
        line("", 300, "Unmarked words"),
    ]
    .concat();
    let second = [line("/P /P0 BDC", 700, "By a named list"), mcid(7, 600, "Inner section"), mcid(8, 500, "Note words")].concat();
    let root = "<</Type/StructTreeRoot/RoleMap<</Chap/H1/Para/P>>/K[10 0 R]>>";
    let more = [
        "null",
        "<</S/Document/Pg 4 0 R/K[11 0 R 12 0 R 13 0 R 14 0 R 15 0 R]>>",
        // The page comes from above, the content is inside a span.
        "<</S/Chap/K[<</S/Span/K[0 1]>>]>>",
        "<</S/Para/K 2>>",
        "<</S/Table/K[<</S/TR/K[<</S/TD/K[<</S/P/K[3]>>]>>]>>]>>",
        "<</S/L/K[<</S/LI/K[<</S/LBody/K[4]>>]>>]>>",
        "<</S/Sect/Pg 5 0 R/K[<</S/Para/K<</Type/MCR/MCID 0>>>><</S/Sect/K[<</S/H/K 7>><</S/Note/K[<</S/P/K 8>>]>>]>>]>>",
    ];
    insta::assert_snapshot!(shown(&tagged([&first, &second], root, &more)));
}

#[test]
fn content_of_a_form_is_counted_in_the_form() {
    let first = mcid(0, 700, "On the page") + "/X Do";
    let form = mcid(0, 500, "In the form");
    let form = format!(
        "<</Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>>>/Length {}>>stream\n{form}\nendstream",
        form.len()
    );
    let root = "<</K[<</S/H2/Pg 4 0 R/K[0]>><</S/Caption/K<</Type/MCR/Pg 4 0 R/Stm 9 0 R/MCID 0>>>>]>>";
    let got = shown(&tagged([&first, ""], root, &[&form]));
    assert_eq!(got, "1 On the page: Heading(2) of 1\n1 In the form: Caption of 2\n");
}

#[test]
fn trees_that_lead_nowhere() {
    let content = mcid(0, 700, "Words");
    let circle = ["null", "<</S/Sect/K[11 0 R 10 0 R]>>", "<</S/H1/Pg 4 0 R/K[10 0 R 0 11 0 R]>>"];
    let trees: [(&str, &[&str], &str); 5] = [
        ("null", &[], "-"),
        ("<</K 99 0 R>>", &[], "-"),
        ("<</RoleMap 3/K[(x) -1 1.5 null /N true[]<</S 7/K 0>>]>>", &[], "-"),
        ("<</RoleMap<</A/B/B/A>>/K<</S/A/K<</S/H1/Pg 4 0 R/K[99 0 R 0]>>>>>>", &[], "Heading(1) of 2"),
        ("<</K 10 0 R>>", &circle, "Heading(1) of 2"),
    ];
    for (root, more, want) in trees {
        assert_eq!(shown(&tagged([&content, ""], root, more)), format!("1 Words: {want}\n"), "{root}");
    }
}

#[test]
fn deep_and_wide_trees_end() {
    let depth = 20_000;
    let mut more = vec!["null".to_owned()];
    more.extend((0..depth).map(|i| format!("<</S/Sect/K {} 0 R>>", i + 11)));
    more.push(format!("<</S/H/Pg 4 0 R/K[{}0]>>", "1 ".repeat(50_000)));
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    let got = shown(&tagged([&mcid(0, 700, "Deep"), ""], "<</K 10 0 R>>", &more));
    assert_eq!(got, format!("1 Deep: Heading(255) of {}\n", depth + 1));
}
