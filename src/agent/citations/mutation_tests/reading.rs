//! Pages as a reader with a ruler sees them: sentences, table rows, and the figures in them. It shares nothing with the checker, so that it
//! does not share its mistakes either; what it is not sure of it leaves out.

use std::collections::HashSet;

/// What a figure counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Plain,
    Percent,
    Money(char),
}

/// A figure of a statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// As written, separators included.
    pub digits: String,
    /// Where the digits begin in the statement.
    pub at: usize,
    /// With its currency sign, parentheses, scale word and percent sign; `phrase_at` is where that begins.
    pub phrase: String,
    pub phrase_at: usize,
    pub value: f64,
    /// Digits after the decimal separator.
    pub decimals: usize,
    pub negative: bool,
    pub unit: Unit,
    /// Power of ten of its own scale word.
    pub scale: Option<i32>,
}

/// A sentence or a table row.
#[derive(Debug, Clone)]
pub struct Statement {
    pub doc: usize,
    pub page: usize,
    /// On one line.
    pub text: String,
    /// As the page has it, with its line ends.
    pub raw: String,
    pub figures: Vec<Figure>,
    pub is_row: bool,
    /// The page writes 1.234,5.
    pub comma: bool,
}

/// Whether a document writes its decimals with a comma; `None` where its numbers do not tell.
pub fn writes_comma(pages: &[String]) -> Option<bool> {
    let (mut point, mut comma) = (0, 0);
    for token in pages.iter().flat_map(|p| p.split_whitespace()) {
        let t = token.trim_matches(|c: char| !c.is_ascii_digit());
        let parts: Vec<&str> = t.split(['.', ',']).collect();
        let [whole, rest] = parts.as_slice() else { continue };
        if whole.is_empty() || !parts.iter().all(|p| p.bytes().all(|b| b.is_ascii_digit())) || whole.len() > 3 {
            continue;
        }
        match (t.contains(','), rest.len()) {
            (true, 3) | (false, 1 | 2) => point += 1,
            (true, 1 | 2) | (false, 3) => comma += 1,
            _ => {}
        }
    }
    (point + comma >= 3 && point.max(comma) >= 4 * point.min(comma)).then_some(comma > point)
}

/// The statements of a page.
pub fn statements(doc: usize, page: usize, text: &str, comma: bool) -> Vec<Statement> {
    let mut out = Vec::new();
    for block in blocks(text) {
        let lines: Vec<&str> = block.lines().collect();
        for line in lines.iter().filter(|l| is_row(l)) {
            push(&mut out, doc, page, line.trim(), true, comma);
        }
        if !lines.iter().any(|l| l.trim().contains("  ")) {
            for sentence in sentences(block) {
                push(&mut out, doc, page, sentence, false, comma);
            }
        }
    }
    out
}

fn push(out: &mut Vec<Statement>, doc: usize, page: usize, raw: &str, is_row: bool, comma: bool) {
    let text = raw.split_whitespace().collect::<Vec<_>>().join(" ");
    let odd = |c: char| "<>[]{}|?!_`*\u{201c}\u{201d}\"=#~\u{fffd}".contains(c) || (c as u32) < 32;
    if !(25..320).contains(&text.len())
        || text.contains(odd)
        || text.contains("..")
        || text.matches('(').count() != text.matches(')').count()
    {
        return;
    }
    let words = text.split(' ').filter(|w| w.chars().filter(|c| c.is_alphabetic()).count() >= 3).count();
    if words < if is_row { 1 } else { 6 } {
        return;
    }
    let figures = figures(&text, comma);
    if !figures.is_empty() {
        out.push(Statement { doc, page, text, raw: raw.to_owned(), figures, is_row, comma });
    }
}

/// Paragraphs and list items.
fn blocks(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        if bare.is_empty() || bare.starts_with(['•', '◦', '▪', '-', '–', '*']) {
            out.push(&text[start..at]);
            start = at;
        }
        at += line.len();
    }
    out.push(&text[start..]);
    out
}

/// A label, then at least two cells with numbers after wide gaps.
fn is_row(line: &str) -> bool {
    let cells: Vec<&str> = line.trim().split("  ").map(str::trim).filter(|c| !c.is_empty()).collect();
    let Some((label, rest)) = cells.split_first() else { return false };
    let letters = label.chars().filter(|c| c.is_alphabetic()).count();
    let numeric = |c: &&&str| c.chars().any(|c| c.is_ascii_digit()) && !c.chars().any(char::is_alphabetic);
    letters >= 6
        && label.starts_with(char::is_alphabetic)
        && !label.chars().any(|c| c.is_ascii_digit())
        && rest.len() >= 2
        && rest.iter().filter(numeric).count() >= 2
        && rest.iter().all(|c| !c.chars().any(char::is_alphabetic))
}

fn sentences(block: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = block.find(char::is_uppercase).unwrap_or(block.len());
    let chars: Vec<(usize, char)> = block.char_indices().collect();
    for (i, &(at, c)) in chars.iter().enumerate() {
        let next = chars.get(i + 1).map(|c| c.1);
        let opens = chars.get(i + 2).map(|c| c.1).is_none_or(|c| c.is_uppercase() || c.is_ascii_digit());
        if at >= start && c == '.' && next.is_none_or(char::is_whitespace) && opens {
            out.push(block[start..at].trim());
            start = at + 1 + block[at + 1..].find(char::is_uppercase).unwrap_or(block.len() - at - 1);
        }
    }
    out
}

const SCALES: [(&str, i32); 10] = [
    ("thousand", 3),
    ("million", 6),
    ("billion", 9),
    ("trillion", 12),
    ("Mio.", 6),
    ("Mrd.", 9),
    ("Millionen", 6),
    ("Milliarden", 9),
    ("millions", 6),
    ("milliards", 9),
];

/// The figures of two or more digits that are surely figures.
pub fn figures(text: &str, comma: bool) -> Vec<Figure> {
    let mut out: Vec<Figure> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while end < bytes.len()
            && (bytes[end].is_ascii_digit()
                || (matches!(bytes[end], b'.' | b',') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)))
        {
            end += 1;
        }
        out.extend(figure(text, at, end, comma));
        at = end;
    }
    // The first of "5 to 7 million" means millions without saying so.
    let scaled: Vec<usize> = out.iter().filter(|f| f.scale.is_some() || f.unit != Unit::Plain).map(|f| f.at).collect();
    out.retain(|f| {
        f.scale.is_some() || f.unit == Unit::Percent || !scaled.iter().any(|&s| s > f.at && s < f.at + f.digits.len() + 22)
    });
    out
}

fn figure(text: &str, at: usize, end: usize, comma: bool) -> Option<Figure> {
    let digits = &text[at..end];
    let (value, decimals) = read(digits, comma)?;
    let count = digits.bytes().filter(u8::is_ascii_digit).count();
    let year = digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
    let (head, tail) = (&text[..at], &text[end..]);
    let before = head.chars().next_back();
    let after = tail.chars().next();
    let free = before.is_none_or(|c| c.is_whitespace() || "($€£".contains(c))
        && after.is_none_or(|c| c.is_whitespace() || "%),;:".contains(c) || (c == '.' && tail.len() == 1));
    if !free || year || !(2..16).contains(&count) || value == 0.0 || is_reference(head) || is_date(head, tail) {
        return None;
    }
    let (mut start, mut stop) = (at, end);
    let mut unit = Unit::Plain;
    let bare = head.trim_end();
    if let Some(sign) = bare.chars().next_back().filter(|c| "$€£".contains(*c)) {
        let letters = bare[..bare.len() - sign.len_utf8()].chars().next_back().is_some_and(char::is_alphabetic);
        if letters || head.len() - bare.len() > 1 {
            return None;
        }
        unit = Unit::Money(sign);
        start = bare.len() - sign.len_utf8();
    } else if bare.ends_with(['-', '–', '−', '/', '+', '±', '×', '<', '>', '≤', '≥', ',']) {
        return None;
    }
    let mut scale = None;
    let rest = tail.trim_start();
    if rest.starts_with('%') || rest.starts_with("percent") {
        if unit != Unit::Plain || rest.starts_with("percenta") {
            return None;
        }
        unit = Unit::Percent;
        stop = text.len() - rest.len() + if rest.starts_with('%') { 1 } else { 7 };
    } else if let Some((word, power)) =
        SCALES.iter().find(|(w, _)| rest.strip_prefix(w).is_some_and(|r| !r.starts_with(char::is_alphanumeric)))
    {
        scale = Some(*power);
        stop = text.len() - rest.len() + word.len();
    }
    let more = text[stop..].trim_start();
    if more.starts_with('€') {
        unit = Unit::Money('€');
        stop = text.len() - more.len() + '€'.len_utf8();
    }
    // What may be a unit of its own is not to be guessed at.
    if [
        "-", "–", "bn", "m ", "k ", "basis", "bps", "x ", "(s)", "per cent", "Prozent", "pour", "¢", "°", "%", "crore", "lakh",
        "page", "to ", "or ",
    ]
    .iter()
    .any(|w| text[stop..].trim_start().starts_with(w))
    {
        return None;
    }
    let open = text[..start].ends_with('(');
    let closed = text[stop..].starts_with(')');
    let alone = open && closed;
    let after_gap = text[..start].strip_suffix('(').is_some_and(|h| h.is_empty() || h.ends_with(' '));
    if alone {
        // A footnote mark or an aside of a sentence; in a row it is a minus.
        if !after_gap || (unit != Unit::Plain && !matches!(unit, Unit::Money(_))) || count < 2 {
            return None;
        }
        start -= 1;
        stop += 1;
        // A percent sign in the next cell is its own.
        if text[stop..].trim_start().starts_with('%') {
            return None;
        }
    } else if (open && !text[stop..].contains(')')) || (closed && !text[..start].contains('(')) {
        return None;
    }
    Some(Figure {
        digits: digits.into(),
        at,
        phrase: text[start..stop].into(),
        phrase_at: start,
        value,
        decimals,
        negative: alone,
        unit,
        scale,
    })
}

/// The value and its decimals, in one style only.
pub fn read(digits: &str, comma: bool) -> Option<(f64, usize)> {
    let (group, point) = if comma { ('.', ',') } else { (',', '.') };
    let (whole, fraction) = digits.split_once(point).unwrap_or((digits, ""));
    let groups: Vec<&str> = whole.split(group).collect();
    let grouped = groups.len() > 1;
    if fraction.contains([group, point])
        || (grouped && (groups[0].is_empty() || groups[0].len() > 3 || groups[1..].iter().any(|g| g.len() != 3)))
    {
        return None;
    }
    if whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let value = format!("{}.{}", whole.replace(group, ""), if fraction.is_empty() { "0" } else { fraction }).parse().ok()?;
    Some((value, fraction.len()))
}

fn is_reference(head: &str) -> bool {
    let word = head.trim_end().rsplit([' ', '(']).next().unwrap_or_default().to_lowercase();
    let word = word.trim_end_matches('.');
    let lists = [
        "and",
        "or",
        "to",
        "through",
        "und",
        "et",
        "bis",
        "de",
        "du",
        "no",
        "nr",
        "number",
        "version",
        "chapter",
        "rule",
        "act",
        "code",
        "topic",
        "asu",
        "asc",
        "form",
        "box",
        "suite",
        "level",
        "grade",
        "class",
        "article",
        "art",
        "clause",
        "line",
        "step",
        "equation",
        "eq",
        "lemma",
        "theorem",
        "schedule",
        "volume",
        "vol",
        "part",
        "exhibit",
        "appendix",
        "annex",
        "ias",
        "ifrs",
        "iso",
        "title",
        "kapitel",
        "abschnitt",
        "seite",
        "tabelle",
        "abbildung",
        "page",
        "pages",
        "p",
        "pp",
        "note",
        "notes",
        "section",
        "sections",
        "item",
        "items",
        "table",
        "tables",
        "figure",
        "figures",
        "fig",
        "s",
        "§",
        "bijlage",
        "hoofdstuk",
        "pagina",
        "tabel",
        "figuur",
        "on",
        "by the",
        "release",
        "paragraph",
        "paragraphs",
        "parts",
        "paras",
        "para",
    ];
    lists.contains(&word)
}

fn is_date(head: &str, tail: &str) -> bool {
    const MONTHS: [&str; 16] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mär", "okt", "dez", "mai"];
    let before = head.trim_end().rsplit(' ').next().unwrap_or_default().to_lowercase();
    let after = tail.trim_start_matches(['.', ' ']).split(' ').next().unwrap_or_default().to_lowercase();
    MONTHS.iter().any(|m| before.starts_with(m) || after.starts_with(m))
}

/// Every value that a page can be said to hold: each run of digits in every reading, without sign, scale and unit.
pub struct Worth {
    values: Vec<f64>,
    squeezed: String,
    strings: HashSet<String>,
    signed: HashSet<String>,
}

impl Worth {
    pub fn of(text: &str) -> Self {
        let (mut values, mut strings, mut signed) = (Vec::new(), HashSet::new(), HashSet::new());
        let mut run = String::new();
        let mut last = ' ';
        let mut lead = ' ';
        for c in text.chars().chain([' ']) {
            let digit = c.is_ascii_digit() || ".,' \u{a0}\u{202f}\u{2009}".contains(c);
            if digit {
                if run.is_empty() {
                    lead = last;
                }
                run.push(c);
            } else if !run.is_empty() {
                take(&run, &mut values, &mut strings);
                if "(-–−‐".contains(lead) {
                    signed.insert(run.trim_matches(|c: char| !c.is_ascii_digit()).to_owned());
                }
                run.clear();
            }
            if !c.is_whitespace() && !"$€£".contains(c) {
                last = c;
            }
        }
        take(&run, &mut values, &mut strings);
        values.sort_by(f64::total_cmp);
        values.dedup();
        Self { values, squeezed: squeezed(text), strings, signed }
    }

    /// Whether a value (its own scale applied) can be found here, under any scale, when both may be rounded to the digits of the claim.
    pub fn may_hold(&self, value: f64, step: f64) -> bool {
        [-12, -9, -6, -3, -2, 0, 2, 3, 6, 9, 12].iter().any(|&k| {
            let factor = 10f64.powi(k);
            let (low, high) = ((value - step * 0.51) * factor, (value + step * 0.51) * factor);
            let from = self.values.partition_point(|v| *v < low);
            self.values.get(from).is_some_and(|v| *v <= high)
        })
    }

    /// The same for values without any scale.
    pub fn may_hold_as_written(&self, value: f64, step: f64) -> bool {
        let from = self.values.partition_point(|v| *v < value - step * 0.51);
        self.values.get(from).is_some_and(|v| *v <= value + step * 0.51)
    }

    /// Whether these digits are written here, as a number of their own.
    pub fn writes(&self, digits: &str) -> bool {
        self.strings.contains(digits)
    }

    /// Whether these digits are written somewhere with a parenthesis or a dash before them.
    pub fn writes_negative(&self, digits: &str) -> bool {
        self.signed.iter().any(|s| s.split(' ').next() == Some(digits))
    }

    pub fn has_words(&self, quote: &str) -> bool {
        self.squeezed.contains(&squeezed(quote))
    }
}

fn take(run: &str, values: &mut Vec<f64>, strings: &mut HashSet<String>) {
    let run = run.trim_matches(|c: char| !c.is_ascii_digit());
    for part in run.split_whitespace() {
        let part = part.trim_matches(|c: char| !c.is_ascii_digit());
        strings.insert(part.to_owned());
        for comma in [false, true] {
            values.extend(read(part, comma).map(|r| r.0));
        }
        let plain: String = part.chars().filter(char::is_ascii_digit).collect();
        values.extend(plain.parse::<f64>().ok());
        for piece in part.split(['.', ',', '\'']) {
            values.extend(piece.parse::<f64>().ok());
        }
    }
    // Groups set apart by blanks.
    let groups: Vec<&str> = run.split_whitespace().collect();
    for window in 2..=4usize.min(groups.len()) {
        for g in groups.windows(window) {
            let joined: String = g.concat();
            for comma in [false, true] {
                values.extend(read(&joined, comma).map(|r| r.0));
            }
        }
    }
}

/// Letters and digits only.
pub fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
