//! Tables of forged pages, as they are written.

use super::text_of;

/// Draws words from a place to the right, at 10 points.
fn left(x: f32, y: f32, text: &str) -> String {
    let text = text.replace('(', "\\(").replace(')', "\\)").replace('—', "\\227").replace('–', "\\226");
    format!("BT /F1 10 Tf {x} {y} Td ({text}) Tj ET\n")
}

/// Draws a figure that ends at a place.
fn right(x: f32, y: f32, text: &str) -> String {
    let width = |c: char| match c {
        ',' | '.' => 2.78,
        '(' | ')' | '-' => 3.33,
        '—' => 10.0,
        '%' => 8.89,
        _ => 5.56,
    };
    left(x - text.chars().map(width).sum::<f32>(), y, text)
}

/// Rows of a label and figures that end at these places, 14 points apart from 700 down.
fn rows(ends: &[f32], rows: &[&[&str]]) -> String {
    let mut content = String::new();
    for (y, row) in (0_u16..).zip(rows) {
        let y = 700.0 - 14.0 * f32::from(y);
        for (at, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            content.push_str(&if at == 0 { left(50.0, y, cell) } else { right(ends[at - 1], y, cell) });
        }
    }
    content
}

fn lines_of(content: &str) -> Vec<String> {
    text_of(content).lines().filter(|l| !l.is_empty()).map(str::to_owned).collect()
}

#[test]
fn columns_close_to_each_other_are_cells() {
    let content = rows(
        &[170.0, 214.0, 258.0],
        &[
            &["Income", "45,210", "43,001", "39,870"],
            &["Expense", "(12,004)", "(11,430)", "(9,998)"],
            &["Net income", "33,206", "31,571", "29,872"],
        ],
    );
    let expected = ["Income  45,210  43,001  39,870", "Expense  (12,004)  (11,430)  (9,998)", "Net income  33,206  31,571  29,872"];
    assert_eq!(lines_of(&content), expected);
}

#[test]
fn figures_a_point_apart_are_never_joined() {
    let content = rows(&[130.0, 158.8], &[&["A", "1,100", "2,100"], &["B", "1,101", "2,101"], &["C", "1,102", "2,102"]]);
    assert_eq!(lines_of(&content), ["A  1,100  2,100", "B  1,101  2,101", "C  1,102  2,102"]);
}

#[test]
fn groups_of_three_digits_are_one_number() {
    let content = rows(
        &[250.0, 350.0],
        &[&["Sales", "1 234 567", "987 654"], &["Costs", "1 034 567", "887 654"], &["Net", "200 000", "100 000"]],
    );
    assert_eq!(lines_of(&content), ["Sales  1 234 567  987 654", "Costs  1 034 567  887 654", "Net  200 000  100 000"]);
}

#[test]
fn typed_words_before_figures_are_no_cells() {
    let content = rows(&[400.0], &[&["Chapter 1", "5"], &["Chapter 2", "17"], &["Chapter 3", "29"], &["Chapter 12", "130"]]);
    assert_eq!(lines_of(&content), ["Chapter 1  5", "Chapter 2  17", "Chapter 3  29", "Chapter 12  130"]);
}

#[test]
fn ranges_are_one_cell() {
    let row = |y: f32, from: &str, to: &str, figure: &str| {
        [right(80.0, y, from), left(84.0, y, "–"), right(120.0, y, to), right(200.0, y, figure)].concat()
    };
    let content =
        [row(700.0, "5001", "10000", "49"), row(686.0, "10001", "20000", "1,102"), row(672.0, "20001", "30000", "7")].concat();
    assert_eq!(lines_of(&content), ["5001 – 10000  49", "10001 – 20000  1,102", "20001 – 30000  7"]);
}

#[test]
fn signs_in_columns_of_their_own_belong_to_their_figures() {
    let signed = |y: f32, label: &str, before: &str, figure: &str, after: &str| {
        [left(50.0, y, label), left(200.0, y, before), right(250.0, y, figure), left(253.0, y, after)].concat()
    };
    let content = [
        signed(700.0, "Revenue", "$", "1,234", ""),
        signed(686.0, "Cost of sales", "", "(812", ")"),
        signed(672.0, "Loss", "$", "(27", ")"),
        signed(658.0, "Tax rate", "", "21.0", "%"),
    ]
    .concat();
    assert_eq!(lines_of(&content), ["Revenue  $ 1,234", "Cost of sales  (812)", "Loss  $ (27)", "Tax rate  21.0%"]);
}

#[test]
fn a_percent_sign_before_a_word_is_a_head() {
    let content = [
        right(250.0, 714.0, "2018"),
        right(300.0, 714.0, "2017"),
        left(320.0, 714.0, "% change"),
        rows(&[250.0, 300.0, 350.0], &[&["Sales", "96", "81", "18.5"], &["Costs", "70", "65", "7.7"]]),
    ]
    .concat();
    assert_eq!(lines_of(&content)[0].trim_start(), "2018  2017  % change");
}

/// A label of three lines with its figures on one of them, and a short row after it.
fn wrapped(figures_on: u16) -> String {
    let mut content = String::new();
    for (at, line) in (0_u16..).zip(["Depreciation and amortization", "of property, plant and other", "equipment"]) {
        content.push_str(&left(50.0, 700.0 - 11.0 * f32::from(at), line));
    }
    let y = 700.0 - 11.0 * f32::from(figures_on);
    content
        + &[
            right(280.0, y, "55,210"),
            right(340.0, y, "49,876"),
            left(50.0, 660.0, "Rent"),
            right(280.0, 660.0, "12"),
            right(340.0, 660.0, "7"),
        ]
        .concat()
}

#[test]
fn wrapped_labels_belong_to_their_row() {
    for figures_on in 0..3 {
        let expected = ["Depreciation and amortization of property, plant and other equipment  55,210  49,876", "Rent  12  7"];
        assert_eq!(lines_of(&wrapped(figures_on)), expected, "figures on line {figures_on}");
    }
}

#[test]
fn a_word_cut_in_a_wrapped_label_is_put_together() {
    let content = [
        left(50.0, 700.0, "Contractual services and profes-"),
        left(50.0, 689.0, "sional fees for mortgage-"),
        left(50.0, 678.0, "backed securities"),
        right(280.0, 678.0, "55,210"),
        right(340.0, 678.0, "49,876"),
        left(50.0, 660.0, "Rent"),
        right(280.0, 660.0, "12"),
        right(340.0, 660.0, "7"),
    ]
    .concat();
    let label = "Contractual services and professional fees for mortgage-backed securities";
    assert_eq!(lines_of(&content), [format!("{label}  55,210  49,876"), "Rent  12  7".to_owned()]);
}

#[test]
fn headings_stay_above_their_rows() {
    let content = rows(
        &[280.0, 340.0],
        &[
            &["Current assets:"],
            &["Cash", "12", "11"],
            &["Receivables", "4", "—"],
            &["Non-current assets"],
            &["Buildings", "1,000", "990"],
        ],
    );
    let expected = ["Current assets:", "Cash  12  11", "Receivables  4  —", "Non-current assets", "Buildings  1,000  990"];
    assert_eq!(lines_of(&content), expected);
}

#[test]
fn lines_that_end_with_a_date_are_not_joined() {
    let content = [
        left(50.0, 700.0, "Shares outstanding as of December 31, 2022"),
        left(50.0, 689.0, "and December 31, 2021, respectively"),
        right(330.0, 689.0, "2.0"),
        right(380.0, 689.0, "1.9"),
        rows(&[330.0, 380.0], &[]),
        left(50.0, 670.0, "Other"),
        right(330.0, 670.0, "12"),
        right(380.0, 670.0, "7"),
    ]
    .concat();
    assert_eq!(lines_of(&content).len(), 3, "{content}");
}

#[test]
fn heads_of_several_lines_stand_above_their_columns() {
    let content = [
        "BT /F2 10 Tf 11 TL 190 736 Td (Year ended) Tj T* (December 31,) Tj T* (2024) Tj ET\n",
        "BT /F2 10 Tf 11 TL 290 725 Td (Change) Tj T* (\\(%\\)) Tj ET\n",
        "BT /F2 10 Tf 50 714 Td (\\(in millions\\)) Tj ET\n",
        &rows(&[230.0, 310.0], &[&["Sales", "96", "4.5"], &["Costs", "81", "(2.0)"]]),
    ]
    .concat();
    assert_eq!(
        lines_of(&content),
        ["(in millions)  Year ended December 31, 2024  Change (%)", "Sales  96  4.5", "Costs  81  (2.0)"]
    );
}

#[test]
fn heads_over_several_columns_stay_on_their_line() {
    let content = [
        left(215.0, 725.0, "Years ended June 30,"),
        right(230.0, 714.0, "2023"),
        right(280.0, 714.0, "2022"),
        right(330.0, 714.0, "2021"),
        rows(&[230.0, 280.0, 330.0], &[&["Sales", "96", "81", "70"], &["Costs", "(1,081)", "81", "7"]]),
    ]
    .concat();
    assert_eq!(lines_of(&content), ["Years ended June 30,", "2023  2022  2021", "Sales  96  81  70", "Costs  (1,081)  81  7"]);
}

#[test]
fn empty_cells_keep_their_place() {
    let content = rows(
        &[150.0, 200.0, 250.0, 300.0],
        &[
            &["Item", "Jan", "Feb", "Mar", "Apr"],
            &["Ropes", "1", "", "3", ""],
            &["Sails", "", "2", "", "4,000"],
            &["Masts", "", "", "9", "—"],
        ],
    );
    let expected = [
        "Item   Jan  Feb  Mar    Apr", //
        "Ropes    1         3",
        "Sails         2       4,000",
        "Masts              9      —",
    ];
    assert_eq!(lines_of(&content), expected);
}

#[test]
fn words_under_words_keep_their_place() {
    let row = |y: f32, cells: [&str; 4]| {
        let [date, what, debit, balance] = cells;
        [left(50.0, y, date), left(100.0, y, what), right(300.0, y, debit), right(380.0, y, balance)].concat()
    };
    let content = [
        row(700.0, ["Date", "Description", "Debit", "Balance"]),
        row(686.0, ["03/01", "Opening balance", "", "1,000.00"]),
        row(672.0, ["03/04", "Quay dues", "45.10", "954.90"]),
    ]
    .concat();
    let expected = [
        "Date   Description      Debit   Balance", //
        "03/01  Opening balance         1,000.00",
        "03/04  Quay dues        45.10    954.90",
    ];
    assert_eq!(lines_of(&content), expected);
}

#[test]
fn justified_lines_are_no_cells() {
    let line = |y: f32, words: [&str; 2], end: f32| [left(50.0, y, words[0]), left(end, y, words[1])].concat();
    let content = [
        line(700.0, ["notwithstanding,", "the"], 156.1),
        line(688.0, ["considered", "extraor"], 138.88),
        line(676.0, ["recommendations", "for"], 158.33),
        left(50.0, 664.0, "the environment"),
    ]
    .concat();
    assert_eq!(lines_of(&content)[1], "considered extraor", "{content}");
}

#[test]
fn rows_of_short_words_are_not_put_together() {
    let row =
        |y: f32, cells: [&str; 4]| (0_u16..).zip(cells).map(|(at, c)| left(50.0 + 120.0 * f32::from(at), y, c)).collect::<String>();
    let content = [
        row(720.0, ["Name", "State", "Name", "State"]),
        row(700.0, ["Large accelerated filer", "no", "Accelerated filer", "yes"]),
        row(689.0, ["Non-accelerated filer", "no", "Smaller company", "yes"]),
    ]
    .concat();
    assert_eq!(lines_of(&content).len(), 3, "{:?}", lines_of(&content));
}

#[test]
fn wrapped_cells_of_words_are_read_one_by_one() {
    let row =
        |y: f32, risk: &str, owner: &str, step: &str| [left(50.0, y, risk), left(200.0, y, owner), left(300.0, y, step)].concat();
    let content = [
        row(700.0, "Risk", "Owner", "Mitigation"),
        row(680.0, "Storm damage to the eastern", "Chief engineer", "Weekly inspection and a standing"),
        row(669.0, "breakwater in winter", "", "contract for granite blocks"),
        row(649.0, "Dredging spoil blocks the", "Harbour master", "Barges on call around the clock;"),
        row(638.0, "main channel", "", "limit of six hours per closure"),
    ]
    .concat();
    let expected = [
        "Risk  Owner  Mitigation",
        "Storm damage to the eastern breakwater in winter  Chief engineer  Weekly inspection and a standing contract for granite blocks",
        "Dredging spoil blocks the main channel  Harbour master  Barges on call around the clock; limit of six hours per closure",
    ];
    assert_eq!(lines_of(&content), expected);
}

#[test]
fn leaders_end_where_figures_begin() {
    let row = |y: f32, label: &str, figures: [&str; 2]| {
        [left(50.0, y, &format!("{label}........{}", figures[0])), right(300.0, y, figures[1])].concat()
    };
    let content = [row(700.0, "Revenue", ["1,234", "(88)"]), row(686.0, "Net", ["7", "12"])].concat();
    assert_eq!(lines_of(&content), ["Revenue........  1,234  (88)", "Net........  7  12"]);
}
