//! Marked content: replacement text, artifacts, layers, numbers for the structure tree.

use hayro_syntax::object::{Dict, Name, Object, ObjectIdentifier, String as PdfString};
use hayro_syntax::page::Resources;

use super::glyphs::{Sheet, TextId};
use super::layers::Layers;
use super::marked::{ContentId, Marked};
use super::unicode::{SOFT_HYPHEN, is_private, push_clean, text_string};

/// Marks nested deeper than this count as plain.
const DEEPEST: usize = 512;

/// The open marked-content sequences, innermost last.
#[derive(Debug, Default)]
pub(super) struct Marks {
    open: Vec<Mark>,
    /// Sequences beyond [`DEEPEST`].
    beyond: usize,
}

/// One open sequence; what it inherits is already in it.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    hidden: bool,
    artifact: bool,
    /// The marked content in [`Marked`].
    content: u16,
    /// Replacement of all glyphs inside; `EMPTY` after the first glyph took it.
    replacement: Option<TextId>,
}

impl Marks {
    /// How many are open, so that a form cannot close those of its caller.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Closes what a form left open.
    pub(super) fn close_to(&mut self, depth: usize) {
        self.open.truncate(depth);
        self.beyond = 0;
    }

    /// `BMC`.
    pub(super) fn begin(&mut self, tag: &[u8]) {
        let mark = self.inherited();
        let artifact = tag == b"Artifact";
        let content = if artifact { Marked::ARTIFACT } else { mark.content };
        self.push(Mark { artifact: mark.artifact || artifact, content, ..mark });
    }

    /// `BDC`.
    pub(super) fn begin_with(
        &mut self,
        tag: &[u8],
        properties: &Object<'_>,
        resources: &Resources<'_>,
        layers: &Layers,
        owner: Option<ObjectIdentifier>,
        sheet: &mut Sheet,
    ) {
        let named;
        let dict = match properties {
            Object::Dict(dict) => Some(dict),
            Object::Name(name) => {
                named = resources.properties.get::<Dict<'_>>(name);
                named.as_ref()
            }
            _ => None,
        };
        let mut mark = self.inherited();
        if tag == b"Artifact" {
            mark.artifact |= dict.is_none_or(is_furniture);
            mark.content = Marked::ARTIFACT;
        }
        if let Some(dict) = dict {
            if let (Some(owner), Some(mcid)) = (owner, dict.get::<u32>("MCID")) {
                mark.content = sheet.marked.mark(ContentId { owner, mcid });
            }
            mark.hidden |= tag == b"OC" && layers.hides(dict);
            // An outer replacement already stands for everything inside.
            if mark.replacement.is_none() {
                mark.replacement = replacement(dict, sheet);
            }
        }
        self.push(mark);
    }

    /// `EMC`; never closes below `floor`.
    pub(super) fn end(&mut self, floor: usize) {
        if self.beyond > 0 {
            self.beyond -= 1;
        } else if self.open.len() > floor {
            let closed = self.open.pop();
            // What the inner sequence used up of an inherited replacement is used up outside too.
            if let (Some(closed), Some(outer)) = (closed, self.open.last_mut())
                && outer.replacement.is_some()
            {
                outer.replacement = closed.replacement;
            }
        }
    }

    /// Whether what is drawn now is on a layer that is off.
    pub(super) fn hidden(&self) -> bool {
        self.open.last().is_some_and(|m| m.hidden)
    }

    /// Whether what is drawn now is page furniture by the file's own word.
    pub(super) fn artifact(&self) -> bool {
        self.open.last().is_some_and(|m| m.artifact)
    }

    /// The marked content that what is drawn now belongs to.
    pub(super) fn content(&self) -> u16 {
        self.open.last().map_or(Marked::NONE, |m| m.content)
    }

    /// The text of the next glyph where a replacement is in force.
    pub(super) fn replace(&mut self) -> Option<TextId> {
        let mark = self.open.last_mut()?;
        let text = mark.replacement?;
        mark.replacement = Some(TextId::EMPTY);
        Some(text)
    }

    fn inherited(&self) -> Mark {
        self.open.last().copied().unwrap_or_default()
    }

    fn push(&mut self, mark: Mark) {
        if self.open.len() < DEEPEST {
            self.open.push(mark);
        } else {
            self.beyond += 1;
        }
    }
}

/// Only pagination artifacts are running headers and footers; backgrounds and layout artifacts may be anything.
fn is_furniture(dict: &Dict<'_>) -> bool {
    dict.get::<Name<'_>>("Type").is_some_and(|n| n.as_ref() == b"Pagination")
}

fn replacement(dict: &Dict<'_>, sheet: &mut Sheet) -> Option<TextId> {
    let text = text_string(dict.get::<PdfString<'_>>("ActualText")?.as_bytes());
    if !text.is_empty() && text.chars().all(|c| c == SOFT_HYPHEN) {
        return Some(TextId::of_char(SOFT_HYPHEN));
    }
    // What a private-use character means is told by the font.
    if let Some(c) = text.chars().next().filter(|c| is_private(*c) && text.chars().nth(1).is_none()) {
        return Some(TextId::of_char(c));
    }
    let mut clean = String::with_capacity(text.len());
    text.chars().for_each(|c| push_clean(c, &mut clean));
    // An empty replacement is more often a producer's slip than a wish to hide text, which has other means.
    if clean.trim().is_empty() { None } else { Some(sheet.keep(clean)) }
}
