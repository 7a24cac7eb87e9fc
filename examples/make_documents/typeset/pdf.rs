//! Writes pages as a PDF file: compressed streams, standard fonts, page labels and bookmarks.

use std::io::Write;

use anyhow::Context;
use lopdf::{Dictionary, Document, Object, ObjectId, Stream, StringFormat, dictionary};

use super::fonts::{Face, encode};
use super::markup::{Numbering, Source};
use super::pages::Page;
use super::pieces::Draw;
use super::style::{Color, Style};

/// The file's bytes. The same pages always give the same bytes.
pub fn write(pages: &[Page], source: &Source, style: &Style) -> anyhow::Result<Vec<u8>> {
    let mut file = Document::with_version("1.5");
    let mut fonts = Dictionary::new();
    for face in Face::ALL.into_iter().filter(|face| uses(pages, *face)) {
        let font = file.add_object(font_dictionary(face));
        fonts.set(face.resource(), font);
    }
    let resources = file.add_object(dictionary! { "Font" => fonts });

    let tree = file.new_object_id();
    let mut page_ids = Vec::new();
    for page in pages {
        let mut stream = Stream::new(Dictionary::new(), content(page, style)?);
        stream.compress()?;
        let contents = file.add_object(stream);
        page_ids.push(file.add_object(dictionary! { "Type" => "Page", "Parent" => tree, "Contents" => contents }));
    }
    let kids: Vec<Object> = page_ids.iter().map(|id| Object::from(*id)).collect();
    let tree_dictionary = dictionary! {
        "Type" => "Pages",
        "Kids" => kids,
        "Count" => i64::try_from(pages.len())?,
        "MediaBox" => vec![0.into(), 0.into(), style.page_width.into(), style.page_height.into()],
        "Resources" => resources,
    };
    file.set_object(tree, tree_dictionary);

    let mut catalog = dictionary! { "Type" => "Catalog", "Pages" => tree, "Lang" => Object::string_literal("en-US") };
    if style.navigation {
        catalog.set("PageLabels", dictionary! { "Nums" => page_labels(pages)? });
        let outline = outline(&mut file, pages, &page_ids, style)?;
        catalog.set("Outlines", outline);
        catalog.set("PageMode", "UseOutlines");
    }
    let root = file.add_object(catalog);
    file.trailer.set("Root", root);
    let info = file.add_object(dictionary! {
        "Title" => text_string(&source.title)?,
        "Author" => text_string(&source.author)?,
        "Subject" => text_string(&source.subject)?,
        "CreationDate" => Object::string_literal(source.date.as_str()),
    });
    file.trailer.set("Info", info);

    let mut bytes = Vec::new();
    file.save_to(&mut bytes).context("write the PDF")?;
    Ok(bytes)
}

/// Text outside the pages has an encoding of its own, which differs from that of the fonts beyond ASCII: there UTF-16 is used.
fn text_string(text: &str) -> anyhow::Result<Object> {
    if text.is_ascii() {
        return Ok(Object::string_literal(text));
    }
    let mut bytes = vec![0xFE, 0xFF];
    for unit in text.encode_utf16() {
        bytes.write_all(&unit.to_be_bytes())?;
    }
    Ok(Object::String(bytes, StringFormat::Hexadecimal))
}

fn uses(pages: &[Page], face: Face) -> bool {
    pages.iter().flat_map(|page| &page.draws).any(|draw| match draw {
        Draw::Text { runs, .. } => runs.iter().any(|run| run.face == face),
        Draw::Fill { .. } => false,
    })
}

fn font_dictionary(face: Face) -> Dictionary {
    let widths: Vec<Object> = face.width_list().into_iter().map(|width| i64::from(width).into()).collect();
    dictionary! {
        "Type" => "Font",
        "Subtype" => "Type1",
        "BaseFont" => face.base_font(),
        "Encoding" => "WinAnsiEncoding",
        "FirstChar" => 32,
        "LastChar" => 255,
        "Widths" => widths,
    }
}

/// One entry wherever the kind of number changes or counting begins again.
fn page_labels(pages: &[Page]) -> anyhow::Result<Vec<Object>> {
    let mut ranges = Vec::new();
    let mut expected = None;
    for (index, page) in pages.iter().enumerate() {
        if expected != Some((page.numbering, page.number)) {
            let style = match page.numbering {
                Numbering::Roman => "r",
                Numbering::Arabic => "D",
            };
            ranges.push(i64::try_from(index)?.into());
            ranges.push(dictionary! { "S" => style, "St" => i64::try_from(page.number)? }.into());
        }
        expected = Some((page.numbering, page.number + 1));
    }
    Ok(ranges)
}

struct Bookmark {
    id: ObjectId,
    level: usize,
    text: String,
    target: Vec<Object>,
}

/// The headings as a tree of bookmarks; returns the id of its root.
fn outline(file: &mut Document, pages: &[Page], page_ids: &[ObjectId], style: &Style) -> anyhow::Result<ObjectId> {
    let mut bookmarks = Vec::new();
    for (page, page_id) in pages.iter().zip(page_ids) {
        for (level, text, y) in &page.headings {
            let top = style.page_height - y;
            let target = vec![(*page_id).into(), "XYZ".into(), Object::Null, top.into(), Object::Null];
            bookmarks.push(Bookmark { id: file.new_object_id(), level: *level, text: text.clone(), target });
        }
    }
    let root = file.new_object_id();
    let mut root_dictionary = dictionary! { "Type" => "Outlines" };
    link_children(file, &bookmarks, root, &mut root_dictionary)?;
    file.set_object(root, root_dictionary);
    Ok(root)
}

/// Writes `bookmarks`, all below `parent`, and sets First, Last and Count of the parent. Only the first level is shown open.
fn link_children(file: &mut Document, bookmarks: &[Bookmark], parent: ObjectId, entry: &mut Dictionary) -> anyhow::Result<()> {
    let Some(level) = bookmarks.iter().map(|bookmark| bookmark.level).min() else { return Ok(()) };
    // What stands before the first bookmark of this level belongs to it too: headings never skip upward in our texts.
    let starts: Vec<usize> = (0..bookmarks.len()).filter(|at| *at == 0 || bookmarks[*at].level == level).collect();
    for (position, start) in starts.iter().enumerate() {
        let end = starts.get(position + 1).copied().unwrap_or(bookmarks.len());
        let own = &bookmarks[*start];
        let mut dictionary = dictionary! { "Title" => text_string(&own.text)?, "Parent" => parent, "Dest" => own.target.clone() };
        if let Some(previous) = position.checked_sub(1) {
            dictionary.set("Prev", bookmarks[starts[previous]].id);
        }
        if let Some(next) = starts.get(position + 1) {
            dictionary.set("Next", bookmarks[*next].id);
        }
        link_children(file, &bookmarks[start + 1..end], own.id, &mut dictionary)?;
        file.set_object(own.id, dictionary);
    }
    if let (Some(first), Some(last)) = (starts.first(), starts.last()) {
        entry.set("First", bookmarks[*first].id);
        entry.set("Last", bookmarks[*last].id);
        let count = i64::try_from(starts.len())?;
        entry.set("Count", if entry.has(b"Type") { count } else { -count });
    }
    Ok(())
}

/// The page's drawing commands.
fn content(page: &Page, style: &Style) -> anyhow::Result<Vec<u8>> {
    let mut out = Vec::new();
    for draw in &page.draws {
        match draw {
            Draw::Fill { x, y, width, height, color } => {
                set_color(&mut out, *color)?;
                let bottom = style.page_height - y - height;
                writeln!(out, "{x:.2} {bottom:.2} {width:.2} {height:.2} re f")?;
            }
            Draw::Text { x, y, runs, size, word_space, color } => {
                set_color(&mut out, *color)?;
                let baseline = style.page_height - y;
                writeln!(out, "BT {word_space:.3} Tw {x:.2} {baseline:.2} Td")?;
                for run in runs {
                    write!(out, "/{} {size} Tf (", run.face.resource())?;
                    for byte in encode(&run.text)? {
                        if matches!(byte, b'(' | b')' | b'\\') {
                            out.push(b'\\');
                        }
                        out.push(byte);
                    }
                    out.extend_from_slice(b") Tj\n");
                }
                out.extend_from_slice(b"ET\n");
            }
        }
    }
    Ok(out)
}

fn set_color(out: &mut Vec<u8>, (red, green, blue): Color) -> anyhow::Result<()> {
    writeln!(out, "{red} {green} {blue} rg")?;
    Ok(())
}
