//! The material of requests: pieces of a document, cut so that they stay within a number of tokens.

use super::estimate::{head, shares, tokens};
use super::lines::Lines;
use super::places::{Place, Run, children, own_text, path};

/// Tokens of a line that says where the pages begin, and of the blank before it.
const PAGE_MARK: u64 = 12;
/// Characters of a title in a path or a list.
const TITLE: usize = 160;
/// Share of the room that titles and summaries of inner sections may take, in percent.
const INNER_SHARE: u64 = 60;

/// What all material of a document begins with.
pub(super) struct About<'a> {
    pub name: &'a str,
    pub title: Option<&'a str>,
}

impl About<'_> {
    fn head(&self) -> String {
        match self.title {
            Some(title) => format!("Document: {} ({})\n", short(title), short(self.name)),
            None => format!("Document: {}\n", short(self.name)),
        }
    }
}

/// Material for the summary of a section.
pub(super) fn section(about: &About<'_>, places: &[Place], at: usize, lines: &Lines<'_>, limit: usize, room: u64) -> String {
    let Some(place) = places.get(at) else { return String::new() };
    let node = &place.node;
    let mut out = about.head();
    out.push_str(&format!("Section: {}\n", short(&node.title)));
    let path = path(places, at);
    if !path.is_empty() {
        out.push_str(&format!(
            "Inside: {}\n",
            head(&path.iter().map(|title| short(title)).collect::<Vec<_>>().join(" > "), room / 10)
        ));
    }
    out.push_str(&format!("Pages: {}-{}\nAt most {limit} characters.\n", node.start_index, node.end_index));
    if !node.key_items.is_empty() {
        let items: Vec<&str> = node.key_items.iter().map(|item| short(item)).collect();
        out.push_str(&format!("It also holds: {}\n", head(&items.join("; "), room / 10)));
    }
    let left = room.saturating_sub(tokens(&out));
    out.push_str(&inner(places, &children(places, at), left * INNER_SHARE / 100));
    let left = room.saturating_sub(tokens(&out));
    out.push_str(&pages(&own_text(places, at, lines), lines, left));
    head(&out, room).to_owned()
}

/// Material for the description of a document.
pub(super) fn document(about: &About<'_>, places: &[Place], lines: &Lines<'_>, room: u64) -> String {
    /// Pages at the front that say what a document is.
    const FRONT: u32 = 3;
    let mut out = about.head();
    out.push_str(&format!("Pages: {}\n", lines.count()));
    let left = room.saturating_sub(tokens(&out));
    let top: Vec<usize> = places.iter().enumerate().filter(|(_, place)| place.depth == 0).map(|(at, _)| at).collect();
    out.push_str(&inner(places, &top, left * INNER_SHARE / 100));
    let front: Vec<Run> = (1..=FRONT.min(lines.count())).map(|page| (page, 0, lines.page(page).len())).collect();
    let left = room.saturating_sub(tokens(&out));
    // More than the first pages say is not needed.
    out.push_str(&pages(&front, lines, left.min(3_000)));
    head(&out, room).to_owned()
}

/// Material for headings inside a section: these of its pages.
pub(super) fn window(about: &About<'_>, title: &str, runs: &[Run], lines: &Lines<'_>, room: u64) -> String {
    let mut out = about.head();
    out.push_str(&format!("Section: {}\n", short(title)));
    let left = room.saturating_sub(tokens(&out));
    out.push_str(&pages(runs, lines, left));
    head(&out, room).to_owned()
}

/// The pages of a section in groups that fit into `room` tokens each.
pub(super) fn windows(runs: &[Run], lines: &Lines<'_>, room: u64) -> Vec<Vec<Run>> {
    let mut out: Vec<Vec<Run>> = Vec::new();
    let mut used = 0;
    for run in runs {
        let need = PAGE_MARK + tokens(&text(*run, lines));
        match out.last_mut().filter(|_| used + need <= room) {
            Some(window) => window.push(*run),
            None => {
                out.push(vec![*run]);
                used = 0;
            }
        }
        used += need;
    }
    out
}

/// Titles, pages and summaries of sections, each shortened alike where there are too many.
fn inner(places: &[Place], sections: &[usize], room: u64) -> String {
    if sections.is_empty() {
        return String::new();
    }
    let entries: Vec<String> = sections
        .iter()
        .filter_map(|at| places.get(*at))
        .map(|place| {
            let node = &place.node;
            let summary = node.summary.as_deref().map(|summary| format!(": {summary}")).unwrap_or_default();
            format!("- {} (pages {}-{}){summary}", short(&node.title), node.start_index, node.end_index)
        })
        .collect();
    let texts: Vec<&str> = entries.iter().map(String::as_str).collect();
    let shares = shares(&texts, room.saturating_sub(8 + texts.len() as u64));
    let mut out = "Sections inside:\n".to_owned();
    for (text, share) in texts.iter().zip(shares).filter(|(_, share)| *share > 0) {
        out.push_str(head(text, share));
        out.push('\n');
    }
    out
}

/// Texts of pages, each under its number; of pages that do not fit their heads, each with its share.
fn pages(runs: &[Run], lines: &Lines<'_>, room: u64) -> String {
    let texts: Vec<String> = runs.iter().map(|run| text(*run, lines)).collect();
    let views: Vec<&str> = texts.iter().map(String::as_str).collect();
    let shares = shares(&views, room.saturating_sub(PAGE_MARK * views.len() as u64));
    let mut out = String::new();
    for ((run, text), share) in runs.iter().zip(&views).zip(shares) {
        if share > 0 {
            out.push_str(&format!("\n[page {}]\n{}\n", run.0, head(text, share)));
        }
    }
    out
}

/// Characters of a run of lines, blank ones at its ends left out.
pub(super) fn text(run: Run, lines: &Lines<'_>) -> String {
    let (page, from, to) = run;
    lines.page(page).get(from..to).unwrap_or_default().join("\n").trim().to_owned()
}

fn short(text: &str) -> &str {
    text.char_indices().nth(TITLE).map_or(text, |(at, _)| text.get(..at).unwrap_or(text))
}
