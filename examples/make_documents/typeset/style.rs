//! The looks of the three documents.

use anyhow::bail;

use super::fonts::{Face, Family, SANS_FAMILY, SERIF_FAMILY};

pub type Color = (f32, f32, f32);

pub const BLACK: Color = (0.0, 0.0, 0.0);
pub const GREY: Color = (0.38, 0.38, 0.38);

/// One kind of heading.
#[derive(Clone, Copy, Debug)]
pub struct HeadingStyle {
    pub size: f32,
    pub face: Face,
    pub before: f32,
    pub after: f32,
}

/// Sizes and distances of a document, in points.
#[derive(Clone, Debug)]
pub struct Style {
    pub page_width: f32,
    pub page_height: f32,
    /// Distance of the text from the left and right edges.
    pub side: f32,
    /// Distance of the text from the upper edge.
    pub top: f32,
    /// Distance of the text from the lower edge.
    pub bottom: f32,
    pub family: Family,
    pub size: f32,
    pub leading: f32,
    pub table_family: Family,
    pub table_size: f32,
    pub justify: bool,
    /// Headings of levels 1 to 4.
    pub headings: [HeadingStyle; 4],
    /// A heading of level 1 begins a new page.
    pub chapter_pages: bool,
    pub accent: Color,
    /// What fills the space between an entry of the contents page and its number.
    pub leader: &'static str,
    /// Page labels and bookmarks are written to the file.
    pub navigation: bool,
}

impl Style {
    pub fn named(name: &str) -> anyhow::Result<Style> {
        match name {
            "report" => Ok(report()),
            "release" => Ok(release()),
            "manual" => Ok(manual()),
            _ => bail!("unknown style {name:?}"),
        }
    }

    /// Width of the text.
    pub fn measure(&self) -> f32 {
        self.page_width - 2.0 * self.side
    }

    /// Height of the text.
    pub fn depth(&self) -> f32 {
        self.page_height - self.top - self.bottom
    }
}

fn heading(size: f32, face: Face, before: f32, after: f32) -> HeadingStyle {
    HeadingStyle { size, face, before, after }
}

/// US letter, Times with Helvetica headings.
fn report() -> Style {
    Style {
        page_width: 612.0,
        page_height: 792.0,
        side: 74.0,
        top: 92.0,
        bottom: 84.0,
        family: SERIF_FAMILY,
        size: 10.5,
        leading: 14.0,
        table_family: SERIF_FAMILY,
        table_size: 9.5,
        justify: true,
        headings: [
            heading(20.0, Face::SansBold, 0.0, 14.0),
            heading(13.0, Face::SansBold, 16.0, 6.0),
            heading(11.0, Face::SansBold, 12.0, 4.0),
            heading(10.5, Face::SerifItalic, 8.0, 2.0),
        ],
        chapter_pages: true,
        accent: (0.05, 0.27, 0.42),
        leader: ". ",
        navigation: true,
    }
}

/// US letter, Times throughout, as wire services print it.
fn release() -> Style {
    Style {
        page_width: 612.0,
        page_height: 792.0,
        side: 72.0,
        top: 80.0,
        bottom: 80.0,
        family: SERIF_FAMILY,
        size: 11.0,
        leading: 14.0,
        table_family: SERIF_FAMILY,
        table_size: 9.5,
        justify: false,
        headings: [
            heading(16.0, Face::SerifBold, 0.0, 10.0),
            heading(12.5, Face::SerifBold, 14.0, 5.0),
            heading(11.0, Face::SerifBold, 10.0, 3.0),
            heading(11.0, Face::SerifItalic, 8.0, 2.0),
        ],
        chapter_pages: false,
        accent: BLACK,
        leader: ".",
        navigation: false,
    }
}

/// A4, Helvetica.
fn manual() -> Style {
    Style {
        page_width: 595.0,
        page_height: 842.0,
        side: 72.0,
        top: 96.0,
        bottom: 88.0,
        family: SANS_FAMILY,
        size: 10.0,
        leading: 14.0,
        table_family: SANS_FAMILY,
        table_size: 8.5,
        justify: false,
        headings: [
            heading(18.0, Face::SansBold, 0.0, 12.0),
            heading(13.0, Face::SansBold, 16.0, 5.0),
            heading(11.0, Face::SansBold, 11.0, 4.0),
            heading(10.0, Face::SansBold, 8.0, 2.0),
        ],
        chapter_pages: true,
        accent: (0.1, 0.1, 0.1),
        leader: ".",
        navigation: false,
    }
}
