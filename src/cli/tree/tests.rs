use super::draw::Drawing;
use super::*;
use crate::cli::args::{ColorChoice, GlobalArgs};
use crate::index::{NodeSource, Provenance};

fn printer(color: ColorChoice) -> Printer {
    Printer::new(&GlobalArgs { library: None, config: None, prompts: None, log_file: None, color, quiet: false, verbose: 0 })
}

fn node(title: &str, start_index: u32, end_index: u32, nodes: Vec<Node>) -> Node {
    Node {
        title: title.to_owned(),
        node_id: "0001".to_owned(),
        start_index,
        end_index,
        summary: Some(format!("What stands in {title}.")),
        key_items: Vec::new(),
        nodes,
        provenance: Provenance { source: NodeSource::Headings, confidence: 80, printed: true },
    }
}

fn sample() -> Outline {
    let mut deep = node("Deferred taxes and what the company expects of them in the years to come", 24, 26, Vec::new());
    deep.key_items = vec!["Carry-forwards".to_owned(), "Valuation\u{1b}[2J allowance".to_owned()];
    deep.provenance.printed = false;
    let notes = node(
        "Notes",
        21,
        30,
        vec![node("Taxes", 23, 27, vec![deep]), node("租赁与承诺事项的说明以及相关的风险", 28, 30, Vec::new())],
    );
    Outline {
        doc_name: "report.pdf".to_owned(),
        page_count: 30,
        toc_source: Some("headings".to_owned()),
        tree: vec![node("Front\u{1b}]0;x\u{7} matter", 1, 20, Vec::new()), notes],
        labels: (1..=30).map(|page| (page, if page < 13 { format!("F-{page}") } else { (page - 12).to_string() })).collect(),
    }
}

fn drawn(view: &View, color: ColorChoice, width: Option<usize>) -> String {
    let outline = sample();
    let printer = printer(color);
    let shown = select::select(&outline.tree, view.depth, view.wanted.as_ref());
    let drawing = Drawing { printer: &printer, labels: &outline.labels, view, width };
    drawing.head(&outline) + &drawing.nodes(&shown)
}

fn looking_for(text: &str) -> View {
    View { wanted: Wanted::new(text), ..View::default() }
}

#[test]
fn a_tree_in_a_file_has_one_line_a_section() {
    let view = View { sources: true, ..View::default() };
    insta::assert_snapshot!(drawn(&view, ColorChoice::Never, None));
}

#[test]
fn on_a_narrow_terminal_it_is_wrapped() {
    let view = View { summaries: true, sources: true, ..View::default() };
    let text = drawn(&view, ColorChoice::Never, Some(40));
    assert!(text.lines().all(|line| textwrap::core::display_width(line) <= 40), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn colours_take_no_room_and_nothing_of_the_file_reaches_the_terminal() {
    for width in [None, Some(20), Some(40)] {
        let view = View { summaries: true, wanted: Wanted::new("a"), ..View::default() };
        let plain = drawn(&view, ColorChoice::Never, width);
        let mut painted = drawn(&view, ColorChoice::Always, width);
        assert!(!plain.contains(|c: char| c.is_control() && c != '\n'), "{plain}");
        for ours in ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[2m", "\u{1b}[1;31m"] {
            painted = painted.replace(ours, "");
        }
        assert_eq!(painted, plain);
    }
}

#[test]
fn what_is_looked_for_is_shown_in_its_place_and_marked() {
    let view = looking_for("valuation");
    insta::assert_snapshot!(drawn(&view, ColorChoice::Never, None), @r"
    report.pdf  30 pages  sections from headings in the layout
    Notes  pp. 21-30 (printed 9-18)
      Taxes  pp. 23-27 (printed 11-15)
        Deferred taxes and what the company expects of them in the years to come  pp. 24-26 (printed 12-14)
            also: Valuation\u{1b}[2J allowance
    ");
    let painted = drawn(&view, ColorChoice::Always, None);
    assert!(painted.contains("\u{1b}[1;31mValuation\u{1b}[0m"), "{painted}");
}

#[test]
fn levels_that_are_left_out_are_counted() {
    let view = View { depth: Some(1), ..View::default() };
    insta::assert_snapshot!(drawn(&view, ColorChoice::Never, None), @r"
    report.pdf  30 pages  sections from headings in the layout
    Front\u{1b}]0;x\u{7} matter  pp. 1-20 (printed F-1 to 8)
    Notes  pp. 21-30 (printed 9-18)  +3 inside
    ");
}

#[test]
fn json_keeps_the_contract_and_says_more_only_when_asked() {
    let outline = sample();
    let json = |sources| {
        let shown = select::select(&outline.tree, None, None);
        serde_json::to_string(&shown.iter().map(|node| JsonNode::of(node, sources)).collect::<Vec<_>>()).unwrap()
    };
    assert_eq!(json(false), serde_json::to_string(&outline.tree).unwrap());
    let with: serde_json::Value = serde_json::from_str(&json(true)).unwrap();
    let deep = &with[1]["nodes"][0]["nodes"][0];
    assert_eq!((&deep["source"], &deep["confidence"], &deep["title_printed"]), (&"headings".into(), &80.into(), &false.into()));
}
