//! Who wrote a document: names of people below its title.

use super::super::titles::{fold, is_caps, is_ideographic};
use super::front::{Front, FrontLine, words};

/// Words that no name of a person has.
const NOT_NAMES: &[&str] = &[
    "university",
    "institute",
    "department",
    "school",
    "college",
    "laboratory",
    "center",
    "centre",
    "inc",
    "corporation",
    "company",
    "group",
    "team",
    "project",
    "society",
    "faculty",
    "abstract",
    "introduction",
    "contents",
    "chapter",
    "section",
    "version",
    "edition",
    "report",
    "guide",
    "manual",
    "table",
    "figure",
    "page",
    "volume",
    "issue",
    "journal",
    "news",
    "street",
    "road",
    "avenue",
    "the",
    "of",
    "for",
    "in",
    "on",
    "with",
    "to",
    "from",
    "by",
    "at",
    "is",
    "are",
    "form",
    "part",
    "act",
    "court",
    "state",
    "states",
    "united",
    "federal",
    "ministry",
    "office",
    "bank",
    "research",
    "science",
    "sciences",
    "computer",
    "engineering",
    "press",
    "publishing",
    "universität",
    "université",
    "universidad",
    "universiteit",
    "institut",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "new",
    "north",
    "south",
    "east",
    "west",
    "general",
    "public",
    "license",
    "software",
    "systems",
    "technology",
    "technologies",
    "data",
    "design",
    "overview",
    "summary",
    "home",
    "date",
    "subject",
    "dear",
    "no",
    "and",
    "editor",
    "editors",
    "studies",
    "series",
    "draft",
    "original",
    "package",
    "documentation",
    "reference",
    "survey",
    "manager",
    "practice",
    "clinical",
    "photovoltaic",
    "instructions",
    "specification",
    "standard",
    "invoice",
    "letter",
    "code",
    "latex",
    "tex",
    "llc",
    "ltd",
    "gmbh",
    "plc",
    "corp",
    "association",
    "foundation",
    "council",
    "committee",
    "commission",
    "services",
    "service",
    "management",
    "international",
    "national",
    "der",
    "die",
    "das",
    "und",
    "für",
    "des",
    "im",
    "zur",
    "zum",
    "le",
    "la",
    "les",
    "du",
    "et",
    "sur",
    "pour",
    "policy",
    "security",
    "health",
    "energy",
    "annual",
    "financial",
    "statements",
    "learning",
    "language",
    "models",
    "analysis",
    "system",
    "development",
    "working",
    "paper",
    "draft",
    "city",
    "county",
    "district",
    "administration",
    "agency",
    "board",
    "user",
    "users",
    "revision",
    "history",
    "installation",
    "writer",
    "music",
    "delivery",
    "parser",
    "about",
    "logo",
    "index",
    "list",
    "notes",
    "copyright",
    "getting",
    "started",
];

/// The authors as a description names them: one, two, or the first "et al.".
pub(super) fn authors(front: &Front, title: Option<&str>) -> Option<String> {
    let title = title.map(fold).unwrap_or_default();
    let end = front
        .lines
        .iter()
        .enumerate()
        .take(40)
        .filter(|(_, l)| l.page == 0 && !title.is_empty() && fold(l.text).chars().count() >= 3 && title.contains(&fold(l.text)))
        .map(|(at, _)| at)
        .next_back();
    let start = end.map_or(0, |at| at + 1);
    // Names stand right below the title, at most a subtitle or two between.
    let mut lines = front.lines.iter().skip(start).take(5).filter(|l| l.page == 0);
    let found: Vec<String> = lines.find_map(names_of).or_else(|| {
        let above = end.and_then(|_| front.lines.first())?;
        names_of(above)
    })?;
    let more =
        front.lines.iter().skip(start).take(8).filter(|l| l.page == 0).filter_map(names_of).flatten().any(|n| !found.contains(&n));
    told(&found, more)
}

/// How many names are told.
fn told(names: &[String], more: bool) -> Option<String> {
    match names {
        [] => None,
        [one] if !more => Some(one.clone()),
        [a, b] if !more => Some(format!("{a} and {b}")),
        [first, ..] => Some(format!("{first} et al.")),
    }
}

/// The names in a line of names; none where something else stands among them.
fn names_of(line: &FrontLine) -> Option<Vec<String>> {
    let text = line
        .text
        .trim_start_matches("by ")
        .trim_start_matches("By ")
        .trim_start_matches("作者：")
        .trim_start_matches("von ")
        .trim_start_matches("Von ");
    if line.cell
        || text.chars().count() > 220
        || text.contains(['@', ':', '=', '?', '!', '%', '[', ']', '{', '<'])
        || text.contains("http")
    {
        return None;
    }
    // Figures between names are marks of footnotes and affiliations.
    let marked: String = text.chars().map(|c| if c.is_ascii_digit() { ',' } else { c }).collect();
    let parts: Vec<&str> = marked
        .split([',', ';', '&', '·', '、', '，'])
        .flat_map(|p| p.split(" and "))
        .flat_map(|p| p.split(" und "))
        .flat_map(|p| p.split(" et "))
        .collect();
    let mut out = Vec::new();
    let chars: Vec<char> = text.chars().collect();
    if chars
        .windows(2)
        .any(|p| matches!(p, [a, b] if a.is_uppercase() && b.is_ascii_digit() || a.is_ascii_digit() && b.is_uppercase()))
    {
        return None;
    }
    for part in parts {
        let part: String =
            part.chars().map(|c| if c.is_alphabetic() || matches!(c, '.' | '-' | '\'' | '’' | '‐') { c } else { ' ' }).collect();
        let part = part.split_whitespace().filter(|w| w.chars().any(char::is_alphabetic)).collect::<Vec<_>>();
        if part.is_empty() || matches!(part.as_slice(), ["Jr" | "Jr." | "MD" | "M.D." | "PhD" | "Ph.D." | "MPH"]) {
            continue;
        }
        match name(&part) {
            Some(name) => out.push(name),
            // A line cut within a name ends the list.
            None if !out.is_empty() && part.len() == 1 => break,
            None => return None,
        }
    }
    (!out.is_empty()).then_some(out)
}

/// Words that look like the name of a person, in ordinary writing.
fn name(words_of: &[&str]) -> Option<String> {
    let text = words_of.join(" ");
    if text.chars().any(is_ideographic) {
        return None;
    }
    let small = |w: &str| {
        matches!(w, "van" | "von" | "de" | "der" | "den" | "del" | "da" | "di" | "la" | "le" | "dos" | "al" | "bin" | "ter" | "zu")
    };
    let titled =
        |w: &str| matches!(w, "Dr." | "Dr" | "Prof." | "Prof" | "Ph.D." | "PhD" | "M.D." | "MD" | "Jr." | "Mr." | "Ms." | "Mrs.");
    let core: Vec<&str> = words_of.iter().copied().filter(|w| !titled(w)).collect();
    if !(2..=5).contains(&core.len()) {
        return None;
    }
    let fits = core.iter().all(|w| small(w) || w.chars().next().is_some_and(char::is_uppercase) && w.chars().count() <= 18);
    let long = core.iter().filter(|w| w.chars().filter(|c| c.is_alphabetic()).count() >= 3).count();
    let known = words(&text).split_whitespace().any(|w| NOT_NAMES.contains(&w));
    // "GDB QUICK REFERENCE" is no name, "SATOSHI NAKAMOTO" is; capitals within a word are neither.
    // Call signs, post codes and names of programs: "SW19 1NB", "SDK", "ParseBuffer".
    let caps = |w: &str| w.chars().filter(|c| c.is_alphabetic()).count() >= 2 && w.chars().all(|c| c.is_uppercase());
    let inner = |w: &str| {
        let tail: Vec<char> = w.chars().collect();
        tail.windows(2).skip(2).any(|p| matches!(p, [a, b] if a.is_lowercase() && b.is_uppercase()))
    };
    if !is_caps(&text) && core.iter().any(|w| caps(w) || inner(w)) || core.first().is_some_and(|w| w.chars().count() == 1) {
        return None;
    }
    let mixed = core.iter().any(|w| w.chars().filter(|c| c.is_uppercase()).count() >= 3 && w.chars().any(char::is_lowercase));
    if !fits || long == 0 || known || mixed || is_caps(&text) && core.len() > 3 {
        return None;
    }
    Some(if is_caps(&text) { super::institutions::calm(&core.join(" ")) } else { core.join(" ") })
}

/// Whether a text is made up of a name of a person.
pub(super) fn is_name(text: &str) -> bool {
    name(&text.split_whitespace().collect::<Vec<_>>()).is_some()
}
