//! What the PDF room hands to the others.

use std::time::Duration;

use secrecy::SecretString;
use serde::{Deserialize, Serialize};

/// How to open a file.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// Tried when the file is encrypted and the empty password does not open it.
    pub password: Option<SecretString>,
    /// Bounds on what one file may cost.
    pub limits: Limits,
}

/// Bounds on what one file may cost. What stands beyond a bound is left out and noted, never waited for.
///
/// Beside these some are fixed: 64 MB for one unpacked stream and for the content of a page, 128 MB for all object streams, 96 MB for the
/// fonts that a thread keeps, 8 MB for a map of codes, 12 forms within forms, 512 saved graphics states, 100,000 bookmarks.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Largest file that is read, in bytes.
    pub file_bytes: u64,
    /// Wall time for the text of one page.
    pub page_time: Duration,
    /// Wall time for a whole file.
    pub file_time: Duration,
    /// Most glyphs kept of one page.
    pub page_glyphs: usize,
    /// Most content-stream operators run for one page, forms included.
    pub page_operators: usize,
    /// Most pages read.
    pub pages: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 2 << 30,
            page_time: Duration::from_secs(5),
            file_time: Duration::from_secs(300),
            page_glyphs: 2_000_000,
            page_operators: 5_000_000,
            pages: 50_000,
        }
    }
}

/// What is to be said of one page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageNote {
    /// No text; images only (a scan).
    ImageOnly,
    /// Neither text nor images.
    Blank,
    /// Text that could not be decoded to Unicode.
    Undecodable,
    /// Text that is drawn invisibly against its background; left out of the page text.
    HiddenText,
    /// A placeholder of a dynamic XFA form, not the document.
    XfaForm,
    /// The page could be read only in part.
    Damaged,
}

impl PageNote {
    /// The name in JSON, such as `image_only`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ImageOnly => "image_only",
            Self::Blank => "blank",
            Self::Undecodable => "undecodable",
            Self::HiddenText => "hidden_text",
            Self::XfaForm => "xfa_form",
            Self::Damaged => "damaged",
        }
    }
}

/// What is to be said of a whole file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileNote {
    /// The cross-reference table was broken and was rebuilt.
    Repaired,
    /// Copying is not permitted by the file's flags; it was read all the same.
    CopyForbidden,
    /// A dynamic XFA form.
    XfaForm,
    /// A bound on time, pages or memory ended the reading early.
    CutShort,
}

/// One line as it stands on the page, in reading order, with what the eye sees of it. Lengths are points (1/72 inch) on the page as shown
/// (rotation applied); the origin is the upper left corner, y grows downward.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// The text of the line; cells of a table row are set apart by two or more spaces.
    pub text: String,
    /// Left edge.
    pub x0: f32,
    /// Upper edge.
    pub y0: f32,
    /// Right edge.
    pub x1: f32,
    /// Lower edge.
    pub y1: f32,
    /// Font size of most of its characters.
    pub size: f32,
    /// That size against the one of most of the document's text: 1 for body text, 1.4 for a heading of 14 points over 10. Of a page that
    /// was read alone, against the page's text.
    pub relative_size: f32,
    /// Whether most of its characters are bold.
    pub bold: bool,
    /// Whether most of its characters are italic.
    pub italic: bool,
    /// Whether most of its characters are small capitals.
    pub small_caps: bool,
    /// Fill colour of most of its characters, 0xRRGGBB.
    pub color: u32,
    /// Name of the font of most of its characters, without the subset prefix.
    pub font: String,
    /// A new paragraph, column or block starts with this line (an empty line stands before it in the page text).
    pub starts_block: bool,
    /// A running header, running footer or page number.
    pub furniture: bool,
    /// Which one it is of the lines side by side at its height, from the left, 1-based: the column of text it stands in.
    pub column: u16,
    /// Free space between it and the nearest line above it; `None` where nothing stands above it.
    pub space_above: Option<f32>,
    /// What most of it is by the structure tags of the file, where it has any. Known only where all pages are read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<Tag>,
}

/// What a piece of text is by the structure tags of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Tag {
    /// What it is.
    pub role: Role,
    /// Number of the element in the structure tree, in the tree's order; lines of one heading have the same. 0 for artifacts.
    pub element: u32,
}

/// What a structure element is: the standard types of PDF 1.7 and 2.0, taken together as far as a reader needs to tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A heading of this level, from 1; of one without a level, the number of sections that it stands in.
    Heading(u8),
    /// The title of the document.
    Title,
    /// A paragraph.
    Paragraph,
    /// The caption of a figure or a table.
    Caption,
    /// A cell of a table, or anything else in a table.
    Cell,
    /// An item of a list.
    ListItem,
    /// An entry of a table of contents.
    Contents,
    /// A footnote or endnote.
    Note,
    /// Text in a figure.
    Figure,
    /// No part of the text: a running head, a page number, decoration.
    Artifact,
}

/// One page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Page {
    /// Physical number, 1-based.
    pub number: u32,
    /// Printed label where the file defines one.
    pub label: Option<String>,
    /// Text in reading order: one visual line a line, blocks set apart by an empty line.
    pub text: String,
    /// The lines that the text is made of.
    pub lines: Vec<Line>,
    /// What is to be said of the page.
    pub notes: Vec<PageNote>,
    /// Width in points, as shown.
    pub width: f32,
    /// Height in points, as shown.
    pub height: f32,
}

/// One entry of the file's outline, in document order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bookmark {
    /// Depth, 1-based.
    pub level: u32,
    /// Title, decoded; white space folded. May be empty.
    pub title: String,
    /// Physical page, 1-based, where the target could be resolved inside this file.
    pub page: Option<u32>,
    /// Distance of the target from the top of the page in points, where the file gives it.
    pub top: Option<i32>,
    /// It leads out of this file: to another file or to an address.
    pub leads_out: bool,
}

/// The info dictionary, decoded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Info {
    /// Title.
    pub title: Option<String>,
    /// Author.
    pub author: Option<String>,
    /// Subject.
    pub subject: Option<String>,
    /// Keywords.
    pub keywords: Option<String>,
    /// The program that wrote the original.
    pub creator: Option<String>,
    /// The program that made the PDF.
    pub producer: Option<String>,
    /// Creation date as written in the file (`D:20250205...`).
    pub created: Option<String>,
}
