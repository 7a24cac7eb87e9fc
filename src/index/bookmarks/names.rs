//! Titles of bookmarks that name no section: counters of pages, what programs write when nobody chose a name, file names, captions.

use super::super::numbering::numbering;
use super::super::titles::fold;

/// Words that stand before the number of a page, in the main languages, folded.
const COUNTED: &[&str] = &[
    "",
    "page",
    "p",
    "pg",
    "pp",
    "slide",
    "slidenumber",
    "slideno",
    "foliennummer",
    "seite",
    "folie",
    "pagina",
    "página",
    "sheet",
    "blank",
    "image",
    "scan",
    "bookmark",
    "signet",
    "lesezeichen",
    "diapositive",
    "diapositiva",
    "bild",
    "页",
    "第页",
    "幻灯片",
    "スライド",
    "슬라이드",
];

/// Endings of the names of files that documents are made from.
const FILES: &[&str] = &[
    ".doc", ".docx", ".odt", ".rtf", ".pdf", ".indd", ".qxd", ".qxp", ".fm", ".ppt", ".pptx", ".xls", ".xlsx", ".htm", ".html",
    ".tif", ".tiff", ".jpg", ".jpeg", ".png", ".txt", ".tex", ".dvi", ".ps", ".eps", ".p65", ".pub", ".vsd", ".dwg",
];

/// Whether a title only counts ("Page 1", "Slide 7", "12").
pub(in crate::index) fn counts(title: &str) -> bool {
    let folded = fold(title);
    let word: String = folded.chars().filter(|c| !c.is_ascii_digit()).collect();
    word.len() < folded.len() && (folded.starts_with(&word) || word == "第页") && COUNTED.contains(&word.as_str())
}

/// Whether a title only counts the page that it stands for.
pub(in crate::index) fn counts_page(title: &str, page: u32) -> bool {
    counts(title) && title.chars().filter(char::is_ascii_digit).collect::<String>().parse() == Ok(page)
}

/// Whether a title says nothing of what stands there, whatever the other titles are. A bare number is no such title: chapters have them.
pub(in crate::index) fn says_nothing(title: &str) -> bool {
    let folded = fold(title);
    let counter = counts(title) && !folded.bytes().all(|b| b.is_ascii_digit());
    let marker = ["toc", "ref", "hlk", "hlt", "hlink", "olelink", "ddelink", "bookmark", "goback"]
        .iter()
        .any(|head| folded.strip_prefix(head).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit())));
    let named = title.starts_with('_') || title.starts_with("OLE_") || title.starts_with("DDE");
    let unnamed = matches!(
        folded.as_str(),
        "" | "untitled"
            | "noname"
            | "notitle"
            | "blankpage"
            | "blank"
            | "emptypage"
            | "leereseite"
            | "unbenannt"
            | "ohnetitel"
            | "sanstitre"
            | "pageblanche"
            | "sintítulo"
            | "senzatitolo"
            | "thispageintentionallyleftblank"
            | "newbookmark"
    );
    counter || marker && (named || folded.bytes().any(|b| b.is_ascii_digit())) || unnamed || is_file_name(title)
}

/// Whether a title is the name of a file, with or without the program before it ("Microsoft Word - report.doc").
fn is_file_name(title: &str) -> bool {
    let lower = title.trim().to_lowercase();
    let Some(stem) = FILES.iter().find_map(|end| lower.strip_suffix(end)) else { return false };
    // "Node.js and its .doc" is a title; a file name has no space, or follows its program.
    !stem.is_empty()
        && !stem.contains("://")
        && (!stem.contains(' ') || lower.starts_with("microsoft ") || stem.contains(['_', '\\', '/']))
}

/// Whether a title is that of a figure or a table ("Table 3-1: Revenue").
pub(in crate::index) fn is_caption(title: &str) -> bool {
    const HEADS: &[&str] = &[
        "figure",
        "fig",
        "table",
        "tab",
        "abbildung",
        "abb",
        "tabelle",
        "tableau",
        "figuur",
        "tabel",
        "figura",
        "tabla",
        "tabella",
        "listing",
        "chart",
        "exhibit",
        "plate",
        "photo",
        "図",
        "表",
        "图",
        "그림",
        "표",
    ];
    let folded = fold(title);
    numbering(title).is_none()
        && HEADS.iter().any(|head| {
            folded.strip_prefix(head).is_some_and(|rest| {
                rest.starts_with(|c: char| c.is_ascii_digit())
                    || rest.starts_with(['a', 'b']) && rest.get(1..2).is_some_and(|c| c.bytes().all(|b| b.is_ascii_digit()))
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_and_names_of_programs() {
        for title in
            ["Page 1", "Slide 7", "Slide Number 3", "Bookmark 3", "p.57", "Seite 12", "第3页", "_Toc123456", "_GoBack", "Untitled"]
        {
            assert!(says_nothing(title), "{title}");
        }
        for title in ["Microsoft Word - report final.doc", "cover_v2.indd", "10k.htm", "Blank Page", "OLE_LINK2"] {
            assert!(says_nothing(title), "{title}");
        }
        for title in
            ["1984", "Table of contents", "Pages of history", "Reference 2", "Blank forms", "What is .doc", "Part 2", "Chapter 1"]
        {
            assert!(!says_nothing(title), "{title}");
        }
        assert!(counts("12") && !counts("12 Angry Men"));
    }

    #[test]
    fn captions() {
        assert!(is_caption("Figure 3.1 Overview") && is_caption("Table A1: Costs") && is_caption("図1"));
        assert!(!is_caption("Tables") && !is_caption("Figures of speech") && !is_caption("3.1 Figure skating"));
    }
}
