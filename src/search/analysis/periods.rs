//! Years and quarters in one form: `FY25`, `FY2025` and `2025` share a word, and so do `Q3`, `3Q` and "third quarter".

/// Calls `found` with each plain period (`2025`, `q3`) that a mixed word of letters and digits holds (`fy25`, `1q25`, `q1fy25`).
pub fn periods_in(word: &str, found: &mut dyn FnMut(&str)) {
    let runs = runs(word);
    let mut after_quarter = false;
    let mut previous = "";
    for (at, run) in runs.iter().enumerate() {
        let next = runs.get(at + 1).copied().unwrap_or_default();
        let digits = run.bytes().all(|b| b.is_ascii_digit());
        if digits && ((previous == "q" && quarter(run)) || (next == "q" && quarter(run) && previous.is_empty())) {
            found(&format!("q{run}"));
            after_quarter = true;
        } else if digits && year(run) {
            found(run);
        } else if digits && run.len() == 2 && (previous == "fy" || after_quarter) {
            found(&format!("20{run}"));
        }
        previous = run;
    }
}

/// The number of a quarter that this word gives when a word for "quarter" follows: 1 to 4.
pub fn ordinal(word: &str) -> Option<u8> {
    Some(match word {
        "first" | "1st" | "ersten" | "erstes" | "erste" | "premier" | "1er" | "primer" | "primo" | "primeiro" => 1,
        "second" | "2nd" | "zweiten" | "zweites" | "zweite" | "deuxième" | "segundo" | "secondo" => 2,
        "third" | "3rd" | "dritten" | "drittes" | "dritte" | "troisième" | "tercer" | "terzo" | "terceiro" => 3,
        "fourth" | "4th" | "vierten" | "viertes" | "vierte" | "quatrième" | "cuarto" | "quarto" => 4,
        _ => return None,
    })
}

/// Whether the word means a quarter of a year.
pub fn is_quarter(word: &str) -> bool {
    matches!(word, "quarter" | "quarters" | "quartal" | "quartals" | "trimestre" | "kwartaal" | "kvartal")
}

fn quarter(digits: &str) -> bool {
    matches!(digits, "1" | "2" | "3" | "4")
}

fn year(digits: &str) -> bool {
    digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"))
}

/// The word cut where letters and digits meet.
fn runs(word: &str) -> Vec<&str> {
    let mut runs = Vec::new();
    let mut start = 0;
    let mut before: Option<bool> = None;
    for (at, c) in word.char_indices() {
        let digit = c.is_ascii_digit();
        if before.is_some_and(|was| was != digit) {
            runs.extend(word.get(start..at));
            start = at;
        }
        before = Some(digit);
    }
    runs.extend(word.get(start..));
    runs
}
