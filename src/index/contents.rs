//! Printed contents pages: found, read, and their entries matched to the pages where the titles stand.

use crate::pdf::{Line, Page};

use super::levels::{Ranked, nest};
use super::numbering::{Scheme, numbering, roman};
use super::titles::{clean, fold, has_letters, is_caps};

/// One line of a printed contents page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ContentsEntry {
    /// Title as printed there, numbering included.
    pub title: String,
    /// Page number as printed; roman numbers as negative ones (-4 for "iv"), as they count in a range of their own.
    pub printed: Option<i32>,
    /// Upper edge of its first line in points.
    pub top: f32,
    /// Left edge in points, for the level.
    pub indent: f32,
    /// Font size and weight, for the level.
    pub size: f32,
    /// Whether the entry is set bold.
    pub bold: bool,
    /// Set in capitals.
    pub caps: bool,
    /// Index of its first line in `Page::lines`.
    pub line: usize,
    /// Index of its last line.
    pub last: usize,
}

/// What the contents pages of a document say.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Contents {
    /// The entries in order.
    pub entries: Vec<ContentsEntry>,
    /// Physical numbers of the contents pages.
    pub pages: Vec<u32>,
    /// Index of the last line of the list on the last of them.
    pub last_line: usize,
}

impl Contents {
    /// Whether a line belongs to the contents pages: what stands below the list on its last page does not.
    pub fn covers(&self, page: u32, line: usize) -> bool {
        self.pages.contains(&page) && (self.pages.last() != Some(&page) || line <= self.last_line)
    }
}

/// Indents closer than this are one step, in points; the smallest step seen in contents pages is 9.
const STEP: f32 = 5.0;

/// Folded headings of contents pages in the main languages.
const HEADINGS: &[&str] = &[
    "contents",
    "tableofcontents",
    "tableofcontent",
    "contentspage",
    "index",
    "inhalt",
    "inhaltsverzeichnis",
    "inhaltsübersicht",
    "sommaire",
    "tabledesmatières",
    "inhoud",
    "inhoudsopgave",
    "índice",
    "indice",
    "sumario",
    "sumário",
    "sommario",
    "innehåll",
    "indhold",
    "spistreści",
    "содержание",
    "оглавление",
    "目次",
    "目录",
    "目錄",
    "차례",
    "목차",
    "obsah",
    "içindekiler",
    "sisällys",
];

/// Headings of lists that are not sections.
const OTHER_LISTS: &[&str] = &[
    "figures",
    "tables",
    "abbildungsverzeichnis",
    "tabellenverzeichnis",
    "listedesfigures",
    "listedestableaux",
    "図目次",
    "表目次",
    "그림목차",
    "표목차",
    "listofexhibits",
];

/// Heads of the titles of lists that are not sections, folded.
const OTHER_LIST_HEADS: &[&str] = &[
    "listoftables",
    "listoffigures",
    "listofillustrations",
    "listofboxes",
    "listofcharts",
    "elencodelletabelle",
    "elencodellefigure",
    "listadetablas",
    "listadefiguras",
    "índicedetablas",
    "índicedefiguras",
    "listadetabelas",
    "lijstvantabellen",
    "lijstvanfiguren",
    "seznamtabulek",
    "seznamobrázků",
    "spistabel",
    "spisrysunków",
    "списоктаблиц",
    "списокрисунков",
];

/// Whether a folded line is the heading of a list of tables, figures and the like.
fn heads_other_list(folded: &str) -> bool {
    OTHER_LISTS.contains(&folded) || OTHER_LIST_HEADS.iter().any(|head| folded.starts_with(head)) && folded.len() <= 40
}

/// Whether a line is the heading of a contents page.
pub(super) fn is_contents_heading(text: &str) -> bool {
    text.len() <= 60 && HEADINGS.contains(&fold(text).as_str())
}

/// Reads the contents pages of a document; empty when there are none.
pub(super) fn contents(pages: &[Page]) -> Contents {
    // Contents stand at the front: within the first 30 pages, or the first fifth of a short document.
    let front = (pages.len() / 5).clamp(3, 30);
    let mut found = Contents::default();
    let mut open = false;
    for page in pages.iter().take(front) {
        let heading = page.lines.iter().position(|l| is_contents_heading(l.text.trim()));
        let entries = read(page, heading.map_or(0, |at| at + 1));
        let numbered = entries.iter().filter(|e| e.printed.is_some()).count();
        let lines = page.lines.iter().filter(|l| !l.furniture && has_letters(&l.text, 2)).count();
        // Many entries without a heading are contents too; figures in tables are not, as their numbers do not climb.
        let plausible = numbered >= if heading.is_some() { 2 } else { 5 } && climbing(&entries) && numbered * 5 >= lines;
        if plausible && (heading.is_some() || open || numbered * 10 >= lines * 7) {
            found.last_line = entries.last().map_or(0, |e| e.last);
            found.entries.extend(entries);
            found.pages.push(page.number);
            open = true;
        } else if open {
            break;
        }
    }
    // Years in titles are no page numbers.
    let most = i32::try_from(pages.len()).unwrap_or(i32::MAX).saturating_mul(2).saturating_add(50);
    found.entries.truncate(first_list(&found.entries, most));
    if found.entries.iter().filter(|e| e.printed.is_some()).count() < 3 {
        return Contents::default();
    }
    found
}

/// Entries of the first of several lists: a list of tables or figures that follows starts again with low page numbers.
fn first_list(entries: &[ContentsEntry], most: i32) -> usize {
    let mut highest = 0;
    for (at, entry) in entries.iter().enumerate() {
        let Some(printed) = entry.printed.filter(|n| (1..=most).contains(n)) else { continue };
        let after: Vec<i32> = entries.iter().skip(at).filter_map(|e| e.printed).take(5).collect();
        let again = printed * 3 < highest && after.iter().all(|n| *n > 0 && n * 2 < highest) && after.is_sorted();
        if again && at >= 5 && after.len() >= 3 {
            // The heading of the second list was taken for an entry without a number.
            return entries.get(..at).unwrap_or_default().iter().rposition(|e| e.printed.is_some()).map_or(0, |last| last + 1);
        }
        highest = highest.max(printed);
    }
    entries.len()
}

/// Whether the page numbers of the entries climb, a few exceptions allowed.
fn climbing(entries: &[ContentsEntry]) -> bool {
    let numbers: Vec<i32> = entries.iter().filter_map(|e| e.printed).filter(|n| *n > 0).collect();
    let falls = numbers.windows(2).filter(|w| matches!(w, [a, b] if b < a)).count();
    falls * 6 <= numbers.len()
}

/// The entries of one page, from the given line on. A line without a number is the head of the next entry or a heading of a part.
pub(super) fn read(page: &Page, from: usize) -> Vec<ContentsEntry> {
    let mut out: Vec<ContentsEntry> = Vec::new();
    let mut pending: Option<(ContentsEntry, f32)> = None;
    for (at, line) in page.lines.iter().enumerate().skip(from) {
        let text = line.text.trim();
        if line.furniture || text.is_empty() {
            continue;
        }
        // With a page number it is an entry of the contents.
        if heads_other_list(&fold(text)) && split(text).1.is_none() {
            break;
        }
        if let Some((head, y1)) = pending.as_mut()
            && (line.y1 - *y1).abs() < 3.0
            && let Some(number) = page_number(text)
        {
            // The number of the line before, read apart from it.
            head.printed = Some(number);
            head.last = at;
            if let Some((entry, _)) = pending.take() {
                out.push(entry);
            }
            continue;
        }
        // Numbering that was drawn apart from its title, which stands to its right.
        if numbering(text).is_some_and(|n| n.len >= text.len())
            && let Some(entry) = out.iter_mut().rev().take(3).find(|e| (e.top - line.y0).abs() < 3.0 && e.indent > line.x0)
        {
            entry.title = clean(&format!("{text} {}", entry.title));
            entry.indent = line.x0;
            continue;
        }
        let (title, printed) = split(text);
        if printed.is_none() && matches!(fold(text).as_str(), "page" | "pageno" | "pages" | "seite" | "pagina") {
            continue;
        }
        // The second line of a title whose number stands beside the first: set in like that title, close below it.
        if printed.is_none()
            && pending.is_none()
            && numbering(text).is_none()
            && let Some(entry) = out.last_mut().filter(|e| continues(e, line, page))
        {
            entry.title = clean(&format!("{} {text}", entry.title));
            entry.last = at;
            continue;
        }
        let mut entry = ContentsEntry {
            title: clean(title),
            printed,
            top: line.y0,
            indent: line.x0,
            size: line.size,
            bold: line.bold,
            caps: is_caps(title),
            line: at,
            last: at,
        };
        if let Some((head, y1)) = pending.take() {
            let numbered = numbering(&entry.title).is_some();
            let close = line.y1 - y1 > 0.0
                && line.y1 - y1 < line.size * 1.6
                && (line.size - head.size).abs() < 0.6
                && line.bold == head.bold;
            // A wrapped title: its second line is close, not numbered, and not to the left of the first.
            if close && !numbered && line.x0 >= head.indent - 1.0 && has_letters(&head.title, 3) && (!head.caps || entry.caps) {
                entry = ContentsEntry {
                    title: clean(&format!("{} {}", head.title, entry.title)),
                    printed: entry.printed,
                    last: at,
                    ..head
                };
            } else if has_letters(&head.title, 2) {
                out.push(head);
            }
        }
        if entry.printed.is_some() {
            if has_letters(&entry.title, 1) {
                out.push(entry);
            }
        } else {
            pending = Some((entry, line.y1));
        }
    }
    if let Some((head, _)) = pending.filter(|(h, _)| has_letters(&h.title, 2)) {
        out.push(head);
    }
    // Text after the last numbered entry is not contents.
    let keep = out.iter().rposition(|e| e.printed.is_some()).map_or(0, |at| at + 1);
    out.truncate(keep);
    out
}

/// Whether a line without a number goes on with the long title of a numbered entry right above it.
fn continues(entry: &ContentsEntry, line: &Line, page: &Page) -> bool {
    /// A title of fewer characters has no need of a second line.
    const LONG: usize = 36;
    let Some(above) = page.lines.get(entry.last) else { return false };
    let step = line.y1 - above.y1;
    numbering(&entry.title).is_some()
        && entry.printed.is_some()
        && entry.title.chars().count() >= LONG
        && line.x0 > entry.indent + STEP
        && step > 0.0
        && step < line.size * 1.5
        && (line.size - entry.size).abs() < 0.6
        && line.bold == entry.bold
}

/// Title and page number of a contents line: leaders or a gap stand between them.
fn split(text: &str) -> (&str, Option<i32>) {
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || c == '.');
    let tail_len = text.bytes().rev().take_while(u8::is_ascii_alphanumeric).count();
    let (head, tail) = text.split_at(text.len() - tail_len);
    let number = page_number(tail);
    let trimmed = head
        .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '…' | '·' | '•' | '_' | '-' | '–' | '—' | '‥' | '․'));
    let between = head.get(trimmed.len()..).unwrap_or_default();
    let leader = between.chars().filter(|c| !c.is_whitespace()).count() >= 2;
    let gap = between.chars().filter(|c| c.is_whitespace()).count() >= 2;
    let plain = between.chars().any(char::is_whitespace);
    match number {
        // A roman number needs a leader or a gap: "i" alone ends many titles.
        Some(n) if leader || gap || (plain && n > 0) => (trimmed, Some(n)),
        _ if leader => (trimmed, None),
        _ => (text, None),
    }
}

/// A page number: digits, or a roman number as a negative one.
fn page_number(text: &str) -> Option<i32> {
    if text.is_empty() || text.len() > 5 {
        None
    } else if text.bytes().all(|b| b.is_ascii_digit()) {
        text.parse::<i32>().ok().filter(|n| *n < 20_000)
    } else {
        roman(text).map(|n| -(n as i32))
    }
}

/// Levels of the entries, 1-based: decimal numbering where it says so, else indentation, else the style.
pub(super) fn levels(entries: &[ContentsEntry]) -> Vec<u32> {
    let mut steps: Vec<f32> = Vec::new();
    for entry in entries {
        if !steps.iter().any(|s| (s - entry.indent).abs() < STEP) {
            steps.push(entry.indent);
        }
    }
    steps.sort_by(f32::total_cmp);
    let kind = |e: &ContentsEntry| {
        let step = steps.iter().position(|s| (s - e.indent).abs() < STEP).unwrap_or(0);
        let part = numbering(&e.title).is_none_or(|n| n.scheme != Scheme::Part);
        (part, step, -(e.size * 2.0).round() as i32, !e.bold, !e.caps)
    };
    let mut kinds: Vec<_> = entries.iter().map(kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let rank: Vec<u32> = merged(&kinds.iter().map(|k| k.1).collect::<Vec<_>>(), &followers(entries.iter().map(kind), &kinds));
    let items: Vec<Ranked> = entries
        .iter()
        .map(|e| {
            let rank = kinds.iter().position(|k| *k == kind(e)).and_then(|at| rank.get(at)).copied().unwrap_or(0);
            Ranked { leaf: false, ..Ranked::new(rank, &e.title) }
        })
        .collect();
    nest(&items)
}

/// For each kind the kinds that come right after it, by index.
fn followers<K: PartialEq>(entries: impl Iterator<Item = K>, kinds: &[K]) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new(); kinds.len()];
    let mut before: Option<usize> = None;
    for entry in entries {
        let at = kinds.iter().position(|k| *k == entry);
        if let (Some(before), Some(at)) = (before, at)
            && let Some(list) = out.get_mut(before)
        {
            list.push(at);
        }
        before = at;
    }
    out
}

/// Ranks of kinds. Two that are equally indented and both mostly go on with a deeper indent are one level set in two looks; where the one
/// is followed by the other it stands above it.
fn merged(steps: &[usize], followers: &[Vec<usize>]) -> Vec<u32> {
    let deeper = |at: usize| {
        let (Some(step), Some(next)) = (steps.get(at), followers.get(at)) else { return false };
        let deep = next.iter().filter(|n| steps.get(**n).is_some_and(|s| s > step)).count();
        deep > 0 && deep * 3 >= next.len()
    };
    let mut rank = 0;
    (0..steps.len())
        .map(|at| {
            if let Some(before) = at.checked_sub(1) {
                let same = steps.get(before) == steps.get(at) && deeper(before) && deeper(at);
                rank += u32::from(!same);
            }
            rank
        })
        .collect()
}
